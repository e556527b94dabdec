"""The overview in a real browser: its charts are drawn, by every means of looking at them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from http_api import opened, served

CHARTS = 3
NAME = "<img src=x onerror=alert(1)>"
SMALL = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
WITHOUT_SCRIPT = {"java_script_enabled": False}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A little usage, served: hits of use, of no use, stale, and undecided; markup in a text."""
    with opened(tmp_path_factory.mktemp("overview") / "home") as memory:
        ids = [str(memory.remember(f"A heron nests at pier {number} {NAME}").id) for number in range(4)]
        for id_, kind in zip(ids, ("cited", "saved_rework", "dismissed", "flagged_stale"), strict=True):
            memory.cite(memory.recall(f"heron at the pier {NAME}").id, id_, kind)
        memory.recall("heron")
        with served(memory) as client:
            yield str(client.base_url)


@pytest.mark.req("T16")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_chart_is_drawn_in_the_colours_of_the_page(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto("/?days=7")
    page.wait_for_function("count => document.querySelectorAll('.uplot canvas').length === count", arg=CHARTS)

    accent = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()")
    assert page.evaluate(HAS_COLOUR, ["#chart-hits canvas", accent])


def test_what_takes_longer_takes_its_place_when_it_is_worked_out(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/")
    page.get_by_text("Fusion only, over 2 recalls").wait_for()
    page.locator("#top [data-row]").first.wait_for()
    page.locator("#never [data-row]").first.wait_for()
    page.locator("#problems [role=alert]").wait_for()
    page.locator("#figures [data-row]").first.wait_for()

    parts = ("#legs", "#top", "#never", "#problems", "#figures")
    assert [page.locator(part).count() for part in parts] == [1, 1, 1, 1, 1]
    assert page.locator("a[data-part]").count() == 0
    assert sum("/used" in url for url in asked) == 1


def test_a_chart_tells_the_numbers_of_its_table_where_it_is_pointed_at(page: Page) -> None:
    page.goto("/?days=7")
    area = page.locator("#chart-hits .u-over")
    box = area.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2)
    page.wait_for_function("!document.querySelector('#chart-hits .u-legend').innerText.includes('–')")

    cells = "rows => rows.map(row => [row.cells[0].innerText, row.cells[1].innerText])"
    told = dict(page.locator("#chart-hits .u-series").evaluate_all(cells))
    assert told.items() >= {"of use": "2", "of no use": "2", "undecided": "1", "nothing found": "0"}.items()


def test_numbers_are_reached_by_keyboard_and_lead_to_their_rows(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.closest('[data-row]') !== null")
    page.locator(".tiles a").nth(2).focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/recalls?*outcome=undecided*")
    assert page.locator("tbody tr").count() == 1


def test_the_days_are_chosen_in_a_form(page: Page) -> None:
    page.goto("/")
    page.locator("[name=first]").fill("2020-01-01")
    page.locator("[name=last]").fill("2020-02-01")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**first=2020-01-01*")

    assert "memory was not asked anything" in page.locator(".headline").inner_text()


@pytest.mark.parametrize("page", [pytest.param(WITHOUT_SCRIPT, id="no script")], indirect=True)
def test_without_script_the_numbers_are_in_tables(page: Page) -> None:
    page.goto("/?days=7")

    assert page.locator(".plot:visible").count() == 0
    page.locator("#chart-tokens summary").click()
    assert page.locator("#chart-tokens tbody tr:visible").count() == 7


@pytest.mark.parametrize("page", [pytest.param(SMALL, id="telephone")], indirect=True)
@pytest.mark.parametrize("path", ["/", "/recalls"])
def test_nothing_has_to_be_scrolled_sideways_on_a_telephone(page: Page, path: str) -> None:
    page.goto(path)

    assert page.evaluate("document.documentElement.scrollWidth") <= SMALL["viewport"]["width"]  # type: ignore[index]


HAS_COLOUR = """
([canvas, hex]) => {
    const it = document.querySelector(canvas);
    const wanted = [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16));
    const { data } = it.getContext("2d").getImageData(0, 0, it.width, it.height);
    for (let at = 0; at < data.length; at += 4)
        if (wanted.every((value, channel) => data[at + channel] === value) && data[at + 3] === 255) return true;
    return false;
}
"""
"""Whether something is drawn in a colour."""
