"""How deep references and compositions look to people."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from trigraph.faces.cli.render import plain
from trigraph.model.composition import Companion, CompositionEvent, Labelled
from trigraph.model.ids import short_id
from trigraph.model.reference import DeepReference


def reference_lines(found: DeepReference) -> RenderableType:
    """The reasoning, then what it was made of."""
    lines: list[RenderableType] = [Text(plain(one)) for one in found.reasoning.split("\n\n")]
    spaced = [part for line in lines for part in (line, Text(""))]
    status = found.status.value if found.status else "no evidence"
    kept = f"composition {short_id(found.composition_event_id)}" if found.composition_event_id else "nothing kept"
    if found.composition_write_error:
        kept = f"the composition could not be kept: {plain(found.composition_write_error)}"
    told = f"{found.intent.value}, {status}, {len(found.evidence)} of {found.memories_analysed} memories, {kept}"
    return Group(*spaced, Text(told, style="dim"))


def events_table(events: Sequence[CompositionEvent]) -> RenderableType:
    """A listing, one line a composition."""
    if not events:
        return Text("no compositions", style="dim")
    table = Table.grid(padding=(0, 2))
    for one in events:
        came = ", ".join(outcome.label.value for outcome in one.outcomes)
        cells = (short_id(one.id), _time(one.at), one.tool, str(len(one.members)), came, _line(one.query))
        table.add_row(*(Text(plain(cell), style=style) for cell, style in zip(cells, _STYLES, strict=True)))
    return table


_STYLES = ("cyan", "dim", "dim", "", "yellow", "")


def event_lines(event: CompositionEvent) -> RenderableType:
    """One composition with all that took part."""
    status = event.status.value if event.status else "-"
    sure = f", confidence {event.confidence:.2f}" if event.confidence is not None else ""
    head = f"{event.id}  {_time(event.at)}  {event.tool} ({event.mode}) by {event.author}: {status}{sure}"
    lines: list[RenderableType] = [Text(plain(head)), Text(_line(event.query), style="dim")]
    table = Table.grid(padding=(0, 2))
    for one in event.members:
        table.add_row(
            Text(str(one.rank), style="dim"),
            Text(one.role.value),
            Text(short_id(one.memory_id), style="cyan"),
            Text(_line(one.preview) or "(erased)"),
        )
    lines.append(table)
    for outcome in event.outcomes:
        notes = f": {outcome.notes}" if outcome.notes else ""
        told = f"{outcome.label.value} ({outcome.source}, {outcome.author}, {_time(outcome.at)}){notes}"
        lines.append(Text(_line(told), style="yellow"))
    return Group(*lines)


def companions_table(found: Sequence[Companion]) -> RenderableType:
    """A listing, one line a memory."""
    if not found:
        return Text("used together with nothing", style="dim")
    table = Table.grid(padding=(0, 2))
    for one in found:
        came = ", ".join(f"{count} {label.value}" for label, count in one.labels.items())
        table.add_row(
            Text(short_id(one.memory_id), style="cyan"),
            Text(f"{one.events} times"),
            Text(_time(one.last_at), style="dim"),
            Text(came, style="yellow"),
        )
    return table


def labelled_lines(found: Labelled) -> RenderableType:
    """What was said, and what to look at next."""
    lines = [Text(f"{short_id(found.changed.id)} is {found.label.value}")]
    return Group(*lines, *(Text(plain(one)) for one in found.advice))


def _line(text: str) -> str:
    return plain(" ".join(text.split()))


def _time(instant: datetime) -> str:
    return f"{instant:%Y-%m-%d %H:%M}"
