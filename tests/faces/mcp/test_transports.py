"""Real clients over real transports, in both eras of the protocol."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx
import jsonschema
import pytest
from mcp import StdioServerParameters

from commands import Command, serving
from mcp_clients import LEGACY, META, MODERN, NO_MODEL, RawHttp, over_stdio, raw_stdio, with_client
from mcp_script import played
from trigraph.faces.mcp.server import TOOLSETS

ERAS = ("legacy", MODERN)
VERSIONS = (MODERN, *LEGACY)
RIGHTS = "read,write,share,review,admin"
MODEL = {"TRIGRAPH_EMBEDDER__KIND": "pack"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a `trigraph serve`."""
    folder = tmp_path_factory.mktemp("served")
    with serving(_NoModel(folder / "home", folder)) as address:
        yield address


class _NoModel(Command):
    """Without a model: nothing here depends on meaning."""

    def environment(self, more: Any = None) -> dict[str, str]:
        return super().environment({**NO_MODEL, **(more or {})})


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("toolset", TOOLSETS)
def test_every_tool_is_listed_and_called_over_stdio(toolset: str, era: str, command: Command) -> None:
    _play(over_stdio(command, "--toolset", toolset, environment=MODEL), toolset, era)


@pytest.mark.parametrize("toolset", TOOLSETS)
def test_every_tool_is_listed_and_called_over_http(toolset: str, home: Path, tmp_path: Path) -> None:
    for era in ERAS:
        command = Command(home / era, tmp_path)
        token = command("admin", "token", "create", "all", "--agent", "default", "--rights", RIGHTS).out.strip()
        with serving(command, "--toolset", toolset, "--require-token") as address:
            _play(f"{address}/mcp", toolset, era, {"Authorization": f"Bearer {token}"})


def _play(server: StdioServerParameters | str, toolset: str, era: str, headers: dict[str, str] | None = None) -> None:
    """Call every tool by the SDK's client, which itself checks answers against the output schemas; check them again."""

    async def play(client: Any) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}

        async def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
            answer = await client.call_tool(name, arguments)
            assert not answer.is_error, (name, answer.content[0].text)
            assert answer.content[0].text
            jsonschema.validate(answer.structured_content, tools[name].output_schema)
            found: dict[str, Any] = answer.structured_content
            return found

        answers = await played(toolset, call)
        assert {name for name, _ in answers} == set(tools)

    with_client(server, play, era, headers)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_client_that_knows_only_the_protocol_is_served_over_stdio(version: str, command: Command) -> None:
    with raw_stdio(command, version) as client:
        _check_opening(client.opened["result"], version)
        _check_use(client, version)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_client_that_knows_only_the_protocol_is_served_over_http(version: str, served: str) -> None:
    client = RawHttp(served, version)
    _check_opening(client.open()["result"], version)
    _check_use(client, version)


def _check_opening(hello: dict[str, Any], version: str) -> None:
    if version == MODERN:
        assert MODERN in hello["supportedVersions"]
        assert hello["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "trigraph"
    else:
        assert hello["protocolVersion"] == version
        assert hello["serverInfo"]["name"] == "trigraph"
    assert hello["instructions"].startswith("trigraph is")
    assert {"tools", "resources", "prompts"} <= set(hello["capabilities"])


def _check_use(client: Any, version: str) -> None:
    names = [tool["name"] for tool in client.ask("tools/list")["result"]["tools"]]
    assert names == ["recall", "get", "cite", "remember", "update", "forget"]
    kept = client.ask("tools/call", name="remember", arguments={"text": f"A {version} heron nests on the pier"})
    (item,) = kept["result"]["structuredContent"]["items"]
    found = client.ask("tools/call", name="recall", arguments={"query": f"{version} heron"})["result"]
    assert found["structuredContent"]["hits"][0]["id"] == item["id"][-8:]
    assert found["isError"] is False
    wrong = client.ask("tools/call", name="recall", arguments={"query": "x", "kinds": ["y"]})["result"]
    assert wrong["isError"] is True
    assert "structuredContent" not in wrong
    read = client.ask("resources/read", uri=f"memory://memories/{item['id']}")["result"]
    assert "heron nests" in read["contents"][0]["text"]
    assert read.get("cacheScope", "private") == "private"
    assert ("cacheScope" in read) is (version == MODERN)
    assert client.ask("resources/read", uri="memory://memories/zzzzzzzz")["error"]["code"] == -32602
    assert [one["name"] for one in client.ask("prompts/list")["result"]["prompts"]] == ["remember", "recall"]


@pytest.mark.parametrize("headers", [{"Host": "evil.example"}, {"Origin": "https://evil.example"}])
def test_a_page_elsewhere_is_not_answered(headers: dict[str, str], served: str) -> None:
    refused = RawHttp(served, MODERN).post("tools/list", headers=headers)

    assert refused.status_code in (400, 403, 421)
    assert "tools" not in refused.text


def test_the_session_of_an_http_client_is_taken_from_its_header(served: str) -> None:
    client = RawHttp(served, MODERN)
    named = {"x-trigraph-session-id": "run-7"}

    kept = client.post("tools/call", headers=named, name="remember", arguments={"text": "A kingfisher came"}).json()
    id_ = kept["result"]["structuredContent"]["items"][0]["id"]
    got = client.ask("tools/call", name="get", arguments={"ids": [id_]})["result"]["structuredContent"]

    assert got["memories"][0]["provenance"]["session"] == "run-7"


def test_the_pages_are_still_served_beside_the_tools(served: str) -> None:
    assert httpx.get(f"{served}/healthz").status_code == 200
    assert httpx.get(f"{served}/", follow_redirects=True).status_code == 200


def test_many_calls_at_once_are_all_answered(command: Command) -> None:
    async def crowd(client: Any) -> list[Any]:
        answers: list[Any] = []

        async def one(number: int) -> None:
            answers.append(await client.call_tool("remember", {"text": f"Barge {number} carries gravel"}))

        async with anyio.create_task_group() as group:
            for number in range(12):
                group.start_soon(one, number)
        return answers

    answers = with_client(over_stdio(command), crowd)
    assert [answer.is_error for answer in answers] == [False] * 12
    assert len({answer.structured_content["items"][0]["id"] for answer in answers}) == 12


def test_the_agent_project_and_session_come_from_the_environment(command: Command) -> None:
    command("admin", "project", "add", "harbour")
    asked = {"name": "remember", "arguments": {"text": "The pier is open"}}
    told = {"TRIGRAPH_SCOPE__AGENT": "builder", "CLAUDE_CODE_SESSION_ID": "run-1"}

    async def kept(client: Any) -> dict[str, Any]:
        made = await client.call_tool(asked["name"], asked["arguments"])
        got = await client.call_tool("get", {"ids": [made.structured_content["items"][0]["id"]]})
        found: dict[str, Any] = got.structured_content["memories"][0]
        return found

    memory = with_client(over_stdio(command, "--project", "harbour", environment=told), kept)
    assert (memory["provenance"]["author"], memory["provenance"]["session"]) == ("builder", "run-1")
    other = with_client(over_stdio(command, environment={**told, "TRIGRAPH_SESSION": "run-2"}), kept)
    assert other["provenance"]["session"] == "run-2"
    listed = command("list", "--json", environment={**NO_MODEL, "TRIGRAPH_SCOPE__PROJECT": "harbour"}).json
    assert [one["id"] for one in listed["memories"]] == [memory["id"]]


def test_stdout_is_only_protocol(command: Command) -> None:
    noisy = {**NO_MODEL, "TRIGRAPH_NO_SUCH_SETTING": "1", "PYTHONWARNINGS": "always"}
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": META}})

    answer = command("mcp", given=line + "\nnot json\n", environment=noisy)

    assert answer.code == 0
    assert "no_such_setting" in answer.err
    assert [json.loads(line)["jsonrpc"] for line in answer.out.splitlines()][:1] == ["2.0"]
