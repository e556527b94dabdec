"""The words of a text at their places, each with the stem under which it is compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import Stemmer

from trigraph.text.polarity import keys_of
from trigraph.text.quantities import Quantity
from trigraph.text.terms import STOP_WORDS
from trigraph.text.wording import SAME_WORDS, WEIGHTLESS

_TOKEN = re.compile(r"[#@/]?\w+(?:[-./_:@#+'’]+\w+)*/?(?:\(\))?|[.,;:!?()]")
_IDENTIFIER = re.compile(r"[_/@#.]|\d|[a-z][A-Z]|\(\)$")
_CAPITAL = re.compile(r"[A-Z]")
_POSSESSIVE = re.compile(r"['’]s?$")
_PLAIN_HYPHENS = re.compile(r"[A-Za-z]+(?:-[a-z]+)+")
_STEMMER_LANGUAGE = "english"
_SENTENCE_END = frozenset(".!?:")


@dataclass(frozen=True, slots=True)
class Word:
    """A word at its place. `stem` is empty for words without weight; `named` when its form says it is a name."""

    token: str
    stem: str
    start: int
    end: int
    named: bool
    keys: frozenset[str] = frozenset()


def words_of(text: str, quantities: Sequence[Quantity]) -> tuple[Word, ...]:
    """All words and marks; what lies inside a quantity is `#`."""
    stemmer = Stemmer.Stemmer(_STEMMER_LANGUAGE)
    found: list[Word] = []
    opening = True
    for match in _TOKEN.finditer(text):
        surface = match.group()
        if any(one.start < match.end() and match.start() < one.end for one in quantities):
            inside = next(one for one in quantities if one.start < match.end() and match.start() < one.end)
            if match.end() <= inside.end or _POSSESSIVE.sub("", surface) == text[match.start() : inside.end]:
                found.append(Word("#", "", match.start(), match.end(), False))
                opening = False
                continue
        if not surface[0].isalnum() and len(surface) == 1:
            found.append(Word(surface, "", match.start(), match.end(), False))
            opening = opening or surface in _SENTENCE_END
            continue
        parts = _parts(surface)
        for part in parts:
            found.append(_word(part, match.start(), match.end(), opening, stemmer))
            opening = False
    return tuple(found)


def _parts(surface: str) -> list[str]:
    """`dead-letter` is two words, `non-unique` is one, `read_timeout` is a name."""
    if not _PLAIN_HYPHENS.fullmatch(surface):
        return [surface]
    parts = surface.split("-")
    return ["non" + parts[1], *parts[2:]] if parts[0].lower() == "non" else parts


def _word(surface: str, start: int, end: int, opening: bool, stemmer: Stemmer.Stemmer) -> Word:
    bare = _POSSESSIVE.sub("", surface) if not surface.endswith("n't") else surface
    token = bare.lower()
    named = bool(_IDENTIFIER.search(bare)) or (
        (not opening and (token not in STOP_WORDS or bare.isupper()) and bare != "I" and bool(_CAPITAL.match(bare)))
        or (len(bare) > 1 and bare.isupper() and bare.isalpha())
    )
    shouted = bare.isupper() and bare != "I" and not opening  # `US`, `IT`, `module A`
    if (token in STOP_WORDS or token in WEIGHTLESS or token.endswith("n't")) and not shouted:
        return Word(token, "", start, end, False)
    known = SAME_WORDS.get(token)
    if known is None:
        stem = token if _IDENTIFIER.search(bare) else stemmer.stemWord(token)
        known = SAME_WORDS.get(stem, stem)
    return Word(token, known, start, end, named, keys_of(token, known))
