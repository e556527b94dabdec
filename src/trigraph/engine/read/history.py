"""What became of a memory or an entity, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from trigraph.engine.finding import find_either, find_entity, find_memory
from trigraph.engine.parts import Parts
from trigraph.model.change import EntityHistory, HistoryStep, MemoryHistory, MemoryVersion
from trigraph.model.link import Link, LinkType
from trigraph.model.memory import DecisionDetails, Memory, OutcomeDetails
from trigraph.model.scope import Scope
from trigraph.model.times import Moment

STORY_MOST = 200
"""A story is told of at most so many links."""

_REVISING = (LinkType.SUPERSEDES, LinkType.CORRECTS)
_BUILDING = (LinkType.IMPLEMENTS, LinkType.OUTCOME_OF)
_TELLING = (*_REVISING, *_BUILDING)
_COMPARED = (
    "status",
    "valid_from",
    "valid_until",
    "retracted_at",
    "visibility",
    "group",
    "tags",
    "domains",
    "confidence",
    "pinned",
    "last_verified_at",
    "superseded_by",
)


def history(
    parts: Parts, scope: Scope, name: str, as_of: datetime | None = None, known_at: datetime | None = None
) -> MemoryHistory | EntityHistory:
    """The story a memory belongs to, or an entity's states."""
    now = parts.now(scope)
    found = find_either(parts, scope, name, Moment(as_of or now.as_of, known_at or now.known_at))
    tell = memory_history if isinstance(found, Memory) else entity_history
    return tell(parts, scope, found.id, as_of, known_at)


def memory_history(
    parts: Parts, scope: Scope, name: str, as_of: datetime | None = None, known_at: datetime | None = None
) -> MemoryHistory:
    """The story a memory belongs to: all that it replaced and that replaced it, what was built on any of them,
    and what came of that. `as_of` leaves out what did not hold yet then, `known_at` what was not known yet."""
    with parts.store.snapshot(scope):
        known_at = known_at or parts.now(scope).known_at
        asked = find_memory(parts, scope, name, known_at)
        links, truncated = _story(parts, scope, asked.id, known_at)
        beside = [link for link in parts.store.links.of(scope, [asked.id], known_at) if link.type not in _TELLING]
        ids = {asked.id, *(link.from_id for link in links), *(link.to_id for link in links)}
        found = parts.store.memories.find_all(scope, ids, known_at).values()
        memories = sorted((one for one in found if as_of is None or one.valid_from <= as_of), key=lambda one: one.id)
        told = {one.id: one for one in memories}
        versions = parts.store.memories.versions(scope, list(told), known_at)
        citations = parts.store.uses.citations(scope, [asked.id]).get(asked.id, {})
    return MemoryHistory(
        id=asked.id,
        memories=tuple(memories),
        links=tuple(link for link in links if link.from_id in told and link.to_id in told),
        beside=tuple(beside),
        steps=tuple(_steps(versions, told)),
        citations={kind.value: count for kind, count in citations.items()},
        truncated=truncated,
    )


def entity_history(
    parts: Parts, scope: Scope, name: str, as_of: datetime | None = None, known_at: datetime | None = None
) -> EntityHistory:
    """An entity's states, as they were believed at `known_at`; up to the one that held at `as_of`."""
    with parts.store.snapshot(scope):
        now = parts.now(scope)
        moment = Moment(as_of or now.as_of, known_at or now.known_at)
        entity = find_entity(parts, scope, name, moment)
        states = parts.store.entities.states(scope, entity.id, moment.known_at)
    return EntityHistory(entity, tuple(state for state in states if as_of is None or state.valid_from <= as_of))


def _story(parts: Parts, scope: Scope, memory_id: str, known_at: datetime) -> tuple[list[Link], bool]:
    """Links of the story, those nearest to the memory first to be kept: revisions are followed as far as they go, what
    was built on them one step further. However long it is, it takes three queries."""
    of = parts.store.links.of
    # What is asked about may itself be a checkpoint or an outcome: then its decision's story is meant.
    reached = parts.store.links.reach(scope, memory_id, known_at, _REVISING, _BUILDING, STORY_MOST + 1)
    place = {id_: number for number, id_ in enumerate(reached)}
    found = of(scope, reached, known_at, _TELLING)
    found.sort(key=lambda link: (min(place.get(link.from_id, STORY_MOST), place.get(link.to_id, STORY_MOST)), link.id))
    built = {link.from_id for link in found if link.type in _BUILDING} - place.keys()
    found += of(scope, built, known_at, (LinkType.OUTCOME_OF,)) if built else []
    told = list({link.id: link for link in found}.values())[:STORY_MOST]
    truncated = len(reached) > STORY_MOST or len(told) == STORY_MOST
    return sorted(told, key=lambda link: link.known_from), truncated


def _steps(versions: Sequence[MemoryVersion], told: dict[str, Memory]) -> list[HistoryStep]:
    steps = []
    before: dict[str, MemoryVersion] = {}
    for version in versions:
        memory, prior = told[version.memory_id], before.get(version.memory_id)
        before[version.memory_id] = version
        # The step that made a memory carries the verb that made it; later ones the verb that changed it.
        steps.append(
            HistoryStep(
                at=version.known_from,
                valid_from=version.valid_from,
                verb=version.verb,
                by=version.changed_by,
                memory_id=version.memory_id,
                kind=memory.kind.value,
                text=memory.text,
                reason=version.reason or (_reason_of(memory) if prior is None else None),
                changed={} if prior is None else _changes(prior, version),
            )
        )
    return sorted(steps, key=lambda step: (step.at, bool(step.changed), step.memory_id))


def _reason_of(memory: Memory) -> str | None:
    """Why a decision was made, or why something turned out as it did."""
    match memory.details:
        case DecisionDetails(reasoning):
            return reasoning
        case OutcomeDetails(_, reason):
            return reason
        case _:
            return None


def _changes(prior: MemoryVersion, version: MemoryVersion) -> dict[str, tuple[object, object]]:
    pairs = {name: (getattr(prior, name), getattr(version, name)) for name in _COMPARED}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
