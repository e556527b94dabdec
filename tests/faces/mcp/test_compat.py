"""The names of other designs: their arguments, and the fields that their callers read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp.server import MCPServer

from mcp_clients import called
from trigraph.faces.library import Trigraph
from trigraph.faces.mcp.server import make_server

pytestmark = pytest.mark.req("S11")


@pytest.fixture
def server(plain: Trigraph) -> MCPServer:
    return make_server(plain, "compat", session="s-1")


def _told(server: MCPServer, tool: str, /, **arguments: Any) -> dict[str, Any]:
    answer = called(server, tool, **arguments)
    assert not answer.is_error, answer.content[0].text
    told: dict[str, Any] = answer.structured_content
    assert json.loads(answer.content[0].text) == told
    return told


def test_semantic_recall_has_a_score_for_each_leg(plain: Trigraph, server: MCPServer) -> None:
    kept = plain.remember("The heron nests on the pier").id

    told = _told(server, "semantic_recall", query="heron", limit=1)

    (result,) = told["results"]
    assert result["id"] == kept
    assert result["content"] == "The heron nests on the pier"
    assert result["lex_score"] > 0
    assert (result["vec_score"], result["graph_score"]) == (0.0, 0.0)
    assert 0 < result["temporal_score"] <= 1
    assert result["staleness"]["superseded"] is False
    assert plain.recall_event(told["recall_event_id"]) is not None


def test_unknown_arguments_are_ignored_with_a_warning(plain: Trigraph, server: MCPServer) -> None:
    plain.remember("The heron nests on the pier")

    told = _told(server, "mem0_search", query="heron", user_id="ana", rerank=True)

    assert len(told["results"]) == 1
    assert told["warnings"] == [
        "user_id is no argument of this tool; it was ignored.",
        "rerank is no argument of this tool; it was ignored.",
    ]


@pytest.mark.parametrize(
    ("given", "field", "value"), [("preference", "kind", "preference"), ("skill", "kind", "skill")]
)
def test_a_type_is_a_kind_if_it_is_one(given: str, field: str, value: str, plain: Trigraph, server: MCPServer) -> None:
    told = _told(server, "memory_store", content="Ana prefers tabs", type=given, importance=0.4, pinned=True)

    kept = plain.get(told["id"])
    assert (getattr(kept, field), kept.confidence, kept.pinned) == (value, 0.4, True)


def test_what_is_stored_comes_back_with_its_mentions(plain: Trigraph, server: MCPServer) -> None:
    plain.remember("It is long", subject="North Pier", type="location")

    told = _told(server, "memory_store", content="The heron nests on the North Pier", tags=["birds"])

    assert [(one["name"], one["type"]) for one in told["entities"]] == [("North Pier", "location")]


def test_a_call_cannot_speak_for_another_agent(server: MCPServer) -> None:
    assert _told(server, "memory_store", content="The pier is open", agent_id="default")["id"]
    refused = called(server, "memory_store", content="The pier is closed", agent_id="other")

    assert refused.is_error
    assert refused.meta["trigraph/error"]["code"] == "forbidden"


def test_a_search_has_the_constraints_that_hold(plain: Trigraph, server: MCPServer) -> None:
    plain.remember("Never deploy on Fridays", kind="constraint", pinned=True)
    plain.remember("Deploys take an hour", kind="insight")

    told = _told(server, "memory_search", query="how long do deploys take?", type="insight", until="2100-01-01")

    assert [one["content"] for one in told["results"]] == ["Deploys take an hour"]
    assert [one["text"] for one in told["constraints"]] == ["Never deploy on Fridays"]
    assert _told(server, "memory_search", query="deploys", until="2020-01-01")["results"] == []


def test_a_spec_answers_with_its_edges(plain: Trigraph, server: MCPServer) -> None:
    body = "# Port plan\n\n## Depends on\n\n- SPEC-37\n"

    made = _told(server, "prism_spec", action="create", id="SPEC-54", body=body, status="draft", version="1.2")
    edge = {"source": "SPEC-54", "type": "DEPENDS_ON", "target": "SPEC-37", "section": "Depends on"}
    assert made["edges"] == [edge]
    assert dict(plain.docs.get("SPEC-54").document.props) | {"status": "draft", "version": "1.2"} == dict(
        plain.docs.get("SPEC-54").document.props
    )
    changed = _told(server, "prism_spec", action="update", id="SPEC-54", body=body.replace("37", "38"), status="final")
    assert [one["target"] for one in changed["edges"]] == ["SPEC-38"]
    assert called(server, "prism_spec", action="create", id="SPEC-54", body=body).is_error
    assert called(server, "prism_spec", action="update", id="SPEC-99", body=body).is_error


def test_rewrite_corrects_and_reverify_confirms(plain: Trigraph, server: MCPServer) -> None:
    old = _told(server, "prism_remember", content="The proxy listens on 8443")["id"]
    new = _told(server, "prism_remember", content="The proxy listens on 9443", rewrite=old)["id"]
    assert _told(server, "prism_remember", reverify=new)["id"] == new

    assert plain.history(new).memories[-1].last_verified_at is not None
    assert [one.id for one in plain.list().memories] == [new]


def test_decisions_personas_and_archived_things_come_with_their_state(plain: Trigraph, server: MCPServer) -> None:
    decided = _told(server, "prism_decide", text="Use JWT", topic="auth")
    assert decided["state"]["name"] == "auth"
    persona = _told(server, "prism_persona_create", name="Reviewer", text="Reads", props={"tone": "dry"})
    assert persona["state"]["props"]["tone"]["value"] == "dry"
    assert _told(server, "prism_archive", id="Reviewer")["state"]["retired"] is True
    assert _told(server, "prism_archive", id=decided["id"])["state"] == {"status": "archived"}


def test_checkpoint_and_wrap_come_with_the_tallies_of_the_session(plain: Trigraph, server: MCPServer) -> None:
    kept = plain.remember("The heron nests on the pier").id
    recall = _told(server, "semantic_recall", query="heron")["recall_event_id"]
    _told(server, "prism_memory_cite", recall_event_id=recall, memory_id=kept, kind="cited")

    for told in (_told(server, "prism_checkpoint", text="Counted herons"), _told(server, "prism_wrap")):
        assert told["citations"]["cited"] == 1


def test_correcting_by_words_needs_words_of_one_memory(plain: Trigraph, server: MCPServer) -> None:
    ids = [plain.remember(f"Berth {berth} has a crane").id for berth in ("north", "south")]

    many = called(server, "memory_correct", query="berth crane", corrected_text="No crane")
    assert many.is_error
    assert set(many.meta["trigraph/error"]["allowed"]) == set(ids)
    told = _told(server, "memory_correct", query="berth north", corrected_text="Berth north has two cranes")
    assert told["old_id"] == ids[0]
    assert plain.get(told["new_id"]).text == "Berth north has two cranes"


@pytest.mark.parametrize("tool", ["memory_forget", "fact_retract"])
def test_forgetting_shows_first_and_never_takes_more_than_allowed(
    tool: str, plain: Trigraph, server: MCPServer
) -> None:
    ids = {plain.remember(f"Old staging address {number}").id for number in range(4)}

    preview = _told(server, tool, query="staging address")
    assert preview["dry_run"] is True
    assert {one["id"] for one in preview["preview"]} == set(preview["ids"]) == ids
    refused = called(server, tool, query="staging address", dry_run=False)
    assert refused.meta["trigraph/error"]["field"] == "max_deletions"
    assert len(plain.list().memories) == 4
    one = next(iter(ids))
    assert _told(server, tool, id=one)["ids"] == [one]
    assert set(_told(server, tool, query="staging address", dry_run=False)["ids"]) == ids - {one}
    assert plain.list().memories == ()


def test_saves_are_told_apart_by_their_type(plain: Trigraph, server: MCPServer) -> None:
    decision = _told(server, "save", type="decision", topic="cache", decision="Use Redis", reasoning="Fast")
    later = _told(server, "save", type="decision", topic="cache", decision="Use Valkey", supersedes=decision["id"])
    point = _told(server, "save", type="checkpoint", summary="Valkey is live", implements=[later["id"]])
    insight = _told(server, "save", type="insight", topic="cache", summary="Cold caches cost a minute", confidence=0.5)

    assert [plain.get(one["id"]).kind for one in (later, point, insight)] == ["decision", "checkpoint", "insight"]
    assert plain.get(decision["id"]).superseded_by == later["id"]
    assert point["links"]
    assert called(server, "save", type="opinion", summary="x").meta["trigraph/error"]["field"] == "type"
    assert called(server, "save", type="decision", topic="cache").meta["trigraph/error"]["field"] == "decision"


def test_an_outcome_comes_with_its_link(plain: Trigraph, server: MCPServer) -> None:
    decision = plain.decide("Use JWT", topic="auth").id

    told = _told(server, "evolve", memory_id=decision, outcome="FAILED", reason="No way to revoke")

    assert [(one.id, one.type) for one in plain.links(told["outcome_id"]) if one.to_id == decision] == [
        (told["link"], "outcome_of")
    ]


def test_a_search_from_a_memory_tells_the_links(memory: Trigraph) -> None:
    decision = memory.decide("Sessions are kept in Redis", topic="sessions").id
    memory.checkpoint("Redis keeps the sessions of all users", implements=[decision])

    found = _told(make_server(memory, "compat"), "search", query="Redis sessions", context_memory_id=decision)

    linked = {one["content"]: (one["link_type"], one["confidence"]) for one in found["results"]}
    assert linked["Redis keeps the sessions of all users"] == ("implements", 1.0)


def test_the_audit_shows_the_diff_and_changes_nothing(plain: Trigraph, server: MCPServer) -> None:
    plain.docs.put("# SPEC-1\n\n## Depends on\n\n- SPEC-2\n")

    diff = _told(server, "prism_audit", fixup="memory-graph", apply=False)["diff"]

    assert (diff["applied"], diff["unchanged"], diff["added"]) == (False, 1, [])
