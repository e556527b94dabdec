"""What a passage does, told by its form: whether it asks, tells a time or a number; and what a query is after.

English words, and the question marks of any language. It takes no names and no phrases of any one subject.
"""

from __future__ import annotations

import re

_ENDS = re.compile(r"[.!?\n？؟。！]+")
_ASKING = frozenset("?？؟")
_CLOSING = " \t\n\"'”’)]"
_WORD = re.compile(r"\w+")
_OWN = frozenset("i my me mine we our us".split())
_FOLDED = str.maketrans("İıſ", "iis")
_TIME = frozenset(
    "yesterday today tomorrow tonight last next ago since recently soon weekend weekends week weeks month months year "
    "years day days monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday "
    "saturdays sunday sundays january february march april may june july august september october november "
    "december".split()
)
_NUMBER = frozenset(
    "one two three four five six seven eight nine ten eleven twelve dozen hundred thousand once twice several couple "
    "few half".split()
)
_YEAR_DIGITS = 4
_AFTER_TIME = re.compile(
    r"^\W*(?:(?:and|so)\s+)?(?:when\b|since when\b|how long ago\b|(?:on |in |during |at )?(?:what|which)\s+(?:\w+\s+)?"
    r"(?:date|day|week|month|season|year|time)\b)",
    re.IGNORECASE,
)
_AFTER_NUMBER = re.compile(
    r"^\W*(?:(?:and|so)\s+)?how (?:many|much|long|often|old|far|big|large|fast)\b", re.IGNORECASE
)


def asking(text: str) -> tuple[float, bool]:
    """The share of a passage's sentences that ask, and whether it ends with one that does."""
    if "?" not in text and "？" not in text and "؟" not in text:
        return 0.0, False
    ends = _ENDS.findall(text)
    questions = sum(not _ASKING.isdisjoint(end) for end in ends)
    stripped = text.rstrip(_CLOSING)
    unended = stripped[-1:].isalnum()
    return questions / max(len(ends) + unended, 1), not _ASKING.isdisjoint(stripped[-2:])


def words_of(text: str) -> frozenset[str]:
    """The words of a passage as the questions below ask for them."""
    plain = text if text.isascii() else text.translate(_FOLDED)
    return frozenset(_WORD.findall(plain.lower()))


def of_speaker(words: frozenset[str]) -> bool:
    """Whether it speaks of whoever says it."""
    return not _OWN.isdisjoint(words)


def tells_time(words: frozenset[str]) -> bool:
    """Whether it says when."""
    return not _TIME.isdisjoint(words) or any(len(word) == _YEAR_DIGITS and word.isdecimal() for word in words)


def tells_number(words: frozenset[str]) -> bool:
    """Whether it says how many."""
    return not _NUMBER.isdisjoint(words) or any(map(str.isdecimal, words))


def after_time(query: str) -> bool:
    """Whether the query asks when something was."""
    return _AFTER_TIME.search(query) is not None


def after_number(query: str) -> bool:
    """Whether the query asks for an amount."""
    return _AFTER_NUMBER.search(query) is not None
