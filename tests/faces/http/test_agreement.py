"""The library, the command and the API give the same answers, and the same errors for the same bad input."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from commands import Command
from http_api import opened, served
from one_life import BAD, LIFE, Names, nameless
from trigraph.errors import TrigraphError
from trigraph.faces import wire
from trigraph.faces.library import Trigraph


@pytest.fixture
def both(tmp_path: Path) -> Iterator[tuple[Trigraph, httpx.Client]]:
    """Two homes: one for the library, one for the API."""
    with (
        opened(tmp_path / "ours") as ours,
        opened(tmp_path / "theirs") as theirs,
        served(theirs) as client,
    ):
        yield ours, client


def test_a_life_is_the_same_by_both(both: tuple[Trigraph, httpx.Client]) -> None:
    memory, client = both
    ours: Names = {}
    theirs: Names = {}
    seen: tuple[Names, Names] = ({}, {})
    for call, method, path, given in LIFE:
        answer = _send(client, method, path.format(**theirs), _filled(given, theirs))
        try:
            expected = wire.to_json(call(memory, ours))
        except TrigraphError as error:
            expected = wire.error_json(error)
            assert answer.status_code >= 400, path
        told = _as_error(answer) if answer.status_code >= 400 else answer.json()

        assert nameless(told, seen[1]) == nameless(expected, seen[0]), (method, path)
        for names, shown in ((ours, expected), (theirs, told)):
            if isinstance(shown, dict) and (made := shown.get("id") or shown.get("items", [{}])[0].get("id")):
                names.setdefault(path.split("/")[1], made)


@pytest.mark.parametrize(("call", "method", "path", "given", "words"), BAD, ids=[words for *_, words in BAD])
def test_bad_input_is_told_alike_by_all_three(
    call: Callable[[Trigraph], object],
    method: str,
    path: str,
    given: dict[str, Any],
    words: str,
    both: tuple[Trigraph, httpx.Client],
    run: Command,
) -> None:
    memory, client = both
    with pytest.raises(TrigraphError) as failed:
        call(memory)
    answer = _send(client, method, path, given)
    expected = wire.error_json(failed.value)

    assert _as_error(answer) == expected
    assert run(*shlex.split(words), "--json").error == expected
    assert answer.status_code == {"invalid_input": 400, "not_found": 404}[expected["code"]]


def _send(client: httpx.Client, method: str, path: str, given: dict[str, Any]) -> httpx.Response:
    if method in ("GET", "DELETE"):
        return client.request(method, f"/v1{path}", params=given)
    return client.request(method, f"/v1{path}", json=given)


def _filled(given: dict[str, Any], names: Names) -> dict[str, Any]:
    return {
        name: value.format(**names) if isinstance(value, str) and value.startswith("{") else value
        for name, value in given.items()
    }


def _as_error(answer: httpx.Response) -> dict[str, Any]:
    """A problem as the other faces write it."""
    told = answer.json()
    shown = {"code": told["code"], "message": told["detail"], "fix": told["fix"]}
    for one in told.get("errors", ()):
        shown |= {"field": one["field"], "allowed": one["allowed"]}
    return shown
