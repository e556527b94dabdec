"""The engine's verbs, each a line that calls the module with the real work."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from types import TracebackType

from trigraph.contracts import Progress
from trigraph.engine.keep import upkeep
from trigraph.engine.parts import Parts
from trigraph.engine.read import reading, recall
from trigraph.engine.write import remember, threads
from trigraph.engine.write.remember import Item
from trigraph.model.events import RecallEvent
from trigraph.model.memory import Memory, MemoryDraft, MemoryFilter, MemoryPage
from trigraph.model.query import RecallQuery
from trigraph.model.recall import Recall
from trigraph.model.report import RememberReport
from trigraph.model.scope import Scope
from trigraph.model.status import Health, Stats
from trigraph.model.thread import ThreadDraft


class Engine:
    """Thread-safe. A scope is the first argument of every verb."""

    def __init__(self, parts: Parts, version: str) -> None:
        self._parts = parts
        self.version = version

    def remember(self, scope: Scope, draft: MemoryDraft) -> RememberReport:
        """Keep one memory, or raise and write nothing."""
        return remember.remember(self._parts, scope, draft)

    def remember_batch(self, scope: Scope, items: Iterable[Item], progress: Progress | None = None) -> RememberReport:
        """Keep many; each has its own result, and a bad one never loses the others."""
        return remember.remember_batch(self._parts, scope, items, progress)

    def remember_thread(self, scope: Scope, draft: ThreadDraft, progress: Progress | None = None) -> RememberReport:
        """Keep a conversation, in one transaction."""
        return threads.remember_thread(self._parts, scope, draft, progress)

    def recall(self, scope: Scope, query: RecallQuery) -> Recall:
        """Answer a query from memory."""
        return recall.recall(self._parts, scope, query)

    def recall_event(self, scope: Scope, recall_id: str) -> RecallEvent | None:
        """What telemetry kept of a recall."""
        return self._parts.store.events.get(scope, recall_id)

    def get(self, scope: Scope, name: str, as_of: datetime | None = None, known_at: datetime | None = None) -> Memory:
        """The memory of an id, or of an unambiguous ending of one."""
        return reading.get(self._parts, scope, name, as_of, known_at)

    def list(
        self,
        scope: Scope,
        wanted: MemoryFilter,
        limit: int,
        cursor: str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> MemoryPage:
        """Memories newest first, a page at a time."""
        return reading.list_memories(self._parts, scope, wanted, limit, cursor, as_of, known_at)

    def stats(self, scope: Scope) -> Stats:
        """Counts of what the scope may see."""
        return reading.stats(self._parts, scope)

    def health(self, scope: Scope) -> Health:
        """What works and what does not."""
        return reading.health(self._parts, scope, self.version)

    def reembed(self, scope: Scope, *, anew: bool = False, progress: Progress | None = None) -> int:
        """Make the vectors that are missing and search by the configured model."""
        return upkeep.reembed(self._parts, scope, anew=anew, progress=progress)

    def close(self) -> None:
        """Release the store."""
        self._parts.store.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
