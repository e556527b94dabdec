"""A quick look into a store sees what the store itself shows: the same rows, in the same order, to the same agents."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from trigraph.assembly import open_engine
from trigraph.errors import NotFound
from trigraph.faces.library import Trigraph
from trigraph.model.access import Reader, ReadPolicy
from trigraph.model.memory import MemoryFilter
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.model.times import Moment, to_micros
from trigraph.settings import EmbedderSettings, Settings
from trigraph.stores.sqlite.glance import Glance, params_of
from trigraph.stores.sqlite.store import SqliteStore
from trigraph.stores.sqlite.visibility import visible, wanted
from trigraph.text.terms import analyse

QUERIES = ("the crane lifts boats", "harbour ledger 7", "which boat moored at pier 3 in the harbour?", "pier_no-3")


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("filled") / "home"
    settings = Settings(home=str(home), embedder=EmbedderSettings(kind="none"))
    with Trigraph(open_engine(settings), LOCAL_SCOPE) as memory:
        memory.engine.admin.set_agent("default", "default", "ben")
        memory.engine.admin.set_agent("default", "default", "cleo", policy=ReadPolicy.ISOLATED)
        memory.engine.admin.set_agent("default", "default", "dora", domains=["sea"])
        for number in range(60):
            author = Trigraph(memory.engine, Scope("default", "default", ("default", "ben", "cleo")[number % 3]))
            author.remember(
                f"{('The crane', 'Boat')[number % 2]} {number % 7} is at pier_no-{number % 5} of the harbour {number}",
                visibility="private" if number % 4 == 0 else "shared",
                kind="constraint" if number % 10 == 3 else "fact",
                pinned=number % 20 == 3,
                domains=([], ["sea"], ["land"], [])[number % 4],
            )
        forgotten = memory.list(limit=1).memories[0]
        Trigraph(memory.engine, Scope("default", "default", forgotten.provenance.author)).forget(forgotten.id)
    return home


@pytest.mark.parametrize("agent", ["default", "ben", "cleo", "dora", "nobody"])
@pytest.mark.parametrize("query", QUERIES)
def test_words_rank_as_in_the_store(agent: str, query: str, filled: Path) -> None:
    terms = list(dict.fromkeys(analyse(query)))
    glance = Glance(str(filled), "default", "default", agent, wait_seconds=5)
    store = SqliteStore(filled)
    now = datetime.now(UTC)
    scope = Scope("default", "default", agent)
    asked = MemoryFilter(domains=("sea",), domainless=True) if agent == "dora" else MemoryFilter()
    try:
        seen = store.search.lexical(scope, terms, asked, Moment(now, now), 30)
        assert glance.lexical(terms, []) == [(one.passage, one.score) for one in seen]
        assert bool(seen) is (agent != "nobody")
        told = glance.passages(one.passage for one in seen)
        shown = store.memories.get(scope, [one["id"] for one in told], Moment(now, now))
        assert {(one["id"], one["text"], one["kind"]) for one in told} == {(m.id, m.text, m.kind.value) for m in shown}
    finally:
        glance.close()
        store.close()


@pytest.mark.parametrize("agent", ["default", "ben", "cleo", "nobody"])
def test_no_more_is_seen_than_may_be(agent: str, filled: Path) -> None:
    glance = Glance(str(filled), "default", "default", agent, wait_seconds=5)
    settings = Settings(home=str(filled), embedder=EmbedderSettings(kind="none"))
    with Trigraph(open_engine(settings), Scope("default", "default", agent)) as memory:
        mine = {one.id for one in memory.list(limit=500).memories}
        constraints = {one.id for one in memory.list(limit=500, kinds=["constraint"]).memories}
    bound = glance.bound(100)
    newest = glance.newest(["fact"], 100)
    glance.close()

    assert {one["id"] for one in bound} == constraints
    assert {one["id"] for one in newest} == mine - constraints
    pinned = [bool(one["pinned"]) for one in bound]
    assert pinned == sorted(pinned, reverse=True)


def test_parameters_are_those_of_the_store() -> None:
    now = datetime.now(UTC)
    reader = Reader("ben", ReadPolicy.GROUP, frozenset({"crew"}), frozenset({"ben", "anne"}), ("sea",))
    asked = MemoryFilter(domains=("sea",), domainless=True)
    row = ("group", '["crew"]', '["anne", "ben"]', '["sea"]')
    theirs = {**visible(Scope("t", "pier", "ben"), reader, Moment(now, now)), **wanted(asked)}
    assert params_of("pier", "ben", row, to_micros(now)) == theirs

    nobody = {
        **visible(LOCAL_SCOPE, Reader("default", ReadPolicy.ISOLATED), Moment(now, now)),
        **wanted(MemoryFilter()),
    }
    assert params_of("default", "default", None, to_micros(now)) == nobody


@pytest.mark.parametrize("tenant", ["..", "registry", "a/b", "", "default.events", "x" * 65, "nobody"])
def test_a_tenant_that_is_none_is_not_looked_for(tenant: str, filled: Path) -> None:
    before = sorted(path.name for path in filled.iterdir())
    with pytest.raises(NotFound):
        Glance(str(filled), tenant, "default", "default", wait_seconds=0.01)
    assert [name for name in sorted(path.name for path in filled.iterdir()) if not name.endswith(("-shm", "-wal"))] == [
        name for name in before if not name.endswith(("-shm", "-wal"))
    ]


def test_names_lead_to_what_is_about_them(home: Path) -> None:
    settings = Settings(home=str(home), embedder=EmbedderSettings(kind="none"))
    with Trigraph(open_engine(settings), LOCAL_SCOPE) as memory:
        memory.remember("It lifts forty tons", subject="Goliath", type="system")
        memory.remember("We paint Goliath in spring")
    glance = Glance(str(home), "default", "default", "default", wait_seconds=5)
    known = glance.names(["goliath", "nothing"])
    near = glance.near(list(known["goliath"]))
    texts = {one["passage"]: one["text"] for one in glance.passages(passage for passage, _, _ in near)}
    glance.close()

    assert list(known) == ["goliath"]
    assert {(texts[passage], about) for passage, about, _ in near} == {
        ("It lifts forty tons", True),
        ("We paint Goliath in spring", False),
    }
