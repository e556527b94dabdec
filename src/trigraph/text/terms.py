"""One analyser for index, query and rescoring: text → stemmed terms without stop words."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterable
from datetime import datetime
from itertools import pairwise

import Stemmer

STOP_WORDS = frozenset(
    """
    a about above after again against all am an and any are as at be because been before being below between
    both but by can could did do does doing down during each few for from further had has have having he her
    here hers herself him himself his how i if in into is it its itself just me more most my myself no nor
    not now of off on once only or other our ours ourselves out over own same she should so some such than
    that the their theirs them themselves then there these they this those through to too under until up very
    was we were what when where which while who whom why will with would you your yours yourself yourselves
    also s t d ll m o re ve
    """.split()
)

_WORD = re.compile(r"[^\W_]+")
# Only from the start of a word: else a text of one very long word costs the square of its length.
_COMPOUND = re.compile(r"(?<![^\W_])[^\W_]++(?:[-_./:#][^\W_]++)+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_APOSTROPHE = re.compile(r"['’](?=\w)")
_LATIN_MARKS = re.compile(r"[\u0300-\u036f]")
_UNSEGMENTED = re.compile(r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
_MONTHS = "january february march april may june july august september october november december".split()

_local = threading.local()


def analyse(text: str) -> list[str]:
    """The terms of a text in order, with repetitions.

    Words are case-folded, freed of Latin accents and stemmed; compounds (`SPEC-054`, `parse_config`,
    `getUserById`) give their parts and, run together, the whole; scripts written without spaces give
    pairs of characters.
    """
    terms: list[str] = []
    for word in _WORD.findall(_APOSTROPHE.sub(" ", _composed(text))):
        if word.isascii():
            parts = _CAMEL.split(word)
            whole = [word] if len(parts) > 1 else []
            terms.extend(part.lower() for part in (*parts, *whole) if part.lower() not in STOP_WORDS)
        elif _UNSEGMENTED.search(word):
            terms.extend(_pairs(word))
        else:
            terms.append(_without_accents(word).casefold())  # after the stop words: thé is not the
    terms.extend(_compounds(text))
    return _stemmer().stemWords(terms)  # type: ignore[no-any-return]


def identifiers(text: str) -> list[str]:
    """Names that a person would search by a part of: compounds and camelCase words, lower-cased, each once."""
    found = [match for match in _COMPOUND.findall(text) if _names_something(match)]
    found += [word for word in _WORD.findall(text) if word.isascii() and len(_CAMEL.split(word)) > 1]
    return list(dict.fromkeys(name.lower() for name in found))


def date_terms(instant: datetime) -> list[str]:
    """The words by which people name a day: year, month, day of the month."""
    return analyse(f"{instant.year} {_MONTHS[instant.month - 1]} {instant.day}")


def topic_key(topic: str) -> str:
    """Topics are compared case-folded, with space, `-` and `_` equal."""
    return re.sub(r"[\s_-]+", " ", unicodedata.normalize("NFKC", topic)).strip().casefold()


def _compounds(text: str) -> Iterable[str]:
    for match in _COMPOUND.findall(text):
        if _names_something(match):
            yield re.sub(r"[\W_]+", "", _without_accents(match)).casefold()


def _names_something(compound: str) -> bool:
    """`well-known` is prose; `SPEC-054`, `parse_config` and `api.v2` are names."""
    return "_" in compound or any(char.isdigit() for char in compound) or "." in compound or "/" in compound


def _composed(text: str) -> str:
    """Text in which a letter and its accents are one character; accents that have no such form are dropped."""
    return text if text.isascii() else _LATIN_MARKS.sub("", unicodedata.normalize("NFKC", text))


def _without_accents(word: str) -> str:
    return word if word.isascii() else _LATIN_MARKS.sub("", unicodedata.normalize("NFKD", word))


def _pairs(word: str) -> Iterable[str]:
    for run in _UNSEGMENTED.findall(word):
        if len(run) == 1:
            yield run
        for left, right in pairwise(run):
            yield left + right
    for rest in _UNSEGMENTED.split(word):
        if rest:
            yield rest.casefold()


def _stemmer() -> Stemmer.Stemmer:
    """One per thread: a stemmer is not re-entrant."""
    if not hasattr(_local, "stemmer"):
        _local.stemmer = Stemmer.Stemmer("english")
    return _local.stemmer
