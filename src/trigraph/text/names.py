"""Names in a text: those that stand out by their form, and where known ones occur.

A new entity needs strong evidence, and form is that: document ids, code identifiers, names in quotation marks.
Stop words, pronouns, bare numbers and markup never name anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from trigraph.model.memory import EntityType
from trigraph.text.pieces import MARKS, Piece, known_in, leads_in, pieces_of
from trigraph.text.pieces import lead_of as lead_of
from trigraph.text.pieces import name_key as name_key
from trigraph.text.terms import STOP_WORDS

NAME_LIMIT_CHARS = 120
NAME_LIMIT_WORDS = 10

DOCUMENT_FAMILIES = frozenset("ADR BIP DEP DESIGN EIP ERC KEP PEP PRD RFC RFD SPEC TODO".split())

# What is looked through: fenced code, web addresses and tags are not prose.
_MASKED = re.compile(
    r"(?s:```.*?(?:```|\Z))|(?s:~~~.*?(?:~~~|\Z))|\b[a-z][a-z0-9+.-]{1,20}://\S+|[\w.+-]{1,64}@[\w-]+\.\w|</?[A-Za-z][^<>\n]{0,200}>|<!--"
)
_DOCUMENT_ID = re.compile(
    rf"(?<![\w{MARKS}-])([A-Z][A-Z0-9]{{1,9}})(?:-|\s#|\s?#|(?<=[A-Z])\s)(\d{{1,6}})(?![\w]|[-.]\d)"
)
_BACKTICKED = re.compile(r"(?<!`)`([-.@/_]{0,2}\w++(?:[-./:#]{1,2}\w++)*(?:\(\))?)`(?!`)")
_SNAKE = re.compile(
    rf"(?<![\w./{MARKS}-])_{{0,2}}[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+_{{0,2}}(?:\(\))?(?![\w/{MARKS}-])"
)
_CAMEL = re.compile(
    rf"(?<![\w./{MARKS}-])(?:[a-z]+[A-Z][A-Za-z0-9]*|[A-Z][a-z0-9]+[A-Z][A-Za-z0-9]*)(?:\(\))?(?![\w/{MARKS}-])"
)
_FILE = re.compile(
    rf"(?<![\w/.{MARKS}-])(?:[\w.-]+/)*[\w-]+(?:\.[\w-]+)*"
    r"\.(?:c|cc|cpp|cfg|css|csv|go|h|html|ini|java|js|json|jsonl|jsx|kt|lock|md|mjs|php|proto|py|rb|rs|scala|sh|sql|"
    rf"svelte|swift|tf|toml|ts|tsx|txt|vue|xml|yaml|yml)(?![\w/{MARKS}-])"
)
_QUOTED = re.compile(r"[\"“]([^\"“”\n]{3,60})[\"”]")
_EDGES = ".,:;-*<>()[]{}=+!?|&^%$~'\""
_SMALL = frozenset("a an and at by de for from in la le of on or the to und van von with".split())
_LITERALS = frozenset(
    """
    true false null none nil undefined nan int str string float bool list dict set tuple object void self this
    todo fixme xxx note yes no ok
    """.split()
)


@dataclass(frozen=True, slots=True)
class FoundName:
    """A name at its place in a text, and what sort of thing its form says it is."""

    name: str
    key: str
    type: EntityType
    start: int
    end: int
    confidence: float


@dataclass(frozen=True, slots=True)
class Names:
    """What a text holds for linking: names that stand out by themselves, all its pieces in order, and everything
    that could be the lead of a known name."""

    text: str
    outstanding: tuple[FoundName, ...]
    pieces: tuple[Piece, ...]
    leads: frozenset[str]


def names_in(text: str) -> Names:
    """The names that stand out in a text, and its pieces."""
    prose = _MASKED.sub(lambda match: " " * len(match.group()), text)
    pieces = pieces_of(prose)
    return Names(text, tuple(_outstanding(prose)), tuple(pieces), frozenset(leads_in(pieces)))


def is_nameable(name: str) -> bool:
    """Whether this can name an entity at all."""
    words = [piece.key for piece in pieces_of(name)]
    return (
        0 < len(words) <= NAME_LIMIT_WORDS
        and len(name) <= NAME_LIMIT_CHARS
        and any(char.isalpha() for char in name)
        and sum(len(word) for word in words) >= 2
        and not all(word in STOP_WORDS or word.isdigit() for word in words)
    )


def occurrences(names: Names, known: Mapping[str, Iterable[str]]) -> list[FoundName]:
    """Where known names stand in a text: `known` is name key → spellings of it. The longest wins."""
    return [
        FoundName(names.text[start:end], key, EntityType.UNKNOWN, start, end, 0.9)
        for key, start, end in known_in(names.text, names.pieces, known)
    ]


def _outstanding(prose: str) -> list[FoundName]:
    """Names by their form, in order, without those that lie inside another."""
    found: list[FoundName] = []
    for match in _DOCUMENT_ID.finditer(prose):
        family = match.group(1)
        if "-" not in match.group() and family not in DOCUMENT_FAMILIES:
            continue  # `HTTP 404` is no document
        type_ = EntityType.DOCUMENT if family in DOCUMENT_FAMILIES else EntityType.UNKNOWN
        _take(found, match.group(), match.start(), type_, 1.0)
    for match in _BACKTICKED.finditer(prose):
        _take(found, match.group(1), match.start(1), EntityType.UNKNOWN, 0.9)
    for pattern in (_FILE, _SNAKE, _CAMEL):
        for match in pattern.finditer(prose):
            _take(found, match.group(), match.start(), EntityType.UNKNOWN, 0.9)
    for match in _QUOTED.finditer(prose):
        if _is_title(match.group(1)):
            _take(found, match.group(1), match.start(1), EntityType.UNKNOWN, 0.7)
    return outermost(found)


def _take(found: list[FoundName], surface: str, start: int, type_: EntityType, confidence: float) -> None:
    name = surface.removesuffix("()").strip(_EDGES)
    start += surface.index(name) if name else 0
    key = name_key(name)
    if is_nameable(name) and key not in _LITERALS and not _is_measure(surface):
        found.append(FoundName(name, key, type_, start, start + len(name), confidence))


def _is_measure(name: str) -> bool:
    """Versions, sizes, dates, units (`kB`) and flags name nothing."""
    return re.fullmatch(r"v?\d[\w.,:%+-]*|-{1,2}[\w-]+|[^A-Za-z]*|[a-zA-Z]{1,2}[A-Z]", name) is not None


def _is_title(quoted: str) -> bool:
    """Two to six words, each capitalised but for the small ones; no sentence."""
    words = quoted.split()
    return (
        2 <= len(words) <= 6
        and not quoted.rstrip().endswith((".", "!", "?", ",", ";", ":"))
        and all(word[0].isupper() or word[0].isdigit() or word.casefold() in _SMALL for word in words)
        and sum(word[0].isupper() and word.casefold() not in STOP_WORDS for word in words) >= 2
        and words[0][0].isupper()
    )


def outermost(found: Iterable[FoundName]) -> list[FoundName]:
    """In order, without those that lie inside another; of two at one place the first given."""
    ordered = sorted(found, key=lambda one: (one.start, -one.end))
    kept: list[FoundName] = []
    for one in ordered:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept
