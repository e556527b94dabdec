"""Measures of retrieval and of time. Recall is the fraction of the evidence found, unless said otherwise."""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Iterable, Mapping, Sequence

CUTS = (1, 3, 5, 10, 25, 50)


def measures(ranked: Sequence[str], gold: Collection[str]) -> dict[str, float]:
    """R@k (fraction of gold found), any@k, all@k and MRR of one question, each from 0 to 1."""
    wanted = set(gold)
    found: dict[str, float] = {}
    for cut in CUTS:
        hits = len(wanted.intersection(ranked[:cut]))
        found[f"R@{cut}"] = hits / len(wanted)
        found[f"any@{cut}"] = float(hits > 0)
        found[f"all@{cut}"] = float(hits == len(wanted))
    first = next((place for place, one in enumerate(ranked, start=1) if one in wanted), None)
    found["MRR"] = 1 / first if first else 0.0
    return found


def averages(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Means in per cent, to two digits, and how many questions they are over."""
    if not rows:
        return {"n": 0}
    means = {name: round(100 * statistics.fmean(row[name] for row in rows), 2) for name in rows[0]}
    return {"n": len(rows), **means}


def percentile(values: Iterable[float], share: float) -> float:
    """The value below which `share` of the values lie (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(math.ceil(share * len(ordered)) - 1, 0)] if ordered else 0.0


def latency(milliseconds: Sequence[float]) -> dict[str, float]:
    """p50 and p95, in milliseconds."""
    return {
        "p50_ms": round(percentile(milliseconds, 0.5), 2),
        "p95_ms": round(percentile(milliseconds, 0.95), 2),
    }
