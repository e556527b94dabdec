"""What stands around a memory or an entity, as far as a picture can show it.

Breadth first: every level is a fixed number of queries, each with a limit, however much there is; so the whole costs
as many as its depth says. What comes first if there is too much: what is nearest, then what somebody stated, then what
is surest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from trigraph.engine.finding import find_either
from trigraph.engine.parts import Parts
from trigraph.engine.read.standing import alias_nodes, entity_node, memory_node, state_nodes, type_nodes
from trigraph.errors import InvalidInput, invalid_choice
from trigraph.model.change import CitationKind
from trigraph.model.entity import Entity
from trigraph.model.ids import is_full_id
from trigraph.model.link import Link, LinkOrigin, LinkType
from trigraph.model.memory import MEMORY_PREFIX, Memory
from trigraph.model.neighbourhood import (
    DEPTH_MOST,
    MENTIONS,
    NODES_MOST,
    WALKED,
    GraphName,
    Neighbourhood,
    NeighbourhoodQuery,
    Node,
    NodeEdge,
    NodeSort,
    graph_of,
)
from trigraph.model.relation import RelationType
from trigraph.model.scope import Scope
from trigraph.model.times import Moment

EDGES_MOST = 1000
"""Of one level's relations, links and mentions each, the strongest or newest."""
SPEAKING_LEAST = 12
"""Of every entity on the way at least so many memories are looked at."""


def neighbourhood(parts: Parts, scope: Scope, name: str, asked: NeighbourhoodQuery) -> Neighbourhood:
    """The nodes around a memory (by its id) or an entity (by its name or id), and the edges between them."""
    _check(asked)
    with parts.store.snapshot(scope):
        now = parts.now(scope)
        back = GraphName.TEMPORAL in asked.graphs
        moment = Moment(asked.as_of or now.as_of, asked.known_at or now.known_at, superseded=back)
        focus = find_either(parts, scope, name, moment)
        walk = _Walk(parts, scope, moment, asked)
        walk.around(focus)
        walk.stand(focus)
        return Neighbourhood(
            focus.id, walk.shown(), tuple(walk.edges()), moment.as_of, moment.known_at, truncated=walk.truncated
        )


def _check(asked: NeighbourhoodQuery) -> None:
    for name, value, most in (("depth", asked.depth, DEPTH_MOST), ("limit", asked.limit, NODES_MOST)):
        if not 1 <= value <= most:
            raise InvalidInput(f"{name} is {value}.", field=name, fix=f"Choose a number from 1 to {most}.")
    if not 0 <= asked.confidence <= 1:
        raise InvalidInput(f"confidence is {asked.confidence}.", field="confidence", fix="Choose a number from 0 to 1.")
    for one in asked.types:
        if one not in WALKED:
            raise invalid_choice("types", one, WALKED)


class _Walk:
    def __init__(self, parts: Parts, scope: Scope, moment: Moment, asked: NeighbourhoodQuery) -> None:
        self._parts = parts
        self._scope = scope
        self._moment = moment
        self._asked = asked
        types = asked.types or WALKED
        self._types = {one for one in types if graph_of(one) in asked.graphs}
        self._nodes: dict[str, Node] = {}
        self._entities: list[Entity] = []
        self._edges: dict[tuple[str, str, str], NodeEdge] = {}
        self._seen: set[str] = set()
        self.truncated = False

    def around(self, focus: Memory | Entity) -> None:
        """Level by level, each node once; at last the edges among those that were reached last."""
        self._add({focus.id: focus}, [focus.id], 0)
        edge = [focus.id]
        for level in range(1, self._asked.depth + 1):
            edges = self._edges_of(edge)
            found = self._found(end for one in edges for end in (one.from_id, one.to_id))
            ends = (end for one in edges for end in (one.from_id, one.to_id) if end in found)
            edge = self._add(found, list(dict.fromkeys(ends)), level)
            if not edge:
                return
        self._found(end for one in self._edges_of(edge) for end in (one.from_id, one.to_id))

    def stand(self, focus: Memory | Entity) -> None:
        """What entities are, by the canonical graph, and how the focus came to be what it is, by the temporal one."""
        room = self._asked.limit
        if GraphName.TEMPORAL in self._asked.graphs and isinstance(focus, Entity):
            states = self._parts.store.entities.states(self._scope, focus.id, self._moment.known_at)
            nodes, edges = state_nodes(focus.id, states, self._moment.as_of)
            self._put(nodes, edges, room)
        if GraphName.CANONICAL in self._asked.graphs:
            for nodes, edges in (type_nodes(self._entities, self._nodes), alias_nodes(self._entities, self._nodes)):
                self._put(nodes, edges, room)

    def shown(self) -> tuple[Node, ...]:
        """The nodes, with how often they were of use and whether there is more behind them."""
        memories = [one.id for one in self._nodes.values() if one.sort is NodeSort.MEMORY]
        cited = self._parts.store.uses.citations(self._scope, memories)
        of_use = (CitationKind.CITED, CitationKind.SAVED_REWORK)
        counts = {id_: sum(kinds.get(kind, 0) for kind in of_use) for id_, kinds in cited.items()}
        leading_on, spoken = set(), dict.fromkeys(self._nodes, 0)
        for one in self._edges.values():
            inside = [end for end in (one.from_id, one.to_id) if end in self._nodes]
            if len(inside) == 1 and {one.from_id, one.to_id} <= self._seen:
                leading_on.add(inside[0])
            if one.type == MENTIONS and len(inside) == 2:
                spoken[one.to_id] += 1
        return tuple(
            replace(
                one,
                citations=counts.get(one.id, 0),
                more=one.id in leading_on or (MENTIONS in self._types and one.mentions > spoken[one.id]),
            )
            for one in self._nodes.values()
        )

    def edges(self) -> list[NodeEdge]:
        """Those between nodes that are shown."""
        return [one for one in self._edges.values() if one.from_id in self._nodes and one.to_id in self._nodes]

    def _put(self, nodes: Iterable[Node], edges: Iterable[NodeEdge], room: int) -> None:
        for node in nodes:
            if node.id in self._nodes:
                continue
            if len(self._nodes) >= room:
                self.truncated = True
                break
            self._nodes[node.id] = node
        for edge in edges:
            self._edges[edge.from_id, edge.type, edge.to_id] = edge

    def _add(self, found: dict[str, Memory | Entity], order: Collection[str], depth: int) -> list[str]:
        """Take up what was found, as far as there is room; returns what is new."""
        new = []
        for id_ in order:
            if id_ in self._nodes:
                continue
            if len(self._nodes) >= self._asked.limit:
                self.truncated = True
                break
            one = found[id_]
            if isinstance(one, Entity):
                self._entities.append(one)
                self._nodes[id_] = entity_node(one, depth)
            else:
                self._nodes[id_] = memory_node(one, self._moment.as_of, depth)
            self._seen.add(id_)
            new.append(id_)
        return new

    def _found(self, ids: Iterable[str]) -> dict[str, Memory | Entity]:
        """What is at the ends of edges, if it may be seen."""
        unknown = [one for one in dict.fromkeys(ids) if one not in self._seen]
        memories = [one for one in unknown if is_full_id(one, MEMORY_PREFIX)]
        entities = [one for one in unknown if not is_full_id(one, MEMORY_PREFIX)]
        found: dict[str, Memory | Entity] = {}
        if memories:
            found |= {one.id: one for one in self._parts.store.memories.get(self._scope, memories, self._moment)}
        if entities:
            found |= {one.id: one for one in self._parts.store.entities.get(self._scope, entities, self._moment)}
        self._seen |= found.keys()
        return found

    def _edges_of(self, ids: Collection[str]) -> list[NodeEdge]:
        """The edges of some nodes, what comes first first."""
        memories = [one for one in ids if self._nodes[one].sort is NodeSort.MEMORY]
        entities = [one for one in ids if self._nodes[one].sort is NodeSort.ENTITY]
        found = [*self._relations(entities), *self._links(memories), *self._mentions(entities, memories)]
        kept = [one for one in found if one.confidence is None or one.confidence >= self._asked.confidence]
        self._edges |= {(one.from_id, one.type, one.to_id): one for one in kept}
        return sorted(
            kept,
            key=lambda one: (
                one.automatic,
                one.type == MENTIONS and one.reason is None,
                -(1.0 if one.confidence is None else one.confidence),
            ),
        )

    def _relations(self, entity_ids: Collection[str]) -> list[NodeEdge]:
        types = [one for one in RelationType if one.value in self._types]
        if not entity_ids or not types:
            return []
        moment = replace(self._moment, superseded=False)
        found = self._parts.store.relations.of(self._scope, entity_ids, moment, types, EDGES_MOST)
        self.truncated |= sum(len(one.evidence) for one in found) >= EDGES_MOST
        return [
            NodeEdge(
                one.source.id,
                one.target.id,
                one.type.value,
                graph_of(one.type.value),
                reason=one.extracted_from_section,
            )
            for one in found
        ]

    def _links(self, memory_ids: Collection[str]) -> list[NodeEdge]:
        types = [one for one in LinkType if one.value in self._types]
        if not memory_ids or not types:
            return []
        known_at = self._moment.known_at
        found = self._parts.store.links.strongest(self._scope, memory_ids, known_at, types, EDGES_MOST)
        self.truncated |= len(found) >= EDGES_MOST
        drawn = [one for one in found if self._asked.automatic or one.created_by is not LinkOrigin.SYSTEM]
        return [_of_link(one) for one in drawn]

    def _mentions(self, entity_ids: Collection[str], memory_ids: Collection[str]) -> list[NodeEdge]:
        if MENTIONS not in self._types:
            return []
        found = []
        if entity_ids:
            each = max(SPEAKING_LEAST, self._asked.limit // len(entity_ids))
            told = self._parts.store.graph.speaking(self._scope, entity_ids, self._moment, each, EDGES_MOST)
            self.truncated |= len(told) >= EDGES_MOST
            found += [_mention(one.memory_id, one.entity_id, one.confidence, subject=one.subject) for one in told]
        if memory_ids:
            spoken_of = self._parts.store.entities.mentions_of(self._scope, list(memory_ids), self._moment)
            found += [_mention(one.memory_id, one.entity_id, one.confidence, subject=one.subject) for one in spoken_of]
        return found


def _of_link(link: Link) -> NodeEdge:
    return NodeEdge(
        link.from_id,
        link.to_id,
        link.type.value,
        graph_of(link.type.value),
        round(link.confidence, 4),
        link.created_by is LinkOrigin.SYSTEM,
        link.reason,
    )


def _mention(memory_id: str, entity_id: str, confidence: float, *, subject: bool) -> NodeEdge:
    why = "it is about this" if subject else None
    return NodeEdge(memory_id, entity_id, MENTIONS, GraphName.SEMANTIC, round(confidence, 4), reason=why)
