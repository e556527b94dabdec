"""Rankings become one order: every number here was worked out on paper."""

from __future__ import annotations

import numpy as np
import pytest

from trigraph.model.query import Fusion, Leg
from trigraph.ranking.fusion import fuse, normalise, ranks

NAN = float("nan")


def _normalised(values: list[float], fusion: Fusion) -> list[float]:
    return normalise({Leg.VECTOR: np.array(values)}, fusion)[Leg.VECTOR].tolist()


def test_z_scores_measure_from_the_mean_in_spreads() -> None:
    # mean 2, spread sqrt(2/3)
    assert _normalised([1, 2, 3], Fusion.SCORE) == pytest.approx([-1.224745, 0, 1.224745], abs=1e-6)


def test_z_scores_do_not_depend_on_the_scale_of_a_leg() -> None:
    assert _normalised([100, 300, 200], Fusion.SCORE) == pytest.approx([-1.224745, 1.224745, 0], abs=1e-6)
    assert _normalised([-0.3, -0.1, -0.2], Fusion.SCORE) == pytest.approx([-1.224745, 1.224745, 0], abs=1e-6)


def test_what_a_leg_did_not_find_counts_as_the_worst_it_found() -> None:
    # 4, 2, 2: mean 8/3, spread sqrt(8)/3
    assert _normalised([4, NAN, 2], Fusion.SCORE) == pytest.approx([1.414214, -0.707107, -0.707107], abs=1e-6)


@pytest.mark.parametrize("values", [[5], [5, 5, 5], [5, NAN, 5], [NAN, NAN], []], ids=str)
def test_a_leg_that_tells_nothing_apart_gives_zero_to_all(values: list[float]) -> None:
    assert _normalised(values, Fusion.SCORE) == [0] * len(values)


def test_reciprocal_ranks_count_from_61_and_give_nothing_for_what_was_not_found() -> None:
    assert _normalised([0.2, 0.9, NAN, -5], Fusion.RRF) == pytest.approx([1 / 62, 1 / 61, 0, 1 / 63])
    assert _normalised([NAN, NAN], Fusion.RRF) == [0, 0]


def test_equal_scores_share_a_rank() -> None:
    assert _normalised([3, 7, 7, 1], Fusion.RRF) == pytest.approx([1 / 63, 1 / 61, 1 / 61, 1 / 64])


def test_fusion_is_the_weighted_mean_of_the_legs() -> None:
    scores = {Leg.VECTOR: np.array([1.0, 0.0, -1.0]), Leg.LEXICAL: np.array([0.0, 3.0, -3.0])}

    assert fuse(scores, {Leg.VECTOR: 1.0, Leg.LEXICAL: 1.0}).tolist() == [0.5, 1.5, -2.0]
    assert fuse(scores, {Leg.VECTOR: 2.0, Leg.LEXICAL: 1.0}) == pytest.approx([2 / 3, 1, -5 / 3])
    assert fuse(scores, {Leg.VECTOR: 1.0, Leg.LEXICAL: 0.0}).tolist() == [1.0, 0.0, -1.0]


def test_a_leg_that_did_not_take_part_takes_no_share() -> None:
    alone = {Leg.LEXICAL: np.array([2.0, -2.0])}

    assert fuse(alone, {Leg.VECTOR: 1.0, Leg.LEXICAL: 1.0, Leg.GRAPH: 0.0}).tolist() == [2.0, -2.0]


def test_ranks_count_from_one_with_the_greatest_first_and_what_is_missing_last() -> None:
    assert ranks(np.array([0.5, NAN, 2.0, -1.0, 0.5])).tolist() == [2, 5, 1, 4, 2]
