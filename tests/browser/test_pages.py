"""The pages in a real browser, as a person uses them: by keyboard, in the dark, on a telephone."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from commands import Command, serving
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import Settings

FLAGS = """
    --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update
    --disable-sync
""".split()
LONG_WORD = "https://example.org/" + "a-very-long-path-without-any-space/" * 6
MEMORIES = (
    {"text": "We deploy on Tuesdays, never on Fridays.", "kind": "constraint", "topic": "deployment"},
    {
        "text": "PostgreSQL 16 holds the billing tables; Redis keeps only sessions.",
        "kind": "decision",
        "topic": "storage",
        "tags": ["billing", "database"],
        "reasoning": "Invoices need transactions, sessions do not.",
    },
    {"text": "Ana prefers tabs over spaces and short functions over long ones.", "kind": "preference"},
    {"text": f"The runbook is at {LONG_WORD}", "kind": "context", "source": "web"},
    {"text": "The nightly backup failed because the disk was full.", "kind": "outcome", "result": "FAILED"},
    {"text": "# Incident 12\n\nThe queue stood still for an hour.\n\n## Cause\n\nA lock was never released. " * 12,
     "kind": "document"},
)  # fmt: skip
THREAD = (
    {"speaker": "Ana", "text": "Which database holds the invoices?"},
    {"speaker": "Ben", "text": "Still the old elephant. We said so in March."},
    {"speaker": "Ana", "text": "Good, then the numbering by year and month stays as it is."},
)
QUERY = "which database for billing?"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[str]:
    home = tmp_path_factory.mktemp("browser") / "home"
    with Trigraph(open_engine(Settings(home=str(home)), embedder=embedder), LOCAL_SCOPE) as memory:
        memory.remember_batch(MEMORIES)
        memory.remember_thread(THREAD)
    with serving(Command(home, home.parent)) as served:
        yield served


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = [shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")]
    with sync_playwright() as playwright:
        executable = next((path for path in (*found, playwright.chromium.executable_path) if path), "")
        if not Path(executable).exists():
            pytest.skip("NO BROWSER: THE PAGES WERE NOT TESTED IN ONE. `apt-get install -y chromium` mends it.")
        opened = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A fresh page. However a test uses it: nothing in the console, and no request leaves this machine."""
    options = getattr(request, "param", {"viewport": {"width": 1280, "height": 900}})
    context = browser.new_context(base_url=address, **options)
    opened = context.new_page()
    complaints: list[str] = []
    requests: list[str] = []
    opened.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    context.on("request", lambda sent: requests.append(sent.url))
    yield opened
    context.close()
    assert complaints == []
    assert {urlsplit(url).hostname for url in requests} == {"127.0.0.1"}


def test_the_list_shows_every_memory_newest_first(page: Page, tmp_path: Path) -> None:
    page.goto("/memories")

    assert page.get_by_role("heading", level=1).inner_text().startswith("Memories")
    cards = page.locator("article")
    assert cards.count() == len(MEMORIES) + len(THREAD)
    assert "numbering by year" in cards.first.inner_text()
    assert "Tuesdays" in cards.last.inner_text()
    page.screenshot(path=tmp_path / "list-light.png", full_page=True)


def test_a_search_by_keyboard_shows_hits_with_reasons_and_the_state_of_the_legs(page: Page, tmp_path: Path) -> None:
    page.goto("/memories")
    page.keyboard.press("/")
    assert page.locator("#q").evaluate("field => field === document.activeElement")
    page.keyboard.type(QUERY)
    page.keyboard.press("Enter")
    page.wait_for_url("**/memories?q=*")

    first = page.locator("article").first
    assert "PostgreSQL 16 holds the billing tables" in first.inner_text()
    assert re.search(r"words .*billing", first.locator(".why").inner_text())
    legs = page.locator(".leg").all_inner_texts()
    assert [re.match(r"\w+", leg).group() for leg in legs][:2] == ["vector", "lexical"]  # type: ignore[union-attr]
    assert page.locator(".leg.degraded").count() == 0
    assert page.locator("#q").input_value() == QUERY
    page.screenshot(path=tmp_path / "search-light.png", full_page=True)


def test_a_slash_that_is_typed_into_the_field_stays_a_slash(page: Page) -> None:
    page.goto("/memories")
    page.keyboard.press("/")
    page.keyboard.type("and/or")

    assert page.locator("#q").input_value() == "and/or"


def test_one_memory_is_opened_from_a_hit_and_shows_what_is_known_of_it(page: Page, tmp_path: Path) -> None:
    page.goto("/memories?q=billing+tables")
    page.locator("article a").first.click()
    page.wait_for_url("**/memories/m_*")

    shown = page.locator("main").inner_text()
    for text in ("PostgreSQL 16 holds", "Invoices need transactions", "storage", "billing, database", "trust"):
        assert text.lower() in shown.lower()
    page.screenshot(path=tmp_path / "memory-light.png", full_page=True)


def test_an_episode_is_marked_among_its_neighbours(page: Page) -> None:
    page.goto("/memories?q=elephant")
    page.locator("article a").first.click()
    page.wait_for_url("**/memories/m_*")

    assert page.locator("article").count() == len(THREAD)
    assert "elephant" in page.locator("article.current").inner_text()


def test_whatever_has_the_keyboard_focus_can_be_seen_to(page: Page) -> None:
    page.goto("/memories")
    seen: list[str] = []
    for _ in range(8):
        page.keyboard.press("Tab")
        name, outlined = page.evaluate(
            """() => {
                const it = document.activeElement, style = getComputedStyle(it);
                const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
                return [it.tagName + " " + (it.innerText || it.id), ring || style.boxShadow !== "none"];
            }"""
        )
        assert outlined, f"{name} has the focus and does not show it"
        seen.append(name)
    assert len(set(seen)) == 8
    assert any(name.startswith("INPUT") for name in seen)


def test_a_page_that_is_not_there_leads_back(page: Page) -> None:
    page.goto("/memories")
    answer = page.request.get("/memories/m_01kx0f6gq3v8z5d2c7b9n4t1hw")
    assert answer.status == 404
    page.set_content(answer.text())

    assert page.get_by_role("link", name="All memories").count() == 1


@pytest.mark.parametrize(
    "page",
    [
        pytest.param({"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}, id="telephone"),
        pytest.param({"viewport": {"width": 320, "height": 256}}, id="400 per cent"),
    ],
    indirect=True,
)
@pytest.mark.parametrize("path", ["/memories", "/memories?q=runbook", "memory"])
def test_nothing_has_to_be_scrolled_sideways_on_a_small_screen(page: Page, path: str, tmp_path: Path) -> None:
    if path == "memory":
        page.goto("/memories?q=runbook")
        page.goto(page.locator("article a").first.get_attribute("href") or "")
    else:
        page.goto(path)

    page.screenshot(path=tmp_path / "small.png", full_page=True)
    assert page.viewport_size is not None
    assert page.evaluate(BEYOND_THE_EDGE, page.viewport_size["width"]) == []
    assert page.locator("#q").is_visible()
    assert page.get_by_role("button", name="Recall").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/memories", "/memories?q=which+database+for+billing%3F"])
def test_text_stands_out_from_its_background(page: Page, scheme: str, path: str, tmp_path: Path) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(path)
    page.screenshot(path=tmp_path / f"{scheme}.png", full_page=True)

    faint = page.evaluate(CONTRASTS_BELOW, 4.5)
    assert faint == []
    dark = page.evaluate(
        "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).every(c => c < 80)"
    )
    assert dark is (scheme == "dark")


BEYOND_THE_EDGE = """
width => document.documentElement.scrollWidth <= width ? [] : [...document.querySelectorAll("body *")]
    .filter(it => it.getBoundingClientRect().right > width).map(it => `${it.tagName}.${it.className}`)
"""
"""What makes a page wider than the screen. (A telephone's own innerWidth grows with the page.)"""

CONTRASTS_BELOW = """
least => {
    const light = channels => channels.map(c => c / 255)
        .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
    const parse = colour => colour.match(/[\\d.]+/g).map(Number);
    const over = (top, below) => below.map((c, at) => top[at] * (top[3] ?? 1) + c * (1 - (top[3] ?? 1)));
    const background = it => !it ? [255, 255, 255]
        : over(parse(getComputedStyle(it).backgroundColor), background(it.parentElement));
    const faint = [];
    for (const it of document.querySelectorAll("body *")) {
        const text = [...it.childNodes].filter(n => n.nodeType === 3).map(n => n.textContent.trim()).filter(Boolean);
        if (!text.length || !it.checkVisibility() || it.matches(".hidden, script, style")) continue;
        const below = background(it), [a, b] = [light(over(parse(getComputedStyle(it).color), below)), light(below)];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < least) faint.push(`${ratio.toFixed(2)}: ${it.tagName}.${it.className} ${text[0].slice(0, 40)}`);
    }
    return faint;
}
"""
"""Texts whose contrast with what is behind them is below a ratio (WCAG 2.2 AA asks for 4.5)."""
