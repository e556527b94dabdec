"""How much a page asks of the store does not grow with what is stored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import apsw
import httpx
import pytest

from http_api import opened, served
from trigraph.faces.dashboard.registry import PAGES
from trigraph.faces.library import Trigraph

FEW, MANY = 4, 24
ASKED = {
    "/": "/",
    "/legs": "/legs",
    "/used": "/used",
    "/recalls": "/recalls",
    "/lab": "/lab?q=tower",
    "/graph": "/graph?focus={entity}&depth=2",
    "/memories": "/memories",
    "/memories/export": "/memories/export?as=json",
    "/memories/{name}": "/memories/{memory}",
    "/entities": "/entities",
    "/entities/{name:path}": "/entities/{entity}",
    "/documents": "/documents",
    "/documents/{name:path}": "/documents/SPEC-1",
    "/review": "/review?queue=contradictions",
    "/compositions": "/compositions",
    "/compositions/frontier": "/compositions/frontier?around={memory}",
    "/compositions/bounty": "/compositions/bounty?tags=stone",
    "/compositions/ask": "/compositions/ask",
    "/compositions/{name}": "/compositions/{composition}",
    "/agents": "/agents",
    "/health": "/health",
}
"""What is asked of each page. Two are bounded by something else than what is stored: the frontier by the memories that
it is looked at from, an answer by its evidence, of which each member is a row that is written."""


@contextmanager
def counting() -> Iterator[list[str]]:
    """Every statement that a connection runs which is opened within, but for those of the index of words itself."""
    seen: list[str] = []

    def told(event: dict[str, object]) -> None:
        if "'lexical_idx'" not in str(event["sql"]):
            seen.append(str(event["sql"]))

    def hooked(connection: apsw.Connection) -> None:
        connection.trace_v2(apsw.SQLITE_TRACE_STMT, told, id="counted")

    apsw.connection_hooks.append(hooked)
    try:
        yield seen
    finally:
        apsw.connection_hooks.remove(hooked)


def fill(memory: Trigraph, rows: int) -> dict[str, str]:
    """A memory with that many of everything that its pages list."""
    main = memory.remember("Tower One stands", subject="Tower One", type="location", tags=["stone"]).id
    assert main is not None
    for number in range(rows):
        other = memory.remember(f"Pier {number} is no tower", subject=f"Pier {number}", type="location").id
        assert other is not None
        memory.link(other, main, "contradicts", reason="they differ")
        memory.remember(f"Tower One has {number} steps", subject="Tower One", tags=[f"t{number}"])
        memory.docs.put(f"# SPEC-{number}: Step {number}\n\n## Depends on\n\n- SPEC-1\n")
        _busy(Trigraph(memory.engine, replace(memory.scope, agent=f"agent{number}")))
    main = memory.correct(main, "Tower One stands, they say").id
    assert main is not None
    held = [one.id for one in memory.list(limit=rows).memories]
    composed = [memory.compose([main, one], query="What stands?").ids[0] for one in held if one != main]
    memory.compose([main, *held[: rows // 2]], query="What stands longest?")
    memory.label(composed[0], "helpful")
    return {"memory": main, "entity": memory.entity("Tower One").id, "composition": composed[0]}


def _busy(agent: Trigraph) -> None:
    """One that recalls, cites and writes."""
    written = agent.remember("The bell of the tower rings at noon").id
    assert written is not None
    agent.cite(agent.recall("when does the bell ring?").id, written)


def asked_of(home: Path, rows: int) -> dict[str, int]:
    """How many statements each page takes, with what it had read before at hand."""
    with counting() as seen, opened(home) as memory:
        named = fill(memory, rows)
        with served(memory) as client:
            return {path: _counted(client, address.format_map(named), seen) for path, address in ASKED.items()}


def _counted(client: httpx.Client, address: str, seen: list[str]) -> int:
    assert client.get(address).status_code < 400, address
    before = len(seen)
    client.get(address)
    return len(seen) - before


def test_no_page_asks_more_of_the_store_when_more_is_stored(tmp_path: Path) -> None:
    assert set(ASKED) == {page.path for page in PAGES}
    few, many = asked_of(tmp_path / "few", FEW), asked_of(tmp_path / "many", MANY)

    assert min(few[path] for path in ASKED if path not in ("/", "/compositions/ask")) > 0
    assert {path: (few[path], many[path]) for path in ASKED if many[path] > few[path]} == {}


def test_a_long_chain_of_revisions_takes_no_more_than_a_short_one(tmp_path: Path) -> None:
    taken = {}
    for length in (3, 30):
        with counting() as seen, opened(tmp_path / str(length)) as memory:
            latest = memory.remember("Tower One has 0 steps").id
            for number in range(1, length):
                assert latest is not None
                revise = memory.correct if number % 2 else memory.supersede
                latest = revise(latest, f"Tower One has {number} steps").id
            with served(memory) as client:
                shown = client.get(f"/memories/{latest}", params={"format": "json"}).json()
                assert len(shown["history"]["memories"]) == length
                taken[length] = _counted(client, f"/memories/{latest}", seen)
    assert taken[3] == taken[30] > 0


@pytest.mark.parametrize("path", ["/memories", "/review"])
def test_statements_are_counted_at_all(tmp_path: Path, path: str) -> None:
    with counting() as seen, opened(tmp_path / "home") as memory:
        memory.remember("A heron")
        with served(memory) as client:
            assert _counted(client, path, seen) >= 3
