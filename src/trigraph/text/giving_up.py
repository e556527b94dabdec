"""What a sentence says is gone, was turned down or is ruled out: the phrases that name it.

`ported from X to Y`, `Y instead of X`, `X was switched off`, `we no longer use X`, `no X`. What is only planned, asked
or denied (`X will be removed`, `X was not dropped`) is not among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from trigraph.text.polarity import is_negator
from trigraph.text.slots import Reading
from trigraph.text.wording import LIGHT, LIGHT_VERBS, MOVING
from trigraph.text.words import Word

PHRASE_WORDS = 6
_REACH = 6


class Cue(StrEnum):
    """How a sentence says it."""

    REPLACED = "replaced"
    ENDED = "ended"
    RULED_OUT = "ruled_out"


@dataclass(frozen=True, slots=True)
class Gone:
    """Words of weight of a phrase, in order, and what the sentence says of it. `numbers` stand in it, or are it;
    `limits` are words of weight that narrow it (`for the night shift`), `subject` those of which it is said (`the
    office moved from`), `surface` is the phrase as it is written."""

    phrase: tuple[str, ...]
    cue: Cue
    surface: str
    limits: frozenset[str]
    numbers: tuple[str, ...] = ()
    subject: frozenset[str] = frozenset()


_BEFORE = (
    ("instead", "of"), ("rather", "than"), ("in", "place", "of"), ("replacing",), ("replaces",), ("away", "from"),
    ("moved", "off"), ("no", "longer"), ("stopped", "using"), ("stopped",), ("gave", "up"), ("got", "rid", "of"),
    ("ditched",), ("supersedes",),
)  # fmt: skip
"""Cues after which the thing stands."""
_BY_SOMEBODY = frozenset("dropped replaced retired removed abandoned rejected scrapped banned".split())
"""Participles after which the thing stands where somebody does it: `we dropped X`, `Y replaced X`."""
_ENDED = frozenset(
    """
    replaced dropped retired removed abandoned rejected scrapped decommissioned discontinued superseded withdrawn
    deprecated banned forbidden cancelled canceled uninstalled dismantled
    """.split()
)
_PARTICLES = {
    "switched": "off", "turned": "off down", "shut": "down off", "phased": "out", "ruled": "out", "given": "up",
    "taken": "out", "rolled": "back", "closed": "down", "torn": "down", "called": "off",
}  # fmt: skip
_BE = frozenset("is are was were been got be being".split())
_NOT_YET = frozenset(
    "will would may might could should can shall must to if unless whether going until never nearly almost".split()
)
_ENDS = frozenset([*".,;:!?()", "but", "because", "so", "while", "since", "although", "which", "that", "who"])
_PHRASE_ENDS = _ENDS | frozenset(
    "to with for by as and or in on at of from after before between during within via when where unless except over"
    " is are was were has have had will would".split()
)
_LIMITING = frozenset("for in on at within unless except outside".split())
_LIMITING_A_RULE = _LIMITING | frozenset("between during before after until while when without".split())
_DOING = frozenset("do does did must may should can could will would never don't doesn't cannot".split())
_WE = frozenset("we i they he she you it has have had who".split())
_BARE = frozenset("access permission right rights support use need".split())
"""Nouns that only say what is ruled out of a thing: `no write access`."""


def gone_in(reading: Reading) -> list[Gone]:
    """All that a sentence says is gone or ruled out."""
    words, tokens = reading.words, [word.token for word in reading.words]
    found: list[Gone] = []
    for place, token in enumerate(tokens):
        if _begins_plan(tokens, place):
            continue
        if token == "from" and (end := _replaced_from(words, place)) is not None:
            found += _gone(reading, place + 1, end, Cue.REPLACED, end)
        elif token in _ENDED or _has_particle(tokens, place):
            found += _ended(reading, tokens, place)
        for cue in _BEFORE:
            if tuple(tokens[place : place + len(cue)]) == cue:
                found += _after(reading, place + len(cue), Cue.REPLACED)
        if token == "not" and place and tokens[place - 1] in (",", "(", ";"):
            found += _after(reading, place + 1, Cue.REPLACED)
        elif is_negator(tokens, place) and token not in ("stopped", "stop", "stops"):
            found += _ruled_out(reading, tokens, place)
    return found


def _begins_plan(tokens: Sequence[str], place: int) -> bool:
    """Whether it only will be, should be, or is not."""
    start = _clause_start(tokens, place)
    before = tokens[start:place]
    later = tokens[place] in _ENDED or tokens[place] in _PARTICLES or tokens[place] == "from"
    denied = any(is_negator(before, at) for at in range(len(before)))
    return later and (denied or not _NOT_YET.isdisjoint(before[-_REACH:]))


def _replaced_from(words: Sequence[Word], place: int) -> int | None:
    """Where `to` stands in `moved from X to Y`."""
    if not any(word.stem in MOVING or word.token in _TURNED_INTO for word in words[max(0, place - _REACH) : place]):
        return None
    for at in range(place + 2, min(place + 2 + _REACH, len(words))):
        if words[at].token in ("to", "into"):
            return at
        if words[at].token in ".;!?":
            return None
    return None


_TURNED_INTO = frozenset("ported porting rewritten converted translated transitioned cut".split())


def _has_particle(tokens: Sequence[str], place: int) -> bool:
    """Whether a verb of two words stands here: `switched off`."""
    particles = _PARTICLES.get(tokens[place], "").split()
    return place + 1 < len(tokens) and tokens[place + 1] in particles


def _ended(reading: Reading, tokens: Sequence[str], place: int) -> Iterator[Gone]:
    """`X was dropped` speaks of what stands before, `we dropped X` of what follows."""
    start = _clause_start(tokens, place)
    end = place + (2 if _has_particle(tokens, place) else 1)
    passive = next((at for at in range(start, place) if tokens[at] in _BE), None)
    if passive is None and tokens[place] in _BY_SOMEBODY:
        if tokens[place + 1 : place + 2] != ["by"]:
            yield from _after(reading, end, Cue.REPLACED)
        return
    before = place if passive is None else passive
    if before > start and tokens[before - 1] not in _WE and not (passive is None and end == place + 1):
        cue = Cue.REPLACED if tokens[place] in ("replaced", "superseded") else Cue.ENDED
        head = next((at for at in range(start + 1, before) if tokens[at] in _OF_MORE), before)
        more = frozenset(word.stem for word in reading.words[head:before] if word.stem)
        yield from _gone(reading, start, head, cue, end, more)


_OF_MORE = frozenset("to with for by in on at of from after before between during within via over".split())
"""What follows these says more of the thing, and is not it: `the cut-over to the new gate was called off`."""


def _ruled_out(reading: Reading, tokens: Sequence[str], place: int) -> Iterator[Gone]:
    """`no X`, `do not use X`, `never X`: the thing, without the verb of every day before it."""
    words, at = reading.words, place + 1
    verbal = tokens[place] in _DOING or (place > 0 and tokens[place - 1] in _DOING)
    if tokens[place] not in ("no", "without", "avoid") and not verbal:
        return  # `is not X`: read as a denial of the predicate, elsewhere
    if verbal and at < len(words) and (words[at].stem in LIGHT_VERBS or words[at].token in _TAKING_UP):
        at += 1
    elif verbal:
        return
    if at < len(words) and words[at].token in _OF_MORE:
        at += 1  # `must never appear in logs`
    yield from _after(reading, at, Cue.RULED_OUT, place)


_TAKING_UP = frozenset("introduce adopt deploy employ enable choose install touch".split())


def _after(reading: Reading, start: int, cue: Cue, negator: int | None = None) -> Iterator[Gone]:
    """What stands from here to the end of the phrase; `X or Y` are two."""
    words, end = reading.words, start
    while end < len(words) and end - start < PHRASE_WORDS and (words[end].token not in _PHRASE_ENDS or end == start):
        if words[end].token in _ENDS:
            break
        end += 1
    if cue is Cue.REPLACED and start < len(words) and words[start].stem in LIGHT_VERBS and end - start > 1:
        start += 1  # `no longer use X`
    yield from _gone(reading, start, end, cue, end, negator=negator)
    if end + 1 < len(words) and words[end].token in ("or", "and") and cue is Cue.RULED_OUT:
        yield from _after(reading, end + 1, cue)


def _gone(
    reading: Reading,
    start: int,
    end: int,
    cue: Cue,
    after: int,
    more: frozenset[str] = frozenset(),
    negator: int | None = None,
) -> Iterator[Gone]:
    """Each of the things that a phrase names, with what narrows it; shown from the negator on, if there is one."""
    words = reading.words
    limits = more | _limits(words, after, _LIMITING_A_RULE if cue is Cue.RULED_OUT else _LIMITING)
    clause = _clause_start([word.token for word in words], start)
    subject = frozenset(word.stem for word in words[clause:start] if word.stem)
    part: list[Word] = []
    for word in (*words[start:end], Word("and", "", 0, 0, False)):
        if word.token not in ("and", "or", ","):
            part.append(word)
            continue
        phrase = tuple(one.stem for one in part if one.stem and _tells(one))
        within = [one for one in reading.quantities if part and part[0].start <= one.start < part[-1].end]
        numbers = tuple(one.bare for one in within)
        if phrase or numbers:
            begun = part[0].start if negator is None else words[negator].start
            surface = reading.text[begun : part[-1].end]
            yield Gone(phrase, cue, surface, limits, numbers, subject)
        part = []


def _tells(word: Word) -> bool:
    return word.stem not in _SAYING_NOTHING and word.token not in _BARE


_SAYING_NOTHING = LIGHT - LIGHT_VERBS | frozenset(("ago",))


def _limits(words: Sequence[Word], start: int, limiting_words: frozenset[str]) -> frozenset[str]:
    found: set[str] = set()
    limiting = False
    for word in words[start:]:
        if word.token in ".;!?:":
            break
        if word.token in limiting_words:
            limiting = True
        elif word.token in _ENDS:
            limiting = False
        elif limiting and word.stem and word.stem not in LIGHT:
            found.add(word.stem)
    return frozenset(found)


def _clause_start(tokens: Sequence[str], place: int) -> int:
    return max((at + 1 for at in range(place) if tokens[at] in (".", ";", ":", "!", "?", "but")), default=0)
