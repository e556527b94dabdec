"""`contracts.Registry`, as tests."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest

from trigraph.contracts import Store
from trigraph.errors import Conflict, NotFound
from trigraph.model.access import KeptToken, ReadPolicy, Right, Token
from trigraph.model.ids import new_id
from trigraph.model.memory import Visibility
from trigraph.model.scope import Scope
from trigraph.testing.builders import ALL, ANNE, BERT, DAY, NOW, START, ids, keep, register
from trigraph.testing.suites.base import Suite

HERE = (ANNE.tenant, ANNE.project)
HASH = hashlib.sha256(b"a secret").hexdigest()
STRANGER = replace(ANNE, agent="stranger")


def token_for(scope: Scope, *, everywhere: bool = False, expires_at: datetime | None = None) -> Token:
    project = None if everywhere else scope.project
    rights = (Right.READ, Right.WRITE)
    return Token(new_id("k", START), scope.tenant, project, scope.agent, "laptop", rights, START, expires_at=expires_at)


VERBS: dict[str, Callable[[Store, str, str], object]] = {
    "agents": lambda store, *place: store.registry.agents(*place),
    "put_agent": lambda store, *place: store.registry.put_agent(*place, "dora", ReadPolicy.SHARED, (), START),
    "remove_agent": lambda store, *place: store.registry.remove_agent(*place, "anne"),
    "groups": lambda store, *place: store.registry.groups(*place),
    "add_group": lambda store, *place: store.registry.add_group(*place, "red", START),
    "remove_group": lambda store, *place: store.registry.remove_group(*place, "red"),
    "join": lambda store, *place: store.registry.join(*place, "red", "anne"),
    "leave": lambda store, *place: store.registry.leave(*place, "red", "anne"),
    "add_token": lambda store, tenant, project: store.registry.add_token(
        token_for(Scope(tenant, project, "anne")), HASH
    ),
    "tokens": lambda store, *place: store.registry.tokens(*place),
    "revoke_token": lambda store, *place: store.registry.revoke_token(*place, new_id("k", START), START),
}
"""Every verb about a project."""

MISSING: dict[str, Callable[[Store], object]] = {
    "remove_agent": lambda store: store.registry.remove_agent(*HERE, "nobody"),
    "remove_group": lambda store: store.registry.remove_group(*HERE, "nothing"),
    "join-group": lambda store: store.registry.join(*HERE, "nothing", "anne"),
    "join-agent": lambda store: store.registry.join(*HERE, "red", "nobody"),
    "leave": lambda store: store.registry.leave(*HERE, "red", "anne"),
    "add_token": lambda store: store.registry.add_token(token_for(STRANGER), HASH),
    "add_token-everywhere": lambda store: store.registry.add_token(token_for(STRANGER, everywhere=True), HASH),
    "revoke_token": lambda store: store.registry.revoke_token(*HERE, new_id("k", START), START),
}
"""Verbs about an agent, a group or a token that is not there."""


class RegistrySuite(Suite):
    """`contracts.Registry`."""

    # Tenants and projects

    def test_a_tenant_is_registered_once(self, store: Store) -> None:
        store.registry.add_tenant("acme", START)
        with pytest.raises(Conflict):
            store.registry.add_tenant("acme", START)
        assert sorted(store.registry.tenants()) == ["acme", "default"]

    def test_a_project_has_an_agent_default_that_sees_what_is_shared(self, store: Store) -> None:
        store.registry.add_tenant("acme", START)
        store.registry.add_project("acme", "site", START + DAY)
        assert ("acme", "site", START + DAY) in [
            (one.tenant, one.name, one.created_at) for one in store.registry.projects("acme")
        ]
        (agent,) = store.registry.agents("acme", "site")
        assert (agent.name, agent.policy, agent.domains, agent.groups) == ("default", ReadPolicy.SHARED, (), ())

    def test_a_project_and_a_group_are_made_once(self, store: Store) -> None:
        store.registry.add_project("default", "site", START)
        store.registry.add_group(*HERE, "red", START)
        with pytest.raises(Conflict):
            store.registry.add_project("default", "site", START)
        with pytest.raises(Conflict):
            store.registry.add_group(*HERE, "red", START)

    def test_a_tenant_that_is_not_there_has_no_projects(self, store: Store) -> None:
        with pytest.raises(NotFound):
            store.registry.projects("acme")
        with pytest.raises(NotFound):
            store.registry.add_project("acme", "site", START)

    @pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
    @pytest.mark.parametrize("place", [("acme", "default"), ("default", "site")], ids=["tenant", "project"])
    def test_a_project_that_is_not_there_is_said_so(
        self, store: Store, verb: Callable[[Store, str, str], object], place: tuple[str, str]
    ) -> None:
        with pytest.raises(NotFound):
            verb(store, *place)

    @pytest.mark.parametrize("verb", MISSING.values(), ids=MISSING)
    def test_an_agent_group_or_token_that_is_not_there_is_said_so(
        self, store: Store, verb: Callable[[Store], object]
    ) -> None:
        store.registry.add_group(*HERE, "red", START)
        with pytest.raises(NotFound):
            verb(store)

    def test_a_project_is_an_island(self, store: Store) -> None:
        store.registry.add_project("default", "site", START)
        store.registry.put_agent("default", "site", "anne", ReadPolicy.SHARED, (), START)
        store.registry.add_group("default", "site", "red", START)
        kept = keep(store, ANNE, "alpha")
        there = replace(ANNE, project="site")
        assert store.memories.page(there, ALL, NOW, 10, None) == []
        assert store.memories.get(there, [kept.id], NOW) == []
        assert store.memories.find(there, kept.id[-8:], NOW.known_at) == []
        assert store.registry.groups(*HERE) == []

    # Agents and groups

    def test_an_agent_can_be_changed_and_keeps_its_groups(self, store: Store) -> None:
        store.registry.put_agent(*HERE, "dora", ReadPolicy.SHARED, (), START)
        store.registry.add_group(*HERE, "red", START)
        store.registry.join(*HERE, "red", "dora")
        store.registry.put_agent(*HERE, "dora", ReadPolicy.GROUP, ("house", "garden"), START + DAY)
        (dora,) = (agent for agent in store.registry.agents(*HERE) if agent.name == "dora")
        assert (dora.policy, dora.domains, dora.groups) == (ReadPolicy.GROUP, ("house", "garden"), ("red",))
        assert dora.created_at == START
        assert store.registry.reader(replace(ANNE, agent="dora")).domains == ("house", "garden")

    def test_a_group_begins_without_members_and_lists_those_who_joined(self, store: Store) -> None:
        store.registry.add_group(*HERE, "red", START)
        assert [(group.name, group.members) for group in store.registry.groups(*HERE)] == [("red", ())]
        for agent in ("carl", "anne", "anne"):
            store.registry.join(*HERE, "red", agent)
        (red,) = store.registry.groups(*HERE)
        assert (sorted(red.members), red.created_at) == (["anne", "carl"], START)
        store.registry.leave(*HERE, "red", "anne")
        assert store.registry.groups(*HERE)[0].members == ("carl",)

    def test_a_reader_is_an_agent_with_its_groups_and_their_members(self, store: Store) -> None:
        for group, members in {"red": ("anne", "bert"), "blue": ("bert", "carl"), "green": ()}.items():
            store.registry.add_group(*HERE, group, START)
            for member in members:
                store.registry.join(*HERE, group, member)
        register(store, "carl", policy=ReadPolicy.GROUP)
        anne, bert, carl = (store.registry.reader(replace(ANNE, agent=name)) for name in ("anne", "bert", "carl"))
        assert [one.policy for one in (anne, bert, carl)] == [ReadPolicy.SHARED, ReadPolicy.SHARED, ReadPolicy.GROUP]
        assert [set(one.groups) for one in (anne, bert, carl)] == [{"red"}, {"red", "blue"}, {"blue"}]
        fellows = [set(one.fellows) - {one.agent} for one in (anne, bert, carl)]
        assert fellows == [{"bert"}, {"anne", "carl"}, {"bert"}]

    def test_whom_nobody_registered_is_isolated(self, store: Store) -> None:
        stranger = store.registry.reader(STRANGER)
        assert (stranger.agent, stranger.policy, stranger.groups) == ("stranger", ReadPolicy.ISOLATED, frozenset())

    def test_the_roster_is_every_registered_agent_as_a_reader(self, store: Store) -> None:
        store.registry.add_group(*HERE, "red", START)
        for member in ("anne", "bert"):
            store.registry.join(*HERE, "red", member)
        roster = {reader.agent: reader for reader in store.registry.roster(*HERE)}
        assert set(roster) == {"anne", "bert", "carl", "default"}
        store.registry.put_agent(*HERE, "anne", ReadPolicy.SHARED, ("house",), START)
        roster = {reader.agent: reader for reader in store.registry.roster(*HERE)}
        assert roster["anne"].domains == ("house",)
        assert roster == {name: store.registry.reader(replace(ANNE, agent=name)) for name in roster}

    def test_what_a_removed_agent_wrote_stays_and_it_sees_that_alone(self, store: Store) -> None:
        theirs, ours = keep(store, ANNE, "theirs"), keep(store, BERT, "ours")
        store.registry.add_group(*HERE, "red", START)
        store.registry.join(*HERE, "red", "bert")
        store.registry.remove_agent(*HERE, "bert")
        assert "bert" not in [agent.name for agent in store.registry.agents(*HERE)]
        assert store.registry.groups(*HERE)[0].members == ()
        assert store.registry.reader(BERT).policy is ReadPolicy.ISOLATED
        assert ids(store.memories.page(BERT, ALL, NOW, 10, None)) == [ours.id]
        assert ids(store.memories.page(ANNE, ALL, NOW, 10, None)) == [ours.id, theirs.id]
        register(store, "bert")
        assert store.registry.reader(BERT).groups == frozenset()

    def test_memories_of_a_removed_group_are_seen_by_their_authors_alone(self, store: Store) -> None:
        store.registry.add_group(*HERE, "red", START)
        for member in ("anne", "bert"):
            store.registry.join(*HERE, "red", member)
        kept = keep(store, ANNE, "alpha", visibility=Visibility.GROUP, group="red")
        assert store.memories.get(BERT, [kept.id], NOW) == [kept]
        store.registry.remove_group(*HERE, "red")
        assert store.registry.groups(*HERE) == []
        assert store.memories.get(BERT, [kept.id], NOW) == []
        assert store.memories.get(ANNE, [kept.id], NOW) == [kept]

    # Tokens

    def test_a_token_is_found_by_its_id_with_its_hash_and_listed_without(self, store: Store) -> None:
        token = token_for(ANNE, expires_at=START + DAY)
        store.registry.add_token(token, HASH)
        assert store.registry.token(token.id) == KeptToken(token, HASH)
        assert store.registry.token(token.id[-8:]) is None
        assert store.registry.token(new_id("k", START)) is None
        assert store.registry.tokens(*HERE) == [token]
        assert HASH not in repr(store.registry.token(token.id))

    def test_a_token_may_be_good_in_all_projects_of_its_tenant(self, store: Store) -> None:
        store.registry.add_tenant("acme", START)
        store.registry.add_project("default", "site", START)
        store.registry.put_agent("default", "site", "dora", ReadPolicy.SHARED, (), START)
        here, everywhere = token_for(ANNE), token_for(replace(ANNE, agent="dora"), everywhere=True)
        for token in (here, everywhere):
            store.registry.add_token(token, HASH)
        assert store.registry.tokens("default", None) == [here, everywhere]
        assert store.registry.tokens(*HERE) == [here]
        assert store.registry.tokens("default", "site") == []
        assert store.registry.tokens("acme", None) == []
        with pytest.raises(NotFound):
            store.registry.tokens("nowhere", None)
        with pytest.raises(NotFound):
            store.registry.add_token(token_for(replace(ANNE, tenant="acme"), everywhere=True), HASH)

    def test_the_last_use_of_a_token_is_kept(self, store: Store) -> None:
        used, other = token_for(ANNE), token_for(ANNE)
        for token in (used, other):
            store.registry.add_token(token, HASH)
        for at in (START + DAY, START + 2 * DAY, START):
            store.registry.token_used(used.id, at)
        store.registry.token_used(new_id("k", START), START)
        assert [token.used_at for token in store.registry.tokens(*HERE)] == [START + 2 * DAY, None]

    def test_a_revoked_token_stays_listed_and_the_first_time_counts(self, store: Store) -> None:
        kept, revoked = token_for(ANNE), token_for(ANNE)
        for token in (kept, revoked):
            store.registry.add_token(token, HASH)
        assert store.registry.revoke_token(*HERE, revoked.id, START + DAY) == revoked.id
        assert store.registry.revoke_token("default", None, revoked.id[-26:], START + 2 * DAY) == revoked.id
        assert [token.revoked_at for token in store.registry.tokens(*HERE)] == [None, START + DAY]

    def test_a_token_is_revoked_only_from_where_it_is_listed(self, store: Store) -> None:
        store.registry.add_tenant("acme", START)
        store.registry.add_project("default", "site", START)
        here, everywhere = token_for(ANNE), token_for(ANNE, everywhere=True)
        for token in (here, everywhere):
            store.registry.add_token(token, HASH)
        for tenant, project, token in (
            ("default", "site", here),
            ("acme", None, here),
            ("default", "default", everywhere),
            ("acme", None, everywhere),
        ):
            with pytest.raises(NotFound):
                store.registry.revoke_token(tenant, project, token.id, START)
        assert [token.revoked_at for token in store.registry.tokens("default", None)] == [None, None]

    def test_an_end_that_several_tokens_share_revokes_none(self, store: Store) -> None:
        one, other = (replace(token_for(ANNE), id=f"k_{number}{'0' * 25}") for number in (1, 2))
        for token in (one, other):
            store.registry.add_token(token, HASH)
        with pytest.raises(NotFound):
            store.registry.revoke_token(*HERE, "0" * 8, START)
        assert [token.revoked_at for token in store.registry.tokens(*HERE)] == [None, None]

    def test_the_tokens_of_a_removed_agent_are_gone(self, store: Store) -> None:
        token = token_for(BERT)
        store.registry.add_token(token, HASH)
        store.registry.remove_agent(*HERE, "bert")
        assert store.registry.token(token.id) is None
        assert store.registry.tokens(*HERE) == []

    def test_a_token_for_all_projects_goes_when_no_project_has_its_agent_any_more(self, store: Store) -> None:
        store.registry.add_project("default", "site", START)
        store.registry.put_agent("default", "site", "bert", ReadPolicy.SHARED, (), START)
        tokens = [token_for(scope, everywhere=True) for scope in (ANNE, BERT)]
        for token in tokens:
            store.registry.add_token(token, HASH)
        store.registry.remove_agent(*HERE, "bert")
        assert store.registry.tokens("default", None) == tokens
        store.registry.remove_agent("default", "site", "bert")
        assert store.registry.tokens("default", None) == tokens[:1]
