"""The web application: the API, the pages, what guards them, and errors in one form."""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio import to_thread
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route as StarletteRoute

from trigraph.assembly import flush_spans
from trigraph.faces.allowed import Allowed
from trigraph.faces.dashboard.pages import Pages
from trigraph.faces.dashboard.registry import LIVE
from trigraph.faces.http.answering import Endpoint, endpoint
from trigraph.faces.http.compat import compat_routes
from trigraph.faces.http.events import events
from trigraph.faces.http.gate import Admit, Recognise
from trigraph.faces.http.guard import Guard
from trigraph.faces.http.limits import Limits
from trigraph.faces.http.metrics import Metrics
from trigraph.faces.http.principal import principal_in
from trigraph.faces.http.problems import Refused, problem
from trigraph.faces.http.routes import ROUTES
from trigraph.faces.http.status import status_routes
from trigraph.faces.http.watching import Watching
from trigraph.faces.library import Trigraph
from trigraph.faces.mcp.server import http_app, make_server
from trigraph.settings import ServerSettings


def make_app(memory: Trigraph, settings: ServerSettings | None = None, toolset: str = "core") -> FastAPI:
    """The application over one opened memory, for whoever is let in: see gate.py.

    `app.state.stopping` ends the streams; `app.state.metrics` counts what other faces of the server do as well.
    """
    settings = settings or ServerSettings()
    tools = make_server(memory, toolset, remote=True)
    mounted = http_app(tools, lambda scope: Allowed(memory.engine, principal_in(HTTPConnection(scope))))

    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = max(settings.threads, 1)
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
    app.state.metrics = Metrics(memory.engine.version)
    app.state.stopping = asyncio.Event()
    app.router.routes += [*status_routes(memory, app.state.metrics), *mounted]
    if toolset == "compat":
        app.router.routes += compat_routes(memory)
    stream = events(memory, settings, app.state.stopping)
    app.router.routes.append(StarletteRoute(LIVE, stream, methods=["GET"]))
    app.mount("/v1", _api(memory, settings, app.state.metrics, stream))
    app.mount("/", Pages(memory, lambda asking: Allowed(memory.engine, principal_in(asking)), principal_in).app())
    app.add_exception_handler(HTTPException, _not_there)
    app.add_middleware(Admit)
    app.add_middleware(Limits, settings=settings)
    app.add_middleware(Recognise, memory=memory, settings=settings)
    app.add_middleware(Guard, settings=settings)
    app.add_middleware(Watching, metrics=app.state.metrics)
    return app


def _api(memory: Trigraph, settings: ServerSettings, metrics: Metrics, stream: Endpoint) -> Starlette:
    by_path: dict[str, dict[str, Endpoint]] = defaultdict(dict)
    templates: dict[str, str] = {}
    for route in ROUTES:
        by_path[route.path][route.method] = endpoint(route, memory, settings, metrics)
        templates[route.path] = f"/v1{route.template}"
    by_path["/events"]["GET"] = stream
    templates["/events"] = "/v1/events"
    routes = [
        StarletteRoute(path, _dispatch(by_path[path], templates[path]), methods=list(by_path[path]))
        for path in sorted(by_path, key=_order)
    ]
    return Starlette(routes=routes, exception_handlers={HTTPException: _not_there})


def _dispatch(by_method: dict[str, Endpoint], template: str) -> Endpoint:
    """One path, its methods: what it is counted as is its template, never the names in it."""

    async def answer(request: Request) -> Response:
        request.state.route = template
        try:
            return await by_method["GET" if request.method == "HEAD" else request.method](request)
        except Exception as error:
            return _broken(request, error)

    return answer


def _order(path: str) -> list[int]:
    """Words before names, names before whole paths, the longer before the shorter."""
    return [*(2 if ":path}" in part else 1 if "{" in part else 0 for part in path.split("/")), 3]


def _not_there(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "no_such_route", 405: "method_not_allowed"}.get(error.status_code, "refused")
    says = {404: "There is no such route.", 405: "The route does not take this method."}
    refused = Refused(
        error.status_code,
        code,
        says.get(error.status_code, str(error.detail)),
        fix="See /docs.",
        headers=error.headers,
    )
    return problem(refused, request.url.path, request.state.request_id)


def _broken(request: Request, error: Exception) -> Response:
    """A fault of ours: said as one, with where it happened on stderr and nothing of what was asked."""
    where = "".join(traceback.format_list(traceback.extract_tb(error.__traceback__)))
    print(f"{request.state.request_id}: {type(error).__name__}\n{where}", file=sys.stderr, flush=True)
    refused = Refused(500, "internal", "trigraph failed.", fix="Report it with the request id.")
    return problem(refused, request.url.path, request.state.request_id)
