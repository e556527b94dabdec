"""The hook entries of each client, in its own form, and how ours are told from those of others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

PROGRAM = "trigraph-hook"
_OURS = re.compile(r"""\s*["']?(?:[^"']*[/\\])?trigraph-hook(?:\.exe)?["']?(?:\s|$)""")


@dataclass(frozen=True, slots=True)
class Hooks:
    """`events` are the entries by event, each a group of handlers or a handler itself; `beside` is what the file must
    have next to them."""

    events: Mapping[str, Mapping[str, Any]]
    beside: Mapping[str, Any] = field(default_factory=dict)


def is_ours(handler: object) -> bool:
    """Whether a handler runs our program, wherever that lies and however it is written."""
    command = handler.get("command") if isinstance(handler, dict) else None
    return isinstance(command, str) and bool(_OURS.match(command))


def claude_hooks(program: str) -> Hooks:
    """Run without a shell: a program and its arguments. Times in seconds."""

    def handler(event: str, timeout: int, **more: Any) -> dict[str, Any]:
        return {"type": "command", "command": program, "args": ["claude", event], "timeout": timeout, **more}

    return Hooks(
        {
            "SessionStart": _group(
                handler("session-start", 5, statusMessage="Recalling memory"), "startup|resume|clear|compact"
            ),
            "UserPromptSubmit": _group(handler("prompt", 3)),
            "PreCompact": _group(handler("pre-compact", 10), "manual|auto"),
            "Stop": _group(handler("stop", 30, **{"async": True})),
            "SessionEnd": _group(handler("session-end", 5)),
        }
    )


def codex_hooks(program: str) -> Hooks:
    """Run as one command line. The user trusts each by its text, so that it must stay the same. Times in seconds."""

    def handler(event: str, timeout: int, **more: Any) -> dict[str, Any]:
        return {
            "type": "command",
            "command": f"{_quoted(program)} codex {event}",
            "commandWindows": f"{PROGRAM}.exe codex {event}",
            "timeout": timeout,
            **more,
        }

    limit = {"additionalContextLimit": 2500}
    return Hooks(
        {
            "SessionStart": _group(
                handler("session-start", 5, statusMessage="Recalling", **limit), "startup|resume|clear|compact"
            ),
            "UserPromptSubmit": _group(handler("prompt", 3, **limit)),
            "PreCompact": _group(handler("pre-compact", 10), "manual|auto"),
            "Stop": _group(handler("stop", 30)),
            "SessionEnd": _group(handler("session-end", 5)),
        }
    )


def gemini_hooks(program: str) -> Hooks:
    """Run as one command line, each with a name. Times in milliseconds."""

    def handler(event: str, timeout_ms: int) -> dict[str, Any]:
        command = f"{_quoted(program)} gemini {event}"
        return {"name": "trigraph", "type": "command", "command": command, "timeout": timeout_ms}

    return Hooks(
        {
            "SessionStart": _group(handler("session-start", 3000), "startup"),
            "BeforeAgent": _group(handler("prompt", 3000)),
            "AfterAgent": _group(handler("stop", 10000)),
            "PreCompress": _group(handler("pre-compact", 10000)),
            "SessionEnd": _group(handler("session-end", 5000)),
        }
    )


def cursor_hooks(program: str) -> Hooks:
    """A flat list of command lines for each event, in a file of version 1."""
    named = {
        "sessionStart": "session-start",
        "beforeSubmitPrompt": "prompt",
        "stop": "stop",
        "sessionEnd": "session-end",
    }
    events = {name: {"command": f"{_quoted(program)} cursor {event}"} for name, event in named.items()}
    return Hooks(events, beside={"version": 1})


def _group(handler: Mapping[str, Any], matcher: str | None = None) -> dict[str, Any]:
    return ({} if matcher is None else {"matcher": matcher}) | {"hooks": [dict(handler)]}


def _quoted(program: str) -> str:
    """For a command line; double quotes are understood by every shell."""
    return f'"{program}"' if re.search(r"[^\w@%+=:,./\\-]", program) else program
