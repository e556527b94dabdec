"""reference, compositions: answers from the evidence, and what was used together."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from trigraph.errors import invalid_choice
from trigraph.faces.cli import options as o
from trigraph.faces.cli import render_compositions as render
from trigraph.faces.cli.life_commands import show_changed
from trigraph.faces.cli.session import session_of
from trigraph.model.composition import OutcomeLabel, Role


class _Actions(TyperGroup):
    """Commands of which an unknown one is answered with those that there are."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            raise invalid_choice("action", args[0], self.commands)
        return super().resolve_command(ctx, args)


compositions = typer.Typer(
    cls=_Actions, no_args_is_help=True, help="Which memories were used together, and what came of it."
)

_CompositionId = Annotated[str, typer.Argument(help="A composition's id: c_…, or its last 8 characters or more.")]
_Limit = Annotated[int, typer.Option("--limit", "-n", help="At most so many, up to 100.")]


def reference(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="The question; - reads it from stdin.")],
    depth: Annotated[int, typer.Option("--depth", help="How many memories are looked at: 5 to 50.")] = 20,
    session: o.Session = None,
) -> None:
    """Answer a question from the evidence: what to go by, what it replaced, what disagrees, how sure that is."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.deep_reference(current.text(query), depth=depth, session=session)
    current.show(found, lambda: render.reference_lines(found))


@compositions.command("recent")
def recent(context: typer.Context, tag: o.Tags = None, limit: _Limit = 10, known_at: o.KnownAt = None) -> None:
    """List the latest compositions."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.compositions(limit=limit, tags=tag or (), known_at=known_at)
    current.show(found, lambda: render.events_table(found))


@compositions.command("get")
def get(context: typer.Context, id: _CompositionId, known_at: o.KnownAt = None) -> None:
    """Show one composition: what took part in it, and what came of it."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.composition(id, known_at=known_at)
    current.show(found, lambda: render.event_lines(found))


@compositions.command("memory")
def memory_(context: typer.Context, id: o.MemoryId, limit: _Limit = 10, known_at: o.KnownAt = None) -> None:
    """List the compositions that a memory took part in."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.compositions_of(id, limit=limit, known_at=known_at)
    current.show(found, lambda: render.events_table(found))


@compositions.command("neighbors")
def neighbors(context: typer.Context, id: o.MemoryId, limit: _Limit = 10, known_at: o.KnownAt = None) -> None:
    """List the memories that were used together with one, the most often first."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.companions(id, limit=limit, known_at=known_at)
    current.show(found, lambda: render.companions_table(found))


@compositions.command("label")
def label(
    context: typer.Context,
    id: _CompositionId,
    label: Annotated[str, typer.Argument(help=f"One of {', '.join(OutcomeLabel)}.")],
    notes: Annotated[str | None, typer.Option("--notes", help="Whatever is worth keeping about it.")] = None,
    source: Annotated[str, typer.Option("--source", help="Who or what judged.")] = "user",
    confidence_delta: Annotated[float, typer.Option("--confidence-delta", help="From -1 to 1.")] = 0.0,
    idempotency_key: o.Key = None,
) -> None:
    """Say what came of a composition."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.label(
            id, label, notes=notes, source=source, confidence_delta=confidence_delta, idempotency_key=idempotency_key
        )
    current.show(found, lambda: render.labelled_lines(found))


@compositions.command("compose")
def compose(
    context: typer.Context,
    members: Annotated[list[str], typer.Argument(help=f"Ids of memories; id:role gives a role ({', '.join(Role)}).")],
    query: Annotated[str, typer.Option("--query", help="The question that they were used for.")] = "",
    tool: Annotated[str, typer.Option("--tool", help="What used them.")] = "compose",
    mode: Annotated[str, typer.Option("--mode", help="How.")] = "manual",
    output: Annotated[str, typer.Option("--output", help="What was made of them.")] = "",
    confidence: o.Confidence = None,
    status: Annotated[str | None, typer.Option("--status", help="resolved, contradictions_found, …")] = None,
    idempotency_key: o.Key = None,
) -> None:
    """Keep that memories were used together."""
    current = session_of(context)
    with current.memory() as memory:
        changed = memory.compose(
            [_member(one) for one in members],
            query=query,
            tool=tool,
            mode=mode,
            output=output,
            confidence=confidence,
            status=status,
            idempotency_key=idempotency_key,
        )
    show_changed(current, changed)


def _member(given: str) -> str | dict[str, str]:
    id_, colon, role = given.partition(":")
    return {"id": id_, "role": role} if colon else given
