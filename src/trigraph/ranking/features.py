"""What speaks for a candidate, as named numbers: its likeness to the query by words and by meaning, alone and among its
neighbours, how the rest of its thread fares, who says it, and whether it asks or tells what the query is after.

Every candidate has every feature. A memory that stands alone has no neighbours and no thread: what they would be is
presumed from its own likeness, as closely as those of others in this query follow theirs. So it is neither punished
for standing alone nor rewarded for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trigraph.ranking.context import MEANT_WEIGHTS, Neighbourhood, Words, bm25, vector_scores
from trigraph.ranking.fusion import ranks, standardised
from trigraph.ranking.order import LIKENESS
from trigraph.text.answering import after_number, after_time, asking, of_speaker, tells_number, tells_time, words_of
from trigraph.text.people import called, names_of

FEEDBACK_PASSAGES = 10
"""The best so far tell what else the query may mean."""
THREAD_BEST = 3
ALIKE_DIGITS = 6
"""What differs less is alike: equal texts share their ranks."""
RANK_SOFTENING = 10
THREAD_SOFTENING = 3

Floats = NDArray[np.float64]

LENGTH_MOST = 24
"""Terms beyond these say nothing more of how much a passage tells: a sentence or two have as many."""


@dataclass(frozen=True, slots=True)
class Meanings:
    """A query as its model sees it: whole and, if it has any, without the names in it."""

    whole: Floats
    unnamed: Floats | None = None
    names: frozenset[str] = frozenset()

    def without_speakers(self, around: Neighbourhood) -> Floats:
        """The query's vector without its names, where all that were left out are names of those who speak here."""
        speakers = {text.speaker for text in around.passages if text.speaker is not None}
        spoken = frozenset().union(*map(names_of, speakers))
        return self.whole if self.unnamed is None or not self.names <= spoken else self.unnamed


def likeness_features(
    query: str, words: Words, lexical: Floats, vectors: Floats, asked: Meanings, around: Neighbourhood
) -> Floats:
    """A row of features for each candidate. `lexical` are the scores of all passages by words in context, `vectors`
    their vectors, `asked` the query's."""
    rows = np.array(around.candidates, dtype=np.int64)
    cosines, lexical = np.round(vectors @ asked.whole, ALIKE_DIGITS), np.round(lexical, ALIKE_DIGITS)
    alone = np.round(bm25(words.counts, words.lengths, words.rarity), ALIKE_DIGITS)
    meaning = np.round(vector_scores(cosines, around), ALIKE_DIGITS)
    beside = np.maximum(cosines, around.best_at(cosines, 1))
    by_words, by_meaning = standardised(lexical[rows]), standardised(meaning[rows])
    base = np.full(len(cosines), np.nan)
    base[rows] = (by_words + by_meaning) / 2
    nameless = np.round(vectors @ asked.without_speakers(around), ALIKE_DIGITS)
    group = _grouped(around)
    found: Mapping[str, Floats] = {
        "words": by_words,
        "words_alone": standardised(alone[rows]),
        "meaning": by_meaning,
        "meaning_alone": standardised(cosines[rows]),
        "meaning_beside": standardised(beside[rows]),
        "words_rank": RANK_SOFTENING / (RANK_SOFTENING + ranks(lexical[rows])),
        "meaning_rank": RANK_SOFTENING / (RANK_SOFTENING + ranks(meaning[rows])),
        "coverage": words.coverage(words.counts > 0)[rows],
        "coverage_around": words.coverage(around.summed(words.counts) > 0)[rows],
        "either": np.maximum(by_words, by_meaning),
        "both": standardised(lexical[rows] * np.maximum(cosines[rows], 0.0)),
        **_threads(group, base[rows], lexical[rows], cosines[rows]),
        "beside": _presumed(base[rows], around.best_at(base, 1)[rows]),
        "beside_two": _presumed(base[rows], around.best_at(base, 2)[rows]),
        "feedback": _feedback(base[rows], vectors[rows]),
        "length": np.log1p(np.minimum(words.lengths[rows], LENGTH_MOST)),
        "words_alone_rank": RANK_SOFTENING / (RANK_SOFTENING + ranks(alone[rows])),
        "meaning_alone_rank": RANK_SOFTENING / (RANK_SOFTENING + ranks(cosines[rows])),
        "weaker": np.minimum(by_words, by_meaning),
        "rarest": _rarest(words)[rows],
        "before": _presumed(base[rows], around.value_at(base, -1)[rows]),
        **_forms(query, around),
        "of_named": _of_named(query, around),
        "words_meant": words.coverage(words.meant)[rows],
        "words_meant_around": words.coverage(around.nearest(words.meant, MEANT_WEIGHTS))[rows],
        "thread_meant": standardised(words.coverage(_best_in(group, words.meant[rows]))),
        "meaning_unnamed": standardised(nameless[rows]),
        "meaning_unnamed_around": standardised(np.round(vector_scores(nameless, around), ALIKE_DIGITS)[rows]),
        "thread_unnamed": standardised(_best_in(group, nameless[rows])),
    }
    return np.stack([found[name] for name in LIKENESS], axis=1)


def _grouped(around: Neighbourhood) -> NDArray[np.int64]:
    """The number of each candidate's thread, or of its memory where it is in none."""
    codes: dict[object, int] = {}
    texts = (around.passages[row] for row in around.candidates)
    names = (text.memory_id if text.thread is None else text.thread for text in texts)
    return np.array([codes.setdefault(name, len(codes)) for name in names])


def _best_in(group: NDArray[np.int64], values: Floats) -> Floats:
    """For each candidate the greatest values in its thread."""
    best = np.full((int(group.max()) + 1, *values.shape[1:]), -np.inf)
    np.maximum.at(best, group, values)
    return np.asarray(best[group])


def _threads(group: NDArray[np.int64], own: Floats, said: Floats, near: Floats) -> dict[str, Floats]:
    """How the candidates of one thread, or of one memory in several passages, fare together."""
    order = np.lexsort((-own, group))  # thread by thread, the best of each first
    sizes = np.bincount(group)
    heads = np.cumsum(sizes) - sizes
    falling, places = own[order], np.arange(len(own)) - np.repeat(heads, sizes)
    several = sizes > 1
    first, second = falling[heads], np.where(several, falling[np.minimum(heads + 1, len(own) - 1)], np.nan)
    best_three = np.add.reduceat(np.where(places < THREAD_BEST, falling, 0.0), heads) / np.minimum(sizes, THREAD_BEST)
    alike_as_before = np.flatnonzero((places > 0) & (falling == np.roll(falling, 1)))
    for place in alike_as_before.tolist():
        places[place] = places[place - 1]
    place_in = np.empty(len(own))
    place_in[order] = 2 / (2 + places)
    return {
        "thread_best": _presumed(own, np.where(own == first[group], second[group], first[group])),
        "thread_mean": _presumed(own, np.where(several, best_three, np.nan)[group]),
        "thread_words": standardised(np.maximum.reduceat(said[order], heads)[group]),
        "thread_meaning": standardised(np.maximum.reduceat(near[order], heads)[group]),
        "thread_near": standardised((np.add.reduceat(near[order], heads) / sizes)[group]),
        "thread_rank": (THREAD_SOFTENING / (THREAD_SOFTENING + ranks(first)))[group],
        "place_in_thread": place_in,
    }


def _rarest(words: Words) -> Floats:
    """The rarity of the rarest term that is held, of the rarest that the query has."""
    if not len(words.rarity):
        return np.zeros(len(words.counts))
    return np.asarray(((words.counts > 0) * words.rarity).max(axis=1) / max(float(words.rarity.max()), 1e-12))


def _forms(query: str, around: Neighbourhood) -> dict[str, Floats]:
    """Whether a candidate asks, answers what was asked just before it, or tells what the query is after."""
    rows = around.candidates
    before = around.rows_at[-1][rows].tolist() if -1 in around.rows_at else []
    asked = {row: asking(around.passages[row].text or "") for row in {*rows, *before} if row >= 0}
    shares, ends = zip(*(asked[row] for row in rows), strict=True)
    answered = [row >= 0 and asked[row][1] for row in before] or [False] * len(rows)
    words = [words_of(around.passages[row].text or "") for row in rows]
    timely, counting = after_time(query), after_number(query)
    return {
        "asks": np.array(shares),
        "ends_asking": np.array(ends, dtype=float),
        "answers": np.array(answered, dtype=float),
        "of_speaker": np.array([of_speaker(one) for one in words], dtype=float),
        "tells_time": np.array([timely and tells_time(one) for one in words], dtype=float),
        "tells_number": np.array([counting and tells_number(one) for one in words], dtype=float),
    }


def _of_named(query: str, around: Neighbourhood) -> Floats:
    """Whether whoever says it is asked about by name."""
    names = called(query)
    texts = (around.passages[row] for row in around.candidates)
    speakers = (text.speaker for text in texts)
    return np.array([who is not None and not names.isdisjoint(names_of(who)) for who in speakers], dtype=float)


def _presumed(own: Floats, others: Floats) -> Floats:
    """What stands beside a candidate or, where there is nothing, what may be expected there."""
    there = ~np.isnan(others)
    following = float((own[there] * others[there]).sum() / max(float((own[there] ** 2).sum()), 1e-12))
    return np.where(there, others, min(max(following, 0.0), 1.0) * own)


def _feedback(base: Floats, vectors: Floats) -> Floats:
    """Likeness to the mean of the best."""
    best = np.argsort(-base, kind="stable")[:FEEDBACK_PASSAGES]
    return standardised(vectors @ vectors[best].mean(axis=0))
