"""The embedder and the store's pinned model, held against each other.

Vectors of two models never mix. When the configured model is missing, or is not the one the store is
pinned to, the engine is degraded: it says so, works without the vector leg, and queues what it stores.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from trigraph.contracts import Embedder, Store
from trigraph.errors import ModelUnavailable
from trigraph.model.scope import Scope
from trigraph.model.status import EmbeddingModel

if TYPE_CHECKING:
    from trigraph.contracts.search import Vectors


@dataclass(frozen=True, slots=True)
class Unusable:
    """Why no vectors can be made now, and the command that mends it."""

    reason: str


class Embedding:
    """Loads the embedder on first use and answers whether it fits the store."""

    def __init__(self, load: Callable[[], Embedder]) -> None:
        self._load = load
        self._loading = threading.Lock()
        self._loaded: Embedder | Unusable | None = None

    def usable(self, store: Store, scope: Scope) -> Embedder | Unusable:
        """The embedder, if its vectors belong into this store."""
        embedder = self.embedder()
        if isinstance(embedder, Unusable):
            return embedder
        return mismatch(store.space.pinned(scope), embedder.model) or embedder

    def embedder(self) -> Embedder | Unusable:
        """The configured embedder, whatever the store holds."""
        with self._loading:
            if self._loaded is None:
                try:
                    self._loaded = self._load()
                except ModelUnavailable as error:
                    self._loaded = Unusable(str(error))
            return self._loaded

    def vectors(self, model: EmbeddingModel, texts: Sequence[str], *, query: bool) -> Vectors:
        """One row per text, as of a query or of documents, if that is the configured model."""
        embedder = self.embedder()
        if isinstance(embedder, Unusable) or embedder.model != model:
            raise ModelUnavailable(f"The model {model.model_id} is not the one that is configured here.")
        if query:
            return np.stack([embedder.embed_query(text) for text in texts])
        return embedder.embed_documents(texts)


def mismatch(pinned: EmbeddingModel | None, configured: EmbeddingModel) -> Unusable | None:
    """None if vectors of `configured` may be written to and searched in the store."""
    if pinned is None or pinned == configured:
        return None
    return Unusable(
        f"the store holds vectors of {pinned.model_id} ({pinned.dimension} dimensions), but the configured model is"
        f" {configured.model_id} ({configured.dimension}). Run `trigraph reembed` to change the store over,"
        f" or configure {pinned.model_id} again."
    )
