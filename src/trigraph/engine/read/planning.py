"""How a query will be answered: its class, its terms, the legs and their weights."""

from __future__ import annotations

from types import MappingProxyType

from trigraph.errors import InvalidInput, invalid_choice
from trigraph.model.memory import Kind
from trigraph.model.query import Fusion, Leg, Profile, QueryClass, RecallQuery
from trigraph.model.recall import Plan
from trigraph.ranking.classify import classify
from trigraph.text.cleaning import check_text, optional_label
from trigraph.text.terms import analyse, identifiers

LIMIT_MOST = 1000
QUERY_LIMIT_CHARS = 10_000

LOOKING_BACK = (QueryClass.HISTORICAL, QueryClass.DECISION)
"""Classes of queries that are answered with what was superseded, too."""

PROFILES = MappingProxyType(
    {
        profile.name: profile
        for profile in (
            Profile(
                "default",
                {Leg.VECTOR: 1.0, Leg.LEXICAL: 1.0, Leg.GRAPH: 0.0, Leg.TEMPORAL: 0.0},
            ),
            Profile("lexical", {Leg.LEXICAL: 1.0}, context=False),
            Profile("vector", {Leg.VECTOR: 1.0}, context=False),
            Profile("rrf", {Leg.VECTOR: 1.0, Leg.LEXICAL: 1.0}, fusion=Fusion.RRF, context=False),
        )
    }
)
"""`default` is what users get; the others are the plain arms that benchmarks hold against it."""


def plan_recall(query: RecallQuery, fusion: Fusion) -> Plan:
    """Check the query and decide the way it goes."""
    _check(query)
    profile = _profile(query.profile or "default")
    query_class = classify(query.text)
    return Plan(
        profile=profile.name,
        query_class=query_class,
        superseded=query_class in LOOKING_BACK if query.superseded is None else query.superseded,
        fusion=query.fusion or profile.fusion or fusion,
        context=profile.context,
        weights=profile.weights,
        candidates_per_leg=max(profile.candidates_per_leg, query.limit),
        terms=tuple(dict.fromkeys(analyse(query.text))),
        identifiers=tuple(name for name in identifiers(query.text) if len(name) >= 3),
    )


def _profile(name: str) -> Profile:
    if name not in PROFILES:
        raise invalid_choice("profile", name, PROFILES)
    return PROFILES[name]


def _check(query: RecallQuery) -> None:
    check_text(query.text, Kind.FACT, "query")
    if len(query.text) > QUERY_LIMIT_CHARS:
        raise InvalidInput(
            f"query has {len(query.text):,} characters; at most {QUERY_LIMIT_CHARS:,} are taken.",
            field="query",
            fix="Ask for one thing at a time.",
        )
    optional_label(query.session, "session")
    if not 1 <= query.limit <= LIMIT_MOST:
        raise InvalidInput(f"limit is {query.limit}.", field="limit", fix=f"Choose a number from 1 to {LIMIT_MOST}.")
    if query.budget_tokens is not None and query.budget_tokens < 1:
        raise InvalidInput(
            f"budget_tokens is {query.budget_tokens}.",
            field="budget_tokens",
            fix="Choose 1 or more, or none.",
        )
