"""The home folder: which files there are, opened and migrated once each.

`registry.db` names tenants, projects and agents; `<tenant>.db` is the truth about a tenant;
`<tenant>.events.db` holds its recall events, and may lose the last second in a power cut.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import apsw

from trigraph.errors import NotFound, StoreClosed, StoreError
from trigraph.model.access import Reader
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.stores.sqlite.connections import BUSY_TIMEOUT_SECONDS, Database
from trigraph.stores.sqlite.migrate import migrate
from trigraph.stores.sqlite.registry import SqliteRegistry
from trigraph.stores.sqlite.visibility import Params, visible

EVENTS_BUSY_SECONDS = 5
"""An answer does not wait longer than this for its event to be written."""


@dataclass(frozen=True, slots=True)
class TenantFiles:
    """The two databases of a tenant."""

    truth: Database
    events: Database
    schema_version: int


class HomeFolder:
    """Opens files on first use. With `path` None everything lives in memory."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._tenants: dict[str, TenantFiles] = {}
        self._known: set[tuple[str, str]] = set()
        self._held = threading.local()
        self._closed = False
        if path is not None:
            _make_folder(path)
        self._registry = self._open("registry.db", "FULL")
        migrate(self._registry, "registry")
        self.registry = SqliteRegistry(self._registry)

    def of(self, scope: Scope) -> TenantFiles:
        """The files of a scope's tenant. An unknown tenant or project does not exist for anyone."""
        with self._lock:
            if self._closed:
                raise StoreClosed("The store is closed.", fix="Open it again.")
            if (scope.tenant, scope.project) not in self._known:
                self._check_known(scope)
                self._known.add((scope.tenant, scope.project))
            if scope.tenant not in self._tenants:
                self._tenants[scope.tenant] = self._open_tenant(scope.tenant)
            return self._tenants[scope.tenant]

    def visible(self, scope: Scope, moment: Moment) -> Params:
        """Parameters of the visibility predicate: who asks, what it may see by the registry as it is now, and when. A
        snapshot asks the registry once."""
        readers: dict[Scope, Reader] | None = getattr(self._held, "readers", None)
        if readers is None:
            return visible(scope, self.registry.reader(scope), moment)
        if scope not in readers:
            readers[scope] = self.registry.reader(scope)
        return visible(scope, readers[scope], moment)

    @contextmanager
    def snapshot(self, scope: Scope) -> Iterator[None]:
        """All reads of this thread see one state of the truth, and one of who may see what."""
        truth = self.of(scope).truth
        if truth.in_transaction or getattr(self._held, "readers", None) is not None:
            with truth.snapshot():
                yield
            return
        with truth.snapshot():
            self._held.readers = {}
            try:
                yield
            finally:
                self._held.readers = None

    @contextmanager
    def reading(self, scope: Scope) -> Iterator[apsw.Connection]:
        """A connection to the truth, for reads."""
        with self.of(scope).truth.connection() as connection:
            yield connection

    @contextmanager
    def writing(self, scope: Scope) -> Iterator[apsw.Connection]:
        """The connection of the open transaction."""
        truth = self.of(scope).truth
        if not truth.in_transaction:
            raise StoreError("a write needs an open transaction")
        with truth.connection() as connection:
            yield connection

    def size_bytes(self, scope: Scope) -> int:
        """What the tenant's files take on disk, write-ahead logs included."""
        files = self.of(scope)
        paths = [database.path for database in (files.truth, files.events) if database.path is not None]
        whole = [Path(f"{path}{suffix}") for path in paths for suffix in ("", "-wal")]
        return sum(path.stat().st_size for path in whole if path.exists())

    def close(self) -> None:
        """Close every file."""
        with self._lock:
            self._closed = True
            for files in self._tenants.values():
                files.truth.close()
                files.events.close()
            self._registry.close()

    def _check_known(self, scope: Scope) -> None:
        if not self.registry.has_project(scope.tenant, scope.project):
            raise NotFound(
                f"There is no project {scope.project!r} of tenant {scope.tenant!r}.",
                fix="`trigraph admin project add` registers one; 'default' of tenant 'default' always exists.",
            )

    def _open_tenant(self, tenant: str) -> TenantFiles:
        truth = self._open(f"{tenant}.db", "FULL")
        version = migrate(truth, "tenant")
        events = self._open(f"{tenant}.events.db", "NORMAL", EVENTS_BUSY_SECONDS)
        migrate(events, "events")
        return TenantFiles(truth, events, version)

    def _open(self, name: str, synchronous: str, busy_seconds: float = BUSY_TIMEOUT_SECONDS) -> Database:
        if self.path is None:
            return Database(None, synchronous=synchronous)
        path = self.path / name
        if not path.exists():
            # Created with the right mode before SQLite makes it: its -wal and -shm inherit it.
            try:
                path.touch(mode=0o600)
            except OSError as error:
                raise StoreError(
                    f"{path} cannot be created ({error.strerror}).",
                    fix="Check that the folder is writable, or choose another with TRIGRAPH_HOME.",
                ) from error
        return Database(path, synchronous=synchronous, busy_seconds=busy_seconds)


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise StoreError(
            f"The home folder {path} cannot be made ({error.strerror}).",
            fix="Choose another with TRIGRAPH_HOME or --home.",
        ) from error
