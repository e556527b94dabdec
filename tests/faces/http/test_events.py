"""The live tail: what happens is told as it happens, once, to who may see it, and every stream ends."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from http_api import World, heard, opened, served
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy, Right
from trigraph.settings import ServerSettings


def test_changes_and_recalls_are_told_as_they_happen(client: httpx.Client, library: Trigraph, world: World) -> None:
    with client.stream("GET", "/v1/events") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        stream = heard(answer)
        assert next(stream)[0] == "ready"
        id_ = world.memory
        first = next(stream)
        library.forget(id_, reason="enough")
        second = next(stream)
        recall = library.recall("harbour").id
        third = next(stream)

    assert [(name, data.get("verb"), data.get("memory_id")) for name, _, data in (first, second)] == [
        ("change", "remember", id_),
        ("change", "forget", id_),
    ]
    assert (third[0], third[2]["recall_id"], third[2]["query"]) == ("recall", recall, "harbour")


def test_a_stream_is_taken_up_where_it_was_left(client: httpx.Client, library: Trigraph, world: World) -> None:
    with client.stream("GET", "/v1/events") as answer:
        stream = heard(answer)
        next(stream)
        first = world.memory
        left_at = next(stream)[1]
    missed = [world.memory, world.memory]
    recall = library.recall("harbour").id
    with client.stream("GET", "/v1/events", headers={"Last-Event-ID": left_at}) as answer:
        stream = heard(answer)
        told = [next(stream) for _ in range(4)]

    assert [data.get("memory_id") or data.get("recall_id") for _, _, data in told[1:]] == [*missed, recall]
    assert first not in [data.get("memory_id") for _, _, data in told]


def test_another_agent_hears_nothing_of_what_is_private_nor_of_recalls(client: httpx.Client, library: Trigraph) -> None:
    library.admin.set_agent("default", "default", "listener", ReadPolicy.SHARED)
    with client.stream("GET", "/v1/events", headers={"x-trigraph-agent-id": "listener"}) as answer:
        stream = heard(answer)
        next(stream)
        hidden = library.remember("zqhidden is private", visibility="private").id
        library.recall("zqhidden")
        shown = library.remember("The quay is for all").id
        name, cursor, data = next(stream)
    assert (name, data["memory_id"]) == ("change", shown)
    assert str(hidden) not in str(data)
    assert "zqhidden" not in str(data) + cursor


@pytest.mark.parametrize("cursor", ["x", "bm90IG91cnM", "MS8v", "Li4vLi4v"])
def test_a_cursor_of_ones_own_making_is_refused_or_harmless(client: httpx.Client, cursor: str) -> None:
    with client.stream("GET", "/v1/events", headers={"Last-Event-ID": cursor}) as answer:
        assert answer.status_code == (200 if cursor == "MS8v" else 400)


def test_a_stream_ends_when_its_token_is_revoked(client: httpx.Client, library: Trigraph) -> None:
    issued = library.admin.issue_token("default", "default", "default", "listener", [Right.READ])
    with client.stream("GET", "/v1/events", headers={"Authorization": f"Bearer {issued.secret}"}) as answer:
        stream = heard(answer)
        next(stream)
        library.admin.revoke_token("default", "default", issued.token.id)
        assert list(stream) == []


def test_streams_end_with_the_server_and_there_are_not_too_many(tmp_path: Path) -> None:
    with opened(tmp_path) as memory, httpx.Client(timeout=30) as listener:
        with served(memory, ServerSettings(most_streams=1)) as client:
            address = client.base_url.join("/v1/events")
            open_stream = listener.send(listener.build_request("GET", address), stream=True)
            stream = heard(open_stream)
            next(stream)
            refused = client.get("/v1/events")
            assert (refused.status_code, refused.json()["code"]) == (503, "overloaded")
            assert client.get("/v1/stats").status_code == 200
        assert list(stream) == []


def test_a_place_is_free_again_when_its_listener_goes(tmp_path: Path) -> None:
    with opened(tmp_path) as memory, served(memory, ServerSettings(most_streams=1)) as client:
        for _ in range(3):
            while True:
                with client.stream("GET", "/v1/events") as answer:
                    if answer.status_code == 200:
                        assert next(heard(answer))[0] == "ready"
                        break
