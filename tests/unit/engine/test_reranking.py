"""A re-ranker has its part in a recall, sees no more than the asker may, and is never waited for in vain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rerank_server import Answer, RerankServer, by_words, holding, running_server, scored, texts_of
from trigraph.assembly import open_engine
from trigraph.engine.read.reranking import WINDOW_CHARS
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.recall import LegStatus, Recall
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.settings import EmbedderSettings, RerankerSettings, Settings

if TYPE_CHECKING:
    from clocks import SettableClock

WALLS = (
    "Paint the office walls teal",
    "The office walls are thin",
    "Walls of the old office were grey",
    "Nobody paints office walls at night",
)
QUERY = "office walls paint"
Opened = Callable[..., Trigraph]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[RerankServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with running_server() as running:
        yield running


@pytest.fixture
def opened(server: RerankServer, home: Path, clock: SettableClock) -> Iterator[Opened]:
    """Opens a memory on words alone, with a re-ranker of the given settings."""
    with ExitStack() as stack:

        def open_(*, in_memory: bool = False, **changed: Any) -> Trigraph:
            given: dict[str, Any] = {"kind": "http", "url": server.url(), "model": "tiny", "blend": 1.0} | changed
            settings = Settings(
                home=str(home), embedder=EmbedderSettings(kind="none"), reranker=RerankerSettings(**given)
            )
            engine = open_engine(settings, clock=clock, in_memory=in_memory)
            held: AbstractContextManager[Trigraph] = Trigraph(engine, LOCAL_SCOPE)
            return stack.enter_context(held)

        yield open_


def _texts(answer: Recall) -> list[str]:
    return [hit.memory.text for hit in answer.hits]


class TestOrder:
    @pytest.mark.parametrize("dialect", ["cohere", "tei"])
    def test_what_the_model_likes_best_comes_first_and_says_that_it_was_moved(
        self, opened: Opened, server: RerankServer, dialect: str
    ) -> None:
        memory = opened(dialect=dialect, url=server.url(dialect))
        memory.remember_batch(WALLS)
        plain = memory.recall(QUERY, rerank=False)
        server.reply = holding(last := _texts(plain)[-1])
        answer = memory.recall(QUERY)

        assert _texts(answer) == [last, *_texts(plain)[:-1]]
        assert answer.hits[0].why.endswith("moved up by the re-ranker, from place 4")
        assert answer.hits[1].why.endswith("moved down by the re-ranker, from place 1")
        assert "re-ranker" not in plain.hits[0].why
        assert [hit.score for hit in answer.hits] == sorted((hit.score for hit in answer.hits), reverse=True)
        assert answer.reranked is not None
        assert (answer.reranked.model, answer.reranked.status, answer.reranked.reason) == ("tiny", LegStatus.OK, None)

    def test_without_a_share_in_it_the_order_and_its_scores_stay(self, opened: Opened, server: RerankServer) -> None:
        memory = opened(blend=0.0)
        memory.remember_batch(WALLS)
        server.reply = holding("night")
        plain, answer = memory.recall(QUERY, rerank=False), memory.recall(QUERY)

        assert _texts(answer) == _texts(plain)
        assert [hit.score for hit in answer.hits] == pytest.approx([hit.score for hit in plain.hits], abs=1e-6)
        assert [hit.why for hit in answer.hits] == [hit.why for hit in plain.hits]

    def test_the_shares_are_taken_of_standardised_scores(self, opened: Opened, server: RerankServer) -> None:
        """A model whose numbers are large, and all alike but for one, has no more than its share."""
        memory = opened(blend=0.5)
        memory.remember_batch(WALLS)
        plain = _texts(memory.recall(QUERY, rerank=False))
        orders = []
        for scale in (1.0, 1e6):
            server.reply = holding(plain[1], scale)
            orders.append(_texts(memory.recall(QUERY)))

        assert orders[0] == orders[1]
        assert orders[0][0] == plain[1]

    def test_it_happens_before_the_cut_and_only_the_best_are_read(self, opened: Opened, server: RerankServer) -> None:
        memory = opened(candidates=3)
        memory.remember_batch(WALLS)
        plain = _texts(memory.recall(QUERY, rerank=False))
        server.reply = holding(plain[2])

        assert _texts(memory.recall(QUERY, limit=1)) == [plain[2]]
        assert sorted(server.texts) == sorted(plain[:3])
        server.reply = holding(plain[3])
        assert _texts(memory.recall(QUERY)) == plain, "what is not read keeps its place below"

    def test_an_exact_match_stays_first(self, opened: Opened, server: RerankServer) -> None:
        memory = opened()
        memory.remember("Freeze on Monday", topic="release plan")
        memory.remember_batch(["The release plan is long", "A release plan of another team"])
        server.reply = holding("another")

        assert _texts(memory.recall("release plan"))[:2] == ["Freeze on Monday", "A release plan of another team"]

    def test_equal_scores_change_nothing(self, opened: Opened, server: RerankServer) -> None:
        memory = opened()
        memory.remember_batch(WALLS)
        server.reply = lambda body: scored(body, [7.0] * len(texts_of(body)))

        assert _texts(memory.recall(QUERY)) == _texts(memory.recall(QUERY, rerank=False))


class TestOff:
    def test_nobody_is_asked_unless_it_is_configured(self, opened: Opened, server: RerankServer) -> None:
        memory = opened(kind="none")
        memory.remember_batch(WALLS)
        answer = memory.recall(QUERY)

        assert (answer.reranked, server.requests) == (None, [])
        assert Settings().reranker.kind == "none"

    def test_a_query_can_do_without_it(self, opened: Opened, server: RerankServer) -> None:
        memory = opened()
        memory.remember_batch(WALLS)

        assert memory.recall(QUERY, rerank=False).reranked is None
        assert server.requests == []

    @pytest.mark.parametrize("texts", [(), WALLS[:1]])
    def test_where_there_is_no_order_nobody_is_asked(
        self, opened: Opened, server: RerankServer, texts: tuple[str, ...]
    ) -> None:
        memory = opened()
        memory.remember_batch(texts)
        answer = memory.recall(QUERY)

        assert answer.reranked is not None
        assert answer.reranked.status is LegStatus.NOT_APPLICABLE
        assert (len(answer.hits), server.requests) == (len(texts), [])


class TestWindows:
    def test_a_window_has_who_speaks_just_before_and_after(self, opened: Opened, server: RerankServer) -> None:
        memory = opened()
        said = ("Good morning", "Which shade for the office?", "Teal, I suppose", "Fine, lunch?", "The office is shut")
        speakers = ("Ana", "Ben", "Ana", "Ben", None)
        messages = [{"speaker": who, "text": text} for who, text in zip(speakers, said, strict=True)]
        memory.remember_thread([{k: v for k, v in one.items() if v} for one in messages])
        memory.recall("teal")

        assert "Ben: Which shade for the office?\nAna: Teal, I suppose\nBen: Fine, lunch?" in server.texts
        assert "Ben: Fine, lunch?\nThe office is shut" in server.texts

    def test_a_window_of_a_document_has_the_passages_beside_it(self, opened: Opened, server: RerankServer) -> None:
        memory = opened()
        parts = [f"## Part {number}\n\n" + f"Word{number} stands here. " * 40 for number in range(6)]
        memory.remember("# Book\n\n" + "\n\n".join(parts), kind="document")
        memory.remember("word3 is a fact as well")
        memory.recall("word3", limit=2)
        (window,) = [text for text in server.texts if "Part 3" in text]

        assert "Word2" in window
        assert "Word4" in window
        assert "Word1" not in window
        assert all(len(text) <= WINDOW_CHARS for text in server.texts)
        assert window.count("Word3") == 40, "what is cut is cut from the neighbours"

    def test_long_neighbours_are_cut_at_their_far_ends_and_keep_their_speakers(
        self, opened: Opened, server: RerankServer
    ) -> None:
        memory = opened()
        memory.remember_thread(
            [
                {"speaker": "Ana", "text": "far " + "filler " * 140 + "near"},
                {"speaker": "Ben", "text": "teal " * 150},
                {"speaker": "Cleo", "text": "close " + "filler " * 140 + "distant"},
            ]
        )
        memory.recall("teal")
        (window,) = [text for text in server.texts if "Ana:" in text and "Cleo:" in text]

        before, own, after = window.split("\n")
        assert before.startswith("Ana: …")
        assert before.endswith("near")
        assert own.startswith("Ben: teal")
        assert after.startswith("Cleo: close")
        assert after.endswith("…")
        assert len(window) <= WINDOW_CHARS

    def test_no_window_holds_what_the_asker_may_not_see(self, opened: Opened, server: RerankServer) -> None:
        """A canary in each place from which a window could take it."""
        memory = opened()
        memory.admin.set_agent("default", "default", "bob", ReadPolicy.SHARED)
        memory.remember_thread([{"speaker": "Ana", "text": "The teal paint is in the cellar"}], name="chat")
        memory.remember_thread(
            [{"speaker": "CanarySpeaker", "text": "canary teal secret"}], name="chat", visibility="private", append=True
        )
        memory.remember_thread([{"speaker": "Ana", "text": "More teal tomorrow"}], name="chat", append=True)
        memory.remember("canary teal of one alone", visibility="private")
        forgotten = memory.remember("canary teal that was forgotten").id
        memory.remember("canary teal that was corrected", topic="c")
        corrected = memory.list(topic="c").memories[0].id
        memory.correct(corrected, "teal as it is")
        assert forgotten is not None
        memory.forget(forgotten)
        bob = Trigraph(memory.engine, Scope("default", "default", "bob"))
        answer = bob.recall("teal")

        assert len(answer.hits) == 3
        assert len(server.texts) == 3
        assert "canary" not in str(server.requests).lower()
        server.requests.clear()
        memory.recall("teal")
        assert "canary teal secret" in str(server.requests), "the canary is there for whom it belongs to"

    def test_only_what_the_filter_asks_for_is_read(self, opened: Opened, server: RerankServer) -> None:
        memory = opened()
        memory.remember_batch([{"text": one, "kind": "decision"} for one in WALLS[:2]])
        memory.remember_batch(WALLS[2:])
        memory.recall(QUERY, kinds=["decision"])

        assert sorted(server.texts) == sorted(WALLS[:2])


class TestFailure:
    @pytest.mark.parametrize(
        ("answer", "reason"),
        [
            ((503, ""), "HTTP 503"),
            ((401, "no"), "HTTP 401"),
            ((200, '{"results": [{"index": 0, "relevance_score": 1}]}'), "1 results for 4 texts"),
            ((200, '{"results": [{"index": 0, "relevance_score": NaN}]}'), "is not JSON"),
        ],
    )
    def test_the_fused_order_stays_and_the_answer_says_so(
        self, opened: Opened, server: RerankServer, answer: Answer, reason: str
    ) -> None:
        memory = opened()
        memory.remember_batch(WALLS)
        server.reply = lambda _: answer
        found = memory.recall(QUERY)

        assert [(hit.memory.id, hit.score, hit.why) for hit in found.hits] == [
            (hit.memory.id, hit.score, hit.why) for hit in memory.recall(QUERY, rerank=False).hits
        ]
        assert found.reranked is not None
        assert found.reranked.status is LegStatus.FAILED
        assert reason in (found.reranked.reason or "")
        assert found.degraded

    def test_a_server_that_never_answers_costs_its_time_and_no_more(self, opened: Opened, server: RerankServer) -> None:
        def never(body: dict[str, Any]) -> Answer:
            server.over.wait(30)
            return by_words(body)

        memory = opened(timeout_seconds=0.1)
        memory.remember_batch(WALLS)
        server.reply = never
        answer = memory.recall(QUERY)

        assert len(answer.hits) == 4
        assert answer.reranked is not None
        assert answer.reranked.status is LegStatus.FAILED
        assert len(server.requests) == 1

    @pytest.mark.parametrize(
        ("scores", "reason"),
        [
            ([1.0], "1 scores for 4 texts"),
            ([1.0, 2.0, 3.0, float("nan")], "not numbers"),
            ([1.0, 2.0, 3.0, float("inf")], "not numbers"),
            ([1.0, 2.0, 3.0, 1e300], "not numbers"),
        ],
    )
    def test_a_model_of_somebody_else_is_not_believed_blindly(
        self, home: Path, scores: list[float], reason: str
    ) -> None:
        class Careless:
            model_id = "careless"

            def scores(self, query: str, texts: object) -> list[float]:
                return scores

        settings = Settings(home=str(home), embedder=EmbedderSettings(kind="none"))
        with Trigraph(open_engine(settings, reranker=Careless()), LOCAL_SCOPE) as memory:
            memory.remember_batch(WALLS)
            answer = memory.recall(QUERY)

        assert len(answer.hits) == 4
        assert answer.reranked is not None
        assert (answer.reranked.model, answer.reranked.status) == ("careless", LegStatus.FAILED)
        assert reason in (answer.reranked.reason or "")


class TestWhileItIsAsked:
    @pytest.mark.parametrize("in_memory", [False, True])
    def test_the_store_is_free_and_what_is_erased_is_named_nowhere(
        self, opened: Opened, server: RerankServer, in_memory: bool
    ) -> None:
        memory = opened(in_memory=in_memory)
        memory.remember_batch(WALLS)
        gone = memory.recall(QUERY, rerank=False).hits[0].memory.id

        def erasing(body: dict[str, Any]) -> Answer:
            memory.erase(gone)
            return by_words(body)

        server.reply = erasing
        answer = memory.recall(QUERY)
        event = memory.recall_event(answer.id)

        assert len(answer.hits) == 3
        assert [hit.rank for hit in answer.hits] == [1, 2, 3]
        assert gone not in str(answer)
        assert event is not None
        assert gone not in str(event)

    def test_what_is_no_longer_shared_is_not_answered(self, opened: Opened, server: RerankServer) -> None:
        memory = opened()
        memory.admin.set_agent("default", "default", "bob", ReadPolicy.SHARED)
        memory.remember_batch(WALLS)
        bob = Trigraph(memory.engine, Scope("default", "default", "bob"))

        def closing(body: dict[str, Any]) -> Answer:
            memory.admin.set_agent("default", "default", "bob", ReadPolicy.ISOLATED)
            return by_words(body)

        server.reply = closing
        assert bob.recall(QUERY).hits == ()
        assert len(server.texts) == 4


def test_the_event_keeps_what_the_fusion_said(opened: Opened, server: RerankServer) -> None:
    memory = opened()
    memory.remember_batch(WALLS)
    plain = memory.recall(QUERY, rerank=False)
    server.reply = holding(_texts(plain)[-1])
    answer = memory.recall(QUERY)
    before, after = memory.recall_event(plain.id), memory.recall_event(answer.id)

    assert before is not None
    assert after is not None
    assert after.candidates == before.candidates
    assert after.result_ids == tuple(hit.memory.id for hit in answer.hits) != before.result_ids
