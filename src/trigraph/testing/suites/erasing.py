"""`erase` of `contracts.Memories`, as tests: nothing is left, and what others said stays."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from trigraph.contracts import NewMention, Store
from trigraph.errors import StoreError
from trigraph.model.change import Verb
from trigraph.model.events import CandidateRecord
from trigraph.model.ids import new_id
from trigraph.model.memory import Kind, Memory, Place, Visibility
from trigraph.model.times import Moment
from trigraph.testing.builders import (
    ALL,
    ANNE,
    BERT,
    DAY,
    MICROSECOND,
    NOW,
    START,
    keep,
    keep_episode,
    keep_thread,
    passage_keys,
    pin,
    recall_event,
    unit_vectors,
)
from trigraph.testing.changes import (
    chain,
    change,
    cite,
    end_relation,
    erase,
    keep_alias,
    keep_document,
    keep_entity,
    keep_link,
    keep_mention,
    keep_relation,
    relate,
    revise,
)
from trigraph.testing.suites.audit import broken
from trigraph.testing.suites.base import Suite
from trigraph.testing.world import records

KNOWN = NOW.known_at
SECOND, THIRD = START + 10 * DAY, START + 20 * DAY
ERASED_AT = START + 100 * DAY
VECTOR = unit_vectors(1)

Read = Callable[[Store, Memory, Moment], object]
READS: dict[str, Read] = {
    "get": lambda store, memory, moment: store.memories.get(ANNE, [memory.id], moment),
    "find": lambda store, memory, moment: store.memories.find(ANNE, memory.id[-8:], moment.known_at),
    "versions": lambda store, memory, moment: store.memories.versions(ANNE, [memory.id], moment.known_at),
    "ids_ending": lambda store, memory, moment: store.memories.ids_ending(ANNE, memory.id[-8:], ALL, moment),
    "ids_of_topic": lambda store, memory, moment: store.memories.ids_of_topic(ANNE, "needles", ALL, moment, 10),
    "same_text": lambda store, memory, moment: store.memories.same_text(
        ANNE, [memory.content_hash], memory.kind, memory.visibility, None, moment
    ),
    "page": lambda store, memory, moment: store.memories.page(ANNE, ALL, moment, 10, None),
    "count_by_kind": lambda store, memory, moment: store.memories.count_by_kind(ANNE, moment),
    "find_all": lambda store, memory, moment: store.memories.find_all(ANNE, [memory.id], moment.known_at),
    "facets": lambda store, memory, moment: store.memories.facets(ANNE, ALL, moment, 10),
    "lexical": lambda store, memory, moment: store.search.lexical(ANNE, ["alpha", "beta"], ALL, moment, 10),
    "identifiers": lambda store, memory, moment: store.search.identifiers(ANNE, ["needle"], ALL, moment, 10),
    "nearest": lambda store, memory, moment: store.search.nearest(ANNE, VECTOR[0], ALL, moment, 10),
    "statistics": lambda store, memory, moment: store.search.statistics(ANNE, ["alpha"]).passages,
    "holding": lambda store, memory, moment: store.search.statistics(ANNE, ["alpha"]).holding.get("alpha", 0),
    "space": lambda store, memory, moment: store.space.count(ANNE, moment) != (0, 0),
    "mentions_of": lambda store, memory, moment: store.entities.mentions_of(ANNE, [memory.id], moment),
    "entities": lambda store, memory, moment: store.entities.page(ANNE, (), moment, 10, None),
    "entity-count": lambda store, memory, moment: store.entities.count(ANNE, moment),
    "known_names": lambda store, memory, moment: store.entities.known_names(ANNE, ["old mill", "grinder"]),
    "named": lambda store, memory, moment: store.entities.named(ANNE, "old mill", moment),
    "links": lambda store, memory, moment: store.links.of(ANNE, [memory.id], moment.known_at),
    "citations": lambda store, memory, moment: store.uses.citations(ANNE, [memory.id]),
    "tally": lambda store, memory, moment: store.uses.tally(ANNE, "session-1"),
    "answers": lambda store, memory, moment: store.answers.get(ANNE, Verb.REMEMBER, "k"),
}
"""Every read that shows something of a memory, the only one in the store but for the other end of its link."""


def keep_known_everywhere(store: Store) -> Memory:
    """A memory of which every one of `READS` shows something."""
    pin(store)
    fields: dict[str, Any] = {"vectors": VECTOR, "identifiers": ["xneedlex"], "topic": "Needles"}
    entity_id, memory = keep_entity(store, ANNE, "Old Mill alpha beta", **fields)
    keep_alias(store, ANNE, entity_id, "Old Mill", memory)
    keep_alias(store, ANNE, entity_id, "Grinder", memory)
    cite(store, ANNE, memory, session="session-1")
    revise(store, ANNE, memory, Verb.REVERIFY, START + DAY, last_verified_at=START + DAY)
    with store.transaction(ANNE, START) as now:
        store.uses.vote(ANNE, memory.id, -1, 0.1, None, now)
        store.answers.put(ANNE, Verb.REMEMBER, "k", "print", json.dumps({"id": memory.id}), now)
    return memory


class ErasingSuite(Suite):
    """`Memories.erase`."""

    @pytest.mark.parametrize("read", READS.values(), ids=READS)
    def test_no_read_shows_anything_of_what_was_erased(self, store: Store, read: Read) -> None:
        memory = keep_known_everywhere(store)
        hidden_end = keep(store, ANNE, "gamma", at=ERASED_AT, valid_from=START)
        keep_link(store, ANNE, memory, hidden_end, at=ERASED_AT)
        assert read(store, memory, NOW)
        erase(store, ANNE, hidden_end, memory, at=ERASED_AT)
        for known_at in (memory.created_at, START + DAY, ERASED_AT - MICROSECOND, ERASED_AT, KNOWN):
            assert not read(store, memory, Moment(NOW.as_of, known_at))
            assert not read(store, memory, Moment(NOW.as_of, known_at, superseded=True))

    def test_nothing_of_it_is_exported_but_that_it_was_erased(self, store: Store) -> None:
        before = records(store, ANNE)
        memory = keep_known_everywhere(store)
        erase(store, ANNE, memory, at=ERASED_AT)
        assert [one for one in records(store, ANNE) if one not in before] == [
            {
                "record": "erased",
                "id": memory.id,
                "thread_id": None,
                "seq": None,
                "at": ERASED_AT.isoformat().replace("+00:00", "Z"),
                "by": "anne",
            }
        ]

    def test_its_passages_and_vectors_are_gone(self, store: Store) -> None:
        memory = keep_known_everywhere(store)
        keys = passage_keys(store, memory)
        assert keys
        assert store.search.nearest(ANNE, VECTOR[0], ALL, NOW, 10)  # whatever index there is in memory knows it
        erase(store, ANNE, memory)
        assert store.search.surroundings(ANNE, keys, 2, ALL, NOW) == []
        assert not store.search.vectors(ANNE, keys).any()

    def test_the_other_passages_are_found_as_before(self, store: Store) -> None:
        pin(store)
        vectors = unit_vectors(3)
        kept = [keep(store, ANNE, f"alpha {number}", vectors=vectors[[number]]) for number in range(3)]
        erase(store, ANNE, kept[1])
        assert len(store.search.lexical(ANNE, ["alpha"], ALL, NOW, 10)) == 2
        assert len(store.search.nearest(ANNE, vectors[0], ALL, NOW, 10)) == 2
        statistics = store.search.statistics(ANNE, ["alpha"])
        assert (statistics.passages, statistics.mean_terms, statistics.holding["alpha"]) == (2, 2, 2)

    def test_what_is_written_after_it_has_vectors_of_its_own(self, store: Store) -> None:
        pin(store)
        vectors = unit_vectors(2)
        erased = keep(store, ANNE, "alpha", vectors=vectors[:1])
        assert store.search.nearest(ANNE, vectors[0], ALL, NOW, 10)
        erase(store, ANNE, erased)
        kept = keep(store, ANNE, "beta", vectors=vectors[1:])
        (near,) = store.search.nearest(ANNE, vectors[1], ALL, NOW, 10)
        assert near.score == pytest.approx(1, abs=1e-3)
        (far,) = store.search.nearest(ANNE, vectors[0], ALL, NOW, 10)
        assert far.score == pytest.approx(float(vectors[0] @ vectors[1]), abs=1e-2)
        assert store.search.vectors(ANNE, passage_keys(store, kept)) == pytest.approx(vectors[1:], abs=1e-2)

    def test_what_is_written_after_it_without_vectors_does_not_get_those_erased(self, store: Store) -> None:
        pin(store)
        erased = keep(store, ANNE, "alpha", vectors=VECTOR)
        assert store.search.nearest(ANNE, VECTOR[0], ALL, NOW, 10)
        erase(store, ANNE, erased)
        kept = keep(store, ANNE, "beta")
        assert store.search.nearest(ANNE, VECTOR[0], ALL, NOW, 10) == []
        assert not store.search.vectors(ANNE, passage_keys(store, kept)).any()

    def test_work_that_waited_for_it_is_gone(self, store: Store) -> None:
        memory = keep(store, ANNE, "alpha")
        assert (store.queue.waiting(ANNE, "embed"), store.queue.unembedded(ANNE, NOW, 10)) == (1, 1)
        erase(store, ANNE, memory)
        assert (store.queue.waiting(ANNE, "embed"), store.queue.unembedded(ANNE, NOW, 10)) == (0, 0)

    def test_its_traces_in_recall_events_are_gone(self, store: Store) -> None:
        memory, other = keep(store, ANNE, "alpha"), keep(store, ANNE, "beta")
        shown = CandidateRecord(memory.id, 0, ("vector",), {}), CandidateRecord(other.id, 0, ("vector",), {})
        both = (memory.id, other.id)
        event = replace(recall_event(BERT), result_ids=both, exact_ids=both, candidates=shown)
        store.events.add(BERT, event)
        store.events.forget(ANNE, memory.id)
        left = store.events.get(BERT, event.recall_id)
        assert left is not None
        assert (left.result_ids, left.exact_ids, left.candidates) == ((other.id,), (other.id,), shown[1:])
        assert replace(left, result_ids=both, exact_ids=both, candidates=shown) == event

    def test_votes_on_it_and_on_its_links_are_gone(self, store: Store) -> None:
        memory, other = keep(store, ANNE, "alpha"), keep(store, ANNE, "beta")
        link = keep_link(store, ANNE, other, memory)
        with store.transaction(ANNE, START) as now:
            store.uses.vote(ANNE, memory.id, 1, 0.1, None, now)
            store.uses.vote(ANNE, link.id, 1, 0.1, None, now)
        erase(store, ANNE, memory)
        with store.transaction(ANNE, START) as now:
            assert store.uses.last_vote(ANNE, memory.id) is None
            assert store.uses.last_vote(ANNE, link.id) is None

    def test_what_it_took_the_place_of_and_what_corrects_it_name_it_no_longer(self, store: Store) -> None:
        before, memory = keep(store, ANNE, "alpha"), keep(store, ANNE, "beta")
        revise(store, ANNE, before, Verb.SUPERSEDE, superseded=True, superseded_by=memory.id)
        after = keep(store, ANNE, "gamma", root_id=memory.id)
        cite(store, ANNE, memory)
        erase(store, ANNE, memory)
        assert memory.id not in repr(store.memories.find(ANNE, before.id[-8:], KNOWN))
        assert memory.id not in repr(store.memories.versions(ANNE, [before.id, after.id], KNOWN))
        assert store.memories.get(ANNE, [after.id], NOW)[0].root_id is None
        assert store.uses.citations(ANNE, [after.id]) == {}

    def test_its_id_stays_taken(self, store: Store) -> None:
        memory = keep(store, ANNE, "alpha")
        erase(store, ANNE, memory)
        with pytest.raises(StoreError):
            keep(store, ANNE, "alpha again", id=memory.id)
        assert store.memories.page(ANNE, ALL, NOW, 10, None) == []

    def test_its_place_in_a_thread_stays_taken(self, store: Store) -> None:
        thread = keep_thread(store, ANNE)
        keep_episode(store, ANNE, thread, 0, "hello")
        memory = keep_episode(store, ANNE, thread, 1, "secret")
        erase(store, ANNE, memory)
        assert store.threads.next_seq(ANNE, thread.id) == 2
        (taken,) = store.threads.episodes_at(ANNE, thread.id, [1]).values()
        assert memory.content_hash not in taken
        with pytest.raises(StoreError):
            keep(store, ANNE, "another", kind=Kind.EPISODE, place=Place(thread.id, 1, None, None))

    def test_what_is_not_there_cannot_be_erased(self, store: Store) -> None:
        memory = keep(store, ANNE, "alpha")
        erase(store, ANNE, memory)
        for gone in (memory, replace(memory, id=new_id("m", START))):
            with pytest.raises(StoreError):
                erase(store, ANNE, gone)

    # Documents and relations

    def test_a_document_and_its_relations_go_with_the_only_memory_that_tells_of_them(self, store: Store) -> None:
        pond, _ = keep_entity(store, BERT, "Pond")
        spec, text = keep_document(store, ANNE, "SPEC-1", "north", "specs/one.md")
        with store.transaction(ANNE, START) as now:
            store.entities.mention(ANNE, text.id, [NewMention(pond, None, None, 1.0)], now)
        relate(store, ANNE, text, spec, pond, section="Quay")
        relate(store, ANNE, text, pond, spec, section="Quay")
        assert len(store.graph.edges(ANNE, [pond], NOW, 10)) == 2
        erase(store, ANNE, text, at=ERASED_AT)
        for known_at in (text.created_at, START + DAY, ERASED_AT, KNOWN):
            for moment in (Moment(NOW.as_of, known_at), Moment(NOW.as_of, known_at, superseded=True)):
                assert store.documents.page(ANNE, None, moment, 10, None) == []
                assert store.documents.texts(ANNE, spec, moment) == []
                assert store.documents.stored(ANNE, known_at, 10, None) == []
                assert store.relations.of(ANNE, [spec, pond], moment) == []
                assert store.relations.written_in(ANNE, [text.id], known_at) == []
                assert store.relations.count(ANNE, moment) == 0
                assert store.graph.edges(ANNE, [spec, pond], moment, 10) == []
        assert store.documents.by_path(ANNE, "north", "specs/one.md") == []
        assert store.documents.by_name(ANNE, "north", "spec-1") == []
        assert store.documents.identity(ANNE, spec) is None
        left = json.dumps([one for one in records(store, ANNE) if one["record"] != "erased"])
        assert not [word for word in (spec, text.id, "spec-1", "specs/one.md", "Quay") if word in left]
        assert broken(store, ANNE) == {}

    def test_a_relation_that_another_memory_supports_stays_on_its_word_alone(self, store: Store) -> None:
        mill, _ = keep_entity(store, ANNE, "Mill")
        pond, _ = keep_entity(store, ANNE, "Pond")
        _, first = keep_relation(store, ANNE, mill, pond)
        _, second = keep_relation(store, BERT, mill, pond)
        erase(store, ANNE, first, at=ERASED_AT)
        (relation,) = store.relations.of(ANNE, [mill], NOW)
        assert [one.memory_id for one in relation.evidence] == [second.id]
        assert first.id not in repr(store.relations.of(ANNE, [mill], Moment(NOW.as_of, ERASED_AT)))
        erase(store, BERT, second, at=ERASED_AT)
        assert store.relations.count(ANNE, NOW) == 0
        assert not [one for one in records(store, ANNE) if one["record"] == "relation"]
        assert broken(store, ANNE) == {}

    def test_a_relation_whose_evidence_had_ended_goes_too(self, store: Store) -> None:
        mill, _ = keep_entity(store, ANNE, "Mill")
        pond, _ = keep_entity(store, ANNE, "Pond")
        ended, first = keep_relation(store, ANNE, mill, pond)
        end_relation(store, ANNE, ended, START + DAY)
        erase(store, ANNE, first, at=ERASED_AT)
        assert store.relations.of(ANNE, [mill], Moment(NOW.as_of, START + DAY - MICROSECOND)) == []
        assert not [one for one in records(store, ANNE) if one["record"] == "relation"]

    def test_evidence_of_another_that_had_ended_keeps_the_relation_for_known_at(self, store: Store) -> None:
        mill, _ = keep_entity(store, ANNE, "Mill")
        pond, _ = keep_entity(store, ANNE, "Pond")
        ended, other = keep_relation(store, BERT, mill, pond)
        _, erased = keep_relation(store, ANNE, mill, pond)
        end_relation(store, BERT, ended, START + DAY)
        erase(store, ANNE, erased, at=ERASED_AT)
        assert store.relations.of(ANNE, [mill], NOW) == []
        (then,) = store.relations.of(ANNE, [mill], Moment(NOW.as_of, START + DAY - MICROSECOND))
        assert [one.memory_id for one in then.evidence] == [other.id]

    def test_a_document_that_others_refer_to_is_a_stub_without_its_text(self, store: Store) -> None:
        spec, text = keep_document(store, ANNE, "SPEC-1", props={"title": "ultramarine"})
        other, referring = keep_document(store, BERT, "SPEC-2")
        with store.transaction(BERT, START) as now:
            store.entities.mention(BERT, referring.id, [NewMention(spec, None, None, 1.0)], now)
        relate(store, BERT, referring, other, spec)
        relate(store, ANNE, text, spec, other)
        erase(store, ANNE, text, at=ERASED_AT)
        stubs = {one.entity_id: one.stub for one in store.documents.page(BERT, None, NOW, 10, None)}
        assert stubs == {spec: True, other: False}
        (left,) = store.relations.of(BERT, [spec], NOW)
        assert (left.source.id, left.target.id) == (other, spec)
        assert "ultramarine" not in json.dumps(records(store, ANNE))
        assert broken(store, ANNE) == {}

    # What others said of the same entities stays

    def test_an_entity_goes_with_the_last_memory_that_speaks_of_it(self, store: Store) -> None:
        entity_id, maker = keep_entity(store, ANNE, "Mill")
        second = keep_mention(store, BERT, [entity_id], visibility=Visibility.PRIVATE)
        erase(store, ANNE, maker)
        assert [entity.id for entity in store.entities.get(BERT, [entity_id], NOW)] == [entity_id]
        erase(store, BERT, second)
        assert store.entities.get(BERT, [entity_id], NOW) == []
        assert store.entities.states(BERT, entity_id, KNOWN) == []
        assert not [one for one in records(store, ANNE) if one["record"] == "entity"]

    def test_an_entity_that_others_speak_of_keeps_the_name_it_goes_by(self, store: Store) -> None:
        entity_id, maker = keep_entity(store, ANNE, "Mill", props={"colour": "red"})
        keep_alias(store, ANNE, entity_id, "Grinder", maker)
        keep_mention(store, BERT, [entity_id])
        erase(store, ANNE, maker)
        (entity,) = store.entities.get(BERT, [entity_id], NOW)
        assert (entity.name, entity.aliases, entity.mention_count) == ("Mill", (), 1)
        assert (entity.state.props, entity.state.cause_id) == ({}, None)
        assert [one.id for one in store.entities.named(BERT, "mill", NOW)] == [entity_id]
        assert [one.entity_id for one in store.entities.known_names(BERT, ["mill"])] == [entity_id]
        assert store.entities.named(BERT, "grinder", NOW) == []

    def test_a_name_that_another_memory_gave_too_stays(self, store: Store) -> None:
        entity_id, maker = keep_entity(store, ANNE, "Mill")
        second = keep_mention(store, BERT, [entity_id])
        for memory in (maker, second):
            keep_alias(store, ANNE, entity_id, "Grinder", memory)
        erase(store, ANNE, maker)
        assert [one.id for one in store.entities.named(BERT, "grinder", NOW)] == [entity_id]

    def test_the_chain_is_whole_without_the_states_it_brought(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Mill", props={"colour": "red"})
        middle = change(store, ANNE, entity_id, SECOND, props={"colour": "blue", "size": "big"})
        change(store, ANNE, entity_id, THIRD, props={"owner": "Anne"})
        erase(store, ANNE, middle, at=ERASED_AT)
        assert [(name, begins, ends) for name, _, begins, ends in chain(store, BERT, entity_id, KNOWN)] == [
            ("Mill", START, THIRD),
            ("Mill", THIRD, None),
        ]
        assert "blue" not in repr(chain(store, BERT, entity_id, KNOWN))
        assert "size" not in repr(chain(store, BERT, entity_id, KNOWN))
        change(store, ANNE, entity_id, SECOND, at=ERASED_AT, props={"owner": "Bert"})
        assert [begins for _, _, begins, _ in chain(store, BERT, entity_id, KNOWN)] == [START, SECOND, THIRD]

    def test_without_the_last_state_the_one_before_it_is_open_again(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Mill", props={"colour": "red"})
        last = change(store, ANNE, entity_id, SECOND, props={"colour": "blue"})
        erase(store, ANNE, last, at=ERASED_AT)
        assert chain(store, BERT, entity_id, KNOWN) == [("Mill", {"colour": "red"}, START, None)]

    def test_without_what_reached_back_the_first_state_is_the_first_again(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Mill", props={"colour": "red"})
        back = change(store, ANNE, entity_id, START - 10 * DAY, props={"colour": "grey"})
        erase(store, ANNE, back, at=ERASED_AT)
        assert chain(store, BERT, entity_id, KNOWN) == [("Mill", {"colour": "red"}, START, None)]

    def test_a_name_that_it_gave_is_in_no_later_state(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Mill")
        renaming = change(store, ANNE, entity_id, SECOND, name="Hideout")
        keep_alias(store, ANNE, entity_id, "Hideout", renaming)
        change(store, ANNE, entity_id, THIRD, props={"size": "big"})
        erase(store, ANNE, renaming, at=ERASED_AT)
        assert "Hideout" not in repr(store.entities.states(ANNE, entity_id, KNOWN))
        assert "Hideout" not in repr(store.entities.get(ANNE, [entity_id], NOW))
        assert store.entities.named(ANNE, "hideout", NOW) == []

    @pytest.mark.parametrize("erased", range(4), ids=["first", "second", "late", "replaced"])
    def test_at_every_time_the_chain_is_whole_and_says_nothing_of_it(self, store: Store, erased: int) -> None:
        entity_id, maker = keep_entity(store, ANNE, "Mill", props={"by": "0"})
        keep_mention(store, BERT, [entity_id])
        causes = [maker, change(store, ANNE, entity_id, THIRD, props={"by": "1"})]
        causes.append(change(store, ANNE, entity_id, SECOND, props={"by": "2"}))
        causes.append(change(store, ANNE, entity_id, SECOND, props={"by": "3"}))
        times = [cause.created_at + MICROSECOND for cause in causes] + [KNOWN]
        erase(store, ANNE, causes[erased], at=ERASED_AT)
        for known_at in times:
            believed = store.entities.states(BERT, entity_id, known_at)
            assert believed, known_at
            assert _unbroken([(state.valid_from, state.valid_until) for state in believed])
            assert causes[erased].id not in repr(believed)


def _unbroken(spans: list[tuple[datetime, datetime | None]]) -> bool:
    """Whether each span ends where the next one begins, and the last one is open."""
    return [end for _, end in spans] == [*(begin for begin, _ in spans[1:]), None]
