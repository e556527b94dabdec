"""What becomes of a memory: corrected, superseded, forgotten, restored, archived, verified, shared, erased."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from trigraph.assembly import open_engine
from trigraph.errors import Conflict, Forbidden, InvalidInput, KeyReused, NotFound
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.change import MemoryHistory, Verb
from trigraph.model.link import LinkType
from trigraph.model.memory import DecisionDetails, Kind, Memory, Status, Visibility
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.settings import EmbedderSettings, MemorySettings, Settings

if TYPE_CHECKING:
    from clocks import SettableClock

WITHOUT_MODEL = Settings(embedder=EmbedderSettings(kind="none"), memory=MemorySettings(restore_days=7))
PUT_ASIDE: dict[str, Callable[[Trigraph, str], object]] = {
    "forgotten": lambda memory, id: memory.forget(id),
    "corrected": lambda memory, id: memory.correct(id, "Tea at five"),
    "superseded": lambda memory, id: memory.supersede(id, "Tea at five"),
    "archived": lambda memory, id: memory.archive(id),
}
REVISING: dict[str, Callable[[Trigraph, str], object]] = {
    "correct": lambda memory, id: memory.correct(id, "Tea at six"),
    "supersede": lambda memory, id: memory.supersede(id, "Tea at six"),
    "reverify": lambda memory, id: memory.reverify(id),
    "share": lambda memory, id: memory.share(id),
}


@pytest.fixture
def memory(clock: SettableClock) -> Iterator[Trigraph]:
    """An empty memory without a model, in which what was forgotten can be restored for a week."""
    with Trigraph(open_engine(WITHOUT_MODEL, in_memory=True, clock=clock), LOCAL_SCOPE) as opened:
        yield opened


@pytest.fixture
def bob(memory: Trigraph) -> Trigraph:
    """Another agent of the project, that reads what is shared."""
    memory.admin.set_agent("default", "default", "bob", ReadPolicy.SHARED)
    return Trigraph(memory.engine, Scope("default", "default", "bob"))


@pytest.mark.req("I12")
class TestCorrect:
    def test_the_old_is_retracted_and_the_new_stands_in_its_place(self, memory: Trigraph) -> None:
        old = _kept(memory, "Tea at four")
        changed = memory.correct(old, "Tea at five", reason="I misheard")

        assert (changed.verb, changed.replaced) == (Verb.CORRECT, (old,))
        assert [one.text for one in memory.list().memories] == ["Tea at five"]
        assert [hit.memory.id for hit in memory.recall("why tea?", superseded=True).hits] == [changed.id]
        with pytest.raises(NotFound):
            memory.get(old)
        (link,) = memory.links(changed.id)
        assert (link.id, link.type, link.from_id, link.to_id) == (changed.links[0], LinkType.CORRECTS, changed.id, old)
        assert (link.confidence, link.reason) == (1.0, "I misheard")

    def test_the_old_stays_for_those_who_ask_what_was_known_before(
        self, memory: Trigraph, clock: SettableClock
    ) -> None:
        old = _kept(memory, "Tea at four")
        clock.advance(days=2)
        memory.correct(old, "Tea at five")

        assert memory.get(old, known_at="2026-09-02").text == "Tea at four"
        assert [one.text for one in memory.list(known_at="2026-09-02").memories] == ["Tea at four"]
        assert [hit.memory.text for hit in memory.recall("tea", known_at="2026-09-02").hits] == ["Tea at four"]

    def test_all_that_is_not_said_anew_is_as_it_was(self, memory: Trigraph) -> None:
        old = memory.get(
            _kept(
                memory,
                "Use Postgres",
                kind="decision",
                reasoning="We know it",
                topic="store",
                tags=["db", "new"],
                domains=["backend"],
                subject="billing",
                type="project",
                occurred_at="2026-03-01",
                valid_from="2026-04-01",
                valid_until="2026-12-01",
                pinned=True,
                visibility="private",
            )
        )
        new = memory.get(memory.correct(old.id, "Use MySQL").id)

        same = ("kind", "topic", "tags", "domains", "subject", "valid_from", "valid_until", "pinned", "visibility")
        assert [getattr(new, name) for name in same] == [getattr(old, name) for name in same]
        assert (new.occurred_at, new.details) == (datetime(2026, 3, 1, tzinfo=UTC), DecisionDetails("We know it"))
        assert (new.valid_from, new.valid_until) == (
            datetime(2026, 4, 1, tzinfo=UTC),
            datetime(2026, 12, 1, tzinfo=UTC),
        )
        assert new.root_id == old.id

    def test_what_is_said_anew_takes_its_place(self, memory: Trigraph) -> None:
        old = _kept(memory, "Use Postgres", kind="decision", reasoning="We know it", topic="store", tags=["db"])
        new = memory.get(
            memory.correct(
                old,
                "Use MySQL",
                topic="storage",
                tags=[],
                domains=["backend"],
                reasoning="They know it",
                source="agent",
                session="s-1",
                confidence=0.5,
            ).id
        )

        assert (new.topic, new.tags, new.domains, new.confidence) == ("storage", (), ("backend",), 0.5)
        assert new.details == DecisionDetails("They know it")
        assert (new.provenance.source, new.provenance.session, new.trust) == ("agent", "s-1", 0.7)

    def test_it_takes_over_the_usage_history_over_several_corrections(self, memory: Trigraph) -> None:
        first = _kept(memory, "Tea at four")
        memory.cite(memory.recall("tea").id, first)
        second = memory.correct(first, "Tea at five").id
        memory.cite(None, second, "flagged_stale")
        memory.cite(None, second)
        third = memory.correct(second, "Tea at six").id

        assert _told(memory, third).citations == {"cited": 2, "flagged_stale": 1}
        assert memory.get(third).root_id == first

    def test_a_memory_that_is_no_correction_has_no_uses_of_another(self, memory: Trigraph) -> None:
        old = _kept(memory, "Tea at four")
        memory.cite(None, old)

        assert _told(memory, memory.supersede(old, "Tea at five").id).citations == {}
        assert _told(memory, old).citations == {"cited": 1}

    def test_the_same_text_is_no_correction(self, memory: Trigraph) -> None:
        old = _kept(memory, "Tea at four")

        with pytest.raises(InvalidInput, match="reverify") as refused:
            memory.correct(old, "Tea  at\nfour")
        assert refused.value.field == "text"
        assert memory.get(old).retracted_at is None

    def test_it_has_no_beginning_of_its_own(self, memory: Trigraph) -> None:
        with pytest.raises(InvalidInput, match="use supersede") as refused:
            memory.correct(_kept(memory, "Tea at four"), "Tea at five", valid_from="2026-01-01")
        assert refused.value.field == "valid_from"

    def test_a_corrected_decision_is_told_rightly_by_its_topic(self, memory: Trigraph) -> None:
        old = memory.decide("Use Postgress", topic="store").id
        new = memory.correct(old, "Use Postgres").id

        (state,) = memory.history("store").states
        assert (state.props["decision"].value, state.props["decision"].memory_id) == ("Use Postgres", new)
        assert state.cause_id == new

    def test_a_corrected_decision_is_told_rightly_after_later_changes_of_its_topic(self, memory: Trigraph) -> None:
        old = memory.decide("Use Postgress", topic="store").id
        memory.rename("store", "storage")
        new = memory.correct(old, "Use Postgres").id

        told = memory.entity("storage").state.props["decision"]
        assert (told.value, told.memory_id) == ("Use Postgres", new)

    def test_an_episode_is_corrected_by_a_fact(self, memory: Trigraph) -> None:
        memory.remember_thread([{"text": "Tea is at four", "speaker": "Ana"}], name="talk")
        (said,) = memory.list().memories

        assert memory.get(memory.correct(said.id, "Tea is at five").id).kind is Kind.FACT


class TestSupersede:
    def test_the_old_ends_where_the_new_begins(self, memory: Trigraph, clock: SettableClock) -> None:
        old = _kept(memory, "Tea at four")
        clock.advance(days=10)
        changed = memory.supersede(old, "Tea at five", reason="Winter")
        new, ended = memory.get(changed.id), memory.get(old)

        assert (changed.verb, changed.replaced) == (Verb.SUPERSEDE, (old,))
        assert ended.valid_until == new.valid_from == new.created_at == changed.at
        assert (ended.superseded, ended.superseded_by, ended.retracted_at) == (True, new.id, None)
        assert (new.superseded, new.valid_until, new.root_id) == (False, None, None)
        (link,) = memory.links(old)
        assert (link.type, link.from_id, link.to_id, link.reason) == (LinkType.SUPERSEDES, new.id, old, "Winter")

    def test_each_is_there_for_its_time(self, memory: Trigraph) -> None:
        old = _kept(memory, "Tea at four", valid_from="2026-01-01")
        new = memory.supersede(old, "Tea at five", valid_from="2026-06-01").id

        assert memory.get(old).valid_until == datetime(2026, 6, 1, tzinfo=UTC)
        assert memory.get(old, as_of="2026-05-31").text == "Tea at four"
        assert memory.get(new, as_of="2026-06-01").text == "Tea at five"
        for id, day in ((old, "2026-06-01"), (new, "2026-05-31")):
            with pytest.raises(NotFound):
                memory.get(id, as_of=day)
        assert [one.text for one in memory.list(as_of="2026-05-31").memories] == ["Tea at four"]
        assert [one.text for one in memory.list(as_of="2026-06-01").memories] == ["Tea at five"]
        assert [one.text for one in memory.list().memories] == ["Tea at five"]

    def test_one_that_begins_in_the_future_leaves_the_old_until_then(
        self, memory: Trigraph, clock: SettableClock
    ) -> None:
        old = _kept(memory, "Tea at four")
        memory.supersede(old, "Tea at five", valid_from="2026-10-01")

        (hit,) = memory.recall("tea").hits
        assert (hit.memory.id, hit.staleness.superseded) == (old, False)
        clock.advance(days=60)
        (hit,) = memory.recall("tea").hits
        assert hit.memory.text == "Tea at five"

    @pytest.mark.parametrize("since", ["2026-01-01", "2025-12-31"])
    def test_it_cannot_begin_before_the_old_did(self, memory: Trigraph, since: str) -> None:
        old = _kept(memory, "Tea at four", valid_from="2026-01-01")

        with pytest.raises(InvalidInput, match="use correct") as refused:
            memory.supersede(old, "Tea at five", valid_from=since)
        assert refused.value.field == "valid_from"
        assert [one.text for one in memory.list().memories] == ["Tea at four"]

    def test_an_end_that_was_known_is_not_put_off(self, memory: Trigraph) -> None:
        old = _kept(memory, "Tea at four", valid_from="2026-01-01", valid_until="2026-03-01")
        memory.supersede(old, "Tea at five", valid_from="2026-06-01")

        assert memory.get(old).valid_until == datetime(2026, 3, 1, tzinfo=UTC)
        assert memory.list(as_of="2026-04-01").memories == ()

    def test_what_was_known_before_is_told_by_known_at(self, memory: Trigraph, clock: SettableClock) -> None:
        old = _kept(memory, "Tea at four", valid_from="2026-01-01")
        clock.advance(days=2)
        memory.supersede(old, "Tea at five", valid_from="2026-06-01")
        before = memory.get(old, as_of="2026-07-01", known_at="2026-09-02")

        assert (before.valid_until, before.superseded, before.superseded_by) == (None, False, None)
        with pytest.raises(NotFound):
            memory.get(old, as_of="2026-07-01")

    def test_recall_leaves_it_out_unless_it_looks_back_and_never_shows_it_unmarked(
        self, memory: Trigraph, clock: SettableClock
    ) -> None:
        old = _kept(memory, "Tea at four")
        clock.advance(hours=1)
        new = memory.supersede(old, "Tea at five").id

        def marks(query: str, **options: object) -> dict[str, str | None]:
            hits = memory.recall(query, **options).hits
            assert all(hit.staleness.superseded is (hit.memory.id == old) for hit in hits)
            return {hit.memory.id: hit.staleness.superseded_by for hit in hits}

        assert marks("tea time") == {new: None}
        assert marks("why did we move tea?") == {new: None, old: new}
        assert marks("tea time", superseded=True) == {new: None, old: new}
        assert marks("why did we move tea?", superseded=False) == {new: None}

    def test_a_superseded_decision_is_no_longer_what_its_topic_tells(self, memory: Trigraph) -> None:
        old = memory.decide("Use JWT", topic="auth").id
        new = memory.supersede(old, "Use sessions").id

        told = memory.entity("auth").state.props["decision"]
        assert (told.value, told.memory_id) == ("Use sessions", new)


class TestForget:
    def test_it_is_gone_from_every_read_but_known_at_before(self, memory: Trigraph, clock: SettableClock) -> None:
        id = _kept(memory, "Tea at four", topic="tea")
        clock.advance(days=2)
        changed = memory.forget(id, reason="Nobody's business")

        assert (changed.verb, changed.ids) == (Verb.FORGET, (id,))
        assert memory.list().memories == memory.recall("tea", superseded=True).hits == ()
        with pytest.raises(NotFound):
            memory.get(id)
        assert memory.stats().memories == 0
        (gone,) = memory.list(status="forgotten").memories
        assert (gone.id, gone.status, gone.retracted_at) == (id, Status.FORGOTTEN, changed.at)
        assert memory.get(id, known_at="2026-09-02").status is Status.ACTIVE
        assert _told(memory, id).steps[-1].reason == "Nobody's business"

    def test_twice_is_a_conflict(self, memory: Trigraph) -> None:
        id = _kept(memory, "Tea at four")
        memory.forget(id)

        with pytest.raises(Conflict, match="forgotten already"):
            memory.forget(id)

    def test_all_are_forgotten_or_none(self, memory: Trigraph) -> None:
        tea, soup, gone = (_kept(memory, text) for text in ("Tea at four", "Soup at noon", "Cake"))
        memory.forget(gone)

        with pytest.raises(Conflict):
            memory.forget(tea, gone, soup)
        assert {one.id for one in memory.list().memories} == {tea, soup}
        assert memory.forget(tea, soup, tea).ids == (tea, soup)
        assert memory.list().memories == ()

    def test_by_query_it_is_a_preview_of_what_holds_every_word(self, memory: Trigraph) -> None:
        tea = _kept(memory, "Tea at four on Fridays")
        _kept(memory, "Tea at five")
        preview = memory.forget(query="tea four")

        assert (preview.ids, preview.preview) == ((tea,), True)
        assert len(memory.list().memories) == 2
        done = memory.forget(query="tea four", dry_run=False)
        assert (done.ids, done.preview) == ((tea,), False)
        assert [one.text for one in memory.list().memories] == ["Tea at five"]

    def test_by_id_it_is_a_preview_only_on_request(self, memory: Trigraph) -> None:
        id = _kept(memory, "Tea at four")
        preview = memory.forget(id[-8:], dry_run=True)

        assert (preview.ids, preview.preview) == ((id,), True)
        assert memory.get(id).text == "Tea at four"

    def test_a_query_that_finds_nothing_forgets_nothing(self, memory: Trigraph) -> None:
        _kept(memory, "Tea at four")
        done = memory.forget(query="coffee", dry_run=False)

        assert done.ids == ()
        assert not done.preview, "it was no preview: there was nothing to forget"

    @pytest.mark.parametrize("asked", [{}, {"query": "tea", "ids": ("zzzzzzzz",)}, {"query": "the of"}], ids=str)
    def test_what_cannot_be_meant_is_refused(self, memory: Trigraph, asked: dict[str, object]) -> None:
        with pytest.raises(InvalidInput):
            memory.forget(*asked.pop("ids", ()), **asked)  # type: ignore[misc, arg-type]

    def test_what_a_forgotten_decision_said_is_not_told_by_its_topic(self, memory: Trigraph) -> None:
        memory.remember("About the auth of the shop", subject="auth")
        memory.forget(memory.decide("The password is 4711", topic="auth").id)

        assert "4711" not in repr(memory.entity("auth"))


@pytest.mark.req("I12")
class TestRestore:
    @pytest.mark.parametrize("how", PUT_ASIDE)
    def test_what_was_put_aside_last_stands_again(self, memory: Trigraph, how: str, clock: SettableClock) -> None:
        id = _kept(memory, "Tea at four", tags=["drink"], valid_from="2026-01-01")
        before = memory.get(id)
        clock.advance(days=1)
        PUT_ASIDE[how](memory, id)
        clock.advance(days=1)
        memory.restore(id)

        assert memory.get(id) == before
        assert id in {one.id for one in memory.list().memories}
        assert memory.recall("tea four").hits[0].memory.id == id
        assert not memory.recall("tea four").hits[0].staleness.superseded

    @pytest.mark.parametrize("how", ["corrected", "superseded"])
    def test_what_had_replaced_it_stays_and_the_link_is_closed(self, memory: Trigraph, how: str) -> None:
        id = _kept(memory, "Tea at four")
        PUT_ASIDE[how](memory, id)
        (link,) = memory.links(id)
        changed = memory.restore(id)

        assert {one.text for one in memory.list().memories} == {"Tea at four", "Tea at five"}
        assert link.from_id in str(changed.note)
        assert memory.links(id) == []

    def test_step_by_step_the_last_first(self, memory: Trigraph) -> None:
        id = _kept(memory, "Tea at four")
        memory.archive(id)
        memory.forget(id)

        memory.restore(id)
        assert memory.get(id).status is Status.ARCHIVED
        memory.restore(id)
        assert memory.get(id).status is Status.ACTIVE

    def test_what_changed_beside_is_kept(self, memory: Trigraph) -> None:
        id = _kept(memory, "Tea at four", visibility="private")
        memory.share(id)
        memory.forget(id)
        memory.restore(id)

        assert memory.get(id).visibility is Visibility.SHARED

    def test_what_stands_has_nothing_to_restore(self, memory: Trigraph) -> None:
        id = _kept(memory, "Tea at four")
        memory.reverify(id)

        with pytest.raises(Conflict, match="nothing to restore"):
            memory.restore(id)

    @pytest.mark.parametrize("how", PUT_ASIDE)
    def test_what_was_restored_is_not_put_aside_again_by_restoring_it_twice(self, memory: Trigraph, how: str) -> None:
        id = _kept(memory, "Tea at four")
        PUT_ASIDE[how](memory, id)
        memory.restore(id)
        before = memory.get(id)

        with pytest.raises(Conflict, match="nothing to restore"):
            memory.restore(id)
        assert memory.get(id) == before

    @pytest.mark.parametrize(("days", "there"), [(6.9, True), (7.1, False)])
    def test_what_was_forgotten_can_be_restored_for_a_time(
        self, memory: Trigraph, clock: SettableClock, days: float, there: bool
    ) -> None:
        id = _kept(memory, "Tea at four")
        memory.forget(id)
        clock.advance(days=days)

        if there:
            assert memory.restore(id).ids == (id,)
        else:
            with pytest.raises(Conflict, match=r"more than 7 days ago.*memory\.restore_days"):
                memory.restore(id)
            assert memory.list().memories == ()

    @pytest.mark.parametrize("how", ["corrected", "superseded", "archived"])
    def test_the_time_is_for_what_was_forgotten_only(self, memory: Trigraph, clock: SettableClock, how: str) -> None:
        id = _kept(memory, "Tea at four")
        PUT_ASIDE[how](memory, id)
        clock.advance(days=100)
        memory.restore(id)

        assert memory.get(id).text == "Tea at four"

    def test_the_time_begins_with_the_forgetting_not_with_a_correction_before_it(
        self, memory: Trigraph, clock: SettableClock
    ) -> None:
        id = _kept(memory, "Tea at four")
        memory.correct(id, "Tea at five")
        clock.advance(days=30)
        memory.forget(id)
        clock.advance(days=1)

        assert memory.restore(id).ids == (id,)


class TestRefusals:
    @pytest.mark.parametrize("verb", REVISING)
    @pytest.mark.parametrize("how", PUT_ASIDE)
    def test_what_no_longer_stands_is_not_revised(self, memory: Trigraph, how: str, verb: str) -> None:
        id = _kept(memory, "Tea at four", visibility="private")
        PUT_ASIDE[how](memory, id)
        before = memory.engine.find(memory.scope, id)

        with pytest.raises(Conflict, match=rf"{id} is {how}\.") as refused:
            REVISING[verb](memory, id)
        assert refused.value.code == "conflict"
        assert refused.value.fix
        assert memory.engine.find(memory.scope, id) == before
        assert "Tea at six" not in {one.text for one in memory.list().memories}

    def test_what_replaced_it_is_named_to_those_who_may_see_it(self, memory: Trigraph) -> None:
        id = _kept(memory, "Tea at four")
        new = memory.supersede(id, "Tea at five").id

        with pytest.raises(Conflict, match=new):
            memory.supersede(id, "Tea at six")

    @pytest.mark.parametrize("how", ["forgotten", "corrected", "archived"])
    def test_only_what_is_active_is_archived(self, memory: Trigraph, how: str) -> None:
        id = _kept(memory, "Tea at four")
        PUT_ASIDE[how](memory, id)

        with pytest.raises(Conflict, match=how):
            memory.archive(id)

    @pytest.mark.parametrize("verb", ["correct", "supersede"])
    @pytest.mark.parametrize("text", ["", " \n"])
    def test_a_text_is_needed(self, memory: Trigraph, verb: str, text: str) -> None:
        id = _kept(memory, "Tea at four")

        with pytest.raises(InvalidInput) as refused:
            getattr(memory, verb)(id, text)
        assert refused.value.field == "text"

    def test_an_outcome_of_what_was_forgotten_is_refused(self, memory: Trigraph) -> None:
        id = memory.decide("Use JWT", topic="auth").id
        memory.forget(id)

        with pytest.raises(Conflict):
            memory.evolve(id, "FAILED", "No revocation")
        assert memory.list().memories == ()


class TestArchive:
    def test_it_is_listed_and_recalled_no_longer_but_never_retracted(self, memory: Trigraph) -> None:
        id = _kept(memory, "Tea at four")
        memory.archive(id, reason="Summer is over")

        assert memory.list().memories == memory.recall("tea").hits == ()
        (away,) = memory.list(status="archived").memories
        assert (away.id, away.retracted_at, memory.get(id).status) == (id, None, Status.ARCHIVED)
        assert _told(memory, id).steps[-1].reason == "Summer is over"


@pytest.mark.req("T11")
class TestReverify:
    def test_last_verified_at_changes_and_nothing_else(self, memory: Trigraph, clock: SettableClock) -> None:
        id = _kept(memory, "Tea at four", tags=["drink"], topic="tea", confidence=0.4)
        before = memory.get(id)
        clock.advance(days=3)
        changed = memory.reverify(id)
        after = memory.get(id)

        assert after.last_verified_at == changed.at == datetime(2026, 9, 4, 12, tzinfo=UTC)
        assert before.last_verified_at is None
        assert _without(after, "last_verified_at") == _without(before, "last_verified_at")
        assert memory.recall("tea").hits[0].staleness.last_verified_at == changed.at
        assert list(_told(memory, id).steps[-1].changed) == ["last_verified_at"]


class TestAuthors:
    @pytest.mark.req("I12")
    @pytest.mark.parametrize("verb", ["correct", "supersede"])
    def test_another_may_revise_what_is_shared_and_is_then_its_author(
        self, memory: Trigraph, bob: Trigraph, verb: str
    ) -> None:
        id = _kept(memory, "Tea at four")
        new = getattr(bob, verb)(id, "Tea at five").id

        assert memory.get(new).provenance.author == "bob"
        steps = _told(memory, new).steps
        assert [(step.verb, step.by, step.memory_id) for step in steps] == [
            (Verb.REMEMBER, "default", id),
            (verb, "bob", new),
            (verb, "bob", id),
        ]

    @pytest.mark.parametrize("verb", [*REVISING, "forget", "archive", "restore", "erase"])
    def test_what_another_keeps_private_does_not_exist(self, memory: Trigraph, bob: Trigraph, verb: str) -> None:
        id = _kept(memory, "Tea at four", visibility="private")
        further = {"forget": bob.forget, "archive": bob.archive, "restore": bob.restore, "erase": bob.erase}

        with pytest.raises(NotFound, match=f"There is no memory '{id}'"):
            further[verb](id) if verb in further else REVISING[verb](bob, id)
        assert memory.get(id).status is Status.ACTIVE

    def test_only_the_author_erases(self, memory: Trigraph, bob: Trigraph) -> None:
        id = _kept(memory, "Tea at four")

        with pytest.raises(Forbidden, match=r"written by 'default'.*forget it instead") as refused:
            bob.erase(id)
        assert refused.value.code == "forbidden"
        assert memory.get(id).text == "Tea at four"

    def test_only_the_author_shares(self, memory: Trigraph, bob: Trigraph) -> None:
        _crew(memory, "default", "bob")
        id = _kept(memory, "Tea at four", group="crew")

        with pytest.raises(Forbidden, match="Only its author may share it"):
            bob.share(id)
        assert memory.get(id).visibility is Visibility.GROUP

    def test_a_replacement_is_seen_by_those_who_saw_the_old(self, memory: Trigraph, bob: Trigraph) -> None:
        _crew(memory, "default", "bob")
        id = _kept(memory, "Tea at four", group="crew")
        memory.admin.set_agent("default", "default", "eve")
        eve = Trigraph(memory.engine, Scope("default", "default", "eve"))
        new = bob.supersede(id, "Tea at five").id

        assert (memory.get(new).visibility, memory.get(new).group) == (Visibility.GROUP, "crew")
        with pytest.raises(NotFound):
            eve.get(new)


class TestShare:
    def test_it_only_ever_grows(self, memory: Trigraph, bob: Trigraph) -> None:
        _crew(memory, "default", "bob")
        id = _kept(memory, "Tea at four", visibility="private")

        memory.share(id, group="crew")
        assert bob.get(id).group == "crew"
        with pytest.raises(Conflict, match="group already"):
            memory.share(id, group="crew")
        memory.share(id)
        assert (bob.get(id).visibility, bob.get(id).group) == (Visibility.SHARED, None)
        with pytest.raises(Conflict, match="shared already"):
            memory.share(id)
        with pytest.raises(Conflict, match="shared already"):
            memory.share(id, group="crew")

    def test_its_entities_are_seen_with_it(self, memory: Trigraph, bob: Trigraph) -> None:
        id = _kept(memory, "It is slow today", subject="Kettle", type="tool", visibility="private")
        with pytest.raises(NotFound):
            bob.entity("Kettle")
        memory.share(id)

        assert bob.entity("Kettle").mention_count == 1

    @pytest.mark.parametrize(
        ("visibility", "group", "field"),
        [("private", None, "visibility"), ("group", None, "visibility"), ("shared", "crew", "visibility"),
         (None, "others", "group"), ("public", None, "visibility")],
        ids=str,
    )  # fmt: skip
    def test_what_cannot_be_meant_is_refused(
        self, memory: Trigraph, visibility: str | None, group: str | None, field: str
    ) -> None:
        _crew(memory, "default")
        id = _kept(memory, "Tea at four", visibility="private")

        with pytest.raises(InvalidInput) as refused:
            memory.share(id, visibility, group=group)
        assert refused.value.field == field
        assert memory.get(id).visibility is Visibility.PRIVATE


class TestErase:
    @pytest.mark.parametrize("how", [None, *PUT_ASIDE])
    def test_nothing_is_left_whatever_became_of_it(
        self, memory: Trigraph, how: str | None, clock: SettableClock
    ) -> None:
        id = _kept(memory, "Tea at four", topic="tea")
        clock.advance(days=1)
        if how:
            PUT_ASIDE[how](memory, id)
        memory.erase(id)

        assert "four" not in repr((memory.list().memories, memory.list(known_at="2026-09-02", as_of="2026-09-02")))
        for read in (memory.get, memory.history, memory.links):
            with pytest.raises(NotFound):
                read(id)
        with pytest.raises(NotFound):
            memory.get(id, known_at="2026-09-02")
        with pytest.raises(NotFound):
            memory.erase(id)

    def test_what_was_derived_from_it_is_told_and_stays(self, memory: Trigraph) -> None:
        id = _kept(memory, "Tea at four", session="s-1")
        summary = memory.wrap("s-1").id

        assert summary in str(memory.erase(id).note)
        assert memory.get(summary).kind is Kind.SUMMARY


@pytest.mark.req("X1")
class TestBothTimes:
    def test_each_read_answers_by_what_was_true_and_what_was_known(
        self, memory: Trigraph, clock: SettableClock
    ) -> None:
        old = _kept(memory, "Tea at four", valid_from="2026-01-01")
        clock.advance(days=10)  # the 11th
        new = memory.supersede(old, "Tea at five", valid_from="2026-06-01").id
        clock.advance(days=10)  # the 21st
        late = memory.correct(new, "Tea at half past four").id

        def known(as_of: str, known_at: str) -> list[str]:
            ids = [one.id for one in memory.list(as_of=as_of, known_at=known_at).memories]
            assert [hit.memory.id for hit in memory.recall("tea", as_of=as_of, known_at=known_at).hits] == ids
            for id in (old, new, late):
                try:
                    found = [memory.get(id, as_of=as_of, known_at=known_at).id]
                except NotFound:
                    found = []
                assert found == [one for one in ids if one == id]
            return ids

        assert known("2026-07-01", "2026-09-05") == [old]
        assert known("2026-07-01", "2026-09-15") == [new]
        assert known("2026-07-01", "2026-09-25") == [late]
        assert known("2026-05-01", "2026-09-25") == [old]
        assert known("2025-12-31", "2026-09-25") == []
        assert known("2026-07-01", "2026-08-31") == []


class TestKeys:
    def test_a_call_under_a_key_is_done_once(self, memory: Trigraph) -> None:
        id = _kept(memory, "Tea at four")
        first = memory.correct(id, "Tea at five", idempotency_key="k-1")
        again = memory.correct(id, "Tea at five", idempotency_key="k-1")

        assert (first.replayed, again.replayed) == (False, True)
        assert (again.ids, again.replaced, again.links, again.at) == (first.ids, (id,), first.links, first.at)
        assert len(memory.list().memories) == 1

    def test_another_body_under_it_is_refused(self, memory: Trigraph) -> None:
        tea, soup = _kept(memory, "Tea at four"), _kept(memory, "Soup at noon")
        memory.forget(tea, idempotency_key="k-1")

        with pytest.raises(KeyReused, match="'k-1' was used before for another forget"):
            memory.forget(soup, idempotency_key="k-1")
        assert memory.get(soup).text == "Soup at noon"

    def test_it_belongs_to_one_verb_of_one_agent(self, memory: Trigraph, bob: Trigraph) -> None:
        id = _kept(memory, "Tea at four", idempotency_key="k-1")

        assert memory.reverify(id, idempotency_key="k-1").replayed is False
        assert bob.reverify(id, idempotency_key="k-1").replayed is False

    def test_a_refused_call_leaves_its_key_free(self, memory: Trigraph) -> None:
        id = _kept(memory, "Tea at four")
        with pytest.raises(InvalidInput):
            memory.correct(id, "Tea at four", idempotency_key="k-1")

        assert memory.correct(id, "Tea at five", idempotency_key="k-1").replayed is False

    def test_forgetting_by_query_is_done_once_too(self, memory: Trigraph) -> None:
        id = _kept(memory, "Tea at four")
        memory.forget(query="tea", dry_run=False, idempotency_key="k-1")
        again = memory.forget(query="tea", dry_run=False, idempotency_key="k-1")

        assert (again.ids, again.replayed, again.preview) == ((id,), True, False)


def _kept(memory: Trigraph, text: str, **fields: object) -> str:
    id = memory.remember(text, **fields).id  # type: ignore[arg-type]
    assert id is not None
    return id


def _told(memory: Trigraph, id: str) -> MemoryHistory:
    told = memory.history(id)
    assert isinstance(told, MemoryHistory)
    return told


def _without(memory: Memory, name: str) -> dict[str, object]:
    return {one: getattr(memory, one) for one in Memory.__slots__ if one != name}


def _crew(memory: Trigraph, *agents: str) -> None:
    memory.admin.add_group("default", "default", "crew")
    for agent in agents:
        memory.admin.join("default", "default", "crew", agent)
