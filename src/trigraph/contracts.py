"""What the engine asks of a store and of an embedder.

A `Scope` is the first argument of every verb of a store; there is no default. The store binds the
visibility predicate into every read by itself: a caller cannot leave it out, and what the scope may
not see is answered like what does not exist. Every write happens inside `transaction`; a verb that
writes outside one is a programming error and raises.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from trigraph.model.events import RecallEvent
from trigraph.model.memory import Kind, Memory, MemoryFilter, Visibility
from trigraph.model.scope import Scope
from trigraph.model.status import EmbeddingModel
from trigraph.model.thread import Thread
from trigraph.model.times import Moment

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

Clock = Callable[[], datetime]
"""Says what time it is: aware, UTC."""

PASSAGES_PER_MEMORY = 3
"""A ranking holds at most so many passages of one memory: one long document must not crowd out the rest."""


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


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A passage on a leg's ranking. Higher is better."""

    passage: int
    score: float


@dataclass(frozen=True, slots=True)
class PassageText:
    """A passage as rescoring needs it: where it stands, its terms, and whether the filter asks for it.

    `thread` and `seq` are its memory's place in a thread, if any; `ordinal` of `passage_count` is its
    own place within the memory.
    """

    passage: int
    memory_id: str
    thread: int | None
    seq: int | None
    ordinal: int
    passage_count: int
    start: int
    end: int
    terms: str
    wanted: bool


@dataclass(frozen=True, slots=True)
class TermStatistics:
    """What BM25 must know of the whole: passages, their mean length, and how many hold each term."""

    passages: int
    mean_terms: float
    holding: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Unembedded:
    """A passage without a vector of some model, and all that the model is to see of it."""

    passage: int
    label: str | None
    speaker: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of queued work."""

    id: str
    name: str
    payload: str
    attempts: int


class Memories(Protocol):
    """Memories: their text, their versions, their places in threads."""

    def add(self, scope: Scope, new: NewMemory) -> None:
        """Write the memory whole: row, first version, passages, lexical rows, vectors or a queued job."""

    def get(self, scope: Scope, ids: Sequence[str], moment: Moment) -> list[Memory]:
        """Those of `ids` that are visible, in the order asked; the others are simply absent."""

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
        moment: Moment,
    ) -> dict[str, str]:
        """Content hash → id of a current memory of that kind and visibility which the writer may see."""

    def page(
        self, scope: Scope, wanted: MemoryFilter, moment: Moment, limit: int, before_id: str | None
    ) -> list[Memory]:
        """Visible memories, newest first, that come after `before_id` in that order."""

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

    def next_seq(self, scope: Scope, thread_id: str) -> int:
        """The place after the last one taken."""

    def count(self, scope: Scope, moment: Moment) -> int:
        """How many threads have a visible episode."""


class Search(Protocol):
    """The lexical and the vector index, and what rescoring needs of the candidates."""

    def lexical(
        self, scope: Scope, terms: Sequence[str], wanted: MemoryFilter, moment: Moment, limit: int
    ) -> list[ScoredPassage]:
        """Visible passages that hold any of the analysed terms, by BM25; at most `PASSAGES_PER_MEMORY` of each."""

    def identifiers(
        self, scope: Scope, names: Sequence[str], wanted: MemoryFilter, moment: Moment, limit: int
    ) -> list[ScoredPassage]:
        """Visible passages with an identifier of which one of `names` is a part; at most
        `PASSAGES_PER_MEMORY` of each memory."""

    def nearest(
        self, scope: Scope, vector: Vectors, wanted: MemoryFilter, moment: Moment, limit: int
    ) -> list[ScoredPassage]:
        """Visible passages by cosine with `vector`, in the space of the pinned model, exactly; at most
        `PASSAGES_PER_MEMORY` of each memory."""

    def surroundings(
        self,
        scope: Scope,
        passages: Collection[int],
        reach: int,
        wanted: MemoryFilter,
        moment: Moment,
    ) -> list[PassageText]:
        """The passages and their neighbours up to `reach` places away that the scope itself may see."""

    def statistics(self, scope: Scope, terms: Collection[str]) -> TermStatistics:
        """Term statistics of the tenant's passages."""

    def vectors(self, scope: Scope, passages: Sequence[int]) -> Vectors:
        """One row per passage, in the space of the pinned model; zeros where there is none."""


class EmbeddingSpace(Protocol):
    """Which model's vectors a store holds, and which are still missing."""

    def pinned(self, scope: Scope) -> EmbeddingModel | None:
        """The model whose vectors are searched; None before the first vector."""

    def pin(self, scope: Scope, model: EmbeddingModel) -> None:
        """Make `model` the one that is searched. Vectors of other models are dropped."""

    def missing(self, scope: Scope, model: EmbeddingModel, after: int, limit: int) -> list[Unembedded]:
        """Passages of the whole project without a vector of `model`, in order of passage, after one."""

    def put(self, scope: Scope, model: EmbeddingModel, passages: Sequence[int], vectors: Vectors) -> None:
        """Write vectors of `model`, beside those of the pinned one if that is another."""

    def drop(self, scope: Scope, at: datetime) -> None:
        """Forget every vector of the project, and which model was pinned; every memory is queued for embedding."""

    def settle_jobs(self, scope: Scope, at: datetime) -> None:
        """Embedding jobs whose memories have all their vectors of the pinned model are done."""

    def count(self, scope: Scope, moment: Moment) -> tuple[int, int]:
        """Visible passages, and how many of them have a vector of the pinned model."""


class Events(Protocol):
    """Recall events, in a file of their own that costs a recall no fsync."""

    def add(self, scope: Scope, event: RecallEvent) -> None:
        """Keep one event. Needs no transaction."""

    def get(self, scope: Scope, recall_id: str) -> RecallEvent | None:
        """The event of a recall that this scope's agent made, whole."""

    def count(self, scope: Scope) -> int:
        """How many recalls the scope's agent has made in its project."""


class Queue(Protocol):
    """Work that outlives the caller: kept with the memories, in their transactions."""

    def put(self, scope: Scope, job: Job, at: datetime) -> None:
        """Queue a job."""

    def waiting(self, scope: Scope, name: str) -> int:
        """How many jobs of that name, queued by the scope's agent, are not done."""

    def unembedded(self, scope: Scope, moment: Moment, most: int) -> int:
        """How many visible memories wait for their vectors, counted up to `most`."""


class Store(Protocol):
    """The whole contract. Thread-safe; one object serves all scopes of one home."""

    @property
    def memories(self) -> Memories: ...
    @property
    def threads(self) -> Threads: ...
    @property
    def search(self) -> Search: ...
    @property
    def space(self) -> EmbeddingSpace: ...
    @property
    def events(self) -> Events: ...
    @property
    def queue(self) -> Queue: ...

    def transaction(self, scope: Scope, at: datetime) -> AbstractContextManager[datetime]:
        """All writes inside are kept, or none.

        Yields the time of the transaction: `at`, or just after the previous transaction's time if
        the clock has gone back since, so that the order of writes and the order of times agree.
        """

    def snapshot(self, scope: Scope) -> AbstractContextManager[None]:
        """All reads inside see one state of the store."""

    def present(self, scope: Scope, at: datetime) -> datetime:
        """The time at which everything committed so far has happened: `at`, or later if clocks went back."""

    def describe(self, scope: Scope) -> tuple[str, int, int]:
        """What it is in words, its schema version, and its size in bytes."""

    def close(self) -> None:
        """Release files. Every later verb raises StoreClosed."""


class Embedder(Protocol):
    """Turns text into unit vectors of one model."""

    @property
    def model(self) -> EmbeddingModel:
        """Which model this is."""

    def embed_documents(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        """One row per text. Raises ModelUnavailable; never returns zeros or NaN."""

    def embed_query(self, text: str) -> Vectors:
        """One vector."""


Progress = Callable[[int], None]
"""Called with the number of items done since the last call."""

__all__ = [
    "Clock",
    "Embedder",
    "EmbeddingSpace",
    "Events",
    "Job",
    "Memories",
    "NewMemory",
    "NewPassage",
    "PassageText",
    "Progress",
    "Queue",
    "ScoredPassage",
    "Search",
    "Store",
    "TermStatistics",
    "Threads",
    "Unembedded",
]
