"""How a new memory stands to those that are there: it disagrees, it says the same, or it is new."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.faces import wire
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.link import LinkOrigin
from trigraph.model.memory import Derivation, MemoryDraft, Source
from trigraph.model.report import ItemResult, ItemStatus
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.settings import EmbedderSettings, Settings

if TYPE_CHECKING:
    from clocks import SettableClock

TORQUE, OTHER_TORQUE = "The torque of the lug nuts is 225 ft-lb", "The torque of the lug nuts is 185 ft-lb"
TEA, NO_TEA = "Tom likes tea", "Tom does not like tea"
BACKUPS = "The backups are written to the bucket every night"
BACKUPS_AGAIN = "Every night the backups are written to the bucket"
PORT, CORRECTED = "The API listens on port 8080", "Actually, the API listens on port 8081, not 8080"
OVER = "The API no longer listens on port 8080, it listens on port 8081 now"
CHANGES = [(TORQUE, OTHER_TORQUE), (TEA, NO_TEA)]
ID = re.compile(r"[a-z]_[0-9a-hjkmnp-tv-z]{26}")
WITHOUT_MODEL = Settings(embedder=EmbedderSettings(kind="none"))

Opener = Callable[[], Any]


@pytest.fixture(params=["with the model", "without a model"])
def opener(request: pytest.FixtureRequest, clock: SettableClock) -> Opener:
    """Opens an empty memory: comparison goes by meaning, or by words alone."""
    embedder: Embedder | None = request.getfixturevalue("embedder") if request.param == "with the model" else None
    settings = Settings() if embedder else WITHOUT_MODEL

    @contextmanager
    def opened() -> Iterator[Trigraph]:
        with Trigraph(open_engine(settings, in_memory=True, clock=clock, embedder=embedder), LOCAL_SCOPE) as memory:
            yield memory

    return opened


@pytest.fixture
def memory(opener: Opener) -> Iterator[Trigraph]:
    """An empty memory, with the model and without one."""
    with opener() as opened:
        yield opened


@pytest.fixture
def bob(memory: Trigraph) -> Trigraph:
    """Another agent of the project, that reads what is shared."""
    return join(memory, "bob")


def join(memory: Trigraph, name: str, policy: ReadPolicy = ReadPolicy.SHARED) -> Trigraph:
    memory.admin.set_agent("default", "default", name, policy)
    return Trigraph(memory.engine, Scope("default", "default", name))


def told(memory: Trigraph, text: str, **fields: Any) -> ItemResult:
    (item,) = memory.remember(text, **fields).items
    return item


def kept(memory: Trigraph, text: str, **fields: Any) -> str:
    """The id of a memory that nothing disagrees with."""
    item = told(memory, text, **fields)
    assert (item.status, item.conflicts) == (ItemStatus.ADDED, ())
    assert item.id is not None
    return item.id


def pairs(memory: Trigraph, query: str) -> set[frozenset[str]]:
    return {frozenset((one.first_id, one.second_id)) for one in memory.recall(query).conflicts}


@pytest.mark.req("I6")
@pytest.mark.req("I11")
class TestDisagreeing:
    @pytest.mark.parametrize(("before", "after"), CHANGES)
    def test_both_are_kept_and_linked_with_the_reason(
        self, memory: Trigraph, clock: SettableClock, before: str, after: str
    ) -> None:
        old = kept(memory, before)
        clock.advance(hours=1)
        item = told(memory, after)

        assert (item.status, item.conflicts) == (ItemStatus.ADDED, (old,))
        assert item.id is not None
        assert old in (item.reason or "")
        (link,) = memory.links(item.id)
        assert (link.type, link.from_id, link.to_id) == ("contradicts", item.id, old)
        assert link.created_by is LinkOrigin.SYSTEM
        assert link.reason
        assert {one.text for one in memory.list().memories} == {before, after}

    @pytest.mark.parametrize(("before", "after"), CHANGES)
    def test_nothing_becomes_of_the_older_one(
        self, memory: Trigraph, clock: SettableClock, before: str, after: str
    ) -> None:
        old = memory.get(kept(memory, before))
        clock.advance(hours=1)
        told(memory, after)
        assert memory.get(old.id) == old

    @pytest.mark.parametrize(("before", "after"), CHANGES)
    def test_it_does_not_matter_which_was_said_first(
        self, memory: Trigraph, clock: SettableClock, before: str, after: str
    ) -> None:
        old = kept(memory, after)
        clock.advance(hours=1)
        assert told(memory, before).conflicts == (old,)

    def test_recall_says_so_whichever_of_the_two_it_finds(self, memory: Trigraph, clock: SettableClock) -> None:
        old = kept(memory, TORQUE, tags=["old"])
        clock.advance(hours=1)
        new = told(memory, OTHER_TORQUE, tags=["new"]).id
        for tag, found in (("old", old), ("new", new)):
            answer = memory.recall("torque of the lug nuts", tags=[tag], expand=False)
            assert [hit.memory.id for hit in answer.hits] == [found]
            (conflict,) = answer.conflicts
            assert (conflict.first_id, conflict.first_text) == (new, OTHER_TORQUE)
            assert (conflict.second_id, conflict.second_text) == (old, TORQUE)
            assert conflict.reason

    def test_a_recall_of_something_else_does_not_speak_of_it(self, memory: Trigraph) -> None:
        told(memory, TORQUE)
        told(memory, OTHER_TORQUE)
        kept(memory, "It rains in Bergen", tags=["weather"])
        assert memory.recall("rain", tags=["weather"], expand=False).conflicts == ()

    @pytest.mark.parametrize("end", ["forget", "archive", "unlink", "correct", "supersede"])
    def test_it_is_over_when_one_of_them_is_or_the_link(self, memory: Trigraph, clock: SettableClock, end: str) -> None:
        old = kept(memory, TORQUE)
        new = told(memory, OTHER_TORQUE).id
        assert new is not None
        assert pairs(memory, "torque of the lug nuts") == {frozenset((old, new))}
        clock.advance(hours=1)
        match end:
            case "forget" | "archive":
                getattr(memory, end)(old)
            case "unlink":
                memory.unlink(memory.links(new)[0].id)
            case _:
                getattr(memory, end)(old, "Lug nuts want a torque wrench")
        shown = memory.recall("torque of the lug nuts", superseded=False).conflicts
        if end == "correct":  # what was said of it is said of its correction, until somebody looks
            assert old not in {id for one in shown for id in (one.first_id, one.second_id)}
        else:
            assert shown == ()

    def test_what_was_known_before_had_no_conflict(self, memory: Trigraph, clock: SettableClock) -> None:
        kept(memory, TORQUE)
        clock.advance(hours=1)
        before = clock()
        clock.advance(hours=1)
        told(memory, OTHER_TORQUE)
        assert memory.recall("torque of the lug nuts", known_at=before).conflicts == ()

    def test_things_that_are_alike_and_not_the_same_are_not_flagged(self, memory: Trigraph) -> None:
        for text in ("node-1 has 16 GB of memory", "node-2 has 32 GB of memory", "It rains in Bergen"):
            kept(memory, text)
        assert memory.recall("memory").conflicts == ()


@pytest.mark.req("I11")
class TestEndingWhatWasHeld:
    @pytest.mark.parametrize("after", [CORRECTED, OVER], ids=["corrected", "over"])
    def test_a_persons_own_word_with_a_clear_cue_takes_the_place_of_one(
        self, memory: Trigraph, clock: SettableClock, after: str
    ) -> None:
        old = kept(memory, PORT)
        bread = kept(memory, "Bread is baked at dawn")
        clock.advance(hours=1)
        before = clock()
        clock.advance(hours=1)
        item = told(memory, after)

        assert (item.status, item.conflicts) == (ItemStatus.UPDATED, ())
        assert item.id is not None
        assert old in (item.reason or "")
        (link,) = memory.links(item.id)
        assert (link.type in ("corrects", "supersedes"), link.to_id) == (True, old)
        assert {one.id for one in memory.list().memories} == {item.id, bread}
        answer = memory.recall("API port", superseded=False)
        assert item.id in {hit.memory.id for hit in answer.hits}
        assert old not in {hit.memory.id for hit in answer.hits}
        assert answer.conflicts == ()
        assert memory.get(old, known_at=before).text == PORT, "what was known then is still known"

    def test_it_can_be_undone(self, memory: Trigraph, clock: SettableClock) -> None:
        old = kept(memory, PORT)
        clock.advance(hours=1)
        told(memory, CORRECTED)
        memory.restore(old)
        assert PORT in {one.text for one in memory.list().memories}

    @pytest.mark.parametrize("source", ["web", "tool_output", "agent", "other_agent", "import", "document"])
    @pytest.mark.parametrize("after", [CORRECTED, OVER], ids=["corrected", "over"])
    def test_the_same_words_from_anybody_else_only_flag(
        self, memory: Trigraph, clock: SettableClock, source: str, after: str
    ) -> None:
        old = memory.get(kept(memory, PORT))
        clock.advance(hours=1)
        item = told(memory, after, source=source)

        assert (item.status, item.conflicts) == (ItemStatus.ADDED, (old.id,))
        assert memory.get(old.id) == old
        assert frozenset((old.id, item.id)) in pairs(memory, "API port")

    @pytest.mark.parametrize(("before", "after"), CHANGES)
    def test_without_a_clear_cue_a_person_only_flags_too(self, memory: Trigraph, before: str, after: str) -> None:
        old = kept(memory, before)
        assert told(memory, after).status is ItemStatus.ADDED
        assert memory.get(old).retracted_at is None

    def test_where_several_may_be_meant_none_is_ended(self, memory: Trigraph, clock: SettableClock) -> None:
        first = kept(memory, PORT)
        second = told(memory, "The API listens on port 8082", source="agent").id
        clock.advance(hours=1)
        item = told(memory, CORRECTED)
        assert item.status is ItemStatus.ADDED
        assert set(item.conflicts) == {first, second}
        assert len(memory.list().memories) == 3

    def test_a_decision_is_not_ended_by_a_remark(self, memory: Trigraph, clock: SettableClock) -> None:
        decided = memory.remember(PORT, kind="decision").id
        clock.advance(hours=1)
        item = told(memory, CORRECTED)
        assert (item.status, item.conflicts) == (ItemStatus.ADDED, (decided,))


@pytest.mark.req("I7")
class TestSayingTheSame:
    def test_it_is_not_stored_again_and_the_saying_is_kept(self, memory: Trigraph, clock: SettableClock) -> None:
        old = kept(memory, BACKUPS, session="monday")
        clock.advance(hours=1)
        item = told(memory, BACKUPS_AGAIN, session="tuesday", source="agent")

        assert (item.status, item.id, item.conflicts) == (ItemStatus.REINFORCED, old, ())
        assert item.reason
        assert [one.text for one in memory.list().memories] == [BACKUPS]
        (again,) = memory.access(old).restatements
        assert (again.author, again.source, again.session) == ("default", Source.AGENT, "tuesday")
        assert memory.links(old) == []
        assert memory.stats().memories == 1

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            (BACKUPS, "Every night the backups are not written to the bucket"),
            ("The backups are written to 3 buckets every night", "Every night the backups are written to 4 buckets"),
            ("The backups are written to Oslo every night", "Every night the backups are written to Rome"),
        ],
        ids=["negation", "number", "name"],
    )
    def test_another_number_name_or_negation_is_never_the_same(self, memory: Trigraph, before: str, after: str) -> None:
        kept(memory, before)
        assert told(memory, after, session="tuesday").status is ItemStatus.ADDED
        assert {one.text for one in memory.list().memories} == {before, after}

    @pytest.mark.parametrize("fields", [{"kind": "preference"}, {"subject": "Bucket brigade"}], ids=str)
    def test_what_somebody_says_on_purpose_as_something_else_is_kept(
        self, memory: Trigraph, fields: dict[str, str]
    ) -> None:
        kept(memory, BACKUPS)
        assert told(memory, BACKUPS_AGAIN, **fields).status is ItemStatus.ADDED

    @pytest.mark.parametrize("kind", ["checkpoint", "outcome", "summary"])
    def test_what_tells_of_a_moment_is_never_a_repetition(self, memory: Trigraph, kind: str) -> None:
        more = {"result": "SUCCESS"} if kind == "outcome" else {}
        told(memory, BACKUPS, kind=kind, **more)
        assert told(memory, BACKUPS_AGAIN, kind=kind, **more).status is ItemStatus.ADDED

    def test_what_was_forgotten_is_not_said_again_but_anew(self, memory: Trigraph) -> None:
        memory.forget(kept(memory, BACKUPS))
        kept(memory, BACKUPS_AGAIN)


@pytest.mark.req("I6")
@pytest.mark.req("I7")
class TestBatches:
    def test_items_are_compared_with_what_is_there(self, memory: Trigraph) -> None:
        torque, backups = kept(memory, TORQUE), kept(memory, BACKUPS, session="monday")
        report = memory.remember_batch([OTHER_TORQUE, {"text": BACKUPS_AGAIN, "session": "tuesday"}, TEA])
        first, second, third = report.items
        assert (first.status, first.conflicts) == (ItemStatus.ADDED, (torque,))
        assert (second.status, second.id) == (ItemStatus.REINFORCED, backups)
        assert (third.status, third.conflicts) == (ItemStatus.ADDED, ())

    def test_items_are_compared_among_themselves(self, memory: Trigraph) -> None:
        texts = [TORQUE, BACKUPS, OTHER_TORQUE, BACKUPS_AGAIN, TEA, NO_TEA]
        torque, backups, other, again, tea, no_tea = memory.remember_batch(texts).items
        assert [one.status for one in (torque, backups, tea)] == [ItemStatus.ADDED] * 3
        assert (other.status, other.conflicts) == (ItemStatus.ADDED, (torque.id,))
        assert (again.status, again.id) == (ItemStatus.REINFORCED, backups.id)
        assert (no_tea.status, no_tea.conflicts) == (ItemStatus.ADDED, (tea.id,))
        assert memory.stats().memories == 5

    def test_what_a_later_item_corrects_is_not_restated_by_one_after_it(self, memory: Trigraph) -> None:
        old, new, again = memory.remember_batch([PORT, CORRECTED, "On port 8080 the API listens"]).items
        assert (old.status, new.status) == (ItemStatus.ADDED, ItemStatus.UPDATED)
        assert again.id != old.id
        assert again.conflicts == (new.id,)

    def test_one_that_is_noise_does_not_shift_what_the_others_are_compared_with(self, memory: Trigraph) -> None:
        torque = kept(memory, TORQUE)
        items = [{"text": "ok", "source": "web"}, OTHER_TORQUE, {"text": "thanks", "source": "web"}, BACKUPS]
        statuses = [(one.status.value, one.conflicts) for one in memory.remember_batch(items).items]
        assert statuses == [("filtered", ()), ("added", (torque,)), ("filtered", ()), ("added", ())]


def shown(value: object) -> str:
    """An answer as a caller reads it, with the ids in the order of their first appearance."""
    text = json.dumps(wire.to_json(value), sort_keys=True)
    order = {id: str(number) for number, id in enumerate(dict.fromkeys(ID.findall(text)))}
    return ID.sub(lambda found: order[found.group()], text)


HIDDEN: dict[str, Callable[[Trigraph, str], None]] = {
    "private": lambda memory, text: _hide(memory, text, visibility="private"),
    "of a group": lambda memory, text: _hide(memory, text, visibility="group", group="blue"),
    "of another project": lambda memory, text: _hide_elsewhere(memory, text),
}


def _hide(memory: Trigraph, text: str, **fields: Any) -> None:
    other = join(memory, "mallory")
    memory.admin.add_group("default", "default", "blue")
    memory.admin.join("default", "default", "blue", "mallory")
    assert other.remember(text, session="hidden", **fields).items[0].status is ItemStatus.ADDED


def _hide_elsewhere(memory: Trigraph, text: str) -> None:
    memory.admin.add_project("default", "island")
    Trigraph(memory.engine, Scope("default", "island", "default")).remember(text, session="hidden")


@pytest.mark.req("I7")
@pytest.mark.req("I11")
class TestWhatTheWriterMayNotSee:
    @pytest.mark.parametrize("how", list(HIDDEN))
    @pytest.mark.parametrize(
        ("hidden", "said"),
        [(BACKUPS, BACKUPS), (BACKUPS, BACKUPS_AGAIN), (TORQUE, OTHER_TORQUE), (PORT, CORRECTED)],
        ids=["the same", "in other words", "another value", "corrected"],
    )
    def test_it_is_told_nothing_of_it(
        self, opener: Opener, clock: SettableClock, how: str, hidden: str, said: str
    ) -> None:
        """Two worlds, with the hidden memory and without it: the answers are equal, byte by byte, but for ids."""
        answers, start = [], clock()
        for there in (True, False):
            with opener() as memory:
                clock.time = start
                if there:
                    HIDDEN[how](memory, hidden)
                clock.advance(hours=1)
                report = memory.remember(said, session="s")
                assert report.id is not None
                batch = memory.remember_batch([{"text": f"{said}.", "topic": "again"}, TEA])
                answers.append(
                    [
                        shown(report),
                        shown(batch),
                        shown(memory.links(report.id)),
                        shown(memory.access(report.id).restatements),
                        shown([one.text for one in memory.list().memories]),
                        shown(memory.recall(said).conflicts),
                    ]
                )
                assert report.items[0].status is ItemStatus.ADDED
        assert answers[0] == answers[1]

    @pytest.mark.parametrize("how", ["private", "of a group"])
    def test_nothing_becomes_of_what_is_hidden(self, memory: Trigraph, how: str) -> None:
        HIDDEN[how](memory, BACKUPS)
        mallory = Trigraph(memory.engine, Scope("default", "default", "mallory"))
        (before,) = mallory.list().memories
        for text in (BACKUPS, BACKUPS_AGAIN, "Actually, the backups are not written to the bucket every night"):
            memory.remember(text, session="s", visibility="private")
        assert mallory.list().memories == (before,)
        assert mallory.access(before.id).restatements == ()
        assert mallory.links(before.id) == []

    @pytest.mark.parametrize(("first", "second"), [("private", "shared"), ("shared", "private")])
    def test_one_audience_does_not_stand_for_another(self, memory: Trigraph, first: str, second: str) -> None:
        kept(memory, BACKUPS, visibility=first, session="monday")
        for text in (BACKUPS, BACKUPS_AGAIN):
            item = told(memory, text, visibility=second, session="tuesday")
            if text == BACKUPS:
                assert item.status is ItemStatus.ADDED
        assert sorted(one.visibility.value for one in memory.list().memories) == ["private", "shared"]

    def test_two_groups_are_two_audiences(self, memory: Trigraph) -> None:
        for group in ("blue", "red"):
            memory.admin.add_group("default", "default", group)
            memory.admin.join("default", "default", group, "default")
        kept(memory, BACKUPS, visibility="group", group="blue")
        assert told(memory, BACKUPS_AGAIN, visibility="group", group="red").status is ItemStatus.ADDED
        assert told(memory, BACKUPS_AGAIN + ".", visibility="group", group="blue").status is ItemStatus.REINFORCED

    def test_what_a_person_says_in_private_ends_nothing_that_others_see(
        self, memory: Trigraph, bob: Trigraph, clock: SettableClock
    ) -> None:
        old = memory.get(kept(memory, PORT))
        clock.advance(hours=1)
        item = told(memory, CORRECTED, visibility="private")
        assert (item.status, item.conflicts) == (ItemStatus.ADDED, (old.id,))
        assert bob.get(old.id) == old
        assert bob.recall("API port").conflicts == ()
        assert bob.links(old.id) == []
        assert frozenset((old.id, item.id)) in pairs(memory, "API port")

    def test_what_disagrees_with_a_private_memory_does_not_give_it_away(self, memory: Trigraph, bob: Trigraph) -> None:
        old = kept(memory, TORQUE, visibility="private")
        new = told(memory, OTHER_TORQUE)
        assert new.id is not None
        assert new.conflicts == (old,)
        answer = bob.recall("torque of the lug nuts")
        assert [hit.memory.id for hit in answer.hits] == [new.id]
        assert answer.conflicts == ()
        assert bob.links(new.id) == []
        assert "225 ft-lb" not in shown(answer) + shown(bob.history(new.id)) + shown(bob.get(new.id))

    def test_what_both_see_is_one_memory_whoever_says_it(self, memory: Trigraph, bob: Trigraph) -> None:
        old = kept(memory, BACKUPS, session="monday")
        item = told(bob, BACKUPS_AGAIN, session="of bob")
        assert (item.status, item.id) == (ItemStatus.REINFORCED, old)
        assert [one.author for one in memory.access(old).restatements] == ["bob"]


class TestSharingAPlace:
    """A memory that says in other words what stands in its source."""

    SOURCE = "We looked for a long while, and in the end the sunset over the harbour won the photo prize"
    TAKEN = "The harbour sunset won the photo prize"

    def derived(self, memory: Trigraph, source: str, text: str = TAKEN, **fields: Any) -> str:
        taken = Derivation(source, 40, len(self.SOURCE))
        draft = MemoryDraft(text, source=Source.TURN, derived_from=(taken,), **fields)
        id = memory.engine.remember(memory.scope, draft).id
        assert id is not None
        return id

    def test_the_better_stays_and_the_other_is_attached(self, memory: Trigraph) -> None:
        source = memory.remember_thread([{"text": self.SOURCE, "role": "user"}]).items[0].id
        assert source is not None
        taken = self.derived(memory, source)
        kept(memory, "The bakery won a prize for bread")

        hits = memory.recall("which photo won the prize").hits
        (place,) = [hit for hit in hits if {hit.memory.id, *(one.id for one in hit.attached)} & {source, taken}]
        assert {place.memory.id, *(one.id for one in place.attached)} == {source, taken}
        (other,) = place.attached
        assert other.text == {source: self.SOURCE, taken: self.TAKEN}[other.id]
        assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))

    def test_two_that_were_taken_from_one_message_share_its_place(self, memory: Trigraph) -> None:
        source = memory.remember_thread([{"text": self.SOURCE, "role": "user"}]).items[0].id
        assert source is not None
        ids = {source, self.derived(memory, source), self.derived(memory, source, "They looked for a long while")}
        hits = memory.recall("long while harbour sunset photo prize", limit=3).hits
        assert len(hits) == 1
        assert {hits[0].memory.id, *(one.id for one in hits[0].attached)} == ids

    def test_a_source_that_is_hidden_is_not_attached(self, memory: Trigraph, bob: Trigraph) -> None:
        report = memory.remember_thread([{"text": self.SOURCE, "role": "user"}], visibility="private")
        source = report.items[0].id
        assert source is not None
        taken = self.derived(memory, source)
        (hit,) = bob.recall("which photo won the prize").hits
        assert (hit.memory.id, hit.attached) == (taken, ())
        assert source not in shown(bob.recall("which photo won the prize"))
        assert bob.links(taken) == []

    def test_what_merely_rests_on_others_keeps_its_own_place(self, memory: Trigraph) -> None:
        first = kept(memory, "The harbour sunset won the photo prize")
        rests = memory.remember("People like sunsets in a photo", derived_from=[first]).id
        assert {hit.memory.id for hit in memory.recall("photo").hits} == {first, rests}
        assert all(hit.attached == () for hit in memory.recall("photo").hits)
