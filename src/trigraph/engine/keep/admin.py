"""Who there is: tenants, projects, agents, groups, tokens."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from trigraph.engine.keep.tokens import TOKEN_PREFIX, digest, id_in, new_text
from trigraph.engine.observing import observed
from trigraph.engine.parts import Parts
from trigraph.errors import InvalidInput, invalid_choice
from trigraph.model.access import Agent, Group, IssuedToken, Project, ReadPolicy, Right, Token
from trigraph.model.ids import id_suffix, new_id
from trigraph.model.scope import DEFAULT_NAME, Scope
from trigraph.model.times import parse_until
from trigraph.text.cleaning import check_label


@observed("admin.")
class Admin:
    """The registry's verbs, with names checked. Whoever holds this may do anything."""

    def __init__(self, parts: Parts) -> None:
        self._registry = parts.store.registry
        self._clock = parts.clock
        self._observer = parts.observer

    def tenants(self) -> list[str]:
        """The names of all tenants."""
        return self._registry.tenants()

    def add_tenant(self, name: str) -> None:
        """Register a tenant, with a project and an agent `default` in it."""
        Scope(name, DEFAULT_NAME, DEFAULT_NAME)
        self._registry.add_tenant(name, self._clock())

    def projects(self, tenant: str) -> list[Project]:
        """The projects of a tenant."""
        Scope(tenant, DEFAULT_NAME, DEFAULT_NAME)
        return self._registry.projects(tenant)

    def add_project(self, tenant: str, name: str) -> None:
        """Register a project, with an agent `default` in it."""
        Scope(tenant, name, DEFAULT_NAME)
        self._registry.add_project(tenant, name, self._clock())

    def agents(self, tenant: str, project: str) -> list[Agent]:
        """The registered agents of a project."""
        Scope(tenant, project, DEFAULT_NAME)
        return self._registry.agents(tenant, project)

    def set_agent(
        self,
        tenant: str,
        project: str,
        name: str,
        policy: ReadPolicy | None = None,
        domains: Sequence[str] | None = None,
    ) -> Agent:
        """Register an agent, or change one; what is left out stays as it was. New ones read what is shared."""
        Scope(tenant, project, name)
        there = {agent.name: agent for agent in self._registry.agents(tenant, project)}.get(name)
        if domains is None:
            domains = there.domains if there else ()
        if isinstance(domains, str) or not isinstance(domains, Sequence):
            raise InvalidInput("domains must be a list of texts.", field="domains", fix='Write it like ["a", "b"].')
        checked = tuple(dict.fromkeys(check_label(domain, "domains") for domain in domains))
        if policy is not None and policy not in list(ReadPolicy):
            raise invalid_choice("read_policy", policy, ReadPolicy)
        policy = ReadPolicy(policy) if policy is not None else there.policy if there else ReadPolicy.SHARED
        self._registry.put_agent(tenant, project, name, policy, checked, self._clock())
        return next(agent for agent in self._registry.agents(tenant, project) if agent.name == name)

    def remove_agent(self, tenant: str, project: str, name: str) -> None:
        """Let an agent go, with its memberships and tokens. What it wrote stays."""
        Scope(tenant, project, name)
        self._registry.remove_agent(tenant, project, name)

    def groups(self, tenant: str, project: str) -> list[Group]:
        """The groups of a project."""
        Scope(tenant, project, DEFAULT_NAME)
        return self._registry.groups(tenant, project)

    def add_group(self, tenant: str, project: str, name: str) -> None:
        """Make a group without members."""
        Scope(tenant, project, name)  # groups are named as agents are
        self._registry.add_group(tenant, project, name, self._clock())

    def remove_group(self, tenant: str, project: str, name: str) -> None:
        """Let a group go. What names it is seen by its authors alone."""
        Scope(tenant, project, name)
        self._registry.remove_group(tenant, project, name)

    def join(self, tenant: str, project: str, group: str, agent: str) -> None:
        """Make an agent a member of a group."""
        Scope(tenant, group, agent)  # groups are named as projects are
        Scope(tenant, project, agent)
        self._registry.join(tenant, project, group, agent)

    def leave(self, tenant: str, project: str, group: str, agent: str) -> None:
        """End a membership."""
        Scope(tenant, group, agent)  # groups are named as projects are
        Scope(tenant, project, agent)
        self._registry.leave(tenant, project, group, agent)

    def issue_token(
        self,
        tenant: str,
        project: str | None,
        agent: str,
        name: str,
        rights: Sequence[Right | str] = (Right.READ, Right.WRITE),
        expires: datetime | timedelta | str | None = None,
    ) -> IssuedToken:
        """A token that stands for an agent in a project, or in all of the tenant's (None). It is seen this once; only a
        hash is kept. `expires` is a time, or how long from now: 90d."""
        Scope(tenant, _named(project), agent)
        now = self._clock()
        name, held = check_label(name, "name"), _rights(rights)
        until = None if expires is None else parse_until(expires, "expires", now)
        token = Token(new_id(TOKEN_PREFIX, now), tenant, project, agent, name, held, now, expires_at=until)
        text = new_text(token.id)
        self._registry.add_token(token, digest(text))
        return IssuedToken(text, token)

    def tokens(self, tenant: str, project: str | None = None) -> list[Token]:
        """The tokens of a project, or all of a tenant's, without their secrets."""
        Scope(tenant, _named(project), DEFAULT_NAME)
        return self._registry.tokens(tenant, project)

    def revoke_token(self, tenant: str, project: str | None, token_id: str) -> str:
        """The token no longer stands for anyone; returns its id. The token itself names it too, as one that was found
        where it should not be."""
        Scope(tenant, _named(project), DEFAULT_NAME)
        named = id_in(token_id) or token_id
        ending = id_suffix(named, TOKEN_PREFIX) if isinstance(named, str) else None
        if ending is None:
            raise InvalidInput(
                "That is not the id of a token.",
                field="token",
                fix="Give its id (k_…), or the last 8 characters or more; `trigraph admin token list` shows them.",
            )
        return self._registry.revoke_token(tenant, project, ending, self._clock())


def _named(project: str | None) -> str:
    """A name to check: all projects together have none."""
    return DEFAULT_NAME if project is None else project


def _rights(given: Sequence[Right | str]) -> tuple[Right, ...]:
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise InvalidInput(
            "rights must be a list.", field="rights", allowed=list(Right), fix='Write ["read", "write"].'
        )
    odd = [one for one in given if one not in list(Right)]
    if odd:
        raise invalid_choice("rights", odd[0], list(Right))
    if not given:
        raise InvalidInput(
            "A token without rights is of no use.", field="rights", allowed=list(Right), fix="Give one or more."
        )
    return tuple(right for right in Right if right in given)
