"""The HTTP embedder against a real server on this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from trigraph.assembly import embedder_loader
from trigraph.embedders.http import HttpEmbedder
from trigraph.errors import ConfigError, ModelUnavailable
from trigraph.model.status import EmbeddingModel
from trigraph.settings import EmbedderSettings

Answer = tuple[int, str]
Request = tuple[str, dict[str, str], dict[str, Any]]


class Server(ThreadingHTTPServer):
    """Answers `POST /v1/embeddings` by `reply`, and keeps what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[Request] = []
        self.reply: Callable[[dict[str, Any]], Answer] = good
        self.stuck = threading.Event()
        self.headers_sent: dict[str, str] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((self.path, dict(self.headers), body))
        status, text = self.server.reply(body)
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        for name, value in self.server.headers_sent.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""


def good(body: dict[str, Any]) -> Answer:
    """A vector of (length of the text, 1, 0) each, in the reverse order."""
    rows = [{"index": place, "embedding": [len(text), 1, 0]} for place, text in enumerate(body["input"])]
    return 200, json.dumps({"object": "list", "data": rows[::-1], "model": body["model"]})


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.stuck.set()
        running.shutdown()
        thread.join()


def _embedder(url: str, *, key: str | None = None, timeout_seconds: float = 10) -> HttpEmbedder:
    return HttpEmbedder(url, "tiny", 3, key=key, timeout_seconds=timeout_seconds, pause=lambda _: None)


def test_texts_are_asked_for_in_the_dialect_of_openai(server: Server) -> None:
    vectors = _embedder(server.url + "/").embed_documents(["tea", "bread"])

    ((path, headers, body),) = server.requests
    assert path == "/v1/embeddings"
    assert body == {"model": "tiny", "input": ["tea", "bread"], "encoding_format": "float"}
    assert headers["Content-Type"] == "application/json"
    assert "Authorization" not in headers
    assert vectors.tolist() == [[3, 1, 0], [5, 1, 0]]
    assert vectors.dtype == "float32"


def test_rows_are_put_in_order_by_their_index(server: Server) -> None:
    def shuffled(body: dict[str, Any]) -> Answer:
        rows = [{"index": place, "embedding": [place, 1, 0]} for place in (2, 0, 3, 1)]
        return 200, json.dumps({"data": rows})

    server.reply = shuffled
    assert _embedder(server.url).embed_documents(list("abcd"))[:, 0].tolist() == [0, 1, 2, 3]


def test_many_texts_go_in_batches_of_64(server: Server) -> None:
    texts = ["x" * number for number in range(1, 131)]
    done: list[int] = []
    vectors = _embedder(server.url).embed_documents(texts, done.append)

    assert [len(body["input"]) for _, _, body in server.requests] == [64, 64, 2]
    assert vectors[:, 0].tolist() == list(range(1, 131))
    assert done == [64, 64, 2]


def test_a_query_is_one_vector_and_no_texts_are_no_request(server: Server) -> None:
    embedder = _embedder(server.url)

    assert embedder.embed_query("tea").tolist() == [3, 1, 0]
    assert embedder.embed_documents([]).shape == (0, 3)
    assert len(server.requests) == 1
    assert embedder.model == EmbeddingModel("tiny", 3)


def test_the_key_is_sent_as_a_bearer(server: Server) -> None:
    _embedder(server.url, key="s3cret").embed_query("tea")

    assert server.requests[0][1]["Authorization"] == "Bearer s3cret"


def test_the_key_is_read_from_its_file_and_never_shown(server: Server, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("s3cret\n", encoding="utf-8")
    settings = EmbedderSettings(kind="http", url=server.url, model="tiny", dimension=3, key_file=str(tmp_path / "key"))
    loaded = embedder_loader(settings)()
    loaded.embed_query("tea")
    assert server.requests[0][1]["Authorization"] == "Bearer s3cret"

    server.reply = lambda _: (401, "who are you?")
    with pytest.raises(ModelUnavailable, match="HTTP 401: who are you") as failed:
        loaded.embed_query("soup")
    assert "s3cret" not in str(failed.value)


def test_too_many_requests_are_tried_again_after_a_pause(server: Server) -> None:
    answers = iter([(429, "slow down"), (503, "")])
    server.reply = lambda body: next(answers, None) or good(body)
    pauses: list[float] = []
    embedder = HttpEmbedder(server.url, "tiny", 3, key=None, timeout_seconds=10, pause=pauses.append)

    assert embedder.embed_documents(["tea"]).tolist() == [[3, 1, 0]]
    assert len(server.requests) == 3
    assert pauses == [1, 2]


def test_a_query_is_tried_once_since_a_recall_goes_on_without_it(server: Server) -> None:
    server.reply = lambda _: (503, "")
    with pytest.raises(ModelUnavailable, match="HTTP 503"):
        _embedder(server.url).embed_query("tea")
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [429, 500, 502])
def test_after_three_tries_it_says_what_failed(server: Server, status: int) -> None:
    server.reply = lambda _: (status, "")

    _check_fails(_embedder(server.url), f"HTTP {status}")
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 404])
def test_what_trying_again_cannot_mend_is_not_tried_again(server: Server, status: int) -> None:
    server.reply = lambda _: (status, '{"error": "no such model"}')

    _check_fails(_embedder(server.url), f"HTTP {status}: .*no such model")
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("<html>", "is not JSON"),
        ("", "is not JSON"),
        ("[]", "not of the expected form"),
        ('{"error": "x"}', "not of the expected form"),
        ('{"data": [{"embedding": [1, 0, 0]}]}', "not of the expected form"),
        ('{"data": [{"index": 0, "embedding": [1, "x", 0]}]}', "not of the expected form"),
        ('{"data": [{"index": 0, "embedding": null}]}', "it answered|not of the expected form"),
        ('{"data": []}', r"it answered \(0,\) for 1 texts of 3 dimensions"),
        (
            '{"data": [{"index": 0, "embedding": [1, 0]}]}',
            r"it answered \(1, 2\) for 1 texts of 3 dimensions",
        ),
    ],
)
def test_an_answer_of_another_form_is_refused(server: Server, text: str, problem: str) -> None:
    server.reply = lambda _: (200, text)

    _check_fails(_embedder(server.url), problem)
    assert len(server.requests) == 1


def test_a_refused_connection_is_said(server: Server) -> None:
    with Server() as closed:
        url = closed.url

    _check_fails(_embedder(url), "no answer")


def test_a_server_that_does_not_answer_in_time_is_given_up(server: Server) -> None:
    def never(body: dict[str, Any]) -> Answer:
        server.stuck.wait(30)
        return good(body)

    server.reply = never
    _check_fails(_embedder(server.url, timeout_seconds=0.05), "no answer")
    assert len(server.requests) == 3


def test_an_answer_that_cannot_be_unpacked_is_refused(server: Server) -> None:
    server.headers_sent = {"Content-Encoding": "gzip"}

    _check_fails(_embedder(server.url), "embedder")


def test_an_address_that_is_none_is_refused() -> None:
    _check_fails(_embedder("http://localhost:port"), "embedder")


@pytest.mark.parametrize("missing", ["url", "model", "dimension"])
def test_a_setting_that_is_missing_is_named(missing: str) -> None:
    given = {"url": "http://127.0.0.1:9", "model": "tiny", "dimension": 3}
    del given[missing]

    with pytest.raises(ConfigError, match=f"embedder.{missing} is not set"):
        embedder_loader(EmbedderSettings(kind="http", **given))()  # type: ignore[arg-type]


def test_a_key_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    settings = EmbedderSettings(
        kind="http", url="http://127.0.0.1:9", model="m", dimension=3, key_file=str(tmp_path / "gone")
    )
    with pytest.raises(ConfigError, match="key_file cannot be read"):
        embedder_loader(settings)()


def _check_fails(embedder: HttpEmbedder, problem: str) -> None:
    with pytest.raises(ModelUnavailable, match=problem) as failed:
        embedder.embed_documents(["tea"])
    assert failed.value.fix is not None
    assert "`trigraph reembed`" in failed.value.fix
