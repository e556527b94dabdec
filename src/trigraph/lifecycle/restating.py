"""Whether a text says nothing that another does not say already: a restatement is not stored again.

What is wrongly stored twice costs a row; what is wrongly called a restatement is lost. So every word has to be
accounted for, in both directions: a narrower statement does not say what a wider one says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from trigraph.lifecycle.frames import Frame
from trigraph.text.polarity import is_complement, opposites_key
from trigraph.text.slots import Reading
from trigraph.text.terms import STOP_WORDS
from trigraph.text.wording import CHANGES, FREE_WORDS, SYNONYMS, WEIGHTLESS, WORD_CLASSES
from trigraph.text.words import Word

SHORT_WORDS = 3
"""A text of so few words of weight has none to spare: synonyms and derivations are not trusted in it."""
ROOT_CHARS = 4

_SUFFIXES = ("ation", "ment", "ion", "er", "or", "al", "anc", "enc", "ur", "e", "i", "y")
_EMPTY = frozenset("get give have make do need use go put".split())
_DIRECTED = frozenset("in to from than before after then over under into on behind against with for".split())
_SHOUTED = re.compile(r"\b[A-Z][A-Z0-9]+\b")
_PLACING = frozenset("in on at from to with for into by about".split())
_SETTING_ASIDE = frozenset("rather than instead replac".split())
_UNWEIGHED = STOP_WORDS | WEIGHTLESS
_BE = frozenset(("is", "are", "was", "were"))
_PARTING = frozenset([",", "and", "or"])
_BETWEEN_ITEMS = _PARTING | {"the", "a", "an"}

DENIED = "One denies what the other affirms."


def lost(older: Reading, newer: Reading, frame: Frame, *, exactly: bool) -> str | None:
    """What would be lost if `newer` were not stored because `older` is there; None if nothing would.

    `exactly`: without a model to vouch for the rest, the words of weight have to be the same.
    """
    if frame.older_quantities or frame.newer_quantities:
        return "Their numbers, dates or versions differ."
    if (older.names - newer.content) or (newer.names - older.content) or _shouted(older) != _shouted(newer):
        return "Their names differ."
    if denies(older, newer):
        return DENIED
    if newer.ended != older.ended or newer.past != older.past or (newer.corrects and not older.corrects):
        return "One tells of an end or a correction."
    if _classes(older) ^ _classes(newer) - _granted(older, newer):
        return "It says it of others, or in another way."
    if exactly and older.content != newer.content:
        return "It adds something of its own."
    if not _accounted(older, newer, frame):
        return "It adds something of its own."
    if not _same_roles(older, newer):
        return "The same words in other places."
    return None


def denies(older: Reading, newer: Reading) -> bool:
    """Whether one denies what the other affirms, each `not` and each opposite counted: `not public` is `private`."""
    aside = older.displaced | newer.displaced
    if any(newer.signs.get(key, sign) * sign < 0 and key not in aside for key, sign in older.signs.items()):
        return True
    return not aside and (_turns(older, newer) - _turns(newer, older)) % 2 == 1


def _turns(reading: Reading, other: Reading) -> int:
    """How often a text turns its sense round, by negations and by words on the negative side that the other lacks."""
    alone = {word.stem: word for word in reading.words if word.stem and word.stem not in other.content}
    return reading.denials + sum(_is_negative(word, other) for word in alone.values())


def _is_negative(word: Word, other: Reading) -> bool:
    key, sign = opposites_key(word.stem)
    if sign < 0:
        return is_complement(key)
    return any(other.signs.get(one) for one in word.keys - {key})


def _shouted(reading: Reading) -> frozenset[str]:
    """Words in capitals: `US` is not `us`."""
    return frozenset(
        match.group()
        for match in _SHOUTED.finditer(reading.text)
        if not any(one.start <= match.start() < one.end for one in reading.quantities)
    )


def _classes(reading: Reading) -> frozenset[str]:
    """Words without weight that nevertheless say something: all, some, only, there, she, usually."""
    found = set()
    for place, word in enumerate(reading.words):
        if word.stem or word.token in FREE_WORDS or word.token not in _UNWEIGHED:
            continue
        following = reading.words[place + 1].token if place + 1 < len(reading.words) else ""
        if word.token != "there" or following not in _BE:
            found.add(WORD_CLASSES.get(word.token, word.token))
    return frozenset(found)


def _granted(older: Reading, newer: Reading) -> frozenset[str]:
    """Words that only say again what was compared: `never off` is `always on`, `not X` is `rather than X`."""
    always = {"all"} if older.denials != newer.denials else set()
    if older.displaced and older.displaced == newer.displaced:
        return frozenset({*always, *_SETTING_ASIDE, *(CHANGES if older.brought == newer.brought else ())})
    return frozenset(always)


def _placing(reading: Reading) -> frozenset[str]:
    return frozenset(word.token for word in reading.words) & _PLACING


def _accounted(older: Reading, newer: Reading, frame: Frame) -> bool:
    """Whether each word of weight of one has its like in the other."""
    granted = _granted(older, newer)
    sides = [
        {word.stem: word for word in reading.words if word.stem and word.stem not in granted}
        for reading in (older, newer)
    ]
    alone = [
        {stem: word for stem, word in side.items() if stem not in other}
        for side, other in ((sides[0], sides[1]), (sides[1], sides[0]))
    ]
    short = min(len(side) for side in sides) + len(older.quantities) <= SHORT_WORDS
    placing = [_placing(reading) for reading in (older, newer)]
    if short and not (placing[0] <= placing[1] or placing[1] <= placing[0]):
        return False
    empty = 0
    for own, those in ((alone[0], sides[1]), (alone[1], sides[0])):
        others = {stem: word for stem, word in those.items() if stem not in sides[0] or stem not in sides[1]}
        rest = [
            word
            for word in own.values()
            if not any(_is_complement_of(word, other) for other in others.values())
            and (short or not any(_is_like(word.stem, other, {*those, *own}) for other in those))
        ]
        if any(word.stem not in _EMPTY for word in rest) or (rest and short):
            return False
        empty += bool(rest)
    return empty <= 1


def _is_complement_of(word: Word, other: Word) -> bool:
    """`not public` and `private`, `never disabled` and `enabled`; that the signs agree is seen before."""
    one, another = opposites_key(word.stem), opposites_key(other.stem)
    if one[0] == another[0]:
        return one[1] != another[1] and is_complement(one[0])
    return bool(word.keys & other.keys) and (len(word.keys) > 1 or len(other.keys) > 1)


def _is_like(stem: str, other: str, known: set[str]) -> bool:
    """A synonym of the small list, another form of the same root, or a compound written together: `flowerpot`."""
    if SYNONYMS.get(stem, stem) == SYNONYMS.get(other, other):
        return True
    short, long = sorted((stem, other), key=len)
    if len(short) < ROOT_CHARS - 1:
        return False
    if long.startswith(short) and long.removeprefix(short) in known:
        return True
    if (long.endswith(short) or long.startswith(short)) and any(long in (one + short, short + one) for one in known):
        return True
    return bool(_roots(stem) & _roots(other))


def _roots(stem: str) -> set[str]:
    found = {stem.removesuffix(suffix) for suffix in _SUFFIXES if stem.endswith(suffix)} | {stem}
    return {root for root in found if len(root) >= ROOT_CHARS}


def _same_roles(older: Reading, newer: Reading) -> bool:
    """Whether the words that both have stand to each other as before: `Ana reports to Bo`, `Bo reports to Ana`."""
    both = older.content & newer.content
    one, other = ([word.stem for word in reading.words if word.stem in both] for reading in (older, newer))
    passive = [_is_passive(reading.words) for reading in (older, newer)]
    if one == other:
        return passive[0] == passive[1]
    governed = [_governed(reading.words, both) for reading in (older, newer)]
    if any(governed[0][word] != governed[1][word] for word in governed[0].keys() & governed[1].keys()):
        return False
    if passive[0] != passive[1]:
        return True
    moved = _moved(one, other)
    if frozenset(moved[0]) <= older.names | newer.names and len(moved[0]) == 2:
        return False
    if len(one) == len(other) and any(moved[0][at:] + moved[0][:at] == moved[1] for at in range(len(moved[0]))):
        return True  # `On Sundays class starts`, `class starts on Sundays`
    return all(_is_list(reading, frozenset(moved[0] + moved[1])) for reading in (older, newer))


def _moved(one: list[str], other: list[str]) -> tuple[list[str], list[str]]:
    """Both without what they begin and end with alike."""
    while one and other and one[0] == other[0]:
        one, other = one[1:], other[1:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    return one, other


def _is_passive(words: Sequence[Word]) -> bool:
    """`is maintained by Kai`: a `by` after a participle, or somewhere after `is`."""
    for place, word in enumerate(words):
        if word.token == "by" and place:
            participle = words[place - 1].token.endswith(("ed", "en", "wn", "lt", "nt", "ld", "de", "ut"))
            if participle or any(one.token in _BE for one in words[:place]):
                return True
    return False


def _governed(words: Sequence[Word], both: frozenset[str]) -> dict[str, set[str]]:
    """Preposition → the words that follow it first."""
    found: dict[str, set[str]] = {}
    for place, word in enumerate(words):
        if word.token in _DIRECTED:
            first = next((one.stem for one in words[place + 1 :] if one.stem in both or one.token == "#"), "")
            found.setdefault(word.token, set()).add(first)
    return found


def _is_list(reading: Reading, moved: frozenset[str]) -> bool:
    """Whether all that changed its place are the items of a list."""
    places = [place for place, word in enumerate(reading.words) if word.stem in moved]
    for start, end in pairwise(places):
        between = {word.token for word in reading.words[start + 1 : end]}
        if not between & _PARTING or not between <= _BETWEEN_ITEMS:
            return False
    return True
