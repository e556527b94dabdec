"""Memories, entities, types, aliases and states as nodes of a picture."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from datetime import datetime

from trigraph.model.entity import Entity, EntityState
from trigraph.model.memory import Kind, Memory
from trigraph.model.neighbourhood import (
    ALIAS_OF,
    BECOMES,
    CAUSED_BY,
    INSTANCE_OF,
    STATE_OF,
    GraphName,
    Node,
    NodeEdge,
    NodeSort,
)
from trigraph.text.passages import title_of

LABEL_CHARS = 60
TEXT_CHARS = 280
STATES_MOST = 24

_Made = tuple[list[Node], list[NodeEdge]]


def memory_node(memory: Memory, as_of: datetime, depth: int) -> Node:
    """A memory, called by the beginning of its text; a document by its title, if it has one."""
    over = memory.retracted_at is not None or (memory.valid_until is not None and memory.valid_until <= as_of)
    title = title_of(memory.text) if memory.kind is Kind.DOCUMENT else None
    text = " ".join((title or memory.text).split())
    return Node(
        memory.id,
        NodeSort.MEMORY,
        memory.kind.value,
        _short(text, LABEL_CHARS),
        _short(f"{memory.topic}: {text}" if memory.topic else text, TEXT_CHARS),
        depth,
        memory.valid_from,
        memory.valid_until,
        over or memory.valid_from > as_of,
    )


def entity_node(entity: Entity, depth: int) -> Node:
    """An entity, with what is known of it in a line."""
    props = "; ".join(f"{name}: {prop.value}" for name, prop in entity.state.props.items())
    also = f"also {', '.join(entity.aliases)}" if entity.aliases else ""
    return Node(
        entity.id,
        NodeSort.ENTITY,
        entity.type.value,
        _short(entity.name, LABEL_CHARS),
        _short(". ".join(part for part in (also, props) if part), TEXT_CHARS),
        depth,
        entity.state.valid_from,
        entity.state.valid_until,
        entity.retired,
        mentions=entity.mention_count,
    )


def type_nodes(entities: Iterable[Entity], there: Container[str]) -> _Made:
    """What sorts of things the entities are."""
    nodes: dict[str, Node] = {}
    edges = []
    for one in entities:
        if one.id in there:
            id_ = f"type:{one.type.value}"
            nodes.setdefault(id_, Node(id_, NodeSort.TYPE, one.type.value, one.type.value, "A type of entities", 1))
            edges.append(NodeEdge(one.id, id_, INSTANCE_OF, GraphName.CANONICAL))
    return list(nodes.values()), edges


def alias_nodes(entities: Iterable[Entity], there: Container[str]) -> _Made:
    """By which further names the entities are called."""
    nodes, edges = [], []
    for one in entities:
        for number, name in enumerate(one.aliases if one.id in there else ()):
            id_ = f"alias:{one.id}:{number}"
            told = f"A further name of {_short(one.name, LABEL_CHARS)}"
            nodes.append(Node(id_, NodeSort.ALIAS, "alias", _short(name, LABEL_CHARS), told, 1))
            edges.append(NodeEdge(id_, one.id, ALIAS_OF, GraphName.CANONICAL))
    return nodes, edges


def state_nodes(entity_id: str, states: Sequence[EntityState], as_of: datetime) -> _Made:
    """The states of an entity that had begun by then, one after the other; the one that holds is tied to it."""
    nodes: list[Node] = []
    edges: list[NodeEdge] = []
    begun = [state for state in states if state.valid_from <= as_of]
    first = max(len(begun) - STATES_MOST, 0)
    for number, state in enumerate(begun[first:], start=first + 1):
        holds = state.valid_until is None or state.valid_until > as_of
        props = "; ".join(f"{name}: {prop.value}" for name, prop in state.props.items())
        node = Node(
            f"state:{entity_id}:{number}",
            NodeSort.STATE,
            state.event.value,
            f"{state.event.value.replace('_', ' ')} {state.valid_from:%Y-%m-%d}",
            _short(f"{state.name}. {props}" if props else state.name, TEXT_CHARS),
            1,
            state.valid_from,
            state.valid_until,
            over=not holds,
        )
        if nodes:
            edges.append(NodeEdge(nodes[-1].id, node.id, BECOMES, GraphName.TEMPORAL, reason=state.event.value))
        if holds:
            edges.append(NodeEdge(node.id, entity_id, STATE_OF, GraphName.TEMPORAL))
        if state.cause_id is not None:
            edges.append(NodeEdge(node.id, state.cause_id, CAUSED_BY, GraphName.TEMPORAL))
        nodes.append(node)
    return nodes, edges


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
