"""The lexical and the vector index, and whose vectors they hold."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from trigraph.model.memory import MemoryFilter
from trigraph.model.scope import Scope
from trigraph.model.status import EmbeddingModel
from trigraph.model.times import Moment

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

PASSAGES_PER_MEMORY = 3
"""A ranking holds at most so many passages of one memory: one long document must not crowd out the rest."""


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A passage on a leg's ranking. Higher is better."""

    passage: int
    score: float


@dataclass(frozen=True, slots=True)
class PassageText:
    """A passage as rescoring needs it: where it stands, its terms, and whether the filter asks for it.

    `thread` and `seq` are its memory's place in a thread, if any; `ordinal` of `passage_count` is its
    own place within the memory; `at` is when what the memory tells happened, or when it was written;
    `text` is told of a memory of few passages; `speaker` is who said it, in a thread.
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
    at: datetime | None = None
    text: str | None = None
    speaker: str | None = None


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


class Scan(Protocol):
    """A search by one vector, which may be under way already. It belongs to the snapshot in which it was begun."""

    def nearest(self, wanted: MemoryFilter, moment: Moment, limit: int) -> list[ScoredPassage]:
        """See `Search.nearest`."""


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

    def scan(self, scope: Scope, vector: Vectors) -> Scan:
        """Begin to search by `vector` in what is stored now; a store may do so beside the reads that follow."""

    def alike(
        self, scope: Scope, vectors: Vectors, wanted: MemoryFilter, moment: Moment, least: float, limit: int
    ) -> list[list[tuple[str, float]]]:
        """For each row, up to `limit` visible memories of which a passage has a cosine of at least `least` with it, the
        nearest first, each with its best cosine. Only the nearest few hundred passages are looked at."""

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
