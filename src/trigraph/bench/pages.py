"""What the pages that rest on recalls cost: milliseconds from the request to the whole HTML, beside a bare echo; and
in Chromium, until something is seen."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from trigraph.bench.children import echoing, serving
from trigraph.bench.measures import percentile
from trigraph.bench.report import table
from trigraph.errors import ConfigError
from trigraph.settings import ServerSettings, Settings

PATHS = ("/", "/recalls", "/legs")
ROUNDS = 5
SECONDS = 120.0
_PAINTED = "performance.getEntriesByName('first-contentful-paint')"


def page_times(settings: Settings, folder: Path, *, browser: bool = False) -> dict[str, dict[str, float]]:
    """The median of a few rounds for each page of the store, and for an echo of as many bytes, after one that is not
    counted. Page and echo are asked in turns. With `browser`, also the first paint in a fresh one."""
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
        if browser:
            for path, painted in first_paints([f"{server}{path}" for path in PATHS]).items():
                found[path.removeprefix(server)]["first_paint_p50_ms"] = painted
    return found


def first_paints(addresses: Sequence[str]) -> dict[str, float]:
    """Milliseconds from the navigation until the first text or picture is painted, as Chromium tells it: the median of
    a few rounds, each without anything kept from another."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        raise ConfigError(
            "A browser needs Playwright.", fix="Run `pip install playwright`, and install Chromium."
        ) from error
    found = {}
    with sync_playwright() as playwright:
        executable = shutil.which("chromium") or playwright.chromium.executable_path
        chromium = playwright.chromium.launch(executable_path=executable, args=["--headless", "--no-sandbox"])
        for address in addresses:
            times = []
            for _ in range(ROUNDS):
                context = chromium.new_context()
                page = context.new_page()
                page.goto(address, timeout=1000 * SECONDS)
                page.wait_for_function(f"{_PAINTED}.length > 0")
                times.append(float(page.evaluate(f"{_PAINTED}[0].startTime")))
                context.close()
            found[address] = round(percentile(times, 0.5), 1)
        chromium.close()
    return found


def pages_table(found: dict[str, dict[str, Any]]) -> str:
    """A row a page."""
    rows = [
        [path, one["bytes"], one["p50_ms"], one["echo_p50_ms"], one.get("first_paint_p50_ms", "")]
        for path, one in found.items()
    ]
    return table(("page", "bytes", "p50 ms", "echo of as many, p50 ms", "first paint, p50 ms"), rows)


def _took(address: str, body: bytes | None = None) -> float:
    started = time.perf_counter()
    _whole(address, body)
    return 1000 * (time.perf_counter() - started)


def _whole(address: str, body: bytes | None = None) -> bytes:
    """The whole answer; with a body it is sent there."""
    with urlopen(Request(address, data=body), timeout=SECONDS) as answer:
        return bytes(answer.read())
