"""Who a query asks about, by name: words that are written like names, held against those who speak.

What is asked and of whom are two things. A passage seldom names whoever says it, so a query is compared without the
names as well.
"""

from __future__ import annotations

import re
from functools import lru_cache

from trigraph.text.terms import STOP_WORDS

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_SPOKEN_OF = re.compile(r"([^\W\d_]+(?:-[^\W\d_]+)*)(?:['’]s)?")


def called(query: str) -> frozenset[str]:
    """Words of a query that may be names of people, in small letters: `API` and `getUser` are none, nor is `The`."""
    return frozenset(word.lower() for word in _WORD.findall(query) if _like_a_name(word))


@lru_cache(maxsize=4096)
def names_of(speaker: str) -> frozenset[str]:
    """The words that somebody may be called by."""
    return frozenset(word.lower() for word in _WORD.findall(speaker))


def without_names(query: str) -> tuple[str, frozenset[str]]:
    """A query without the words, past its first, that may be names; and those words, in small letters."""
    left, names = [], set()
    for place, word in enumerate(query.split()):
        match = _SPOKEN_OF.match(word)
        if place and match and _like_a_name(match.group(1)) and not word[match.end() :].strip(".,;:!?\"')”’"):
            names.add(match.group(1).lower())
        else:
            left.append(word)
    return " ".join(left), frozenset(names)


def _like_a_name(word: str) -> bool:
    return word[0].isupper() and word[1:].islower() and word.lower() not in STOP_WORDS
