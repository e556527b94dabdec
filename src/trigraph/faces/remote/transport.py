"""Requests over the network, by a client that waits and by one that awaits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import httpx

from trigraph.assembly import product_version
from trigraph.errors import Incompatible, StoreClosed
from trigraph.faces.remote.address import Server
from trigraph.faces.remote.asking import Flow, NoReply, Patience, Pause, Reply, Request, answered
from trigraph.faces.remote.calls import Calls
from trigraph.faces.remote.events import SILENCE_SECONDS

if TYPE_CHECKING:
    import ssl

CONNECT_SECONDS = 10.0
IDLE_SECONDS = 4.0
"""How long an unused connection is kept: less than the 5 seconds after which the server ends it."""
_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class Reach:
    """A server, and how it is spoken to."""

    server: Server
    timeout_seconds: float
    retries: int
    tls: ssl.SSLContext | None

    def calls(self) -> Calls:
        """The verbs of that server."""
        return Calls(self.server.url, Patience(self.retries))

    def options(self) -> dict[str, Any]:
        """How an HTTP client is made. Proxies of the environment are not for this machine; its certificates are."""
        encrypted = self.server.url.startswith("https:")
        return {
            "base_url": self.server.url,
            "headers": {"User-Agent": f"trigraph/{product_version()}", **self.server.headers},
            "timeout": httpx.Timeout(self.timeout_seconds, connect=min(self.timeout_seconds, CONNECT_SECONDS)),
            "limits": httpx.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=IDLE_SECONDS),
            "follow_redirects": False,
            "trust_env": not self.server.local,
            "verify": self.tls or (httpx.create_ssl_context() if encrypted else True),
        }


class Wire:
    """Carries out flows, and waits."""

    def __init__(self, reach: Reach) -> None:
        self.calls = reach.calls()
        self.client = httpx.Client(**reach.options())

    def run(self, flow: Flow[_Answer]) -> _Answer:
        """The end of a flow."""
        return _carried_out(flow, self._send)

    def open(self, request: Request) -> httpx.Response:
        """The answer to a request for a stream, as soon as that begins."""
        opened: list[httpx.Response] = []

        def send(asked: Request) -> Reply | NoReply:
            try:
                answer = self.client.send(_built(self.client, asked, SILENCE_SECONDS), stream=True)
                if _is_stream(answer):
                    opened.append(answer)
                    return Reply(answer.status_code, {})
                answer.read()
            except httpx.HTTPError as error:
                return _no_reply(error)
            return _reply(answer)

        reply = _carried_out(answered(request, self.calls.patience, self.calls.where), send)
        return opened[0] if opened else _no_stream(self.calls, reply)

    def _send(self, request: Request) -> Reply | NoReply:
        try:
            return _reply(self.client.send(_built(self.client, request)))
        except httpx.HTTPError as error:
            return _no_reply(error)


class AsyncWire:
    """Carries out flows, and lets others run meanwhile."""

    def __init__(self, reach: Reach) -> None:
        self.calls = reach.calls()
        self.client = httpx.AsyncClient(**reach.options())

    async def run(self, flow: Flow[_Answer]) -> _Answer:
        """The end of a flow."""
        return await _carried_out_async(flow, self._send)

    async def open(self, request: Request) -> httpx.Response:
        """The answer to a request for a stream, as soon as that begins."""
        opened: list[httpx.Response] = []

        async def send(asked: Request) -> Reply | NoReply:
            try:
                answer = await self.client.send(_built(self.client, asked, SILENCE_SECONDS), stream=True)
                if _is_stream(answer):
                    opened.append(answer)
                    return Reply(answer.status_code, {})
                await answer.aread()
            except httpx.HTTPError as error:
                return _no_reply(error)
            return _reply(answer)

        reply = await _carried_out_async(answered(request, self.calls.patience, self.calls.where), send)
        return opened[0] if opened else _no_stream(self.calls, reply)

    async def _send(self, request: Request) -> Reply | NoReply:
        try:
            return _reply(await self.client.send(_built(self.client, request)))
        except httpx.HTTPError as error:
            return _no_reply(error)


def _carried_out(flow: Flow[_Answer], send: Callable[[Request], Reply | NoReply]) -> _Answer:
    told: Reply | NoReply | None = None
    while True:
        try:
            step = flow.send(told)
        except StopIteration as end:
            answer: _Answer = end.value
            return answer
        told = None
        if isinstance(step, Pause):
            time.sleep(step.seconds)
        else:
            told = send(step)


async def _carried_out_async(flow: Flow[_Answer], send: Callable[[Request], Awaitable[Reply | NoReply]]) -> _Answer:
    told: Reply | NoReply | None = None
    while True:
        try:
            step = flow.send(told)
        except StopIteration as end:
            answer: _Answer = end.value
            return answer
        told = None
        if isinstance(step, Pause):
            await asyncio.sleep(step.seconds)
        else:
            told = await send(step)


def _built(
    client: httpx.Client | httpx.AsyncClient, request: Request, read_seconds: float | None = None
) -> httpx.Request:
    if client.is_closed:
        raise StoreClosed("The connection to the server was closed.", fix="Connect again.")
    built = client.build_request(request.method, request.path, content=request.body, headers=dict(request.headers))
    if read_seconds is not None:
        built.extensions["timeout"] = {**built.extensions["timeout"], "read": read_seconds}
    return built


def _reply(answer: httpx.Response) -> Reply:
    return Reply(answer.status_code, dict(answer.headers), answer.content)


def _no_reply(error: httpx.HTTPError) -> NoReply:
    unsent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
    why = str(error) or type(error).__name__
    return NoReply(why, sent=not unsent, untrusted="CERTIFICATE_VERIFY_FAILED" in why)


def _is_stream(answer: httpx.Response) -> bool:
    return answer.status_code == 200 and answer.headers.get("content-type", "").startswith("text/event-stream")


def _no_stream(calls: Calls, reply: Reply) -> httpx.Response:
    calls.data(reply)
    raise Incompatible(
        f"{calls.where} answers no stream of events.", fix="Bring client and server to the same version."
    )
