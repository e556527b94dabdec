"""Links that the system draws by itself (L2), those that verbs draw (L3), and the pruning of what has faded (L7)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from math import exp
from typing import Any

import pytest

from clocks import SettableClock
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.errors import ConfigError, InvalidInput
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.link import Link, LinkOrigin, LinkType
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.ranking.decay import decayed
from trigraph.settings import CompareSettings, EmbedderSettings, LinkSettings, Settings

START = datetime(2026, 9, 1, 12, tzinfo=UTC)
ALIKE = ("Redis keeps the sessions of the web shop", "Redis keeps the sessions of our web shop")
"""Nearly the same, and both name Redis."""
APART = "Redis was bought by three colleagues who love sailing on the Baltic in July"


@contextmanager
def opened(
    clock: SettableClock, embedder: Embedder | None = None, links: LinkSettings | None = None
) -> Iterator[Trigraph]:
    kind = EmbedderSettings(kind="none" if embedder is None else "pack")
    settings = Settings(embedder=kind, links=links or LinkSettings(), compare=CompareSettings(duplicate_above=1.0))
    engine = open_engine(settings, in_memory=True, clock=clock, embedder=embedder)
    with Trigraph(engine, LOCAL_SCOPE) as memory:
        yield memory


@pytest.fixture
def plain(clock: SettableClock) -> Iterator[Trigraph]:
    """Memory without a model."""
    with opened(clock) as memory:
        yield memory


@pytest.fixture
def modelled(clock: SettableClock, embedder: Embedder) -> Iterator[Trigraph]:
    """Memory with the real model that knows Redis."""
    with opened(clock, embedder) as memory:
        memory.remember("A store of keys and values", subject="Redis", type="system")
        yield memory


def kept(memory: Trigraph, text: str, **fields: Any) -> str:
    id = memory.remember(text, **fields).id
    assert id is not None
    return id


def told(link: Link) -> tuple[str, str, str]:
    return link.type.value, link.from_id, link.to_id


def cosine(embedder: Embedder, one: str, other: str) -> float:
    first, second = embedder.embed_documents([one, other])
    return float(first @ second)


@pytest.mark.req("L2")
class TestSession:
    @pytest.mark.parametrize(
        ("seconds", "confidence"), [(1, 0.4999), (900, 0.45), (1800, 0.4), (3240, 0.32), (3599, 0.3001), (3600, 0.3)]
    )
    def test_what_a_session_says_within_an_hour_is_linked_the_earlier_to_the_later(
        self, plain: Trigraph, clock: SettableClock, seconds: int, confidence: float
    ) -> None:
        one = kept(plain, "The tide is low", session="s1")
        clock.advance(seconds=seconds)
        other = kept(plain, "The crane is green", session="s1")
        (link,) = plain.links(one)
        assert told(link) == ("temporal", one, other)
        assert link.confidence == pytest.approx(confidence, abs=6e-5)
        assert link.gap_seconds == pytest.approx(seconds)
        assert (link.created_by, link.similarity) == (LinkOrigin.SYSTEM, None)

    def test_after_an_hour_no_more(self, plain: Trigraph, clock: SettableClock) -> None:
        one = kept(plain, "The tide is low", session="s1")
        clock.advance(seconds=3601)
        kept(plain, "The crane is green", session="s1")
        assert plain.links(one) == []

    @pytest.mark.parametrize("sessions", [("s1", "s2"), (None, None), ("s1", None)])
    def test_other_sessions_and_none_are_not_linked(
        self, plain: Trigraph, clock: SettableClock, sessions: tuple[str | None, str | None]
    ) -> None:
        one = kept(plain, "The tide is low", session=sessions[0])
        clock.advance(minutes=1)
        kept(plain, "The crane is green", session=sessions[1])
        assert plain.links(one) == []

    def test_a_session_of_the_same_name_of_another_agent_is_another(
        self, plain: Trigraph, clock: SettableClock
    ) -> None:
        plain.admin.set_agent("default", "default", "bob", ReadPolicy.SHARED)
        one = kept(plain, "The tide is low", session="s1")
        clock.advance(minutes=1)
        other = kept(Trigraph(plain.engine, Scope("default", "default", "bob")), "The crane is green", session="s1")
        assert plain.links(one) == plain.links(other) == []


@pytest.mark.req("L2")
class TestTopic:
    def test_decisions_on_one_topic_are_related(self, plain: Trigraph, clock: SettableClock) -> None:
        one = plain.decide("Moor at the quay", topic="Ferry Berth").id
        clock.advance(days=3)
        other = plain.decide("Moor at the pier", topic="ferry_berth").id
        (link,) = plain.links(one)
        assert told(link) == ("relates_to", other, one)
        assert (link.confidence, link.created_by) == (0.6, LinkOrigin.SYSTEM)

    def test_other_kinds_and_other_topics_are_not(self, plain: Trigraph, clock: SettableClock) -> None:
        one = plain.decide("Moor at the quay", topic="Ferry Berth").id
        clock.advance(days=3)
        plain.decide("Paint it red", topic="Lighthouse")
        kept(plain, "The quay is wet", topic="Ferry Berth")
        kept(plain, "We could go north", topic="Ferry Berth", kind="insight")
        assert plain.links(one) == []


@pytest.mark.req("L2")
class TestSimilar:
    def test_what_is_alike_and_shares_an_entity_is_related_by_its_cosine(
        self, modelled: Trigraph, embedder: Embedder
    ) -> None:
        one, other = kept(modelled, ALIKE[0]), kept(modelled, ALIKE[1])
        likeness = cosine(embedder, *ALIKE)
        assert likeness > 0.75
        (link,) = (link for link in modelled.links(one) if other in (link.from_id, link.to_id))
        assert told(link) == ("relates_to", other, one)
        assert link.confidence == link.similarity == pytest.approx(likeness, abs=2e-3)
        assert "Redis" not in str(link.reason), "some readers of a link may not see the names that its writer saw"

    def test_what_is_alike_and_shares_a_topic_is_related(self, modelled: Trigraph) -> None:
        one = kept(modelled, "it keeps the sessions of the web shop", topic="Shop")
        other = kept(modelled, "it keeps the sessions of our web shop", topic="shop")
        assert [told(link) for link in modelled.links(one)] == [("relates_to", other, one)]

    def test_likeness_alone_links_nothing(self, modelled: Trigraph, embedder: Embedder) -> None:
        texts = ("it keeps the sessions of the web shop", "it keeps the sessions of our web shop")
        assert cosine(embedder, *texts) > 0.9
        one, other = kept(modelled, texts[0]), kept(modelled, texts[1], topic="Shop")
        assert modelled.mentions(one) == []
        assert modelled.links(one) == modelled.links(other) == []

    def test_sharing_an_entity_alone_links_nothing(self, modelled: Trigraph, embedder: Embedder) -> None:
        assert cosine(embedder, ALIKE[0], APART) < 0.75
        one, other = kept(modelled, ALIKE[0]), kept(modelled, APART)
        assert modelled.entity("Redis").mention_count == 3
        assert not any(other in (link.from_id, link.to_id) for link in modelled.links(one))

    def test_how_alike_is_a_setting(self, clock: SettableClock, embedder: Embedder) -> None:
        with opened(clock, embedder, LinkSettings(similar_above=0.999)) as memory:
            memory.remember("A store of keys and values", subject="Redis", type="system")
            one, _ = kept(memory, ALIKE[0]), kept(memory, ALIKE[1])
            assert memory.links(one) == []

    def test_an_entity_that_many_speak_of_is_no_reason(self, clock: SettableClock, embedder: Embedder) -> None:
        with opened(clock, embedder) as memory:
            memory.remember("A store of keys and values", subject="Redis", type="system")
            one = kept(memory, ALIKE[0])
            memory.remember_batch([f"On day {day} someone restarted Redis" for day in range(60)])
            assert memory.entity("Redis").mention_count > 50
            other = kept(memory, ALIKE[1])
            assert not any(other in (link.from_id, link.to_id) for link in memory.links(one))

    @pytest.mark.req("L4")
    @pytest.mark.parametrize(
        ("kinds", "factor"),
        [
            (("decision", "checkpoint"), 1.2),
            (("decision", "insight"), 0.9),
            (("insight", "decision"), 1.1),
            (("checkpoint", "checkpoint"), 0.8),
            (("checkpoint", "decision"), 1.0),
            (("fact", "fact"), 1.0),
        ],
    )
    def test_the_kinds_at_its_ends_weigh_the_confidence(
        self, modelled: Trigraph, embedder: Embedder, kinds: tuple[str, str], factor: float
    ) -> None:
        one, other = (kept(modelled, text, kind=kind) for text, kind in zip(ALIKE, kinds, strict=True))
        likeness = cosine(embedder, *ALIKE)
        (link,) = (link for link in modelled.links(one) if other in (link.from_id, link.to_id))
        assert link.confidence == pytest.approx(min(1.0, likeness * factor), abs=3e-3)
        assert link.similarity == pytest.approx(likeness, abs=2e-3)


@pytest.mark.req("L2")
class TestBounds:
    def test_a_memory_gets_five_links_of_its_own_at_most(self, plain: Trigraph, clock: SettableClock) -> None:
        for number in range(8):
            plain.decide(f"Moor at quay {number}", topic="Berth", session="s1")
            clock.advance(minutes=1)
        last = plain.decide("Moor at the pier", topic="Berth", session="s1").id
        own = plain.links(last)
        assert len(own) == 5
        assert all(link.created_by is LinkOrigin.SYSTEM for link in own)

    def test_alike_ones_are_five_at_most(self, modelled: Trigraph) -> None:
        for number in range(8):
            kept(modelled, f"{ALIKE[0]} number {number}")
        last = kept(modelled, ALIKE[1])
        assert len(modelled.links(last)) == 5

    def test_two_memories_are_linked_once_though_much_joins_them(self, plain: Trigraph, clock: SettableClock) -> None:
        one = plain.decide("Moor at the quay", topic="Berth", session="s1").id
        clock.advance(minutes=1)
        plain.decide("Moor at the pier", topic="Berth", session="s1")
        assert len(plain.links(one)) == 1

    def test_episodes_get_none(self, plain: Trigraph, clock: SettableClock) -> None:
        messages = [{"text": f"Redis message {number}", "speaker": "ann"} for number in range(4)]
        report = plain.remember_thread(messages, session="s1")
        clock.advance(minutes=1)
        fact = kept(plain, "Redis is up", session="s1")
        clock.advance(minutes=1)
        plain.remember_thread([{"text": "Redis again", "speaker": "ann"}], session="s1")
        assert [plain.links(str(item.id)) for item in report.items] == [[]] * 4
        assert plain.links(fact) == []

    @pytest.mark.parametrize(
        ("automatic", "types"),
        [
            ("session topic similar", ["temporal", "relates_to", "relates_to"]),
            ("topic similar", ["relates_to", "relates_to"]),
            ("session similar", ["temporal", "temporal", "relates_to"]),
            ("session, topic", ["temporal", "relates_to"]),
            ("none", []),
            ("", []),
        ],
    )
    def test_each_kind_can_be_switched_off(
        self, clock: SettableClock, embedder: Embedder, automatic: str, types: list[str]
    ) -> None:
        """A pair by session, a pair by topic (its texts unlike), a pair by likeness."""
        with opened(clock, embedder, LinkSettings(automatic=automatic)) as memory:
            memory.remember("A store of keys and values", subject="Redis", type="system")
            clock.advance(days=1)
            ids = [kept(memory, "The tide is low", session="s1")]
            clock.advance(minutes=1)
            ids.append(kept(memory, "The crane is green", session="s1"))
            clock.advance(days=1)
            session = "s2" if automatic == "session similar" else None
            ids.append(memory.decide("Moor at the quay", topic="Berth", session=session).id)
            clock.advance(minutes=1)
            ids.append(memory.decide("Nobody pays on Sundays", topic="Berth", session=session).id)
            clock.advance(days=1)
            ids += [kept(memory, text) for text in ALIKE]
            found = {link.id: link for id in ids for link in memory.links(id)}
            among = [link for link in found.values() if {link.from_id, link.to_id} <= set(ids)]
            if not automatic or automatic == "none":
                assert found == {}
            assert sorted(link.type.value for link in among) == sorted(types)

    def test_an_unknown_kind_is_an_error_that_lists_the_known(self, clock: SettableClock) -> None:
        with pytest.raises(ConfigError, match="alike") as error, opened(clock, None, LinkSettings(automatic="alike")):
            pass
        assert all(word in str(error.value.fix) for word in ("session", "topic", "similar"))


@pytest.mark.req("L2")
@pytest.mark.req("S6")
def test_nothing_private_of_others_is_linked(clock: SettableClock, embedder: Embedder) -> None:
    with opened(clock, embedder) as anne:
        anne.admin.set_agent("default", "default", "bob", ReadPolicy.SHARED)
        bob = Trigraph(anne.engine, Scope("default", "default", "bob"))
        anne.remember("A store of keys and values", subject="Redis", type="system")
        hidden = [
            kept(bob, ALIKE[0], visibility="private", session="s1"),
            bob.decide("Moor at the quay", topic="Berth", visibility="private", session="s1").id,
        ]
        clock.advance(minutes=1)
        mine = [kept(anne, ALIKE[1], session="s1"), anne.decide("Moor at the pier", topic="Berth", session="s1").id]
        for memory in (anne, bob):
            for id in mine:
                ends = {end for link in memory.links(id) for end in (link.from_id, link.to_id)}
                assert not ends & set(hidden)
        shared = kept(bob, f"{ALIKE[0]} indeed")
        ends = {end for link in bob.links(shared) for end in (link.from_id, link.to_id)}
        assert {hidden[0], mine[0]} <= ends
        seen = {end for link in anne.links(shared) for end in (link.from_id, link.to_id)}
        assert mine[0] in seen
        assert hidden[0] not in seen


@pytest.mark.req("L3")
class TestDrawn:
    def test_what_a_verb_says_is_certain_and_said_once(self, plain: Trigraph, clock: SettableClock) -> None:
        old = plain.decide("Moor at the quay", topic="Berth", session="s1").id
        clock.advance(minutes=1)
        new = plain.decide("Moor at the pier", topic="Berth", session="s1", supersedes=old).id
        clock.advance(minutes=1)
        done = plain.checkpoint("The pier is ready", implements=new, session="s1").id
        clock.advance(minutes=1)
        outcome = plain.evolve(new, "SUCCESS", "it is dry", session="s1").id
        said = {told(link): link for link in (*plain.links(new), *plain.links(old)) if link.confidence == 1.0}
        assert set(said) == {("supersedes", new, old), ("implements", done, new), ("outcome_of", outcome, new)}
        pairs = [frozenset((link.from_id, link.to_id)) for link in plain.links(new)]
        assert len(pairs) == len(set(pairs)) == 3
        assert all(link.created_by is LinkOrigin.USER for link in said.values())

    def test_a_person_can_delete_a_link_and_vote_it_down(self, plain: Trigraph, clock: SettableClock) -> None:
        one = kept(plain, "The tide is low", session="s1")
        clock.advance(minutes=30)
        kept(plain, "The crane is green", session="s1")
        (link,) = plain.links(one)
        plain.vote(link.id, -1, "not so")
        assert plain.links(one)[0].confidence == pytest.approx(0.3)
        before = clock()
        clock.advance(minutes=1)
        plain.unlink(link.id)
        assert plain.links(one) == []
        assert [found.id for found in plain.links(one, known_at=before)] == [link.id]


@pytest.mark.req("L6")
@pytest.mark.parametrize(
    ("type_", "by", "rate"),
    [
        (LinkType.TEMPORAL, LinkOrigin.SYSTEM, 0.1),
        (LinkType.TEMPORAL, LinkOrigin.USER, 0.1),
        (LinkType.RELATES_TO, LinkOrigin.SYSTEM, 0.05),
        (LinkType.RELATES_TO, LinkOrigin.USER, 0.05),
        (LinkType.IMPLEMENTS, LinkOrigin.USER, 0.02),
        (LinkType.SUPERSEDES, LinkOrigin.USER, 0.0),
        (LinkType.CORRECTS, LinkOrigin.USER, 0.0),
        (LinkType.OUTCOME_OF, LinkOrigin.USER, 0.0),
        (LinkType.CONTRADICTS, LinkOrigin.LLM, 0.05),
        (LinkType.DUPLICATE_OF, LinkOrigin.SYSTEM, 0.05),
        (LinkType.DERIVED_FROM, LinkOrigin.SYSTEM, 0.05),
    ],
)
@pytest.mark.parametrize("days", [0.0, 0.5, 7.0, 100.0])
def test_links_fade_by_their_type(type_: LinkType, by: LinkOrigin, rate: float, days: float) -> None:
    held = decayed(type_, by, 0.8, START, START + timedelta(days=days))
    assert held == pytest.approx(0.8 * exp(-rate * days))


def in_session(memory: Trigraph) -> str:
    one = kept(memory, "The tide is low", session="s1")
    kept(memory, "The crane is green", session="s1")
    return one


@pytest.mark.req("L7")
class TestPruning:
    """A temporal link of 0.5 falls below 0.3 after ln(0.5/0.3)/0.1 = 5.1 days."""

    @pytest.mark.parametrize(("days", "pruned"), [(5, 0), (6, 1)])
    def test_a_faded_link_is_closed_and_stays_for_known_at(
        self, plain: Trigraph, clock: SettableClock, days: int, pruned: int
    ) -> None:
        one = in_session(plain)
        clock.advance(days=days)
        before = clock()
        clock.advance(minutes=1)
        assert plain.prune(dry_run=True) == pruned
        assert len(plain.links(one)) == 1
        assert plain.prune() == pruned
        assert len(plain.links(one)) == 1 - pruned
        assert len(plain.links(one, known_at=before)) == 1
        assert plain.prune() == 0

    @pytest.mark.parametrize(("days", "pruned"), [(20, 0), (26, 1)])
    def test_a_link_of_likeness_fades_slower(
        self, modelled: Trigraph, clock: SettableClock, embedder: Embedder, days: int, pruned: int
    ) -> None:
        one, other = kept(modelled, ALIKE[0]), kept(modelled, ALIKE[1])
        assert 0.3 * exp(0.05 * 20) < cosine(embedder, *ALIKE) <= 1 < 0.3 * exp(0.05 * 26)
        clock.advance(days=days)
        modelled.prune()
        assert any(other in (link.from_id, link.to_id) for link in modelled.links(one)) is not bool(pruned)

    def test_one_that_led_to_something_used_stays(self, plain: Trigraph, clock: SettableClock) -> None:
        one = in_session(plain)
        clock.advance(hours=1)
        plain.cite(plain.recall("tide").id, one)
        clock.advance(days=60)
        assert plain.prune() == 0
        assert len(plain.links(one)) == 1

    def test_being_shown_or_dismissed_is_no_use(self, plain: Trigraph, clock: SettableClock) -> None:
        one = in_session(plain)
        clock.advance(hours=1)
        plain.cite(plain.recall("tide").id, one, "dismissed")
        clock.advance(days=60)
        assert plain.prune() == 1

    def test_same_topic_and_explicit_links_stay_for_good(self, plain: Trigraph, clock: SettableClock) -> None:
        old = plain.decide("Moor at the quay", topic="Berth").id
        clock.advance(days=1)
        new = plain.decide("Moor at the pier", topic="Berth").id
        clock.advance(days=1)
        other = kept(plain, "The crane is green")
        plain.link(other, new, "relates_to", confidence=0.4)
        plain.link(other, old, "temporal", confidence=0.31)
        clock.advance(days=3650)
        assert plain.prune() == 0
        assert sorted(told(link) for link in plain.links(new)) == [
            ("relates_to", *ends) for ends in sorted([(new, old), (other, new)])
        ]
        assert len(plain.links(other)) == 2


@pytest.mark.req("L1")
def test_a_link_has_a_type_a_confidence_an_origin_and_what_it_was_drawn_by(plain: Trigraph) -> None:
    one, other = kept(plain, "The quay is wet", session="watch"), kept(plain, "The crane stands", session="watch")
    (drawn,) = plain.links(one)
    assert (drawn.type.value, drawn.created_by.value, drawn.from_id, drawn.to_id) == ("temporal", "system", one, other)
    assert 0 < drawn.confidence <= 1
    assert drawn.reason == "session watch"
    assert drawn.gap_seconds is not None
    assert drawn.similarity is None
    with pytest.raises(InvalidInput, match="contradicts"):
        plain.link(one, other, "resembles")
    plain.erase(other)
    assert plain.links(one) == []
