"""Verbs of the scorer, for the library: what citations taught of how hits are ordered."""

from __future__ import annotations

from trigraph.engine.engine import Engine
from trigraph.model.scope import Scope
from trigraph.model.scorer import ScorerReport


class ScorerVerbs:
    """Learning from what was done with hits."""

    engine: Engine
    scope: Scope

    def scorer_report(self) -> ScorerReport:
        """What the project's citations taught, how that fared on recalls it was not learnt from, and whether it is
        used. Numbers only."""
        return self.engine.scorer_report(self.scope)

    def scorer_train(self) -> ScorerReport:
        """Learn from all citations of the project; what was learnt is used from now on if it helped on later recalls,
        and no longer if it did not."""
        return self.engine.scorer_train(self.scope)

    def scorer_off(self) -> ScorerReport:
        """Order hits by the weights that ship, whatever was learnt."""
        return self.engine.scorer_off(self.scope)

    def scorer_on(self) -> ScorerReport:
        """Let what citations teach be used again; it is trained anew at once."""
        return self.engine.scorer_on(self.scope)
