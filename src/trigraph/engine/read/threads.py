"""Which conversations a query leads to: an answer may be spread over a thread in which no single message stands out."""

from __future__ import annotations

import math
from collections.abc import Sequence

from trigraph.engine.parts import Parts
from trigraph.engine.read.ranking import Candidate
from trigraph.model.recall import LikelyThread
from trigraph.model.scope import Scope
from trigraph.model.times import Moment

THREADS_MOST = 50
CHANCE_DIGITS = 4


def likely_threads(
    parts: Parts, scope: Scope, moment: Moment, ranked: Sequence[Candidate], most: int
) -> tuple[LikelyThread, ...]:
    """The threads of the candidates, the likeliest first. A learnt order tells the chance of each candidate to be the
    one that answers; that of a thread is the sum of its candidates'. Other orders tell none: there a thread stands
    where its best candidate stands."""
    best: dict[int, Candidate] = {}
    chances: dict[int, float] = {}
    for one, chance in zip(ranked, _chances(ranked), strict=True):
        thread = one.passage.thread
        if thread is not None:
            best.setdefault(thread, one)
            chances[thread] = chances.get(thread, 0.0) + chance
    first = sorted(best, key=lambda thread: -chances[thread])[:most]
    memories = parts.store.memories.get(scope, [best[thread].passage.memory_id for thread in first], moment)
    thread_of = {memory.id: memory.place.thread_id for memory in memories if memory.place is not None}
    found = []
    for thread in first:
        one = best[thread]
        told = parts.store.threads.find(scope, thread_of.get(one.passage.memory_id, ""), moment)
        if told is not None:
            likely = None if one.likeness is None else round(chances[thread], CHANCE_DIGITS)
            found.append(LikelyThread(told.id, told.name, told.session, likely, one.passage.memory_id))
    return tuple(found)


def _chances(ranked: Sequence[Candidate]) -> list[float]:
    """Of each candidate to be the one, all of them together being sure; nothing where that is not told."""
    if not ranked or ranked[0].likeness is None:
        return [0.0] * len(ranked)
    scores = [(one.likeness or 0.0) + one.beyond for one in ranked]
    top = max(scores)
    weights = [math.exp(score - top) for score in scores]
    whole = sum(weights)
    return [weight / whole for weight in weights]
