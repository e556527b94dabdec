"""How the scorer looks to people."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from trigraph.faces import wire
from trigraph.model.scorer import ScorerReport


def scorer_lines(found: ScorerReport) -> RenderableType:
    """Its state and why, what there was to learn from, how it fared, and what changed most."""
    head = f"scorer: {found.state.value}, {'used' if found.used else 'not used'}: {found.why}"
    lines = [Text(head)]
    if not found.enabled:
        lines.append(Text("switched off by the setting scorer.enabled"))
    evidence = found.evidence
    told = (
        f"{evidence.citations} citations, {evidence.labelled} recalls with one, {evidence.positive} with a hit of use"
    )
    if found.trained_at is not None:
        told += f"; learnt from {evidence.learnt_from}, trusted by {evidence.trusted:.0%}"
        told += f", on {wire.shown_time(found.trained_at)}"
    lines.append(Text(told))
    if found.held_out is not None:
        judged = found.held_out
        told = (
            f"NDCG@10 on {judged.recalls} later recalls: shipped {judged.shipped_ndcg:.3f}, learnt"
            f" {judged.learnt_ndcg:.3f}, lift {judged.lift:+.3f} (99 % {judged.low:+.3f} to {judged.high:+.3f})"
        )
        lines.append(Text(told))
    for one in found.changes:
        lines.append(Text(f"  {one.told}: {one.shipped:g} → {one.learnt:g}", style="dim"))
    return Group(*lines)
