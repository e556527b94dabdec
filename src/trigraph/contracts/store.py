"""The whole contract of a store."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from trigraph.contracts.audit import Audit
from trigraph.contracts.documents import Documents, Graph, Relations
from trigraph.contracts.figures import Figures, Retention
from trigraph.contracts.graph import Entities, Links
from trigraph.contracts.ledger import Answers, Events, Queue, Scorers, Uses
from trigraph.contracts.memories import Memories, Threads
from trigraph.contracts.moves import Moves
from trigraph.contracts.registry import Registry
from trigraph.contracts.search import EmbeddingSpace, Search
from trigraph.contracts.transfer import Transfer
from trigraph.model.scope import Scope

Clock = Callable[[], datetime]
"""Says what time it is: aware, UTC."""

Progress = Callable[[int], None]
"""Called with the number of items done since the last call."""


class Store(Protocol):
    """The whole contract. Thread-safe; one object serves all scopes of one home."""

    @property
    def registry(self) -> Registry: ...
    @property
    def memories(self) -> Memories: ...
    @property
    def threads(self) -> Threads: ...
    @property
    def search(self) -> Search: ...
    @property
    def space(self) -> EmbeddingSpace: ...
    @property
    def events(self) -> Events: ...
    @property
    def figures(self) -> Figures: ...
    @property
    def retention(self) -> Retention: ...
    @property
    def entities(self) -> Entities: ...
    @property
    def links(self) -> Links: ...
    @property
    def documents(self) -> Documents: ...
    @property
    def relations(self) -> Relations: ...
    @property
    def graph(self) -> Graph: ...
    @property
    def moves(self) -> Moves: ...
    @property
    def audit(self) -> Audit: ...
    @property
    def uses(self) -> Uses: ...
    @property
    def scorers(self) -> Scorers: ...
    @property
    def answers(self) -> Answers: ...
    @property
    def queue(self) -> Queue: ...
    @property
    def transfer(self) -> Transfer: ...

    def transaction(self, scope: Scope, at: datetime) -> AbstractContextManager[datetime]:
        """All writes inside are kept, or none.

        Yields the time of the transaction: `at`, or just after the previous transaction's time if
        the clock has gone back since, so that the order of writes and the order of times agree.
        """

    def tick(self, scope: Scope, at: datetime) -> datetime:
        """A further time within the open transaction, after all that were given before: what has it for its own is
        never one with what came before."""

    def snapshot(self, scope: Scope) -> AbstractContextManager[None]:
        """All reads inside see one state of the store."""

    def present(self, scope: Scope, at: datetime) -> datetime:
        """The time at which everything committed so far has happened: `at`, or later if clocks went back."""

    def describe(self, scope: Scope) -> tuple[str, int, int]:
        """What it is in words, its schema version, and its size in bytes."""

    def close(self) -> None:
        """Release files. Every later verb raises StoreClosed."""
