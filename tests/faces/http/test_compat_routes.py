"""The routes of S11: the names, arguments and answers that callers of other designs have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from http_api import opened, served
from trigraph.faces.http.compat import COMPAT
from trigraph.faces.library import Trigraph

pytestmark = [pytest.mark.req("S11")]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Trigraph]:
    with opened(tmp_path / "home") as found:
        found.admin.set_agent("default", "default", "anna")
        yield found


@pytest.fixture
def client(memory: Trigraph) -> Iterator[httpx.Client]:
    with served(memory, toolset="compat") as asking:
        yield asking


def posted(client: httpx.Client, path: str, **given: Any) -> Any:
    answer = client.post(path, json=given)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_routes_are_those_of_the_list() -> None:
    assert sorted(COMPAT) == [
        "/add",
        "/add_batch",
        "/add_direct",
        "/api/memory/recall",
        "/api/memory/remember",
        "/entities/resolve",
        "/memory/correct",
        "/memory/forget",
    ]


def test_they_are_there_with_their_toolset_alone(memory: Trigraph) -> None:
    with served(memory) as plain:
        assert {plain.post(path, json={}).status_code for path in COMPAT} <= {404, 405}


def test_remember_and_recall(client: httpx.Client, memory: Trigraph) -> None:
    kept = posted(client, "/api/memory/remember", content="Ana prefers tabs", type="preference", tags=["style"])
    rule = posted(client, "/api/memory/remember", content="Never rebase main, says Ana", type="constraint")
    found = posted(client, "/api/memory/recall", query="what does Ana prefer?", limit=5)
    assert kept["id"] in [one["id"] for one in found["results"]]
    assert [one["id"] for one in found["constraints"]] == [rule["id"]]
    assert isinstance(kept["entities"], list)
    assert memory.get(kept["id"]).kind == "preference"


def test_add_one_and_many(client: httpx.Client, memory: Trigraph) -> None:
    given = {"user_id": "u", "agent_id": "anna", "session_id": "s-1", "source": "user", "confidence": 0.8}
    first = posted(client, "/add_direct", text="The quay is 40 m long", **given)
    again = posted(client, "/add_direct", text="The quay is 40 m long", **given)
    assert (first["result"], first["contradictions"], again["result"]) == ("added", [], "deduplicated")
    kept = memory.get(first["id"])
    assert (kept.provenance.author, kept.provenance.session, kept.provenance.source) == ("anna", "s-1", "user")

    many = posted(client, "/add_batch", texts=["The quay is 40 m long", "Gulls nest there", ""], **given)
    assert (many["added"], many["skipped"]) == (1, 1)
    assert [one["index"] for one in many["errors"]] == [2]
    assert many["contradictions"] == []


def test_add_goes_through_the_extractor(client: httpx.Client, memory: Trigraph) -> None:
    told = posted(client, "/add", text="I always deploy on Tuesdays, remember that.", session_id="s-2")
    assert told["result"] == "added"
    assert {memory.job(one).name for one in told["jobs"]} == {"turn"}


def test_names_are_resolved(client: httpx.Client, memory: Trigraph) -> None:
    memory.remember("The Pier is old", subject="Pier", type="location")
    one, other = posted(client, "/entities/resolve", names=["pier", "Lock"])["results"]
    assert (one["canonical_name"], one["status"], one["entity_id"]) == ("Pier", "matched", memory.entity("Pier").id)
    assert (other["status"], other["entity_id"]) == ("unknown", None)


def test_correct_and_forget(client: httpx.Client, memory: Trigraph) -> None:
    id_ = memory.remember("The proxy listens on 8443").id
    changed = posted(client, "/memory/correct", query="proxy listens", corrected_text="The proxy listens on 9443")
    assert changed["old_id"] == id_
    preview = posted(client, "/memory/forget", query="proxy listens", dry_run=True)
    assert (preview["ids"], memory.get(changed["new_id"]).status) == ([changed["new_id"]], "active")
    assert posted(client, "/memory/forget", id=changed["new_id"], dry_run=False)["ids"] == [changed["new_id"]]


def test_what_is_unknown_is_ignored_with_a_warning_and_what_is_wrong_is_a_problem(client: httpx.Client) -> None:
    told = posted(client, "/api/memory/recall", query="x", flavour="sweet")
    assert told["warnings"] == ["flavour is no argument of this tool; it was ignored."]
    refused = client.post("/add_direct", json={"source": "user"})
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "#/text")


def test_a_body_cannot_name_an_agent_that_the_token_does_not_own(client: httpx.Client, memory: Trigraph) -> None:
    token = memory.admin.issue_token("default", "default", "anna", "test", ["read", "write"]).secret
    held = {"Authorization": f"Bearer {token}"}
    for agent, status in (("anna", 200), ("default", 403)):
        given = {"text": f"{agent} was here", "agent_id": agent, "source": "agent"}
        assert client.post("/add_direct", json=given, headers=held).status_code == status
    reader = memory.admin.issue_token("default", "default", "anna", "reader", ["read"]).secret
    refused = client.post("/add", json={"text": "x"}, headers={"Authorization": f"Bearer {reader}"})
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
