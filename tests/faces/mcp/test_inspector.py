"""The tools as a client sees them that is not ours and not of our language: the MCP inspector's command, on Node.js."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from commands import TRIGRAPH, Command
from mcp_clients import NO_MODEL
from mcp_script import CORE, at, filled
from trigraph.faces.mcp.server import tools_of

INSPECTOR = Path(__file__).parents[3] / "build" / "inspector" / "node_modules" / ".bin" / "mcp-inspector-cli"

pytestmark = [
    pytest.mark.req("T18"),
    pytest.mark.skipif(not INSPECTOR.exists(), reason="the MCP inspector is not there: npm is missing, see make test"),
]


def inspected(command: Command, toolset: str, method: str, *arguments: str) -> Any:
    """What the inspector prints; every call starts a server of its own over stdio."""
    done = subprocess.run(
        [INSPECTOR, "--cli", TRIGRAPH, "mcp", "--toolset", toolset, "--method", method, *arguments],
        env=command.environment(NO_MODEL),
        cwd=command.folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("toolset", ["core", "full", "compat"])
def test_it_lists_every_tool(command: Command, toolset: str) -> None:
    listed = inspected(command, toolset, "tools/list")["tools"]
    assert {tool["name"] for tool in listed} == {spec.name for spec in tools_of(toolset)}
    assert all(tool["inputSchema"]["type"] == "object" for tool in listed)


def test_it_calls_every_core_tool(command: Command) -> None:
    """Of the script that other clients play, the first call of each tool, and what it needs from before."""
    ids: dict[str, str] = {}
    called: set[str] = set()
    for name, arguments, made in CORE:
        if name in called and not made:
            continue
        words = [word for key, value in filled(arguments, ids).items() for word in ("--tool-arg", _given(key, value))]
        answer = inspected(command, "core", "tools/call", "--tool-name", name, *words)
        assert not answer.get("isError"), (name, answer)
        ids |= {label: at(answer["structuredContent"], path) for label, path in made.items()}
        called.add(name)
    assert called == {spec.name for spec in tools_of("core")}


def _given(key: str, value: object) -> str:
    return f"{key}={value if isinstance(value, str) else json.dumps(value)}"


def test_it_lists_resources_and_prompts(command: Command) -> None:
    assert inspected(command, "core", "resources/list")["resources"]
    assert inspected(command, "core", "prompts/list")["prompts"]
