"""Tenants, projects, agents, groups and tokens."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from trigraph.model.access import Agent, Group, Principal, Project, Reader, ReadPolicy, Token
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
        """The agent, its memberships and its tokens are gone; what it wrote stays, and it is isolated from now on."""

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
        """Keep a token by its hash."""

    def tokens(self, tenant: str, project: str) -> list[Token]:
        """The tokens of a project, without their secrets."""

    def revoke_token(self, tenant: str, project: str, token_id: str, at: datetime) -> None:
        """The token no longer stands for anyone."""

    def principal(self, secret_hash: str, at: datetime) -> Principal | None:
        """Who a token stands for; None if it is unknown, expired or revoked."""
