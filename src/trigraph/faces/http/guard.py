"""What a browser must not be led to do: requests of foreign pages and names are refused, answers keep it in."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trigraph.faces.http.principal import is_loopback
from trigraph.faces.http.problems import Refused, problem

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
HARMLESS = frozenset({"GET", "HEAD", "OPTIONS"})


class Guard:
    """Answers only requests that name this machine, and changes nothing for a page that is not our own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse it, or pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refusal = _refusal(scope["method"], Headers(scope=scope))
        if refusal is None:
            await self._app(scope, receive, guarded)
        else:
            answer = problem(refusal, scope["path"], scope["state"]["request_id"])
            await answer(scope, receive, guarded)


def _refusal(method: str, headers: Headers) -> Refused | None:
    host = headers.get("host", "")
    if not is_loopback(_hostname(host)):
        # A page elsewhere may point a name of its own at this machine; it is not answered.
        return Refused(400, "invalid_host", "Invalid host header.", fix="Ask for this machine by its own name.")
    if method in HARMLESS:
        return None
    origin = headers.get("origin")
    foreign = origin is not None and not _same(origin, host)
    if foreign or headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        return Refused(403, "foreign_origin", "A page from elsewhere may change nothing here.")
    return None


def _hostname(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _same(origin: str, host: str) -> bool:
    scheme, _, rest = origin.partition("://")
    return scheme in ("http", "https") and rest.lower() == host.lower()
