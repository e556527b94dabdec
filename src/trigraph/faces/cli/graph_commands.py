"""entity, persona, rename, alias, link, unlink, vote, cite."""

from __future__ import annotations

from typing import Annotated

import typer

from trigraph.errors import InvalidInput, invalid_choice
from trigraph.faces.cli import options as o
from trigraph.faces.cli import render_life
from trigraph.faces.cli.life_commands import show_changed
from trigraph.faces.cli.session import session_of
from trigraph.model.memory import EntityType

VOTES = {"up": 1, "down": -1}

entity = typer.Typer(no_args_is_help=True, help="The things that memories speak of.")
persona = typer.Typer(no_args_is_help=True, help="Personas: who an agent is to be.")

_Props = Annotated[list[str] | None, typer.Option("--prop", help="A property, as name=value; repeat for several.")]


@entity.command("list")
def entity_list(
    context: typer.Context,
    type: Annotated[list[str] | None, typer.Option("--type", help="Only of this type; repeat for several.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most so many.")] = 50,
    cursor: Annotated[str | None, typer.Option(help="Where the page before ended.")] = None,
    as_of: o.AsOf = None,
    known_at: o.KnownAt = None,
) -> None:
    """List entities, the oldest first."""
    current = session_of(context)
    with current.memory() as memory:
        page = memory.entities(types=type or (), limit=limit, cursor=cursor, as_of=as_of, known_at=known_at)
    current.show(page, lambda: render_life.entity_table(page))
    if page.next_cursor and not current.as_json:
        current.say(f"more: --cursor {page.next_cursor}")


@entity.command("get")
def entity_get(context: typer.Context, name: o.EntityName, as_of: o.AsOf = None, known_at: o.KnownAt = None) -> None:
    """Show one entity: its type, names, properties and counts."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.entity(name, as_of=as_of, known_at=known_at)
        uses = memory.skill_uses(found.id) if found.type is EntityType.SKILL else None
    current.show(found, lambda: render_life.entity_lines(found, uses))


@persona.command("create")
def persona_create(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Its name.")],
    text: Annotated[str, typer.Argument(help="Its description; - reads it from stdin.")],
    prop: _Props = None,
    visibility: o.Visible = None,
    group: o.Group = None,
    idempotency_key: o.Key = None,
) -> None:
    """Make a persona."""
    current = session_of(context)
    fields = o.given(visibility=visibility, group=group)
    with current.memory() as memory:
        changed = memory.persona_create(
            name, current.text(text), props=_props(prop), idempotency_key=idempotency_key, **fields
        )
    show_changed(current, changed)


@persona.command("update")
def persona_update(
    context: typer.Context,
    name: o.EntityName,
    text: Annotated[str | None, typer.Argument(help="Its new description; - reads it from stdin.")] = None,
    prop: _Props = None,
    idempotency_key: o.Key = None,
) -> None:
    """Change a persona's description, its properties, or both."""
    current = session_of(context)
    with current.memory() as memory:
        told = None if text is None else current.text(text)
        changed = memory.persona_update(name, told, props=_props(prop), idempotency_key=idempotency_key)
    show_changed(current, changed)


def rename(
    context: typer.Context,
    entity: o.EntityName,
    name: Annotated[str, typer.Argument(help="Its new name.")],
    valid_from: o.ValidFrom = None,
    idempotency_key: o.Key = None,
) -> None:
    """Give an entity another canonical name; the old one stays an alias."""
    current = session_of(context)
    with current.memory() as memory:
        changed = memory.rename(entity, name, idempotency_key=idempotency_key, valid_from=valid_from)
    show_changed(current, changed)


def alias(
    context: typer.Context,
    entity: o.EntityName,
    name: Annotated[str, typer.Argument(help="Another name of it.")],
    idempotency_key: o.Key = None,
) -> None:
    """Give an entity a further name; memories that use it are linked to it from now on."""
    current = session_of(context)
    with current.memory() as memory:
        changed = memory.alias(entity, name, idempotency_key=idempotency_key)
    show_changed(current, changed)


def link(
    context: typer.Context,
    from_id: Annotated[str, typer.Argument(help="The memory that the link starts from.")],
    to_id: Annotated[str, typer.Argument(help="The memory that it points to.")],
    type: Annotated[
        str, typer.Option("--type", help="relates_to (the default), implements, contradicts, derived_from, …")
    ] = "relates_to",
    confidence: Annotated[float, typer.Option("--confidence", help="From 0 to 1.")] = 1.0,
    reason: o.Reason = None,
    idempotency_key: o.Key = None,
) -> None:
    """Draw a link between two memories: `from` VERB `to`."""
    current = session_of(context)
    with current.memory() as memory:
        changed = memory.link(
            from_id, to_id, type, confidence=confidence, reason=reason, idempotency_key=idempotency_key
        )
    show_changed(current, changed)


def unlink(
    context: typer.Context,
    id: Annotated[str, typer.Argument(help="A link's id: l_…")],
    idempotency_key: o.Key = None,
) -> None:
    """Say that a link holds no longer."""
    current = session_of(context)
    with current.memory() as memory:
        changed = memory.unlink(id, idempotency_key=idempotency_key)
    show_changed(current, changed)


def vote(
    context: typer.Context,
    id: Annotated[str, typer.Argument(help="A memory's id, or a link's: l_…")],
    value: Annotated[str, typer.Argument(help="up or down.")],
    reason: o.Reason = None,
    idempotency_key: o.Key = None,
) -> None:
    """Say that a memory or a link is right or wrong; your latest vote counts."""
    if value not in VOTES:
        raise invalid_choice("vote", value, VOTES)
    current = session_of(context)
    with current.memory() as memory:
        changed = memory.vote(id, VOTES[value], reason, idempotency_key=idempotency_key)
    show_changed(current, changed)


def cite(
    context: typer.Context,
    ids: Annotated[list[str], typer.Argument(help="Memories, by id or the last 8 characters or more of it.")],
    recall: Annotated[str | None, typer.Option("--recall", help="The recall that showed them: r_…")] = None,
    kind: Annotated[
        str, typer.Option("--kind", help="cited (the default), dismissed, flagged_stale, rewrote, saved_rework.")
    ] = "cited",
    notes: Annotated[str | None, typer.Option("--notes", help="Whatever is worth keeping about it.")] = None,
    session: o.Session = None,
    idempotency_key: o.Key = None,
) -> None:
    """Say what you did with memories that a recall showed."""
    current = session_of(context)
    items = [{"id": id, "kind": kind, "notes": notes} for id in ids]
    with current.memory() as memory:
        changed = memory.cite(recall, items=items, session=session, idempotency_key=idempotency_key)
    show_changed(current, changed)


def _props(given: list[str] | None) -> dict[str, str]:
    props = {}
    for one in given or ():
        name, equals, value = one.partition("=")
        if not equals:
            raise InvalidInput(f"--prop {one[:80]!r} has no value.", field="props", fix="Write it like tone=dry.")
        props[name] = value
    return props
