"""setup: connects AI clients to this memory, and disconnects them."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from trigraph.errors import InvalidInput
from trigraph.faces.cli import exit_codes, render
from trigraph.faces.cli.session import Session, session_of
from trigraph.faces.setup.clients import NAMES
from trigraph.faces.setup.places import VARIABLES, find_places
from trigraph.settings import variables

if TYPE_CHECKING:
    from trigraph.faces.setup.changes import Change
    from trigraph.faces.setup.planning import Plan
    from trigraph.faces.setup.round_trip import RoundTrip

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def setup(
    context: typer.Context,
    client: Annotated[str, typer.Argument(help=f"{', '.join(NAMES)}, or all that are found.")],
    scope: Annotated[
        str, typer.Option(help="user: everywhere; project: in this folder, for all who work in it.")
    ] = "user",
    hooks: Annotated[
        bool, typer.Option("--hooks", help="Also let memory speak up by itself: on start, prompt, stop.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")] = False,
    uninstall: Annotated[bool, typer.Option("--uninstall", help="Take out the server and the hooks again.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Connect an AI client to this memory: edits its configuration, shows how, asks first, and tries it out."""
    from trigraph.faces.setup.changes import make
    from trigraph.faces.setup.planning import check_hooks, find_programs, make_plan
    from trigraph.faces.setup.round_trip import check_server

    current = session_of(context)
    places = find_places(variables(*VARIABLES), sys.platform, Path.home(), Path.cwd())
    programs = find_programs(places, Path(sysconfig.get_path("scripts")))
    if hooks and not (dry_run or uninstall):
        check_hooks(places, programs)
    plan = make_plan(client, scope, places, programs, hooks=hooks, uninstall=uninstall)
    _show(current, plan)
    pending = [change for change in plan.changes if change.action != "unchanged"]
    if pending and not dry_run:
        _ask(current, pending, yes=yes)
        for change in pending:
            make(change)
            current.say(_told(change))
    checks = [] if dry_run or uninstall else [check_server(command) for command in plan.commands]
    if current.as_json:
        current.print_json(_json(plan, scope, checks, dry_run=dry_run, uninstall=uninstall))
    for check in checks:
        current.say(_check_told(check))
    if not all(check.ok for check in checks):
        raise typer.Exit(exit_codes.DEGRADED)
    for one in plan.clients if checks else ():
        current.say(f"next, {one.name}: {one.next_step}")


def _show(current: Session, plan: Plan) -> None:
    for note in plan.notes:
        current.say(note)
    for change in plan.changes:
        if change.action == "unchanged":
            current.say(f"{change.client}: {change.path} unchanged")
        elif not current.as_json:
            for line in change.diff.splitlines():
                current.out.print(Text(render.plain(line), style=_COLOURS.get(line[:1], "")), soft_wrap=True)


def _ask(current: Session, pending: list[Change], *, yes: bool) -> None:
    if yes:
        return
    if not current.asks:
        raise InvalidInput(
            "Nobody is there to agree to the changes; nothing was written.",
            field="yes",
            fix="Look at them with --dry-run, then add --yes.",
        )
    what = "this file" if len(pending) == 1 else f"these {len(pending)} files"
    if current.as_json:
        for change in pending:
            current.say(render.plain(change.diff))
    if not typer.confirm(f"Change {what}?", err=True):
        current.say("nothing was written")
        raise typer.Exit(exit_codes.DEGRADED)


def _told(change: Change) -> str:
    kept = f"; the original is in {change.backup}" if change.keeps_original else ""
    return f"{change.client}: {change.path} {change.action}{kept}"


def _check_told(check: RoundTrip) -> str:
    command = " ".join(check.command)
    if not check.ok:
        why = str(check.problem).rstrip(".")
        return f"`{command}` does not serve: {why}. What was written stays; run this again to check."
    who = " ".join(filter(None, (check.server, check.version)))
    return f"`{command}` answers: {who}, {len(check.tools)} tools ({', '.join(check.tools)})"


def _json(plan: Plan, scope: str, checks: list[RoundTrip], *, dry_run: bool, uninstall: bool) -> dict[str, Any]:
    files = [
        {
            "client": change.client,
            "file": str(change.path),
            "action": change.action,
            "diff": change.diff,
            "backup": str(change.backup) if change.keeps_original else None,
        }
        for change in plan.changes
    ]
    return {"scope": scope, "dry_run": dry_run, "uninstall": uninstall, "files": files, "checks": checks}
