"""Filters as addresses say them, and the facets that lead from one to the next."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trigraph.errors import InvalidInput
from trigraph.faces.dashboard.frame import Fields, address_of
from trigraph.model.facets import Facets

SINGLE = {
    "status": "status",
    "kind": "kinds",
    "domain": "domains",
    "author": "author",
    "source": "sources",
    "visibility": "visibility",
    "topic": "topic",
    "entity": "entity",
    "session": "session",
    "thread": "thread",
    "verified_before": "verified_before",
    "created_after": "created_after",
    "created_before": "created_before",
}
"""What an address may ask for once, and which argument of `list` that is."""
NOT_RECALLED = ("status", "session")
_MONTH = re.compile(r"(\d{4})-(0[1-9]|1[0-2])")


@dataclass(frozen=True, slots=True)
class Option:
    """One value of a facet: how many have it, and where it leads; `here` says that it is asked for."""

    text: str
    count: int
    url: str
    here: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """A quality that the list divides by."""

    label: str
    options: tuple[Option, ...]
    open: bool


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that is in force, and where the list is without it."""

    text: str
    url: str


def filters_of(query: Fields) -> dict[str, Any]:
    """Arguments for `list` and `facets`."""
    found: dict[str, Any] = {argument: query.one(name) for name, argument in SINGLE.items() if query.one(name)}
    if tags := query.all("tag"):
        found["tags"] = tags
    if month := query.one("month"):
        found |= _month(month)
    return found


def recall_filters(query: Fields) -> dict[str, Any]:
    """The same for `recall`, which looks among active memories of any session."""
    return {name: value for name, value in filters_of(query).items() if name not in NOT_RECALLED}


def kept(query: Fields, *without: str) -> tuple[tuple[str, str], ...]:
    """What an address asks for, but for the page it is at and for what is left out."""
    known = {*SINGLE, "tag", "month", "q"} - set(without)
    return tuple((name, value) for name, value in query.pairs if name in known and value.strip())


def facets_of(path: str, found: Facets, query: Fields) -> tuple[Facet, ...]:
    """The facets of a list, each value with where it leads."""
    by = (
        ("Kind", "kind", found.by_kind),
        ("Status", "status", found.by_status),
        ("Tag", "tag", found.by_tag),
        ("Domain", "domain", found.by_domain),
        ("Author", "author", found.by_author),
        ("Source", "source", found.by_source),
        ("Visibility", "visibility", found.by_visibility),
        ("Learned in", "month", found.by_month),
    )
    return tuple(Facet(label, _options(path, name, counts, query), label in ("Kind",)) for label, name, counts in by)


def chips_of(path: str, query: Fields) -> tuple[Chip, ...]:
    """The filters in force."""
    pairs = kept(query, "q")
    said = query.one("q")
    return tuple(
        Chip(
            f"{name.replace('_', ' ')}: {value}", address_of(path, ("q", said), *(one for one in pairs if one != pair))
        )
        for pair in pairs
        for name, value in (pair,)
    )


def _options(path: str, name: str, counts: Mapping[str, int], query: Fields) -> tuple[Option, ...]:
    asked = query.all(name) if name == "tag" else ((query.one(name) or ("active" if name == "status" else "")),)
    options = []
    for value, count in counts.items():
        here = value in asked
        rest = tuple(one for one in kept(query) if one != (name, value) and (name == "tag" or one[0] != name))
        url = address_of(path, *rest) if here else address_of(path, *rest, (name, value))
        options.append(Option(value, count, url, here))
    return tuple(options)


def _month(text: str) -> dict[str, str]:
    found = _MONTH.fullmatch(text)
    if found is None:
        raise InvalidInput(f"{text[:20]!r} is no month.", field="month", fix="Write it like 2026-03.")
    year, month = int(found[1]), int(found[2])
    after = (year + 1, 1) if month == len("JFMAMJJASOND") else (year, month + 1)
    return {"created_after": f"{year:04}-{month:02}-01", "created_before": f"{after[0]:04}-{after[1]:02}-01"}
