"""Whether a server really answers: started as a client starts it, asked who it is and for its tools, over stdio."""

from __future__ import annotations

import json
import queue
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

PROTOCOL = "2025-11-25"
TIMEOUT_SECONDS = 10.0
GRACE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """What was found: the server's name, version and tools, or the problem."""

    command: tuple[str, ...]
    ok: bool
    server: str | None = None
    version: str | None = None
    tools: tuple[str, ...] = ()
    problem: str | None = None


class _Failed(Exception):
    """The talk came to nothing; says why."""


def check_server(command: Sequence[str], timeout_seconds: float = TIMEOUT_SECONDS) -> RoundTrip:
    """Start the command, initialise, list its tools, and end it. Never raises: a failure is a finding."""
    words = tuple(command)
    with tempfile.TemporaryFile() as complaints:
        try:
            process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints, encoding="utf-8"
            )
        except OSError as error:
            return RoundTrip(words, ok=False, problem=f"it cannot be started ({error.strerror})")
        try:
            return _talk(words, _Wire(process, time.monotonic() + timeout_seconds))
        except _Failed as failure:
            _end(process)
            said = _last_line(complaints)
            return RoundTrip(words, ok=False, problem=f"{failure}; it said: {said}" if said else str(failure))
        finally:
            _end(process)


def _talk(command: tuple[str, ...], wire: _Wire) -> RoundTrip:
    client = {"name": "trigraph-setup", "version": "1"}
    told = wire.ask("initialize", {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client})
    wire.send({"method": "notifications/initialized"})
    listed = wire.ask("tools/list", {}).get("tools")
    if not isinstance(listed, list):
        raise _Failed("it answers tools/list without tools")
    server = told.get("serverInfo")
    about = server if isinstance(server, dict) else {}
    names = tuple(str(tool.get("name")) for tool in listed if isinstance(tool, dict))
    return RoundTrip(command, True, about.get("name"), about.get("version"), names)


class _Wire:
    """Messages as lines; everything before the deadline."""

    def __init__(self, process: subprocess.Popen[str], deadline: float) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._input = process.stdin
        self._deadline = deadline
        self._last_id = 0
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, args=(process.stdout,), daemon=True).start()

    def send(self, message: dict[str, Any]) -> None:
        try:
            self._input.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            self._input.flush()
        except OSError as error:
            raise _Failed(f"it ended{self._status()}") from error

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The result of a request; what else arrives meanwhile is not for us."""
        self._last_id += 1
        self.send({"id": self._last_id, "method": method, "params": params})
        while True:
            message = self._next(method)
            if message.get("id") == self._last_id and "method" not in message:
                break
        if "error" in message:
            raise _Failed(f"it answers {method} with an error: {_error_text(message['error'])}")
        result = message.get("result")
        if not isinstance(result, dict):
            raise _Failed(f"it answers {method} without a result")
        return result

    def _next(self, method: str) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=max(0.0, self._deadline - time.monotonic()))
        except queue.Empty:
            raise _Failed(f"it did not answer {method} in time") from None
        if not line:
            raise _Failed(f"it ended{self._status()}")
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise _Failed(f"it writes what is not a message: {line.strip()[:80]!r}")
        return message

    def _status(self) -> str:
        try:
            return f" with exit code {self._process.wait(GRACE_SECONDS)}"
        except subprocess.TimeoutExpired:
            return ""

    def _read(self, stream: IO[str]) -> None:
        """An empty line is the end, as lines have their line end."""
        with stream, suppress(OSError, ValueError):
            for line in stream:
                self._lines.put(line)
        self._lines.put("")


def _error_text(error: object) -> str:
    return str(error.get("message")) if isinstance(error, dict) else str(error)


def _last_line(complaints: IO[bytes]) -> str:
    complaints.seek(0)
    lines = complaints.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip()[:200] if lines else ""


def _end(process: subprocess.Popen[str]) -> None:
    """Closed input asks a server to end; it is made to where it does not listen."""
    if process.stdin is not None:
        with suppress(OSError):
            process.stdin.close()
    for stop in (process.poll, process.terminate, process.kill):
        stop()
        try:
            process.wait(GRACE_SECONDS)
            return
        except subprocess.TimeoutExpired:
            continue
