"""How a memory stands, and what may be done with it."""

from __future__ import annotations

from trigraph.errors import Conflict, Forbidden
from trigraph.model.memory import Memory, Status
from trigraph.model.scope import Scope
from trigraph.text.cleaning import optional_label

REASON_LIMIT_CHARS = 2000


def in_force(memory: Memory) -> bool:
    """Whether nothing put the memory aside."""
    return memory.retracted_at is None and memory.status is Status.ACTIVE and not memory.superseded


def check_in_force(memory: Memory) -> Memory:
    """The memory, if nothing put it aside."""
    if in_force(memory):
        return memory
    if memory.superseded_by is not None and memory.status is Status.ACTIVE and memory.retracted_at is None:
        fix = f"Look at what replaced it: {memory.superseded_by}."
    else:
        fix = "`trigraph history` shows what became of it; `trigraph restore` undoes the last step."
    raise Conflict(f"{memory.id} is {standing_of(memory)}.", fix=fix)


def check_standing(memory: Memory) -> Memory:
    """The memory, if it was neither forgotten nor corrected: something may be built on it."""
    if memory.status is Status.FORGOTTEN or memory.retracted_at is not None:
        raise Conflict(f"{memory.id} is {standing_of(memory)}.", fix="`trigraph history` shows what became of it.")
    return memory


def check_audience_unchanged(before: Memory, now: Memory) -> None:
    """Raise if a memory was shared since it was read: what follows it would be seen by fewer."""
    if (before.visibility, before.group) != (now.visibility, now.group):
        raise Conflict(f"{now.id} was shared meanwhile.", fix="Try again.")


def check_own(scope: Scope, memory: Memory, verb: str) -> Memory:
    """The memory, if the agent wrote it."""
    if memory.provenance.author != scope.agent:
        raise Forbidden(
            f"{memory.id} was written by {memory.provenance.author!r}.",
            fix=f"Only its author may {verb} it; forget it instead.",
        )
    return memory


def standing_of(memory: Memory) -> str:
    """How a memory stands, in a word."""
    if memory.status is not Status.ACTIVE:
        return str(memory.status)
    if memory.retracted_at is not None:
        return "corrected"
    return "superseded" if memory.superseded else "active"


def checked_reason(reason: str | None) -> str | None:
    """A reason that is short enough to keep."""
    return optional_label(reason, "reason", REASON_LIMIT_CHARS)
