"""What a verb does over a server: a request, or several, and their answers as the library gives them."""

from __future__ import annotations

import json
import secrets
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any, get_args, get_type_hints

from trigraph.errors import Incompatible, InvalidInput, NotFound, Unreachable
from trigraph.faces import wire
from trigraph.faces.http.table import function_of
from trigraph.faces.remote.asking import PASSING, Flow, Patience, Reply, Request, answered
from trigraph.faces.remote.problems import error_of
from trigraph.faces.remote.requests import arguments_given, is_keyed, request_of
from trigraph.model.report import RememberReport

API = "v1"
BATCH_ITEMS = 256
"""How many memories go in one request; the engine writes as many in one transaction."""
_ADDRESS = "Check the address: it is the one that `trigraph serve` shows."


class Calls:
    """The flows of verbs to one server."""

    def __init__(self, where: str, patience: Patience) -> None:
        self.where = where
        self.patience = patience

    def call(self, verb: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Flow[Any]:
        """Do a verb with what the library's own would be called with."""
        given = arguments_given(verb, args, kwargs)
        if verb == "remember_batch":
            return (yield from self._batch(given["items"], given.get("progress")))
        key = given.get("idempotency_key")
        own_key = secrets.token_hex(16) if key is None and is_keyed(verb) else None
        answer = yield from self._one(verb, request_of(verb, given, own_key or key))
        if own_key and getattr(answer, "replayed", False):
            answer = replace(answer, replayed=False)  # it was sent again by us, not by the caller
        if given.get("progress") is not None:
            given["progress"](len(answer.items))
        return answer

    def greet(self) -> Flow[str]:
        """The version of the server; an error if it is none that this client can speak to."""
        reply = yield from answered(Request("GET", "/version"), self.patience, self.where)
        told = self.data(reply)
        if not isinstance(told, dict) or "api" not in told:
            raise Incompatible(f"{self.where} is no trigraph server.", fix=_ADDRESS)
        if told["api"] != API:
            raise Incompatible(
                f"{self.where} (trigraph {told.get('version')}) speaks {told['api']}; this client speaks {API}.",
                fix="Bring client and server to the same version.",
            )
        return str(told.get("version"))

    def data(self, reply: Reply) -> Any:
        """The JSON of a good answer; what a bad one says is raised."""
        if reply.status >= 400:
            if (problem := reply.problem) is not None:
                raise error_of(problem, reply.status, self.where)
            if reply.status in PASSING:
                raise Unreachable(
                    f"{self.where} does not answer (HTTP {reply.status}).",
                    fix="Try again later; see to what stands before the server.",
                    status=reply.status,
                )
            raise Incompatible(f"{self.where} answers HTTP {reply.status}, not as trigraph does.", fix=_ADDRESS)
        if reply.status >= 300:
            fix = f"Give the address that it names: {reply.headers.get('location', '')[:200]}"
            raise Incompatible(f"{self.where} redirects, which is not followed.", fix=fix)
        try:
            return json.loads(reply.body)
        except (ValueError, RecursionError) as error:
            raise Incompatible(f"{self.where} does not answer in JSON.", fix=_ADDRESS) from error

    def _one(self, verb: str, request: Request) -> Flow[Any]:
        kind = _answer_of(verb)
        reply = yield from answered(request, self.patience, self.where)
        try:
            return wire.from_json(kind, self.data(reply))
        except NotFound:
            if types.NoneType in get_args(kind):  # the library answers None
                return None
            raise

    def _batch(self, items: Any, progress: Callable[[int], None] | None) -> Flow[RememberReport]:
        """Many memories, some at a time."""
        if isinstance(items, str | Mapping) or not isinstance(items, Iterable):
            raise InvalidInput("items must be a list.", field="items", fix="Give a list of texts or objects.")
        whole = RememberReport(())
        for some in _some_of(iter(items)):
            part = yield from self._one("remember_batch", request_of("remember_batch", {"items": some}))
            whole = RememberReport(
                whole.items + part.items, degraded=part.degraded or whole.degraded, jobs=whole.jobs + part.jobs
            )
            if progress is not None:
                progress(len(part.items))
        return whole


@cache
def _answer_of(verb: str) -> Any:
    return get_type_hints(function_of(verb))["return"]


def _some_of(items: Iterator[Any]) -> Iterator[list[Any]]:
    while some := list(islice(items, BATCH_ITEMS)):
        yield some
