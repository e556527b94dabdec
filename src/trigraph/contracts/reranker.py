"""What the engine asks of a model that reads a question and a text together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

RERANK_MOST = 100
"""So many texts are asked for at once, and no more."""


class Reranker(Protocol):
    """Says how well texts answer a question. Thread-safe."""

    @property
    def model_id(self) -> str:
        """Which model this is; told with every answer that it had a part in."""

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """One finite number per text, in their order; higher is better, and only the numbers of one call are held
        against each other. Raises ModelUnavailable, within a bounded time; never answers for a part of the texts."""
