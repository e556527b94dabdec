"""Whether two statements give one attribute of one thing different values: its place, name, owner, tool, address."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from trigraph.lifecycle.frames import Frame
from trigraph.text.polarity import is_opposed
from trigraph.text.quantities import Measure
from trigraph.text.slots import INDEFINITE, Reading, Slot
from trigraph.text.wording import ATTRIBUTES, FAMILIES, LIGHT, ROLES, SHARED_BY_MANY
from trigraph.text.words import Word

SUBSTITUTED_WORDS = 4

_ARTICLES = frozenset(("a", "an", "the"))
_COPULAS = frozenset(("is", "are", "was", "were"))
_OWNED = re.compile(r"'s |\b(?:our|my|his|her|their|its) | of ", re.IGNORECASE)
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]*\w")
_APPOINTING = frozenset("elected appointed named hired chose made became becomes serves acts succeeds".split())


@dataclass(frozen=True, slots=True)
class OtherValue:
    """What stood there then and what stands there now. `updates`: nothing else differs, as when a value is kept."""

    then: str
    now: str
    updates: bool


def other_value(older: Reading, newer: Reading, frame: Frame) -> OtherValue | None:
    """The first value that differs, by any of the ways to see it."""
    if not frame.told and frame.older_quantities and frame.newer_quantities:
        return None  # two things differ: another fact
    return (
        _other_slot(older, newer, frame)
        or _substituted(older, newer)
        or _renamed(older, newer)
        or _other_holder(older, newer, frame)
        or _other_address(older, newer, frame)
    )


def _other_slot(older: Reading, newer: Reading, frame: Frame) -> OtherValue | None:
    dated = [any(one.measure is Measure.DATE for one in of) for of in (frame.older_quantities, frame.newer_quantities)]
    if all(dated) and older.updates:
        return None  # `moved to Bonn in 2012`, `moved to Kiel in 2019`: two events
    for one in older.slots:
        for other in newer.slots:
            tails = one.tail | other.tail if frame.told else frozenset[str]()
            rest = frame.without(tails | one.value | other.value)
            if not rest.two_sided and _is_other(one, other, older, newer, frame):
                return OtherValue(one.surface, other.surface, frame.overlap > 0.99)
    return None


def _is_other(one: Slot, other: Slot, older: Reading, newer: Reading, frame: Frame) -> bool:
    then, now = (one.value & frame.alone[0]) - LIGHT, (other.value & frame.alone[1]) - LIGHT
    if not then or not now or not (one.subject <= other.subject or other.subject <= one.subject):
        return False
    subject = one.subject & other.subject
    kinds = {one.attribute, other.attribute}
    if not subject:  # we, I
        return len(kinds) == 1 and bool((older.content & newer.content) - LIGHT - one.value - other.value)
    if kinds == {"uses"}:  # many things are used; for one purpose, or from now on, one
        purpose = (older.content & newer.content) - subject - LIGHT
        return bool(purpose) or frame.told
    named = bool(then & older.names) and bool(now & newer.names)
    if "value" not in kinds:
        return len(kinds) == 1 and (named or not one.attribute.startswith("means"))
    if kinds & {"place", "work", "study", "target"}:
        return named
    families = [{FAMILIES[stem][0]: FAMILIES[stem][1] for stem in of if stem in FAMILIES} for of in (then, now)]
    if any(families[1].get(sort, word) != word for sort, word in families[0].items()):
        return True
    return named or (bool(subject & ATTRIBUTES) and not any(is_opposed(stem) for stem in then | now))


def _substituted(older: Reading, newer: Reading) -> OtherValue | None:
    """One sentence but for what stands after `is`: a name for a name, or a noun where the subject has one of it."""
    one, other = ([word for word in reading.words if word.token not in _ARTICLES] for reading in (older, newer))
    start = sum(1 for _ in takewhile(lambda pair: pair[0].token == pair[1].token, zip(one, other, strict=False)))
    rest = [one[start:], other[start:]]
    while rest[0] and rest[1] and rest[0][-1].token == rest[1][-1].token:
        rest = [side[:-1] for side in rest]
    before = one[:start]
    copula = next((place for place, word in enumerate(before) if word.token in _COPULAS), None)
    if copula is None or not any(word.stem for word in before[:copula]) or older.words[0].token in INDEFINITE:
        return None
    if not all(0 < len(side) <= SUBSTITUTED_WORDS and any(word.stem for word in side) for side in rest):
        return None
    if older.denials or newer.denials or {word.stem for word in before} & SHARED_BY_MANY:
        return None
    named = all(any(word.named for word in side) and side[0].stem and not side[0].token.endswith("ed") for side in rest)
    article = start and older.text[: rest[0][0].start].rstrip().endswith((" a", " an", " the"))
    owned = _OWNED.search(older.text[: before[copula].start]) is not None
    if not named and not (article and owned):
        return None
    return OtherValue(_surface(older, rest[0]), _surface(newer, rest[1]), True)


def _surface(reading: Reading, words: Sequence[Word]) -> str:
    return " ".join(reading.text[word.start : word.end] for word in words)


def _renamed(older: Reading, newer: Reading) -> OtherValue | None:
    """What the older says something is called has another name: `sync_orders is now called order_sync`."""
    for one in older.slots:
        for other in newer.slots:
            if one.attribute == other.attribute == "name" and one.value <= other.subject and one.value != other.value:
                return OtherValue(one.surface, other.surface, True)
    return None


def _other_holder(older: Reading, newer: Reading, frame: Frame) -> OtherValue | None:
    """Another person in the same office: `Maya is treasurer of the choir`, `the choir elected Ferdinand treasurer`."""
    office = ROLES & older.content & newer.content
    if (not office and not frame.told) or not frame.shared - office - LIGHT or older.denials or newer.denials:
        return None
    one, other = (list(_holders(reading, alone)) for reading, alone in zip((older, newer), frame.alone, strict=True))
    if len(one) != 1 or len(other) != 1:
        return None
    appointing = {word.stem for word in newer.words if word.token in _APPOINTING}
    named = {word.stem for word in (*one[0], *other[0])} | appointing
    rest = frame.without(named)
    if not frame.told and all(alone - named for alone in frame.alone):
        return None  # each does another thing
    if rest.only_older or rest.two_sided or (not office and not (rest.same_words and _opens(older, one[0]))):
        return None
    return OtherValue(_surface(older, one[0]), _surface(newer, other[0]), True)


def _opens(reading: Reading, holder: Sequence[Word]) -> bool:
    """Whether a name is the subject, and acts on one definite thing: `Mr. Okafor teaches the violin class`."""
    after = [word.token for word in reading.words if word.start > holder[-1].end][1:2]
    before = [word for word in reading.words if word.end < holder[0].start and word.stem]
    return len(before) <= 1 and after == ["the"]


def _holders(reading: Reading, alone: frozenset[str]) -> Iterator[list[Word]]:
    """Runs of names that the other text lacks; a first word with a capital may be one."""
    run: list[Word] = []
    for word in (*reading.words, Word(".", "", 0, 0, False)):
        capital = reading.text[word.start : word.start + 1].isupper() and word.stem not in LIGHT
        if word.stem in alone and word.stem not in ROLES and (word.named or (capital and word.start == 0)):
            run.append(word)
        elif run:
            yield run
            run = []


def _other_address(older: Reading, newer: Reading, frame: Frame) -> OtherValue | None:
    """Another mail address of the same one."""
    if "@" not in older.text or "@" not in newer.text:
        return None
    one, other = (_ADDRESS.findall(reading.text) for reading in (older, newer))
    if len(one) != 1 or len(other) != 1 or one == other:
        return None
    shared = (older.content & newer.content) - LIGHT
    written = f"{one[0]} {other[0]}".lower()
    if any(stem not in written for stem in (older.names | newer.names) - shared):
        return None  # another person's
    told = frame.told or bool(older.names & newer.content)
    return OtherValue(one[0], other[0], True) if shared and told else None
