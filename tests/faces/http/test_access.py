"""Who is let in: the API, the tools and the pages ask the same of a request, and every door takes its right."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from commands import Command
from http_api import opened, served
from mcp_clients import LEGACY, META, MODERN
from trigraph.faces.http.routes import ROUTES
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy, Right
from trigraph.model.scope import Scope
from trigraph.settings import ServerSettings

pytestmark = [pytest.mark.req("S5")]

GATED = ("/v1/stats", "/v1/memories", "/v1/events", "/metrics", "/memories/zzzzzzzz", "/")
OPEN = ("/healthz", "/readyz", "/version", "/openapi.json", "/docs", "/login", "/static/style.css")


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trigraph]:
    with opened(tmp_path_factory.mktemp("access") / "home") as found:
        for agent in ("anna", "bert"):
            found.admin.set_agent("default", "default", agent, ReadPolicy.SHARED)
            own = Trigraph(found.engine, Scope("default", "default", agent))
            own.remember(f"The zq{agent} heron", visibility="private")
            own.remember(f"Never wake the zq{agent} heron", kind="constraint", visibility="private")
        yield found


@pytest.fixture(scope="module")
def strict(memory: Trigraph) -> Iterator[httpx.Client]:
    """A server that asks a token of everybody, as one that others reach does."""
    with served(memory, ServerSettings(require_token=True, allowed_hosts="memory.example")) as client:
        yield client


@pytest.fixture(scope="module")
def loose(memory: Trigraph) -> Iterator[httpx.Client]:
    with served(memory) as client:
        yield client


def held(memory: Trigraph, agent: str, *rights: str) -> dict[str, str]:
    issued = memory.admin.issue_token("default", "default", agent, "test", rights or ("read", "write"))
    return {"Authorization": f"Bearer {issued.secret}"}


def rpc(client: httpx.Client, method: str, headers: dict[str, str], version: str = MODERN, **params: Any) -> Any:
    modern = version == MODERN
    named = params.get("name") or params.get("uri")
    routing = {"Mcp-Method": method, **({"Mcp-Name": named} if named else {})} if modern else {}
    sent = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": version, **routing, **headers}
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, **({"_meta": META} if modern else {})}}
    return client.post("/mcp", headers=sent, json=body)


class TestWithoutAToken:
    @pytest.mark.parametrize("path", GATED[:4])
    def test_a_program_is_told_what_it_needs(self, strict: httpx.Client, path: str) -> None:
        answer = strict.get(path)
        assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
        assert (answer.json()["code"], "token create" in answer.json()["fix"]) == ("unauthenticated", True)

    @pytest.mark.parametrize("path", GATED[4:])
    def test_a_person_is_led_to_where_one_signs_in(self, strict: httpx.Client, path: str) -> None:
        answer = strict.get(path)
        assert (answer.status_code, answer.headers["location"], answer.content) == (303, "/login", b"")

    @pytest.mark.parametrize("path", OPEN)
    def test_what_says_nothing_of_memory_is_open(self, strict: httpx.Client, path: str) -> None:
        answer = strict.get(path)
        assert answer.status_code == 200
        assert "heron" not in answer.text
        assert "problems" not in answer.text or path in ("/openapi.json", "/docs")

    def test_the_tools_are_not_there_either(self, strict: httpx.Client) -> None:
        for method, params in (
            ("tools/list", {}),
            ("tools/call", {"name": "recall", "arguments": {"query": "heron"}}),
            ("resources/read", {"uri": "memory://recent"}),
        ):
            answer = rpc(strict, method, {}, **params)
            assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")

    @pytest.mark.parametrize(
        "headers",
        [{"X-Forwarded-For": "127.0.0.1"}, {"Forwarded": "for=127.0.0.1"}, {"Host": "memory.example"}],
    )
    def test_what_a_proxy_hands_on_is_not_of_this_machine(self, memory: Trigraph, headers: dict[str, str]) -> None:
        with served(memory, ServerSettings(allowed_hosts="memory.example")) as client:
            assert client.get("/v1/stats").status_code == 200
            assert client.get("/v1/stats", headers=headers).status_code == 401
            assert client.get("/v1/stats", headers={**headers, **held(memory, "anna")}).status_code == 200

    def test_on_this_machine_it_is_the_local_agent_who_administers_nothing(self, loose: httpx.Client) -> None:
        assert loose.get("/v1/stats").status_code == 200
        assert loose.get("/memories").status_code == 200
        refused = loose.post("/v1/prune", json={"dry_run": True})
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")


class TestClaims:
    def test_a_claim_that_contradicts_the_token_is_refused_at_every_door(
        self, strict: httpx.Client, memory: Trigraph
    ) -> None:
        for claim in ({"x-trigraph-agent-id": "bert"}, {"x-signet-agent-id": "bert"}, {"x-trigraph-project": "other"}):
            given = {**held(memory, "anna"), **claim}
            answers = [strict.get("/v1/stats", headers=given), strict.get("/", headers=given)]
            answers.append(rpc(strict, "tools/call", given, name="recall", arguments={"query": "heron"}))
            for answer in answers:
                assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
                assert "The token" in answer.json()["detail"]

    def test_one_that_agrees_changes_nothing(self, strict: httpx.Client, memory: Trigraph) -> None:
        given = {**held(memory, "anna"), "x-trigraph-agent-id": "anna", "x-trigraph-project": "default"}
        assert "zqanna" in strict.get("/v1/memories", headers=given).text

    def test_a_token_that_is_not_valid_is_not_passed_over_on_this_machine(self, loose: httpx.Client) -> None:
        for path in ("/v1/stats", "/"):
            assert loose.get(path, headers={"Authorization": "Bearer tg_nothing"}).status_code == 401

    def test_an_unknown_agent_is_isolated_at_every_door(self, loose: httpx.Client, memory: Trigraph) -> None:
        memory.remember("The heron is for all")
        named = {"x-trigraph-agent-id": "nobody"}
        told = [loose.get("/v1/memories", headers=named).text, loose.get("/memories", headers=named).text]
        told.append(rpc(loose, "tools/call", named, name="recall", arguments={"query": "heron"}).text)
        assert [one for one in told if "is for all" in one] == []


@pytest.mark.parametrize("version", [MODERN, LEGACY[0]])
def test_tools_resources_and_prompts_answer_as_the_tokens_agent(
    strict: httpx.Client, memory: Trigraph, version: str
) -> None:
    for agent, other in (("anna", "bert"), ("bert", "anna")):
        given = held(memory, agent)
        told = [
            rpc(strict, "tools/call", given, version, name="recall", arguments={"query": "heron"}).text,
            rpc(strict, "resources/read", given, version, uri="memory://recent").text,
            rpc(strict, "resources/read", given, version, uri="memory://constraints").text,
            rpc(strict, "prompts/get", given, version, name="recall", arguments={"query": "heron"}).text,
        ]
        assert [f"zq{agent}" in one for one in told] == [True] * 4, told
        assert [one for one in told if f"zq{other}" in one] == []


class TestRights:
    @pytest.mark.parametrize("right", list(Right))
    def test_a_route_takes_its_right_and_no_other_will_do(
        self, strict: httpx.Client, memory: Trigraph, right: Right
    ) -> None:
        others = held(memory, "anna", *(one for one in Right if one is not right))
        for route in ROUTES:
            path = route.template
            for name in ("id", "name", "entity"):
                path = path.replace("{" + name + "}", "zzzzzzzz")
            answer = strict.request(route.method, f"/v1{path}", headers=others)
            refused = answer.status_code == 403 and f"the right {right.value};" in answer.json()["detail"]
            assert refused == (route.right is right), (route.key, answer.text)

    def test_a_tool_takes_the_right_of_each_verb_that_it_calls(self, strict: httpx.Client, memory: Trigraph) -> None:
        reader, writer = held(memory, "anna", "read"), held(memory, "anna", "write")
        cases = [
            (reader, "remember", {"text": "x"}, "write"),
            (reader, "forget", {"ids": ["zzzzzzzz"], "dry_run": False}, "write"),
            (reader, "cite", {"recall_id": "r_" + "7" * 26, "items": [{"id": "zzzzzzzz", "kind": "cited"}]}, "write"),
            (reader, "update", {"id": "zzzzzzzz", "action": "reverify"}, "write"),
            (writer, "recall", {"query": "heron"}, "read"),
            (writer, "get", {"ids": ["zzzzzzzz"]}, "read"),
        ]
        for given, tool, arguments, right in cases:
            answer = rpc(strict, "tools/call", given, name=tool, arguments=arguments).json()["result"]
            assert answer["isError"] is True, tool
            assert f"the right {right};" in answer["content"][0]["text"], tool
        assert "heron" not in rpc(strict, "resources/read", writer, uri="memory://recent").text

    def test_a_page_takes_the_right_to_read(self, strict: httpx.Client, memory: Trigraph) -> None:
        answer = strict.get("/", headers=held(memory, "anna", "write"))
        assert (answer.status_code, "zqanna" in answer.text) == (403, False)

    def test_figures_of_all_are_for_who_administers(self, strict: httpx.Client, memory: Trigraph) -> None:
        assert strict.get("/metrics", headers=held(memory, "anna")).status_code == 403
        assert strict.get("/metrics", headers=held(memory, "anna", "admin")).status_code == 200


class TestSigningIn:
    def test_a_person_signs_in_with_a_token_and_out_again(self, strict: httpx.Client, memory: Trigraph) -> None:
        token = held(memory, "anna")["Authorization"].removeprefix("Bearer ")
        ours = {"Origin": str(strict.base_url).rstrip("/")}
        wrong = strict.post("/login", data={"token": "tg_nothing"}, headers=ours)
        assert (wrong.status_code, "set-cookie" in wrong.headers) == (401, False)

        entered = strict.post("/login", data={"token": token}, headers=ours)
        cookie = entered.headers["set-cookie"]
        assert (entered.status_code, entered.headers["location"]) == (303, "/")
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        try:
            page = strict.get("/memories")
            assert ("zqanna" in page.text, "zqbert" in page.text) == (True, False)
            assert page.headers["Cache-Control"] == "no-store"
            assert "default-src 'self'" in page.headers["Content-Security-Policy"]
            # What a page elsewhere could send along is good for nothing but looking.
            assert strict.get("/v1/stats").status_code == 401
            assert strict.post("/v1/memories", json={"text": "x"}).status_code == 401
            assert rpc(strict, "tools/list", {}).status_code == 401
            assert "Max-Age=0" in strict.post("/logout", headers=ours).headers["set-cookie"]
        finally:
            strict.cookies.clear()

    @pytest.mark.parametrize("headers", [{}, {"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}])
    @pytest.mark.parametrize("path", ["/login", "/logout"])
    def test_no_page_elsewhere_signs_anybody_in_or_out(
        self, strict: httpx.Client, path: str, headers: dict[str, str]
    ) -> None:
        assert strict.post(path, data={"token": "x"}, headers=headers).status_code == 403


class TestNames:
    @pytest.mark.parametrize("path", ["/v1/stats", "/", "/healthz"])
    def test_a_name_that_was_not_listed_is_not_answered(
        self, strict: httpx.Client, memory: Trigraph, path: str
    ) -> None:
        for host, status in (("evil.example", 400), ("memory.example", 0), ("MEMORY.example:80", 0), ("10.0.0.7", 400)):
            answer = strict.get(path, headers={**held(memory, "anna"), "Host": host})
            assert (answer.status_code == 400 and answer.json()["code"] == "invalid_host") == (status == 400)

    def test_an_address_is_no_name_that_could_be_pointed_here(self, memory: Trigraph) -> None:
        with served(memory, ServerSettings(host="0.0.0.0", require_token=True)) as client:
            for host, known in (("10.0.0.7:8765", True), ("[fe80::1]", True), ("evil.example", False)):
                answer = client.get("/v1/stats", headers={**held(memory, "anna"), "Host": host})
                assert answer.status_code == (200 if known else 400)


def test_requests_are_counted_by_who_comes_with_a_token(memory: Trigraph) -> None:
    with served(memory, ServerSettings(rate_per_minute=2, require_token=True)) as client:
        anna, bert = held(memory, "anna"), held(memory, "bert")
        assert [client.get("/v1/stats", headers=anna).status_code for _ in range(3)] == [200, 200, 429]
        other = client.get("/v1/stats", headers=held(memory, "anna"))
        assert (other.status_code, int(other.headers["Retry-After"]) >= 1) == (429, True)
        assert client.get("/v1/stats", headers=bert).status_code == 200
        guesses = [client.get("/v1/stats", headers={"Authorization": f"Bearer tg_{one}"}) for one in range(3)]
        assert [one.status_code for one in guesses] == [401, 401, 429]
        assert rpc(client, "tools/list", anna).status_code == 429


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7"])
def test_an_address_that_others_reach_is_refused_without_tokens(tmp_path: Path, host: str) -> None:
    command = Command(tmp_path / "home", tmp_path)
    answer = command("serve", "--host", host, "--port", "0", "--json", environment={"TRIGRAPH_EMBEDDER__KIND": "none"})
    assert (answer.code, answer.error["code"]) == (78, "config_error")
    assert "--require-token" in answer.error["fix"]
    assert "trigraph admin token create" in answer.error["fix"]
