"""A clock of our own."""

from __future__ import annotations

from datetime import datetime, timedelta


class SettableClock:
    """A clock that stands still until it is told to move."""

    def __init__(self, start: datetime) -> None:
        self.time = start

    def __call__(self) -> datetime:
        return self.time

    def advance(self, **span: float) -> None:
        """Move by so much: advance(days=3); negative moves back."""
        self.time += timedelta(**span)
