"""Whether a sentence of memory denies, doubts or affirms what a question takes for granted.

A wrong "memory says no" is worse than one that was missed. So a sentence denies a claim only where it speaks of all
that the claim speaks of; where it leaves something out, or says it of a part, it casts a doubt, and the reason says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from trigraph.lifecycle.comparison import Relation, compare
from trigraph.lifecycle.frames import other_subject
from trigraph.text.giving_up import Cue, Gone, gone_in
from trigraph.text.polarity import is_negator, is_opposed
from trigraph.text.quantities import Quantity, unmatched
from trigraph.text.slots import Mood, Reading, Slot, read
from trigraph.text.wording import FAMILIES, LIGHT

COMPARED_FROM = 0.5
"""From this share of the claim's words on, a sentence is held against it as one memory is against another."""
DOUBTS_FROM = 0.5
"""From this share on, what a sentence says is gone casts a doubt."""
_BLAND = frozenset("use run work write make get keep go serve support still current ever alreadi".split())
_OF_STATE = frozenset("allow permit accept activ aliv place forc possibl live reachabl avail exist".split())
"""Words that only say that something is so."""
_ONE_TOOL = re.compile(r"\b(?:written|implemented|coded) in\b|\b(?:managed|handled|powered) by\b")
_ONE_AT_A_TIME = frozenset(("holder", "owner", "name", "work", "study", "place", "value", "choice", "direction"))
_VOWELS = re.compile(r"[aeiouy]")
_AGREED = "It says the same."


class Stand(StrEnum):
    """How a sentence stands to a claim."""

    AFFIRMS = "affirms"
    DENIES = "denies"
    DOUBTS = "doubts"


@dataclass(frozen=True, slots=True)
class Said:
    """How a sentence stands to a claim and why, fit to show. `share` is the part of the claim of which it speaks;
    `changed` says that the sentence itself tells of a change, which beats what was said before."""

    stand: Stand
    reason: str
    share: float = 1.0
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """What a question takes for granted, taken apart. `weight` are the words that say what it is about; `past` that it
    asks how something was."""

    text: str
    reading: Reading
    keys: frozenset[str]
    weight: frozenset[str]
    past: bool

    @property
    def plain(self) -> bool:
        """Whether it says that something is so now, without a denial or a change of its own."""
        told = self.reading
        return not (self.past or told.denials or told.ended or told.displaced)


def claim_read(text: str, *, past: bool) -> Claim:
    """Take a claim apart."""
    reading = read(text)
    keys = keys_of(reading)
    light = LIGHT - reading.nouns
    return Claim(text, reading, keys, keys - light - _BLAND - _OF_STATE, past)


def keys_of(reading: Reading) -> frozenset[str]:
    """The words of weight of a statement as they are compared here."""
    return frozenset(map(one_of, reading.content))


def one_of(stem: str) -> str:
    """`jwts` is `jwt`: no stemmer takes the plural from what has no vowel."""
    return stem[:-1] if len(stem) > 3 and stem.endswith("s") and stem != "https" and not _VOWELS.search(stem) else stem


def stand_of(claim: Claim, sentence: str, about: frozenset[str] = frozenset()) -> Said | None:
    """How a sentence stands to a claim; None where it says nothing to it. `about` are words of what it is part of."""
    told = read(sentence)
    keys = keys_of(told)
    if not claim.weight or told.mood is Mood.QUESTION:
        return None
    if claim.plain and (found := _gone(claim, told, keys, about)) is not None:
        return found
    if told.mood is not None:
        return None
    if any(_affirms(claim, read(clause)) for clause in _AFFIRMING_END.split(sentence)):
        return Said(Stand.AFFIRMS, _AGREED)
    if claim.plain and (found := _other_value(claim, told, keys, about)) is not None:
        return found
    return _compared(claim, told, keys, sentence)


def _gone(claim: Claim, told: Reading, keys: frozenset[str], about: frozenset[str]) -> Said | None:
    """What the sentence says is gone or ruled out is what the claim speaks of."""
    found: list[Said] = []
    for one in gone_in(told):
        if told.mood is not None and (one.cue, told.mood) not in _SAID_ALL_THE_SAME:
            continue
        if not one.phrase:
            found += _number_gone(claim, one, about)
            continue
        phrase = frozenset(map(one_of, one.phrase))
        named = phrase & frozenset(map(one_of, told.names))
        if one_of(one.phrase[-1]) not in claim.keys and not named & claim.keys:
            continue
        asked = claim.keys if one.cue is Cue.RULED_OUT else claim.weight
        if not phrase & asked or not _is_that_number(claim, one, told):
            continue
        said = _weighed(claim, one, phrase, told, keys | about)
        if said.stand is Stand.DENIES or other_subject(told, claim.reading) is None:
            found.append(said)
    return max(found, key=lambda said: (said.stand is Stand.DENIES, said.share), default=None)


def _number_gone(claim: Claim, one: Gone, about: frozenset[str]) -> Iterator[Said]:
    """`The lifetime is cut from 30 to 14 days`, and the claim says 30 of the same thing."""
    asked = [quantity.bare for quantity in claim.reading.quantities]
    if len(asked) == 1 and asked[0] in one.numbers and claim.weight <= frozenset(map(one_of, one.subject)) | about:
        yield Said(Stand.DENIES, f"It says that {one.surface} was given up.", changed=True)


def _is_that_number(claim: Claim, one: Gone, told: Reading) -> bool:
    """Whether the claim speaks of the number that was put aside: of `from 11 to 21`, 21 is not."""
    asked = {quantity.bare for quantity in claim.reading.quantities}
    if not one.numbers:
        return True
    again = [word.stem for word in told.words].count(one.phrase[-1]) > 1
    return not asked.isdisjoint(one.numbers) or not (asked or again)


def _weighed(claim: Claim, one: Gone, phrase: frozenset[str], told: Reading, keys: frozenset[str]) -> Said:
    rest = claim.weight - phrase
    missing = rest - keys
    open_ = unmatched(claim.reading.quantities, told.quantities)
    unsaid = [quantity.surface for quantity in open_ if quantity.bare not in one.numbers]
    limits = frozenset(map(one_of, one.limits)) - claim.keys
    others = frozenset(map(one_of, one.subject)) - claim.keys - LIGHT
    narrower = (phrase - claim.keys - LIGHT) or (limits if one.cue is Cue.RULED_OUT or not rest else frozenset())
    narrower = narrower or (others if not rest and one.cue is Cue.REPLACED else frozenset())
    share = 1.0 if not rest else len(rest - missing) / len(rest)
    reason = _SAID_OF[one.cue].format(thing=one.surface)
    if not narrower and not missing and not unsaid:
        return Said(Stand.DENIES, f"{reason}.", share, one.cue is not Cue.RULED_OUT)
    if narrower and not missing:
        reason += f", but says it of {shown(told, narrower)} only"
    elif missing or unsaid:
        reason += f", but does not speak of {', '.join([*_shown_each(claim.reading, missing), *unsaid])}"
    share = share if not unsaid else min(share, DOUBTS_FROM)
    return Said(Stand.DOUBTS, f"{reason}.", share, one.cue is not Cue.RULED_OUT)


_SAID_ALL_THE_SAME = {
    (Cue.RULED_OUT, Mood.PLAN), (Cue.RULED_OUT, Mood.REMINDER), (Cue.RULED_OUT, Mood.CONDITION), (Cue.ENDED, Mood.PLAN),
}  # fmt: skip
"""`We must not use X` forbids X; `X was considered and turned down` is no plan."""
_SAID_OF = {
    Cue.REPLACED: "It says that {thing} was given up",
    Cue.ENDED: "It says that this is gone or was turned down: {thing}",
    Cue.RULED_OUT: "It says “{thing}”",
}


def _affirms(claim: Claim, told: Reading) -> bool:
    """Whether a clause says all that the claim says, in its order, and neither denies, ends nor limits it."""
    keys = keys_of(told)
    if len(claim.weight) + len(claim.reading.quantities) < 2 or not claim.keys - _BLAND - _OF_STATE <= keys:
        return False
    if unmatched(claim.reading.quantities, told.quantities):
        return False
    if told.denials != claim.reading.denials or (told.limited and not claim.reading.limited):
        return False
    if (told.ended and not claim.reading.ended) or (told.past and not claim.past):
        return False
    gone = gone_in(told)
    if any(quantity.bare in one.numbers for quantity in claim.reading.quantities for one in gone) and claim.plain:
        return False
    aside = frozenset(one_of(stem) for one in gone for stem in one.phrase)
    if (aside | frozenset(map(one_of, told.displaced))) & claim.keys and claim.plain | claim.past:
        return False
    places = _in_order(claim, told)
    return places is not None and not _names_another(claim, told, places)


def _in_order(claim: Claim, told: Reading) -> list[int] | None:
    """Where the claim's words stand, if they stand there in its order."""
    order = [one_of(word.stem) if word.stem else "" for word in told.words]
    places: list[int] = []
    for word in claim.reading.words:
        if (key := one_of(word.stem)) in claim.weight:
            try:
                places.append(order.index(key, places[-1] + 1 if places else 0))
            except ValueError:
                return None
    return places


def _names_another(claim: Claim, told: Reading, places: Sequence[int]) -> bool:
    """Whether somebody or something else is named in between, of whom it may be said: not a name's other part."""
    return any(
        one_of(word.stem) not in claim.keys and place - 1 not in places and place + 1 not in places
        for place, word in enumerate(told.words[: places[-1]])
        if word.named and place > places[0]
    )


def _other_value(claim: Claim, told: Reading, keys: frozenset[str], about: frozenset[str]) -> Said | None:
    """The sentence names another value where the claim names one: `written in Go`, `owned by Ana`, `is at Bonn`."""
    if told.denials or told.past or told.displaced:
        return None
    for one in claim.reading.slots:
        for other in told.slots:
            said = _other(claim, one, told, other, keys, about)
            if said is not None:
                return said
    bearers = [_BEARER.match(reading.text) for reading in (claim.reading, told)]
    if bearers[0] and bearers[1] and bearers[0][1] != bearers[1][1]:
        ours, theirs = (keys_of(read(bearer[2])) for bearer in bearers if bearer)
        if ours == theirs:
            return Said(Stand.DENIES, f"Memory names {bearers[1][1]} where the question has {bearers[0][1]}.")
    return None


_BEARER = re.compile(r"([A-Z][\w-]+(?: [A-Z][\w-]+)?) (?:is|are) ((?:the|our|my|his|her|their|its) [^.,;:]+)[.]?$")
"""`Ana is our dentist`: there is one."""


def _other(
    claim: Claim, one: Slot, told: Reading, other: Slot, keys: frozenset[str], about: frozenset[str]
) -> Said | None:
    ours, theirs = (frozenset(map(one_of, slot.value)) - LIGHT for slot in (one, other))
    subject, their_subject = (frozenset(map(one_of, slot.subject)) - LIGHT for slot in (one, other))
    if one.attribute != other.attribute or not ours or not theirs or not subject or not their_subject:
        return None
    if ours & keys or theirs & claim.keys or not _one_sort(ours, claim.reading, theirs, told):
        return None
    if not (subject <= their_subject | about or their_subject <= subject):
        return None
    reason = f"Memory names {other.surface} where the question has {one.surface}"
    rest = claim.weight - ours - subject
    if subject == their_subject and rest <= keys and _takes_one(one.attribute, claim.reading, told):
        return Said(Stand.DENIES, f"{reason}.")
    if one.attribute == "uses" and not rest & keys:
        return None  # many things are used, each for something
    share = len(claim.weight & (keys | about)) / len(claim.weight)
    return Said(Stand.DOUBTS, f"{reason}; whether it can be both is not said.", share)


def _one_sort(ours: frozenset[str], claim: Reading, theirs: frozenset[str], told: Reading) -> bool:
    """Whether both are names, or words of one family of properties."""
    named = [any(_is_name(of, stem) for stem in values) for values, of in ((ours, claim), (theirs, told))]
    families = [{FAMILIES[stem][0] for stem in values if stem in FAMILIES} for values in (ours, theirs)]
    return all(named) or bool(families[0] & families[1])


def _is_name(reading: Reading, stem: str) -> bool:
    """Whether a word is written as a name, at the beginning too."""
    return any(
        one_of(word.stem) == stem and (word.named or reading.text[word.start].isupper()) for word in reading.words
    )


def _takes_one(attribute: str, claim: Reading, told: Reading) -> bool:
    if attribute == "tool":
        return all(_ONE_TOOL.search(reading.folded) is not None for reading in (claim, told))
    return attribute in _ONE_AT_A_TIME or (attribute == "uses" and told.limited)


def _compared(claim: Claim, told: Reading, keys: frozenset[str], sentence: str) -> Said | None:
    """As one memory is held against another: numbers, opposites, values."""
    share = len(claim.weight & keys) / len(claim.weight)
    if share < COMPARED_FROM or claim.reading.ended or claim.reading.displaced:
        return None
    if claim.past and not _WAS.search(told.folded):
        return None
    for clause in dict.fromkeys((sentence, *_clauses(sentence))):
        if (number := _other_number(claim, read(clause))) is not None:
            return number
        keys = keys_of(read(clause))
        share = len(claim.weight & keys) / len(claim.weight)
        if share < COMPARED_FROM:
            continue
        verdict = compare(clause, claim.text, None)
        if verdict.detector == "number" and not _is_likely(verdict.reason, claim.reading, told):
            continue
        if verdict.detector == "value_slot" and ": " in clause:
            continue  # what stands after a colon is a value of whatever stands before it
        if verdict.relation in (Relation.CHANGES, Relation.CONTRADICTS) and verdict.detector != "correction":
            reason = turned_round(verdict.reason)
            compared = frozenset(map(one_of, read(reason).content))
            missing = frozenset(stem for stem in claim.weight - keys - compared if not is_opposed(stem))
            if not missing:
                return Said(Stand.DENIES, reason, share)
            unsaid = ", ".join(_shown_each(claim.reading, missing))
            return Said(Stand.DOUBTS, f"{reason.rstrip('.')}; it does not speak of {unsaid}.", share)
    return None


def _is_likely(reason: str, claim: Reading, told: Reading) -> bool:
    """Whether two numbers that were held against each other are of one sort, and the claim's is nowhere in the text."""
    asked = unmatched(claim.quantities, told.quantities)
    if any(_is_written(quantity, told) for quantity in asked):
        return False
    pairs = [(then, now) for then in told.quantities for now in asked if f"{then.surface} then" in reason]
    return any(then.dimension == now.dimension and then.measure is now.measure for then, now in pairs)


_WAS = re.compile(r"\b(?:was|were|had|did|\w+ed)\b")
_CLAUSE_END = re.compile(r"[;:] | – | — ")
_AFFIRMING_END = re.compile(r"[;:,] | – | — |\s\(")


def _clauses(sentence: str) -> list[str]:
    """The parts of a sentence that could stand alone."""
    return _CLAUSE_END.split(sentence)


def _other_number(claim: Claim, clause: Reading) -> Said | None:
    """The same thing, and another number after the same word or of the same unit."""
    asked = unmatched(claim.reading.quantities, clause.quantities)
    if len(asked) != 1 or not claim.weight <= keys_of(clause) or _is_narrower(claim, clause):
        return None
    (now,) = asked
    if _is_written(now, clause):
        return None
    tokens = [word.token for word in clause.words]
    for then in clause.quantities:
        alike = then.dimension == now.dimension if now.dimension else _label(clause, then) == _label(claim.reading, now)
        before = sum(word.end <= then.start for word in clause.words)
        if then.comparable(now) and alike and not any(is_negator(tokens, at) for at in range(before)):
            return Said(Stand.DENIES, f"Memory says {then.surface}, the question {now.surface}.")
    return None


def _is_written(quantity: Quantity, reading: Reading) -> bool:
    """Whether the number stands somewhere in a text, whatever it is read as there."""
    figure = quantity.surface.split()[0]
    return re.search(rf"(?<![\w.,]){re.escape(figure)}(?!\w)", reading.text) is not None


def _label(reading: Reading, quantity: Quantity) -> str:
    """The word of weight before a number: `port 80`."""
    before = [word.stem for word in reading.words if word.end <= quantity.start and word.stem]
    return one_of(before[-1]) if before else ""


def _is_narrower(claim: Claim, clause: Reading) -> bool:
    """Whether it speaks of a kind of what the claim speaks of: `access logs` of `logs`."""
    words = clause.words
    first = next((at for at, word in enumerate(words) if one_of(word.stem) in claim.weight), 0)
    if not first or not words[first - 1].stem:
        return False
    before = words[first - 1]
    return one_of(before.stem) not in claim.keys and not (words[first].named and before.token in _AGES)


_AGES = frozenset("old older new newer".split())


def turned_round(reason: str) -> str:
    """`8080 then, 9090 now` of a memory and a question: `memory says 8080, the question 9090`."""
    then, mark, now = reason.rstrip(".").partition(" then, ")
    return f"Memory says {then}, the question {now.removesuffix(' now')}." if mark else reason


def shown(reading: Reading, stems: frozenset[str]) -> str:
    """These words as they stand in the text, in its order."""
    return " ".join(_shown_each(reading, stems))


def _shown_each(reading: Reading, stems: frozenset[str]) -> Sequence[str]:
    wanted = frozenset(map(one_of, stems))
    found = (reading.text[word.start : word.end] for word in reading.words if word.stem and one_of(word.stem) in wanted)
    return list(dict.fromkeys(found))
