"""Memories, their versions, and threads."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from trigraph.model.change import MemoryVersion, Verb
from trigraph.model.memory import Kind, Memory, MemoryFilter, Source, Visibility
from trigraph.model.scope import Scope
from trigraph.model.thread import Thread
from trigraph.model.times import Moment

if TYPE_CHECKING:
    from trigraph.contracts.search import Vectors


@dataclass(frozen=True, slots=True)
class NewPassage:
    """A piece of a memory to be indexed. `terms` are analysed already: the store only keeps them.

    `label` is what a reader would have to know first, such as a document's title and the heading above.
    """

    start: int
    end: int
    label: str | None
    terms: tuple[str, ...]
    identifiers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory as it is to be written, with its passages and their vectors.

    `vectors` is None when no vector could be made: the store then queues the memory for embedding.
    """

    memory: Memory
    topic_key: str | None
    passages: tuple[NewPassage, ...]
    vectors: Vectors | None
    verb: Verb = Verb.REMEMBER
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """How far a memory is believed, since when nobody has referred to it, and its kind and session."""

    confidence: float
    since: datetime
    kind: Kind
    session: str | None


class Memories(Protocol):
    """Memories: their text, their versions, their places in threads."""

    def add(self, scope: Scope, new: NewMemory) -> None:
        """Write the memory whole: row, first version, passages, lexical rows, vectors or a queued job."""

    def get(self, scope: Scope, ids: Sequence[str], moment: Moment) -> list[Memory]:
        """Those of `ids` that are visible, in the order asked; the others are simply absent."""

    def find(self, scope: Scope, suffix: str, known_at: datetime) -> list[Memory]:
        """Up to two memories whose id ends with `suffix` (8 characters or more) and that the scope may see: as
        they were known, whatever their status, and whether or not they hold."""

    def versions(self, scope: Scope, ids: Collection[str], known_at: datetime) -> list[MemoryVersion]:
        """All versions of these memories that were known by then, the oldest first, if the scope may see them."""

    def revise(self, scope: Scope, memory: Memory, verb: Verb, reason: str | None, at: datetime) -> None:
        """Close the memory's open version and open one with its validity, status, visibility, tags, domains,
        confidence, pin, verification, retraction and successor as given here."""

    def erase(self, scope: Scope, memory_id: str, at: datetime) -> None:
        """Nothing of the memory is left: row, versions, passages, index rows, vectors, mentions, links, citations,
        and what it said about entities. Entities that nothing else speaks of go with it. Its id, and its place in
        a thread, stay taken."""

    def ids_ending(self, scope: Scope, suffix: str, wanted: MemoryFilter, moment: Moment) -> list[str]:
        """Up to two visible ids that end with `suffix` (8 characters or more)."""

    def ids_of_topic(self, scope: Scope, topic: str, wanted: MemoryFilter, moment: Moment, limit: int) -> list[str]:
        """Visible memories whose topic is exactly this one, newest first."""

    def same_text(
        self,
        scope: Scope,
        content_hashes: Collection[str],
        kind: Kind,
        visibility: Visibility,
        group: str | None,
        moment: Moment,
    ) -> dict[str, tuple[str, ...]]:
        """Content hash → ids, the oldest first, of every current memory of that kind, visibility and group which the
        writer may see."""

    def page(
        self, scope: Scope, wanted: MemoryFilter, moment: Moment, limit: int, before_id: str | None
    ) -> list[Memory]:
        """Visible memories, newest first, that come after `before_id` in that order."""

    def held(self, scope: Scope, ids: Collection[str], known_at: datetime) -> dict[str, Held]:
        """How far each was believed by what was known, and where it belongs. For ids that a read under the scope
        brought."""

    def from_source(
        self, scope: Scope, source: Source, since: datetime | None, after_id: str | None, known_at: datetime, limit: int
    ) -> list[Memory]:
        """What came from a source, was written since a time and is not forgotten, that the scope may see, in order of
        id after one."""

    def changed(
        self, scope: Scope, after: datetime, after_id: str, known_at: datetime, limit: int
    ) -> list[MemoryVersion]:
        """Versions of memories that the scope may see now, in the order in which they became known: those that did
        after a time, or at that time of memories whose ids are greater; up to `known_at`."""

    def find_all(self, scope: Scope, ids: Collection[str], known_at: datetime) -> dict[str, Memory]:
        """Those of some memories that the scope may see, by id, whatever became of them, as they were known."""

    def facets(self, scope: Scope, wanted: MemoryFilter, moment: Moment, most: int) -> dict[str, dict[str, int]]:
        """How the visible memories that match a filter divide by kind, source, visibility, author, tag, domain and
        month (of writing, YYYY-MM): for each, how many have a value. Of the last four, the `most` with most, of months
        the latest. A memory counts for each of its tags and domains. By status, how many would be visible if the filter
        asked for that."""

    def count_by_kind(self, scope: Scope, moment: Moment) -> dict[Kind, int]:
        """How many memories of each kind are visible."""


class Threads(Protocol):
    """Threads and the places of their episodes."""

    def add(self, scope: Scope, thread: Thread) -> None:
        """Write a new thread of the scope's agent."""

    def find(self, scope: Scope, name_or_id: str, moment: Moment) -> Thread | None:
        """The agent's own thread of that name, else a visible thread of that id or with that end (8 characters or
        more), else None."""

    def episodes_at(self, scope: Scope, thread_id: str, seqs: Collection[int]) -> dict[int, tuple[str, str]]:
        """seq → (memory id, content hash) of the places already taken, forgotten ones included.

        This is the one read that sees more than the scope may: a place taken is taken, whoever
        may see what stands there. Callers must not pass on the ids of what they may not see.
        """

    def around(self, scope: Scope, memory_ids: Collection[str], reach: int, moment: Moment) -> list[Memory]:
        """Visible episodes up to `reach` places away from these, themselves included, in order of thread and place.
        For ids that a read under the scope brought."""

    def next_seq(self, scope: Scope, thread_id: str) -> int:
        """The place after the last one taken."""

    def count(self, scope: Scope, moment: Moment) -> int:
        """How many threads have a visible episode."""
