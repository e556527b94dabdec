"""The clients: how each is recognised, which files it reads, and what stands in them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trigraph.errors import InvalidInput
from trigraph.faces.setup.hooks import Hooks, claude_hooks, codex_hooks, cursor_hooks, gemini_hooks
from trigraph.faces.setup.places import Places

SCOPES = ("user", "project")


@dataclass(frozen=True, slots=True)
class Programs:
    """What is written into files as the command to run: the server's program, its whole path, and the hook's."""

    server: str
    server_path: str
    hook: str


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A file of a client and what of ours belongs into it: an entry in a table of servers, hooks, or both."""

    path: Path
    table: str | None = None
    entry: Mapping[str, Any] | None = None
    hooks: Hooks | None = None


@dataclass(frozen=True, slots=True)
class Client:
    """`traces` are folders and files that it leaves, `command` is what it is called on PATH; `server_file` and
    `hook_file` say which file of a scope holds what, None where there is none; `next_step` is for people."""

    name: str
    command: str | None
    traces: Callable[[Places], tuple[Path, ...]]
    table: str
    typed: bool
    server_file: Callable[[Places, str], Path | None]
    hook_file: Callable[[Places, str], Path] | None
    hooks: Callable[[str], Hooks] | None
    next_step: str
    whole_path: bool = False

    def installed(self, places: Places) -> bool:
        """Whether it was ever here."""
        if any(trace.exists() for trace in self.traces(places)):
            return True
        return self.command is not None and shutil.which(self.command, path=places.path) is not None

    def files(self, places: Places, scope: str, programs: Programs, *, hooks: bool) -> list[ConfigFile]:
        """The files of a scope; a scope that the client does not have is an error."""
        path = self.server_file(places, scope)
        if path is None:
            raise InvalidInput(
                f"{self.name} has no configuration of its own for a project.",
                field="scope",
                allowed=("user",),
                fix="Leave --scope out.",
            )
        command = programs.server_path if self.whole_path else programs.server
        entry = ({"type": "stdio"} if self.typed else {}) | {"command": command, "args": ["mcp"]}
        if not hooks or self.hooks is None or self.hook_file is None:
            return [ConfigFile(path, self.table, entry)]
        ours, other = self.hooks(programs.hook), self.hook_file(places, scope)
        if other == path:
            return [ConfigFile(path, self.table, entry, ours)]
        return [ConfigFile(path, self.table, entry), ConfigFile(other, hooks=ours)]


def _below(folder: str, name: str) -> Callable[[Places, str], Path]:
    """A file in a folder that is called the same in the home folder and in a project."""
    return lambda places, scope: (places.home if scope == "user" else places.project) / folder / name


CLIENTS = (
    Client(
        "claude-code",
        command="claude",
        traces=lambda places: (places.claude, places.claude_json),
        table="mcpServers",
        typed=True,
        server_file=lambda places, scope: places.claude_json if scope == "user" else places.project / ".mcp.json",
        hook_file=lambda places, scope: (
            (places.claude if scope == "user" else places.project / ".claude") / "settings.json"
        ),
        hooks=claude_hooks,
        next_step="start a new session; /mcp lists trigraph (in a project it asks for your approval first)",
    ),
    Client(
        "codex",
        command="codex",
        traces=lambda places: (places.codex,),
        table="mcp_servers",
        typed=False,
        server_file=lambda places, scope: (
            (places.codex if scope == "user" else places.project / ".codex") / "config.toml"
        ),
        hook_file=lambda places, scope: (places.codex if scope == "user" else places.project / ".codex") / "hooks.json",
        hooks=codex_hooks,
        next_step="`codex mcp list` shows trigraph; Codex asks once whether you trust each hook",
    ),
    Client(
        "cursor",
        command="cursor",
        traces=lambda places: (places.home / ".cursor",),
        table="mcpServers",
        typed=False,
        server_file=_below(".cursor", "mcp.json"),
        hook_file=_below(".cursor", "hooks.json"),
        hooks=cursor_hooks,
        next_step="switch trigraph on under Settings, MCP",
    ),
    Client(
        "gemini",
        command="gemini",
        traces=lambda places: (places.home / ".gemini",),
        table="mcpServers",
        typed=False,
        server_file=_below(".gemini", "settings.json"),
        hook_file=_below(".gemini", "settings.json"),
        hooks=gemini_hooks,
        next_step="start a new session; /mcp lists trigraph",
    ),
    Client(
        "claude-desktop",
        command=None,
        traces=lambda places: (places.programs / "Claude",),
        table="mcpServers",
        typed=False,
        server_file=lambda places, scope: (
            places.programs / "Claude" / "claude_desktop_config.json" if scope == "user" else None
        ),
        hook_file=None,
        hooks=None,
        next_step="quit it and start it again",
        whole_path=True,
    ),
    Client(
        "vscode",
        command="code",
        traces=lambda places: (places.programs / "Code",),
        table="servers",
        typed=True,
        server_file=lambda places, scope: (
            places.programs / "Code" / "User" / "mcp.json"
            if scope == "user"
            else places.project / ".vscode" / "mcp.json"
        ),
        hook_file=None,
        hooks=None,
        next_step="run `MCP: List Servers` and start trigraph",
    ),
)
NAMES = tuple(client.name for client in CLIENTS)
