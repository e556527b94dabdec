"""The ways a recall can be carried out, as values that can be shown, named and varied."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from trigraph.lifecycle.confidence import FACTOR_FLOOR
from trigraph.model.query import Dampening, Fusion, Leg, Profile, QueryClass

GRAPH_WEIGHT = 8.0
TEMPORAL_WEIGHT = 1.0
RECENCY = 0.05
RECENCY_NOW = 0.3
"""What evidence adds to a likeness in standard deviations; `trigraph bench` measured them (docs/benchmarks.md)."""

FIRST = 100.0
"""More than likeness can make up for."""
CANDIDATES = 70
FAST_CANDIDATES = 30
DIVERSITY = 0.2
SPREAD = 0.1

_DEFAULT = Profile(
    "default",
    {Leg.VECTOR: 1.0, Leg.LEXICAL: 1.0, Leg.GRAPH: GRAPH_WEIGHT, Leg.TEMPORAL: TEMPORAL_WEIGHT},
    recency=RECENCY,
    by_class={QueryClass.CURRENT_STATE: {"recency": RECENCY_NOW}},
    expand=True,
    candidates_per_leg=CANDIDATES,
    confidence_floor=FACTOR_FLOOR,
    diversity=DIVERSITY,
    spread=SPREAD,
)
PROFILES = MappingProxyType(
    {
        profile.name: profile
        for profile in (
            _DEFAULT,
            replace(_DEFAULT, name="confident", confidence_floor=0.0),
            replace(_DEFAULT, name="plain", fusion=Fusion.SCORE, diversity=0.0),
            Profile("equal", dict.fromkeys(Leg, 1.0), fusion=Fusion.RRF, recency=1.0),
            Profile(
                "graph-first",
                {Leg.LEXICAL: 1.0, Leg.GRAPH: FIRST},
                fusion=Fusion.SCORE,
                expand=True,
                dampening=Dampening(wordless=0.5, hubs=0.7, guiding=1.2),
            ),
            Profile(
                "fast",
                {Leg.VECTOR: 1.0, Leg.LEXICAL: 1.0},
                fusion=Fusion.SCORE,
                context=False,
                candidates_per_leg=FAST_CANDIDATES,
            ),
            Profile("likeness", {Leg.VECTOR: 1.0, Leg.LEXICAL: 1.0}, fusion=Fusion.SCORE),
            Profile("graph", {Leg.GRAPH: 1.0}, fusion=Fusion.SCORE, context=False),
            Profile("lexical", {Leg.LEXICAL: 1.0}, fusion=Fusion.SCORE, context=False),
            Profile("vector", {Leg.VECTOR: 1.0}, fusion=Fusion.SCORE, context=False),
            Profile("rrf", {Leg.VECTOR: 1.0, Leg.LEXICAL: 1.0}, fusion=Fusion.RRF, context=False),
        )
    }
)
"""`default` is what users get, `confident` multiplies by the plain confidence, `plain` has no learnt order, `equal` has
four equal legs, `graph-first` puts what the graph reaches first and fills up by words, `fast` looks at the fewest; the
others are the plain arms that benchmarks hold against them."""
