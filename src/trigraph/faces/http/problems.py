"""Errors as RFC 9457 problems, each with what the library and the command say of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from starlette.responses import Response

from trigraph.errors import (
    Conflict,
    Forbidden,
    InvalidInput,
    KeyReused,
    NotFound,
    StorageFull,
    StoreBusy,
    TrigraphError,
    Unauthenticated,
)
from trigraph.faces import wire

PROBLEM = "application/problem+json"
RETRY_SECONDS = 1

STATUS: dict[type[TrigraphError], int] = {
    InvalidInput: 400,
    Unauthenticated: 401,
    Forbidden: 403,
    NotFound: 404,
    KeyReused: 422,
    Conflict: 409,
    StorageFull: 507,
}
"""What each error is over HTTP, the first that fits; the others are 503: it may pass."""


class Refused(TrigraphError):
    """A request that HTTP itself has something against: its code, its status, and headers that say more."""

    def __init__(
        self, status: int, code: str, message: str, *, fix: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message, fix=fix)
        self.status = status
        self.code = code
        self.headers = dict(headers or {})


class Json(Response):
    """Plain data as JSON; what no text can hold, half a character, is escaped."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """As UTF-8."""
        try:
            return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
        except UnicodeEncodeError:
            return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


def status_of(error: TrigraphError) -> int:
    """The HTTP status of an error."""
    if isinstance(error, Refused):
        return error.status
    return next((status for kind, status in STATUS.items() if isinstance(error, kind)), 503)


def problem(error: TrigraphError, path: str, request_id: str, places: Mapping[str, str] | None = None) -> Response:
    """The answer to a request that failed. `places` says where each argument of the route stands."""
    told = wire.error_json(error)
    status = status_of(error)
    body = {
        "type": f"/docs#error-{error.code}",
        "title": _title(error),
        "status": status,
        "detail": told["message"],
        "instance": quote(path, safe="/:@!$&'()*+,;=-._~"),
        "code": told["code"],
        "request_id": request_id,
        "fix": told["fix"],
    }
    if isinstance(error, InvalidInput):
        body["errors"] = [{**_place(error.field, places or {}), "detail": told["message"], "allowed": told["allowed"]}]
    headers = dict(error.headers) if isinstance(error, Refused) else {}
    if isinstance(error, Unauthenticated):
        headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, StoreBusy):
        headers["Retry-After"] = str(RETRY_SECONDS)
    return Json(body, status_code=status, headers=headers, media_type=PROBLEM)


def _title(error: TrigraphError) -> str:
    if isinstance(error, InvalidInput):
        return f"Invalid {error.field}"
    return error.code.replace("_", " ").capitalize()


def _place(field: str, places: Mapping[str, str]) -> dict[str, str]:
    """Where what is wrong stands: in the body by a JSON pointer, elsewhere by the name of the parameter."""
    place = places.get(field)
    if place == "body":
        return {"field": field, "pointer": f"#/{field}"}
    return {"field": field, "parameter": field} if place else {"field": field, "pointer": "#"}
