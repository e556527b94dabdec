"""Which cosines mean something with the configured model: measured on pairs that have nothing to do with each other."""

from __future__ import annotations

import random
from collections.abc import Sequence
from importlib.resources import files

import numpy as np

from trigraph.engine.embedding import Unusable
from trigraph.engine.parts import Parts
from trigraph.errors import ModelUnavailable
from trigraph.lifecycle.comparison import calibrate as thresholds_for
from trigraph.model.calibration import Calibration
from trigraph.model.memory import Kind, MemoryFilter
from trigraph.model.scope import Scope

PAIRS = 2_000
STORED_LEAST = 200
"""From so many memories on, pairs are drawn from the store itself; below, from sentences that come with trigraph."""

_KINDS = (Kind.FACT, Kind.PREFERENCE, Kind.DECISION, Kind.INSIGHT, Kind.CONTEXT, Kind.CONSTRAINT)
_MOST = 500


def calibrate(parts: Parts, scope: Scope, seed: int = 1) -> Calibration:
    """Embed texts, look at the cosines of random pairs, and say from where on likeness is more than chance."""
    embedder = parts.embedding.embedder()
    if isinstance(embedder, Unusable):
        raise ModelUnavailable(embedder.reason)
    stored = parts.store.memories.page(scope, MemoryFilter(kinds=_KINDS), parts.now(scope), _MOST, None)
    own = list(dict.fromkeys(memory.text for memory in stored))
    texts = own if len(own) >= STORED_LEAST else _unrelated()
    cosines = _cosines(embedder.embed_documents(texts), seed)
    found = thresholds_for(cosines)
    return Calibration(
        model=embedder.model.model_id,
        drawn_from="the store" if texts is own else "sentences that come with trigraph",
        texts=len(texts),
        pairs=len(cosines),
        mean=round(float(np.mean(cosines)), 4),
        deviation=round(float(np.std(cosines)), 4),
        duplicate_above=round(found.duplicate, 3),
        alike_above=round(found.alike, 3),
        configured_duplicate_above=parts.thresholds.duplicate,
        configured_alike_above=parts.thresholds.alike,
    )


def _cosines(vectors: np.ndarray, seed: int) -> Sequence[float]:
    chance, count = random.Random(seed), len(vectors)
    drawn = {tuple(sorted(chance.sample(range(count), 2))) for _ in range(PAIRS)}
    return [float(vectors[one] @ vectors[other]) for one, other in sorted(drawn)]


def _unrelated() -> list[str]:
    text = files("trigraph.engine.keep").joinpath("unrelated.txt").read_text(encoding="utf-8")
    return text.splitlines()
