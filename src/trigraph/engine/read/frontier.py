"""never_composed: pairs and sets of memories that no composition held and that look worth it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from itertools import islice

from trigraph.engine.finding import find_memory
from trigraph.engine.parts import Parts
from trigraph.engine.read.describing import described
from trigraph.engine.read.reading import check_limit
from trigraph.engine.read.weighing import Field, weigh
from trigraph.errors import InvalidInput
from trigraph.frontier.sets import Edge, grow
from trigraph.model.frontier import (
    CANDIDATES_MOST,
    PAIR,
    SEEDS_MOST,
    SET_MOST,
    Candidate,
    Frontier,
    FrontierBounds,
    FrontierQuery,
)
from trigraph.model.memory import Kind
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.text.cleaning import check_label

JUST_BEFORE = timedelta(microseconds=1)


def never_composed(parts: Parts, scope: Scope, query: FrontierQuery) -> Frontier:
    """Candidates, the best first, and how far was looked for them. Prior outcomes shape the order and hide nothing."""
    query = checked(query)
    with parts.store.snapshot(scope):
        moment, decision_id = moment_of(parts, scope, query)
        field = weigh(parts, scope, query, moment)
        found = _pairs(parts, field, query.limit) if query.size == PAIR else _sets(parts, field, query)
    return Frontier(found, bounds_of(field), moment.known_at, decision_id)


def checked(query: FrontierQuery) -> FrontierQuery:
    """The query, if it can be answered."""
    check_limit(query.limit, CANDIDATES_MOST)
    if not PAIR <= query.size <= SET_MOST:
        raise InvalidInput(f"size is {query.size}.", field="size", fix=f"Choose a number from {PAIR} to {SET_MOST}.")
    if not 1 <= query.seeds <= SEEDS_MOST:
        raise InvalidInput(f"seeds is {query.seeds}.", field="seeds", fix=f"Choose a number from 1 to {SEEDS_MOST}.")
    if query.known_at is not None and query.decision is not None:
        raise InvalidInput(
            "known_at and decision exclude each other.",
            field="decision",
            fix="Give a time, or a decision, which has one.",
        )
    if query.around and query.tags:
        raise InvalidInput("around and tags exclude each other.", field="tags", fix="Name memories, or tags.")
    return replace(query, tags=tuple(check_label(tag, "tags") for tag in query.tags))


def moment_of(parts: Parts, scope: Scope, query: FrontierQuery) -> tuple[Moment, str | None]:
    """What was known and true at the time that is asked about: just before the decision, if one is named."""
    if query.decision is not None:
        decision = find_memory(parts, scope, query.decision)
        if decision.kind is not Kind.DECISION:
            raise InvalidInput(
                f"{query.decision[:80]!r} is a memory of kind {decision.kind}.",
                field="decision",
                fix="Name a decision, or give known_at.",
            )
        then = decision.created_at - JUST_BEFORE
        return Moment(then, then), decision.id
    if query.known_at is not None:
        return Moment(query.known_at, query.known_at), None
    return parts.now(scope), None


def bounds_of(field: Field) -> FrontierBounds:
    """How far was looked."""
    return FrontierBounds(
        seeds=len(field.mined.seeds),
        memories=len(field.mined.memory_ids),
        pairs_looked_at=field.mined.pairs_looked_at,
        pairs_scored=len(field.weighed),
        already_composed=sum(one.met for one in field.weighed.values()),
        cut=tuple(field.mined.cut),
    )


def _pairs(parts: Parts, field: Field, limit: int) -> tuple[Candidate, ...]:
    fresh = (pair for pair, one in field.weighed.items() if not one.met)
    return tuple(described(parts, field, pair, field.weighed[pair].score) for pair in islice(fresh, limit))


def _sets(parts: Parts, field: Field, query: FrontierQuery) -> tuple[Candidate, ...]:
    edges: Mapping[tuple[str, str], Edge] = {
        pair: Edge(one.score, one.bridges, one.met) for pair, one in field.weighed.items()
    }
    return tuple(described(parts, field, one.members, one.score) for one in grow(edges, query.size, query.limit))
