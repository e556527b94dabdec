"""How a new short memory relates to a stored one: says it again, changes it, contradicts it, or is another.

The order is fixed. Contradiction and change are looked for before likeness: "185 ft-lb" after "225 ft-lb" is nearly the
same text, and is a correction. Each detector is typed and says in a sentence what it saw; none retires anything.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from trigraph.lifecycle.frames import (
    Frame,
    apart,
    changed_quantity,
    frame_of,
    narrower_subject,
    one_measure,
    other_head,
    other_subject,
    word_before,
    words_around,
)
from trigraph.lifecycle.restating import DENIED, denies, lost
from trigraph.lifecycle.values import other_value
from trigraph.model.calibration import Thresholds as Thresholds
from trigraph.text.polarity import WEAK_KEYS, weak_word
from trigraph.text.quantities import QUANTITIES_MOST, Quantity
from trigraph.text.slots import LIMIT_CHARS, Reading, read
from trigraph.text.wording import ENDINGS, EXISTENCE, LIGHT, ROLES


class Relation(StrEnum):
    """What the newer text does to the older."""

    RESTATES = "restates"
    CHANGES = "changes"
    CONTRADICTS = "contradicts"
    DISTINCT = "distinct"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found, by which detector, and why, in a sentence fit to show.

    `cue`: the newer text says itself, beyond doubt, that it corrects or updates. `corrects`: it says that the older was
    never true, rather than that it changed.
    """

    relation: Relation
    detector: str | None
    reason: str
    cue: bool
    corrects: bool


Detector = Callable[[Reading, Reading, Frame], Verdict | None]

DUPLICATE_LEAST = 0.90
DUPLICATE_MOST = 0.985
ALIKE_MOST = 0.80
REALIGNED_LIKENESS = 0.3
TOLD_ANEW = 0.78
"""From this cosine on, a clear sign of a correction is taken to be about the older text."""
DENIED_ALIKE = 0.955
"""From this cosine on, a denial that no detector has placed is taken to be one of the older text."""
KEPT_APART = "Kept apart"
_AFTER_WORD = re.compile(r"(\w*[^\W\d])\W*(\d+)")
_OF_VALUES = ("number", "value_slot", "correction")
_CLAUSE_END = re.compile(r"; |\. (?=[A-Z])| – | — | because |, (?:so|since) ")
_NOT_ALONE = re.compile(r"\bnot (?:just|only|merely|simply)\b", re.IGNORECASE)


def calibrate(cosines_of_unrelated_pairs: Sequence[float]) -> Thresholds:
    """Thresholds of an embedding model, from cosines of some 2,000 pairs of texts drawn at random.

    Models differ in how alike they find any two texts: where the mean is 0.77, a cosine of 0.82 is no sign of anything.
    Six standard deviations above the mean lies outside chance even among many pairs, and is never below 0.90; two
    above it, one pair in fifty passes by chance, which is as much as the detectors behind that gate should see.
    """
    if len(cosines_of_unrelated_pairs) < 2:
        return Thresholds()
    mean = statistics.fmean(cosines_of_unrelated_pairs)
    deviation = statistics.stdev(cosines_of_unrelated_pairs)
    duplicate = min(max(DUPLICATE_LEAST, mean + 6 * deviation), DUPLICATE_MOST)
    return Thresholds(duplicate=duplicate, alike=min(mean + 2 * deviation, ALIKE_MOST))


def compare(
    older: str,
    newer: str,
    cosine: float | None,
    thresholds: Thresholds = Thresholds(),  # noqa: B008
) -> Verdict:
    """How `newer` relates to `older`. `cosine` is that of their embeddings, None where there is no model."""
    if cosine is not None and cosine < min(thresholds.alike, TOLD_ANEW) and not _is_same(older, newer):
        return _distinct("They speak of different things.")  # without taking them apart: that costs most
    found = _compared(older, newer, cosine, thresholds)
    if found.relation is not Relation.DISTINCT:
        return found
    if (first := _CLAUSE_END.split(newer, 1)[0]) != newer:
        opening = _compared(older, first, cosine, thresholds)
        if opening.detector in _OF_VALUES:
            return opening
    return _told_anew(older, newer, cosine, apart=found.reason.startswith(KEPT_APART)) or found


def _told_anew(older: str, newer: str, cosine: float | None, *, apart: bool) -> Verdict | None:
    """The newer says itself that the matter stands otherwise, and both are plainly about one matter. What names keep
    apart is one matter only if it is about the one who is named first."""
    one, other = read(older), read(newer)
    if apart and not (_opening_name(one) & _opening_name(other)):
        return None
    if not (other.clear or other.corrects) or cosine is None or cosine < TOLD_ANEW:
        return None
    if one.updates or one.corrects or one.displaced or one.denials or _NOT_ALONE.search(newer):
        return None
    shared = (one.content & other.content) - LIGHT
    if len(shared) < 2 and not one.names & other.names:
        return None
    return _flagged("correction", f"Told anew: {_shown(other, shared)}.", other, changes=True)


def _opening_name(reading: Reading) -> frozenset[str]:
    """The name with which a statement begins: `Aunt Berit lives`, `Vesna's title`."""
    words = [word for word in reading.words if word.stem][:2]
    return frozenset(word.stem for word in words if reading.text[word.start].isupper() and word.stem not in LIGHT)


def _compared(older: str, newer: str, cosine: float | None, thresholds: Thresholds) -> Verdict:
    if _is_same(older, newer):
        return Verdict(Relation.RESTATES, None, "The same words.", cue=False, corrects=False)
    one, other = read(older), read(newer)
    frame = frame_of(one, other)
    if not _is_related(one, other, frame, cosine, thresholds):
        return _distinct("They speak of different things.")
    reason = apart(one, other, frame)
    if reason is not None:
        return _distinct(f"{KEPT_APART}: {reason}.")
    for detect in _BEFORE_NAMES:
        found = detect(one, other, frame)
        if found is not None:
            return found
    reason = other_subject(one, other)
    if reason is not None:
        return _distinct(f"{KEPT_APART}: {reason}.")
    for detect in _DETECTORS:
        found = detect(one, other, frame)
        if found is not None:
            return found
    if max(len(older), len(newer)) > LIMIT_CHARS or len(one.quantities) >= QUANTITIES_MOST:
        return _distinct("Too long to be called the same.")
    if cosine is not None and cosine < thresholds.duplicate:
        return _distinct("Not alike enough to be called the same.")
    if _numbered(older) != _numbered(newer):
        return _distinct("Their numbers stand elsewhere.")
    reason = lost(one, other, frame, exactly=cosine is None)
    if (
        reason == DENIED
        and cosine is not None
        and cosine >= DENIED_ALIKE
        and not _some_each(one, other)
        and not (one.ended and other.ended)
    ):
        return _flagged("negation", reason, other, changes=False)
    if reason is not None:
        return _distinct(reason)
    return Verdict(Relation.RESTATES, None, "It says the same.", cue=False, corrects=False)


def _numbered(text: str) -> frozenset[tuple[str, str]]:
    """Which number stands after which word, where there are several: `round 1, text 2` is not `round 2, text 1`."""
    found = _AFTER_WORD.findall(text.casefold())
    return frozenset(found) if len(found) > 1 else frozenset()


def _is_same(older: str, newer: str) -> bool:
    """Whether they differ in nothing but spaces, the end and capitals; words in capitals keep them: `US`, `us`."""
    one, other = ([word.rstrip(".!") for word in text.split()] for text in (older, newer))
    return [word.casefold() for word in one] == [word.casefold() for word in other] and all(
        word == like or not (word.isupper() or like.isupper()) or len(word) == 1
        for word, like in zip(one, other, strict=True)
    )


def _distinct(reason: str) -> Verdict:
    return Verdict(Relation.DISTINCT, None, reason, cue=False, corrects=False)


def _is_related(older: Reading, newer: Reading, frame: Frame, cosine: float | None, thresholds: Thresholds) -> bool:
    """A topical gate: without it tomatoes contradict an index."""
    if not frame.shared:
        return False
    if cosine is not None and cosine < thresholds.alike:
        return False
    if frame.overlap >= thresholds.overlap:
        return True
    told = {(slot.subject, slot.attribute) for slot in older.slots if slot.subject}
    return any((slot.subject, slot.attribute) in told for slot in newer.slots)


def _flagged(detector: str, reason: str, newer: Reading, *, changes: bool) -> Verdict:
    cue = newer.updates or newer.corrects
    relation = Relation.CHANGES if changes or cue else Relation.CONTRADICTS
    return Verdict(relation, detector, reason, cue=newer.clear or newer.corrects, corrects=newer.corrects)


def _replaced(older: Reading, newer: Reading, frame: Frame) -> Verdict | None:
    """The newer puts aside what the older says: "switched from X to Y", "Y instead of X"."""
    if older.displaced & newer.displaced:
        return None
    gone = newer.displaced & (older.content - older.displaced) - LIGHT
    others = frame.shared - gone - LIGHT
    if not gone or (newer.brought and newer.brought <= older.content):
        return None
    if not others and not gone & older.names and not gone & newer.names:
        return None
    now = _shown(newer, newer.brought)
    reason = f"{_shown(older, gone)} then, {now} now." if now else f"{_shown(older, gone)} is put aside."
    return _flagged("correction", reason, newer, changes=True)


def _conflicts(older: Reading, newer: Reading) -> frozenset[str]:
    aside = older.displaced | newer.displaced
    return frozenset(key for key, sign in older.signs.items() if sign and newer.signs.get(key) == -sign) - aside


def _is_denial(older: Reading, newer: Reading) -> bool:
    """Whether one has a negation more, and no opposite (`not public`, `private`) makes up for it."""
    if older.displaced or newer.displaced or (older.denials - newer.denials) % 2 == 0:
        return False
    return denies(older, newer) and not any(len(word.keys) > 1 for word in (*older.words, *newer.words))


def _opposed(older: Reading, newer: Reading, frame: Frame) -> Verdict | None:
    """The same thing affirmed and denied, by a negation or an opposite."""
    keys = sorted(_conflicts(older, newer))
    if not keys and frame.same_words and _is_denial(older, newer):
        return _flagged("negation", DENIED, newer, changes=False)
    if not keys or (frame.older_quantities and frame.newer_quantities) or _some_each(older, newer):
        return None
    if len(keys) == 2 and all(_is_opposites(older, newer, key) for key in keys):
        return None  # `on for internal users`, `off for external users`
    for one, other in ((older, newer), (newer, older)):
        if one.limited and not other.limited and other.denials > 1:
            return None  # `reached only via the VPN`, `cannot be reached without it`
    if any(key in older.denying and key in newer.denying for key in keys):
        return None  # `never on local disk`, `the local disk is not used`
    if _FORBIDS.search(older.folded) and _FORBIDS.search(newer.folded):
        return None  # `pushes are blocked`, `nobody can push`
    strong = [key for key in keys if key not in WEAK_KEYS]
    rest = frame.without({word.stem for reading in (older, newer) for word in reading.words if word.keys & {*keys}})
    rest = rest.without(EXISTENCE)
    if not rest.meets(frame.told) or (not strong and not rest.same_words):
        return None
    denier, narrowed = (older, rest.only_older) if older.denials > newer.denials else (newer, rest.only_newer)
    wider = newer.general if older.denials > newer.denials else older.general
    narrower = (narrowed & denier.denying) - EXISTENCE
    if older.denials != newer.denials and narrower and not (newer.clear or newer.corrects or wider):
        return None  # `we write tests`, `we write no tests for generated code`: the denial is narrower
    key = (strong or keys)[0]
    if key.startswith("~"):
        then, now = weak_word(key, older.signs[key]), weak_word(key, newer.signs[key])
        if {then, now} == {"before", "after"} and _turned_round(older, newer, frame):
            return None  # `a before b`, `b after a`
        return _flagged("antonym", f"{then} then, {now} now.", newer, changes=False)
    words = [_word_of(reading, key) for reading in (older, newer)]
    if words[0].casefold() == words[1].casefold() or (key in older.content and key in newer.content):
        denied = older.denials > newer.denials
        said = "denied then, affirmed now" if denied else "affirmed then, denied now"
        return _flagged("negation", f"{words[0]}: {said}.", newer, changes=False)
    return _flagged("antonym", f"{words[0]} then, {words[1]} now.", newer, changes=False)


def _is_opposites(older: Reading, newer: Reading, key: str) -> bool:
    """Whether each has a word of its own for a key, rather than one of them a negation."""
    return key.startswith("~") or _word_of(older, key).casefold() != _word_of(newer, key).casefold()


_FORBIDS = re.compile(
    r"\b(?:nobody|no one|none) (?:\w+ ){0,4}(?:can|may|must|should|is|are)\b|\b(?:cannot|can't|mustn't|shouldn't)\b"
    r"|\b(?:must|may|can|should) (?:not|never)\b|(?:\bnot|n't) (?:be )?(?:allowed|permitted|accepted)\b"
    r"|\b(?:blocked|forbidden|prohibited|banned|disallowed|off limits)\b"
)


def _turned_round(older: Reading, newer: Reading, frame: Frame) -> bool:
    """Whether what both name comes in another order."""
    one, other = ([word.stem for word in reading.words if word.stem in frame.shared] for reading in (older, newer))
    once = {stem for stem in one if one.count(stem) == other.count(stem) == 1}
    return [stem for stem in one if stem in once][:1] != [stem for stem in other if stem in once][:1]


def _some_each(older: Reading, newer: Reading) -> bool:
    """`some can`, `most cannot`: both hold."""
    return bool(older.partial) and bool(newer.partial) and older.partial != newer.partial


def _quantified(older: Reading, newer: Reading, frame: Frame) -> Verdict | None:
    """Only some may, and anyone may."""
    few = [reading.limited for reading in (older, newer)]
    all_ = [reading.general for reading in (older, newer)]
    if not ((few[0] and all_[1] and not few[1]) or (few[1] and all_[0] and not few[0])):
        return None
    if len(frame.only_older) > 1 or len(frame.only_newer) > 1:
        return None
    return _flagged("quantifier", "Only some in one, all in the other.", newer, changes=False)


def _requantified(older: Reading, newer: Reading, frame: Frame) -> Verdict | None:
    """The same thing with another number, date or version."""
    pair = changed_quantity(older, newer, frame)
    if pair is None or _conflicts(older, newer) or any(one.surface.casefold() == "half" for one in pair):
        return None  # `blocks port 23`, `allows port 443`: two facts; `half past nine`: not read
    measures = one_measure(frame)
    if not frame.told and (measures is None or other_head(older, newer, frame) or narrower_subject(older, newer)):
        return None
    if not frame.without(measures or frozenset()).meets(frame.told):
        return None
    then, now = pair
    label = _attribute(older, then, frame)
    reason = f"{label}{then.surface} then, {now.surface} now."
    return _flagged("number", reason, newer, changes=_is_same_sentence(older, newer) and then.bare != now.bare)


def _revalued(older: Reading, newer: Reading, frame: Frame) -> Verdict | None:
    """The same attribute of the same thing with another value."""
    found = other_value(older, newer, frame)
    if found is None:
        return None
    return _flagged("value_slot", f"{found.then} then, {found.now} now.", newer, changes=found.updates)


def _reordered(older: Reading, newer: Reading, frame: Frame) -> Verdict | None:
    """The same steps the other way round: `lock, then read`, `read, then lock`."""
    if not frame.same_words or frame.older_quantities or frame.newer_quantities:
        return None
    for sequel in _SEQUELS:
        one, other = (words_around(reading, sequel, frame.shared) for reading in (older, newer))
        if one and other and one[0] != other[0] and one[0] in other[1] and other[0] in one[1]:
            return _flagged("order", f"{sequel} {one[0]} once, {sequel} {other[0]} now.", newer, changes=False)
    return None


_SEQUELS = ("then", "before", "after", "than")


def _ended(older: Reading, newer: Reading, frame: Frame) -> Verdict | None:
    """What the older says has come to an end."""
    if not newer.ended or older.ended or not frame.meets(True) or _MENDED.search(older.folded):
        return None
    if not frame.shared - LIGHT - _opening_name(older):
        return None  # `Greta moved to Malmvik`, `Greta retired`
    if not ENDINGS.search(newer.folded.partition(" because ")[0]):
        return None  # `failed because the key had expired`
    return _flagged("correction", "The newer says that this has ended.", newer, changes=True)


_MENDED = re.compile(r"\b(?:repaired|mended|fixed|solved|resolved|patched)\b")


def _departed(older: Reading, newer: Reading, frame: Frame) -> Verdict | None:
    """Someone of whom the older speaks has left."""
    for place, word in enumerate(newer.words[:-1]):
        following = {one.token for one in newer.words[place + 1 : place + 3]}
        if word.stem in older.content and following & _LEAVING and not older.ended and _is_post(older):
            name = newer.text[word.start : word.end]
            if name[:1].isupper():
                return _flagged("correction", f"{name} is no longer there.", newer, changes=True)
    return None


def _is_post(older: Reading) -> bool:
    """Whether the older tells what somebody does or is in charge of."""
    return (
        bool(older.content & ROLES)
        or any(slot.attribute in ("work", "owner") for slot in older.slots)
        or bool(_POST.search(older.folded))
    )


_POST = re.compile(
    r"\b(?:works?|working|leads?|owns?|runs?|manages?|handles?|maintains?|teach(?:es)?|coach(?:es)?|responsible"
    r"|in charge|contact|reports? to|reviews?|approves?|on call|member|plays?|joined|looks after|is the|is our|is my)\b"
)
_LEAVING = frozenset("left resigned quit retired stepped departed".split())


def _realigned(older: Reading, newer: Reading, frame: Frame) -> Verdict | None:
    """The same sentence with another end, and a cue that this is new."""
    if not frame.told:
        return None
    if frame.older_quantities or frame.newer_quantities or frame.likeness < REALIGNED_LIKENESS:
        return None
    ends = [word_before(reading, alone) for reading, alone in ((older, frame.only_older), (newer, frame.only_newer))]
    if ends[0] is None or ends[1] is None or not _begins_with(older, frame) or (newer.ended and not older.ended):
        return None
    if ends[0] != ends[1] and (len(frame.only_older) > 2 or len(frame.only_newer) > 2):
        return None
    if ends[0] != ends[1] and other_subject(older, newer) is not None:
        return None
    reason = f"{_shown(older, frame.only_older)} then, {_shown(newer, frame.only_newer)} now."
    return _flagged("value_slot", reason, newer, changes=True)


def _begins_with(older: Reading, frame: Frame) -> bool:
    return next((word.stem for word in older.words if word.stem), "") in frame.shared


_DETECTORS: tuple[Detector, ...] = (
    _requantified,
    _opposed,
    _quantified,
    _departed,
    _ended,
)
_BEFORE_NAMES: tuple[Detector, ...] = (_replaced, _revalued, _reordered, _realigned)
"""Detectors to which a name may be a value."""


def _is_same_sentence(older: Reading, newer: Reading) -> bool:
    """Whether all but the quantities is word for word the same: that reads as an update."""
    one, other = ([word.token for word in reading.words if word.token not in "#."] for reading in (older, newer))
    return one == other


def _attribute(older: Reading, quantity: Quantity, frame: Frame) -> str:
    """What a quantity is the value of, for showing: the nearest words of weight before it that both texts share."""
    before = [word for word in older.words if word.end <= quantity.start and word.stem in frame.shared]
    return f"{before[-1].token}: " if before else ""


def _shown(reading: Reading, stems: frozenset[str]) -> str:
    return " ".join(dict.fromkeys(reading.text[word.start : word.end] for word in reading.words if word.stem in stems))


def _word_of(reading: Reading, key: str) -> str:
    for word in reading.words:
        if key in word.keys:
            return reading.text[word.start : word.end]
    return key.lstrip("~")
