"""What the server says of itself: instructions, tools, their arguments, annotations and schemas, and what they cost."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from mcp_clients import MODERN, with_client
from trigraph.errors import InvalidInput
from trigraph.faces.library import Trigraph
from trigraph.faces.mcp.server import INSTRUCTIONS, TOOLSETS, make_server, tools_of

INSTRUCTIONS_MOST_BYTES = 1800
CORE_MOST_BYTES = 6000
CORE = {
    "recall": "query limit as_of known_at kinds types tags domains thread expand detail budget_tokens",
    "get": "ids with",
    "cite": "recall_id items",
    "remember": "text items kind type topic tags links supersedes visibility occurred_at idempotency_key",
    "update": "id action text reason topic tags valid_from to link_type value result idempotency_key",
    "forget": "ids query dry_run restore",
}
FULL = {"documents", "decide", "checkpoint", "wrap", "trace", "entities", "audit", "deep_reference", "composed_graph"}
COMPAT = {
    "semantic_recall": "query as_of limit",
    "prism_memory_cite": "recall_event_id memory_id kind notes",
    "prism_remember": "content update rewrite reverify",
    "prism_spec": "action id body status version",
    "prism_decide": "text topic reasoning supersedes",
    "prism_persona_create": "name text props",
    "prism_archive": "id reason",
    "prism_checkpoint": "text implements session",
    "prism_wrap": "session text",
    "prism_audit": "fixup apply",
    "memory_store": "content type importance tags pinned agent_id",
    "memory_search": "query limit type tags since until expand",
    "memory_correct": "id query corrected_text reason",
    "memory_forget": "query id dry_run max_deletions",
    "fact_retract": "query id dry_run max_deletions",
    "mem0_search": "query limit",
    "save": "type topic decision reasoning confidence supersedes summary implements",
    "search": "query context_memory_id type limit",
    "evolve": "memory_id outcome reason",
    "composed_graph": "action event_id memory_id tags limit outcome_type notes",
    "deep_reference": "query depth",
    "bounty_mode": "tags limit",
}
"""Names that callers of other designs use, and what they give."""
ALIKE = {"composed_graph", "deep_reference"}
"""Theirs and ours by one name; the answers differ."""


def _listed(memory: Trigraph, toolset: str = "core") -> list[dict[str, Any]]:
    """Tools as they go over the wire."""
    found = with_client(make_server(memory, toolset), lambda client: client.list_tools())
    return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in found.tools]


@pytest.mark.req("T18")
def test_the_instructions_are_short_and_teach_the_order_of_use(plain: Trigraph) -> None:
    async def told(client: Any) -> str:
        return str(client.instructions)

    server = make_server(plain)
    assert {mode: with_client(server, told, mode) for mode in ("auto", "legacy")} == {
        "auto": INSTRUCTIONS,
        "legacy": INSTRUCTIONS,
    }
    assert len(INSTRUCTIONS.encode()) <= INSTRUCTIONS_MOST_BYTES
    first = INSTRUCTIONS.index("ask memory first about history and architecture")
    assert first < INSTRUCTIONS.index("ask the live system for live state")
    for verb in ("recall:", "remember:", "cite:"):
        assert verb in INSTRUCTIONS


def test_the_core_costs_little(plain: Trigraph) -> None:
    tools = [{name: value for name, value in tool.items() if name != "outputSchema"} for tool in _listed(plain)]
    written = json.dumps({"tools": tools}, ensure_ascii=False, separators=(",", ":")).encode()

    assert len(written) <= CORE_MOST_BYTES


def test_the_core_has_exactly_the_arguments_that_are_documented(plain: Trigraph) -> None:
    told = {tool["name"]: " ".join(tool["inputSchema"]["properties"]) for tool in _listed(plain)}

    assert told == CORE


@pytest.mark.req("S11")
def test_the_names_of_other_designs_are_there_with_their_arguments(plain: Trigraph) -> None:
    told = {tool["name"]: set(tool["inputSchema"]["properties"]) for tool in _listed(plain, "compat")}

    assert set(told) - set(CORE) == set(COMPAT)
    assert [(name, missing) for name, wanted in COMPAT.items() if (missing := set(wanted.split()) - told[name])] == []


@pytest.mark.req("S11")
def test_the_names_of_other_designs_are_only_in_compat(plain: Trigraph) -> None:
    assert {tool["name"] for tool in _listed(plain, "full")} == set(CORE) | FULL
    assert (set(CORE) | FULL) & set(COMPAT) == ALIKE


@pytest.mark.parametrize("toolset", TOOLSETS)
def test_tools_are_always_listed_in_one_order(toolset: str, plain: Trigraph) -> None:
    assert _listed(plain, toolset) == _listed(plain, toolset)


def test_descriptions_begin_with_when_to_call(plain: Trigraph) -> None:
    assert [tool["name"] for tool in _listed(plain, "full") if not tool["description"].startswith("Call ")] == []


@pytest.mark.parametrize("toolset", TOOLSETS)
def test_schemas_are_sound_and_every_example_fits(toolset: str, plain: Trigraph) -> None:
    listed = {tool["name"]: tool for tool in _listed(plain, toolset)}

    for spec in tools_of(toolset):
        tool = listed[spec.name]
        jsonschema.Draft202012Validator.check_schema(tool["inputSchema"])
        jsonschema.Draft202012Validator.check_schema(tool["outputSchema"])
        jsonschema.validate(spec.example, tool["inputSchema"])
        assert tool["inputSchema"].get("additionalProperties", True) is (toolset == "compat" and spec.name in COMPAT)


def test_annotations_say_what_a_call_may_do(plain: Trigraph) -> None:
    told = {tool["name"]: tool["annotations"] for tool in _listed(plain)}
    reads = {"readOnlyHint": True, "openWorldHint": False}
    writes = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}

    assert told == {
        "recall": reads,
        "get": reads,
        "cite": writes,
        "remember": writes,
        "update": {**writes, "idempotentHint": False},
        "forget": {**writes, "destructiveHint": True, "idempotentHint": False},
    }


def test_an_unknown_toolset_is_an_error_that_lists_the_known(plain: Trigraph) -> None:
    with pytest.raises(InvalidInput) as raised:
        make_server(plain, "all")

    assert raised.value.allowed == ("core", "full", "compat")


def test_resources_and_prompts_are_listed_and_private(plain: Trigraph) -> None:
    plain.remember("Never deploy on Fridays.", kind="constraint")

    async def looked(client: Any) -> Any:
        return (
            sorted(one.uri for one in (await client.list_resources()).resources),
            [one.uri_template for one in (await client.list_resource_templates()).resource_templates],
            sorted(one.name for one in (await client.list_prompts()).prompts),
            await client.read_resource("memory://constraints"),
        )

    uris, templates, prompts, read = with_client(make_server(plain), looked, MODERN)
    assert uris == ["memory://constraints", "memory://recent"]
    assert templates == ["memory://memories/{id}"]
    assert prompts == ["recall", "remember"]
    assert "Never deploy on Fridays." in read.contents[0].text
    assert read.cache_scope == "private"
