"""The page of the graph, asked of a real `trigraph serve` by a real client."""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import httpx
import pytest

from commands import Command, serving
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import Settings

DASHBOARD = files("trigraph.faces.dashboard")
SCRIPT = '</script><script>alert("heron")</script><img src=x onerror=alert(1)>'


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("graph") / "home"


@pytest.fixture(scope="module")
def memory(home: Path, embedder: Embedder) -> Iterator[Trigraph]:
    """Memory as another process than the server has it open."""
    with Trigraph(open_engine(Settings(home=str(home)), embedder=embedder), LOCAL_SCOPE) as opened:
        opened.docs.put("# SPEC-7: Rigging\n\n## Depends on\n\nSPEC-3\n")
        first = opened.decide("Use JWT", topic="tokens", valid_from="2026-01-10").id
        opened.decide("Use opaque tokens", topic="tokens", supersedes=first, valid_from="2026-03-01")
        opened.remember(SCRIPT, subject="Eve", type="person")
        opened.remember_batch({"text": f"Grain {number} came to the mill", "subject": "Mill"} for number in range(60))
        yield opened


@pytest.fixture(scope="module")
def pages(home: Path, memory: Trigraph) -> Iterator[httpx.Client]:
    with serving(Command(home, home.parent)) as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


def drawing(answer: httpx.Response) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="graph-data">(.*?)</script>', answer.text, re.S)
    assert found, answer.text
    data: dict[str, Any] = json.loads(found[1])
    return data


def labels(answer: httpx.Response) -> set[str]:
    return {node["label"] for node in drawing(answer)["nodes"]}


def test_without_a_focus_it_begins_where_most_is_said(pages: httpx.Client) -> None:
    data = drawing(pages.get("/graph"))
    assert data["nodes"][0]["label"] == "Mill"
    assert data["focus"] == data["nodes"][0]["id"]


def test_the_tables_have_all_that_is_drawn_and_so_has_the_twin(pages: httpx.Client) -> None:
    page = pages.get("/graph", params={"focus": "SPEC-3"})
    data = drawing(page)
    whole = pages.get("/graph", params={"focus": "SPEC-3", "format": "json"}).json()["neighbourhood"]

    nodes, edges = (part.split("</table>")[0] for part in page.text.split("<tbody>")[1:3])
    assert nodes.count("<tr") == len(data["nodes"]) == len(whole["nodes"])
    assert edges.count("<tr") == len(data["edges"]) == len(whole["edges"])
    assert re.search(r"<td>SPEC-7</td><td>DEPENDS ON</td><td>SPEC-3</td><td>semantic</td>", edges)


def test_graphs_types_and_depth_narrow_it(pages: httpx.Client) -> None:
    canonical = pages.get("/graph", params={"focus": "SPEC-3", "graphs": "canonical"})
    assert {edge["type"] for edge in drawing(canonical)["edges"]} == {"instance_of"}
    one = pages.get("/graph", params={"focus": "SPEC-3", "types": "DEPENDS_ON", "depth": "1", "graphs": "semantic"})
    assert labels(one) == {"SPEC-3", "SPEC-7"}
    temporal = pages.get("/graph", params={"focus": "tokens", "graphs": "temporal"})
    assert {edge["type"] for edge in drawing(temporal)["edges"]} == {"becomes", "state_of"}


def test_as_of_a_time_shows_what_held_then_and_keeps_the_marks(pages: httpx.Client) -> None:
    now = pages.get("/graph", params={"focus": "tokens"})
    then = pages.get("/graph", params={"focus": "tokens", "as_of": "2026-02-01"})
    assert "Use opaque tokens" in labels(now)
    assert "Use JWT" in labels(then)
    assert "Use opaque tokens" not in labels(then)
    marks = [re.search(r'data-marks="([^"]*)"', one.text)[1].split(",") for one in (now, then)]  # type: ignore[index]
    assert marks[0] == marks[1]
    assert {"2026-01-10", "2026-03-01"} <= set(marks[0])


def test_a_node_with_more_behind_it_can_be_expanded_and_taken_back(pages: httpx.Client, memory: Trigraph) -> None:
    page = pages.get("/graph", params={"focus": "Mill", "limit": "40", "graphs": "semantic"})
    data = drawing(page)
    assert len(data["nodes"]) == 40
    assert "there is more than is shown" in page.text
    far = pages.get("/graph", params={"focus": "SPEC-3", "expand": memory.entity("Mill").id})
    assert "Mill" in labels(far)
    back = re.search(r'href="([^"]+)">Take back', far.text)
    assert back
    assert "Mill" not in labels(pages.get(html.unescape(back[1])))


def test_the_form_means_the_very_thing_unless_its_name_was_changed(pages: httpx.Client, memory: Trigraph) -> None:
    (grain, *_) = [one for one in memory.list(limit=5).memories if "Grain" in one.text]
    page = pages.get("/graph", params={"focus": grain.id})
    called = re.search(r'name="was_called" value="([^"]*)"', page.text)
    assert called
    sent = {"focus": html.unescape(called[1]), "was": grain.id, "was_called": html.unescape(called[1]), "depth": "1"}
    assert drawing(pages.get("/graph", params=sent))["focus"] == grain.id
    other = pages.get("/graph", params={**sent, "focus": "SPEC-3"})
    assert drawing(other)["nodes"][0]["label"] == "SPEC-3"


def test_what_names_nothing_is_searched_for(pages: httpx.Client) -> None:
    answer = pages.get("/graph", params={"focus": "which tokens do we use?"})
    assert answer.status_code == 200
    assert "Perhaps one of these?" in answer.text
    assert re.search(r'<li data-row><a href="/graph\?focus=m_\w+">Use opaque tokens</a>', answer.text)


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"depth": "9"}, 400),
        ({"depth": "deep"}, 400),
        ({"confidence": "2"}, 400),
        ({"types": "LIKES"}, 400),
        ({"graphs": "spiritual"}, 400),
        ({"as_of": "<script>"}, 400),
        ({"focus": "m_01kx0f6gq3v8z5d2c7b9n4t1hw"}, 200),
    ],
)
def test_what_cannot_be_shown_is_said_on_the_page(pages: httpx.Client, asked: dict[str, str], status: int) -> None:
    answer = pages.get("/graph", params={"focus": "SPEC-3", **asked})
    assert answer.status_code == status
    assert 'role="alert"' in answer.text
    assert "<script>" not in answer.text


def test_markup_in_texts_and_names_stays_text(pages: httpx.Client) -> None:
    page = pages.get("/graph", params={"focus": "Eve"})
    assert any(label.startswith(SCRIPT[:20]) for label in labels(page))
    assert "<script>alert" not in page.text
    assert "<img" not in page.text
    assert page.text.count("</script>") == 3, "the page's own two and the data"
    assert "style=" not in page.text


def test_what_is_drawn_with_is_what_the_manifest_says() -> None:
    told = json.loads(DASHBOARD.joinpath("vendor", "manifest.json").read_text(encoding="utf-8"))
    built = DASHBOARD.joinpath("static", told["file"]["name"]).read_bytes()
    assert hashlib.sha256(built).hexdigest() == told["file"]["sha256"]
    assert len(built) == told["file"]["bytes"]
    locked = json.loads(DASHBOARD.joinpath("vendor", "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for one in told["packages"]:
        held = locked[f"node_modules/{one['name']}"]
        assert (held["version"], held["integrity"]) == (one["version"], one["integrity"])
        assert one["license"] == "MIT"
    assert b"new Function" not in built
    assert b"eval(" not in built
