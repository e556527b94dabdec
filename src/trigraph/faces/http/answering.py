"""One request answered: who asks, what for, the verb, and its answer as every face shows it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from trigraph.errors import TrigraphError
from trigraph.faces import wire
from trigraph.faces.allowed import Allowed
from trigraph.faces.http.etags import etag_of, match_of, unchanged
from trigraph.faces.http.metrics import Metrics
from trigraph.faces.http.principal import principal_in
from trigraph.faces.http.problems import Json, problem
from trigraph.faces.http.reading import Reader
from trigraph.faces.http.table import Route
from trigraph.faces.library import Trigraph
from trigraph.model.change import Changed
from trigraph.model.memory import MEMORY_PREFIX
from trigraph.model.recall import Recall
from trigraph.model.report import ItemStatus, RememberReport
from trigraph.settings import ServerSettings

Endpoint = Callable[[Request], Awaitable[Response]]


def endpoint(route: Route, memory: Trigraph, settings: ServerSettings, metrics: Metrics) -> Endpoint:
    """What answers the requests of a route: one hop to a thread, in which all the work is done."""
    reader = Reader(route)

    def respond(request: Request, body: bytes) -> Response:
        try:
            own = _allowed(route, request, memory)
            arguments = reader.read(request, body)
            if route.guarded:
                arguments["check"] = match_of(request, needed=settings.require_if_match)
            answer = route.do(own, arguments)
        except TrigraphError as error:
            metrics.refused(error)
            return problem(error, request.url.path, request.state.request_id, reader.places)
        metrics.observe(answer, arguments)
        return _shown(route, request, answer)

    async def answer(request: Request) -> Response:
        body = await request.body()
        return await run_in_threadpool(respond, request, body)

    return answer


def _allowed(route: Route, request: Request, memory: Trigraph) -> Trigraph:
    """Memory as who asks may use it, if that has the right that the route takes."""
    principal = principal_in(request)
    principal.require(route.right)
    return Allowed(memory.engine, principal)


def _shown(route: Route, request: Request, answer: Any) -> Response:
    shown = wire.to_json(answer)
    if isinstance(answer, Recall) and wire.WHOLE_TEXT in request.headers.get("prefer", ""):
        _add_whole_texts(answer, shown)
    headers = _headers(route, request, answer)
    if route.tagged and not request.query_params:
        headers["ETag"] = etag_of(shown)
        if unchanged(request, headers["ETag"]):
            return Response(status_code=304, headers=headers)
    return Json(shown, status_code=_status(route, answer), headers=headers)


def _add_whole_texts(recall: Recall, shown: dict[str, Any]) -> None:
    """A hit shows where it matched; who prefers it is told all of a longer memory besides."""
    for hit, told in zip(recall.hits, shown["hits"], strict=True):
        if hit.memory.text != hit.excerpt.text:
            told[wire.WHOLE_TEXT] = hit.memory.text


def _status(route: Route, answer: Any) -> int:
    """201 only where something new came to be."""
    if route.status == 201 and isinstance(answer, RememberReport):
        return 201 if answer.count(ItemStatus.ADDED) or answer.count(ItemStatus.UPDATED) else 200
    return route.status


def _headers(route: Route, request: Request, answer: Any) -> dict[str, str]:
    headers = {"Cache-Control": "no-store"}
    if (cursor := getattr(answer, "next_cursor", None)) is not None:
        asked = [(name, value) for name, value in request.query_params.multi_items() if name != "cursor"]
        headers["Link"] = f'<{request.url.path}?{urlencode([*asked, ("cursor", cursor)])}>; rel="next"'
    if route.status == 202:
        headers["Location"] = f"/v1/jobs/{answer.id}"
    elif isinstance(answer, Changed | RememberReport) and (route.status == 201 or route.method == "PATCH"):
        made = answer.id if isinstance(answer, RememberReport) or answer.ids else None
        if made is not None and made.startswith(f"{MEMORY_PREFIX}_"):
            headers["Location"] = f"/v1/memories/{made}"
    return headers
