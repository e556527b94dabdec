"""Two entities that are one become one, and one that is two becomes two; both can be undone.

Each writes a memory that says so. It is for whoever may see the entity that goes: nobody else learns of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from trigraph.contracts import NewState
from trigraph.engine.finding import find_entity, find_memory, find_move
from trigraph.engine.parts import Parts
from trigraph.engine.write.once import call, earlier, once
from trigraph.engine.write.resolution import Called
from trigraph.engine.write.revising import retract_for
from trigraph.engine.write.standing import checked_reason, in_force
from trigraph.engine.write.telling import Ready, ready, tell
from trigraph.errors import Conflict, InvalidInput, NotFound
from trigraph.lifecycle.matching import Match, Named, match
from trigraph.model.access import Audience
from trigraph.model.change import Changed, Verb
from trigraph.model.entity import Entity, EntityEvent
from trigraph.model.ids import new_id
from trigraph.model.memory import EntityType, Memory, MemoryDraft, Subject, Visibility
from trigraph.model.relation import RelationType
from trigraph.model.resolution import (
    MERGED_INTO_PROP,
    MOVE_PREFIX,
    PAIR_PREFIX,
    SPLIT_FROM_PROP,
    Move,
    Pair,
    PairState,
)
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.text.cleaning import check_label
from trigraph.text.names import NAME_LIMIT_CHARS, is_nameable, name_key

SPLIT_MOST = 500
CIRCLE_MOST = 500
"""So many things are looked at to see whether something would become part of itself."""

_JUST_BEFORE = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Merging:
    """A merge that only needs to be carried out: what goes, what stays, and the memory that tells it."""

    going: Entity
    staying: Entity
    telling: Ready
    reason: str | None


def merge(
    parts: Parts,
    scope: Scope,
    name: str,
    into: str,
    draft: MemoryDraft,
    reason: str | None = None,
    key: str | None = None,
) -> Changed:
    """Say that two entities are one. All that is known of the first is known of the second from now on, by all the
    names of both; the first is gone, except for known_at."""
    called = call(Verb.MERGE, key, name, into, draft, reason)
    if (before := earlier(parts, scope, called, Changed)) is not None:
        return before
    merging = ready_to_merge(
        parts, scope, find_entity(parts, scope, name), find_entity(parts, scope, into), draft, reason
    )
    return once(parts, scope, called, Changed, lambda at: carry_out(parts, scope, merging, at))


def ready_to_merge(
    parts: Parts, scope: Scope, going: Entity, staying: Entity, draft: MemoryDraft, reason: str | None = None
) -> Merging:
    """Check that two entities may be one, and prepare the memory that tells it. Touches nothing."""
    check_mergeable(parts, scope, going, staying)
    reason = checked_reason(reason)
    if name_key(going.name) == name_key(staying.name):
        told = f"There is one {staying.name}"
    else:
        told = f"{going.name} is the same thing as {staying.name}"
    text = draft.text or f"{told}{_because(reason)}."
    draft = replace(draft, text=text, visibility=going.visibility, group=going.group, subject=staying.name)
    return Merging(going, staying, ready(parts, scope, draft), reason)


def carry_out(parts: Parts, scope: Scope, merging: Merging, at: datetime) -> Changed:
    """Merge, in the open transaction."""
    going, staying, entities = merging.going, merging.staying, parts.store.entities
    for one in (going, staying):
        _check_unchanged(parts, scope, one, at)
    beginnings = [entities.states(scope, one.id, at)[0].valid_from for one in (going, staying)]
    together = _seen_together(going.audience, staying.audience)
    # Names that fewer may see stay with the memories that told them: what has them already needs them from nobody.
    parts.store.moves.move(scope, going.id, staying.id, None, None if together else (), at)
    _check_no_circle(parts, scope, staying, at)
    about = Called(staying.name, None, entity_id=staying.id)
    memory = tell(parts, scope, merging.telling, at, verb=Verb.MERGE, subject=about)
    gone = NewState(EntityEvent.MERGED, memory.id, at, None, {MERGED_INTO_PROP: staying.id})
    entities.put_state(scope, going.id, gone, at)
    if beginnings[0] < beginnings[1]:  # what is one thing has been there since either was
        entities.put_state(scope, staying.id, NewState(EntityEvent.MERGED, memory.id, beginnings[0], None, {}), at)
    gives_type = together and staying.type is EntityType.UNKNOWN and going.type is not EntityType.UNKNOWN
    if gives_type:
        entities.set_type(scope, staying.id, going.type)
    move = Move(
        id=new_id(MOVE_PREFIX, at),
        verb=Verb.MERGE,
        from_=_subject(going),
        to=_subject(staying),
        at=at,
        author=scope.agent,
        reason=merging.reason,
        cause_id=memory.id,
        gave_type=going.type if gives_type else None,
    )
    parts.store.moves.keep(scope, move)
    changed = Changed(Verb.MERGE, (move.id, memory.id), at, replaced=(going.id,), entity_id=staying.id)
    return merging.telling.answered(changed)


def split(
    parts: Parts,
    scope: Scope,
    name: str,
    new_name: str,
    memory_names: Sequence[str],
    draft: MemoryDraft,
    key: str | None = None,
) -> Changed:
    """Say that an entity is two: some memories speak of another thing, which gets a name of its own. If that was
    another name of the first, it is so no longer."""
    called = call(Verb.SPLIT, key, name, new_name, tuple(memory_names), draft)
    if (before := earlier(parts, scope, called, Changed)) is not None:
        return before
    entity, new_name = find_entity(parts, scope, name), check_label(new_name, "new_name", NAME_LIMIT_CHARS)
    _check_no_document(parts, scope, entity)
    if not is_nameable(new_name) or name_key(new_name) == name_key(entity.name):
        raise InvalidInput(
            f"{new_name[:80]!r} cannot name the other one.",
            field="new_name",
            fix="Give a name that tells the two apart.",
        )
    _check_readers(parts, scope, entity, Audience(scope.agent, entity.visibility, entity.group), new_name)
    memories = _speaking_of(parts, scope, entity, memory_names)
    began = parts.store.entities.states(scope, entity.id, parts.now(scope).known_at)[0].valid_from
    text = draft.text or f"{new_name} is another thing than {entity.name}."
    draft = replace(draft, text=text, visibility=entity.visibility, group=entity.group, subject=new_name)
    telling = ready(parts, scope, replace(draft, valid_from=began))  # it was so all along

    def change(at: datetime) -> Changed:
        _check_unchanged(parts, scope, entity, at)
        memory = tell(parts, scope, telling, at, verb=Verb.SPLIT, subject=Called(new_name, entity.type, fresh=True))
        assert memory.subject is not None
        other = memory.subject
        aliases = {name_key(alias) for alias in entity.aliases}
        names = tuple(aliases & {name_key(new_name)})
        parts.store.moves.move(scope, entity.id, other.id, [one.id for one in memories], names, at)
        made = NewState(EntityEvent.CREATED, memory.id, memory.valid_from, None, {SPLIT_FROM_PROP: entity.id})
        parts.store.entities.put_state(scope, other.id, made, at)
        move = Move(
            id=new_id(MOVE_PREFIX, at),
            verb=Verb.SPLIT,
            from_=_subject(entity),
            to=other,
            at=at,
            author=scope.agent,
            reason=None,
            cause_id=memory.id,
            names=names,
        )
        parts.store.moves.keep(scope, move)
        return telling.answered(Changed(Verb.SPLIT, (move.id, memory.id), at, entity_id=other.id))

    return once(parts, scope, called, Changed, change)


def undo(parts: Parts, scope: Scope, move_id: str, draft: MemoryDraft, key: str | None = None) -> Changed:
    """Take back a merge or a split: it was never so. What was moved goes back as it was; what was said since by a name
    that only the one had goes to it."""
    called = call(Verb.RESTORE, key, "move", move_id, draft)
    if (before := earlier(parts, scope, called, Changed)) is not None:
        return before
    move = find_move(parts, scope, move_id)
    entity = _restored(parts, scope, move)
    merged = move.verb is Verb.MERGE
    told = f"{move.from_.name} and {move.to.name} are two things." if merged else f"{entity.name} is one thing."
    draft = replace(draft, text=draft.text or told, visibility=entity.visibility, group=entity.group)
    telling = ready(parts, scope, replace(draft, subject=entity.name))

    def change(at: datetime) -> Changed:
        _restored(parts, scope, find_move(parts, scope, move.id))
        parts.store.moves.move_back(scope, move.id, at)
        memory = tell(
            parts, scope, telling, at, verb=Verb.RESTORE, subject=Called(entity.name, None, entity_id=entity.id)
        )
        if merged:
            state = NewState(EntityEvent.RESTORED, memory.id, at, None, {MERGED_INTO_PROP: None})
            parts.store.entities.put_state(scope, move.from_.id, state, at)
            parts.store.moves.decide_pair(scope, _told_apart(scope, move, at))
        else:
            state = NewState(EntityEvent.MERGED, memory.id, at, None, {MERGED_INTO_PROP: entity.id})
            parts.store.entities.put_state(scope, move.to.id, state, at)
        replaced, links = _retract_cause(parts, scope, move, memory, at)
        changed = Changed(Verb.RESTORE, (move.id, memory.id), at, replaced=replaced, links=links, entity_id=entity.id)
        return telling.answered(changed)

    return once(parts, scope, called, Changed, change)


# What may be one


def check_mergeable(parts: Parts, scope: Scope, going: Entity, staying: Entity) -> None:
    """Raise if two entities cannot be one: by what they are, or by who may see them."""
    if going.id == staying.id:
        raise Conflict(f"{going.name!r} and {staying.name!r} are one already.", fix="Name two different entities.")
    for one in (going, staying):
        _check_no_document(parts, scope, one)
    if types_conflict(going.type, staying.type):
        raise Conflict(
            f"{going.name!r} is a {going.type}, {staying.name!r} a {staying.type}.",
            fix="Only things of kindred types, or of unknown type, can be one.",
        )
    _check_readers(parts, scope, going, staying.audience, staying.name)
    if not _seen_together(going.audience, staying.audience):
        known = {name_key(name) for name in (staying.name, *staying.aliases)}
        secret = [name for name in (going.name, *going.aliases) if name_key(name) not in known]
        if secret:
            raise Conflict(
                f"Fewer agents know {secret[0]!r} than {staying.name!r}: what is said of it later would tell them.",
                fix="Share the memory that made it first, or give the other that name.",
            )


def types_conflict(one: EntityType, other: EntityType) -> bool:
    """Whether nothing is of both types: whether even one name would not make them one."""
    return match(Named("name", one), Named("name", other)).match is Match.DIFFERENT


def _check_readers(parts: Parts, scope: Scope, going: Entity, staying: Audience, name: str) -> None:
    """Raise if somebody who may see an entity may not see what takes its place: it would be lost to them."""
    readers = parts.store.registry.roster(scope.tenant, scope.project)
    author = parts.store.registry.reader(replace(scope, agent=going.author))
    if any(one.may_see(going.audience) and not one.may_see(staying) for one in (*readers, author)):
        raise Conflict(
            f"Not everybody who may see {going.name!r} may see {name!r}.",
            fix="Merge the one that fewer may see into the other.",
        )


def _seen_together(one: Audience, other: Audience) -> bool:
    """Whether two audiences are the same but for their authors, who count where it is private."""
    same = one.visibility is other.visibility and one.group == other.group
    return same and (one.visibility is not Visibility.PRIVATE or one.author == other.author)


def _check_no_document(parts: Parts, scope: Scope, entity: Entity) -> None:
    if entity.type is EntityType.DOCUMENT or parts.store.documents.identity(scope, entity.id) is not None:
        raise Conflict(
            f"{entity.name!r} is a document, which is what its file is.", fix="Documents are neither merged nor split."
        )


def _check_unchanged(parts: Parts, scope: Scope, entity: Entity, at: datetime) -> None:
    now = find_entity(parts, scope, entity.id, Moment(at, at))
    if (now.id, now.name, now.aliases, now.type, now.audience) != (
        entity.id,
        entity.name,
        entity.aliases,
        entity.type,
        entity.audience,
    ):
        raise Conflict(f"{entity.name!r} was changed meanwhile.", fix="Look at it again.")


def _check_no_circle(parts: Parts, scope: Scope, entity: Entity, at: datetime) -> None:
    """Raise if something is part of itself, or supersedes itself, now that two are one."""
    for type_ in (RelationType.PART_OF, RelationType.SUPERSEDES):
        seen: set[str] = set()
        front = {entity.id}
        while front and len(seen) < CIRCLE_MOST:
            found = parts.store.relations.of(scope, front, Moment(at, at), [type_])
            ahead = {one.target.id for one in found if one.source.id in front}
            if entity.id in ahead:
                raise Conflict(
                    f"{entity.name!r} would be {'part of' if type_ is RelationType.PART_OF else 'in place of'} itself.",
                    fix="`trigraph entity relations` shows how; correct what is wrong there first.",
                )
            seen |= front
            front = ahead - seen


# Parts of the verbs


def _speaking_of(parts: Parts, scope: Scope, entity: Entity, names: Sequence[str]) -> list[Memory]:
    """Memories, by id, each of which speaks of the entity, but not all that do."""
    if not 1 <= len(names) <= SPLIT_MOST:
        raise InvalidInput(f"{len(names)} memories.", field="memories", fix=f"Give from 1 to {SPLIT_MOST} ids.")
    memories = list({one.id: one for one in (find_memory(parts, scope, name) for name in names)}.values())
    mentions = parts.store.entities.mentions_of(scope, [one.id for one in memories], parts.now(scope))
    speaking = {one.memory_id for one in mentions if one.entity_id == entity.id}
    silent = [one.id for one in memories if one.id not in speaking]
    if silent:
        raise Conflict(
            f"{silent[0]} does not speak of {entity.name!r}.", fix="`trigraph list --entity` shows which memories do."
        )
    if len(memories) >= entity.mention_count:
        raise Conflict(f"Nothing would be left of {entity.name!r}.", fix="Rename it instead.")
    return memories


def _restored(parts: Parts, scope: Scope, move: Move) -> Entity:
    """The entity that things go back to, if they can."""
    if move.undone_at is not None:
        raise Conflict(f"{move.id} was undone on {move.undone_at:%Y-%m-%d}.", fix="There is nothing to undo.")
    now = parts.now(scope)
    needed = [move.to.id] if move.verb is Verb.MERGE else [move.from_.id, move.to.id]
    found = parts.store.entities.get(scope, needed, now)
    if len(found) < len(needed):
        raise Conflict(
            f"What {move.id} left is no more: it was merged since, or nothing speaks of it.",
            fix="Undo what came later first.",
        )
    if move.verb is Verb.SPLIT:
        return found[0]
    before = Moment(now.as_of, move.at - _JUST_BEFORE)
    gone = parts.store.entities.get(scope, [move.from_.id], before)
    if not gone:
        raise NotFound(f"There is no move {move.id!r}.", fix="`trigraph entity moves` shows what there is.")
    return gone[0]


def _retract_cause(
    parts: Parts, scope: Scope, move: Move, memory: Memory, at: datetime
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What told the move was never true; with its word go the states that it brought."""
    if move.cause_id is None:
        return (), ()
    cause = find_memory(parts, scope, move.cause_id, at)
    if not in_force(cause):
        return (), ()
    return (cause.id,), (retract_for(parts, scope, cause, memory, None, at),)


def _told_apart(scope: Scope, move: Move, at: datetime) -> Pair:
    return Pair(
        id=new_id(PAIR_PREFIX, at),
        one=move.from_,
        other=move.to,
        score=0.0,
        reason="a merge that was undone",
        state=PairState.TWO,
        author=scope.agent,
        at=at,
        decided_at=at,
        decided_by=scope.agent,
    )


def _subject(entity: Entity) -> Subject:
    return Subject(entity.id, entity.name, entity.type)


def _because(reason: str | None) -> str:
    return f": {reason.strip().rstrip('.')}" if reason and reason.strip() else ""
