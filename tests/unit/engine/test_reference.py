"""Deep references: what to go by, what was replaced, what disagrees, and what is kept of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from trigraph.assembly import open_engine
from trigraph.errors import InvalidInput
from trigraph.faces.library import Trigraph
from trigraph.model.composition import CompositionStatus, Role
from trigraph.model.memory import Kind
from trigraph.model.reference import Intent, ReplacedBy, WriteStatus
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import EmbedderSettings, Settings

pytestmark = pytest.mark.req("C8")


def roles(memory: Trigraph, event_id: str | None) -> dict[str, Role]:
    assert event_id is not None
    return {member.memory_id: member.role for member in memory.composition(event_id).members}


class TestTheAnswer:
    def test_what_was_superseded_gives_way_to_what_took_its_place(self, memory: Trigraph) -> None:
        old = memory.decide("Sessions use signed JWTs", topic="auth", reasoning="No lookup per request").id
        memory.evolve(old, "FAILED", "No revocation within 12 hours")
        new = memory.decide(
            "Sessions use opaque tokens", topic="auth", reasoning="Revocation must work at once", supersedes=old
        ).id
        found = memory.deep_reference("How do sessions work?")
        assert found.recommended is not None
        assert found.recommended.memory_id == new
        (gave_way,) = found.replaced
        assert (gave_way.old_id, gave_way.new_id, gave_way.by) == (old, new, ReplacedBy.SUPERSEDED)
        assert found.status is CompositionStatus.RESOLVED
        assert roles(memory, found.composition_event_id)[old] is Role.SUPERSEDED
        for said in (new[-8:], old[-8:], "Revocation must work at once", "FAILED: No revocation within 12 hours"):
            assert said in found.reasoning

    def test_what_denies_the_claim_of_the_question_comes_first(self, memory: Trigraph) -> None:
        memory.remember("The API rate limit is 100 requests per minute", occurred_at="2026-01-26")
        new = memory.remember("Since June the API rate limit is 600 requests per minute", occurred_at="2026-06-16").id
        found = memory.deep_reference("Is the API rate limit 100 requests per minute?")
        assert found.intent is Intent.FACT_CHECK
        assert found.claim == "the API rate limit is 100 requests per minute"
        assert found.status is CompositionStatus.CLAIM_CONTRADICTS_MEMORY
        assert found.recommended is not None
        assert [one.memory_id for one in found.claim_conflicts] == [found.recommended.memory_id] == [new]
        assert found.reasoning.startswith("Not by what memory holds.")

    def test_what_the_question_says_is_confirmed(self, memory: Trigraph) -> None:
        kept = memory.remember("The staging database listens on port 5433").id
        found = memory.deep_reference("Does the staging database listen on port 5433?")
        assert found.recommended is not None
        assert (found.recommended.memory_id, found.claim_conflicts) == (kept, ())

    def test_memories_that_disagree_are_both_told(self, memory: Trigraph) -> None:
        one = memory.remember("The nightly backup of the ledger runs at 02:00").id
        other = memory.remember("The backup of the ledger takes ten minutes").id
        assert one is not None
        assert other is not None
        memory.link(one, other, "contradicts", reason="One of them is about another store")
        found = memory.deep_reference("backup of the ledger")
        assert {found.contradictions[0].newer_id, found.contradictions[0].older_id} == {one, other}
        assert found.status is CompositionStatus.CONTRADICTIONS_FOUND
        assert "One of them is about another store" in found.reasoning
        assert Role.CONTRADICTING in roles(memory, found.composition_event_id).values()

    def test_what_is_linked_to_the_best_is_evidence_as_well(self, memory: Trigraph) -> None:
        best = memory.remember("The gateway drops frames above 2,350 messages per second").id
        beside = memory.remember("Diego measured it on the old rack").id
        assert best is not None
        assert beside is not None
        memory.remember_batch([f"Barge {number} carries gravel to lock {number}" for number in range(40)])
        memory.link(beside, best, "derived_from")
        found = memory.deep_reference("Above which load does the gateway drop frames?", depth=5)
        assert beside in {one.memory_id for one in found.evidence}

    def test_trust_falls_to_a_tenth_where_something_does_not_hold(self, memory: Trigraph) -> None:
        old = memory.decide("Sessions use signed JWTs", topic="auth").id
        memory.decide("Sessions use opaque tokens", topic="auth", supersedes=old)
        found = memory.deep_reference("How do sessions work?")
        trusted = {one.memory_id: (one.holds, one.trust) for one in found.evidence}
        assert trusted[old][0] is False
        assert trusted[old][1] < 0.1 < max(trust for holds, trust in trusted.values() if holds)

    def test_the_timeline_is_in_the_order_of_time(self, memory: Trigraph) -> None:
        for month, limit in ((3, 300), (1, 100), (6, 600)):
            memory.remember(f"In month {month} the rate limit became {limit}", occurred_at=f"2026-0{month}-01")
        times = [one.at for one in memory.deep_reference("How did the rate limit change over time?").timeline]
        assert times == sorted(times)
        assert len(times) > 1


class TestTheClaim:
    """What a question takes for granted, by plain yes/no questions over invented memories."""

    def test_what_was_given_up_is_denied_though_an_older_memory_still_says_it(self, memory: Trigraph) -> None:
        old = memory.remember("The parcel sorter is written in Ruby on six machines", occurred_at="2026-01-05").id
        new = memory.remember(
            "The parcel sorter was ported from Ruby to Elixir, one node at a time", occurred_at="2026-04-02"
        ).id
        found = memory.deep_reference("Is the parcel sorter written in Ruby?")
        assert found.status is CompositionStatus.CLAIM_CONTRADICTS_MEMORY
        assert [one.memory_id for one in found.claim_conflicts] == [new]
        assert "It says that Ruby was given up." in found.reasoning
        assert old is not None
        assert old[-8:] in found.reasoning

    def test_an_older_yes_is_none_where_a_newer_memory_tells_of_a_change(self, memory: Trigraph) -> None:
        memory.remember("The parcel sorter is a Ruby service on six machines", occurred_at="2026-01-05")
        memory.remember("The parcel sorter was ported from Ruby to Elixir", occurred_at="2026-04-02")
        found = memory.deep_reference("Is the parcel sorter a Ruby service?")
        assert found.reasoning.startswith("Perhaps not, by what memory holds.")
        assert "does not speak of service" in found.reasoning

    def test_another_value_is_denied(self, memory: Trigraph) -> None:
        memory.remember("The night shift is led by Birgit")
        found = memory.deep_reference("Is the night shift led by Osman?")
        assert found.status is CompositionStatus.CLAIM_CONTRADICTS_MEMORY
        assert "Memory names birgit where the question has osman" in found.reasoning

    def test_what_says_the_same_is_a_yes(self, memory: Trigraph) -> None:
        kept = memory.remember("The nightly export of the ledger is encrypted with age").id
        found = memory.deep_reference("Is the nightly export of the ledger encrypted?")
        assert found.reasoning.startswith(f"Yes, by {str(kept)[-8:]}")
        assert found.claim_conflicts == ()

    def test_what_rules_out_a_part_is_told_as_a_doubt(self, memory: Trigraph) -> None:
        memory.remember("We never store card numbers in the logs of the kiosk", kind="constraint")
        found = memory.deep_reference("Do we store card numbers?")
        assert found.status is not CompositionStatus.CLAIM_CONTRADICTS_MEMORY
        assert found.reasoning.startswith("Perhaps not, by what memory holds.")

    @pytest.mark.parametrize(
        "question",
        [
            "Was the parcel sorter written in Ruby?",
            "Is the tariff engine written in Ruby?",
            "Is Ruby taught in the evening school?",
            "Why was the parcel sorter ported from Ruby?",
        ],
    )
    def test_what_is_about_something_else_or_another_time_is_not_denied(self, memory: Trigraph, question: str) -> None:
        memory.remember("The parcel sorter was ported from Ruby to Elixir, one node at a time")
        found = memory.deep_reference(question)
        assert found.status is not CompositionStatus.CLAIM_CONTRADICTS_MEMORY
        assert not found.reasoning.startswith("Not by")

    def test_what_was_said_in_a_talk_denies_nothing(self, memory: Trigraph) -> None:
        memory.remember_thread([{"text": "We dropped Ruby in the parcel sorter, I think."}])
        found = memory.deep_reference("Is Ruby used in the parcel sorter?")
        assert found.claim_conflicts == ()

    def test_what_took_its_place_denies_what_held_before(self, memory: Trigraph) -> None:
        old = memory.decide("Dock doors are opened with paper slips", topic="dock doors").id
        new = memory.decide("Dock doors are opened with badges instead of slips", topic="dock doors", supersedes=old).id
        found = memory.deep_reference("Are dock doors opened with paper slips?")
        assert [one.memory_id for one in found.claim_conflicts] == [new]

    def test_a_part_that_was_changed_is_said_and_is_no_contradiction(self) -> None:
        settings = Settings(embedder=EmbedderSettings(kind="none"))
        with Trigraph(open_engine(settings, in_memory=True), LOCAL_SCOPE) as memory:
            old = memory.decide("Baskets live in Memcached for an hour, keyed by visitor", topic="baskets").id
            new = memory.decide("Memcached is replaced by Dragonfly for turnstiles and for baskets", topic="cache").id
            memory.link(new, old, "relates_to")
            found = memory.deep_reference("Which cache do baskets live in?")
            parts = roles(memory, found.composition_event_id)
        changed = [one for one in found.replaced if one.by is ReplacedBy.IN_PART]
        assert [(one.old_id, one.new_id) for one in changed] == [(old, new)]
        assert found.contradictions == ()
        assert Role.SUPERSEDED not in parts.values()


class TestDocuments:
    RECORD = "# {number}. {title}\n\n## Status\n\n{status}\n\n## Context\n\n{context}\n\n## Decision\n\n{decision}\n"

    def put(self, memory: Trigraph, folder: str, number: int, title: str, *rest: str) -> None:
        status, context, decision = rest
        text = self.RECORD.format(number=number, title=title, status=status, context=context, decision=decision)
        path = f"{folder}/{number:04}-{title.lower().replace(' ', '-')}.md"
        memory.docs.put(text, collection="records", path=path, uri=path)

    def test_what_a_record_decides_is_told_with_another_passage_of_it(self, memory: Trigraph) -> None:
        context = "Ferries could be moved to the new quay one by one, or all of them in one night. " * 12
        self.put(memory, "port", 3, "Moving the ferries", "Accepted", context, "All ferries move in one night in May.")
        found = memory.deep_reference("ferries to the new quay: one by one or all of them?")
        assert "All ferries move in one night in May." in found.reasoning

    def test_of_two_documents_of_one_name_the_one_in_the_same_folder_took_its_place(self, memory: Trigraph) -> None:
        self.put(memory, "alpha", 9, "Steam whistles", "Accepted", "Whistles wake the town.", "Whistles are silent.")
        self.put(
            memory, "beta", 4, "Lamp oil", "Superseded by [9. Lamp gas](0009-lamp-gas.md)", "Lamps smoke.",
            "The lamps of the pier burn whale oil from the second cellar.",
        )  # fmt: skip
        self.put(memory, "beta", 9, "Lamp gas", "Accepted", "Oil is dear.", "The lamps of the pier burn town gas.")
        found = memory.deep_reference("What do the lamps of the pier burn?")
        assert found.recommended is not None
        assert "town gas" in found.recommended.text
        assert all("histles" not in one.new_text for one in found.replaced)

    def test_what_the_graph_brings_is_told_without_its_front_matter(self, memory: Trigraph) -> None:
        old = "The lamps of the pier burn whale oil, as keepers have it. " * 3
        self.put(memory, "port", 4, "Lamp oil", "Superseded by [9. Lamp gas](0009-lamp-gas.md)", "Lamps smoke.", old)
        text = self.RECORD.format(
            number=9, title="Lamp gas", status="Accepted", context="Dear.", decision="Town gas burns brighter."
        )
        memory.docs.put(
            f"---\nid: ADR-9\nowner: Mara\n---\n\n{text}", collection="records", path="port/0009-lamp-gas.md",
            uri="port/0009-lamp-gas.md",
        )  # fmt: skip
        for number in range(30):
            memory.remember(f"Lamp {number} of the pier burns whale oil since the keeper of berth {number} asked")
        found = memory.deep_reference("Which whale oil do the lamps of the pier burn, as keepers have it?")
        brought = [one for one in found.evidence if one.kind is Kind.DOCUMENT and "gas" in one.text]
        assert brought
        assert all("owner: Mara" not in one.text for one in found.evidence)


class TestNothing:
    def test_an_empty_store_has_nothing_and_keeps_nothing(self, memory: Trigraph) -> None:
        found = memory.deep_reference("What is the rate limit?")
        assert (found.evidence, found.recommended, found.status, found.confidence) == ((), None, None, 0.0)
        assert found.composition_write_status is WriteStatus.SKIPPED_EMPTY
        assert "Memory has nothing on this" in found.reasoning
        assert memory.compositions() == []

    def test_an_abstention_keeps_nothing(self, memory: Trigraph) -> None:
        memory.remember_batch([f"Barge {number} carries gravel to lock {number}" for number in range(60)])
        found = memory.deep_reference("Who won the chess olympiad in Buenos Aires?")
        assert found.nothing_found
        assert (found.evidence, found.composition_event_id) == ((), None)
        assert "Do not take that for a no" in found.reasoning

    @pytest.mark.parametrize("query", ["", "   ", "\x00", "x" * 20_000])
    def test_what_cannot_be_asked_is_refused_as_recall_refuses_it(self, memory: Trigraph, query: str) -> None:
        with pytest.raises(InvalidInput) as refused:
            memory.recall(query)
        with pytest.raises(InvalidInput) as again:
            memory.deep_reference(query)
        assert str(again.value) == str(refused.value)

    @pytest.mark.parametrize(
        "query",
        ["'; DROP TABLE composition; --", "???", "is is is is", "why why why", "🦆" * 50, "a\u202eb", "NOT AND OR"],
    )
    def test_hostile_questions_are_answered(self, memory: Trigraph, query: str) -> None:
        memory.remember("Ducks are kept in the pond")
        found = memory.deep_reference(query)
        assert found.composition_write_status in (WriteStatus.PERSISTED, WriteStatus.SKIPPED_EMPTY)
        assert memory.audit().ok

    @pytest.mark.parametrize("depth", [4, 51])
    def test_a_depth_out_of_range_is_refused(self, memory: Trigraph, depth: int) -> None:
        with pytest.raises(InvalidInput, match="5 to 50"):
            memory.deep_reference("ducks", depth=depth)


class TestWithoutItsParts:
    def test_without_a_model_it_answers_and_says_that_it_is_degraded(self) -> None:
        settings = Settings(embedder=EmbedderSettings(kind="none"))
        with Trigraph(open_engine(settings, in_memory=True), LOCAL_SCOPE) as memory:
            kept = memory.remember("The lock keeper lives in the tower").id
            found = memory.deep_reference("Who lives in the tower?")
        assert found.degraded
        assert found.recommended is not None
        assert found.recommended.memory_id == kept

    def test_a_write_that_fails_takes_nothing_from_the_answer(self, home: Path, memory: Trigraph) -> None:
        kept = memory.remember("The lock keeper lives in the tower").id
        whole = memory.deep_reference("Who lives in the tower?")
        with _no_composition_can_be_written(home):
            found = memory.deep_reference("Who lives in the tower?")
        assert found.recommended is not None
        assert (found.recommended.memory_id, found.reasoning) == (kept, whole.reasoning)
        assert (found.composition_write_status, found.composition_event_id) == (WriteStatus.FAILED, None)
        assert found.composition_write_error
        assert len(memory.compositions()) == 1
        again = memory.deep_reference("Who lives in the tower?")
        assert again.composition_write_status is WriteStatus.PERSISTED

    def test_a_store_that_became_read_only_takes_nothing_from_the_answer(self, memory: Trigraph) -> None:
        memory.remember("The lock keeper lives in the tower")
        whole = memory.deep_reference("Who lives in the tower?")
        idle = memory.engine._parts.store._home.of(LOCAL_SCOPE).truth._idle
        for connection in idle:
            connection.pragma("query_only", True)
        found = memory.deep_reference("Who lives in the tower?")
        assert (found.recommended, found.reasoning) == (whole.recommended, whole.reasoning)
        assert (found.composition_write_status, found.composition_event_id) == (WriteStatus.FAILED, None)
        assert "cannot be opened for writing" in str(found.composition_write_error)
        for connection in idle:
            connection.pragma("query_only", False)
        assert memory.deep_reference("Who lives in the tower?").composition_write_status is WriteStatus.PERSISTED


@contextmanager
def _no_composition_can_be_written(home: Path) -> Iterator[None]:
    """The table refuses every row, as a damaged or full one does."""
    connection = apsw.Connection(str(home / "default.db"))
    connection.execute("CREATE TRIGGER refused BEFORE INSERT ON composition BEGIN SELECT raise(ABORT, 'no'); END")
    try:
        yield
    finally:
        connection.execute("DROP TRIGGER refused")
        connection.close()


class TestWhatIsKept:
    def test_exactly_one_recall_event_and_one_composition(self, memory: Trigraph) -> None:
        memory.remember("The lock keeper lives in the tower")
        found = memory.deep_reference("Who lives in the tower?", session="s-1")
        assert memory.engine._parts.store.events.count(LOCAL_SCOPE) == 1
        event = memory.recall_event(found.recall_id)
        assert event is not None
        assert event.session == "s-1"
        (kept,) = memory.compositions()
        assert (kept.id, kept.tool, kept.query) == (found.composition_event_id, "deep_reference", found.query)
        assert (kept.mode, kept.confidence, kept.status) == (found.intent, found.confidence, found.status)
        assert found.reasoning.startswith(kept.metadata.reasoning_preview[:50])

    @pytest.mark.req("X7")
    def test_a_secret_in_the_question_is_not_kept(self, memory: Trigraph) -> None:
        memory.remember("The deploy token is read from the vault")
        secret = "ghp_" + "a1B2c3D4e5" * 4
        found = memory.deep_reference(f"Is the deploy token {secret} still read from the vault?")
        kept = memory.composition(str(found.composition_event_id))
        assert secret not in repr(kept)
        assert "REDACTED" in kept.query
