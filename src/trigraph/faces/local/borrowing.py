"""Vectors from a running server of the same home, so that not every process holds a model of its own."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from trigraph.assembly import product_version
from trigraph.faces.local.asking import ask
from trigraph.model.status import EmbeddingModel

PATIENCE_SECONDS = 5.0
"""So long may a server take: it may have to load its model first."""


class Borrowing:
    """See `contracts.Elsewhere`. Nobody is asked while `alone`: a process that answers on the socket of its home would
    ask itself."""

    def __init__(self, home: Path, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self.alone = False
        self._home = str(home)
        self._patience_seconds = patience_seconds

    def __call__(self, model: EmbeddingModel, texts: Sequence[str], *, query: bool) -> Sequence[Sequence[float]] | None:
        if self.alone:
            return None
        request: dict[str, Any] = {"verb": "embed", "version": product_version(), "model": asdict(model)}
        request |= {"texts": list(texts), "query": query}
        answer = ask(self._home, request, time.monotonic() + self._patience_seconds)
        return None if answer is None else answer.get("vectors")
