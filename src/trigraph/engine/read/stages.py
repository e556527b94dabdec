"""Where the time of a recall goes."""

from __future__ import annotations

import time

PLANNING = "planning"
RESCORING = "rescoring"
RERANKING = "reranking"
ADJUSTING = "adjusting"
BESIDE = "beside"
EVENT = "event"
REST = "rest"


class StageClock:
    """Laps of one recall: each stage takes what passed since the one before, so that all of them make up the whole."""

    def __init__(self) -> None:
        self._started = self._last = time.perf_counter()
        self._spent: dict[str, float] = {}

    def lap(self, stage: str) -> None:
        """What passed since the last lap went into this stage."""
        now = time.perf_counter()
        self._spent[stage] = self._spent.get(stage, 0.0) + now - self._last
        self._last = now

    @property
    def milliseconds(self) -> float:
        """Since the start."""
        return round((time.perf_counter() - self._started) * 1000, 3)

    @property
    def stages(self) -> dict[str, float]:
        """Milliseconds by stage, in the order in which they were first met."""
        return {stage: round(spent * 1000, 3) for stage, spent in self._spent.items()}
