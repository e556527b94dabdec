"""Whatever is claimed with whatever token, nobody gets a scope or a right that the token does not own.

What tokens own is written down here a second time, as plain tuples; it shares no code with the product.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clocks import SettableClock
from trigraph.assembly import open_engine
from trigraph.errors import Forbidden, InvalidInput, Unauthenticated
from trigraph.model.access import IssuedToken
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import EmbedderSettings, Settings

START = datetime(2026, 9, 1, 12, tzinfo=UTC)
TENANTS, PROJECTS, AGENTS = ("default", "acme"), ("default", "site", "mill"), ("anna", "bert", "cleo")
RIGHTS = ("read", "write", "share", "review", "admin")
ODD = ("Anna", "", "x y", "../anna", "k_00000000000000000000000000")
some = settings(deadline=None, max_examples=60)


@dataclass(frozen=True)
class Wanted:
    """A token to be made, the hour at which it expires, and the one at which it is revoked."""

    tenant: str
    project: str | None
    agent: str
    rights: frozenset[str]
    expires: int | None
    revoked: int | None

    def stands(self, hour: int) -> bool:
        return (self.expires is None or hour < self.expires) and (self.revoked is None or hour < self.revoked)


@dataclass(frozen=True)
class Asked:
    """A request: by which token (or a forged one), at which hour, and what it claims."""

    token: int | None
    change: str | None
    agent: str | None
    project: str | None
    local: bool


hours = st.none() | st.integers(1, 5)
wanted = st.builds(
    Wanted,
    st.sampled_from(TENANTS),
    st.none() | st.sampled_from(PROJECTS),
    st.sampled_from(AGENTS),
    st.frozensets(st.sampled_from(RIGHTS), min_size=1),
    hours,
    hours,
)
asked = st.builds(
    Asked,
    st.none() | st.integers(0, 5),
    st.none() | st.sampled_from(["swap", "cut", "flip"]),
    st.none() | st.sampled_from(AGENTS + ODD),
    st.none() | st.sampled_from(PROJECTS + ODD),
    st.booleans(),
)


def changed(made: list[IssuedToken], place: int, change: str | None) -> str:
    """The text of a token, whole or forged: with another's secret, cut off, or one letter another."""
    text = made[place].secret
    match change:
        case "swap":
            return text[:30] + made[(place + 1) % len(made)].secret[30:]
        case "cut":
            return text[:-1]
        case "flip":
            return text[:40] + ("A" if text[40] != "A" else "B") + text[41:]
    return text


@pytest.mark.req("S5")
@some
@given(st.lists(wanted, min_size=1, max_size=6), st.lists(st.tuples(st.integers(0, 6), asked), max_size=12))
def test_nobody_gets_what_the_token_does_not_own(tokens: list[Wanted], requests: list[tuple[int, Asked]]) -> None:
    clock = SettableClock(START)
    engine = open_engine(Settings(embedder=EmbedderSettings(kind="none")), in_memory=True, clock=clock)
    with engine:
        engine.admin.add_tenant("acme")
        for tenant in TENANTS:
            for project in PROJECTS:
                if project != "default":
                    engine.admin.add_project(tenant, project)
                for agent in AGENTS:
                    engine.admin.set_agent(tenant, project, agent)
        made = [
            engine.admin.issue_token(
                one.tenant,
                one.project,
                one.agent,
                "any",
                sorted(one.rights),
                None if one.expires is None else timedelta(hours=one.expires),
            )
            for one in tokens
        ]
        revoked: set[int] = set()
        for hour, request in sorted(requests, key=lambda each: each[0]):
            clock.time = START + timedelta(hours=hour)
            for number, one in enumerate(tokens):
                if one.revoked is not None and one.revoked <= hour and number not in revoked:
                    revoked.add(number)
                    engine.admin.revoke_token(one.tenant, None, made[number].token.id)
            place = None if request.token is None else request.token % len(tokens)
            text = None if place is None else changed(made, place, request.change)
            local = LOCAL_SCOPE if request.local else None
            try:
                found = engine.authenticate(text, request.agent, request.project, local=local)
            except Unauthenticated:
                if place is None:
                    assert local is None
                else:
                    assert text != made[place].secret or not tokens[place].stands(hour)
                continue
            except Forbidden:
                assert place is not None
                owner = tokens[place]
                assert request.agent not in (None, owner.agent) or request.project not in (None, owner.project)
                continue
            except InvalidInput:
                assert {request.agent, request.project} & {*ODD}
                continue
            scope = found.scope
            if place is None:
                assert local is not None
                assert scope.tenant == "default"
                assert (scope.agent, scope.project) == (request.agent or "default", request.project or "default")
                assert "admin" not in found.rights
                continue
            owner = tokens[place]
            assert text == made[place].secret, "a forged token was taken"
            assert owner.stands(hour)
            assert (scope.tenant, scope.agent, found.rights) == (owner.tenant, owner.agent, owner.rights)
            assert owner.project in (None, scope.project)
            assert request.agent in (None, scope.agent)
            assert request.project in (None, scope.project)
