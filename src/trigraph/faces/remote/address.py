"""Where the server is and who asks: an address and headers that are safe to use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from trigraph.errors import InvalidInput
from trigraph.faces import wire
from trigraph.faces.wire.addresses import is_loopback
from trigraph.model.scope import DEFAULT_NAME, Scope

_SUCH_AS = "Give one such as https://memory.example.org or http://127.0.0.1:8765."
_WRITABLE = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True)
class Server:
    """A server as one asker reaches it. `url` ends without a slash; `headers` say who asks."""

    url: str
    local: bool
    headers: Mapping[str, str] = field(repr=False)


def server_at(url: object, *, token: str | None, project: str | None, agent: str | None, plaintext: bool) -> Server:
    """The server of an address. Without `plaintext` a token goes unencrypted to this machine alone."""
    parts = _read(wire.text_of(url, "url"))
    local = is_loopback(parts.hostname or "")
    if token is not None and parts.scheme == "http" and not (local or plaintext):
        raise InvalidInput(
            f"A token would go to {parts.hostname} unencrypted: whoever listens could use it.",
            field="url",
            fix="Use https://, or a tunnel to 127.0.0.1; on a network that you trust, say plaintext=True.",
        )
    path = parts.path.rstrip("/").removesuffix("/v1")
    return Server(f"{parts.scheme}://{parts.netloc}{path}", local, _headers(token, project, agent))


def _read(url: str) -> SplitResult:
    try:
        parts = urlsplit(url.strip())
        parts.port  # noqa: B018 - it is checked when it is read
    except ValueError as error:
        raise InvalidInput(f"The address cannot be read ({error}).", field="url", fix=_SUCH_AS) from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidInput(f"{url[:80]!r} is no http or https address.", field="url", fix=_SUCH_AS)
    if parts.username is not None or parts.query or parts.fragment:
        raise InvalidInput(
            "The address holds more than a server and a path.", field="url", fix=f"{_SUCH_AS} A token belongs in token."
        )
    return parts


def _headers(token: str | None, project: str | None, agent: str | None) -> dict[str, str]:
    Scope(DEFAULT_NAME, DEFAULT_NAME if project is None else project, DEFAULT_NAME if agent is None else agent)
    if token is not None and not (isinstance(token, str) and _WRITABLE.fullmatch(token)):
        raise InvalidInput("The token holds spaces or other than ASCII.", field="token", fix="Give it as it was made.")
    told = {
        wire.TOKEN_HEADER: None if token is None else f"Bearer {token}",
        wire.PROJECT_HEADER: project,
        wire.AGENT_HEADER: agent,
    }
    return {name: value for name, value in told.items() if value is not None}
