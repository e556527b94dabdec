"""correct, supersede, forget, restore, archive, reverify, share, erase, history."""

from __future__ import annotations

from typing import Annotated

import typer

from trigraph.errors import InvalidInput
from trigraph.faces.cli import options as o
from trigraph.faces.cli import render, render_life
from trigraph.faces.cli.session import Session, session_of
from trigraph.model.change import Changed
from trigraph.model.ids import short_id

OneOrMore = Annotated[list[str], typer.Argument(help="Ids of memories, all or none; or an entity's name or id.")]


def correct(
    context: typer.Context,
    id: o.MemoryId,
    text: o.Text,
    reason: o.Reason = None,
    topic: o.Topic = None,
    tag: o.Tag = None,
    domain: o.Domain = None,
    source: o.Source = None,
    session: o.Session = None,
    turn: o.Turn = None,
    uri: o.Uri = None,
    confidence: o.Confidence = None,
    reasoning: o.Reasoning = None,
    idempotency_key: o.Key = None,
) -> None:
    """It was never true: retract a memory and put another in its place."""
    current = session_of(context)
    fields = o.given(
        reason=reason,
        topic=topic,
        tags=tag,
        domains=domain,
        source=source,
        session=session,
        turn=turn,
        uri=uri,
        confidence=confidence,
        reasoning=reasoning,
    )
    with current.memory() as memory:
        changed = memory.correct(id, current.text(text), idempotency_key=idempotency_key, **fields)
    show_changed(current, changed)


def supersede(
    context: typer.Context,
    id: o.MemoryId,
    text: o.Text,
    valid_from: o.ValidFrom = None,
    reason: o.Reason = None,
    topic: o.Topic = None,
    tag: o.Tag = None,
    domain: o.Domain = None,
    source: o.Source = None,
    session: o.Session = None,
    turn: o.Turn = None,
    uri: o.Uri = None,
    confidence: o.Confidence = None,
    reasoning: o.Reasoning = None,
    idempotency_key: o.Key = None,
) -> None:
    """It was true until then: end a memory where another begins."""
    current = session_of(context)
    fields = o.given(
        valid_from=valid_from,
        reason=reason,
        topic=topic,
        tags=tag,
        domains=domain,
        source=source,
        session=session,
        turn=turn,
        uri=uri,
        confidence=confidence,
        reasoning=reasoning,
    )
    with current.memory() as memory:
        changed = memory.supersede(id, current.text(text), idempotency_key=idempotency_key, **fields)
    show_changed(current, changed)


def forget(
    context: typer.Context,
    ids: Annotated[list[str] | None, typer.Argument(help="Ids, or their last 8 characters or more.")] = None,
    query: Annotated[str | None, typer.Option("--query", help="All memories that hold every word of this.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="With --query: do it, not only show it.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be forgotten.")] = False,
    reason: o.Reason = None,
    idempotency_key: o.Key = None,
) -> None:
    """Retract memories; they can be restored for a time. By query it only shows them, unless --yes is given."""
    current = session_of(context)
    preview = dry_run or (query is not None and not yes)
    with current.memory() as memory:
        changed = memory.forget(
            *(ids or ()), query=query, dry_run=preview, reason=reason, idempotency_key=idempotency_key
        )
        shown = [memory.get(id) for id in changed.ids] if changed.preview else []
    if current.as_json:
        current.print_json(changed)
        return
    if changed.preview:
        for one in shown:
            current.out.print(render.one_line(one), soft_wrap=True)
        current.say(f"{len(shown)} would be forgotten" + ("; --yes does it" if query is not None else ""))
        if changed.note:
            current.say(changed.note)
    elif changed.ids:
        show_changed(current, changed)
    else:
        current.say("nothing holds these words; nothing was forgotten")


def restore(context: typer.Context, ids: OneOrMore, idempotency_key: o.Key = None) -> None:
    """Undo what put memories aside last (forget, archive, correct, supersede), or use an entity again."""
    current = session_of(context)
    with current.memory() as memory:
        changed = memory.restore(ids[0], others=ids[1:], idempotency_key=idempotency_key)
    show_changed(current, changed)


def archive(context: typer.Context, ids: OneOrMore, reason: o.Reason = None, idempotency_key: o.Key = None) -> None:
    """Put memories away, or retire an entity."""
    current = session_of(context)
    with current.memory() as memory:
        changed = memory.archive(ids[0], others=ids[1:], reason=reason, idempotency_key=idempotency_key)
    show_changed(current, changed)


def reverify(context: typer.Context, ids: o.MemoryIds, idempotency_key: o.Key = None) -> None:
    """Say that memories were checked and still hold."""
    current = session_of(context)
    with current.memory() as memory:
        changed = memory.reverify(ids[0], others=ids[1:], idempotency_key=idempotency_key)
    show_changed(current, changed)


def share(
    context: typer.Context,
    ids: o.MemoryIds,
    group: Annotated[str | None, typer.Option("--group", help="A group of yours; left out: all agents.")] = None,
    idempotency_key: o.Key = None,
) -> None:
    """Let more agents see memories of your own. There is no way back."""
    current = session_of(context)
    with current.memory() as memory:
        changed = memory.share(ids[0], others=ids[1:], group=group, idempotency_key=idempotency_key)
    show_changed(current, changed)


def erase(
    context: typer.Context,
    id: o.MemoryId,
    confirm: Annotated[
        str | None, typer.Option("--confirm", help="The last 8 characters of its id, instead of being asked.")
    ] = None,
) -> None:
    """Leave nothing of a memory of your own. There is no way back."""
    current = session_of(context)
    with current.memory() as memory:
        name = memory.engine.find(memory.scope, id).id
        if confirm is None and current.asks:
            current.say(f"{name} will be gone for good: text, indexes, history.")
            confirm = typer.prompt("Type the last 8 characters of its id to erase it", err=True)
        if confirm is None or not name.endswith(confirm) or len(confirm) < len(short_id(name)):
            raise InvalidInput(
                "Erasing needs to be confirmed.",
                field="confirm",
                fix=f"Give --confirm {short_id(name)}; `trigraph forget` can be undone.",
            )
        changed = memory.erase(name)
    show_changed(current, changed)


def history(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="A memory's id, or an entity's name or id.")],
    as_of: o.AsOf = None,
    known_at: o.KnownAt = None,
) -> None:
    """Tell the story of a memory, or the states of an entity."""
    current = session_of(context)
    with current.memory() as memory:
        told = memory.history(name, as_of=as_of, known_at=known_at)
    current.show(told, lambda: render_life.history_lines(told))


def show_changed(current: Session, changed: Changed) -> None:
    """What a verb did."""
    current.show(changed, lambda: render_life.changed_lines(changed))
    if changed.degraded:
        current.say(f"stored without a vector: {changed.degraded}")
