"""Entities: listed, looked up by name, and one of them with its states, what speaks of it, and merges and splits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trigraph.faces.dashboard.cards import Card, card_of, entity_url, memory_url, minute, one_line
from trigraph.faces.dashboard.frame import Action, Answer, Asked, Done, Page, Shown, address_of
from trigraph.faces.dashboard.notices import Notice
from trigraph.model.change import EntityHistory, Verb
from trigraph.model.entity import Entity, EntityState
from trigraph.model.ids import short_id
from trigraph.model.memory import EntityType
from trigraph.model.relation import Relation
from trigraph.model.resolution import Move, Resolved

PATH = "/entities"
PAGE_SIZE = 50
MEMORIES_SHOWN = 20
RELATIONS_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Line:
    """An entity in a list; `why` says how well a name that was looked for fits."""

    url: str
    name: str
    type: str
    aliases: str
    mentions: int | None
    last: str
    retired: bool
    why: str


@dataclass(frozen=True, slots=True)
class Listing:
    """Entities, or what a name that was looked for may mean."""

    name: str
    type: str
    types: tuple[tuple[str, str, bool], ...]
    lines: tuple[Line, ...]
    first_url: str | None
    next_url: str | None
    status: str


@dataclass(frozen=True, slots=True)
class StateLine:
    """One state on the time line: since and until when, how it came about, and by which memory."""

    since: str
    until: str
    event: str
    name: str
    retired: bool
    props: tuple[tuple[str, str, str], ...]
    cause_url: str | None
    cause: str


@dataclass(frozen=True, slots=True)
class MoveLine:
    """A merge or a split; it can be taken back while it stands."""

    id: str
    told: str
    at: str
    by: str
    reason: str
    undone: bool


@dataclass(frozen=True, slots=True)
class Detail:
    """One entity. `preview` is what a merge that was asked about would join."""

    entity: Entity
    url: str
    stub: bool
    states: tuple[StateLine, ...]
    relations: tuple[Relation, ...]
    memories: tuple[Card, ...]
    memories_url: str
    moves: tuple[MoveLine, ...]
    preview: Entity | None


def show(asked: Asked) -> Shown:
    """Entities in use, the oldest first; with a name, what that may mean."""
    name, type_, cursor = asked.query.one("name"), asked.query.one("type"), asked.query.given("cursor")
    types = tuple(
        (one.value, address_of(PATH, name=name, type="" if one.value == type_ else one.value), one.value == type_)
        for one in EntityType
    )
    if name:
        (found,) = asked.memory.resolve([name])
        lines = tuple(line for line in _candidates(found) if not type_ or line.type == type_)
        view = Listing(name, type_, types, lines, None, None, found.status.value)
        return Shown("entities.html", view, {"resolved": found})
    page = asked.memory.entities(types=[type_] if type_ else (), limit=PAGE_SIZE, cursor=cursor)
    following = address_of(PATH, type=type_, cursor=page.next_cursor) if page.next_cursor else None
    first = address_of(PATH, type=type_) if cursor else None
    view = Listing(name, type_, types, tuple(map(_line, page.entities)), first, following, "")
    return Shown("entities.html", view, {"page": page})


def show_one(asked: Asked) -> Answer:
    """One entity, by its id; a name, an alias or the end of an id leads there."""
    memory = asked.memory
    entity = memory.entity(asked.named["name"])
    if asked.named["name"] != entity.id:
        return Done(address_of(entity_url(entity.id), *asked.query.pairs))
    history = memory.history(entity.id)
    assert isinstance(history, EntityHistory)
    relations = tuple(memory.relations(entity.id)[:RELATIONS_SHOWN])
    page = memory.list(entity=entity.id, limit=MEMORIES_SHOWN)
    moves = memory.moves(entity.id)
    causes = memory.engine.find_all(memory.scope, {one.cause_id for one in history.states if one.cause_id})
    told = {id_: one_line(one.text, 90) for id_, one in causes.items()}
    into = asked.query.one("into")
    view = Detail(
        entity=entity,
        url=entity_url(entity.id),
        stub=not page.memories,
        states=tuple(reversed([_state(one, told) for one in history.states])),
        relations=relations,
        memories=tuple(map(card_of, page.memories)),
        memories_url=address_of("/memories", entity=entity.id),
        moves=_moves(moves),
        preview=memory.entity(into) if into else None,
    )
    data = {"entity": entity, "history": history, "relations": relations, "memories": page, "moves": moves}
    return Shown("entity.html", view, data)


def merge(asked: Asked) -> Done:
    """Two are one."""
    name, into = asked.named["name"], asked.form.one("into")
    changed = asked.memory.merge(name, into, reason=asked.form.given("reason"))
    return Done(entity_url(changed.entity_id or into), Notice("merge", changed.ids[:1]))


def split(asked: Asked) -> Done:
    """One is two."""
    memories = asked.form.all("memories")
    changed = asked.memory.split(asked.named["name"], asked.form.one("name"), memories)
    return Done(entity_url(changed.entity_id or asked.named["name"]), Notice("split", changed.ids[:1]))


def undo(asked: Asked) -> Done:
    """A merge or a split is taken back."""
    asked.memory.undo(asked.form.one("move"))
    return Done(asked.back, Notice("undo"))


def rename(asked: Asked) -> Done:
    """Another canonical name."""
    asked.memory.rename(asked.named["name"], asked.form.one("name"))
    return Done(entity_url(asked.named["name"]), Notice("rename"))


def alias(asked: Asked) -> Done:
    """A further name."""
    asked.memory.alias(asked.named["name"], asked.form.one("name"))
    return Done(entity_url(asked.named["name"]), Notice("alias"))


def _line(one: Entity) -> Line:
    aliases = ", ".join(name for name in one.aliases if name != one.name)
    last = minute(one.last_referenced)
    return Line(entity_url(one.id), one.name, one.type.value, aliases, one.mention_count, last, one.retired, "")


def _candidates(found: Resolved) -> list[Line]:
    return [
        Line(
            entity_url(one.entity.id),
            one.entity.name,
            one.entity.type.value,
            "",
            None,
            "",
            False,
            f"{one.score:.0%}, {one.reason}",
        )
        for one in found.candidates
    ]


def _state(one: EntityState, told: dict[str, str]) -> StateLine:
    props = tuple((name, prop.value, memory_url(prop.memory_id)) for name, prop in one.props.items())
    cause = one.cause_id if one.cause_id in told else None
    return StateLine(
        since=minute(one.valid_from),
        until=minute(one.valid_until),
        event=one.event.value,
        name=one.name,
        retired=one.retired,
        props=props,
        cause_url=memory_url(cause) if cause else None,
        cause=told[cause] if cause else "",
    )


def _moves(moves: Sequence[Move]) -> tuple[MoveLine, ...]:
    return tuple(
        MoveLine(
            id=one.id,
            told=f"{one.from_.name} was merged into {one.to.name}"
            if one.verb is Verb.MERGE
            else f"{one.to.name} was split from {one.from_.name}",
            at=f"{minute(one.at)}, {short_id(one.id)}",
            by=one.author,
            reason=one.reason or "",
            undone=one.undone_at is not None,
        )
        for one in moves
    )


PAGES = (Page(PATH, show, label="Entities"), Page("/entities/{name:path}", show_one))
ACTIONS = (
    Action("/entities/undo", undo, page=show),
    Action("/entities/{name}/merge", merge, page=show_one),
    Action("/entities/{name}/split", split, page=show_one),
    Action("/entities/{name}/rename", rename, page=show_one),
    Action("/entities/{name}/alias", alias, page=show_one),
)
