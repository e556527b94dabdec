"""decide, checkpoint, evolve, wrap."""

from __future__ import annotations

from typing import Annotated

import typer

from trigraph.faces.cli import options as o
from trigraph.faces.cli.life_commands import show_changed
from trigraph.faces.cli.session import session_of


def decide(
    context: typer.Context,
    text: o.Text,
    topic: Annotated[str, typer.Option("--topic", help="What is decided, in a few words.")],
    reasoning: o.Reasoning = None,
    supersedes: Annotated[str | None, typer.Option("--supersedes", help="The decision that this one replaces.")] = None,
    tag: o.Tag = None,
    domain: o.Domain = None,
    visibility: o.Visible = None,
    group: o.Group = None,
    source: o.Source = None,
    session: o.Session = None,
    occurred_at: o.OccurredAt = None,
    valid_from: o.ValidFrom = None,
    confidence: o.Confidence = None,
    idempotency_key: o.Key = None,
) -> None:
    """Record a decision on a topic, and why."""
    current = session_of(context)
    fields = o.given(
        tags=tag,
        domains=domain,
        visibility=visibility,
        group=group,
        source=source,
        session=session,
        occurred_at=occurred_at,
        valid_from=valid_from,
        confidence=confidence,
    )
    with current.memory() as memory:
        changed = memory.decide(
            current.text(text),
            topic=topic,
            reasoning=reasoning,
            supersedes=supersedes,
            idempotency_key=idempotency_key,
            **fields,
        )
    show_changed(current, changed)


def checkpoint(
    context: typer.Context,
    text: o.Text,
    implements: Annotated[
        list[str] | None, typer.Option("--implements", help="A decision that it implements; repeat for several.")
    ] = None,
    topic: o.Topic = None,
    tag: o.Tag = None,
    domain: o.Domain = None,
    visibility: o.Visible = None,
    group: o.Group = None,
    source: o.Source = None,
    session: o.Session = None,
    occurred_at: o.OccurredAt = None,
    idempotency_key: o.Key = None,
) -> None:
    """Record how far the work has come."""
    current = session_of(context)
    fields = o.given(
        topic=topic,
        tags=tag,
        domains=domain,
        visibility=visibility,
        group=group,
        source=source,
        session=session,
        occurred_at=occurred_at,
    )
    with current.memory() as memory:
        changed = memory.checkpoint(
            current.text(text), implements=implements or (), idempotency_key=idempotency_key, **fields
        )
    show_changed(current, changed)


def evolve(
    context: typer.Context,
    id: o.MemoryId,
    result: Annotated[str, typer.Argument(help="SUCCESS, FAILED or PARTIAL.")],
    reason: o.Reason = None,
    text: Annotated[str | None, typer.Option("--text", help="What happened, in your own words.")] = None,
    tag: o.Tag = None,
    source: o.Source = None,
    session: o.Session = None,
    occurred_at: o.OccurredAt = None,
    idempotency_key: o.Key = None,
) -> None:
    """Record what came of a decision, and why."""
    current = session_of(context)
    fields = o.given(tags=tag, source=source, session=session, occurred_at=occurred_at)
    with current.memory() as memory:
        changed = memory.evolve(id, result, reason, text=text, idempotency_key=idempotency_key, **fields)
    show_changed(current, changed)


def wrap(
    context: typer.Context,
    session: Annotated[str, typer.Argument(help="Your id for the agent's run.")],
    text: Annotated[str | None, typer.Argument(help="A summary; left out, what the session left is listed.")] = None,
    topic: o.Topic = None,
    tag: o.Tag = None,
    visibility: o.Visible = None,
    group: o.Group = None,
    source: o.Source = None,
    idempotency_key: o.Key = None,
) -> None:
    """End a session with a summary and the tallies of its citations."""
    current = session_of(context)
    fields = o.given(topic=topic, tags=tag, visibility=visibility, group=group, source=source)
    with current.memory() as memory:
        told = None if text is None else current.text(text)
        changed = memory.wrap(session, told, idempotency_key=idempotency_key, **fields)
    show_changed(current, changed)
