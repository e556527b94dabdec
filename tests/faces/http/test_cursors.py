"""A cursor is a place within what the asker may see: one of another's listing opens nothing of it."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from http_api import World, opened, served
from trigraph.faces.http.routes import ROUTES
from trigraph.faces.http.table import Route, arguments_of
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.scope import Scope

pytestmark = [pytest.mark.req("S6")]

SECRET = "zqoboe"
PAGED = [route for route in ROUTES if "cursor" in arguments_of(route)]
OTHERS = {"agent": Scope("default", "default", "anna"), "tenant": Scope("elsewhere", "default", "anna")}


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trigraph]:
    """Two agents of two tenants with things of their own, between things of the local user's."""
    with opened(tmp_path_factory.mktemp("cursors") / "home") as found:
        found.admin.add_tenant("elsewhere")
        for scope in OTHERS.values():
            found.admin.set_agent(scope.tenant, scope.project, scope.agent, ReadPolicy.SHARED)
        worlds = [
            World(found, "harbour"),
            *(World(Trigraph(found.engine, one), SECRET, "private") for one in OTHERS.values()),
        ]
        for _ in range(3):
            for world in worlds:
                for made in (world.memory, world.entity, world.document, world.held, world.recall):
                    assert made
        yield found


@pytest.fixture(scope="module")
def client(memory: Trigraph) -> Iterator[httpx.Client]:
    with served(memory) as asking:
        yield asking


def _token(memory: Trigraph, scope: Scope) -> dict[str, str]:
    issued = memory.admin.issue_token(scope.tenant, scope.project, scope.agent, "test", ["read", "review"])
    return {"Authorization": f"Bearer {issued.secret}"}


def _ids(shown: Any) -> set[str]:
    listed = next(one for one in shown.values() if isinstance(one, list))
    return {one[next(name for name in ("id", "entity_id", "recall_id") if name in one)] for one in listed}


def _cursors(client: httpx.Client, path: str, headers: dict[str, str]) -> list[str]:
    """Cursors that stand right behind something of the asker's own."""
    found: list[str] = []
    cursor = None
    while True:
        page = client.get(path, params={"limit": 1, **({"cursor": cursor} if cursor else {})}, headers=headers).json()
        cursor = page["next_cursor"]
        if cursor is None:
            return found
        if SECRET in str(page).lower():
            found.append(cursor)


@pytest.mark.parametrize("whose", OTHERS)
@pytest.mark.parametrize("route", PAGED, ids=[route.key for route in PAGED])
def test_a_cursor_of_anothers_listing_shows_ones_own(
    route: Route, whose: str, memory: Trigraph, client: httpx.Client
) -> None:
    path = f"/v1{route.template}"
    mine = _ids(client.get(path, params={"limit": 500}).json())
    cursors = _cursors(client, path, _token(memory, OTHERS[whose]))
    assert len(cursors) >= 2

    for cursor in cursors:
        told = client.get(path, params={"limit": 500, "cursor": cursor})
        near = client.get(path, params={"limit": 500, "cursor": _moved(cursor)})
        assert told.status_code == 200
        assert SECRET not in told.text.lower()
        assert _ids(told.json()) <= mine
        assert near.json() == told.json(), "it shows whether something stands at the cursor's place"


def _moved(cursor: str) -> str:
    """A cursor of nobody's, right beside it."""
    place = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    last = "0" if place[-1] != "0" else "1"
    return base64.urlsafe_b64encode((place[:-1] + last).encode()).decode().rstrip("=")


def test_the_listings_that_have_pages_are_all_here() -> None:
    assert {route.path for route in PAGED} >= {"/memories", "/entities", "/documents"}
