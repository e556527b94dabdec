"""What the headers of a request claim: a token, an agent, a project. Whether it is so the engine says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from trigraph.errors import InvalidInput, Unauthenticated

AGENT_HEADER = "x-trigraph-agent-id"
AGENT_HEADERS = (AGENT_HEADER, "x-signet-agent-id")
"""The first is ours; the other is understood."""
PROJECT_HEADER = "x-trigraph-project"
TOKEN_HEADER = "authorization"


@dataclass(frozen=True, slots=True)
class Claims:
    """What a request says of itself; None is what it leaves out."""

    token: str | None = field(repr=False)
    agent: str | None
    project: str | None


def claims(headers: Mapping[str, str]) -> Claims:
    """What headers claim, by their names in lower case. What is there is never taken for missing: an Authorization that
    is no bearer token is refused, not passed over."""
    return Claims(_token(headers.get(TOKEN_HEADER)), _agent(headers), headers.get(PROJECT_HEADER))


def _agent(headers: Mapping[str, str]) -> str | None:
    named = {headers[name] for name in AGENT_HEADERS if name in headers}
    if len(named) > 1:
        raise InvalidInput(
            f"{' and '.join(AGENT_HEADERS)} name two agents.", field="agent", fix=f"Send {AGENT_HEADER} alone."
        )
    return named.pop() if named else None


def _token(authorization: str | None) -> str | None:
    if authorization is None:
        return None
    scheme, _, token = authorization.strip().partition(" ")
    if scheme.lower() != "bearer":
        raise Unauthenticated("The Authorization header holds no bearer token.", fix="Send `Bearer tg_…`.")
    return token.strip()
