"""Every request under an id of its own: echoed, counted, and logged without a word of what was asked."""

from __future__ import annotations

import re
import secrets
import time
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trigraph.faces.http.metrics import Metrics
from trigraph.faces.requests import log_request

ELSEWHERE = "pages"
"""What stands for the route of a request that is none of the API's."""
_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_TRACEPARENT = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
_REFUSED = 400
_METHODS = frozenset("GET HEAD POST PUT PATCH DELETE OPTIONS".split())


class Watching:
    """Gives a request its id, and tells how it ended."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass it on; what is no HTTP request passes untouched."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        echoed = _echoed(Headers(scope=scope))
        state = scope.setdefault("state", {})
        state |= {"request_id": echoed["X-Request-Id"], "route": ELSEWHERE}
        started, status = time.perf_counter(), 500

        async def told(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message).update(echoed)
            await send(message)

        try:
            await self._app(scope, receive, told)
        finally:
            self._ended(scope, state, status, time.perf_counter() - started)

    def _ended(self, scope: Scope, state: dict[str, Any], status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in _METHODS else "other"
        self._metrics.answered(method, state["route"], status, seconds)
        told = {"request_id": state["request_id"], "status": status, "agent": state.get("agent")}
        log_request("http", f"{method} {state['route']}", "ok" if status < _REFUSED else "refused", seconds, told)


def _echoed(headers: Headers) -> dict[str, str]:
    given = headers.get("x-request-id", "")
    echoed = {"X-Request-Id": given if _ID.fullmatch(given) else secrets.token_hex(8)}
    trace = headers.get("traceparent", "")
    return {**echoed, "traceparent": trace} if _TRACEPARENT.fullmatch(trace) else echoed
