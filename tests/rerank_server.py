"""A re-ranker's server on this machine: both dialects, scores by shared words, and misbehaviour by script."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, str]
Request = tuple[dict[str, str], dict[str, Any]]


class RerankServer(ThreadingHTTPServer):
    """Answers `POST /rerank` and `POST /tei` by `reply`, and keeps what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[Request] = []
        self.reply: Callable[[dict[str, Any]], Answer] = by_words
        self.over = threading.Event()

    def url(self, dialect: str = "cohere") -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/{'tei' if dialect == 'tei' else 'rerank'}"

    @property
    def texts(self) -> list[str]:
        """All texts that it was sent."""
        return [text for _, body in self.requests for text in texts_of(body)]

    def handle_error(self, *_: Any) -> None:
        """A client that hangs up early is what some tests are about."""


class _Handler(BaseHTTPRequestHandler):
    server: RerankServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(({name.lower(): value for name, value in self.headers.items()}, body))
        status, text = self.server.reply(body)
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""


def texts_of(body: dict[str, Any]) -> list[str]:
    """The texts of a request in either dialect."""
    return list(body["documents"] if "documents" in body else body["texts"])


def scored(body: dict[str, Any], scores: list[Any]) -> Answer:
    """An answer in the request's own dialect, the best first as such servers do."""
    name = "relevance_score" if "documents" in body else "score"
    rows = [{"index": index, name: score} for index, score in enumerate(scores)]
    rows.sort(key=lambda row: str(row[name]), reverse=True)
    return 200, json.dumps({"id": "x", "results": rows} if "documents" in body else rows)


def by_words(body: dict[str, Any]) -> Answer:
    """How many of the question's words each text holds."""
    asked = set(re.findall(r"\w+", body["query"].lower()))
    return scored(body, [len(asked & set(re.findall(r"\w+", text.lower()))) for text in texts_of(body)])


def holding(words: str, score: float = 1.0) -> Callable[[dict[str, Any]], Answer]:
    """A server that gives a score to texts that hold some words, and nothing to others."""
    return lambda body: scored(body, [score * (words in text) for text in texts_of(body)])


@contextmanager
def running_server() -> Iterator[RerankServer]:
    with RerankServer() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield running
        finally:
            running.over.set()
            running.shutdown()
            thread.join()
