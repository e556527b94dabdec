"""What a new memory does to a stored one, on pairs that were set aside before the rules were tuned."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from trigraph.assembly import embedder_loader
from trigraph.bench.pairs import HELD_OUT, cosines, hand_made
from trigraph.lifecycle.comparison import Relation, compare
from trigraph.settings import Settings

FOLDER = Path(__file__).parents[2] / "benchmarks" / "pairs"
FLAGS = frozenset({Relation.CHANGES, Relation.CONTRADICTS})


@pytest.fixture(scope="module", params=HELD_OUT)
def judged(request: pytest.FixtureRequest) -> tuple[np.ndarray, list[Relation]]:
    """Whether a person calls the pair a change or contradiction, and what trigraph calls it."""
    pairs = hand_made(FOLDER / request.param)
    near = cosines(pairs, embedder_loader(Settings().embedder)())
    found = [compare(pair.older, pair.newer, float(one)).relation for pair, one in zip(pairs, near, strict=True)]
    return np.array([Relation(pair.label) in FLAGS for pair in pairs]), found


@pytest.mark.req("I6")
def test_nine_of_ten_flags_are_right_and_most_contradictions_are_flagged(
    judged: tuple[np.ndarray, list[Relation]],
) -> None:
    wanted, found = judged
    flagged = np.array([one in FLAGS for one in found])
    print(f"precision {100 * wanted[flagged].mean():.1f} %, recall {100 * flagged[wanted].mean():.1f} %")
    assert wanted[flagged].mean() >= 0.9
    assert flagged[wanted].mean() >= 0.6


@pytest.mark.req("I7")
def test_no_correction_is_taken_for_a_restatement(judged: tuple[np.ndarray, list[Relation]]) -> None:
    wanted, found = judged
    assert sum(wanted) >= 40
    assert not any(one is Relation.RESTATES for is_correction, one in zip(wanted, found, strict=True) if is_correction)
