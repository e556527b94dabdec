"""`contracts.Entities`, as tests: the chain of an entity's states, and what was believed of it when."""

from __future__ import annotations

import random
from datetime import datetime
from typing import Any

import pytest

from trigraph.contracts import NewEntity, NewMention, NewState, Store
from trigraph.errors import StoreError
from trigraph.model.entity import EntityEvent
from trigraph.model.ids import new_id
from trigraph.model.memory import EntityType, Visibility
from trigraph.model.times import Moment
from trigraph.testing.builders import ANNE, BERT, DAY, MICROSECOND, NOW, START, new_memory
from trigraph.testing.cast import AUDIENCES, every_audience, expected, register_all, shown
from trigraph.testing.changes import State, chain, change, keep_entity, keep_mention, plain
from trigraph.testing.suites.base import Suite

KNOWN = NOW.known_at
FIRST, SECOND, THIRD = START, START + 10 * DAY, START + 20 * DAY
LATER = START + 100 * DAY
"""When the second change becomes known; the first is known from `START` on."""


class StatesSuite(Suite):
    """States: one chain, without gap or overlap, that can be read as it was believed at any time."""

    # Changes

    def test_a_change_ends_the_state_before_it_and_keeps_what_it_does_not_name(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Mill", props={"colour": "red", "size": "big"})
        cause = change(store, ANNE, entity_id, SECOND, props={"colour": "blue"}, event=EntityEvent.STATUS_CHANGED)
        assert chain(store, BERT, entity_id, KNOWN) == [
            ("Mill", {"colour": "red", "size": "big"}, FIRST, SECOND),
            ("Mill", {"colour": "blue", "size": "big"}, SECOND, None),
        ]
        last = store.entities.states(BERT, entity_id, KNOWN)[-1]
        assert (last.event, last.cause_id) == (EntityEvent.STATUS_CHANGED, cause.id)
        assert last.props["colour"].memory_id == cause.id
        assert last.props["size"].memory_id != cause.id

    def test_a_change_that_arrives_late_ends_where_the_next_state_begins(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Mill", props={"colour": "red"})
        change(store, ANNE, entity_id, THIRD, props={"colour": "blue"})
        change(store, ANNE, entity_id, SECOND, at=LATER, name="Old Mill", props={"size": "big"})
        assert chain(store, BERT, entity_id, KNOWN) == [
            ("Mill", {"colour": "red"}, FIRST, SECOND),
            ("Old Mill", {"colour": "red", "size": "big"}, SECOND, THIRD),
            ("Old Mill", {"colour": "blue", "size": "big"}, THIRD, None),
        ]
        assert chain(store, BERT, entity_id, LATER - MICROSECOND) == [
            ("Mill", {"colour": "red"}, FIRST, THIRD),
            ("Mill", {"colour": "blue"}, THIRD, None),
        ]

    def test_a_change_before_the_first_state_ends_where_that_begins(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Mill", props={"colour": "red"})
        before = FIRST - 10 * DAY
        change(store, ANNE, entity_id, before, at=LATER, props={"size": "small"})
        assert chain(store, BERT, entity_id, KNOWN) == [
            ("Mill", {"size": "small"}, before, FIRST),
            ("Mill", {"colour": "red", "size": "small"}, FIRST, None),
        ]
        assert chain(store, BERT, entity_id, LATER - MICROSECOND) == [("Mill", {"colour": "red"}, FIRST, None)]

    @pytest.mark.parametrize("instant", [FIRST, SECOND, THIRD], ids=["first", "middle", "last"])
    def test_a_change_at_the_instant_of_another_replaces_it(self, store: Store, instant: datetime) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Mill", props={"at": str(FIRST)})
        for begins in (SECOND, THIRD):
            change(store, ANNE, entity_id, begins, props={"at": str(begins)})
        before = chain(store, ANNE, entity_id, KNOWN)
        cause = change(store, ANNE, entity_id, instant, at=LATER, props={"size": "big"})
        assert chain(store, ANNE, entity_id, KNOWN) == [
            (name, {**props, "size": "big"} if begins >= instant else props, begins, ends)
            for name, props, begins, ends in before
        ]
        assert chain(store, ANNE, entity_id, LATER - MICROSECOND) == before
        (changed,) = (one for one in store.entities.states(ANNE, entity_id, KNOWN) if one.valid_from == instant)
        assert changed.cause_id == cause.id

    def test_several_changes_of_one_transaction_leave_one_chain(self, store: Store) -> None:
        with store.transaction(ANNE, START) as now:
            new = new_memory(ANNE, "alpha", at=now)
            store.memories.add(ANNE, new)
            entity_id, made_by = new_id("e", now), new.memory.id
            made = NewEntity(entity_id, "Mill", "mill", EntityType.SYSTEM, made_by, Visibility.SHARED, None, FIRST, {})
            store.entities.add(ANNE, made, now)
            store.entities.mention(ANNE, made_by, [NewMention(entity_id, None, None, 1.0)], now)
            for begins, size in ((THIRD, "1"), (SECOND, "2"), (THIRD, "3"), (FIRST, "4")):
                state = NewState(EntityEvent.UPDATED, made_by, begins, None, {"size": size})
                store.entities.put_state(ANNE, entity_id, state, now)
        assert chain(store, BERT, entity_id, KNOWN) == chain(store, BERT, entity_id, START)
        assert chain(store, BERT, entity_id, KNOWN) == [
            ("Mill", {"size": "4"}, FIRST, SECOND),
            ("Mill", {"size": "2"}, SECOND, THIRD),
            ("Mill", {"size": "3"}, THIRD, None),
        ]

    def test_a_state_of_what_is_not_there_cannot_be_changed(self, store: Store) -> None:
        _, memory = keep_entity(store, ANNE, "Mill")
        state = NewState(EntityEvent.UPDATED, memory.id, SECOND, None, {})
        with pytest.raises(StoreError), store.transaction(ANNE, START) as now:
            store.entities.put_state(ANNE, new_id("e", START), state, now)

    def test_a_random_script_leaves_at_every_time_the_chain_that_a_dictionary_would(self, store: Store) -> None:
        dice = random.Random(20261101)
        entity_id, made = keep_entity(store, ANNE, "Mill")
        changes: list[_Change] = [(START, "Mill", {})]
        believed = {made.created_at: _chain(changes)}
        for step in range(60):
            begins = START + dice.randint(-10, 10) * DAY
            name = dice.choice([None, None, f"Mill {step}"])
            props = {dice.choice("abc"): str(step)}
            changes.append((begins, name, props))
            cause = change(store, ANNE, entity_id, begins, name=name, props=props)
            believed[cause.created_at] = _chain(changes)
        for known_at, expected_chain in believed.items():
            assert chain(store, BERT, entity_id, known_at) == expected_chain
            as_of = START + dice.randint(-10, 10) * DAY
            held_then = [state for state in expected_chain if state[2] <= as_of]
            found = store.entities.get(BERT, [entity_id], Moment(as_of, known_at))
            assert [plain(entity.state) for entity in found] == held_then[-1:]

    # Who sees them

    @every_audience
    def test_a_state_is_seen_by_whom_its_cause_is(self, store: Store, audience: dict[str, Any]) -> None:
        register_all(store)
        entity_id, _ = keep_entity(store, ANNE, "Mill")
        change(store, ANNE, entity_id, SECOND, props={"colour": "blue"}, **audience)
        told = expected(audience, AUDIENCES["shared"])
        assert shown(lambda scope: store.entities.states(scope, entity_id, KNOWN)[1:]) == told

    @pytest.mark.parametrize("begins", [FIRST - DAY, FIRST, SECOND], ids=["before", "at", "after"])
    def test_a_hidden_change_is_as_if_it_had_not_been(self, store: Store, begins: datetime) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Mill", props={"colour": "red"})
        before = chain(store, BERT, entity_id, KNOWN)
        private, black = Visibility.PRIVATE, {"colour": "black"}
        change(store, ANNE, entity_id, begins, at=LATER, name="Hideout", props=black, visibility=private)
        assert chain(store, BERT, entity_id, KNOWN) == before
        assert [plain(one.state) for one in store.entities.get(BERT, [entity_id], NOW)] == before
        assert store.entities.count(BERT, NOW) == len(store.entities.page(BERT, (), NOW, 10, None)) == 1
        assert ("Hideout", black, begins) in [one[:3] for one in chain(store, ANNE, entity_id, KNOWN)]

    def test_when_a_state_was_believed_does_not_tell_of_a_hidden_one(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Mill")
        before = store.entities.states(BERT, entity_id, KNOWN)
        change(store, ANNE, entity_id, SECOND, at=LATER, visibility=Visibility.PRIVATE)
        assert store.entities.states(BERT, entity_id, KNOWN) == before
        assert store.entities.states(BERT, entity_id, LATER - MICROSECOND) == before

    def test_the_end_of_a_state_does_not_tell_of_a_hidden_one(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Mill")
        change(store, ANNE, entity_id, SECOND, visibility=Visibility.PRIVATE)
        change(store, ANNE, entity_id, THIRD)
        ends = [state.valid_until for state in store.entities.states(BERT, entity_id, KNOWN)]
        assert ends == [THIRD, None]
        between = Moment(SECOND + DAY, KNOWN)
        (entity,) = store.entities.get(BERT, [entity_id], between)
        assert (entity.state.valid_from, entity.state.valid_until) == (FIRST, THIRD)

    def test_a_property_from_a_hidden_memory_is_in_no_state_that_others_see(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Mill", props={"colour": "red"})
        change(store, ANNE, entity_id, SECOND, props={"safe": "behind it"}, visibility=Visibility.PRIVATE)
        change(store, ANNE, entity_id, THIRD, props={"size": "big"})
        assert chain(store, BERT, entity_id, KNOWN)[-1][1] == {"colour": "red", "size": "big"}
        assert plain(store.entities.get(BERT, [entity_id], NOW)[0].state)[1] == {"colour": "red", "size": "big"}
        assert chain(store, ANNE, entity_id, KNOWN)[-1][1] == {
            "colour": "red",
            "safe": "behind it",
            "size": "big",
        }

    def test_a_hidden_value_does_not_take_the_place_of_one_that_is_seen(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Mill", props={"colour": "red"})
        change(store, ANNE, entity_id, SECOND, props={"colour": "black"}, visibility=Visibility.PRIVATE)
        change(store, ANNE, entity_id, THIRD, props={"size": "big"})
        assert chain(store, BERT, entity_id, KNOWN)[-1][1] == {"colour": "red", "size": "big"}

    def test_the_states_of_an_entity_that_is_not_seen_are_none(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Mill", visibility=Visibility.PRIVATE)
        keep_mention(store, ANNE, [entity_id])
        assert store.entities.states(BERT, entity_id, KNOWN) == []
        assert store.entities.states(ANNE, new_id("e", START), KNOWN) == []
        assert store.entities.states(ANNE, entity_id, START - MICROSECOND) == []


_Change = tuple[datetime, str | None, dict[str, str]]


def _chain(changes: list[_Change]) -> list[State]:
    """What changes amount to, told in the order of their instants; those of one instant as one. Before the first
    that gives a name, the thing has that name, too."""
    held: dict[datetime, tuple[str | None, dict[str, str]]] = {}
    name: str | None = None
    props: dict[str, str] = {}
    for begins, renamed, changed in sorted(changes, key=lambda change: change[0]):
        name, props = renamed or name, {**props, **changed}
        held[begins] = (name, props)
    first = next(one for one, _ in held.values() if one)
    ends: list[datetime | None] = [*list(held)[1:], None]
    return [(one or first, told, start, end) for (start, (one, told)), end in zip(held.items(), ends, strict=True)]
