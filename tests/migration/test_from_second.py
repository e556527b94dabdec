"""A home of the schema before documents and relations is brought to the newest one with all that is in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from trigraph.contracts import Store
from trigraph.model.entity import EntityEvent
from trigraph.model.link import LinkOrigin, LinkType
from trigraph.model.memory import EntityType
from trigraph.model.relation import RelationType
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.model.times import to_micros
from trigraph.stores.sqlite import migrate as migrations
from trigraph.stores.sqlite.connections import Database
from trigraph.stores.sqlite.store import SqliteStore
from trigraph.testing.builders import ALL, DAY, MICROSECOND, NOW, START, ids
from trigraph.testing.changes import keep_document, keep_relation
from trigraph.testing.suites.audit import broken

SCHEMAS = {"registry": 2, "tenant": 2, "events": 2}
FILES = {"registry": "registry.db", "tenant": "default.db", "events": "default.events.db"}
AT = to_micros(START)
OLD, NEW = f"m_{1:026d}", f"m_{2:026d}"
MILL = f"e_{1:026d}"
LINK, CLOSED = f"l_{1:026d}", f"l_{2:026d}"

MEMORY = """
INSERT INTO memory (key, id, project, author, kind, text, content_hash, source, trust, created_at, passage_count)
VALUES (:key, :id, 'default', 'default', :kind, :text, :hash, 'user', 1.0, :at, 1);
INSERT INTO memory_version (memory_key, known_from, valid_from, status, visibility, tags, domains, confidence, pinned,
  verb, superseded_by, valid_until)
VALUES (:key, :at, :at, 'active', 'shared', '[]', '[]', 0.5, 0, 'remember', :superseded_by, :until);
INSERT INTO passage (key, memory_key, ordinal, start_char, end_char, terms, term_count, identifiers)
VALUES (:key, :key, 0, 0, length(:text), :text, 2, 'xneedlex');
INSERT INTO lexical (rowid, terms) VALUES (:key, :text);
INSERT INTO identifier (rowid, identifiers) VALUES (:key, 'xneedlex');
INSERT INTO job (id, project, author, name, payload, state, attempts, not_before, created_at)
VALUES (:job, 'default', 'default', 'embed', json_object('memory_id', :id), 'waiting', 0, :at, :at);
"""
GRAPH = """
UPDATE clock SET last_commit_at = :at + 10;
UPDATE lexical_total SET passages = 2, terms = 4, erasures = 3, last_erased_passage = 1;
INSERT INTO entity (key, id, project, author, type, visibility, made_by, created_at, state_from)
VALUES (1, :mill, 'default', 'default', 'document', 'shared', 1, :at, :at + 5);
INSERT INTO entity_state (entity_key, valid_from, valid_until, known_from, event, name, props, cause_key) VALUES
  (1, :at, :at + 5, :at, 'created', 'SPEC-1', '{"status": "draft"}', 1),
  (1, :at + 5, NULL, :at + 5, 'status_changed', NULL, '{"status": "final"}', 2);
INSERT INTO alias (entity_key, project, name, name_key, lead, memory_key, known_from)
VALUES (1, 'default', 'SPEC-1', 'spec 1', 'spec', 1, :at);
INSERT INTO mention (memory_key, entity_key, known_from, start_char, end_char, confidence, subject) VALUES
  (1, 1, :at, 0, 6, 1.0, 1), (2, 1, :at + 1, NULL, NULL, 0.5, 0);
INSERT INTO link (key, id, project, author, from_key, to_key, type, confidence, created_by, reason, valid_from,
  known_from, known_until) VALUES
  (1, :link, 'default', 'default', 2, 1, 'supersedes', 1.0, 'user', 'because', :at, :at + 2, NULL),
  (2, :closed, 'default', 'default', 2, 1, 'temporal', 0.4, 'system', NULL, :at, :at + 2, :at + 3);
INSERT INTO citation (project, agent, session, recall_id, memory_key, kind, notes, at)
VALUES ('default', 'default', 's', NULL, 2, 'cited', 'it helped', :at + 4);
INSERT INTO vote (target, agent, at, value, moved, reason) VALUES (:link, 'default', :at + 4, 1, 0.1, NULL);
INSERT INTO erased (id, project, at, by) VALUES ('m_x', 'default', :at, 'default');
INSERT INTO idempotency (project, agent, verb, key, fingerprint, answer, at)
VALUES ('default', 'default', 'remember', 'k', 'print', '{}', :at);
"""
TOKENS = """
INSERT INTO token (id, hash, tenant, project, agent, rights, label, created_at, expires_at, revoked_at) VALUES
  ('k_00000000000000000000000001', printf('%064d', 1), 'default', 'default', 'default', '["read","share"]', 'ci', :at,
   :at + 9, NULL),
  ('k_00000000000000000000000002', printf('%064d', 2), 'default', 'default', 'default', '["read"]', NULL, :at, NULL,
   :at + 5)
"""


def _fill(connection: apsw.Connection) -> None:
    told = ((OLD, "document", "alpha beta", NEW, AT + 5), (NEW, "fact", "beta gamma", None, None))
    for key, (id_, kind, text, superseded_by, until) in enumerate(told, 1):
        row = {"key": key, "id": id_, "kind": kind, "text": text, "hash": f"{key:064d}", "at": AT + key - 1}
        connection.execute(MEMORY, {**row, "superseded_by": superseded_by, "until": until, "job": f"j_{key:026d}"})
    connection.execute(GRAPH, {"at": AT, "mill": MILL, "link": LINK, "closed": CLOSED})


@pytest.fixture
def old_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of schema 2, with something in every table that its tenants' file had."""
    real = migrations.migrations_of
    monkeypatch.setattr(migrations, "migrations_of", lambda family: real(family)[: SCHEMAS[family]])
    for family, name in FILES.items():
        (tmp_path / name).touch()
        database = Database(tmp_path / name)
        assert migrations.migrate(database, family) == SCHEMAS[family]
        with database.transaction() as connection:
            if family == "tenant":
                _fill(connection)
            if family == "registry":
                connection.execute(TOKENS, {"at": AT})
        database.close()
    monkeypatch.undo()
    return tmp_path


@pytest.fixture
def rows(old_home: Path) -> dict[str, list[dict[str, object]]]:
    """Every row of the old file, by table."""
    return _rows(old_home / "default.db")


@pytest.fixture
def store(rows: object, old_home: Path) -> Iterator[Store]:
    """That home, opened by the newest code."""
    opened = SqliteStore(old_home)
    opened.describe(LOCAL_SCOPE)
    yield opened
    opened.close()


def _rows(path: Path) -> dict[str, list[dict[str, object]]]:
    with closing(apsw.Connection(str(path))) as connection:
        names = connection.execute(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'"
        )
        found: dict[str, list[dict[str, object]]] = {}
        for (name,) in names.fetchall():
            listed = connection.execute(f'SELECT * FROM "{name}"').fetchall()  # noqa: S608
            columns = [one[0] for one in connection.execute(f'SELECT name FROM pragma_table_xinfo("{name}")')]  # noqa: S608
            found[str(name)] = [dict(zip(columns, row, strict=True)) for row in listed]
    return found


def _value(path: Path, sql: str) -> object:
    with closing(apsw.Connection(str(path))) as connection:
        return connection.execute(sql).get


def test_every_table_of_the_old_file_had_something_in_it(rows: dict[str, list[dict[str, object]]]) -> None:
    assert {name for name, held in rows.items() if not held} <= {
        "entity_state_replaced",
        "thread",
        "embedding_model",
        "vector",
    }
    assert {"document", "relation", "evidence"}.isdisjoint(rows)


@pytest.mark.usefixtures("store")
def test_the_tenants_file_is_backed_up(old_home: Path) -> None:
    newest = migrations.migrations_of("tenant")[-1][0]
    backup = old_home / f"default.before-{newest:04d}.db"
    assert newest >= 3
    assert _value(old_home / "default.db", "PRAGMA user_version") == newest
    assert _value(backup, "PRAGMA user_version") == 2
    for file in (old_home / "default.db", backup):
        assert _value(file, "PRAGMA integrity_check") == "ok"
        assert _value(file, "SELECT count(*) FROM pragma_foreign_key_check") == 0


@pytest.mark.usefixtures("store")
def test_the_backup_is_the_old_file_and_the_new_one_has_all_of_it(
    old_home: Path, rows: dict[str, list[dict[str, object]]]
) -> None:
    newest = migrations.migrations_of("tenant")[-1][0]
    assert _rows(old_home / f"default.before-{newest:04d}.db") == rows
    now = _rows(old_home / "default.db")
    assert {"document", "relation", "evidence"} <= set(now)
    for name, held in rows.items():
        if name == "migration":
            assert now[name][: len(held)] == held
            continue
        kept = [{column: row[column] for column in held[0]} for row in now[name]] if held else now[name]
        assert kept == held, name
    assert [(row["similarity"], row["gap_seconds"]) for row in now["link"]] == [(None, None)] * 2


def test_everything_reads_as_it_was(store: Store) -> None:
    assert ids(store.memories.page(LOCAL_SCOPE, ALL, NOW, 10, None)) == [NEW]
    (entity,) = store.entities.get(LOCAL_SCOPE, [MILL], NOW)
    assert (entity.name, entity.type, entity.state.props["status"].value) == ("SPEC-1", EntityType.DOCUMENT, "final")
    states = store.entities.states(LOCAL_SCOPE, MILL, NOW.known_at)
    assert [state.event for state in states] == [EntityEvent.CREATED, EntityEvent.STATUS_CHANGED]
    (link,) = store.links.of(LOCAL_SCOPE, [OLD], NOW.known_at)
    assert (link.id, link.type, link.similarity, link.gap_seconds) == (LINK, LinkType.SUPERSEDES, None, None)
    assert link.created_by is LinkOrigin.USER
    assert len(store.search.lexical(LOCAL_SCOPE, ["beta"], ALL, NOW, 10)) == 1
    assert store.uses.citations(LOCAL_SCOPE, [NEW]) != {}


def test_it_is_sound_and_has_no_documents_yet(store: Store) -> None:
    assert broken(store, LOCAL_SCOPE) == {}
    assert store.documents.page(LOCAL_SCOPE, None, NOW, 10, None) == []
    assert store.documents.identity(LOCAL_SCOPE, MILL) is None
    assert store.documents.stored(LOCAL_SCOPE, NOW.known_at, 10, None) == [OLD]
    assert store.relations.count(LOCAL_SCOPE, NOW) == 0
    assert store.links.fading(LOCAL_SCOPE, NOW.known_at, None, 10) == []


def test_documents_and_relations_can_be_written_into_it(store: Store) -> None:
    with store.transaction(LOCAL_SCOPE, START + DAY):
        store.documents.put(LOCAL_SCOPE, MILL, "north", "spec 1", "one.md")
    other, text = keep_document(store, LOCAL_SCOPE, "SPEC-2", at=START + DAY)
    _, memory = keep_relation(store, LOCAL_SCOPE, other, MILL, RelationType.EXTENDS, at=START + DAY)
    (found,) = store.relations.of(LOCAL_SCOPE, [MILL], NOW)
    assert (found.source.id, found.source_memory_id) == (other, memory.id)
    assert [one.memory_id for one in store.graph.about(LOCAL_SCOPE, [other], ALL, NOW, 10)] == [text.id]
    assert [one.path for one in store.documents.by_name(LOCAL_SCOPE, "north", "spec 1")] == ["one.md"]
    with store.transaction(LOCAL_SCOPE, START + DAY) as now:
        store.memories.erase(LOCAL_SCOPE, memory.id, now)
        store.memories.erase(LOCAL_SCOPE, OLD, now)
    assert store.relations.count(LOCAL_SCOPE, NOW) == 0
    assert broken(store, LOCAL_SCOPE) == {}


@pytest.mark.usefixtures("store")
def test_the_registry_is_backed_up_and_sound(old_home: Path) -> None:
    newest = migrations.migrations_of("registry")[-1][0]
    backup = old_home / f"registry.before-{newest:04d}.db"
    assert _value(backup, "PRAGMA user_version") == 2
    for file in (old_home / "registry.db", backup):
        assert _value(file, "PRAGMA integrity_check") == "ok"
        assert _value(file, "SELECT count(*) FROM pragma_foreign_key_check") == 0
        assert _value(file, "SELECT count(*) FROM token") == 2


def test_tokens_whose_text_does_not_tell_their_id_are_listed_and_stand_for_nobody(store: Store) -> None:
    open_one, revoked = store.registry.tokens("default", "default")
    assert [(one.name, one.agent, one.project) for one in (open_one, revoked)] == [
        ("ci", "default", "default"),
        ("default", "default", "default"),
    ]
    assert [right.value for right in open_one.rights] == ["read", "share"]
    assert (open_one.created_at, open_one.used_at) == (START, None)
    assert open_one.expires_at == START + 9 * MICROSECOND
    assert open_one.revoked_at is not None
    assert open_one.revoked_at > START
    assert revoked.revoked_at == START + 5 * MICROSECOND
    kept = store.registry.token(open_one.id)
    assert kept is not None
    assert kept.hash == f"{1:064d}"
