"""The pages as an application: each page and action of the registry, signing in and out, and their files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from jinja2 import Environment, PackageLoader
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.routing import Route

from trigraph.errors import Conflict, Forbidden, InvalidInput, NotFound, TrigraphError, Unauthenticated
from trigraph.faces import wire
from trigraph.faces.dashboard import cards
from trigraph.faces.dashboard.frame import (
    Action,
    Answer,
    Asked,
    Done,
    Fields,
    Frame,
    Page,
    Problem,
    Shown,
    Streamed,
    address_of,
    navigation,
)
from trigraph.faces.dashboard.notices import COOKIE as NOTICE_COOKIE
from trigraph.faces.dashboard.notices import SECONDS, notice_in
from trigraph.faces.dashboard.registry import ACTIONS, PAGES, SIGN_IN, SIGN_OUT
from trigraph.faces.library import Trigraph
from trigraph.model.access import Principal, Right

_STATUS: dict[type[TrigraphError], int] = {
    InvalidInput: 400,
    Unauthenticated: 401,
    Forbidden: 403,
    NotFound: 404,
    Conflict: 409,
}
_STATIC = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
_NO_STORE = {"Cache-Control": "no-store"}

COOKIE = "trigraph_token"
"""Holds the token of who signed in. It is sent with what our own pages ask for alone."""


class Pages:
    """The pages over one opened memory; `memory_of` says whose each request is, `principal_of` what that may do."""

    def __init__(
        self,
        memory: Trigraph,
        memory_of: Callable[[Request], Trigraph],
        principal_of: Callable[[Request], Principal],
    ) -> None:
        self._memory = memory
        self._memory_of = memory_of
        self._principal_of = principal_of
        self._environment = Environment(
            loader=PackageLoader("trigraph.faces.dashboard", "templates"),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters |= {
            "day": cards.day,
            "minute": cards.minute,
            "one_line": cards.one_line,
            "counted": cards.counted,
            "memory_url": cards.memory_url,
            "entity_url": cards.entity_url,
        }
        self._environment.globals["address_of"] = address_of

    def app(self) -> FastAPI:
        """Every page under its path, every action under its own."""
        app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
        app.router.routes += [Route(one.path, self._looking(one), methods=["GET"]) for one in PAGES]
        app.router.routes += [Route(one.path, self._doing(one), methods=["POST"]) for one in ACTIONS]
        app.add_api_route(SIGN_IN, self._sign_in, methods=["GET"])
        app.add_api_route(SIGN_IN, self._signed_in, methods=["POST"])
        app.add_api_route(SIGN_OUT, self._signed_out, methods=["POST"])
        app.add_api_route("/static/{name}", self._static, methods=["GET"])
        app.add_exception_handler(TrigraphError, self._failed)
        app.add_exception_handler(HTTPException, self._not_there)
        return app

    def _looking(self, page: Page) -> Callable[[Request], object]:
        def answer(request: Request) -> Response:
            asked = self._asked(request, Fields())
            if page.right not in asked.rights:
                self._principal_of(request).require(page.right)
            return self._answered(request, asked, page.show(asked))

        return answer

    def _doing(self, action: Action) -> Callable[[Request], object]:
        def obey(request: Request, body: bytes) -> Response:
            asked = self._asked(request, Fields.read(body.decode(errors="replace")))
            try:
                answer: Answer = action.do(asked)
            except Unauthenticated:
                raise
            except TrigraphError as error:
                asked = _sent_back(asked, Problem.of(error, action.path, asked.form))
                answer = action.page(asked)
                if isinstance(answer, Shown):
                    answer = replace(answer, status=_status_of(error))
            return self._answered(request, asked, answer)

        async def answer(request: Request) -> Response:
            body = await request.body()
            return await run_in_threadpool(obey, request, body)

        return answer

    def _asked(self, request: Request, form: Fields) -> Asked:
        query = Fields.read(request.url.query)
        path = request.url.path
        said = [(name, value) for name, value in query.pairs if name != "format"]
        rights = self._principal_of(request).rights
        address = address_of(path, *said)
        return Asked(self._memory_of(request), rights, address, dict(request.path_params), query, form)

    def _answered(self, request: Request, asked: Asked, answer: Answer) -> Response:
        match answer:
            case Done(to, notice):
                response = RedirectResponse(to, status_code=303, headers=_NO_STORE)
                if notice is not None:
                    response.set_cookie(
                        NOTICE_COOKIE, notice.encoded, max_age=SECONDS, httponly=True, samesite="strict"
                    )
                return response
            case Streamed(parts, media_type, name):
                sent = {**_NO_STORE, "Content-Disposition": f'attachment; filename="{name}"'}
                return StreamingResponse(parts, media_type=media_type, headers=sent)
            case Shown(_, _, data, status) if asked.query.one("format") == "json":
                return JSONResponse(wire.to_json(data), status, headers=_NO_STORE)
            case Shown(template, view, _, status):
                return self._page(request, template, status, asked, view=view)

    def _page(
        self, request: Request, template: str, status: int = 200, asked: Asked | None = None, **values: object
    ) -> HTMLResponse:
        notice = notice_in(request.cookies.get(NOTICE_COOKIE))
        rights: frozenset[Right] = asked.rights if asked else frozenset()
        address = asked.address if asked else request.url.path
        path, _, said = address.partition("?")
        frame = Frame(
            navigation=navigation(PAGES, rights, path),
            agent=asked.memory.scope.agent if asked else "",
            signed_in=COOKIE in request.cookies,
            query=asked.query.one("q") if asked else "",
            address=address,
            json_url=address_of(path, *Fields.read(said).pairs, ("format", "json")),
            notice=notice,
            problem=asked.problem if asked else None,
            may=rights,
        )
        shown = self._environment.get_template(template).render(frame=frame, **values)
        response = HTMLResponse(shown, status_code=status, headers=_NO_STORE)
        if notice is not None:
            response.delete_cookie(NOTICE_COOKIE, httponly=True, samesite="strict")
        return response

    def _sign_in(self, request: Request) -> Response:
        return self._page(request, "login.html")

    async def _signed_in(self, request: Request) -> Response:
        given = Fields.read((await request.body()).decode(errors="replace")).one("token")
        try:
            await run_in_threadpool(self._memory.engine.authenticate, given, None, None)
        except Unauthenticated as error:
            return self._page(request, "login.html", 401, message=error.message)
        answer = RedirectResponse("/", status_code=303)
        answer.set_cookie(COOKIE, given, httponly=True, samesite="strict", secure=request.url.scheme == "https")
        return answer

    def _signed_out(self, request: Request) -> Response:
        answer = RedirectResponse(SIGN_IN, status_code=303)
        answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
        return answer

    def _static(self, request: Request, name: str) -> Response:
        file = files("trigraph.faces.dashboard").joinpath("static", name)
        ending = name.rpartition(".")[2]
        if "/" in name or "\\" in name or ending not in _STATIC or not file.is_file():
            raise HTTPException(404)
        return Response(file.read_bytes(), media_type=_STATIC[ending], headers={"Cache-Control": "max-age=300"})

    def _failed(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, TrigraphError)
        if request.query_params.get("format") == "json":
            return JSONResponse(wire.error_json(error), _status_of(error), headers=_NO_STORE)
        told = {"message": error.message, "fix": error.fix}
        return self._page(request, "problem.html", _status_of(error), self._around(request), **told)

    def _not_there(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        message = "There is no such page." if error.status_code == 404 else error.detail
        return self._page(request, "problem.html", error.status_code, self._around(request), message=message, fix=None)

    def _around(self, request: Request) -> Asked | None:
        """What is known of who asks, where a page could not be shown."""
        try:
            return self._asked(request, Fields())
        except TrigraphError:
            return None


def _sent_back(asked: Asked, problem: Problem) -> Asked:
    """The page that a form was sent from, asked for again, with what was wrong."""
    query = Fields.read(asked.back.partition("?")[2])
    return replace(asked, address=asked.back, query=query, problem=problem)


def _status_of(error: TrigraphError) -> int:
    return next((status for kind, status in _STATUS.items() if isinstance(error, kind)), 503)
