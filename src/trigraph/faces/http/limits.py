"""What keeps one client from taking all: the size of a body, requests a minute, requests at once."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trigraph.faces.http.principal import client_of
from trigraph.faces.http.problems import RETRY_SECONDS, Refused, problem
from trigraph.settings import ServerSettings

UNLIMITED = ("/healthz", "/readyz", "/version", "/metrics", "/static/")
"""What watches the server, and what pages are made of."""
STREAMS = "/v1/events"
CLIENTS_MOST = 10_000
WINDOW_SECONDS = 60


class Rate:
    """A bucket a client: it holds a minute's requests and fills up evenly."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_minute = per_minute
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}

    def take(self, client: str) -> tuple[float, float]:
        """Take one; (how many are left, in how many seconds the next one is there). Less than 0 left: refused."""
        now = self._clock()
        if len(self._buckets) > CLIENTS_MOST:
            self._buckets = {
                name: one for name, one in self._buckets.items() if self._filled(one, now) < self.per_minute
            }
        left = self._filled(self._buckets.get(client, (self.per_minute, now)), now) - 1
        if left >= 0:
            self._buckets[client] = (left, now)
        return left, max(0.0, -left) * WINDOW_SECONDS / self.per_minute

    def _filled(self, bucket: tuple[float, float], now: float) -> float:
        left, at = bucket
        return min(self.per_minute, left + (now - at) * self.per_minute / WINDOW_SECONDS)


class Limits:
    """Refuses what is too large or too much, before anything is done for it."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app = app
        self._settings = settings
        self._rate = Rate(settings.rate_per_minute) if settings.rate_per_minute > 0 else None
        self._running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse it, or pass it on with its body read whole."""
        if scope["type"] != "http" or scope["path"].startswith(UNLIMITED):
            await self._app(scope, receive, send)
            return
        headers: dict[str, str] = {}

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(headers)
            await send(message)

        counted = scope["path"] != STREAMS
        self._running += counted
        try:
            headers |= self._check_rate(scope)
            self._check_running()
            body = await self._body(scope, receive)
        except Refused as error:
            await problem(error, scope["path"], scope["state"]["request_id"])(scope, receive, told)
            return
        else:
            await self._app(scope, _replayed(body, receive), told)
        finally:
            self._running -= counted

    def _check_rate(self, scope: Scope) -> dict[str, str]:
        if self._rate is None:
            return {}
        left, wait = self._rate.take(client_of(HTTPConnection(scope)))
        headers = {
            "RateLimit-Policy": f'"requests";q={self._rate.per_minute};w={WINDOW_SECONDS}',
            "RateLimit": f'"requests";r={max(0, math.floor(left))};t={math.ceil(wait)}',
        }
        if left < 0:
            raise Refused(
                429,
                "rate_limited",
                f"More than {self._rate.per_minute} requests a minute.",
                fix="Wait as long as Retry-After says.",
                headers={**headers, "Retry-After": str(max(1, math.ceil(wait)))},
            )
        return headers

    def _check_running(self) -> None:
        if self._running > self._settings.most_requests:
            raise Refused(
                503,
                "overloaded",
                "Too many requests at once.",
                fix="Try again in a moment.",
                headers={"Retry-After": str(RETRY_SECONDS)},
            )

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        told = Headers(scope=scope).get("content-length", "")
        most = self._settings.body_bytes
        size, pieces = int(told) if told.isdecimal() else 0, []
        more = size <= most
        if more:
            size = 0
        while more:
            message = await receive()
            pieces.append(message.get("body", b""))
            size += len(pieces[-1])
            more = message["type"] == "http.request" and message.get("more_body", False) and size <= most
        if size > most:
            raise Refused(
                413,
                "too_large",
                f"A body has at most {most:,} bytes.",
                fix="Send it in parts.",
                headers={"Connection": "close"},
            )
        return b"".join(pieces)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A receive that hands out the body once more, then whatever follows it."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
