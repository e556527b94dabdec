"""`transaction`, `snapshot`, `present`, `describe` and `close` of `contracts.Store`, as tests."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from trigraph.contracts import NewEntity, NewJob, NewMention, NewState, Store
from trigraph.errors import StoreClosed, StoreError
from trigraph.model.change import Citation, CitationKind, Verb
from trigraph.model.composition import CompositionEvent, CompositionOutcome, Member, OutcomeLabel, Role
from trigraph.model.entity import EntityEvent
from trigraph.model.ids import new_id
from trigraph.model.insight import RecallFilter, Span
from trigraph.model.link import Link, LinkOrigin, LinkType
from trigraph.model.memory import EntityType, Kind, Memory, Place, Visibility
from trigraph.model.thread import Thread
from trigraph.testing.builders import (
    ALL,
    ANNE,
    BERT,
    DAY,
    MICROSECOND,
    MODEL,
    NOW,
    OTHER_MODEL,
    START,
    ids,
    keep,
    new_memory,
    pin,
    recall_event,
    register,
    unit_vectors,
)
from trigraph.testing.suites.base import Suite, in_another_thread, undone
from trigraph.testing.world import fill, records

A_MEMORY = new_memory(ANNE, "alpha", at=START).memory
AN_ENTITY = NewEntity(new_id("e", START), "X", "x", EntityType.UNKNOWN, A_MEMORY.id, Visibility.SHARED, None, START, {})
A_STATE = NewState(EntityEvent.UPDATED, A_MEMORY.id, START, None, {})
A_LINK = Link(
    new_id("l", START),
    A_MEMORY.id,
    new_id("m", START),
    LinkType.RELATES_TO,
    1.0,
    LinkOrigin.USER,
    ANNE.agent,
    None,
    START,
    None,
    START,
)
A_COMPOSITION = CompositionEvent(
    id=new_id("c", START),
    project=ANNE.project,
    author=ANNE.agent,
    at=START,
    tool="compose",
    mode="",
    query="",
    query_hash="",
    members=(Member(A_MEMORY.id, Role.PRIMARY, 1),),
)
AN_OUTCOME = CompositionOutcome(OutcomeLabel.HELPFUL, "user", ANNE.agent, START)
A_CITATION = Citation(A_MEMORY.id, CitationKind.CITED, None, None, ANNE.agent, None, START)


A_SPAN = Span(START, START + DAY, None)


def records_of_anne(store: Store) -> object:
    return records(store, ANNE)


WRITES: dict[str, Callable[[Store], object]] = {
    "memories.add": lambda store: store.memories.add(ANNE, new_memory(ANNE, "alpha", at=START)),
    "threads.add": lambda store: store.threads.add(
        ANNE, Thread(new_id("t", START), "x", None, None, ANNE.agent, START)
    ),
    "space.pin": lambda store: store.space.pin(ANNE, MODEL),
    "space.put": lambda store: store.space.put(ANNE, MODEL, [], unit_vectors(0)),
    "space.drop": lambda store: store.space.drop(ANNE, NOW.known_at),
    "space.settle_jobs": lambda store: store.space.settle_jobs(ANNE, START),
    "queue.put": lambda store: store.queue.put(ANNE, NewJob(new_id("j", START), "tidy", "{}"), START),
    "memories.revise": lambda store: store.memories.revise(ANNE, A_MEMORY, Verb.FORGET, None, START),
    "memories.erase": lambda store: store.memories.erase(ANNE, A_MEMORY.id, START),
    "entities.add": lambda store: store.entities.add(ANNE, AN_ENTITY, START),
    "entities.put_state": lambda store: store.entities.put_state(ANNE, AN_ENTITY.id, A_STATE, START),
    "entities.add_alias": lambda store: store.entities.add_alias(ANNE, AN_ENTITY.id, "x", "x", A_MEMORY.id, START),
    "entities.set_type": lambda store: store.entities.set_type(ANNE, AN_ENTITY.id, EntityType.TOOL),
    "entities.widen": lambda store: store.entities.widen(ANNE, A_MEMORY.id, Visibility.SHARED, None),
    "entities.mention": lambda store: store.entities.mention(ANNE, A_MEMORY.id, [], START),
    "entities.unmention": lambda store: store.entities.unmention(ANNE, A_MEMORY.id, [AN_ENTITY.id], START),
    "links.add": lambda store: store.links.add(ANNE, A_LINK),
    "links.revise": lambda store: store.links.revise(ANNE, A_LINK, START),
    "links.close": lambda store: store.links.close(ANNE, A_LINK.id, START),
    "uses.cite": lambda store: store.uses.cite(ANNE, A_CITATION),
    "uses.vote": lambda store: store.uses.vote(ANNE, A_MEMORY.id, 1, 0.1, None, START),
    "compositions.add": lambda store: store.compositions.add(ANNE, A_COMPOSITION),
    "compositions.label": lambda store: store.compositions.label(ANNE, A_COMPOSITION.id, AN_OUTCOME),
    "answers.put": lambda store: store.answers.put(ANNE, Verb.REMEMBER, "k", "print", "{}", START),
    "transfer.put_memory": lambda store: store.transfer.put_memory(ANNE, {"record": "memory"}, [], None, START),
    "transfer.put": lambda store: store.transfer.put(ANNE, {"record": "thread", "id": "x"}),
    "transfer.reached": lambda store: store.transfer.reached(ANNE, START),
}
"""Every verb that writes and needs a transaction for it."""

OTHER_VERBS: dict[str, Callable[[Store], object]] = {
    "memories.get": lambda store: store.memories.get(ANNE, [], NOW),
    "memories.find": lambda store: store.memories.find(ANNE, "abcdefgh", NOW.known_at),
    "memories.versions": lambda store: store.memories.versions(ANNE, [], NOW.known_at),
    "memories.ids_ending": lambda store: store.memories.ids_ending(ANNE, "abcdefgh", ALL, NOW),
    "memories.ids_of_topic": lambda store: store.memories.ids_of_topic(ANNE, "needles", ALL, NOW, 10),
    "memories.same_text": lambda store: store.memories.same_text(ANNE, [], Kind.FACT, Visibility.SHARED, None, NOW),
    "memories.page": lambda store: store.memories.page(ANNE, ALL, NOW, 10, None),
    "memories.count_by_kind": lambda store: store.memories.count_by_kind(ANNE, NOW),
    "memories.facets": lambda store: store.memories.facets(ANNE, ALL, NOW, 10),
    "memories.find_all": lambda store: store.memories.find_all(ANNE, [], NOW.known_at),
    "links.standing": lambda store: store.links.standing(ANNE, LinkType.CONTRADICTS, NOW, 10),
    "threads.find": lambda store: store.threads.find(ANNE, "x", NOW),
    "threads.episodes_at": lambda store: store.threads.episodes_at(ANNE, "x", [0]),
    "threads.next_seq": lambda store: store.threads.next_seq(ANNE, "x"),
    "threads.count": lambda store: store.threads.count(ANNE, NOW),
    "search.lexical": lambda store: store.search.lexical(ANNE, ["alpha"], ALL, NOW, 10),
    "search.identifiers": lambda store: store.search.identifiers(ANNE, ["alpha"], ALL, NOW, 10),
    "search.nearest": lambda store: store.search.nearest(ANNE, unit_vectors(1)[0], ALL, NOW, 10),
    "search.scan": lambda store: store.search.scan(ANNE, unit_vectors(1)[0]).nearest(ALL, NOW, 10),
    "search.surroundings": lambda store: store.search.surroundings(ANNE, [1], 1, ALL, NOW),
    "search.statistics": lambda store: store.search.statistics(ANNE, ["alpha"]),
    "search.vectors": lambda store: store.search.vectors(ANNE, [1]),
    "space.pinned": lambda store: store.space.pinned(ANNE),
    "space.missing": lambda store: store.space.missing(ANNE, MODEL, 0, 10),
    "space.count": lambda store: store.space.count(ANNE, NOW),
    "events.add": lambda store: store.events.add(ANNE, recall_event(ANNE)),
    "events.used": lambda store: store.events.used(ANNE, new_id("r", START), [AN_ENTITY.id], START),
    "events.uses": lambda store: store.events.uses(ANNE, [AN_ENTITY.id]),
    "events.get": lambda store: store.events.get(ANNE, new_id("r", START)),
    "events.count": lambda store: store.events.count(ANNE),
    "figures.days": lambda store: store.figures.days(ANNE, A_SPAN),
    "figures.citation_days": lambda store: store.figures.citation_days(ANNE, A_SPAN),
    "figures.written_days": lambda store: store.figures.written_days(ANNE, A_SPAN),
    "figures.top_cited": lambda store: store.figures.top_cited(ANNE, A_SPAN, NOW, 1),
    "figures.shown_uncited": lambda store: store.figures.shown_uncited(ANNE, None, NOW, 1, 1),
    "figures.oldest_uncited": lambda store: store.figures.oldest_uncited(ANNE, None, NOW, START, 1),
    "figures.useful": lambda store: store.figures.useful(ANNE, A_SPAN, 1),
    "figures.recalls": lambda store: store.figures.recalls(ANNE, RecallFilter(), 1, None),
    "figures.citations_of": lambda store: store.figures.citations_of(ANNE, new_id("r", START)),
    "retention.roll_up": lambda store: store.retention.roll_up(ANNE, START, 1),
    "retention.thin": lambda store: store.retention.thin(ANNE, START, 1),
    "retention.unask": lambda store: store.retention.unask(ANNE, 1),
    "retention.drop": lambda store: store.retention.drop(ANNE, 1),
    "retention.counted": lambda store: store.retention.counted(ANNE),
    "queue.unembedded": lambda store: store.queue.unembedded(ANNE, NOW, 1),
    "queue.waiting": lambda store: store.queue.waiting(ANNE, "tidy"),
    "entities.known_names": lambda store: store.entities.known_names(ANNE, ["x"]),
    "entities.get": lambda store: store.entities.get(ANNE, [AN_ENTITY.id], NOW),
    "entities.named": lambda store: store.entities.named(ANNE, "x", NOW),
    "entities.ids_ending": lambda store: store.entities.ids_ending(ANNE, "abcdefgh", NOW),
    "entities.page": lambda store: store.entities.page(ANNE, (), NOW, 10, None),
    "entities.count": lambda store: store.entities.count(ANNE, NOW),
    "entities.states": lambda store: store.entities.states(ANNE, AN_ENTITY.id, NOW.known_at),
    "entities.mentions_of": lambda store: store.entities.mentions_of(ANNE, [A_MEMORY.id], NOW),
    "links.get": lambda store: store.links.get(ANNE, "abcdefgh", NOW.known_at),
    "links.of": lambda store: store.links.of(ANNE, [A_MEMORY.id], NOW.known_at),
    "uses.citations": lambda store: store.uses.citations(ANNE, [A_MEMORY.id]),
    "uses.tally": lambda store: store.uses.tally(ANNE, "session-1"),
    "compositions.get": lambda store: store.compositions.get(ANNE, "abcdefgh"),
    "compositions.recent": lambda store: store.compositions.recent(ANNE, 10),
    "compositions.of": lambda store: store.compositions.of(ANNE, A_MEMORY.id, 10),
    "compositions.companions": lambda store: store.compositions.companions(ANNE, A_MEMORY.id, 10),
    "compositions.pairs": lambda store: store.compositions.pairs(ANNE, [A_MEMORY.id]),
    "compositions.tallies": lambda store: store.compositions.tallies(ANNE, [A_MEMORY.id]),
    "answers.get": lambda store: store.answers.get(ANNE, Verb.REMEMBER, "k"),
    "transfer.records": records_of_anne,
    "registry.reader": lambda store: store.registry.reader(ANNE),
    "registry.roster": lambda store: store.registry.roster(ANNE.tenant, ANNE.project),
    "registry.tenants": lambda store: store.registry.tenants(),
    "registry.put_agent": lambda store: register(store, "dora"),
    "registry.token": lambda store: store.registry.token(new_id("k", START)),
    "registry.token_used": lambda store: store.registry.token_used(new_id("k", START), START),
    "transaction": lambda store: store.transaction(ANNE, START).__enter__(),
    "snapshot": lambda store: store.snapshot(ANNE).__enter__(),
    "present": lambda store: store.present(ANNE, START),
    "describe": lambda store: store.describe(ANNE),
}

NEED_NO_TRANSACTION = {name: verb for name, verb in OTHER_VERBS.items() if name not in ("transaction", "snapshot")}

every_write = pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)


class TransactionsSuite(Suite):
    """`transaction`, `snapshot`, `present`, `describe`, `close`."""

    def test_a_transaction_keeps_all_its_writes_and_sees_them_itself(self, store: Store) -> None:
        with store.transaction(ANNE, START) as now:
            news = [new_memory(ANNE, f"text {number}", at=now) for number in range(3)]
            for new in news:
                store.memories.add(ANNE, new)
            assert len(store.memories.page(ANNE, ALL, NOW, 10, None)) == 3
        assert store.memories.page(BERT, ALL, NOW, 10, None) == [new.memory for new in reversed(news)]

    def test_a_transaction_that_fails_leaves_nothing_behind(self, store: Store) -> None:
        pin(store)
        vector = unit_vectors(1)
        with undone(store, ANNE) as now:
            thread = Thread(new_id("t", now), "planning", None, None, ANNE.agent, now)
            store.threads.add(ANNE, thread)
            new = new_memory(
                ANNE,
                "alpha",
                at=now,
                vectors=vector,
                identifiers=["xneedlex"],
                kind=Kind.EPISODE,
                place=Place(thread.id, 0, None, None),
            )
            store.memories.add(ANNE, new)
            store.memories.add(ANNE, new_memory(ANNE, "beta", at=now))
        assert store.memories.page(ANNE, ALL, NOW, 10, None) == []
        assert store.threads.find(ANNE, "planning", NOW) is None
        assert store.threads.episodes_at(ANNE, thread.id, [0]) == {}
        assert store.search.lexical(ANNE, ["alpha", "beta"], ALL, NOW, 10) == []
        assert store.search.identifiers(ANNE, ["needle"], ALL, NOW, 10) == []
        assert store.search.nearest(ANNE, vector[0], ALL, NOW, 10) == []
        assert store.space.count(ANNE, NOW) == (0, 0)
        assert store.space.missing(ANNE, MODEL, 0, 10) == []
        assert store.queue.waiting(ANNE, "embed") == 0
        statistics = store.search.statistics(ANNE, ["alpha"])
        assert (statistics.passages, statistics.mean_terms) == (0, 0)
        assert statistics.holding.get("alpha", 0) == 0

    def test_a_change_of_model_that_fails_leaves_the_first_one_searched(self, store: Store) -> None:
        pin(store)
        keep(store, ANNE, "alpha", vectors=unit_vectors(1))
        with undone(store, ANNE):
            store.space.pin(ANNE, OTHER_MODEL)
        with undone(store, ANNE):
            store.space.drop(ANNE, NOW.known_at)
        assert store.space.pinned(ANNE) == MODEL
        assert len(store.search.nearest(ANNE, unit_vectors(1)[0], ALL, NOW, 10)) == 1

    def test_a_transaction_that_fails_undoes_every_sort_of_write(self, store: Store) -> None:
        world = fill(store)
        before, waiting = records(store, ANNE, vectors=True), store.queue.waiting(ANNE, "embed")
        fact, entity_id = world.fact, world.entity_id
        prop = {"colour": "black"}
        with undone(store, ANNE) as now:
            new = new_memory(ANNE, "alpha", at=now)
            store.memories.add(ANNE, new)
            store.memories.revise(ANNE, fact, Verb.ARCHIVE, None, now)
            store.entities.add(ANNE, replace(AN_ENTITY, made_by=new.memory.id), now)
            store.entities.set_type(ANNE, AN_ENTITY.id, EntityType.TOOL)
            store.entities.put_state(ANNE, entity_id, NewState(EntityEvent.UPDATED, fact.id, START, "Y", prop), now)
            store.entities.add_alias(ANNE, entity_id, "Y", "y", fact.id, now)
            store.entities.widen(ANNE, world.maker.id, Visibility.PRIVATE, None)
            store.entities.mention(ANNE, new.memory.id, [NewMention(entity_id, None, None, 1.0)], now)
            store.entities.unmention(ANNE, world.maker.id, [entity_id], now)
            store.links.add(ANNE, replace(A_LINK, from_id=new.memory.id, to_id=fact.id, known_from=now))
            store.links.close(ANNE, world.link.id, now)
            store.uses.cite(ANNE, replace(A_CITATION, memory_id=fact.id, at=now))
            store.uses.vote(ANNE, fact.id, -1, 0.1, None, now)
            store.answers.put(ANNE, Verb.CORRECT, "k", "print", "{}", now)
            store.transfer.reached(ANNE, NOW.known_at)
        assert records(store, ANNE, vectors=True) == before
        assert store.answers.get(ANNE, Verb.CORRECT, "k") is None
        assert store.queue.waiting(ANNE, "embed") == waiting
        assert store.present(ANNE, START) < NOW.known_at

    def test_an_erasure_that_fails_leaves_everything_as_it_was(self, store: Store) -> None:
        world = fill(store)
        before = records(store, ANNE, vectors=True, events=False)
        answer = store.answers.get(ANNE, Verb.REMEMBER, "k")
        found = store.search.lexical(ANNE, ["fact", "mill"], ALL, NOW, 10)
        with undone(store, ANNE) as now:
            store.memories.erase(ANNE, world.fact.id, now)
            store.memories.erase(ANNE, world.maker.id, now)
        assert records(store, ANNE, vectors=True, events=False) == before
        assert store.answers.get(ANNE, Verb.REMEMBER, "k") == answer
        assert store.search.lexical(ANNE, ["fact", "mill"], ALL, NOW, 10) == found != []

    def test_an_erasure_that_fails_leaves_events_as_they_were(self, store: Store) -> None:
        memory = keep(store, ANNE, "alpha")
        event = replace(recall_event(ANNE), result_ids=(memory.id,))
        store.events.add(ANNE, event)
        with undone(store, ANNE) as now:
            store.memories.erase(ANNE, memory.id, now)
        assert store.events.get(ANNE, event.recall_id) == event

    def test_an_erasure_outside_a_transaction_leaves_events_as_they_were(self, store: Store) -> None:
        memory = keep(store, ANNE, "alpha")
        event = replace(recall_event(ANNE), result_ids=(memory.id,))
        store.events.add(ANNE, event)
        with pytest.raises(StoreError):
            store.memories.erase(ANNE, memory.id, START)
        assert store.events.get(ANNE, event.recall_id) == event

    def test_after_a_failed_write_the_next_transaction_works(self, store: Store) -> None:
        kept = keep(store, ANNE, "one")
        with pytest.raises(StoreError):
            keep(store, ANNE, "two", id=kept.id)
        after = keep(store, ANNE, "three")
        assert ids(store.memories.page(ANNE, ALL, NOW, 10, None)) == [after.id, kept.id]

    def test_a_transaction_has_the_time_it_was_given(self, store: Store) -> None:
        with store.transaction(ANNE, START) as now:
            assert now == START
        with store.transaction(BERT, START + MICROSECOND) as now:
            assert now == START + MICROSECOND

    def test_times_rise_strictly_even_when_the_clock_goes_back(self, store: Store) -> None:
        times = []
        for given in (START, START, START - DAY, START + DAY, START, START + DAY):
            with store.transaction(ANNE, given) as now:
                times.append(now)
        assert times == sorted(set(times))
        assert times[0] == START
        assert times[3] == START + DAY

    def test_the_present_is_never_before_what_was_committed(self, store: Store) -> None:
        assert store.present(ANNE, START) == START
        with store.transaction(ANNE, START + DAY) as now:
            pass
        assert store.present(BERT, START) == now
        assert store.present(BERT, START + 2 * DAY) == START + 2 * DAY

    @every_write
    def test_a_write_outside_a_transaction_is_an_error_and_writes_nothing(
        self, store: Store, write: Callable[[Store], object]
    ) -> None:
        with pytest.raises(StoreError):
            write(store)
        with pytest.raises(StoreError), store.snapshot(ANNE):
            write(store)
        assert {record["record"] for record in records(store, ANNE)} == {"agent"}
        assert store.memories.page(ANNE, ALL, NOW, 10, None) == []
        assert store.threads.find(ANNE, "x", NOW) is None
        assert store.space.pinned(ANNE) is None
        assert store.queue.waiting(ANNE, "tidy") == 0
        assert store.answers.get(ANNE, Verb.REMEMBER, "k") is None

    @pytest.mark.parametrize("verb", NEED_NO_TRANSACTION.values(), ids=NEED_NO_TRANSACTION)
    def test_every_other_verb_works_outside_a_transaction(self, store: Store, verb: Callable[[Store], object]) -> None:
        verb(store)

    @every_write
    def test_the_transaction_of_one_thread_is_not_that_of_another(
        self, store: Store, write: Callable[[Store], object]
    ) -> None:
        with store.transaction(ANNE, START):
            outcome = in_another_thread(lambda: write(store))
        assert isinstance(outcome, StoreError)

    def test_reads_in_a_snapshot_see_one_state(self, store: Store) -> None:
        keep(store, ANNE, "alpha")
        writer = threading.Thread(target=keep, args=(store, BERT, "alpha beta"), daemon=True)
        with store.snapshot(ANNE):
            before = ids(store.memories.page(ANNE, ALL, NOW, 10, None))
            writer.start()
            if not self.writers_wait_for_readers:
                writer.join(60)
                assert not writer.is_alive(), "the writer waits; is writers_wait_for_readers to be set?"
            assert ids(store.memories.page(ANNE, ALL, NOW, 10, None)) == before
            assert len(store.search.lexical(ANNE, ["alpha"], ALL, NOW, 10)) == 1
            assert store.memories.count_by_kind(ANNE, NOW) == {Kind.FACT: 1}
            assert store.search.statistics(ANNE, ["alpha"]).passages == 1
        writer.join(60)
        assert store.memories.count_by_kind(ANNE, NOW) == {Kind.FACT: 2}

    def test_many_threads_write_at_once_and_nothing_is_lost(self, store: Store) -> None:
        kept: list[Memory] = []

        def write(number: int) -> None:
            for round_ in range(10):
                kept.append(keep(store, ANNE, f"writer {number} round {round_}"))

        writers = [threading.Thread(target=write, args=(number,), daemon=True) for number in range(4)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join(60)
        assert len({memory.created_at for memory in kept}) == 40
        assert {memory.id for memory in store.memories.page(ANNE, ALL, NOW, 100, None)} == set(ids(kept))

    def test_a_store_describes_itself(self, store: Store) -> None:
        words, schema_version, size_bytes = store.describe(ANNE)
        assert words.strip()
        assert schema_version >= 1
        assert size_bytes >= 0

    @pytest.mark.parametrize("verb", [*WRITES.values(), *OTHER_VERBS.values()], ids=[*WRITES, *OTHER_VERBS])
    def test_every_verb_of_a_closed_store_says_so(self, store: Store, verb: Callable[[Store], object]) -> None:
        keep(store, ANNE, "alpha")
        store.close()
        with pytest.raises(StoreClosed):
            verb(store)

    def test_closing_twice_is_closing_once(self, store: Store) -> None:
        store.close()
        store.close()
        with pytest.raises(StoreClosed):
            store.present(ANNE, START)


class ReadsBesideWritesSuite(Suite):
    """For a store that lets other threads read while one writes. `StorageSuite` is without it."""

    def test_what_is_not_committed_is_not_seen_by_others(self, store: Store) -> None:
        with store.transaction(ANNE, START) as now:
            store.memories.add(ANNE, new_memory(ANNE, "alpha", at=now))
            seen = in_another_thread(lambda: store.memories.page(ANNE, ALL, NOW, 10, None))
        assert seen == []
