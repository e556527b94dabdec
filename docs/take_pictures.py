"""Take the pictures of the documentation from a running demo, in one size.

    make run &
    python docs/take_pictures.py --address http://127.0.0.1:8765

A page that the product does not have is left out, and said. Nothing is asked of memory: that would change its figures.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import httpx
from playwright.sync_api import Browser, sync_playwright

FOLDER = Path(__file__).parent / "pictures"
WIDTH = 1120
MOST_BYTES = 130_000
FLAGS = "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking".split()


@dataclass(frozen=True)
class Picture:
    """A picture of a page, or of the part of it that a selector names; `ready` is what has to be there first."""

    name: str
    address: Callable[[httpx.Client], str]
    part: str | None = None
    ready: str = "main"
    height: int = 720


def main() -> None:
    """Take them all; end with an error if one is too large."""
    parser = argparse.ArgumentParser(description="Take the pictures of the documentation.")
    parser.add_argument("--address", default="http://127.0.0.1:8765", help="where the demo is served")
    parser.add_argument("names", nargs="*", help="only these")
    given = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    chosen = [one for one in PICTURES if not given.names or one.name in given.names]
    with httpx.Client(base_url=given.address, timeout=60) as client, sync_playwright() as playwright:
        found = next((path for path in map(shutil.which, ("chromium", "google-chrome")) if path), None)
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        sizes = {one.name: size for one in chosen if (size := _take(one, client, browser)) is not None}
        browser.close()
    large = [name for name, size in sizes.items() if size > MOST_BYTES]
    if large:
        sys.exit(f"larger than {MOST_BYTES:,} bytes: {', '.join(large)}")


def _take(picture: Picture, client: httpx.Client, browser: Browser) -> int | None:
    address = picture.address(client)
    if client.get(address).status_code != httpx.codes.OK:
        print(f"{picture.name}: left out, there is no {address}", file=sys.stderr)
        return None
    size = {"width": WIDTH, "height": picture.height}
    page = browser.new_page(base_url=str(client.base_url), viewport=size, color_scheme="light")  # type: ignore[arg-type]
    page.goto(address, timeout=120_000)
    page.locator(picture.ready).first.wait_for(state="visible")
    page.locator("[aria-busy]").first.wait_for(state="detached", timeout=120_000)
    shown = page.locator(picture.part).first if picture.part else page
    path = FOLDER / f"{picture.name}.png"
    shown.screenshot(path=path)
    page.close()
    print(f"{picture.name}: {path.stat().st_size:,} bytes", file=sys.stderr)
    return path.stat().st_size


def _memory(topic: str, words: str) -> Callable[[httpx.Client], str]:
    """The page of the memory of a topic that holds some words."""

    def address(client: httpx.Client) -> str:
        there = client.get("/v1/memories", params={"topic": topic, "limit": 100}).json()["memories"]
        return "/memories/" + next((one["id"] for one in there if words in one["text"]), "nothing")

    return address


def _composition(query: str) -> Callable[[httpx.Client], str]:
    """The page of the composition that was made for a query."""

    def address(client: httpx.Client) -> str:
        made = client.get("/compositions", params={"format": "json"}).json()["compositions"]
        return "/compositions/" + next((one["id"] for one in made if one["query"] == query), "nothing")

    return address


def _at(address: str) -> Callable[[httpx.Client], str]:
    return lambda client: address


PICTURES = (
    Picture("overview", _at("/"), ready=".uplot canvas"),
    Picture("legs", _at("/legs"), part="#legs"),
    Picture("dead-weight", _at("/used"), part="#never", height=1000),
    Picture("stale-recalls", _at("/recalls?days=30&kind=flagged_stale&kind=rewrote")),
    Picture("misled", _memory("ingest gateway ports", "listens on 8893 on its pods")),
    Picture("decision", _memory("auth tokens", "Sessions use opaque tokens instead")),
    Picture("graph", _at("/graph?focus=auth+tokens&depth=2"), part="#stage", ready="#drawing[data-drawn]"),
    Picture(
        "composition",
        _composition("how many rows does the ingest writer collect before it writes?"),
        ready="#drawing[data-drawn]",
    ),
)

if __name__ == "__main__":
    main()
