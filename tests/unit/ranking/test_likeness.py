"""How likeness counts between kinds of memories."""

from __future__ import annotations

from itertools import product

import pytest

from trigraph.model.memory import Kind
from trigraph.ranking.likeness import kinds_factor

SAID = {
    (Kind.DECISION, Kind.CHECKPOINT): 1.2,
    (Kind.DECISION, Kind.DECISION): 1.0,
    (Kind.CHECKPOINT, Kind.CHECKPOINT): 0.8,
    (Kind.INSIGHT, Kind.DECISION): 1.1,
    (Kind.DECISION, Kind.INSIGHT): 0.9,
}


@pytest.mark.req("L4")
@pytest.mark.parametrize(("kinds", "factor"), SAID.items(), ids=["→".join(kinds) for kinds in SAID])
def test_some_pairs_of_kinds_count_more_or_less(kinds: tuple[Kind, Kind], factor: float) -> None:
    assert kinds_factor(*kinds) == factor


@pytest.mark.req("L4")
def test_the_order_of_kinds_matters() -> None:
    assert kinds_factor(Kind.CHECKPOINT, Kind.DECISION) == 1.0


@pytest.mark.req("L4")
def test_all_other_pairs_count_as_they_are() -> None:
    others = [pair for pair in product(Kind, repeat=2) if pair not in SAID]

    assert {kinds_factor(*pair) for pair in others} == {1.0}
