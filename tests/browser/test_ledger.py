"""The ledger in a real browser: what was used together, labelled by one key; what never was, as a queue; an answer."""

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

NAMED: dict[str, str] = {}
"""Ids that the tests ask for; filled when memory is."""
RIGGING = (
    "The mast of the ferry is checked by the harbour office every spring",
    "The harbour office closes for repairs each April",
    "The ferry carries the mail of the lighthouse",
    "The lighthouse keeper reads the mail on Mondays",
)


def fill(memory: Trigraph) -> None:
    """Two compositions, one of which has a closed door, and things that were never used together."""
    ids = [memory.remember(text, tags=["harbour"]).id or "" for text in RIGGING]
    old = memory.decide("Tickets are made of paper", topic="tickets", valid_from="2026-01-10").id
    new = memory.decide("Tickets are made of tin", topic="tickets", supersedes=old, valid_from="2026-03-01").id
    members = [{"id": new, "role": "primary"}, {"id": old, "role": "superseded"}, {"id": ids[0], "role": "supporting"}]
    NAMED["tickets"] = memory.compose(members, query="What are tickets made of?", output="Of tin.").ids[0]
    NAMED["closed"] = memory.compose(ids[2:], query="Who reads the mail?").ids[0]
    memory.label(NAMED["closed"], "closed_by_user", notes="the keeper asked us not to")
    NAMED["paper"] = old


@pytest.fixture
def address(tmp_path: Path, embedder: Embedder) -> Iterator[str]:
    home = tmp_path / "home"
    with Trigraph(open_engine(Settings(home=str(home)), embedder=embedder), LOCAL_SCOPE) as memory:
        fill(memory)
    with serving(Command(home, tmp_path)) as served:
        yield served


def test_a_composition_is_labelled_by_one_key_and_is_told_what_fits_better(page: Page) -> None:
    page.goto("/compositions")
    rows = page.locator(".decision")
    assert rows.count() == 2
    assert rows.nth(0).locator(".outcome.closed").inner_text() == "closed by user"
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("d")
    page.get_by_text("Labelled a dead end, which does not say why.").wait_for()
    page.wait_for_load_state()
    assert page.locator(".decision").nth(1).locator(".outcome").all_inner_texts() == ["dead end"]
    page.keyboard.press("u")  # it has a superseded member: what it rested on was false
    page.get_by_text("Labelled: this door is closed.").wait_for()
    page.wait_for_load_state()

    labels = page.locator(".decision").nth(1).locator(".outcome").all_inner_texts()
    assert labels == ["dead end", "closed by false assumption"]
    page.goto("/compositions/bounty")
    closed = page.locator("section[aria-labelledby=tried-2] li")
    assert closed.locator("a").all_inner_texts() == ["Who reads the mail?", "What are tickets made of?"]


def test_one_composition_is_drawn_with_its_roles_and_outcomes(page: Page, tmp_path: Path) -> None:
    page.goto(f"/compositions/{NAMED['tickets']}")
    page.wait_for_selector("#drawing[data-drawn]")

    assert page.locator("#drawing").get_attribute("data-drawn") == "4"
    assert page.locator("#preview h2").inner_text() == "What are tickets made of?"
    page.fill("#notes", "the tinsmith confirmed it")
    page.get_by_role("button", name="accepted").click()
    page.get_by_text("the tinsmith confirmed it").wait_for()
    page.wait_for_selector("#drawing[data-drawn='5']")
    page.screenshot(path=tmp_path / "composition.png")
    page.locator("#tables").evaluate("it => { it.open = true }")
    roles = page.locator("#tables tbody .role").all_inner_texts()
    assert roles == ["primary", "superseded", "supporting"]


def test_the_queue_of_what_never_met_empties_by_one_key(page: Page) -> None:
    page.goto("/compositions/frontier")
    before = page.locator(".decision").count()
    assert before > 1
    question = page.locator(".decision h2").nth(0).inner_text()
    page.keyboard.press("j")
    page.keyboard.press("h")
    page.get_by_text("Labelled. Look why it worked").wait_for()
    page.wait_for_load_state()
    assert question not in page.locator(".decision h2").all_inner_texts()
    page.goto("/compositions")
    assert page.locator(".decision h2").nth(0).inner_text() == question
    assert page.locator(".decision").nth(0).locator(".outcome.success").inner_text() == "helpful"


def test_the_queue_goes_back_to_when_a_decision_was_made(page: Page) -> None:
    page.goto("/compositions/frontier")
    page.get_by_label("when decided").fill(NAMED["paper"])
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**decision=*")
    assert page.get_by_role("link", name="that decision").get_attribute("href") == f"/memories/{NAMED['paper']}"
    assert "Tickets are made of tin" not in page.locator("main").inner_text()


def test_a_question_is_answered_from_the_evidence_and_kept(page: Page) -> None:
    page.goto("/compositions/ask")
    page.fill("#q", "What are tickets made of?")
    page.get_by_role("button", name="Answer").click()
    page.get_by_role("heading", name="Go by this").wait_for()
    assert "Tickets are made of tin" in page.locator("main section.block").inner_text()
    page.get_by_role("link", name="kept as a composition").click()
    page.wait_for_selector("#drawing[data-drawn]")
    assert page.locator("h1").inner_text() == "What are tickets made of?"


@pytest.mark.parametrize("page", [{"java_script_enabled": False}], indirect=True)
def test_without_script_a_label_is_a_button(page: Page) -> None:
    page.goto(f"/compositions/{NAMED['tickets']}")
    page.get_by_role("button", name="needs poc").click()
    assert page.get_by_text("Labelled.", exact=True).is_visible()
    assert page.get_by_role("region", name="Members").is_visible()


def test_a_composition_that_is_not_there_is_said_to_be_missing(page: Page) -> None:
    page.route("**/compositions/c_*", lambda route: route.fulfill(response=route.fetch(), status=200))
    page.goto("/compositions/c_01kx0f6gq3v8z5d2c7b9n4t1hw")
    assert "no composition" in page.locator("main").inner_text().lower()
