"""`contracts.Transfer`, as tests."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from trigraph.contracts import NewPassage, Put, Record, Store
from trigraph.errors import StoreError
from trigraph.model.access import ReadPolicy
from trigraph.model.change import CitationKind, Verb
from trigraph.model.insight import RecallFilter
from trigraph.model.memory import Visibility
from trigraph.model.relation import Relation
from trigraph.model.scope import Scope
from trigraph.testing.builders import (
    ALL,
    ANNE,
    BERT,
    DAY,
    MODEL,
    NOW,
    START,
    Vectors,
    keep,
    keep_episode,
    keep_thread,
    pin,
    unit_vectors,
)
from trigraph.testing.changes import (
    chain,
    change,
    cite,
    erase,
    keep_alias,
    keep_entity,
    keep_link,
    keep_mention,
    revise,
)
from trigraph.testing.suites.base import Suite
from trigraph.testing.suites.figures import EVERYONE, recalled
from trigraph.testing.world import fill, records

ELSEWHERE = Scope("elsewhere", "attic", "anne")
KINDS = [
    "agent",
    "group",
    "thread",
    "memory",
    "entity",
    "relation",
    "link",
    "citation",
    "vote",
    "erased",
    "composition",
    "recall_day",
    "shown_before",
    "recall_event",
]


def open_elsewhere(store: Store) -> None:
    """An empty project of a tenant that shares nothing with the others."""
    store.registry.add_tenant(ELSEWHERE.tenant, START)
    store.registry.add_project(ELSEWHERE.tenant, ELSEWHERE.project, START)


def put(store: Store, scope: Scope, record: Record, vectors: Vectors | None = None) -> Put:
    """Write one record in a transaction of its own."""
    with store.transaction(scope, START) as now:
        if record["record"] != "memory":
            return store.transfer.put(scope, record)
        text = record["text"]
        passage = NewPassage(0, len(text), None, tuple(text.lower().split()), ())
        return store.transfer.put_memory(scope, record, [passage], vectors, now)


def put_all(store: Store, scope: Scope, given: list[Record]) -> list[Put]:
    """Write records in one transaction."""
    with store.transaction(scope, START) as now:
        outcomes = []
        for record in given:
            if record["record"] == "memory":
                passage = NewPassage(0, len(record["text"]), None, tuple(record["text"].lower().split()), ())
                outcomes.append(store.transfer.put_memory(scope, record, [passage], None, now))
            else:
                outcomes.append(store.transfer.put(scope, record))
    return outcomes


def ids_in(given: list[Record]) -> str:
    return json.dumps(given)


def of(kind: str, given: list[Record]) -> list[Record]:
    return [record for record in given if record["record"] == kind]


class TransferSuite(Suite):
    """`contracts.Transfer`."""

    # There and back

    def test_everything_comes_back_as_it_was(self, store: Store) -> None:
        fill(store)
        exported = records(store, ANNE)
        assert set(KINDS) <= {record["record"] for record in exported}
        open_elsewhere(store)
        outcomes = dict(zip(map(json.dumps, exported), put_all(store, ELSEWHERE, exported), strict=True))
        assert {text for text, outcome in outcomes.items() if outcome is not Put.ADDED} <= {
            json.dumps(record) for record in exported if record.get("name") == "default"
        }
        assert _without_default(records(store, ELSEWHERE)) == _without_default(exported)

    def test_records_come_after_those_they_refer_to_and_in_the_same_order_each_time(self, store: Store) -> None:
        world = fill(store)
        exported = records(store, ANNE)
        assert exported == records(store, ANNE)
        places = {record["id"]: place for place, record in enumerate(exported) if "id" in record}
        for place, record in enumerate(exported):
            names = ("thread_id", "from_id", "to_id", "memory_id", "target", "made_by", "source_id", "target_id")
            needed = [record.get(name) for name in names]
            needed += [one["memory_id"] for one in record.get("evidence", ())]
            assert all(places.get(one, -1) < place for one in needed if one)
        assert world.private.id in places

    def test_what_was_put_is_found_and_read(self, store: Store) -> None:
        world = fill(store)
        open_elsewhere(store)
        put_all(store, ELSEWHERE, records(store, ANNE))
        there = replace(ELSEWHERE, agent="bert")
        known = NOW.known_at
        assert store.memories.find(there, world.fact.id[-8:], known) == [
            replace(one, project=ELSEWHERE.project) for one in store.memories.find(BERT, world.fact.id[-8:], known)
        ]
        assert store.memories.versions(there, [world.fact.id], known) == store.memories.versions(
            BERT, [world.fact.id], known
        )
        assert len(store.search.lexical(there, ["hello"], ALL, NOW, 10)) == 1
        assert chain(store, there, world.entity_id, known) == chain(store, BERT, world.entity_id, known)
        assert store.entities.get(there, [world.entity_id], NOW) == store.entities.get(BERT, [world.entity_id], NOW)
        assert store.links.of(there, [world.fact.id], known) == store.links.of(BERT, [world.fact.id], known)
        assert store.documents.identity(there, world.document_id) == store.documents.identity(BERT, world.document_id)
        assert store.documents.page(there, None, NOW, 10, None) == store.documents.page(BERT, None, NOW, 10, None)
        ends = [world.document_id, world.entity_id]
        assert _by_ends(store.relations.of(there, ends, NOW)) == _by_ends(store.relations.of(BERT, ends, NOW))
        assert set(store.graph.edges(there, ends, NOW, 10)) == set(store.graph.edges(BERT, ends, NOW, 10))
        assert store.uses.citations(there, [world.fact.id]) == store.uses.citations(BERT, [world.fact.id])
        assert store.threads.next_seq(there, world.thread.id) == 3

    def test_vectors_travel_when_they_are_asked_for(self, store: Store) -> None:
        pin(store)
        keep(store, ANNE, "alpha", vectors=unit_vectors(1))
        assert of("memory", records(store, ANNE))[0]["vectors"] is None
        (record,) = of("memory", records(store, ANNE, vectors=True))
        assert len(record["vectors"]) == 1
        given = np.array([np.frombuffer(bytes.fromhex(row), np.int8) for row in record["vectors"]], np.float32)
        open_elsewhere(store)
        with store.transaction(ELSEWHERE, START):
            store.space.pin(ELSEWHERE, MODEL)
        vectors = np.asarray(given / np.linalg.norm(given, axis=1, keepdims=True), np.float32)
        assert put(store, ELSEWHERE, record, vectors) is Put.ADDED
        assert of("memory", records(store, ELSEWHERE, vectors=True)) == [record]
        (near,) = store.search.nearest(ELSEWHERE, unit_vectors(1)[0], ALL, NOW, 10)
        assert near.score == pytest.approx(1, abs=1e-3)

    def test_a_memory_without_vectors_waits_for_them(self, store: Store) -> None:
        keep(store, ANNE, "alpha")
        open_elsewhere(store)
        (record,) = of("memory", records(store, ANNE))
        put(store, ELSEWHERE, record)
        assert store.queue.waiting(ELSEWHERE, "embed") == 1

    def test_events_travel_when_they_are_asked_for(self, store: Store) -> None:
        fill(store)
        assert len(of("recall_event", records(store, ANNE))) == 1
        for kind in ("recall_event", "skill_use", "recall_day", "shown_before"):
            assert of(kind, records(store, ANNE))
            assert of(kind, records(store, ANNE, events=False)) == []

    def test_what_is_counted_of_recalls_is_the_same_there_whether_they_are_kept_or_not(self, store: Store) -> None:
        memory = keep(store, ANNE, "one")
        for number in range(6):
            event = recalled(store, ANNE if number % 2 else BERT, memory, at=START + number // 3 * DAY)
            cite(store, ANNE if number % 2 else BERT, memory, CitationKind.DISMISSED, recall_id=event.recall_id)
        store.retention.roll_up(ANNE, START + 2 * DAY, 4)
        store.retention.thin(ANNE, START + 2 * DAY, 1)
        open_elsewhere(store)
        for _ in range(2):
            assert Put.DIFFERENT not in put_all(store, ELSEWHERE, records(store, ANNE))
            for figures in (
                lambda scope: sorted(map(str, store.figures.days(scope, EVERYONE))),
                lambda scope: store.figures.shown_uncited(scope, None, NOW, 10, 10),
                lambda scope: store.figures.recalls(scope, RecallFilter(), 10, None),
            ):
                assert figures(ELSEWHERE) == figures(ANNE)

    def test_recalls_that_are_kept_here_are_not_counted_again(self, store: Store) -> None:
        memory = keep(store, ANNE, "one")
        for number in range(4):
            recalled(store, ANNE, memory, at=START + number // 2 * DAY)
        kept = records(store, ANNE)
        open_elsewhere(store)
        put_all(store, ELSEWHERE, kept)
        store.retention.roll_up(ANNE, START + DAY, 10)
        (day,) = of("recall_day", records(store, ANNE))
        (shown,) = of("shown_before", records(store, ANNE))
        assert (day["recalls"], shown["shown"]) == (2, 2)
        assert [put(store, ELSEWHERE, one) for one in (day, shown)] == [Put.DIFFERENT, Put.DIFFERENT]
        assert _without_default(records(store, ELSEWHERE)) == _without_default(kept)

    # What is there already

    def test_what_is_put_twice_is_the_same(self, store: Store) -> None:
        fill(store)
        exported = records(store, ANNE)
        assert set(put_all(store, ANNE, exported)) == {Put.SAME}
        assert records(store, ANNE) == exported

    @pytest.mark.parametrize(
        ("kind", "field", "value"),
        [
            ("agent", "policy", "isolated"),
            ("group", "members", []),
            ("thread", "title", "Another"),
            ("memory", "text", "another text"),
            ("memory", "versions", []),
            ("entity", "type", "tool"),
            ("entity", "aliases", []),
            ("entity", "document", {"collection": "west", "name_key": "spec-9", "path": None}),
            ("relation", "evidence", []),
            ("link", "confidence", 0.125),
            ("link", "similarity", 0.125),
            ("citation", "notes", "another"),
            ("vote", "reason", "another"),
            ("erased", "by", "carl"),
            ("composition", "query", "another"),
            ("recall_event", "query", "another"),
            ("recall_day", "hits", 7),
            ("shown_before", "shown", 7),
        ],
    )
    def test_what_is_there_and_different_is_not_overwritten(
        self, store: Store, kind: str, field: str, value: object
    ) -> None:
        fill(store)
        exported = records(store, ANNE)
        record = of(kind, exported)[0]
        assert record[field] != value
        assert put(store, ANNE, {**record, field: value}) is Put.DIFFERENT
        assert records(store, ANNE) == exported

    def test_what_was_erased_stays_so(self, store: Store) -> None:
        entity_id, memory = keep_entity(store, ANNE, "Old Mill", props={"colour": "red"})
        other = keep(store, ANNE, "other")
        keep_link(store, ANNE, memory, other)
        cite(store, ANNE, memory)
        with store.transaction(ANNE, START) as now:
            store.uses.vote(ANNE, memory.id, 1, 0.1, None, now)
        exported = records(store, ANNE)
        erase(store, ANNE, memory)
        before = records(store, ANNE)
        outcomes = dict(zip((record["record"] for record in exported), put_all(store, ANNE, exported), strict=True))
        assert put(store, ANNE, of("memory", exported)[0]) is Put.ERASED
        assert (outcomes["link"], outcomes["citation"]) == (Put.DANGLING, Put.DANGLING)
        assert records(store, ANNE) == before
        assert store.entities.get(ANNE, [entity_id], NOW) == []
        assert outcomes["entity"] is not Put.ADDED
        assert outcomes["vote"] is not Put.ADDED

    def test_how_often_something_was_shown_that_was_erased_here_is_not_told(self, store: Store) -> None:
        memory = keep(store, ANNE, "one")
        recalled(store, ANNE, memory)
        store.retention.roll_up(ANNE, START + DAY, 10)
        exported = of("shown_before", records(store, ANNE))
        erase(store, ANNE, memory)
        store.events.forget(ANNE, memory.id)
        assert [put(store, ANNE, one) for one in exported] == [Put.ERASED]
        assert of("shown_before", records(store, ANNE)) == []

    def test_what_was_erased_elsewhere_stays_so_here(self, store: Store) -> None:
        memory = keep(store, ANNE, "alpha")
        (record,) = of("memory", records(store, ANNE))
        erase(store, ANNE, memory)
        (tombstone,) = of("erased", records(store, ANNE))
        open_elsewhere(store)
        assert put(store, ELSEWHERE, tombstone) is Put.ADDED
        assert put(store, ELSEWHERE, record) is Put.ERASED
        assert store.memories.find(ELSEWHERE, memory.id[-8:], NOW.known_at) == []

    @pytest.mark.parametrize("kind", ["link", "citation", "vote"])
    def test_what_refers_to_nothing_here_is_dangling(self, store: Store, kind: str) -> None:
        fill(store)
        open_elsewhere(store)
        assert put(store, ELSEWHERE, of(kind, records(store, ANNE))[0]) is Put.DANGLING
        assert of(kind, records(store, ELSEWHERE)) == []

    @pytest.mark.parametrize("missing", ["source_id", "target_id", "evidence"])
    def test_a_relation_without_its_ends_or_any_evidence_here_is_dangling(self, store: Store, missing: str) -> None:
        world = fill(store)
        exported = records(store, ANNE)
        record = next(one for one in of("relation", exported) if one["target_id"] == world.document_id)
        open_elsewhere(store)
        put_all(store, ELSEWHERE, [one for one in exported if one["record"] not in ("relation", "agent", "group")])
        elsewhere = {"evidence": [{**record["evidence"][0], "memory_id": "m_" + "0" * 26}]}
        wrong = {**record, **elsewhere} if missing == "evidence" else {**record, missing: "e_" + "0" * 26}
        assert put(store, ELSEWHERE, wrong) is Put.DANGLING
        assert of("relation", records(store, ELSEWHERE)) == []
        assert put(store, ELSEWHERE, record) is Put.ADDED
        assert of("relation", records(store, ELSEWHERE)) == [record]

    def test_evidence_that_is_not_here_yet_is_added_to_a_relation_that_is(self, store: Store) -> None:
        world = fill(store)
        exported = records(store, ANNE)
        record = next(one for one in of("relation", exported) if one["target_id"] == world.document_id)
        assert len(record["evidence"]) == 3
        open_elsewhere(store)
        put_all(store, ELSEWHERE, [one for one in exported if one["record"] not in ("relation", "agent", "group")])
        assert put(store, ELSEWHERE, {**record, "evidence": record["evidence"][:1]}) is Put.ADDED
        assert put(store, ELSEWHERE, record) is Put.ADDED
        assert of("relation", records(store, ELSEWHERE)) == [record]
        assert put(store, ELSEWHERE, record) is Put.SAME

    def test_records_of_earlier_versions_can_still_be_read(self, store: Store) -> None:
        fill(store)
        exported = [one for one in records(store, ANNE) if one["record"] not in ("agent", "group", "relation")]
        newer = {"document", "similarity", "gap_seconds"}
        older = [{name: value for name, value in one.items() if name not in newer} for one in exported]
        assert len(ids_in(older)) < len(ids_in(exported))
        open_elsewhere(store)
        assert set(put_all(store, ELSEWHERE, older)) == {Put.ADDED}
        assert set(put_all(store, ELSEWHERE, older)) == {Put.SAME}
        arrived = [one for one in records(store, ELSEWHERE) if one["record"] not in ("agent", "group")]
        assert [{name: value for name, value in one.items() if name not in newer} for one in arrived] == older
        assert store.documents.page(ELSEWHERE, None, NOW, 10, None) == []

    def test_later_transactions_come_after_what_was_reached(self, store: Store) -> None:
        with store.transaction(ANNE, START):
            store.transfer.reached(ANNE, START + DAY)
        assert store.present(ANNE, START) >= START + DAY
        with store.transaction(ANNE, START) as now:
            assert now > START + DAY
            store.transfer.reached(ANNE, START)
        assert store.present(ANNE, START) > START + DAY

    def test_a_put_that_is_undone_leaves_nothing(self, store: Store) -> None:
        fill(store)
        open_elsewhere(store)
        before = records(store, ELSEWHERE)
        truth = [one for one in records(store, ANNE, events=False) if one["record"] not in ("agent", "group")]
        with pytest.raises(StoreError):
            put_all(store, ELSEWHERE, [*truth, {**of("link", truth)[0], "id": "not an id"}])
        assert records(store, ELSEWHERE) == before

    # Who may see it

    def test_an_agents_records_name_nothing_that_is_hidden_from_it(self, store: Store) -> None:
        world = fill(store)
        change(store, ANNE, world.entity_id, START + DAY, visibility=Visibility.PRIVATE, name="Hideout")
        change(store, ANNE, world.entity_id, START + 2 * DAY, visibility=Visibility.PRIVATE, props={"safe": "here"})
        change(store, BERT, world.entity_id, START + 3 * DAY, props={"colour": "blue"})
        hidden = keep(store, ANNE, "hidden", visibility=Visibility.PRIVATE)
        keep(store, ANNE, "corrected", root_id=hidden.id)
        revise(store, ANNE, keep(store, ANNE, "gone"), Verb.SUPERSEDE, superseded=True, superseded_by=hidden.id)
        theirs = records(store, BERT, everything=False)
        shown = {record["id"] for record in theirs if record["record"] == "memory"}
        everything = {record["id"] for record in of("memory", records(store, ANNE))}
        assert world.private.id not in shown
        assert world.fact.id in shown
        assert [id_ for id_ in sorted(everything - shown) if id_ in ids_in(theirs)] == []
        for secret in ("Hideout", "Secret Place", "here"):
            assert secret not in ids_in(of("entity", theirs))

    def test_an_agents_records_are_whole_without_what_is_hidden_from_it(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Mill", props={"colour": "red"})
        for days in (1, 3):
            change(store, ANNE, entity_id, START + days * DAY, visibility=Visibility.PRIVATE)
        change(store, ANNE, entity_id, START + 2 * DAY, props={"colour": "blue"})
        exported = records(store, BERT, everything=False)
        open_elsewhere(store)
        assert set(put_all(store, ELSEWHERE, exported)) == {Put.ADDED}
        store.registry.put_agent(ELSEWHERE.tenant, ELSEWHERE.project, "bert", ReadPolicy.SHARED, (), START)
        there = replace(ELSEWHERE, agent="bert")
        known = NOW.known_at
        assert chain(store, there, entity_id, known) == chain(store, BERT, entity_id, known)

    def test_entities_and_links_are_left_out_with_what_they_need(self, store: Store) -> None:
        entity_id, maker = keep_entity(store, ANNE, "Mill")
        hidden = keep_mention(store, ANNE, [entity_id], visibility=Visibility.PRIVATE)
        keep_alias(store, ANNE, entity_id, "Grinder", hidden)
        keep_link(store, ANNE, maker, hidden)
        cite(store, BERT, hidden)
        keep_episode(store, ANNE, keep_thread(store, ANNE), 0, "hello", visibility=Visibility.PRIVATE)
        theirs = records(store, BERT, everything=False)
        assert [record["record"] for record in theirs] == ["memory", "entity"]
        revise(store, ANNE, maker, Verb.SHARE, visibility=Visibility.PRIVATE)
        assert records(store, BERT, everything=False) == []

    def test_relations_and_documents_are_left_out_with_what_they_need(self, store: Store) -> None:
        world = fill(store)
        theirs = records(store, BERT, everything=False)
        everything = records(store, ANNE)
        assert [one["document"]["path"] for one in of("entity", theirs) if one["document"]] == ["specs/one.md", None]
        told = {(one["type"], tuple(x["section"] for x in one["evidence"])) for one in of("relation", theirs)}
        assert told == {("REFERENCES", ("Links", "Top")), ("DEPENDS_ON", ("Body", "Body")), ("USES", ("Body",))}
        assert "Secrets" in ids_in(of("relation", everything))
        assert len(of("relation", everything)) == 4
        assert world.private.id not in ids_in(of("relation", theirs))

    def test_an_agents_records_hold_its_own_uses_alone(self, store: Store) -> None:
        fill(store)
        for scope, others in ((ANNE, "bert"), (BERT, "anne")):
            own = records(store, scope, everything=False)
            uses = [one for one in own if "agent" in one]
            assert {one["record"] for one in uses} >= {"citation", "vote", "recall_day", "shown_before"}
            assert others not in {one["agent"] for one in uses}
            assert of("erased", own) == of("agent", own) == []


def _by_ends(given: list[Relation]) -> dict[tuple[str, str, str], Relation]:
    return {(one.source.id, one.type, one.target.id): one for one in given}


def _without_default(given: list[Record]) -> list[Record]:
    """Records but for the agent that every project has from the start."""
    return [record for record in given if record != {**record, "record": "agent", "name": "default"}]
