"""What stands around a thing in the three graphs: nodes and edges, as many as a picture holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from trigraph.model.link import LinkType
from trigraph.model.relation import RelationType

MENTIONS = "mentions"
INSTANCE_OF = "instance_of"
ALIAS_OF = "alias_of"
STATE_OF = "state_of"
BECOMES = "becomes"
CAUSED_BY = "caused_by"
WALKED = (MENTIONS, *(one.value for one in RelationType), *(one.value for one in LinkType))
"""Types of the edges that lead from node to node."""
DEPTH_MOST = 3
NODES_MOST = 300


class GraphName(StrEnum):
    """canonical: types, entities, aliases; semantic: mentions, relations, links; temporal: states, supersession."""

    CANONICAL = "canonical"
    SEMANTIC = "semantic"
    TEMPORAL = "temporal"


class NodeSort(StrEnum):
    """What a node stands for."""

    MEMORY = "memory"
    ENTITY = "entity"
    TYPE = "type"
    ALIAS = "alias"
    STATE = "state"


_IN_TIME = {LinkType.SUPERSEDES.value, LinkType.CORRECTS.value, LinkType.TEMPORAL.value, RelationType.SUPERSEDES.value}
_OF_NAMES = {INSTANCE_OF, ALIAS_OF}
_OF_STATES = {STATE_OF, BECOMES, CAUSED_BY}


def graph_of(type_: str) -> GraphName:
    """Which of the three graphs edges of a type belong to."""
    if type_ in _OF_NAMES:
        return GraphName.CANONICAL
    return GraphName.TEMPORAL if type_ in _IN_TIME or type_ in _OF_STATES else GraphName.SEMANTIC


@dataclass(frozen=True, slots=True)
class NeighbourhoodQuery:
    """How far to look, and along what: without `types` all that belong to the graphs. `confidence` is the least that a
    mention or a link must have; without `automatic`, links that the system drew are left out. Without a time it is
    now."""

    depth: int = 1
    graphs: tuple[GraphName, ...] = (GraphName.SEMANTIC, GraphName.TEMPORAL)
    types: tuple[str, ...] = ()
    confidence: float = 0.0
    automatic: bool = True
    limit: int = NODES_MOST
    as_of: datetime | None = None
    known_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """A thing in the picture. `type` is a memory's kind, an entity's type, a state's event; `depth` is how many edges
    lead to it; `over` says that it held no longer; `mentions` counts the memories that speak of an entity, `citations`
    how often a memory was of use; `more` says that edges lead on from it to what is not shown."""

    id: str
    sort: NodeSort
    type: str
    label: str
    text: str
    depth: int
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    over: bool = False
    mentions: int = 0
    citations: int = 0
    more: bool = False


@dataclass(frozen=True, slots=True)
class NodeEdge:
    """`from` TYPE `to`. A relation has no confidence of its own: it stands written, or does not."""

    from_id: str
    to_id: str
    type: str
    graph: GraphName
    confidence: float | None = None
    automatic: bool = False
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What stands around the focus, the nearest first, of what the asker may see. `truncated` says that there is more
    within the depth than is shown."""

    focus_id: str
    nodes: tuple[Node, ...]
    edges: tuple[NodeEdge, ...]
    as_of: datetime
    known_at: datetime
    truncated: bool = False
