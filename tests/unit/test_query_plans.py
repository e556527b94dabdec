"""Queries that run on every recall, page or change must use their index, not read the whole project."""

from __future__ import annotations

import re
from collections.abc import Iterator

import apsw
import pytest

from trigraph.model.link import LinkOrigin
from trigraph.stores.sqlite.connections import Database
from trigraph.stores.sqlite.migrate import migrate
from trigraph.stores.sqlite.store import SqliteStore
from trigraph.stores.sqlite.visibility import queries
from trigraph.testing.builders import ANNE, keep_episode, keep_thread, register
from trigraph.testing.changes import cite, compose, keep_alias, keep_document, keep_entity, keep_link, keep_relation

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
        "changed": "o USING INDEX memory_version_by_time (known_from>? AND known_from<?)",
        "versions": "o USING PRIMARY KEY (memory_key=? AND known_from<?)",
        "find_all": "(project=? AND id=?)",
        "facets": "memory_by_",
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
    "threads": {"around": "n USING COVERING INDEX memory_by_place (thread_key=? AND seq>? AND seq<?)"},
    "links": {
        "of": "link_once|from_key=?",
        "close": "link_open",
        "strongest": "link_by_start|link_once",
        "reach": "l USING INDEX link_by_end (to_key=?)",
        "fading": "link_drawn",
        "standing": "link_in_doubt (project=? AND type=?)",
    },
    "documents": {
        "put": "sqlite_autoindex_entity_1 (id=?)|entity_by_project (project=? AND id=?)",
        "by_path": "document_by_path (project=? AND collection=? AND path=?)",
        "by_name": "document_by_name (project=? AND collection=? AND name_key=?)",
        "identity": "d USING INTEGER PRIMARY KEY (rowid=?)",
        "texts": "n USING INDEX mention_about (entity_key=?)",
        "page": "entity_by_type|entity_by_project|document_by_project",
        "stored": "memory_by_kind (project=? AND kind=? AND id>?)",
    },
    "relations": {
        "add": "(project=? AND id=?)",
        "add_evidence": "sqlite_autoindex_memory_1 (id=?)|memory_by_project (project=? AND id=?)",
        "close_evidence": "evidence_open (relation_key=? AND memory_key=? AND section=?)",
        "written_in": "evidence_by_memory (memory_key=?)",
        "of": "r USING COVERING INDEX relation_by_target (target_key=?)",
        "count": "relation_by_project (project=?)",
    },
    "graph": {
        "edges": "x USING PRIMARY KEY (relation_key=?)",
        "about": "n USING INDEX mention_about (entity_key=?)",
        "naming": "n USING INDEX mention_by_entity (entity_key=?)",
        "speaking": "near USING INDEX mention_by_entity (entity_key=?)",
        "degrees": "n USING INDEX mention_by_entity (entity_key=?)",
        "linked": "link_by_end (to_key=?)",
        "stocked": "entity USING COVERING INDEX",
        "constrained": "memory USING COVERING INDEX memory_by_kind (project=? AND kind=?)",
        "constraints": "c USING COVERING INDEX memory_by_kind (project=? AND kind=?)",
        "sharing": "memory_by_topic (project=? AND topic_key=?)",
        "of_session": "memory_by_session (project=? AND session=?)",
        "decisions_on": "memory_by_topic (project=? AND topic_key=?)",
        "first_vectors": "(model_key=? AND passage_key=?)",
    },
    "moves": {
        "ends": "(project=? AND id=?)",
        "memory_keys": "(project=? AND id=?)",
        "close_doubled": "mention USING INDEX mention_by_entity (entity_key=?)",
        "close_mentions": "mention_by_entity (entity_key=?)",
        "open_mentions": "gone USING INDEX mention_by_entity (entity_key=?)",
        "add_relations": "relation_by_target (target_key=?)",
        "open_evidence": "x USING PRIMARY KEY (relation_key=?)",
        "close_evidence": "evidence USING PRIMARY KEY (relation_key=?)",
        "give_names": "sqlite_autoindex_alias_1 (entity_key=?)",
        "keep": "(id=?)|(project=? AND id=?)",
        "standing_move": "sqlite_autoindex_entity_move_1 (id=?)",
        "moved": "gone USING INDEX mention_by_entity (entity_key=?)",
        "said_since": "n USING INDEX mention_by_entity (entity_key=?)",
        "own_names": "sqlite_autoindex_alias_1 (entity_key=?)",
        "unsubject": "mention_about (entity_key=?|mention_subject (memory_key=?|PRIMARY KEY (memory_key=?",
        "reopen_beside": "lost USING PRIMARY KEY (memory_key=? AND entity_key=?",
        "reopen_mentions": "gone USING PRIMARY KEY (memory_key=? AND entity_key=?",
        "reopen_evidence": "evidence_by_memory (memory_key=?",
        "reclose_evidence": "evidence_by_memory (memory_key=?",
        "take_names": "alias USING INDEX sqlite_autoindex_alias_1 (entity_key=?)",
        "take_type": "entity USING INTEGER PRIMARY KEY",
        "undone": "entity_move USING INTEGER PRIMARY KEY",
        "moves": "entity_move_from (from_key=?)",
        "get": "entity_move_by_short_id (project=? AND short_id=?)",
        "add_pair": "SCAN CONSTANT ROW",
        "decide_pair": "(one_key=? AND other_key=?)",
        "pairs": "entity_pair_open (project=?)",
        "get_pair": "entity_pair_by_short_id (project=? AND short_id=?)",
        "asked": "entity_pair_apart (project=?)",
        "went_into": "entity_move_by_short_id (project=?)",
        "names": "entity_by_project (project=?)|entity_by_type (project=?)",
        "surroundings": "n USING INDEX mention_by_entity (entity_key=?)",
    },
    "hooks": {
        "bound": "c USING COVERING INDEX memory_by_kind (project=? AND kind=?)",
        "pinned": "memory_version_pinned",
        "newest": "m USING INDEX memory_by_kind (project=? AND kind=?)",
        "passages": "p USING INTEGER PRIMARY KEY",
    },
    "uses": {"citations": "citation_by_memory", "tally": "citation_by_session", "answer": "PRIMARY KEY"},
    "scorers": {
        "get": "scorer USING PRIMARY KEY (project=?)",
        "judgements": "citation_by_time (project=?)",
    },
    "bridges": {
        "newest": "m USING INDEX memory_by_kind (project=? AND kind=?)",
        "oldest": "m USING INDEX memory_by_kind (project=? AND kind=?)",
        "from_here": "m USING INDEX memory_by_project (project=? AND id>? AND id<?)",
        "frequencies": "lexical_term VIRTUAL TABLE",
        "holding": "p USING INTEGER PRIMARY KEY",
        "speaking_of": "n USING INDEX mention_by_entity (entity_key=?)",
        "tagged": "g USING PRIMARY KEY (project=? AND tag=?)",
        "companions": "(memory_id=?)",
    },
    "compositions": {
        "label": "(id=?)|(project=? AND id=?)",
        "get": "composition_by_short_id (project=? AND short_id=?)",
        "recent": "c USING INDEX composition_by_project (project=? AND id<?)",
        "of": "n USING INDEX composition_member_by_memory (memory_id=?)",
        "took_part": "n USING INDEX composition_member_by_memory (memory_id=?)",
        "members": "n USING PRIMARY KEY (event_key=?)",
        "outcomes": "u USING PRIMARY KEY (event_key=? AND at<?)",
        "one": "(id=?)|(project=? AND id=?)",
    },
    "erasing": {
        "blank_members": "composition_member_by_memory (memory_id=?)",
        "entities": "entity_by_maker",
        "spoken_of": "mention_by_entity",
        "caused": "entity_state_by_cause|PRIMARY KEY (entity_key=?",
        "unroot": "memory_by_root",
        "unsucceed": "memory_version_superseded",
        "relations": "evidence_by_memory (memory_key=?)",
        "delete_relation": "evidence USING PRIMARY KEY (relation_key=?)",
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
        spec_id, _ = keep_document(store, ANNE, f"SPEC-{number}", "specs", f"{number}.md")
        keep_relation(store, ANNE, spec_id, entity_id)
        if before is not None:
            keep_link(store, ANNE, memory, before, created_by=LinkOrigin.SYSTEM, similarity=0.9)
            compose(store, ANNE, memory, before)
        before = memory
    store.close()
    opened = apsw.Connection(str(home / "default.db"))
    yield opened
    opened.close()


def plan_of(connection: apsw.Connection, file: str, name: str) -> list[str]:
    sql = queries(file, queries("outcomes"))[name]
    parameters = dict.fromkeys(re.findall(r":(\w+)", sql))
    return [str(row[3]) for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", parameters)]


def scans(plan: list[str]) -> list[str]:
    """Steps that read a whole table. Parameters given as JSON arrays are no tables, nor are subqueries and views,
    whose own steps stand in the plan too."""
    steps = [step for step in plan if step.startswith("SCAN") and "VIRTUAL TABLE" not in step]
    steps = [step for step in steps if not step.startswith("SCAN (subquery-")]
    named = ("CONSTANT", "near", "any_of", "newest", "asked_for", "used", "chosen", "reached")
    return [step for step in steps if step.split()[1] not in named]


@pytest.mark.parametrize(("file", "name", "index"), CASES, ids=[f"{file}.{name}" for file, name, _ in CASES])
def test_a_query_uses_its_index_and_reads_no_table_whole(
    connection: apsw.Connection, file: str, name: str, index: str
) -> None:
    plan = plan_of(connection, file, name)
    assert any(one in " ".join(plan) for one in index.split("|")), plan
    assert scans(plan) == []


@pytest.mark.parametrize("file", ["bridges", "documents", "relations", "graph", "moves", "hooks"])
def test_every_query_over_documents_relations_and_the_graph_is_guarded(file: str) -> None:
    assert set(queries(file)) == set(EXPECTED[file])


@pytest.mark.parametrize(
    ("file", "name", "indexes"),
    [
        ("links", "strongest", ("(from_key=?", "(to_key=?")),
        ("links", "reach", ("(from_key=?", "(to_key=?")),
        ("graph", "linked", ("(from_key=?", "(to_key=?")),
        ("graph", "edges", ("(source_key=?", "(target_key=?")),
        ("relations", "of", ("(source_key=?", "(target_key=?")),
        ("graph", "sharing", ("mention_by_entity", "memory_by_topic")),
    ],
)
def test_a_walk_goes_both_ways_by_an_index(
    connection: apsw.Connection, file: str, name: str, indexes: tuple[str, ...]
) -> None:
    plan = " ".join(plan_of(connection, file, name))
    assert [index for index in indexes if index not in plan] == []


def test_links_are_found_from_both_ends_by_an_index(connection: apsw.Connection) -> None:
    plan = " ".join(plan_of(connection, "links", "of"))
    assert "link_once" in plan or "(from_key=?" in plan
    assert "link_by_end" in plan


@pytest.mark.parametrize(
    ("name", "index"),
    [
        ("reader", "a USING PRIMARY KEY (tenant=? AND project=? AND name=?)"),
        ("token", "token USING PRIMARY KEY (id=?)"),
        ("token_used", "token USING PRIMARY KEY (id=?)"),
        ("tokens", "token_by_place (tenant=?"),
        ("revoke_token", "token_by_place (tenant=?"),
        ("remove_tokens_of_nobody", "token_by_place (tenant=? AND project=? AND agent=?)"),
    ],
)
def test_who_asks_is_found_by_an_index(name: str, index: str) -> None:
    registry = Database(None)
    migrate(registry, "registry")
    with registry.connection() as opened:
        plan = plan_of(opened, "registry", name)
    registry.close()
    assert index in " ".join(plan), plan
    assert scans(plan) == []


@pytest.fixture(scope="module")
def events() -> Iterator[apsw.Connection]:
    """Recall events without a row, never analysed."""
    database = Database(None)
    migrate(database, "events")
    with database.connection() as opened:
        yield opened
    database.close()


FIGURES_OF_TRUTH = {
    "told": "c USING COVERING INDEX citation_by_day (project=? AND at>?)",
    "told_of": "c USING INDEX citation_by_recall (recall_id=? AND agent=?)",
    "citation_days": "citation USING COVERING INDEX citation_by_day (project=? AND at>? AND at<?)",
    "written_days": "memory USING COVERING INDEX memory_by_time (project=? AND created_at>? AND created_at<?)",
    "top_cited": "citation USING COVERING INDEX citation_by_day (project=? AND at>? AND at<?)",
    "uncited": "c USING INDEX citation_by_memory (memory_key=?",
    "oldest_uncited": "m USING INDEX memory_by_time (project=? AND created_at<?)",
}
FIGURES_OF_EVENTS = {
    "days": "f USING PRIMARY KEY (project=? AND at>? AND at<?)",
    "most_shown": "shown USING COVERING INDEX shown_by_project (project=?",
    "times_shown": "s USING COVERING INDEX shown_by_project (project=? AND memory_id=?",
    "useful": "f USING INDEX sqlite_autoindex_recall_figure_1 (recall_id=?",
    "page": "f USING PRIMARY KEY (project=? AND at>? AND at<?)",
}
RETENTION = {
    "oldest": "recall_figure USING PRIMARY KEY (project=? AND at<?)",
    "own": "recall_figure USING COVERING INDEX recall_figure_by_agent (project=? AND agent=?)",
    "whole": "recall_figure USING COVERING INDEX recall_figure_whole (project=? AND at<?)",
    "asked": "recall_figure USING COVERING INDEX recall_figure_asked (project=? AND at>?)",
    "roll_up": "f USING INDEX sqlite_autoindex_recall_figure_1 (recall_id=?",
    "roll_up_shown": "s USING PRIMARY KEY (memory_id=? AND recall_id=?)",
    "drop_shown": "shown USING PRIMARY KEY (memory_id=? AND recall_id=?)",
    "drop_events": "recall_event USING INDEX sqlite_autoindex_recall_event_1 (recall_id=?)",
    "drop_figures": "recall_figure USING INDEX sqlite_autoindex_recall_figure_1 (recall_id=?",
    "drop_days": "recall_day USING PRIMARY KEY (project=?)",
    "thin_events": "recall_event USING INDEX sqlite_autoindex_recall_event_1 (recall_id=?)",
    "unask_events": "recall_event USING INDEX sqlite_autoindex_recall_event_1 (recall_id=?)",
}


@pytest.mark.parametrize(("name", "index"), FIGURES_OF_TRUTH.items())
def test_what_is_counted_of_citations_is_counted_in_an_index(
    connection: apsw.Connection, name: str, index: str
) -> None:
    plan = plan_of(connection, "figures", name)
    assert index in " ".join(plan), plan
    assert [step for step in scans(plan) if step != "SCAN often"] == []


@pytest.mark.parametrize(
    ("file", "name", "index"),
    [("figures", *one) for one in FIGURES_OF_EVENTS.items()] + [("retention", *one) for one in RETENTION.items()],
)
def test_recalls_are_counted_and_let_go_by_an_index(events: apsw.Connection, file: str, name: str, index: str) -> None:
    plan = plan_of(events, file, name)
    assert index in " ".join(plan), plan
    made = ("SCAN said", "SCAN helped", "SCAN latest", "SCAN fared")
    assert [step for step in scans(plan) if step not in made] == []
