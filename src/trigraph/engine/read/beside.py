"""What is told beside the hits: what came of them, what disagrees with them, what superseded their documents."""

from __future__ import annotations

from collections.abc import Sequence

from trigraph.engine.parts import Parts
from trigraph.model.document import SUPERSEDED_BY_PROP
from trigraph.model.link import Link, LinkType
from trigraph.model.memory import Kind, Memory, OutcomeDetails
from trigraph.model.recall import Conflict, Outcome
from trigraph.model.scope import Scope
from trigraph.model.times import Moment

OUTCOMES_MOST = 5
"""A hit tells its latest outcomes."""
CONFLICTS_MOST = 10
CONFLICT_TEXT_CHARS = 300


def links_beside(parts: Parts, scope: Scope, ids: Sequence[str], moment: Moment) -> list[Link]:
    """What tells of the fate of these memories: links to their outcomes and to what contradicts them."""
    return parts.store.links.of(scope, ids, moment.known_at, [LinkType.OUTCOME_OF, LinkType.CONTRADICTS]) if ids else []


def outcomes_of(
    parts: Parts, scope: Scope, memories: Sequence[Memory], links: Sequence[Link], moment: Moment
) -> dict[str, tuple[Outcome, ...]]:
    """What came of these memories, by what was known; of outcomes that the asker may see."""
    told_of = {one.id for one in memories}
    of: dict[str, list[str]] = {}
    for link in links:
        if link.type is LinkType.OUTCOME_OF and not told_of.isdisjoint((link.from_id, link.to_id)):
            of.setdefault(link.to_id, []).append(link.from_id)
    wanted = {id_: to_id for to_id, ids in of.items() for id_ in sorted(ids)[-OUTCOMES_MOST:]}
    found: dict[str, tuple[Outcome, ...]] = {}
    for told in parts.store.memories.get(scope, list(wanted), moment) if wanted else ():
        if isinstance(told.details, OutcomeDetails):
            outcome = Outcome(told.id, told.details.result, told.details.reason)
            found[wanted[told.id]] = (*found.get(wanted[told.id], ()), outcome)
    return found


def conflicts_of(
    parts: Parts, scope: Scope, ids: Sequence[str], beside: Sequence[Link], moment: Moment
) -> tuple[Conflict, ...]:
    """What disagrees with these memories, of what holds and the asker may see; the newer of two first."""
    asked = set(ids)
    links = [
        link
        for link in beside
        if link.type is LinkType.CONTRADICTS and not asked.isdisjoint((link.from_id, link.to_id))
    ]
    ends = list(dict.fromkeys(id_ for link in links for id_ in (link.from_id, link.to_id)))
    holds = Moment(moment.as_of, moment.known_at)  # what was superseded is no longer in conflict
    told = {memory.id: memory for memory in parts.store.memories.get(scope, ends, holds)} if ends else {}
    standing = [link for link in links if link.from_id in told and link.to_id in told]
    found = []
    for link in standing[:CONFLICTS_MOST]:
        newer, older = sorted((told[link.from_id], told[link.to_id]), key=lambda one: one.id, reverse=True)
        shown = (newer.id, newer.text[:CONFLICT_TEXT_CHARS], older.id, older.text[:CONFLICT_TEXT_CHARS])
        found.append(Conflict(*shown, link.reason))
    return tuple(found)


def superseded_documents(parts: Parts, scope: Scope, memories: Sequence[Memory], moment: Moment) -> dict[str, str]:
    """Memory id → the name of what superseded the document whose text it is."""
    subjects = {
        memory.id: memory.subject.id
        for memory in memories
        if memory.kind is Kind.DOCUMENT and memory.subject is not None
    }
    if not subjects:
        return {}
    things = {one.id: one for one in parts.store.entities.get(scope, list(set(subjects.values())), moment)}
    said = {id_: things[of].state.props.get(SUPERSEDED_BY_PROP) for id_, of in subjects.items() if of in things}
    return {id_: prop.value for id_, prop in said.items() if prop is not None}
