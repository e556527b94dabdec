"""How answers read to a model: short ids, one thing a line, and the texts of memories marked as what they are: data."""

from __future__ import annotations

from collections.abc import Iterable

from trigraph.faces import wire
from trigraph.model.change import Changed
from trigraph.model.ids import short_id
from trigraph.model.link import Link
from trigraph.model.memory import Memory
from trigraph.model.recall import Hit, Outcome, Recall
from trigraph.model.report import ItemResult, RememberReport
from trigraph.model.trace import Step, Trace

LINE_CHARS = 160


def quoted(text: str) -> str:
    """A memory's text: each of its lines behind a bar, so that none can pass for a line of ours."""
    return "\n".join(f"| {line}" for line in text.splitlines()) or "|"


def in_a_line(text: str, chars: int = LINE_CHARS) -> str:
    """The beginning of a text, in one line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= chars else flat[: chars - 1] + "…"


def recall_text(answer: Recall, advice: str | None) -> str:
    """Constraints, hits, conflicts, and what to do next."""
    lines = [f"constraint {short_id(one.id)}  ({one.why})\n{quoted(one.text)}" for one in answer.constraints]
    if answer.nothing_found and answer.hits:
        lines.append("Memory seems to have nothing on this; the nearest:")
    lines += [_hit(hit) for hit in answer.hits]
    if not answer.hits:
        lines.append("Nothing found.")
    for one in answer.conflicts:
        told = f": {in_a_line(one.reason)}" if one.reason else ""
        lines.append(f"conflicting memories: {short_id(one.first_id)} vs {short_id(one.second_id)}{told}")
    lines += problems(answer)
    lines += [advice] if advice else []
    lines.append(f"recall_id: {answer.id}")
    return "\n".join(lines)


def problems(answer: Recall) -> list[str]:
    """Parts of recall that could not do theirs."""
    lines = [f"{leg.leg} leg {leg.status}: {leg.reason}" for leg in answer.legs if leg.status.degraded]
    if answer.reranked and answer.reranked.status.degraded:
        lines.append(f"re-ranker {answer.reranked.status}: {answer.reranked.reason}")
    return lines


def memory_text(memory: Memory) -> str:
    """One memory, whole, with what is known about it."""
    facts = [f"{name}: {in_a_line(value)}" for name, value in wire.memory_facts(memory)]
    return "\n".join([quoted(memory.text), *facts])


def memory_line(memory: Memory) -> str:
    """A memory in a line."""
    topic = f" [{in_a_line(memory.topic)}]" if memory.topic else ""
    return f"{short_id(memory.id)}  {memory.kind.value}{topic}  | {in_a_line(memory.text)}"


def link_line(link: Link) -> str:
    """A link in a line."""
    said = f"{short_id(link.from_id)} {link.type.value} {short_id(link.to_id)}"
    return f"{link.id}  {said}  (confidence {link.confidence:.2f}, by {link.created_by.value})"


def report_text(report: RememberReport) -> str:
    """What became of each item."""
    lines = [_item(number, item) for number, item in enumerate(report.items)]
    if len(lines) == 1:
        lines = [lines[0].removeprefix("item 0: ")]
    lines += ["done before, under this key"] if report.replayed else []
    lines += [f"stored without a vector: {report.degraded}"] if report.degraded else []
    return "\n".join(lines) or "nothing to do"


def changed_text(changed: Changed) -> str:
    """What a verb did."""
    said = f"{changed.verb.value}: {', '.join(map(short_id, changed.ids)) or 'nothing'}"
    replaced = f", in place of {', '.join(map(short_id, changed.replaced))}" if changed.replaced else ""
    lines = [said + replaced]
    lines += [f"links: {', '.join(changed.links)}"] if changed.links else []
    lines += [changed.note] if changed.note else []
    lines += ["done before, under this key"] if changed.replayed else []
    lines += [f"stored without a vector: {changed.degraded}"] if changed.degraded else []
    return "\n".join(lines)


def trace_text(trace: Trace) -> str:
    """The way, step by step."""
    lines = [_step(step) for step in trace.steps]
    lines += ["truncated: the walk ended at its budget; start nearer to what you look for"] if trace.truncated else []
    return "\n".join(lines) or "Nothing is linked to it."


def lines_of(lines: Iterable[str], nothing: str) -> str:
    """Lines, or a word that there are none."""
    return "\n".join(lines) or nothing


def _hit(hit: Hit) -> str:
    memory = hit.memory
    speaker = f" {in_a_line(memory.place.speaker, 40)}" if memory.place and memory.place.speaker else ""
    topic = f" [{in_a_line(memory.topic, 60)}]" if memory.topic else ""
    head = (
        f"{hit.rank}. {short_id(memory.id)}  {memory.kind.value}{speaker}{topic}, {_age(hit)}, trust {memory.trust:g}"
    )
    lines = [head, quoted(hit.excerpt.text), f"why: {in_a_line(hit.why)}"]
    lines += [f"→ {_outcome(one)}" for one in hit.outcomes]
    return "\n".join(lines)


def _age(hit: Hit) -> str:
    stale = hit.staleness
    told = f"{stale.age_days:.0f} days old" if stale.age_days >= 2 else f"{stale.age_days * 24:.0f} hours old"
    if stale.document_superseded_by:
        told += f", document superseded by {in_a_line(stale.document_superseded_by, 60)}"
    if not stale.superseded:
        return told
    return f"{told}, SUPERSEDED by {short_id(stale.superseded_by)}" if stale.superseded_by else f"{told}, SUPERSEDED"


def _outcome(outcome: Outcome) -> str:
    told = f": {in_a_line(outcome.reason)}" if outcome.reason else ""
    return f"{outcome.result.value}{told} ({short_id(outcome.id)})"


def _item(number: int, item: ItemResult) -> str:
    named = f" {short_id(item.id)}" if item.id else ""
    why = f" ({item.reason})" if item.reason else ""
    against = f"; it conflicts with {', '.join(map(short_id, item.conflicts))}" if item.conflicts else ""
    return f"item {number}: {item.status.value}{named}{why}{against}"


def _step(step: Step) -> str:
    via = f"{step.via.type.value}, confidence {step.via.confidence:.2f}: " if step.via else ""
    lines = ["  " * step.depth + via + memory_line(step.memory)]
    lines += ["  " * step.depth + f"→ {_outcome(one)}" for one in step.outcomes]
    lines += ["  " * step.depth + f"implemented by {memory_line(one)}" for one in step.implemented_by]
    return "\n".join(lines)
