"""The default with and without a re-ranker, on a tiny data set of LoCoMo's form."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rerank_server import RerankServer, holding, running_server
from trigraph.bench import locomo, reranking
from trigraph.errors import ConfigError
from trigraph.settings import EmbedderSettings, RerankerSettings, Settings

SAID = ("The roof over the shed leaks", "The roof of the house is new", "A roofer from Graz mends the roof of Bo")
TALK = {
    "session_1_date_time": "1:56 pm on 8 May, 2025",
    "session_1": [{"speaker": "Ana", "dia_id": f"D1:{number}", "text": text} for number, text in enumerate(SAID, 1)],
}
QUESTION = {"sample_id": "conv-1", "category": 4, "question": "What about the house roof?", "evidence": ["D1:3"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "locomo10.json").write_text(json.dumps([{"sample_id": "conv-1", "conversation": TALK}]))
    (tmp_path / "qa_normalised.jsonl").write_text(json.dumps(QUESTION))
    return tmp_path


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[RerankServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with running_server() as running:
        yield running


def _settings(server: RerankServer) -> Settings:
    return Settings(reranker=RerankerSettings(kind="http", url=server.url(), model="tiny", blend=1.0))


def test_both_arms_are_measured_and_held_against_each_other(folder: Path, server: RerankServer) -> None:
    server.reply = holding("Ana: The roof of the house is new\nAna: A roofer")
    found = reranking.run(folder, _settings(server))

    assert len(server.requests) == 1
    assert (found["questions"], found["failed"], found["model"]) == (1, 0, "tiny")
    assert found["arms"]["default"]["turn"]["all"]["R@5"] == 100.0
    assert found["arms"]["re-ranked"]["turn"]["all"]["R@10"] == 100.0
    assert found["gain"] == {"n": 1, "without": 100.0, "gain": 0.0, "low": 0.0, "high": 0.0}
    assert "R@10, re-ranked against default: +0.0" in reranking.reranking_table(found)


def test_a_re_ranker_that_moves_the_answer_moves_the_figures(folder: Path, server: RerankServer) -> None:
    server.reply = holding("shed leaks\nAna: The roof of the house is new\n")
    away = reranking.run(folder, _settings(server))["arms"]["re-ranked"]["turn"]["all"]["MRR"]
    server.reply = lambda body: (
        200,
        json.dumps(
            {
                "results": [
                    {"index": place, "relevance_score": float("shed" not in text)}
                    for place, text in enumerate(body["documents"])
                ]
            }
        ),
    )
    towards = reranking.run(folder, _settings(server))["arms"]["re-ranked"]["turn"]["all"]["MRR"]

    assert towards == 100.0 > away


def test_what_failed_is_counted_and_said(folder: Path, server: RerankServer) -> None:
    server.reply = lambda _: (503, "")
    found = reranking.run(folder, _settings(server))

    assert found["failed"] == 1
    assert found["arms"]["default"]["turn"] == found["arms"]["re-ranked"]["turn"]
    assert "failed at 1 questions" in reranking.reranking_table(found)
    assert "HTTP 503" in reranking.reranking_table(found)


def test_without_a_re_ranker_it_says_what_to_set(folder: Path) -> None:
    with pytest.raises(ConfigError, match="No re-ranker is configured") as failed:
        reranking.run(folder, Settings(embedder=EmbedderSettings(kind="none")))

    assert failed.value.fix is not None
    assert all(name in failed.value.fix for name in ("reranker.kind", "reranker.url", "reranker.model"))


def test_the_plain_arms_are_measured_without_it(folder: Path, server: RerankServer) -> None:
    locomo.run(folder, _settings(server))

    assert server.requests == []
