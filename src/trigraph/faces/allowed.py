"""Memory as whoever asks may use it: a verb that takes a right which is missing is refused before it begins."""

from __future__ import annotations

from typing import Any

from trigraph.engine.engine import Engine
from trigraph.faces.documents import Docs
from trigraph.faces.library import Trigraph
from trigraph.model.access import Principal
from trigraph.model.rights import RIGHT_OF


class Allowed(Trigraph):
    """A principal's memory. Every verb is looked up in the table of rights, whichever door leads to it."""

    def __init__(self, engine: Engine, principal: Principal) -> None:
        super().__init__(engine, principal.scope)
        self.principal = principal

    def __getattribute__(self, name: str) -> Any:
        if (right := RIGHT_OF.get(name)) is not None:
            self.principal.require(right)
        return super().__getattribute__(name)

    @property
    def docs(self) -> Docs:
        """Documents, their verbs looked up likewise."""
        return _AllowedDocs(self)


class _AllowedDocs(Docs):
    def __getattribute__(self, name: str) -> Any:
        if (right := RIGHT_OF.get(f"docs.{name}")) is not None:
            self._memory.principal.require(right)  # type: ignore[attr-defined]
        return super().__getattribute__(name)
