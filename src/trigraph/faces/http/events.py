"""Server-sent events: what happens in memory, as it happens, for who may see it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from functools import partial

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from trigraph.errors import StoreBusy, TrigraphError
from trigraph.faces import wire
from trigraph.faces.http.answering import Endpoint
from trigraph.faces.http.principal import principal_of
from trigraph.faces.http.problems import RETRY_SECONDS, Refused, problem
from trigraph.faces.library import Trigraph
from trigraph.model.access import Right
from trigraph.model.tail import Happened, Tail
from trigraph.settings import ServerSettings

PAGE = 100
POLL_SECONDS = 0.5
HEARTBEAT_SECONDS = 15.0
AGAIN_MILLISECONDS = 2000
"""How long a client that was cut off waits before it comes back."""


def events(memory: Trigraph, settings: ServerSettings, stopping: asyncio.Event) -> Endpoint:
    """What answers `GET /v1/events`. A stream ends when the client goes, its token does, or the server stops."""
    streams = 0

    def look(request: Request, cursor: str | None) -> Tail:
        """Who asks is looked up anew each time: a token may have been revoked since."""
        principal = principal_of(request, memory, settings)
        principal.require(Right.READ)
        return memory.engine.tail(principal.scope, cursor, PAGE)

    async def told(request: Request, first: Tail) -> AsyncIterator[str]:
        nonlocal streams
        try:
            async for part in _stream(request, first, partial(look, request), stopping):
                yield part
        finally:
            streams -= 1

    async def answer(request: Request) -> Response:
        nonlocal streams
        try:
            if streams >= settings.most_streams:
                raise _too_many()
            first = await run_in_threadpool(look, request, request.headers.get("last-event-id") or None)
        except TrigraphError as error:
            return problem(error, request.url.path, request.state.request_id, {"cursor": "header"})
        streams += 1
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(told(request, first), media_type="text/event-stream", headers=headers)

    return answer


async def _stream(
    request: Request, found: Tail, look: Callable[[str], Tail], stopping: asyncio.Event
) -> AsyncIterator[str]:
    yield f"retry: {AGAIN_MILLISECONDS}\nevent: ready\nid: {found.cursor}\ndata: {{}}\n\n"
    spoken = time.monotonic()
    while not stopping.is_set() and not await request.is_disconnected():
        for one in found.happened:
            yield _event(one)
            spoken = time.monotonic()
        if time.monotonic() - spoken >= HEARTBEAT_SECONDS:
            yield ": still here\n\n"
            spoken = time.monotonic()
        if not found.happened:
            await _pause(stopping)
        try:
            found = await run_in_threadpool(look, found.cursor)
        except StoreBusy:
            found = Tail((), found.cursor)
        except TrigraphError:
            return


def _event(happened: Happened) -> str:
    return f"event: {happened.event}\nid: {happened.cursor}\ndata: {json.dumps(wire.to_json(happened.what))}\n\n"


async def _pause(stopping: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(stopping.wait(), POLL_SECONDS)
    except TimeoutError:
        return


def _too_many() -> Refused:
    return Refused(
        503,
        "overloaded",
        "Too many streams are open.",
        fix="Close one, or try again later.",
        headers={"Retry-After": str(RETRY_SECONDS)},
    )
