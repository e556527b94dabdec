"""Vectors of another process are taken as they are; what is no good is replaced by the own model's."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from trigraph.contracts import Embedder
from trigraph.embedders.borrowing import CHARACTERS_MOST, TEXTS_MOST, BorrowingEmbedder
from trigraph.model.status import EmbeddingModel

Made = Callable[[Sequence[str]], Any]


class Lender:
    """Another process, and how often it was asked."""

    def __init__(self, make: Made) -> None:
        self.make = make
        self.asked: list[tuple[int, bool]] = []

    def __call__(self, model: EmbeddingModel, texts: Sequence[str], *, query: bool) -> Any:
        self.asked.append((len(texts), query))
        return self.make(texts)


class Owned:
    """The own model, and whether it was loaded."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self.loads = 0

    def __call__(self) -> Embedder:
        self.loads += 1
        return self.embedder


@pytest.fixture
def owned(embedder: Embedder) -> Owned:
    return Owned(embedder)


def unit(texts: Sequence[str]) -> list[list[float]]:
    return [[math.sqrt(1 / 384)] * 384 for _ in texts]


def test_vectors_are_borrowed_and_no_bit_of_them_is_changed(owned: Owned, embedder: Embedder) -> None:
    lender = Lender(lambda texts: embedder.embed_documents(texts).tolist())
    borrowing = BorrowingEmbedder(embedder.model, lender, owned)
    texts = ["The ferry leaves at noon", "A heron nests on the pier"]
    told: list[int] = []

    assert np.array_equal(borrowing.embed_documents(texts, told.append), embedder.embed_documents(texts))
    lender.make = lambda asked: [embedder.embed_query(asked[0]).tolist()]
    assert np.array_equal(borrowing.embed_query("heron"), embedder.embed_query("heron"))
    assert (lender.asked, owned.loads, told) == ([(2, False), (1, True)], 0, [2])


@pytest.mark.parametrize(
    "make",
    [
        lambda texts: None,
        lambda texts: "vectors",
        lambda texts: [],
        lambda texts: [[0.5, 0.5]],
        lambda texts: [[0.0] * 384],
        lambda texts: [[math.nan] * 384],
        lambda texts: [[1.0] * 384],
        lambda texts: [["x"] * 384],
        lambda texts: [[0.1] * 383, [0.2]],
        lambda texts: {"vectors": 1},
    ],
    ids=lambda make: str(make([""]))[:20],
)
def test_what_is_no_good_is_made_by_the_own_model_from_then_on(make: Made, owned: Owned, embedder: Embedder) -> None:
    lender = Lender(make)
    borrowing = BorrowingEmbedder(embedder.model, lender, owned)

    for _ in range(2):
        assert np.array_equal(borrowing.embed_query("heron"), embedder.embed_query("heron"))
    assert (lender.asked, owned.loads) == ([(1, True)], 1)


def test_much_at_once_is_worth_a_model_of_ones_own(owned: Owned, embedder: Embedder) -> None:
    lender = Lender(unit)
    for texts in ([f"Barge {n}" for n in range(TEXTS_MOST + 1)], ["x" * (CHARACTERS_MOST + 1)]):
        borrowing = BorrowingEmbedder(embedder.model, lender, owned)
        assert np.array_equal(borrowing.embed_documents(texts), embedder.embed_documents(texts))
    assert (lender.asked, owned.loads) == ([], 2)
