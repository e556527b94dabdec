"""When Chromium paints the pages that rest on recalls, over many memories and recalls.

    python benchmarks/first_paint.py --memories 100000 --events 50000

Needs what the tests need (`make setup-tests`). The store is made as `trigraph bench insight` makes it. Each page is
opened a few times, each time in a browser that has kept nothing; beside it stands the page of signing in, which asks
the store nothing.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from trigraph.assembly import open_engine
from trigraph.bench.children import serving
from trigraph.bench.insight import DAYS, fill
from trigraph.model.scope import DEFAULT_NAME, Scope
from trigraph.settings import EmbedderSettings, ServerSettings, Settings

PATHS = ("/login", "/", "/recalls", "/legs", "/used", "/memories", "/agents")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu"]
ROUNDS = 7
SECONDS = 120
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"


def main() -> None:
    """Make the store, serve it, and open its pages."""
    parser = argparse.ArgumentParser(description="When Chromium paints the pages that rest on recalls.")
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--events", type=int, default=50_000)
    given = parser.parse_args()
    embedder = EmbedderSettings(kind="none")
    with tempfile.TemporaryDirectory() as home:
        since = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=DAYS - 1)
        with open_engine(Settings(home=home, embedder=embedder)) as engine:
            fill(engine, Scope(DEFAULT_NAME, DEFAULT_NAME, DEFAULT_NAME), given.memories, given.events, 1, since)
        served = Settings(home=home, embedder=embedder, server=ServerSettings(port=0, rate_per_minute=0))
        with serving(served, Path(home)) as address, sync_playwright() as playwright:
            executable = shutil.which("chromium") or playwright.chromium.executable_path
            browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
            print(f"{given.memories:,} memories, {given.events:,} recalls; first contentful paint, milliseconds")
            for path in PATHS:
                times = [_painted(browser, f"{address}{path}") for _ in range(ROUNDS + 1)][1:]
                print(f"{path:12} p50 {statistics.median(times):.0f}, largest of {ROUNDS}: {max(times):.0f}")
            browser.close()


def _painted(browser: Browser, address: str) -> float:
    """Milliseconds from the navigation until the first text or picture is painted. What the page fetches afterwards is
    waited for: the next one finds a server that has nothing else to do."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(address, timeout=1000 * SECONDS)
    while (found := page.evaluate(PAINTED)) is None:
        page.wait_for_timeout(20)
    page.locator("[aria-busy]").first.wait_for(state="detached", timeout=1000 * SECONDS)
    context.close()
    return float(found)


if __name__ == "__main__":
    main()
