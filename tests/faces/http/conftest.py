"""Fixtures of the tests of the HTTP API."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from http_api import World, opened, served
from trigraph.contracts import Embedder
from trigraph.faces.library import Trigraph
from trigraph.model.access import Right


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Trigraph]:
    """Memory as the server has it open, with the real model: one route needs it."""
    with opened(tmp_path_factory.mktemp("http") / "home", embedder) as memory:
        yield memory


@pytest.fixture(scope="module")
def world(library: Trigraph) -> World:
    return World(library, "harbour")


@pytest.fixture(scope="module")
def client(library: Trigraph) -> Iterator[httpx.Client]:
    with served(library) as asking:
        yield asking


@pytest.fixture(scope="module")
def steward(library: Trigraph) -> dict[str, str]:
    """Headers of a token that may do everything: without one nobody administers."""
    issued = library.admin.issue_token("default", "default", "default", "steward", list(Right))
    return {"Authorization": f"Bearer {issued.secret}"}
