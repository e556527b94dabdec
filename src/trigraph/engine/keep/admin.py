"""Who there is: tenants, projects, agents, groups, tokens."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime

from trigraph.engine.parts import Parts
from trigraph.errors import InvalidInput, invalid_choice
from trigraph.model.access import Agent, Group, IssuedToken, Principal, Project, ReadPolicy, Right, Token
from trigraph.model.ids import new_id
from trigraph.model.scope import DEFAULT_NAME, Scope
from trigraph.text.cleaning import check_label, optional_label

TOKEN_PREFIX = "k"
SECRET_PREFIX = "tg_"
SECRET_BYTES = 32


class Admin:
    """The registry's verbs, with names checked. Whoever holds this may do anything."""

    def __init__(self, parts: Parts) -> None:
        self._registry = parts.store.registry
        self._clock = parts.clock

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
        self, scope: Scope, rights: Sequence[Right], label: str | None = None, expires_at: datetime | None = None
    ) -> IssuedToken:
        """A token that stands for an agent. It is seen this once; only its hash is kept."""
        now = self._clock()
        if not rights:
            raise InvalidInput("A token without rights is of no use.", field="rights", allowed=list(Right))
        if expires_at is not None and expires_at <= now:
            raise InvalidInput("The token would have expired already.", field="expires_at", fix="Give a later time.")
        label = optional_label(label, "label")
        token = Token(new_id(TOKEN_PREFIX, now), scope, tuple(dict.fromkeys(rights)), label, now, expires_at, None)
        secret = SECRET_PREFIX + secrets.token_urlsafe(SECRET_BYTES)
        self._registry.add_token(token, _hash(secret))
        return IssuedToken(secret, token)

    def tokens(self, tenant: str, project: str) -> list[Token]:
        """The tokens of a project, without their secrets."""
        Scope(tenant, project, DEFAULT_NAME)
        return self._registry.tokens(tenant, project)

    def revoke_token(self, tenant: str, project: str, token_id: str) -> None:
        """The token no longer stands for anyone."""
        Scope(tenant, project, DEFAULT_NAME)
        if not isinstance(token_id, str) or len(token_id) < 8:
            raise InvalidInput(f"{token_id!r} is not the id of a token.", field="token", fix="Give its id: k_…")
        self._registry.revoke_token(tenant, project, token_id, self._clock())

    def principal(self, secret: str) -> Principal | None:
        """Who a token stands for; None if it is unknown, expired or revoked."""
        return self._registry.principal(_hash(secret), self._clock()) if isinstance(secret, str) else None


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
