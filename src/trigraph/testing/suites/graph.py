"""`contracts.Graph`, as tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import pytest

from trigraph.contracts import Alike, Edge, Linked, Naming, NewMention, Store
from trigraph.model.change import Verb
from trigraph.model.link import LinkOrigin, LinkType
from trigraph.model.memory import (
    DecisionDetails,
    EntityType,
    Kind,
    Memory,
    MemoryFilter,
    Provenance,
    Source,
    Status,
    Visibility,
)
from trigraph.model.relation import RelationType
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.testing.builders import (
    ALL,
    ANNE,
    BERT,
    DAY,
    ISLAND,
    MICROSECOND,
    NOW,
    OTHER_MODEL,
    START,
    keep,
    keep_episode,
    keep_thread,
    open_island,
    passage_keys,
    pin,
    unit_vectors,
)
from trigraph.testing.cast import AUDIENCES, AUTHOR, every_audience, expected, register_all, shown
from trigraph.testing.changes import (
    change,
    end_relation,
    keep_entity,
    keep_link,
    keep_mention,
    keep_relation,
    relate,
    revise,
)
from trigraph.testing.suites.base import Suite

KNOWN = NOW.known_at
LATER, MUCH_LATER = START + DAY, START + 2 * DAY
SESSION = Provenance(Source.USER, "anne", session="s")


@dataclass(frozen=True)
class Stage:
    """Two things, a memory about the first that names the second, relates them and is linked to a memory that asks."""

    mill: str
    pond: str
    asking: Memory
    memory: Memory


def set_stage(store: Store, at: datetime = START, **fields: Any) -> Stage:
    """A memory, with some fields, that every one of `READS` shows."""
    common: dict[str, Any] = {"topic": "Water", "kind": Kind.DECISION, "details": DecisionDetails("why")}
    mill, _ = keep_entity(store, ANNE, "Mill")
    pond, _ = keep_entity(store, ANNE, "Pond")
    asking = keep(store, ANNE, "asking", provenance=SESSION, **common)
    memory = keep_mention(store, ANNE, [mill, pond], subject=True, at=at, provenance=SESSION, **{**common, **fields})
    relate(store, ANNE, memory, mill, pond, at=at)
    keep_link(store, ANNE, asking, memory, at=at)
    return Stage(mill, pond, asking, memory)


Read = Callable[[Store, Scope, Stage, Moment, MemoryFilter], bool]


def _by_edges(store: Store, scope: Scope, stage: Stage, moment: Moment, _: MemoryFilter) -> bool:
    return store.graph.edges(scope, [stage.mill], moment, 10) != []


def _by_about(store: Store, scope: Scope, stage: Stage, moment: Moment, wanted: MemoryFilter) -> bool:
    return stage.memory.id in [one.memory_id for one in store.graph.about(scope, [stage.mill], wanted, moment, 10)]


def _by_naming(store: Store, scope: Scope, stage: Stage, moment: Moment, wanted: MemoryFilter) -> bool:
    return stage.memory.id in [one.memory_id for one in store.graph.naming(scope, stage.pond, wanted, moment, 10)]


def _by_speaking(store: Store, scope: Scope, stage: Stage, moment: Moment, _: MemoryFilter) -> bool:
    found = store.graph.speaking(scope, [stage.mill, stage.pond], moment, 10, 10)
    return stage.memory.id in [one.memory_id for one in found]


def _by_linked(store: Store, scope: Scope, stage: Stage, moment: Moment, wanted: MemoryFilter) -> bool:
    found = store.graph.linked(scope, [stage.asking.id], wanted, moment, 10)
    return stage.memory.id in [one.memory_id for one in found]


def _by_sharing(store: Store, scope: Scope, stage: Stage, moment: Moment, _: MemoryFilter) -> bool:
    found = store.graph.sharing(scope, stage.asking, [stage.mill], moment.known_at, 10)
    return stage.memory.id in [one.memory_id for one in found]


def _by_session(store: Store, scope: Scope, stage: Stage, moment: Moment, _: MemoryFilter) -> bool:
    asking = replace(stage.asking, created_at=moment.known_at)
    found = store.graph.of_session(scope, asking, START - DAY, NOW.as_of, 10)
    return stage.memory.id in [id_ for id_, _, _ in found]


def _by_decisions(store: Store, scope: Scope, stage: Stage, moment: Moment, _: MemoryFilter) -> bool:
    asking = replace(stage.asking, created_at=moment.known_at)
    return stage.memory.id in [id_ for id_, _ in store.graph.decisions_on(scope, asking, 10)]


WALKS: dict[str, Read] = {"about": _by_about, "naming": _by_naming, "linked": _by_linked}
"""Steps that take a filter."""
AT_A_TIME: dict[str, Read] = {"sharing": _by_sharing, "of_session": _by_session, "decisions_on": _by_decisions}
"""Reads of what was true and known at one time."""
READS: dict[str, Read] = {"edges": _by_edges, "speaking": _by_speaking, **WALKS, **AT_A_TIME}

every_read = pytest.mark.parametrize("read", READS.values(), ids=READS)
every_walk = pytest.mark.parametrize("read", WALKS.values(), ids=WALKS)


def at(instant: datetime) -> Moment:
    """What was true at a time, by what was known then."""
    return Moment(instant, instant)


class GraphSuite(Suite):
    """`contracts.Graph`."""

    # What each of them shows, to whom and when

    @every_audience
    @every_read
    def test_a_memory_is_met_by_whom_it_may_be_seen(self, store: Store, read: Read, audience: dict[str, Any]) -> None:
        register_all(store)
        stage = set_stage(store, **audience)
        told = expected(audience, AUDIENCES["shared"])
        if read in (_by_sharing, _by_decisions):  # that what is asked with may be seen is up to whom asks
            told = expected(audience)
        if read is _by_session:
            told = {name: name == AUTHOR.name for name in told}
        assert shown(lambda scope: read(store, scope, stage, NOW, ALL)) == told

    @every_read
    def test_a_memory_is_met_while_it_holds(self, store: Store, read: Read) -> None:
        begins, ends = START + 2 * DAY, START + 9 * DAY
        stage = set_stage(store, valid_from=begins, valid_until=ends)
        times = (begins - MICROSECOND, begins, ends - MICROSECOND, ends)
        assert [read(store, ANNE, stage, at(time), ALL) for time in times] == [False, True, True, False]

    @pytest.mark.parametrize("read", [_by_edges, *WALKS.values()], ids=["edges", *WALKS])
    def test_what_was_true_is_asked_apart_from_what_was_known(self, store: Store, read: Read) -> None:
        stage = set_stage(store, LATER, valid_from=START - DAY, valid_until=START)
        assert read(store, ANNE, stage, Moment(START - MICROSECOND, KNOWN), ALL)
        assert not read(store, ANNE, stage, Moment(START, KNOWN), ALL)
        assert not read(store, ANNE, stage, Moment(START - MICROSECOND, LATER - MICROSECOND), ALL)

    @every_read
    def test_a_memory_is_met_from_when_it_is_known(self, store: Store, read: Read) -> None:
        stage = set_stage(store, LATER, valid_from=START)
        assert not read(store, ANNE, stage, at(stage.memory.created_at - MICROSECOND), ALL)
        assert read(store, ANNE, stage, at(LATER + DAY), ALL)

    @every_read
    @pytest.mark.parametrize("status", [Status.QUARANTINED, Status.FORGOTTEN, Status.ARCHIVED])
    def test_what_is_not_active_is_not_met(self, store: Store, read: Read, status: Status) -> None:
        stage = set_stage(store)
        revise(store, ANNE, stage.memory, Verb.FORGET, LATER, status=status)
        assert not read(store, ANNE, stage, NOW, ALL)
        assert read(store, ANNE, stage, at(LATER - MICROSECOND), ALL)

    @pytest.mark.parametrize("read", [_by_edges, *WALKS.values()], ids=["edges", *WALKS])
    def test_what_was_superseded_is_met_when_that_is_asked_for(self, store: Store, read: Read) -> None:
        stage = set_stage(store)
        fields: dict[str, Any] = {"valid_until": LATER, "superseded": True, "superseded_by": stage.asking.id}
        revise(store, ANNE, stage.memory, Verb.SUPERSEDE, LATER, **fields)
        assert not read(store, ANNE, stage, NOW, ALL)
        assert read(store, ANNE, stage, replace(NOW, superseded=True), ALL)

    @every_read
    def test_another_project_meets_nothing(self, store: Store, read: Read) -> None:
        open_island(store)
        stage = set_stage(store)
        assert read(store, ANNE, stage, NOW, ALL)
        assert not read(store, ISLAND, stage, NOW, ALL)

    @every_walk
    @pytest.mark.parametrize(
        ("fitting", "other"),
        [
            (MemoryFilter(kinds=(Kind.DECISION,)), MemoryFilter(kinds=(Kind.FACT,))),
            (MemoryFilter(types=(EntityType.SYSTEM,)), MemoryFilter(types=(EntityType.PERSON,))),
            (MemoryFilter(topic="water"), MemoryFilter(topic="fire")),
            (MemoryFilter(tags=("a",)), MemoryFilter(tags=("a", "c"))),
            (MemoryFilter(author="anne"), MemoryFilter(author="bert")),
            (MemoryFilter(session="s"), MemoryFilter(session="t")),
            (MemoryFilter(sources=(Source.USER,)), MemoryFilter(sources=(Source.WEB,))),
            (MemoryFilter(created_after=START), MemoryFilter(created_before=START)),
            (MemoryFilter(), MemoryFilter(status=Status.ARCHIVED)),
        ],
        ids=["kinds", "types", "topic", "tags", "author", "session", "sources", "created", "status"],
    )
    def test_a_step_goes_to_what_is_wanted(
        self, store: Store, read: Read, fitting: MemoryFilter, other: MemoryFilter
    ) -> None:
        stage = set_stage(store, tags=("a", "b"))
        assert read(store, BERT, stage, NOW, fitting)
        assert not read(store, BERT, stage, NOW, other)

    # Relations

    def test_edges_go_both_ways(self, store: Store) -> None:
        mill, pond, weir = (keep_entity(store, ANNE, name)[0] for name in ("Mill", "Pond", "Weir"))
        memory = keep_mention(store, ANNE, [mill, pond, weir])
        relate(store, ANNE, memory, mill, pond, RelationType.NEEDS, ordinal=4)
        relate(store, ANNE, memory, weir, mill, RelationType.PART_OF, ordinal=0)
        relate(store, ANNE, memory, weir, pond, RelationType.USES, ordinal=2)
        out, back = Edge(mill, pond, RelationType.NEEDS, True, 4), Edge(mill, weir, RelationType.PART_OF, False, 0)
        assert set(store.graph.edges(BERT, [mill], NOW, 10)) == {out, back}
        both = store.graph.edges(BERT, [mill, weir], NOW, 10)
        assert len(both) == 4
        assert set(both) == {
            out,
            back,
            Edge(weir, mill, RelationType.PART_OF, True, 0),
            Edge(weir, pond, RelationType.USES, True, 2),
        }
        assert store.graph.edges(BERT, [], NOW, 10) == []

    def test_there_are_no_more_edges_than_asked_for(self, store: Store) -> None:
        mill, _ = keep_entity(store, ANNE, "Mill")
        others = [keep_entity(store, ANNE, f"Pond {number}")[0] for number in range(4)]
        for other in others:
            keep_relation(store, ANNE, mill, other, visibility=Visibility.PRIVATE)
        for other in others[2:]:
            keep_relation(store, ANNE, mill, other)
        assert len(store.graph.edges(ANNE, [mill], NOW, 3)) == 3
        assert {edge.other_id for edge in store.graph.edges(BERT, [mill], NOW, 2)} == set(others[2:])

    def test_the_place_is_the_first_that_may_be_seen(self, store: Store) -> None:
        mill, pond = (keep_entity(store, ANNE, name)[0] for name in ("Mill", "Pond"))
        for ordinal, visibility in ((7, Visibility.SHARED), (5, Visibility.SHARED), (2, Visibility.PRIVATE)):
            memory = keep_mention(store, ANNE, [mill, pond], visibility=visibility)
            relate(store, ANNE, memory, mill, pond, ordinal=ordinal)
        places = [[edge.place for edge in store.graph.edges(scope, [mill], NOW, 10)] for scope in (ANNE, BERT)]
        assert places == [[2], [5]]

    @every_audience
    @pytest.mark.parametrize("hidden", ["own", "other"])
    def test_an_edge_is_seen_by_whom_both_its_ends_are(
        self, store: Store, audience: dict[str, Any], hidden: str
    ) -> None:
        register_all(store)
        own, _ = keep_entity(store, ANNE, "Mill", **(audience if hidden == "own" else {}))
        other, _ = keep_entity(store, ANNE, "Pond", **(audience if hidden == "other" else {}))
        keep_relation(store, ANNE, own, other)
        assert shown(lambda scope: store.graph.edges(scope, [own], NOW, 10)) == expected(audience, AUDIENCES["shared"])

    def test_an_edge_that_ended_was_known_until_then(self, store: Store) -> None:
        mill, pond = (keep_entity(store, ANNE, name)[0] for name in ("Mill", "Pond"))
        written, _ = keep_relation(store, ANNE, mill, pond, at=LATER, valid_from=START)
        end_relation(store, ANNE, written, MUCH_LATER)
        (found,) = store.relations.of(ANNE, [mill], Moment(NOW.as_of, MUCH_LATER - MICROSECOND))
        times = (found.created_at - MICROSECOND, found.created_at, MUCH_LATER - MICROSECOND, MUCH_LATER)
        seen = [len(store.graph.edges(ANNE, [pond], Moment(NOW.as_of, time), 10)) for time in times]
        assert seen == [0, 1, 1, 0]

    # Memories about things

    def test_about_comes_in_the_order_asked_at_the_first_passage(self, store: Store) -> None:
        mill, on_mill = keep_entity(store, ANNE, "Mill", subject=True)
        pond, on_pond = keep_entity(store, BERT, "Pond", subject=True)
        keep_mention(store, ANNE, [mill, pond])
        (mill_key, *_), (pond_key, *_) = passage_keys(store, on_mill), passage_keys(store, on_pond)
        found = store.graph.about(ANNE, [pond, mill], ALL, NOW, 10)
        assert found == [Naming(pond, on_pond.id, pond_key, True, 1.0), Naming(mill, on_mill.id, mill_key, True, 1.0)]
        assert store.graph.about(ANNE, [pond, mill], ALL, NOW, 1) == found[:1]
        assert store.graph.about(ANNE, [], ALL, NOW, 10) == []

    @every_audience
    def test_what_is_about_a_hidden_thing_is_not_met_through_it(self, store: Store, audience: dict[str, Any]) -> None:
        register_all(store)
        mill, _ = keep_entity(store, ANNE, "Mill", **audience)
        keep_mention(store, ANNE, [mill], subject=True)
        pond, _ = keep_entity(store, ANNE, "Pond", subject=True, **audience)
        keep_mention(store, ANNE, [pond])
        told = expected(audience, AUDIENCES["shared"])
        assert shown(lambda scope: store.graph.about(scope, [mill], ALL, NOW, 10)) == told
        assert shown(lambda scope: store.graph.naming(scope, pond, ALL, NOW, 10)) == told

    @pytest.mark.parametrize("subject", [True, False], ids=["about", "naming"])
    def test_a_memory_that_speaks_of_it_no_more_did_so_until_then(self, store: Store, subject: bool) -> None:
        mill, _ = keep_entity(store, ANNE, "Mill", visibility=Visibility.SHARED)
        memory = keep_mention(store, ANNE, [mill], subject=subject)
        with store.transaction(ANNE, LATER) as now:
            store.entities.unmention(ANNE, memory.id, [mill], now)

        def met(known_at: datetime) -> bool:
            moment = Moment(NOW.as_of, known_at)
            about = store.graph.about(ANNE, [mill], ALL, moment, 10)
            naming = store.graph.naming(ANNE, mill, ALL, moment, 10)
            return memory.id in [one.memory_id for one in (about if subject else naming)]

        assert [met(time) for time in (LATER - MICROSECOND, LATER)] == [True, False]

    def test_naming_is_the_newest_first_without_what_is_about_it(self, store: Store) -> None:
        mill, _ = keep_entity(store, ANNE, "Mill", subject=True)
        named = [keep_mention(store, ANNE, [mill]).id for _ in range(3)]
        found = store.graph.naming(BERT, mill, ALL, NOW, 10)
        assert [one.memory_id for one in found] == named[::-1]
        assert {(one.entity_id, one.subject, one.confidence) for one in found} == {(mill, False, 0.5)}
        assert store.graph.naming(BERT, mill, ALL, NOW, 2) == found[:2]
        assert store.graph.naming(BERT, "e_" + "0" * 26, ALL, NOW, 10) == []

    @pytest.mark.parametrize(("start", "place"), [(0, 0), (9, 0), (11, 1), (25, 2), (None, 0)])
    def test_naming_tells_the_passage_in_which_it_is_named(self, store: Store, start: int | None, place: int) -> None:
        mill, _ = keep_entity(store, ANNE, "Mill")
        memory = keep(store, ANNE, "alpha beta", "gamma delta", "epsilon")  # they begin at 0, 11 and 23
        with store.transaction(ANNE, START) as now:
            mention = NewMention(mill, start, None if start is None else start + 1, 0.25)
            store.entities.mention(ANNE, memory.id, [mention], now)
        (found,) = [one for one in store.graph.naming(ANNE, mill, ALL, NOW, 10) if one.memory_id == memory.id]
        assert found == Naming(mill, memory.id, passage_keys(store, memory)[place], False, 0.25)

    def test_degrees_count_what_speaks_of_a_thing_up_to_a_number(self, store: Store) -> None:
        open_island(store)
        mill, _ = keep_entity(store, ANNE, "Mill")
        pond, _ = keep_entity(store, ANNE, "Pond")
        memories = [keep_mention(store, ANNE, [mill]) for _ in range(4)]
        assert dict(store.graph.degrees(ANNE, [mill, pond, "e_" + "0" * 26], 50)) == {mill: 5, pond: 1}
        assert dict(store.graph.degrees(ANNE, [mill, pond], 3)) == {mill: 3, pond: 1}
        with store.transaction(ANNE, LATER) as now:
            store.entities.unmention(ANNE, memories[0].id, [mill], now)
        assert dict(store.graph.degrees(ANNE, [mill], 50)) == {mill: 4}
        assert dict(store.graph.degrees(ANNE, [], 50)) == {}
        assert dict(store.graph.degrees(ISLAND, [mill, pond], 50)) == {}

    # Links

    def test_linked_go_both_ways_the_strongest_first(self, store: Store) -> None:
        middle, weak, strong, other = (keep(store, ANNE, text) for text in ("middle", "weak", "strong", "other"))
        keep_link(store, ANNE, middle, weak, confidence=0.25)
        link = keep_link(store, BERT, strong, middle, LinkType.TEMPORAL, confidence=0.5, created_by=LinkOrigin.SYSTEM)
        keep_link(store, ANNE, strong, other, confidence=1.0)
        (passage,) = passage_keys(store, strong)
        found = store.graph.linked(BERT, [middle.id], ALL, NOW, 10)
        assert found[0] == Linked(
            middle.id, strong.id, passage, LinkType.TEMPORAL, 0.5, LinkOrigin.SYSTEM, link.known_from
        )
        assert [one.memory_id for one in found] == [strong.id, weak.id]
        assert store.graph.linked(BERT, [middle.id], ALL, NOW, 1) == found[:1]
        several = store.graph.linked(BERT, [middle.id, strong.id], ALL, NOW, 10)
        assert [(one.from_id, one.memory_id) for one in several] == [
            (strong.id, other.id),
            *sorted([(middle.id, strong.id), (strong.id, middle.id)], key=lambda pair: several[1].from_id != pair[0]),
            (middle.id, weak.id),
        ]
        assert store.graph.linked(BERT, [], ALL, NOW, 10) == []
        assert [one.memory_id for one in store.graph.linked(BERT, [middle.id], ALL, NOW, 1, told=True)] == [weak.id]

    def test_a_link_leads_on_as_it_was_known(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        link = keep_link(store, ANNE, one, other)
        with store.transaction(ANNE, LATER) as now:
            store.links.revise(ANNE, replace(link, confidence=0.25), now)
        with store.transaction(ANNE, MUCH_LATER) as now:
            store.links.close(ANNE, link.id, now)
        times = (link.known_from - MICROSECOND, link.known_from, LATER, MUCH_LATER - MICROSECOND, MUCH_LATER)
        found = [store.graph.linked(BERT, [other.id], ALL, Moment(NOW.as_of, time), 10) for time in times]
        assert [[one.confidence for one in then] for then in found] == [[], [0.75], [0.25], [0.25], []]

    @every_audience
    def test_a_link_from_what_is_hidden_leads_nowhere(self, store: Store, audience: dict[str, Any]) -> None:
        register_all(store)
        hidden, other = keep(store, ANNE, "hidden", **audience), keep(store, ANNE, "other")
        keep_link(store, ANNE, hidden, other)
        told = expected(audience, AUDIENCES["shared"])
        assert shown(lambda scope: store.graph.linked(scope, [hidden.id], ALL, NOW, 10)) == told
        assert shown(lambda scope: store.graph.linked(scope, [other.id], ALL, NOW, 10)) == told

    # What belongs together

    def test_sharing_is_the_newest_first_with_what_is_shared(self, store: Store) -> None:
        mill, maker = keep_entity(store, ANNE, "Mill")
        pond, other_maker = keep_entity(store, ANNE, "Pond")
        both = keep_mention(store, BERT, [mill, pond], topic="dark-water", kind=Kind.INSIGHT)
        keep(store, ANNE, "of another topic", topic="Fire")
        asking = keep(store, ANNE, "asking", topic="Dark Water")
        found = store.graph.sharing(ANNE, asking, [mill, pond], KNOWN, 10)
        assert [(one.memory_id, one.kind, set(one.shared)) for one in found] == [
            (both.id, Kind.INSIGHT, {"Mill", "Pond", "dark-water"}),
            (other_maker.id, Kind.FACT, {"Pond"}),
            (maker.id, Kind.FACT, {"Mill"}),
        ]
        assert len(found[0].shared) == 3
        limited = store.graph.sharing(ANNE, asking, [mill, pond], KNOWN, 2)
        assert [one.memory_id for one in limited] == [one.memory_id for one in found[: len(limited)]] != []
        assert store.graph.sharing(ANNE, asking, [], KNOWN, 10) == [Alike(both.id, Kind.INSIGHT, ("dark-water",))]
        assert store.graph.sharing(ANNE, replace(asking, topic=None), [], KNOWN, 10) == []

    def test_sharing_leaves_out_itself_and_episodes(self, store: Store) -> None:
        mill, _ = keep_entity(store, ANNE, "Mill", visibility=Visibility.PRIVATE)
        said = keep_episode(store, ANNE, keep_thread(store, ANNE), 0, "hello", topic="Water")
        asking = keep_mention(store, ANNE, [mill], topic="Water")
        with store.transaction(ANNE, START) as now:
            store.entities.mention(ANNE, said.id, [NewMention(mill, None, None, 1.0)], now)
        assert store.graph.sharing(BERT, asking, [mill], KNOWN, 10) == []

    def test_sharing_a_name_that_only_a_hidden_memory_gave_tells_no_name(self, store: Store) -> None:
        mill, maker = keep_entity(store, ANNE, "Mill")
        asking, other = keep_mention(store, BERT, [mill]), keep_mention(store, BERT, [mill])
        revise(store, ANNE, maker, Verb.SHARE, visibility=Visibility.PRIVATE)
        found = store.graph.sharing(BERT, asking, [mill], KNOWN, 10)
        assert "Mill" not in repr(found)
        assert {one.memory_id for one in found} <= {other.id}

    def test_what_is_hidden_takes_no_place_of_what_is_shared(self, store: Store) -> None:
        fitting = keep(store, ANNE, "fitting", topic="Water")
        for number in range(3):
            keep(store, ANNE, f"hidden {number}", topic="Water", visibility=Visibility.PRIVATE)
        asking = keep(store, BERT, "asking", topic="Water")
        assert [one.memory_id for one in store.graph.sharing(BERT, asking, [], KNOWN, 2)] == [fitting.id]

    def test_sharing_is_with_what_is_about_the_same_thing(self, store: Store) -> None:
        mill, _ = keep_entity(store, ANNE, "Mill")
        about = keep_mention(store, ANNE, [mill], subject=True)
        (asking,) = store.memories.get(BERT, [keep_mention(store, BERT, [mill], subject=True).id], NOW)
        assert store.graph.sharing(BERT, asking, [], KNOWN, 10) == [Alike(about.id, Kind.FACT, ("Mill",))]

    def test_sharing_goes_by_the_name_it_had_then(self, store: Store) -> None:
        mill, maker = keep_entity(store, ANNE, "Mill")
        change(store, ANNE, mill, LATER, name="Museum", at=LATER)
        asking = keep(store, ANNE, "asking")
        (before,) = store.graph.sharing(ANNE, asking, [mill], LATER - MICROSECOND, 10)
        assert before == Alike(maker.id, Kind.FACT, ("Mill",))
        assert {one.shared for one in store.graph.sharing(ANNE, asking, [mill], KNOWN, 10)} == {("Museum",)}

    def test_of_session_are_the_agents_own_the_latest_first(self, store: Store) -> None:
        thread = keep_thread(store, ANNE)
        keep(store, ANNE, "before", provenance=SESSION)
        first = keep(store, ANNE, "first", at=LATER, provenance=SESSION)
        second = keep(store, ANNE, "second", at=LATER, provenance=SESSION, kind=Kind.INSIGHT)
        keep(store, BERT, "theirs", at=LATER, provenance=replace(SESSION, author="bert"))
        keep(store, ANNE, "of another session", at=LATER, provenance=replace(SESSION, session="t"))
        keep_episode(store, ANNE, thread, 0, "said", at=LATER, provenance=SESSION)
        asking = keep(store, ANNE, "asking", at=LATER, provenance=SESSION)
        keep(store, ANNE, "after", at=MUCH_LATER, provenance=SESSION)
        since, until = first.created_at, second.created_at
        told = [(second.id, Kind.INSIGHT, second.created_at), (first.id, Kind.FACT, first.created_at)]
        assert store.graph.of_session(ANNE, asking, since, until, 10) == told
        assert store.graph.of_session(ANNE, asking, since, KNOWN, 10) == told
        assert store.graph.of_session(ANNE, asking, since, until, 1) == told[:1]
        assert store.graph.of_session(ANNE, asking, since + MICROSECOND, until, 10) == told[:1]
        assert store.graph.of_session(ANNE, asking, since, until - MICROSECOND, 10) == told[1:]
        alone = replace(asking, provenance=replace(SESSION, session=None))
        assert store.graph.of_session(ANNE, alone, since, until, 10) == []

    def test_of_session_goes_by_when_it_happened(self, store: Store) -> None:
        happened = {hours: START - hours * DAY / 24 for hours in (1, 2, 9)}
        kept = {
            hours: keep(store, ANNE, f"{hours} hours ago", provenance=SESSION, occurred_at=time, valid_from=time)
            for hours, time in happened.items()
        }
        asking = keep(store, ANNE, "asking", provenance=SESSION)
        assert store.graph.of_session(ANNE, asking, happened[2], START - MICROSECOND, 10) == [
            (kept[1].id, Kind.FACT, happened[1]),
            (kept[2].id, Kind.FACT, happened[2]),
        ]

    def test_decisions_on_a_topic_come_the_newest_first(self, store: Store) -> None:
        fields: dict[str, Any] = {"kind": Kind.DECISION, "details": DecisionDetails("why")}
        made = [
            keep(store, BERT, f"decision {topic}", topic=topic, **fields).id for topic in ("Dark water", "dark_WATER")
        ]
        keep(store, ANNE, "a fact", topic="Dark water")
        keep(store, ANNE, "another", topic="Fire", **fields)
        asking = keep(store, ANNE, "asking", topic="dark-water", **fields)
        keep(store, ANNE, "after", topic="Dark water", at=LATER, **fields)
        told = [(id_, Kind.DECISION) for id_ in made[::-1]]
        assert store.graph.decisions_on(ANNE, asking, 10) == told
        assert store.graph.decisions_on(ANNE, asking, 1) == told[:1]
        assert store.graph.decisions_on(ANNE, replace(asking, topic=None), 10) == []

    # Vectors, and whether there is anything

    def test_first_vectors_are_those_of_first_passages(self, store: Store) -> None:
        pin(store)
        vectors = unit_vectors(3)
        one = keep(store, ANNE, "alpha", "beta", vectors=vectors[:2])
        other = keep(store, ANNE, "gamma", vectors=vectors[2:])
        bare = keep(store, ANNE, "delta")
        found = store.graph.first_vectors(ANNE, [other.id, bare.id, one.id, "m_" + "0" * 26])
        assert found is not None
        assert sorted(found[0]) == [one.id, other.id]
        by_id = dict(zip(found[0], found[1], strict=True))
        assert by_id[one.id] == pytest.approx(vectors[0], abs=1e-2)
        assert by_id[other.id] == pytest.approx(vectors[2], abs=1e-2)
        assert store.graph.first_vectors(ANNE, [bare.id]) is None
        assert store.graph.first_vectors(ANNE, []) is None

    def test_first_vectors_are_of_the_pinned_model_and_the_project(self, store: Store) -> None:
        open_island(store)
        memory = keep(store, ANNE, "alpha")
        assert store.graph.first_vectors(ANNE, [memory.id]) is None
        pin(store)
        pinned = keep(store, ANNE, "beta", vectors=unit_vectors(1))
        assert store.graph.first_vectors(ISLAND, [pinned.id]) is None
        pin(store, OTHER_MODEL)
        assert store.graph.first_vectors(ANNE, [pinned.id]) is None

    def test_a_project_is_stocked_with_things_or_links(self, store: Store) -> None:
        open_island(store)
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        assert not store.graph.stocked(ANNE)
        keep_link(store, ANNE, one, other)
        assert (store.graph.stocked(ANNE), store.graph.stocked(ISLAND)) == (True, False)
        keep_entity(store, ISLAND, "Reef")
        assert store.graph.stocked(ISLAND)
