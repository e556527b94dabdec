"""One SQLite file: its connections, its transactions, and driver errors as ours."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from trigraph.errors import (
    InvalidInput,
    StorageFull,
    StoreBusy,
    StoreClosed,
    StoreCorrupt,
    StoreError,
)

BUSY_TIMEOUT_SECONDS = 60
_OPENING_TRIES = 200
_POOL_SIZE = 16
_CACHE_KIB = 32 * 1024
"""Pages that a connection may keep: a recall in 100,000 memories touches more than 16 MB of them."""


class Database:
    """A file (or, with `path` None, a database in memory) shared by many threads and processes.

    Connections are pooled. Inside `transaction` or `snapshot` a thread keeps one connection, and every
    query it makes goes through it. A database in memory has a single connection, taken in turns.
    """

    def __init__(
        self, path: Path | None, *, synchronous: str = "FULL", busy_seconds: float = BUSY_TIMEOUT_SECONDS
    ) -> None:
        self.path = path
        self._busy_seconds = busy_seconds
        self._synchronous = synchronous
        self._idle: list[apsw.Connection] = []
        self._lock = threading.Lock()
        self._turn = threading.RLock()
        self._bound = threading.local()
        self._owner = os.getpid()
        self._closed = False
        if path is None:
            self._idle.append(self._open())

    @contextmanager
    def connection(self) -> Iterator[apsw.Connection]:
        """The thread's bound connection, or one from the pool for as long as the block lasts."""
        bound: apsw.Connection | None = getattr(self._bound, "connection", None)
        with self._translated():
            if bound is not None:
                yield bound
                return
            with self._borrowed() as borrowed:
                yield borrowed

    @contextmanager
    def transaction(self) -> Iterator[apsw.Connection]:
        """`BEGIN IMMEDIATE` … `COMMIT`, or everything undone. Does not nest."""
        with self._bind("BEGIN IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[apsw.Connection]:
        """All reads of the block see one state. Inside a transaction it changes nothing."""
        if getattr(self._bound, "connection", None) is not None:
            yield self._bound.connection
            return
        with self._bind("BEGIN") as connection:
            yield connection

    @contextmanager
    def reading_untouched(self) -> Iterator[apsw.Connection]:
        """A connection of its own that cannot write, for looking at a file that may not be ours."""
        with self._translated():
            connection = apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READONLY)
            try:
                connection.set_busy_timeout(BUSY_TIMEOUT_SECONDS * 1000)
                yield connection
            finally:
                connection.close()

    @property
    def in_transaction(self) -> bool:
        """Whether this thread may write now."""
        return bool(getattr(self._bound, "writing", False))

    def close(self) -> None:
        """Close idle connections; busy ones follow when their block ends."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        if self._owner == os.getpid():
            for connection in idle:
                connection.close()

    @contextmanager
    def _bind(self, begin: str) -> Iterator[apsw.Connection]:
        if getattr(self._bound, "connection", None) is not None:
            raise StoreError("a transaction is already open in this thread")
        with self._translated(), self._borrowed() as connection:
            connection.execute(begin)
            self._bound.connection = connection
            self._bound.writing = begin != "BEGIN"
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                self._bound.connection = None
                self._bound.writing = False
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    @contextmanager
    def _borrowed(self) -> Iterator[apsw.Connection]:
        if self.path is None:
            with self._turn:
                self._check_open()
                yield self._idle[0]
            return
        self._check_open()
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        connection = connection or self._open()
        try:
            yield connection
        finally:
            with self._lock:
                keep = not self._closed and len(self._idle) < _POOL_SIZE
                if keep:
                    self._idle.append(connection)
            if not keep:
                connection.close()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosed("The store is closed.", fix="Open it again.")
        if self._owner != os.getpid():
            raise StoreClosed(
                "The store was opened before this process was forked.",
                fix="Open it again in the child process; SQLite connections do not survive a fork.",
            )

    def _open(self) -> apsw.Connection:
        for attempt in range(_OPENING_TRIES):
            connection = None
            try:
                connection = apsw.Connection(":memory:" if self.path is None else str(self.path))
                _prepare(connection, self._synchronous, self._busy_seconds)
                return connection
            except apsw.BusyError:
                # Switching a new file to WAL may find another process doing the same: SQLite does not
                # always wait there by itself.
                if connection is not None:
                    connection.close()
                if attempt == _OPENING_TRIES - 1:
                    raise
                time.sleep(random.uniform(0.005, 0.1))
            except apsw.Error:
                if connection is not None:
                    connection.close()
                raise
        raise AssertionError("unreachable")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        where = str(self.path or "the store in memory")
        try:
            yield
        except apsw.BusyError as error:
            raise StoreBusy(
                f"{where} was locked by another process for over {self._busy_seconds:g} s.",
                fix="Try again; `trigraph health` shows whether something holds it.",
            ) from error
        except apsw.FullError as error:
            raise StorageFull(
                f"No space left for {where}.", fix="Free some space and try again; nothing was half-written."
            ) from error
        except (apsw.CorruptError, apsw.NotADBError) as error:
            raise StoreCorrupt(
                f"{where} is damaged or is not a trigraph store ({error}).",
                fix="Move it aside and restore a backup; trigraph does not write to it.",
            ) from error
        except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError) as error:
            raise StoreError(
                f"{where} cannot be opened for writing ({error}).",
                fix="Check that the folder exists and is writable, or choose another with TRIGRAPH_HOME.",
            ) from error
        except apsw.IOError as error:
            raise _input_output_error(where, error) from error
        except apsw.ConnectionClosedError as error:
            raise StoreClosed("The store is closed.", fix="Open it again.") from error
        except apsw.Error as error:
            raise StoreError(f"{where}: {error}") from error
        except UnicodeEncodeError as error:
            raise InvalidInput(
                "A text is not valid Unicode (a lone surrogate).",
                field="text",
                fix="Decode the bytes as UTF-8 before handing them over.",
            ) from error


def _prepare(connection: apsw.Connection, synchronous: str, busy_seconds: float) -> None:
    connection.set_busy_timeout(int(busy_seconds * 1000))
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.pragma("journal_mode", "WAL")
    connection.pragma("synchronous", synchronous)
    connection.pragma("foreign_keys", True)
    connection.pragma("trusted_schema", False)
    connection.pragma("secure_delete", True)
    connection.pragma("cell_size_check", True)
    connection.pragma("temp_store", "MEMORY")
    connection.pragma("journal_size_limit", 64 * 1024 * 1024)
    connection.pragma("cache_size", -_CACHE_KIB)
    connection.pragma("fullfsync", True)


def _input_output_error(where: str, error: apsw.IOError) -> StoreError:
    """A write cut short by a quota or file-size limit is a full disk to the user."""
    if getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_WRITE:
        return StorageFull(
            f"Writing to {where} failed ({error}).",
            fix="Free space or raise the quota, then try again; nothing was half-written.",
        )
    return StoreError(f"{where}: {error}.", fix="Check the disk.")
