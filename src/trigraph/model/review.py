"""What waits for somebody to look at it."""

from __future__ import annotations

from dataclasses import dataclass

from trigraph.model.memory import Memory


@dataclass(frozen=True, slots=True)
class HeldBack:
    """A quarantined memory, and the signs for which it is held back."""

    memory: Memory
    signs: tuple[str, ...]
