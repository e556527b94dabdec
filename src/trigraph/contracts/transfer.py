"""Everything a project holds, record by record: what export writes and import reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from trigraph.contracts.memories import NewPassage
from trigraph.model.scope import Scope

if TYPE_CHECKING:
    from trigraph.contracts.search import Vectors

Record = dict[str, Any]
"""A row as JSON data, whatever the engine; `record` says of what."""


class Put(StrEnum):
    """What became of a record that was to be put."""

    ADDED = "added"
    SAME = "same"
    DIFFERENT = "different"
    ERASED = "erased"
    DANGLING = "dangling"


class Transfer(Protocol):
    """Export and import, without loss and without holding more than a page at a time."""

    def records(self, scope: Scope, *, everything: bool, vectors: bool, events: bool) -> Iterator[Record]:
        """The project's records, each after those it refers to, in an order that depends on the data alone; what is
        counted of recalls that are no longer kept comes before the recalls that are.

        Without `everything`, of what the scope may see; with it, of all agents. Entities without a mention that
        may be seen are left out, and so is what refers to something left out.
        """

    def put_memory(
        self, scope: Scope, record: Record, passages: Sequence[NewPassage], vectors: Vectors | None, at: datetime
    ) -> Put:
        """Write a memory with all its versions, exactly as recorded. Without vectors it is queued for embedding."""

    def put(self, scope: Scope, record: Record) -> Put:
        """Write any other record. What exists already is compared, never overwritten; what was erased stays so. Counts
        of recalls are different where some are kept that may be among them."""

    def reached(self, scope: Scope, at: datetime) -> None:
        """Later transactions come after `at`, the latest time that was imported."""
