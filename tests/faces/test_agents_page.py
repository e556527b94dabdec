"""The page of agents, asked of a real server: what each did, the rows of its numbers, and who sees whose."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import httpx
import pytest

from http_api import opened, served
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy, Right
from trigraph.model.scope import Scope


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trigraph]:
    """Three agents: one that recalls, cites and writes, one that recalls and judges, one that only writes."""
    with opened(tmp_path_factory.mktemp("agents") / "home") as own:
        anna, carl = (_agent(own, name) for name in ("anna", "carl"))
        ids = [str(own.remember(f"A heron nests at pier {number}").id) for number in range(3)]
        for kind in ("cited", "cited", "saved_rework"):
            own.cite(own.recall("where does the heron nest?").id, ids[0], kind)
        own.recall("heron")
        anna.cite(anna.recall("heron").id, ids[1], "dismissed")
        carl.remember("An otter lives at the lock")
        yield own


def _agent(own: Trigraph, name: str) -> Trigraph:
    own.admin.set_agent("default", "default", name, ReadPolicy.SHARED)
    return Trigraph(own.engine, Scope("default", "default", name))


@pytest.fixture(scope="module")
def pages(memory: Trigraph) -> Iterator[httpx.Client]:
    with served(memory) as client:
        yield client


def _figures(shown: str) -> dict[str, list[str]]:
    """What the table tells of each agent, cell by cell, without marks."""
    table = re.search(r'aria-label="Figures of each agent">(.*?)</table>', shown, re.DOTALL)
    assert table
    rows = re.findall(r"<tr data-row>(.*?)</tr>", table[1], re.DOTALL)
    cells = [[re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)] for row in rows]
    return {html.unescape(name): [cell.strip() for cell in rest] for name, _, *rest in cells}


@pytest.mark.req("T16")
def test_who_may_review_sees_what_each_agent_recalled_cited_and_wrote(pages: httpx.Client) -> None:
    shown = pages.get("/agents").text
    told = _figures(shown)

    assert "Who recalls, cites and writes, in the last 30 days" in shown
    assert list(told) == ["default", "anna", "carl"]
    assert told["default"][0] == "4"
    assert told["default"][1].startswith("100 % 44–100 %")
    assert told["default"][2:5] == ["1", "2 cited, 1 saved rework", "3"]
    assert (told["anna"][0], told["anna"][3], told["anna"][4]) == ("1", "1 dismissed", "0")
    assert (told["carl"][0], told["carl"][3], told["carl"][4]) == ("0", "none", "1")


@pytest.mark.req("T16")
def test_every_number_of_an_agent_leads_to_its_rows(pages: httpx.Client) -> None:
    shown = pages.get("/agents").text
    links = re.findall(r'<a href="(/(?:recalls|memories)\?[^"]*)">(\d+)[^<%]*</a>', shown)
    counts = {html.unescape(url): int(number) for url, number in links}
    rows = {url: pages.get(url).text.count(" data-row") for url in counts}

    assert rows == counts
    assert {url.split("?")[0] for url in counts} == {"/recalls", "/memories"}
    assert sum("agent=anna" in url for url in counts) == 2
    assert any("kind=saved_rework" in url and "agent=default" in url for url in counts)
    assert any("author=default" in url and "created_after=" in url for url in counts)


def test_the_twin_is_what_the_library_answers(pages: httpx.Client, memory: Trigraph) -> None:
    twin = pages.get("/agents", params={"format": "json", "days": "7"}).json()["insight"]
    told = memory.project_insight(since=twin["since"], until=twin["until"], panels=("agents",)).agents

    assert told is not None
    assert [(one["agent"], one["recalls"], one["written"]) for one in twin["agents"]] == [
        (one.agent, one.recalls, one.written) for one in told
    ]
    assert twin["hit_rate"] is None
    assert len(twin["agents"][0]["series"]) == 7


def test_who_may_not_review_sees_only_what_they_did(pages: httpx.Client, memory: Trigraph) -> None:
    issued = memory.admin.issue_token("default", "default", "anna", "looking", [Right.READ])
    headers = {"Authorization": f"Bearer {issued.secret}"}
    shown = pages.get("/agents", headers=headers).text

    assert "How you use memory" in shown
    assert list(_figures(shown)) == ["anna"]
    assert "agent=" not in shown
    assert pages.get("/agents", params={"agent": "default"}, headers=headers).status_code == 403


def test_an_agent_and_days_can_be_asked_for(pages: httpx.Client) -> None:
    of_anna = pages.get("/agents", params={"agent": "anna"}).text
    before = pages.get("/agents", params={"first": "2020-01-01", "last": "2020-01-31"}).text

    assert "How anna uses memory" in of_anna
    assert list(_figures(of_anna)) == ["anna"]
    assert "Nothing was recalled, cited or written from 01 Jan 2020 to 31 Jan 2020" in before
    assert pages.get("/agents", params={"days": "nine"}).status_code == 400
