"""Reads that rank nothing: get, list, stats, health."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from trigraph.errors import InvalidInput, NotFound, StoreClosed
from trigraph.faces.library import Trigraph
from trigraph.model.memory import MemoryPage
from trigraph.model.query import Leg
from trigraph.model.recall import LegStatus
from trigraph.model.scope import Scope
from trigraph.model.status import EmbeddingModel

if TYPE_CHECKING:
    from clocks import SettableClock


class TestGet:
    def test_a_memory_is_found_by_its_id_or_the_end_of_it(self, memory: Trigraph) -> None:
        memory.remember("Soup at noon")
        wanted = memory.remember("Tea at four").id
        assert wanted is not None

        for name in (
            wanted,
            wanted.upper(),
            wanted[2:],
            wanted[-8:],
            f"  {wanted[-13:]} ",
            f"m_{wanted[-9:]}",
        ):
            assert memory.get(name).text == "Tea at four"

    @pytest.mark.parametrize("name", ["", "short", "1234567", "not an id", "t_01kx0f6gq3v8z5d2c7b9n4t1hw", "x" * 27])
    def test_what_cannot_be_an_id_is_refused(self, memory: Trigraph, name: str) -> None:
        with pytest.raises(InvalidInput, match="is not an id") as refused:
            memory.get(name)
        assert refused.value.field == "id"

    def test_an_unknown_id_is_not_found(self, memory: Trigraph) -> None:
        memory.remember("Tea at four")

        with pytest.raises(NotFound, match="There is no memory 'zzzzzzzz'"):
            memory.get("zzzzzzzz")

    def test_an_ending_that_two_ids_share_is_refused_until_it_is_longer(
        self, memory: Trigraph, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        clock.advance(days=1000)  # a millisecond that no other test of this process has used
        with monkeypatch.context() as patch:
            patch.setattr("os.urandom", lambda count: b"\x5a" * count)
            first = memory.remember("Tea at four").id
            clock.advance(seconds=1)
            second = memory.remember("Soup at noon").id
        assert first is not None
        assert second is not None
        assert first[-14:] == second[-14:]

        with pytest.raises(InvalidInput, match="is the end of several ids"):
            memory.get(first[-8:])
        assert (memory.get(first[-26:]).text, memory.get(second[-26:]).text) == (
            "Tea at four",
            "Soup at noon",
        )

    def test_what_another_agent_keeps_private_does_not_exist(self, memory: Trigraph) -> None:
        other = Trigraph(memory.engine, Scope("default", "default", "other"))
        private = other.remember("My diary", visibility="private").id
        shared = other.remember("Our calendar").id

        with pytest.raises(NotFound):
            memory.get(str(private))
        assert memory.get(str(shared)).text == "Our calendar"

    def test_as_of_and_known_at_ask_about_other_times(self, memory: Trigraph) -> None:
        wanted = str(memory.remember("Tea at four", valid_from="2026-01-01", valid_until="2026-02-01").id)

        assert memory.get(wanted).valid_until == datetime(2026, 2, 1, tzinfo=UTC)
        assert memory.get(wanted, as_of="2026-01-31T23:59:59Z").text == "Tea at four"
        with pytest.raises(NotFound):
            memory.get(wanted, as_of="2026-02-01")
        with pytest.raises(NotFound):
            memory.get(wanted, as_of="2025-12-31")
        with pytest.raises(NotFound):
            memory.get(wanted, as_of="2026-01-15", known_at="2026-08-31")
        with pytest.raises(NotFound):
            memory.get(wanted, known_at="2026-08-31")


class TestList:
    @pytest.fixture
    def letters(self, memory: Trigraph, clock: SettableClock) -> Trigraph:
        for number, letter in enumerate("abcde"):
            memory.remember(f"letter {letter}", kind="fact" if number % 2 else "insight", tags=[letter, "all"])
            clock.advance(hours=1)
        return memory

    def test_memories_come_newest_first_a_page_at_a_time(self, letters: Trigraph) -> None:
        first = letters.list(limit=2)
        second = letters.list(limit=2, cursor=first.next_cursor)
        third = letters.list(limit=2, cursor=second.next_cursor)

        assert [_letters(page) for page in (first, second, third)] == ["ed", "cb", "a"]
        assert first.next_cursor != second.next_cursor
        assert third.next_cursor is None

    def test_a_page_that_ends_exactly_is_the_last(self, letters: Trigraph) -> None:
        assert letters.list(limit=5).next_cursor is None
        assert letters.list(limit=4).next_cursor is not None

    def test_a_cursor_stays_valid_while_others_write(self, letters: Trigraph) -> None:
        first = letters.list(limit=2)
        letters.remember("letter f")

        assert _letters(letters.list(limit=2, cursor=first.next_cursor)) == "cb"

    @pytest.mark.parametrize(
        ("asked", "found"),
        [
            ({"kinds": ["insight"]}, "eca"),
            ({"tags": ["all", "b"]}, "b"),
            ({"created_after": "2026-09-01T15:00:00Z"}, "ed"),
            ({"created_before": "2026-09-01T13:00:00Z"}, "a"),
            ({"author": "nobody"}, ""),
            ({"known_at": "2026-09-01T13:30:00Z", "as_of": "2026-09-01T13:30:00Z"}, "ba"),
        ],
        ids=str,
    )
    def test_filters_hold_for_lists_too(self, letters: Trigraph, asked: dict[str, object], found: str) -> None:
        assert _letters(letters.list(**asked)) == found  # type: ignore[arg-type]

    def test_the_filter_holds_over_pages(self, letters: Trigraph) -> None:
        first = letters.list(limit=2, kinds=["insight"])

        assert _letters(first) == "ec"
        assert _letters(letters.list(limit=2, kinds=["insight"], cursor=first.next_cursor)) == "a"

    @pytest.mark.parametrize("cursor", ["", "nonsense", "é", "bV8wMQ", "%%%%"])
    def test_a_cursor_not_given_out_by_us_is_refused(self, letters: Trigraph, cursor: str) -> None:
        with pytest.raises(InvalidInput, match="was not given out by trigraph") as refused:
            letters.list(cursor=cursor)
        assert refused.value.field == "cursor"

    @pytest.mark.parametrize("limit", [0, -1, 501])
    def test_a_page_has_1_to_500_memories(self, memory: Trigraph, limit: int) -> None:
        with pytest.raises(InvalidInput, match="from 1 to 500"):
            memory.list(limit=limit)


class TestStats:
    def test_an_empty_store_counts_nothing(self, memory: Trigraph) -> None:
        stats = memory.stats()

        assert (stats.memories, stats.by_kind, stats.threads, stats.passages, stats.recalls) == (
            0,
            {},
            0,
            0,
            0,
        )
        assert stats.store_bytes > 0

    def test_everything_that_may_be_seen_is_counted(self, memory: Trigraph) -> None:
        memory.remember_batch(["one", "two", {"text": "three", "kind": "decision"}])
        memory.remember_thread([{"text": "Hello"}, {"text": "Hello"}])
        memory.remember("Words upon words. " * 100, kind="document")
        Trigraph(memory.engine, Scope("default", "default", "other")).remember("secret", visibility="private")
        memory.recall("one")
        stats = memory.stats()

        assert stats.by_kind == {"decision": 1, "document": 1, "episode": 2, "fact": 2}
        assert (stats.memories, stats.threads, stats.recalls) == (6, 1, 1)
        # 1,800 characters are two passages; the other agent's memory does not count.
        assert (stats.passages, stats.vectors, stats.waiting_for_vector) == (7, 7, 0)


class TestHealth:
    def test_an_empty_store_is_healthy(self, memory: Trigraph) -> None:
        health = memory.health()

        assert (health.ok, health.problems, health.pinned_model) == (True, (), None)
        assert health.configured_model == EmbeddingModel("granite-embedding-30m-english", 384)
        statuses = {leg.leg: leg.status for leg in health.legs}
        assert statuses == {
            Leg.VECTOR: LegStatus.EMPTY_STORE,
            Leg.LEXICAL: LegStatus.EMPTY_STORE,
            Leg.GRAPH: LegStatus.EMPTY_STORE,
            Leg.TEMPORAL: LegStatus.EMPTY_STORE,
        }

    def test_a_filled_store_says_what_each_leg_holds(self, memory: Trigraph) -> None:
        memory.remember_batch(["one", "two"])
        health = memory.health()

        assert health.ok
        assert health.pinned_model == EmbeddingModel("granite-embedding-30m-english", 384)
        counts = {leg.leg: (leg.status, leg.count) for leg in health.legs[:2]}
        assert counts == {Leg.VECTOR: (LegStatus.OK, 2), Leg.LEXICAL: (LegStatus.OK, 2)}
        assert health.schema_version >= 1
        assert "SQLite" in health.store

    def test_a_closed_store_says_so(self, memory: Trigraph) -> None:
        memory.close()

        with pytest.raises(StoreClosed, match="Open it again"):
            memory.list()


def _letters(page: MemoryPage) -> str:
    return "".join(memory.text[-1] for memory in page.memories)
