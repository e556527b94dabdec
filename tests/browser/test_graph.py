"""The graph in a real browser: drawn, looked at by mouse and by keyboard, and as a table where nothing is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from commands import Command, serving
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import Settings

SCRIPT = '</script><script>window.obeyed = 1</script><img src=x onerror="window.obeyed = 1">'
DRAWN = "#drawing[data-drawn]"


def fill(memory: Trigraph) -> None:
    first = memory.decide("Use JWT for sessions", topic="tokens", valid_from="2026-01-10").id
    memory.decide("Use opaque tokens for sessions", topic="tokens", supersedes=first, valid_from="2026-03-01")
    memory.remember("Ana maintains the gateway", subject="Ana", type="person")
    memory.remember(SCRIPT, subject="tokens")
    memory.docs.put("# SPEC-7: Rigging\n\n## Depends on\n\nSPEC-3\n")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[str]:
    home = tmp_path_factory.mktemp("browser-graph") / "home"
    with Trigraph(open_engine(Settings(home=str(home)), embedder=embedder), LOCAL_SCOPE) as memory:
        fill(memory)
    with serving(Command(home, home.parent)) as served:
        yield served


def test_the_graph_is_drawn_and_the_table_folded(page: Page, tmp_path: Path) -> None:
    page.goto("/graph?focus=tokens")
    page.wait_for_selector(DRAWN)

    assert int(page.locator(DRAWN).get_attribute("data-drawn") or 0) >= 5
    assert page.locator("#drawing canvas").count() > 1
    assert page.locator("#preview h2").inner_text() == "tokens"
    assert not page.locator("#tables").evaluate("it => it.open")
    box = page.locator("#drawing").bounding_box()
    assert box
    assert (box["width"] > 400, box["height"] > 300) == (True, True)
    page.screenshot(path=tmp_path / "graph.png")


def test_by_keyboard_one_goes_from_node_to_node_and_looks_from_there(page: Page) -> None:
    page.goto("/graph?focus=tokens")
    page.wait_for_selector(DRAWN)
    page.locator("#drawing").focus()
    seen = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
        seen.append(page.locator("#preview h2").inner_text())
    assert seen[0] == "tokens"
    assert len(set(seen)) > 1
    while page.locator("#preview >> text=Look from here").count() == 0:
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowRight")
    named = page.locator("#preview h2").inner_text()
    page.keyboard.press("Enter")
    page.wait_for_url("**/graph?focus=*_*")
    page.wait_for_selector(DRAWN)
    assert page.locator("#preview h2").inner_text() == named


def test_the_slider_stands_for_known_times_and_asks_anew(page: Page) -> None:
    page.goto("/graph?focus=tokens")
    page.wait_for_selector(DRAWN)
    page.locator("#slide").focus()
    page.keyboard.press("Home")
    page.wait_for_url("**as_of=2026-01-10*")
    page.wait_for_selector(DRAWN)
    text = page.locator("#tables").evaluate("it => it.textContent")
    assert "Use JWT for sessions" in text
    assert "Use opaque tokens" not in text
    assert page.locator("#slide").get_attribute("aria-valuetext") == "2026-01-10"


def test_markup_in_a_memory_is_a_label_and_a_text(page: Page) -> None:
    page.goto("/graph?focus=tokens")
    page.wait_for_selector(DRAWN)
    page.locator("#tables").evaluate("it => { it.open = true }")
    page.get_by_role("link", name="Look from </script>").first.click()
    page.wait_for_url("**/graph?focus=m_*")
    page.wait_for_selector(DRAWN)
    assert page.locator("#preview h2").inner_text().startswith("</script><script>")


@pytest.mark.parametrize("page", [{"java_script_enabled": False}], indirect=True)
def test_without_script_the_form_and_the_tables_do_it_all(page: Page) -> None:
    page.goto("/graph")
    page.fill("#q", "SPEC-3")
    page.get_by_role("button", name="Look").click()
    page.wait_for_url("**focus=SPEC-3*")
    assert page.get_by_role("region", name="Edges").is_visible()
    assert "DEPENDS ON" in page.get_by_role("region", name="Edges").inner_text()
    page.select_option("select[name=depth]", "1")
    page.route("**as_of=2020*", lambda route: route.fulfill(response=route.fetch(), status=200))  # else a complaint
    page.fill("#as_of", "2020-01-01")
    page.get_by_role("button", name="Show").click()
    assert page.get_by_role("alert").is_visible()


@pytest.mark.parametrize(
    "page", [{"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}], indirect=True
)
def test_on_a_telephone_nothing_has_to_be_scrolled_sideways(page: Page, tmp_path: Path) -> None:
    page.goto("/graph?focus=tokens")
    page.wait_for_selector(DRAWN)
    page.screenshot(path=tmp_path / "small.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_scheme(page: Page, scheme: str, tmp_path: Path) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto("/graph?focus=tokens")
    page.wait_for_selector(DRAWN)
    page.screenshot(path=tmp_path / f"{scheme}.png")
    swatch = page.locator("[data-colour='entity.concept'] .swatch")
    expected = {"light": "rgb(15, 125, 77)", "dark": "rgb(111, 220, 160)"}
    assert swatch.evaluate("it => getComputedStyle(it).backgroundColor") == expected[scheme]


NO_GL = """
    const given = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
        return kind.startsWith("webgl") ? null : given.call(this, kind, ...more);
    };
"""


def test_without_webgl_a_sentence_says_so_and_the_table_stands_open(page: Page) -> None:
    page.add_init_script(NO_GL)
    page.goto("/graph?focus=tokens")
    page.wait_for_selector("#undrawn:not([hidden])")
    assert not page.locator("#stage").is_visible()
    assert page.get_by_role("region", name="Nodes").is_visible()
