"""The pieces of a text of which names are made, and where known names stand among them.

Imports nothing that takes time: hooks look for names, too.
"""

from __future__ import annotations

import re
import unicodedata
from collections import namedtuple
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from trigraph.text.terms import STOP_WORDS

LEAD_WORDS = 3
PIECES_MOST = 200_000
"""So many words of a text are compared with known names: some 1 MB."""

# A letter is followed by its marks: accents, and the vowel signs of scripts that write them so.
MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u0900-\u0903\u093a-\u094f"
    "\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a4d\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b4d\u0b82"
    "\u0bbe-\u0bcd\u0c00-\u0c04\u0c3e-\u0c4d\u0c81-\u0c83\u0cbc-\u0ccd\u0d00-\u0d03\u0d3b-\u0d4d\u0e31\u0e34-\u0e3a"
    "\u0e47-\u0e4e\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
)
_PIECE = re.compile(rf"(?:[^\W_][{MARKS}]*)+")
_GAP = re.compile(r"[\s_\-./#:]{1,2}")
_JOINTS = frozenset(" \t\u00a0_-./#:")
_SENTENCE_GAP = re.compile(r"[.:]\s|\n")
_POSSESSIVE = re.compile(r"['’]s?$")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    class Piece(NamedTuple):
        """A run of letters and digits, as names are compared; `joined` when it may belong to a name begun before it."""

        key: str
        start: int
        end: int
        joined: bool
else:
    Piece = namedtuple("Piece", "key start end joined")  # typing takes 6 ms to import


def name_key(name: str) -> str:
    """Names are compared case-folded, without punctuation, and a document's number without leading zeros."""
    words: list[str] = []
    for piece in pieces_of(_POSSESSIVE.sub("", name.strip())):
        words.append(_number(piece.key) if words and words[-1].isalpha() else piece.key)
    return " ".join(words)


def lead_of(key: str) -> str:
    """The words by which a name is looked up: few names share them, however many begin with the same word."""
    return " ".join(key.split(" ", LEAD_WORDS)[:LEAD_WORDS])


def known_in(text: str, pieces: Sequence[Piece], known: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, int, int]]:
    """Known names that stand in a text, with where they begin and end: `known` is name key → spellings of it. The
    longest wins."""
    longest: dict[str, int] = {}
    for key in known:
        words = key.split(" ")
        longest[words[0]] = max(longest.get(words[0], 0), len(words))
    place = 0
    while place < len(pieces):
        matched = _longest_at(text, pieces, place, longest.get(pieces[place].key, 0), known)
        if matched is None:
            place += 1
            continue
        length, key = matched
        yield key, pieces[place].start, pieces[place + length - 1].end
        place += length


def pieces_of(text: str) -> list[Piece]:
    """The runs of letters and digits of a text, in order."""
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


def leads_in(pieces: Sequence[Piece]) -> Iterator[str]:
    """Everything that could be the lead of a known name."""
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


def _longest_at(
    text: str, pieces: Sequence[Piece], place: int, most: int, known: Mapping[str, Iterable[str]]
) -> tuple[int, str] | None:
    for length in range(min(most, len(pieces) - place), 0, -1):
        span = pieces[place : place + length]
        if not all(piece.joined for piece in span[1:]):
            continue
        key = " ".join(piece.key for piece in span)
        if key in known and _is_meant(text[span[0].start : span[-1].end], key, known[key]):
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
