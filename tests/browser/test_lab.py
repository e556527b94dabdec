"""The recall lab in a real browser: asked by keyboard, compared, replayed, on a telephone, without script."""

from __future__ import annotations

import re
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

SCRIPT = '<script>window.obeyed = 1</script><img src=x onerror="window.obeyed = 1">'
LONG_WORD = "https://example.org/" + "a-very-long-path-without-any-space/" * 6
QUERY = "which database for billing?"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[str]:
    home = tmp_path_factory.mktemp("browser-lab") / "home"
    with Trigraph(open_engine(Settings(home=str(home)), embedder=embedder), LOCAL_SCOPE) as memory:
        memory.remember("PostgreSQL 16 holds the billing tables", kind="decision", topic="storage")
        memory.remember("We deploy on Tuesdays, never on Fridays.", kind="constraint", pinned=True)
        memory.remember(f"The billing runbook is at {LONG_WORD} {SCRIPT}")
        memory.remember_batch([f"Invoice {number} was sent" for number in range(9)])
        memory.recall("a question of before")
    with serving(Command(home, home.parent)) as served:
        yield served


def test_a_question_by_keyboard_shows_bars_with_numbers(page: Page, tmp_path: Path) -> None:
    page.goto("/lab")
    assert page.locator(".past li").count() >= 1
    page.keyboard.press("/")
    page.keyboard.type(QUERY)
    page.keyboard.press("Enter")
    page.wait_for_url("**/lab?q=*")

    first = page.locator(".labhit").first
    assert "PostgreSQL 16" in first.inner_text()
    assert re.search(r"likeness\s+\+\d", first.inner_text())
    widths = first.locator(".barline rect").evaluate_all("all => all.map(it => it.getBoundingClientRect().width)")
    assert max(widths) > 20
    page.screenshot(path=tmp_path / "lab.png", full_page=True)


def test_two_settings_stand_side_by_side_and_stay_in_the_address(page: Page, tmp_path: Path) -> None:
    page.goto("/lab")
    page.fill("#q", QUERY)
    page.locator("details.settings > summary").click()
    page.check("[name=compare]")
    page.select_option("#b_profile", "lexical")
    page.get_by_role("button", name="Ask by these settings").click()
    page.wait_for_url("**compare=1*")

    boxes = [page.locator(".answer").nth(at).bounding_box() for at in (0, 1)]
    assert boxes[0]
    assert boxes[1]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    assert page.get_by_role("heading", name=re.compile("From A to B")).is_visible()
    page.screenshot(path=tmp_path / "compared.png", full_page=True)
    page.reload()
    assert page.locator("#b_profile").input_value() == "lexical"


def test_a_past_recall_is_opened_and_asked_again(page: Page) -> None:
    page.goto("/lab")
    page.get_by_role("link", name="a question of before").click()
    page.wait_for_url("**/lab?recall=r_*")
    page.get_by_role("link", name="Ask again now").click()
    page.wait_for_url("**again=1*")
    assert page.get_by_role("heading", name=re.compile("Then and now")).is_visible()


@pytest.mark.parametrize("page", [{"java_script_enabled": False}], indirect=True)
def test_it_works_without_script(page: Page) -> None:
    page.goto("/lab")
    page.fill("#q", QUERY)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_url("**/lab?q=*")
    assert page.locator(".labhit").count() > 1
    more = page.locator(".labhit details").first
    more.locator("summary").click()
    assert more.get_by_role("region", name="Its standing on each leg").is_visible()


@pytest.mark.parametrize(
    "page", [{"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}], indirect=True
)
@pytest.mark.parametrize("asked", ["q=billing", "q=billing&compare=1&b_profile=lexical", ""])
def test_on_a_telephone_nothing_has_to_be_scrolled_sideways(page: Page, asked: str, tmp_path: Path) -> None:
    page.goto(f"/lab?{asked}")
    page.screenshot(path=tmp_path / "small.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
