"""The embedded store as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import apsw

from trigraph.model.scope import Scope
from trigraph.model.times import from_micros, to_micros
from trigraph.stores.sqlite.audit import SqliteAudit
from trigraph.stores.sqlite.documents import SqliteDocuments
from trigraph.stores.sqlite.entities import SqliteEntities
from trigraph.stores.sqlite.events import SqliteEvents
from trigraph.stores.sqlite.figures import SqliteFigures
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.graph import SqliteGraph
from trigraph.stores.sqlite.links import SqliteLinks
from trigraph.stores.sqlite.memories import SqliteMemories
from trigraph.stores.sqlite.moves import SqliteMoves
from trigraph.stores.sqlite.queue import SqliteQueue
from trigraph.stores.sqlite.relations import SqliteRelations
from trigraph.stores.sqlite.retention import SqliteRetention
from trigraph.stores.sqlite.scorers import SqliteScorers
from trigraph.stores.sqlite.search import SqliteSearch
from trigraph.stores.sqlite.space import SqliteSpace
from trigraph.stores.sqlite.threads import SqliteThreads
from trigraph.stores.sqlite.transfer import SqliteTransfer
from trigraph.stores.sqlite.uses import SqliteAnswers, SqliteUses
from trigraph.stores.sqlite.visibility import queries

_CLOCK = queries("clock")


class SqliteStore:
    """See `contracts.Store`. `home` None keeps everything in memory, for tests and trials."""

    def __init__(self, home: Path | None) -> None:
        self._home = HomeFolder(home)
        self.registry = self._home.registry
        self.events = SqliteEvents(self._home)
        self.figures = SqliteFigures(self._home)
        self.retention = SqliteRetention(self._home)
        self.memories = SqliteMemories(self._home)
        self.threads = SqliteThreads(self._home)
        self.search = SqliteSearch(self._home)
        self.space = SqliteSpace(self._home)
        self.entities = SqliteEntities(self._home)
        self.links = SqliteLinks(self._home)
        self.documents = SqliteDocuments(self._home)
        self.relations = SqliteRelations(self._home)
        self.graph = SqliteGraph(self._home)
        self.moves = SqliteMoves(self._home)
        self.audit = SqliteAudit(self._home)
        self.uses = SqliteUses(self._home)
        self.scorers = SqliteScorers(self._home)
        self.answers = SqliteAnswers(self._home)
        self.transfer = SqliteTransfer(self._home)
        self.queue = SqliteQueue(self._home)

    @contextmanager
    def transaction(self, scope: Scope, at: datetime) -> Iterator[datetime]:
        with self._home.of(scope).truth.transaction() as connection:
            yield from_micros(connection.execute(_CLOCK["advance"], {"at": to_micros(at)}).get)

    def tick(self, scope: Scope, at: datetime) -> datetime:
        with self._home.writing(scope) as connection:
            return from_micros(connection.execute(_CLOCK["advance"], {"at": to_micros(at)}).get)

    @contextmanager
    def snapshot(self, scope: Scope) -> Iterator[None]:
        with self._home.snapshot(scope):
            yield

    def present(self, scope: Scope, at: datetime) -> datetime:
        with self._home.reading(scope) as connection:
            return max(at, from_micros(connection.execute(_CLOCK["latest"]).get))

    def describe(self, scope: Scope) -> tuple[str, int, int]:
        files = self._home.of(scope)
        where = self._home.path or "in memory"
        return (
            f"SQLite {apsw.sqlite_lib_version()}, {where}",
            files.schema_version,
            self._home.size_bytes(scope),
        )

    def close(self) -> None:
        self.search.close()
        self._home.close()
