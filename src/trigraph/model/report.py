"""What became of each thing handed to `remember`. Nothing is dropped silently."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ItemStatus(StrEnum):
    """added; updated (in place of what was there before); reinforced (said before in other words: that memory counts
    for more); duplicate (already there, nothing written); filtered (noise: the reason names the filter); quarantined
    (kept for review, never recalled); conflict (that place holds another text); error."""

    ADDED = "added"
    UPDATED = "updated"
    REINFORCED = "reinforced"
    DUPLICATE = "duplicate"
    FILTERED = "filtered"
    QUARANTINED = "quarantined"
    CONFLICT = "conflict"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class ItemResult:
    """One item: `id` is the memory that now holds the text, `reason` why it was not added, or what was done about it;
    `conflicts` are memories that say otherwise."""

    status: ItemStatus
    id: str | None
    reason: str | None = None
    code: str | None = None
    conflicts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RememberReport:
    """The items in the order they were given; `degraded` says what is missing and how to mend it; `replayed` that
    an idempotency key had been used before and this is the answer given then; `jobs` are what was queued."""

    items: tuple[ItemResult, ...]
    thread_id: str | None = None
    degraded: str | None = None
    replayed: bool = False
    jobs: tuple[str, ...] = ()

    def count(self, status: ItemStatus) -> int:
        """How many items ended that way."""
        return sum(item.status == status for item in self.items)

    @property
    def id(self) -> str | None:
        """The memory of a single remember."""
        return self.items[0].id if len(self.items) == 1 else None


@dataclass(frozen=True, slots=True)
class AddedFile:
    """What became of one file."""

    path: str
    collection: str
    result: ItemResult


@dataclass(frozen=True, slots=True)
class DocumentsReport:
    """What became of each file, in order; `passed_over` counts what stood in a folder and is no markdown, `gone` are
    documents of these folders whose file is not there any more."""

    files: tuple[AddedFile, ...]
    passed_over: int = 0
    gone: tuple[str, ...] = ()
    degraded: str | None = None

    def report(self) -> RememberReport:
        """The results alone."""
        return RememberReport(tuple(one.result for one in self.files), degraded=self.degraded)
