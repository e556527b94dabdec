"""How answers look to people."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from trigraph.faces import wire
from trigraph.model.ids import short_id
from trigraph.model.memory import Memory, MemoryPage
from trigraph.model.recall import Hit, LegReport, Neighbour, Plan, Recall
from trigraph.model.report import ItemStatus, RememberReport
from trigraph.model.status import Health, Stats

_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def plain(text: str) -> str:
    """Text that cannot steer a terminal: control characters other than line ends and tabs, and those that turn the
    direction of writing, are shown as a dot."""
    return _STEERING.sub("·", text)


FEATURES_SHOWN = 6
"""Of what a learnt order weighed, as much as moved a hit most."""


def print_recall(out: Console, answer: Recall, *, explain: bool) -> None:
    """Constraints, then hits, best first; with `explain` the plan, the legs and what each leg gave to each hit."""
    _print_constraints(out, answer)
    if answer.nothing_found and answer.hits:
        told = f"memory seems to have nothing on this (certainty {answer.certainty:.2f}); the nearest:"
        out.print(Text(told, style="yellow"))
    for hit in answer.hits:
        _print_hit(out, hit, answer.plan.order, explain=explain)
    if not answer.hits:
        out.print(Text("nothing found", style="dim"))
    for thread in answer.threads or ():
        chance = "" if thread.chance is None else f" {thread.chance:.2f}"
        name = thread.name or thread.session or short_id(thread.id)
        out.print(Text(plain(f"thread {name}{chance}, best: {short_id(thread.best_id)}"), style="dim"), soft_wrap=True)
    for one in answer.conflicts:
        told = f"conflicting memories: {short_id(one.first_id)} vs {short_id(one.second_id)}"
        out.print(Text(plain(f"{told}: {one.reason}" if one.reason else told), style="yellow"), soft_wrap=True)
    if explain:
        out.print(_plan(answer), soft_wrap=True)
        out.print(legs_table(answer.legs))


def missing_lines(answer: Recall) -> list[str]:
    """What the answer lacks: parts that could not do theirs, and what fell to the budget."""
    lines = [f"{leg.leg} leg {leg.status}: {leg.reason}" for leg in answer.legs if leg.status.degraded]
    if answer.reranked and answer.reranked.status.degraded:
        lines.append(f"re-ranker {answer.reranked.status}: {answer.reranked.reason}")
    if answer.neighbours_left_out:
        lines.append(f"{answer.neighbours_left_out} neighbours fell to the token budget; raise --budget-tokens")
    if answer.left_out:
        lines.append(f"{answer.left_out} more fell to the token budget; raise --budget-tokens")
    return lines


def memory_lines(memory: Memory) -> RenderableType:
    """One memory with everything known about it."""
    table = Table.grid(padding=(0, 2))
    for name, value in wire.memory_facts(memory):
        table.add_row(Text(name, style="dim"), Text(plain(value)))
    return Group(Text(plain(memory.text)), Text(""), table)


def one_line(memory: Memory) -> Text:
    """A memory in a line."""
    line = Text(f"{short_id(memory.id)}  ", style="cyan")
    line.append(f"{memory.kind.value}  ", style="dim")
    line.append(plain(" ".join(memory.text.split())), style="default")
    return line


def page_lines(page: MemoryPage, width: int) -> list[Text]:
    """A listing for people, one line a memory, cut to the screen."""
    lines = []
    for id_, kind, when, text in _page_columns(page):
        line = Text(f"{id_}  ", style="cyan")
        line.append(f"{kind:<10}  {when}  ", style="dim")
        line.append(text, style="default")
        line.truncate(width, overflow="ellipsis")
        lines.append(line)
    return lines


def page_rows(page: MemoryPage) -> str:
    """A listing for pipes: whole, tab-separated."""
    return "\n".join("\t".join(column.replace("\t", " ") for column in row) for row in _page_columns(page))


def _page_columns(page: MemoryPage) -> list[tuple[str, str, str, str]]:
    return [
        (
            short_id(memory.id),
            memory.kind.value,
            (memory.occurred_at or memory.created_at).strftime("%Y-%m-%d"),
            plain(" ".join(memory.text.split())),
        )
        for memory in page.memories
    ]


_TOLD = (ItemStatus.ERROR, ItemStatus.CONFLICT, ItemStatus.QUARANTINED, ItemStatus.FILTERED)


def report_lines(report: RememberReport) -> RenderableType:
    """What became of each item; of a long list only what was not added."""
    lines: list[RenderableType] = []
    if len(report.items) == 1:
        item = report.items[0]
        again = " (done before, under this key)" if report.replayed else ""
        lines.append(Text(f"{item.status.value} {item.id or ''}".strip() + again))
        if item.reason:
            lines.append(Text(plain(item.reason), style="dim"))
        return Group(*lines)
    reasons: dict[str, list[int]] = {}
    for number, item in enumerate(report.items):
        if item.status in _TOLD:
            reasons.setdefault(f"{item.status.value}: {plain(item.reason or '')}", []).append(number)
    for reason, numbers in reasons.items():
        which = f"item {numbers[0]}" if len(numbers) == 1 else f"{len(numbers)} items from item {numbers[0]} on"
        lines.append(Text(f"{which}: {reason}"))
    counts = [f"{report.count(status)} {status.value}" for status in ItemStatus if report.count(status)]
    lines.append(Text(", ".join(counts) or "nothing to do"))
    return Group(*lines)


def stats_table(stats: Stats) -> Table:
    """Counts."""
    table = Table.grid(padding=(0, 2))
    rows = {
        "memories": stats.memories,
        **{f"  {kind}": count for kind, count in stats.by_kind.items()},
        "threads": stats.threads,
        "entities": stats.entities,
        "passages": stats.passages,
        "vectors": stats.vectors,
        "waiting for a vector": stats.waiting_for_vector,
        "recalls": stats.recalls,
        "bytes on disk": stats.store_bytes,
    }
    for name, value in rows.items():
        table.add_row(Text(name, style="dim"), f"{value:,}")
    return table


def health_lines(health: Health) -> RenderableType:
    """What works, and what mends the rest."""
    model = health.configured_model
    named = f"{model.model_id}, {model.dimension} dimensions" if model else "none"
    head = Text("healthy" if health.ok else "degraded", style="green" if health.ok else "red")
    head.append(f"  trigraph {health.engine_version}, schema {health.schema_version}", style="dim")
    problems = [Text(f"- {plain(problem)}", style="yellow") for problem in health.problems]
    return Group(head, Text(f"store  {health.store}"), Text(f"model  {named}"), legs_table(health.legs), *problems)


def legs_table(legs: tuple[LegReport, ...]) -> Table:
    """Each leg's status, count, time and reason."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("leg", "status", "count", "ms", "reason"):
        table.add_column(name, justify="right" if name in ("count", "ms") else "left")
    for report in legs:
        style = "yellow" if report.status.degraded else None
        table.add_row(
            report.leg.value,
            Text(report.status.value, style=style or ""),
            str(report.count),
            f"{report.milliseconds:.1f}",
            Text(plain(report.reason or ""), style="dim"),
        )
    return table


def _print_constraints(out: Console, answer: Recall) -> None:
    if not answer.constraints:
        return
    out.print(Text("constraints", style="bold"))
    for one in answer.constraints:
        line = Text("   ")
        line.append(f"{short_id(one.id)}  ", style="cyan")
        line.append(plain(" ".join(one.text.split())))
        told = one.why if one.rank is None else f"{one.why}; hit {one.rank}"
        line.append(plain(f"  ({told})"), style="dim")
        out.print(line, soft_wrap=True)
    if answer.constraints_left_out:
        told = f"   and {answer.constraints_left_out} more: trigraph list --kind constraint"
        out.print(Text(told, style="dim"), soft_wrap=True)
    out.print()


def _print_neighbours(out: Console, neighbours: tuple[Neighbour, ...]) -> None:
    for one in neighbours:
        speaker = f"{one.speaker}: " if one.speaker else ""
        told = f"| {speaker}{one.text if one.text is not None else f'({short_id(one.id)})'}"
        out.print(Text(_indented(plain(told), out), style="dim"), soft_wrap=True)


def _print_hit(out: Console, hit: Hit, weights: Mapping[str, float], *, explain: bool) -> None:
    memory = hit.memory
    given = sorted(
        ((name, weights.get(name, 0.0) * value) for name, value in hit.features.items()), key=lambda pair: -abs(pair[1])
    )
    head = Text(f"{hit.rank}. ", style="bold")
    head.append(short_id(memory.id), style="cyan")
    speaker = f" {memory.place.speaker}" if memory.place and memory.place.speaker else ""
    topic = f" [{memory.topic}]" if memory.topic else ""
    head.append(plain(f"  {memory.kind.value}{speaker}{topic}  {_age(hit)}  {hit.score:.2f}"), style="dim")
    out.print(head, soft_wrap=True)
    _print_neighbours(out, hit.before or ())
    out.print(Text(_indented(plain(hit.excerpt.text), out)), soft_wrap=True)
    _print_neighbours(out, hit.after or ())
    for outcome in hit.outcomes:
        told = f"{outcome.result.value}: {outcome.reason}" if outcome.reason else outcome.result.value
        out.print(Text(_indented(plain(f"→ {told} ({short_id(outcome.id)})"), out), style="yellow"), soft_wrap=True)
    for beside in hit.attached:
        told = f"+ {short_id(beside.id)} {beside.kind.value}: {' '.join(beside.text.split())}"
        out.print(Text(_indented(plain(told), out), style="dim"), soft_wrap=True)
    if explain:
        out.print(Text(_indented(f"why: {plain(hit.why)}", out), style="dim"), soft_wrap=True)
        held = f"   confidence {hit.effective_confidence:g}, trust {memory.trust:g}"
        held += f", retention {hit.staleness.retention:.2f}"
        out.print(Text(held, style="dim"), soft_wrap=True)
        for leg, score in hit.legs.items():
            told = f"   {leg.value}: rank {score.rank}, score {score.raw:.3f}, normalised {score.normalised:+.3f}"
            out.print(Text(told, style="dim"), soft_wrap=True)
        if given:
            parts = ", ".join(f"{name} {much:+.2f}" for name, much in given[:FEATURES_SHOWN])
            out.print(Text(f"   order: {parts}", style="dim"), soft_wrap=True)
        if hit.moved:
            parts = ", ".join(
                f"{name} {much:+.2f}" if much < 0 else f"{name} ×{much:.2f}" for name, much in hit.moved.items()
            )
            out.print(Text(f"   moved by: {parts}", style="dim"), soft_wrap=True)


def _indented(text: str, out: Console) -> str:
    """Text set in by three; wrapped to the screen only when there is one."""
    lines = text.splitlines()
    if out.is_terminal:
        lines = [part for line in lines for part in (textwrap.wrap(line, max(out.width - 3, 20)) or [""])]
    return "\n".join(f"   {line}".rstrip() for line in lines)


def _age(hit: Hit) -> str:
    days = hit.staleness.age_days
    told = f"{days:.0f} days old" if days >= 2 else f"{days * 24:.0f} hours old"
    if hit.staleness.document_superseded_by:
        told += f", document superseded by {hit.staleness.document_superseded_by}"
    if not hit.staleness.superseded:
        return told
    by = hit.staleness.superseded_by
    return f"{told}, superseded by {short_id(by)}" if by else f"{told}, superseded"


def _adjustments(plan: Plan) -> str:
    damped = plan.dampening
    told = {
        "confidence down to": plan.confidence_floor,
        "wordless": damped.wordless,
        "hubs": damped.hubs,
        "guiding": damped.guiding,
    }
    moving = [f"{name} ×{factor:g}" for name, factor in told.items() if factor != 1]
    moving += [f"diversity {plan.diversity:g}, spread {plan.spread:g}"] if plan.diversity else []
    return ", ".join(moving) or "none"


def _plan(answer: Recall) -> Text:
    plan, reranked = answer.plan, answer.reranked
    by = ""
    if reranked is not None:
        why = f", {reranked.reason}" if reranked.reason else ""
        by = f"re-ranked by {reranked.model}: {reranked.status.value}, {reranked.milliseconds:.1f} ms{why}\n"
    weights = ", ".join(f"{leg.value} {weight:g}" for leg, weight in plan.weights.items())
    told = (
        f"\nplan: profile {plan.profile}, class {plan.query_class.value}, fusion {plan.fusion.value}, context"
        f" {'on' if plan.context else 'off'}, weights {weights}"
        f"{f', ordered by {plan.ordered_by}' if plan.ordered_by else ''}\n"
        f"domains: {', '.join(plan.domains) or 'all'}; talk:"
        f" {'none' if plan.context_weight is None else f'{plan.context_weight:g}'}\n"
        f"terms: {' '.join(plan.terms) or '-'}; identifiers: {' '.join(plan.identifiers) or '-'}\n{by}"
        f"adjustments: {_adjustments(plan)}\n"
        f"milliseconds: {', '.join(f'{stage} {spent:.1f}' for stage, spent in answer.stages.items())}\n"
        f"recall {answer.id}, {answer.milliseconds:.1f} ms"
    )
    return Text(plain(told), style="dim")
