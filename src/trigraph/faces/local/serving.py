"""The other end of the socket: a thread beside a server that answers its own user's processes on the same home."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from trigraph.errors import InvalidInput, TrigraphError, invalid_choice
from trigraph.faces import wire
from trigraph.faces.library import Trigraph
from trigraph.faces.local.address import is_private_folder, socket_path
from trigraph.faces.local.alone import alone
from trigraph.faces.local.asking import is_same_user
from trigraph.faces.local.taking_in import take_in
from trigraph.model.scope import Scope
from trigraph.model.status import EmbeddingModel

REQUEST_MOST_BYTES = 256 * 1024
PATIENCE_SECONDS = 2.0
AT_ONCE_MOST = 16
TAKES_IN_EVERY_SECONDS = 0.5
VERBS = ("recall", "embed", "ping")


@contextmanager
def answering(memory: Trigraph, home: Path, *, works: bool) -> Iterator[bool]:
    """Answer on the socket of a home for as long as the block lasts, and say whether: a home has one that answers, and
    whoever comes second goes without. A server that `works` off the queue takes in what hooks left, too."""
    with ExitStack() as held:
        listener = _listen(str(home), held)
        if listener is not None:
            stop = threading.Event()
            held.callback(stop.set)
            served = _Served(memory, works)
            threading.Thread(target=_accept, args=(listener, served), name="trigraph-local", daemon=True).start()
            if works:
                taking = threading.Thread(
                    target=_take_in, args=(memory, home, stop), name="trigraph-inbox", daemon=True
                )
                taking.start()
                held.callback(taking.join, 10)
                held.callback(stop.set)
        yield listener is not None


class _Served:
    def __init__(self, memory: Trigraph, works: bool) -> None:
        self._memory = memory
        self._works = works

    def answer(self, request: Any) -> Any:
        """The answer to a request: a verb, the scope in which it is asked, and its arguments."""
        verb = request.get("verb")
        if verb not in VERBS:
            raise invalid_choice("verb", verb, VERBS)
        if verb == "ping":
            return {"version": self._memory.engine.version, "works": self._works}
        if verb == "embed":
            return {"vectors": self._vectors(request)}
        memory = Trigraph(self._memory.engine, Scope(*wire.strings(request.get("scope"), "scope")))
        return wire.to_json(memory.recall(**request["arguments"]))

    def _vectors(self, request: dict[str, Any]) -> list[list[float]]:
        """For another process of this version with the same model: every bit as it is here."""
        if request["version"] != self._memory.engine.version:
            raise InvalidInput("The version is another.", field="version", fix="Bring both to the same version.")
        texts = wire.strings(request["texts"], "texts")
        made = self._memory.engine.embed(EmbeddingModel(**request["model"]), texts, query=request["query"])
        vectors: list[list[float]] = made.tolist()
        return vectors


def _accept(listener: socket.socket, served: _Served) -> None:
    turns = threading.BoundedSemaphore(AT_ONCE_MOST)
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        turns.acquire()
        threading.Thread(target=_serve, args=(connection, served, turns), daemon=True).start()


def _serve(connection: socket.socket, served: _Served, turns: threading.BoundedSemaphore) -> None:
    with connection, suppress(OSError):
        try:
            connection.settimeout(PATIENCE_SECONDS)
            if is_same_user(connection):
                with connection.makefile("rb") as lines:
                    told = _told(served, lines.readline(REQUEST_MOST_BYTES))
                connection.sendall(told + b"\n")
        finally:
            turns.release()


def _told(served: _Served, line: bytes) -> bytes:
    try:
        request = json.loads(line)
        answer = {"answer": served.answer(request if isinstance(request, dict) else {})}
    except TrigraphError as error:
        answer = {"error": wire.error_json(error)}
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        answer = {"error": {"code": "invalid_input", "message": f"not understood: {type(error).__name__}"}}
    return json.dumps(answer).encode()


def _take_in(memory: Trigraph, home: Path, stop: threading.Event) -> None:
    while not stop.wait(TAKES_IN_EVERY_SECONDS):
        with suppress(Exception):  # a full disk, a lock: what waits, waits
            take_in(memory, home)


def _listen(home: str, held: ExitStack) -> socket.socket | None:
    """The socket, bound and private; None where another server has it, or the system has none."""
    if sys.platform == "win32":
        return None
    path = socket_path(home)
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        if not is_private_folder(os.path.dirname(path)) or not held.enter_context(alone(f"{path}.lock")):
            return None
        listener = held.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        unready = f"{path[:-5]}.new"
        for stale in (unready, path):  # of a server that was killed: whoever has the lock has the socket
            with suppress(FileNotFoundError):
                os.unlink(stale)
        listener.bind(unready)
        os.chmod(unready, 0o600)
        listener.listen(AT_ONCE_MOST)
        os.rename(unready, path)
    except OSError:
        return None
    held.callback(_leave, path, listener)
    return listener


def _leave(path: str, listener: socket.socket) -> None:
    with suppress(OSError):
        os.unlink(path)
    with suppress(OSError):
        listener.shutdown(socket.SHUT_RDWR)  # ends the thread that waits in accept
