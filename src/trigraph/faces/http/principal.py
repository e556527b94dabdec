"""Who asks: the one place where a request becomes a scope and what it may do."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from trigraph.errors import Unauthenticated
from trigraph.faces import wire
from trigraph.faces.dashboard.pages import COOKIE
from trigraph.faces.dashboard.registry import is_page
from trigraph.faces.library import Trigraph
from trigraph.faces.wire.addresses import is_loopback
from trigraph.model.access import Principal
from trigraph.model.scope import Scope
from trigraph.settings import ServerSettings

FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")
"""Headers of a proxy: what it hands on comes from elsewhere, whatever its own address is."""


def is_address(host: str) -> bool:
    """Whether it is an address: a name can be pointed anywhere, an address cannot."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def hostname(host: str) -> str:
    """The name in a Host header, without its port; empty if there is none."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def principal_of(asking: HTTPConnection, memory: Trigraph, settings: ServerSettings) -> Principal:
    """Who a request stands for: its token's agent; without a token, on this machine, the agent that it names or the
    local user. Reads the registry: call it where waiting is allowed."""
    claimed = wire.claims(asking.headers)
    token = _of_cookie(asking) if claimed.token is None else claimed.token
    local = _local(asking, memory, settings)
    return memory.engine.authenticate(token, claimed.agent, claimed.project, local=local)


def address_of(asking: HTTPConnection) -> str:
    """Where a request comes from; a socket of this machine has no address."""
    return asking.client.host if asking.client else "localhost"


def client_of(asking: HTTPConnection) -> str:
    """Whose requests are counted together: those of a token's agent, else those from one address. A name that is only
    claimed is no client of its own: there is always another."""
    principal: Principal | None = asking.scope["state"].get("principal")
    if principal is None or principal.token_id is None:
        return address_of(asking)
    return "/".join((principal.scope.tenant, principal.scope.project, principal.scope.agent))


def principal_in(asking: HTTPConnection) -> Principal:
    """Who a request was found to stand for on its way in."""
    found: Principal | None = asking.scope["state"].get("principal")
    if found is None:
        raise Unauthenticated("This takes a token.", fix="Send `Authorization: Bearer tg_…`.")
    return found


def _of_cookie(asking: HTTPConnection) -> str | None:
    """The token of who signed in: good for pages and their forms, never for the API, which other pages could call."""
    return asking.cookies.get(COOKIE) if is_page(asking.scope["method"], asking.scope["path"]) else None


def _local(asking: HTTPConnection, memory: Trigraph, settings: ServerSettings) -> Scope | None:
    """The local user, if the request comes from this machine, to this machine, and no token is asked for."""
    headers = asking.headers
    here = is_loopback(address_of(asking)) and is_loopback(hostname(headers.get("host", "")))
    if settings.require_token or not here or any(name in headers for name in FORWARDED):
        return None
    return memory.scope
