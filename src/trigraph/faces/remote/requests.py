"""A verb of the library with its arguments → the request of its route: both are read off the table of routes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache
from inspect import Parameter, Signature, signature
from typing import Any
from urllib.parse import quote, urlencode

from trigraph.errors import InvalidInput
from trigraph.faces import wire
from trigraph.faces.http.routes import ROUTES
from trigraph.faces.http.table import NEVER_GIVEN, Route, function_of, path_names, takes_key
from trigraph.faces.remote.asking import Request
from trigraph.model.access import Right

KEY_HEADER = "Idempotency-Key"
_CHOSEN = {
    "remember_batch": "POST /v1/memories",
    "forget": "POST /v1/forget",
    "vote": "POST /v1/memories/{id}/vote",
    "history": "GET /v1/entities/{name}/history",
    "archive": "POST /v1/entities/{name}/archive",
    "restore": "POST /v1/entities/{name}/restore",
}
"""Which route a verb goes by where it has several: the one that takes all that the verb does."""
_DONE_HERE = frozenset({"self", "idempotency_key", "progress"})
"""Arguments that no body names, and that the client sees to."""
_PLACE = re.compile(r"\{(\w+)(:path)?\}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_CALLED = {"from_id": "id"}
"""What the library calls an argument in errors, where that is another name."""


@cache
def route_of(verb: str) -> Route:
    """The route by which a verb is asked for."""
    found = [route for route in ROUTES if route.verb == verb] if verb not in _CHOSEN else []
    (route,) = found or [route for route in ROUTES if route.key == _CHOSEN[verb]]
    return route


@cache
def is_keyed(verb: str) -> bool:
    """Whether a verb is done once under an idempotency key."""
    return verb != "remember_batch" and takes_key(route_of(verb))


@cache
def _signature(verb: str) -> Signature:
    return signature(function_of(verb))


def request_of(verb: str, arguments: Mapping[str, Any], key: str | None = None) -> Request:
    """The request that asks for a verb. What reads, or is done once under a key, may be sent twice."""
    route = route_of(verb)
    given = _given(verb, arguments)
    in_path = {name: given.pop(name, None) for name in path_names(route).values()}
    path = f"/v1{_path(route, in_path)}"
    headers = {} if key is None else {KEY_HEADER: _written_key(key)}
    repeatable = route.right is Right.READ or key is not None
    if route.method in ("GET", "DELETE"):
        return Request(route.method, _with_query(path, given), None, headers, repeatable)
    if verb == "recall":
        headers["Prefer"] = wire.WHOLE_TEXT
    headers["Content-Type"] = "application/json"
    return Request(route.method, path, _body(given), headers, repeatable)


def arguments_given(verb: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """What a call gives, by name; TypeError where it does not fit the verb, as the library has it."""
    bound = _signature(verb).bind(None, *args, **kwargs)
    given: dict[str, Any] = {}
    for name, value in bound.arguments.items():
        kind = bound.signature.parameters[name].kind
        given |= value if kind is Parameter.VAR_KEYWORD else {name: value}
    given.pop("self", None)
    return given


def _given(verb: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What is told the server: not what is left out, which a merge patch would take for taken away. What would have to
    be done in the engine itself is refused, not passed over."""
    for name in NEVER_GIVEN - _DONE_HERE:
        if arguments.get(name) is not None:
            raise InvalidInput(f"{name} cannot be sent.", field=name, fix="Leave it out, or do it where the store is.")
    parameters = _signature(verb).parameters
    patch = route_of(verb).method == "PATCH"

    def left_out(name: str, value: Any) -> bool:
        own = parameters.get(name)
        return value is None and (patch if own is None else own.default is None)

    return {
        name: value
        for name, value in arguments.items()
        if name not in NEVER_GIVEN and not left_out(name, value) and not (name == "ids" and value == ())
    }


def _path(route: Route, arguments: Mapping[str, Any]) -> str:
    names = path_names(route)

    def filled(place: re.Match[str]) -> str:
        name = names[place[1]]
        value = wire.text_of(arguments[name], _CALLED.get(name, name))
        if place[2]:
            _check_name(route, name, value)
        elif not value or "/" in value:
            raise InvalidInput(f"{value[:80]!r} is not an id.", field="id", fix="Give an id, or the end of one.")
        return _quoted(value, name)

    return _PLACE.sub(filled, route.path)


def _check_name(route: Route, name: str, value: str) -> None:
    """Raise for a name that cannot be told from a part of the path."""
    longer = [one.path for one in ROUTES if one.method == route.method and one.path.startswith(f"{route.path}/")]
    if not value or value.endswith(tuple(path.removeprefix(route.path) for path in longer)):
        raise InvalidInput(f"{value[:80]!r} cannot be sent as a {name}.", field=name, fix="Give its id.")


def _quoted(value: str, name: str) -> str:
    """As part of a path; dots alone would be taken for steps through it."""
    try:
        quoted = quote(value, safe="")
    except UnicodeEncodeError as error:
        raise _not_text(name) from error
    return quoted.replace(".", "%2E") if value in (".", "..") else quoted


def _with_query(path: str, given: Mapping[str, Any]) -> str:
    pairs = [(name, one) for name, value in given.items() for one in _in_query(value)]
    try:
        return f"{path}?{urlencode(pairs)}" if pairs else path
    except UnicodeEncodeError as error:
        raise _not_text("query") from error


def _in_query(value: Any) -> list[str]:
    """A parameter as often as it has values."""
    plain = _plain(value, "query")
    if isinstance(plain, list):
        return [text for one in plain for text in _in_query(one)]
    if isinstance(plain, bool):
        return ["true" if plain else "false"]
    return [] if plain is None else [str(plain)]


def _body(given: Mapping[str, Any]) -> bytes:
    plain = {name: _plain(value, name) for name, value in given.items()}
    try:
        return json.dumps(plain, allow_nan=False).encode()
    except ValueError as error:
        raise InvalidInput(f"A number is none of JSON ({error}).", field="body", fix="Give a finite one.") from error


def _plain(value: Any, name: str) -> Any:
    """A value as JSON has it: times as text, anything that can be gone through as a list."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): _plain(one, str(key)) for key, one in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, bytes | bytearray):
        return [_plain(one, name) for one in value]
    raise InvalidInput(
        f"{name} cannot be sent: it is a {type(value).__name__}.", field=name, fix="Give a text, a number or a list."
    )


def _written_key(key: Any) -> str:
    """A key as a header has it: quoted; what is not ASCII is escaped."""
    text = wire.text_of(key, "idempotency_key")
    if _CONTROL.search(text):
        raise InvalidInput(
            "idempotency_key holds a control character.",
            field="idempotency_key",
            fix="Write it on one line, in plain characters.",
        )
    shown = text if text.isascii() else quote(text, safe=" ", errors="surrogatepass")
    return '"' + shown.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _not_text(name: str) -> InvalidInput:
    return InvalidInput(f"{name} holds half a character.", field=name, fix="Give whole text.")
