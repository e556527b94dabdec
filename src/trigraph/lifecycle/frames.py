"""Whether two statements speak of the same thing: what they share, what each has alone, and what keeps them apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace

from trigraph.text.polarity import is_opposed, opposites_key
from trigraph.text.quantities import Measure, Quantity, unmatched
from trigraph.text.slots import Mood, Reading
from trigraph.text.wording import LIGHT, LIGHT_VERBS, MEASURED, MEASURES

RUN_WORDS = 4
STEM_PREFIX = 5
"""Words that begin with so many same letters are taken for forms of one word: `config`, `configurable`."""

_ONE_SIDED = ("environment", "bound", "statistic", "copy", "relative")
_EXCEPTION = re.compile(
    r"\b(?:except|exempt|exception|apart from|other than|only for|just for|unlike|by default|(?<!no )others?|another"
    r"|the rest)\b",
    re.IGNORECASE,
)
_SCHEDULE = re.compile(
    r"\b(?:due|deadline|until|till|expir\w*|valid|book\w*|schedul\w*|appointments?|meetings?|meets?|takes? place|"
    r"lessons?|happens?|is on|are on|is at|are at|"
    r"starts?|begins?|ends?|closes?|opens?|launch\w*|release date|birthday|flight|arriv\w*|depart\w*|renew\w*|"
    r"anniversary|born|releas\w*|publish\w*|founded|signed|party|call|event|demo|review|exam|interview|trip|set for|"
    r"planned for|pushed|moved|postponed|rescheduled|delivery|class|classes|visit|runs?|pick-?up|collection)\b",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"(?<![\w./-])[a-z]\w*(?:[-_/:][a-z]\w*)+", re.IGNORECASE)
_MARKED = re.compile(r"([^`]{0,60})`([^`]+)`")
_SPAN = re.compile(r"\bfrom\b[^.;]{1,30}\b(?:to|until|till|through)\b", re.IGNORECASE)
_TIMES = (Measure.DATE, Measure.WEEKDAY, Measure.TIME)
_DISPLACES = re.compile(
    r"\b(?:not|from|instead of|rather than|was|were|than|previously|formerly|used to be|no longer|replac\w+)"
    r"(?: (?:the|at|on|to|set to|about|around|version|port|by|a))*\s*$",
    re.IGNORECASE,
)
_PREDICATE = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|get|gets|got|at|to|on|for|with|after|every|of|takes?|needs?|costs?|uses?"
    r"|runs?|by|until|due|give|than|meant|allows?|holds?|lasts?|weighs?|measures?|charges?|pays?|expires?|in|about"
    r"|supports?|requires?|limit|port|version|there's|it's|only)\b|[:=(]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Frame:
    """Two statements side by side."""

    shared: frozenset[str]
    only_older: frozenset[str]
    only_newer: frozenset[str]
    alone: tuple[frozenset[str], frozenset[str]]
    overlap: float
    older_quantities: tuple[Quantity, ...]
    newer_quantities: tuple[Quantity, ...]
    put_aside: tuple[Quantity, ...]
    told: bool
    """The newer says that it changes or corrects something, and the older did not say so of itself."""

    @property
    def likeness(self) -> float:
        """The share of all words of weight that both have."""
        weight = len(self.shared - LIGHT) or len(self.shared)
        return weight / max(weight + len(self.only_older) + len(self.only_newer), 1)

    def without(self, stems: Set[str]) -> Frame:
        """The same, with some words left out of what each has alone."""
        return replace(self, only_older=self.only_older - stems, only_newer=self.only_newer - stems)

    @property
    def two_sided(self) -> bool:
        """Whether each speaks of something of which the other does not."""
        return bool(self.only_older) and bool(self.only_newer)

    def meets(self, told: bool) -> bool:
        """Whether what one has alone leaves them one subject. A cue of change lets the newer tell more."""
        return not self.two_sided or (told and len(self.only_older) <= 2)

    @property
    def same_words(self) -> bool:
        """Whether neither has a word of weight alone."""
        return not self.only_older and not self.only_newer


def frame_of(older: Reading, newer: Reading) -> Frame:
    """Lay two statements side by side. Quantities that the newer puts aside ("not 225") are the older's."""
    aside = tuple(one for one in newer.quantities if _DISPLACES.search(newer.text[: one.start]))
    kept = tuple(one for one in newer.quantities if one not in aside) if len(newer.quantities) > 1 else newer.quantities
    shared = {*(older.content & newer.content)}
    left, right = older.content - shared, newer.content - shared
    for one in tuple(left):
        for other in tuple(right):
            if _is_form(one, other):
                shared.add(one)
                left, right = left - {one, _rest(other, one)}, right - {other, _rest(one, other)}
    weight = {stem for stem in shared if stem not in LIGHT} or shared
    sizes = [len(weight) + sum(stem not in LIGHT and not is_opposed(stem) for stem in rest) for rest in (left, right)]
    return Frame(
        shared=frozenset(shared),
        only_older=_of_weight(left, older, newer),
        only_newer=_of_weight(right, newer, newer),
        alone=(left, right),
        overlap=len(weight) / max(min(sizes), 1),
        older_quantities=unmatched(older.quantities, kept),
        newer_quantities=unmatched(kept, older.quantities),
        put_aside=tuple(one for one in aside if any(one.agrees(other) for other in older.quantities)),
        told=newer.corrects or (newer.updates and not older.updates),
    )


def _is_form(one: str, other: str) -> bool:
    if one[:1] != other[:1] or any(letter.isdigit() or letter in "_/.-" for letter in one + other):
        return False
    short, long = sorted((one, other), key=len)
    return len(short) >= 4 and (long.startswith(short) or short[:STEM_PREFIX] == long[:STEM_PREFIX])


def _rest(compound: str, first: str) -> str:
    """What a compound has beyond its first word, where the other text writes it apart: `flower pot`."""
    return compound.removeprefix(first) if len(compound) > len(first) + 2 else ""


def _of_weight(stems: frozenset[str], own: Reading, newer: Reading) -> frozenset[str]:
    changed = newer.displaced | newer.brought
    return frozenset(
        stem for stem in stems - changed if (stem not in LIGHT or stem in own.nouns) and not is_opposed(stem)
    )


def apart(older: Reading, newer: Reading, frame: Frame) -> str | None:
    """What keeps two statements from meeting, however alike they are; None if nothing does."""
    if older.mood is not newer.mood or Mood.QUESTION in (older.mood, newer.mood):
        return "one of them only asks, plans, reminds or supposes"
    if older.past and not newer.past:
        return "the older speaks of a time that is over"
    if not frame.told and bool(_EXCEPTION.search(older.text)) != bool(_EXCEPTION.search(newer.text)):
        return "one of them is an exception"
    for sort in {*older.scopes, *newer.scopes}:
        one, other = older.scopes.get(sort), newer.scopes.get(sort)
        if one and other and not one & other:
            return f"{', '.join(sorted(one))} is not {', '.join(sorted(other))}"
        if (not one or not other) and sort in _ONE_SIDED and not frame.told:
            return f"only one of them is limited to {', '.join(sorted(one or other or ()))}"
    others = _other_identifier(older.text, newer.text)
    if others is not None and not frame.told:
        return f"{others[0]} is not {others[1]}"
    code = [_leading_code(reading.text) for reading in (older, newer)]
    if code[0] and code[1] and code[0] != code[1] and not frame.told:
        return f"{code[0]} is not {code[1]}"
    subjects = [
        [
            one
            for one in of
            if one.measure in (Measure.NUMBER, Measure.VERSION, Measure.DATE) and _names_subject(reading, one)
        ]
        for reading, of in ((older, frame.older_quantities), (newer, frame.newer_quantities))
    ]
    if subjects[0] and subjects[1] and not frame.told:
        return f"{subjects[0][0].surface} is not {subjects[1][0].surface}"
    orders = [
        [one for one in of if one.dimension == "order" and not _IS_LOCATED.search(reading.text[: one.start])]
        for reading, of in ((older, frame.older_quantities), (newer, frame.newer_quantities))
    ]
    if orders[0] and orders[1]:
        return f"{orders[0][0].surface} is not {orders[1][0].surface}"
    if (orders[0] and "order" in newer.scopes) or (orders[1] and "order" in older.scopes):
        return "one is the first, the other the last"
    return None


def _leading_code(text: str) -> str | None:
    """What is written as code before any predicate: "Dependency `left-pad` is pinned"."""
    match = _MARKED.match(text)
    return None if match is None or (_PREDICATE.search(match[1]) and len(match[1].split()) > 1) else match[2]


def _other_identifier(older: str, newer: str) -> tuple[str, str] | None:
    """Two subjects whose names are made alike and end differently: `emails-high`, `emails-bulk`."""
    one, other = ({*_IDENTIFIER.findall(_opening(text))} for text in (older, newer))
    for left in sorted(one - other):
        for right in sorted(other - one):
            if re.split(r"[-_./:]", left)[0] == re.split(r"[-_./:]", right)[0]:
                return left, right
    return None


def _opening(text: str) -> str:
    """What stands before any predicate."""
    predicate = _PREDICATE.search(text)
    return text[: predicate.start()] if predicate else ""


def other_subject(older: Reading, newer: Reading) -> str | None:
    """Names or modifiers by which two statements speak of different things; None if there are none.

    Does not ask whether the names are values: "Jonas lives in Leipzig" is looked at before.
    """
    changed = newer.displaced | newer.brought
    own = [reading.names - other.content - changed for reading, other in ((older, newer), (newer, older))]
    if own[0] and own[1]:
        return f"{', '.join(sorted(own[0]))} is not {', '.join(sorted(own[1]))}"
    modifiers = [dict(_modifiers(reading)) for reading in (older, newer)]
    keys = [{opposites_key(stem)[0] for stem in reading.content} for reading in (older, newer)]
    for head, one in modifiers[0].items():
        other = modifiers[1].get(head)
        if (
            other
            and opposites_key(one)[0] not in keys[1]
            and opposites_key(other)[0] not in keys[0]
            and one not in newer.content | changed
            and other not in older.content | changed
        ):
            return f"{one} {head} is not {other} {head}"
    return None


_OPENERS = frozenset(
    [*".,;:!?(", "the", "a", "an", "our", "my", "your", "his", "her", "their", "its", "of", "for", "in"]
)


def _modifiers(reading: Reading) -> Iterator[tuple[str, str]]:
    """Head → the word before it in the same phrase: `(access, write)` of "write access"."""
    for place in range(1, len(reading.words)):
        head, modifier = reading.words[place], reading.words[place - 1]
        if not head.stem or not modifier.stem or head.stem in LIGHT:
            continue
        before = reading.words[place - 2].token if place > 1 else "."
        if modifier.stem not in LIGHT or (before in _OPENERS and not modifier.token.endswith(("s", "ing"))):
            yield head.stem, modifier.stem


def changed_quantity(older: Reading, newer: Reading, frame: Frame) -> tuple[Quantity, Quantity] | None:
    """Two quantities that give different values to the same thing; None where there are none."""
    pairs = [
        (one, other)
        for one in (*frame.older_quantities, *_matching(older, newer, frame))
        for other in frame.newer_quantities
        if _same_place(older, one, newer, other, told=frame.told)
    ]
    if not pairs:
        return None
    times = [pair for pair in pairs if pair[0].measure in _TIMES]
    if times and not frame.told:
        if len(times) < len(pairs):
            return None  # a value at one time and another at another time
        scheduled = _SCHEDULE.search(older.text) and _SCHEDULE.search(newer.text)
        if not scheduled and not (frame.same_words and all(_is_habit(one) for one in pairs[0])):
            return None  # two events
        if _SPAN.search(older.text) and _SPAN.search(newer.text):
            return None  # two stretches of time
    if times and older.brought and newer.brought and older.brought != newer.brought:
        return None  # `moved to Bonn in 2012`, `moved to Kiel in 2019`
    return pairs[0] if not times or len(times) == len(pairs) else next(pair for pair in pairs if pair not in times)


def one_measure(frame: Frame) -> frozenset[str] | None:
    """Words by which both speak of one measure, each in its own way: `costs`, `is charged at`; None if of two."""
    one, other = ({stem: MEASURES[stem] for stem in stems if stem in MEASURES} for stems in frame.alone)
    if one and other and not {*one.values()} & {*other.values()}:
        return None
    return frozenset({*one, *other})


def other_head(older: Reading, newer: Reading, frame: Frame) -> bool:
    """Whether one begins with a thing that the other does not name: `the deposit for the trip`."""
    for reading, alone in ((older, frame.only_older), (newer, frame.only_newer)):
        place, first = next(((at, word.stem) for at, word in enumerate(reading.words) if word.stem), (0, ""))
        following = {word.token for word in reading.words[place + 1 : place + 2]}
        if first in alone and first not in MEASURES and following & {"for", "of"}:
            return True
    return False


def narrower_subject(older: Reading, newer: Reading) -> bool:
    """Whether one speaks of a part or a kind of what the other speaks of: `tickets are`, `group tickets are`."""
    for one, other in ((older, newer), (newer, older)):
        end = len(_opening(one.text))
        own = {word.stem for word in one.words if word.stem and word.end <= end}
        if {stem for stem in own - other.content - LIGHT - set(MEASURES) if not _has_form(stem, other.content)}:
            return True
    return False


def _has_form(stem: str, stems: Set[str]) -> bool:
    return any(_is_form(stem, other) for other in stems)


def _is_habit(quantity: Quantity) -> bool:
    """`on Fridays`: told of every week, and so of one day."""
    return quantity.measure is Measure.WEEKDAY and quantity.surface.endswith("s")


def _matching(older: Reading, newer: Reading, frame: Frame) -> tuple[Quantity, ...]:
    """Quantities of the older that the newer names only to put them aside, or to say that they were wrong."""
    aside = newer.quantities if newer.corrects and not frame.older_quantities else frame.put_aside
    return tuple(one for one in older.quantities if any(one.agrees(other) for other in aside))


def _rate(quantity: Quantity) -> str:
    return quantity.dimension.partition(" per ")[2]


def _same_place(older: Reading, one: Quantity, newer: Reading, other: Quantity, *, told: bool) -> bool:
    if not one.comparable(other) or (not told and _rate(one) != _rate(other)):
        return False
    if not told and bool(one.dimension) != bool(other.dimension) and (_label(older, one) or _label(newer, other)):
        return False  # `is 8 TB`, `turns at 5400 rpm`
    if _names_subject(older, one) or _names_subject(newer, other):
        return False
    if _numbers_one(older, one) and _numbers_one(newer, other) and not (newer.clear or newer.corrects):
        return False
    labels = [_label(reading, quantity) for reading, quantity in ((older, one), (newer, other))]
    return one.dimension != "" or not labels[0] or not labels[1] or labels[0] == labels[1]


def _names_subject(reading: Reading, quantity: Quantity) -> bool:
    """Whether a quantity stands before any predicate, and so says of what the statement speaks: `Release 4.1 has`."""
    before = reading.text[: quantity.start]
    sentence = re.split(r"[.;!?]\s|, ", before)[-1]
    if not sentence.strip():
        return quantity.measure is Measure.VERSION
    if not any(word.start >= quantity.end and word.token[0].isalnum() for word in reading.words):
        return False
    opening = quantity.start - len(sentence)
    verbs = [word for word in reading.words if opening < word.start < quantity.start and word.stem in LIGHT]
    return not verbs and _PREDICATE.search(sentence) is None


def _numbers_one(reading: Reading, quantity: Quantity) -> bool:
    """Whether a number tells which one of many is meant: `door 3`, `ticket 12`; not `port 80`, `Debian 12`."""
    before = [word for word in reading.words if word.end <= quantity.start][-2:]
    if (
        quantity.measure is not Measure.NUMBER
        or quantity.dimension
        or not before
        or before[-1].end + 1 < quantity.start
    ):
        return False
    noun = before[-1]
    if noun.token in _NUMBERED:
        return True
    opening = len(before) == 1 or not before[0].token[0].isalnum()
    if not noun.stem or noun.token in MEASURED or (noun.named and not opening) or not noun.token.isalpha():
        return False
    if noun.token.endswith(("ed", "ing")) or (noun.token.endswith("s") and not noun.token.endswith(("ss", "us"))):
        return False
    located = len(before) > 1 and before[0].token in _LOCATED_AT and _IS_LOCATED.search(reading.text[: before[0].end])
    return noun.stem not in LIGHT_VERBS and not located


_NUMBERED = frozenset("pr mr issue ticket bug rfc adr invoice order case line page step chapter item".split())
_LOCATED_AT = ("in", "at", "on")
_IS_LOCATED = re.compile(
    r"\b(?:is|are|was|moved|lives?|sits?|meets?|held|kept|stored|placed|takes place) (?:in|at|on)(?: the)?\s?$"
)


def _label(reading: Reading, quantity: Quantity) -> str:
    """The word that a number counts: `6 replicas`."""
    if quantity.measure is not Measure.NUMBER:
        return ""
    following = next((word for word in reading.words if word.start >= quantity.end), None)
    return following.stem if following and following.stem not in LIGHT else ""


def words_around(reading: Reading, word: str, shared: Set[str]) -> tuple[str, frozenset[str]] | None:
    """The first word of weight after this one, and all before it."""
    place = next((at for at, one in enumerate(reading.words) if one.token == word), None)
    if not place:
        return None
    after = next((one.stem for one in reading.words[place + 1 :] if one.stem in shared), "")
    return after, frozenset(one.stem for one in reading.words[:place])


def word_before(reading: Reading, stems: Set[str]) -> str | None:
    """The word before these, if they stand together."""
    places = [place for place, word in enumerate(reading.words) if word.stem in stems]
    if not places or len(places) > RUN_WORDS or places[0] == 0:
        return None
    if any(word.stem and word.stem not in stems for word in reading.words[places[0] : places[-1]]):
        return None
    return next((w.token for w in reversed(reading.words[: places[0]]) if w.token not in ("the", "a", "an")), None)
