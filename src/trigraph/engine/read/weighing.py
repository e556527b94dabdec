"""Pairs that were found, weighed in full: what joins them, what they say, how they are built, what came of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from trigraph.engine.parts import Parts
from trigraph.engine.read.mining import Mined, mine
from trigraph.frontier.outcomes import adjustment
from trigraph.frontier.pairs import Bridge, Features, Joined, Profile, admitted, features, score
from trigraph.frontier.sets import Pair
from trigraph.frontier.structure import Arc, Histogram, Part, fit, histogram
from trigraph.lifecycle.retention import retention
from trigraph.model.composition import CompositionTally
from trigraph.model.frontier import FrontierQuery
from trigraph.model.link import LinkType
from trigraph.model.memory import Memory
from trigraph.model.scope import Scope
from trigraph.model.times import Moment

if TYPE_CHECKING:
    from trigraph.contracts import Vectors

STRUCTURED_MOST = 120
"""So many pairs, the best without it, are looked at for how they are built."""

ARCS_MOST = 2_000
ARCS_A_MEMORY = 24
KIN = (LinkType.SUPERSEDES, LinkType.CORRECTS, LinkType.DUPLICATE_OF, LinkType.DERIVED_FROM)
"""Links between memories that are versions of one another: no combination."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A pair with its ingredients and its score; `met` says that a composition held both."""

    joined: Joined
    features: Features
    adjustment: float
    score: float
    met: bool

    @property
    def bridges(self) -> frozenset[Bridge]:
        """What joins the two."""
        return frozenset(self.joined.bridges)


@dataclass(frozen=True, slots=True)
class Field:
    """All that was found and weighed: pairs by their ids, the best first, and the memories of them."""

    mined: Mined
    memories: Mapping[str, Memory]
    weighed: Mapping[Pair, Weighed]


def weigh(parts: Parts, scope: Scope, query: FrontierQuery, moment: Moment) -> Field:
    """The pairs that something joins, with their scores; those that met are among them, and say so."""
    mined = mine(parts, scope, query, moment)
    ids = sorted({id_ for pair in mined.pairs for id_ in pair})
    memories = {memory.id: memory for memory in parts.store.memories.get(scope, ids, moment)}
    kin = _kin(parts, scope, ids, moment)
    pairs = [pair for pair in mined.pairs if pair not in kin and memories.keys() >= set(pair)]
    met = parts.store.compositions.pairs(scope, ids, moment.known_at)
    tallies = parts.store.compositions.tallies(scope, ids, moment.known_at)
    profiles = {id_: _profile(memory, tallies.get(id_), moment) for id_, memory in memories.items()}
    surface = _surface(parts, scope, pairs, profiles)
    bridges = _bridges(mined, pairs)
    weighed = {}
    for pair in pairs:
        joined = Joined(profiles[pair[0]], profiles[pair[1]], bridges.get(pair, {}), surface[pair])
        if admitted(joined, parts.thresholds):
            weighed[pair] = _weighed(parts, joined, met=pair in met)
    best = sorted(weighed, key=lambda pair: (-weighed[pair].score, pair))
    if len(best) > STRUCTURED_MOST:
        mined.cut.append(f"how memories are built was compared for the best {STRUCTURED_MOST} pairs only")
    shapes = _shapes(parts, scope, {id_ for pair in best[:STRUCTURED_MOST] for id_ in pair}, moment)
    for pair in best[:STRUCTURED_MOST]:
        joined = weighed[pair].joined
        built = fit(shapes.get(pair[0], {}), shapes.get(pair[1], {}), joined.surface)
        if built > 0:
            weighed[pair] = _weighed(parts, replace(joined, structure=built), met=weighed[pair].met)
    order = sorted(weighed, key=lambda pair: (-weighed[pair].score, pair))
    return Field(mined, memories, {pair: weighed[pair] for pair in order})


def _weighed(parts: Parts, joined: Joined, *, met: bool) -> Weighed:
    of = features(joined, parts.frontier.boundary_tags, parts.thresholds)
    added = adjustment((joined.one.tally, joined.other.tally))
    return Weighed(joined, of, added, score(of, added), met)


def _profile(memory: Memory, tally: CompositionTally | None, moment: Moment) -> Profile:
    return Profile(
        id=memory.id,
        kind=memory.kind,
        tags=frozenset(memory.tags),
        trust=memory.trust,
        retention=retention(memory, moment.known_at),
        place=memory.provenance.session or memory.provenance.uri,
        tally=tally or CompositionTally(),
    )


def _bridges(mined: Mined, pairs: Collection[Pair]) -> dict[Pair, dict[Bridge, int]]:
    """What joins each pair, with how many hold it."""
    holding: dict[str, set[Bridge]] = {}
    for bridge, ids in mined.holders.items():
        for id_ in ids:
            holding.setdefault(id_, set()).add(bridge)
    none: set[Bridge] = set()
    return {
        (one, other): {
            bridge: len(mined.holders[bridge]) for bridge in sorted(holding.get(one, none) & holding.get(other, none))
        }
        for one, other in pairs
    }


def _surface(
    parts: Parts, scope: Scope, pairs: Iterable[Pair], profiles: Mapping[str, Profile]
) -> dict[Pair, float | None]:
    """How alike the two of each pair are in what they say: by their vectors; None where one has none."""
    found = parts.store.graph.first_vectors(scope, list(profiles))
    if found is None:
        return dict.fromkeys(pairs)
    rows = {id_: row for row, id_ in enumerate(found[0])}
    vectors: Vectors = found[1]
    return {
        pair: float(vectors[rows[pair[0]]] @ vectors[rows[pair[1]]]) if rows.keys() >= set(pair) else None
        for pair in pairs
    }


def _kin(parts: Parts, scope: Scope, ids: Collection[str], moment: Moment) -> set[Pair]:
    links = parts.store.links.of(scope, ids, moment.known_at, KIN)
    return {(min(link.from_id, link.to_id), max(link.from_id, link.to_id)) for link in links}


def _shapes(parts: Parts, scope: Scope, ids: Collection[str], moment: Moment) -> dict[str, Histogram]:
    """How each memory is built, of what the asker may see."""
    spoken: dict[str, list[Part]] = {}
    for one in parts.store.entities.mentions_of(scope, sorted(ids), moment):
        spoken.setdefault(one.memory_id, []).append(Part(one.entity_id, one.type, one.subject))
    every = sorted({part.entity_id for of_one in spoken.values() for part in of_one})
    arcs: dict[str, list[Arc]] = {}
    for edge in parts.store.graph.edges(scope, every, moment, ARCS_MOST):
        ends = (edge.entity_id, edge.other_id) if edge.outgoing else (edge.other_id, edge.entity_id)
        arcs.setdefault(edge.entity_id, []).append(Arc(ends[0], edge.type.value, ends[1]))
    return {
        id_: histogram(of_one, [arc for part in of_one for arc in arcs.get(part.entity_id, ())][:ARCS_A_MEMORY])
        for id_, of_one in spoken.items()
    }
