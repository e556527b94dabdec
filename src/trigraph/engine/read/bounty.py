"""bounty_mode: where something may be found, and where it was looked already."""

from __future__ import annotations

from dataclasses import replace

from trigraph.engine.parts import Parts
from trigraph.engine.read.describing import described
from trigraph.engine.read.frontier import bounds_of, checked, moment_of
from trigraph.engine.read.weighing import Weighed, weigh
from trigraph.frontier.lanes import closed, duplicates, lane_of, unproven, weirdness
from trigraph.model.frontier import PAIR, Bounty, FrontierQuery
from trigraph.model.scope import Scope

COMPOSITIONS_MOST = 200
"""So many of the latest compositions are looked through for lanes."""

WEIRD_FROM = 100
"""The weirdest are chosen among so many of the best candidates: what nothing joins is not weird but unrelated."""


def bounty_mode(parts: Parts, scope: Scope, query: FrontierQuery) -> Bounty:
    """Lanes that were composed lately, never, or with an outcome that tells something; up to `limit` of each."""
    query = checked(replace(query, size=PAIR))
    with parts.store.snapshot(scope):
        moment, _ = moment_of(parts, scope, query)
        field = weigh(parts, scope, query, moment)
        events = parts.store.compositions.recent(scope, COMPOSITIONS_MOST, tags=query.tags, known_at=moment.known_at)
        fresh = [pair for pair, one in field.weighed.items() if not one.met][: max(WEIRD_FROM, query.limit)]
        weird = sorted(fresh, key=lambda pair: (-_weirdness(field.weighed[pair]), pair))[: query.limit]
        told = {
            pair: described(parts, field, pair, field.weighed[pair].score)
            for pair in dict.fromkeys((*fresh[: query.limit], *weird))
        }
    lanes = [lane_of(event) for event in events]
    most = query.limit
    return Bounty(
        recent_composed_lanes=tuple(lanes[:most]),
        never_composed_lanes=tuple(told[pair] for pair in fresh[:most]),
        closed_doors=tuple(closed(lanes)[:most]),
        duplicate_risk_lanes=tuple(duplicates(lanes)[:most]),
        needs_poc_lanes=tuple(unproven(lanes)[:most]),
        top_weird_combinations=tuple(told[pair] for pair in weird),
        bounds=bounds_of(field),
        known_at=moment.known_at,
        compositions_looked_at=len(lanes),
    )


def _weirdness(one: Weighed) -> float:
    return weirdness(one.features, one.joined.surface)
