"""Making vectors anew, and being interrupted at it."""

from __future__ import annotations

import pytest

from trigraph.faces.library import Trigraph
from trigraph.model.query import Leg


class Interrupted(Exception):
    """Stands for Ctrl-C in the middle."""


def test_an_interrupted_reembedding_is_said_until_it_is_finished(memory: Trigraph) -> None:
    memory.remember_batch([f"fact number {number} about tea" for number in range(300)])

    def interrupt(done: int) -> None:
        raise Interrupted

    with pytest.raises(Interrupted):
        memory.reembed(anew=True, progress=interrupt)
    vector = next(leg for leg in memory.recall("tea").legs if leg.leg is Leg.VECTOR)
    assert vector.status == "failed"
    assert "trigraph reembed" in str(vector.reason)
    memory.remember("one more about tea")
    assert memory.recall("tea").degraded
    assert not memory.health().ok

    memory.reembed()
    assert memory.health().ok
    assert not memory.recall("tea").degraded
    assert memory.stats().waiting_for_vector == 0
