"""`trigraph recall` and `trigraph mcp` ask a running server of their home for vectors, and answer the same as alone."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import Command, serving
from mcp_clients import MODERN, RawStdio, raw_stdio
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.faces.library import Trigraph
from trigraph.faces.local.address import socket_path
from trigraph.faces.local.asking import ask
from trigraph.faces.local.borrowing import Borrowing
from trigraph.faces.local.serving import answering
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.model.status import EmbeddingModel
from trigraph.settings import Settings

TOLD = {"PYTHONPROFILEIMPORTTIME": "1"}
"""Python tells each module that it has imported."""
MODEL = "onnxruntime"
MEASURED = {"id", "milliseconds", "stages", "degraded", "age_days", "temporal", "temporal_score", "retention", "score"}
"""What differs from one recall to the next: its id, its time and whether that was too long, and what ages meanwhile,
the score by its last digit. What the legs found and the features that are weighed are the same to the last bit."""
SAID = (
    "A heron nests on the north pier",
    "The ferry leaves at noon, except on Mondays",
    "We chose PostgreSQL for the harbour ledger because of its range types",
)


@pytest.fixture
def kept(home: Path, embedder: Embedder) -> Path:
    """A home with a few memories and their vectors."""
    with Trigraph(open_engine(Settings(home=str(home)), embedder=embedder), LOCAL_SCOPE) as memory:
        memory.remember_batch(SAID)
    return home


@pytest.fixture
def answered(memory: Trigraph, home: Path) -> Iterator[Trigraph]:
    with answering(memory, home, works=False) as mine:
        assert mine
        yield memory


def unmeasured(value: Any) -> Any:
    """JSON without what differs; a hit is known by its hash and its text."""
    if isinstance(value, list):
        return [unmeasured(one) for one in value]
    if isinstance(value, dict):
        return {name: unmeasured(one) for name, one in value.items() if name not in MEASURED}
    return value


def recalled(command: Command) -> tuple[Any, bool]:
    """What a process of its own answers, and whether it loaded a model."""
    answer = command("recall", "which birds live at the harbour?", "--json", "--explain", environment=TOLD)
    assert answer.code == 0, answer.err
    told = answer.json
    for leg in told["legs"]:
        leg["status"] = leg["status"].replace("slow", "ok")
        leg["reason"] = None if leg["status"] == "ok" else leg["reason"]
    return unmeasured(told), MODEL in answer.err


def test_recall_answers_the_same_without_a_model_of_its_own(command: Command, kept: Path) -> None:
    alone, loaded = recalled(command)
    with serving(command):
        served, loaded_there = recalled(command)

    assert (loaded, loaded_there) == (True, False)
    assert served == alone
    assert [leg["count"] for leg in served["legs"] if leg["leg"] == "vector"] == [3]


def loads_model(client: RawStdio) -> bool:
    return MODEL in Path(f"/proc/{client.process.pid}/maps").read_text(encoding="utf-8")


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="the system does not tell what a process has loaded")
def test_agents_hold_one_model_between_them(command: Command, kept: Path) -> None:
    asked = {"name": "recall", "arguments": {"query": "birds", "detail": "full"}}
    with raw_stdio(command, MODERN, environment={}) as first, raw_stdio(command, MODERN, environment={}) as second:
        own = first.ask("tools/call", **asked)["result"]["structuredContent"]  # it has loaded its model by then
        found = second.ask("tools/call", **asked)["result"]["structuredContent"]
        kept_too = second.ask("tools/call", name="remember", arguments={"text": "A gull sits on the crane"})
        models = [loads_model(one) for one in (first, second)]

    assert models == [True, False]
    assert [leg["status"] for leg in found["legs"] if leg["leg"] == "vector"] == ["ok"]
    assert kept_too["result"]["structuredContent"]["degraded"] is None
    assert own["hits"][0]["id"] == found["hits"][0]["id"]


def test_vectors_of_another_process_are_those_of_the_model(answered: Trigraph, home: Path, embedder: Embedder) -> None:
    borrowing = Borrowing(home)
    texts = ["A heron nests on the pier", "Ärger, 100 % \u2028 und ein Reiher 🐦"]

    found = borrowing(embedder.model, texts, query=False)
    assert np.array_equal(np.array(found, np.float32), embedder.embed_documents(texts))
    found = borrowing(embedder.model, texts[:1], query=True)
    assert np.array_equal(np.array(found, np.float32), embedder.embed_query(texts[0])[None, :])


def test_another_model_and_another_version_get_nothing(answered: Trigraph, home: Path, embedder: Embedder) -> None:
    model = embedder.model
    assert Borrowing(home)(EmbeddingModel("another", model.dimension), ["x"], query=True) is None
    request = {"verb": "embed", "model": asdict(model), "texts": ["x"], "query": True}
    for version, answers in (("0.0.0", False), (answered.engine.version, True)):
        told = ask(str(home), {**request, "version": version}, time.monotonic() + 20)
        assert (told is not None) is answers
    for odd in ({"texts": 7}, {"model": 7}, {"model": {}}, {"texts": []}, {"texts": [7]}):
        assert ask(str(home), {**request, "version": answered.engine.version, **odd}, time.monotonic() + 20) is None


def test_another_home_is_not_asked(answered: Trigraph, tmp_path: Path, embedder: Embedder) -> None:
    assert Borrowing(tmp_path / "other")(embedder.model, ["x"], query=True) is None


def test_who_answers_does_not_ask_itself(answered: Trigraph, home: Path, embedder: Embedder) -> None:
    borrowing = Borrowing(home)
    assert borrowing(embedder.model, ["x"], query=True) is not None
    borrowing.alone = True
    assert borrowing(embedder.model, ["x"], query=True) is None


def test_a_server_that_stalls_is_waited_for_no_longer_than_is_worth_it(kept: Path, embedder: Embedder) -> None:
    path = socket_path(str(kept))
    with socket.socket(socket.AF_UNIX) as stalling:
        stalling.bind(path)
        Path(path).chmod(0o600)
        stalling.listen()
        borrowing = Borrowing(kept, patience_seconds=0.05)
        with Trigraph(open_engine(Settings(home=str(kept)), elsewhere=borrowing), LOCAL_SCOPE) as memory:
            found = memory.recall("which birds live at the harbour?")

    assert [(leg.leg, leg.count) for leg in found.legs if leg.leg == "vector"] == [("vector", 3)]
