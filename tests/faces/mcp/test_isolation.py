"""By every tool, resource and prompt: nothing of another agent's, and a foreign id answers as an unknown one does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcp_clients import with_client
from mcp_script import SCRIPTS, filled
from trigraph.assembly import open_engine
from trigraph.faces.library import Trigraph
from trigraph.faces.mcp.server import TOOLSETS, make_server, tools_of
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.settings import EmbedderSettings, Settings

CANARY = "zqkittiwake"
OTHER = Scope(LOCAL_SCOPE.tenant, LOCAL_SCOPE.project, "other")
UNKNOWN = {"m": "m_" + "7" * 26, "r": "r_" + "7" * 26}
LABELS = {label for script in SCRIPTS.values() for _, _, made in script for label in made}


@pytest.fixture
def worlds(home: Path) -> Iterator[tuple[Trigraph, dict[str, str]]]:
    """The local agent's memory, beside another agent whose every word is a canary; and the ids of that one's."""
    engine = open_engine(Settings(home=str(home), embedder=EmbedderSettings(kind="none")))
    with Trigraph(engine, LOCAL_SCOPE) as ours:
        ours.admin.set_agent(LOCAL_SCOPE.tenant, LOCAL_SCOPE.project, "other")
        theirs = Trigraph(engine, OTHER)
        private: dict[str, Any] = {"visibility": "private"}
        kept = theirs.remember(
            f"The heron {CANARY} nests on the pier with Redis, tabs, gulls white, cold caches and Ana",
            topic=f"{CANARY} pier",
            type="location",
            tags=[CANARY],
            **private,
        )
        theirs.decide(f"Auth by {CANARY}", topic=f"auth {CANARY}", reasoning=CANARY, **private)
        theirs.remember(f"Never {CANARY} on Fridays", kind="constraint", pinned=True, **private)
        theirs.docs.put(f"# SPEC-9: {CANARY}\n\n## Depends on\n\n- SPEC-7\n", **private)
        recalled = theirs.recall(f"heron {CANARY}")
        theirs.persona_create(f"{CANARY} persona", f"{CANARY} reads", **private)
        assert kept.id is not None
        yield ours, {"m": kept.id, "r": recalled.id}


def _aimed(toolset: str, aim: dict[str, str]) -> list[tuple[str, dict[str, Any]]]:
    """Every call of the script, with these ids where it names any."""
    ids = {label: aim["r"] if label in ("recall", "event") else aim["m"] for label in LABELS}
    return [(name, filled(arguments, ids)) for name, arguments, _ in SCRIPTS[toolset]]


def _said(ours: Trigraph, toolset: str, calls: list[tuple[str, dict[str, Any]]]) -> list[str]:
    async def asked(client: Any) -> list[str]:
        answers = [await client.call_tool(name, arguments) for name, arguments in calls]
        return [answer.model_dump_json(by_alias=True) for answer in answers]

    return with_client(make_server(ours, toolset, session="s-1"), asked)


@pytest.mark.parametrize("toolset", TOOLSETS)
def test_no_tool_tells_anything_of_another_agents_private_memory(
    toolset: str, worlds: tuple[Trigraph, dict[str, str]]
) -> None:
    ours, foreign = worlds
    calls = _aimed(toolset, foreign)
    assert {name for name, _ in calls} == {spec.name for spec in tools_of(toolset)}

    said = _said(ours, toolset, calls)

    assert [name for (name, _), text in zip(calls, said, strict=True) if CANARY in text] == []
    # An id may come back where the caller gave it.
    assert [
        name
        for (name, arguments), text in zip(calls, said, strict=True)
        if foreign["m"][-8:] in text and foreign["m"] not in json.dumps(arguments)
    ] == []


@pytest.mark.parametrize("toolset", TOOLSETS)
def test_a_foreign_id_answers_as_an_unknown_one_does(toolset: str, worlds: tuple[Trigraph, dict[str, str]]) -> None:
    ours, foreign = worlds
    by_id = [
        (one, other)
        for one, other in zip(_aimed(toolset, foreign), _aimed(toolset, UNKNOWN), strict=True)
        if foreign["m"] in json.dumps(one[1])
    ]
    assert len(by_id) >= 4

    for one, other in by_id:
        said, same = _said(ours, toolset, [one])[0], _said(ours, toolset, [other])[0]
        assert json.loads(said)["isError"] is True, one
        assert _without(said, foreign) == _without(same, UNKNOWN), one


def test_neither_resources_nor_prompts_tell_of_it(worlds: tuple[Trigraph, dict[str, str]]) -> None:
    ours, foreign = worlds

    async def read(client: Any) -> list[str]:
        told = []
        for uri in ("memory://recent", "memory://constraints"):
            told.append((await client.read_resource(uri)).model_dump_json())
        for id_ in (foreign["m"], UNKNOWN["m"]):
            try:
                told.append((await client.read_resource(f"memory://memories/{id_}")).model_dump_json())
            except Exception as error:
                told.append(repr(error))
        told.append((await client.get_prompt("recall", {"query": "heron on the pier"})).model_dump_json())
        return told

    told = with_client(make_server(ours), read)

    assert [text for text in told if CANARY in text] == []
    assert told[2].replace(foreign["m"], "it") == told[3].replace(UNKNOWN["m"], "it")


def _without(text: str, ids: dict[str, str]) -> str:
    for id_ in ids.values():
        text = text.replace(id_, "it").replace(id_[-8:], "it")
    return re.sub(r"20\d\d-\d\d-\d\dT[\d:.]+Z?", "then", text)
