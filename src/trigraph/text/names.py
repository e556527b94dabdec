"""Names in a text: those that stand out by their form, and where known ones occur.

A new entity needs strong evidence, and form is that: document ids, code identifiers, names in quotation marks.
Stop words, pronouns, bare numbers and markup never name anything.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from trigraph.model.memory import EntityType
from trigraph.text.terms import STOP_WORDS

NAME_LIMIT_CHARS = 120
NAME_LIMIT_WORDS = 10
PIECES_MOST = 200_000
"""So many words of a text are compared with known names: some 1 MB."""

DOCUMENT_FAMILIES = frozenset("ADR BIP DEP DESIGN EIP ERC FIP KEP PEP PRD RFC RFD SPEC TODO".split())

_PIECE = re.compile(r"[^\W_]+")
_GAP = re.compile(r"[\s_\-./#:]{1,2}")
_SENTENCE_GAP = re.compile(r"[.:]\s|\n")
_POSSESSIVE = re.compile(r"['’]s?$")

# What is looked through: fenced code, web addresses and tags are not prose.
_MASKED = re.compile(
    r"(?s:```.*?(?:```|\Z))|(?s:~~~.*?(?:~~~|\Z))|\b[a-z][a-z0-9+.-]{1,20}://\S+|</?[A-Za-z][^<>\n]{0,200}>|<!--"
)
_DOCUMENT_ID = re.compile(r"(?<![\w-])([A-Z][A-Z0-9]{1,9})(?:-|\s#|\s?#|(?<=[A-Z])\s)(\d{1,6})(?![\w]|[-.]\d)")
_BACKTICKED = re.compile(r"(?<!`)`([^`\s]{2,80})`(?!`)")
_SNAKE = re.compile(r"(?<![\w./-])_{0,2}[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+_{0,2}(?:\(\))?(?![\w/-])")
_CAMEL = re.compile(r"(?<![\w./-])(?:[a-z]+[A-Z][A-Za-z0-9]*|[A-Z][a-z0-9]+[A-Z][A-Za-z0-9]*)(?:\(\))?(?![\w/-])")
_FILE = re.compile(
    r"(?<![\w/.-])(?:[\w.-]+/)*[\w-]+(?:\.[\w-]+)*"
    r"\.(?:c|cc|cpp|cfg|css|csv|go|h|html|ini|java|js|json|jsonl|jsx|kt|lock|md|mjs|php|proto|py|rb|rs|scala|sh|sql|"
    r"svelte|swift|tf|toml|ts|tsx|txt|vue|xml|yaml|yml)(?![\w/-])"
)
_QUOTED = re.compile(r"[\"“]([^\"“”\n]{3,60})[\"”]")
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
class Piece:
    """A run of letters and digits, as names are compared; `joined` when it may belong to a name begun before it."""

    key: str
    start: int
    end: int
    joined: bool


@dataclass(frozen=True, slots=True)
class Names:
    """What a text holds for linking: names that stand out by themselves, and all its pieces in order."""

    text: str
    outstanding: tuple[FoundName, ...]
    pieces: tuple[Piece, ...]

    @property
    def first_words(self) -> set[str]:
        """Every word that a known name could begin with here."""
        return {piece.key for piece in self.pieces if piece.key not in STOP_WORDS}


def names_in(text: str) -> Names:
    """The names that stand out in a text, and its pieces."""
    prose = _MASKED.sub(lambda match: " " * len(match.group()), text)
    return Names(text, tuple(_outstanding(prose)), tuple(_pieces(prose)))


def name_key(name: str) -> str:
    """Names are compared case-folded, without punctuation, and a document's number without leading zeros."""
    return " ".join(piece.key for piece in _pieces(_POSSESSIVE.sub("", name.strip())))


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
    return any(spelling.islower() or surface[0] == spelling[0] or surface == spelling for spelling in spellings)


def _pieces(text: str) -> list[Piece]:
    pieces: list[Piece] = []
    for match in _PIECE.finditer(text):
        word = match.group() if match.group().isascii() else unicodedata.normalize("NFKC", match.group())
        key, joined = word.casefold(), False
        if pieces:
            gap = text[pieces[-1].end : match.start()]
            joined = len(gap) <= 2 and bool(_GAP.fullmatch(gap)) and not _SENTENCE_GAP.search(gap)
            if joined and key.isdigit() and pieces[-1].key.isalpha():
                key = key.lstrip("0") or "0"
        pieces.append(Piece(key, match.start(), match.end(), joined))
        if len(pieces) == PIECES_MOST:
            break
    return pieces


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
    name = surface.removesuffix("()").strip(".,:;-*")
    start += surface.index(name) if name else 0
    key = name_key(name)
    if is_nameable(name) and key not in _LITERALS and not _is_measure(surface):
        found.append(FoundName(name, key, type_, start, start + len(name), confidence))


def _is_measure(name: str) -> bool:
    """Versions, sizes, dates and flags in backticks name nothing."""
    return re.fullmatch(r"v?\d[\w.,:%+-]*|-{1,2}[\w-]+|[^A-Za-z]*", name) is not None


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


__all__ = ["DOCUMENT_FAMILIES", "FoundName", "Names", "is_nameable", "name_key", "names_in", "occurrences", "outermost"]
