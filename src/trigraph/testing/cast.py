"""Agents of every read policy, in a group and out of it; and, in words of our own, what each of them may see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from trigraph.contracts import Store
from trigraph.model.access import ReadPolicy
from trigraph.model.memory import Visibility
from trigraph.model.scope import Scope
from trigraph.testing.builders import ANNE, START

RED, BLUE = "red", "blue"
_NOT_ISOLATED = (ReadPolicy.GROUP, ReadPolicy.SHARED)


@dataclass(frozen=True)
class Actor:
    """An agent with its policy (none: it is not registered) and its groups."""

    name: str
    policy: ReadPolicy | None
    groups: tuple[str, ...] = ()

    @property
    def scope(self) -> Scope:
        return replace(ANNE, agent=self.name)


AUTHOR = Actor("anne", ReadPolicy.SHARED, (RED,))
READERS = (
    Actor("isolated-in-both", ReadPolicy.ISOLATED, (BLUE, RED)),
    *(Actor(f"{policy}-in-{group}", policy, (group,)) for policy in _NOT_ISOLATED for group in (RED, BLUE)),
    *(Actor(f"{policy}-in-none", policy) for policy in _NOT_ISOLATED),
    Actor("stranger", None),
)

AUDIENCES: dict[str, dict[str, Any]] = {
    "private": {"visibility": Visibility.PRIVATE},
    "group-red": {"visibility": Visibility.GROUP, "group": RED},
    "group-blue": {"visibility": Visibility.GROUP, "group": BLUE},
    "shared": {"visibility": Visibility.SHARED},
}
"""Fields of a memory for each sort of audience."""

every_audience = pytest.mark.parametrize("audience", AUDIENCES.values(), ids=AUDIENCES)


def register_all(store: Store) -> None:
    """Make the cast known to a store, with their groups."""
    place = (ANNE.tenant, ANNE.project)
    for group in (RED, BLUE):
        store.registry.add_group(*place, group, START)
    for actor in (AUTHOR, *READERS):
        if actor.policy is not None:
            store.registry.put_agent(*place, actor.name, actor.policy, (), START)
            for group in actor.groups:
                store.registry.join(*place, group, actor.name)


def may_see(reader: Actor, visibility: Visibility, group: str | None = None) -> bool:
    """Whether a reader may see what `AUTHOR` wrote for some audience.

    Isolated sees its own. Group sees its own, the group memories that name one of its groups, and shared ones
    written by members of its groups. Shared sees its own, all shared ones, and group memories that name one of its
    groups. Whom nobody registered is isolated.
    """
    if reader.name == AUTHOR.name:
        return True
    names_a_group_of_ours = visibility is Visibility.GROUP and group in reader.groups
    is_shared = visibility is Visibility.SHARED
    if reader.policy is ReadPolicy.SHARED:
        return is_shared or names_a_group_of_ours
    if reader.policy is ReadPolicy.GROUP:
        by_a_fellow = any(group in AUTHOR.groups for group in reader.groups)
        return names_a_group_of_ours or (is_shared and by_a_fellow)
    return False


def expected(*audiences: dict[str, Any]) -> dict[str, bool]:
    """Who may see everything that `AUTHOR` wrote for some audiences, by name."""
    return {actor.name: all(may_see(actor, **audience) for audience in audiences) for actor in _everyone()}


def shown(read: Callable[[Scope], object]) -> dict[str, bool]:
    """To whom a read, given a scope, shows anything."""
    return {actor.name: bool(read(actor.scope)) for actor in _everyone()}


def _everyone() -> Iterator[Actor]:
    yield AUTHOR
    yield from READERS
