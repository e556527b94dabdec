"""Tenants, projects, agents, groups and tokens: `registry.db`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import apsw

from trigraph.errors import Conflict, NotFound
from trigraph.model.access import Agent, Group, KeptToken, Project, Reader, ReadPolicy, Right, Token
from trigraph.model.scope import DEFAULT_NAME, Scope
from trigraph.model.times import from_micros, to_micros
from trigraph.stores.sqlite.connections import Database
from trigraph.stores.sqlite.rows import time_from, time_param
from trigraph.stores.sqlite.visibility import Params, queries

_SQL = queries("registry")


class SqliteRegistry:
    """See `contracts.Registry`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def reader(self, scope: Scope) -> Reader:
        params = {"tenant": scope.tenant, "project": scope.project, "agent": scope.agent}
        with self._database.connection() as connection:
            row = connection.execute(_SQL["reader"], params).fetchone()
        if row is None:
            return Reader(scope.agent, ReadPolicy.ISOLATED)
        policy, groups, fellows, domains = row
        return Reader(
            scope.agent,
            ReadPolicy(policy),
            frozenset(json.loads(groups)),
            frozenset(json.loads(fellows)),
            tuple(json.loads(domains)),
        )

    def roster(self, tenant: str, project: str) -> list[Reader]:
        members = {group.name: group.members for group in self.groups(tenant, project)}
        return [
            Reader(
                agent.name,
                agent.policy,
                frozenset(agent.groups),
                frozenset(fellow for group in agent.groups for fellow in members.get(group, ())),
                agent.domains,
            )
            for agent in self.agents(tenant, project)
        ]

    def has_project(self, tenant: str, project: str) -> bool:
        """Whether there is such a project."""
        with self._database.connection() as connection:
            return bool(connection.execute(_SQL["has_project"], {"tenant": tenant, "project": project}).get)

    def tenants(self) -> list[str]:
        with self._database.connection() as connection:
            return [name for (name,) in connection.execute(_SQL["tenants"])]

    def add_tenant(self, name: str, at: datetime) -> None:
        with self._database.transaction() as connection:
            if connection.execute(_SQL["has_tenant"], {"tenant": name}).get:
                raise Conflict(f"There is a tenant {name!r} already.", fix="`trigraph admin tenant list` shows them.")
            connection.execute(_SQL["add_tenant"], {"tenant": name, "at": to_micros(at)})
            _add_project(connection, name, DEFAULT_NAME, at)

    def projects(self, tenant: str) -> list[Project]:
        with self._database.connection() as connection:
            _check_tenant(connection, tenant)
            rows = connection.execute(_SQL["projects"], {"tenant": tenant})
            return [Project(of_tenant, name, from_micros(at)) for of_tenant, name, at in rows]

    def add_project(self, tenant: str, name: str, at: datetime) -> None:
        with self._database.transaction() as connection:
            _check_tenant(connection, tenant)
            if connection.execute(_SQL["has_project"], {"tenant": tenant, "project": name}).get:
                raise Conflict(
                    f"Tenant {tenant!r} has a project {name!r} already.",
                    fix="`trigraph admin project list` shows them.",
                )
            _add_project(connection, tenant, name, at)

    def agents(self, tenant: str, project: str) -> list[Agent]:
        with self._database.connection() as connection:
            params = _checked(connection, tenant, project)
            return [
                Agent(
                    name,
                    ReadPolicy(policy),
                    tuple(json.loads(domains)),
                    tuple(sorted(json.loads(groups))),
                    from_micros(at),
                )
                for name, policy, domains, groups, at in connection.execute(_SQL["agents"], params)
            ]

    def put_agent(
        self, tenant: str, project: str, name: str, policy: ReadPolicy, domains: Sequence[str], at: datetime
    ) -> None:
        with self._database.transaction() as connection:
            params = _checked(connection, tenant, project)
            _put_agent(connection, {**params, "agent": name}, policy, domains, at)

    def remove_agent(self, tenant: str, project: str, name: str) -> None:
        with self._database.transaction() as connection:
            params = {**_checked(connection, tenant, project), "agent": name}
            if not connection.execute(_SQL["remove_agent"], params).fetchall():
                raise _no_agent(name)
            connection.execute(_SQL["remove_tokens_of_nobody"], params)

    def groups(self, tenant: str, project: str) -> list[Group]:
        with self._database.connection() as connection:
            params = _checked(connection, tenant, project)
            return [
                Group(name, tuple(sorted(json.loads(members))), from_micros(at))
                for name, members, at in connection.execute(_SQL["groups"], params)
            ]

    def add_group(self, tenant: str, project: str, name: str, at: datetime) -> None:
        with self._database.transaction() as connection:
            params = {**_checked(connection, tenant, project), "group": name, "at": to_micros(at)}
            if connection.execute(_SQL["has_group"], params).get:
                raise Conflict(f"There is a group {name!r} already.", fix="`trigraph admin group list` shows them.")
            connection.execute(_SQL["add_group"], params)

    def remove_group(self, tenant: str, project: str, name: str) -> None:
        with self._database.transaction() as connection:
            params = {**_checked(connection, tenant, project), "group": name}
            if not connection.execute(_SQL["remove_group"], params).fetchall():
                raise _no_group(name)

    def join(self, tenant: str, project: str, group: str, agent: str) -> None:
        with self._database.transaction() as connection:
            params = {**_checked(connection, tenant, project), "group": group, "agent": agent}
            if not connection.execute(_SQL["has_group"], params).get:
                raise _no_group(group)
            if not connection.execute(_SQL["has_agent"], params).get:
                raise _no_agent(agent)
            connection.execute(_SQL["join"], params)

    def leave(self, tenant: str, project: str, group: str, agent: str) -> None:
        with self._database.transaction() as connection:
            params = {**_checked(connection, tenant, project), "group": group, "agent": agent}
            if not connection.execute(_SQL["leave"], params).fetchall():
                raise NotFound(
                    f"{agent!r} is not a member of {group!r}.", fix="`trigraph admin group list` shows who is."
                )

    def add_token(self, token: Token, secret_hash: str) -> None:
        with self._database.transaction() as connection:
            params = {**_checked_any(connection, token.tenant, token.project), "agent": token.agent}
            if not connection.execute(_SQL["has_agent" if token.project else "has_agent_anywhere"], params).get:
                raise _no_agent(token.agent)
            params |= {
                "id": token.id,
                "hash": secret_hash,
                "name": token.name,
                "rights": json.dumps(token.rights),
                "created_at": to_micros(token.created_at),
                "expires_at": time_param(token.expires_at),
            }
            connection.execute(_SQL["add_token"], params)

    def tokens(self, tenant: str, project: str | None) -> list[Token]:
        with self._database.connection() as connection:
            params = _checked_any(connection, tenant, project)
            return [_token(row) for row in connection.execute(_SQL["tokens"], params)]

    def token(self, token_id: str) -> KeptToken | None:
        with self._database.connection() as connection:
            row = connection.execute(_SQL["token"], {"id": token_id}).fetchone()
        return KeptToken(_token(row[1:]), row[0]) if row else None

    def token_used(self, token_id: str, at: datetime) -> None:
        with self._database.transaction() as connection:
            connection.execute(_SQL["token_used"], {"id": token_id, "at": to_micros(at)})

    def revoke_token(self, tenant: str, project: str | None, token_id: str, at: datetime) -> str:
        with self._database.transaction() as connection:
            params = {**_checked_any(connection, tenant, project), "token": token_id, "at": to_micros(at)}
            revoked = connection.execute(_SQL["revoke_token"], params).fetchall()
            if len(revoked) != 1:
                raise NotFound(f"There is no token {token_id[:80]!r}.", fix="`trigraph admin token list` shows them.")
            return str(revoked[0][0])


def _token(row: tuple[Any, ...]) -> Token:
    id_, tenant, project, agent, name, rights, created_at, used_at, expires_at, revoked_at = row
    return Token(
        id_,
        tenant,
        project,
        agent,
        name,
        tuple(Right(right) for right in json.loads(rights)),
        from_micros(created_at),
        time_from(used_at),
        time_from(expires_at),
        time_from(revoked_at),
    )


def _add_project(connection: apsw.Connection, tenant: str, project: str, at: datetime) -> None:
    params: Params = {"tenant": tenant, "project": project, "at": to_micros(at)}
    connection.execute(_SQL["add_project"], params)
    _put_agent(connection, {**params, "agent": DEFAULT_NAME}, ReadPolicy.SHARED, (), at)


def _put_agent(
    connection: apsw.Connection, params: Params, policy: ReadPolicy, domains: Sequence[str], at: datetime
) -> None:
    connection.execute(
        _SQL["put_agent"], {**params, "policy": policy, "domains": json.dumps(list(domains)), "at": to_micros(at)}
    )


def _check_tenant(connection: apsw.Connection, tenant: str) -> None:
    if not connection.execute(_SQL["has_tenant"], {"tenant": tenant}).get:
        raise NotFound(f"There is no tenant {tenant!r}.", fix="`trigraph admin tenant add` registers one.")


def _checked(connection: apsw.Connection, tenant: str, project: str) -> Params:
    """Parameters that name a project, if there is one."""
    params: Params = {"tenant": tenant, "project": project}
    if not connection.execute(_SQL["has_project"], params).get:
        raise NotFound(
            f"There is no project {project!r} of tenant {tenant!r}.",
            fix="`trigraph admin project add` registers one.",
        )
    return params


def _checked_any(connection: apsw.Connection, tenant: str, project: str | None) -> Params:
    """Parameters that name a project, or all projects of a tenant, if there are such."""
    if project is not None:
        return _checked(connection, tenant, project)
    _check_tenant(connection, tenant)
    return {"tenant": tenant, "project": None}


def _no_agent(name: str) -> NotFound:
    return NotFound(f"There is no agent {name!r}.", fix="`trigraph admin agent set` registers one.")


def _no_group(name: str) -> NotFound:
    return NotFound(f"There is no group {name!r}.", fix="`trigraph admin group add` makes one.")
