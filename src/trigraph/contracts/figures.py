"""What is counted of use, over recalls and citations together, and how long what it is counted from is kept."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from trigraph.model.change import Citation
from trigraph.model.insight import (
    CitedMemory,
    DayCount,
    DayFigures,
    PastRecall,
    RecallFilter,
    Span,
    UncitedMemory,
    UsefulRecall,
)
from trigraph.model.scope import Scope
from trigraph.model.times import Moment


class Figures(Protocol):
    """Aggregates: each verb is a fixed number of queries, however many rows there are. A span without an agent is of
    all agents of the project; whoever asks for that must have the right to. What is named is only what the scope's
    agent may see."""

    def days(self, scope: Scope, span: Span) -> list[DayFigures]:
        """How recalls fared, by day, agent and class, by what was said up to now. What was said of a recall by another
        agent than its own, or of a memory that it did not show, counts for nothing. What was rolled up is in; a day
        that was, if it begins within the span."""

    def citation_days(self, scope: Scope, span: Span) -> list[DayCount]:
        """How many citations of each kind agents made, by day: of recalls or of none."""

    def written_days(self, scope: Scope, span: Span) -> list[DayCount]:
        """How many memories agents wrote, by day."""

    def top_cited(self, scope: Scope, span: Span, moment: Moment, limit: int) -> list[CitedMemory]:
        """The memories that were of use most often within the span, most of all first."""

    def shown_uncited(
        self, scope: Scope, agent: str | None, moment: Moment, limit: int, looked_at: int
    ) -> list[UncitedMemory]:
        """Of so many memories that recalls showed most often, those that hold and were never of use."""

    def oldest_uncited(
        self, scope: Scope, agent: str | None, moment: Moment, before: datetime, limit: int
    ) -> list[UncitedMemory]:
        """The oldest memories from before a time that hold and were never of use; episodes are left out."""

    def useful(self, scope: Scope, span: Span, limit: int) -> list[UsefulRecall]:
        """The latest recalls of which a hit was of use, and whose candidates are kept; whole, with these hits."""

    def recalls(
        self, scope: Scope, wanted: RecallFilter, limit: int, before: tuple[datetime, str] | None
    ) -> list[PastRecall]:
        """Past recalls, the latest first, from before a time and id. A query and
        its session are told to the agent that asked it alone."""

    def citations_of(self, scope: Scope, recall_id: str) -> list[Citation]:
        """What the scope's agent said of a recall, the earliest first."""


class Retention(Protocol):
    """What becomes of recalls with time. No verb needs a transaction: each is one of its own, done whole or not."""

    def roll_up(self, scope: Scope, before: datetime, limit: int) -> int:
        """Add the oldest recalls of the project from before a time to the counts of their days, and drop their events;
        returns how many. A recall is counted exactly once, however often this is called or cut short."""

    def thin(self, scope: Scope, before: datetime, limit: int) -> int:
        """Drop the candidates of the oldest recalls from before a time; returns of how many."""

    def unask(self, scope: Scope, limit: int) -> int:
        """Drop the queries of recalls; returns of how many."""

    def drop(self, scope: Scope, limit: int) -> int:
        """Drop recalls of the scope's agent without counting them; returns how many. With the last of them goes what
        days and memories had counted of its recalls."""

    def counted(self, scope: Scope) -> int:
        """How many recalls of the scope's agent only the counts of their days know."""
