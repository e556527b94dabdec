"""Links that the system draws by itself when a memory is written (L2): nearby in a session, on one topic, alike.

Likeness alone links noise: a second thing must speak for it, a shared entity that is no hub, or a shared topic.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from trigraph.engine.parts import AutomaticLink, Parts
from trigraph.model.ids import new_id
from trigraph.model.link import LINK_PREFIX, Link, LinkOrigin, LinkType
from trigraph.model.memory import Kind, Memory
from trigraph.model.scope import Scope
from trigraph.ranking.likeness import kinds_factor

if TYPE_CHECKING:
    from trigraph.contracts import Vectors

LINKS_MOST = 5
"""So many links of its own a memory gets."""
SESSION_MOST = 2
SESSION_WITHIN = timedelta(hours=1)
TOPIC_CONFIDENCE = 0.6
CANDIDATES_MOST = 60
HUB_MOST = 25
"""Sharing an entity that more memories speak of says little, unless both are about it."""


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A link to be: its other end, what it is, and by what it was drawn."""

    other_id: str
    type: LinkType
    confidence: float
    reason: str
    similarity: float | None = None
    gap_seconds: float | None = None


def connect(
    parts: Parts,
    scope: Scope,
    memory: Memory,
    entity_ids: Sequence[str],
    vectors: Vectors | None,
    apart_from: Collection[str] = (),
) -> None:
    """Link a memory that was just written to what it belongs with; `entity_ids` are those it speaks of, `apart_from`
    memories that it will be linked to on purpose. Episodes get none: their thread's order says it."""
    if memory.kind is Kind.EPISODE or not parts.links.kinds:
        return
    drawn: dict[str, _Drawn] = {}
    for one in (*_of_topic(parts, scope, memory), *_alike(parts, scope, memory, entity_ids, vectors)):
        if one.other_id not in apart_from:
            drawn.setdefault(one.other_id, one)
    for one in _nearby(parts, scope, memory):
        if one.other_id not in apart_from:
            drawn.setdefault(one.other_id, one)
    for one in list(drawn.values())[:LINKS_MOST]:
        _draw(parts, scope, memory, one)


def _of_topic(parts: Parts, scope: Scope, memory: Memory) -> list[_Drawn]:
    if AutomaticLink.TOPIC not in parts.links.kinds or memory.kind is not Kind.DECISION or memory.topic is None:
        return []
    reason = f"decisions on {memory.topic}"
    return [
        _Drawn(id_, LinkType.RELATES_TO, TOPIC_CONFIDENCE, reason)
        for id_, _ in parts.store.graph.decisions_on(scope, memory, LINKS_MOST)
    ]


def _alike(
    parts: Parts, scope: Scope, memory: Memory, entity_ids: Sequence[str], vectors: Vectors | None
) -> list[_Drawn]:
    if AutomaticLink.SIMILAR not in parts.links.kinds or vectors is None or not len(vectors):
        return []
    graph = parts.store.graph
    degrees = graph.degrees(scope, entity_ids, HUB_MOST + 1) if entity_ids else {}
    telling = [id_ for id_ in entity_ids if degrees.get(id_, 0) <= HUB_MOST]
    if not telling and memory.topic is None and memory.subject is None:
        return []
    sharing = graph.sharing(scope, memory, telling, memory.created_at, CANDIDATES_MOST)
    found = graph.first_vectors(scope, [one.memory_id for one in sharing]) if sharing else None
    if found is None:
        return []
    by_id = {one.memory_id: one for one in sharing}
    cosines = dict(zip(found[0], (found[1] @ vectors[0]).tolist(), strict=True))
    near = sorted((id_ for id_ in cosines if cosines[id_] > parts.links.similar_above), key=lambda id_: -cosines[id_])
    return [
        _Drawn(
            id_,
            LinkType.RELATES_TO,
            min(1.0, cosines[id_] * kinds_factor(by_id[id_].kind, memory.kind)),
            "alike, and they share a thing or a topic",
            similarity=min(1.0, cosines[id_]),
        )
        for id_ in near[:LINKS_MOST]
    ]


def _nearby(parts: Parts, scope: Scope, memory: Memory) -> list[_Drawn]:
    if AutomaticLink.SESSION not in parts.links.kinds or memory.provenance.session is None:
        return []
    happened = memory.occurred_at or memory.created_at
    near = parts.store.graph.of_session(scope, memory, happened - SESSION_WITHIN, happened, SESSION_MOST)
    found = []
    for id_, _, at in near:
        gap = happened - at
        confidence = 0.3 + 0.2 * (1 - gap / SESSION_WITHIN)
        reason = f"session {memory.provenance.session}"
        found.append(_Drawn(id_, LinkType.TEMPORAL, confidence, reason, gap_seconds=gap.total_seconds()))
    return found


def _draw(parts: Parts, scope: Scope, memory: Memory, one: _Drawn) -> None:
    earlier_first = one.type is LinkType.TEMPORAL
    parts.store.links.add(
        scope,
        Link(
            id=new_id(LINK_PREFIX, memory.created_at),
            from_id=one.other_id if earlier_first else memory.id,
            to_id=memory.id if earlier_first else one.other_id,
            type=one.type,
            confidence=round(one.confidence, 4),
            created_by=LinkOrigin.SYSTEM,
            author=scope.agent,
            reason=one.reason[:2000],
            valid_from=memory.valid_from,
            valid_until=None,
            known_from=memory.created_at,
            similarity=None if one.similarity is None else round(one.similarity, 4),
            gap_seconds=one.gap_seconds,
        ),
    )
