"""What is too large, too much or from elsewhere is refused, and the server goes on."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from http_api import opened, served
from trigraph.faces.http.limits import Rate
from trigraph.settings import ServerSettings


class TestBodies:
    @pytest.fixture
    def small(self, tmp_path: Path) -> Iterator[httpx.Client]:
        with opened(tmp_path) as memory, served(memory, ServerSettings(body_bytes=1000)) as client:
            yield client

    def test_one_that_is_too_large_is_413(self, small: httpx.Client) -> None:
        answer = small.post("/v1/memories", json={"text": "x" * 1000})
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
        assert small.post("/v1/memories", json={"text": "x" * 900}).status_code == 201

    def test_one_that_does_not_say_how_large_it_is_likewise(self, small: httpx.Client) -> None:
        def pieces() -> Iterator[bytes]:
            yield b'{"text": "'
            for _ in range(50):
                yield b"x" * 100
            yield b'"}'

        answer = small.post("/v1/memories", content=pieces(), headers={"Content-Type": "application/json"})
        assert answer.status_code == 413


class TestRates:
    def test_more_than_so_many_are_429_and_wait(self, tmp_path: Path) -> None:
        with opened(tmp_path) as memory, served(memory, ServerSettings(rate_per_minute=3)) as client:
            answers = [client.get("/v1/stats") for _ in range(5)]
            beside = client.get("/healthz")
        assert [one.status_code for one in answers] == [200, 200, 200, 429, 429]
        assert [one.headers["RateLimit"] for one in answers[:3]] == [f'"requests";r={left};t=0' for left in (2, 1, 0)]
        last = answers[-1]
        assert last.headers["RateLimit-Policy"] == '"requests";q=3;w=60'
        assert (last.json()["code"], 1 <= int(last.headers["Retry-After"]) <= 20) == ("rate_limited", True)
        assert beside.status_code == 200

    def test_none_is_a_limit_too(self, tmp_path: Path) -> None:
        with opened(tmp_path) as memory, served(memory, ServerSettings(rate_per_minute=0)) as client:
            assert "RateLimit" not in client.get("/v1/stats").headers

    def test_a_bucket_fills_up_evenly_and_each_client_has_its_own(self) -> None:
        time = [0.0]
        rate = Rate(60, lambda: time[0])
        assert [rate.take("a")[0] for _ in range(60)][-1] == 0
        left, wait = rate.take("a")
        assert (left, wait) == (-1, 1.0)
        assert rate.take("b")[0] == 59
        time[0] = 1.0
        assert rate.take("a")[0] == 0
        assert rate.take("a")[0] < 0
        time[0] = 1000.0
        assert rate.take("a")[0] == 59


def test_more_at_once_than_are_taken_are_503_and_later_ones_are_answered(tmp_path: Path) -> None:
    """One request is held open by its own body, so that the other finds no place."""
    with opened(tmp_path) as memory, served(memory, ServerSettings(most_requests=1)) as client:
        with socket.create_connection((client.base_url.host, client.base_url.port or 0)) as slow:
            slow.sendall(b"POST /v1/recall HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n")
            slow.sendall(b"Content-Length: 15\r\n\r\n")
            refused = _until(client, 503)
            slow.sendall(b'{"query": "xy"}')
            assert slow.recv(100).startswith(b"HTTP/1.1 200")
        assert (refused.json()["code"], refused.headers["Retry-After"]) == ("overloaded", "1")
        assert _until(client, 200).status_code == 200


def _until(client: httpx.Client, status: int) -> httpx.Response:
    """Ask until the answer is that one: the server sees the other request when it does."""
    deadline = threading.Event()
    timer = threading.Timer(10, deadline.set)
    timer.start()
    while (answer := client.get("/v1/stats")).status_code != status:
        assert not deadline.is_set()
    timer.cancel()
    return answer


class TestForeignPages:
    @pytest.mark.parametrize(
        "given",
        [
            {"Origin": "https://evil.example"},
            {"Origin": "null"},
            {"Origin": "http://127.0.0.1:1"},
            {"Origin": "file://"},
            {"Sec-Fetch-Site": "cross-site"},
        ],
    )
    @pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
    def test_a_foreign_page_changes_nothing(self, client: httpx.Client, method: str, given: dict[str, str]) -> None:
        answer = client.request(method, "/v1/memories/zzzzzzzz", headers=given)
        assert (answer.status_code, answer.json()["code"]) == (403, "foreign_origin")

    def test_our_own_page_may(self, client: httpx.Client) -> None:
        own = {"Origin": str(client.base_url).rstrip("/"), "Sec-Fetch-Site": "same-origin"}
        assert client.post("/v1/memories", json={"text": "By our page"}, headers=own).status_code == 201

    def test_no_page_elsewhere_may_read_an_answer(self, client: httpx.Client) -> None:
        asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
        for answer in (client.get("/v1/stats", headers=asked), client.options("/v1/memories", headers=asked)):
            assert not [name for name in answer.headers if name.startswith("access-control")]

    @pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "[", ""])
    def test_a_name_of_anothers_is_refused(self, client: httpx.Client, host: str) -> None:
        answer = client.get("/v1/stats", headers={"Host": host})
        assert (answer.status_code, "memories" in answer.text) == (400, False)
