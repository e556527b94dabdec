"""Whether two memories are built alike, whatever they are about: roles and relations, with every name masked.

A memory is drawn as a small graph: itself, the entities it speaks of (known by type and part alone), and the relations
of those (known by verb and direction). Two rounds of Weisfeiler and Lehman's relabelling give each node a label that
tells its surroundings; memories whose labels occur in like proportions are built alike.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from trigraph.model.memory import EntityType

ROUNDS = 2
SURFACE_SHARE = 0.5

Histogram = Mapping[str, int]


class Part(NamedTuple):
    """An entity in a memory: which, what sort of thing, and whether the memory is about it."""

    entity_id: str
    type: EntityType
    subject: bool


class Arc(NamedTuple):
    """A relation: source VERB target. The target may be an entity that the memory does not speak of."""

    source: str
    verb: str
    target: str


def histogram(parts: Iterable[Part], arcs: Iterable[Arc]) -> Counter[str]:
    """How often each label occurs in the graph of a memory; empty if nothing in it is related to anything: a memory
    without relations has no structure to speak of."""
    own = {part.entity_id: part for part in parts}
    drawn = [arc for arc in dict.fromkeys(arcs) if arc.source in own or arc.target in own]
    if not drawn:
        return Counter()
    labels = {id_: f"{part.type}{'!' if part.subject else ''}" for id_, part in own.items()}
    for arc in drawn:
        labels.setdefault(arc.source, "?")
        labels.setdefault(arc.target, "?")
    around: dict[str, list[tuple[str, str]]] = {node: [] for node in labels}
    for source, verb, target in drawn:
        around[source].append((f"{verb}>", target))
        around[target].append((f"<{verb}", source))
    found = Counter(labels.values())
    for _ in range(ROUNDS):
        labels = {
            node: f"{labels[node]}({','.join(sorted(verb + labels[other] for verb, other in around[node]))})"
            for node in labels
        }
        found.update(labels.values())
    return found


def likeness(one: Histogram, other: Histogram) -> float:
    """The cosine of two histograms; 0 if either is empty."""
    shared = sum(times * other[label] for label, times in one.items() if label in other)
    lengths = math.sqrt(sum(n * n for n in one.values()) * sum(n * n for n in other.values()))
    return shared / lengths if lengths else 0.0


def fit(one: Histogram, other: Histogram, surface: float | None) -> float:
    """How alike two memories are built beyond what they say alike: an analogy is the same structure in other words."""
    return max(likeness(one, other) - SURFACE_SHARE * max(surface or 0.0, 0.0), 0.0)
