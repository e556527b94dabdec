"""The remote clients as tests reach them: one that waits, and one that awaits, driven so that it is called alike."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import trigraph


class Awaited:
    """Calls what is to be awaited, and waits for it."""

    def __init__(self, awaiting: Any, runner: asyncio.Runner) -> None:
        self._awaiting = awaiting
        self._runner = runner

    @property
    def docs(self) -> Awaited:
        return Awaited(self._awaiting.docs, self._runner)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._awaiting, name)

        async def called(*args: Any, **kwargs: Any) -> Any:
            return await method(*args, **kwargs)

        return lambda *args, **kwargs: self._runner.run(called(*args, **kwargs))


@contextmanager
def waiting(url: str, **options: Any) -> Iterator[Any]:
    """The client that waits."""
    with trigraph.connect(url, **options) as memory:
        yield memory


@contextmanager
def awaiting(url: str, **options: Any) -> Iterator[Any]:
    """The client that awaits, as if it waited."""
    with asyncio.Runner() as runner:
        memory = trigraph.connect_async(url, **options)
        runner.run(memory.__aenter__())
        try:
            yield Awaited(memory, runner)
        finally:
            runner.run(memory.close())


CLIENTS = {"sync": waiting, "async": awaiting}
