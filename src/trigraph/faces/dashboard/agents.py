"""Agents: who recalls, cites and writes; and, for who administers, their groups, policies and tokens."""

from __future__ import annotations

from dataclasses import dataclass

from trigraph.faces.dashboard import panels
from trigraph.faces.dashboard.cards import minute
from trigraph.faces.dashboard.frame import Action, Asked, Page, Shown, address_of
from trigraph.faces.dashboard.panels import AgentLine
from trigraph.faces.dashboard.spans import (
    AGENTS,
    Choice,
    Days,
    Whose,
    asked_insight,
    days_of,
    presets_of,
    step_of,
    today,
    whose_of,
)
from trigraph.model.access import Agent, Group, Right, Token
from trigraph.model.insight import Panel


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
    """Who one is, and what agents did in some days, whom `about` tells: the one that was `named`, if one was.
    `administers` says whether the registry is told."""

    tenant: str
    project: str
    agent: str
    rights: str
    days: Days
    presets: tuple[Choice, ...]
    step: str
    about: str
    named: str
    everyone_url: str | None
    figures: tuple[AgentLine, ...]
    rolled_up: int
    authors: tuple[Author, ...]
    administers: bool
    agents: tuple[Agent, ...]
    groups: tuple[Group, ...]
    tokens: tuple[TokenLine, ...]


def show(asked: Asked) -> Shown:
    """What each agent did for whoever may review, else what one did oneself; whose memories one may see; and, for who
    administers, the registry of the project."""
    memory, scope = asked.memory, asked.memory.scope
    days, whose = days_of(asked.query, today()), whose_of(asked)
    step, named = step_of(asked.query, days), whose.named
    insight = asked_insight(asked, days, whose, step, Panel.AGENTS)
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
        days=days,
        presets=presets_of(AGENTS, days, ("agent", named)),
        step=step,
        about=_about(whose),
        named=named or "",
        everyone_url=address_of(AGENTS, *days.pairs) if named else None,
        figures=panels.agents(insight.agents or (), whose, days),
        rolled_up=insight.rolled_up,
        authors=tuple(
            Author(name, count, address_of("/memories", author=name)) for name, count in facets.by_author.items()
        ),
        administers=administers,
        agents=agents,
        groups=groups,
        tokens=tuple(_token(one, good=one.good_at(now)) for one in tokens),
    )
    data = {
        "scope": scope,
        "insight": insight,
        "by_author": facets.by_author,
        "agents": agents,
        "groups": groups,
        "tokens": tokens,
    }
    return Shown("agents.html", view, data)


def _about(whose: Whose) -> str:
    if not whose.project:
        return "How you use memory"
    return f"How {whose.agent} uses memory" if whose.agent else "Who recalls, cites and writes"


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


PAGES = (Page(AGENTS, show, label="Agents"),)
ACTIONS: tuple[Action, ...] = ()
