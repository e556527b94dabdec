"""Equal text is not embedded twice, and no bad vector gets through."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from trigraph.contracts import Embedder
from trigraph.embedders.cached import CachedEmbedder
from trigraph.errors import ModelUnavailable
from trigraph.model.status import EmbeddingModel

Vectors = NDArray[np.float32]
BAD = float("nan")


class Counting:
    """The real embedder, with a count of what reaches it."""

    def __init__(self, inner: Embedder) -> None:
        self.inner = inner
        self.model = inner.model
        self.documents: list[str] = []
        self.queries: list[str] = []

    def embed_documents(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        self.documents += texts
        return self.inner.embed_documents(texts, progress)

    def embed_query(self, text: str) -> Vectors:
        self.queries.append(text)
        return self.inner.embed_query(text)


class Faulty:
    """A model of three dimensions that answers whatever it was told to."""

    model = EmbeddingModel("faulty", 3)

    def __init__(self, answer: list[list[float]]) -> None:
        self.answer = np.array(answer, dtype=np.float32)

    def embed_documents(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        return self.answer

    def embed_query(self, text: str) -> Vectors:
        return self.answer[0]


@pytest.fixture
def counting(embedder: Embedder) -> Counting:
    return Counting(embedder)


def test_a_text_is_embedded_once(counting: Counting) -> None:
    cached = CachedEmbedder(counting, entries=100)
    first = cached.embed_documents(["tea", "soup", "tea"])
    again = cached.embed_documents(["bread", "soup"])

    assert counting.documents == ["tea", "soup", "bread"]
    assert np.array_equal(first[0], first[2])
    assert np.array_equal(first[1], again[1])
    assert not np.array_equal(first[0], first[1])


def test_a_query_is_embedded_once_and_apart_from_documents(counting: Counting) -> None:
    cached = CachedEmbedder(counting, entries=100)
    cached.embed_documents(["tea"])
    first, again = cached.embed_query("tea"), cached.embed_query("tea")

    assert (counting.documents, counting.queries) == (["tea"], ["tea"])
    assert np.array_equal(first, again)


def test_vectors_come_in_the_order_of_the_texts(counting: Counting, embedder: Embedder) -> None:
    cached = CachedEmbedder(counting, entries=100)
    cached.embed_documents(["soup"])

    together = cached.embed_documents(["tea", "soup", "bread"])
    for row, text in zip(together, ["tea", "soup", "bread"], strict=True):
        assert row == pytest.approx(embedder.embed_documents([text])[0], abs=1e-5)


def test_what_was_not_used_longest_is_forgotten_first(counting: Counting) -> None:
    cached = CachedEmbedder(counting, entries=2)
    for text in ("tea", "soup", "tea", "bread", "tea", "soup"):
        cached.embed_documents([text])

    assert counting.documents == ["tea", "soup", "bread", "soup"]


def test_a_batch_larger_than_the_cache_is_answered_whole(counting: Counting) -> None:
    assert CachedEmbedder(counting, entries=1).embed_documents(["tea", "soup", "bread"]).shape == (3, 384)


def test_progress_counts_what_was_known_too(counting: Counting) -> None:
    cached = CachedEmbedder(counting, entries=100)
    cached.embed_documents(["tea"])
    done: list[int] = []
    cached.embed_documents(["tea", "soup", "soup", "bread"], done.append)

    assert sum(done) == 4


def test_no_texts_give_no_vectors(counting: Counting) -> None:
    assert CachedEmbedder(counting, entries=1).embed_documents([]).shape == (0, 384)
    assert counting.documents == []


def test_vectors_are_brought_to_unit_length() -> None:
    cached = CachedEmbedder(Faulty([[3, 0, 4], [0, 2, 0]]), entries=10)

    assert cached.embed_documents(["a", "b"]) == pytest.approx(np.array([[0.6, 0, 0.8], [0, 1, 0]]))
    assert cached.embed_query("c") == pytest.approx([0.6, 0, 0.8])


@pytest.mark.parametrize(
    "answer",
    [
        [[0, 0, 0], [0, 1, 0]],
        [[BAD, 0, 1], [0, 1, 0]],
        [[float("inf"), 0, 1], [0, 1, 0]],
        [[1, 0], [0, 1]],
        [[1, 0, 0, 0], [0, 1, 0, 0]],
        [[1, 0, 0]],
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    ],
    ids=str,
)
def test_zero_broken_or_misshapen_vectors_are_refused_and_not_kept(answer: list[list[float]]) -> None:
    faulty = Faulty(answer)
    cached = CachedEmbedder(faulty, entries=10)
    with pytest.raises(ModelUnavailable, match=r"faulty gave .* for 2 texts of 3 dimensions"):
        cached.embed_documents(["a", "b"])

    faulty.answer = np.array([[1, 0, 0], [0, 1, 0]], dtype=np.float32)
    assert cached.embed_documents(["a", "b"]).tolist() == [[1, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize("answer", [[[0, 0, 0]], [[BAD, 0, 1]], [[1, 0]]], ids=str)
def test_a_bad_vector_of_a_query_is_refused(answer: list[list[float]]) -> None:
    with pytest.raises(ModelUnavailable, match="nothing of it was stored"):
        CachedEmbedder(Faulty(answer), entries=10).embed_query("a")
