"""Fixtures of the tests of the remote clients: a real server, and a client of each kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from http_api import World, opened, served
from remote_clients import CLIENTS
from trigraph.contracts import Embedder
from trigraph.faces.library import Trigraph
from trigraph.model.access import Right


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[Trigraph]:
    """Memory as the server has it open, with the real model: one verb needs it."""
    with opened(tmp_path_factory.mktemp("remote") / "home", embedder) as memory:
        yield memory


@pytest.fixture(scope="module")
def world(library: Trigraph) -> World:
    return World(library, "harbour")


@pytest.fixture(scope="module")
def url(library: Trigraph) -> Iterator[str]:
    with served(library) as client:
        yield str(client.base_url)


@pytest.fixture(scope="module")
def token(library: Trigraph) -> str:
    """A token that may do everything."""
    return library.admin.issue_token("default", "default", "default", "steward", list(Right)).secret


@pytest.fixture(scope="module", params=list(CLIENTS))
def remote(request: pytest.FixtureRequest, url: str, token: str) -> Iterator[Any]:
    """Memory through a client: one that waits, then one that awaits."""
    with CLIENTS[request.param](url, token=token) as memory:
        yield memory
