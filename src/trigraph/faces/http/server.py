"""Running the application with uvicorn."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn

from trigraph.errors import ConfigError
from trigraph.faces.http.app import is_loopback, make_app
from trigraph.faces.library import Trigraph


def serve_forever(
    memory: Trigraph, host: str, port: int, *, announce: Callable[[str], None], toolset: str = "core"
) -> None:
    """Serve until interrupted. Refuses addresses that other machines can reach: there is no authentication."""
    _check_loopback(host)
    listener = _listen(host, port)
    memory.health()  # loads the model before the first visitor asks
    shown = f"[{host}]" if ":" in host else host
    announce(f"trigraph {memory.engine.version} on http://{shown}:{listener.getsockname()[1]}/  (Ctrl-C stops it)")
    config = uvicorn.Config(make_app(memory, toolset), log_config=None, access_log=False)
    with _working(memory):
        uvicorn.Server(config).run(sockets=[listener])


@contextmanager
def _working(memory: Trigraph) -> Iterator[None]:
    """The queue is worked off beside the answers."""
    stop = threading.Event()
    worker = threading.Thread(target=memory.work_on, args=(stop,), name="trigraph-work", daemon=True)
    worker.start()
    try:
        yield
    finally:
        stop.set()
        worker.join(timeout=10)


def _check_loopback(host: str) -> None:
    if not is_loopback(host):
        raise ConfigError(
            f"trigraph does not listen on {host}: whoever reaches it could read everything.",
            fix="Use 127.0.0.1, and a tunnel if you need it elsewhere.",
        )


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        raise ConfigError(
            f"Port {port} on {host} cannot be used ({error}).", fix="Choose another with --port or PORT=…"
        ) from error
    return listener
