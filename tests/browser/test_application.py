"""Every page in a real browser: usable by keyboard, on a telephone, in the dark, and deaf to what memory says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from browsing import MEMORIES, PAYLOADS, THREAD, hostile
from commands import Command, serving
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.faces.dashboard.registry import PAGES
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import Settings

AXE = Path(__file__).parents[2] / "build" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
NAMED: dict[str, str] = {}
"""Ids that the pages are asked for by; filled when memory is."""
ASKED = {
    "/": ("/",),
    "/legs": ("/legs",),
    "/used": ("/used",),
    "/recalls": ("/recalls",),
    "/lab": ("/lab", "/lab?q=which+database+for+billing%3F", "/lab?q=%3Cscript%3E&compare=1&b_profile=plain"),
    "/graph": ("/graph", "/graph?focus={entity}&depth=2", "/graph?focus={memory}"),
    "/memories": ("/memories", "/memories?q=which+database+for+billing%3F", "/memories?q=%3Cscript%3E"),
    "/memories/export": (),
    "/memories/{name}": ("/memories/{memory}",),
    "/entities": ("/entities", "/entities?name=Thing"),
    "/entities/{name:path}": ("/entities/{entity}",),
    "/documents": ("/documents",),
    "/documents/{name:path}": ("/documents/SPEC-1",),
    "/review": ("/review", "/review?queue=contradictions", "/review?queue=duplicates", "/review?queue=stale"),
    "/compositions": ("/compositions", "/compositions?tags=none-has-it"),
    "/compositions/frontier": ("/compositions/frontier", "/compositions/frontier?size=3"),
    "/compositions/bounty": ("/compositions/bounty",),
    "/compositions/ask": ("/compositions/ask", "/compositions/ask?q=%3Cscript%3E+which+database%3F"),
    "/compositions/{name}": ("/compositions/{composition}",),
    "/agents": ("/agents",),
    "/health": ("/health",),
}  # fmt: skip
"""What is asked of each page that shows something."""
ADDRESSES = [address for asked in ASKED.values() for address in asked] + ["/nowhere", "/login"]
TELEPHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
NEAR = (320, 256)
"""A screen of 1,280 by 1,024, looked at four times as large."""
DRAWN_AGAIN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Charts follow the width of their place when it has changed."""
NOT_OURS = "main svg:not(.own), main script:not(#graph-data), main img, main [onerror], main [onload]"
"""What only a memory could have put into a page."""
OBJECTIONS = """
async () => {
    const rules = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"];
    const found = (await axe.run(document, {runOnly: rules})).violations;
    return found.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.target.join(" ")).join(" | ")}`);
}
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[str]:
    home = tmp_path_factory.mktemp("application") / "home"
    with Trigraph(open_engine(Settings(home=str(home)), embedder=embedder), LOCAL_SCOPE) as memory:
        memory.remember_batch(MEMORIES)
        memory.remember_thread(THREAD)
        NAMED.update(hostile(memory))
    with serving(Command(home, home.parent)) as served:
        yield served


def _go(page: Page, address: str) -> None:
    """To an address. What is nowhere comes as it is, but as if it were found: a browser complains of a 404."""
    page.route("**/nowhere", lambda route: route.fulfill(response=route.fetch(), status=200))
    page.goto(address.format_map(NAMED))


def test_every_page_is_looked_at() -> None:
    assert set(ASKED) == {page.path for page in PAGES}


@pytest.mark.parametrize("address_of", ADDRESSES)
def test_what_memory_says_is_shown_and_never_obeyed(page: Page, address_of: str) -> None:
    _go(page, address_of)

    assert page.evaluate("window.broken") is None
    assert page.locator(NOT_OURS).count() == 0
    assert page.locator("main a[href^='javascript']").count() == 0
    assert "49" not in page.locator("h1").inner_text()


@pytest.mark.skipif(not AXE.exists(), reason="AXE-CORE IS NOT THERE: npm is missing, see make setup-tests")
@pytest.mark.parametrize("address_of", ADDRESSES)
def test_axe_finds_nothing_to_object_to(page: Page, address_of: str) -> None:
    _go(page, address_of)
    page.evaluate("() => document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        found[scheme] = page.evaluate(OBJECTIONS)

    assert found == {"light": [], "dark": []}


@pytest.mark.parametrize("page", [TELEPHONE], indirect=True)
@pytest.mark.parametrize("address_of", [one for one in ADDRESSES if one not in ("/nowhere", "/login")])
def test_no_page_has_to_be_scrolled_sideways(page: Page, address_of: str) -> None:
    _go(page, address_of)

    for width, height in ((360, 740), NEAR):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN_AGAIN)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("#q").is_visible()


class TestByKeyboard:
    def test_j_and_k_go_through_a_list_and_enter_opens(self, page: Page) -> None:
        page.goto("/memories")
        page.keyboard.press("j")
        page.keyboard.press("j")
        page.keyboard.press("k")
        page.keyboard.press("j")
        second = page.locator("article.card").nth(1)

        assert second.evaluate("row => row.classList.contains('here')")
        target = second.locator("a").first.get_attribute("href")
        page.keyboard.press("Enter")
        page.wait_for_url(f"**{target}")

    def test_a_question_mark_shows_the_keys_and_they_can_be_turned_off(self, page: Page) -> None:
        page.goto("/memories")
        page.keyboard.press("?")
        assert page.locator("#keys").is_visible()
        page.get_by_label("Single keys are on").uncheck()
        page.keyboard.press("Escape")
        page.keyboard.press("j")

        assert page.locator(".here").count() == 0

    def test_one_key_decides_and_one_undoes(self, page: Page) -> None:
        page.goto("/review?queue=duplicates")
        assert page.locator(".decision").count() == 1
        page.keyboard.press("j")
        page.keyboard.press("n")
        page.get_by_text("Both stand.").wait_for()
        page.wait_for_load_state()  # what hears keys is there only then
        assert page.locator(".decision").count() == 0
        page.keyboard.press("u")
        page.get_by_text("Linked.").wait_for()
        page.wait_for_load_state()

        assert page.locator(".decision").count() == 1

    def test_what_is_chosen_is_forgotten_together_and_comes_back(self, page: Page) -> None:
        page.goto("/memories?kind=preference")
        page.keyboard.press("j")
        page.keyboard.press("x")
        assert page.get_by_text("With the 1 chosen:").is_visible()
        page.get_by_role("button", name="Forget").click()
        page.get_by_text("Forgotten.").wait_for()
        assert page.locator("article.card").count() == 0
        page.get_by_role("button", name="Undo").click()
        page.get_by_text("Restored.").wait_for()
        page.wait_for_load_state()

        assert page.locator("article.card").count() == 1


class TestForms:
    def test_a_memory_is_corrected_and_the_page_shows_what_changed(self, page: Page) -> None:
        page.goto("/memories?q=tabs+over+spaces")
        page.locator("article.card a").first.click()
        page.get_by_text("Correct", exact=True).click()
        page.get_by_label("What is true").fill("Ana prefers spaces over tabs.")
        page.get_by_role("button", name="Correct it").click()
        page.get_by_text("Corrected.").first.wait_for()

        assert "Ana prefers spaces over tabs." in page.locator(".whole").inner_text()
        assert page.locator(".diff del").count() >= 1
        page.get_by_role("button", name="Undo").click()
        page.get_by_text("Restored.").wait_for()

    @pytest.mark.parametrize("page", [{"java_script_enabled": False}], indirect=True)
    def test_without_script_what_is_wrong_is_said_in_the_form(self, page: Page) -> None:
        page.route("**/link", lambda route: route.fulfill(response=route.fetch(), status=200))  # it complains of a 400
        page.goto(f"/memories/{NAMED['memory']}")
        page.get_by_text("Link", exact=True).click()
        page.get_by_label("the memory", exact=True).fill(PAYLOADS[0])
        page.get_by_role("button", name="Draw the link").click()
        page.get_by_role("alert").wait_for()

        assert "is not an id" in page.get_by_role("alert").inner_text()
        assert page.get_by_label("the memory", exact=True).input_value() == PAYLOADS[0]

    def test_a_merge_is_previewed_done_and_undone(self, page: Page) -> None:
        page.goto(f"/entities/{NAMED['entity']}")
        page.get_by_text("Merge", exact=True).click()
        page.get_by_label("It is the same thing as").fill(f"Thing {PAYLOADS[1]}")
        page.get_by_role("button", name="Preview").click()
        page.get_by_text("will speak of").wait_for()
        page.get_by_role("button", name="Merge them").click()
        page.get_by_text("Merged.").wait_for()
        page.locator(".toast").get_by_role("button", name="Undo").click()
        page.get_by_text("Taken back.").wait_for()


def test_what_is_new_is_told_and_no_row_jumps(page: Page, address: str) -> None:
    page.goto("/memories")
    first = page.locator("article.card").first.inner_text()
    with page.expect_response("**/live"):
        page.reload()
    answer = page.request.post("/v1/memories", data={"text": "A heron came by"})
    assert answer.status == 201
    page.get_by_role("link", name="One new memory").wait_for()

    assert page.locator("article.card").first.inner_text() == first
    page.get_by_role("link", name="One new memory").click()
    page.get_by_text("A heron came by").wait_for()
