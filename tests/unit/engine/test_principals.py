"""Who a request speaks for: its token decides, and without one only who is on this machine is let in."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

import trigraph
from clocks import SettableClock
from trigraph.assembly import open_engine
from trigraph.engine.keep import tokens
from trigraph.errors import Forbidden, InvalidInput, NotFound, TrigraphError, Unauthenticated
from trigraph.faces.library import Trigraph
from trigraph.model.access import IssuedToken, Principal, ReadPolicy, Right
from trigraph.model.rights import RIGHT_OF
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.settings import EmbedderSettings, Settings

START = datetime(2026, 9, 1, 12, tzinfo=UTC)
ANNA = Scope("default", "default", "anna")
STRANGER = Scope("default", "default", "stranger")


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock(START)


@pytest.fixture
def memory(tmp_path: Path, clock: SettableClock) -> Iterator[Trigraph]:
    """A home with agents anna and bert, a project site, and a tenant acme that has an anna too."""
    settings = Settings(home=str(tmp_path), embedder=EmbedderSettings(kind="none"))
    with Trigraph(open_engine(settings, clock=clock), LOCAL_SCOPE) as opened:
        admin = opened.admin
        admin.add_project("default", "site")
        admin.add_tenant("acme")
        for place in (("default", "default"), ("default", "site"), ("acme", "default")):
            admin.set_agent(*place, "anna")
        admin.set_agent("default", "default", "bert")
        yield opened


def issue(memory: Trigraph, project: str | None = "default", **fields: Any) -> IssuedToken:
    return memory.admin.issue_token("default", project, "anna", "laptop", **fields)


def claims(memory: Trigraph, token: str | None, agent: str | None = None, project: str | None = None) -> Principal:
    return memory.engine.authenticate(token, agent, project)


def error_of(memory: Trigraph, *claimed: str | None) -> TrigraphError:
    with pytest.raises(TrigraphError) as raised:
        memory.engine.authenticate(*claimed, *[None] * (3 - len(claimed)))
    return raised.value


# A token decides


@pytest.mark.req("S5")
@pytest.mark.parametrize("agent", [None, "anna"])
@pytest.mark.parametrize("project", [None, "default"])
def test_a_token_stands_for_its_agent_with_its_rights(memory: Trigraph, agent: str | None, project: str | None) -> None:
    made = issue(memory, rights=["write", "read", "write"])
    assert made.token.rights == (Right.READ, Right.WRITE)
    found = claims(memory, made.secret, agent, project)
    assert found == Principal(ANNA, frozenset({Right.READ, Right.WRITE}), made.token.id)


@pytest.mark.req("S5")
@pytest.mark.parametrize("agent", ["bert", "nobody", "ANNA", "anna ", "", "../anna"])
def test_an_agent_that_the_token_does_not_own_is_refused(memory: Trigraph, agent: str) -> None:
    for made in (issue(memory), issue(memory, None)):
        error = error_of(memory, made.secret, agent)
        assert isinstance(error, Forbidden)
        assert str(error) == (
            "The token stands for agent 'anna', not for the one that the request names."
            " Leave the agent out, or use a token of that agent."
        )


@pytest.mark.req("S5")
@pytest.mark.parametrize("project", ["site", "nowhere", "", "Default"])
def test_a_project_that_the_token_does_not_own_is_refused_whether_it_exists_or_not(
    memory: Trigraph, project: str
) -> None:
    error = error_of(memory, issue(memory).secret, None, project)
    assert isinstance(error, Forbidden)
    assert str(error) == (
        "The token is good in project 'default', not in the one that the request names."
        " Leave the project out, or use a token that is good there."
    )


@pytest.mark.req("S5")
def test_a_token_for_all_projects_is_good_in_those_of_its_tenant_alone(memory: Trigraph) -> None:
    made = issue(memory, None)
    assert claims(memory, made.secret).scope == ANNA
    assert claims(memory, made.secret, "anna", "site").scope == replace(ANNA, project="site")
    assert isinstance(error_of(memory, made.secret, None, "../x"), InvalidInput)
    nowhere = claims(memory, made.secret, None, "nowhere")
    with pytest.raises(NotFound):
        Trigraph(memory.engine, nowhere.scope).list()
    other = memory.admin.issue_token("acme", None, "anna", "theirs")
    assert claims(memory, other.secret, None, "default").scope == Scope("acme", "default", "anna")


@pytest.mark.req("S5")
def test_in_a_project_that_does_not_know_its_agent_a_token_is_isolated(memory: Trigraph) -> None:
    memory.admin.add_project("default", "away")
    Trigraph(memory.engine, Scope("default", "away", "default")).remember("The mill is shut.")
    there = Trigraph(memory.engine, claims(memory, issue(memory, None).secret, None, "away").scope)
    assert there.list().memories == ()
    memory.admin.set_agent("default", "away", "anna")
    assert len(there.list().memories) == 1


# Tokens that stand for nobody


@pytest.mark.req("S5")
def test_unknown_expired_and_revoked_tokens_are_refused_alike(memory: Trigraph, clock: SettableClock) -> None:
    made, passing, taken = issue(memory), issue(memory, expires="12h"), issue(memory)
    clock.advance(hours=12)
    memory.admin.revoke_token("default", None, taken.token.id)
    gone = memory.admin.issue_token("default", "default", "bert", "gone")
    memory.admin.remove_agent("default", "default", "bert")
    unknown = tokens.new_text("k_" + "0" * 26)
    other_secret = tokens.new_text(made.token.id)
    cut, longer = made.secret[:-1], made.secret + "x"
    odd = ["", "tg_", "x", made.token.id, made.secret.upper(), f" {made.secret}", "\udcff", "é" * 80, "\0"]
    refused = [passing.secret, taken.secret, gone.secret, unknown, other_secret, cut, longer, *odd]
    told = {(type(error), error.code, str(error)) for error in (error_of(memory, one) for one in refused)}
    assert told == {
        (
            Unauthenticated,
            "unauthenticated",
            "The token is not valid. Ask whoever runs trigraph for another; `trigraph admin token list` shows them.",
        )
    }
    assert {str(error_of(memory, one, "bert", "site")) for one in refused} == {told.pop()[2]}, "claims change nothing"
    assert claims(memory, made.secret).scope == ANNA


def test_a_token_is_good_up_to_its_expiry(memory: Trigraph, clock: SettableClock) -> None:
    made = issue(memory, expires=START + timedelta(days=90))
    clock.time = START + timedelta(days=90, microseconds=-1)
    assert claims(memory, made.secret).token_id == made.token.id
    clock.advance(seconds=1)
    assert isinstance(error_of(memory, made.secret), Unauthenticated)


# Without a token


@pytest.mark.req("S5")
def test_without_a_token_nobody_is_let_in_unless_this_machine_is(memory: Trigraph) -> None:
    for claimed in ((None,), (None, "anna"), (None, "default", "default")):
        assert isinstance(error_of(memory, *claimed), Unauthenticated)
    local = memory.engine.authenticate(None, None, None, local=LOCAL_SCOPE)
    assert local == Principal(LOCAL_SCOPE, frozenset(Right) - {Right.ADMIN})
    named = memory.engine.authenticate(None, "anna", "site", local=LOCAL_SCOPE)
    assert named.scope == Scope("default", "site", "anna")


@pytest.mark.req("S5")
def test_a_token_that_is_not_valid_is_not_passed_over_on_this_machine(memory: Trigraph) -> None:
    for token in ("", "x", tokens.new_text("k_" + "0" * 26)):
        with pytest.raises(Unauthenticated):
            memory.engine.authenticate(token, "anna", None, local=LOCAL_SCOPE)
    made = issue(memory)
    with pytest.raises(Forbidden):
        memory.engine.authenticate(made.secret, "default", None, local=LOCAL_SCOPE)


@pytest.mark.req("S5")
def test_an_agent_that_nobody_registered_sees_its_own_and_nothing_that_others_share(memory: Trigraph) -> None:
    memory.remember("The mill is shut.")
    principal = memory.engine.authenticate(None, "stranger", None, local=LOCAL_SCOPE)
    assert principal.scope == STRANGER
    stranger = Trigraph(memory.engine, principal.scope)
    own = stranger.remember("The mill is open.").items[0].id
    assert [one.id for one in stranger.list().memories] == [own]
    assert {hit.memory.id for hit in stranger.recall("mill").hits} == {own}
    memory.admin.set_agent("default", "default", "stranger", ReadPolicy.SHARED)
    assert len(stranger.list().memories) == 2


@pytest.mark.parametrize("name", ["", "a b", "../x", "x" * 65])
def test_a_claim_that_is_no_name_is_told(memory: Trigraph, name: str) -> None:
    for field, claimed in (("agent", (name, None)), ("project", (None, name))):
        with pytest.raises(InvalidInput) as raised:
            memory.engine.authenticate(None, *claimed, local=LOCAL_SCOPE)
        assert raised.value.field == field


# Rights


@pytest.mark.req("S5")
@pytest.mark.parametrize("right", Right)
def test_a_right_is_asked_for_and_none_implies_another(memory: Trigraph, right: Right) -> None:
    principal = claims(memory, issue(memory, rights=[right]).secret)
    principal.require(right)
    principal.require(right.value)
    for other in set(Right) - {right}:
        with pytest.raises(Forbidden, match=f"takes the right {other.value}; this caller has {right.value}") as raised:
            principal.require(other)
        assert "trigraph admin token create" in (raised.value.fix or "")


def test_a_right_that_there_is_not_is_nobodys() -> None:
    with pytest.raises(ValueError, match="fly"):
        Principal(ANNA, frozenset(Right)).require("fly")


@pytest.mark.req("S5")
def test_every_verb_of_the_library_takes_a_right() -> None:
    with trigraph.open(in_memory=True) as memory:
        verbs = {name for name in dir(memory) if not name.startswith("_")} - {"close", "docs", "engine", "scope"}
        verbs |= {f"docs.{name}" for name in dir(memory.docs) if not name.startswith("_")}
    assert set(RIGHT_OF) == verbs


# What is kept


def test_the_last_use_is_written_at_most_once_a_minute(memory: Trigraph, clock: SettableClock) -> None:
    made = issue(memory)
    seen = []
    for seconds in (0, 1, 58, 1, 30, 3600):
        clock.advance(seconds=seconds)
        claims(memory, made.secret)
        (token,) = memory.admin.tokens("default")
        assert token.used_at is not None
        seen.append((token.used_at - START).total_seconds())
    assert seen == [0, 0, 0, 60, 60, 3690]


def test_who_is_refused_leaves_no_use(memory: Trigraph) -> None:
    made = issue(memory)
    error_of(memory, tokens.new_text(made.token.id))
    assert memory.admin.tokens("default")[0].used_at is None


def test_a_registry_that_cannot_be_written_to_lets_readers_in(memory: Trigraph, tmp_path: Path) -> None:
    made = issue(memory)
    with closing(apsw.Connection(str(tmp_path / "registry.db"))) as other:
        other.execute("CREATE TRIGGER full BEFORE UPDATE ON token BEGIN SELECT RAISE(ABORT, 'full'); END")
    assert claims(memory, made.secret).scope == ANNA
    assert memory.admin.tokens("default")[0].used_at is None


def test_many_threads_come_with_one_token(memory: Trigraph, clock: SettableClock) -> None:
    made, found = issue(memory), []
    threads = [threading.Thread(target=lambda: found.append(claims(memory, made.secret).scope)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [ANNA] * 8
    assert memory.admin.tokens("default")[0].used_at == START


# Making and revoking


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"rights": []}, "rights"),
        ({"rights": "read"}, "rights"),
        ({"rights": ["fly"]}, "rights"),
        ({"rights": [None]}, "rights"),
        ({"rights": None}, "rights"),
        ({"expires": "soon"}, "expires"),
        ({"expires": "0d"}, "expires"),
        ({"expires": "-1d"}, "expires"),
        ({"expires": "999999w"}, "expires"),
        ({"expires": START}, "expires"),
        ({"expires": timedelta(0)}, "expires"),
        ({"expires": 90}, "expires"),
    ],
)
def test_what_cannot_be_a_token_is_refused_and_nothing_is_kept(
    memory: Trigraph, fields: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidInput) as raised:
        issue(memory, **fields)
    assert (raised.value.field, raised.value.fix is not None) == (field, True)
    for name in ("", "a\nb", None):
        with pytest.raises(InvalidInput, match="name"):
            memory.admin.issue_token("default", "default", "anna", name)  # type: ignore[arg-type]
    for project, agent in (("default", "eve"), (None, "eve"), ("nowhere", "anna")):
        with pytest.raises(NotFound):
            memory.admin.issue_token("default", project, agent, "laptop")
    assert memory.admin.tokens("default") == []


@pytest.mark.parametrize(
    "named", [lambda made: made.token.id, lambda made: made.token.id[-8:].upper(), lambda made: made.secret]
)
def test_a_token_is_revoked_by_its_id_its_end_or_itself(memory: Trigraph, named: Any) -> None:
    made = issue(memory)
    assert memory.admin.revoke_token("default", None, named(made)) == made.token.id
    assert isinstance(error_of(memory, made.secret), Unauthenticated)


def test_two_tokens_never_share_a_secret(memory: Trigraph) -> None:
    made = [issue(memory) for _ in range(50)]
    assert len({one.secret[-43:] for one in made}) == len({one.token.id for one in made}) == 50
    assert all(tokens.id_in(one.secret) == one.token.id for one in made)
