"""A model's server on this machine that speaks both dialects, and misbehaves by script."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

Act = Callable[["_Handler"], None]


class Server(ThreadingHTTPServer):
    """Does one act of its script a request, the last one over and over, and keeps what it was asked."""

    daemon_threads = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.script: list[Act] = []
        self.over = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def plays(self, *acts: Act) -> None:
        self.script = list(acts)

    def handle_error(self, *_: Any) -> None:
        """A client that hangs up early is what some tests are about."""

    @staticmethod
    def sends(status: int, body: bytes | str | object, **headers: str) -> Act:
        """An answer: bytes and text as they are, anything else as JSON. `content_type="…"` is a header."""
        content = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
        named = {"Content-Type": "application/json", "Content-Length": str(len(content))}
        named |= {name.replace("_", "-").title(): value for name, value in headers.items()}

        def act(handler: _Handler) -> None:
            handler.begin(status, named)
            handler.wfile.write(content)

        return act

    @staticmethod
    def hangs() -> Act:
        """Takes the request and says nothing."""
        return lambda handler: _wait(handler, 30)

    @staticmethod
    def drips(status: int = 200, *, headers: bool = False) -> Act:
        """A byte every 20 ms, of a body without an end or of headers without one."""

        def act(handler: _Handler) -> None:
            if headers:
                handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            else:
                handler.begin(status, {"Content-Type": "application/json"})
            while not _wait(handler, 0.02):
                handler.wfile.write(b" " if not headers else b"x")

        return act

    @staticmethod
    def breaks_off() -> Act:
        """Promises more than it sends."""

        def act(handler: _Handler) -> None:
            handler.begin(200, {"Content-Type": "application/json", "Content-Length": "1000"})
            handler.wfile.write(b'{"choices": [')

        return act


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
        script = self.server.script
        act = script.pop(0) if len(script) > 1 else script[0]
        act(self)

    def begin(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""


def _wait(handler: _Handler, seconds: float) -> bool:
    return handler.server.over.wait(seconds)


def _running() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.over.set()
        running.shutdown()
        thread.join()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    yield from _running()


@pytest.fixture
def elsewhere(server: Server) -> Iterator[Server]:
    """Another host, that nobody should ask."""
    yield from _running()
