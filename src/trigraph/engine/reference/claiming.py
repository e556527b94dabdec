"""What the evidence says to the claim in a question: what denies it, what casts a doubt on it, what says the same.

Read sentence by sentence. What somebody said in a talk, what an alternative or a history in a document tells, and what
does not hold any more denies nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trigraph.engine.reference.disagreeing import APART, Disagreeing, Replaced, other_measure, time_of
from trigraph.engine.reference.gathering import Piece
from trigraph.lifecycle.denying import DOUBTS_FROM, Claim, Said, Stand, keys_of, one_of, stand_of, turned_round
from trigraph.model.memory import Kind
from trigraph.model.reference import ReplacedBy
from trigraph.text.quantities import unmatched
from trigraph.text.slots import LIMIT_CHARS, read

SENTENCES_MOST = 12
"""So many sentences are read closely: those that name most of what the claim speaks of."""
_ASIDE = re.compile(
    r"\b(?:alternatives?|options?|considered|rejected|context|background|history|problem|before|previous\w*|pros|cons)\b",
    re.IGNORECASE,
)


def hold_against(
    found: Disagreeing, pieces: Sequence[Piece], claim: Claim, others: Sequence[Piece] = ()
) -> list[Piece]:
    """Say which pieces deny, doubt or affirm the claim. What tells of a change beats what was said before it; else
    what denies a claim that something else affirms is no more than a doubt. Returns which of the others, that are no
    evidence by themselves, speak against it: they are, then."""
    said = _said(pieces, claim)
    more = [(one, told) for one, told in _said(others, claim) if told.stand is Stand.DENIES or told.changed]
    said += more
    denied = {id(one): (one, told) for one, told in said if told.stand is Stand.DENIES}
    found.doubts = [(one, told.reason) for one, told in said if told.stand is Stand.DOUBTS]
    found.affirmed = [one for one, told in said if told.stand is Stand.AFFIRMS]
    if not claim.past:
        for gave_way in found.replaced:
            _held_once(found, gave_way, claim, denied)
    if found.affirmed:
        denied = _settled(found, said, denied)
    found.claim = [(one, told.reason) for one, told in denied.values()]
    return [one for one, _ in more]


def _settled(
    found: Disagreeing, said: Sequence[tuple[Piece, Said]], denied: dict[int, tuple[Piece, Said]]
) -> dict[int, tuple[Piece, Said]]:
    """What denies the claim, held against what affirms it; what is left of both."""
    latest = max(time_of(one.memory) for one in found.affirmed)
    told_since = [
        (one, told) for one, told in (*denied.values(), *said) if told.changed and time_of(one.memory) - latest >= APART
    ]
    if not told_since:
        found.doubts += [(one, told.reason) for one, told in denied.values()]
        return {}
    last, told = max(told_since, key=lambda each: time_of(each[0].memory))
    at = time_of(last.memory)
    found.changed += [Replaced(one, last, at, ReplacedBy.IN_PART, told.reason) for one in found.affirmed]
    found.affirmed = []
    return denied


def _said(pieces: Sequence[Piece], claim: Claim) -> list[tuple[Piece, Said]]:
    """What each piece says to the claim, if anything: the clearest of what its sentences say."""
    best = max((one.relevance for one in pieces), default=0.0) or 1.0
    of_each: dict[int, list[Said]] = {}
    for one, sentence in _sentences(pieces, claim):
        told = stand_of(claim, sentence, _about(one))
        if told is None or (told.stand is Stand.DOUBTS and told.share < DOUBTS_FROM and one.relevance < best):
            continue
        of_each.setdefault(id(one), []).append(told)
    found = []
    for one in pieces:
        stands = of_each.get(id(one), [])
        if not stands and (measured := _measured(one, claim)) is not None:
            stands = [measured]
        if stands:
            found.append((one, _clearest(stands)))
    return found


def _sentences(pieces: Sequence[Piece], claim: Claim) -> Iterator[tuple[Piece, str]]:
    """The sentences that name most of what the claim speaks of, of what holds and tells what is so."""
    named = [
        (sum(key in folded for key in claim.weight), one, sentence.text)
        for one in pieces
        if one.holds and one.memory.kind is not Kind.EPISODE
        for sentence in one.sentences
        if not (sentence.heading and one.memory.kind is Kind.DOCUMENT and _ASIDE.search(sentence.heading))
        for folded in (sentence.text.lower(),)
    ]
    for count, one, sentence in sorted(named, key=lambda each: -each[0])[:SENTENCES_MOST]:
        if count:
            yield one, sentence


def _about(piece: Piece) -> frozenset[str]:
    """Words of what a short memory is about; a document says in its sentences of what it speaks."""
    if piece.memory.kind is Kind.DOCUMENT:
        return frozenset()
    subject = piece.memory.subject.name if piece.memory.subject is not None else ""
    return keys_of(read(f"{piece.memory.topic or ''} {subject}"))


def _clearest(stands: Sequence[Said]) -> Said:
    """A change that is told, else what its sentences agree in; where one denies and another affirms, a doubt."""
    by = {stand: [one for one in stands if one.stand is stand] for stand in Stand}
    denials, affirmed = by[Stand.DENIES], by[Stand.AFFIRMS]
    if denials and affirmed and not any(one.changed for one in denials):
        return Said(Stand.DOUBTS, denials[0].reason, denials[0].share)
    if denials:
        return max(denials, key=lambda one: one.changed)
    return affirmed[0] if affirmed else max(by[Stand.DOUBTS], key=lambda one: one.share)


def _measured(one: Piece, claim: Claim) -> Said | None:
    """Another number for the measure of which the claim speaks."""
    if not one.holds or one.memory.kind is Kind.EPISODE or claim.past or len(one.shown) > LIMIT_CHARS:
        return None
    verdict = other_measure(one.shown, claim.text)
    return None if verdict is None else Said(Stand.DENIES, turned_round(verdict.reason))


def _held_once(found: Disagreeing, gave_way: Replaced, claim: Claim, denied: dict[int, tuple[Piece, Said]]) -> None:
    """What was replaced says what the claim says, and what took its place does not."""
    old, new = gave_way.old, gave_way.new
    if not new.holds or new in found.affirmed or id(new) in denied or not claim.weight:
        return
    whole = f"{old.memory.topic or ''}: {old.shown}"
    if not all(key in whole.lower() for key in claim.weight):
        return
    then, now = read(whole), read(new.shown)
    if not claim.weight <= keys_of(then) or unmatched(claim.reading.quantities, then.quantities) or then.displaced:
        return
    aside = frozenset(map(one_of, now.displaced))
    lost = claim.weight - (keys_of(now) - aside)
    other = unmatched(claim.reading.quantities, now.quantities)
    named = frozenset(map(one_of, claim.reading.names))
    if not lost and not other:
        return
    until = f"That held until {gave_way.at:%Y-%m-%d}"
    found.doubts = [(one, reason) for one, reason in found.doubts if one is not new]
    if lost & (named | aside) or other:
        denied[id(new)] = (new, Said(Stand.DENIES, f"{until}.", changed=True))
    else:
        found.doubts.append((new, f"{until}; what took its place does not say it again."))
