"""What joins memories, looked up from either side: for the frontier."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from trigraph.model.memory import MemoryFilter
from trigraph.model.scope import Scope
from trigraph.model.times import Moment


class Bridges(Protocol):
    """Memories by what they hold. Each lookup is by an index and ends after `most`; episodes take no part, what was
    made of them does. Only visible memories are answered and counted."""

    def newest(self, scope: Scope, wanted: MemoryFilter, moment: Moment, limit: int) -> list[str]:
        """The newest memories, the latest first."""

    def spread(self, scope: Scope, wanted: MemoryFilter, moment: Moment, times: Sequence[datetime]) -> list[str]:
        """The first memory written from each of these times on, before the next of them; the earliest first."""

    def first(self, scope: Scope, wanted: MemoryFilter, moment: Moment) -> datetime | None:
        """When the oldest of the memories was written."""

    def frequencies(self, scope: Scope, terms: Collection[str]) -> Mapping[str, int]:
        """How many passages of the tenant hold each analysed term, whoever may see them: to choose which to look up,
        never to be told."""

    def holding(
        self, scope: Scope, terms: Collection[str], wanted: MemoryFilter, moment: Moment, most: int
    ) -> Mapping[str, tuple[str, ...]]:
        """Up to `most` memories that hold each analysed term, the newest first."""

    def speaking_of(
        self, scope: Scope, entity_ids: Collection[str], wanted: MemoryFilter, moment: Moment, most: int
    ) -> Mapping[str, tuple[str, ...]]:
        """Up to `most` memories that speak of each entity, or are about it, the newest first; none of an entity that
        the scope may not see."""

    def tagged(
        self, scope: Scope, tags: Collection[str], wanted: MemoryFilter, moment: Moment, most: int
    ) -> Mapping[str, tuple[str, ...]]:
        """Up to `most` memories that have each tag, as they were known, the newest first."""

    def companions(
        self, scope: Scope, memory_ids: Collection[str], known_at: datetime, most: int
    ) -> Mapping[str, tuple[str, ...]]:
        """Up to `most` memories that each of these was used together with in compositions that are shown, by what was
        known then. For ids that a read under the scope brought."""
