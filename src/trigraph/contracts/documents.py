"""Documents, relations between entities, and walks over both."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from trigraph.model.access import Audience
from trigraph.model.document import Document
from trigraph.model.link import LinkOrigin, LinkType
from trigraph.model.memory import Kind, Memory, MemoryFilter
from trigraph.model.relation import Relation, RelationType
from trigraph.model.scope import Scope
from trigraph.model.times import Moment

if TYPE_CHECKING:
    from trigraph.contracts.search import Vectors


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """A document as the scope knows it by its identity. A stub that was named only has no path."""

    entity_id: str
    collection: str
    name_key: str | None
    path: str | None
    audience: Audience


@dataclass(frozen=True, slots=True)
class Written:
    """One piece of evidence: this memory says, in this section, that source VERB target."""

    memory_id: str
    source_id: str
    type: RelationType
    target_id: str
    section: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation seen from one of its ends. `place` is where its text names it, counted within that text."""

    entity_id: str
    other_id: str
    type: RelationType
    outgoing: bool
    place: int


@dataclass(frozen=True, slots=True)
class Naming:
    """A memory that speaks of an entity, and the passage in which it does."""

    entity_id: str
    memory_id: str
    passage: int
    subject: bool
    confidence: float


@dataclass(frozen=True, slots=True)
class Linked:
    """A memory at the other end of a link, and the passage it begins with."""

    from_id: str
    memory_id: str
    passage: int
    type: LinkType
    confidence: float
    created_by: LinkOrigin
    drawn_at: datetime


@dataclass(frozen=True, slots=True)
class Alike:
    """A memory that shares something with another: entities, by name, or its topic."""

    memory_id: str
    kind: Kind
    shared: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bound:
    """A constraint that is pinned, or that speaks of entities: those of the ones that were asked about."""

    memory_id: str
    pinned: bool
    entity_ids: tuple[str, ...]


class Documents(Protocol):
    """Which entities are documents, and the memories that hold their text."""

    def put(self, scope: Scope, entity_id: str, collection: str, name_key: str | None, path: str | None) -> None:
        """Say which document an entity is."""

    def by_path(self, scope: Scope, collection: str, path: str) -> list[KnownDocument]:
        """Documents of a file that the scope may see, the oldest first."""

    def by_name(self, scope: Scope, collection: str, name_key: str) -> list[KnownDocument]:
        """Documents of an id in a collection that the scope may see, the oldest first."""

    def identity(self, scope: Scope, entity_id: str) -> KnownDocument | None:
        """Which document an entity is, if it is one."""

    def texts(self, scope: Scope, entity_id: str, moment: Moment) -> list[str]:
        """Ids of the visible memories that hold the document's text, or held it, by their beginning."""

    def page(
        self, scope: Scope, collection: str | None, moment: Moment, limit: int, after_id: str | None
    ) -> list[Document]:
        """Visible documents and stubs, in order of entity id, after one; names and props are left to the caller."""

    def stored(self, scope: Scope, known_at: datetime, limit: int, after_id: str | None) -> list[str]:
        """Ids of all memories of kind document that stand, superseded ones too, after one."""


class Relations(Protocol):
    """Relations. One is visible when both its ends are, through a memory that says so and that holds then."""

    def add(self, scope: Scope, written: Written, ordinal: int, at: datetime) -> None:
        """A memory is evidence of a relation. What is known already is left as it is."""

    def close(self, scope: Scope, written: Written, at: datetime) -> None:
        """It is so no longer; what was known before stays for known_at."""

    def written_in(self, scope: Scope, memory_ids: Collection[str], known_at: datetime) -> list[Written]:
        """What these memories are evidence of, whoever may see the ends."""

    def of(
        self,
        scope: Scope,
        entity_ids: Collection[str],
        moment: Moment,
        types: Collection[RelationType] = (),
        limit: int = 1000,
    ) -> list[Relation]:
        """Visible relations with one of these at an end; up to `limit` pieces of evidence are read."""

    def count(self, scope: Scope, moment: Moment) -> int:
        """How many relations are visible."""


class Graph(Protocol):
    """Steps of a walk. Each is one indexed query with a limit: nothing loads the store."""

    def edges(self, scope: Scope, entity_ids: Collection[str], moment: Moment, limit: int) -> list[Edge]:
        """Visible relations of these entities, both ways."""

    def about(
        self, scope: Scope, entity_ids: Collection[str], wanted: MemoryFilter, moment: Moment, limit: int
    ) -> list[Naming]:
        """Visible memories whose subject one of these entities is, in the order asked."""

    def naming(self, scope: Scope, entity_id: str, wanted: MemoryFilter, moment: Moment, limit: int) -> list[Naming]:
        """Visible memories that speak of the entity without being about it, the newest first."""

    def speaking(
        self, scope: Scope, entity_ids: Collection[str], moment: Moment, each: int, limit: int
    ) -> list[Naming]:
        """Of each of these entities the newest visible memories that speak of it, up to `each`; in the order asked."""

    def degrees(self, scope: Scope, entity_ids: Collection[str], most: int) -> Mapping[str, int]:
        """How many memories speak of each entity, counted up to `most`: how much of a hub it is."""

    def linked(
        self,
        scope: Scope,
        memory_ids: Collection[str],
        wanted: MemoryFilter,
        moment: Moment,
        limit: int,
        *,
        told: bool = False,
    ) -> list[Linked]:
        """Visible memories that links join to these, both ways, the strongest first; with `told`, only by links that
        somebody drew, not the system."""

    def stocked(self, scope: Scope) -> bool:
        """Whether the project has anything to walk over."""

    def constrained(self, scope: Scope) -> bool:
        """Whether the project has a memory of kind constraint, whoever may see it."""

    def constraints(
        self, scope: Scope, entity_ids: Collection[str], wanted: MemoryFilter, moment: Moment, most: int
    ) -> list[Bound]:
        """Visible constraints that are pinned or speak of one of these entities, the newest first: all that are pinned,
        and of the others those among the `most` newest constraints of the project."""

    def sharing(
        self, scope: Scope, memory: Memory, entity_ids: Collection[str], at: datetime, most: int
    ) -> list[Alike]:
        """The newest memories but episodes that speak of one of these entities, are about the same thing as the memory,
        or have its topic."""

    def of_session(
        self, scope: Scope, memory: Memory, since: datetime, until: datetime, most: int
    ) -> list[tuple[str, Kind, datetime]]:
        """The agent's other memories of the memory's session that happened within a time, the latest first, but
        episodes; of a long session only among the newest."""

    def decisions_on(self, scope: Scope, memory: Memory, most: int) -> list[tuple[str, Kind]]:
        """The newest other decisions on the memory's topic."""

    def first_vectors(self, scope: Scope, memory_ids: Sequence[str]) -> tuple[list[str], Vectors] | None:
        """The vectors of those memories' first passages that have one, and whose they are; None if none has."""
