"""Decisions, what was built on them, what came of it, and the end of a session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from trigraph.engine.finding import find_memory
from trigraph.engine.parts import Parts
from trigraph.engine.write.once import call, earlier, once
from trigraph.engine.write.resolution import Called
from trigraph.engine.write.revising import end_validity
from trigraph.engine.write.standing import check_audience_unchanged, check_standing
from trigraph.engine.write.stating import succeed, write_decision
from trigraph.engine.write.telling import draw_link, ready, tell
from trigraph.errors import InvalidInput
from trigraph.model.change import Changed, CitationKind, Verb
from trigraph.model.link import LinkType
from trigraph.model.memory import (
    Kind,
    Memory,
    MemoryDraft,
    MemoryFilter,
    OutcomeDetails,
    OutcomeResult,
    SessionDetails,
    Visibility,
)
from trigraph.model.scope import Scope
from trigraph.text.cleaning import check_label

WRAP_MOST = 500
"""A session's summary is made from at most so many of its memories, the newest."""
_TOLD_CHARS = 160
_FIRST = (Kind.DECISION, Kind.CHECKPOINT, Kind.OUTCOME, Kind.CONSTRAINT, Kind.PREFERENCE)
_TELLING = (*_FIRST, *(kind for kind in Kind if kind not in _FIRST))


def decide(
    parts: Parts, scope: Scope, draft: MemoryDraft, supersedes: str | None = None, key: str | None = None
) -> Changed:
    """Record a decision on a topic: the entity that the topic names gets a new state."""
    called = call(Verb.DECIDE, key, draft, supersedes)
    if (before := earlier(parts, scope, called, Changed)) is not None:
        return before
    topic = check_label(draft.topic, "topic") if draft.topic is not None else None
    if topic is None:
        raise InvalidInput("A decision is about a topic.", field="topic", fix="Say what it decides, in a few words.")
    old = find_memory(parts, scope, supersedes) if supersedes is not None else None
    if old is not None:
        draft = replace(draft, visibility=old.visibility, group=old.group)
    prepared = ready(parts, scope, replace(draft, kind=Kind.DECISION, subject=topic))

    def change(at: datetime) -> Changed:
        about = Called(topic, None, changes=True)
        replacing = [old.id] if old is not None else []
        memory = tell(parts, scope, prepared, at, verb=Verb.DECIDE, subject=about, apart_from=replacing)
        links, replaced = [], []
        if old is not None:
            links.append(end_validity(parts, scope, old, memory, None, at))
            replaced.append(old.id)
            succeed(parts, scope, old, memory, at)
        entity_id = write_decision(parts, scope, memory, superseding=old is not None)
        changed = Changed(
            Verb.DECIDE, (memory.id,), at, replaced=tuple(replaced), links=tuple(links), entity_id=entity_id
        )
        return prepared.answered(changed)

    return once(parts, scope, called, Changed, change)


def checkpoint(
    parts: Parts, scope: Scope, draft: MemoryDraft, implements: Sequence[str] = (), key: str | None = None
) -> Changed:
    """Record how far the work has come, and which decisions it implements; with the session's citations."""
    called = call(Verb.CHECKPOINT, key, draft, tuple(implements))
    if (before := earlier(parts, scope, called, Changed)) is not None:
        return before
    decisions = [check_standing(find_memory(parts, scope, name)) for name in dict.fromkeys(implements)]
    if draft.topic is None:
        draft = replace(draft, topic=next((one.topic for one in decisions if _seen_by_as_many(one, draft)), None))
    draft = replace(draft, kind=Kind.CHECKPOINT, details=_tallied(parts, scope, draft.session))
    prepared = ready(parts, scope, draft)

    def change(at: datetime) -> Changed:
        for one in decisions:
            check_standing(find_memory(parts, scope, one.id, at))
        carried_out = [one.id for one in decisions]
        memory = tell(parts, scope, prepared, at, verb=Verb.CHECKPOINT, apart_from=carried_out)
        links = [draw_link(parts, scope, memory, one.id, LinkType.IMPLEMENTS) for one in decisions]
        return prepared.answered(Changed(Verb.CHECKPOINT, (memory.id,), at, links=tuple(links)))

    return once(parts, scope, called, Changed, change)


def evolve(
    parts: Parts,
    scope: Scope,
    name: str,
    result: OutcomeResult,
    reason: str | None,
    draft: MemoryDraft,
    key: str | None = None,
) -> Changed:
    """Record what came of a memory. Whoever sees the memory sees the outcome."""
    called = call(Verb.EVOLVE, key, name, result, reason, draft)
    if (before := earlier(parts, scope, called, Changed)) is not None:
        return before
    of = check_standing(find_memory(parts, scope, name))
    told = draft.text or f"{result}: {(reason or of.topic or of.id).strip()}"
    draft = replace(
        draft,
        text=told,
        kind=Kind.OUTCOME,
        topic=draft.topic or of.topic,
        visibility=of.visibility,
        group=of.group,
        details=OutcomeDetails(result, reason),
    )
    prepared = ready(parts, scope, draft)

    def change(at: datetime) -> Changed:
        check_audience_unchanged(of, check_standing(find_memory(parts, scope, of.id, at)))
        memory = tell(parts, scope, prepared, at, verb=Verb.EVOLVE, apart_from=[of.id])
        link = draw_link(parts, scope, memory, of.id, LinkType.OUTCOME_OF, reason)
        return prepared.answered(Changed(Verb.EVOLVE, (memory.id,), at, links=(link,)))

    return once(parts, scope, called, Changed, change)


def wrap(parts: Parts, scope: Scope, draft: MemoryDraft, key: str | None = None) -> Changed:
    """End a session: a summary with its citations. Without a text it lists what the session left."""
    called = call(Verb.WRAP, key, draft)
    if (before := earlier(parts, scope, called, Changed)) is not None:
        return before
    if draft.session is None:
        raise InvalidInput("A session is wrapped by its id.", field="session", fix="Give the session.")
    session = check_label(draft.session, "session")
    wanted = MemoryFilter(session=session, author=scope.agent)
    left = [] if draft.text else parts.store.memories.page(scope, wanted, parts.now(scope), WRAP_MOST, None)
    # A summary repeats only what all its readers may see.
    told = [memory for memory in reversed(left) if _seen_by_as_many(memory, draft)]
    draft = replace(draft, text=draft.text or _session_text(session, told), kind=Kind.SUMMARY)
    prepared = ready(parts, scope, replace(draft, details=_tallied(parts, scope, session)))
    trust = min((memory.trust for memory in told), default=None)

    def change(at: datetime) -> Changed:
        memory = tell(parts, scope, prepared, at, verb=Verb.WRAP, trust=trust, apart_from=[one.id for one in told])
        links = [
            draw_link(parts, scope, memory, one.id, LinkType.DERIVED_FROM)
            for one in told
            if one.kind is not Kind.EPISODE
        ]
        return prepared.answered(Changed(Verb.WRAP, (memory.id,), at, links=tuple(links)))

    return once(parts, scope, called, Changed, change)


def _tallied(parts: Parts, scope: Scope, session: str | None) -> SessionDetails | None:
    if session is None:
        return None
    counted = parts.store.uses.tally(scope, session)
    return SessionDetails({kind.value: counted.get(kind, 0) for kind in CitationKind})


def _seen_by_as_many(memory: Memory, draft: MemoryDraft) -> bool:
    """Whether whoever will see the draft may see the agent's own memory."""
    match memory.visibility:
        case Visibility.SHARED:
            return True
        case Visibility.GROUP:
            return draft.visibility is Visibility.PRIVATE or draft.group == memory.group
        case Visibility.PRIVATE:
            return draft.visibility is Visibility.PRIVATE


def _session_text(session: str, left: Sequence[Memory]) -> str:
    """What a session left, in its own words."""
    episodes = sum(memory.kind is Kind.EPISODE for memory in left)
    told = [memory for memory in left if memory.kind is not Kind.EPISODE]
    head = f"Session {session}: {len(told)} memories, {episodes} messages."
    if len(left) == WRAP_MOST:
        head = f"Session {session}: the last {WRAP_MOST} of what it left."
    lines = [f"- {memory.kind}: {_short(memory.text)}" for kind in _TELLING for memory in told if memory.kind is kind]
    return "\n".join([head, *lines])


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _TOLD_CHARS else plain[: _TOLD_CHARS - 1] + "…"
