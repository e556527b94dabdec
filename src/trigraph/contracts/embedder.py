"""What the engine asks of an embedder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from trigraph.model.status import EmbeddingModel

if TYPE_CHECKING:
    from trigraph.contracts.search import Vectors


class Embedder(Protocol):
    """Turns text into unit vectors of one model."""

    @property
    def model(self) -> EmbeddingModel:
        """Which model this is."""

    def embed_documents(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        """One row per text. Raises ModelUnavailable; never returns zeros or NaN."""

    def embed_query(self, text: str) -> Vectors:
        """One vector."""


class Elsewhere(Protocol):
    """Vectors that another process makes."""

    def __call__(self, model: EmbeddingModel, texts: Sequence[str], *, query: bool) -> Sequence[Sequence[float]] | None:
        """The vectors of these texts by that very model, as of a query or of documents; None if nobody makes them."""
