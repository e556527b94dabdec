"""Whether the server lives and can work, what it is, and its figures."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from trigraph.errors import Forbidden, TrigraphError, Unauthenticated
from trigraph.faces.http.docs_page import page
from trigraph.faces.http.metrics import MEDIA_TYPE, Metrics
from trigraph.faces.http.openapi import document
from trigraph.faces.http.principal import principal_in
from trigraph.faces.http.problems import Json, problem
from trigraph.faces.library import Trigraph
from trigraph.model.access import Right


def status_routes(memory: Trigraph, metrics: Metrics) -> list[BaseRoute]:
    """The routes beside the API's own."""
    version = memory.engine.version

    def healthz(request: Request) -> Response:
        """Whether the process and its store answer; degraded is said, and is still an answer."""
        health = memory.health()
        told = {
            "status": "ok" if health.ok else "degraded",
            "version": health.engine_version,
            "schema": health.schema_version,
        }
        return Json({**told, "problems": list(health.problems)} if _runs_it(request) else told)

    def readyz(request: Request) -> Response:
        """Whether the store can be written to, by a transaction that changes nothing."""
        try:
            schema, _ = memory.engine.ready(memory.scope)
        except TrigraphError as error:
            told = {"status": "unavailable", "code": error.code}
            told |= {"detail": error.message, "fix": error.fix or ""} if _runs_it(request) else {}
            return Json(told, status_code=503, headers={"Retry-After": "1"})
        return Json({"status": "ready", "schema": schema})

    def told_version(request: Request) -> Response:
        return Json({"version": version, "api": "v1"})

    def figures(request: Request) -> Response:
        if not _runs_it(request):
            refused = Forbidden("Figures are of all who use the server.", fix="Use a token with the right admin.")
            return problem(refused, request.url.path, request.state.request_id)
        try:
            store_bytes = memory.engine.ready(memory.scope, write=False)[1]
        except TrigraphError:
            store_bytes = None
        return Response(metrics.text(store_bytes), media_type=MEDIA_TYPE)

    def described(request: Request) -> Response:
        return Json(document(version))

    def docs(request: Request) -> Response:
        return HTMLResponse(page(version))

    answers = {
        "/healthz": healthz,
        "/readyz": readyz,
        "/version": told_version,
        "/metrics": figures,
        "/openapi.json": described,
        "/docs": docs,
    }
    return [Route(path, answer) for path, answer in answers.items()]


def _runs_it(request: Request) -> bool:
    """Whether who asks is told of the server itself, which may serve many: the local user, or who administers it."""
    try:
        principal = principal_in(request)
    except Unauthenticated:
        return False
    return principal.token_id is None or Right.ADMIN in principal.rights
