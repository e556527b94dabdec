"""How far two passages are about the same matter: the rare words they share, and how near their vectors are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from trigraph.lifecycle.noticing import Candidate
from trigraph.text.slots import read

PHRASE_REST = 0.3
"""Words that stand together in both passages are one thing (`rye flour`): the rarest counts, of the others so much."""
ONE_SIDED = 0.4
AROUND = 0.15
AROUND_MOST = 0.4
"""Words shared only with, or only by, the messages around count so much, and together no more than that."""

COSINE_NEUTRAL = 1.5
COSINE_SLOPE = 0.4
COSINE_LEAST, COSINE_MOST = -0.4, 0.8
PAIRS_LEAST = 15
"""Fewer pairs tell nothing about which cosine is high."""


@dataclass(frozen=True, slots=True)
class Deviations:
    """Cosines of all pairs, in standard deviations above their mean. Models differ in how alike any two texts are."""

    values: NDArray[np.float32]

    def between(self, one: Sequence[int], other: Sequence[int]) -> float:
        """The nearest of two groups of passages."""
        return float(self.values[np.ix_(one, other)].max())


def deviations(candidates: Sequence[Candidate], vectors: NDArray[np.float32] | None) -> Deviations | None:
    """Deviations among the given passages; None without vectors, or with too few pairs over sessions."""
    if vectors is None or not candidates:
        return None
    names = {name: number for number, name in enumerate({one.session: None for one in candidates})}
    session = np.array([names[one.session] for one in candidates])
    apart = np.triu(session[:, None] != session[None, :])
    if apart.sum() < PAIRS_LEAST:
        return None
    cosines = vectors @ vectors.T
    spread = float(cosines[apart].std())
    if spread == 0:
        return None
    return Deviations(((cosines - cosines[apart].mean()) / spread).astype(np.float32))


def near(deviation: float) -> float:
    """What a cosine adds to the words that two passages share, or takes from them."""
    return min(max((deviation - COSINE_NEUTRAL) * COSINE_SLOPE, COSINE_LEAST), COSINE_MOST)


def shared(one: Candidate, other: Candidate) -> tuple[float, float]:
    """The weight of what two passages have in common, their surroundings included: as things, and as words.

    The same thing may be corrected in two ways, so a correction must share more than one thing (`rye flour`); a wish
    is about one thing, and each word of its name makes that surer (`weekly milk report`).
    """
    both = {stem: min(one.words[stem], other.words[stem]) for stem in one.words.keys() & other.words.keys()}
    sided = sum(other.around[stem] for stem in one.words.keys() & other.around.keys())
    sided += sum(one.around[stem] for stem in other.words.keys() & one.around.keys())
    around = sum(one.around[stem] for stem in one.around.keys() & other.around.keys())
    beside = min(ONE_SIDED * sided + AROUND * around, AROUND_MOST)
    return in_phrases(both, one.text, other.text) + beside, sum(both.values()) + beside


def in_phrases(weights: Mapping[str, float], *texts: str) -> float:
    """The sum of shared words, those that stand side by side in every text taken as one thing."""
    together = set.intersection(*(_neighbours(text, weights) for text in texts)) if weights else set()
    group = {stem: {stem} for stem in weights}
    for left, right in together:
        merged = group[left] | group[right]
        for stem in merged:
            group[stem] = merged
    groups = {frozenset(stems) for stems in group.values()}
    total = 0.0
    for stems in groups:
        most = max(weights[stem] for stem in stems)
        total += most + PHRASE_REST * (sum(weights[stem] for stem in stems) - most)
    return total


def _neighbours(text: str, weights: Mapping[str, float]) -> set[tuple[str, str]]:
    words = read(text).words
    return {
        (min(left.stem, right.stem), max(left.stem, right.stem))
        for left, right in pairwise(words)
        if left.stem in weights and right.stem in weights and left.stem != right.stem
    }


def overlapping(candidates: Sequence[Candidate], least: float) -> list[tuple[int, int]]:
    """Pairs of different sessions whose words, the surroundings included, weigh at least so much together."""
    places: dict[str, int] = {}
    for one in candidates:
        for stem in (*one.words, *one.around):
            places.setdefault(stem, len(places))
    own = np.zeros((len(candidates), len(places)), dtype=np.float32)
    known = np.zeros_like(own)
    for row, one in enumerate(candidates):
        for stem, weight in one.words.items():
            own[row, places[stem]] = weight
            known[row, places[stem]] = 1
    weight_of = own @ known.T
    found: list[tuple[int, int]] = []
    for row, column in np.argwhere(np.triu(weight_of, 1) >= least):
        if candidates[row].session != candidates[column].session:
            found.append((int(row), int(column)))
    return found
