"""A home that the first migrations made is brought to the newest schema with all that is in it."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import apsw
import numpy as np
import pytest

from trigraph.contracts import Store
from trigraph.model.access import ReadPolicy
from trigraph.model.ids import new_id
from trigraph.model.memory import Kind, Place, Status, Visibility
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.model.times import to_micros
from trigraph.stores.sqlite import migrate as migrations
from trigraph.stores.sqlite.connections import Database
from trigraph.stores.sqlite.store import SqliteStore
from trigraph.testing.builders import ALL, BERT, MODEL, NOW, START, ids

FILES = {"registry": "registry.db", "tenant": "default.db", "events": "default.events.db"}
THREAD = f"t_{1:026d}"
TEXTS = {f"m_{number:026d}": text for number, text in enumerate(["alpha beta", "beta gamma", "secret", "old"], 1)}
FACT, EPISODE, PRIVATE, FORGOTTEN = TEXTS
RECALL = new_id("r", START)
START_MICROS = to_micros(START)

TENANT = """
UPDATE clock SET last_commit_at = :at;
UPDATE lexical_total SET passages = 4, terms = 6;
INSERT INTO thread (key, id, project, author, name, session, title, created_at)
VALUES (1, :thread, 'default', 'default', 'planning', 'session-1', 'A title', :at);
INSERT INTO embedding_model (key, project, model_id, dimension, pinned)
VALUES (1, 'default', :model, :dimension, 1);
INSERT INTO job (id, project, author, name, payload, state, attempts, not_before, created_at)
VALUES ('j_00000000000000000000000001', 'default', 'default', 'embed', '{"memory_id": "m_x"}', 'waiting', 0, :at, :at);
"""
MEMORY = """
INSERT INTO memory (key, id, project, author, kind, text, content_hash, source, trust, thread_key, seq, created_at,
  passage_count)
VALUES (:key, :id, 'default', 'default', :kind, :text, :hash, 'user', 1.0, :thread_key, :seq, :at, 1);
INSERT INTO memory_version (memory_key, known_from, valid_from, status, visibility, tags, domains, confidence, pinned)
VALUES (:key, :at, :at, :status, :visibility, '["a"]', '[]', 0.5, 0);
INSERT INTO passage (key, memory_key, ordinal, start_char, end_char, terms, term_count, identifiers)
VALUES (:key, :key, 0, 0, length(:text), :text, :count, 'xneedlex');
INSERT INTO lexical (rowid, terms) VALUES (:key, :text);
INSERT INTO identifier (rowid, identifiers) VALUES (:key, 'xneedlex');
INSERT INTO vector (model_key, passage_key, embedding) VALUES (1, :key, :vector);
"""
EVENT_ROW = """
INSERT INTO recall_event (recall_id, tenant, project, agent, query, query_class, profile, fusion, result_count,
  result_ids, top_n_selected, payload_bytes, exact_ids, weights, legs, candidates, milliseconds, at)
VALUES (:id, 'default', 'default', 'default', 'beta?', 'other', 'default', 'score', 1, :ids, 1, 1, '[]', '{}', '[]',
  :candidates, 1.0, :at)
"""


def _vector(number: int) -> bytes:
    """A unit vector along one axis, as the store keeps it."""
    row = np.zeros(MODEL.dimension, dtype=np.int8)
    row[number] = 127
    return struct.pack("<f", 1 / 127) + row.tobytes()


def _fill(connection: apsw.Connection) -> None:
    at = START_MICROS
    connection.execute(TENANT, {"at": at, "thread": THREAD, "model": MODEL.model_id, "dimension": MODEL.dimension})
    for key, (id_, text) in enumerate(TEXTS.items(), 1):
        said = id_ == EPISODE
        row = {
            "key": key,
            "id": id_,
            "kind": "episode" if said else "fact",
            "text": text,
            "hash": f"{key:064d}",
            "thread_key": 1 if said else None,
            "seq": 0 if said else None,
            "status": "forgotten" if id_ == FORGOTTEN else "active",
            "visibility": "private" if id_ == PRIVATE else "shared",
            "count": len(text.split()),
            "vector": _vector(key),
            "at": at + key,
        }
        connection.execute(MEMORY, row)


@pytest.fixture
def old_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home as the first migrations left it, with something in every table."""
    real = migrations.migrations_of
    monkeypatch.setattr(migrations, "migrations_of", lambda family: real(family)[:1])
    for family, name in FILES.items():
        (tmp_path / name).touch()
        database = Database(tmp_path / name)
        assert migrations.migrate(database, family) == 1
        with database.transaction() as connection:
            if family == "tenant":
                _fill(connection)
            if family == "events":
                row = {"id": RECALL, "ids": json.dumps([FACT]), "candidates": zlib.compress(b"[]"), "at": START_MICROS}
                connection.execute(EVENT_ROW, row)
        database.close()
    monkeypatch.undo()
    return tmp_path


@pytest.fixture
def store(old_home: Path) -> Iterator[Store]:
    """That home, opened by the newest code."""
    opened = SqliteStore(old_home)
    opened.describe(LOCAL_SCOPE)
    yield opened
    opened.close()


def _value(path: Path, sql: str) -> object:
    connection = apsw.Connection(str(path))
    try:
        return connection.execute(sql).get
    finally:
        connection.close()


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("family", FILES)
def test_every_file_has_the_newest_schema_and_a_backup_of_the_first_beside_it(old_home: Path, family: str) -> None:
    path, newest = old_home / FILES[family], migrations.migrations_of(family)[-1][0]
    backup = path.with_suffix(f".before-{newest:04d}.db")
    assert (_value(path, "PRAGMA user_version"), _value(backup, "PRAGMA user_version")) == (newest, 1)
    for file in (path, backup):
        assert _value(file, "PRAGMA integrity_check") == "ok"
        assert _value(file, "SELECT count(*) FROM pragma_foreign_key_check") == 0


@pytest.mark.usefixtures("store")
def test_the_backup_holds_what_the_home_held(old_home: Path) -> None:
    backup = old_home / f"default.before-{migrations.migrations_of('tenant')[-1][0]:04d}.db"
    assert _value(backup, "SELECT group_concat(text, '|') FROM memory") == "|".join(TEXTS.values())
    assert _value(backup, "SELECT count(*) FROM vector") == 4


def test_the_memories_are_read_as_they_were(store: Store) -> None:
    page = store.memories.page(LOCAL_SCOPE, ALL, NOW, 10, None)
    assert [(memory.id, memory.text) for memory in page] == [
        (PRIVATE, "secret"),
        (EPISODE, "beta gamma"),
        (FACT, "alpha beta"),
    ]
    fact = page[-1]
    assert (fact.kind, fact.tags, fact.confidence, fact.visibility) == (Kind.FACT, ("a",), 0.5, Visibility.SHARED)
    assert (fact.group, fact.superseded, fact.root_id, fact.subject) == (None, False, None, None)
    assert page[1].place == Place(THREAD, 0, None, None)
    assert store.memories.find(LOCAL_SCOPE, FORGOTTEN[-8:], NOW.known_at)[0].status is Status.FORGOTTEN


def test_each_memory_has_the_one_version_it_had(store: Store) -> None:
    versions = store.memories.versions(LOCAL_SCOPE, list(TEXTS), NOW.known_at)
    assert [(one.memory_id, one.verb.value, one.changed_by, one.known_until) for one in versions] == [
        (id_, "remember", "default", None) for id_ in TEXTS
    ]


def test_the_indexes_find_what_they_found(store: Store) -> None:
    assert len(store.search.lexical(LOCAL_SCOPE, ["beta"], ALL, NOW, 10)) == 2
    assert len(store.search.identifiers(LOCAL_SCOPE, ["needle"], ALL, NOW, 10)) == 3
    asked = np.eye(MODEL.dimension, dtype=np.float32)[1]
    found = store.search.nearest(LOCAL_SCOPE, asked, ALL, NOW, 10)
    assert [round(one.score, 3) for one in found] == [1, 0, 0]
    assert store.search.statistics(LOCAL_SCOPE, ["beta"]).passages == 4
    assert store.space.pinned(LOCAL_SCOPE) == MODEL


def test_threads_jobs_and_events_are_there(store: Store) -> None:
    thread = store.threads.find(LOCAL_SCOPE, "planning", NOW)
    assert thread is not None
    assert (thread.id, thread.session, thread.title) == (THREAD, "session-1", "A title")
    assert store.threads.next_seq(LOCAL_SCOPE, THREAD) == 1
    assert store.queue.waiting(LOCAL_SCOPE, "embed") == 1
    event = store.events.get(LOCAL_SCOPE, RECALL)
    assert event is not None
    assert event.result_ids == (FACT,)


def test_the_agent_that_wrote_it_is_registered_and_unknown_ones_see_nothing(store: Store) -> None:
    (agent,) = store.registry.agents("default", "default")
    assert (agent.name, agent.policy, agent.domains) == ("default", ReadPolicy.SHARED, ())
    assert store.memories.page(BERT, ALL, NOW, 10, None) == []
    store.registry.put_agent("default", "default", "bert", ReadPolicy.SHARED, (), START)
    assert ids(store.memories.page(BERT, ALL, NOW, 10, None)) == [EPISODE, FACT]


def test_what_is_migrated_can_be_changed(store: Store) -> None:
    with store.transaction(LOCAL_SCOPE, START) as now:
        store.memories.erase(LOCAL_SCOPE, FACT, now)
    assert store.memories.get(LOCAL_SCOPE, [FACT], NOW) == []
    assert len(store.search.lexical(LOCAL_SCOPE, ["beta"], ALL, NOW, 10)) == 1
