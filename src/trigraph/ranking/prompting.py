"""What of memory bears on a prompt, told by words and names alone: for hooks, where there is no time for a model.

The order is that of the lexical leg, to which being near something named adds. Whether a memory is shown at all is
decided by a certainty of its own, from 0 to 1: how much of what the prompt says it holds. Imports nothing that takes
time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from trigraph.ranking.hubs import damping
from trigraph.ranking.rarity import rarity

TERMS_MOST = 12
"""Of a long prompt only the rarest terms are looked up: common ones cost most and say least, and time is short."""
TELLING = 8
"""So many of the words that say most are what a prompt is about: a long one says much beside."""
UNKNOWN = 0.5
"""What a word says that no memory holds, beside a usual one: memory may have nothing on it."""
CERTAIN = 0.35
WORDS_LEAST = 2
"""One word in common is chance."""
ABOUT = 0.4
MENTION = 0.1
"""What being about something named, or speaking of it, adds to certainty and order, before hubs are damped."""


class Weights:
    """How much each of a prompt's terms says, among so many passages of which so many hold it."""

    def __init__(self, terms: Sequence[str], passages: int, holding: Mapping[str, int]) -> None:
        known = {term: rarity(passages, holding[term]) for term in terms if holding.get(term)}
        usual = sum(known.values()) / max(len(known), 1)
        unknown = [UNKNOWN * usual] * (len(terms) - len(known))
        self.rarest = sorted(known, key=lambda term: -known[term])[:TERMS_MOST]
        self._known = known
        self._needed = min(WORDS_LEAST, len(terms))
        self._all = sum(sorted([*known.values(), *unknown], reverse=True)[:TELLING])

    def coverage(self, held: Collection[str]) -> float:
        """The share of what the prompt is about that a passage holds; nothing by a single word of several."""
        common = [term for term in self._known if term in held]
        if not self._all or len(common) < self._needed:
            return 0.0
        return min(sum(self._known[term] for term in common) / self._all, 1.0)


def nearness(near: Iterable[tuple[int, bool, int]]) -> dict[int, float]:
    """What names add to each passage: of (passage, whether about it, how many memories speak of it) the most."""
    added: dict[int, float] = {}
    for passage, about, degree in near:
        added[passage] = max(added.get(passage, 0.0), (ABOUT if about else MENTION) * damping(degree))
    return added


def ordered(
    lexical: Sequence[tuple[int, float]], named: Mapping[int, float], certainty: Mapping[int, float]
) -> list[int]:
    """The passages that are certain enough, best first: by their words as a share of the best, and by names."""
    best = max((score for _, score in lexical), default=0.0) or 1.0
    scores = {passage: score / best for passage, score in lexical}
    for passage, added in named.items():
        scores[passage] = scores.get(passage, 0.0) + added
    sure = [passage for passage in scores if certainty.get(passage, 0.0) >= CERTAIN]
    return sorted(sure, key=lambda passage: -scores[passage])
