"""What the database itself refuses, whoever writes to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import apsw
import pytest

from trigraph.model.times import to_micros
from trigraph.stores.sqlite.store import SqliteStore
from trigraph.testing.builders import ANNE, DAY, START, keep
from trigraph.testing.changes import change, keep_entity, keep_link

FIRST, SECOND, THIRD = (to_micros(START + days * DAY) for days in (0, 10, 20))

ADD_STATE = """
INSERT INTO entity_state (entity_key, valid_from, valid_until, known_from, event, name, props)
VALUES (1, :valid_from, :valid_until, 0, 'updated', 'Mill', '{}')
"""
END_STATE = "UPDATE entity_state SET valid_until = :valid_until WHERE valid_from = :valid_from"
DROP_STATE = "DELETE FROM entity_state WHERE valid_from = :valid_from"
MOVE_STATE = "UPDATE entity_state SET valid_from = :moved WHERE valid_from = :valid_from"
ADD_ENTITY = """
INSERT INTO entity (id, project, author, type, visibility, created_at, state_from)
VALUES ('e_0000000000000000000000000z', 'default', 'anne', :type, 'shared', 0, 0)
"""
ADD_VERSION = """
INSERT INTO memory_version (memory_key, known_from, valid_from, status, visibility, tags, domains, confidence, pinned)
SELECT memory_key, known_from + 1, valid_from, status, visibility, tags, domains, confidence, pinned
FROM memory_version
"""
ADD_MENTION = """
INSERT INTO mention (memory_key, entity_key, known_from, confidence, subject) VALUES (1, :entity_key, 9, 1.0, :subject)
"""
ADD_LINK = """
INSERT INTO link (id, project, author, from_key, to_key, type, confidence, created_by, valid_from, known_from)
VALUES ('l_0000000000000000000000000z', 'default', 'anne', :from_key, :to_key, :type, 1.0, 'user', 0, 0)
"""


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[apsw.Connection]:
    """A tenant's file with an entity of three states, another of one, and memories of which one links to another."""
    store = SqliteStore(tmp_path)
    entity_id, maker = keep_entity(store, ANNE, "Mill")
    for days in (10, 20):
        change(store, ANNE, entity_id, START + days * DAY)
    keep_link(store, ANNE, maker, keep(store, ANNE, "alpha"))
    keep_entity(store, ANNE, "Pond")
    store.close()
    opened = apsw.Connection(str(tmp_path / "default.db"))
    opened.pragma("foreign_keys", True)
    yield opened
    opened.close()


def _refused(connection: apsw.Connection, *statements: str, **values: object) -> None:
    """The statements, as one transaction, are refused; nothing of them is kept."""
    before = connection.serialize("main")
    with pytest.raises(apsw.ConstraintError):
        _execute(connection, statements, values)
    assert connection.serialize("main") == before


def _execute(connection: apsw.Connection, statements: Sequence[str], values: dict[str, object]) -> None:
    with connection:
        for sql in statements:
            connection.execute(sql, values)


def _states(connection: apsw.Connection) -> list[object]:
    return connection.execute("SELECT valid_from, valid_until FROM entity_state WHERE entity_key = 1").fetchall()


@pytest.mark.req("T7")
class TestStates:
    def test_the_chain_that_the_others_break_is_whole(self, connection: apsw.Connection) -> None:
        assert _states(connection) == [(FIRST, SECOND), (SECOND, THIRD), (THIRD, None)]
        assert connection.execute("SELECT state_from FROM entity WHERE key = 1").get == THIRD

    def test_a_gap(self, connection: apsw.Connection) -> None:
        _refused(connection, END_STATE, valid_from=FIRST, valid_until=SECOND - 1)
        _refused(connection, DROP_STATE, valid_from=SECOND)
        _refused(connection, MOVE_STATE, valid_from=SECOND, moved=SECOND + 1)

    def test_an_overlap(self, connection: apsw.Connection) -> None:
        _refused(connection, END_STATE, valid_from=FIRST, valid_until=SECOND + 1)
        _refused(connection, END_STATE, valid_from=FIRST, valid_until=THIRD)
        _refused(connection, ADD_STATE, valid_from=FIRST + 1, valid_until=SECOND)
        _refused(connection, ADD_STATE, valid_from=FIRST - 1, valid_until=SECOND)
        _refused(connection, ADD_STATE, valid_from=SECOND, valid_until=THIRD)

    def test_two_open_states(self, connection: apsw.Connection) -> None:
        _refused(connection, ADD_STATE, valid_from=THIRD + 1, valid_until=None)
        _refused(connection, END_STATE, valid_from=FIRST, valid_until=None)

    def test_a_cycle(self, connection: apsw.Connection) -> None:
        _refused(connection, END_STATE, valid_from=THIRD, valid_until=FIRST)
        _refused(connection, END_STATE, valid_from=SECOND, valid_until=SECOND)

    def test_a_state_that_nothing_leads_to(self, connection: apsw.Connection) -> None:
        _refused(connection, ADD_STATE, valid_from=FIRST - 2, valid_until=FIRST - 1)

    def test_no_open_state(self, connection: apsw.Connection) -> None:
        _refused(connection, DROP_STATE, valid_from=THIRD)
        _refused(connection, END_STATE, valid_from=THIRD, valid_until=THIRD + 1)

    def test_an_entity_without_a_state(self, connection: apsw.Connection) -> None:
        _refused(connection, ADD_ENTITY, type="tool")
        _refused(connection, "DELETE FROM entity_state")

    def test_an_entity_without_one_of_the_types(self, connection: apsw.Connection) -> None:
        for type_ in (None, "gadget"):
            _refused(connection, ADD_ENTITY, type=type_)

    def test_an_event_that_is_not_on_the_list(self, connection: apsw.Connection) -> None:
        _refused(connection, "UPDATE entity_state SET event = 'improved'")


class TestMemories:
    @pytest.mark.parametrize(
        "change",
        [
            "text = 'another'",
            "content_hash = replace(content_hash, 'a', 'b')",
            "kind = 'insight'",
            "author = 'bert'",
            "project = 'other'",
            "details = '{}'",
            "trust = 0.5",
            "created_at = 1",
            "id = 'm_0000000000000000000000000z'",
        ],
    )
    def test_a_change_of_what_never_changes_about_a_memory(self, connection: apsw.Connection, change: str) -> None:
        _refused(connection, f"UPDATE memory SET {change} WHERE key = 1")  # noqa: S608

    def test_a_group_without_a_name_and_a_name_without_a_group(self, connection: apsw.Connection) -> None:
        _refused(connection, "UPDATE memory_version SET visibility = 'group'")
        _refused(connection, "UPDATE memory_version SET group_name = 'red'")
        _refused(connection, "UPDATE entity SET visibility = 'group'")

    def test_two_open_versions(self, connection: apsw.Connection) -> None:
        _refused(connection, ADD_VERSION)


class TestLinksAndMentions:
    def test_a_link_to_itself(self, connection: apsw.Connection) -> None:
        _refused(connection, ADD_LINK, from_key=1, to_key=1, type="relates_to")
        _refused(connection, "UPDATE link SET to_key = from_key")

    def test_a_link_of_a_type_that_is_not_on_the_list(self, connection: apsw.Connection) -> None:
        _refused(connection, ADD_LINK, from_key=1, to_key=2, type="likes")

    def test_a_link_to_a_memory_that_is_not_there(self, connection: apsw.Connection) -> None:
        _refused(connection, ADD_LINK, from_key=1, to_key=999, type="relates_to")

    def test_a_second_link_of_a_type_between_two_memories(self, connection: apsw.Connection) -> None:
        from_key, to_key = connection.execute("SELECT from_key, to_key FROM link").get
        _refused(connection, ADD_LINK, from_key=from_key, to_key=to_key, type="relates_to")

    def test_a_second_mention_and_a_second_subject(self, connection: apsw.Connection) -> None:
        _refused(connection, ADD_MENTION, entity_key=1, subject=0)
        say_the_first_is = "UPDATE mention SET subject = 1 WHERE memory_key = 1"
        _refused(connection, say_the_first_is, ADD_MENTION, entity_key=2, subject=1)
