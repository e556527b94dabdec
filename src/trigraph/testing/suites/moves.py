"""`contracts.Moves`, as tests: what goes from one entity to another and back, and pairs that may be one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import pytest

from trigraph.contracts import NewMention, Store
from trigraph.errors import StoreError
from trigraph.model.change import Verb
from trigraph.model.ids import new_id
from trigraph.model.memory import EntityType, Memory, Subject, Visibility
from trigraph.model.relation import RelationType
from trigraph.model.resolution import Move, Pair, PairState
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.testing.builders import ANNE, BERT, DAY, HIDDEN, ISLAND, MICROSECOND, NOW, START, new_memory, open_island
from trigraph.testing.changes import erase, keep_alias, keep_entity, keep_mention, keep_relation, relate
from trigraph.testing.suites.audit import broken
from trigraph.testing.suites.base import Suite, undone

LATER, MUCH_LATER, LAST = START + DAY, START + 2 * DAY, START + 3 * DAY


@dataclass(frozen=True)
class Two:
    """Two entities, and memories that speak of one, of the other, and of both."""

    mill: str
    grinder: str
    of_mill: Memory
    of_grinder: Memory
    of_both: Memory


def two(store: Store, **fields: Any) -> Two:
    mill, of_mill = keep_entity(store, ANNE, "Mill", **fields)
    grinder, of_grinder = keep_entity(store, ANNE, "Grinder", **fields)
    return Two(mill, grinder, of_mill, of_grinder, keep_mention(store, ANNE, [grinder, mill], subject=True, **fields))


def told(scope: Scope, from_id: str, to_id: str, at: datetime, cause: Memory, **fields: Any) -> Move:
    one, other = (Subject(id_, "", EntityType.SYSTEM) for id_ in (from_id, to_id))
    move = Move(new_id("g", at), Verb.MERGE, one, other, at, scope.agent, "one and the same", cause.id)
    return replace(move, **fields)


def move(
    store: Store, from_id: str, to_id: str, cause: Memory, at: datetime = LATER, scope: Scope = ANNE, **fields: Any
) -> str:
    """Move everything, or with `memories` and `names` some, and keep that; returns the id of the move."""
    memories, names = fields.pop("memories", None), fields.pop("moved_names", None)
    with store.transaction(scope, at) as now:
        store.moves.move(scope, from_id, to_id, memories, names, now)
        kept = told(scope, from_id, to_id, now, cause, **fields)
        store.moves.keep(scope, kept)
    return kept.id


def merge(store: Store, here: Two, at: datetime = LATER) -> str:
    return move(store, here.grinder, here.mill, here.of_grinder, at)


def move_back(store: Store, move_id: str, at: datetime = MUCH_LATER) -> None:
    with store.transaction(ANNE, at) as now:
        store.moves.move_back(ANNE, move_id, now)


def spoken_of(store: Store, entity_id: str, moment: Moment = NOW, scope: Scope = ANNE) -> int | None:
    found = store.entities.get(scope, [entity_id], moment)
    return found[0].mention_count if found else None


def everything(store: Store, memories: list[Memory], entities: list[str], moment: Moment = NOW) -> list[object]:
    """All that is read of entities and of the memories that speak of them."""
    return [
        store.entities.get(ANNE, entities, moment),
        store.entities.mentions_of(ANNE, [one.id for one in memories], moment),
        [
            (one.source.id, one.type, one.target.id, [(told.memory_id, told.section) for told in one.evidence])
            for one in store.relations.of(ANNE, entities, moment)
        ],
        [sorted(one.entity_id for one in store.entities.known_names(ANNE, [lead])) for lead in ("mill", "grinder")],
        [memory.subject for memory in store.memories.get(ANNE, [one.id for one in memories], moment)],
    ]


class MovesSuite(Suite):
    """`contracts.Moves`."""

    # There

    def test_one_entity_has_what_two_had(self, store: Store) -> None:
        here = two(store)
        merge(store, here)
        assert (spoken_of(store, here.mill), spoken_of(store, here.grinder)) == (3, None)
        for key in ("mill", "grinder"):
            (found,) = store.entities.named(BERT, key, NOW)
            assert (found.id, found.name, found.aliases) == (here.mill, "Mill", ("Grinder",))
        assert {one.entity_id for one in store.entities.known_names(BERT, ["mill", "grinder"])} == {here.mill}
        assert store.entities.count(BERT, NOW) == 1

    def test_what_was_known_before_stays(self, store: Store) -> None:
        here = two(store)
        memories, entities = [here.of_mill, here.of_grinder, here.of_both], [here.mill, here.grinder]
        then = Moment(NOW.as_of, LATER - MICROSECOND)
        before = everything(store, memories, entities, then)[:3]
        merge(store, here)
        assert everything(store, memories, entities, then)[:3] == before
        named = [one.id for one in store.entities.named(ANNE, "grinder", then)]
        known = store.entities.known_names(ANNE, ["grinder"], then)
        assert (named, here.grinder in {one.entity_id for one in known}) == ([here.grinder], True)

    def test_a_memory_that_speaks_of_both_keeps_one_mention_and_its_subject(self, store: Store) -> None:
        here = two(store)
        merge(store, here)
        (kept,) = store.entities.mentions_of(ANNE, [here.of_both.id], NOW)
        assert (kept.entity_id, kept.subject, kept.start) == (here.mill, True, 1)
        subject = store.memories.get(ANNE, [here.of_both.id], NOW)[0].subject
        assert subject == Subject(here.mill, "Mill", EntityType.SYSTEM)

    def test_relations_go_along_and_one_between_the_two_ends(self, store: Store) -> None:
        here = two(store)
        pond, _ = keep_entity(store, ANNE, "Pond")
        _, uses = keep_relation(store, ANNE, here.grinder, pond, RelationType.USES)
        _, same = keep_relation(store, ANNE, here.mill, pond, RelationType.USES)
        _, owns = keep_relation(store, ANNE, pond, here.grinder, RelationType.OWNS)
        keep_relation(store, ANNE, here.grinder, here.mill, RelationType.PART_OF)
        merge(store, here)
        found = store.relations.of(BERT, [here.mill], NOW)
        assert [(one.source.id, one.type, one.target.id) for one in found] == [
            (here.mill, RelationType.USES, pond),
            (pond, RelationType.OWNS, here.mill),
        ]
        assert [{told.memory_id for told in one.evidence} for one in found] == [{uses.id, same.id}, {owns.id}]
        assert store.relations.of(BERT, [here.grinder], NOW) == []
        assert len(store.relations.of(BERT, [here.grinder], Moment(NOW.as_of, LATER - MICROSECOND))) == 3
        assert broken(store, ANNE) == {}

    def test_evidence_of_both_is_one(self, store: Store) -> None:
        here = two(store)
        pond, _ = keep_entity(store, ANNE, "Pond")
        memory = keep_mention(store, ANNE, [here.mill, here.grinder, pond])
        for source in (here.mill, here.grinder):
            relate(store, ANNE, memory, source, pond)
        merge(store, here)
        (found,) = store.relations.of(ANNE, [pond], NOW)
        assert [one.memory_id for one in found.evidence] == [memory.id]

    def test_some_memories_and_names_go_and_the_rest_stays(self, store: Store) -> None:
        here = two(store)
        keep_alias(store, ANNE, here.mill, "Works", here.of_mill)
        going = keep_mention(store, ANNE, [here.mill])
        fields: dict[str, Any] = {
            "verb": Verb.SPLIT,
            "memories": [going.id],
            "moved_names": ["works"],
            "names": ("works",),
        }
        split = move(store, here.mill, here.grinder, here.of_grinder, **fields)
        assert [one.entity_id for one in store.entities.mentions_of(ANNE, [going.id], NOW)] == [here.grinder]
        assert [one.id for one in store.entities.named(ANNE, "works", NOW)] == [here.grinder]
        assert [one.entity_id for one in store.entities.known_names(ANNE, ["works"])] == [here.grinder]
        assert [one.id for one in store.entities.named(ANNE, "mill", NOW)] == [here.mill]
        then = Moment(NOW.as_of, LATER - MICROSECOND)
        assert [one.id for one in store.entities.named(ANNE, "works", then)] == [here.mill]
        assert (spoken_of(store, here.mill), spoken_of(store, here.grinder)) == (2, 3)
        move_back(store, split)
        assert [one.id for one in store.entities.named(ANNE, "works", NOW)] == [here.mill]
        assert spoken_of(store, here.grinder) is None

    def test_what_nobody_may_see_goes_along_unseen(self, store: Store) -> None:
        here = two(store)
        hidden = keep_mention(store, BERT, [here.grinder], visibility=Visibility.PRIVATE)
        keep_alias(store, BERT, here.grinder, "Secret", hidden)
        merge(store, here)
        assert (spoken_of(store, here.mill), spoken_of(store, here.mill, scope=BERT)) == (3, 4)
        assert [one.entity_id for one in store.entities.mentions_of(BERT, [hidden.id], NOW)] == [here.mill]
        assert store.entities.get(ANNE, [here.mill], NOW)[0].aliases == ("Grinder",)
        assert "Secret" in store.entities.get(BERT, [here.mill], NOW)[0].aliases
        assert store.entities.named(ANNE, "secret", NOW) == []

    def test_what_was_undone_never_went(self, store: Store) -> None:
        here = two(store)
        with undone(store, ANNE, LATER) as now:
            store.moves.move(ANNE, here.grinder, here.mill, None, None, now)
        assert (spoken_of(store, here.mill), spoken_of(store, here.grinder)) == (2, 2)

    def test_nothing_goes_to_where_nothing_is(self, store: Store) -> None:
        open_island(store)
        here = two(store)
        foreign, _ = keep_entity(store, ISLAND, "Reef")
        for wrong in (foreign, new_id("e", START)):
            with pytest.raises(StoreError), store.transaction(ANNE, LATER) as now:
                store.moves.move(ANNE, here.mill, wrong, None, None, now)

    # And back

    def test_all_that_went_goes_back_as_it_was(self, store: Store) -> None:
        here = two(store)
        pond, of_pond = keep_entity(store, ANNE, "Pond")
        memories = [here.of_mill, here.of_grinder, here.of_both, of_pond]
        for source, target in (
            (here.grinder, pond),
            (pond, here.grinder),
            (here.mill, pond),
            (here.grinder, here.mill),
        ):
            memories.append(keep_relation(store, ANNE, source, target)[1])
        triple = keep_mention(store, ANNE, [here.mill, here.grinder, pond])
        for source in (here.mill, here.grinder):
            relate(store, ANNE, triple, source, pond)
        memories.append(triple)
        before = everything(store, memories, [here.mill, here.grinder, pond])
        between = merge(store, here)
        assert everything(store, memories, [here.mill, here.grinder, pond]) != before
        move_back(store, between)
        assert everything(store, memories, [here.mill, here.grinder, pond]) == before
        assert broken(store, ANNE) == {}

    @pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=str)
    @pytest.mark.parametrize("about", [0, 1, 2, None])
    def test_moves_into_one_are_undone_in_any_order(
        self, store: Store, order: tuple[int, int], about: int | None
    ) -> None:
        here = two(store)
        pond, of_pond = keep_entity(store, ANNE, "Pond")
        three = [pond, here.grinder, here.mill]
        memories = [here.of_mill, here.of_grinder, here.of_both, of_pond]
        for spoken in (three, three[:2]):
            first = [] if about is None or about >= len(spoken) else [spoken[about]]
            ordered = [*first, *(one for one in spoken if one not in first)]
            memories.append(keep_mention(store, ANNE, ordered, subject=bool(first)))
        before = everything(store, memories, three)
        made = [merge(store, here), move(store, pond, here.mill, of_pond, LATER + MICROSECOND)]
        for place, at in zip(order, (MUCH_LATER, LAST), strict=True):
            move_back(store, made[place], at)
        assert everything(store, memories, three) == before
        assert broken(store, ANNE) == {}

    def test_what_was_said_since_goes_to_whose_name_it_was(self, store: Store) -> None:
        here = two(store)
        merged = merge(store, here)
        since = {name: keep_named(store, here.mill, name, LATER + MICROSECOND) for name in ("Grinder", "Mill")}
        move_back(store, merged)
        about = {name: store.memories.get(ANNE, [memory.id], NOW)[0].subject for name, memory in since.items()}
        assert {name: subject and subject.id for name, subject in about.items()} == {
            "Grinder": here.grinder,
            "Mill": here.mill,
        }

    def test_a_mention_that_was_dropped_since_stays_so(self, store: Store) -> None:
        here = two(store)
        merged = merge(store, here)
        with store.transaction(ANNE, LATER + MICROSECOND) as now:
            store.entities.unmention(ANNE, here.of_both.id, [here.mill], now)
        move_back(store, merged)
        assert store.entities.mentions_of(ANNE, [here.of_both.id], NOW) == []
        assert spoken_of(store, here.grinder) == 1

    def test_what_it_was_said_to_be_is_unknown_again(self, store: Store) -> None:
        here = two(store)
        vague, of_vague = keep_entity(store, ANNE, "Thing", type_=EntityType.UNKNOWN)
        with store.transaction(ANNE, LATER) as now:
            store.moves.move(ANNE, here.mill, vague, None, None, now)
            store.entities.set_type(ANNE, vague, EntityType.SYSTEM)
            kept = told(ANNE, here.mill, vague, now, of_vague, gave_type=EntityType.SYSTEM)
            store.moves.keep(ANNE, kept)
        move_back(store, kept.id)
        assert store.entities.get(ANNE, [vague], NOW)[0].type is EntityType.UNKNOWN

    def test_a_move_is_undone_once(self, store: Store) -> None:
        here = two(store)
        merged = merge(store, here)
        move_back(store, merged)
        with pytest.raises(StoreError):
            move_back(store, merged, LAST)

    def test_between_both_it_was_known_as_one(self, store: Store) -> None:
        here = two(store)
        move_back(store, merge(store, here))
        then = Moment(NOW.as_of, MUCH_LATER - MICROSECOND)
        assert (spoken_of(store, here.mill, then), spoken_of(store, here.grinder, then)) == (3, None)

    # What is kept of it

    def test_a_move_comes_back_whole(self, store: Store) -> None:
        here = two(store)
        names: dict[str, Any] = {"names": ("grinder",), "gave_type": EntityType.TOOL}
        id_ = move(store, here.grinder, here.mill, here.of_mill, **names)
        (found,) = store.moves.moves(BERT, here.mill)
        assert found == Move(
            id=id_,
            verb=Verb.MERGE,
            from_=Subject(here.grinder, "Grinder", EntityType.SYSTEM),
            to=Subject(here.mill, "Mill", EntityType.SYSTEM),
            at=LATER,
            author="anne",
            reason="one and the same",
            cause_id=here.of_mill.id,
            names=("grinder",),
            gave_type=EntityType.TOOL,
            undone_at=None,
        )
        assert store.moves.moves(BERT, here.grinder) == store.moves.get(BERT, id_[-8:]) == [found]
        move_back(store, id_)
        assert store.moves.get(BERT, id_[-26:]) == [replace(found, undone_at=MUCH_LATER)]

    @pytest.mark.parametrize("visibility", HIDDEN)
    def test_a_move_is_seen_by_whoever_sees_who_tells_it_and_both_entities(
        self, store: Store, visibility: Visibility
    ) -> None:
        open_island(store)
        here = two(store)
        hidden, cause = keep_entity(store, ANNE, "Secret", visibility=visibility)
        untold = move(store, here.mill, here.grinder, cause)
        unseen = move(store, hidden, here.grinder, here.of_mill, MUCH_LATER)
        assert {one.id for one in store.moves.moves(ANNE, here.grinder)} == {untold, unseen}
        assert store.moves.moves(BERT, here.grinder) == store.moves.moves(ISLAND, here.grinder) == []
        for id_ in (untold, unseen):
            assert store.moves.get(BERT, id_[-8:]) == store.moves.get(ISLAND, id_[-8:]) == []

    def test_when_what_tells_it_is_erased_its_reason_is_gone(self, store: Store) -> None:
        here = two(store)
        cause = keep_mention(store, ANNE, [here.mill], at=LATER)
        id_ = move(store, here.grinder, here.mill, cause, MUCH_LATER)
        erase(store, ANNE, cause, at=LAST)
        (found,) = store.moves.get(ANNE, id_[-8:])
        assert (found.cause_id, found.reason) == (None, None)
        assert store.moves.get(BERT, id_[-8:]) == []

    # Pairs

    def test_a_pair_is_asked_about_once(self, store: Store) -> None:
        here = two(store)
        assert [keep_pair(store, here), keep_pair(store, here, swapped=True)] == [True, False]
        (pair,) = store.moves.pairs(BERT, 10)
        assert (pair.score, pair.reason, pair.state, pair.author) == (0.8, "alike", PairState.OPEN, "anne")
        assert {pair.one.name, pair.other.name} == {"Mill", "Grinder"}
        assert store.moves.get_pair(BERT, pair.id[-8:]) == [pair]
        assert store.moves.asked(BERT) == {frozenset((here.mill, here.grinder)): False}

    @pytest.mark.parametrize("state", [PairState.ONE, PairState.TWO])
    def test_a_pair_that_was_decided_waits_no_longer(self, store: Store, state: PairState) -> None:
        here = two(store)
        keep_pair(store, here)
        (pair,) = store.moves.pairs(ANNE, 10)
        decided = replace(pair, state=state, decided_at=LATER, decided_by="bert")
        with store.transaction(BERT, LATER):
            store.moves.decide_pair(BERT, decided)
        assert store.moves.pairs(ANNE, 10) == []
        assert store.moves.get_pair(ANNE, pair.id[-8:]) == [decided]
        assert not keep_pair(store, here)
        assert list(store.moves.asked(ANNE).values()) == ([True] if state is PairState.TWO else [])

    def test_what_nobody_asked_can_be_decided(self, store: Store) -> None:
        here = two(store)
        with store.transaction(ANNE, LATER) as now:
            store.moves.decide_pair(ANNE, pair_of(here, now, state=PairState.TWO, decided_at=now, decided_by="anne"))
        assert store.moves.asked(ANNE) == {frozenset((here.mill, here.grinder)): True}

    def test_what_was_told_of_an_entity_is_told_of_what_it_went_into(self, store: Store) -> None:
        here = two(store)
        pond, of_pond = keep_entity(store, ANNE, "Pond")
        with store.transaction(ANNE, START) as now:
            store.moves.decide_pair(ANNE, pair_of(here, now, state=PairState.TWO))
        merged = move(store, here.grinder, pond, of_pond)
        assert store.moves.asked(ANNE) == {frozenset((here.mill, pond)): True}
        move_back(store, merged)
        assert store.moves.asked(ANNE) == {frozenset((here.mill, here.grinder)): True}

    @pytest.mark.parametrize("visibility", HIDDEN)
    def test_a_pair_is_seen_by_whoever_sees_both(self, store: Store, visibility: Visibility) -> None:
        open_island(store)
        here = two(store)
        hidden, _ = keep_entity(store, ANNE, "Secret", visibility=visibility)
        keep_pair(store, replace(here, grinder=hidden))
        (pair,) = store.moves.pairs(ANNE, 10)
        for other in (BERT, ISLAND):
            assert store.moves.pairs(other, 10) == store.moves.get_pair(other, pair.id[-8:]) == []

    # All names, and what surrounds them

    def test_entities_are_told_by_all_their_names(self, store: Store) -> None:
        open_island(store)
        here = two(store)
        keep_alias(store, ANNE, here.mill, "Works", here.of_mill)
        keep_entity(store, ANNE, "Secret", visibility=Visibility.PRIVATE)
        keep_entity(store, ANNE, "SPEC-1", type_=EntityType.DOCUMENT)
        found = store.moves.names(BERT, NOW, 10)
        assert [(one.id, one.names, one.mentions) for one in found] == [
            (here.mill, ("Mill", "Works"), 2),
            (here.grinder, ("Grinder",), 2),
        ]
        assert len(store.moves.names(ANNE, NOW, 10)) == 3
        assert len(store.moves.names(ANNE, NOW, 1)) == 1
        assert store.moves.names(ISLAND, NOW, 10) == []

    def test_surroundings_are_of_the_last_memories_that_may_be_seen(self, store: Store) -> None:
        here = two(store)
        secret, _ = keep_entity(store, ANNE, "Secret", visibility=Visibility.PRIVATE)
        hidden = keep_mention(store, ANNE, [here.mill, secret], "out of sight", visibility=Visibility.PRIVATE)
        around = store.moves.surroundings(BERT, [here.mill, here.grinder, secret], NOW, 5)
        assert set(around) == {here.mill, here.grinder}
        assert around[here.mill].memory_ids == (here.of_both.id, here.of_mill.id)
        assert (around[here.mill].neighbours, around[here.mill].words) == (frozenset({here.grinder}), "it is spoken of")
        (ours,) = store.moves.surroundings(ANNE, [here.mill], NOW, 1).values()
        assert (ours.memory_ids, ours.neighbours, ours.words) == ((hidden.id,), frozenset({secret}), "out of sight")


def keep_named(store: Store, entity_id: str, name: str, at: datetime) -> Memory:
    """A memory about an entity by a name of it."""
    with store.transaction(ANNE, at) as now:
        new = new_memory(ANNE, f"{name} is slow", at=now)
        store.memories.add(ANNE, new)
        store.entities.mention(ANNE, new.memory.id, [NewMention(entity_id, 0, len(name), 1.0, True)], now)
    return new.memory


def pair_of(here: Two, at: datetime, **fields: Any) -> Pair:
    one, other = (Subject(id_, "", EntityType.SYSTEM) for id_ in (here.mill, here.grinder))
    return replace(Pair(new_id("p", at), one, other, 0.8, "alike", PairState.OPEN, "anne", at), **fields)


def keep_pair(store: Store, here: Two, *, swapped: bool = False) -> bool:
    """Ask whether two are one; whether that is new."""
    with store.transaction(ANNE, START) as now:
        pair = pair_of(here, now)
        return store.moves.add_pair(ANNE, replace(pair, one=pair.other, other=pair.one) if swapped else pair)
