"""Clients of the MCP face: the SDK's own, and one that knows nothing but JSON-RPC and the protocol's text."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import anyio
import httpx
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.server import MCPServer

from commands import TRIGRAPH, Command, Process

MODERN = "2026-07-28"
LEGACY = ("2025-11-25", "2025-06-18")
CLIENT = {"name": "test", "version": "1"}
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
}
NO_MODEL = {"TRIGRAPH_EMBEDDER__KIND": "none"}

_Found = TypeVar("_Found")


def over_stdio(
    command: Command, *arguments: str, environment: Mapping[str, str] | None = None
) -> StdioServerParameters:
    """How the SDK's client starts `trigraph mcp`."""
    return StdioServerParameters(
        command=str(TRIGRAPH),
        args=["mcp", *arguments],
        env=command.environment({**NO_MODEL, **(environment or {})}),
        cwd=command.folder,
    )


def with_client(
    server: MCPServer | StdioServerParameters | str,
    work: Callable[[Client], Awaitable[_Found]],
    mode: str = MODERN,
    headers: Mapping[str, str] | None = None,
) -> _Found:
    """What `work` finds with the SDK's client; headers go to an address."""

    async def connected() -> _Found:
        if headers is None:
            async with Client(server, mode=mode) as client:  # type: ignore[arg-type]
                return await work(client)
        async with httpx2.AsyncClient(headers=headers) as http:
            transport = streamable_http_client(str(server), http_client=http)
            async with Client(transport, mode=mode) as client:  # type: ignore[arg-type]
                return await work(client)

    return anyio.run(connected)


def called(server: MCPServer | StdioServerParameters | str, name: str, /, **arguments: Any) -> Any:
    """One call of one tool."""
    return with_client(server, lambda client: client.call_tool(name, arguments))


@dataclass
class RawStdio:
    """Lines of JSON to a process and back."""

    process: Process
    version: str
    asked: int = 0
    opened: dict[str, Any] = field(default_factory=dict)

    def open(self) -> dict[str, Any]:
        """discover, or the handshake of old."""
        if self.version == MODERN:
            return self.ask("server/discover")
        hello = self.ask("initialize", protocolVersion=self.version, capabilities={}, clientInfo=CLIENT)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return hello

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The answer to one request, result or error."""
        self.asked += 1
        meta = {"_meta": META} if self.version == MODERN else {}
        self._send({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": {**params, **meta}})
        assert self.process.stdout is not None
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", self.asked)
        return answer

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()


@contextmanager
def raw_stdio(
    command: Command, version: str, *arguments: str, environment: Mapping[str, str] = NO_MODEL
) -> Iterator[RawStdio]:
    """A started `trigraph mcp`, opened; ended by closing its stdin. Without a model, unless told otherwise."""
    process = command.start("mcp", *arguments, environment=environment, stderr=subprocess.DEVNULL)
    client = RawStdio(process, version)
    try:
        client.opened = client.open()
        yield client
    finally:
        process.communicate(timeout=10)


@dataclass
class RawHttp:
    """One POST for each request."""

    address: str
    version: str
    asked: int = 0

    def open(self) -> dict[str, Any]:
        """discover, or the handshake of old."""
        if self.version == MODERN:
            return self.ask("server/discover")
        return self.ask("initialize", protocolVersion=self.version, capabilities={}, clientInfo=CLIENT)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The answer to one request, result or error."""
        answer: dict[str, Any] = self.post(method, **params).json()
        return answer

    def post(self, method: str, headers: Mapping[str, str] | None = None, **params: Any) -> httpx.Response:
        """The bare response."""
        self.asked += 1
        meta = {"_meta": META} if self.version == MODERN else {}
        named = params.get("name") or params.get("uri")
        routing = {"Mcp-Method": method, **({"Mcp-Name": named} if named else {})} if self.version == MODERN else {}
        opening = {} if method == "initialize" else {"MCP-Protocol-Version": self.version}
        return httpx.post(
            f"{self.address}/mcp",
            headers={"Accept": "application/json, text/event-stream", **opening, **routing, **(headers or {})},
            json={"jsonrpc": "2.0", "id": self.asked, "method": method, "params": {**params, **meta}},
            timeout=30,
            verify=False,  # nothing is encrypted, and to read the machine's certificates takes longer than to ask
        )
