"""What remember keeps, what it refuses, and what it says of each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from trigraph.assembly import open_engine
from trigraph.contracts import Embedder, Progress
from trigraph.embedders.pack import PackEmbedder, packaged_folder
from trigraph.errors import InvalidInput, ModelUnavailable, NotFound
from trigraph.faces.library import Trigraph
from trigraph.model.memory import DecisionDetails, Memory, OutcomeDetails, OutcomeResult
from trigraph.model.query import Leg
from trigraph.model.recall import LegStatus
from trigraph.model.report import ItemStatus, RememberReport
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.model.status import EmbeddingModel
from trigraph.settings import EmbedderSettings, Settings

if TYPE_CHECKING:
    from clocks import SettableClock
    from trigraph.contracts import Vectors

Opener = Callable[..., Trigraph]


@pytest.fixture
def opened(home: Path, clock: SettableClock) -> Iterator[Opener]:
    """Opens the same home again and again, with an embedder or without one."""
    with ExitStack() as stack:

        def open_again(embedder: Embedder | None = None) -> Trigraph:
            settings = Settings(home=str(home), embedder=EmbedderSettings(package="trigraph_model_missing"))
            return stack.enter_context(Trigraph(open_engine(settings, clock=clock, embedder=embedder), LOCAL_SCOPE))

        yield open_again


@pytest.fixture(scope="module")
def other_model(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    """A pack of the same weights under another name: another model, as far as a store can tell."""
    folder = tmp_path_factory.mktemp("other_pack")
    source = packaged_folder("trigraph_model_granite")
    for name in ("model.onnx", "tokenizer.json"):
        (folder / name).symlink_to(source / name)
    manifest = json.loads((source / "manifest.json").read_text(encoding="utf-8"))
    (folder / "manifest.json").write_text(json.dumps({**manifest, "model_id": "other-model"}), encoding="utf-8")
    return PackEmbedder(folder, threads=1)


class Interrupted:
    """The real embedder; something else happens each time before it answers."""

    def __init__(self, inner: Embedder, before: Callable[[], object]) -> None:
        self.inner = inner
        self.model = inner.model
        self.before = before

    def embed_documents(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        self.before()
        return self.inner.embed_documents(texts, progress)

    def embed_query(self, text: str) -> Vectors:
        return self.inner.embed_query(text)


class TestOneMemory:
    def test_what_was_given_is_kept_verbatim(self, memory: Trigraph) -> None:
        report = memory.remember("  Two spaces\r\nand a tail \n", topic=" Layout ", tags=["a", " a ", "b"])
        assert report.id is not None
        kept = memory.get(report.id)

        assert [item.status for item in report.items] == [ItemStatus.ADDED]
        assert report.degraded is None
        assert kept.text == "  Two spaces\r\nand a tail \n"
        assert (kept.topic, kept.tags) == ("Layout", ("a", "b"))

    def test_a_refused_memory_raises_and_writes_nothing(self, memory: Trigraph) -> None:
        with pytest.raises(InvalidInput, match="confidence"):
            memory.remember("Tea at four", confidence=1.5)

        assert memory.stats().memories == 0

    @pytest.mark.parametrize(
        ("source", "trust", "confidence"),
        [
            ("user", 1.0, 1.0),
            ("document", 0.9, 0.8),
            ("agent", 0.7, 0.8),
            ("skill", 0.7, 0.8),
            ("hook", 0.7, 0.8),
            ("import", 0.6, 0.8),
            ("other_agent", 0.5, 0.8),
            ("tool_output", 0.5, 0.8),
            ("web", 0.3, 0.8),
        ],
    )
    def test_trust_and_confidence_follow_the_source(
        self, memory: Trigraph, source: str, trust: float, confidence: float
    ) -> None:
        kept = _kept(memory, memory.remember("Tea is served at four in hall 2", source=source))

        assert (kept.trust, kept.confidence) == (trust, confidence)

    def test_a_confidence_that_was_given_stands(self, memory: Trigraph) -> None:
        assert _kept(memory, memory.remember("Tea at four", confidence=0.25)).confidence == 0.25

    def test_a_decision_keeps_its_reasoning_and_an_outcome_its_result(self, memory: Trigraph) -> None:
        decision = memory.remember("Use Postgres", kind="decision", reasoning="We know it")
        outcome = memory.remember("Moved to Postgres", kind="outcome", result="PARTIAL", reason="Reports are left")

        assert _kept(memory, decision).details == DecisionDetails("We know it")
        assert _kept(memory, outcome).details == OutcomeDetails(OutcomeResult.PARTIAL, "Reports are left")

    @pytest.mark.parametrize(
        ("fields", "field"),
        [
            ({"kind": "fact", "reasoning": "We know it"}, "reasoning"),
            ({"kind": "outcome", "reasoning": "We know it"}, "reasoning"),
            ({"kind": "decision", "result": "SUCCESS"}, "result"),
            ({"kind": "outcome", "reason": "Reports are left"}, "reason"),
            ({"kind": "outcome", "result": "success"}, "result"),
            ({"kind": "decision", "reasoning": " "}, "reasoning"),
            ({"kind": "episode"}, "kind"),
            ({"visibility": "group"}, "group"),
            ({"visibility": "private", "group": "crew"}, "group"),
            ({"group": "crew"}, "group"),
            ({"type": "tool"}, "type"),
            ({"subject": "42"}, "subject"),
            ({"valid_from": "2026-05-01", "valid_until": "2026-05-01"}, "valid_until"),
            ({"tags": ["two\nlines"]}, "tags"),
            ({"tags": [str(number) for number in range(101)]}, "tags"),
        ],
        ids=str,
    )
    def test_fields_that_do_not_fit_are_refused_by_name(
        self, memory: Trigraph, fields: dict[str, object], field: str
    ) -> None:
        with pytest.raises(InvalidInput) as refused:
            memory.remember("Use Postgres", **fields)
        assert refused.value.field == field

    def test_it_holds_from_when_it_happened_unless_told_otherwise(self, memory: Trigraph) -> None:
        told = _kept(memory, memory.remember("Tea at four"))
        happened = _kept(memory, memory.remember("The bridge opened", occurred_at="2026-01-01"))
        to_come = _kept(memory, memory.remember("The bridge closes", occurred_at="2027-01-01"))

        assert told.valid_from == told.created_at
        assert happened.valid_from.isoformat() == "2026-01-01T00:00:00+00:00"
        assert to_come.valid_from == to_come.created_at

    @pytest.mark.parametrize("field", ["turn", "uri"])
    def test_a_broken_label_is_refused_by_name(self, memory: Trigraph, field: str) -> None:
        with pytest.raises(InvalidInput) as refused:
            memory.remember("Use Postgres", **{field: "\ud800"})
        assert refused.value.field == field


class TestDuplicates:
    def test_the_same_text_again_is_a_duplicate_of_the_first(self, memory: Trigraph) -> None:
        first = memory.remember("Tea at four")
        again = memory.remember(" Tea  at\nfour ")

        assert _statuses(again) == ["duplicate"]
        assert again.id == first.id
        assert again.items[0].reason == "a memory of the same text exists"
        assert memory.stats().memories == 1

    def test_within_a_batch_the_second_is_a_duplicate_of_the_first(self, memory: Trigraph) -> None:
        report = memory.remember_batch(["Tea at four", "Tea at five", "Tea at four"])

        assert _statuses(report) == ["added", "added", "duplicate"]
        assert report.items[2].id == report.items[0].id

    def test_another_kind_or_visibility_is_no_duplicate(self, memory: Trigraph) -> None:
        for fields in ({}, {"kind": "preference"}, {"visibility": "private"}):
            assert _statuses(memory.remember("Tea at four", **fields)) == ["added"]
        assert _statuses(memory.remember("Tea at four", kind="preference")) == ["duplicate"]

    def test_capital_letters_make_another_text(self, memory: Trigraph) -> None:
        assert _statuses(memory.remember_batch(["US", "us"])) == ["added", "added"]

    def test_an_episode_is_never_a_duplicate_by_its_text(self, memory: Trigraph) -> None:
        memory.remember("Yes")

        assert _statuses(memory.remember_thread([{"text": "Yes"}, {"text": "Yes"}])) == ["added", "added"]
        assert _statuses(memory.remember("Yes")) == ["duplicate"]

    def test_what_no_longer_holds_may_be_told_again(self, memory: Trigraph, clock: SettableClock) -> None:
        memory.remember("Tea at four", valid_until="2026-09-02")
        clock.advance(days=1)

        assert _statuses(memory.remember("Tea at four")) == ["added"]

    def test_the_same_said_of_another_thing_is_no_duplicate(self, memory: Trigraph) -> None:
        memory.remember("It was slow last night", subject="Redis", type="system")

        assert _statuses(memory.remember("It was slow last night", subject="Kafka", type="system")) == ["added"]
        assert _statuses(memory.remember("It was slow last night", subject="redis", type="system")) == ["duplicate"]

    def test_what_another_agent_keeps_private_is_no_duplicate(self, memory: Trigraph) -> None:
        other = Trigraph(memory.engine, Scope("default", "default", "other"))
        other.remember("Tea at four", visibility="private")

        assert _statuses(memory.remember("Tea at four", visibility="private")) == ["added"]


class TestBatches:
    def test_bad_items_are_reported_in_their_place_and_the_good_ones_kept(self, memory: Trigraph) -> None:
        report = memory.remember_batch(
            [
                "Tea at four",
                "",
                {"text": "Use tabs", "kind": "preference"},
                {"text": "x", "kind": "rumour"},
                7,
                "Soup",
            ]
        )

        assert _statuses(report) == ["added", "error", "added", "error", "error", "added"]
        assert [item.code for item in report.items if item.status is ItemStatus.ERROR] == ["invalid_input"] * 3
        assert report.items[1].reason == "text is empty. Give at least one word."
        assert (report.count(ItemStatus.ADDED), report.id) == (3, None)
        kept = [memory.get(item.id).text for item in report.items if item.id]
        assert kept == ["Tea at four", "Use tabs", "Soup"]

    def test_an_item_that_ends_before_it_begins_does_not_lose_the_others(self, memory: Trigraph) -> None:
        report = memory.remember_batch(["Tea at four", {"text": "Gone", "valid_until": "2020-01-01"}, "Soup"])

        assert _statuses(report) == ["added", "error", "added"]

    def test_a_batch_larger_than_one_transaction_is_kept_whole(self, opened: Opener) -> None:
        memory = opened()
        done: list[int] = []
        report = memory.remember_batch((f"Item {number}" for number in range(300)), progress=done.append)

        assert _statuses(report) == ["added"] * 300
        assert done == [256, 44]
        assert memory.stats().memories == 300

    def test_an_empty_batch_is_nothing(self, memory: Trigraph) -> None:
        assert memory.remember_batch([]).items == ()


class TestThreads:
    MESSAGES = (
        {"speaker": "Ana", "role": "user", "text": "Hello", "occurred_at": "2026-08-01T09:00:00Z"},
        {"speaker": "Bot", "role": "assistant", "text": "Hello Ana"},
    )

    def test_messages_become_episodes_in_their_places(self, memory: Trigraph) -> None:
        report = memory.remember_thread(self.MESSAGES, name="chat", session="s-1")
        first, second = (memory.get(str(item.id)) for item in report.items)

        assert first.place is not None
        assert second.place is not None
        assert (first.place.thread_id, first.place.seq, first.place.speaker, first.place.role) == (
            report.thread_id,
            0,
            "Ana",
            "user",
        )
        assert (second.place.seq, second.place.speaker) == (1, "Bot")
        assert (first.kind, first.provenance.session) == ("episode", "s-1")

    def test_a_thread_sent_again_is_all_duplicates(self, memory: Trigraph) -> None:
        first = memory.remember_thread(self.MESSAGES, name="chat")
        again = memory.remember_thread([*self.MESSAGES, {"text": "How are you?"}], name="chat")

        assert _statuses(again) == ["duplicate", "duplicate", "added"]
        assert [item.id for item in again.items[:2]] == [item.id for item in first.items]
        assert again.thread_id == first.thread_id
        assert memory.stats().threads == 1

    def test_without_a_name_every_call_makes_a_new_thread(self, memory: Trigraph) -> None:
        first, second = (memory.remember_thread(self.MESSAGES) for _ in range(2))

        assert _statuses(second) == ["added", "added"]
        assert first.thread_id != second.thread_id

    def test_a_changed_message_is_a_conflict_and_the_old_text_is_kept(self, memory: Trigraph) -> None:
        first = memory.remember_thread(self.MESSAGES, name="chat")
        changed = memory.remember_thread([{"text": "Hello"}, {"text": "Go away"}], name="chat")

        assert _statuses(changed) == ["duplicate", "conflict"]
        assert changed.items[1].id == first.items[1].id
        assert changed.items[1].reason == "place 1 of the thread holds another text; it was kept"
        assert memory.get(str(first.items[1].id)).text == "Hello Ana"

    def test_appended_messages_follow_what_is_there(self, memory: Trigraph) -> None:
        memory.remember_thread(self.MESSAGES, name="chat")
        report = memory.remember_thread([{"text": "Hello"}, {"text": "Bye"}], name="chat", append=True)

        assert _statuses(report) == ["added", "added"]
        assert [_seq(memory, item.id) for item in report.items] == [2, 3]

    def test_a_bad_message_leaves_a_hole(self, memory: Trigraph) -> None:
        report = memory.remember_thread([{"text": "Hello"}, {"text": " "}, {"text": "Bye"}])

        assert _statuses(report) == ["added", "error", "added"]
        assert [_seq(memory, item.id) for item in report.items if item.id] == [0, 2]

    def test_a_given_place_is_kept_and_given_twice_is_a_conflict(self, memory: Trigraph) -> None:
        report = memory.remember_thread([{"text": "Late", "seq": 9}, {"text": "Other", "seq": 9}], name="chat")

        assert _statuses(report) == ["added", "conflict"]
        assert _seq(memory, report.items[0].id) == 9

    def test_two_agents_may_use_one_name_for_two_threads(self, memory: Trigraph) -> None:
        other = Trigraph(memory.engine, Scope("default", "default", "other"))
        mine = memory.remember_thread(self.MESSAGES, name="chat")
        theirs = other.remember_thread(self.MESSAGES, name="chat")

        assert _statuses(theirs) == ["added", "added"]
        assert mine.thread_id != theirs.thread_id

    @pytest.mark.parametrize(
        "message", ["x", {"text": "x", "mood": "glad"}, {"text": "x", "seq": "1"}, {"text": "x", "occurred_at": "soon"}]
    )
    def test_a_message_that_cannot_be_taken_leaves_a_hole(self, memory: Trigraph, message: object) -> None:
        report = memory.remember_thread([{"text": "first"}, message, {"text": "third"}])  # type: ignore[list-item]
        assert _statuses(report) == ["added", "error", "added"]
        assert report.items[1].code == "invalid_input"
        places = [one.place.seq for one in memory.list().memories if one.place]
        assert places == [2, 0]

    @pytest.mark.parametrize(
        ("messages", "fields", "field"),
        [
            ([], {}, "messages"),
            ([{"text": "x", "seq": 1}], {"append": True}, "seq"),
            ([{"text": "x", "seq": -1}], {}, "seq"),
            ([{"text": "x", "seq": 2**40}], {}, "seq"),
            ([{"text": "x"}], {"name": "two\nlines"}, "name"),
        ],
        ids=str,
    )
    def test_a_thread_that_cannot_be_taken_is_refused(
        self, memory: Trigraph, messages: list[dict[str, object]], fields: dict[str, object], field: str
    ) -> None:
        with pytest.raises(InvalidInput) as refused:
            memory.remember_thread(messages, **fields)  # type: ignore[arg-type]
        assert refused.value.field == field
        assert memory.stats().threads == 0

    def test_an_unknown_thread_id_begins_no_thread(self, memory: Trigraph) -> None:
        with pytest.raises(NotFound):
            memory.remember_thread([{"text": "x"}], name="t_00000000000000000000000000")


class TestWithoutModel:
    def test_what_cannot_be_embedded_is_kept_and_queued(self, opened: Opener) -> None:
        memory = opened()
        report = memory.remember("The physician prescribed rest")
        stats, health = memory.stats(), memory.health()

        assert _statuses(report) == ["added"]
        assert report.degraded is not None
        assert "trigraph_model_missing is not installed. Run `make model`" in report.degraded
        assert (stats.passages, stats.vectors, stats.waiting_for_vector) == (1, 0, 1)
        assert not health.ok
        assert [problem.startswith("vector leg: ") and "`make model`" in problem for problem in health.problems] == [
            True
        ]

    def test_reembed_mends_it(self, opened: Opener, embedder: Embedder) -> None:
        opened().remember_batch(["The physician prescribed rest", "Snow fell on the pass"])
        memory = opened(embedder)
        assert memory.health().problems == ("vector leg: 2 passages wait for their vector. Run `trigraph reembed`.",)
        before = memory.recall("doctor", profile="vector")
        assert (before.hits, before.legs[0].status) == ((), LegStatus.FAILED)
        assert before.legs[0].reason == "no memory has a vector yet. Run `trigraph reembed`."

        assert memory.reembed() == 2

        stats = memory.stats()
        assert (stats.vectors, stats.waiting_for_vector) == (2, 0)
        assert memory.health().ok
        assert memory.recall("doctor", profile="vector").hits[0].memory.text == "The physician prescribed rest"
        assert memory.reembed() == 0

    def test_reembed_gives_the_vectors_that_remember_would_have_given(
        self, opened: Opener, embedder: Embedder, clock: SettableClock
    ) -> None:
        document = "# Kraken\n\n" + "\n\n".join(f"## Part {n}\n\n" + f"Tentacle {n} moves. " * 40 for n in range(3))
        opened().remember(document, kind="document")
        opened().remember_thread([{"speaker": "Ana", "text": "Hello"}])
        mended = opened(embedder)
        mended.reembed()
        with Trigraph(open_engine(Settings(), in_memory=True, clock=clock, embedder=embedder), LOCAL_SCOPE) as whole:
            whole.remember(document, kind="document")
            whole.remember_thread([{"speaker": "Ana", "text": "Hello"}])
            for query in ("part 2 of the kraken", "what did Ana say"):
                late, early = (one.recall(query, profile="vector") for one in (mended, whole))
                assert len(early.hits) == 2
                assert [hit.score for hit in late.hits] == [hit.score for hit in early.hits]

    def test_reembed_without_a_model_says_what_is_missing(self, opened: Opener) -> None:
        with pytest.raises(ModelUnavailable, match="`make model`"):
            opened().reembed()

    def test_a_recall_says_that_some_vectors_are_missing(self, opened: Opener, embedder: Embedder) -> None:
        opened().remember("The physician prescribed rest")
        memory = opened(embedder)
        memory.remember("Snow fell on the pass")

        assert memory.recall("doctor").degraded


class TestAnotherModel:
    def test_vectors_of_two_models_are_not_mixed(
        self, opened: Opener, embedder: Embedder, other_model: Embedder
    ) -> None:
        opened(embedder).remember("The ship leaks")
        memory = opened(other_model)
        report = memory.remember("Snow fell on the pass")

        assert _statuses(report) == ["added"]
        assert report.degraded is not None
        assert "vectors of granite-embedding-30m-english (384 dimensions)" in report.degraded
        assert "the configured model is other-model (384). Run `trigraph reembed`" in report.degraded
        assert memory.stats().vectors == 1
        answer = memory.recall("ship")
        vector = next(leg for leg in answer.legs if leg.leg is Leg.VECTOR)
        assert (vector.status, vector.reason, answer.degraded) == (LegStatus.FAILED, report.degraded, True)
        assert memory.health().problems == (f"vector leg: {report.degraded}",)

    def test_reembed_changes_the_store_over(self, opened: Opener, embedder: Embedder, other_model: Embedder) -> None:
        opened(embedder).remember_batch(["The ship leaks", "Snow fell on the pass"])
        memory = opened(other_model)
        assert memory.health().pinned_model == EmbeddingModel("granite-embedding-30m-english", 384)

        assert memory.reembed() == 2

        health = memory.health()
        assert health.ok
        assert health.pinned_model == health.configured_model == EmbeddingModel("other-model", 384)
        assert memory.stats().vectors == 2
        assert memory.recall("vessel", profile="vector").hits[0].memory.text == "The ship leaks"
        assert opened(embedder).recall("vessel", profile="vector").degraded

    def test_a_store_changed_over_while_a_text_is_embedded_takes_no_vector_of_the_old_model(
        self, opened: Opener, embedder: Embedder, other_model: Embedder
    ) -> None:
        opened(embedder).remember("The ship leaks")
        memory = opened(Interrupted(embedder, opened(other_model).reembed))

        assert _statuses(memory.remember("Snow fell on the pass")) == ["added"]
        stats = memory.stats()
        assert (stats.vectors, stats.waiting_for_vector) == (1, 1)
        assert opened(other_model).recall("ship", profile="vector").hits[0].memory.text == "The ship leaks"

    def test_reembed_anew_makes_every_vector_again(self, memory: Trigraph) -> None:
        memory.remember_batch(["The ship leaks", "Snow fell on the pass"])
        done: list[int] = []

        assert memory.reembed() == 0
        assert memory.reembed(anew=True, progress=done.append) == 2
        assert (done, memory.stats().vectors, memory.health().ok) == ([2], 2, True)


def _statuses(report: RememberReport) -> list[str]:
    return [item.status.value for item in report.items]


def _kept(memory: Trigraph, report: RememberReport) -> Memory:
    assert report.id is not None
    return memory.get(report.id)


def _seq(memory: Trigraph, memory_id: str | None) -> int:
    place = memory.get(str(memory_id)).place
    assert place is not None
    return place.seq
