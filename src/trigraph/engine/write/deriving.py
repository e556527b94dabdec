"""What a memory was derived from: it is trusted no more than the weakest of that."""

from __future__ import annotations

from dataclasses import dataclass

from trigraph.engine.parts import Parts
from trigraph.errors import InvalidInput
from trigraph.model.extraction import Role
from trigraph.model.memory import Kind, Memory, MemoryDraft, Source
from trigraph.model.scope import Scope

DERIVED_FROM_MOST = 100


@dataclass(frozen=True, slots=True)
class Origin:
    """The least trusted of the sources, how far it is trusted, and whether a person said all of it."""

    weakest: Source | None = None
    trust: float = 1.0
    said_by_person: bool = False


def origin_of(parts: Parts, scope: Scope, draft: MemoryDraft) -> Origin:
    """Where a draft comes from, by the memories that it names. All of them must be there."""
    if not draft.derived_from:
        return Origin()
    ids = list(dict.fromkeys(one.memory_id for one in draft.derived_from))
    if len(ids) > DERIVED_FROM_MOST:
        raise InvalidInput(
            f"It is derived from {len(ids)} memories.", field="derived_from", fix=f"Name at most {DERIVED_FROM_MOST}."
        )
    known_at = parts.now(scope).known_at
    found = [memory for id_ in ids for memory in parts.store.memories.find(scope, id_, known_at) if memory.id == id_]
    missing = set(ids) - {memory.id for memory in found}
    if missing:
        raise InvalidInput(
            f"There is no memory {min(missing)}.", field="derived_from", fix="Name memories that you can see."
        )
    weakest = min(found, key=lambda memory: memory.trust)
    return Origin(weakest.provenance.source, weakest.trust, all(_said_by_person(memory) for memory in found))


def _said_by_person(memory: Memory) -> bool:
    spoken = memory.kind is Kind.EPISODE and memory.place is not None and memory.place.role in (None, Role.USER)
    return spoken and memory.provenance.source is Source.USER
