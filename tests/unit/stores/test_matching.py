"""Passages weighed in arrays must stand where FTS5 itself would put them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path

import apsw
import pytest

from trigraph.model.memory import MemoryFilter
from trigraph.stores.sqlite.matching import Matcher
from trigraph.stores.sqlite.store import SqliteStore
from trigraph.testing.builders import ALL, ANNE, NOW, START, keep, new_memory, register

WORDS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa")
TWO = ["alpha", "kappa"]
SHARES = (30, 20, 12, 8, 5, 3, 2, 1, 1, 1)
QUERIES = (
    ["alpha"],
    ["kappa"],
    ["alpha", "kappa"],
    ["beta", "eta", "zeta"],
    list(WORDS),
    ["absent"],
    ["absent", "iota"],
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A few hundred passages of common and rare words, one of them far longer than a byte can count."""
    store = SqliteStore(tmp_path)
    register(store, ANNE.agent)
    chance = random.Random(5)
    for day in range(300):
        text = " ".join(chance.choices(WORDS, SHARES, k=chance.randint(1, 30)))
        keep(store, ANNE, text, at=START + timedelta(days=day))
    keep(store, ANNE, 'one-term "of-several" alpha.beta tokens')
    keep(store, ANNE, " ".join(["beta"] * 20_000))
    yield store
    store.close()


def by_fts5(connection: apsw.Connection, terms: Sequence[str]) -> list[tuple[int, float]]:
    """What FTS5 says of every passage, best first."""
    match = " OR ".join(f'"{term}"' for term in terms)
    found = connection.execute("SELECT rowid, -bm25(lexical) FROM lexical WHERE lexical MATCH ?", (match,))
    return sorted(found, key=lambda one: (-one[1], one[0]))


def keys_of(found: Sequence[tuple[int, float]]) -> list[int]:
    return [key for key, _ in found]


def by_arrays(matcher: Matcher, connection: apsw.Connection, terms: Sequence[str]) -> list[tuple[int, float]]:
    return [one for chunk in matcher.matches(connection, terms).ranked(20) for one in chunk]


@pytest.mark.parametrize("terms", QUERIES)
def test_the_order_and_the_scores_are_those_of_fts5(store: SqliteStore, tmp_path: Path, terms: list[str]) -> None:
    connection = apsw.Connection(str(tmp_path / f"{ANNE.tenant}.db"))
    expected = by_fts5(connection, terms)
    found = by_arrays(Matcher(), connection, terms)
    assert keys_of(found) == keys_of(expected)
    assert [score for _, score in found] == pytest.approx([score for _, score in expected], rel=1e-9)


def test_nothing_matches_where_nothing_is(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path)) as empty:
        register(empty, ANNE.agent)
        assert [empty.search.lexical(ANNE, TWO, ALL, NOW, 5) for _ in range(3)] == [[], [], []]


def test_what_is_written_or_erased_later_is_followed(store: SqliteStore, tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / f"{ANNE.tenant}.db"))
    matcher, terms = Matcher(), ["theta", "omega"]
    assert by_arrays(matcher, connection, terms)
    gone = keep(store, ANNE, "theta theta theta")
    keep(store, ANNE, "theta omega")
    assert keys_of(by_arrays(matcher, connection, terms)) == keys_of(by_fts5(connection, terms))
    with store.transaction(ANNE, NOW.as_of) as at:
        store.memories.erase(ANNE, gone.id, at)
    assert keys_of(by_arrays(matcher, connection, terms)) == keys_of(by_fts5(connection, terms))
    assert matcher.statistics(connection, ["omega", "absent"]).holding == {"omega": 1}


@pytest.mark.parametrize("asked", [ALL, MemoryFilter(happened_until=START + timedelta(days=150))])
def test_a_search_is_answered_alike_from_the_first_to_the_last(store: SqliteStore, asked: MemoryFilter) -> None:
    first, *others = ([one.passage for one in store.search.lexical(ANNE, TWO, asked, NOW, 40)] for _ in range(3))
    assert len(first) == 40
    assert others == [first, first]


def test_what_a_transaction_undoes_leaves_no_trace(store: SqliteStore, tmp_path: Path) -> None:
    """The next passage gets the key of the one that was undone: its length must be its own."""
    for _ in range(2):  # from the second search on, passages are weighed in arrays
        store.search.lexical(ANNE, ["omega"], ALL, NOW, 5)
    with suppress(ZeroDivisionError), store.transaction(ANNE, NOW.as_of) as at:
        store.memories.add(ANNE, new_memory(ANNE, "omega " + "alpha " * 500, at=at))
        assert store.search.lexical(ANNE, ["omega"], ALL, NOW, 5)
        raise ZeroDivisionError
    keep(store, ANNE, "omega")
    keep(store, ANNE, "omega alpha beta gamma delta epsilon zeta eta theta iota kappa")
    found = [one.passage for one in store.search.lexical(ANNE, ["omega"], ALL, NOW, 5)]
    assert found == keys_of(by_fts5(apsw.Connection(str(tmp_path / f"{ANNE.tenant}.db")), ["omega"]))
