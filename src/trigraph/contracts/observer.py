"""What the engine tells of its verbs, and to whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

Answered = TypeVar("Answered")

LOGGED = "trigraph_facts"
"""Where a log record of trigraph carries what its line is to say: a mapping of names to ids, counts and times."""


class Observer(Protocol):
    """Is told of every verb. Thread-safe."""

    def listens(self) -> bool:
        """Whether it wants to know of verbs that succeed. Asked before each of them: it costs next to nothing."""

    def failed(self, verb: str, given: Mapping[str, object], error: BaseException) -> None:
        """A verb of which it was not told before has failed."""

    def observe(self, verb: str, given: Mapping[str, object], run: Callable[[], Answered]) -> Answered:
        """Run a verb and tell of it what may be told. `given` are its arguments by name. Answers and raises what the
        verb does, whatever becomes of the telling."""
