"""Verbs on which things are one, for the library: resolve, merge, split, undo, and the review of pairs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from trigraph.engine.engine import Engine
from trigraph.faces import wire
from trigraph.model.change import Changed
from trigraph.model.resolution import Move, Pair, Resolved, ResolvePlan
from trigraph.model.scope import Scope


class SamenessVerbs:
    """One thing or two."""

    engine: Engine
    scope: Scope

    def resolve(self, names: str | Iterable[str]) -> list[Resolved]:
        """What names mean: an entity, one of several, or nothing that is known."""
        return self.engine.resolve(self.scope, wire.strings(names, "names"))

    def merge(
        self,
        entity: str,
        into: str,
        *,
        reason: str | None = None,
        text: str | None = None,
        idempotency_key: str | None = None,
        **fields: Any,
    ) -> Changed:
        """Two entities are one: all that speaks of the first speaks of the second. The first id of the answer is what
        `undo` takes."""
        return self.engine.merge(
            self.scope,
            wire.text_of(entity, "entity"),
            wire.text_of(into, "into"),
            wire.draft_about(text, fields),
            wire.optional_text(reason, "reason"),
            idempotency_key,
        )

    def split(
        self,
        entity: str,
        name: str,
        memories: str | Iterable[str],
        *,
        text: str | None = None,
        idempotency_key: str | None = None,
        **fields: Any,
    ) -> Changed:
        """An entity is two: these memories (by id) speak of a new one of that name."""
        return self.engine.split(
            self.scope,
            wire.text_of(entity, "entity"),
            wire.text_of(name, "name"),
            wire.strings(memories, "memories"),
            wire.draft_about(text, fields),
            idempotency_key,
        )

    def undo(self, move: str, *, text: str | None = None, idempotency_key: str | None = None, **fields: Any) -> Changed:
        """Take a merge or a split back, by its id: what was moved goes back."""
        draft = wire.draft_about(text, fields)
        return self.engine.undo_move(self.scope, wire.text_of(move, "move"), draft, idempotency_key)

    def moves(self, entity: str) -> list[Move]:
        """What an entity got or lost by merges and splits."""
        return self.engine.moves(self.scope, wire.text_of(entity, "entity"))

    def find_pairs(self, *, apply: bool = False) -> ResolvePlan:
        """Look for entities that are one. With `apply` those that clearly are get merged, and those that may be wait
        for review; else they are only listed."""
        return self.engine.find_pairs(self.scope, apply=apply)

    def pairs(self, *, limit: int = 50) -> list[Pair]:
        """Pairs of entities of which somebody must say whether they are one."""
        return self.engine.pairs(self.scope, wire.whole(limit, "limit"))

    def decide_pair(
        self, id: str, *, one: bool, text: str | None = None, idempotency_key: str | None = None, **fields: Any
    ) -> Changed:
        """Say whether the two of a pair are one; if so, they are merged."""
        draft = wire.draft_about(text, fields)
        return self.engine.decide_pair(self.scope, wire.text_of(id, "id"), one=one, draft=draft, key=idempotency_key)
