"""Addresses, tokens, servers that are not there, are overloaded, or are something else: each is told plainly."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import trigraph
from http_api import World, opened, served
from other_server import Answer, other, problem, report
from remote_clients import CLIENTS
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy, Right
from trigraph.settings import ServerSettings, load_settings

Client = Callable[..., Any]


@pytest.fixture(params=list(CLIENTS))
def client(request: pytest.FixtureRequest) -> Client:
    return CLIENTS[str(request.param)]


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("localhost:8765", "no http or https address"),
        ("ftp://localhost", "no http or https address"),
        ("http://", "no http or https address"),
        ("http://localhost:99999", "cannot be read"),
        ("http://me:secret@localhost", "holds more than a server"),
        ("http://localhost/?token=x", "holds more than a server"),
        (5, "must be a text"),
    ],
)
def test_an_address_that_is_none_is_refused(url: Any, says: str, client: Client) -> None:
    with pytest.raises(trigraph.InvalidInput, match=says) as failed, client(url):
        pass
    assert failed.value.field == "url"
    assert "secret" not in str(failed.value)


def test_a_token_goes_unencrypted_to_this_machine_alone(client: Client) -> None:
    with pytest.raises(trigraph.InvalidInput, match="unencrypted"), client("http://memory.example.org", token="tg_x"):
        pass
    assert trigraph.connect_async("http://memory.example.org", token="tg_x", plaintext=True)
    assert trigraph.connect_async("https://memory.example.org", token="tg_x")
    assert trigraph.connect_async("http://[::1]:8765/v1/", token="tg_x")


@pytest.mark.parametrize("given", [{"token": "two words"}, {"agent": "a b"}, {"project": "a\nb"}, {"retries": -1},
                                   {"timeout_seconds": 0}])  # fmt: skip
def test_what_cannot_stand_in_a_header_is_refused(given: dict[str, Any], client: Client) -> None:
    with pytest.raises(trigraph.InvalidInput) as failed, client("http://127.0.0.1:1", **given):
        pass
    assert failed.value.field in given
    assert "two words" not in str(failed.value)


def test_a_server_that_is_not_there_is_told_as_such(client: Client) -> None:
    with pytest.raises(trigraph.Unreachable, match=r"http://127.0.0.1:1 does not answer .* `trigraph serve` runs"):  # noqa: SIM117
        with client("http://127.0.0.1:1/", retries=0):
            pass


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ((200, {}, b"<html>"), "does not answer in JSON"),
        ((200, {}, b"[]"), "is no trigraph server"),
        ((404, {}, b"<html>"), "answers HTTP 404, not as trigraph does"),
        ((302, {"Location": "https://quay.example/"}, b""), "redirects, .* https://quay.example/"),
        ((200, {}, b'{"version": "9.0.0", "api": "v9"}'), r"\(trigraph 9.0.0\) speaks v9; this client speaks v1"),
        (problem(404, "no_such_route"), "does not offer that. .* another version"),
    ],
)
def test_something_else_at_the_address_is_told_as_such(answer: Answer, says: str, client: Client) -> None:
    with other() as server:
        server.answers = [answer]
        with pytest.raises(trigraph.Incompatible, match=says), client(server.url):
            pass


@pytest.mark.parametrize(
    ("answer", "kind", "code"),
    [
        (problem(400, "invalid_input", errors=[{"field": "text", "detail": "No.", "allowed": ["a"]}]),
         trigraph.InvalidInput, "invalid_input"),
        (problem(404, "not_found"), trigraph.NotFound, "not_found"),
        (problem(401, "unauthenticated"), trigraph.Unauthenticated, "unauthenticated"),
        (problem(403, "forbidden"), trigraph.Forbidden, "forbidden"),
        (problem(409, "conflict"), trigraph.Conflict, "conflict"),
        (problem(422, "idempotency_key_reused"), trigraph.KeyReused, "idempotency_key_reused"),
        (problem(503, "store_corrupt", None), trigraph.StoreCorrupt, "store_corrupt"),
        (problem(413, "too_large"), trigraph.ServerError, "too_large"),
        (problem(500, "internal"), trigraph.ServerError, "internal"),
        (problem(405, "method_not_allowed"), trigraph.Incompatible, "incompatible"),
        ((200, {}, b'{"items": 5}'), trigraph.Incompatible, "incompatible"),
        ((200, {}, b"{}"), trigraph.Incompatible, "incompatible"),
        ((200, {}, b'{"items": [{"status": "sung", "id": null}]}'), trigraph.Incompatible, "incompatible"),
    ],
)  # fmt: skip
def test_a_problem_is_the_error_that_it_was(answer: Answer, kind: type, code: str, client: Client) -> None:
    raises = pytest.raises(trigraph.TrigraphError)
    with other(answer) as server, client(server.url, retries=0) as memory, raises as failed:
        memory.remember("x")
    assert (type(failed.value), failed.value.code) == (kind, code)
    if isinstance(failed.value, trigraph.InvalidInput):
        assert (failed.value.field, failed.value.allowed) == ("text", ("a",))
    elif type(failed.value) is trigraph.ServerError:
        assert (failed.value.status, failed.value.request_id) == (answer[0], "abc")


def test_what_a_newer_server_adds_is_passed_over(client: Client) -> None:
    with other(report(mood="calm")) as server, client(server.url) as memory:
        assert memory.remember("x").id == "m_1"


def test_a_write_is_sent_again_under_one_key_and_is_no_repetition_of_the_callers(client: Client) -> None:
    with other(problem(503, "overloaded"), None, report(replayed=True)) as server:
        with client(server.url, agent="quay", project="pier", token="tg_x") as memory:
            answer = memory.remember("x")

        sent = server.asked[1:]
        assert len(sent) == 3
        assert len({(path, headers["idempotency-key"], body) for path, headers, body in sent}) == 1
        assert answer.replayed is False
        headers = sent[0][1]
        assert (headers["authorization"], headers["x-trigraph-agent-id"]) == ("Bearer tg_x", "quay")
        assert headers["x-trigraph-project"] == "pier"
        assert headers["user-agent"].startswith("trigraph/")


def test_what_cannot_be_repeated_is_not_once_it_was_sent(client: Client) -> None:
    with other(problem(429, "rate_limited"), None) as server, client(server.url) as memory:
        with pytest.raises(trigraph.Unreachable, match="may have been done"):
            memory.erase("m_1")
        assert len(server.asked) == 3


def test_a_client_waits_out_the_limit_of_a_server(tmp_path: Path, client: Client) -> None:
    """120 requests a minute: the bucket is empty after 120, and each further one takes half a second."""
    with opened(tmp_path) as memory, served(memory, ServerSettings(rate_per_minute=120)) as asking:
        while asking.get("/v1/stats").status_code == 200:
            pass
        with client(str(asking.base_url)) as remote:
            assert remote.stats().memories == 0
        with client(str(asking.base_url), retries=0) as remote:
            with pytest.raises(trigraph.ServerError) as failed:
                [remote.stats() for _ in range(10)]
            assert (failed.value.code, failed.value.status) == ("rate_limited", 429)


def test_a_server_that_asks_for_a_version_is_not_talked_out_of_it(tmp_path: Path, client: Client) -> None:
    """Whoever runs it wants changes to be made of what was seen; the library's verbs do not say what that was."""
    with opened(tmp_path) as memory, served(memory, ServerSettings(require_if_match=True)) as asking:
        id_ = str(memory.remember("The tide is out").id)
        with client(str(asking.base_url)) as remote, pytest.raises(trigraph.ServerError) as failed:
            remote.correct(id_, "The tide is in")
        assert (failed.value.code, failed.value.status) == ("precondition_required", 428)
        assert memory.get(id_).text == "The tide is out"


def test_a_token_says_who_asks(url: str, library: Trigraph, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    library.admin.set_agent("default", "default", "quay", ReadPolicy.ISOLATED)
    issued = library.admin.issue_token("default", "default", "quay", "reader", [Right.READ])
    monkeypatch.setenv("TRIGRAPH_TOKEN", issued.secret)
    assert load_settings().warnings == ()
    with client(url) as memory:
        assert memory.stats().memories == 0
        with pytest.raises(trigraph.Forbidden, match="takes the right write"):
            memory.remember("x")
    with client(url, token="tg_unknown") as memory, pytest.raises(trigraph.Unauthenticated):
        memory.stats()
    with client(url, agent="another") as memory, pytest.raises(trigraph.TrigraphError, match="agent"):
        memory.stats()
    assert issued.secret not in repr(memory)


def test_threads_share_a_client(url: str, world: World) -> None:
    with trigraph.connect(url) as memory, ThreadPoolExecutor(8) as pool:
        texts = [world.text() for _ in range(40)]
        made = list(pool.map(lambda text: (text, memory.remember(text).id), texts))
        assert [memory.get(str(id_)).text for _, id_ in made] == texts
