"""A server that is not ours, for what ours does not do: it answers what it was given, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = tuple[int, dict[str, str], bytes]
VERSION: Answer = (200, {}, b'{"version": "0.1.0", "api": "v1"}')


class Other(ThreadingHTTPServer):
    """A server that is not ours: it answers what it was given, in order, and keeps what it was asked."""

    def __init__(self, answers: list[Answer | None]) -> None:
        self.answers = answers
        self.asked: list[tuple[str, dict[str, str], bytes]] = []
        super().__init__(("127.0.0.1", 0), Asked)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Asked(BaseHTTPRequestHandler):
    """Answers a request; None is no answer but an end."""

    server: Other

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.server.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        answer = self.server.answers.pop(0)
        self.close_connection = True
        if answer is None:
            return
        status, headers, body = answer
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def other(*answers: Answer | None) -> Iterator[Other]:
    """Such a server, which first says its version."""
    server = Other([VERSION, *answers])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def problem(status: int, code: str, retry_after: str | None = "0", **more: object) -> Answer:
    """What went wrong, as our server tells it."""
    told = {"code": code, "detail": "No.", "fix": None, "request_id": "abc", **more}
    return status, {} if retry_after is None else {"Retry-After": retry_after}, json.dumps(told).encode()


def report(**more: object) -> Answer:
    """One memory that was added."""
    item: dict[str, object] = {"status": "added", "id": "m_1", "reason": None, "code": None, "conflicts": []}
    return 201, {}, json.dumps({"items": [item], "thread_id": None, "degraded": None, "jobs": [], **more}).encode()
