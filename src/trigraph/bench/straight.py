"""Many memories written straight into a store, without the verbs.

It is for benchmarks that measure reads alone: a hundred thousand memories would take the model an hour.
"""

from __future__ import annotations

import hashlib
import random
from datetime import datetime
from typing import Any

from trigraph.bench.make import START, notes
from trigraph.contracts import Embedder, NewEntity, NewMemory, NewMention, NewPassage, Store
from trigraph.engine.engine import Engine
from trigraph.model.entity import ENTITY_PREFIX
from trigraph.model.ids import new_id
from trigraph.model.memory import (
    MEMORY_PREFIX,
    TRUST,
    EntityType,
    Kind,
    Memory,
    Provenance,
    Source,
    Status,
    Visibility,
)
from trigraph.model.scope import Scope
from trigraph.text.names import name_key
from trigraph.text.terms import analyse, identifiers, topic_key

BATCH = 500


def remember_straight(
    engine: Engine, scope: Scope, memories: int, chance: random.Random, embedder: Embedder | None = None
) -> dict[str, tuple[str, ...]]:
    """So many memories with the things that they speak of; returns the tags of each. Without an embedder they have no
    vectors."""
    store, now = engine._parts.store, engine.now(scope)
    if embedder is not None:
        with store.transaction(scope, now):
            store.space.pin(scope, embedder.model)
    drawn = notes(chance, START)
    known: dict[str, str] = {}
    tags_of: dict[str, tuple[str, ...]] = {}
    for start in range(0, memories, BATCH):
        items = [next(drawn) for _ in range(min(BATCH, memories - start))]
        vectors = None if embedder is None else embedder.embed_documents([item["text"] for item in items])
        with store.transaction(scope, now) as at:
            for place, item in enumerate(items):
                memory = _memory(scope, item, at)
                terms = NewPassage(
                    0, len(memory.text), None, tuple(analyse(memory.text)), tuple(identifiers(memory.text))
                )
                own = None if vectors is None else vectors[place : place + 1]
                store.memories.add(scope, NewMemory(memory, topic_key(str(memory.topic)), (terms,), own))
                _mention(store, scope, memory, known, at)
                tags_of[memory.id] = memory.tags
    return tags_of


def _memory(scope: Scope, item: dict[str, Any], at: datetime) -> Memory:
    source = Source(item["source"])
    return Memory(
        id=new_id(MEMORY_PREFIX, at),
        project=scope.project,
        kind=Kind.FACT if item["kind"] == "decision" else Kind(item["kind"]),
        text=item["text"],
        topic=item["topic"],
        content_hash=hashlib.sha256(item["text"].encode()).hexdigest(),
        provenance=Provenance(source, scope.agent),
        trust=TRUST[source],
        details=None,
        place=None,
        occurred_at=item["occurred_at"],
        created_at=at,
        retracted_at=None,
        valid_from=item["occurred_at"],
        valid_until=None,
        last_verified_at=None,
        status=Status.ACTIVE,
        visibility=Visibility.SHARED,
        tags=tuple(item["tags"]),
        domains=(),
        confidence=1.0,
        pinned=False,
    )


def _mention(store: Store, scope: Scope, memory: Memory, known: dict[str, str], at: datetime) -> None:
    """It speaks of the things of its tags, and of its ticket, if it names one."""
    named = dict.fromkeys((*memory.tags, *(name for name in identifiers(memory.text) if "-" in name)))
    mentions = []
    for name in named:
        if name not in known:
            known[name] = new_id(ENTITY_PREFIX, at)
            made = NewEntity(
                known[name], name, name_key(name), EntityType.SYSTEM, memory.id, Visibility.SHARED, None, at, {}
            )
            store.entities.add(scope, made, at)
        mentions.append(NewMention(known[name], None, None, 1.0))
    store.entities.mention(scope, memory.id, mentions, at)
