"""Which memory to go by, how sure that is, and how the evidence stands: documented heuristics, no probabilities."""

from __future__ import annotations

from collections.abc import Sequence

from trigraph.engine.reference.disagreeing import Disagreeing, Replaced
from trigraph.engine.reference.gathering import Piece
from trigraph.model.composition import CompositionStatus, Role
from trigraph.model.memory import Kind
from trigraph.model.reference import Intent, ReplacedBy

INHERITED = 0.97
"""What takes the place of a memory is as relevant as that was, nearly."""
CAME_LAST = 0.12
"""What took the place of others is ahead by so much: somebody looked at the matter again. Of a document only where the
older one is what was found first: it decides more than one thing."""
TELLS_WHY = 0.05
"""What a decision, an outcome or an insight is ahead where a cause is asked for."""
TELLS_RULE = 0.12
"""What a constraint, a preference, a decision or a skill is ahead where it is asked what to do."""
CASTS_DOUBT = 0.1
"""What casts a doubt on the question's claim is ahead by so much: whoever asks wants to read that."""
CERTAINTY, SCORE = 0.55, 0.45
UNKNOWN_CERTAINTY = 0.6
EACH_SUPPORT, SUPPORT_MOST = 0.03, 0.15
EACH_CONTRADICTION, CONTRADICTIONS_MOST = 0.1, 0.3
CLAIM_DENIED = 0.1
NOT_HOLDING = 0.5
ABOVE_CERTAINTY = 0.35
"""Confidence is never more than so much above the certainty of the recall."""
CONFIDENCE_MOST = 0.95
SUPPORTS_FROM = 0.45
_WHY = frozenset({Kind.DECISION, Kind.OUTCOME, Kind.INSIGHT})
_RULES = frozenset({Kind.CONSTRAINT, Kind.PREFERENCE, Kind.DECISION, Kind.SKILL})


def inherit(found: Disagreeing) -> None:
    """What took the place of something relevant is relevant, along the whole chain; what changed a part of it is where
    it has as many of the question's words."""
    changed = [one for one in found.changed if one.new.term_share >= one.old.term_share]
    for one in sorted([*found.replaced, *changed], key=lambda gave_way: gave_way.at):
        one.new.relevance = max(one.new.relevance, round(INHERITED * one.old.relevance, 4))
        one.new.term_share = max(one.new.term_share, round(INHERITED * one.old.term_share, 4))


def recommend(pieces: Sequence[Piece], found: Disagreeing, intent: Intent, *, rule: bool = False) -> Piece | None:
    """What denies the question's claim, else what says the same, else what tells of a change since something did, else
    the best of what holds; what does not hold only where nothing does."""

    def worth(one: Piece) -> float:
        why = TELLS_WHY if intent is Intent.ROOT_CAUSE and one.memory.kind in _WHY else 0.0
        what = TELLS_RULE if rule and one.memory.kind in _RULES else 0.0
        last = CAME_LAST if any(gave_way.new is one and _first_found(gave_way) for gave_way in found.replaced) else 0.0
        doubt = CASTS_DOUBT if any(piece is one for piece, _ in found.doubts) else 0.0
        return one.score + why + what + last + doubt

    since = [one for one, _ in found.doubts if any(changed.new is one for changed in found.changed)]
    for some in ([one for one, _ in found.claim], found.affirmed, since, [one for one in pieces if one.holds], pieces):
        if some:
            return max(some, key=worth)
    return None


def _first_found(gave_way: Replaced) -> bool:
    return gave_way.by is not ReplacedBy.DOCUMENT or gave_way.old.relevance >= 1.0


def supporting(pieces: Sequence[Piece], found: Disagreeing, recommended: Piece) -> list[Piece]:
    """What holds, is relevant, and is on neither side of a disagreement or of a change, the best first."""
    against = {id(piece) for newer, older, _ in found.contradictions for piece in (newer, older)}
    against |= {id(one) for one, _ in (*found.claim, *found.doubts)}
    against |= {id(piece) for one in found.changed for piece in (one.old, one.new)}
    for_it = [
        one
        for one in pieces
        if one is not recommended and one.holds and id(one) not in against and one.relevance >= SUPPORTS_FROM
    ]
    return sorted(for_it, key=lambda one: -one.score)


def confidence(recommended: Piece, certainty: float | None, supports: int, found: Disagreeing) -> float:
    """0.55 of the recall's certainty that memory has something + 0.45 of the recommended memory's score + 0.03 for each
    that supports it (at most 0.15) - 0.1 for each open contradiction (at most 0.3) - 0.1 if the question's claim is
    denied; at most 0.35 above that certainty; half of it if the memory does not hold now."""
    certain = UNKNOWN_CERTAINTY if certainty is None else certainty
    whole = CERTAINTY * certain + SCORE * recommended.score
    whole += min(EACH_SUPPORT * supports, SUPPORT_MOST)
    whole -= min(EACH_CONTRADICTION * len(found.contradictions), CONTRADICTIONS_MOST)
    whole -= CLAIM_DENIED if found.claim else 0.0
    whole = min(whole, certain + ABOVE_CERTAINTY) * (1.0 if recommended.holds else NOT_HOLDING)
    return round(min(max(whole, 0.0), CONFIDENCE_MOST), 4)


def status_of(recommended: Piece, found: Disagreeing) -> CompositionStatus:
    """The first that holds."""
    if found.claim:
        return CompositionStatus.CLAIM_CONTRADICTS_MEMORY
    disputed = any(recommended in (newer, older) for newer, older, _ in found.contradictions)
    if not disputed and any(one.new is recommended for one in found.replaced):
        return CompositionStatus.RESOLVED
    if found.contradictions:
        return CompositionStatus.CONTRADICTIONS_FOUND
    return CompositionStatus.RESOLVED if found.replaced else CompositionStatus.PARTIAL_EVIDENCE


def role_of(piece: Piece, recommended: Piece, found: Disagreeing) -> Role:
    """The part that a piece plays in the answer."""
    if piece is recommended:
        return Role.PRIMARY
    if any(one.old is piece for one in found.replaced):
        return Role.SUPERSEDED
    if any(piece in (newer, older) for newer, older, _ in found.contradictions):
        return Role.CONTRADICTING
    return Role.CONTRADICTING if any(one is piece for one, _ in found.claim) else Role.SUPPORTING
