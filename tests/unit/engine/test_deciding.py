"""Decisions, what was built on them, what came of it, the end of a session; and links, votes, citations."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from trigraph.assembly import open_engine
from trigraph.engine.read.history import STORY_MOST
from trigraph.errors import Conflict, InvalidInput, NotFound
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.change import EntityHistory, MemoryHistory, Verb
from trigraph.model.entity import EntityEvent, EntityState
from trigraph.model.link import LinkOrigin, LinkType
from trigraph.model.memory import (
    DecisionDetails,
    EntityType,
    Kind,
    OutcomeDetails,
    OutcomeResult,
    SessionDetails,
    Visibility,
)
from trigraph.model.recall import Outcome
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.settings import EmbedderSettings, Settings

if TYPE_CHECKING:
    from clocks import SettableClock

WITHOUT_MODEL = Settings(embedder=EmbedderSettings(kind="none"))
NOTHING_CITED = {"cited": 0, "dismissed": 0, "flagged_stale": 0, "rewrote": 0, "saved_rework": 0}


@pytest.fixture
def memory(clock: SettableClock) -> Iterator[Trigraph]:
    """An empty memory without a model."""
    with Trigraph(open_engine(WITHOUT_MODEL, in_memory=True, clock=clock), LOCAL_SCOPE) as opened:
        yield opened


@pytest.fixture
def bob(memory: Trigraph) -> Trigraph:
    """Another agent of the project, that reads what is shared."""
    memory.admin.set_agent("default", "default", "bob", ReadPolicy.SHARED)
    return Trigraph(memory.engine, Scope("default", "default", "bob"))


@pytest.mark.req("T8")
class TestDecide:
    def test_the_topic_names_a_concept_whose_state_says_what_was_decided(self, memory: Trigraph) -> None:
        changed = memory.decide("Use JWT", topic="auth", reasoning="Stateless", tags=["security"])
        kept = memory.get(changed.id)
        (state,) = _states(memory, "auth")

        assert (kept.kind, kept.topic, kept.details) == (Kind.DECISION, "auth", DecisionDetails("Stateless"))
        assert (kept.subject.name, kept.type) == ("auth", EntityType.CONCEPT)
        assert kept.subject.id == changed.entity_id == memory.entity("auth").id
        assert (state.event, state.cause_id) == (EntityEvent.CREATED, changed.id)
        assert (state.props["decision"].value, state.props["decision"].memory_id) == ("Use JWT", changed.id)
        assert (state.valid_from, state.valid_until) == (kept.valid_from, None)

    def test_a_further_decision_ends_the_state_before_it(self, memory: Trigraph, clock: SettableClock) -> None:
        first = memory.decide("Use JWT", topic="auth").id
        clock.advance(days=1)
        second = memory.decide("Tokens live an hour", topic="Auth").id
        clock.advance(days=1)
        third = memory.decide("Use sessions", topic="auth", supersedes=first).id

        states = _states(memory, "auth")
        assert [(state.event, state.cause_id) for state in states] == [
            (EntityEvent.CREATED, first),
            (EntityEvent.UPDATED, second),
            (EntityEvent.SUPERSEDED, third),
        ]
        assert [state.valid_until for state in states] == [states[1].valid_from, states[2].valid_from, None]
        assert [state.props["decision"].value for state in states] == [
            "Use JWT",
            "Tokens live an hour",
            "Use sessions",
        ]

    def test_what_it_supersedes_ends_with_it(self, memory: Trigraph, clock: SettableClock) -> None:
        old = memory.decide("Use JWT", topic="auth").id
        clock.advance(days=1)
        changed = memory.decide("Use sessions", topic="auth", supersedes=old[-8:])

        assert (changed.replaced, memory.get(old).superseded_by) == ((old,), changed.id)
        assert memory.get(old).valid_until == memory.get(changed.id).valid_from
        (link,) = memory.links(changed.id)
        assert (link.id, link.type, link.to_id) == (changed.links[0], LinkType.SUPERSEDES, old)

    def test_one_that_arrives_late_is_inserted_and_what_was_believed_stays(
        self, memory: Trigraph, clock: SettableClock
    ) -> None:
        first = memory.decide("Use JWT", topic="auth", valid_from="2026-01-01").id
        third = memory.decide("Use sessions", topic="auth", valid_from="2026-08-01").id
        clock.advance(days=2)
        second = memory.decide("Use opaque tokens", topic="auth", valid_from="2026-04-01").id

        january, april, august = (datetime(2026, month, 1, tzinfo=UTC) for month in (1, 4, 8))
        assert [(state.cause_id, state.valid_from, state.valid_until) for state in _states(memory, "auth")] == [
            (first, january, april),
            (second, april, august),
            (third, august, None),
        ]
        before = _states(memory, "auth", known_at="2026-09-02")
        assert [(state.cause_id, state.valid_from, state.valid_until) for state in before] == [
            (first, january, august),
            (third, august, None),
        ]
        for day, decided in (("2026-02-01", "Use JWT"), ("2026-05-01", "Use opaque tokens"), (None, "Use sessions")):
            assert memory.entity("auth", as_of=day).state.props["decision"].value == decided
        was = memory.entity("auth", as_of="2026-05-01", known_at="2026-09-02")
        assert was.state.props["decision"].value == "Use JWT"

    def test_one_before_all_that_is_known_ends_where_the_first_begins(self, memory: Trigraph) -> None:
        memory.decide("Use JWT", topic="auth", valid_from="2026-01-01")
        memory.decide("Use basic auth", topic="auth", valid_from="2025-01-01")

        states = _states(memory, "auth")
        assert [state.props["decision"].value for state in states] == ["Use basic auth", "Use JWT"]
        assert states[0].valid_until == states[1].valid_from == datetime(2026, 1, 1, tzinfo=UTC)

    def test_two_at_one_instant_leave_one_state_the_later(self, memory: Trigraph) -> None:
        memory.decide("Use JWT", topic="auth", valid_from="2026-01-01")
        memory.decide("Use sessions", topic="auth", valid_from="2026-01-01")

        (state,) = _states(memory, "auth")
        assert state.props["decision"].value == "Use sessions"

    def test_a_private_one_on_a_shared_topic_makes_an_entity_of_its_own(self, memory: Trigraph, bob: Trigraph) -> None:
        shared = memory.decide("Use JWT", topic="auth")
        before = memory.history(str(shared.entity_id))
        own = memory.decide("Use my own token", topic="auth", visibility="private")

        assert own.entity_id != shared.entity_id
        assert memory.history(str(shared.entity_id)).states == before.states
        assert bob.entity("auth").id == shared.entity_id
        assert "my own token" not in repr((bob.entity("auth"), bob.history("auth"), bob.entities()))
        with pytest.raises(InvalidInput, match="names several entities") as refused:
            memory.entity("auth")
        assert str(own.entity_id) in str(refused.value)
        assert str(shared.entity_id) in str(refused.value)

    @pytest.mark.parametrize("fields", [{"visibility": "private"}, {"group": "crew"}], ids=str)
    def test_a_replacement_is_not_for_others_than_what_it_replaces(
        self, memory: Trigraph, fields: dict[str, str]
    ) -> None:
        memory.admin.add_group("default", "default", "crew")
        memory.admin.join("default", "default", "crew", "default")
        old = memory.decide("Use JWT", topic="auth").id

        with pytest.raises(InvalidInput) as refused:
            memory.decide("Use sessions", topic="auth", supersedes=old, **fields)
        assert refused.value.field in fields
        assert not memory.get(old).superseded

    def test_a_replacement_is_as_private_as_what_it_replaces(self, memory: Trigraph, bob: Trigraph) -> None:
        old = memory.decide("Use JWT", topic="auth", visibility="private").id
        new = memory.decide("Use sessions", topic="auth", supersedes=old).id

        assert memory.get(new).visibility is Visibility.PRIVATE
        with pytest.raises(NotFound):
            bob.get(new)

    @pytest.mark.parametrize("topic", [None, "", "  ", "42"])
    def test_a_topic_is_needed_and_must_name_something(self, memory: Trigraph, topic: str | None) -> None:
        with pytest.raises(InvalidInput) as refused:
            memory.decide("Use JWT", topic=topic)  # type: ignore[arg-type]
        assert refused.value.field in ("topic", "subject")
        assert memory.list().memories == ()

    def test_what_no_longer_stands_is_not_superseded_again(self, memory: Trigraph) -> None:
        old = memory.decide("Use JWT", topic="auth").id
        memory.decide("Use sessions", topic="auth", supersedes=old)
        states = _states(memory, "auth")

        with pytest.raises(Conflict):
            memory.decide("Use passkeys", topic="auth", supersedes=old)
        assert len(memory.list().memories) == 1
        assert _states(memory, "auth") == states

    def test_it_cannot_supersede_from_before_the_beginning(self, memory: Trigraph) -> None:
        old = memory.decide("Use JWT", topic="auth", valid_from="2026-05-01").id

        with pytest.raises(InvalidInput) as refused:
            memory.decide("Use sessions", topic="auth", supersedes=old, valid_from="2026-04-01")
        assert refused.value.field == "valid_from"


class TestCheckpoint:
    def test_it_implements_decisions_and_is_of_their_topic(self, memory: Trigraph) -> None:
        auth = memory.decide("Use JWT", topic="auth").id
        store = memory.decide("Use Postgres", topic="store").id
        changed = memory.checkpoint("Both are live", implements=[auth[-8:], store, auth[-8:]])
        kept = memory.get(changed.id)

        assert (kept.kind, kept.topic) == (Kind.CHECKPOINT, "auth")
        links = memory.links(changed.id)
        assert {(link.type, link.from_id, link.to_id) for link in links} == {
            (LinkType.IMPLEMENTS, changed.id, auth),
            (LinkType.IMPLEMENTS, changed.id, store),
        }
        assert {link.id for link in links} == set(changed.links)

    def test_an_unknown_decision_leaves_nothing_written(self, memory: Trigraph) -> None:
        with pytest.raises(NotFound):
            memory.checkpoint("It is live", implements=["zzzzzzzz"])
        assert memory.list().memories == ()

    def test_a_private_topic_does_not_get_out_with_a_shared_checkpoint(self, memory: Trigraph) -> None:
        secret = memory.decide("Buy them", topic="acquisition", visibility="private").id

        assert memory.get(memory.checkpoint("Signed", implements=secret).id).topic is None
        private = memory.checkpoint("Signed and paid", implements=secret, visibility="private")
        assert memory.get(private.id).topic == "acquisition"


@pytest.mark.req("L9")
class TestEvolve:
    def test_the_reason_surfaces_when_the_decision_is_recalled(self, memory: Trigraph) -> None:
        decision = memory.decide("Use JWT for sessions", topic="auth").id
        assert memory.recall("JWT", kinds=["decision"]).hits[0].outcomes == ()
        changed = memory.evolve(decision, "FAILED", "Tokens cannot be revoked")

        (hit,) = memory.recall("JWT", kinds=["decision"]).hits
        assert hit.memory.id == decision
        assert hit.outcomes == (Outcome(changed.id, OutcomeResult.FAILED, "Tokens cannot be revoked"),)

    def test_outcomes_add_up(self, memory: Trigraph) -> None:
        decision = memory.decide("Use JWT for sessions", topic="auth").id
        memory.evolve(decision, "PARTIAL", "Only the shop")
        memory.evolve(decision, "SUCCESS")

        (hit,) = memory.recall("JWT", kinds=["decision"]).hits
        assert [(one.result, one.reason) for one in hit.outcomes] == [("PARTIAL", "Only the shop"), ("SUCCESS", None)]

    def test_what_was_forgotten_or_not_yet_known_does_not_surface(self, memory: Trigraph, clock: SettableClock) -> None:
        decision = memory.decide("Use JWT for sessions", topic="auth").id
        clock.advance(days=2)
        outcome = memory.evolve(decision, "FAILED", "Tokens cannot be revoked").id

        (then,) = memory.recall("JWT", kinds=["decision"], known_at="2026-09-02", as_of="2026-09-02").hits
        memory.forget(outcome)
        (now,) = memory.recall("JWT", kinds=["decision"]).hits
        assert then.outcomes == now.outcomes == ()

    def test_the_outcome_is_a_memory_of_its_own(self, memory: Trigraph) -> None:
        decision = memory.decide("Use JWT", topic="auth").id
        plain = memory.get(memory.evolve(decision, "FAILED", "Tokens cannot be revoked").id)
        told = memory.get(memory.evolve(decision, "PARTIAL", "Late", text="It took a year", tags=["slow"]).id)

        assert (plain.kind, plain.topic, plain.text) == (Kind.OUTCOME, "auth", "FAILED: Tokens cannot be revoked")
        assert plain.details == OutcomeDetails(OutcomeResult.FAILED, "Tokens cannot be revoked")
        assert (told.text, told.tags) == ("It took a year", ("slow",))
        (link,) = memory.links(plain.id)
        assert (link.type, link.from_id, link.to_id) == (LinkType.OUTCOME_OF, plain.id, decision)
        assert (link.reason, link.confidence) == ("Tokens cannot be revoked", 1.0)

    def test_whoever_sees_the_decision_sees_the_outcome_and_nobody_else(self, memory: Trigraph, bob: Trigraph) -> None:
        shared = memory.decide("Use JWT", topic="auth").id
        private = memory.decide("Buy them", topic="acquisition", visibility="private").id
        theirs = bob.evolve(shared, "FAILED", "Tokens cannot be revoked").id
        own = memory.evolve(private, "SUCCESS").id

        (hit,) = memory.recall("JWT", kinds=["decision"]).hits
        assert [one.id for one in hit.outcomes] == [theirs]
        assert memory.get(own).visibility is Visibility.PRIVATE

    def test_an_audience_of_its_own_is_refused(self, memory: Trigraph) -> None:
        private = memory.decide("Buy them", topic="acquisition", visibility="private").id

        with pytest.raises(InvalidInput) as refused:
            memory.evolve(private, "SUCCESS", visibility="shared")
        assert refused.value.field == "visibility"

    def test_an_unknown_result_lists_the_valid_ones(self, memory: Trigraph) -> None:
        decision = memory.decide("Use JWT", topic="auth").id

        with pytest.raises(InvalidInput) as refused:
            memory.evolve(decision, "failed")
        assert refused.value.allowed == ("SUCCESS", "FAILED", "PARTIAL")


class TestHistory:
    def test_the_story_is_the_same_from_each_of_its_parts(self, memory: Trigraph, clock: SettableClock) -> None:
        ids = []
        for tell in (
            lambda: memory.decide("Use JWT", topic="auth", reasoning="Stateless"),
            lambda: memory.checkpoint("JWT is live", implements=ids[0]),
            lambda: memory.evolve(ids[0], "FAILED", "Tokens cannot be revoked"),
            lambda: memory.decide("Use sessions", topic="auth", reasoning="They end", supersedes=ids[0]),
        ):
            ids.append(tell().id)
            clock.advance(days=1)
        memory.decide("Use Postgres", topic="store")
        expected = [
            (Verb.DECIDE, ids[0], "Stateless"),
            (Verb.CHECKPOINT, ids[1], None),
            (Verb.EVOLVE, ids[2], "Tokens cannot be revoked"),
            (Verb.DECIDE, ids[3], "They end"),
            (Verb.SUPERSEDE, ids[0], None),
        ]

        for id in ids:
            told = memory.history(id)
            assert isinstance(told, MemoryHistory)
            assert [(step.verb, step.memory_id, step.reason) for step in told.steps] == expected
            assert [one.id for one in told.memories] == ids
            assert {(link.from_id, link.type, link.to_id) for link in told.links} == {
                (ids[1], LinkType.IMPLEMENTS, ids[0]),
                (ids[2], LinkType.OUTCOME_OF, ids[0]),
                (ids[3], LinkType.SUPERSEDES, ids[0]),
            }
        ended = memory.history(ids[0]).steps[-1].changed
        assert ended == {"valid_until": (None, memory.get(ids[3]).valid_from), "superseded_by": (None, ids[3])}

    def test_of_a_story_too_long_to_tell_the_nearest_links_are_told(self, memory: Trigraph) -> None:
        ids = [str(memory.remember("Tower 0 stands").id)]
        for number in range(1, STORY_MOST + 4):
            ids.append(memory.correct(ids[-1], f"Tower {number} stands").id)
        told = memory.history(ids[0])

        assert isinstance(told, MemoryHistory)
        assert (len(told.links), told.truncated) == (STORY_MOST, True)
        assert [one.id for one in told.memories] == ids[: STORY_MOST + 1]
        early = memory.history(ids[0], known_at=told.memories[9].created_at)
        assert isinstance(early, MemoryHistory)
        assert (len(early.links), early.truncated) == (9, False)

    def test_as_of_and_known_at_end_it_early(self, memory: Trigraph, clock: SettableClock) -> None:
        first = memory.decide("Use JWT", topic="auth", valid_from="2026-01-01").id
        clock.advance(days=2)
        second = memory.decide("Use sessions", topic="auth", valid_from="2026-06-01", supersedes=first).id

        def parts(**times: str) -> list[str]:
            return [one.id for one in memory.history(first, **times).memories]

        assert parts() == parts(as_of="2026-06-01") == [first, second]
        assert parts(as_of="2026-05-31") == parts(known_at="2026-09-02") == [first]
        assert [step.verb for step in memory.history(first, known_at="2026-09-02").steps] == [Verb.DECIDE]
        with pytest.raises(NotFound):
            memory.history(second, known_at="2026-09-02")


@pytest.mark.req("T15")
class TestTallies:
    def test_a_checkpoint_and_a_summary_keep_the_citations_of_their_session(self, memory: Trigraph) -> None:
        tea = memory.remember("Tea at four").id
        asked = memory.recall("tea", session="s-1")
        memory.cite(asked.id, tea)
        checkpoint = memory.checkpoint("Half way", session="s-1").id
        memory.cite(asked.id, items=[{"id": tea, "kind": "flagged_stale"}, {"id": checkpoint}])
        memory.cite(None, tea, "dismissed", session="s-2")
        memory.cite(None, tea, "rewrote")
        summary = memory.wrap("s-1").id

        assert memory.get(checkpoint).details == SessionDetails({**NOTHING_CITED, "cited": 1})
        assert memory.get(summary).details == SessionDetails({**NOTHING_CITED, "cited": 2, "flagged_stale": 1})

    def test_a_checkpoint_of_no_session_has_none(self, memory: Trigraph) -> None:
        assert memory.get(memory.checkpoint("Half way").id).details is None

    def test_citations_of_other_agents_do_not_count(self, memory: Trigraph, bob: Trigraph) -> None:
        tea = memory.remember("Tea at four").id
        bob.cite(None, tea, session="s-1")

        assert memory.get(memory.wrap("s-1").id).details == SessionDetails(NOTHING_CITED)
        assert memory.get(bob.wrap("s-1").id).details == SessionDetails({**NOTHING_CITED, "cited": 1})


class TestWrap:
    def test_without_a_text_it_lists_what_the_session_left(self, memory: Trigraph) -> None:
        fact = memory.remember("The lock opens at six", session="s-1").id
        decision = memory.decide("Use JWT", topic="auth", session="s-1").id
        memory.remember("Of another session", session="s-2")
        memory.remember_thread([{"text": "Good morning"}], name="talk", session="s-1")
        changed = memory.wrap("s-1", tags=["weekly"])
        kept = memory.get(changed.id)

        assert kept.text.splitlines() == [
            "Session s-1: 2 memories, 1 messages.",
            "- decision: Use JWT",
            "- fact: The lock opens at six",
        ]
        assert (kept.kind, kept.provenance.session, kept.tags) == (Kind.SUMMARY, "s-1", ("weekly",))
        assert {(link.type, link.to_id) for link in memory.links(changed.id)} == {
            (LinkType.DERIVED_FROM, fact),
            (LinkType.DERIVED_FROM, decision),
        }

    def test_it_repeats_only_what_its_readers_may_see(self, memory: Trigraph, bob: Trigraph) -> None:
        memory.admin.add_group("default", "default", "crew")
        memory.admin.join("default", "default", "crew", "default")
        for text, fields in (("For all", {}), ("For the crew", {"group": "crew"}), ("Mine", {"visibility": "private"})):
            memory.remember(text, session="s-1", **fields)

        def told(**fields: str) -> set[str]:
            lines = memory.get(memory.wrap("s-1", **fields).id).text.splitlines()
            return {line.removeprefix("- fact: ") for line in lines if line.startswith("- fact: ")}

        assert told() == {"For all"}
        assert told(group="crew") == {"For all", "For the crew"}
        assert told(visibility="private") == {"For all", "For the crew", "Mine"}
        assert "Mine" not in repr(bob.list(kinds=["summary"]).memories)

    def test_it_is_trusted_no_more_than_the_weakest_it_repeats(self, memory: Trigraph) -> None:
        memory.remember("The harbour closes at nine in winter", source="web", session="s-1")
        memory.remember("Said by the user", session="s-1")

        assert memory.get(memory.wrap("s-1").id).trust == 0.3

    def test_a_text_is_kept_as_it_is(self, memory: Trigraph) -> None:
        memory.remember("The lock opens at six", session="s-1")
        changed = memory.wrap("s-1", "We looked at the lock")

        assert (memory.get(changed.id).text, changed.links) == ("We looked at the lock", ())

    def test_what_others_left_in_a_session_of_that_name_is_not_repeated(self, memory: Trigraph, bob: Trigraph) -> None:
        bob.remember("Bob was here", session="s-1")

        assert "Bob" not in memory.get(memory.wrap("s-1").id).text


@pytest.mark.req("S10")
class TestSkills:
    def test_storing_and_recalling_a_skill_counts_its_use(self, memory: Trigraph) -> None:
        kept = memory.get(str(memory.remember("Run make, then tag", kind="skill", subject="release").id))
        assert (kept.type, kept.subject.name, memory.skill_uses("release")) == (EntityType.SKILL, "release", 1)

        memory.recall("how to make a tag", types=["skill"])
        assert memory.skill_uses("release") == 2
        memory.recall("weather")
        assert memory.skill_uses("release") == 2
        memory.remember("Tag before noon", subject="release", type="skill")
        assert memory.skill_uses("release") == 3
        memory.recall("tag", limit=5)  # two memories about one skill are one use of it
        assert memory.skill_uses("release") == 4

    def test_recall_and_list_filter_by_type(self, memory: Trigraph) -> None:
        memory.remember("Run make, then tag", kind="skill", subject="release")
        memory.remember("make is a tool", subject="make", type="tool")
        memory.remember("We make a tag on Fridays")

        def texts(*types: str) -> tuple[set[str], set[str]]:
            hits = memory.recall("make tag", types=types).hits
            return {hit.memory.text for hit in hits}, {one.text for one in memory.list(types=types).memories}

        assert texts("skill") == ({"Run make, then tag"},) * 2
        assert texts("tool", "skill") == ({"Run make, then tag", "make is a tool"},) * 2
        assert texts("unknown") == ({"We make a tag on Fridays"},) * 2
        assert texts("person") == (set(), set())

    def test_the_uses_by_another_agent_are_its_own(self, memory: Trigraph, bob: Trigraph) -> None:
        memory.remember("Run make, then tag", kind="skill", subject="release")
        memory.recall("make tag")

        assert (memory.skill_uses("release"), bob.skill_uses("release")) == (2, 1)


class TestLinks:
    @pytest.fixture
    def pair(self, memory: Trigraph) -> tuple[str, str]:
        return str(memory.remember("Tea at four").id), str(memory.remember("Cake at four").id)

    def test_a_link_says_who_drew_it_and_why(self, memory: Trigraph, pair: tuple[str, str]) -> None:
        tea, cake = pair
        changed = memory.link(tea, cake[-8:], "contradicts", confidence=0.7, reason="Both at four", created_by="llm")
        (link,) = memory.links(cake)

        assert (link.id, changed.verb) == (changed.id, Verb.LINK)
        assert (link.from_id, link.type, link.to_id) == (tea, LinkType.CONTRADICTS, cake)
        assert (link.confidence, link.reason, link.created_by) == (0.7, "Both at four", LinkOrigin.LLM)

    def test_the_same_twice_is_a_conflict_and_the_other_way_round_is_not(
        self, memory: Trigraph, pair: tuple[str, str]
    ) -> None:
        tea, cake = pair
        drawn = memory.link(tea, cake).id

        with pytest.raises(Conflict, match=drawn):
            memory.link(tea, cake, confidence=0.2)
        memory.link(cake, tea)
        memory.link(tea, cake, "contradicts")
        assert len(memory.links(tea)) == 3

    @pytest.mark.parametrize("type", ["supersedes", "corrects", "outcome_of"])
    def test_what_a_verb_draws_is_not_drawn_by_hand(self, memory: Trigraph, pair: tuple[str, str], type: str) -> None:
        with pytest.raises(InvalidInput) as refused:
            memory.link(*pair, type)
        verb = {"supersedes": "supersede", "corrects": "correct", "outcome_of": "evolve"}[type]
        assert refused.value.fix == f"Use {verb}."
        assert set(refused.value.allowed) == {
            "implements", "relates_to", "temporal", "contradicts", "duplicate_of", "derived_from",
        }  # fmt: skip

    @pytest.mark.parametrize(
        ("fields", "field"),
        [
            ({"type": "likes"}, "type"),
            ({"confidence": 1.5}, "confidence"),
            ({"confidence": -0.1}, "confidence"),
            ({"created_by": "me"}, "created_by"),
        ],
        ids=str,
    )
    def test_a_mistake_is_named(
        self, memory: Trigraph, pair: tuple[str, str], fields: dict[str, object], field: str
    ) -> None:
        with pytest.raises(InvalidInput) as refused:
            memory.link(*pair, **fields)  # type: ignore[arg-type]
        assert refused.value.field == field
        assert memory.links(pair[0]) == []

    def test_a_memory_is_not_linked_to_itself_nor_to_what_was_forgotten(
        self, memory: Trigraph, pair: tuple[str, str]
    ) -> None:
        tea, cake = pair
        with pytest.raises(InvalidInput, match="not linked to itself"):
            memory.link(tea, tea[-8:])
        memory.forget(cake)
        with pytest.raises(Conflict, match="is forgotten"):
            memory.link(tea, cake)

    def test_unlinked_it_stays_for_known_at(
        self, memory: Trigraph, pair: tuple[str, str], clock: SettableClock
    ) -> None:
        tea, cake = pair
        drawn = memory.link(tea, cake).id
        clock.advance(days=2)
        memory.unlink(drawn[-8:])

        assert memory.links(tea) == []
        assert [link.id for link in memory.links(tea, known_at="2026-09-02")] == [drawn]
        with pytest.raises(NotFound):
            memory.unlink(drawn)
        assert memory.link(tea, cake).id != drawn

    @pytest.mark.parametrize("verb", ["correct", "supersede"])
    def test_what_became_of_a_memory_is_not_unlinked(self, memory: Trigraph, pair: tuple[str, str], verb: str) -> None:
        changed = getattr(memory, verb)(pair[0], "Tea at five")

        with pytest.raises(Conflict, match="Restore that memory instead"):
            memory.unlink(changed.links[0])
        assert [link.id for link in memory.links(changed.id)] == list(changed.links)

    def test_an_outcome_can_be_unlinked(self, memory: Trigraph) -> None:
        decision = memory.decide("Use JWT", topic="auth").id
        memory.unlink(memory.evolve(decision, "FAILED", "A mistake").links[0])

        assert memory.recall("JWT", kinds=["decision"]).hits[0].outcomes == ()

    def test_a_link_to_what_one_may_not_see_does_not_exist(self, memory: Trigraph, bob: Trigraph) -> None:
        shared, secret = memory.remember("Tea at four").id, memory.remember("Gin", visibility="private").id
        drawn = memory.link(shared, secret).id

        assert bob.links(shared) == []
        for verb in (lambda: bob.unlink(drawn), lambda: bob.vote(drawn, -1), lambda: bob.link(shared, secret)):
            with pytest.raises(NotFound):
                verb()


class TestVotes:
    def test_up_down_and_again(self, memory: Trigraph) -> None:
        id = str(memory.remember("Tea at four", confidence=0.5).id)

        def after(value: int) -> tuple[float, str | None]:
            note = memory.vote(id, value).note
            return memory.get(id).confidence, note

        assert after(1) == (0.6, "confidence 0.6")
        assert after(1) == (0.6, "the same vote as before")
        assert after(-1) == (0.4, "confidence 0.4")
        assert after(1) == (0.6, "confidence 0.6")

    def test_each_agent_has_a_vote(self, memory: Trigraph, bob: Trigraph) -> None:
        id = str(memory.remember("Tea at four", confidence=0.5).id)
        memory.vote(id, -1)
        bob.vote(id, -1, "It is at five")

        assert memory.get(id).confidence == 0.3
        step = memory.history(id).steps[-1]
        assert (step.verb, step.by, step.reason, step.changed) == (
            Verb.VOTE,
            "bob",
            "It is at five",
            {"confidence": (0.4, 0.3)},
        )

    @pytest.mark.parametrize(("start", "first", "ends"), [(1.0, 1, 0.9), (0.1, -1, 0.2)])
    def test_the_latest_counts_as_if_it_were_the_only_one(
        self, memory: Trigraph, start: float, first: int, ends: float
    ) -> None:
        id = str(memory.remember("Tea at four", confidence=start).id)
        memory.vote(id, first)
        assert memory.get(id).confidence == start  # there is no more, and no less
        memory.vote(id, -first)

        assert memory.get(id).confidence == ends

    def test_on_a_link(self, memory: Trigraph) -> None:
        tea, cake = memory.remember("Tea at four").id, memory.remember("Cake at four").id
        drawn = memory.link(tea, cake, confidence=0.5).id
        memory.vote(drawn, -1)

        assert [(link.id, link.confidence) for link in memory.links(tea)] == [(drawn, 0.4)]
        assert memory.get(str(tea)).confidence == 1.0

    @pytest.mark.parametrize("value", [0, 2, -2, True, "up"])
    def test_a_vote_is_up_or_down(self, memory: Trigraph, value: object) -> None:
        id = str(memory.remember("Tea at four", confidence=0.5).id)

        with pytest.raises(InvalidInput) as refused:
            memory.vote(id, value)  # type: ignore[arg-type]
        assert refused.value.field == "value"
        assert memory.get(id).confidence == 0.5

    def test_what_was_forgotten_is_not_voted_on(self, memory: Trigraph) -> None:
        id = str(memory.remember("Tea at four").id)
        memory.forget(id)

        with pytest.raises(Conflict):
            memory.vote(id, -1)


class TestCite:
    def test_the_same_of_one_recall_counts_once(self, memory: Trigraph) -> None:
        id = str(memory.remember("Tea at four").id)
        asked = memory.recall("tea").id
        assert memory.cite(asked, id).note is None
        again = memory.cite(asked, id, notes="once more")

        assert again.note == "1 of them had been made before"
        assert memory.history(id).citations == {"cited": 1}
        memory.cite(asked, id, "saved_rework")
        memory.cite(memory.recall("tea").id, id)
        assert memory.history(id).citations == {"cited": 2, "saved_rework": 1}

    def test_several_at_once_or_none(self, memory: Trigraph) -> None:
        tea, cake = str(memory.remember("Tea at four").id), str(memory.remember("Cake at four").id)
        with pytest.raises(NotFound):
            memory.cite(None, items=[{"id": tea}, {"id": "zzzzzzzz"}])
        assert memory.history(tea).citations == {}

        changed = memory.cite(None, items=[{"id": tea}, {"id": cake[-8:], "kind": "dismissed"}])
        assert changed.ids == (tea, cake)
        assert memory.history(cake).citations == {"dismissed": 1}

    @pytest.mark.parametrize(
        ("recall_id", "asked", "field"),
        [
            ("m_01kx0f6gq3v8z5d2c7b9n4t1hw", {"id": "zzzzzzzz"}, "recall_id"),
            ("r_1", {"id": "zzzzzzzz"}, "recall_id"),
            (None, {"items": []}, "items"),
            (None, {}, "items"),
            (None, {"id": "zzzzzzzz", "kind": "liked"}, "kind"),
        ],
        ids=str,
    )
    def test_a_mistake_is_named(
        self, memory: Trigraph, recall_id: str | None, asked: dict[str, object], field: str
    ) -> None:
        with pytest.raises(InvalidInput) as refused:
            memory.cite(recall_id, **asked)  # type: ignore[arg-type]
        assert refused.value.field == field


def _states(memory: Trigraph, name: str, **times: str) -> tuple[EntityState, ...]:
    told = memory.history(name, **times)
    assert isinstance(told, EntityHistory)
    return told.states
