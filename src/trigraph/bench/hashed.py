"""Vectors from words alone, without a model: for benchmarks of what reads vectors, in stores too large to embed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from trigraph.model.status import EmbeddingModel
from trigraph.text.terms import analyse

Vectors = NDArray[np.float32]

DIMENSION = 384
COMMON_SHARE = 0.3
"""Every text has so much of one direction: two of them that share no word are not quite strangers, as with a model."""


class HashedEmbedder:
    """Each term is a direction of its own; a text is the sum of its terms. Texts that share terms are near."""

    model = EmbeddingModel("hashed-terms", DIMENSION)

    def embed_documents(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        vectors = np.stack([_of_text(text) for text in texts]) if texts else np.empty((0, DIMENSION), np.float32)
        if progress:
            progress(len(texts))
        return vectors

    def embed_query(self, text: str) -> Vectors:
        return _of_text(text)


def _of_text(text: str) -> Vectors:
    terms = analyse(text) or [""]
    whole = np.sum([_of_term(term) for term in terms], axis=0) / np.sqrt(len(terms)) + COMMON_SHARE * _of_term("")
    return np.asarray(whole / np.linalg.norm(whole), dtype=np.float32)


@lru_cache(maxsize=50_000)
def _of_term(term: str) -> Vectors:
    seed = int.from_bytes(hashlib.sha256(term.encode()).digest()[:8], "big")
    drawn = np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32)
    return np.asarray(drawn / np.linalg.norm(drawn), dtype=np.float32)
