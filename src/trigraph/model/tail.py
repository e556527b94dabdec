"""What happens, as it happens: changes of memories and recalls, in the order in which they were written."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from trigraph.model.change import MemoryVersion
from trigraph.model.query import QueryClass

BEGINNING = "MC8v"
"""The cursor before all that ever happened."""


@dataclass(frozen=True, slots=True)
class RecallMade:
    """A recall of the asker's own, in short; its event tells the rest."""

    recall_id: str
    at: datetime
    session: str | None
    query: str
    query_class: QueryClass
    result_ids: tuple[str, ...]
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Happened:
    """One thing that happened, and the cursor after which the next one stands."""

    what: MemoryVersion | RecallMade
    cursor: str

    @property
    def event(self) -> str:
        """What sort of thing it is: change, or recall."""
        return "recall" if isinstance(self.what, RecallMade) else "change"


@dataclass(frozen=True, slots=True)
class Tail:
    """What happened since a cursor; `cursor` asks for what follows."""

    happened: tuple[Happened, ...]
    cursor: str
