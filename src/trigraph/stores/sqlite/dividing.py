"""Memories counted by what a filter can ask for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from trigraph.model.memory import Status
from trigraph.stores.sqlite.figures import day_of

_NONE = "[]"


def divided(alike: Mapping[tuple[Any, ...], int], status: Status, most: int) -> dict[str, dict[str, int]]:
    """Counts by each facet, of rows of the query `facets` with how many are alike: by status of all of them, by the
    others of those with one status. The work is one step for each sort of row, not for each memory."""
    statuses: Counter[str] = Counter()
    few: dict[str, Counter[str]] = {name: Counter() for name in ("kind", "source", "visibility")}
    many: dict[str, Counter[str]] = {name: Counter() for name in ("author", "tag", "domain")}
    days: Counter[int] = Counter()
    for (own, kind, source, visibility, author, day, tags, domains), count in alike.items():
        statuses[own] += count
        if own != status:
            continue
        few["kind"][kind] += count
        few["source"][source] += count
        few["visibility"][visibility] += count
        many["author"][author] += count
        days[day] += count
        for name, listed in (("tag", tags), ("domain", domains)):
            if listed != _NONE:
                for value in json.loads(listed):
                    many[name][value] += count
    months: Counter[str] = Counter()
    for day, count in days.items():
        months[day_of(day).strftime("%Y-%m")] += count
    found = {"status": dict(statuses), **few, **{name: _most(counts, most) for name, counts in many.items()}}
    found["month"] = dict(sorted(months.items(), reverse=True)[:most])
    return {name: dict(counts) for name, counts in found.items() if counts}


def _most(counts: Counter[str], most: int) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:most])
