"""A deep reference, step by step: evidence, disagreements, the memory to go by, the words, the composition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trigraph.engine.parts import Parts
from trigraph.engine.read.recall import recall
from trigraph.engine.reference.claiming import hold_against
from trigraph.engine.reference.disagreeing import Disagreeing, disagreements, time_of
from trigraph.engine.reference.gathering import EVIDENCE_MOST, Gathered, Piece, gather, share_terms, weigh
from trigraph.engine.reference.judging import confidence, inherit, recommend, role_of, status_of, supporting
from trigraph.engine.reference.telling import Told, nothing_told, reasoning, said
from trigraph.engine.write.composing import keep_reference
from trigraph.errors import InvalidInput, TrigraphError
from trigraph.lifecycle.denying import claim_read
from trigraph.model.composition import Role
from trigraph.model.query import RecallQuery
from trigraph.model.reference import (
    ClaimConflict,
    DeepReference,
    Disagreement,
    Evidence,
    Recommendation,
    Replacement,
    TimelineEntry,
    WriteStatus,
)
from trigraph.model.scope import Scope
from trigraph.text.claims import asks_for_a_rule, claim_of, intent_of, is_past

DEPTH_LEAST, DEPTH, DEPTH_MOST = 5, 20, 50
TIMELINE_MOST = 15
TEXT_CHARACTERS = 400


def deep_reference(
    parts: Parts, scope: Scope, text: str, depth: int = DEPTH, session: str | None = None
) -> DeepReference:
    """Answer a question from the evidence, and keep what was composed for it. That it could not be kept is told, and
    takes nothing from the answer."""
    if not DEPTH_LEAST <= depth <= DEPTH_MOST:
        raise InvalidInput(
            f"depth is {depth}.", field="depth", fix=f"Choose a number from {DEPTH_LEAST} to {DEPTH_MOST}."
        )
    query = RecallQuery(text, limit=depth, superseded=True, session=session, constraint_tokens=0)
    recalled = recall(parts, scope, query)
    with parts.store.snapshot(scope):
        gathered = gather(parts, scope, recalled, intent_of(text))
        answer = _answered(parts, scope, text, gathered)
    if answer.recommended is None:
        return answer
    try:
        event_id = keep_reference(parts, scope, answer, {one.memory.id: one.memory for one in gathered.pieces})
    except (TrigraphError, OSError) as error:
        return replace(answer, composition_write_status=WriteStatus.FAILED, composition_write_error=str(error))
    return replace(answer, composition_event_id=event_id, composition_write_status=WriteStatus.PERSISTED)


def _answered(parts: Parts, scope: Scope, text: str, gathered: Gathered) -> DeepReference:
    recalled, moment, pieces = gathered.recall, gathered.moment, gathered.pieces
    intent, claim = intent_of(text), claim_of(text)
    found = Disagreeing()
    if pieces:
        found = disagreements(parts, scope, pieces, moment)
        if claim is not None:
            more = hold_against(found, pieces, claim_read(claim, past=is_past(text)), gathered.others)
            share_terms(more, text)
            pieces += more
        inherit(found)
        weigh(pieces, moment, parts.store.compositions.tallies(scope, [one.memory.id for one in pieces]))
    best = recommend(pieces, found, intent, rule=asks_for_a_rule(text))
    empty = DeepReference(
        query=text,
        intent=intent,
        claim=claim,
        recall_id=recalled.id,
        evidence=(),
        recommended=None,
        replaced=(),
        contradictions=(),
        claim_conflicts=(),
        timeline=(),
        confidence=0.0,
        status=None,
        reasoning=nothing_told(recalled),
        memories_analysed=gathered.analysed,
        activation_expanded=gathered.expanded,
        nothing_found=recalled.nothing_found or not recalled.hits,
        degraded=recalled.degraded,
    )
    if best is None:
        return empty
    found.changed = [one for one in found.changed if best in (one.old, one.new) and one.new.holds]
    supports = supporting(pieces, found, best)
    sure = confidence(best, recalled.certainty, len(supports), found)
    told = Told(text, intent, claim, recalled, best, supports, pieces, found, sure, moment.as_of)
    return replace(
        empty,
        evidence=_evidence(pieces, best, found, text),
        recommended=Recommendation(best.memory.id, said(best, text, TEXT_CHARACTERS), _why(best, found)),
        replaced=tuple(
            Replacement(one.old.memory.id, said(one.old, text, TEXT_CHARACTERS), one.new.memory.id,
                        said(one.new, text, TEXT_CHARACTERS), one.at, one.by, one.reason)
            for one in (*found.replaced, *found.changed)
        ),
        contradictions=tuple(
            Disagreement(newer.memory.id, said(newer, text, TEXT_CHARACTERS), older.memory.id,
                         said(older, text, TEXT_CHARACTERS), reason)
            for newer, older, reason in found.contradictions
        ),
        claim_conflicts=tuple(
            ClaimConflict(one.memory.id, said(one, text, TEXT_CHARACTERS), reason) for one, reason in found.claim
        ),
        timeline=_timeline(pieces, found, text),
        confidence=sure,
        status=status_of(best, found),
        reasoning=reasoning(told),
    )  # fmt: skip


def _evidence(pieces: Sequence[Piece], best: Piece, found: Disagreeing, text: str) -> tuple[Evidence, ...]:
    """The best first, then by score; what a disagreement names is never left out."""
    role = {id(one): role_of(one, best, found) for one in pieces}
    ordered = sorted(pieces, key=lambda one: (one is not best, -one.score))
    kept = [
        one
        for place, one in enumerate(ordered)
        if place < EVIDENCE_MOST or role[id(one)] in (Role.SUPERSEDED, Role.CONTRADICTING)
    ]
    return tuple(
        Evidence(
            memory_id=one.memory.id,
            role=role[id(one)],
            kind=one.memory.kind,
            text=said(one, text, TEXT_CHARACTERS),
            at=time_of(one.memory),
            relevance=one.relevance,
            trust=one.trust,
            term_share=one.term_share,
            score=round(one.score, 4),
            holds=one.holds,
            by=one.by,
            outcomes=one.outcomes,
        )
        for one in kept
    )


def _timeline(pieces: Sequence[Piece], found: Disagreeing, text: str) -> tuple[TimelineEntry, ...]:
    after = {one.old.memory.id: one.new.memory.id for one in found.replaced}
    best = sorted(pieces, key=lambda one: -one.score)[:TIMELINE_MOST]
    ordered = sorted(best, key=lambda one: (time_of(one.memory), one.memory.id))
    return tuple(
        TimelineEntry(time_of(one.memory), one.memory.id, one.memory.kind, said(one, text, 200),
                      after.get(one.memory.id))
        for one in ordered
    )  # fmt: skip


def _why(best: Piece, found: Disagreeing) -> str:
    reasons = []
    if any(one is best for one, _ in found.claim):
        reasons.append("it holds, and denies what the question takes for granted")
    if best in found.affirmed:
        reasons.append("it says what the question asks about")
    if any(one.new is best for one in found.replaced):
        reasons.append("it took the place of what was found")
    shares = f"relevance {best.relevance:.2f}, trust {best.trust:.2f}, words of the question {best.term_share:.2f}"
    reasons.append(f"the highest of relevance, trust and shared words ({shares})" if not reasons else shares)
    return "; ".join(reasons) + ("" if best.holds else "; it does not hold any more, and nothing that does was found")
