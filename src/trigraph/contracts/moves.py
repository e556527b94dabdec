"""Entities that are one or two: what goes from one to the other and back, and pairs that wait for an answer."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Protocol

from trigraph.model.resolution import EntityNames, Move, Pair, Surroundings
from trigraph.model.scope import Scope
from trigraph.model.times import Moment


class Moves(Protocol):
    """Merges and splits of entities, and pairs of entities that may be one.

    Moving takes along what the scope may not see: an entity would be torn otherwise. Reads show a move to whoever may
    see the memory that tells it and has both entities in reach; a pair to whoever may see both its entities.
    """

    def move(
        self,
        scope: Scope,
        from_id: str,
        to_id: str,
        memory_ids: Collection[str] | None,
        names: Collection[str] | None,
        at: datetime,
    ) -> int:
        """Mentions, evidence of relations, and names (by key) of one entity are the other's from `at` on; all, or
        those by some memories, and some names. Returns how many mentions went.

        A memory that speaks of both keeps one mention, which is its subject if either was. A relation between the two
        ends. Names are given to the other as well, on the word of the same memories. What was known before `at` stays
        for known_at."""

    def keep(self, scope: Scope, move: Move) -> None:
        """Keep what was moved at `move.at`, and why. Names that it says are gone are no longer the entity's."""

    def move_back(self, scope: Scope, move_id: str, at: datetime) -> None:
        """What went goes back, as it was, and the move is undone.

        What spoke of both, or came from elsewhere as well, stays with the other, too. After a merge, what was said
        since by a name that only the one had goes to it; after a split, all that was said since."""

    def moves(self, scope: Scope, entity_id: str) -> list[Move]:
        """Moves from or to an entity, undone ones too, the oldest first."""

    def get(self, scope: Scope, suffix: str) -> list[Move]:
        """Up to two moves whose id ends with `suffix` (8 characters or more)."""

    def add_pair(self, scope: Scope, pair: Pair) -> bool:
        """Ask whether two entities are one. Returns whether that was not asked before, by whomever."""

    def pairs(self, scope: Scope, limit: int) -> list[Pair]:
        """Open pairs both of whose entities may be seen, the oldest first."""

    def get_pair(self, scope: Scope, suffix: str) -> list[Pair]:
        """Up to two pairs, decided or not, whose id ends with `suffix`, if both entities may be seen."""

    def decide_pair(self, scope: Scope, pair: Pair) -> None:
        """Keep what was said of two entities, whether anybody had asked or not."""

    def asked(self, scope: Scope) -> Mapping[frozenset[str], bool]:
        """All pairs of entities of the project that were asked about and are not to be asked about again: true if they
        were told apart. What was told of an entity that was merged since is told of the one it went into. Callers must
        not pass on what they may not see."""

    def names(self, scope: Scope, moment: Moment, limit: int) -> list[EntityNames]:
        """Visible entities with all their names, the oldest first; documents are left out."""

    def surroundings(
        self, scope: Scope, entity_ids: Collection[str], moment: Moment, most: int
    ) -> dict[str, Surroundings]:
        """Where entities were spoken of last, by up to `most` memories each."""
