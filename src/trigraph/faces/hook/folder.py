"""The folder `hooks` of a home: what each session was given, what waits to be taken in, and a small log."""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import suppress
from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

GIVEN_MOST = 500
SESSIONS_MOST = 500
SESSION_DAYS = 14
LOOKED_AT_MOST = 5_000
WAITING_MOST = 2_000
"""So many entries may wait: if nobody takes them in for so long, nobody will miss what comes after."""
LOG_MOST_BYTES = 64 * 1024


def hooks_folder(home: str, *parts: str) -> str:
    """The path of a part of it."""
    return os.path.join(home, "hooks", *parts)


class Session:
    """What a hook remembers from one call of a session to the next: the memories that it was given, and what the user
    asked last, for clients that tell it only once."""

    def __init__(self, home: str, client: str, session: str) -> None:
        name = hashlib.sha256(f"{client}:{session}".encode()).hexdigest()[:32]
        self._path = hooks_folder(home, "sessions", f"{name}.json") if session else ""
        read = _read_json(self._path) if self._path else {}
        given, asked = read.get("given"), read.get("asked")
        self.given: list[str] = [one for one in given if isinstance(one, str)] if isinstance(given, list) else []
        self.asked = asked if isinstance(asked, str) else ""

    def keep(self) -> None:
        """Write it down, the last of what was given."""
        if self._path:
            write_json(self._path, {"given": self.given[-GIVEN_MOST:], "asked": self.asked})

    def drop(self) -> None:
        """The session is over."""
        if self._path and os.path.exists(self._path):
            os.unlink(self._path)


def leave(home: str, entry: dict[str, Any]) -> bool:
    """Leave something to be taken in. Of a transcript, which is the whole of a session, the latest word counts; says
    whether there was room."""
    folder = hooks_folder(home, "inbox")
    if os.path.isdir(folder) and len(os.listdir(folder)) >= WAITING_MOST:
        return False
    name = f"{time.time_ns():020d}-{os.urandom(4).hex()}"
    if entry["transcript"] and entry["event"] != "session-end":
        name = hashlib.sha256(f"{entry['client']}:{entry['session']}".encode()).hexdigest()[:32]
    write_json(os.path.join(folder, f"{name}.json"), entry)
    return True


def tidy(home: str) -> None:
    """Let go of sessions that were not heard of for long, and of the oldest beyond a number."""
    folder = hooks_folder(home, "sessions")
    if not os.path.isdir(folder):
        return
    with os.scandir(folder) as found:
        ages = sorted((entry.stat().st_mtime, entry.path) for entry in islice(found, LOOKED_AT_MOST))
    oldest = time.time() - SESSION_DAYS * 86_400
    for number, (at, path) in enumerate(reversed(ages)):
        if at < oldest or number >= SESSIONS_MOST:
            os.unlink(path)


def note(home: str, client: str, event: str, error: BaseException) -> None:
    """A line in the log: when, which hook, what kind of fault. No text of a memory, a prompt or a message."""
    path = hooks_folder(home, "hooks.log")
    try:
        if not os.path.isdir(home):
            return
        _make(os.path.dirname(path))
        if os.path.exists(path) and os.path.getsize(path) > LOG_MOST_BYTES:
            os.replace(path, f"{path}.1")
        kind = f"{type(error).__name__}: {error.strerror}" if isinstance(error, OSError) else type(error).__name__
        line = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {client} {event} {kind}\n"
        with open(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
            file.write(line)
    except OSError:
        pass  # a full disk: there is nowhere to say so


def write_json(path: str, value: object) -> None:
    """Write a file of one's own, whole or not at all."""
    _make(os.path.dirname(path))
    unfinished = f"{path}.{os.getpid()}.new"
    try:
        with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(value, file)
        os.replace(unfinished, path)
    except OSError:
        if os.path.exists(unfinished):
            os.unlink(unfinished)
        raise


def _make(folder: str) -> None:
    """A folder and those above it that are missing, for the user alone."""
    if not os.path.isdir(folder):
        _make(os.path.dirname(folder))
        with suppress(FileExistsError):
            os.mkdir(folder, 0o700)


def _read_json(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            read = json.load(file)
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}
