"""The overview and the list of recalls, asked of a real server: figures, their rows, who sees whose."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest

from commands import Command
from http_api import opened, served
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy, Right
from trigraph.model.scope import Scope

SCRIPT = "<script>alert(1)</script> heron"
QUERY = "where does the heron nest?"
NESTS = ("the old pier", "the north mole", "the lock", "the lighthouse", "the breakwater")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("overview") / "home"


@pytest.fixture(scope="module")
def memory(home: Path) -> Iterator[Trigraph]:
    """Seven recalls of two agents: four of use, one of them stale too, one of no use, two of which nothing was said."""
    with opened(home) as own:
        ids = [str(own.remember(f"A heron nests at {place}").id) for place in NESTS]
        own.admin.set_agent("default", "default", "anna", ReadPolicy.SHARED)
        _used(own, ids[0], "cited", ids[1], "flagged_stale", session="watch")
        _used(own, ids[0], "saved_rework", session="watch")
        _used(own, ids[2], "dismissed")
        _used(own, ids[0], "cited")
        own.recall(SCRIPT)
        anna = Trigraph(own.engine, Scope("default", "default", "anna"))
        _used(anna, ids[0], "cited", query="anna's secret heron")
        anna.recall("heron of anna's")
        yield own


def _used(
    memory: Trigraph, *judged: str, query: str = "where does the heron nest?", session: str | None = None
) -> None:
    recall = memory.recall(query, session=session)
    shown = {hit.memory.id for hit in recall.hits}
    items = [{"id": id_, "kind": kind} for id_, kind in zip(judged[::2], judged[1::2], strict=True)]
    assert shown >= {item["id"] for item in items}
    memory.cite(recall.id, items=items)


@pytest.fixture(scope="module")
def pages(memory: Trigraph) -> Iterator[httpx.Client]:
    with served(memory) as client:
        yield client


@pytest.mark.req("T16")
def test_the_page_tells_the_figures_in_a_sentence(pages: httpx.Client) -> None:
    shown = pages.get("/").text
    headline = re.search(r'class="headline">(.*?)</p>', shown, re.DOTALL)
    assert headline
    told = headline[1]

    assert "In the last 30 days memory was asked 7 times." in told
    assert "Of 5 answers that were judged 80 % were of use" in told
    assert "by your assumption saved 2.40 k" in told  # three cited at 300 tokens, one that saved rework at 1500
    for panel in ("Hit rate by class", "How often it was stale", "Tokens loaded and saved", "What each leg adds",
                  "Agents", "Of use most often", "never of use"):  # fmt: skip
        assert panel in shown
    assert "3 cited × 300 (insight.cited_tokens)" in shown
    assert "1 saved rework × 1,500 (insight.saved_rework_tokens)" in shown


@pytest.mark.req("T16")
def test_what_each_leg_adds_is_a_page_that_the_overview_fetches(pages: httpx.Client) -> None:
    link = re.search(r'<a href="(/legs[^"]*)" data-part="#legs">', pages.get("/").text)
    assert link
    shown = pages.get(html.unescape(link[1])).text
    part = re.search(r'<section[^>]* id="legs".*?</section>', shown, re.DOTALL)
    assert part
    told = part[0]

    assert "Fusion only, over 4 recalls with 4 memories that were of use" in told
    assert "Only fusion is replayed" in told
    assert re.findall(r'<th scope="row">(\w+)</th>', told) == ["vector", "lexical", "graph", "temporal"]
    lexical = re.search(r'>lexical</th><td class="gain">([+−][\d.]+) \(([+−][\d.]+) to ([+−][\d.]+)\)', told)
    assert lexical
    assert float(lexical[1]) > 0  # without a model nothing but words finds anything


@pytest.mark.req("T16")
def test_which_memories_are_of_use_is_a_page_that_the_overview_fetches(pages: httpx.Client) -> None:
    links = re.findall(r'<a href="(/used[^"]*)" data-part="#(top|never)">', pages.get("/?agent=anna").text)
    assert [part for _, part in links] == ["top", "never"]
    assert {html.unescape(url) for url, _ in links} == {"/used?days=30&agent=anna"}
    of_anna, of_all = pages.get("/used?days=30&agent=anna").text, pages.get("/used").text

    def listed(shown: str, part: str) -> list[tuple[str, str]]:
        found = re.search(rf'<section[^>]* id="{part}".*?</section>', shown, re.DOTALL)
        assert found
        return re.findall(r'<b title="[^"]*">(\d+)</b> <div><a [^>]*>A heron nests at ([^<]+)</a>', found[0])

    assert listed(of_all, "top") == [("4", NESTS[0])]
    assert listed(of_anna, "top") == [("1", NESTS[0])]
    assert {place for _, place in listed(of_all, "never")} == set(NESTS[1:])
    assert "Nothing was cited in this time." in pages.get("/used?last=2020-01-01").text


@pytest.mark.req("T16")
def test_what_agents_did_is_fetched_into_the_overview(pages: httpx.Client) -> None:
    link = re.search(r'<a href="(/agents[^"]*)" data-part="#figures">', pages.get("/?days=7").text)
    assert link
    part = re.search(r'<section[^>]* id="figures".*?</section>', pages.get(html.unescape(link[1])).text, re.DOTALL)
    assert part
    assert "recalls by day" in part[0]
    asked = re.findall(r'/a></th>.*?<td class="number"><a [^>]*>(\d+)</a>', part[0])
    assert asked == ["5", "2"]


@pytest.mark.req("T17")
def test_what_health_says_is_fetched_into_the_overview(pages: httpx.Client) -> None:
    assert '<a href="/health" data-part="#problems">' in pages.get("/").text
    part = re.search(r'<section[^>]* id="problems".*?</section>', pages.get("/health").text, re.DOTALL)
    assert part
    assert re.search(r'role="alert">vector leg: .*none', part[0])


@pytest.mark.req("T16")
def test_every_number_leads_to_as_many_rows(pages: httpx.Client) -> None:
    shown = pages.get("/").text + pages.get("/agents").text
    numbers = [
        (int(text), html.unescape(url)) for url, text in re.findall(r'<a href="(/recalls[^"]*)">(\d+)</a>', shown)
    ]
    assert len(numbers) > 10
    for number, url in dict.fromkeys(numbers):
        assert (url, pages.get(url).text.count("<tr data-row>")) == (url, number)


@pytest.mark.req("T16")
def test_figures_are_those_of_the_command_line_and_of_the_api(
    pages: httpx.Client, memory: Trigraph, home: Path, tmp_path: Path
) -> None:
    twin = pages.get("/", params={"format": "json"}).json()["insight"]
    twin["lift"] = pages.get("/legs", params={"format": "json"}).json()["insight"]["lift"]
    twin["agents"] = pages.get("/agents", params={"format": "json"}).json()["insight"]["agents"]
    used = pages.get("/used", params={"format": "json"}).json()["insight"]
    twin |= {name: used[name] for name in ("top_cited", "never_cited")}
    span = {"since": twin["since"], "until": twin["until"]}
    api = pages.get("/v1/project/insight", params=span).json()
    settings = {"TRIGRAPH_EMBEDDER__KIND": "none"}
    printed = Command(home, tmp_path)("insight", "--everyone", "--since", span["since"], "--until", span["until"],
                                      "--json", environment=settings).json  # fmt: skip

    assert _without_now(api) == _without_now(twin)
    assert _without_now(printed) == _without_now(twin)
    assert twin["hit_rate"]["overall"]["recalls"] == 7


def test_a_series_is_drawn_from_a_table_that_holds_all_its_numbers(pages: httpx.Client) -> None:
    shown = pages.get("/", params={"days": "7"}).text
    chart = re.search(r'id="chart-hits">.*?</figure>', shown, re.DOTALL)
    assert chart
    rows = [re.findall(r'data-value="([\d.]+)"', row) for row in re.findall(r"<tr>(<td.*?)</tr>", chart[0])]

    assert len(rows) == 7
    assert [float(value) for value in rows[-1][1:]] == [4, 1, 2, 0]
    assert all([float(value) for value in row[1:]] == [0, 0, 0, 0] for row in rows[:-1])


def test_days_and_weeks_and_an_agent_can_be_chosen(pages: httpx.Client) -> None:
    of_anna = pages.get("/", params={"agent": "anna", "days": "365", "format": "json"}).json()["insight"]
    assert (of_anna["agent"], of_anna["step"], of_anna["hit_rate"]["overall"]["recalls"]) == ("anna", "week", 2)
    shown = pages.get("/", params={"agent": "anna"}).text
    assert "memory was asked 2 times by anna" in shown
    assert re.findall(r"<option( selected)?>(anna|default)</option>", shown) == [(" selected", "anna"), ("", "default")]
    before = pages.get("/", params={"first": "2020-01-01", "last": "2020-01-31"}).text
    assert "From 01 Jan 2020 to 31 Jan 2020 memory was not asked anything" in before
    assert "trigraph cite" in before


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/?days=0", "is no number of days"),
        ("/?days=nine", "is no number of days"),
        ("/?first=2026-13-01", "is no day"),
        ("/?first=2026-02-02&last=2026-01-01", "after the last"),
        ("/?step=month", "month"),
        ("/recalls?class=poem", "poem"),
        ("/recalls?outcome=%3Cb%3E", "&lt;b&gt;"),
        ("/recalls?cursor=x", "was not given out by trigraph"),
    ],
)
def test_what_cannot_be_asked_for_is_said(pages: httpx.Client, path: str, says: str) -> None:
    answer = pages.get(path)
    assert (answer.status_code, says in answer.text) == (400, True)


def test_who_may_not_review_sees_their_own_alone(pages: httpx.Client, memory: Trigraph) -> None:
    issued = memory.admin.issue_token("default", "default", "anna", "looking", [Right.READ])
    headers = {"Authorization": f"Bearer {issued.secret}"}
    own = pages.get("/", params={"format": "json"}, headers=headers).json()["insight"]
    listed = pages.get("/recalls", headers=headers).text

    assert (own["agent"], own["hit_rate"]["overall"]["recalls"]) == ("anna", 2)
    assert own["askers"] == ["anna"]
    assert "all agents" not in pages.get("/", headers=headers).text
    assert "anna&#39;s secret heron" in listed
    assert QUERY not in listed
    assert pages.get("/", params={"agent": "default"}, headers=headers).status_code == 403
    assert pages.get("/recalls", params={"agent": "default"}, headers=headers).status_code == 403


def test_the_list_tells_ones_own_queries_and_of_others_only_that_they_asked(pages: httpx.Client) -> None:
    shown = pages.get("/recalls").text

    assert "secret" not in shown
    assert shown.count("only anna may see this") == 2
    assert shown.count('href="/lab?recall=r_') == 5
    assert "&lt;script&gt;alert(1)" in shown
    assert "<script>alert" not in shown


def test_the_list_can_be_narrowed_and_has_a_twin(pages: httpx.Client) -> None:
    def outcomes(**asked: Any) -> list[str]:
        found = pages.get("/recalls", params={**asked, "format": "json"}).json()["page"]["recalls"]
        return [one["outcome"] for one in found]

    assert outcomes(outcome="miss") == ["miss"]
    assert outcomes(session="watch") == ["hit", "hit"]
    assert outcomes(kind=["flagged_stale", "dismissed"]) == ["miss", "hit"]
    assert len(outcomes(agent="anna")) == 2
    assert outcomes(last="2020-01-01") == []


def test_a_long_list_is_paged(tmp_path: Path) -> None:
    with opened(tmp_path / "home") as own:
        own.remember("A heron nests here")
        for number in range(53):
            own.recall(f"heron {number}")
        with served(own) as pages:
            first = pages.get("/recalls").text
            more = re.search(r'class="more" href="([^"]+)"', first)
            assert more
            second = pages.get(html.unescape(more[1])).text
    asked = [int(number) for page in (first, second) for number in re.findall(r">heron (\d+)</a>", page)]
    assert asked == list(reversed(range(53)))
    assert 'class="more"' not in second


@pytest.mark.req("T17")
def test_a_degraded_leg_is_said_aloud(tmp_path: Path) -> None:
    with opened(tmp_path / "home") as own:
        own.recall("heron")
        with served(own) as pages:
            shown = pages.get("/").text
    alerts = re.findall(r'role="alert">(.*?)</p>', shown)
    assert any("leg was degraded in 1 of 1 recalls" in alert for alert in alerts)


def test_recalls_of_which_nothing_was_said_teach_how_to_cite(tmp_path: Path) -> None:
    with opened(tmp_path / "home") as own:
        own.remember("A heron nests here")
        own.recall("heron")
        with served(own) as pages:
            shown = pages.get("/").text
    assert "Nothing was judged yet" in shown
    assert "--kind cited" in shown


@pytest.mark.req("T16")
def test_the_number_of_queries_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    counts = {size: _statements(tmp_path / str(size), size) for size in (4, 40)}
    assert counts[4] == counts[40]
    assert counts[4]["/"] > 0


def _statements(home: Path, size: int) -> dict[str, int]:
    """How many statements the pages take over so many memories and recalls, once everything is open and known."""
    counted: list[str] = []
    connections: list[apsw.Connection] = []
    apsw.connection_hooks.append(connections.append)
    try:
        with opened(home) as own:
            ids = [str(own.remember(f"Heron {number} nests at pier {number}").id) for number in range(size)]
            for id_ in ids:
                recall = own.recall("heron", limit=3)
                own.cite(recall.id, recall.hits[0].memory.id if recall.hits else id_)
            with served(own) as pages:
                taken = {}
                for path in ("/", "/?agent=default", "/used", "/recalls"):
                    pages.get(path)
                    for one in connections:
                        one.exec_trace = lambda cursor, sql, bindings: counted.append(sql) or True
                    pages.get(path)
                    for one in connections:
                        one.exec_trace = None
                    taken[path] = len(counted)
                    counted.clear()
                return taken
    finally:
        apsw.connection_hooks.remove(connections.append)


def _without_now(insight: dict[str, Any]) -> dict[str, Any]:
    """All but when it was asked, and what counts back from then."""
    told: dict[str, Any] = json.loads(json.dumps(insight))
    del told["at"]
    del told["never_cited"]["old_before"]
    return told
