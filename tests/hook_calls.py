"""Hooks as clients call them: recorded input, what each may be answered, and a memory to be asked."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import apsw
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from trigraph.faces.hook.events import answer

DATA = Path(__file__).parent / "data" / "hooks"
RECORDED = sorted(tuple(path.stem.split("-", 1)) for path in DATA.glob("*.json"))
ENTRY = "from trigraph.faces.hook.start import start; start()"
SECONDS = 60.0
"""More than any call takes: what is tested here is not how fast a busy machine is."""


def _closed(required: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(required),
        "properties": dict(required),
        "additionalProperties": False,
    }


def _context(event: str) -> dict[str, Any]:
    text = {"type": "string", "minLength": 1}
    return _closed({"hookSpecificOutput": _closed({"hookEventName": {"const": event}, "additionalContext": text})})


_QUIET = _closed({"suppressOutput": {"const": True}, **_context("SessionStart")["properties"]})
OUTPUT: dict[tuple[str, str], dict[str, Any]] = {
    ("claude", "session-start"): _QUIET,
    ("claude", "prompt"): _context("UserPromptSubmit"),
    ("codex", "session-start"): _context("SessionStart"),
    ("codex", "prompt"): _context("UserPromptSubmit"),
    ("gemini", "session-start"): _context("SessionStart"),
    ("gemini", "prompt"): _context("BeforeAgent"),
    ("cursor", "session-start"): _closed({"additional_context": {"type": "string", "minLength": 1}}),
    ("cursor", "prompt"): _closed({"continue": {"const": True}}),
}
"""What may be printed for each client and event, key by key; where nothing stands, nothing may."""


def recorded(client: str, event: str) -> dict[str, Any]:
    """What a client says on stdin."""
    read: dict[str, Any] = json.loads((DATA / f"{client}-{event}.json").read_text(encoding="utf-8"))
    return read


def check(client: str, event: str, out: str) -> None:
    """Empty or valid."""
    if out:
        assert (client, event) in OUTPUT, out
        Draft202012Validator(OUTPUT[client, event]).validate(json.loads(out))


def call(client: str, event: str, given: Mapping[str, Any] | bytes | None = None, *, seconds: float = SECONDS) -> str:
    """What the hook prints, in this process."""
    given = recorded(client, event) if given is None else given
    data = given if isinstance(given, bytes) else json.dumps(given).encode()
    out = answer([client, event], data, time.monotonic() + seconds)
    check(client, event, out)
    return out


def told(client: str, event: str, given: Mapping[str, Any] | None = None, /, **more: Any) -> str:
    """The context that the model gets; nothing if there is none."""
    out = call(client, event, {**(recorded(client, event) if given is None else given), **more})
    if not out:
        return ""
    read = json.loads(out)
    found: str = read.get("additional_context") or read.get("hookSpecificOutput", {}).get("additionalContext", "")
    return found


def run(
    arguments: list[str], data: bytes, environment: Mapping[str, str], folder: Path, *before: str
) -> subprocess.CompletedProcess[bytes]:
    """The same in a process of its own, as the installed program runs it."""
    return subprocess.run(
        [*before, sys.executable, "-c", ENTRY, *arguments],
        input=data,
        env=dict(environment),
        cwd=folder,
        capture_output=True,
        timeout=60,
        check=False,
    )


def waiting(home: Path) -> list[dict[str, Any]]:
    """What hooks left to be taken in."""
    return [json.loads(path.read_text()) for path in sorted((home / "hooks" / "inbox").glob("*.json"))]


def lock(home: Path) -> apsw.Connection:
    """A process that keeps the store to itself."""
    held = apsw.Connection(str(home / "default.db"))
    held.pragma("locking_mode", "EXCLUSIVE")
    held.execute("BEGIN EXCLUSIVE")
    return held
