"""What HTTP adds: problems, idempotency keys, ETags, cursors, what is echoed and what is logged."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from http_api import World, opened, served
from trigraph.contracts import LOGGED
from trigraph.errors import TrigraphError
from trigraph.faces.http.etags import etag_of
from trigraph.faces.http.server import listen
from trigraph.faces.library import Trigraph
from trigraph.settings import ServerSettings

TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


def test_answers_are_sent_at_once() -> None:
    """Without this an answer in two pieces waits until the client has acknowledged the first."""

    async def accepted() -> int:
        found = asyncio.get_running_loop().create_future()

        def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            taken = writer.get_extra_info("socket")
            found.set_result(taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listener = listen("127.0.0.1", 0)
        async with await asyncio.start_server(connected, sock=listener):
            _, writer = await asyncio.open_connection(*listener.getsockname())
            writer.close()
            return int(await found)

    assert asyncio.run(accepted()) == 1


class TestProblems:
    def test_a_problem_has_every_member_that_it_should(self, client: httpx.Client) -> None:
        answer = client.post("/v1/memories", json={"text": "x", "kind": "fcat"}, headers={"X-Request-Id": "r-1"})
        told = answer.json()
        kinds = told["errors"][0].pop("allowed")

        assert answer.headers["content-type"] == "application/problem+json"
        assert "fact" in kinds
        assert told == {
            "type": "/docs#error-invalid_input",
            "title": "Invalid kind",
            "status": 400,
            "detail": "kind 'fcat' is not known.",
            "instance": "/v1/memories",
            "code": "invalid_input",
            "request_id": "r-1",
            "fix": f"Did you mean 'fact'? Valid: {', '.join(kinds)}.",
            "errors": [{"field": "kind", "pointer": "#/kind", "detail": "kind 'fcat' is not known."}],
        }

    @pytest.mark.parametrize(
        ("body", "says"),
        [
            (b"{", "is not JSON"),
            (b"\xff", "is not JSON"),
            (b'{"text": NaN}', "is not JSON"),
            (b"[" * 100_000, "is not JSON"),
            (b"[]", "must be an object, not list"),
            (b'"x"', "must be an object, not str"),
            (b'{"text": "\\ud800"}', "text"),
            (b'{"text": "a\\u0000b"}', "NUL"),
            (b'{"text": 5}', "must be a string"),
            (b'{"text": "x", "self": 1}', "'self' is not known"),
            (b'{"text": "x", "idempotency_key": "k"}', "'idempotency_key' is not known"),
            (b'{"text": "x", "progress": 1}', "'progress' is not known"),
            (b'{"text": "x", "pinned": "yes"}', "pinned must be true or false"),
            (b'{"text": "x", "confidence": 1e999}', "confidence"),
            (b'{"text": "x", "occurred_at": 5}', "occurred_at must be a time"),
            (b'{"items": "x"}', "items must be a list"),
            (b'{"items": [], "text": "x"}', "items stand alone"),
            (b"{}", "text is empty"),
        ],
    )
    def test_a_body_that_cannot_be_taken_is_a_400_that_says_why(
        self, client: httpx.Client, body: bytes, says: str
    ) -> None:
        answer = client.post("/v1/memories", content=body, headers={"Content-Type": "application/json"})
        assert (answer.status_code, says in answer.json()["detail"]) == (400, True), answer.text

    @pytest.mark.parametrize(
        ("query", "says"),
        [
            ("limit=abc", "limit must be a whole number"),
            ("limit=1&limit=2", "limit was given 2 times"),
            ("limt=1", "parameter 'limt' is not known"),
            ("limit=99999999999999999999", "limit must be a whole number"),
            ("as_of=yesterday", "is not a time"),
            ("self=1", "parameter 'self' is not known"),
        ],
    )
    def test_a_parameter_that_cannot_be_taken_likewise(self, client: httpx.Client, query: str, says: str) -> None:
        answer = client.get(f"/v1/memories?{query}")
        assert (answer.status_code, says in answer.json()["detail"]) == (400, True), answer.text

    def test_what_is_missing_is_named(self, client: httpx.Client) -> None:
        answer = client.post("/v1/recall", json={})
        assert answer.json()["errors"][0]["pointer"] == "#/query"
        answer = client.get("/v1/traces/impact")
        assert answer.json()["errors"][0]["parameter"] == "id"

    def test_another_sort_of_body_is_415(self, client: httpx.Client) -> None:
        for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
            answer = client.post("/v1/memories", content=b'{"text": "x"}', headers={"Content-Type": kind})
            assert (answer.status_code, answer.json()["code"]) == (415, "not_json")

    def test_a_route_that_is_not_there_and_a_method_that_is_not_taken(self, client: httpx.Client) -> None:
        assert client.get("/v1/nowhere").json()["code"] == "no_such_route"
        answer = client.put("/v1/memories/x")
        assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
        assert set(answer.headers["allow"].split(", ")) == {"DELETE", "GET", "HEAD", "PATCH"}

    def test_ids_and_traces_are_echoed_if_they_are_ones(self, client: httpx.Client) -> None:
        echoed = client.get("/v1/stats", headers={"X-Request-Id": "abc-1", "traceparent": TRACE}).headers
        assert (echoed["x-request-id"], echoed["traceparent"]) == ("abc-1", TRACE)
        made = client.get("/v1/stats", headers={"X-Request-Id": "a b<>", "traceparent": "x"}).headers
        assert made["x-request-id"] != "a b<>"
        assert len(made["x-request-id"]) == 16
        assert "traceparent" not in made


class TestIdempotency:
    @pytest.mark.parametrize("form", ['"key-1"', "key-2"])
    def test_the_same_call_is_done_once(self, client: httpx.Client, library: Trigraph, form: str) -> None:
        given = {"text": f"The ferry leaves at noon {form}"}
        first, again = (client.post("/v1/memories", json=given, headers={"Idempotency-Key": form}) for _ in range(2))

        assert (first.status_code, again.status_code) == (201, 201)
        assert {**first.json(), "replayed": True} == again.json()
        assert [one.text for one in library.list(limit=500).memories].count(given["text"]) == 1

    def test_a_key_quoted_or_bare_is_one_key(self, client: httpx.Client) -> None:
        client.post("/v1/memories", json={"text": "Quoted"}, headers={"Idempotency-Key": '"key-3"'})
        answer = client.post("/v1/memories", json={"text": "Bare"}, headers={"Idempotency-Key": "key-3"})
        assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_reused")

    def test_one_agents_key_is_not_anothers(self, client: httpx.Client) -> None:
        for agent in ("gulls", "terns"):
            given = {"Idempotency-Key": "key-4", "x-trigraph-agent-id": agent}
            assert client.post("/v1/memories", json={"text": agent}, headers=given).status_code == 201

    def test_many_memories_take_none(self, client: httpx.Client) -> None:
        answer = client.post("/v1/memories", json={"items": ["x"]}, headers={"Idempotency-Key": "key-5"})
        assert (answer.status_code, "take no idempotency key" in answer.json()["detail"]) == (400, True)

    @pytest.mark.parametrize("key", ["", "x" * 201, '""'])
    def test_a_key_that_is_none_is_refused(self, client: httpx.Client, key: str) -> None:
        answer = client.post("/v1/memories", json={"text": "x"}, headers={"Idempotency-Key": key})
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")


class TestTags:
    def test_a_memory_has_a_tag_that_every_change_changes(
        self, client: httpx.Client, library: Trigraph, world: World
    ) -> None:
        id_ = world.memory
        tags = [client.get(f"/v1/memories/{id_}").headers["etag"]]
        assert client.get(f"/v1/memories/{id_[-8:]}").headers["etag"] == tags[0]
        changes: list[Callable[[], object]] = [
            lambda: library.reverify(id_),
            lambda: library.vote(id_, -1),
            lambda: library.supersede(id_, world.text()),
        ]
        for change in changes:
            change()
            tags.append(client.get(f"/v1/memories/{id_}").headers["etag"])
        assert len(set(tags)) == 4

    def test_what_the_asker_has_is_not_sent_again(self, client: httpx.Client, world: World) -> None:
        path = f"/v1/memories/{world.memory}"
        tag = client.get(path).headers["etag"]
        answer = client.get(path, headers={"If-None-Match": f'"other", {tag}'})
        assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)

    @pytest.mark.parametrize("method", ["PATCH", "DELETE"])
    def test_a_change_of_what_was_changed_since_is_refused(
        self, client: httpx.Client, library: Trigraph, world: World, method: str
    ) -> None:
        id_ = world.memory
        path, body = f"/v1/memories/{id_}", {"text": world.text()} if method == "PATCH" else None
        seen = client.get(path).headers["etag"]
        library.reverify(id_)
        refused = client.request(method, path, headers={"If-Match": seen}, json=body)
        assert (refused.status_code, refused.json()["code"]) == (412, "precondition_failed")
        assert library.get(id_).status == "active"

        now = client.get(path).headers["etag"]
        assert client.request(method, path, headers={"If-Match": now}, json=body).status_code == 200
        assert client.request(method, path, headers={"If-Match": now}, json=body).status_code == 409

    @pytest.mark.parametrize("method", ["PATCH", "DELETE"])
    def test_nothing_comes_between_the_check_and_the_change(
        self, client: httpx.Client, library: Trigraph, world: World, method: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        id_ = world.memory
        path, body = f"/v1/memories/{id_}", {"text": world.text()} if method == "PATCH" else None
        now = client.get(path).headers["etag"]

        def vote() -> None:
            with suppress(TrigraphError):  # it is gone by then
                library.vote(id_, 1)

        between = threading.Thread(target=vote)
        waited: list[bool] = []

        def tagged(shown: object) -> str:
            between.start()
            between.join(0.3)
            waited.append(between.is_alive())
            return etag_of(shown)

        monkeypatch.setattr("trigraph.faces.http.etags.etag_of", tagged)
        answer = client.request(method, path, headers={"If-Match": now}, json=body)
        between.join(20)
        assert (answer.status_code, waited, between.is_alive()) == (200, [True], False)

    def test_a_server_can_ask_for_the_tag(self, tmp_path: Path) -> None:
        with opened(tmp_path) as memory, served(memory, ServerSettings(require_if_match=True)) as client:
            made = client.post("/v1/memories", json={"text": "A heron"}).headers["location"]
            answer = client.delete(made)
            assert (answer.status_code, answer.json()["code"]) == (428, "precondition_required")
            assert client.delete(made, headers={"If-Match": "*"}).status_code == 200

    def test_a_correction_tells_where_the_new_memory_is(self, client: httpx.Client, world: World) -> None:
        answer = client.patch(
            f"/v1/memories/{world.memory}",
            content=json.dumps({"text": "A stork", "tags": ["x"]}),
            headers={"Content-Type": "application/merge-patch+json"},
        )
        assert client.get(answer.headers["location"]).json()["text"] == "A stork"

    @pytest.mark.parametrize("field", ["text", "topic", "confidence"])
    def test_what_cannot_be_taken_away_is_said(self, client: httpx.Client, world: World, field: str) -> None:
        answer = client.patch(f"/v1/memories/{world.memory}", json={"text": "A tern", field: None})
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, f"#/{field}")


class TestPages:
    def test_links_lead_through_a_listing(self, tmp_path: Path) -> None:
        with opened(tmp_path) as memory, served(memory) as client:
            memory.remember_batch([f"Barge {number}" for number in range(7)])
            path: str | None = "/v1/memories?limit=3&kinds=fact&kinds=decision"
            shown: list[str] = []
            while path:
                answer = client.get(path)
                shown += [one["text"] for one in answer.json()["memories"]]
                path = answer.links["next"]["url"] if "next" in answer.links else None
                assert (path is None) == (answer.json()["next_cursor"] is None)
        assert shown == [f"Barge {number}" for number in reversed(range(7))]

    @pytest.mark.parametrize("path", ["/v1/memories", "/v1/entities", "/v1/documents"])
    def test_a_cursor_of_ones_own_making_is_refused(self, client: httpx.Client, path: str) -> None:
        assert client.get(path, params={"cursor": "bm90IG91cnM"}).status_code == 400


def test_a_job_that_was_queued_is_told_with_its_place(client: httpx.Client, world: World) -> None:
    answer = client.post("/v1/distil", json={"session": world.session})
    job = client.get(answer.headers["location"]).json()
    assert (answer.status_code, job["name"], job["id"]) == (202, "distil", answer.json()["id"])


def test_a_name_may_hold_what_paths_hold(client: httpx.Client, library: Trigraph) -> None:
    library.remember("CI/CD is broken", subject="CI/CD", type="system")
    assert client.get("/v1/entities/CI%2FCD").json()["name"] == "CI/CD"
    assert client.get("/v1/entities/CI/CD/history").json()["entity"]["name"] == "CI/CD"
    library.docs.put("# Gates", collection="specs", path="a/b.md")
    assert client.get("/v1/documents/a/b.md?collection=specs").json()["document"]["path"] == "a/b.md"


def test_requests_are_logged_without_a_word_of_them(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "trigraph.requests"), opened(tmp_path) as memory, served(memory) as client:
        client.get("/v1/entities/zqsecret", headers={"X-Request-Id": "r-9", "x-trigraph-agent-id": "anna"})
        client.get("/v1/memories?topic=zqsecret")
    lines = [getattr(record, LOGGED) for record in caplog.records if record.name == "trigraph.requests"]
    assert "zqsecret" not in json.dumps(lines)
    assert lines[0].pop("ms") > 0
    assert lines[0] == {
        "event": "request",
        "face": "http",
        "request": "GET /v1/entities/{name}",
        "outcome": "refused",
        "request_id": "r-9",
        "status": 404,
        "agent": "anna",
    }


def test_figures_count_what_was_done_and_name_nobody(tmp_path: Path) -> None:
    with opened(tmp_path) as memory, served(memory) as client:
        id_ = client.post("/v1/memories", json={"text": "zqsecret stands", "source": "agent"}).json()["items"][0]["id"]
        recall = client.post("/v1/recall", json={"query": "zqsecret"}, headers={"x-trigraph-agent-id": "anna"}).json()
        client.post("/v1/citations", json={"recall_id": recall["id"], "items": [{"id": id_, "kind": "dismissed"}]})
        client.get("/v1/memories/zq")
        told = client.get("/metrics").text

    for line in (
        'trigraph_writes_total{source="agent",status="added"} 1.0',
        'trigraph_citations_total{kind="dismissed"} 1.0',
        'trigraph_http_requests_total{method="POST",route="/v1/recall",status="200"} 1.0',
        'trigraph_errors_total{code="invalid_input"} 1.0',
        'trigraph_build_info{version="',
        'trigraph_recall_duration_seconds_count{leg="lexical",outcome="',
        "trigraph_recall_results_count 1.0",
        "trigraph_db_size_bytes ",
    ):
        assert line in told
    assert "zqsecret" not in told
    assert "anna" not in told


def test_a_fault_of_ours_is_a_500_that_tells_nothing_of_what_was_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    said = ["zqsecret"]

    def broken(self: Trigraph) -> None:
        raise RuntimeError(*said)

    monkeypatch.setattr(Trigraph, "stats", broken)
    with opened(tmp_path) as memory, served(memory) as client:
        answer = client.get("/v1/stats", headers={"X-Request-Id": "r-5"})
        assert client.get("/v1/memories").status_code == 200
    err = capfd.readouterr().err
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "zqsecret" not in answer.text + err
    assert "r-5: RuntimeError" in err


def test_a_store_that_is_closed_is_not_ready(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    with served(memory) as client:
        assert client.get("/readyz").json()["status"] == "ready"
        memory.close()
        gone, asked = client.get("/readyz"), client.get("/v1/stats")
    assert (gone.status_code, gone.json()["code"], asked.status_code) == (503, "store_closed", 503)
