"""What happens in memory, as it happens: a server's stream, taken up again where it was cut off."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from types import TracebackType
from typing import Any

import httpx

from trigraph.errors import Incompatible
from trigraph.faces import wire
from trigraph.faces.remote.asking import Request
from trigraph.model.change import MemoryVersion
from trigraph.model.tail import Happened, RecallMade

KINDS: dict[str, type] = {"change": MemoryVersion, "recall": RecallMade}
SILENCE_SECONDS = 45.0
"""A server says every 15 seconds that it is still there: one that is silent for so long is not."""
_PAUSE_SECONDS = 2.0


class Listener:
    """Reads the lines of a stream, and knows where it stands in it."""

    def __init__(self, after: str | None) -> None:
        self.pause_seconds = _PAUSE_SECONDS
        self._cursor = after
        self._event: dict[str, str] = {}

    def request(self) -> Request:
        """What opens the stream where it was left."""
        self._event = {}
        at = {} if self._cursor is None else {"Last-Event-ID": self._cursor}
        return Request("GET", "/v1/events", headers={"Accept": "text/event-stream", **at})

    def hear(self, line: str) -> Happened | None:
        """What a line brings to an end, if it does; what this version does not know is passed over."""
        if line:
            name, _, value = line.partition(":")
            before = f"{self._event['data']}\n" if name == "data" and "data" in self._event else ""
            self._event[name] = before + value.removeprefix(" ")
            return None
        event, self._event = self._event, {}
        with suppress(ValueError):
            self.pause_seconds = int(event.get("retry", "")) / 1000
        self._cursor = event.get("id", self._cursor)
        kind = KINDS.get(event.get("event", ""))
        if kind is None or self._cursor is None:
            return None
        return Happened(wire.from_json(kind, _data(event)), self._cursor)


def _data(event: dict[str, str]) -> Any:
    try:
        return json.loads(event.get("data", ""))
    except (ValueError, RecursionError) as error:
        raise Incompatible("An event is not JSON.", fix="Bring client and server to the same version.") from error


class Events:
    """A stream to be gone through, for ever; open from the beginning of its `with` block, or from the first step."""

    def __init__(self, open_: Callable[[Request], httpx.Response], after: str | None) -> None:
        self._open = open_
        self._listener = Listener(after)
        self._answer: httpx.Response | None = None
        self._lines: Iterator[str] = iter(())

    def __iter__(self) -> Events:
        return self

    def __next__(self) -> Happened:
        if self._answer is None:
            self._begin()
        while True:
            with suppress(httpx.TransportError):
                for line in self._lines:
                    if (happened := self._listener.hear(line)) is not None:
                        return happened
            self.close()
            time.sleep(self._listener.pause_seconds)
            self._begin()

    def close(self) -> None:
        """Listen no longer."""
        if self._answer is not None:
            self._answer.close()
            self._answer = None

    def _begin(self) -> None:
        self._answer = self._open(self._listener.request())
        self._lines = self._answer.iter_lines()

    def __enter__(self) -> Events:
        self._begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncEvents:
    """A stream to be gone through with `async for`, as `Events` is without."""

    def __init__(self, open_: Callable[[Request], Awaitable[httpx.Response]], after: str | None) -> None:
        self._open = open_
        self._listener = Listener(after)
        self._answer: httpx.Response | None = None
        self._lines: AsyncIterator[str]

    def __aiter__(self) -> AsyncEvents:
        return self

    async def __anext__(self) -> Happened:
        if self._answer is None:
            await self._begin()
        while True:
            with suppress(httpx.TransportError):
                async for line in self._lines:
                    if (happened := self._listener.hear(line)) is not None:
                        return happened
            await self.close()
            await asyncio.sleep(self._listener.pause_seconds)
            await self._begin()

    async def close(self) -> None:
        """Listen no longer."""
        if self._answer is not None:
            await self._answer.aclose()
            self._answer = None

    async def _begin(self) -> None:
        self._answer = await self._open(self._listener.request())
        self._lines = self._answer.aiter_lines()

    async def __aenter__(self) -> AsyncEvents:
        await self._begin()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
