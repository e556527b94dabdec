"""Verbs of the frontier, for the library: what was never used together and looks worth it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from trigraph.engine.engine import Engine
from trigraph.faces import wire
from trigraph.model.frontier import PAIR, SEEDS, Bounty, Frontier, FrontierQuery
from trigraph.model.scope import Scope

LIMIT = 10


class FrontierVerbs:
    """What was never used together and looks worth it. Every candidate is a hypothesis."""

    engine: Engine
    scope: Scope

    def never_composed(
        self,
        *,
        limit: int = LIMIT,
        size: int = PAIR,
        tags: str | Iterable[str] = (),
        around: str | Iterable[str] = (),
        known_at: str | datetime | None = None,
        decision: str | None = None,
        seeds: int = SEEDS,
    ) -> Frontier:
        """Pairs of memories (or sets of `size`) that no composition held, the most promising first, each with why and
        what to ask of them. Looked for from memories with all of the `tags`, from those `around` which it is asked, or
        from `seeds` of all; as things stood at `known_at`, or just before a `decision` was made. The answer says how
        far was looked."""
        return self.engine.never_composed(self.scope, _query(limit, size, tags, around, known_at, decision, seeds))

    def bounty_mode(
        self,
        *,
        limit: int = LIMIT,
        tags: str | Iterable[str] = (),
        known_at: str | datetime | None = None,
        decision: str | None = None,
        seeds: int = SEEDS,
    ) -> Bounty:
        """Where something may be found and where it was looked already: lanes composed lately, never-composed ones,
        closed doors, duplicate risks, what waits for a proof of concept, and the weirdest combinations."""
        return self.engine.bounty_mode(self.scope, _query(limit, PAIR, tags, (), known_at, decision, seeds))


def _query(
    limit: int,
    size: int,
    tags: str | Iterable[str],
    around: str | Iterable[str],
    known_at: str | datetime | None,
    decision: str | None,
    seeds: int,
) -> FrontierQuery:
    return FrontierQuery(
        limit=wire.whole(limit, "limit"),
        size=wire.whole(size, "size"),
        tags=wire.strings(tags, "tags"),
        around=wire.strings(around, "around"),
        known_at=wire.optional_time(known_at, "known_at"),
        decision=wire.optional_text(decision, "decision"),
        seeds=wire.whole(seeds, "seeds"),
    )
