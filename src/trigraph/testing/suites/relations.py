"""`contracts.Relations`, as tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from trigraph.contracts import Store
from trigraph.errors import StoreError
from trigraph.model.change import Verb
from trigraph.model.ids import new_id
from trigraph.model.memory import EntityType, Memory, Status, Visibility
from trigraph.model.relation import Evidence, Relation, RelationEnd, RelationType
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.testing.builders import (
    ANNE,
    BERT,
    DAY,
    HIDDEN,
    ISLAND,
    MICROSECOND,
    NOW,
    START,
    keep,
    open_island,
)
from trigraph.testing.cast import AUDIENCES, every_audience, expected, register_all, shown
from trigraph.testing.changes import (
    change,
    end_relation,
    keep_entity,
    keep_mention,
    keep_relation,
    relate,
    revise,
)
from trigraph.testing.suites.audit import broken
from trigraph.testing.suites.base import Suite, undone

KNOWN = NOW.known_at
LATER, MUCH_LATER = START + DAY, START + 2 * DAY
EVER = Moment(NOW.as_of, NOW.known_at, superseded=True)


def two(store: Store, **fields: Any) -> tuple[str, str]:
    """Two entities that can be related."""
    one, _ = keep_entity(store, ANNE, "Mill", **fields)
    other, _ = keep_entity(store, ANNE, "Pond", **fields)
    return one, other


def told(store: Store, scope: Scope, entity_id: str, moment: Moment = NOW) -> list[list[str]]:
    """For each relation of an entity, the memories that say so."""
    return [[one.memory_id for one in found.evidence] for found in store.relations.of(scope, [entity_id], moment)]


class RelationsSuite(Suite):
    """`contracts.Relations`."""

    # There and back

    def test_a_relation_comes_back_whole_from_either_end(self, store: Store) -> None:
        one, _ = keep_entity(store, ANNE, "Mill")
        other, _ = keep_entity(store, BERT, "Ines", type_=EntityType.PERSON)
        memory = keep(store, BERT, "text", valid_from=START - DAY, valid_until=NOW.as_of + DAY)
        relate(store, BERT, memory, one, other, RelationType.CREATED_BY, "Who built it", 3, at=LATER)
        relation = Relation(
            RelationEnd(one, "Mill", EntityType.SYSTEM),
            RelationType.CREATED_BY,
            RelationEnd(other, "Ines", EntityType.PERSON),
            (Evidence(memory.id, "Who built it", START - DAY, NOW.as_of + DAY, LATER),),
        )
        for asked in ([one], [other], [one, other]):
            assert store.relations.of(ANNE, asked, NOW) == [relation]
        assert store.relations.of(ANNE, [], NOW) == []
        assert store.relations.count(ANNE, NOW) == 1

    @pytest.mark.parametrize("type_", RelationType)
    def test_every_type_is_kept(self, store: Store, type_: RelationType) -> None:
        one, other = two(store)
        keep_relation(store, ANNE, one, other, type_)
        assert [found.type for found in store.relations.of(ANNE, [other], NOW)] == [type_]

    def test_relations_may_be_of_some_types(self, store: Store) -> None:
        one, other = two(store)
        some = [RelationType.USES, RelationType.OWNS, RelationType.PART_OF]
        for type_ in some:
            keep_relation(store, ANNE, one, other, type_)
        keep_relation(store, ANNE, other, one, RelationType.USES)
        found = store.relations.of(ANNE, [one], NOW, [RelationType.USES, RelationType.PART_OF])
        assert sorted((relation.source.id, relation.type) for relation in found) == [
            (one, RelationType.PART_OF),
            (one, RelationType.USES),
            (other, RelationType.USES),
        ]

    def test_only_so_much_evidence_is_read(self, store: Store) -> None:
        one, other = two(store)
        for _ in range(3):
            keep_relation(store, ANNE, one, other)
        keep_relation(store, ANNE, other, one)
        counts = [len(relation.evidence) for relation in store.relations.of(ANNE, [one], NOW)]
        assert counts == [3, 1]
        limited = store.relations.of(ANNE, [one], NOW, limit=2)
        assert [len(relation.evidence) for relation in limited] == [2]

    def test_ends_go_by_the_names_they_had_then(self, store: Store) -> None:
        one, other = two(store)
        keep_relation(store, ANNE, one, other)
        change(store, ANNE, one, LATER, name="Museum", at=LATER)
        (now,) = store.relations.of(ANNE, [other], NOW)
        (before,) = store.relations.of(ANNE, [other], Moment(LATER - MICROSECOND, KNOWN))
        (as_known,) = store.relations.of(ANNE, [other], Moment(NOW.as_of, LATER - MICROSECOND))
        assert (now.source.name, before.source.name, as_known.source.name) == ("Museum", "Mill", "Mill")

    # Evidence

    def test_what_is_known_already_is_left_as_it_is(self, store: Store) -> None:
        one, other = two(store)
        _, memory = keep_relation(store, ANNE, one, other)
        before = store.relations.of(ANNE, [one], NOW)
        relate(store, ANNE, memory, one, other, ordinal=9, at=LATER)
        assert store.relations.of(ANNE, [one], NOW) == before
        assert store.relations.of(ANNE, [one], Moment(NOW.as_of, LATER - MICROSECOND)) == before
        assert (len(before), store.relations.count(ANNE, NOW)) == (1, 1)

    def test_one_memory_may_say_it_in_two_sections(self, store: Store) -> None:
        one, other = two(store)
        memory = keep_mention(store, ANNE, [one, other])
        written = [relate(store, ANNE, memory, one, other, section=section) for section in ("Top", "Bottom")]
        (found,) = store.relations.of(ANNE, [one], NOW)
        assert [evidence.section for evidence in found.evidence] == ["Top", "Bottom"]
        end_relation(store, ANNE, written[0], LATER)
        (found,) = store.relations.of(ANNE, [one], NOW)
        assert [evidence.section for evidence in found.evidence] == ["Bottom"]

    def test_a_relation_ends_with_the_last_memory_that_says_so(self, store: Store) -> None:
        one, other = two(store)
        first, by_anne = keep_relation(store, ANNE, one, other)
        second, by_bert = keep_relation(store, BERT, one, other)
        assert told(store, ANNE, one) == [[by_anne.id, by_bert.id]]
        assert store.relations.count(ANNE, NOW) == 1
        end_relation(store, ANNE, first, LATER)
        assert told(store, ANNE, one) == [[by_bert.id]]
        assert store.relations.count(ANNE, NOW) == 1
        end_relation(store, BERT, second, MUCH_LATER)
        assert told(store, ANNE, one) == []
        assert store.relations.count(ANNE, NOW) == 0

    def test_what_ended_was_known_until_then(self, store: Store) -> None:
        one, other = two(store)
        written, memory = keep_relation(store, ANNE, one, other)
        (found,) = store.relations.of(ANNE, [one], NOW)
        end_relation(store, ANNE, written, LATER)
        for known_at, then in (
            (found.created_at - MICROSECOND, []),
            (found.created_at, [[memory.id]]),
            (LATER - MICROSECOND, [[memory.id]]),
            (LATER, []),
        ):
            assert told(store, BERT, other, Moment(NOW.as_of, known_at)) == then
            assert store.relations.count(BERT, Moment(NOW.as_of, known_at)) == len(then)

    def test_what_ended_may_be_said_again(self, store: Store) -> None:
        one, other = two(store)
        written, memory = keep_relation(store, ANNE, one, other)
        end_relation(store, ANNE, written, LATER)
        relate(store, ANNE, memory, one, other, at=MUCH_LATER)
        (found,) = store.relations.of(ANNE, [one], NOW)
        assert found.created_at == MUCH_LATER
        assert told(store, ANNE, one, Moment(NOW.as_of, MUCH_LATER - MICROSECOND)) == []

    def test_ending_what_is_not_there_changes_nothing(self, store: Store) -> None:
        one, other = two(store)
        written, memory = keep_relation(store, ANNE, one, other)
        for wrong in (
            replace(written, type=RelationType.USES),
            replace(written, section="Elsewhere"),
            replace(written, source_id=other, target_id=one),
            replace(written, memory_id=keep(store, ANNE, "another").id),
        ):
            end_relation(store, ANNE, wrong, LATER)
        assert told(store, ANNE, one) == [[memory.id]]

    def test_what_was_undone_was_never_said(self, store: Store) -> None:
        one, other = two(store)
        written, memory = keep_relation(store, ANNE, one, other)
        with undone(store, ANNE, LATER) as now:
            store.relations.add(ANNE, replace(written, type=RelationType.USES), 0, now)
            store.relations.close(ANNE, written, now)
        assert told(store, ANNE, one) == [[memory.id]]
        assert store.relations.count(ANNE, NOW) == 1

    def test_memories_tell_what_they_are_evidence_of(self, store: Store) -> None:
        one, other = two(store)
        memory = keep_mention(store, ANNE, [one, other])
        second = relate(store, ANNE, memory, other, one, RelationType.NEEDS, "Below", 7)
        first = relate(store, ANNE, memory, one, other, RelationType.OWNS, "Above", 2)
        by_bert, other_memory = keep_relation(store, BERT, one, other)
        assert store.relations.written_in(ANNE, [memory.id], KNOWN) == [first, second]
        assert store.relations.written_in(ANNE, [other_memory.id, memory.id], KNOWN) == [by_bert, first, second]
        assert store.relations.written_in(ANNE, [], KNOWN) == []
        end_relation(store, ANNE, first, LATER)
        assert store.relations.written_in(ANNE, [memory.id], KNOWN) == [second]
        assert store.relations.written_in(ANNE, [memory.id], LATER - MICROSECOND) == [first, second]
        assert store.relations.written_in(ANNE, [memory.id], START - MICROSECOND) == []

    def test_memories_tell_it_whoever_may_see_the_ends(self, store: Store) -> None:
        one, other = two(store, visibility=Visibility.PRIVATE)
        written, memory = keep_relation(store, ANNE, one, other, visibility=Visibility.PRIVATE)
        assert store.relations.written_in(BERT, [memory.id], KNOWN) == [written]

    # When it holds

    def test_a_relation_holds_as_long_as_the_memory_that_says_so(self, store: Store) -> None:
        one, other = two(store)
        keep_relation(store, ANNE, one, other, valid_from=START + DAY, valid_until=START + 3 * DAY)
        shown_at = {days: told(store, BERT, one, Moment(START + days * DAY, KNOWN)) != [] for days in (0, 1, 2, 3)}
        assert shown_at == {0: False, 1: True, 2: True, 3: False}
        assert told(store, BERT, one, Moment(START + 3 * DAY - MICROSECOND, KNOWN)) != []
        assert store.relations.count(BERT, Moment(START + 2 * DAY, KNOWN)) == 1
        assert store.relations.count(BERT, NOW) == 0

    def test_superseded_evidence_closes_the_relation_in_time(self, store: Store) -> None:
        one, other = two(store)
        _, old = keep_relation(store, ANNE, one, other)
        new = keep_mention(store, ANNE, [one], "it says so no longer", at=LATER)
        fields: dict[str, Any] = {"valid_until": MUCH_LATER, "superseded": True, "superseded_by": new.id}
        revise(store, ANNE, old, Verb.SUPERSEDE, LATER, **fields)
        (then,) = store.relations.of(ANNE, [one], Moment(MUCH_LATER - MICROSECOND, KNOWN))
        assert (then.evidence[0].memory_id, then.evidence[0].valid_until) == (old.id, MUCH_LATER)
        assert store.relations.of(ANNE, [one], NOW) == []
        assert told(store, ANNE, one, EVER) == [[old.id]]
        (believed,) = store.relations.of(ANNE, [one], Moment(NOW.as_of, LATER - MICROSECOND))
        assert believed.evidence[0].valid_until is None

    def test_an_update_that_says_it_still_keeps_it(self, store: Store) -> None:
        one, other = two(store)
        _, old = keep_relation(store, ANNE, one, other)
        _, new = keep_relation(store, ANNE, one, other, at=LATER, valid_from=LATER)
        fields: dict[str, Any] = {"valid_until": LATER, "superseded": True, "superseded_by": new.id}
        revise(store, ANNE, old, Verb.SUPERSEDE, LATER, **fields)
        assert told(store, ANNE, one) == [[new.id]]
        assert told(store, ANNE, one, Moment(LATER - MICROSECOND, KNOWN)) == [[old.id]]
        assert store.relations.count(ANNE, EVER) == 1

    @pytest.mark.parametrize("status", [Status.FORGOTTEN, Status.QUARANTINED, Status.ARCHIVED])
    def test_only_what_is_active_is_evidence(self, store: Store, status: Status) -> None:
        one, other = two(store)
        _, memory = keep_relation(store, ANNE, one, other)
        revise(store, ANNE, memory, Verb.FORGET, LATER, status=status)
        assert told(store, ANNE, one) == []
        assert told(store, ANNE, one, Moment(NOW.as_of, LATER - MICROSECOND)) == [[memory.id]]
        revise(store, ANNE, memory, Verb.RESTORE, MUCH_LATER)
        assert told(store, ANNE, one) == [[memory.id]]

    # Who may see it

    @every_audience
    @pytest.mark.parametrize("hidden", ["source", "target", "evidence"])
    def test_a_relation_is_seen_by_whom_both_its_ends_and_a_memory_that_says_so_are(
        self, store: Store, audience: dict[str, Any], hidden: str
    ) -> None:
        register_all(store)

        def fields(part: str) -> dict[str, Any]:
            return audience if part == hidden else AUDIENCES["shared"]

        one, _ = keep_entity(store, ANNE, "Mill", **fields("source"))
        other, _ = keep_entity(store, ANNE, "Pond", **fields("target"))
        keep_relation(store, ANNE, one, other, **fields("evidence"))
        seen = expected(audience, AUDIENCES["shared"])
        for asked in ([one], [other]):
            assert shown(lambda scope, ids=asked: store.relations.of(scope, ids, NOW)) == seen  # type: ignore[misc]
        assert shown(lambda scope: store.relations.count(scope, NOW)) == seen

    @pytest.mark.parametrize("visibility", HIDDEN)
    def test_evidence_that_is_hidden_does_not_count(self, store: Store, visibility: Visibility) -> None:
        one, other = two(store)
        written, open_ = keep_relation(store, ANNE, one, other)
        _, hidden = keep_relation(store, ANNE, one, other, visibility=visibility)
        assert told(store, ANNE, one) == [[open_.id, hidden.id]]
        assert told(store, BERT, one) == [[open_.id]]
        end_relation(store, ANNE, written, LATER)
        assert told(store, ANNE, one) == [[hidden.id]]
        assert told(store, BERT, one) == []
        assert (store.relations.count(ANNE, NOW), store.relations.count(BERT, NOW)) == (1, 0)

    def test_evidence_that_was_shared_later_is_seen_from_then_on(self, store: Store) -> None:
        one, other = two(store)
        _, memory = keep_relation(store, ANNE, one, other, visibility=Visibility.PRIVATE)
        revise(store, ANNE, memory, Verb.SHARE, LATER, visibility=Visibility.SHARED)
        assert told(store, BERT, one) == [[memory.id]]
        assert told(store, BERT, one, Moment(NOW.as_of, LATER - MICROSECOND)) == []

    def test_another_project_sees_and_changes_nothing(self, store: Store) -> None:
        open_island(store)
        one, other = two(store)
        written, memory = keep_relation(store, ANNE, one, other)
        assert store.relations.of(ISLAND, [one, other], NOW) == []
        assert store.relations.count(ISLAND, NOW) == 0
        assert store.relations.written_in(ISLAND, [memory.id], KNOWN) == []
        end_relation(store, ISLAND, written, LATER)
        assert told(store, ANNE, one) == [[memory.id]]

    # What cannot be

    def test_nothing_relates_to_itself(self, store: Store) -> None:
        one, _ = two(store)
        memory = keep_mention(store, ANNE, [one])
        with pytest.raises(StoreError):
            relate(store, ANNE, memory, one, one)
        assert store.relations.count(ANNE, NOW) == 0

    @pytest.mark.parametrize("missing", ["source_id", "target_id"])
    def test_a_relation_to_what_is_not_there_is_an_error(self, store: Store, missing: str) -> None:
        ends: dict[str, Any] = dict(zip(("source_id", "target_id"), two(store), strict=True))
        memory = keep_mention(store, ANNE, list(ends.values()))
        with pytest.raises(StoreError):
            relate(store, ANNE, memory, **{**ends, missing: new_id("e", START)})
        assert store.relations.count(ANNE, NOW) == 0

    @pytest.mark.parametrize("missing", ["source_id", "target_id"])
    def test_a_relation_into_another_project_is_an_error(self, store: Store, missing: str) -> None:
        open_island(store)
        ends: dict[str, Any] = dict(zip(("source_id", "target_id"), two(store), strict=True))
        foreign, _ = keep_entity(store, ISLAND, "Reef")
        memory = keep_mention(store, ANNE, list(ends.values()))
        with pytest.raises(StoreError):
            relate(store, ANNE, memory, **{**ends, missing: foreign})
        assert store.relations.count(ANNE, NOW) == 0

    @pytest.mark.parametrize("whose", ["nobody", "another project"])
    def test_a_relation_on_the_word_of_no_memory_of_the_project_is_an_error(self, store: Store, whose: str) -> None:
        open_island(store)
        one, other = two(store)
        memory: Memory = keep(store, ISLAND, "from afar")
        if whose == "nobody":
            memory = replace(memory, id=new_id("m", START))
        with pytest.raises(StoreError):
            relate(store, ANNE, memory, one, other)
        assert store.relations.count(ANNE, NOW) == 0
        assert broken(store, ANNE) == {}
