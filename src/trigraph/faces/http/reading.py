"""Requests → the arguments of a verb. What a value may be is the library's to say; here it only gets its JSON form."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from starlette.requests import Request

from trigraph.errors import InvalidInput, invalid_choice
from trigraph.faces import wire
from trigraph.faces.http.problems import Refused
from trigraph.faces.http.schema import Schema
from trigraph.faces.http.table import NEVER_GIVEN, Argument, Route, arguments_of, path_names, takes_key, takes_more

JSON_TYPES = ("application/json", "application/merge-patch+json")
_WHOLE = re.compile(r"-?\d{1,17}")
_QUOTED = re.compile(r'"((?:[^"\\]|\\["\\])*)"')


class Reader:
    """Reads the requests of one route."""

    def __init__(self, route: Route) -> None:
        self.route = route
        self.arguments = arguments_of(route)
        self.places = {name: one.place for name, one in self.arguments.items()} | {"Idempotency-Key": "header"}
        self._path = path_names(route)
        self._keyed = takes_key(route)
        self._open = takes_more(route)

    def read(self, request: Request, body: bytes) -> dict[str, Any]:
        """The arguments of the call, or an error that says what is wrong with them."""
        given = json_object(request.headers, body) if self._takes("body") else {}
        given |= self._query(request)
        self._check_names(given)
        given |= {self._path[name]: value for name, value in request.path_params.items()}
        for one in self.arguments.values():
            if one.required and one.name not in given:
                raise InvalidInput(f"{one.name} is missing.", field=one.name, fix="Give it.")
            if one.schema.get("type") == "boolean" and one.name in given:
                given[one.name] = _flag(given[one.name], one.name)
        if self._keyed:
            given["idempotency_key"] = _key(request.headers.get("idempotency-key"))
        return given

    def _takes(self, place: str) -> bool:
        return any(one.place == place for one in self.arguments.values())

    def _query(self, request: Request) -> dict[str, Any]:
        given: dict[str, list[str]] = {}
        for name, value in request.query_params.multi_items():
            given.setdefault(name, []).append(value)
        return {name: self._of_query(name, values) for name, values in given.items()}

    def _of_query(self, name: str, values: list[str]) -> Any:
        argument = self.arguments.get(name)
        if argument is None or argument.place != "query":
            raise invalid_choice("parameter", name, sorted(self._named("query")))
        if is_list(argument.schema):
            return values
        if len(values) > 1:
            raise InvalidInput(f"{name} was given {len(values)} times.", field=name, fix="Give it once.")
        return _plain(values[0], argument)

    def _named(self, place: str) -> list[str]:
        return [name for name, one in self.arguments.items() if one.place == place]

    def _check_names(self, given: Mapping[str, object]) -> None:
        """What the verb does not know it says itself where it can; what it must not be told is said here."""
        own = set(self._path.values()) | NEVER_GIVEN | set(self.route.left_out)
        for name in given:
            if name in own or (name not in self.arguments and not self._open):
                raise invalid_choice(f"{self.route.verb} field", name, sorted(set(self.arguments) - own))


def json_object(headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
    """The object that a body holds; no body is an empty one."""
    if not body:
        return {}
    if headers.get("content-type", "").partition(";")[0].strip().lower() not in JSON_TYPES:
        raise Refused(415, "not_json", "The body must be JSON.", fix="Send `Content-Type: application/json`.")
    try:
        found = json.loads(body.decode(), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(
            f"The body is not JSON ({error}).", field="body", fix='Send an object, like {"text": "…"}.'
        ) from error
    if not isinstance(found, dict):
        raise InvalidInput(
            f"The body must be an object, not {type(found).__name__}.", field="body", fix='Send {"name": value}.'
        )
    return found


def is_list(schema: Schema) -> bool:
    """Whether an argument may be a list."""
    return schema.get("type") == "array" or any(is_list(one) for one in schema.get("anyOf", ()))


def _plain(value: str, argument: Argument) -> Any:
    """A parameter's text as what it stands for; what does not look like it goes on as text, and is refused there."""
    kind = argument.schema.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    if "integer" in kinds and _WHOLE.fullmatch(value):
        return int(value)
    if "boolean" in kinds:
        return {"true": True, "false": False}.get(value, value)
    return value


def _flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise InvalidInput(f"{name} must be true or false.", field=name, fix="Write true or false.")
    return value


def _key(header: str | None) -> str | None:
    """A key, quoted as the draft has it, or bare."""
    if header is None:
        return None
    quoted = _QUOTED.fullmatch(header.strip())
    return wire.text_of(re.sub(r"\\(.)", r"\1", quoted[1]) if quoted else header, "idempotency_key")


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")
