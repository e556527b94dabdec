"""docs, relations, trace, audit, prune."""

from __future__ import annotations

from typing import Annotated

import typer

from trigraph.errors import InvalidInput, invalid_choice
from trigraph.faces.cli import exit_codes, render_graph
from trigraph.faces.cli import options as o
from trigraph.faces.cli.life_commands import show_changed
from trigraph.faces.cli.session import session_of
from trigraph.model.report import ItemStatus

FIXUPS = ("memory-graph",)

docs = typer.Typer(no_args_is_help=True, help="Specs, ADRs, TODOs: any markdown with an id.")
trace = typer.Typer(no_args_is_help=True, help="Walk the links between memories.")

_Collection = Annotated[str | None, typer.Option("--collection", help="The collection it belongs to.")]
_Document = Annotated[str, typer.Argument(help="A document's id, such as SPEC-054, its path, or its entity's id.")]


@docs.command("add")
def docs_add(
    context: typer.Context,
    paths: Annotated[list[str], typer.Argument(help="Markdown files, or folders of them.")],
    collection: Annotated[
        str | None, typer.Option("--collection", help="Their collection; the folder's name if left out.")
    ] = None,
    visibility: o.Visible = None,
    group: o.Group = None,
    valid_from: o.ValidFrom = None,
) -> None:
    """Add documents. A changed file is an update; what it no longer refers to is closed, in time."""
    current = session_of(context)
    fields = o.given(visibility=visibility, group=group, valid_from=valid_from)
    with current.memory() as memory, current.progress("adding", None) as done:
        report = memory.docs.add(paths, collection=collection, progress=done, **fields)
    current.show(report, lambda: render_graph.documents_report(report))
    if report.passed_over:
        current.say(f"{report.passed_over} files in these folders are not markdown")
    if report.gone:
        named = ", ".join(report.gone[:5]) + (" …" if len(report.gone) > 5 else "")
        current.say(f"no longer there, and kept: {named}; `trigraph archive` retires a document")
    if report.degraded:
        current.say(f"degraded: {report.degraded}")
    if any(one.result.status is ItemStatus.ERROR for one in report.files):
        raise typer.Exit(exit_codes.BAD_DATA)


@docs.command("list")
def docs_list(
    context: typer.Context,
    collection: _Collection = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most so many.")] = 50,
    cursor: Annotated[str | None, typer.Option(help="Where the page before ended.")] = None,
    as_of: o.AsOf = None,
    known_at: o.KnownAt = None,
) -> None:
    """List documents, and stubs: those that others only refer to."""
    current = session_of(context)
    with current.memory() as memory:
        page = memory.docs.list(collection=collection, limit=limit, cursor=cursor, as_of=as_of, known_at=known_at)
    current.show(page, lambda: render_graph.documents_table(page))
    if page.next_cursor and not current.as_json:
        current.say(f"more: --cursor {page.next_cursor}")


@docs.command("get")
def docs_get(
    context: typer.Context,
    name: _Document,
    collection: _Collection = None,
    as_of: o.AsOf = None,
    known_at: o.KnownAt = None,
) -> None:
    """Show one document: what it says of itself, and its relations both ways."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.docs.get(name, collection=collection, as_of=as_of, known_at=known_at)
    current.show(found, lambda: render_graph.document_lines(found))


@docs.command("status")
def docs_status(
    context: typer.Context,
    name: _Document,
    status: Annotated[str, typer.Argument(help="Its status, such as Accepted.")],
    collection: _Collection = None,
    valid_from: o.ValidFrom = None,
    idempotency_key: o.Key = None,
) -> None:
    """Say what a document's status was from a time on; also long after."""
    current = session_of(context)
    with current.memory() as memory:
        changed = memory.docs.status(
            name, status, collection=collection, idempotency_key=idempotency_key, valid_from=valid_from
        )
    show_changed(current, changed)


def relations(
    context: typer.Context,
    entity: o.EntityName,
    type: Annotated[list[str] | None, typer.Option("--type", help="Only of this type; repeat for several.")] = None,
    as_of: o.AsOf = None,
    known_at: o.KnownAt = None,
) -> None:
    """Show the relations of a thing, both ways, and what says so."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.relations(entity, types=type or (), as_of=as_of, known_at=known_at)
    current.show(found, lambda: render_graph.relation_lines(found))


@trace.command("evolution")
def trace_evolution(
    context: typer.Context,
    topic: Annotated[str, typer.Argument(help="The topic of the decisions.")],
    as_of: o.AsOf = None,
    known_at: o.KnownAt = None,
) -> None:
    """From the latest decision on a topic back, with what implemented each and what came of it."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.trace_evolution(topic, as_of=as_of, known_at=known_at)
    current.show(found, lambda: render_graph.trace_lines(found))


@trace.command("impact")
def trace_impact(context: typer.Context, id: o.MemoryId, as_of: o.AsOf = None, known_at: o.KnownAt = None) -> None:
    """What followed from a memory within a week."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.trace_impact(id, as_of=as_of, known_at=known_at)
    current.show(found, lambda: render_graph.trace_lines(found))


@trace.command("context")
def trace_context(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="The question; - reads it from stdin.")],
    id: o.MemoryId,
    as_of: o.AsOf = None,
    known_at: o.KnownAt = None,
) -> None:
    """What is like a question, and first of it what is linked to a memory."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.trace_context(current.text(query).strip(), id, as_of=as_of, known_at=known_at)
    current.show(found, lambda: render_graph.trace_lines(found))


def neighbourhood(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="An entity's name or id, or a memory's id.")],
    depth: Annotated[int, typer.Option("--depth", help="How many edges away, 1 to 3.")] = 1,
    graph: Annotated[
        list[str] | None, typer.Option("--graph", help="canonical, semantic or temporal; repeat for several.")
    ] = None,
    type: Annotated[
        list[str] | None, typer.Option("--type", help="Only edges of this type; repeat for several.")
    ] = None,
    confidence: Annotated[float, typer.Option("--confidence", help="The least of mentions and links.")] = 0.0,
    automatic: Annotated[bool, typer.Option(help="With links that the system drew.")] = True,
    limit: Annotated[int, typer.Option("--limit", help="How many nodes at most.")] = 300,
    as_of: o.AsOf = None,
    known_at: o.KnownAt = None,
) -> None:
    """Show what stands around a memory or an entity in the three graphs."""
    current = session_of(context)
    with current.memory() as memory:
        found = memory.neighbourhood(
            name,
            depth=depth,
            graphs=graph or (),
            types=type or (),
            confidence=confidence,
            automatic=automatic,
            limit=limit,
            as_of=as_of,
            known_at=known_at,
        )
    current.show(found, lambda: render_graph.neighbourhood_lines(found))


def audit(
    context: typer.Context,
    fixup: Annotated[str | None, typer.Option("--fixup", help="Show what a repair would change: memory-graph.")] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Make the repair.")] = False,
) -> None:
    """Check everything that must hold; exits with 1 when something does not."""
    current = session_of(context)
    if fixup is None:
        if apply:
            raise InvalidInput("--apply belongs to --fixup.", field="apply", fix="Give --fixup memory-graph.")
        with current.memory() as memory:
            found = memory.audit()
        current.show(found, lambda: render_graph.audit_lines(found))
        if not found.ok:
            raise typer.Exit(exit_codes.DEGRADED)
        return
    if fixup not in FIXUPS:
        raise invalid_choice("fixup", fixup, FIXUPS)
    with current.memory() as memory:
        diff = memory.fixup_memory_graph(apply=apply)
        current.show(diff, lambda: render_graph.diff_lines(diff))
        if diff.empty or apply or current.as_json:
            return
        if current.asks and typer.confirm("Apply this?", err=True):
            diff = memory.fixup_memory_graph(apply=True)
            current.say(f"applied: {len(diff.added)} added, {len(diff.closed)} closed")
        else:
            current.say("nothing was changed; --apply makes it so")


def prune(
    context: typer.Context,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count.")] = False,
) -> None:
    """Close automatic links that have faded and through which nothing was used."""
    current = session_of(context)
    with current.memory() as memory:
        count = memory.prune(dry_run=dry_run)
    what = "would be closed" if dry_run else "closed"
    current.show({"links": count, "dry_run": dry_run}, lambda: f"{count:,} links {what}")
