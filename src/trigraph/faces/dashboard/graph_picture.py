"""A neighbourhood as a picture and as tables: what is drawn, how large, where a click leads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from trigraph.faces.dashboard.cards import day, entity_url, memory_url
from trigraph.model.neighbourhood import MENTIONS, Neighbourhood, Node, NodeEdge, NodeSort

DEGREE, CITATIONS = "degree", "citations"
SIZES = (DEGREE, CITATIONS)
LEADING = (NodeSort.MEMORY, NodeSort.ENTITY)
"""Sorts of nodes that can be looked at from."""

Address = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class LegendLine:
    """A colour: which nodes have it, and how many there are."""

    sort: str
    type: str
    count: int


@dataclass(frozen=True, slots=True)
class NodeRow:
    """A node as the table tells it."""

    node: Node
    name: str
    held: str
    degree: int
    page_url: str | None
    focus_url: str | None
    expand_url: str | None


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """An edge as the table tells it."""

    edge: NodeEdge
    from_name: str
    to_name: str
    confidence: str
    origin: str


@dataclass(frozen=True, slots=True)
class Picture:
    """All that is drawn: the rows of both tables, the legend, and what the script draws from."""

    nodes: tuple[NodeRow, ...]
    edges: tuple[EdgeRow, ...]
    legend: tuple[LegendLine, ...]
    drawing: Mapping[str, object]


def joined(parts: Iterable[Neighbourhood]) -> tuple[tuple[Node, ...], tuple[NodeEdge, ...]]:
    """Several neighbourhoods as one: every node once, as it stands in the first that has it; a node of which a later
    one shows more leads on no longer."""
    nodes: dict[str, Node] = {}
    edges: dict[tuple[str, str, str], NodeEdge] = {}
    for part in parts:
        for node in part.nodes:
            nodes.setdefault(node.id, node)
        edges |= {(edge.from_id, edge.type, edge.to_id): edge for edge in part.edges}
    return tuple(nodes.values()), tuple(edges.values())


def picture(
    focus_id: str,
    nodes: tuple[Node, ...],
    edges: tuple[NodeEdge, ...],
    size_by: str,
    focus: Address,
    expand: Address,
    expanded: Iterable[str],
) -> Picture:
    """What is drawn of these nodes and edges; `focus` and `expand` say where a click on one leads."""
    names = {one.id: one.label for one in nodes}
    degrees = Counter(end for one in edges for end in (one.from_id, one.to_id))
    sizes = degrees if size_by == DEGREE else _citations(nodes, edges)
    opened = set(expanded)
    rows = tuple(
        NodeRow(
            node=one,
            name=names[one.id],
            held=_held(one),
            degree=degrees[one.id],
            page_url=_page_url(one),
            focus_url=focus(one.id) if one.sort in LEADING and one.id != focus_id else None,
            expand_url=expand(one.id) if one.more and one.sort in LEADING and one.id not in opened else None,
        )
        for one in nodes
    )
    told = tuple(
        EdgeRow(
            one,
            names[one.from_id],
            names[one.to_id],
            "" if one.confidence is None else f"{one.confidence:.2f}",
            "automatic" if one.automatic else "",
        )
        for one in edges
        if one.from_id in names and one.to_id in names
    )
    legend = Counter((one.sort.value, one.type) for one in nodes if one.sort in LEADING)
    others = Counter(one.sort.value for one in nodes if one.sort not in LEADING)
    lines = [LegendLine(sort, type_, count) for (sort, type_), count in sorted(legend.items())]
    lines += [LegendLine(sort, sort, count) for sort, count in sorted(others.items())]
    return Picture(rows, told, tuple(lines), _drawing(focus_id, rows, told, sizes))


def _drawing(
    focus_id: str, rows: tuple[NodeRow, ...], edges: tuple[EdgeRow, ...], sizes: Mapping[str, int]
) -> dict[str, object]:
    return {
        "focus": focus_id,
        "nodes": [
            {
                "id": row.node.id,
                "label": row.name,
                "sort": row.node.sort.value,
                "type": row.node.type,
                "text": row.node.text,
                "held": row.held,
                "depth": row.node.depth,
                "over": row.node.over,
                "more": row.node.more,
                "size": sizes.get(row.node.id, 0),
                "mentions": row.node.mentions,
                "citations": row.node.citations,
                "page": row.page_url,
                "focus": row.focus_url,
                "expand": row.expand_url,
            }
            for row in rows
        ],
        "edges": [
            {
                "from": row.edge.from_id,
                "to": row.edge.to_id,
                "type": row.edge.type,
                "graph": row.edge.graph.value,
                "confidence": row.edge.confidence,
                "automatic": row.edge.automatic,
            }
            for row in edges
        ],
    }


def _citations(nodes: tuple[Node, ...], edges: tuple[NodeEdge, ...]) -> dict[str, int]:
    """How often memories were of use; an entity has what those have that speak of it."""
    found = {one.id: one.citations for one in nodes}
    for one in edges:
        if one.type == MENTIONS and one.from_id in found and one.to_id in found:
            found[one.to_id] += next(node.citations for node in nodes if node.id == one.from_id)
    return found


def _page_url(node: Node) -> str | None:
    if node.sort is NodeSort.MEMORY:
        return memory_url(node.id)
    return entity_url(node.id) if node.sort is NodeSort.ENTITY else None


def _held(node: Node) -> str:
    """When it held, in words."""
    if node.valid_from is None:
        return ""
    since = f"since {day(node.valid_from)}"
    return since if node.valid_until is None else f"{day(node.valid_from)} to {day(node.valid_until)}"
