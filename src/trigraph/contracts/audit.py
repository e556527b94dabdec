"""What a store can say about its own soundness."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from trigraph.model.scope import Scope


class Audit(Protocol):
    """Checks of a whole project, whoever may see what: callers must not pass on ids of what they may not see."""

    def checks(self) -> tuple[str, ...]:
        """The names of the checks that the store makes, in order."""

    def broken(self, scope: Scope, check: str) -> Iterator[str]:
        """Ids, or other words, of what breaks a check."""

    def succession(self, scope: Scope) -> Iterator[tuple[str, str]]:
        """Which memory supersedes or corrects which, as is known now."""

    def parts(self, scope: Scope) -> Iterator[tuple[str, str, str]]:
        """Which entity is part of which or supersedes which, and by which of both, as is known now."""
