"""What became of each thing handed to `remember`. Nothing is dropped silently."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ItemStatus(StrEnum):
    """added; duplicate (already there, nothing written); conflict (that place holds another text); error."""

    ADDED = "added"
    DUPLICATE = "duplicate"
    CONFLICT = "conflict"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class ItemResult:
    """One item: `id` is the memory that now holds the text, `reason` why it was not added."""

    status: ItemStatus
    id: str | None
    reason: str | None = None
    code: str | None = None


@dataclass(frozen=True, slots=True)
class RememberReport:
    """The items in the order they were given; `degraded` says what is missing and how to mend it; `replayed` that
    an idempotency key had been used before and this is the answer given then."""

    items: tuple[ItemResult, ...]
    thread_id: str | None = None
    degraded: str | None = None
    replayed: bool = False

    def count(self, status: ItemStatus) -> int:
        """How many items ended that way."""
        return sum(item.status == status for item in self.items)

    @property
    def id(self) -> str | None:
        """The memory of a single remember."""
        return self.items[0].id if len(self.items) == 1 else None
