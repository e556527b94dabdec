"""Constraints in a block of their own (S4): pinned ones and those that concern what the query names, of any rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trigraph.contracts import Bound
from trigraph.engine.parts import Parts
from trigraph.engine.read.legs import Gathered
from trigraph.engine.read.ranking import Candidate
from trigraph.engine.read.walking import entities_named
from trigraph.model.memory import Kind, Memory, MemoryFilter
from trigraph.model.query import RecallQuery
from trigraph.model.recall import Constraint, Hit
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.text.tokens import estimate_tokens

CONSTRAINTS_MOST = 20
LEAST_CHARS = 60
LOOKED_AT_MOST = 1000
"""Of those that are not pinned, the newest are looked at: what binds is few, and a recall must not wait for it."""
"""No constraint is shortened further, whatever the budget."""


@dataclass(frozen=True, slots=True)
class Binding:
    """The constraints to be shown, in their order, each with why; and how many more there are."""

    shown: tuple[tuple[Memory, str], ...] = ()
    more: int = 0


def binding(
    parts: Parts,
    scope: Scope,
    query: RecallQuery,
    moment: Moment,
    gathered: Gathered,
    candidates: Sequence[Candidate],
) -> Binding:
    """The constraints that hold then: pinned ones first, then what matches best, then the newest.

    Of the query's filters those count that say whose word is taken and for which subject area; a kind, a place or a
    time that is asked for says nothing about what must be kept to.
    """
    if not query.constraint_tokens or not parts.store.graph.constrained(scope):
        return Binding()
    holds = Moment(moment.as_of, moment.known_at)
    named = gathered.entities
    if named is None:
        named = entities_named(parts, scope, query.text, holds)
    found = parts.store.graph.constraints(scope, list(named), _asked(query.filter), holds, LOOKED_AT_MOST)
    if not found:
        return Binding()
    scores: dict[str, float] = {}
    for one in candidates:
        scores[one.passage.memory_id] = max(one.score, scores.get(one.passage.memory_id, one.score))
    found.sort(key=lambda one: (not one.pinned, -scores.get(one.memory_id, float("-inf"))))
    first = {one.memory_id: one for one in found[:CONSTRAINTS_MOST]}
    memories = parts.store.memories.get(scope, list(first), holds)
    shown = tuple((memory, _why(first[memory.id], named)) for memory in memories)
    return Binding(shown, len(found) - len(shown))


def block(bound: Binding, hits: Sequence[Hit], budget_tokens: int) -> tuple[Constraint, ...]:
    """The constraints as they are shown: shortened alike until all fit, but never dropped."""
    ranks = {hit.memory.id: hit.rank for hit in hits}
    most = _most_chars([memory.text for memory, _ in bound.shown], budget_tokens)
    return tuple(
        Constraint(
            id=memory.id,
            text=_shortened(memory.text, most),
            shortened=len(memory.text) > most,
            pinned=memory.pinned,
            why=why,
            rank=ranks.get(memory.id),
        )
        for memory, why in bound.shown
    )


def _asked(wanted: MemoryFilter) -> MemoryFilter:
    return MemoryFilter(
        kinds=(Kind.CONSTRAINT,),
        tags=wanted.tags,
        sources=wanted.sources,
        author=wanted.author,
        domains=wanted.domains,
        domainless=wanted.domainless,
    )


def _why(one: Bound, named: Mapping[str, str]) -> str:
    names = dict.fromkeys(named[id_] for id_ in one.entity_ids)
    reasons = ["pinned"] if one.pinned else []
    return "; ".join(reasons + ([f"speaks of {', '.join(names)}"] if names else []))


def _most_chars(texts: Sequence[str], budget_tokens: int) -> int:
    """How long a text may be, so that all of them fit."""
    least, most = LEAST_CHARS, max((len(text) for text in texts), default=0)
    while least < most:
        tried = (least + most + 1) // 2
        if sum(estimate_tokens(_shortened(text, tried)) for text in texts) <= budget_tokens:
            least = tried
        else:
            most = tried - 1
    return least


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
