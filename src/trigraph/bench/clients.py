"""Many clients at once, in a process of their own: each asks, waits for the answer, and asks again.

The plan comes on stdin, what was found goes to stdout, both as JSON. The standard library's own HTTP client is used: it
costs little beside what it measures. Nothing of trigraph but this is imported.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from itertools import count
from typing import Any
from urllib.parse import urlsplit

WRITES_EVERY = 5
"""One request in so many is a remember, the others are recalls."""
REQUEST_SECONDS = 30.0
RECOVERY_SECONDS = 10.0
PAUSE_SECONDS = 0.02
"""So long a client waits that was not answered as it wished."""
PROTOCOL = "2026-07-28"
REFUSED = "refused"
"""What the kinds begin with of answers that ask to come again."""

Request = tuple[str, dict[str, str], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is asked of an address: for so many seconds, at most so many times; the reads and writes over and over."""

    address: str
    door: str
    clients: int
    seconds: float
    most: int
    reads: list[str]
    writes: list[str]
    recovers: bool = False


def _http(verb: str, text: str, number: int) -> Request:
    if verb == "recall":
        return "/v1/recall", {}, {"query": text}
    return "/v1/memories", {}, {"text": text}


def _mcp(verb: str, text: str, number: int) -> Request:
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": PROTOCOL,
        "Mcp-Method": "tools/call",
        "Mcp-Name": verb,
    }
    meta = {
        "io.modelcontextprotocol/protocolVersion": PROTOCOL,
        "io.modelcontextprotocol/clientInfo": {"name": "trigraph-bench", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    arguments = {"query" if verb == "recall" else "text": text}
    params = {"name": verb, "arguments": arguments, "_meta": meta}
    return "/mcp", headers, {"jsonrpc": "2.0", "id": number + 1, "method": "tools/call", "params": params}


DOORS: dict[str, Callable[[str, str, int], Request]] = {"http": _http, "mcp": _mcp}


@dataclass(slots=True)
class Crowd:
    """The clients of a plan, and what they found."""

    plan: Plan
    times: dict[str, list[float]] = field(default_factory=lambda: {"recall": [], "remember": []})
    kinds: Counter[str] = field(default_factory=Counter)
    _numbers: count[int] = field(default_factory=count)
    _noting: threading.Lock = field(default_factory=threading.Lock)

    def ask(self) -> dict[str, Any]:
        """Ask as planned: seconds, milliseconds of what was answered, and how often what else came."""
        started = time.perf_counter()
        until = started + self.plan.seconds
        threads = [threading.Thread(target=self._ask_until, args=(until,)) for _ in range(self.plan.clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seconds = time.perf_counter() - started
        recovered = self._recovered() if self.plan.recovers else None
        return {"seconds": seconds, "times": self.times, "kinds": self.kinds, "recovered_ms": recovered}

    def _ask_until(self, until: float) -> None:
        connection = self._connection()
        while time.perf_counter() < until and (number := next(self._numbers)) < self.plan.most:
            verb, milliseconds, kind = self._ask_one(connection, number)
            with self._noting:
                if kind:
                    self.kinds[kind] += 1
                else:
                    self.times[verb].append(milliseconds)
            if kind:
                time.sleep(PAUSE_SECONDS)
        connection.close()

    def _ask_one(self, connection: HTTPConnection, number: int) -> tuple[str, float, str]:
        """The verb, how long its answer took, and what was wrong with that, if anything."""
        turn, place = divmod(number, WRITES_EVERY)
        writes = place == WRITES_EVERY - 1
        texts = self.plan.writes if writes else self.plan.reads
        text = texts[(turn if writes else number - turn) % len(texts)]
        verb = "remember" if writes else "recall"
        path, headers, body = DOORS[self.plan.door](verb, text, number)
        data = json.dumps(body).encode()
        started = time.perf_counter()
        try:
            connection.request("POST", path, data, {"Content-Type": "application/json", **headers})
            response = connection.getresponse()
            content = response.read()
        except (OSError, HTTPException) as error:
            connection.close()
            return verb, 0.0, type(error).__name__
        return verb, (time.perf_counter() - started) * 1000, _kind(response, content)

    def _recovered(self) -> float | None:
        """Milliseconds until a recall is answered again, from now; None: not in time."""
        started = time.perf_counter()
        connection = self._connection()
        while time.perf_counter() < started + RECOVERY_SECONDS:
            if not self._ask_one(connection, 0)[2]:
                connection.close()
                return (time.perf_counter() - started) * 1000
            time.sleep(PAUSE_SECONDS)
        return None

    def _connection(self) -> HTTPConnection:
        return HTTPConnection(urlsplit(self.plan.address).netloc, timeout=REQUEST_SECONDS)


def _kind(response: HTTPResponse, content: bytes) -> str:
    """What an answer is that is not the wanted one; empty if it is."""
    try:
        told = json.loads(content)
    except ValueError:
        return f"{response.status} without JSON"
    if response.status in (429, 503):
        again = response.headers.get("Retry-After")
        return f"{REFUSED if again else 'no Retry-After'}: {response.status} {told.get('code')}"
    if response.status not in (200, 201):
        return f"{response.status} {told.get('code') or told.get('error')}"
    if "jsonrpc" not in told:
        return ""
    if "result" not in told:
        return f"JSON-RPC error {told['error'].get('code')}"
    return f"tool error: {told['result']['content'][0]['text'][:80]}" if told["result"].get("isError") else ""


if __name__ == "__main__":
    json.dump(Crowd(Plan(**json.load(sys.stdin))).ask(), sys.stdout)
