"""resolve, merge, split, undo, and the review of pairs."""

from __future__ import annotations

from typing import Annotated

import typer

from trigraph.errors import InvalidInput
from trigraph.faces.cli import options as o
from trigraph.faces.cli import render_work
from trigraph.faces.cli.life_commands import show_changed
from trigraph.faces.cli.pipeline_commands import review
from trigraph.faces.cli.session import session_of

PairId = Annotated[str, typer.Argument(help="A pair's id, or its last 8 characters or more.")]


def resolve(
    context: typer.Context,
    names: Annotated[list[str] | None, typer.Argument(help="Names to look up.")] = None,
    all_: Annotated[bool, typer.Option("--all", help="Look for entities that are one, among all.")] = False,
    apply: Annotated[
        bool, typer.Option("--apply", help="With --all: merge what clearly is one, ask of the rest.")
    ] = False,
) -> None:
    """Say what names mean; or, with --all, find entities that are one."""
    current = session_of(context)
    if bool(names) == all_:
        raise InvalidInput(
            "Give names, or --all.", field="names", fix="For example: trigraph resolve Redis redis-server."
        )
    with current.memory() as memory:
        if names:
            found = memory.resolve(names)
            current.show(found, lambda: render_work.resolved_lines(found))
            return
        plan = memory.find_pairs(apply=apply)
    current.show(plan, lambda: render_work.plan_lines(plan))


def merge(
    context: typer.Context,
    entity: o.EntityName,
    into: Annotated[str, typer.Argument(help="The entity that stays: a name, an alias, or an id.")],
    reason: o.Reason = None,
    idempotency_key: o.Key = None,
) -> None:
    """Two entities are one; `trigraph undo` takes it back."""
    current = session_of(context)
    with current.memory() as memory:
        changed = memory.merge(entity, into, reason=reason, idempotency_key=idempotency_key)
    show_changed(current, changed)


def split(
    context: typer.Context,
    entity: o.EntityName,
    name: Annotated[str, typer.Argument(help="What the other one is called.")],
    memories: Annotated[list[str], typer.Argument(help="Memories that speak of the other one: ids.")],
    idempotency_key: o.Key = None,
) -> None:
    """An entity is two; `trigraph undo` takes it back."""
    current = session_of(context)
    with current.memory() as memory:
        changed = memory.split(entity, name, memories, idempotency_key=idempotency_key)
    show_changed(current, changed)


def undo(
    context: typer.Context,
    move: Annotated[str, typer.Argument(help="A merge's or split's id, or the end of it.")],
    idempotency_key: o.Key = None,
) -> None:
    """Take a merge or a split back."""
    current = session_of(context)
    with current.memory() as memory:
        changed = memory.undo(move, idempotency_key=idempotency_key)
    show_changed(current, changed)


@review.command("pairs")
def review_pairs(context: typer.Context, limit: Annotated[int, typer.Option(help="How many.")] = 50) -> None:
    """Show entities that may be one."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.pairs(limit=limit)
    current.show(found, lambda: render_work.pair_lines(found))


@review.command("same")
def review_same(context: typer.Context, id: PairId, idempotency_key: o.Key = None) -> None:
    """The two of a pair are one: merge them."""
    _decide(context, id, idempotency_key, one=True)


@review.command("different")
def review_different(context: typer.Context, id: PairId, idempotency_key: o.Key = None) -> None:
    """The two of a pair are two: never ask again."""
    _decide(context, id, idempotency_key, one=False)


def _decide(context: typer.Context, id: str, key: str | None, *, one: bool) -> None:
    current = session_of(context)
    with current.memory() as memory:
        changed = memory.decide_pair(id, one=one, idempotency_key=key)
    show_changed(current, changed)
