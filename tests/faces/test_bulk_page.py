"""Bulk actions of the page of memories, asked of a real server: done with all that were chosen, or with none."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from http_api import opened, served
from trigraph.faces.library import Trigraph
from trigraph.model.memory import Status
from trigraph.model.scope import Scope

UNKNOWN = "m_00000000000000000000000000"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Trigraph]:
    with opened(tmp_path / "home") as own:
        yield own


@pytest.fixture
def pages(memory: Trigraph) -> Iterator[httpx.Client]:
    with served(memory) as client:
        yield client


def _kept(memory: Trigraph, verb: str) -> list[str]:
    texts = [f"Crane {number} stands at the quay" for number in range(5)]
    ids = [str(memory.remember(text, visibility="private").id) for text in texts]
    if verb == "restore":
        memory.forget(*ids)
    return ids


def _post(pages: httpx.Client, verb: str, ids: list[str]) -> httpx.Response:
    origin = {"Origin": str(pages.base_url)}
    return pages.post("/memories/do", data={"do": verb, "ids": ids, "back": "/memories"}, headers=origin)


@pytest.mark.parametrize("foreign", [False, True])
@pytest.mark.parametrize("verb", ["forget", "archive", "restore", "reverify", "share"])
def test_what_fails_for_one_is_done_with_none(memory: Trigraph, pages: httpx.Client, verb: str, foreign: bool) -> None:
    ids, bob = _kept(memory, verb), Trigraph(memory.engine, Scope("default", "default", "bob"))
    wrong = str(bob.remember("Bob hides a key", visibility="private").id) if foreign else UNKNOWN
    before = [memory.history(id_) for id_ in ids]
    answer = _post(pages, verb, [*ids[:2], wrong, *ids[2:]])

    assert answer.status_code == 404
    problem = re.search(r'class="problem" role="alert">(.*?)</div>', answer.text, re.DOTALL)
    assert problem
    assert f"There is no memory '{wrong}'." in html.unescape(problem[1])
    assert "Nothing was done with any of them." in problem[1]
    assert [memory.history(id_) for id_ in ids] == before


@pytest.mark.parametrize("verb", ["forget", "archive"])
def test_what_was_done_with_many_is_undone_with_all(memory: Trigraph, pages: httpx.Client, verb: str) -> None:
    ids = _kept(memory, verb)
    done = _post(pages, verb, ids)
    assert done.status_code == 303
    assert memory.list().memories == ()

    shown = pages.get("/memories").text
    toast = re.search(r'class="toast" role="status">(.*?)</div>', shown, re.DOTALL)
    assert toast
    assert f"5 memories {'forgotten' if verb == 'forget' else 'archived'}." in toast[1]
    undone = _post(pages, "restore", re.findall(r'name="ids" value="([^"]+)"', toast[1]))
    assert undone.status_code == 303
    assert {(one.id, one.status) for one in memory.list().memories} == {(id_, Status.ACTIVE) for id_ in ids}
