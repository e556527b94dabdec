"""What the pages that rest on recalls cost: milliseconds from the request to the whole HTML, beside a bare echo."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from trigraph.bench.children import echoing, serving
from trigraph.bench.measures import percentile
from trigraph.bench.report import table
from trigraph.settings import ServerSettings, Settings

PATHS = ("/", "/recalls", "/legs")
ROUNDS = 5
SECONDS = 120.0


def page_times(settings: Settings, folder: Path) -> dict[str, dict[str, float]]:
    """The median of a few rounds for each page of the store, and for an echo of as many bytes, after one that is not
    counted. Page and echo are asked in turns."""
    found = {}
    served = Settings(home=settings.home, embedder=settings.embedder, server=ServerSettings(port=0, rate_per_minute=0))
    with serving(served, folder) as server, echoing(folder) as echo:
        for path in PATHS:
            size = len(_whole(f"{server}{path}"))
            shown, echoed = [], []
            for _ in range(ROUNDS):
                shown.append(_took(f"{server}{path}"))
                echoed.append(_took(echo, b" " * size))
            found[path] = {
                "bytes": size,
                "p50_ms": round(percentile(shown, 0.5), 1),
                "echo_p50_ms": round(percentile(echoed, 0.5), 1),
            }
    return found


def pages_table(found: dict[str, dict[str, Any]]) -> str:
    """A row a page."""
    rows = [[path, one["bytes"], one["p50_ms"], one["echo_p50_ms"]] for path, one in found.items()]
    return table(("page", "bytes", "p50 ms", "echo of as many, p50 ms"), rows)


def _took(address: str, body: bytes | None = None) -> float:
    started = time.perf_counter()
    _whole(address, body)
    return 1000 * (time.perf_counter() - started)


def _whole(address: str, body: bytes | None = None) -> bytes:
    """The whole answer; with a body it is sent there."""
    with urlopen(Request(address, data=body), timeout=SECONDS) as answer:
        return bytes(answer.read())
