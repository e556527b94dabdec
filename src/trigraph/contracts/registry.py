"""Tenants, projects, agents, groups and tokens."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from trigraph.model.access import Agent, Group, KeptToken, Project, Reader, ReadPolicy, Token
from trigraph.model.scope import Scope


class Registry(Protocol):
    """Who there is. Each verb is a transaction of its own; what it changes counts from the next read on."""

    def reader(self, scope: Scope) -> Reader:
        """The scope's agent as the visibility predicate sees it now, with its domains; one that is not registered is
        isolated and has none."""

    def roster(self, tenant: str, project: str) -> list[Reader]:
        """Every registered agent of a project as a reader."""

    def tenants(self) -> list[str]:
        """The names of all tenants."""

    def add_tenant(self, name: str, at: datetime) -> None:
        """Register a tenant. Raises Conflict if there is one of that name."""

    def projects(self, tenant: str) -> list[Project]:
        """The projects of a tenant. Raises NotFound if there is no such tenant, as all verbs below do."""

    def add_project(self, tenant: str, name: str, at: datetime) -> None:
        """Register a project with an agent `default` in it."""

    def agents(self, tenant: str, project: str) -> list[Agent]:
        """The registered agents of a project."""

    def put_agent(
        self, tenant: str, project: str, name: str, policy: ReadPolicy, domains: Sequence[str], at: datetime
    ) -> None:
        """Register an agent, or change one."""

    def remove_agent(self, tenant: str, project: str, name: str) -> None:
        """The agent, its memberships and its tokens are gone (those for all projects when no project has the agent any
        more); what it wrote stays, and it is isolated from now on."""

    def groups(self, tenant: str, project: str) -> list[Group]:
        """The groups of a project."""

    def add_group(self, tenant: str, project: str, name: str, at: datetime) -> None:
        """Make a group without members."""

    def remove_group(self, tenant: str, project: str, name: str) -> None:
        """The group is gone; memories that name it are seen by their authors alone."""

    def join(self, tenant: str, project: str, group: str, agent: str) -> None:
        """Make a registered agent a member."""

    def leave(self, tenant: str, project: str, group: str, agent: str) -> None:
        """End a membership."""

    def add_token(self, token: Token, secret_hash: str) -> None:
        """Keep a token by its hash. Its agent must be registered in its project; that of a token for all projects, in
        at least one project of the tenant."""

    def tokens(self, tenant: str, project: str | None) -> list[Token]:
        """The tokens of a project, or all of a tenant's, in the order they were made; without their hashes."""

    def token(self, token_id: str) -> KeptToken | None:
        """A token by its whole id, whatever became of it; None if there is none. Comparing hashes is the caller's."""

    def token_used(self, token_id: str, at: datetime) -> None:
        """Somebody came with the token. An earlier time than the one that is kept changes nothing."""

    def revoke_token(self, tenant: str, project: str | None, token_id: str, at: datetime) -> str:
        """The token no longer stands for anyone; the first time counts. Named by its id or its end, among the tokens
        that `tokens` lists; returns the whole id."""
