"""What `trace` answers: memories reached by walking from one, and how."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from trigraph.model.link import Link
from trigraph.model.memory import Memory
from trigraph.model.recall import Outcome


class TraceMode(StrEnum):
    """evolution: how a topic came to what it is; impact: what followed from a memory; context: what bears on a
    question, seen from a memory."""

    EVOLUTION = "evolution"
    IMPACT = "impact"
    CONTEXT = "context"


@dataclass(frozen=True, slots=True)
class Step:
    """A memory on the way: `depth` links from the start, over `via`; `score` ranks it. `implemented_by` are the
    checkpoints that carried it out, `outcomes` what came of it."""

    memory: Memory
    depth: int
    via: Link | None
    score: float
    outcomes: tuple[Outcome, ...] = ()
    implemented_by: tuple[Memory, ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """A walk. `truncated` says that it ended at its budget of nodes."""

    mode: TraceMode
    start_id: str | None
    steps: tuple[Step, ...]
    truncated: bool = False
