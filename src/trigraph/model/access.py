"""Who may see what: read policies, groups, audiences, rights."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from trigraph.errors import Forbidden
from trigraph.model.memory import Visibility
from trigraph.model.scope import Scope


class ReadPolicy(StrEnum):
    """What an agent may see of what others wrote. Agents that nobody registered are isolated."""

    ISOLATED = "isolated"
    GROUP = "group"
    SHARED = "shared"


class Right(StrEnum):
    """What a token allows."""

    READ = "read"
    WRITE = "write"
    SHARE = "share"
    REVIEW = "review"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Audience:
    """Who may see a row: decided by its author, its visibility, and the group that it names."""

    author: str
    visibility: Visibility
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Reader:
    """An agent as the visibility predicate sees it: its policy, its groups, and the members of those groups. Its
    domains say what is relevant to it, never what it may see."""

    agent: str
    policy: ReadPolicy
    groups: frozenset[str] = frozenset()
    fellows: frozenset[str] = frozenset()
    domains: tuple[str, ...] = ()

    def may_see(self, row: Audience) -> bool:
        """The predicate of `words`: own rows always; of others' rows what visibility and policy allow."""
        if row.author == self.agent:
            return True
        match self.policy, row.visibility:
            case ReadPolicy.SHARED, Visibility.SHARED:
                return True
            case ReadPolicy.GROUP, Visibility.SHARED:
                return row.author in self.fellows
            case ((ReadPolicy.SHARED | ReadPolicy.GROUP), Visibility.GROUP):
                return row.group in self.groups
            case _:
                return False


@dataclass(frozen=True, slots=True)
class Agent:
    """A registered agent of a project."""

    name: str
    policy: ReadPolicy
    domains: tuple[str, ...]
    groups: tuple[str, ...]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Group:
    """Agents of one project that share what names their group."""

    name: str
    members: tuple[str, ...]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Project:
    """An island: nothing crosses it."""

    tenant: str
    name: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Token:
    """What is kept of a token: never the token itself. `id` names it, for listing and revoking. Without a project it is
    good in every project of its tenant; `used_at` is coarse."""

    id: str
    tenant: str
    project: str | None
    agent: str
    name: str
    rights: tuple[Right, ...]
    created_at: datetime
    used_at: datetime | None = None
    expires_at: datetime | None = None
    revoked_at: datetime | None = None

    def good_at(self, at: datetime) -> bool:
        """Whether it stands for its agent then: it was not revoked, and has not expired."""
        return self.revoked_at is None and (self.expires_at is None or at < self.expires_at)


@dataclass(frozen=True, slots=True)
class KeptToken:
    """A token with the hash that its text must have."""

    token: Token
    hash: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A token at the only time it is seen whole."""

    secret: str = field(repr=False)
    token: Token


@dataclass(frozen=True, slots=True)
class Principal:
    """Who a request speaks for, and what it may do. `token_id` names the token that says so, if one does."""

    scope: Scope
    rights: frozenset[Right]
    token_id: str | None = None

    def require(self, right: Right | str) -> None:
        """Raises Forbidden unless the request may do that. Rights are as they were given: none implies another."""
        if Right(right) not in self.rights:
            held = ", ".join(one for one in Right if one in self.rights)
            raise Forbidden(
                f"That takes the right {Right(right).value}; this caller has {held}.",
                fix="Use a token that has it: `trigraph admin token create NAME --agent AGENT --rights …` makes one.",
            )
