"""What is done with a memory: shown, cited, said again, rewritten; and what that makes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from trigraph.assembly import open_engine
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.memory import Source
from trigraph.model.report import ItemStatus
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.settings import EmbedderSettings, Settings

if TYPE_CHECKING:
    from clocks import SettableClock

WITHOUT_MODEL = Settings(embedder=EmbedderSettings(kind="none"))
BACKUPS = "The backups are written to the bucket every night"
BACKUPS_AGAIN = "Every night the backups are written to the bucket"
TEA = "Tea is served at four in the hall"
NOT_RAISING = ("dismissed", "flagged_stale", "rewrote")


@pytest.fixture
def plain(clock: SettableClock) -> Iterator[Trigraph]:
    """An empty memory without a model."""
    with Trigraph(open_engine(WITHOUT_MODEL, in_memory=True, clock=clock), LOCAL_SCOPE) as opened:
        yield opened


@pytest.fixture
def bob(plain: Trigraph) -> Trigraph:
    """Another agent of the project, that reads what is shared."""
    plain.admin.set_agent("default", "default", "bob", ReadPolicy.SHARED)
    return Trigraph(plain.engine, Scope("default", "default", "bob"))


def kept(memory: Trigraph, text: str = TEA, **fields: Any) -> str:
    """The id of a memory that is new."""
    (item,) = memory.remember(text, **fields).items
    assert (item.status, item.conflicts) == (ItemStatus.ADDED, ())
    assert item.id is not None
    return item.id


def effective(memory: Trigraph, id: str) -> float:
    return memory.access(id).effective_confidence


def kinds(memory: Trigraph, id: str) -> list[str]:
    return [one.kind.value for one in memory.access(id).used]


@pytest.mark.req("I10")
class TestCiting:
    @pytest.mark.parametrize("kind", ["cited", "saved_rework"])
    def test_a_use_raises_what_is_left_by_a_tenth(self, plain: Trigraph, clock: SettableClock, kind: str) -> None:
        tea = kept(plain, confidence=0.6)
        clock.advance(days=60)  # 0.1 is lost
        assert effective(plain, tea) == pytest.approx(0.5)

        plain.cite(plain.recall("tea").id, tea, kind)
        assert effective(plain, tea) == pytest.approx(0.6)
        assert plain.get(tea).confidence == pytest.approx(0.6)
        clock.advance(days=30)
        assert effective(plain, tea) == pytest.approx(0.55)

    def test_it_rises_to_one_and_no_further(self, plain: Trigraph) -> None:
        tea = kept(plain, confidence=0.75)
        for number in range(5):
            plain.cite(plain.recall(f"tea {number}").id, tea)
        assert effective(plain, tea) == 1.0

    @pytest.mark.parametrize("kind", NOT_RAISING)
    def test_what_does_not_speak_for_it_leaves_it_as_far_believed_as_it_was(
        self, plain: Trigraph, clock: SettableClock, kind: str
    ) -> None:
        tea, coffee = kept(plain, confidence=0.6), kept(plain, "Coffee is ground at nine", confidence=0.6)
        clock.advance(days=60)
        plain.cite(plain.recall("tea").id, tea, kind)
        for later, left in ((0, 0.5), (30, 0.45), (1_000, 0.1)):
            clock.advance(days=later)
            assert effective(plain, tea) == pytest.approx(left, abs=1e-6)
            assert effective(plain, tea) == pytest.approx(effective(plain, coffee), abs=1e-6)

    def test_a_citation_sent_twice_counts_once(self, plain: Trigraph) -> None:
        tea = kept(plain, confidence=0.5)
        recall = plain.recall("tea")
        plain.cite(recall.id, tea)
        plain.cite(recall.id, tea)
        assert effective(plain, tea) == pytest.approx(0.6)
        assert kinds(plain, tea) == ["cited"]

    def test_several_at_once_count_for_each(self, plain: Trigraph) -> None:
        tea, coffee = kept(plain, confidence=0.5), kept(plain, "Coffee is ground at nine", confidence=0.5)
        plain.cite(plain.recall("tea").id, items=[{"id": tea}, {"id": coffee, "kind": "dismissed"}])
        assert (effective(plain, tea), effective(plain, coffee)) == (pytest.approx(0.6), pytest.approx(0.5))

    def test_what_was_known_before_shows_what_it_was_then(self, plain: Trigraph, clock: SettableClock) -> None:
        tea = kept(plain, confidence=0.6)
        clock.advance(days=1)
        before = clock()
        clock.advance(days=1)
        plain.cite(plain.recall("tea").id, tea)
        clock.advance(days=1)

        assert plain.get(tea).confidence == pytest.approx(0.6 - 0.05 * 2 / 30 + 0.1, abs=1e-6)
        assert plain.get(tea, known_at=before).confidence == 0.6
        (hit,) = plain.recall("tea", known_at=before).hits
        assert hit.memory.confidence == 0.6
        assert plain.get(tea, known_at=before).referenced_at is None

    def test_a_citation_makes_it_last_and_a_stale_flag_does_not(self, plain: Trigraph, clock: SettableClock) -> None:
        texts = {"cited": TEA, "flagged_stale": "Coffee is ground at nine", "never": "It rains in Bergen"}
        ids = {kind: kept(plain, text) for kind, text in texts.items()}
        clock.advance(days=60)
        for kind in ("cited", "flagged_stale"):
            plain.cite(plain.recall(texts[kind]).id, ids[kind], kind)
        clock.advance(days=60)
        left = {kind: plain.access(id).retention for kind, id in ids.items()}
        assert left["cited"] > left["flagged_stale"]
        assert left["cited"] > left["never"]


@pytest.mark.req("I13")
class TestAccess:
    @pytest.mark.req("I10")
    def test_being_shown_is_counted_and_strengthens_nothing(self, plain: Trigraph) -> None:
        tea = kept(plain, confidence=0.6)
        before = plain.get(tea)
        for number in range(200):
            assert plain.recall(f"tea at {number}").hits[0].memory.id == tea

        log = plain.access(tea)
        assert (log.shown_count, log.used, log.restatements) == (200, (), ())
        assert (log.confidence, log.effective_confidence) == (0.6, 0.6)
        assert plain.get(tea) == before

    def test_it_says_when_it_was_shown_in_which_session_for_which_query_and_where(
        self, plain: Trigraph, clock: SettableClock
    ) -> None:
        first = kept(plain, "Tea, tea and tea")
        second = kept(plain, "Somebody in the hall may know where tea can be had today")
        told = plain.recall("tea", session="monday")
        assert [hit.memory.id for hit in told.hits] == [first, second]
        clock.advance(hours=1)
        plain.recall("tea today", session="tuesday", limit=1)
        clock.advance(hours=1)
        plain.recall("Nothing of the kind")

        (latest, earlier) = plain.access(second).shown
        assert (earlier.recall_id, earlier.query, earlier.session, earlier.rank) == (told.id, "tea", "monday", 2)
        assert (latest.query, latest.session, latest.rank) == ("tea today", "tuesday", 1)
        assert (latest.at - earlier.at).total_seconds() == 3600
        assert [(one.session, one.rank) for one in plain.access(first).shown] == [("monday", 1)]

    def test_it_lists_the_latest_and_counts_all(self, plain: Trigraph, clock: SettableClock) -> None:
        tea = kept(plain)
        for number in range(60):
            clock.advance(minutes=1)
            plain.recall(f"tea {number}")
        log = plain.access(tea)
        assert (log.shown_count, log.shown[0].query) == (60, "tea 59")
        assert 0 < len(log.shown) <= 60

    def test_it_says_what_was_done_with_it(self, plain: Trigraph, clock: SettableClock) -> None:
        tea = kept(plain)
        recall = plain.recall("tea", session="monday")
        plain.cite(recall.id, tea, "dismissed")
        clock.advance(hours=1)
        plain.cite(recall.id, tea, "cited", "it was right after all")

        latest, first = plain.access(tea).used
        assert (latest.kind, latest.notes, latest.recall_id) == ("cited", "it was right after all", recall.id)
        assert (first.kind, first.session, first.agent) == ("dismissed", "monday", "default")

    def test_what_other_agents_were_shown_or_did_is_not_told(self, plain: Trigraph, bob: Trigraph) -> None:
        tea = kept(plain)
        recall = bob.recall("tea", session="of bob")
        bob.cite(recall.id, tea, "dismissed")

        log = plain.access(tea)
        assert (log.shown_count, log.shown, log.used) == (0, (), ())
        assert (bob.access(tea).shown_count, kinds(bob, tea)) == (1, ["dismissed"])

    def test_a_memory_that_was_not_shown_for_want_of_room_is_not_counted(self, plain: Trigraph) -> None:
        ids = [kept(plain, f"Ship number {number} sails from Genoa at noon") for number in range(10, 15)]
        answer = plain.recall("ship Genoa", budget_tokens=50)
        shown = {hit.memory.id for hit in answer.hits}
        assert 0 < len(shown) < 5
        assert {id for id in ids if plain.access(id).shown_count} == shown


@pytest.mark.req("I10")
class TestSayingAgain:
    def test_in_another_session_it_counts_once_and_its_echo_does_not(self, plain: Trigraph) -> None:
        id = kept(plain, BACKUPS, session="monday", confidence=0.6)

        said = [plain.remember(BACKUPS_AGAIN, session=session).items[0] for session in ("tuesday", "tuesday", "monday")]
        assert {(one.status, one.id) for one in said} == {(ItemStatus.REINFORCED, id)}
        assert plain.stats().memories == 1
        assert effective(plain, id) == pytest.approx(0.7)
        again = plain.access(id).restatements
        assert sorted((one.session or "", one.raised) for one in again) == [
            ("monday", 0.0),
            ("tuesday", 0.0),
            ("tuesday", pytest.approx(0.1)),
        ]

    def test_the_very_same_words_in_another_session_count_too(self, plain: Trigraph) -> None:
        id = kept(plain, BACKUPS, session="monday", confidence=0.6)
        statuses = [plain.remember(BACKUPS, session=one).items[0].status for one in ("monday", "tuesday", "tuesday")]
        assert statuses[:2] == [ItemStatus.DUPLICATE, ItemStatus.REINFORCED]
        assert effective(plain, id) == pytest.approx(0.7)

    def test_each_further_session_counts(self, plain: Trigraph) -> None:
        id = kept(plain, BACKUPS, session="monday", confidence=0.5)
        for session in ("tuesday", "wednesday", "thursday"):
            plain.remember(BACKUPS_AGAIN, session=session)
        assert effective(plain, id) == pytest.approx(0.8)
        assert plain.get(id).restatements == 3

    def test_who_said_it_where_and_when_is_kept(self, plain: Trigraph, bob: Trigraph, clock: SettableClock) -> None:
        id = kept(plain, BACKUPS, session="monday")
        clock.advance(hours=2)
        bob.remember(BACKUPS_AGAIN, source="agent", session="of bob", turn="7", uri="https://example.org/wiki")

        (again,) = plain.access(id).restatements
        assert (again.author, again.source, again.session) == ("bob", Source.AGENT, "of bob")
        assert (again.turn, again.uri) == ("7", "https://example.org/wiki")
        assert (again.at - plain.get(id).created_at).total_seconds() == pytest.approx(7200, abs=1)

    def test_it_fades_from_then_on(self, plain: Trigraph, clock: SettableClock) -> None:
        id = kept(plain, BACKUPS, session="monday", confidence=0.8)
        clock.advance(days=60)
        plain.remember(BACKUPS_AGAIN, session="tuesday")
        assert effective(plain, id) == pytest.approx(0.8)
        clock.advance(days=30)
        assert effective(plain, id) == pytest.approx(0.75)


@pytest.mark.req("I10")
class TestRanking:
    """Two memories that match a query equally well; checkpoints, as they tell of a moment and never disagree."""

    OSLO, ROME = "The boat key hangs in Oslo", "The boat key hangs in Rome"
    OTHERS = ("Bread is baked at dawn", "A boat sails at noon", "The key is lost")

    @pytest.mark.parametrize("others", [(), OTHERS], ids=["alone", "among others"])
    @pytest.mark.parametrize("profile", ["default", "confident"])
    def test_the_believed_and_recent_one_stands_above_the_doubtful_and_old_one(
        self, plain: Trigraph, clock: SettableClock, profile: str, others: tuple[str, ...]
    ) -> None:
        doubtful = kept(plain, self.OSLO, confidence=0.3, kind="checkpoint")
        clock.advance(days=100)
        believed = kept(plain, self.ROME, kind="checkpoint")
        for text in others:
            plain.remember(text)
        assert [hit.memory.id for hit in plain.recall("boat key", profile=profile).hits[:2]] == [believed, doubtful]

    @pytest.mark.parametrize("others", [(), OTHERS], ids=["alone", "among others"])
    @pytest.mark.parametrize("first", [0, 1])
    def test_of_two_of_the_same_age_the_more_believed_stands_above(
        self, plain: Trigraph, first: int, others: tuple[str, ...]
    ) -> None:
        told = [(self.OSLO, 0.3), (self.ROME, 1.0)]
        for text, confidence in (told[first], told[1 - first]):
            kept(plain, text, confidence=confidence, kind="checkpoint")
        for text in others:
            plain.remember(text)
        assert [hit.memory.text for hit in plain.recall("boat key").hits[:2]] == [self.ROME, self.OSLO]

    @pytest.mark.parametrize(("profile", "keeps"), [("default", 0.8 + 0.2 * 0.5), ("confident", 0.5)])
    def test_how_much_of_its_lead_a_memory_keeps(self, clock: SettableClock, profile: str, keeps: float) -> None:
        """Held against the same world in which everything is believed. The weakest hit is where a lead begins."""
        leads = []
        for confidence in (1.0, 0.5):
            with Trigraph(open_engine(WITHOUT_MODEL, in_memory=True, clock=clock), LOCAL_SCOPE) as memory:
                best = kept(memory, "The boat key hangs in the hall", confidence=confidence)
                for text in self.OTHERS:
                    memory.remember(text)
                scores = {hit.memory.id: hit.score for hit in memory.recall("boat key hall", profile=profile).hits}
                leads.append(scores[best] - min(scores.values()))
        assert leads[1] / leads[0] == pytest.approx(keeps, abs=1e-3)

    def test_a_much_better_match_stays_above_in_the_default_profile(self, plain: Trigraph) -> None:
        best = kept(plain, "The boat key hangs in the hall", confidence=0.1)
        for text in self.OTHERS:
            plain.remember(text)
        assert plain.recall("boat key hall").hits[0].memory.id == best

    def test_a_hit_says_how_far_it_is_believed_by_now(self, plain: Trigraph, clock: SettableClock) -> None:
        kept(plain, confidence=0.8)
        clock.advance(days=90)
        assert plain.recall("tea").hits[0].effective_confidence == pytest.approx(0.65)


Rewriting = Callable[[Trigraph, str, str | None], Any]
REWRITING: dict[str, Rewriting] = {
    "correct": lambda memory, id, session: memory.correct(id, "Coffee is ground at nine", session=session),
    "supersede": lambda memory, id, session: memory.supersede(id, "Coffee is ground at nine", session=session),
    "decide": lambda memory, id, session: memory.decide(
        "We grind coffee at nine", topic="breaks", supersedes=id, session=session
    ),
}


@pytest.mark.req("T13")
@pytest.mark.parametrize("verb", list(REWRITING))
class TestRewriting:
    def test_what_a_recall_of_the_session_showed_is_cited_as_rewritten(
        self, plain: Trigraph, clock: SettableClock, verb: str
    ) -> None:
        tea = kept(plain)
        recall = plain.recall("tea", session="monday")
        clock.advance(hours=1)
        changed = REWRITING[verb](plain, tea, "monday")

        (used,) = plain.access(tea).used
        assert (used.kind, used.recall_id, used.session, used.agent) == ("rewrote", recall.id, "monday", "default")
        assert used.at == changed.at
        assert kinds(plain, changed.ids[0]) == []

    def test_shown_twice_it_is_rewritten_once(self, plain: Trigraph, verb: str) -> None:
        tea = kept(plain)
        for _ in range(3):
            plain.recall("tea", session="monday")
        REWRITING[verb](plain, tea, "monday")
        assert kinds(plain, tea) == ["rewrote"]

    def test_what_the_caller_said_already_is_not_said_again(self, plain: Trigraph, verb: str) -> None:
        tea = kept(plain)
        plain.cite(plain.recall("tea", session="monday").id, tea, "rewrote")
        REWRITING[verb](plain, tea, "monday")
        assert kinds(plain, tea) == ["rewrote"]

    def test_without_a_session_nothing_is_written(self, plain: Trigraph, verb: str) -> None:
        tea = kept(plain)
        plain.recall("tea")
        REWRITING[verb](plain, tea, None)
        assert kinds(plain, tea) == []

    @pytest.mark.parametrize("asked", ["another session", "another query", "another agent", "never"])
    def test_what_the_session_was_not_shown_was_not_rewritten_for_it(
        self, plain: Trigraph, bob: Trigraph, verb: str, asked: str
    ) -> None:
        tea = kept(plain)
        match asked:
            case "another session":
                plain.recall("tea", session="tuesday")
            case "another query":
                assert plain.recall("weather", session="monday").hits == ()
            case "another agent":
                bob.recall("tea", session="monday")
        REWRITING[verb](plain, tea, "monday")
        assert kinds(plain, tea) == kinds(bob, tea) == []


@pytest.mark.req("T13")
def test_a_persons_word_that_ends_a_memory_rewrites_it_too(home: Path, clock: SettableClock) -> None:
    with Trigraph(open_engine(WITHOUT_MODEL, in_memory=True, clock=clock), LOCAL_SCOPE) as memory:
        old = kept(memory, "The API listens on port 8080")
        clock.advance(hours=1)
        memory.recall("API port", session="monday")
        (item,) = memory.remember("Actually, the API listens on port 8081, not 8080", session="monday").items
        assert item.status is ItemStatus.UPDATED
        assert kinds(memory, old) == ["rewrote"]


@pytest.mark.req("T13")
def test_an_answer_by_an_idempotency_key_is_not_rewritten_twice(plain: Trigraph, clock: SettableClock) -> None:
    tea = kept(plain)
    plain.recall("tea", session="monday")
    at: set[datetime] = set()
    for _ in range(2):
        at.add(plain.correct(tea, "Coffee is ground at nine", session="monday", idempotency_key="k").at)
        clock.advance(hours=1)
    assert (len(at), kinds(plain, tea)) == (1, ["rewrote"])
