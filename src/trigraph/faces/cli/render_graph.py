"""How documents, relations, traces and audits look to people."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from trigraph.faces.cli.render import one_line, plain
from trigraph.model.audit import Audit, GraphDiff, RelationChange
from trigraph.model.document import DocumentDetails, DocumentPage
from trigraph.model.ids import short_id
from trigraph.model.neighbourhood import Neighbourhood, NodeSort
from trigraph.model.relation import Relation
from trigraph.model.report import DocumentsReport, ItemStatus
from trigraph.model.trace import Step, Trace

CHANGES_SHOWN = 200


def documents_report(report: DocumentsReport) -> RenderableType:
    """Counts, and each file that was not simply added."""
    lines: list[RenderableType] = []
    for one in report.files:
        if one.result.status in (ItemStatus.ERROR, ItemStatus.UPDATED):
            style = "yellow" if one.result.status is ItemStatus.ERROR else ""
            told = f"{one.result.status.value} {one.path}: {one.result.reason or ''}"
            lines.append(Text(plain(told), style=style))
    counted = report.report()
    counts = [f"{counted.count(status)} {status.value}" for status in ItemStatus if counted.count(status)]
    collections = dict.fromkeys(one.collection for one in report.files if one.collection)
    lines.append(Text(plain(f"{', '.join(counts) or 'nothing to add'} ({', '.join(collections) or 'no collection'})")))
    return Group(*lines)


def documents_table(page: DocumentPage) -> RenderableType:
    """A listing, one line a document."""
    table = Table.grid(padding=(0, 2))
    for one in page.documents:
        title = one.props.get("title", "")
        state = "stub" if one.stub else one.props.get("status", "")
        cells = (one.name, one.collection, state, title.removeprefix(f"{one.name}: "))
        table.add_row(*(Text(plain(cell), style=style) for cell, style in zip(cells, _STYLES, strict=True)))
    return table if page.documents else Text("no documents", style="dim")


_STYLES = ("cyan", "dim", "yellow", "")


def document_lines(found: DocumentDetails) -> RenderableType:
    """One document and its relations."""
    one = found.document
    table = Table.grid(padding=(0, 2))
    facts = {
        "document": one.name + (" (a stub: only referred to)" if one.stub else ""),
        "collection": one.collection,
        "path": one.path,
        "text": one.memory_id,
        "entity": one.entity_id,
        **one.props,
    }
    for name, value in facts.items():
        if value:
            table.add_row(Text(name.replace("_", " "), style="dim"), Text(plain(value)))
    more = [Text("there are more relations than these", style="dim")] if found.truncated else []
    return Group(table, Text(""), relation_lines(found.relations), *more)


def relation_lines(relations: Sequence[Relation]) -> RenderableType:
    """Relations, each with where it stands written."""
    if not relations:
        return Text("no relations", style="dim")
    lines = []
    for one in relations:
        line = Text(plain(f"{one.source.name} "))
        line.append(one.type.value, style="cyan")
        line.append(plain(f" {one.target.name}"))
        told = ", ".join(f"{x.section} of {short_id(x.memory_id)}" for x in one.evidence)
        line.append(plain(f"  ({told})"), style="dim")
        lines.append(line)
    return Group(*lines)


def trace_lines(trace: Trace) -> RenderableType:
    """A walk, step by step."""
    lines: list[RenderableType] = [line for step in trace.steps for line in _step(step)]
    if not lines:
        lines.append(Text("nothing found", style="dim"))
    if trace.truncated:
        lines.append(Text("truncated: there is more than the walk's budget of nodes", style="yellow"))
    return Group(*lines)


def _step(step: Step) -> list[Text]:
    indent = "  " * step.depth
    line = Text(indent)
    if step.via is not None:
        line.append(f"{step.via.type.value} ({step.via.confidence:g}, {step.via.created_by.value}) ", style="dim")
    line.append_text(one_line(step.memory))
    if step.memory.superseded:
        line.append("  superseded", style="yellow")
    lines = [line]
    for one in step.implemented_by:
        lines.append(Text(f"{indent}  ← implemented by ").append_text(one_line(one)))
    for outcome in step.outcomes:
        told = f"{outcome.result.value}: {outcome.reason}" if outcome.reason else outcome.result.value
        lines.append(Text(plain(f"{indent}  → {told} ({short_id(outcome.id)})"), style="yellow"))
    return lines


def neighbourhood_lines(found: Neighbourhood) -> RenderableType:
    """Nodes by their distance, then edges."""
    lines: list[RenderableType] = []
    labels = {one.id: one.label for one in found.nodes}
    for one in found.nodes:
        line = Text("  " * one.depth)
        line.append(f"{one.sort.value} {one.type} ", style="dim")
        line.append(plain(one.label), style="strike" if one.over else "")
        line.append(f"  {short_id(one.id)}" if one.sort in (NodeSort.MEMORY, NodeSort.ENTITY) else "", style="cyan")
        lines.append(line)
    for edge in found.edges:
        told = f"{labels[edge.from_id]} → {labels[edge.to_id]}"
        how = "" if edge.confidence is None else f" {edge.confidence:g}"
        lines.append(Text(plain(f"{edge.type}{how}: {told}{' (automatic)' if edge.automatic else ''}"), style="dim"))
    if found.truncated:
        lines.append(
            Text("truncated: there is more than is shown; --limit, --type or --depth narrow it", style="yellow")
        )
    return Group(*lines)


def audit_lines(audit: Audit) -> RenderableType:
    """Every check in a line."""
    table = Table.grid(padding=(0, 2))
    for check in audit.checks:
        mark = Text("ok", style="green") if not check.broken else Text(f"{check.broken} broken", style="red")
        where = ", ".join(check.ids)
        table.add_row(mark, Text(check.says), Text(plain(" ".join(filter(None, (where, check.fix)))), style="dim"))
    return table


def diff_lines(diff: GraphDiff) -> RenderableType:
    """What a repair changes, relation by relation."""
    lines: list[RenderableType] = []
    for sign, style, changes in (("+", "green", diff.added), ("-", "red", diff.closed), ("?", "dim", diff.unresolved)):
        lines += [_change(sign, style, one) for one in changes[:CHANGES_SHOWN]]
        if len(changes) > CHANGES_SHOWN:
            lines.append(Text(f"{sign} {len(changes) - CHANGES_SHOWN} more; --json shows all", style=style))
    done = "applied" if diff.applied else "to do"
    lines.append(
        Text(
            f"{diff.documents} documents: {len(diff.added)} added, {len(diff.closed)} closed,"
            f" {diff.unchanged} unchanged, {len(diff.unresolved)} unresolved ({'nothing ' if diff.empty else ''}{done})"
        )
    )
    return Group(*lines)


def _change(sign: str, style: str, one: RelationChange) -> Text:
    told = f"{sign} {one.source} {one.type.value} {one.target}  ({one.section} of {short_id(one.memory_id)})"
    return Text(plain(told), style=style)
