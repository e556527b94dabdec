"""Threads over many calls: who may know what, which session, and what is not done twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.errors import InvalidInput, NotFound
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.model.status import EmbeddingModel
from trigraph.settings import Settings

BOB = Scope("default", "default", "bob")


class Counting:
    """The real embedder, with a count of the texts it was given."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.texts = 0

    @property
    def model(self) -> EmbeddingModel:
        return self._inner.model

    def embed_documents(self, texts: Sequence[str], progress: Callable[[int], None] | None = None):  # type: ignore[no-untyped-def]
        self.texts += len(texts)
        return self._inner.embed_documents(texts, progress)

    def embed_query(self, text: str):  # type: ignore[no-untyped-def]
        return self._inner.embed_query(text)


def test_a_thread_that_grows_and_is_sent_whole_is_embedded_once(embedder: Embedder) -> None:
    counting = Counting(embedder)
    with Trigraph(open_engine(Settings(), in_memory=True, embedder=counting), LOCAL_SCOPE) as memory:
        talk = [{"text": f"message number {number}"} for number in range(12)]
        for length in range(1, 13):
            memory.remember_thread(talk[:length], name="talk")
        assert memory.stats().memories == 12
    assert counting.texts == 12


def test_episodes_belong_to_the_session_of_their_thread(memory: Trigraph) -> None:
    memory.remember_thread([{"text": "first"}], name="talk", session="s-1")
    memory.remember_thread([{"text": "second"}], name="talk", append=True)
    assert len(memory.list(session="s-1").memories) == 2
    with pytest.raises(InvalidInput, match="belongs to session 's-1'"):
        memory.remember_thread([{"text": "third"}], name="talk", session="s-2", append=True)
    assert memory.stats().memories == 2


def test_of_a_hidden_message_not_even_equality_is_told(memory: Trigraph) -> None:
    told = memory.remember_thread([{"text": "open"}, {"text": "the code is 4711"}], name="talk", visibility="private")
    memory.remember_thread([{"text": "hello bob"}], name=told.thread_id, append=True)
    memory.admin.set_agent("default", "default", "bob")
    bob = Trigraph(memory.engine, BOB)
    for guess in ("the code is 4711", "the code is 4712"):
        report = bob.remember_thread([{"text": guess, "seq": 1}], name=told.thread_id)
        assert (report.items[0].status, report.items[0].id) == ("conflict", None)
        assert "4711" not in str(report)


def test_a_thread_is_found_by_name_by_id_and_by_the_end_of_its_id(memory: Trigraph) -> None:
    report = memory.remember_thread([{"text": "Soup at noon"}], name="kitchen")
    memory.remember("Tea at four")
    assert report.thread_id is not None
    for given in ("kitchen", report.thread_id, report.thread_id[-8:]):
        assert [one.text for one in memory.list(thread=given).memories] == ["Soup at noon"]
        assert [hit.memory.text for hit in memory.recall("noon", thread=given).hits] == ["Soup at noon"]
    with pytest.raises(NotFound, match="no thread 'cellar'"):
        memory.list(thread="cellar")
