"""Extraction by rules: no model, no network; the same words always give the same findings."""

from __future__ import annotations

from collections.abc import Sequence

from trigraph.model.extraction import Extraction, Said, Stage

__all__ = ["RulesExtractor"]


class RulesExtractor:
    """Takes decisions, preferences, facts, causes and outcomes out of sentences, by the way they are said."""

    @property
    def name(self) -> str:
        """What it is, for provenance."""
        return "rules"

    def extract(self, stage: Stage, messages: Sequence[Said]) -> Extraction:
        """What the messages say that is worth keeping; never raises for what was said."""
        from trigraph.extractors.rules.session import extract_session  # the rules are large: read when they are needed
        from trigraph.extractors.rules.turn import extract_turn

        if stage is Stage.TURN:
            return Extraction(extract_turn(messages), self.name)
        found, summary = extract_session(messages)
        return Extraction(found, self.name, summary)
