"""Which clients are meant, which programs they are to run, and what that changes in their files."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from trigraph.errors import NotFound, invalid_choice
from trigraph.faces.setup.changes import Change, plan_install, plan_uninstall
from trigraph.faces.setup.clients import CLIENTS, NAMES, SCOPES, Client, Programs
from trigraph.faces.setup.hooks import PROGRAM as HOOK
from trigraph.faces.setup.places import Places

ALL = "all"
SERVER = "trigraph"


@dataclass(frozen=True, slots=True)
class Plan:
    """The clients that are meant, the changes of their files, the commands that will be run, and what to know first."""

    clients: tuple[Client, ...]
    changes: tuple[Change, ...]
    commands: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]


def make_plan(name: str, scope: str, places: Places, programs: Programs, *, hooks: bool, uninstall: bool) -> Plan:
    """All changes, none of them made. A file that cannot be edited is an error before anything is touched."""
    if scope not in SCOPES:
        raise invalid_choice("scope", scope, SCOPES)
    clients, notes = _chosen(name, scope, places)
    changes: list[Change] = []
    commands: dict[tuple[str, ...], None] = {}
    for client in clients:
        for file in client.files(places, scope, programs, hooks=hooks or uninstall):
            changes.append(plan_uninstall(client.name, file) if uninstall else plan_install(client.name, file))
            if file.entry is not None:
                commands[(str(file.entry["command"]), *file.entry["args"])] = None
        if hooks and client.hooks is None and not uninstall:
            notes.append(f"{client.name} has no hooks here: it reaches memory by the server's tools")
    if not uninstall:
        notes += _on_programs(places, programs, scope, hooks=hooks)
    return Plan(tuple(clients), tuple(changes), tuple(commands), tuple(notes))


def find_programs(places: Places, scripts: Path) -> Programs:
    """By name where they are on PATH, else where the running interpreter's scripts are."""
    found = shutil.which(SERVER, path=places.path)
    if found:
        return Programs(SERVER, str(Path(found).absolute()), HOOK)
    server, hook = (shutil.which(name, path=str(scripts)) or str(scripts / name) for name in (SERVER, HOOK))
    return Programs(server, server, hook)


def _chosen(name: str, scope: str, places: Places) -> tuple[list[Client], list[str]]:
    if name != ALL:
        client = next((client for client in CLIENTS if client.name == name), None)
        if client is None:
            raise invalid_choice("client", name, (*NAMES, ALL))
        missing = f"{name} was not found on this machine; its configuration is prepared all the same"
        return [client], [] if client.installed(places) else [missing]
    found = [client for client in CLIENTS if client.installed(places)]
    if not found:
        raise NotFound("No client was found on this machine.", fix=f"Name the one you want: {', '.join(NAMES)}.")
    fitting = [client for client in found if client.server_file(places, scope) is not None]
    return fitting, [f"{client.name} is left out: it has no {scope} scope" for client in found if client not in fitting]


def _on_programs(places: Places, programs: Programs, scope: str, *, hooks: bool) -> list[str]:
    notes = []
    if programs.server == SERVER and (Path(programs.server_path).parents[1] / "pyvenv.cfg").exists():
        notes.append(
            f"{programs.server_path} is in a virtual environment: a client that is started outside of it does not find "
            f"{SERVER}, unless you install it for good, for example with pipx"
        )
    if programs.server != SERVER and scope == "project":
        notes.append(f"{SERVER} is not on PATH: the files will hold a path of this machine, {programs.server}")
    if hooks and not _has_hook(places, programs):
        notes.append(f"warning: {programs.hook} was not found; hooks are not written until it is there")
    return notes


def check_hooks(places: Places, programs: Programs) -> None:
    """Hooks whose program is missing would fail at every prompt."""
    if not _has_hook(places, programs):
        raise NotFound(f"{programs.hook} was not found: every hook would fail.", fix="Leave --hooks out.")


def _has_hook(places: Places, programs: Programs) -> bool:
    return shutil.which(programs.hook, path=places.path) is not None
