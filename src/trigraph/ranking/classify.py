"""What a query is after, by rules (T14)."""

from __future__ import annotations

import re

from trigraph.model.query import QueryClass

# Tried in this order: a question about why beats one about when, and both beat words of architecture.
_RULES: tuple[tuple[QueryClass, re.Pattern[str]], ...] = (
    (
        QueryClass.DECISION,
        re.compile(
            r"\bwhy (?:did|do|does|are|is|was|were|have|has|not|don'?t|didn'?t)\b"
            r"|\b(?:decid|chose|choose|chosen|choice|opted|rationale|reasoning|trade-?offs?|alternatives?)\w*"
            r"|\b(?:decision|decisions)\b|\b(?:reject|abandon|replac|supersed|adopt|settled on)\w*",
            re.IGNORECASE,
        ),
    ),
    (
        QueryClass.CURRENT_STATE,
        re.compile(
            r"\b(?:current|currently|right now|nowadays|at the moment|these days|latest|newest|most recent|today"
            r"|still|as of now|up to date|in production|status of)\b|\bstate of\b",
            re.IGNORECASE,
        ),
    ),
    (
        QueryClass.HISTORICAL,
        re.compile(
            r"\bwhen (?:did|was|were|had)\b|\b(?:history|previously|formerly|originally|initially|in the past|used to"
            r"|earlier|back then|timeline|evolution|evolve[ds]?|changelog|last (?:week|month|year|spring|summer|autumn"
            r"|fall|winter|time)|yesterday|ago|before we|first time|how long)\b"
            r"|\bwhat happened\b|\b(?:19|20)\d\d\b",
            re.IGNORECASE,
        ),
    ),
    (
        QueryClass.ARCHITECTURAL,
        re.compile(
            r"\b(?:architecture|architectural|design|designed|components?|modules?|layers?|services?|subsystems?"
            r"|schema|interfaces?|contract|protocol|depends? on|dependenc(?:y|ies)|structure[ds]?|integrat\w+"
            r"|data ?flow|how (?:does|do|is|are) .{0,60}\b(?:work|built|organi[sz]ed|connected|stored|deployed))\b",
            re.IGNORECASE,
        ),
    ),
)


def classify(query: str) -> QueryClass:
    """The first rule that fits, else `other`."""
    for query_class, pattern in _RULES:
        if pattern.search(query):
            return query_class
    return QueryClass.OTHER
