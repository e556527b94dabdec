"""The web application: routes, what guards them, and errors in one form."""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from trigraph.assembly import flush_spans
from trigraph.faces.dashboard.pages import pages
from trigraph.faces.library import Trigraph
from trigraph.faces.mcp.server import http_app, make_server
from trigraph.faces.requests import LoggedRequests

_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def is_loopback(host: str) -> bool:
    """Whether a name or address means this machine alone."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def make_app(memory: Trigraph, toolset: str = "core") -> FastAPI:
    """The application over one opened memory. Only requests that name this machine are answered."""
    tools = make_server(memory, toolset)
    mounted = http_app(tools)

    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncIterator[None]:
        async with tools.session_manager.run():
            yield
        flush_spans()  # a signal that ends the server runs no exit handlers

    app = FastAPI(
        title="trigraph",
        version=memory.engine.version,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=running,
    )

    @app.middleware("http")
    async def guard(request: Request, answer: Callable[[Request], Awaitable[Response]]) -> Response:
        if not is_loopback(urlsplit(f"//{request.headers.get('host', '')}").hostname or ""):
            # A page elsewhere may point a name of its own at this machine; it is not answered.
            return PlainTextResponse("Invalid host header", status_code=400)
        response = await answer(request)
        response.headers.update(_HEADERS)
        return response

    app.add_middleware(LoggedRequests)

    @app.get("/healthz")
    def healthz() -> JSONResponse:
        """Whether the process and its store answer; degraded is said, and is still an answer."""
        health = memory.health()
        return JSONResponse(
            {
                "status": "ok" if health.ok else "degraded",
                "version": health.engine_version,
                "schema": health.schema_version,
                "problems": list(health.problems),
            }
        )

    app.router.routes.extend(mounted.routes)
    app.mount("/", pages(memory))
    return app
