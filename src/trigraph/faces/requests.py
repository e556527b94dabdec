"""A log line for each request that a server answers: what was asked for, how it ended, how long it took. Never what
was in it."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

from trigraph.contracts import LOGGED

LOGGER = logging.getLogger("trigraph.requests")

Message = MutableMapping[str, Any]
App = Callable[[Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]]


@contextmanager
def logged(face: str, request: str) -> Iterator[dict[str, Any]]:
    """A line when the block ends, with what was put into the dictionary; `outcome` is ok unless it says otherwise."""
    told: dict[str, Any] = {"face": face, "request": request, "outcome": "ok"}
    started = time.perf_counter()
    try:
        yield told
    except BaseException as error:
        told["outcome"] = type(error).__qualname__
        raise
    finally:
        if LOGGER.isEnabledFor(logging.INFO):
            told["ms"] = round((time.perf_counter() - started) * 1000, 3)
            LOGGER.info("%s %s", request, told["outcome"], extra={LOGGED: {"event": "request", **told}})


class LoggedRequests:
    """An ASGI application whose requests are logged by their route: a path itself may hold a name or a query."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(
        self,
        scope: Message,
        receive: Callable[[], Awaitable[Message]],
        send: Callable[[Message], Awaitable[None]],
    ) -> None:
        """Pass a request on, and log it when it was answered."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        with logged("http", str(scope["method"])) as told:

            async def sent(message: Message) -> None:
                if message["type"] == "http.response.start":
                    told["status"] = message["status"]
                    told["outcome"] = "ok" if message["status"] < 400 else "refused"
                await send(message)

            await self._app(scope, receive, sent)
            told["request"] = " ".join([scope["method"], *_route(scope)])


def _route(scope: Message) -> list[str]:
    """The path of the route that answered, as it is declared."""
    declared = getattr(scope.get("route"), "path", None)
    if isinstance(declared, str):
        return [declared]
    routes = getattr(scope.get("app"), "routes", ())
    return [scope["path"]] if any(getattr(one, "path", None) == scope["path"] for one in routes) else []
