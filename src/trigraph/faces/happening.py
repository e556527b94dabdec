"""What happens in memory, as it happens, for the library: the store is looked at now and then."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType

from trigraph.engine.engine import Engine
from trigraph.errors import StoreBusy
from trigraph.faces import wire
from trigraph.model.scope import Scope
from trigraph.model.tail import Happened, Tail

PAGE = 100
POLL_SECONDS = 0.5


class HappeningVerbs:
    """What others do with memory, and what one asked oneself."""

    engine: Engine
    scope: Scope

    def events(self, *, after: str | None = None) -> Events:
        """Your recalls and changes of memories that you may see, from now on, or after an event's cursor."""
        cursor = wire.optional_text(after, "after")
        return Events(lambda at: self.engine.tail(self.scope, at, PAGE), cursor)


class Events:
    """A stream to be gone through, until it is closed; from the beginning of its `with` block on, or from the first
    step. `pause` lets so many seconds go by."""

    def __init__(
        self,
        look: Callable[[str | None], Tail],
        after: str | None,
        pause: Callable[[float], object] | None = None,
    ) -> None:
        self._look = look
        self._cursor = after
        self._closed = threading.Event()
        self._pause = pause or self._closed.wait
        self._untold: deque[Happened] = deque()

    def __iter__(self) -> Events:
        return self

    def __next__(self) -> Happened:
        while not self._closed.is_set():
            with suppress(StoreBusy):
                if (found := self.so_far()) is not None:
                    return found
            self._pause(POLL_SECONDS)
        raise StopIteration

    def so_far(self) -> Happened | None:
        """What comes next of all that has happened by now; None if that was told."""
        if not self._untold:
            self._look_again()
        return self._untold.popleft() if self._untold else None

    def close(self) -> None:
        """Listen no longer: whoever waits for the next is let go."""
        self._closed.set()

    def _look_again(self) -> None:
        found = self._look(self._cursor)
        self._untold.extend(found.happened)
        self._cursor = found.cursor

    def __enter__(self) -> Events:
        self._look_again()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
