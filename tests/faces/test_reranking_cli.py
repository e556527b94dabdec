"""The re-ranker as the command shows it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from commands import Command
from rerank_server import RerankServer, holding, running_server

KEY = "s3cret-key"


@pytest.fixture
def server() -> Iterator[RerankServer]:
    with running_server() as running:
        running.reply = holding("thin")
        yield running


@pytest.fixture
def environment(server: RerankServer, run: Command) -> dict[str, str]:
    """Two memories, and a re-ranker that likes the one that the query is less like."""
    run("remember", "Paint the office walls teal")
    run("remember", "The office walls are thin")
    settings = {"KIND": "http", "URL": server.url(), "MODEL": "tiny", "BLEND": "1", "API_KEY_ENV": "OUR_KEY"}
    named = {f"TRIGRAPH_RERANKER__{name}": value for name, value in settings.items()}
    return {**named, "OUR_KEY": KEY, "NO_PROXY": "127.0.0.1"}


def test_explain_shows_what_the_re_ranker_did(run: Command, environment: dict[str, str], server: RerankServer) -> None:
    shown = run("recall", "paint the office walls", "--explain", environment=environment)

    assert shown.out.index("are thin") < shown.out.index("teal")
    assert "moved up by the re-ranker, from place 2" in shown.out
    assert "re-ranked by tiny: ok, " in shown.out
    assert server.requests[0][0]["authorization"] == f"Bearer {KEY}"


def test_json_says_how_it_fared(run: Command, environment: dict[str, str]) -> None:
    told = json.loads(run("recall", "paint the office walls", "--json", environment=environment).out)

    assert list(told["reranked"]) == ["model", "status", "reason", "milliseconds"]
    assert (told["reranked"]["model"], told["reranked"]["status"]) == ("tiny", "ok")


def test_a_query_can_be_asked_without_it(run: Command, environment: dict[str, str], server: RerankServer) -> None:
    shown = run("recall", "paint the office walls", "--no-rerank", environment=environment)

    assert shown.out.index("teal") < shown.out.index("are thin")
    assert server.requests == []


def test_when_it_fails_the_answer_stands_and_the_reason_is_said(
    run: Command, environment: dict[str, str], server: RerankServer
) -> None:
    server.reply = lambda _: (401, f"what is {KEY}?")
    shown = run("recall", "paint the office walls", "--explain", environment=environment)

    assert shown.code == 0
    assert shown.out.index("teal") < shown.out.index("are thin")
    assert "re-ranker failed: The re-ranker at" in shown.err
    assert "HTTP 401: what is ***?" in shown.err
    assert KEY not in shown.out + shown.err


def test_a_benchmark_of_it_needs_one(run: Command) -> None:
    shown = run("bench", "locomo", "--rerank")

    assert shown.code != 0
    assert "No re-ranker is configured" in shown.err
    assert "reranker.url" in shown.err
