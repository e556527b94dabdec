"""Every route of the table is called, answers as the document says, and none can be forgotten."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from http_api import ASKED, Ask, World
from trigraph.faces.documents import Docs
from trigraph.faces.http.openapi import document
from trigraph.faces.http.routes import NOT_HERE, ROUTES
from trigraph.faces.http.table import DRAFT, FILTERS, RECALL, REVISION, Route
from trigraph.faces.library import Trigraph
from trigraph.faces.wire import arguments as wire_arguments

DOCUMENT = document("test")


@pytest.mark.parametrize("route", ROUTES, ids=[route.key for route in ROUTES])
def test_a_route_answers_what_the_document_says(
    route: Route, client: httpx.Client, world: World, steward: dict[str, str]
) -> None:
    ask = ASKED[route.key](world)
    answer = ask.send(client, route.key, **steward)

    assert answer.status_code == ask.status, answer.text
    described = DOCUMENT["paths"][f"/v1{route.template}"][route.method.lower()]["responses"]
    schema = described[str(ask.status)]["content"]["application/json"]["schema"]
    assert list(misfits(schema, answer.json())) == []


@pytest.mark.parametrize("route", ROUTES, ids=[route.key for route in ROUTES])
def test_a_request_that_says_nothing_is_no_fault_of_the_server(route: Route, client: httpx.Client) -> None:
    nothing = Ask(dict.fromkeys(re.findall(r"{(\w+)}", route.template), "zzzzzzzz"))
    assert nothing.send(client, route.key).status_code < 500


def test_every_route_has_a_request_and_every_request_a_route() -> None:
    assert set(ASKED) == {route.key for route in ROUTES}
    assert len({(route.method, route.template) for route in ROUTES}) == len(ROUTES)


def test_every_verb_of_the_library_has_a_route_or_a_reason() -> None:
    verbs = {name for name in dir(Trigraph) if not name.startswith("_") and name not in ("docs", "engine", "scope")}
    verbs |= {f"docs.{name}" for name in dir(Docs) if not name.startswith("_")}
    routed = {route.verb for route in ROUTES} | {"remember_batch", "events"}
    assert document("1")["paths"]["/v1/events"]["get"]["operationId"] == "events"

    assert verbs - routed == set(NOT_HERE)
    assert routed & set(NOT_HERE) == set()


def test_the_fields_of_the_document_are_those_that_the_library_knows() -> None:
    assert set(DRAFT) == wire_arguments._DRAFT_KEYS
    assert {*REVISION} == wire_arguments._REVISION_KEYS
    assert set(FILTERS) == wire_arguments._FILTERS
    taken = set(inspect.signature(wire_arguments.recall_query).parameters) - {"text", "filters"}
    assert set(RECALL) == taken | wire_arguments._RECALL_FILTERS


def test_the_document_is_whole() -> None:
    assert DOCUMENT["openapi"] == "3.1.0"
    named = [one["operationId"] for path in DOCUMENT["paths"].values() for one in path.values()]
    assert len(named) == len(set(named)) == len(ROUTES) + 1
    for reference in references(DOCUMENT):
        assert resolve(reference)


@pytest.mark.parametrize("path", ["/openapi.json", "/docs", "/version", "/readyz", "/metrics", "/healthz"])
def test_what_stands_beside_the_api_answers(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code == 200


def test_the_docs_page_shows_every_route_and_needs_nothing_from_elsewhere(client: httpx.Client) -> None:
    page = client.get("/docs").text
    for route in ROUTES:
        assert f"<code>/v1{route.template}</code>" in page
    assert "//" not in page.replace("http://", "").replace("</", "")
    assert "<script" not in page
    assert "style=" not in page
    assert client.get("/openapi.json").json()["paths"].keys() == DOCUMENT["paths"].keys()


def test_a_head_request_is_a_get_without_a_body(client: httpx.Client) -> None:
    answer = client.head("/v1/stats")
    assert (answer.status_code, answer.content) == (200, b"")


def misfits(schema: dict[str, Any], value: Any, where: str = "") -> Iterator[str]:
    """Where a value is not what a schema says. What a schema does not name is a misfit as well."""
    if "$ref" in schema:
        schema = resolve(schema["$ref"])
    if "anyOf" in schema:
        if all(list(misfits(one, value, where)) for one in schema["anyOf"]):
            yield f"{where}: {value!r} is none of {schema['anyOf']}"
        return
    kinds = schema.get("type", [])
    if kinds and not any(is_of(kind, value) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        yield f"{where}: {value!r} is no {kinds}"
    elif value is not None and "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is not listed"
    elif isinstance(value, dict) and "properties" in schema:
        for name in {*schema["required"], *value} - (value.keys() & schema["properties"].keys()):
            yield f"{where}/{name} is missing or unknown"
        for name in value.keys() & schema["properties"].keys():
            yield from misfits(schema["properties"][name], value[name], f"{where}/{name}")
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from misfits(schema.get("additionalProperties", {}), one, f"{where}/{name}")
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from misfits(schema.get("items", {}), one, f"{where}/{number}")


def is_of(kind: str, value: Any) -> bool:
    kinds = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict}
    if kind == "null":
        return value is None
    return isinstance(value, kinds[kind]) and (kind == "boolean") == isinstance(value, bool)  # type: ignore[arg-type]


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for one in value.values():
            yield from references(one)
    elif isinstance(value, list):
        for one in value:
            yield from references(one)


def resolve(reference: str) -> Any:
    found: Any = DOCUMENT
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    return found
