"""Reflection: what recurs over sessions, as insights that say from where (I1)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from trigraph.engine.embedding import Unusable
from trigraph.engine.parts import Parts
from trigraph.engine.read.reading import all_memories
from trigraph.errors import ModelUnavailable
from trigraph.lifecycle.recurrence import Pattern, Recurring, Statement, candidates, recurring
from trigraph.model.extraction import Role
from trigraph.model.memory import Derivation, Kind, Memory, MemoryDraft, MemoryFilter, Source, Visibility
from trigraph.model.scope import Scope

EPISODES_MOST = 20_000
"""So many messages are looked at, the latest."""

INFERRED = 0.6
_KINDS = {
    Pattern.REPEATED_CORRECTION: Kind.CONSTRAINT,
    Pattern.RECURRING_PROBLEM: Kind.INSIGHT,
    Pattern.CHANGED_PREFERENCE: Kind.PREFERENCE,
}


def insights(parts: Parts, scope: Scope, days: int) -> tuple[list[MemoryDraft], dict[str, Any]]:
    """What recurs in what the agent's sessions said in the last days; each audience for itself."""
    episodes = _episodes(parts, scope, days)
    by_audience: dict[tuple[Visibility, str | None], list[Memory]] = {}
    for episode in episodes:
        by_audience.setdefault((episode.visibility, episode.group), []).append(episode)
    found = [_draft(one, audience) for audience, said in by_audience.items() for one in _recurring(parts, scope, said)]
    sessions = {episode.provenance.session for episode in episodes}
    return found, {"sessions": len(sessions), "messages": len(episodes)}


def _recurring(parts: Parts, scope: Scope, episodes: list[Memory]) -> list[Recurring]:
    statements = [
        Statement(
            memory_id=one.id,
            session=one.provenance.session or (one.place.thread_id if one.place else ""),
            role=(one.place.role if one.place else None) or Role.USER,
            text=one.text,
            occurred_at=one.occurred_at or one.created_at,
        )
        for one in episodes
    ]
    told = candidates(statements)
    embedder = parts.embedding.usable(parts.store, scope)
    if isinstance(embedder, Unusable) or not told:
        return recurring(told, None)
    try:
        return recurring(told, embedder.embed_documents([one.text for one in told]))
    except ModelUnavailable:
        return recurring(told, None)


def _draft(one: Recurring, audience: tuple[Visibility, str | None]) -> MemoryDraft:
    return MemoryDraft(
        text=one.text,
        kind=_KINDS[one.pattern],
        tags=(one.pattern,),
        visibility=audience[0],
        group=audience[1],
        source=Source.REFLECTION,
        confidence=INFERRED,
        derived_from=tuple(Derivation(shown.memory_id, shown.start, shown.end) for shown in one.evidence),
    )


def _episodes(parts: Parts, scope: Scope, days: int) -> list[Memory]:
    """What was said in the agent's own sessions, the oldest first; what tools put out is no part of it."""
    now = parts.now(scope)
    wanted = MemoryFilter(
        kinds=(Kind.EPISODE,),
        sources=(Source.USER, Source.AGENT),
        author=scope.agent,
        happened_from=now.as_of - timedelta(days=days),
    )
    found = all_memories(parts, scope, wanted, EPISODES_MOST)
    return sorted(found, key=lambda one: (one.occurred_at or one.created_at, one.id))
