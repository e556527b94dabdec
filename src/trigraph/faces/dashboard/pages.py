"""Routes of the pages."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from urllib.parse import parse_qs

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, PackageLoader
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from trigraph.errors import Forbidden, InvalidInput, NotFound, TrigraphError, Unauthenticated
from trigraph.faces.dashboard import views
from trigraph.faces.library import Trigraph

_STATUS: dict[type[TrigraphError], int] = {InvalidInput: 400, Unauthenticated: 401, Forbidden: 403, NotFound: 404}
_STATIC = {
    "style.css": "text/css; charset=utf-8",
    "keys.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}


COOKIE = "trigraph_token"
"""Holds the token of who signed in. It is sent with what our own pages ask for alone."""
SIGN_IN, SIGN_OUT, STATIC = "/login", "/logout", "/static/"


def is_page(method: str, path: str) -> bool:
    """Whether a request is for a page to look at."""
    return method in ("GET", "HEAD") and (path == "/" or path.startswith("/memories/"))


def pages(memory: Trigraph, memory_of: Callable[[Request], Trigraph]) -> FastAPI:
    """The pages over one opened memory; `memory_of` says whose each request is."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    environment = Environment(
        loader=PackageLoader("trigraph.faces.dashboard", "templates"), autoescape=True, trim_blocks=True
    )

    def show(template: str, status: int = 200, **values: object) -> HTMLResponse:
        page = environment.get_template(template).render(values)
        return HTMLResponse(page, status_code=status, headers={"Cache-Control": "no-store"})

    @app.get("/")
    def memories(request: Request, q: str = "", kind: str = "", cursor: str | None = None) -> HTMLResponse:
        view = views.listing(memory_of(request), q, kind, cursor)
        return show("memories.html", view=view, signed_in=COOKIE in request.cookies)

    @app.get("/memories/{name}")
    def one_memory(request: Request, name: str, links: str = "") -> HTMLResponse:
        view = views.detail(memory_of(request), name, links)
        return show("memory.html", view=view, signed_in=COOKIE in request.cookies)

    @app.get(SIGN_IN)
    def sign_in() -> HTMLResponse:
        return show("login.html")

    @app.post(SIGN_IN)
    async def signed_in(request: Request) -> Response:
        given = parse_qs((await request.body()).decode(errors="replace")).get("token", [""])[0].strip()
        try:
            await run_in_threadpool(memory.engine.authenticate, given, None, None)
        except Unauthenticated as error:
            return show("login.html", 401, message=error.message)
        answer = RedirectResponse("/", status_code=303)
        answer.set_cookie(COOKIE, given, httponly=True, samesite="strict", secure=request.url.scheme == "https")
        return answer

    @app.post(SIGN_OUT)
    def signed_out() -> Response:
        answer = RedirectResponse(SIGN_IN, status_code=303)
        answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
        return answer

    @app.get("/static/{name}")
    def static(name: str) -> Response:
        if name not in _STATIC:
            raise HTTPException(404)
        data = files("trigraph.faces.dashboard").joinpath("static", name).read_bytes()
        return Response(data, media_type=_STATIC[name], headers={"Cache-Control": "max-age=300"})

    @app.exception_handler(TrigraphError)
    def failed(request: Request, error: TrigraphError) -> HTMLResponse:
        status = next((status for kind, status in _STATUS.items() if isinstance(error, kind)), 503)
        return show("problem.html", status, message=error.message, fix=error.fix)

    @app.exception_handler(HTTPException)
    def not_there(request: Request, error: HTTPException) -> HTMLResponse:
        message = "There is no such page." if error.status_code == 404 else error.detail
        return show("problem.html", error.status_code, message=message, fix=None)

    return app
