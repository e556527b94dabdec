"""How insight and past recalls look to people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from trigraph.faces import wire
from trigraph.model.change import CitationKind
from trigraph.model.insight import (
    AgentFigure,
    HitFigure,
    HitRate,
    Insight,
    Interval,
    LegFigure,
    Lift,
    NeverCited,
    RecallPage,
    RecallRecord,
    Share,
    StaleRate,
    Tokens,
)

_BARS = " ▁▂▃▄▅▆▇█"
_TEXT_CHARS = 70


def insight_lines(found: Insight) -> RenderableType:
    """The panels that were asked for, each a few lines."""
    whose = found.agent or "all agents"
    head = f"recalls of {whose}, {wire.shown_time(found.since)} to {wire.shown_time(found.until)}"
    if found.rolled_up:
        head += f" ({found.rolled_up} of them known by the counts of their days alone)"
    lines: list[str] = [head]
    if found.hit_rate is not None:
        lines += _hit_rate(found.hit_rate)
    if found.stale is not None:
        lines += _stale(found.stale)
    if found.tokens is not None:
        lines += _tokens(found.tokens)
    if found.agents is not None:
        lines += ["agents", *(_agent(one) for one in found.agents)]
    if found.top_cited is not None:
        lines += ["top cited"]
        lines += [f"  {one.of_use:>4} × {one.memory_id[-8:]} {_short(one.text)}" for one in found.top_cited]
    if found.never_cited is not None:
        lines += _never_cited(found.never_cited)
    if found.legs is not None:
        lines += ["legs", *(_leg(one) for one in found.legs)]
    if found.lift is not None:
        lines += _lift(found.lift)
    return Group(*(Text(line) for line in lines))


def recalls_lines(page: RecallPage) -> RenderableType:
    """One line a recall."""
    lines = [
        f"{wire.shown_time(one.at)} {one.recall_id} {one.agent} {one.query_class} {one.outcome}: {one.shown} shown"
        f"{_said(one.citations)}" + (f" · {_short(one.query)}" if one.query else "")
        for one in page.recalls
    ]
    more = [f"more: --cursor {page.next_cursor}"] if page.next_cursor else []
    return Group(*(Text(line) for line in lines + more or ["no recalls"]))


def record_lines(found: RecallRecord) -> RenderableType:
    """What was asked, which legs found how much, and what was said of the hits."""
    event = found.event
    lines = [
        f"{event.recall_id} · {wire.shown_time(event.at)} · {event.agent} · {event.query_class} · {found.outcome}",
        f"  asked: {event.query or 'not kept'}",
        f"  {event.top_n_selected} of {event.result_count} shown in {event.milliseconds:g} ms, by {event.fusion}"
        f" from {len(event.candidates)} candidates",
        *(f"  {one.leg}: {one.status}, {one.count}" for one in event.legs),
        *(f"  {one.kind} {one.memory_id[-8:]}" + (f": {one.notes}" if one.notes else "") for one in found.citations),
    ]
    if found.why_not:
        lines.append(f"  cannot be asked again: {found.why_not}")
    return Group(*(Text(line) for line in lines))


def _hit_rate(found: HitRate) -> Iterator[str]:
    yield f"hit rate {_hits(found.overall)}"
    for one in found.by_class:
        if one.recalls:
            yield f"  {one.query_class}: {_hits(one)}"
    yield f"  over time: {_bars(point.rate for point in found.series)}"


def _hits(figure: HitFigure) -> str:
    rest = f"{figure.recalls} recalls, {figure.undecided} undecided, {figure.empty} empty"
    return f"{_share(figure.rate)} of {figure.rate.whole} decided; {rest}"


def _stale(found: StaleRate) -> Iterator[str]:
    yield f"stale {_share(found.overall)}: {found.flagged_stale} flagged as stale, {found.rewrote} rewritten"
    yield f"  over time: {_bars(point.rate for point in found.series)}"


def _tokens(found: Tokens) -> Iterator[str]:
    yield f"tokens: {found.loaded_tokens} loaded, {found.saved_tokens} saved, net {found.net_tokens:+}"
    assumed = found.assumption
    yield (
        f"  assuming {assumed.cited_tokens} a citation and {assumed.saved_rework_tokens} a saved rework,"
        f" {assumed.bytes_per_token} bytes a token"
    )


def _agent(one: AgentFigure) -> str:
    return f"  {one.agent}: {one.recalls} recalls, hits {_share(one.rate)}{_said(one.citations)}, {one.written} written"


def _never_cited(found: NeverCited) -> Iterator[str]:
    yield f"never cited, of the {found.looked_at} that were shown most often"
    for one in found.shown_often:
        yield f"  {one.shown:>4} × {one.memory_id[-8:]} {_short(one.text)}"
    yield f"never cited, from before {wire.shown_time(found.old_before)}, the oldest"
    for one in found.old:
        yield f"  {wire.shown_time(one.created_at)} {one.memory_id[-8:]} {_short(one.text)}"


def _leg(one: LegFigure) -> str:
    if one.empty_rate is None or one.degraded_rate is None:
        return f"  {one.leg}: never asked"
    return f"  {one.leg}: asked {one.asked}, empty {one.empty_rate:.0%}, degraded {one.degraded_rate:.0%}"


def _lift(found: Lift) -> Iterator[str]:
    yield f"lift, from {found.recalls} recalls of {found.hits} hits (the newest, at most {found.most})"
    for one in found.legs:
        yield (
            f"  {one.leg}: without it {_interval(one.leave_one_out)}, fair share {_interval(one.shapley)};"
            f" {one.only_with} only with it, {one.pushed_out} pushed out"
        )
    yield f"  {found.note}"


def _interval(one: Interval) -> str:
    return f"{one.mean:+.3f} ({one.low:+.3f} to {one.high:+.3f})"


def _share(one: Share) -> str:
    if one.rate is None or one.low is None or one.high is None:
        return "—"
    return f"{one.rate:.0%} ({one.low:.0%} to {one.high:.0%})"


def _bars(rates: Iterable[float | None]) -> str:
    """A bar a step; a dot where there is nothing to show."""
    return "".join("·" if rate is None else _BARS[1 + round(rate * (len(_BARS) - 2))] for rate in rates)


def _said(citations: Mapping[CitationKind, int]) -> str:
    return "".join(f", {count} {kind}" for kind, count in citations.items())


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _TEXT_CHARS else f"{flat[: _TEXT_CHARS - 1]}…"
