"""Routes that callers of other designs use already: other names, arguments and answers of the same verbs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from trigraph.errors import InvalidInput, TrigraphError
from trigraph.faces import wire
from trigraph.faces.allowed import Allowed
from trigraph.faces.http.principal import principal_in
from trigraph.faces.http.problems import Json, problem
from trigraph.faces.http.reading import json_object
from trigraph.faces.library import Trigraph
from trigraph.faces.mcp import compat_adding
from trigraph.faces.mcp.server import tools_of
from trigraph.faces.mcp.tooling import SESSION_HEADER, Caller, ToolSpec
from trigraph.model.access import Principal

_TOOLS = {spec.name: spec for spec in tools_of("compat")}
COMPAT: Mapping[str, ToolSpec] = {
    "/api/memory/remember": _TOOLS["memory_store"],
    "/api/memory/recall": _TOOLS["memory_search"],
    "/add_direct": compat_adding.ADD_DIRECT,
    "/add_batch": compat_adding.ADD_BATCH,
    "/add": compat_adding.ADD,
    "/entities/resolve": compat_adding.RESOLVE,
    "/memory/correct": _TOOLS["memory_correct"],
    "/memory/forget": _TOOLS["memory_forget"],
}
"""All are posted to. They are there with the toolset `compat`."""


def compat_routes(memory: Trigraph) -> list[BaseRoute]:
    """The routes; what an answer has beside its fields are warnings of arguments that were ignored."""
    return [Route(path, _endpoint(path, spec, memory), methods=["POST"]) for path, spec in COMPAT.items()]


def _endpoint(path: str, spec: ToolSpec, memory: Trigraph) -> Callable[[Request], Awaitable[Response]]:
    places = dict.fromkeys(spec.arguments, "body")

    def respond(request: Request, body: bytes) -> Response:
        try:
            given = json_object(request.headers, body)
            own = Allowed(memory.engine, _principal(request, memory, given.get("agent_id")))
            answer = spec.called(Caller(own, request.headers.get(SESSION_HEADER)), given)
        except TrigraphError as error:
            return problem(error, path, request.state.request_id, places)
        return Json(answer.data, headers={"Cache-Control": "no-store"})

    async def answered(request: Request) -> Response:
        request.state.route = path
        return await run_in_threadpool(respond, request, await request.body())

    return answered


def _principal(request: Request, memory: Trigraph, named: Any) -> Principal:
    """Who asks. On this machine, without a token, the body may name the agent as the header may."""
    principal, claimed = principal_in(request), wire.claims(request.headers)
    if named is None or principal.token_id is not None or claimed.agent is not None:
        return principal
    if not isinstance(named, str):
        raise InvalidInput("agent_id must be a text.", field="agent_id", fix='Write it like "builder".')
    return memory.engine.authenticate(None, named, claimed.project, local=principal.scope)
