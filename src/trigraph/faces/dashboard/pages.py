"""Routes of the pages."""

from __future__ import annotations

from importlib.resources import files

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment, PackageLoader
from starlette.exceptions import HTTPException

from trigraph.errors import InvalidInput, NotFound, TrigraphError
from trigraph.faces.dashboard import views
from trigraph.faces.library import Trigraph

_STATIC = {
    "style.css": "text/css; charset=utf-8",
    "keys.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}


def pages(memory: Trigraph) -> FastAPI:
    """The pages over one opened memory."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    environment = Environment(
        loader=PackageLoader("trigraph.faces.dashboard", "templates"), autoescape=True, trim_blocks=True
    )

    def show(template: str, status: int = 200, **values: object) -> HTMLResponse:
        return HTMLResponse(environment.get_template(template).render(values), status_code=status)

    @app.get("/")
    def memories(q: str = "", kind: str = "", cursor: str | None = None) -> HTMLResponse:
        return show("memories.html", view=views.listing(memory, q, kind, cursor))

    @app.get("/memories/{name}")
    def one_memory(name: str, links: str = "") -> HTMLResponse:
        return show("memory.html", view=views.detail(memory, name, links))

    @app.get("/static/{name}")
    def static(name: str) -> Response:
        if name not in _STATIC:
            raise HTTPException(404)
        data = files("trigraph.faces.dashboard").joinpath("static", name).read_bytes()
        return Response(data, media_type=_STATIC[name], headers={"Cache-Control": "max-age=300"})

    @app.exception_handler(TrigraphError)
    def failed(request: Request, error: TrigraphError) -> HTMLResponse:
        status = 404 if isinstance(error, NotFound) else 400 if isinstance(error, InvalidInput) else 503
        return show("problem.html", status, message=error.message, fix=error.fix)

    @app.exception_handler(HTTPException)
    def not_there(request: Request, error: HTTPException) -> HTMLResponse:
        message = "There is no such page." if error.status_code == 404 else error.detail
        return show("problem.html", error.status_code, message=message, fix=None)

    return app
