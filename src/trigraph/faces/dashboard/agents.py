"""Agents: who one is, and, for who administers, who the others are, their groups, policies and tokens."""

from __future__ import annotations

from dataclasses import dataclass

from trigraph.faces.dashboard.cards import minute
from trigraph.faces.dashboard.frame import Action, Asked, Page, Shown, address_of
from trigraph.model.access import Agent, Group, Right, Token

PATH = "/agents"


@dataclass(frozen=True, slots=True)
class Author:
    """An agent of whose memories one may see some."""

    name: str
    memories: int
    url: str


@dataclass(frozen=True, slots=True)
class TokenLine:
    """A token by its name; never the token itself."""

    name: str
    agent: str
    project: str
    rights: str
    created: str
    used: str
    state: str


@dataclass(frozen=True, slots=True)
class Agents:
    """Who one is; `administers` says whether the rest is told."""

    tenant: str
    project: str
    agent: str
    rights: str
    authors: tuple[Author, ...]
    administers: bool
    agents: tuple[Agent, ...]
    groups: tuple[Group, ...]
    tokens: tuple[TokenLine, ...]


def show(asked: Asked) -> Shown:
    """Who one is, whose memories one may see, and, for who administers, the registry of the project."""
    memory, scope = asked.memory, asked.memory.scope
    facets = memory.facets()
    administers = asked.may(Right.ADMIN)
    agents = tuple(memory.admin.agents(scope.tenant, scope.project)) if administers else ()
    groups = tuple(memory.admin.groups(scope.tenant, scope.project)) if administers else ()
    tokens = tuple(memory.admin.tokens(scope.tenant, scope.project)) if administers else ()
    now = memory.engine.now(scope)
    view = Agents(
        tenant=scope.tenant,
        project=scope.project,
        agent=scope.agent,
        rights=", ".join(one.value for one in Right if one in asked.rights),
        authors=tuple(
            Author(name, count, address_of("/memories", author=name)) for name, count in facets.by_author.items()
        ),
        administers=administers,
        agents=agents,
        groups=groups,
        tokens=tuple(_token(one, good=one.good_at(now)) for one in tokens),
    )
    data = {"scope": scope, "by_author": facets.by_author, "agents": agents, "groups": groups, "tokens": tokens}
    return Shown("agents.html", view, data)


def _token(one: Token, *, good: bool) -> TokenLine:
    return TokenLine(
        name=one.name,
        agent=one.agent,
        project=one.project or "every project",
        rights=", ".join(right.value for right in one.rights),
        created=minute(one.created_at),
        used=minute(one.used_at) or "never",
        state="good" if good else "revoked" if one.revoked_at else "expired",
    )


PAGES = (Page(PATH, show, label="Agents"),)
ACTIONS: tuple[Action, ...] = ()
