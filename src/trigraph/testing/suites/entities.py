"""`contracts.Entities`, as tests: who sees an entity, under which names, and what speaks of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from trigraph.contracts import NewMention, Store
from trigraph.errors import StoreError
from trigraph.model.change import Verb
from trigraph.model.entity import EntityEvent
from trigraph.model.ids import new_id
from trigraph.model.memory import EntityType, MemoryFilter, Status, Subject, Visibility
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.testing.builders import ANNE, BERT, DAY, MICROSECOND, NOW, START, ids, keep
from trigraph.testing.cast import AUDIENCES, every_audience, expected, register_all, shown
from trigraph.testing.changes import change, keep_entity, keep_mention, revise
from trigraph.testing.suites.base import Suite

Read = Callable[[Store, Scope, str, Moment], bool]
READS: dict[str, Read] = {
    "get": lambda store, scope, id_, moment: store.entities.get(scope, [id_], moment) != [],
    "named": lambda store, scope, id_, moment: store.entities.named(scope, "old mill", moment) != [],
    "ids_ending": lambda store, scope, id_, moment: store.entities.ids_ending(scope, id_[-8:], moment) == [id_],
    "page": lambda store, scope, id_, moment: store.entities.page(scope, (), moment, 10, None) != [],
    "count": lambda store, scope, id_, moment: store.entities.count(scope, moment) == 1,
}
"""Reads at a moment: whether they show the entity, the only one in the store."""

OTHER_READS: dict[str, Read] = {
    "states": lambda store, scope, id_, moment: store.entities.states(scope, id_, moment.known_at) != [],
    "known_names": lambda store, scope, id_, moment: store.entities.known_names(scope, ["old mill"]) != [],
    "records": lambda store, scope, id_, moment: any(
        record["record"] == "entity"
        for record in store.transfer.records(scope, everything=False, vectors=False, events=False)
    ),
}

every_read = pytest.mark.parametrize("read", READS.values(), ids=READS)
any_read = pytest.mark.parametrize("read", [*READS.values(), *OTHER_READS.values()], ids=[*READS, *OTHER_READS])


class EntitiesSuite(Suite):
    """`contracts.Entities`, apart from states."""

    def test_an_entity_comes_back_whole(self, store: Store) -> None:
        entity_id, memory = keep_entity(
            store, ANNE, "Old Mill", type_=EntityType.LOCATION, valid_from=START - DAY, props={"colour": "red"}
        )
        (entity,) = store.entities.get(BERT, [entity_id], NOW)
        assert (entity.id, entity.name, entity.type, entity.author) == (
            entity_id,
            "Old Mill",
            EntityType.LOCATION,
            "anne",
        )
        assert (entity.visibility, entity.group, entity.aliases) == (Visibility.SHARED, None, ())
        assert (entity.state.event, entity.state.cause_id) == (EntityEvent.CREATED, memory.id)
        assert (entity.state.valid_from, entity.state.valid_until) == (START - DAY, None)
        assert entity.state.props["colour"].value == "red"
        assert entity.state.props["colour"].memory_id == memory.id

    # Who sees it

    @every_audience
    @any_read
    def test_policy_and_groups_decide_who_sees_an_entity(
        self, store: Store, read: Read, audience: dict[str, Any]
    ) -> None:
        register_all(store)
        entity_id, _ = keep_entity(store, ANNE, "Old Mill", **audience)
        assert shown(lambda scope: read(store, scope, entity_id, NOW)) == expected(audience)

    @every_audience
    def test_policy_and_groups_decide_who_sees_mentions(self, store: Store, audience: dict[str, Any]) -> None:
        register_all(store)
        _, memory = keep_entity(store, ANNE, "Old Mill", **audience)
        assert shown(lambda scope: store.entities.mentions_of(scope, [memory.id], NOW)) == expected(audience)

    @every_audience
    @any_read
    def test_a_shared_entity_is_seen_through_memories_alone(
        self, store: Store, read: Read, audience: dict[str, Any]
    ) -> None:
        register_all(store)
        entity_id, memory = keep_entity(store, ANNE, "Old Mill", visibility=Visibility.PRIVATE)
        with store.transaction(ANNE, START):
            store.entities.widen(ANNE, memory.id, Visibility.SHARED, None)
        assert not read(store, BERT, entity_id, NOW)
        revise(store, ANNE, memory, Verb.SHARE, **audience)
        told = expected(audience, AUDIENCES["shared"])
        assert shown(lambda scope: read(store, scope, entity_id, NOW)) == told

    @any_read
    def test_a_private_entity_is_not_seen_through_a_shared_memory(self, store: Store, read: Read) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Old Mill", visibility=Visibility.PRIVATE)
        memory = keep_mention(store, ANNE, [entity_id], subject=True)
        assert not read(store, BERT, entity_id, NOW)
        assert read(store, ANNE, entity_id, NOW)
        assert store.entities.mentions_of(BERT, [memory.id], NOW) == []
        assert store.memories.get(BERT, [memory.id], NOW)[0].subject is None

    @every_read
    def test_an_entity_is_known_from_the_first_mention_on(self, store: Store, read: Read) -> None:
        entity_id, memory = keep_entity(store, ANNE, "Old Mill", at=START + DAY, valid_from=START)
        assert not read(store, ANNE, entity_id, Moment(NOW.as_of, memory.created_at - MICROSECOND))
        assert read(store, ANNE, entity_id, Moment(NOW.as_of, memory.created_at))

    @every_read
    def test_an_entity_is_not_there_before_its_first_state(self, store: Store, read: Read) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Old Mill", valid_from=START + DAY)
        assert not read(store, ANNE, entity_id, Moment(START + DAY - MICROSECOND, NOW.known_at))
        assert read(store, ANNE, entity_id, Moment(START + DAY, NOW.known_at))

    @every_read
    @pytest.mark.parametrize("status", [Status.FORGOTTEN, Status.QUARANTINED])
    def test_what_is_put_away_shows_no_entity_but_it_was_known(self, store: Store, read: Read, status: Status) -> None:
        entity_id, memory = keep_entity(store, ANNE, "Old Mill")
        revised = revise(store, ANNE, memory, Verb.FORGET, START + DAY, status=status)
        assert not read(store, ANNE, entity_id, NOW)
        assert read(store, ANNE, entity_id, Moment(NOW.as_of, START + DAY - MICROSECOND))
        revise(store, ANNE, revised, Verb.RESTORE, START + 2 * DAY, status=Status.ACTIVE)
        assert read(store, ANNE, entity_id, NOW)

    def test_counts_are_of_the_memories_that_the_reader_may_see(self, store: Store) -> None:
        entity_id, made = keep_entity(store, ANNE, "Old Mill")
        keep_mention(store, ANNE, [entity_id], at=START + DAY)
        hidden = keep_mention(store, ANNE, [entity_id], at=START + 2 * DAY, visibility=Visibility.PRIVATE)
        (ours,), (theirs,) = (store.entities.get(scope, [entity_id], NOW) for scope in (ANNE, BERT))
        assert (ours.mention_count, ours.first_seen, ours.last_referenced) == (3, made.created_at, hidden.created_at)
        assert (theirs.mention_count, theirs.first_seen, theirs.last_referenced) == (
            2,
            made.created_at,
            START + DAY,
        )
        then = Moment(NOW.as_of, START)
        assert store.entities.get(ANNE, [entity_id], then)[0].mention_count == 1

    def test_widening_reaches_what_the_memory_made_and_nothing_else(self, store: Store) -> None:
        entity_id, memory = keep_entity(store, ANNE, "Old Mill", visibility=Visibility.PRIVATE)
        other, _ = keep_entity(store, ANNE, "New Mill", visibility=Visibility.PRIVATE)
        with store.transaction(ANNE, START) as now:
            store.entities.mention(ANNE, memory.id, [NewMention(other, None, None, 1.0)], now)
        revise(store, ANNE, memory, Verb.SHARE, visibility=Visibility.SHARED)
        with store.transaction(ANNE, START):
            store.entities.widen(ANNE, memory.id, Visibility.SHARED, None)
        assert [entity.id for entity in store.entities.page(BERT, (), NOW, 10, None)] == [entity_id]
        assert [one.entity_id for one in store.entities.mentions_of(BERT, [memory.id], NOW)] == [entity_id]

    # Asking for several

    def test_entities_are_answered_in_the_order_asked_and_what_is_not_there_is_left_out(self, store: Store) -> None:
        first, second, third = (keep_entity(store, ANNE, name)[0] for name in ("One", "Two", "Three"))
        asked = [third, new_id("e", START), first, second]
        assert [entity.id for entity in store.entities.get(ANNE, asked, NOW)] == [third, first, second]

    def test_pages_are_oldest_first_follow_one_another_and_leave_out_what_is_retired(self, store: Store) -> None:
        kept = [keep_entity(store, ANNE, f"Mill {number}")[0] for number in range(5)]
        change(store, ANNE, kept[1], START + DAY, event=EntityEvent.RETIRED)
        first = [entity.id for entity in store.entities.page(BERT, (), NOW, 2, None)]
        second = [entity.id for entity in store.entities.page(BERT, (), NOW, 2, first[-1])]
        assert [first, second] == [[kept[0], kept[2]], kept[3:]]
        before = Moment(START + DAY - MICROSECOND, NOW.known_at)
        assert [entity.id for entity in store.entities.page(BERT, (), before, 10, None)] == kept
        (retired,) = store.entities.get(BERT, [kept[1]], NOW)
        assert retired.retired

    def test_a_page_may_be_of_some_types(self, store: Store) -> None:
        kept = {
            type_: keep_entity(store, ANNE, f"A {type_}", type_=type_)[0]
            for type_ in (EntityType.PERSON, EntityType.TOOL, EntityType.TASK)
        }
        found = store.entities.page(ANNE, [EntityType.TASK, EntityType.PERSON], NOW, 10, None)
        assert [entity.id for entity in found] == [kept[EntityType.PERSON], kept[EntityType.TASK]]

    def test_a_page_is_filled_with_visible_entities(self, store: Store) -> None:
        for number in range(10):
            keep_entity(store, ANNE, f"Theirs {number}", visibility=Visibility.PRIVATE)
        ours = [keep_entity(store, BERT, f"Ours {number}")[0] for number in range(3)]
        assert [entity.id for entity in store.entities.page(BERT, (), NOW, 3, None)] == ours
        assert store.entities.count(BERT, NOW) == 3

    def test_an_entity_is_found_by_the_ending_of_its_id(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Old Mill")
        keep_entity(store, ANNE, "New Mill")
        for length in (8, 13, 26):
            assert store.entities.ids_ending(BERT, entity_id[-length:], NOW) == [entity_id]

    def test_a_type_that_was_unknown_can_be_said_once(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Old Mill", type_=EntityType.UNKNOWN)
        for type_ in (EntityType.LOCATION, EntityType.TOOL):
            with store.transaction(ANNE, START):
                store.entities.set_type(ANNE, entity_id, type_)
        assert store.entities.get(ANNE, [entity_id], NOW)[0].type is EntityType.LOCATION

    # Mentions

    def test_mentions_come_in_the_order_of_memories_asked_and_places(self, store: Store) -> None:
        first, made_first = keep_entity(store, ANNE, "One")
        second, _ = keep_entity(store, ANNE, "Two", type_=EntityType.PERSON)
        both = keep_mention(store, ANNE, [second, first])
        shown = store.entities.mentions_of(BERT, [both.id, made_first.id], NOW)
        assert [(one.memory_id, one.entity_id, one.name, one.start, one.end) for one in shown] == [
            (both.id, second, "Two", 0, 1),
            (both.id, first, "One", 1, 2),
            (made_first.id, first, "One", 0, 3),
        ]
        assert (shown[0].type, shown[0].confidence, shown[0].subject) == (EntityType.PERSON, 0.5, False)

    def test_a_mention_of_what_is_not_there_is_an_error(self, store: Store) -> None:
        memory = keep(store, ANNE, "alpha")
        with pytest.raises(StoreError), store.transaction(ANNE, START) as now:
            store.entities.mention(ANNE, memory.id, [NewMention(new_id("e", START), None, None, 1.0)], now)

    def test_a_mention_that_is_taken_back_was_known_until_then(self, store: Store) -> None:
        kept, made = keep_entity(store, ANNE, "One")
        dropped, made_other = keep_entity(store, ANNE, "Two")
        both = keep_mention(store, ANNE, [dropped, kept], subject=True)
        with store.transaction(ANNE, START + DAY) as now:
            store.entities.unmention(ANNE, both.id, [dropped], now)
        before = Moment(NOW.as_of, START + DAY - MICROSECOND)
        mentions = [
            [one.entity_id for one in store.entities.mentions_of(BERT, [both.id], moment)] for moment in (NOW, before)
        ]
        assert mentions == [[kept], [dropped, kept]]
        counts = [store.entities.get(BERT, [dropped], moment)[0].mention_count for moment in (NOW, before)]
        assert counts == [1, 2]
        assert store.memories.get(BERT, [both.id], NOW)[0].subject is None
        of_dropped = ids(store.memories.page(BERT, MemoryFilter(entity=dropped), NOW, 10, None))
        assert (of_dropped, made.id in of_dropped) == ([made_other.id], False)

    def test_the_subject_of_a_memory_is_read_with_it_and_can_be_asked_for(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Old Mill", type_=EntityType.LOCATION)
        about = keep_mention(store, ANNE, [entity_id], subject=True)
        beside = keep_mention(store, ANNE, [entity_id])
        keep(store, ANNE, "alpha")
        (read,) = store.memories.get(BERT, [about.id], NOW)
        assert read.subject == Subject(entity_id, "Old Mill", EntityType.LOCATION)
        of_type = MemoryFilter(types=(EntityType.LOCATION,))
        assert ids(store.memories.page(BERT, of_type, NOW, 10, None)) == [about.id]
        speaking = ids(store.memories.page(BERT, MemoryFilter(entity=entity_id), NOW, 10, None))
        assert speaking[:2] == [beside.id, about.id]
        assert len(speaking) == 3
