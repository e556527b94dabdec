"""How queued work, reviews and access look to people."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from trigraph.engine.engine import Worked
from trigraph.faces import wire
from trigraph.faces.cli.render import one_line, plain
from trigraph.model.access_log import AccessLog
from trigraph.model.calibration import Calibration
from trigraph.model.job import Job
from trigraph.model.report import ItemStatus
from trigraph.model.resolution import LikelyPair, Pair, Resolved, ResolvePlan
from trigraph.model.review import HeldBack


def worked_line(worked: Worked) -> RenderableType:
    """What became of a run over the queue."""
    told = f"{worked.done} done"
    told += f", {worked.failed} failed (`trigraph jobs` says why)" if worked.failed else ""
    return Text(told + (f", {worked.embedded} vectors made" if worked.embedded else ""))


def _came_to(job: Job) -> str:
    """What a job came to, in words: how many memories, and by whom they were read."""
    told = wire.to_json(job)["result"] or {}
    counts = [f"{count} {name}" for name, count in told.items() if name in tuple(ItemStatus) and isinstance(count, int)]
    counts += [f"{count} filtered as {name}" for name, count in (told.get("filtered") or {}).items()]
    if told.get("tokens_in"):
        counts.append(f"{told['tokens_in']} tokens in, {told['tokens_out']} out ({told['extractor']})")
    if told.get("fallen_back"):
        counts.append(f"by rules, since {told['fallen_back']}")
    return ", ".join(counts) if counts or job.result is None else "nothing to keep"


def job_table(jobs: Sequence[Job]) -> RenderableType:
    """Jobs, one a line."""
    table = Table.grid(padding=(0, 2))
    for job in jobs:
        told = plain(job.last_error or _came_to(job))
        state = job.state.value + (f" ({job.attempts}×)" if job.attempts > 1 else "")
        table.add_row(job.id, job.name, state, wire.shown_time(job.created_at) or "", Text(told, style="dim"))
    return table if jobs else Text("nothing was queued", style="dim")


def job_lines(job: Job) -> RenderableType:
    """One job and what came of it."""
    lines = [Text(f"{job.name} {job.id}: {job.state.value}")]
    told = plain(job.last_error or _came_to(job))
    return Group(*lines, Text(told, style="dim")) if told else Group(*lines)


def held_back_lines(found: Sequence[HeldBack]) -> RenderableType:
    """What is in quarantine."""
    if not found:
        return Text("nothing is held back", style="dim")
    lines: list[RenderableType] = []
    for one in found:
        lines.append(one_line(one.memory))
        lines.append(Text(f"  {one.memory.provenance.source.value}: {', '.join(one.signs)}", style="dim"))
    return Group(*lines)


def access_lines(log: AccessLog) -> RenderableType:
    """When a memory was shown and used."""
    head = (
        f"{log.memory_id}: confidence {log.effective_confidence:g} (base {log.confidence:g}), retention"
        f" {log.retention:.2f}, shown {log.shown_count}×, used {len(log.used)}×, said again {len(log.restatements)}×"
    )
    lines = [Text(head)]
    for shown in log.shown:
        where = f" in {shown.session}" if shown.session else ""
        told = f"  {wire.shown_time(shown.at)} shown at {shown.rank}{where}: {plain(shown.query)}"
        lines.append(Text(told, style="dim"))
    lines += [Text(f"  {wire.shown_time(used.at)} {used.kind.value}", style="dim") for used in log.used]
    for again in log.restatements:
        told = f"  {wire.shown_time(again.at)} said again by {again.author} ({again.source.value})"
        lines.append(Text(told, style="dim"))
    return Group(*lines)


def calibration_lines(found: Calibration) -> RenderableType:
    """What was measured, and what to set."""
    told = (
        f"{found.model}: {found.pairs} pairs of {found.texts} texts from {found.drawn_from}:"
        f" cosine {found.mean:g} on average, deviation {found.deviation:g}"
    )
    lines = [Text(told)]
    for name, measured, configured in (
        ("compare.duplicate_above", found.duplicate_above, found.configured_duplicate_above),
        ("compare.alike_above", found.alike_above, found.configured_alike_above),
    ):
        lines.append(Text(f"{name} = {measured:g}  (now {configured:g})"))
    return Group(*lines)


def resolved_lines(found: Sequence[Resolved]) -> RenderableType:
    """What names mean."""
    lines = []
    for one in found:
        told = ", ".join(
            f"{plain(other.entity.name)} ({other.entity.type.value}, {other.score:.2f}: {plain(other.reason)})"
            for other in one.candidates
        )
        lines.append(Text(f"{plain(one.name)}: {one.status.value}" + (f", {told}" if told else "")))
    return Group(*lines)


def plan_lines(plan: ResolvePlan) -> RenderableType:
    """What is one, what may be, and what is part of what."""
    lines = [_likely("merged" if plan.applied else "one", pair) for pair in plan.same]
    lines += [_likely("to review" if plan.applied else "may be one", pair) for pair in plan.review]
    lines += [_likely("part", pair) for pair in plan.parts]
    told = f"{plan.entities} entities looked at" + (f"; {plan.skipped}" if plan.skipped else "")
    if not plan.applied and (plan.same or plan.review):
        told += "; --apply merges what is one and queues the rest for review"
    return Group(*lines, Text(told, style="dim"))


def pair_lines(found: Sequence[Pair]) -> RenderableType:
    """Pairs that wait for an answer."""
    lines = [
        Text(plain(f"{one.id}  {one.one.name} / {one.other.name}  {one.score:.2f}: {one.reason}")) for one in found
    ]
    return Group(*lines) if lines else Text("no pair waits for an answer", style="dim")


def _likely(what: str, pair: LikelyPair) -> Text:
    told = f"{what}: {pair.one.name} / {pair.other.name}  {pair.score:.2f}: {pair.reason}"
    return Text(plain(told + (f" ({pair.note})" if pair.note else "")))
