"""Names in a text: those that stand out by their form, and where known ones occur.

A new entity needs strong evidence, and form is that: document ids, code identifiers, names in quotation marks.
Stop words, pronouns, bare numbers and markup never name anything.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from trigraph.model.memory import EntityType
from trigraph.text.terms import STOP_WORDS

NAME_LIMIT_CHARS = 120
NAME_LIMIT_WORDS = 10
LEAD_WORDS = 3
PIECES_MOST = 200_000
"""So many words of a text are compared with known names: some 1 MB."""

DOCUMENT_FAMILIES = frozenset("ADR BIP DEP DESIGN EIP ERC KEP PEP PRD RFC RFD SPEC TODO".split())

# A letter is followed by its marks: accents, and the vowel signs of scripts that write them so.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u0900-\u0903\u093a-\u094f"
    "\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a4d\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b4d\u0b82"
    "\u0bbe-\u0bcd\u0c00-\u0c04\u0c3e-\u0c4d\u0c81-\u0c83\u0cbc-\u0ccd\u0d00-\u0d03\u0d3b-\u0d4d\u0e31\u0e34-\u0e3a"
    "\u0e47-\u0e4e\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
)
_PIECE = re.compile(rf"(?:[^\W_][{_MARKS}]*)+")
_GAP = re.compile(r"[\s_\-./#:]{1,2}")
_JOINTS = frozenset(" \t\u00a0_-./#:")
_SENTENCE_GAP = re.compile(r"[.:]\s|\n")
_POSSESSIVE = re.compile(r"['’]s?$")

# What is looked through: fenced code, web addresses and tags are not prose.
_MASKED = re.compile(
    r"(?s:```.*?(?:```|\Z))|(?s:~~~.*?(?:~~~|\Z))|\b[a-z][a-z0-9+.-]{1,20}://\S+|[\w.+-]{1,64}@[\w-]+\.\w|</?[A-Za-z][^<>\n]{0,200}>|<!--"
)
_DOCUMENT_ID = re.compile(
    rf"(?<![\w{_MARKS}-])([A-Z][A-Z0-9]{{1,9}})(?:-|\s#|\s?#|(?<=[A-Z])\s)(\d{{1,6}})(?![\w]|[-.]\d)"
)
_BACKTICKED = re.compile(r"(?<!`)`([-.@/_]{0,2}\w++(?:[-./:#]{1,2}\w++)*(?:\(\))?)`(?!`)")
_SNAKE = re.compile(
    rf"(?<![\w./{_MARKS}-])_{{0,2}}[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+_{{0,2}}(?:\(\))?(?![\w/{_MARKS}-])"
)
_CAMEL = re.compile(
    rf"(?<![\w./{_MARKS}-])(?:[a-z]+[A-Z][A-Za-z0-9]*|[A-Z][a-z0-9]+[A-Z][A-Za-z0-9]*)(?:\(\))?(?![\w/{_MARKS}-])"
)
_FILE = re.compile(
    rf"(?<![\w/.{_MARKS}-])(?:[\w.-]+/)*[\w-]+(?:\.[\w-]+)*"
    r"\.(?:c|cc|cpp|cfg|css|csv|go|h|html|ini|java|js|json|jsonl|jsx|kt|lock|md|mjs|php|proto|py|rb|rs|scala|sh|sql|"
    rf"svelte|swift|tf|toml|ts|tsx|txt|vue|xml|yaml|yml)(?![\w/{_MARKS}-])"
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


class Piece(NamedTuple):
    """A run of letters and digits, as names are compared; `joined` when it may belong to a name begun before it."""

    key: str
    start: int
    end: int
    joined: bool


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
    pieces = _pieces(prose)
    return Names(text, tuple(_outstanding(prose)), tuple(pieces), frozenset(_leads(pieces)))


def name_key(name: str) -> str:
    """Names are compared case-folded, without punctuation, and a document's number without leading zeros."""
    words: list[str] = []
    for piece in _pieces(_POSSESSIVE.sub("", name.strip())):
        words.append(_number(piece.key) if words and words[-1].isalpha() else piece.key)
    return " ".join(words)


def lead_of(key: str) -> str:
    """The words by which a name is looked up: few names share them, however many begin with the same word."""
    return " ".join(key.split(" ", LEAD_WORDS)[:LEAD_WORDS])


def is_nameable(name: str) -> bool:
    """Whether this can name an entity at all."""
    words = [piece.key for piece in _pieces(name)]
    return (
        0 < len(words) <= NAME_LIMIT_WORDS
        and len(name) <= NAME_LIMIT_CHARS
        and any(char.isalpha() for char in name)
        and sum(len(word) for word in words) >= 2
        and not all(word in STOP_WORDS or word.isdigit() for word in words)
    )


def occurrences(names: Names, known: Mapping[str, Iterable[str]]) -> list[FoundName]:
    """Where known names stand in a text: `known` is name key → spellings of it. The longest wins."""
    longest: dict[str, int] = {}
    for key in known:
        words = key.split(" ")
        longest[words[0]] = max(longest.get(words[0], 0), len(words))
    found: list[FoundName] = []
    pieces, place = names.pieces, 0
    while place < len(pieces):
        matched = _longest_at(names, place, longest.get(pieces[place].key, 0), known)
        if matched is None:
            place += 1
            continue
        length, key = matched
        start, end = pieces[place].start, pieces[place + length - 1].end
        found.append(FoundName(names.text[start:end], key, EntityType.UNKNOWN, start, end, 0.9))
        place += length
    return found


def _longest_at(names: Names, place: int, most: int, known: Mapping[str, Iterable[str]]) -> tuple[int, str] | None:
    for length in range(min(most, len(names.pieces) - place), 0, -1):
        span = names.pieces[place : place + length]
        if not all(piece.joined for piece in span[1:]):
            continue
        key = " ".join(piece.key for piece in span)
        if key in known and _is_meant(names.text[span[0].start : span[-1].end], key, known[key]):
            return length, key
    return None


def _is_meant(surface: str, key: str, spellings: Iterable[str]) -> bool:
    """Whether the words are the name: `Go` is a language and `go` is not, `parse_config` is a function and
    `parse config` is prose. A number settles it: `SPEC 54` is SPEC-054."""
    if " " in key:
        compound = all(" " not in spelling for spelling in spellings)
        return not compound or not re.search(r"\s", surface) or key.rsplit(" ", 1)[1].isdigit()
    if key in STOP_WORDS:
        return False
    first = [match.group()[0] for spelling in spellings if (match := _PIECE.search(spelling))]
    return surface[0] in first or any(spelling.islower() for spelling in spellings)


def _pieces(text: str) -> list[Piece]:
    pieces: list[Piece] = []
    before, ended = "", -3
    for match in islice(_PIECE.finditer(text), PIECES_MOST):
        word = match.group()
        key = word.lower() if word.isascii() else _folded(word)
        start, end = match.span()
        joined = start - ended == 1 and text[ended] in _JOINTS
        if not joined and start - ended == 2:
            gap = text[ended:start]
            joined = _GAP.fullmatch(gap) is not None and _SENTENCE_GAP.search(gap) is None
        if joined and before.isalpha():
            key = _number(key)
        pieces.append(Piece(key, start, end, joined))
        before, ended = key, end
    return pieces


def _leads(pieces: Sequence[Piece]) -> Iterator[str]:
    for place, piece in enumerate(pieces):
        words = piece.key
        if words not in STOP_WORDS:
            yield words
        for follower in pieces[place + 1 : place + LEAD_WORDS]:
            if not follower.joined:
                break
            words = f"{words} {follower.key}"
            yield words


def _number(key: str) -> str:
    """A number as it is compared, after a word: without leading zeros."""
    return key.lstrip("0") or "0" if key.isdigit() else key


def _folded(word: str) -> str:
    """As names are compared: composed, case-folded, and composed again, for folding may take apart."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).casefold())
    return "".join(_PIECE.findall(folded))  # `½` comes apart at a stroke that is no letter


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
