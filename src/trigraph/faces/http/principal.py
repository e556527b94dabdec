"""Who asks: the one place where a request becomes a scope and what it may do."""

from __future__ import annotations

import ipaddress

from starlette.requests import HTTPConnection

from trigraph.errors import Forbidden
from trigraph.faces.http.problems import Refused
from trigraph.faces.library import Trigraph
from trigraph.model.access import Principal, Right
from trigraph.model.scope import Scope

AGENT_HEADERS = ("x-trigraph-agent-id", "x-signet-agent-id")


def is_loopback(host: str) -> bool:
    """Whether a name or address means this machine alone."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def principal_of(asking: HTTPConnection, memory: Trigraph) -> Principal:
    """Who a request stands for: its token's agent; without a token, on this machine, the agent that it names or the
    local user. Reads the registry: call it where waiting is allowed."""
    named = next((asking.headers[name] for name in AGENT_HEADERS if asking.headers.get(name)), None)
    scheme, _, secret = asking.headers.get("authorization", "").partition(" ")
    if scheme:
        return _of_token(memory, scheme, secret.strip(), named)
    if not is_loopback(client_of(asking)):
        raise _unauthenticated("A token is needed from elsewhere than this machine.")
    local = memory.scope
    return Principal(Scope(local.tenant, local.project, named or local.agent), frozenset(Right))


def client_of(asking: HTTPConnection) -> str:
    """Whose requests are counted together; a socket of this machine has no address."""
    return asking.client.host if asking.client else "localhost"


def _of_token(memory: Trigraph, scheme: str, secret: str, named: str | None) -> Principal:
    found = memory.engine.admin.principal(secret) if scheme.lower() == "bearer" else None
    if found is None:
        raise _unauthenticated("The token is not known, has expired or was revoked.")
    if named is not None and named != found.scope.agent:
        raise Forbidden("The token does not stand for that agent.", fix="Leave the agent's header out.")
    return found


def _unauthenticated(message: str) -> Refused:
    return Refused(
        401,
        "unauthenticated",
        message,
        fix="Send `Authorization: Bearer …` with a token.",
        headers={"WWW-Authenticate": "Bearer"},
    )
