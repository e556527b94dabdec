"""The one door to the ledger: its actions, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from trigraph.model.composition import Companion, CompositionEvent, Labelled
from trigraph.model.frontier import Bounty, Frontier


class LedgerAction(StrEnum):
    """What the one door to the ledger does."""

    RECENT = "recent"
    GET = "get"
    MEMORY = "memory"
    NEIGHBORS = "neighbors"
    NEVER_COMPOSED = "never_composed"
    BOUNTY_MODE = "bounty_mode"
    LABEL = "label"


@dataclass(frozen=True, slots=True)
class ComposedGraph:
    """What the one door to the ledger answers: the part that its action is about."""

    action: LedgerAction
    events: tuple[CompositionEvent, ...] = ()
    companions: tuple[Companion, ...] = ()
    labelled: Labelled | None = None
    frontier: Frontier | None = None
    bounty: Bounty | None = None
