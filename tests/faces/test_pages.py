"""The pages and /healthz, asked of a real `trigraph serve` by a real client."""

from __future__ import annotations

import html
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from commands import Command, serving
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import Settings

SCRIPT = '<script>alert("heron")</script> & <img src=x onerror=alert(1)>'
BARGES = 60


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages") / "home"


@pytest.fixture(scope="module")
def memory(served: Path, embedder: Embedder) -> Iterator[Trigraph]:
    """Memory as another process than the server has it open."""
    with Trigraph(open_engine(Settings(home=str(served)), embedder=embedder), LOCAL_SCOPE) as opened:
        opened.remember(SCRIPT, topic="<b>markup</b>", tags=["<i>tag</i>"])
        opened.remember("Redis keeps sessions", kind="decision", reasoning="It is fast")
        opened.remember_batch([f"Barge {number} carries gravel" for number in range(BARGES)])
        opened.remember_thread([{"speaker": name, "text": f"{name} is at the lock"} for name in ("Ana", "Ben", "Cleo")])
        yield opened


@pytest.fixture(scope="module")
def pages(served: Path, memory: Trigraph) -> Iterator[httpx.Client]:
    with serving(Command(served, served.parent)) as address, httpx.Client(base_url=address) as client:
        yield client


def test_healthz_says_ok(pages: httpx.Client) -> None:
    answer = pages.get("/healthz")

    assert (answer.status_code, answer.json()["status"], answer.json()["problems"]) == (200, "ok", [])


def test_the_list_shows_memories_newest_first_a_page_at_a_time(pages: httpx.Client, memory: Trigraph) -> None:
    first = pages.get("/")
    older = re.search(r'class="more" href="([^"]+)"', first.text)
    assert older
    second = pages.get(html.unescape(older[1]))

    shown = _ids(first) + _ids(second)
    assert shown == [f"/memories/{one.id}" for one in memory.list(limit=500).memories]
    assert len(_ids(first)) == 50
    assert 'class="more"' not in second.text
    assert re.search(r"65 memories\b.*\b1 thread\b", first.text)


def test_the_list_can_be_narrowed_to_a_kind(pages: httpx.Client) -> None:
    shown = pages.get("/", params={"kind": "decision"})

    assert len(_ids(shown)) == 1
    assert "Redis keeps sessions" in shown.text
    assert pages.get("/", params={"kind": "poem"}).status_code == 400


def test_a_search_shows_what_recall_answers_and_why(pages: httpx.Client, memory: Trigraph) -> None:
    shown = pages.get("/", params={"q": "where are the sessions kept?"})
    expected = memory.recall("where are the sessions kept?", limit=20)

    assert _ids(shown) == [f"/memories/{hit.memory.id}" for hit in expected.hits]
    assert html.escape(expected.hits[0].why) in shown.text
    legs = re.findall(r'class="leg([^"]*)"[^>]*>(\w+)\W+(\d+)', shown.text)
    assert legs[:2] == [("", leg.leg, str(leg.count)) for leg in expected.legs[:2]]


def test_a_memory_has_a_page_with_all_that_is_known_of_it(pages: httpx.Client, memory: Trigraph) -> None:
    (decision,) = memory.list(kinds=["decision"]).memories
    shown = pages.get(f"/memories/{decision.id}")

    assert shown.status_code == 200
    for text in ("Redis keeps sessions", "It is fast", decision.id, "decision", "shared"):
        assert text in shown.text
    assert pages.get(f"/memories/{decision.id[-8:]}").text == shown.text


def test_an_episode_is_shown_among_what_was_said_around_it(pages: httpx.Client, memory: Trigraph) -> None:
    said = memory.list(kinds=["episode"]).memories
    shown = pages.get(f"/memories/{said[1].id}")

    assert _ids(shown) == [f"/memories/{one.id}" for one in reversed(said)]


def test_what_another_process_writes_is_on_the_next_page_that_is_asked_for(tmp_path: Path) -> None:
    command = Command(tmp_path / "home", tmp_path)
    with serving(command) as address:
        empty = httpx.get(address).text
        command("remember", "A heron nests on the pier")
        filled = httpx.get(address).text

    assert "Nothing is remembered yet" in empty
    assert "A heron nests on the pier" in filled


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/memories/m_01kx0f6gq3v8z5d2c7b9n4t1hw", 404, "There is no memory"),
        ("/memories/zz", 400, "is not an id"),
        ("/memories/%3Cscript%3E", 400, "&lt;script&gt;"),
        ("/?cursor=x", 400, "was not given out by trigraph"),
        ("/nowhere", 404, "There is no such page"),
        ("/static/../pages.py", 404, "There is no such page"),
        ("/static/%2e%2e%2fpages.py", 404, "There is no such page"),
    ],
)
def test_what_cannot_be_shown_gets_a_page_that_says_so(pages: httpx.Client, path: str, status: int, says: str) -> None:
    answer = pages.get(path)

    assert answer.status_code == status
    assert says in answer.text
    assert 'href="/"' in answer.text
    assert "<script>" not in answer.text


@pytest.mark.parametrize("path", ["/", "/?q=alert+heron", "/?q=%3Cscript%3E", "/memories/{id}"])
def test_markup_in_a_memory_is_shown_and_never_obeyed(pages: httpx.Client, memory: Trigraph, path: str) -> None:
    oldest = memory.list(limit=500).memories[-1]
    assert oldest.text == SCRIPT
    cursor = f"/?cursor={memory.list(limit=60).next_cursor}"
    shown = pages.get(cursor if path == "/" else path.format(id=oldest.id)).text

    assert "&lt;script&gt;" in shown
    assert "<script>" not in shown
    assert not re.search(r"<(img|b>markup|i>tag)", shown)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", ""])
def test_a_request_that_names_another_host_is_refused(pages: httpx.Client, host: str) -> None:
    answer = pages.get("/", headers={"Host": host})

    assert answer.status_code == 400
    assert "Barge" not in answer.text


@pytest.mark.parametrize("path", ["/", "/healthz", "/static/style.css", "/memories/zz", "/nowhere"])
def test_every_answer_carries_the_headers_that_keep_a_browser_in(pages: httpx.Client, path: str) -> None:
    headers = pages.get(path).headers

    assert headers["Content-Security-Policy"].startswith("default-src 'self'")
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "example.org"])
def test_an_address_that_others_can_reach_is_refused(command: Command, host: str) -> None:
    answer = command("serve", "--host", host, "--port", "0")

    assert (answer.code, answer.out) == (78, "")
    assert f"does not listen on {host}" in answer.err


def test_a_port_in_use_is_said_to_be(command: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        answer = command("serve", "--port", str(port))

    assert (answer.code, answer.out, "Traceback" in answer.err) == (78, "", False)
    assert f"Port {port} on 127.0.0.1 cannot be used" in answer.err
    assert "--port" in answer.err


def test_any_free_port_can_be_asked_for(command: Command) -> None:
    with serving(command, "--port", "0") as address:
        assert not address.endswith(":8765")
        assert httpx.get(f"{address}/healthz").status_code == 200


def test_the_sixth_version_of_this_machine_is_served_too(command: Command) -> None:
    with serving(command, "--host", "::1") as address:
        assert address.startswith("http://[::1]:")
        assert httpx.get(f"{address}/healthz").status_code == 200


def _ids(answer: httpx.Response) -> list[str]:
    """Links to memories, in the order of the page."""
    return re.findall(r'<a href="(/memories/[^"]+)"><code>', answer.text)


@pytest.mark.req("T11")
def test_what_was_superseded_is_marked_with_what_replaced_it_and_what_came_of_it(
    pages: httpx.Client, memory: Trigraph
) -> None:
    old = memory.decide("Use JWT for the ferry's sessions", topic="tickets").id
    memory.evolve(old, "FAILED", "it cannot be revoked")
    new = memory.decide("Use opaque tokens for the ferry", topic="tickets", supersedes=old).id
    found, whole = pages.get("/", params={"q": "why did we abandon JWT?"}), pages.get(f"/memories/{old}")
    for page in (found, whole):
        assert f'href="/memories/{new}">superseded on' in page.text
    assert "FAILED: it cannot be revoked" in found.text


@pytest.mark.req("L8")
def test_a_memorys_links_say_how_sure_and_whose_they_are_and_automatic_ones_can_be_hidden(
    pages: httpx.Client, memory: Trigraph
) -> None:
    one = memory.remember("The mast leans", session="watch").id
    nearby = memory.remember("The sail is torn", session="watch").id
    other = memory.remember("The keel was scraped").id
    assert one is not None
    assert nearby is not None
    assert other is not None
    memory.link(one, other, confidence=0.8, reason="both were found in <b>dry</b> dock")

    shown = pages.get(f"/memories/{one}").text
    assert "The keel was scraped" in shown
    assert "confidence 0.80, by user: both were found in &lt;b&gt;dry&lt;/b&gt; dock" in shown
    assert "The sail is torn" in shown
    assert "automatic: session watch" in shown

    hidden = pages.get(f"/memories/{one}?links=explicit").text
    assert "The keel was scraped" in hidden
    assert "The sail is torn" not in hidden
    assert "Show 1 automatic" in hidden


@pytest.mark.req("L8")
def test_a_documents_page_shows_its_relations(pages: httpx.Client, memory: Trigraph) -> None:
    report = memory.docs.put("# SPEC-7: Rigging\n\n## Depends on\n\nSPEC-3\n")
    shown = pages.get(f"/memories/{report.id}").text
    assert re.search(r"SPEC-7 <span class=\"kind\">DEPENDS_ON</span> SPEC-3", shown)
