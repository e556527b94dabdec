"""The recall lab, asked of a real `trigraph serve` by a real client."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from commands import Command, serving
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import Settings

SCRIPT = '<script>alert("heron")</script> & <img src=x onerror=alert(1)>'
QUERY = "where are the sessions of Redis kept?"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lab") / "home"


@pytest.fixture(scope="module")
def memory(home: Path, embedder: Embedder) -> Iterator[Trigraph]:
    """Memory as another process than the server has it open."""
    with Trigraph(open_engine(Settings(home=str(home)), embedder=embedder), LOCAL_SCOPE) as opened:
        opened.remember(SCRIPT, topic="<b>markup</b>", tags=["<i>tag</i>"])
        opened.remember("Redis keeps the sessions", kind="decision", subject="Redis", type="tool")
        opened.remember("Sessions last twelve hours", tags=["session"])
        opened.remember("Never keep sessions in a cookie", kind="constraint", pinned=True)
        opened.remember_batch([f"Barge {number} carries gravel" for number in range(12)])
        yield opened


@pytest.fixture(scope="module")
def pages(home: Path, memory: Trigraph) -> Iterator[httpx.Client]:
    with serving(Command(home, home.parent)) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


def twin(pages: httpx.Client, **asked: Any) -> dict[str, Any]:
    answer = pages.get("/lab", params={**asked, "format": "json"})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def shown(answer: httpx.Response) -> list[str]:
    """The hits, in the order of the page."""
    return re.findall(r'<a href="/memories/(m_\w+)"><code>', answer.text)


def test_an_answer_shows_its_plan_its_legs_and_what_each_hit_owes(pages: httpx.Client, memory: Trigraph) -> None:
    page = pages.get("/lab", params={"q": QUERY})
    expected = memory.recall(QUERY, explain=True)

    assert shown(page) == [hit.memory.id for hit in expected.hits]
    for told in ("other", "learned", "session redi kept", 'focus=Redis">Redis</a>'):
        assert told in page.text
    for leg in expected.legs:
        assert re.search(rf"{leg.leg.value}</th><td[^>]*>{leg.status.value.replace('_', ' ')}", page.text)
    assert page.text.count('class="bars" role="group"') == len(expected.hits)
    assert re.search(r"Memory has something on this.*?<b>\d+ %</b>", page.text, re.S)
    assert "Never keep sessions in a cookie" in page.text


def test_what_a_hit_owes_adds_up_to_its_score(pages: httpx.Client) -> None:
    for fusion in ("learned", "score", "rrf"):
        page = pages.get("/lab", params={"q": QUERY, "fusion": fusion})
        first = page.text.split('class="labhit"')[1]
        owed = [float(one) for one in re.findall(r'barline leg">.*?class="number">([-+][\d.]+)<', first, re.S)]
        score = float(re.search(r"score <b>([-\d.]+)</b>", first)[1])  # type: ignore[index]
        assert sum(owed) == pytest.approx(score, abs=0.03), fusion


def test_a_leg_of_weight_nought_is_off(pages: httpx.Client) -> None:
    found = twin(pages, q=QUERY, vector="0", lexical="2.5")["recall"]
    assert found["plan"]["weights"] == {"lexical": 2.5, "graph": 8.0, "temporal": 1.0}
    assert "vector" not in [leg["leg"] for leg in found["legs"]]


def test_filters_and_times_come_from_the_address(pages: httpx.Client) -> None:
    kept = twin(pages, q=QUERY, kinds=["decision"], limit="3")["recall"]["hits"]
    assert [hit["kind"] for hit in kept] == ["decision"]
    tagged = twin(pages, q=QUERY, tags="session")["recall"]["hits"]
    assert [hit["text"] for hit in tagged] == ["Sessions last twelve hours"]
    assert twin(pages, q=QUERY, known_at="2020-01-01")["recall"]["hits"] == []


def test_two_settings_are_compared_by_what_rose_fell_came_and_went(pages: httpx.Client) -> None:
    asked = {"q": "sessions gravel", "limit": "6", "compare": "1", "b_profile": "lexical"}
    both = twin(pages, **asked)
    page = pages.get("/lab", params=asked)
    rows = re.findall(
        r'<tr class="(\w+)" data-row><td class="number">(\S+?)</td><td class="number">(\S+?)</td>.*?/memories/(m_\w+)',
        page.text,
        re.S,
    )
    before = {hit["id"]: hit["rank"] for hit in both["recall"]["hits"]}
    after = {hit["id"]: hit["rank"] for hit in both["compared_with"]["hits"]}

    assert {id for *_, id in rows} == set(before) | set(after)
    for change, first, second, id in rows:
        assert (first, second) == (str(before.get(id, "–")), str(after.get(id, "–")))
        moves = {"came": id not in before, "went": id not in after}
        assert moves.get(change, id in before and id in after)
    assert [leg["leg"] for leg in both["compared_with"]["legs"]] == ["lexical"]


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"limit": "many"}, "limit is &#39;many&#39;"),
        ({"vector": "-1"}, "The weight of the vector leg"),
        ({"profile": "<b>"}, "&lt;b&gt;"),
        ({"as_of": "yesterday"}, "is not a time"),
        ({"kinds": "poem"}, "poem"),
        ({"vector": "0", "lexical": "0", "graph": "0", "temporal": "0"}, "Every leg is off"),
    ],
)
def test_what_cannot_be_asked_is_said_beside_the_form_that_keeps_it(
    pages: httpx.Client, asked: dict[str, str], says: str
) -> None:
    answer = pages.get("/lab", params={"q": QUERY, **asked})
    assert answer.status_code == 400
    assert says in answer.text
    assert html.escape(QUERY) in answer.text


@pytest.mark.req("T16")
def test_a_past_recall_is_replayed_with_what_was_said_of_it_and_what_differs_now(
    pages: httpx.Client, memory: Trigraph
) -> None:
    gone = memory.remember("The ferry leaves from the old quay").id
    old = memory.remember("The ferry leaves at nine").id
    assert gone
    assert old
    asked = memory.recall("When and where does the ferry leave?", limit=4)
    memory.cite(asked.id, old, "flagged_stale", "it is ten now")
    memory.forget(gone)
    new = memory.supersede(old, "The ferry leaves at ten").id

    kept = pages.get("/lab", params={"recall": asked.id}).text
    assert "flagged stale" in kept
    assert "it is ten now" in kept
    assert "Ask again now" in kept
    for state in ("forgotten", f"superseded by {new[-8:]}"):
        assert f'class="state">{state}' in kept
    again = pages.get("/lab", params={"recall": asked.id, "again": "1"}).text
    reasons = dict(re.findall(r'<tr class="(?:came|went)".*?/memories/(m_\w+).*?class="why">(.*?)</td>', again, re.S))
    assert reasons[gone] == "forgotten"
    assert reasons[old] == f"superseded by {new[-8:]}"
    assert reasons[new].startswith("new: learned")
    record = twin(pages, recall=asked.id)["past_recall"]
    assert record["event"]["query"] == "When and where does the ferry leave?"
    assert "/lab?recall=" + asked.id in pages.get("/lab").text


def test_a_recall_that_is_not_there_is_said_not_to_be(pages: httpx.Client) -> None:
    answer = pages.get("/lab", params={"recall": "r_01kx0f6gq3v8z5d2c7b9n4t1hw"})
    assert answer.status_code == 404
    assert "There is no recall" in answer.text


@pytest.mark.parametrize("asked", ["q=alert+heron", "q=%3Cscript%3Ealert&compare=1", "q=x&as_of=%3Cscript%3E"])
def test_markup_is_shown_and_never_obeyed(pages: httpx.Client, asked: str) -> None:
    page = pages.get(f"/lab?{asked}").text
    assert "&lt;script&gt;" in page
    assert "<script>" not in page
    assert not re.search(r"<(img|b>markup|i>tag)", page)
    assert "style=" not in page, "the policy of the pages lets no style stand in an element"
