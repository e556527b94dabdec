"""Compositions that are kept: what a caller says it used together, what a deep reference did, and what came of them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from trigraph.engine.finding import find_composition, find_memory
from trigraph.engine.parts import Parts
from trigraph.engine.write.advising import advice_on, suggestion
from trigraph.engine.write.once import call, once
from trigraph.errors import InvalidInput
from trigraph.model.change import Changed, Verb
from trigraph.model.composition import (
    COMPOSITION_PREFIX,
    MEMBER_PREVIEW_CHARACTERS,
    OUTPUT_PREVIEW_CHARACTERS,
    REASONING_PREVIEW_CHARACTERS,
    Composed,
    CompositionEvent,
    CompositionMetadata,
    CompositionOutcome,
    Labelled,
    Member,
    OutcomeLabel,
    Role,
)
from trigraph.model.ids import new_id
from trigraph.model.memory import Memory
from trigraph.model.reference import DeepReference, ReplacedBy
from trigraph.model.scope import Scope
from trigraph.text.cleaning import check_label, optional_label
from trigraph.text.documents import beginning

MEMBERS_MOST = 50
QUERY_LIMIT_CHARS = 10_000
NOTES_LIMIT_CHARS = 2000
SNAPSHOT_CHARACTERS = 2000
"""So much of a memory's text is copied into a composition."""
TOOL = "deep_reference"


def compose(parts: Parts, scope: Scope, given: Composed, key: str | None = None) -> Changed:
    """Keep that memories were used together. They may be forgotten ones: it is about what was done with them."""
    called = call(Verb.COMPOSE, key, given)
    if not 1 <= len(given.members) <= MEMBERS_MOST:
        raise InvalidInput(
            f"{len(given.members)} members were given.", field="members", fix=f"Give 1 to {MEMBERS_MOST} memories."
        )
    if given.confidence is not None and not 0 <= given.confidence <= 1:
        raise InvalidInput(f"confidence is {given.confidence}.", field="confidence", fix="Choose a number from 0 to 1.")
    query = check_label(given.query, "query", QUERY_LIMIT_CHARS) if given.query else ""
    tool, mode = check_label(given.tool, "tool"), check_label(given.mode, "mode")

    def change(at: datetime) -> Changed:
        found = [(find_memory(parts, scope, name, at), role) for name, role in given.members]
        once_each = dict.fromkeys((memory.id, role) for memory, role in found)
        if len(once_each) != len(found):
            raise InvalidInput(
                "A memory plays one part twice.", field="members", fix="Name each memory once for each of its roles."
            )
        members = [_member(memory, role, rank) for rank, (memory, role) in enumerate(found, start=1)]
        event = _event(scope, at, query, members, tool, mode, _redacted(given.output))
        kept = replace(event, confidence=given.confidence, status=given.status)
        parts.store.compositions.add(scope, kept)
        return Changed(Verb.COMPOSE, (kept.id,), at)

    return once(parts, scope, called, Changed, change)


def label(
    parts: Parts,
    scope: Scope,
    name: str,
    given: OutcomeLabel,
    *,
    source: str = "user",
    confidence_delta: float = 0.0,
    notes: str | None = None,
    key: str | None = None,
) -> Labelled:
    """Say what came of a composition, and be told what else to look at."""
    called = call(Verb.LABEL, key, name, given, source, confidence_delta, notes)
    if not -1 <= confidence_delta <= 1:
        raise InvalidInput(
            f"confidence_delta is {confidence_delta}.", field="confidence_delta", fix="Choose a number from -1 to 1."
        )
    who, told = check_label(source, "source"), optional_label(notes, "notes", NOTES_LIMIT_CHARS)
    event = find_composition(parts, scope, name)
    suggested = suggestion(parts, scope, event, told) if given is OutcomeLabel.DEAD_END else None
    advice = advice_on(parts, scope, event, given, suggested)

    def change(at: datetime) -> Changed:
        outcome = CompositionOutcome(given, who, scope.agent, at, confidence_delta, told)
        parts.store.compositions.label(scope, event.id, outcome)
        return Changed(Verb.LABEL, (event.id,), at)

    return Labelled(once(parts, scope, called, Changed, change), given, suggested, advice)


def keep_reference(parts: Parts, scope: Scope, answer: DeepReference, memories: Mapping[str, Memory]) -> str:
    """Keep what a deep reference composed: its evidence, and both sides of what disagrees. Returns the id."""
    after = {one.old_id: one.new_id for one in answer.replaced if one.by is not ReplacedBy.IN_PART}
    members = [
        _member(memories[one.memory_id], one.role, rank, one.trust, one.score, after.get(one.memory_id))
        for rank, one in enumerate(answer.evidence, start=1)
    ]
    sides = {id_ for one in answer.contradictions for id_ in (one.newer_id, one.older_id)}
    first = answer.evidence[0]
    if first.memory_id in sides:
        members.append(_member(memories[first.memory_id], Role.CONTRADICTING, 1, first.trust, first.score))
    query, reasoning = _redacted(answer.query), _redacted(answer.reasoning)
    metadata = CompositionMetadata(
        intent=answer.intent,
        memories_analysed=answer.memories_analysed,
        activation_expanded=answer.activation_expanded,
        reasoning_preview=reasoning[:REASONING_PREVIEW_CHARACTERS],
    )
    with parts.store.transaction(scope, parts.clock()) as at:
        event = _event(scope, at, query, members, TOOL, answer.intent, reasoning)
        kept = replace(event, told=False, confidence=answer.confidence, status=answer.status, metadata=metadata)
        parts.store.compositions.add(scope, kept)
    return kept.id


def query_hash(query: str) -> str:
    """What tells one question from another, however it is spaced and capitalised."""
    return hashlib.sha256(" ".join(query.casefold().split()).encode("utf-8", "surrogatepass")).hexdigest()


def _event(
    scope: Scope, at: datetime, query: str, members: Sequence[Member], tool: str, mode: str, output: str
) -> CompositionEvent:
    return CompositionEvent(
        id=new_id(COMPOSITION_PREFIX, at),
        project=scope.project,
        author=scope.agent,
        at=at,
        tool=tool,
        mode=mode,
        query=query,
        query_hash=query_hash(query) if query else "",
        members=tuple(members),
        output_preview=" ".join(output.split())[:OUTPUT_PREVIEW_CHARACTERS],
    )


def _member(
    memory: Memory,
    role: Role,
    rank: int,
    trust: float | None = None,
    score: float | None = None,
    replaced_by: str | None = None,
) -> Member:
    preview = beginning(memory.text, MEMBER_PREVIEW_CHARACTERS)
    text = memory.text[:SNAPSHOT_CHARACTERS]
    return Member(memory.id, role, rank, trust, score, preview, memory.tags, text, replaced_by)


def _redacted(text: str) -> str:
    """Nobody looks at what is kept of itself: secrets are taken out."""
    from trigraph.text.secrets import redact

    return redact(text).text
