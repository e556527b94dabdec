"""How near a memory is to the entities that a query names: paths over relations, mentions and links (T5)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from trigraph.model.relation import RelationType
from trigraph.ranking.hubs import damping as damping

ABOUT = 0.15
ASKED_ABOUT = 1.0
"""What a memory about a named entity is worth; and where the query asks for that entity's relations."""
RELATION = 0.1
"""What a relation lets through of what reaches it, where the query asks for none."""
ASKED_BACK = 0.1
ASKED_OTHER = 0.8
ASKED = 0.9
"""What one lets through where the query asks for relations: against the way that is asked, of another kind, just so."""
MENTION = 0.05
"""What a mention lets through. The words of a name are the lexical leg's business; this is for what it may miss."""
LINK = 0.5
DRAWN_LINK = 0.2
"""What a link lets through that somebody drew, and one that the system did: likeness is the vector leg's business."""
BESIDE_BEST = 0.15
"""What a link that somebody drew to one of the best hits is worth to what likeness found as well."""
BESIDE = 0.3
"""What gets from a memory to the other things it speaks of."""
SECOND_HOP = 0.5
"""Two hops count less than one, beside what each of them costs."""
PLACE_DECAY = 0.02
"""What stands first in a list of references is a little nearer than what follows."""

_VERBS: tuple[tuple[RelationType, str, str], ...] = (
    (
        RelationType.DEPENDS_ON,
        r"depend(?:s|ed|ing)?\s+(?:up)?on|require[sd]?",
        r"dependenc\w+|prerequisites?|requirements?",
    ),
    (RelationType.IMPLEMENTS, r"implement(?:s|ed|ing)?", r"implementations?"),
    (RelationType.SUPERSEDES, r"super[sc]ede[sd]?|replace[sd]?|obsoletes?", r"replacements?"),
    (RelationType.EXTENDS, r"extend(?:s|ed)?|amend(?:s|ed)?|buil(?:ds?|t)\s+on", r"extensions?|amendments?"),
    (RelationType.REFERENCES, r"refer(?:s|ences?|enced)?(?:\s+to)?|cite[sd]?|mentions?", r"references|related"),
)
_ASKED = tuple(
    (type_, re.compile(rf"\b(?:{verb})\b", re.IGNORECASE), re.compile(rf"\b(?:{noun})\b", re.IGNORECASE))
    for type_, verb, noun in _VERBS
)


_BY = re.compile(r"\s+by\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """The relations that a query asks for: their kinds, and whether from what it names or towards it."""

    types: frozenset[RelationType] = frozenset()
    outgoing: bool = True

    @property
    def about(self) -> float:
        """What a memory about a named entity is worth."""
        return ASKED_ABOUT if self.types else ABOUT

    def weight(self, type_: RelationType, *, outgoing: bool, place: int) -> float:
        """What a relation lets through, seen from what the query names."""
        if not self.types:
            weight = RELATION
        elif outgoing is not self.outgoing:
            weight = ASKED_BACK
        else:
            weight = ASKED if type_ in self.types else ASKED_OTHER
        return weight / (1 + PLACE_DECAY * min(place, 10))


def relations_asked(query: str, names: Iterable[str]) -> Asked:
    """What a query asks for: "X depends on", "dependencies of X" from X; "what depends on X" towards it."""
    folded = query.casefold()
    place = min((folded.find(name.casefold()) for name in names if name.casefold() in folded), default=-1)
    types, outgoing = set(), True
    for type_, verb, noun in _ASKED:
        if noun.search(query):
            types.add(type_)
        elif match := verb.search(query):
            types.add(type_)
            passive = query[match.start() : match.end()].casefold().endswith("d") and _BY.match(query, match.end())
            outgoing = (not 0 <= match.end() <= place) is not bool(passive)
    return Asked(frozenset(types), outgoing)


@dataclass(slots=True)
class Nearness:
    """How near one memory is, over all paths to it; why, by its best path; and the passages where it was met."""

    score: float = 0.0
    best: float = 0.0
    why: str = ""
    passages: set[int] = field(default_factory=set)

    def add(self, path: float, passage: int, why: str) -> None:
        """One more path. Each counts for less than it would alone, and all together never reach 1."""
        self.score = 1 - (1 - self.score) * (1 - min(path, 0.99))
        if path > self.best:
            self.best, self.why = path, why
        self.passages.add(passage)
