"""Two answers beside each other: what rose, fell, came and went."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from trigraph.faces.dashboard.cards import memory_url, one_line
from trigraph.model.ids import short_id

Why = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Moved:
    """A memory in two orders. `change` is one of rose, fell, came, went, same; `told` says it in words."""

    url: str
    short_id: str
    text: str
    first: int | None
    second: int | None
    change: str
    told: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that is in one of two orders or both, by the second, and then what went."""

    rows: tuple[Moved, ...]
    told: str


def compared(first: Iterable[str], second: Iterable[str], texts: dict[str, str], why: Why = lambda _: "") -> Comparison:
    """Two orders of memories held against each other; `why` is asked for the reason of what came or went."""
    before = {id_: place for place, id_ in enumerate(first, start=1)}
    after = {id_: place for place, id_ in enumerate(second, start=1)}
    rows = []
    for id_ in dict.fromkeys((*after, *before)):
        one, other = before.get(id_), after.get(id_)
        change, told = _change(one, other)
        reason = why(id_) if change in ("came", "went") else ""
        text = one_line(texts.get(id_, ""))
        rows.append(Moved(memory_url(id_), short_id(id_), text, one, other, change, told, reason))
    counts = [(sum(row.change == name for row in rows), name) for name in ("came", "went", "rose", "fell", "same")]
    words = {"same": "kept their places"}
    told = ", ".join(f"{count} {words.get(name, name)}" for count, name in counts if count)
    return Comparison(tuple(rows), told or "nothing was found either way")


def _change(one: int | None, other: int | None) -> tuple[str, str]:
    if one is None:
        return "came", "came"
    if other is None:
        return "went", "went"
    if one == other:
        return "same", "same place"
    return ("rose", f"rose by {one - other}") if other < one else ("fell", f"fell by {other - one}")
