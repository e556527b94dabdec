"""Vectors of a model that another process has in memory; its own is loaded when that one does not help."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from trigraph.contracts import Elsewhere, Embedder
from trigraph.model.status import EmbeddingModel

TEXTS_MOST = 32
CHARACTERS_MOST = 32_000
"""What is more than this is worth loading a model for."""
_ROUNDING = 1e-3

Vectors = NDArray[np.float32]


class BorrowingEmbedder:
    """See `contracts.Embedder`. Thread-safe. Once its own model is loaded, nobody else is asked any more."""

    def __init__(self, model: EmbeddingModel, elsewhere: Elsewhere, load: Callable[[], Embedder]) -> None:
        self._model = model
        self._elsewhere = elsewhere
        self._load = load
        self._loading = threading.Lock()
        self._loaded: Embedder | None = None

    @property
    def model(self) -> EmbeddingModel:
        return self._model

    def embed_documents(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        few = len(texts) <= TEXTS_MOST and sum(map(len, texts)) <= CHARACTERS_MOST
        found = self._borrowed(texts, query=False) if few else None
        if found is None:
            return self._own().embed_documents(texts, progress)
        if progress:
            progress(len(texts))
        return found

    def embed_query(self, text: str) -> Vectors:
        found = self._borrowed([text], query=True)
        if found is None:
            return self._own().embed_query(text)
        vector: Vectors = found[0]
        return vector

    def _borrowed(self, texts: Sequence[str], *, query: bool) -> Vectors | None:
        """What another process answers, as it is: its vectors have their length, and none of their bits are changed."""
        if self._loaded is not None:
            return None
        found = self._elsewhere(self._model, texts, query=query)
        try:
            vectors = np.array(found, dtype=np.float32)
        except (TypeError, ValueError):
            return None
        if vectors.shape != (len(texts), self._model.dimension):
            return None
        return vectors if np.all(np.abs(np.linalg.norm(vectors, axis=1) - 1) < _ROUNDING) else None

    def _own(self) -> Embedder:
        with self._loading:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded
