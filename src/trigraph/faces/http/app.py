"""The web application: routes, what guards them, and errors in one form."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from starlette.middleware.trustedhost import TrustedHostMiddleware

from trigraph.faces.dashboard.pages import pages
from trigraph.faces.library import Trigraph

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]", "::1")
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def make_app(memory: Trigraph) -> FastAPI:
    """The application over one opened memory. Only requests that name this machine are answered."""
    app = FastAPI(title="trigraph", version=memory.engine.version, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(LOOPBACK_NAMES))

    @app.middleware("http")
    async def guard(request: Request, answer: Callable[[Request], Awaitable[Response]]) -> Response:
        response = await answer(request)
        response.headers.update(_HEADERS)
        return response

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

    app.mount("/", pages(memory))
    return app
