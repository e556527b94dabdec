"""What the engine asks of a model that reads conversations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from trigraph.model.extraction import Extraction, Said, Stage


class Extractor(Protocol):
    """Takes what is worth keeping out of messages."""

    @property
    def name(self) -> str:
        """What it is, for provenance: a dialect and a model."""

    def extract(self, stage: Stage, messages: Sequence[Said]) -> Extraction:
        """What the messages say that is worth keeping. Raises ModelUnavailable when no usable answer came: then the
        rules are asked instead. Every finding's evidence stands word for word in the messages."""
