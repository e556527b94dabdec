"""Taking in what hooks left: turns are handed to the queue, and sessions that are over are wrapped."""

from __future__ import annotations

import json
import os
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from trigraph.errors import StoreError, TrigraphError
from trigraph.faces.hook.clients import without_private
from trigraph.faces.hook.folder import hooks_folder, note, write_json
from trigraph.faces.library import Trigraph
from trigraph.faces.local.alone import alone
from trigraph.model.memory import Kind
from trigraph.model.scope import Scope

TRANSCRIPT_MOST_BYTES = 64 * 1024 * 1024
ENTRY_MOST_BYTES = 2 * 1024 * 1024
WRAP_WAITS_SECONDS = 3600.0
"""So long does a wrap wait for the turns of its session to be read."""
UNREAD = ("waiting", "running")


def take_in(memory: Trigraph, home: Path) -> int:
    """Take in all that waits, the oldest first; returns how many entries were. One process at a time does it; what
    cannot be understood is let go of, with a line in the log; what the store cannot take now waits."""
    inbox = Path(hooks_folder(str(home), "inbox"))
    if not inbox.is_dir():
        return 0
    taken = 0
    with alone(str(inbox.parent / "inbox.lock")) as mine:
        for path in sorted((*inbox.glob("*.json"), *inbox.glob("*.taken")), key=_age) if mine else ():
            taken += _take(memory, str(home), path)
    return taken


def _take(memory: Trigraph, home: str, path: Path) -> bool:
    mine = path.with_suffix(".taken")  # from now on a later word on the same session is a file of its own
    with suppress(FileNotFoundError):
        path.rename(mine)
    entry: dict[str, Any] = {}
    try:
        entry = _entry(mine)
        own = Trigraph(memory.engine, Scope(*entry["scope"]))
        if entry["event"] == "wrap":
            if not _wrap(own, entry):
                return False
        else:
            _turn(own, entry, mine.stem)
            if entry["event"] == "session-end":
                write_json(str(mine), {**entry, "event": "wrap", "transcript": "", "messages": []})
                return True
    except StoreError:
        raise
    except (TrigraphError, OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        note(home, str(entry.get("client", "?"))[:20], "take-in", error)
    mine.unlink(missing_ok=True)
    return True


def _turn(memory: Trigraph, entry: dict[str, Any], name: str) -> None:
    """Hand over what was said. A transcript is the whole of its session so far, messages follow what was there."""
    if entry["transcript"]:
        said = _transcript(entry["transcript"])
        if said.strip():
            memory.turn(said, session=entry["session"], whole=True)
    elif entry["messages"]:
        memory.turn(entry["messages"], session=entry["session"], whole=False, idempotency_key=f"hook-{name}")


def _wrap(memory: Trigraph, entry: dict[str, Any]) -> bool:
    """Wrap a session once its turns were read, if it left anything; says whether that is settled."""
    unread = any(job.name == "turn" for job in memory.jobs(states=UNREAD, limit=500))
    if unread and time.time() - entry["at"] < WRAP_WAITS_SECONDS:
        return False
    left = memory.list(session=entry["session"], author=memory.scope.agent, limit=200).memories
    if any(one.kind not in (Kind.EPISODE, Kind.SUMMARY) for one in left):
        key = f"hook-wrap-{entry['session']}-{entry['at']}"
        memory.wrap(entry["session"], source="hook", idempotency_key=key[:200])
    return True


def _entry(path: Path) -> dict[str, Any]:
    entry = json.loads(_read(str(path), ENTRY_MOST_BYTES))
    kinds = {"client": str, "event": str, "session": str, "scope": list, "transcript": str, "messages": list}
    if not isinstance(entry, dict) or any(not isinstance(entry.get(name), kind) for name, kind in kinds.items()):
        raise ValueError("not an entry")
    if not isinstance(entry.get("at"), int | float):
        raise ValueError("not an entry")
    return entry


def _transcript(path: str) -> str:
    """The lines of a transcript that are whole, without what is private."""
    text = _read(path, TRANSCRIPT_MOST_BYTES)
    return "\n".join(kept for line in text.split("\n") if (kept := _public(line)))


def _public(line: str) -> str:
    try:
        read = json.loads(line)
    except (ValueError, RecursionError):
        return ""  # the client is still writing it
    return json.dumps(_stripped(read)) if "<private>" in line.lower() else line


def _stripped(value: Any) -> Any:
    match value:
        case str():
            return without_private(value)
        case list():
            return [_stripped(one) for one in value]
        case dict():
            return {name: _stripped(one) for name, one in value.items()}
    return value


def _read(path: str, most: int) -> str:
    """A file of the user's own, not beyond a size; nothing that is no file, and nothing by way of a link."""
    found = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
    with open(found, "rb") as file:
        told = os.fstat(found)
        foreign = hasattr(os, "getuid") and told.st_uid != os.getuid()
        if not stat.S_ISREG(told.st_mode) or foreign or told.st_size > most:
            raise ValueError("not a file that is read")
        return file.read(most).decode("utf-8", "replace")


def _age(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0
