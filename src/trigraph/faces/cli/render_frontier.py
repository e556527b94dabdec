"""How the frontier looks to people."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from trigraph.faces.cli.render import plain
from trigraph.model.frontier import Bounty, Candidate, Frontier, FrontierBounds, Lane
from trigraph.model.ids import short_id


def frontier_lines(found: Frontier) -> RenderableType:
    """Candidates, each with its question, and how far was looked."""
    if not found.candidates:
        return Group(Text("nothing that looks worth combining was found", style="dim"), *_bounds(found.bounds))
    return Group(*(line for one in found.candidates for line in _candidate(one)), *_bounds(found.bounds))


def bounty_lines(found: Bounty) -> RenderableType:
    """One paragraph a list; those that are empty say so."""
    parts: list[RenderableType] = []
    for name, lanes in (
        ("recent composed lanes", found.recent_composed_lanes),
        ("closed doors", found.closed_doors),
        ("duplicate-risk lanes", found.duplicate_risk_lanes),
        ("needs-PoC lanes", found.needs_poc_lanes),
    ):
        parts += [Text(name, style="bold"), *_lanes(lanes)]
    for name, candidates in (
        ("never-composed lanes", found.never_composed_lanes),
        ("top weird combinations", found.top_weird_combinations),
    ):
        lines = [line for one in candidates for line in _candidate(one)]
        parts += [Text(name, style="bold"), *(lines or [Text("  none", style="dim")])]
    return Group(*parts, *_bounds(found.bounds))


def _candidate(one: Candidate) -> list[Text]:
    ids = " + ".join(short_id(id_) for id_ in one.member_ids)
    head = Text.assemble((ids, "cyan"), f"  {one.score:.3f}  ", (one.outcome_signal.value, "yellow"))
    members = [Text(plain(f"    {kind}: {text}")) for kind, text in zip(one.kinds, one.previews, strict=True)]
    return [head, Text(plain(f"  {one.composition_question}")), *members, Text(plain(f"  {one.reason}"), style="dim")]


def _lanes(lanes: Sequence[Lane]) -> list[Text]:
    if not lanes:
        return [Text("  none", style="dim")]
    return [
        Text.assemble(
            "  ",
            (short_id(one.composition_id), "cyan"),
            f"  {one.at:%Y-%m-%d}  {len(one.member_ids)} memories  ",
            (", ".join(f"{count} {label.value}" for label, count in one.labels.items()), "yellow"),
            plain(f"  {' '.join(one.query.split())}"),
        )
        for one in lanes
    ]


def _bounds(of: FrontierBounds) -> list[Text]:
    looked = (
        f"looked from {of.seeds} memories at {of.memories}, at {of.pairs_looked_at} pairs, weighed {of.pairs_scored}, "
        f"of which {of.already_composed} had met"
    )
    return [Text(looked, style="dim"), *(Text(plain(f"cut: {line}"), style="dim") for line in of.cut)]
