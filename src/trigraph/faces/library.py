"""The library: memory for programs, with the scope bound and plain arguments."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from trigraph.assembly import open_engine, scope_of
from trigraph.contracts import Progress
from trigraph.engine.engine import Engine
from trigraph.faces import wire
from trigraph.model.events import RecallEvent
from trigraph.model.memory import Memory, MemoryPage
from trigraph.model.recall import Recall
from trigraph.model.report import RememberReport
from trigraph.model.scope import Scope
from trigraph.model.status import Health, Stats
from trigraph.settings import load_settings


class Trigraph:
    """One agent's memory. Thread-safe; a context manager that closes the store at its end."""

    def __init__(self, engine: Engine, scope: Scope) -> None:
        self.engine = engine
        self.scope = scope

    def remember(self, text: str, **fields: Any) -> RememberReport:
        """Keep one memory.

        Fields: kind, topic, tags, domains, visibility, source, session, turn, uri, occurred_at, valid_from,
        valid_until, confidence, pinned; reasoning (of a decision); result and reason (of an outcome).
        """
        return self.engine.remember(self.scope, wire.memory_draft({"text": text, **fields}))

    def remember_batch(
        self, items: Iterable[str | Mapping[str, Any]], *, progress: Progress | None = None
    ) -> RememberReport:
        """Keep many memories; each item is a text or an object with the fields of `remember`."""
        return self.engine.remember_batch(self.scope, map(wire.batch_item, items), progress)

    def remember_thread(
        self,
        messages: Iterable[Mapping[str, Any]],
        *,
        name: str | None = None,
        session: str | None = None,
        title: str | None = None,
        visibility: str = "shared",
        source: str = "user",
        append: bool = False,
        progress: Progress | None = None,
    ) -> RememberReport:
        """Keep a conversation: messages with text, speaker, role, occurred_at."""
        draft = wire.thread_draft(
            {
                "messages": messages,
                "name": name,
                "session": session,
                "title": title,
                "visibility": visibility,
                "source": source,
                "append": append,
            }
        )
        return self.engine.remember_thread(self.scope, draft, progress)

    def recall(self, query: str, *, limit: int = 10, budget_tokens: int | None = None, **options: Any) -> Recall:
        """Answer a query from memory.

        Filters: kinds, topic, tags, sources, author, thread, first_seq, last_seq, created_after, created_before,
        occurred_after, occurred_before. Options: as_of, known_at, profile, fusion, session (the asker's own, kept
        with the recall event).
        """
        asked = wire.recall_query(query, limit=limit, budget_tokens=budget_tokens, **options)
        return self.engine.recall(self.scope, asked)

    def recall_event(self, recall_id: str) -> RecallEvent | None:
        """What telemetry kept of a recall."""
        return self.engine.recall_event(self.scope, recall_id)

    def get(self, id: str, *, as_of: object = None, known_at: object = None) -> Memory:
        """The memory of an id, or of its last 8 characters or more."""
        return self.engine.get(
            self.scope,
            wire.text_of(id, "id"),
            wire.optional_time(as_of, "as_of"),
            wire.optional_time(known_at, "known_at"),
        )

    def list(
        self,
        *,
        limit: int = 50,
        cursor: str | None = None,
        as_of: object = None,
        known_at: object = None,
        **filters: Any,
    ) -> MemoryPage:
        """Memories newest first, a page at a time. Filters as for `recall`, and session."""
        return self.engine.list(
            self.scope,
            wire.listing_filter(**filters),
            wire.whole(limit, "limit"),
            None if cursor is None else wire.text_of(cursor, "cursor"),
            wire.optional_time(as_of, "as_of"),
            wire.optional_time(known_at, "known_at"),
        )

    def stats(self) -> Stats:
        """Counts of what is stored."""
        return self.engine.stats(self.scope)

    def health(self) -> Health:
        """What works and what does not."""
        return self.engine.health(self.scope)

    def reembed(self, *, anew: bool = False, progress: Progress | None = None) -> int:
        """Make the vectors that are missing and search by the configured model."""
        return self.engine.reembed(self.scope, anew=anew, progress=progress)

    def close(self) -> None:
        """Release the store."""
        self.engine.close()

    def __enter__(self) -> Trigraph:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open(home: str | Path | None = None, *, in_memory: bool = False) -> Trigraph:
    """Memory on the embedded store in `home`, by default the user's own; settings apply."""
    loaded = load_settings({"home": str(home) if home is not None else None})
    for warning in loaded.warnings:
        warnings.warn(warning, stacklevel=2)
    settings = loaded.settings
    return Trigraph(open_engine(settings, in_memory=in_memory), scope_of(settings))
