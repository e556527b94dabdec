"""The graph leg: from the entities that a query names to the memories near them.

A bounded walk of indexed steps: memories about a named entity and memories that mention it, one and two relations
away, and along links. Hubs are damped; a budget of nodes and of time ends the walk, and it says so.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from trigraph.contracts import Edge
from trigraph.engine.parts import Parts
from trigraph.model.entity import Entity
from trigraph.model.link import LinkOrigin
from trigraph.model.memory import MemoryFilter
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.ranking.decay import decayed
from trigraph.ranking.proximity import (
    BESIDE,
    DRAWN_LINK,
    LINK,
    MENTION,
    SECOND_HOP,
    Asked,
    Nearness,
    damping,
    relations_asked,
)
from trigraph.text.names import Names, names_in, occurrences

SEEDS_MOST = 12
NEIGHBOURS_MOST = 64
EDGES_MOST = 400
NAMING_MOST = 100
NAMING_NEIGHBOURS = 8
LINKED_FROM_MOST = 20
LINKED_MOST = 100
NODES_MOST = 400
BUDGET_MILLISECONDS = 80.0
DEGREE_MOST = 2000
"""Degrees are counted up to here: beyond, a hub is a hub."""


@dataclass(slots=True)
class Walk:
    """What was reached: memories with their nearness. `seeds` are the entities that the query names, with their names;
    `spoken` says whether the query has a word that by its form is a name."""

    seeds: Mapping[str, str] = field(default_factory=dict)
    spoken: bool = False
    reached: dict[str, Nearness] = field(default_factory=dict)
    truncated: bool = False


def seeds_in(parts: Parts, scope: Scope, names: Names, moment: Moment) -> dict[str, Entity]:
    """The entities that a query names, by id: every one of a name, since names are not unique."""
    known: dict[str, dict[str, str]] = {}
    for one in parts.store.entities.known_names(scope, names.leads, moment):
        known.setdefault(one.name_key, {})[one.entity_id] = one.name
    spoken = dict.fromkeys(found.key for found in occurrences(names, {key: of.values() for key, of in known.items()}))
    ids = [entity_id for key in spoken for entity_id in known[key]]
    if not ids:
        return {}
    return {one.id: one for one in parts.store.entities.get(scope, ids[: SEEDS_MOST + 1], moment)}


def entities_named(parts: Parts, scope: Scope, text: str, moment: Moment) -> dict[str, str]:
    """The entities that a text names, with their names."""
    return dict(list(_called(seeds_in(parts, scope, names_in(text), moment)).items())[:SEEDS_MOST])


def walk(parts: Parts, scope: Scope, text: str, wanted: MemoryFilter, moment: Moment) -> Walk:
    """Everything near what a query names, as far as the budget goes."""
    spoken = names_in(text)
    seeds = seeds_in(parts, scope, spoken, moment)
    more = len(seeds) > SEEDS_MOST
    seeds = dict(list(seeds.items())[:SEEDS_MOST])
    names = tuple(dict.fromkeys(one.name for one in seeds.values()))
    walking = _Walking(parts, scope, wanted, moment, relations_asked(text, names))
    walking.walk.seeds, walking.walk.spoken = _called(seeds), bool(spoken.outstanding)
    walking.walk.truncated = more
    if seeds:
        walking.from_seeds(seeds)
    return walking.walk


class _Walking:
    def __init__(self, parts: Parts, scope: Scope, wanted: MemoryFilter, moment: Moment, asked: Asked) -> None:
        self.walk = Walk()
        self._graph = parts.store.graph
        self._entities = parts.store.entities
        self._scope = scope
        self._wanted = wanted
        self._moment = moment
        self._asked = asked
        self._deadline = time.perf_counter() + BUDGET_MILLISECONDS / 1000
        self._degrees: dict[str, int] = {}

    def from_seeds(self, seeds: Mapping[str, Entity]) -> None:
        self._count(seeds)
        energy = {id_: damping(self._degrees.get(id_, 0)) for id_ in seeds}
        edges = self._graph.edges(self._scope, list(seeds), self._moment, EDGES_MOST)
        if not any(edge.outgoing is self._asked.outgoing for edge in edges):
            self._asked = Asked()  # nothing stands in such a relation: the word means something else
        names = _called(seeds)
        for id_, value in energy.items():
            self._about({id_: value * self._asked.about}, names, most=NODES_MOST // (2 * len(seeds)))
        for id_, reaching in energy.items():
            self._naming(id_, reaching, NAMING_MOST, f"mentions {names[id_]}")
        first, why = self._along(energy, names, edges)
        self._about(first, names, why)
        self._beside(seeds, names)
        if self._goes_on(first):
            self._second(first, seeds)
        self._links()

    def _second(self, first: Mapping[str, float], seeds: Mapping[str, Entity]) -> None:
        """One relation further, and what mentions the nearest neighbours."""
        nearest = sorted(first, key=lambda id_: -first[id_])[:NEIGHBOURS_MOST]
        self._count(nearest)
        passing = {id_: first[id_] * damping(self._degrees.get(id_, 0)) * SECOND_HOP for id_ in nearest}
        known = self._names(nearest)
        second, why = self._along(passing, known)
        self._about({id_: value for id_, value in second.items() if id_ not in seeds and id_ not in first}, known, why)
        for id_ in nearest[:NAMING_NEIGHBOURS]:
            if self._goes_on(passing):
                self._naming(id_, passing[id_], NAMING_MOST // 4, f"mentions {known.get(id_, id_)}")

    def _along(
        self, energy: Mapping[str, float], names: Mapping[str, str], edges: Sequence[Edge] | None = None
    ) -> tuple[dict[str, float], dict[str, str]]:
        """What relations lead to, how strongly, and in words."""
        if edges is None:
            edges = self._graph.edges(self._scope, list(energy), self._moment, EDGES_MOST)
        self.walk.truncated |= len(edges) == EDGES_MOST
        reached: dict[str, float] = {}
        why: dict[str, str] = {}
        for edge in edges:
            through = self._asked.weight(edge.type, outgoing=edge.outgoing, place=edge.place)
            value = energy[edge.entity_id] * through
            if value > reached.get(edge.other_id, 0.0):
                why[edge.other_id] = _told(edge, names.get(edge.entity_id, edge.entity_id))
            reached[edge.other_id] = 1 - (1 - reached.get(edge.other_id, 0.0)) * (1 - value)
        return reached, why

    def _about(
        self,
        energy: Mapping[str, float],
        names: Mapping[str, str],
        why: Mapping[str, str] | None = None,
        most: int = NODES_MOST,
    ) -> None:
        """Memories whose subject an entity is, the newest of them."""
        if not energy:
            return
        found = self._graph.about(self._scope, list(energy), self._wanted, self._moment, most)
        self.walk.truncated |= len(found) == most
        for one in found:
            told = (why or {}).get(one.entity_id) or f"about {names.get(one.entity_id, one.entity_id)}"
            self._reach(one.memory_id, one.passage, energy[one.entity_id], told)

    def _naming(self, entity_id: str, energy: float, most: int, why: str) -> None:
        found = self._graph.naming(self._scope, entity_id, self._wanted, self._moment, most)
        self.walk.truncated |= len(found) == most
        for one in found:
            self._reach(one.memory_id, one.passage, energy * MENTION * one.confidence, why)

    def _beside(self, seeds: Collection[str], names: Mapping[str, str]) -> None:
        """Other things that the nearest memories speak of, and what is about those."""
        near = sorted(self.walk.reached, key=lambda id_: -self.walk.reached[id_].score)[:LINKED_FROM_MOST]
        if not self._goes_on(near):
            return
        scores = {id_: self.walk.reached[id_].score for id_ in near}
        beside: dict[str, float] = {}
        called: dict[str, str] = {}
        mentions = self._entities.mentions_of(self._scope, near, self._moment)
        others = {one.entity_id for one in mentions if one.entity_id not in seeds}
        self._count(others)
        for one in mentions:
            if one.entity_id in others:
                value = scores[one.memory_id] * BESIDE * damping(self._degrees.get(one.entity_id, 0))
                beside[one.entity_id] = 1 - (1 - beside.get(one.entity_id, 0.0)) * (1 - value)
                called[one.entity_id] = one.name
        strongest = dict(sorted(beside.items(), key=lambda item: -item[1])[:NEIGHBOURS_MOST])
        why = {id_: f"about {called[id_]}, named beside {', '.join(names.values())}" for id_ in strongest}
        self._about({id_: value * SECOND_HOP for id_, value in strongest.items()}, called, why)

    def _links(self) -> None:
        """What links join to the nearest memories."""
        near = sorted(self.walk.reached, key=lambda id_: -self.walk.reached[id_].score)[:LINKED_FROM_MOST]
        if not self._goes_on(near):
            return
        scores = {id_: self.walk.reached[id_].score for id_ in near}
        found = self._graph.linked(self._scope, near, self._wanted, self._moment, LINKED_MOST)
        self.walk.truncated |= len(found) == LINKED_MOST
        for one in found:
            held = decayed(one.type, one.created_by, one.confidence, one.drawn_at, self._moment.known_at)
            through = DRAWN_LINK if one.created_by is LinkOrigin.SYSTEM else LINK
            self._reach(one.memory_id, one.passage, scores[one.from_id] * through * held, f"linked: {one.type}")

    def _reach(self, memory_id: str, passage: int, path: float, why: str) -> None:
        if memory_id not in self.walk.reached and len(self.walk.reached) >= NODES_MOST:
            self.walk.truncated = True
            return
        self.walk.reached.setdefault(memory_id, Nearness()).add(path, passage, why)

    def _goes_on(self, pending: Iterable[object]) -> bool:
        """Whether there is something left to do and time to do it."""
        if not any(True for _ in pending):
            return False
        if time.perf_counter() < self._deadline and len(self.walk.reached) < NODES_MOST:
            return True
        self.walk.truncated = True
        return False

    def _count(self, entity_ids: Iterable[str]) -> None:
        unknown = [id_ for id_ in entity_ids if id_ not in self._degrees]
        if unknown:
            self._degrees |= self._graph.degrees(self._scope, unknown, DEGREE_MOST)

    def _names(self, entity_ids: Sequence[str]) -> dict[str, str]:
        return {one.id: one.name for one in self._entities.get(self._scope, entity_ids, self._moment)}


def _called(seeds: Mapping[str, Entity]) -> dict[str, str]:
    return {id_: one.name for id_, one in seeds.items()}


def _told(edge: Edge, name: str) -> str:
    return f"{name} {edge.type}" if edge.outgoing else f"{edge.type} {name}"
