"""Each check of the embedded store finds what it is there to find: files that were broken past the store."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from trigraph.stores.sqlite.store import SqliteStore
from trigraph.testing.builders import ANNE, keep, register, unit_vectors
from trigraph.testing.suites.audit import broken
from trigraph.testing.world import World, fill

KEYS = {"@memory": "(SELECT key FROM memory WHERE id = :id)", "@entity": "(SELECT key FROM entity WHERE id = :id)"}


def _fact(world: World) -> str:
    return world.fact.id


def _later(world: World) -> str:
    return world.later.id


def _entity(world: World) -> str:
    return world.entity_id


def _document(world: World) -> str:
    return world.document_id


BREAKAGES: dict[str, tuple[str, Callable[[World], str], str]] = {
    "file": ("UPDATE link SET confidence = 7 WHERE id = :id", lambda world: world.link.id, "CHECK .* link"),
    "references": ("DELETE FROM memory WHERE key = @memory", _fact, "^link "),
    "memories_without_version": (
        "UPDATE memory_version SET known_until = known_from + 1 WHERE memory_key = @memory AND known_until IS NULL",
        _fact,
        "{id}",
    ),
    "memories_without_version, twice": (
        """DROP INDEX memory_version_open;
        UPDATE memory_version SET known_until = NULL WHERE memory_key = @memory""",
        _fact,
        "{id}",
    ),
    "versions_overlap": (
        "UPDATE memory_version SET known_until = known_until + 1 WHERE memory_key = @memory",
        _fact,
        "{id}",
    ),
    "successors_missing": (
        "UPDATE memory_version SET superseded_by = 'nobody' WHERE memory_key = @memory AND known_until IS NULL",
        _later,
        "{id}",
    ),
    "passages_missing": ("DELETE FROM passage WHERE memory_key = @memory", _fact, "{id}"),
    "passages_missing, one too many": (
        "UPDATE passage SET memory_key = @memory, ordinal = 1 WHERE key = (SELECT max(key) FROM passage)",
        _fact,
        "{id}",
    ),
    "dangling_links": (
        "DELETE FROM memory WHERE key = (SELECT from_key FROM link WHERE id = :id)",
        lambda world: world.link.id,
        "{id}",
    ),
    "dangling_links, the other end": (
        "DELETE FROM memory WHERE key = (SELECT to_key FROM link WHERE id = :id)",
        lambda world: world.link.id,
        "{id}",
    ),
    "dangling_mentions": ("DELETE FROM memory WHERE key = @memory", lambda world: world.maker.id, "^e_"),
    "dangling_mentions, the other end": ("DELETE FROM entity WHERE key = @entity", _entity, "^m_"),
    "dangling_relations": ("DELETE FROM entity WHERE key = @entity", _document, "^e_"),
    "dangling_relations, unwritten": (
        "DELETE FROM evidence WHERE relation_key IN (SELECT key FROM relation WHERE source_key = @entity)",
        _document,
        "{id}",
    ),
    "orphan_vectors": (
        "DELETE FROM passage WHERE key = (SELECT max(passage_key) FROM vector WHERE :id IS NOT NULL)",
        _fact,
        r"^\d+$",
    ),
    "orphan_vectors, cut short": (
        "UPDATE vector SET embedding = substr(embedding, 1, 7) WHERE :id IS NOT NULL",
        _fact,
        r"^\d+$",
    ),
    "entities_without_state": ("DELETE FROM entity_state WHERE entity_key = @entity", _document, "{id}"),
    "entities_without_state, pointing elsewhere": (
        "UPDATE entity SET state_from = state_from + 1 WHERE id = :id",
        _document,
        "{id}",
    ),
    "two_open_states": (
        """DROP INDEX entity_state_open;
        UPDATE entity_state SET valid_until = NULL WHERE entity_key = @entity""",
        _entity,
        "{id}",
    ),
    "broken_chains": (
        "UPDATE entity_state SET valid_until = valid_until + 1 WHERE entity_key = @entity",
        _entity,
        "{id}",
    ),
    "entities_without_type": ("UPDATE entity SET type = '' WHERE id = :id", _entity, "{id}"),
    "entities_nobody_mentions": ("DELETE FROM mention WHERE entity_key = @entity", _document, "{id}"),
    "documents_untyped": ("UPDATE entity SET type = 'tool' WHERE id = :id", _document, "{id}"),
    "lexical_behind": (
        """INSERT INTO lexical (lexical, rowid, terms)
        SELECT 'delete', key, terms FROM passage WHERE memory_key = @memory""",
        _fact,
        r"^\d+$",
    ),
    "lexical_behind, ahead": ("DELETE FROM passage WHERE memory_key = @memory", _fact, r"^\d+$"),
    "identifiers_behind": (
        """INSERT INTO identifier (identifier, rowid, identifiers)
        SELECT 'delete', key, identifiers FROM passage WHERE memory_key = @memory""",
        _fact,
        r"^\d+$",
    ),
    "identifiers_behind, ahead": ("DELETE FROM passage WHERE memory_key = @memory", _fact, r"^\d+$"),
    "totals_behind": ("UPDATE lexical_total SET terms = terms + 1 WHERE :id IS NOT NULL", _fact, "totals"),
    "totals_behind, passages": ("UPDATE lexical_total SET passages = 0 WHERE :id IS NOT NULL", _fact, "totals"),
    "compositions_empty": (
        "DELETE FROM composition_member WHERE memory_id <> :id OR memory_id = :id",
        _fact,
        "^c_",
    ),
    "copies_of_erased": (
        "UPDATE composition_member SET text = 'again' WHERE memory_id = :id",
        lambda world: world.erased.id,
        "^c_",
    ),
    "vectors_behind": ("DELETE FROM job WHERE json_extract(payload, '$.memory_id') = :id", _fact, "{id}"),
}
"""Check → what breaks it, of what, and what the check tells then."""


def _break(home: Path, sql: str, id_: str) -> None:
    connection = apsw.Connection(str(home / "default.db"))
    try:
        connection.execute("PRAGMA foreign_keys = off; PRAGMA ignore_check_constraints = on")
        before = connection.total_changes()
        for word, key in KEYS.items():
            sql = sql.replace(word, key)
        connection.execute(sql, {"id": id_})
        assert connection.total_changes() > before, "nothing was broken"
    finally:
        connection.close()


def _filled(home: Path) -> World:
    store = SqliteStore(home)
    register(store, "anne", "bert")
    world = fill(store)
    keep(store, ANNE, "with a vector", vectors=unit_vectors(1))
    assert broken(store, ANNE) == {}
    store.close()
    return world


@pytest.mark.parametrize("breakage", BREAKAGES)
def test_a_check_finds_what_breaks_it(tmp_path: Path, breakage: str) -> None:
    sql, of, pattern = BREAKAGES[breakage]
    world = _filled(tmp_path)
    _break(tmp_path, sql, of(world))
    store = SqliteStore(tmp_path)
    found = list(store.audit.broken(ANNE, breakage.partition(",")[0]))
    store.close()
    assert [one for one in found if re.search(pattern.format(id=of(world)), one)], found


def test_every_check_can_find_something(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    names = set(store.audit.checks())
    store.close()
    assert {breakage.partition(",")[0] for breakage in BREAKAGES} == names


def test_a_breakage_of_another_project_is_none_of_this_one(tmp_path: Path) -> None:
    """What has no project of its own, such as the file and its indexes, aside."""
    world = _filled(tmp_path)
    store = SqliteStore(tmp_path)
    store.registry.add_project(ANNE.tenant, "island", world.fact.created_at)
    store.close()
    _break(tmp_path, "DELETE FROM mention WHERE entity_key = @entity", world.document_id)
    _break(tmp_path, "UPDATE memory_version SET known_until = known_from + 1 WHERE memory_key = @memory", _later(world))
    store = SqliteStore(tmp_path)
    there, here = broken(store, ANNE), broken(store, replace(ANNE, project="island"))
    store.close()
    assert there.keys() >= {"entities_nobody_mentions", "memories_without_version"}
    assert here == {}
