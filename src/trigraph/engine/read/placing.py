"""From a ranking to places in the answer: confidence moves a hit a little, and what was derived from one message
shares a place with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from trigraph.engine.parts import Parts
from trigraph.engine.read.ranking import Candidate
from trigraph.lifecycle.confidence import effective, factor
from trigraph.model.link import LinkType
from trigraph.model.recall import Plan
from trigraph.model.scope import Scope
from trigraph.model.times import Moment

LOOKED_AT_BEYOND = 40
"""So many more candidates are looked at than are asked for: what lies below does not move up so far."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A candidate with a place of its own; `attached` are memories that share it, the better first."""

    candidate: Candidate
    confidence: float
    attached: tuple[str, ...] = ()


def place(
    parts: Parts, scope: Scope, plan: Plan, moment: Moment, ranked: Sequence[Candidate], limit: int
) -> list[Placed]:
    """The best candidates, each memory once, in the order in which they are answered."""
    top = ranked[: 2 * limit + LOOKED_AT_BEYOND]
    ids = [one.passage.memory_id for one in top]
    held = parts.store.memories.confidences(scope, ids, moment.known_at)
    confidences = {id_: effective(*held[id_], moment.as_of) for id_ in ids if id_ in held}
    return _sharing(parts, scope, moment, _weighed(top, confidences, plan.confidence_floor), confidences)


def _weighed(top: Sequence[Candidate], confidences: dict[str, float], floor: float) -> list[Candidate]:
    """Scores keep a part of what lifts them above the weakest, by how far their memory is believed."""
    if not top or len(set(confidences.values())) < 2 or floor >= 1:
        return list(top)
    least = min(one.score for one in top)

    def weighed(one: Candidate) -> Candidate:
        kept = factor(confidences.get(one.passage.memory_id, 1.0), floor)
        return replace(one, score=least + (one.score - least) * kept)

    return sorted((weighed(one) for one in top), key=lambda one: -one.score)


def _sharing(
    parts: Parts, scope: Scope, moment: Moment, ordered: Sequence[Candidate], confidences: dict[str, float]
) -> list[Placed]:
    ids = [one.passage.memory_id for one in ordered]
    source_of: dict[str, str] = {}
    for link in parts.store.links.of(scope, ids, moment.known_at, [LinkType.DERIVED_FROM]) if ids else ():
        if link.span is not None:  # it says in other words what stands there
            source_of.setdefault(link.from_id, link.to_id)
    places: dict[str, Placed] = {}
    for one in ordered:
        memory_id = one.passage.memory_id
        group = source_of.get(memory_id, memory_id)
        if group in places:
            there = places[group]
            places[group] = replace(there, attached=(*there.attached, memory_id))
        else:
            places[group] = Placed(one, confidences.get(memory_id, 1.0))
    return list(places.values())
