"""How the verbs of a memory's life, entities and the registry look to people."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from trigraph.faces import wire
from trigraph.faces.cli.render import plain
from trigraph.model.access import Agent, Token
from trigraph.model.change import Changed, EntityHistory, HistoryStep, MemoryHistory, Verb
from trigraph.model.entity import Entity, EntityPage, EntityState
from trigraph.model.ids import short_id
from trigraph.model.scope import DEFAULT_NAME
from trigraph.model.tail import Happened, RecallMade
from trigraph.model.transfer import ExportReport, ImportReport

_DONE = {
    Verb.REMEMBER: "remembered",
    Verb.CORRECT: "corrected",
    Verb.SUPERSEDE: "superseded",
    Verb.FORGET: "forgot",
    Verb.RESTORE: "restored",
    Verb.ERASE: "erased",
    Verb.REVERIFY: "reverified",
    Verb.SHARE: "shared",
    Verb.ARCHIVE: "archived",
    Verb.CITE: "cited",
    Verb.LINK: "linked",
    Verb.UNLINK: "unlinked",
    Verb.VOTE: "voted on",
    Verb.DECIDE: "decided",
    Verb.CHECKPOINT: "checkpoint",
    Verb.EVOLVE: "outcome",
    Verb.PERSONA: "persona",
    Verb.RENAME: "renamed",
    Verb.ALIAS: "alias",
    Verb.WRAP: "wrapped",
    Verb.DOCUMENT: "document",
    Verb.RESTATE: "said again",
    Verb.TURN: "turn",
    Verb.DISTIL: "distil",
    Verb.REFLECT: "reflect",
    Verb.PURGE: "purged",
    Verb.REVIEW: "reviewed",
    Verb.MERGE: "merged",
    Verb.SPLIT: "split",
}


def changed_lines(changed: Changed) -> RenderableType:
    """What a verb did, in a line or two."""
    told = f"{_DONE[changed.verb]} {', '.join(changed.ids)}"
    if changed.replaced and changed.replaced != changed.ids:
        told += f" in place of {', '.join(changed.replaced)}"
    notes = [f"({len(changed.links)} link{'s' * (len(changed.links) > 1)})"] if changed.links else []
    notes += ["(done before, under this key)"] if changed.replayed else []
    lines = [Text(" ".join([told, *notes]))]
    if changed.note:
        lines.append(Text(plain(changed.note), style="dim"))
    return Group(*lines)


def history_lines(told: MemoryHistory | EntityHistory) -> RenderableType:
    """A story, step by step; or the states of an entity."""
    if isinstance(told, EntityHistory):
        return Group(entity_lines(told.entity), Text(""), *(_state_line(state) for state in told.states))
    links: dict[str, list[str]] = {}
    for link in told.links:
        links.setdefault(link.from_id, []).append(f"{link.type.value} {short_id(link.to_id)}")
    lines: list[RenderableType] = [line for step in told.steps for line in _step_lines(step, links)]
    for link in told.beside:
        said = f"{short_id(link.from_id)} {link.type.value} {short_id(link.to_id)}"
        because = f" because: {link.reason}" if link.reason else ""
        lines.append(Text(plain(f"link {link.id}: {said} ({link.confidence:g}){because}"), style="dim"))
    if told.citations:
        counted = ", ".join(f"{count} {kind}" for kind, count in told.citations.items())
        lines.append(Text(f"citations: {counted}", style="dim"))
    if told.truncated:
        lines.append(Text("the story is longer than this", style="dim"))
    return Group(*lines)


def entity_lines(entity: Entity, uses: int | None = None) -> RenderableType:
    """One entity with everything known about it."""
    table = Table.grid(padding=(0, 2))
    facts = [
        ("id", entity.id),
        ("type", entity.type.value),
        ("also", ", ".join(entity.aliases)),
        ("visibility", f"group {entity.group}" if entity.group else entity.visibility.value),
        ("mentions", str(entity.mention_count)),
        ("uses", None if uses is None else str(uses)),
        ("first seen", wire.shown_time(entity.first_seen)),
        ("last referenced", wire.shown_time(entity.last_referenced)),
        *((name, prop.value) for name, prop in entity.state.props.items()),
        ("in use", "no" if entity.retired else None),
    ]
    for name, value in facts:
        if value:
            table.add_row(Text(plain(name), style="dim"), Text(plain(value)))
    return Group(Text(plain(entity.name), style="bold"), table)


def entity_table(page: EntityPage) -> Table:
    """Entities, one line each."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("id", "name", "type", "mentions", "also"):
        table.add_column(name, justify="right" if name == "mentions" else "left")
    for one in page.entities:
        table.add_row(
            Text(short_id(one.id), style="cyan"),
            Text(plain(one.name)),
            one.type.value,
            str(one.mention_count),
            Text(plain(", ".join(one.aliases)), style="dim"),
        )
    return table


def happened_line(happened: Happened, text: str) -> Text:
    """One thing that happened; `text` is what the memory says that it happened to."""
    what = happened.what
    if isinstance(what, RecallMade):
        line = Text(f"{what.at:%Y-%m-%d %H:%M:%S}  ", style="dim")
        line.append("recalled  ")
        line.append(short_id(what.recall_id), style="cyan")
        line.append(f"  {_counted(len(what.result_ids))}  ", style="dim")
        return line.append(plain(" ".join(what.query.split())))
    line = Text(f"{what.known_from:%Y-%m-%d %H:%M:%S}  ", style="dim")
    line.append(f"{_DONE[what.verb]}  ")
    line.append(short_id(what.memory_id), style="cyan")
    if what.changed_by != DEFAULT_NAME:
        line.append(f"  by {what.changed_by}", style="dim")
    line.append(f"  {plain(' '.join(text.split()))}")
    if what.reason:
        line.append(f"  because: {plain(what.reason)}", style="dim")
    return line


def _counted(hits: int) -> str:
    return f"{hits} hit{'s' * (hits != 1)}"


def agent_table(agents: Sequence[Agent]) -> Table:
    """Agents and what they may see."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("agent", "reads", "groups", "domains"):
        table.add_column(name)
    for one in agents:
        table.add_row(one.name, one.policy.value, ", ".join(one.groups) or "-", ", ".join(one.domains) or "all")
    return table


def token_table(tokens: Sequence[Token]) -> Table:
    """Tokens, without their secrets."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("id", "name", "agent", "project", "rights", "last used", "until"):
        table.add_column(name)
    for one in tokens:
        until = "revoked" if one.revoked_at else wire.shown_time(one.expires_at) or "-"
        used = wire.shown_time(one.used_at) or "never"
        place = one.project or "(all)"
        table.add_row(one.id, Text(plain(one.name)), one.agent, place, ", ".join(one.rights), used, until)
    return table


def export_told(report: ExportReport) -> str:
    """What was exported."""
    counted = ", ".join(f"{count:,} {kind}" for kind, count in report.counts.items())
    return f"exported {counted or 'nothing'}; digest {report.digest}"


def import_told(report: ImportReport) -> str:
    """What was imported."""
    return ", ".join(f"{count:,} {what}" for what, count in report.counts.items()) or "nothing to import"


def _step_lines(step: HistoryStep, links: dict[str, list[str]]) -> list[Text]:
    head = Text(f"{step.at:%Y-%m-%d %H:%M:%S}  ", style="dim")
    head.append(f"{_DONE[step.verb]}  ")
    head.append(short_id(step.memory_id), style="cyan")
    head.append(f"  {step.kind}", style="dim")
    if not step.changed and step.memory_id in links:
        head.append(f"  {', '.join(links[step.memory_id])}", style="dim")
    if not step.changed and step.valid_from.date() != step.at.date():
        head.append(f"  since {step.valid_from:%Y-%m-%d}", style="dim")
    if step.by != DEFAULT_NAME:
        head.append(f"  by {step.by}", style="dim")
    lines = [head]
    if not step.changed:
        lines.append(Text(f"   {plain(' '.join(step.text.split()))}"))
    for name, (before, after) in step.changed.items():
        lines.append(Text(f"   {name}: {_value(before)} → {_value(after)}", style="dim"))
    if step.reason:
        lines.append(Text(f"   because: {plain(step.reason)}"))
    return lines


def _state_line(state: EntityState) -> Text:
    until = wire.shown_time(state.valid_until) or "now"
    line = Text(f"{wire.shown_time(state.valid_from)} – {until}  ", style="dim")
    line.append(f"{state.event.value}  ")
    line.append(plain(state.name), style="bold")
    for name, prop in state.props.items():
        line.append(plain(f"  {name}: {' '.join(prop.value.split())}"))
    if state.cause_id:
        line.append(f"  {short_id(state.cause_id)}", style="cyan")
    return line


def _value(value: object) -> str:
    if isinstance(value, datetime):
        return wire.shown_time(value) or "-"
    if isinstance(value, str) and "_" in value and len(value) == len("m_") + 26:
        return short_id(value)
    if isinstance(value, tuple):
        return plain(", ".join(value)) or "-"
    return "-" if value is None else plain(str(value))
