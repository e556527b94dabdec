"""How a query will be answered: its class, its terms, the legs and their weights."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from trigraph.engine.read.neighbours import NEIGHBOURS_MOST
from trigraph.engine.read.threads import THREADS_MOST
from trigraph.errors import InvalidInput, invalid_choice
from trigraph.model.memory import Kind
from trigraph.model.query import Fusion, Leg, Profile, QueryClass, RecallQuery
from trigraph.model.recall import Plan
from trigraph.ranking.classify import classify
from trigraph.ranking.order import Order, shipped
from trigraph.ranking.profiles import PROFILES
from trigraph.text.cleaning import check_text, optional_label
from trigraph.text.dates import window_in
from trigraph.text.terms import analyse, identifiers

LIMIT_MOST = 1000
QUERY_LIMIT_CHARS = 10_000

Weights = Mapping[QueryClass | None, Mapping[str, float]]
"""Weights of legs, and of recency, by class of query; None is for all."""

LOOKING_BACK = (QueryClass.HISTORICAL, QueryClass.DECISION)
"""Classes of queries that are answered with what was superseded, too."""


def plan_recall(query: RecallQuery, fusion: Fusion, weights: Weights, order: Order | None, now: datetime) -> Plan:
    """Check the query and decide the way it goes. `weights` are those that were configured in place of the default
    profile's, for all queries or for those of a class; `order` is used in place of the shipped one."""
    _check(query)
    profile = query.profile if isinstance(query.profile, Profile) else _profile(query.profile or "default")
    query_class = classify(query.text)
    window = window_in(query.text, query.as_of or now) if Leg.TEMPORAL in profile.weights else None
    fused_by = query.fusion or profile.fusion or fusion
    weighed: dict[str, float] = {leg.value: weight for leg, weight in profile.weights.items()}
    weighed |= {"recency": profile.recency, **profile.by_class.get(query_class, {})}
    if profile.name == "default":
        if fused_by is Fusion.RRF:  # evidence weighs what a rank does: its weights beside scores are for scores
            weighed |= {Leg.GRAPH.value: 1.0, Leg.TEMPORAL.value: 0.5 if window is not None else 0.0}
        weighed |= {**weights.get(None, {}), **weights.get(query_class, {})}
    recency = weighed.pop("recency")
    return Plan(
        profile=profile.name,
        query_class=query_class,
        superseded=query_class in LOOKING_BACK if query.superseded is None else query.superseded,
        fusion=fused_by,
        context=profile.context,
        weights={Leg(leg): weight for leg, weight in weighed.items()},
        recency=recency,
        window=window,
        expand=profile.expand and query.expand,
        confidence_floor=profile.confidence_floor,
        dampening=profile.dampening,
        diversity=profile.diversity,
        spread=profile.spread,
        order=(order or shipped()).weights if fused_by is Fusion.LEARNED else {},
        candidates_per_leg=max(profile.candidates_per_leg, query.limit),
        terms=tuple(dict.fromkeys(analyse(query.text))),
        identifiers=tuple(name for name in identifiers(query.text) if len(name) >= 3),
        domains=query.filter.domains,
        context_weight=None if query.context is None and query.in_thread is None else profile.context_weight,
    )


def _profile(name: str) -> Profile:
    if name not in PROFILES:
        raise invalid_choice("profile", name, PROFILES)
    return PROFILES[name]


def _check_words(text: str, field: str, fix: str) -> None:
    check_text(text, Kind.FACT, field)
    if len(text) > QUERY_LIMIT_CHARS:
        raise InvalidInput(
            f"{field} has {len(text):,} characters; at most {QUERY_LIMIT_CHARS:,} are taken.", field=field, fix=fix
        )


def _check(query: RecallQuery) -> None:
    _check_words(query.text, "query", "Ask for one thing at a time.")
    if query.context is not None:
        _check_words(query.context, "context", "Give the last messages, or a summary of them.")
    optional_label(query.session, "session")
    if not 1 <= query.limit <= LIMIT_MOST:
        raise InvalidInput(f"limit is {query.limit}.", field="limit", fix=f"Choose a number from 1 to {LIMIT_MOST}.")
    if query.budget_tokens is not None and query.budget_tokens < 1:
        raise InvalidInput(
            f"budget_tokens is {query.budget_tokens}.",
            field="budget_tokens",
            fix="Choose 1 or more, or none.",
        )
    if not 0 <= query.neighbours <= NEIGHBOURS_MOST:
        raise InvalidInput(
            f"neighbours is {query.neighbours}.",
            field="neighbours",
            fix=f"Choose a number from 0 to {NEIGHBOURS_MOST}.",
        )
    if not 0 <= query.threads <= THREADS_MOST:
        raise InvalidInput(
            f"threads is {query.threads}.", field="threads", fix=f"Choose a number from 0 to {THREADS_MOST}."
        )
    if query.constraint_tokens < 0:
        raise InvalidInput(
            f"constraint_tokens is {query.constraint_tokens}.",
            field="constraint_tokens",
            fix="Choose 1 or more, or 0 for none of them.",
        )
