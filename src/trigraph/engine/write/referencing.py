"""A memory was referred to: cited, said again. It is believed more, and held more firmly (I10)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from trigraph.engine.parts import Parts
from trigraph.engine.write.preparing import Prepared
from trigraph.lifecycle.confidence import effective_of, risen
from trigraph.lifecycle.retention import CONFIRMED, RATINGS, reviewed
from trigraph.model.access_log import Restatement
from trigraph.model.change import CitationKind, Verb
from trigraph.model.memory import Memory
from trigraph.model.scope import Scope

RAISING = (CitationKind.CITED, CitationKind.SAVED_REWORK)
"""Uses that speak for a memory."""


def cited(parts: Parts, scope: Scope, memory: Memory, kind: CitationKind, at: datetime) -> None:
    """What a citation does to the memory that was cited."""
    confidence = risen(memory, at) if kind in RAISING else round(effective_of(memory, at), 6)
    held = replace(memory, confidence=confidence, referenced_at=at, strength=reviewed(memory, RATINGS[kind], at))
    parts.store.memories.revise(scope, held, Verb.CITE, kind, at)


def restated(parts: Parts, scope: Scope, memory: Memory, one: Prepared, at: datetime) -> None:
    """A memory was said again: that is kept on it. It only counts for it if it was said elsewhere."""
    draft = one.draft
    elsewhere = _elsewhere(parts, scope, memory, draft.session)
    confidence = risen(memory, at)
    raised = max(round(confidence - effective_of(memory, at), 6), 0.0) if elsewhere else 0.0
    again = Restatement(scope.agent, draft.source, draft.session, draft.turn, draft.uri, at, raised)
    parts.store.uses.restate(scope, memory.id, again)
    if elsewhere:
        held = replace(memory, confidence=confidence, referenced_at=at, strength=reviewed(memory, CONFIRMED, at))
        parts.store.memories.revise(scope, held, Verb.RESTATE, None, at)


def _elsewhere(parts: Parts, scope: Scope, memory: Memory, session: str | None) -> bool:
    """Whether it was not said in that session before: an echo is no confirmation."""
    if session is None:
        return True
    before = {again.session for again in parts.store.uses.restatements(scope, memory.id)}
    return session not in before | {memory.provenance.session}
