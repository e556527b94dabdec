"""Pairs of memories that something joins, found from the side of what joins them.

From each of n seeds it is looked up what it holds that few others hold (entities, rare terms, tags), and who those
others are: at most k for each. So the cost grows with the seeds and never with the square of the store; how far was
looked, and what was left out, is told with the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from trigraph.engine.finding import find_memory
from trigraph.engine.parts import Parts
from trigraph.frontier.pairs import BAND_RISES, HOLDERS_MOST, Bridge, Tie, weight_of
from trigraph.frontier.sets import Pair, pair_of
from trigraph.model.frontier import FrontierQuery
from trigraph.model.memory import Kind, Memory, MemoryFilter
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.text.terms import analyse

TERMS_A_MEMORY = 8
LOOKUPS_A_SEED = 5
"""So many terms, entities and tags each are looked up for every seed, all seeds taken together."""

TERM_LETTERS_LEAST = 4
COMMON_PASSAGES = 3_000
"""A term that so many passages hold is not looked up."""

PAIRS_MOST = 400
PAIRS_AROUND = 600
"""So many pairs are weighed in full, the best joined of those that were found: more of a few memories that were named,
and one for each seed where more seeds are asked for."""

STORE_SCANS = 4
"""For so many seeds the whole store is searched for neighbouring meanings; for the others what was found is."""

NEIGHBOURS = 6
"""So many neighbours by meaning are taken of each seed."""

NEIGHBOUR_WEIGHT = 0.12
NO_EPISODES = MemoryFilter(kinds=tuple(kind for kind in Kind if kind is not Kind.EPISODE))


@dataclass(slots=True)
class Mined:
    """Seeds by id, what was found to join memories and who holds it, and the pairs, the best joined first. `cut` says
    in words what was left out."""

    seeds: dict[str, Memory]
    holders: dict[Bridge, tuple[str, ...]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    pairs: list[Pair] = field(default_factory=list)
    pairs_looked_at: int = 0
    cut: list[str] = field(default_factory=list)

    @property
    def memory_ids(self) -> set[str]:
        """All that was looked at."""
        return {id_ for ids in self.holders.values() for id_ in ids} | self.seeds.keys()


def mine(parts: Parts, scope: Scope, query: FrontierQuery, moment: Moment) -> Mined:
    """The pairs of which one is a seed, best joined first, as many as are weighed in full."""
    mined = Mined({memory.id: memory for memory in _seeds(parts, scope, query, moment)})
    if len(mined.seeds) == query.seeds and not query.around:
        mined.cut.append(
            f"only {query.seeds} memories were looked at from: the newest half, the others spread over time"
        )
    _through_entities(parts, scope, moment, mined)
    _through_terms(parts, scope, moment, mined)
    _through_tags(parts, scope, moment, mined)
    _through_companions(parts, scope, moment, mined)
    weights = _weights(mined)
    for pair, weight in _by_meaning(parts, scope, moment, mined).items():
        weights[pair] = weights.get(pair, 0.0) + weight
    mined.pairs_looked_at = len(weights)
    most = PAIRS_AROUND if query.around else max(PAIRS_MOST, query.seeds)
    mined.pairs = sorted(weights, key=lambda pair: (-weights[pair], pair))[:most]
    if len(weights) > most:
        mined.cut.append(f"{len(weights) - most} pairs that less joins were not weighed in full")
    return mined


def _seeds(parts: Parts, scope: Scope, query: FrontierQuery, moment: Moment) -> list[Memory]:
    """Where it is looked from: the memories that are named; else those with the tags, the newest and some of all
    times."""
    store = parts.store
    if query.around:
        return [find_memory(parts, scope, name, moment.known_at) for name in query.around]
    wanted = MemoryFilter(tags=query.tags)
    ids = store.bridges.newest(scope, wanted, moment, query.seeds)
    if len(ids) == query.seeds:
        kept = ids[: (query.seeds + 1) // 2]
        first = store.bridges.first(scope, wanted, moment)
        rest = query.seeds - len(kept)
        if first is not None and rest:
            until = store.memories.get(scope, kept[-1:], moment)[0].created_at
            times = [first + (until - first) * step / rest for step in range(rest)]
            kept += store.bridges.spread(scope, wanted, moment, times)
        ids = list(dict.fromkeys((*kept, *ids)))[: query.seeds]
    return store.memories.get(scope, ids, moment)


def _through_entities(parts: Parts, scope: Scope, moment: Moment, mined: Mined) -> None:
    mentions = parts.store.entities.mentions_of(scope, list(mined.seeds), moment)
    mined.names.update((one.entity_id, one.name) for one in mentions)
    asked = _within(Counter(one.entity_id for one in mentions), mined, "entities")
    found = parts.store.bridges.speaking_of(scope, asked, MemoryFilter(), moment, HOLDERS_MOST + 1)
    _keep(mined, Tie.ENTITY, found)


def _through_terms(parts: Parts, scope: Scope, moment: Moment, mined: Mined) -> None:
    terms = {id_: meaningful(memory.text) for id_, memory in mined.seeds.items()}
    often = parts.store.bridges.frequencies(scope, {term for of_one in terms.values() for term in of_one})
    chosen: Counter[str] = Counter()
    for of_one in terms.values():
        shared = [term for term in of_one if 1 < often.get(term, 0) <= COMMON_PASSAGES]
        for term in sorted(shared, key=lambda term: (often[term], term))[:TERMS_A_MEMORY]:
            chosen[term] -= often[term]  # the rarest first
    asked = _within(chosen, mined, "terms")
    _keep(mined, Tie.TERM, parts.store.bridges.holding(scope, asked, MemoryFilter(), moment, HOLDERS_MOST + 1))


def _through_tags(parts: Parts, scope: Scope, moment: Moment, mined: Mined) -> None:
    asked = _within(Counter(tag for memory in mined.seeds.values() for tag in memory.tags), mined, "tags")
    _keep(mined, Tie.TAG, parts.store.bridges.tagged(scope, asked, MemoryFilter(), moment, HOLDERS_MOST + 1))


def _through_companions(parts: Parts, scope: Scope, moment: Moment, mined: Mined) -> None:
    """What a seed was used with, and what else that was used with."""
    known_at = moment.known_at
    with_seeds = parts.store.bridges.companions(scope, list(mined.seeds), known_at, HOLDERS_MOST)
    asked = _within(Counter(id_ for ids in with_seeds.values() for id_ in ids), mined, "companions")
    _keep(mined, Tie.COMPANION, parts.store.bridges.companions(scope, asked, known_at, HOLDERS_MOST + 1))


def _within(counted: Counter[str], mined: Mined, what: str) -> list[str]:
    """As many as may be looked up, the most wanted first; what is left out is told."""
    most = LOOKUPS_A_SEED * max(len(mined.seeds), TERMS_A_MEMORY)
    ordered = sorted(counted, key=lambda key: (-counted[key], key))
    if len(ordered) > most:
        mined.cut.append(f"{len(ordered) - most} {what} of the memories looked at from were not looked up")
    return ordered[:most]


def _keep(mined: Mined, tie: Tie, found: Mapping[str, Collection[str]]) -> None:
    """What joins two memories or more, and not so many that it joins nobody in particular."""
    for key, ids in found.items():
        if 1 < len(ids) <= HOLDERS_MOST:
            mined.holders[Bridge(tie, key)] = tuple(ids)


def _weights(mined: Mined) -> dict[Pair, float]:
    """How well each pair is joined, roughly: at most k pairs for each seed and bridge."""
    weights: dict[Pair, float] = {}
    for bridge, ids in mined.holders.items():
        weight = weight_of(bridge, len(ids))
        for seed in ids:
            if seed not in mined.seeds:
                continue
            for other in ids:
                # Of two seeds, the pair is met twice: it counts once.
                if other != seed and (other not in mined.seeds or seed < other):
                    pair = pair_of(seed, other)
                    weights[pair] = weights.get(pair, 0.0) + weight
    return weights


def _by_meaning(parts: Parts, scope: Scope, moment: Moment, mined: Mined) -> dict[Pair, float]:
    """Neighbours of the seeds that say neither the same nor something else altogether."""
    pool = sorted(mined.memory_ids)
    found = parts.store.graph.first_vectors(scope, pool)
    if found is None:
        return {}
    ids, vectors = found
    least, most = parts.thresholds.alike - BAND_RISES, parts.thresholds.duplicate
    rows = {id_: row for row, id_ in enumerate(ids)}
    seeds = [id_ for id_ in mined.seeds if id_ in rows]
    weights: dict[Pair, float] = {}
    if seeds:
        cosines = vectors[[rows[id_] for id_ in seeds]] @ vectors.T
        within = np.where((cosines >= least) & (cosines < most), cosines, -1.0)
        for seed, row in zip(seeds, within, strict=True):
            for place in np.argsort(-row)[:NEIGHBOURS]:
                if row[place] > 0 and ids[place] != seed:
                    weights[pair_of(seed, ids[place])] = NEIGHBOUR_WEIGHT
    scanned = seeds[:STORE_SCANS]
    if len(seeds) > len(scanned):
        mined.cut.append(f"neighbours by meaning were searched in the whole store for {len(scanned)} memories only")
    if scanned:
        asked = vectors[[rows[id_] for id_ in scanned]]
        nearest = parts.store.search.alike(scope, asked, NO_EPISODES, moment, least, 4 * NEIGHBOURS)
        for seed, near in zip(scanned, nearest, strict=True):
            for id_ in _below(near, most, seed):
                weights[pair_of(seed, id_)] = NEIGHBOUR_WEIGHT
    return weights


def _below(near: Iterable[tuple[str, float]], most: float, seed: str) -> list[str]:
    return list(islice((id_ for id_, cosine in near if cosine < most and id_ != seed), NEIGHBOURS))


def meaningful(text: str) -> set[str]:
    """The terms of a text that could join it to another: no bare numbers, nothing short."""
    return {
        term
        for term in analyse(text)
        if len(term) >= TERM_LETTERS_LEAST and not term.isdigit() and any(char.isalpha() for char in term)
    }
