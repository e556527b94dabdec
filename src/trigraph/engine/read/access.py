"""When a memory was shown, said again and used (I13)."""

from __future__ import annotations

from trigraph.engine.finding import find_memory
from trigraph.engine.parts import Parts
from trigraph.lifecycle.confidence import effective_of
from trigraph.lifecycle.retention import retention
from trigraph.model.access_log import AccessLog
from trigraph.model.scope import Scope

LISTED_MOST = 50


def access(parts: Parts, scope: Scope, name: str) -> AccessLog:
    """What the asking agent's recalls and citations made of a memory, the latest first."""
    memory = find_memory(parts, scope, name)
    now = parts.now(scope).as_of
    return AccessLog(
        memory_id=memory.id,
        confidence=memory.confidence,
        effective_confidence=round(effective_of(memory, now), 6),
        retention=round(retention(memory, now), 6),
        shown_count=parts.store.events.shown_count(scope, memory.id),
        shown=tuple(parts.store.events.shown(scope, memory.id, LISTED_MOST)),
        used=tuple(parts.store.uses.used(scope, memory.id, LISTED_MOST)),
        restatements=tuple(parts.store.uses.restatements(scope, memory.id)),
    )
