"""The ledger of compositions: which memories were used together, and what came of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Protocol

from trigraph.model.composition import Companion, CompositionEvent, CompositionOutcome, CompositionTally
from trigraph.model.scope import Scope


class Compositions(Protocol):
    """Compositions: kept with the memories, in their transactions; never changed, but for outcomes that are added.

    A composition is shown to its author, and to others who may see what its author shares and every one of its members.
    A member is shown to whom its memory would be, whatever became of that; an erased one to whom it was shown when it
    was erased. Of a composition with members that the reader may not see, the author is shown the others, without what
    was made of all together; of one that is not `told`, others are shown neither the question nor what was made of it.
    Counts, pairs and companions are of what is shown. Members are no references: forgetting
    or purging a memory changes nothing here, erasing it blanks what was copied of it.

    `known_at` asks what was known then: compositions and outcomes that came later are not there; who may see what is
    as of now. None means all that is known.
    """

    def add(self, scope: Scope, event: CompositionEvent) -> None:
        """Keep a composition of the scope's agent, with its members; outcomes are added by `label`."""

    def get(self, scope: Scope, suffix: str, known_at: datetime | None = None) -> list[CompositionEvent]:
        """Up to two compositions whose id ends with `suffix` (8 characters or more)."""

    def recent(
        self,
        scope: Scope,
        limit: int,
        *,
        tags: Collection[str] = (),
        before_id: str | None = None,
        known_at: datetime | None = None,
    ) -> list[CompositionEvent]:
        """Compositions, the latest first, from before one; with `tags`, those in which each of the tags was on some
        shown member when it took part."""

    def of(self, scope: Scope, memory_id: str, limit: int, known_at: datetime | None = None) -> list[CompositionEvent]:
        """Compositions that a memory took part in, the latest first; none of a memory that the scope may not see."""

    def companions(self, scope: Scope, memory_id: str, limit: int, known_at: datetime | None = None) -> list[Companion]:
        """Memories that were used together with one, the most often first, then the latest."""

    def label(self, scope: Scope, event_id: str, outcome: CompositionOutcome) -> None:
        """Add an outcome to a composition. Labels are counted: the same one given again counts again."""

    def pairs(
        self, scope: Scope, memory_ids: Collection[str], known_at: datetime | None = None
    ) -> Mapping[tuple[str, str], int]:
        """In how many compositions each two of these memories met, the smaller id first; pairs that never met are left
        out."""

    def tallies(
        self, scope: Scope, memory_ids: Collection[str], known_at: datetime | None = None
    ) -> Mapping[str, CompositionTally]:
        """How often each of these memories took part, and what came of it; those that never did are left out."""
