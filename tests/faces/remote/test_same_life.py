"""The remote clients tell the same life as the library, and the same errors for the same bad input."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from http_api import opened, served
from one_life import BAD, LIFE, Names, nameless
from remote_clients import CLIENTS
from trigraph.errors import TrigraphError
from trigraph.faces import wire
from trigraph.faces.library import Trigraph


@pytest.fixture(params=list(CLIENTS))
def both(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Trigraph, Any]]:
    """Two homes: one for the library, one behind a server."""
    with (
        opened(tmp_path / "ours") as ours,
        opened(tmp_path / "theirs") as theirs,
        served(theirs) as client,
        CLIENTS[request.param](str(client.base_url)) as remote,
    ):
        yield ours, remote


def told_by(call: Callable[[], object]) -> Any:
    """What a face tells, as JSON."""
    try:
        return wire.to_json(call())
    except TrigraphError as error:
        return {"error": type(error).__name__, **wire.error_json(error)}


def test_a_life_is_the_same_by_both(both: tuple[Trigraph, Any]) -> None:
    named: tuple[Names, Names] = ({}, {})
    seen: tuple[Names, Names] = ({}, {})
    for call, _, path, _ in LIFE:
        ours, theirs = (
            told_by(lambda call=call, face=face, names=names: call(face, names))  # type: ignore[misc]
            for face, names in zip(both, named, strict=True)
        )

        assert nameless(theirs, seen[1]) == nameless(ours, seen[0]), path
        for names, shown in zip(named, (ours, theirs), strict=True):
            if isinstance(shown, dict) and (made := shown.get("id") or shown.get("items", [{}])[0].get("id")):
                names.setdefault(path.split("/")[1], made)


def test_bad_input_is_told_alike(both: tuple[Trigraph, Any]) -> None:
    for call, *_, words in BAD:
        ours, theirs = (told_by(lambda call=call, face=face: call(face)) for face in both)  # type: ignore[misc]
        assert theirs == ours, words
        assert "error" in ours
