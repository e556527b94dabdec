"""Servers and clients of the load benchmark: real processes and real answers, good and bad."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from trigraph.bench.children import asked, echoing
from trigraph.bench.clients import Crowd, Plan
from trigraph.bench.load import load_table

STARTER = """
import subprocess, sys
echo = [sys.executable, "-m", "trigraph.bench.tied", "trigraph.bench.echo"]
subprocess.Popen(echo, stdin=subprocess.PIPE)
sys.stdin.read()
"""
TEXTS = ["What does the ferry carry?", "Who keeps the lock?"]


@contextmanager
def _answering(status: int, body: str, **headers: str) -> Iterator[str]:
    """A server that answers everything alike: its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def _plan(address: str, most: int, door: str = "http") -> Plan:
    return Plan(address, door, clients=2, seconds=20, most=most, reads=TEXTS, writes=TEXTS)


def test_clients_ask_no_more_than_planned_and_one_in_five_writes(tmp_path: Path) -> None:
    with echoing(tmp_path) as address:
        found = asked(_plan(address, 20), tmp_path)

    assert {verb: len(times) for verb, times in found["times"].items()} == {"recall": 16, "remember": 4}
    assert (found["kinds"], found["recovered_ms"]) == ({}, None)


@pytest.mark.parametrize(
    ("status", "body", "headers", "kind"),
    [
        (503, '{"code": "overloaded"}', {"Retry_After": "1"}, "refused: 503 overloaded"),
        (429, '{"code": "rate_limited"}', {"Retry_After": "1"}, "refused: 429 rate_limited"),
        (503, '{"code": "overloaded"}', {}, "no Retry-After: 503 overloaded"),
        (500, '{"code": "internal"}', {}, "500 internal"),
        (500, "oh", {}, "500 without JSON"),
        (200, '{"jsonrpc": "2.0", "error": {"code": -32603}}', {}, "JSON-RPC error -32603"),
        (
            200,
            '{"jsonrpc": "2.0", "result": {"isError": true, "content": [{"text": "busy"}]}}',
            {},
            "tool error: busy",
        ),
    ],
)
def test_every_bad_answer_is_counted_by_its_kind(status: int, body: str, headers: dict[str, str], kind: str) -> None:
    with _answering(status, body, **headers) as address:
        found = Crowd(_plan(address, 3, "mcp")).ask()

    assert found["kinds"] == {kind: 3}
    assert not any(found["times"].values())


def test_a_server_that_is_gone_is_an_error_of_its_own_kind() -> None:
    with _answering(200, "{}") as address:
        pass

    assert Crowd(_plan(address, 2)).ask()["kinds"] == {"ConnectionRefusedError": 2}


def test_a_server_ends_with_whoever_started_it() -> None:
    starter = subprocess.Popen([sys.executable, "-c", STARTER], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert starter.stderr is not None
    assert b"echo on http://127.0.0.1:" in starter.stderr.readline()
    starter.kill()

    _, rest = starter.communicate(timeout=20)  # returns when the echo, which holds stderr too, is gone
    assert b"Traceback" not in rest


def test_errors_are_shown_by_their_kind() -> None:
    figures = {"requests": 1, "errors": 0, "error_kinds": {}, "p50_ms": 1.0, "p99_ms": 1.0, "per_second": 1.0}
    door = {**figures, "verbs": {}, "ratio_per_second": 1, "ratio_p50": 1, "gain_over_one_thread": 1}
    broken = {**door, "errors": 3, "error_kinds": {"500 internal": 2, "ConnectionResetError": 1}}
    over = {"answered": 1, "refused": 2, "errors": 1, "kinds": {"500 internal": 1}, "recovered_ms": None}
    found = {"memories": 1, "passages": 1, "store_bytes": 1, "clients": 2, "cores": 2, "alone": {}, "echo": figures}
    told = load_table(
        {**found, "http": broken, "mcp": door, "overload": {"most_requests": 1, "http": over, "mcp": over}}
    )

    assert "errors of http: 2 × 500 internal, 1 × ConnectionResetError" in told
    assert "errors of mcp: " in told.splitlines()[-1]
    assert "refused 2, other errors 1, did not recover" in told
