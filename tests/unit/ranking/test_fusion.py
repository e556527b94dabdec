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


@pytest.mark.parametrize("leg", [Leg.GRAPH, Leg.TEMPORAL])
def test_evidence_stays_as_it_is_and_none_is_nothing(leg: Leg) -> None:
    scores = {leg: np.array([0.9, NAN, 0.1, 0.0])}

    assert normalise(scores, Fusion.SCORE)[leg].tolist() == [0.9, 0.0, 0.1, 0.0]


def test_evidence_comes_on_top_of_the_mean_of_the_legs_of_likeness() -> None:
    scores = {
        Leg.VECTOR: np.array([1.0, 0.0, -1.0]),
        Leg.LEXICAL: np.array([0.0, 3.0, -3.0]),
        Leg.GRAPH: np.array([0.0, 0.0, 0.5]),
        Leg.TEMPORAL: np.array([0.0, 1.0, 0.0]),
    }
    weights = {Leg.VECTOR: 1.0, Leg.LEXICAL: 1.0, Leg.GRAPH: 4.0, Leg.TEMPORAL: 0.25}

    assert fuse(scores, weights).tolist() == [0.5, 1.75, 0.0]


def test_evidence_that_found_nothing_changes_nothing() -> None:
    likeness = {Leg.VECTOR: np.array([0.7, 0.2, NAN])}
    with_graph = likeness | {Leg.GRAPH: np.array([NAN, NAN, NAN])}
    weights = {Leg.VECTOR: 1.0, Leg.GRAPH: 1.0}

    alone = fuse(normalise(likeness, Fusion.SCORE), weights)
    assert fuse(normalise(with_graph, Fusion.SCORE), weights).tolist() == alone.tolist()


@pytest.mark.req("T10")
def test_of_two_equal_in_likeness_the_one_with_evidence_is_first() -> None:
    scores = {Leg.VECTOR: np.array([0.6, 0.6, 0.1]), Leg.TEMPORAL: np.array([0.2, 0.8, 0.2])}
    older, newer, _ = fuse(normalise(scores, Fusion.SCORE), {Leg.VECTOR: 1.0, Leg.TEMPORAL: 0.01}).tolist()

    assert newer > older


def test_evidence_alone_still_ranks() -> None:
    alone = {Leg.GRAPH: np.array([0.2, 0.8])}

    assert fuse(normalise(alone, Fusion.SCORE), {Leg.GRAPH: 0.5}).tolist() == pytest.approx([0.1, 0.4])


def test_with_reciprocal_ranks_evidence_is_a_leg_like_the_others() -> None:
    scores = {Leg.VECTOR: np.array([0.9, 0.1]), Leg.GRAPH: np.array([NAN, 0.4])}
    normalised = normalise(scores, Fusion.RRF)

    assert normalised[Leg.GRAPH].tolist() == pytest.approx([0, 1 / 61])
    assert fuse(normalised, {Leg.VECTOR: 1.0, Leg.GRAPH: 1.0}, Fusion.RRF).tolist() == pytest.approx(
        [1 / 122, (1 / 62 + 1 / 61) / 2]
    )


def test_ranks_count_from_one_with_the_greatest_first_and_what_is_missing_last() -> None:
    assert ranks(np.array([0.5, NAN, 2.0, -1.0, 0.5])).tolist() == [2, 5, 1, 4, 2]
