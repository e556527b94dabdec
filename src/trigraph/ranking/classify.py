"""What a query is after, by rules (T14)."""

from __future__ import annotations

import re

from trigraph.model.query import QueryClass

_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_ACTED = r"\b(?:we|us|i|they|team|was|were|been|are|being)\b[^.?!]{0,30}\b"
"""Words of choosing count only where somebody chose: `how do I replace the battery` asks for no decision."""


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


# Tried in this order: a question about why beats one about now, both beat one about then.
_RULES: tuple[tuple[QueryClass, re.Pattern[str]], ...] = (
    (
        QueryClass.DECISION,
        _any(
            r"\bwhy\b",
            r"\b(?:decid|decision|rationale|reasoning|trade-?off|settled? on|approved?)\w*",
            r"\breasons? (?:for|behind|to|why|not)\b",
            r"\b(?:made|led|convinced) us\b",
            r"\b(?:did|do|have) we agree",
            _ACTED + r"(?:chose|choose|chosen|consider|opted|pick|select|reject|abandon|replac|supersed|adopt|drop)\w*",
        ),
    ),
    (
        QueryClass.CURRENT_STATE,
        _any(
            r"\b(?:current|currently|right now|nowadays|at the moment|these days|as of now|up to date|today|still)\b",
            r"\b(?:latest|newest|most recent|in production|status of|state of|this (?:week|month|sprint)|so far)\b",
            r"\b(?:do next|blockers?|remain(?:s|ing)|left to do|to be done)\b",
            r"\bopen (?:tasks?|issues?|questions?|items?|todos?|prs?|bugs?)\b",
            r"\bdo(?:es)? .{1,40} stand\b",
            r"\bnow\b\W*$",
        ),
    ),
    (
        QueryClass.HISTORICAL,
        _any(
            r"\bwhen (?:did|was|were|had)\b",
            r"\b(?:history of|previously|formerly|original(?:ly)?|initially|in the past|used to|earlier|back then)\b",
            r"\b(?:timeline|evolution|evolve[ds]?|changelog|yesterday|ago|before|first time)\b",
            r"\b(?:last|past) (?:\w+ )?(?:day|week|month|year|spring|summer|autumn|fall|winter|time)s?\b",
            r"\b(?:last|past) (?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
            r"\bhow long (?:did|was|were|had|has|have)\b",
            r"\bwhat (?:happened|changed)\b",
            rf"\bin (?:(?:19|20)\d\d|{_MONTHS})\b",
            r"\b(?:since|until|during|by) (?:19|20)\d\d\b",
        ),
    ),
    (
        QueryClass.ARCHITECTURAL,
        _any(
            r"\b(?:architecture|architectural|designed|design of|components?|modules?|layers?|subsystems?)\b",
            r"\b(?:microservices?|schema|tables?|interfaces?|protocol|structure[ds]?|integrat\w+|data ?flow)\b",
            r"\bservices? \w",
            r"\b(?:depends? on|dependenc(?:y|ies))\b",
            r"\bhow (?:does|do|is|are) .{0,60}\b(?:work|built|organi[sz]ed|connected|stored|deployed|invalidated)\b",
            r"\bhow (?:does|do|is|are) .{0,60}\b(?:communicate|flow|handled|implemented)\b",
            r"\b(?:what|who|which \w+) (?:calls?|imports?|implements?|reads?|writes?)\b",
            r"\b(?:does|do|is|are|gets?) .{0,40}\b(?:written|stored|called|read|defined|implemented)\b",
        ),
    ),
)


def classify(query: str) -> QueryClass:
    """The first rule that fits, else `other`."""
    for query_class, pattern in _RULES:
        if pattern.search(query):
            return query_class
    return QueryClass.OTHER
