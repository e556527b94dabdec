"""How likely two texts say the same, as a number from 0 to 1.

A small logistic model over named features. Its weights are fitted by `trigraph.bench.pairs.fit` on the training half of
MRPC and written here, so that anyone can read what counts and how much. For ranking and for review: whether a memory is
a duplicate is `comparison.compare`'s to say, which is stricter.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from itertools import pairwise
from types import MappingProxyType

from rapidfuzz import fuzz

from trigraph.lifecycle.frames import frame_of
from trigraph.text.slots import Reading, read

NO_COSINE = 0.85
"""Stands for a cosine where there is no model: what such pairs have on average."""

MORE_WORDS = 20

_PARAPHRASE: Mapping[str, float] = MappingProxyType(
    {
        "bias": -6.539,
        "cosine": 3.472,
        "words both have": 1.331,
        "words the shorter shares": 0.231,
        "words the longer shares": 0.311,
        "order": 3.593,
        "pairs of words both have": -2.185,
        "quantities differ": -0.967,
        "quantities of one": -0.317,
        "negation differs": -1.248,
        "plain words both have": 2.71,
        "the shorter within the longer": -1.892,
        "words of one within the other": 1.754,
        "more words": -2.255,
        "lengths": 1.444,
    }
)


def likeness(older: str, newer: str, cosine: float | None) -> float:
    """How likely two texts say the same; above 0.5 more likely than not."""
    return _score(_PARAPHRASE, features(older, newer, cosine))


def features(older: str, newer: str, cosine: float | None) -> dict[str, float]:
    """What is weighed, each between 0 and 1."""
    one, other = read(older), read(newer)
    frame = frame_of(one, other)
    shared, alone = len(frame.shared), (len(one.content - other.content), len(other.content - one.content))
    both_numbers = bool(frame.older_quantities) and bool(frame.newer_quantities)
    words = [frozenset(text.lower().split()) for text in (older, newer)]
    return {
        "bias": 1.0,
        "cosine": NO_COSINE if cosine is None else max(cosine, 0.0),
        "words both have": shared / max(shared + sum(alone), 1),
        "words the shorter shares": shared / max(shared + min(alone), 1),
        "words the longer shares": shared / max(shared + max(alone), 1),
        "order": fuzz.ratio(_stems(one), _stems(other)) / 100,
        "pairs of words both have": _jaccard(_pairs(one), _pairs(other)),
        "quantities differ": float(both_numbers),
        "quantities of one": float(not both_numbers and bool(frame.older_quantities or frame.newer_quantities)),
        "negation differs": float((one.denials - other.denials) % 2),
        "plain words both have": _jaccard(words[0], words[1]),
        "the shorter within the longer": fuzz.partial_ratio(older, newer) / 100,
        "words of one within the other": fuzz.token_set_ratio(older, newer) / 100,
        "more words": min(abs(len(one.words) - len(other.words)), MORE_WORDS) / MORE_WORDS,
        "lengths": min(len(older), len(newer)) / max(len(older), len(newer), 1),
    }


def _score(weights: Mapping[str, float], found: Mapping[str, float]) -> float:
    total = sum(weights.get(name, 0.0) * value for name, value in found.items())
    return 1 / (1 + math.exp(-max(min(total, 60.0), -60.0)))


def _stems(reading: Reading) -> list[str]:
    return [word.stem or word.token for word in reading.words]


def _pairs(reading: Reading) -> frozenset[tuple[str, str]]:
    stems = _stems(reading)
    return frozenset(pairwise(stems))


def _jaccard(one: Set[object], other: Set[object]) -> float:
    return len(one & other) / len(one | other) if one or other else 1.0
