"""Who asks: the one place where a request becomes a scope and what it may do."""

from __future__ import annotations

import ipaddress

from starlette.requests import HTTPConnection

from trigraph.faces import wire
from trigraph.faces.library import Trigraph
from trigraph.model.access import Principal


def is_loopback(host: str) -> bool:
    """Whether a name or address means this machine alone."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def principal_of(asking: HTTPConnection, memory: Trigraph) -> Principal:
    """Who a request stands for: its token's agent; without a token, on this machine, the agent that it names or the
    local user. Reads the registry: call it where waiting is allowed."""
    claimed = wire.claims(asking.headers)
    local = memory.scope if is_loopback(client_of(asking)) else None
    return memory.engine.authenticate(claimed.token, claimed.agent, claimed.project, local=local)


def client_of(asking: HTTPConnection) -> str:
    """Whose requests are counted together; a socket of this machine has no address."""
    return asking.client.host if asking.client else "localhost"
