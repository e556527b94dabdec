"""The HTTP re-ranker against a real server on this machine."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rerank_server import Answer, RerankServer, by_words, running_server
from trigraph.assembly import open_engine
from trigraph.contracts import RERANK_MOST, Reranker
from trigraph.errors import ConfigError, ModelUnavailable
from trigraph.rerankers.http import HttpReranker
from trigraph.settings import RerankerSettings, Settings, load_settings

KEY = "s3cret-key"
DIALECTS = ("cohere", "tei")
QUERY = "which database holds billing"
TEXTS = ["Lunch is at noon", "The billing database is Postgres", "Redis is no database"]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[RerankServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with running_server() as running:
        yield running


def _reranker(server: RerankServer, dialect: str = "cohere", *, timeout_seconds: float = 10) -> HttpReranker:
    return HttpReranker(dialect, server.url(dialect), "tiny", key=KEY, timeout_seconds=timeout_seconds)


def _fails(reranker: Reranker, problem: str, texts: list[str] = TEXTS) -> None:
    with pytest.raises(ModelUnavailable, match=problem) as failed:
        reranker.scores(QUERY, texts)
    told: BaseException | None = failed.value
    assert failed.value.fix is not None
    assert "reranker.url" in failed.value.fix
    while told is not None:
        assert KEY not in f"{told} {told!r}"
        told = told.__cause__ or told.__context__


@pytest.mark.parametrize("dialect", DIALECTS)
def test_scores_come_in_the_order_of_the_texts(server: RerankServer, dialect: str) -> None:
    reranker: Reranker = _reranker(server, dialect)

    assert list(reranker.scores(QUERY, TEXTS)) == [0, 2, 1]
    assert reranker.model_id == "tiny"


def test_cohere_is_asked_for_all_texts_by_the_name_of_the_model(server: RerankServer) -> None:
    _reranker(server).scores(QUERY, TEXTS)

    ((headers, body),) = server.requests
    assert body == {"model": "tiny", "query": QUERY, "documents": TEXTS, "top_n": 3}
    assert headers["authorization"] == f"Bearer {KEY}"
    assert headers["content-type"] == "application/json"


def test_tei_is_told_to_shorten_what_is_too_long_for_its_model(server: RerankServer) -> None:
    _reranker(server, "tei").scores(QUERY, TEXTS)

    assert server.requests[0][1] == {"query": QUERY, "texts": TEXTS, "truncate": True}


def test_no_texts_are_no_request_and_too_many_are_none_either(server: RerankServer) -> None:
    assert _reranker(server).scores(QUERY, []) == []
    _fails(_reranker(server), "101 texts .* 100 are the most", ["x"] * (RERANK_MOST + 1))
    assert server.requests == []

    assert len(_reranker(server).scores(QUERY, ["x"] * RERANK_MOST)) == RERANK_MOST


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ('{"index": 0, "S": 1}, {"index": 1, "S": 2}', "2 results for 3 texts"),
        ("", "0 results for 3 texts"),
        ('{"index": 0, "S": 1}, {"index": 0, "S": 1}, {"index": 1, "S": 1}', "an index is missing, twice"),
        ('{"index": 0, "S": 1}, {"index": 1, "S": 1}, {"index": 3, "S": 1}', "out of range"),
        ('{"index": -1, "S": 1}', "out of range"),
        ('{"index": true, "S": 1}', "an index is missing"),
        ('{"S": 1}', "an index is missing"),
        ('["index"]', "an index is missing"),
        ('{"index": 0, "S": NaN}', "is not JSON"),
        ('{"index": 0, "S": Infinity}', "is not JSON"),
        ('{"index": 0, "S": 1e999}', "is no number"),
        ('{"index": 0, "S": 1' + "0" * 400 + "}", "is no number"),
        ('{"index": 0, "S": "0.9"}', "is no number"),
        ('{"index": 0, "S": null}', "is no number"),
        ('{"index": 0, "S": true}', "is no number"),
        ('{"index": 0}', "is no number"),
    ],
)
def test_an_answer_that_does_not_score_each_text_once_is_refused(
    server: RerankServer, dialect: str, rows: str, problem: str
) -> None:
    told = rows.replace('"S"', '"score"' if dialect == "tei" else '"relevance_score"')
    server.reply = lambda _: (200, f"[{told}]" if dialect == "tei" else f'{{"results": [{told}]}}')

    _fails(_reranker(server, dialect), problem)
    assert len(server.requests) == 1


@pytest.mark.parametrize("text", ["<html>", "", "[]", "{}", '{"results": {}}', "[" * 5000])
def test_an_answer_of_another_form_is_refused(server: RerankServer, text: str) -> None:
    server.reply = lambda _: (200, text)

    _fails(_reranker(server), "is not JSON|no list of results")


@pytest.mark.parametrize("status", [400, 401, 413, 422, 429, 500, 503])
def test_it_is_asked_once_since_a_recall_goes_on_without_it(server: RerankServer, status: int) -> None:
    server.reply = lambda _: (status, '{"error": "batch size 40 > 32"}')

    _fails(_reranker(server), f"HTTP {status}")
    assert len(server.requests) == 1


def test_an_answer_without_end_is_not_read(server: RerankServer) -> None:
    server.reply = lambda _: (200, "[" + " " * 2_000_000 + "]")

    _fails(_reranker(server), "more than 1,000,000 bytes")


def test_a_server_that_does_not_answer_in_time_is_given_up(server: RerankServer) -> None:
    def never(body: dict[str, Any]) -> Answer:
        server.over.wait(30)
        return by_words(body)

    server.reply = never
    _fails(_reranker(server, timeout_seconds=0.1), "no whole answer within 0.1 s|no answer")
    assert len(server.requests) == 1


def test_a_refused_connection_is_said(server: RerankServer) -> None:
    with RerankServer() as closed:
        url = closed.url()

    _fails(HttpReranker("cohere", url, "tiny", key=KEY, timeout_seconds=5), "no answer")


@pytest.mark.parametrize("status", [200, 401, 503])
def test_the_key_is_in_no_error_and_no_log(server: RerankServer, status: int, caplog: pytest.LogCaptureFixture) -> None:
    server.reply = lambda _: (status, f'{{"you said": "Bearer {KEY}"}}')
    with caplog.at_level(logging.DEBUG):
        _fails(_reranker(server), "HTTP|no list")

    assert KEY not in caplog.text
    assert server.requests[0][0]["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"kind": "magic"}, "reranker.kind 'magic' is not known"),
        ({"dialect": "klingon"}, "reranker.dialect 'klingon' is not known"),
        ({"url": ""}, "reranker.url is not set"),
        ({"model": ""}, "reranker.model is not set"),
        ({"url": "ftp://127.0.0.1/rerank"}, "not a plain http or https one"),
        ({"url": "http://user:s3cret-key@127.0.0.1/rerank"}, "not a plain http or https one"),
        ({"api_key_env": "s3cret-key"}, "reranker.api_key_env names a variable that is not set"),
        ({"api_key_env": "ODD_KEY"}, "key holds spaces"),
        ({"candidates": 1}, "reranker.candidates or reranker.blend is out of range"),
        ({"candidates": 101}, "reranker.candidates or reranker.blend is out of range"),
        ({"blend": float("nan")}, "reranker.candidates or reranker.blend is out of range"),
        ({"blend": 1.1}, "reranker.candidates or reranker.blend is out of range"),
        ({"timeout_seconds": 0.0}, "reranker.timeout_seconds is out of range"),
        ({"timeout_seconds": float("inf")}, "reranker.timeout_seconds is out of range"),
    ],
    ids=str,
)
def test_a_setting_that_makes_no_sense_is_refused_before_anything_is_opened(
    changed: dict[str, Any], says: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ODD_KEY", "s3cret-key and more")
    given: dict[str, Any] = {"kind": "http", "url": "http://127.0.0.1:9/rerank", "model": "tiny"}

    with pytest.raises(ConfigError) as failed:
        open_engine(Settings(home=str(home), reranker=RerankerSettings(**given | changed)))
    assert says in failed.value.message
    assert failed.value.fix
    assert KEY not in str(failed.value)
    assert not home.exists()


def test_a_project_cannot_send_its_readers_memories_to_a_server_that_it_names(tmp_path: Path) -> None:
    told = '[reranker]\nkind = "http"\nurl = "http://evil.example/rerank"\nmodel = "m"\n'
    (tmp_path / ".trigraph.toml").write_text(told, encoding="utf-8")
    loaded = load_settings({}, {}, tmp_path)

    assert loaded.settings.reranker == RerankerSettings()
    assert [warning.split(" is not taken")[0] for warning in loaded.warnings] == [
        "reranker.kind",
        "reranker.url",
        "reranker.model",
    ]
