"""Running the application with uvicorn."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import uvicorn

from trigraph.errors import ConfigError
from trigraph.faces.http.app import make_app
from trigraph.faces.library import Trigraph
from trigraph.faces.wire.addresses import is_loopback
from trigraph.settings import ServerSettings


class Server(uvicorn.Server):
    """A server that ends its streams when it is told to stop: whoever listens would keep it running."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close what is open, and wait for what runs."""
        self.config.app.state.stopping.set()  # type: ignore[union-attr]
        await super().shutdown(sockets)


def serve_forever(
    memory: Trigraph,
    host: str,
    port: int,
    *,
    announce: Callable[[str], None],
    settings: ServerSettings | None = None,
    toolset: str = "core",
) -> None:
    """Serve until interrupted. Refuses addresses that other machines can reach unless every request needs a token."""
    settings = replace(settings or ServerSettings(), host=host, port=port)
    _check_reach(settings)
    listener = listen(host, port)
    memory.health()  # loads the model before the first visitor asks
    shown = f"[{host}]" if ":" in host else host
    announce(f"trigraph {memory.engine.version} on http://{shown}:{listener.getsockname()[1]}/  (Ctrl-C stops it)")
    if settings.require_token and _without_tokens(memory):
        announce("nobody can ask it yet: make a token with `trigraph admin token create NAME --agent AGENT`")
    app = make_app(memory, settings, toolset)
    config = uvicorn.Config(app, log_config=None, access_log=False, server_header=False)
    with _working(memory):
        Server(config).run(sockets=[listener])


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


def _check_reach(settings: ServerSettings) -> None:
    if not settings.require_token and not is_loopback(settings.host):
        raise ConfigError(
            f"trigraph does not listen on {settings.host} without tokens: whoever reaches it could read everything.",
            fix="Make a token (`trigraph admin token create NAME --agent AGENT`) and start with --require-token; "
            "or use 127.0.0.1.",
        )


def _without_tokens(memory: Trigraph) -> bool:
    now = memory.engine.now(memory.scope)
    return not any(one.good_at(now) for one in memory.admin.tokens(memory.scope.tenant))


def listen(host: str, port: int) -> socket.socket:
    """A socket that takes connections there. It says that it is TCP, for asyncio sends answers at once on such alone:
    else every second write waits some 40 ms for the other side."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
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
