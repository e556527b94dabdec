"""What the headers of a request claim: read as they stand, and never taken for missing when they are there."""

from __future__ import annotations

import pytest

from trigraph.errors import InvalidInput, Unauthenticated
from trigraph.faces import wire

SECRET = "tg_" + "0" * 26 + "_" + "s" * 43


@pytest.mark.req("S5")
def test_the_headers_are_these() -> None:
    assert wire.AGENT_HEADERS == ("x-trigraph-agent-id", "x-signet-agent-id")
    assert (wire.AGENT_HEADER, wire.PROJECT_HEADER) == ("x-trigraph-agent-id", "x-trigraph-project")


@pytest.mark.req("S5")
@pytest.mark.parametrize("name", ["x-trigraph-agent-id", "x-signet-agent-id"])
def test_an_agent_is_claimed_by_either_header(name: str) -> None:
    assert wire.claims({name: "anna"}) == wire.Claims(None, "anna", None)


@pytest.mark.req("S5")
def test_two_agents_are_refused_and_one_said_twice_is_one() -> None:
    ours, theirs = wire.AGENT_HEADERS
    assert wire.claims({ours: "anna", theirs: "anna"}).agent == "anna"
    with pytest.raises(InvalidInput, match="name two agents") as raised:
        wire.claims({ours: "anna", theirs: "bert"})
    assert raised.value.field == "agent"


def test_what_is_left_out_is_not_claimed_and_what_is_empty_is() -> None:
    assert wire.claims({}) == wire.Claims(None, None, None)
    empty = wire.claims({"x-trigraph-agent-id": "", "x-trigraph-project": "", "authorization": "Bearer "})
    assert empty == wire.Claims("", "", "")


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_a_bearer_token_is_read(scheme: str) -> None:
    told = wire.claims({"authorization": f" {scheme}  {SECRET} ", "x-trigraph-project": "site"})
    assert told == wire.Claims(SECRET, None, "site")
    assert SECRET not in repr(told)


@pytest.mark.parametrize("value", ["", "Basic YW5uYTp4", SECRET, f"Token {SECRET}", f"Bearer:{SECRET}"])
def test_another_authorization_is_refused_and_not_repeated(value: str) -> None:
    with pytest.raises(Unauthenticated) as raised:
        wire.claims({"authorization": value, "x-trigraph-agent-id": "anna"})
    assert SECRET not in repr((raised.value, str(raised.value), vars(raised.value)))
