"""What a short statement says, taken apart so that two of them can be compared.

Words of weight, names, quantities, what is affirmed and denied, what is put aside ("instead of X"), the places where
a value stands, cues of correction, the mood (asked, conditional, planned) and what the statement is limited to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise, takewhile

from trigraph.text.asides import displaced_in
from trigraph.text.polarity import is_negator, signs
from trigraph.text.quantities import Quantity, quantities_in
from trigraph.text.wording import (
    ATTRIBUTES,
    CLEAR_CUES,
    CONTRASTS,
    CORRECTION_CUES,
    ENDINGS,
    EXCLUSIVE,
    IDIOMS,
    KEEPING,
    LANGUAGES,
    LIGHT,
    LIGHT_VERBS,
    LOCATED,
    LOCATIVE,
    MOODS,
    MOVED,
    OWNING,
    PAST_CUES,
    ROLES,
    UPDATE_CUES,
)
from trigraph.text.words import Word, words_of

LIMIT_CHARS = 2_000
"""So much of a text is read: memories are short, and a long one is compared by its beginning."""
SLOTS_MOST = 12
CACHED_TEXTS = 8_192


class Mood(StrEnum):
    """Why a statement may say nothing about how things are."""

    QUESTION = "question"
    CONDITION = "condition"
    REMINDER = "reminder"
    PLAN = "plan"


@dataclass(frozen=True, slots=True)
class Slot:
    """A value that something has only one of: `Jonas lives in Leipzig` is (jonas, place, leipzig)."""

    subject: frozenset[str]
    attribute: str
    value: frozenset[str]
    surface: str
    tail: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Reading:
    """A statement taken apart."""

    text: str
    folded: str
    words: tuple[Word, ...]
    content: frozenset[str]
    names: frozenset[str]
    quantities: tuple[Quantity, ...]
    signs: Mapping[str, int]
    slots: tuple[Slot, ...]
    displaced: frozenset[str]
    brought: frozenset[str]
    scopes: Mapping[str, frozenset[str]]
    mood: Mood | None
    past: bool
    ended: bool
    updates: bool
    corrects: bool
    clear: bool
    limited: bool
    general: bool
    partial: frozenset[str]
    denials: int
    denying: frozenset[str]
    nouns: frozenset[str]
    particles: frozenset[str]


_LIMITED = re.compile(r"^only\b|\b(?:only|just|exclusively|solely|nobody but|no one but)\b")
_PARTIAL = frozenset("some most many few several half".split())
_GENERAL = re.compile(r"\b(?:any|anyone|anybody|everyone|everybody|all|every|each|whoever)\b")


@lru_cache(maxsize=CACHED_TEXTS)
def read(text: str) -> Reading:
    """Take a statement apart; the same text is taken apart once."""
    text = _plain(text[:LIMIT_CHARS].replace("’", "'"))
    quantities = quantities_in(text)
    words = words_of(text, quantities)
    tokens = [word.token for word in words]
    stems = [word.stem for word in words]
    folded = " ".join(tokens)
    displaced, brought = displaced_in(words)
    return Reading(
        text=text,
        folded=folded,
        words=words,
        content=frozenset(stem for stem in stems if stem),
        names=frozenset(word.stem for word in words if word.named and word.stem),
        quantities=quantities,
        signs=signs(tokens, stems),
        slots=tuple(_slots(text, words)[:SLOTS_MOST]),
        displaced=displaced,
        brought=brought,
        scopes=_scopes(tokens),
        mood=_mood(text, folded),
        past=PAST_CUES.search(folded) is not None,
        ended=ENDINGS.search(folded) is not None,
        updates=UPDATE_CUES.search(folded) is not None or bool(displaced),
        corrects=CORRECTION_CUES.search(folded) is not None,
        clear=CLEAR_CUES.search(folded) is not None or bool(displaced),
        limited=_LIMITED.search(folded) is not None,
        general=_GENERAL.search(folded) is not None,
        partial=_PARTIAL.intersection(tokens),
        denying=_denying(words),
        nouns=_nouns(words),
        particles=frozenset(tokens) & _PARTICLES,
        denials=sum(is_negator(tokens, place) for place in range(len(tokens))),
    )


def _plain(text: str) -> str:
    """Idioms whose words mean something else than the whole, in one word."""
    for pattern, meaning in IDIOMS:
        text = pattern.sub(meaning, text)
    return text


_DETERMINERS = frozenset(
    "the a an this that our my your his her their its no any each every of for in on with by #".split()
)
_PARTICLES = frozenset("out off up down without before after above below back only".split())


def _denying(words: Sequence[Word]) -> frozenset[str]:
    """The stems of those clauses that deny something."""
    tokens = [word.token for word in words]
    found: set[str] = set()
    start = 0
    for place in range(len(words) + 1):
        if place == len(words) or tokens[place] in (".", ",", ";", ":", "!", "?", "but"):
            if any(is_negator(tokens, at) for at in range(start, place)):
                found |= {word.stem for word in words[start:place]}
            start = place + 1
    return frozenset(found - {""})


def _nouns(words: Sequence[Word]) -> frozenset[str]:
    """Stems of everyday verbs that stand here as nouns: `the report`, `an order`."""
    return frozenset(
        word.stem
        for before, word in pairwise(words)
        if word.stem in LIGHT_VERBS and before.token in _DETERMINERS and not word.token.endswith(("ed", "ing"))
    )


def _mood(text: str, folded: str) -> Mood | None:
    if text.rstrip().endswith("?"):
        return Mood.QUESTION
    for name, pattern in MOODS.items():
        if pattern.search(folded):
            return Mood(name)
    return None


def _scopes(tokens: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """Parts, environments, bounds and the like that a statement is limited to, by the sort of limit."""
    found: dict[str, set[str]] = {}
    for place, token in enumerate(tokens):
        if token in CONTRASTS:
            sort, word = CONTRASTS[token]
            if sort == "compass" and place and tokens[place - 1] in ("faces", "face", "points", "looks"):
                continue  # a value, not a limit
            found.setdefault(sort, set()).add(word)
    return {sort: frozenset(words) for sort, words in found.items()}


def _slots(text: str, words: Sequence[Word]) -> list[Slot]:
    """Statements of the form subject, predicate that takes one value, value."""
    found: list[Slot] = []
    tokens = [word.token for word in words]
    for place in range(len(words)):
        attribute, after = _predicate(words, tokens, place)
        if attribute and not any(
            is_negator(tokens, at) for at in range(max(0, place - 2), min(after + 1, len(tokens)))
        ):
            start = _clause_start(tokens, place)
            subject = _stems_of(words[start:place])
            if _is_definite(text, words, start) and (subject or tokens[place - 1] in ("we", "i")):
                found.extend(_slot(subject, attribute, words, after))
        if tokens[place] in KEEPING:
            found.extend(_kept(text, words, tokens, place))
        if (tokens[place] in OWNING or tuple(tokens[place : place + 2]) == ("is", "the")) and place:
            found.extend(_owned(words, place))
    return found


def _predicate(words: Sequence[Word], tokens: Sequence[str], place: int) -> tuple[str, int]:
    """What the predicate that begins here tells of its subject, and where its value begins; empty if there is none."""
    for pattern, attribute in EXCLUSIVE.get(tokens[place], ()):
        if tuple(tokens[place : place + len(pattern)]) == pattern and attribute != "value":
            return attribute, place + len(pattern)
    if tokens[place] == "as" and place and words[place - 1].stem in ATTRIBUTES:
        return "value", place + 1
    at = place
    while tokens[at] in _HAVE_BEEN and at + 1 < len(tokens):
        at += 1
    if tokens[at] in MOVED and at + 1 < len(tokens) and tokens[at + 1] in ("to", "into"):
        return "place", at + 2
    at = place
    if tokens[at] in _BE:
        at += 1
        if at < len(tokens) and tokens[at] in ("now", "still", "currently", "only"):
            at += 1
        if at < len(tokens) and tokens[at] in LOCATED:
            at += 1
        elif at + 1 < len(tokens) and tokens[at].endswith("ed") and tokens[at + 1] in _MEANS:
            return f"means of {words[at].stem}", at + 2
    elif tokens[at] in LOCATED:
        at += 1
    if place < at < len(tokens) and tokens[at] in LOCATIVE:
        return "place", at + 1
    for pattern, attribute in EXCLUSIVE.get(tokens[place], ()):
        if tuple(tokens[place : place + len(pattern)]) == pattern:
            return attribute, place + len(pattern)
    return "", place


_BE = frozenset(("is", "are"))
_HAVE_BEEN = frozenset("has have been was were got being".split())
_MEANS = frozenset("with by via using through".split())


def _stems_of(words: Sequence[Word]) -> frozenset[str]:
    stems = frozenset(word.stem for word in words if word.stem)
    return stems - LIGHT or stems


def _is_definite(text: str, words: Sequence[Word], start: int) -> bool:
    """Whether a subject is one that both texts can mean; `nightly builds` is, `two builds` is not."""
    first = words[start]
    return first.token not in INDEFINITE or (
        first.token == "#" and text[first.start : first.end].lower().endswith("ly")
    )


def _slot(subject: frozenset[str], attribute: str, words: Sequence[Word], after: int) -> Iterator[Slot]:
    following = _value(words, after)
    if following:
        surface = " ".join(word.token for word in following)
        value = frozenset(word.stem for word in following if word.stem)
        if attribute == "place" and value & LANGUAGES:
            attribute = "language"
        tail = frozenset(word.stem for word in takewhile(lambda word: word.token not in ".;!?", words[after:]))
        yield Slot(subject, attribute, value, surface, tail)


_OWN = frozenset("its his her their our my your the".split())


def _kept(text: str, words: Sequence[Word], tokens: Sequence[str], place: int) -> Iterator[Slot]:
    """`you find the key under the mat`, `she moved her practice to Leeds`: the place of an object."""
    moved = tokens[place].endswith("ed")
    start = _clause_start(tokens, place)
    for at in range(place + 1, min(place + 7, len(tokens))):
        if tokens[at] in _VALUE_ENDS or tokens[at] == "#":
            return
        if tokens[at] == "to" if moved else tokens[at] in LOCATIVE:
            if tokens[place] in ("has", "have") and tokens[place + 1] not in _OWN:
                return
            subject = _stems_of(words[start:at])
            if at > place + 1 and subject and _is_definite(text, words, start):
                yield from _slot(subject, "place", words, at + 1)
            return


# Two texts that say `a man` need not mean the same man.
INDEFINITE = frozenset(["a", "an", "some", "one", "another", "#", "many", "few", "several", "people", "there"])


def _owned(words: Sequence[Word], place: int) -> Iterator[Slot]:
    """`Ana leads the squad`, `Ana is the lead of the squad`: the squad has one lead."""
    holder = words[_clause_start([word.token for word in words], place) : place]
    thing = list(takewhile(lambda word: word.token not in (*".,;!?(", "and", "but", "since"), words[place + 1 :]))
    stems = frozenset(word.stem for word in thing if word.stem)
    if 0 < sum(bool(word.stem) for word in holder) <= 2 and (words[place].token in OWNING or stems & ROLES):
        surface = " ".join(word.token for word in holder)
        verb = frozenset({words[place].stem}) - {""}
        yield Slot(stems | verb, "holder", frozenset(word.stem for word in holder if word.stem), surface)


def _clause_start(tokens: Sequence[str], place: int) -> int:
    return max((at + 1 for at in range(place) if tokens[at] in (".", ";", "!", "?", ",", "but")), default=0)


_VALUE_ENDS = frozenset([*".,;!?(", "but", "because", "so", "and", "for", "from", "with", "since", "when", "where"])


def _value(words: Sequence[Word], start: int) -> list[Word]:
    found: list[Word] = []
    for word in words[start : start + 6]:
        if word.token in _VALUE_ENDS or (found and word.token in ("in", "on", "at", "of", "next", "by", "to")):
            break
        if word.token == "#":
            return []  # a quantity: compared as such
        found.append(word)
    return found if any(word.stem for word in found) else []
