"""A scan of vectors beside what else a recall reads: numpy and SQLite both let go of the interpreter meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trigraph.contracts import Vectors
    from trigraph.stores.sqlite.vectors import Scanned, Scanning, VectorIndex

_WORKERS = 2
_ROWS_LEAST = 5_000
"""Fewer rows are scanned at once when they are asked for: handing them over costs as much."""


class Scanner:
    """Threads that scan. They start with the first scan that is worth it, and end with `close`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._workers: ThreadPoolExecutor | None = None
        self._closed = False

    def begin(self, index: VectorIndex, vector: Vectors) -> Callable[[], Scanned]:
        """Scan an index that is caught up. What comes back helps with what is left and waits for the rest, as often as
        it is called."""
        scanning = index.scanning(vector)
        begun = self._handed_over(scanning) if index.count >= _ROWS_LEAST else None

        def finished() -> Scanned:
            scanning.go_on()
            if begun is not None:
                begun.result()
            return scanning.scanned

        return finished

    def close(self) -> None:
        """Wait for what is under way; no thread is left."""
        with self._lock:
            self._closed = True
            workers, self._workers = self._workers, None
        if workers is not None:
            workers.shutdown(wait=True)

    def _handed_over(self, scanning: Scanning) -> Future[None] | None:
        with self._lock:
            if self._closed:
                return None
            if self._workers is None:
                self._workers = ThreadPoolExecutor(_WORKERS, thread_name_prefix="trigraph-scan")
            return self._workers.submit(scanning.go_on)
