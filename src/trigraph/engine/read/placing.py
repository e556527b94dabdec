"""From a ranking to places in the answer: what was derived from one message shares a place with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from trigraph.contracts import Held
from trigraph.engine.parts import Parts
from trigraph.engine.read.adjusting import adjust
from trigraph.engine.read.ranking import Candidate
from trigraph.lifecycle.confidence import effective
from trigraph.model.link import LinkType
from trigraph.model.memory import Kind
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
    held = parts.store.memories.held(scope, ids, moment.known_at)
    confidences = {id_: effective(one.confidence, one.since, moment.as_of) for id_, one in held.items()}
    ordered = adjust(parts, scope, plan, moment, top, held, confidences)
    placed = _sharing(parts, scope, moment, ordered, confidences)
    return _beside_their_sessions(placed, held)


def _sharing(
    parts: Parts, scope: Scope, moment: Moment, ordered: Sequence[Candidate], confidences: dict[str, float]
) -> list[Placed]:
    """One place for what was taken from one message: the better stays, the others are attached."""
    rank = {one.passage.memory_id: number for number, one in enumerate(ordered)}
    sources: dict[str, set[str]] = {}
    for link in parts.store.links.of(scope, list(rank), moment.known_at, [LinkType.DERIVED_FROM]) if rank else ():
        if link.span is not None:  # it says in other words what stands there
            sources.setdefault(link.from_id, set()).add(link.to_id)
    groups: dict[str, list[Candidate]] = {}
    for one in ordered:
        of = sources.get(one.passage.memory_id, {one.passage.memory_id})
        groups.setdefault(min(of, key=lambda id_: (rank.get(id_, len(rank)), id_)), []).append(one)
    placed = []
    for source_id, together in groups.items():
        best, *others = together
        own = next((one for one in together if one.passage.memory_id == source_id), None)
        score = _score(best, own)
        attached = tuple(one.passage.memory_id for one in others)
        placed.append(Placed(best.scored(score), confidences.get(best.passage.memory_id, 1.0), attached))
    return sorted(placed, key=lambda one: -one.candidate.score)


def _score(best: Candidate, own: Candidate | None) -> float:
    """What a place is worth: halfway between its best and the message itself, which was scored in its context."""
    return best.score if own is None else (best.score + own.score) / 2


def _beside_their_sessions(placed: Sequence[Placed], held: Mapping[str, Held]) -> list[Placed]:
    """A summary says again what its session said: it stands with the best of that, and alone only where it is alone."""
    best: dict[str, int] = {}
    for number, one in enumerate(placed):
        told = held.get(one.candidate.passage.memory_id)
        if told is not None and told.session is not None and told.kind is not Kind.SUMMARY:
            best.setdefault(told.session, number)
    beside: dict[int, list[str]] = {}
    for one in placed:
        told = held.get(one.candidate.passage.memory_id)
        if told is not None and told.kind is Kind.SUMMARY and told.session in best:
            beside.setdefault(best[told.session], []).append(one.candidate.passage.memory_id)
    gone = {id_ for ids in beside.values() for id_ in ids}
    return [
        replace(one, attached=(*one.attached, *beside[number])) if number in beside else one
        for number, one in enumerate(placed)
        if one.candidate.passage.memory_id not in gone
    ]
