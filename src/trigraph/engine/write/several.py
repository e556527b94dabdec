"""One verb over several memories, in the transaction that it has: all of them, or none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from trigraph.engine.parts import Parts
from trigraph.errors import InvalidInput, TrigraphError
from trigraph.model.change import Changed, Verb
from trigraph.model.scope import Scope

SEVERAL_MOST = 500


def check_number(names: Sequence[str]) -> None:
    """Raise for none, or too many at once."""
    if not 1 <= len(names) <= SEVERAL_MOST:
        raise InvalidInput(f"{len(names)} memories at once.", field="ids", fix=f"Give from 1 to {SEVERAL_MOST} ids.")


def each(
    parts: Parts,
    scope: Scope,
    verb: Verb,
    names: Sequence[str],
    at: datetime,
    change: Callable[[str, datetime], Changed],
) -> Changed:
    """Change one after the other, each at a time of its own. What fails for one is raised, and says so of all."""
    done: list[Changed] = []
    for name in dict.fromkeys(names):
        try:
            done.append(change(name, parts.store.tick(scope, at) if done else at))
        except TrigraphError as error:
            if len(names) > 1:
                error.fix = " ".join(filter(None, ("Nothing was done with any of them.", error.fix)))
            raise
    notes = [one.note for one in done if one.note]
    return Changed(verb, tuple(one.id for one in done), done[-1].at, note="; ".join(notes) or None)
