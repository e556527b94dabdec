"""The OpenAPI 3.1 document, made from the table of routes."""

from __future__ import annotations

import types
from functools import cache
from typing import Any, get_args

from trigraph.faces.http.problems import PROBLEM, STATUS
from trigraph.faces.http.reading import is_list
from trigraph.faces.http.routes import ROUTES
from trigraph.faces.http.schema import TEXT, Components, Schema
from trigraph.faces.http.table import Argument, Route, answer_type, arguments_of, function_of, path_names, takes_key
from trigraph.faces.wire import WHOLE_TEXT
from trigraph.model.change import MemoryVersion
from trigraph.model.tail import RecallMade

Part = dict[str, Any]

PROBLEMS = {
    400: "Something in the request cannot be taken: `errors` says what, and what would be right.",
    401: "The token is missing, unknown, expired or revoked.",
    403: "It may be seen, but not done; or a page from elsewhere asked for it.",
    404: "Nothing of that name exists among what the asker may see.",
    409: "It stands otherwise than the request supposes.",
    412: "It was changed since: the ETag is another.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    422: "The idempotency key was used before with another body.",
    428: "If-Match is missing, and this server asks for it.",
    429: "Too many requests a minute: Retry-After says how long to wait.",
    503: "It cannot be done now; nothing was half-written. Retry-After says when to try again.",
    507: "No space is left where the store lives.",
}
_ALWAYS = (400, 401, 403, 404, 429, 503)
_PROBLEM_SCHEMA: Schema = {
    "type": "object",
    "description": "RFC 9457. `code` is stable for programs, `fix` says what to do next.",
    "properties": {
        "type": TEXT,
        "title": TEXT,
        "status": {"type": "integer"},
        "detail": TEXT,
        "instance": TEXT,
        "code": TEXT,
        "request_id": TEXT,
        "fix": {"type": ["string", "null"]},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "field": TEXT,
                    "pointer": TEXT,
                    "parameter": TEXT,
                    "detail": TEXT,
                    "allowed": {"type": "array", "items": TEXT},
                },
                "required": ["field", "detail", "allowed"],
            },
        },
    },
    "required": ["type", "title", "status", "detail", "instance", "code", "request_id", "fix"],
}
_HEADERS = {
    "agent": ("x-trigraph-agent-id", "Which agent asks, on this machine; a token names its own."),
    "key": ("Idempotency-Key", "The same key and body answer what was answered before; another body is refused."),
    "match": ("If-Match", "The ETag of the memory as it was seen."),
    "prefer": ("Prefer", f"`{WHOLE_TEXT}` asks for all of a memory's text beside the passage that a hit shows."),
}


@cache
def document(version: str) -> Part:
    """The whole document."""
    components = Components()
    paths: dict[str, Part] = {}
    for route in ROUTES:
        paths.setdefault(f"/v1{route.template}", {})[route.method.lower()] = _operation(route, components)
    paths["/v1/events"] = {"get": _events(components)}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "trigraph",
            "version": version,
            "summary": "A memory engine for AI agents.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}, {}],
        "paths": paths,
        "components": {
            "schemas": {**components.schemas, "Problem": _PROBLEM_SCHEMA},
            "responses": {f"Problem{status}": _problem(says) for status, says in PROBLEMS.items()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def summary(route: Route) -> str:
    """What the verb says of itself, its first sentence."""
    said = " ".join((function_of(route.verb).__doc__ or "").split())
    return said.split(". ")[0].rstrip(".") + "."


def problem_codes() -> dict[str, int]:
    """Every error of the engine that has a status of its own."""
    return {kind.code: status for kind, status in STATUS.items()}


def _operation(route: Route, components: Components) -> Part:
    arguments = arguments_of(route).values()
    body = [one for one in arguments if one.place == "body"]
    operation: Part = {
        "operationId": _operation_id(route),
        "summary": summary(route),
        "description": " ".join((function_of(route.verb).__doc__ or "").split()),
        "tags": [route.path.split("/")[1]],
        "x-verb": route.verb,
        "x-right": route.right.value,
        "parameters": _parameters(route, [one for one in arguments if one.place != "body"]),
        "responses": _responses(route, components, bool(body)),
    }
    if body:
        operation["requestBody"] = _body(route, body)
    return operation


def _operation_id(route: Route) -> str:
    """Its verb; where that has several routes, with where it stands."""
    alike = [one for one in ROUTES if one.verb == route.verb]
    verb = route.verb.replace(".", "_").rstrip("_")
    where = "_".join(part for part in route.path.split("/") if part and not part.startswith("{"))
    return verb if len(alike) == 1 else f"{verb}_{route.method.lower()}_{where}"


def _parameters(route: Route, arguments: list[Argument]) -> list[Part]:
    in_path = {argument: name for name, argument in path_names(route).items()}
    found: list[Part] = []
    for one in arguments:
        name = in_path.get(one.name, one.name)
        found.append({"name": name, "in": one.place, "required": one.required, "schema": _in_query(one)})
    headers = ["agent", *(["key"] if takes_key(route) else []), *(["match"] if route.guarded else [])]
    headers += ["prefer"] if route.verb == "recall" else []
    for header in headers:
        name, says = _HEADERS[header]
        found.append({"name": name, "in": "header", "required": False, "schema": TEXT, "description": says})
    return found


def _in_query(argument: Argument) -> Schema:
    """Lists are repeated parameters; there is no null."""
    if argument.place == "path":
        return {**TEXT, "minLength": 1}
    if is_list(argument.schema):
        return next(one for one in argument.schema.get("anyOf", (argument.schema,)) if is_list(one))
    told = argument.schema.get("type")
    if isinstance(told, list):
        return {**argument.schema, "type": next(one for one in told if one != "null")}
    if "anyOf" in argument.schema:
        return next(one for one in argument.schema["anyOf"] if one.get("type") != "null")
    return argument.schema


def _body(route: Route, arguments: list[Argument]) -> Part:
    needed = [one.name for one in arguments if one.required]
    schema: Schema = {"type": "object", "properties": {one.name: one.schema for one in arguments}}
    if needed:
        schema["required"] = needed
    kinds = ["application/json", *(["application/merge-patch+json"] if route.method == "PATCH" else [])]
    return {"required": bool(needed), "content": {kind: {"schema": schema} for kind in kinds}}


def _responses(route: Route, components: Components, with_body: bool) -> Part:
    annotation = answer_type(route)
    if types.NoneType in get_args(annotation):
        (annotation,) = (one for one in get_args(annotation) if one is not types.NoneType)
    answer = {"description": "Done.", "content": {"application/json": {"schema": components.of(annotation)}}}
    good = [route.status, *([200] if route.status == 201 else [])]
    bad = {*_ALWAYS, *((413, 415) if with_body else ()), *((412, 428) if route.guarded else ())}
    if route.method != "GET":
        bad |= {409, 507}
    if takes_key(route):
        bad.add(422)
    found: Part = {str(status): answer for status in good}
    if route.tagged:
        found["304"] = {"description": "The asker has it already."}
    return found | {str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in sorted(bad)}


def _problem(says: str) -> Part:
    return {"description": says, "content": {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}}


def _events(components: Components) -> Part:
    shown = {"oneOf": [components.of(MemoryVersion), components.of(RecallMade)]}
    return {
        "operationId": "events",
        "summary": "Your recalls and changes of memories that you may see, as they happen (server-sent events).",
        "description": "Each event has a name (recall or change), an id that Last-Event-ID resumes after, and JSON.",
        "tags": ["events"],
        "x-right": "read",
        "parameters": [{"name": "Last-Event-ID", "in": "header", "required": False, "schema": TEXT}],
        "responses": {
            "200": {"description": "A stream without end.", "content": {"text/event-stream": {"schema": shown}}},
            **{str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in _ALWAYS},
        },
    }
