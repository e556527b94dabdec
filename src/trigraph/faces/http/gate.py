"""The gate: who asks is found out once, on the way in, for the API, the tools and the pages alike."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from trigraph.errors import TrigraphError, Unauthenticated
from trigraph.faces.dashboard.registry import SIGN_IN, SIGN_OUT, STATIC, is_page
from trigraph.faces.http.principal import principal_of
from trigraph.faces.http.problems import problem
from trigraph.faces.library import Trigraph
from trigraph.settings import ServerSettings

OPEN = frozenset({"/healthz", "/readyz", "/version", "/openapi.json", "/docs", SIGN_IN, SIGN_OUT})
"""What anybody may ask: it says nothing of what is remembered, nor by whom."""


class Recognise:
    """Finds out who asks. Those whom nobody knows go on as such, so that they are counted before they are refused."""

    def __init__(self, app: ASGIApp, memory: Trigraph, settings: ServerSettings) -> None:
        self._app = app
        self._memory = memory
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass it on, with `principal` or `refusal` in its state."""
        if scope["type"] == "http":
            state = scope["state"]
            try:
                principal = await run_in_threadpool(principal_of, HTTPConnection(scope), self._memory, self._settings)
            except TrigraphError as error:
                state["refusal"] = error
            else:
                state |= {"principal": principal, "agent": principal.scope.agent}
        await self._app(scope, receive, send)


class Admit:
    """Lets in whoever was recognised; the others see what is open, and are told what they need."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse it, or pass it on."""
        refusal = scope["state"].get("refusal") if scope["type"] == "http" else None
        if refusal is None or scope["path"] in OPEN or scope["path"].startswith(STATIC):
            await self._app(scope, receive, send)
        else:
            await _refused(scope, refusal)(scope, receive, send)


def _refused(scope: Scope, refusal: TrigraphError) -> Response:
    """People are led to where they sign in; programs are told."""
    asking = HTTPConnection(scope)
    shown = is_page(scope["method"], scope["path"]) and "authorization" not in asking.headers
    if shown and isinstance(refusal, Unauthenticated):
        return RedirectResponse(SIGN_IN, status_code=303, headers={"Cache-Control": "no-store"})
    return problem(refusal, scope["path"], scope["state"]["request_id"])
