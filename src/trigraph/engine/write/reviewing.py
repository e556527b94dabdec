"""The review of what was held back: let in, or forgotten (X6)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from trigraph.engine.finding import find_memory
from trigraph.engine.parts import Parts
from trigraph.engine.write.connecting import connect
from trigraph.engine.write.forgetting import put_aside
from trigraph.engine.write.once import call, once
from trigraph.engine.write.resolution import link_entities
from trigraph.engine.write.saying import ends_of, props_said, relations_said, say, things_of
from trigraph.errors import Conflict
from trigraph.model.change import Changed, Verb
from trigraph.model.memory import Memory, MemoryFilter, Status
from trigraph.model.review import HeldBack
from trigraph.model.scope import Scope
from trigraph.text.names import names_in


def held_back(parts: Parts, scope: Scope, limit: int) -> list[HeldBack]:
    """Memories in quarantine that the caller may see, the latest first, and what each is held back for."""
    with parts.store.snapshot(scope):
        now = parts.now(scope)
        found = parts.store.memories.page(scope, MemoryFilter(status=Status.QUARANTINED), now, limit, None)
        versions = parts.store.memories.versions(scope, [memory.id for memory in found], now.known_at)
    signs = {
        version.memory_id: version.reason or ""
        for version in reversed(versions)
        if version.status is Status.QUARANTINED
    }
    return [HeldBack(memory, tuple(filter(None, signs.get(memory.id, "").split(", ")))) for memory in found]


def review(
    parts: Parts, scope: Scope, name: str, *, accept: bool, reason: str | None = None, key: str | None = None
) -> Changed:
    """Let a quarantined memory in, so that it takes part in everything, or forget it."""
    called = call(Verb.REVIEW, key, name, accept, reason)

    def change(at: datetime) -> Changed:
        memory = find_memory(parts, scope, name, at)
        if memory.status is not Status.QUARANTINED:
            raise Conflict(
                f"{memory.id} is {memory.status}, not quarantined.", fix="`trigraph review list` shows what is."
            )
        if not accept:
            put_aside(parts, scope, memory, Verb.REVIEW, reason, at)
            return Changed(Verb.REVIEW, (memory.id,), at, note="forgotten")
        _let_in(parts, scope, memory, reason, at)
        return Changed(Verb.REVIEW, (memory.id,), at, note="let in")

    return once(parts, scope, called, Changed, change)


def _let_in(parts: Parts, scope: Scope, memory: Memory, reason: str | None, at: datetime) -> None:
    active = replace(memory, status=Status.ACTIVE)
    parts.store.memories.revise(scope, active, Verb.REVIEW, reason, at)
    told = replace(active, created_at=at)  # from now on it speaks of things
    relations, props = relations_said(memory.text, memory.kind), props_said(memory.text, memory.kind)
    further = (*ends_of(relations), *things_of(memory.text, props))
    tied = link_entities(parts, scope, told, names_in(memory.text), further=further)
    say(parts, scope, told, relations, props, tied.named)
    connect(parts, scope, told, tied.entity_ids, None)
