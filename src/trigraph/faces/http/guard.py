"""What a browser must not be led to do: requests of foreign pages and names are refused, answers keep it in."""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trigraph.faces.dashboard.pages import SIGN_IN, SIGN_OUT
from trigraph.faces.http.principal import hostname, is_address
from trigraph.faces.http.problems import Refused, problem
from trigraph.faces.wire.addresses import is_loopback
from trigraph.settings import ServerSettings

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
HARMLESS = frozenset({"GET", "HEAD", "OPTIONS"})
FORMS = (SIGN_IN, SIGN_OUT)


class Guard:
    """Answers only requests that name this machine, and does nothing for a page that is not our own."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app = app
        self._names = frozenset(settings.allowed_hosts.lower().split())
        self._addresses = not is_loopback(settings.host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse it, or pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refusal = self._refusal(scope["method"], scope["path"], Headers(scope=scope))
        if refusal is None:
            await self._app(scope, receive, guarded)
        else:
            answer = problem(refusal, scope["path"], scope["state"]["request_id"])
            await answer(scope, receive, guarded)

    def _refusal(self, method: str, path: str, headers: Headers) -> Refused | None:
        host = headers.get("host", "")
        if not self._ours(hostname(host)):
            # A page elsewhere may point a name of its own at this machine; it is not answered.
            return Refused(
                400,
                "invalid_host",
                "Invalid host header.",
                fix="Ask for this machine by its own name; other names are listed in server.allowed_hosts.",
            )
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        foreign = origin is not None and not _same(origin, host)
        if foreign or (method not in HARMLESS and site in ("cross-site", "same-site")):
            return Refused(403, "foreign_origin", "A page from elsewhere may do nothing here.")
        if method not in HARMLESS and path in FORMS and origin is None and site != "same-origin":
            return Refused(403, "foreign_origin", "Forms are sent from our own pages only.")
        return None

    def _ours(self, name: str) -> bool:
        """Whether a name is this machine's, one that was listed, or an address that it listens on."""
        return is_loopback(name) or name in self._names or (self._addresses and is_address(name))


def _same(origin: str, host: str) -> bool:
    scheme, _, rest = origin.partition("://")
    return scheme in ("http", "https") and rest.lower() == host.lower()
