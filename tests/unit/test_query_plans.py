"""Queries that run on every recall, page or change must use their index, not read the whole project."""

from __future__ import annotations

import re
from collections.abc import Iterator

import apsw
import pytest

from trigraph.stores.sqlite.store import SqliteStore
from trigraph.stores.sqlite.visibility import queries
from trigraph.testing.builders import ANNE, keep_episode, keep_thread, register
from trigraph.testing.changes import cite, keep_alias, keep_entity, keep_link

ROWS = 150

EXPECTED = {
    "memories": {
        "ids_of_topic": "memory_by_topic",
        "ids_ending": "memory_by_short_id",
        "find": "memory_by_short_id",
        "same_text": "memory_by_content",
        "page": "memory_by_project",
        "page_of_thread": "memory_by_place",
        "get": "(project=? AND id=?)",
        "versions": "o USING PRIMARY KEY (memory_key=? AND known_from<?)",
    },
    "entities": {
        "known_names": "alias_by_lead",
        "named": "alias_by_lead",
        "get": "(project=? AND id=?)|sqlite_autoindex_entity_1",
        "page": "entity_by_project",
        "ids_ending": "entity_by_short_id",
        "states": "sqlite_autoindex_entity_1",
        "aliases": "a USING INDEX sqlite_autoindex_alias_1 (entity_key=?)",
        "mentions_of": "n USING PRIMARY KEY (memory_key=?",
    },
    "links": {"of": "link_once|from_key=?", "close": "link_open"},
    "uses": {"citations": "citation_by_memory", "tally": "citation_by_session", "answer": "PRIMARY KEY"},
    "erasing": {
        "entities": "entity_by_maker",
        "spoken_of": "mention_by_entity",
        "caused": "entity_state_by_cause|PRIMARY KEY (entity_key=?",
        "unroot": "memory_by_root",
        "unsucceed": "memory_version_superseded",
    },
}
"""File → query → what its plan must name; `|` between names of which one will do."""

CASES = [(file, name, index) for file, of_file in EXPECTED.items() for name, index in of_file.items()]


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[apsw.Connection]:
    """A home with a few hundred rows in every table that may grow, never analysed."""
    home = tmp_path_factory.mktemp("plans")
    store = SqliteStore(home)
    register(store, "anne")
    thread, before = keep_thread(store, ANNE), None
    for number in range(ROWS):
        entity_id, memory = keep_entity(store, ANNE, f"Mill {number}", topic=f"topic {number % 9}", subject=True)
        keep_alias(store, ANNE, entity_id, f"Grinder {number}", memory)
        keep_episode(store, ANNE, thread, number, f"message {number}")
        cite(store, ANNE, memory, session="session-1")
        if before is not None:
            keep_link(store, ANNE, memory, before)
        before = memory
    store.close()
    opened = apsw.Connection(str(home / "default.db"))
    yield opened
    opened.close()


def plan_of(connection: apsw.Connection, file: str, name: str) -> list[str]:
    sql = queries(file)[name]
    parameters = dict.fromkeys(re.findall(r":(\w+)", sql))
    return [str(row[3]) for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", parameters)]


def scans(plan: list[str]) -> list[str]:
    """Steps that read a whole table. Parameters given as JSON arrays are no tables, nor are subqueries and views,
    whose own steps stand in the plan too."""
    steps = [step for step in plan if step.startswith("SCAN") and "VIRTUAL TABLE" not in step]
    return [step for step in steps if step.split()[1] not in ("CONSTANT", "near", "asked_for", "used")]


@pytest.mark.parametrize(("file", "name", "index"), CASES, ids=[f"{file}.{name}" for file, name, _ in CASES])
def test_a_query_uses_its_index_and_reads_no_table_whole(
    connection: apsw.Connection, file: str, name: str, index: str
) -> None:
    plan = plan_of(connection, file, name)
    assert any(one in " ".join(plan) for one in index.split("|")), plan
    assert scans(plan) == []


def test_links_are_found_from_both_ends_by_an_index(connection: apsw.Connection) -> None:
    plan = " ".join(plan_of(connection, "links", "of"))
    assert "link_once" in plan or "(from_key=?" in plan
    assert "link_by_end" in plan
