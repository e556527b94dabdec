"""What every verb of the engine works with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from trigraph.contracts import Clock, Store
from trigraph.engine.embedding import Embedding
from trigraph.model.query import Fusion
from trigraph.model.scope import Scope
from trigraph.model.times import Moment


@dataclass(frozen=True, slots=True)
class Parts:
    """A store, an embedder, a clock, the fusion that is used unless a query or its profile asks for another, and
    how long what was forgotten can be restored: handed in by assembly, never made here."""

    store: Store
    embedding: Embedding
    clock: Clock
    fusion: Fusion = Fusion.SCORE
    restore_window: timedelta = timedelta(days=30)

    def now(self, scope: Scope) -> Moment:
        """The present: what is true and known after everything committed so far."""
        present = self.store.present(scope, self.clock())
        return Moment(as_of=present, known_at=present)
