"""Nobody learns over HTTP what he may not see: not from an answer, an error, a header, nor from a stream."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest

from http_api import ASKED, Ask, World
from trigraph.faces.http.routes import ROUTES
from trigraph.faces.http.table import Route
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy, Right
from trigraph.model.scope import Scope

pytestmark = [pytest.mark.req("S5"), pytest.mark.req("S6")]

SECRET = "zqxylophone"
ANNA, BERT = Scope("default", "default", "anna"), Scope("default", "default", "bert")
ID = re.compile(r"[a-z]_[0-9a-hjkmnp-tv-z]{26}")
GIVEN = {"x-trigraph-agent-id": "bert"}
UNKNOWN = "7" * 26


@pytest.fixture(scope="module")
def anna(library: Trigraph) -> World:
    """What anna keeps to herself."""
    library.admin.set_agent("default", "default", "anna", ReadPolicy.SHARED)
    library.admin.set_agent("default", "default", "bert", ReadPolicy.SHARED)
    return World(Trigraph(library.engine, ANNA), SECRET, "private")


@pytest.mark.parametrize("route", ROUTES, ids=[route.key for route in ROUTES])
def test_what_is_anothers_own_answers_like_what_is_not_there(route: Route, client: httpx.Client, anna: World) -> None:
    foreign = ASKED[route.key](anna)
    unknown = _unknown(foreign)
    told = foreign.send(client, route.key, **GIVEN)
    nothing = unknown.send(client, route.key, **GIVEN)

    asked = json.dumps([dict(foreign.path), dict(foreign.given)]).lower()
    assert SECRET not in _without(told, asked).lower()
    assert set(ID.findall(told.text)) & _ids_of(anna) <= set(ID.findall(asked))
    if foreign != unknown:
        assert told.status_code == nothing.status_code in (400, 403, 404, 409) or told.status_code in (200, 201)
        assert _signature(told, foreign) == _signature(nothing, unknown)


def test_the_owner_does_see_it(client: httpx.Client, anna: World) -> None:
    """The test above can fail: the same requests of anna herself are answered."""
    for key in ("GET /v1/memories/{id}", "GET /v1/entities/{name}", "GET /v1/jobs/{id}", "GET /v1/recalls/{id}"):
        mine = ASKED[key](anna).send(client, key, **{"x-signet-agent-id": "anna"})
        assert (mine.status_code, SECRET in mine.text.lower() or "jobs" in key) == (200, True)


def test_an_unknown_agent_is_isolated(client: httpx.Client, library: Trigraph) -> None:
    library.remember("The lighthouse is shared by all")
    assert "lighthouse" in client.get("/v1/memories").text
    assert "lighthouse" not in client.get("/v1/memories", headers={"x-trigraph-agent-id": "nobody"}).text


@pytest.mark.parametrize("name", ["../etc", "a b", "é", "-x", "x" * 65])
def test_a_name_that_no_agent_can_have_is_refused(client: httpx.Client, name: str) -> None:
    answer = client.get("/v1/stats", headers={b"x-trigraph-agent-id": name.encode()})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")


class TestTokens:
    """A token stands for its agent, whatever a header says."""

    @pytest.fixture
    def token(self, library: Trigraph, anna: World) -> Iterator[str]:
        issued = library.admin.issue_token("default", "default", "anna", "reader", [Right.READ])
        yield issued.secret
        library.admin.revoke_token("default", "default", issued.token.id)

    def test_it_speaks_for_its_agent(self, client: httpx.Client, anna: World, token: str) -> None:
        id_ = anna.memory
        held = {"Authorization": f"Bearer {token}"}
        assert client.get(f"/v1/memories/{id_}", headers=held).status_code == 200
        assert client.get(f"/v1/memories/{id_}").status_code == 404

    def test_a_header_cannot_name_another(self, client: httpx.Client, token: str) -> None:
        held = {"Authorization": f"Bearer {token}", "x-trigraph-agent-id": "bert"}
        answer = client.get("/v1/stats", headers=held)
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")

    def test_it_allows_what_it_was_issued_for_and_nothing_else(self, client: httpx.Client, token: str) -> None:
        answer = client.post("/v1/memories", json={"text": "x"}, headers={"Authorization": f"Bearer {token}"})
        assert (answer.status_code, "the right write" in answer.json()["detail"]) == (403, True)

    @pytest.mark.parametrize("given", ["Bearer tg_nothing", "Bearer", "Basic YTpi", "tg_nothing"])
    def test_one_that_is_not_known_is_refused(self, client: httpx.Client, given: str) -> None:
        answer = client.get("/v1/stats", headers={"Authorization": given})
        assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")

    def test_one_that_was_revoked_is_refused(self, client: httpx.Client, library: Trigraph, anna: World) -> None:
        issued = library.admin.issue_token("default", "default", "anna", "all", list(Right))
        held = {"Authorization": f"Bearer {issued.secret}"}
        assert client.get("/v1/stats", headers=held).status_code == 200
        library.admin.revoke_token("default", "default", issued.token.id)
        assert client.get("/v1/stats", headers=held).status_code == 401


def _unknown(ask: Ask) -> Ask:
    """The same request about things that nobody has."""

    def other(value: object) -> object:
        if isinstance(value, list):
            return [other(one) for one in value]
        if not isinstance(value, str):
            return value
        value = ID.sub(lambda found: found.group()[:2] + UNKNOWN, value)
        return re.sub(SECRET, "zqnowhere", value, flags=re.IGNORECASE)

    path = {name: str(other(value)) for name, value in ask.path.items()}
    if "SPEC-" in str(path):
        path = {"name": "SPEC-424242"}
    return replace(ask, path=path, given={name: other(value) for name, value in ask.given.items()})


def _signature(answer: httpx.Response, ask: Ask) -> object:
    """What an answer says beside what the asker said himself."""
    text = answer.text
    for value in (*ask.path.values(), *_texts(list(ask.given.values()))):
        for form in (value, value.replace(" ", "%20"), value.lower()):
            text = text.replace(form, "IT")
    body = json.loads(text)
    if isinstance(body, dict) and "request_id" in body:
        del body["request_id"]
    return (answer.status_code, body if answer.status_code >= 400 else None)


def _texts(values: list[object]) -> Iterator[str]:
    for value in values:
        if isinstance(value, list):
            yield from _texts(value)
        elif isinstance(value, str) and (ID.search(value) or SECRET in value.lower() or "nowhere" in value.lower()):
            yield value


def _without(answer: httpx.Response, asked: str) -> str:
    """All bytes of an answer but for words that stood in the request."""
    whole = answer.text + str(dict(answer.headers))
    return whole if SECRET not in asked else re.sub(rf"{SECRET}[\w %-]*", "", whole, flags=re.IGNORECASE)


def _ids_of(world: World) -> set[str]:
    return {one.id for one in world.library.list(limit=500).memories if one.visibility == "private"}
