"""Learning from citations: tiny cases worked out by hand, and lists drawn by known weights."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trigraph.ranking import scoring
from trigraph.ranking.order import LIKENESS, shipped
from trigraph.ranking.scoring import Lesson, fit_lists, judge, learn, lesson, ndcg, train, trusted

pytestmark = pytest.mark.req("S9")

WORDS, MEANING = LIKENESS.index("words"), LIKENESS.index("meaning")


def _shown(words: list[float], rewards: list[float | None], ranks: list[int] | None = None) -> Lesson:
    rows = [[value] for value in words]
    places = ranks or list(range(1, len(words) + 1))
    return lesson(["words"], rows, [0.0] * len(words), places, rewards)


def _solved(counts: float) -> float:
    """Where 4 w = counts * 2 (1 - 1 / (1 + exp(-2 w))), by halving an interval."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if 4 * middle < counts * 2 * (1 - 1 / (1 + math.exp(-2 * middle))):
            low = middle
        else:
            high = middle
    return low


def _drawn(weights: dict[str, float], lists: int, *, seed: int = 1, by_position: bool = False) -> list[Lesson]:
    """Ten hits in the shipped order; one of them is cited, by a chance that follows the weights, and how far down."""
    chance = np.random.default_rng(seed)
    vector = np.array([weights.get(name, 0.0) for name in LIKENESS])
    before = np.array([shipped().weights.get(name, 0.0) for name in LIKENESS])
    ranks = np.arange(1.0, 11.0)
    found = []
    for _ in range(lists):
        features = chance.normal(size=(10, len(LIKENESS)))
        features = features[np.argsort(-features @ before)]
        worth = np.ones(10) if by_position else np.exp(features @ vector)
        odds = worth / ranks**0.6
        rewards = np.full(10, np.nan)
        rewards[chance.choice(10, p=odds / odds.sum())] = 1.0
        found.append(Lesson(features, np.zeros(10), ranks, rewards))
    return found


def test_without_citations_the_weights_are_the_shipped_ones_bit_for_bit() -> None:
    weights = shipped().weights
    silent = _shown([1.0, 0.0], [None, None])
    dismissed = _shown([1.0, 0.0], [0.0, None])

    for lessons in ([], [silent], [silent, dismissed] * 40):
        trained = train(lessons, weights)
        assert dict(trained.weights) == dict(weights)
        assert list(trained.weights.values()) == list(weights.values())
        assert (trained.lessons, trained.trusted, trained.judged) == (0, 0.0, None)


def test_what_was_learnt_is_trusted_by_half_after_two_hundred_lessons() -> None:
    assert [trusted(count) for count in (0, 50, 200, 600)] == [0.0, 0.2, 0.5, 0.75]


def test_one_citation_of_two_hits_moves_a_weight_by_what_can_be_worked_out_by_hand() -> None:
    # Rows are +1 and -1, a spread of 1. The chance of the cited one is 1 / (1 + exp(-2 w)), and it counts a fifth, for
    # nothing was said of the other; the most likely w with a ridge of 4 solves 4 w = 0.2 * 2 (1 - chance).
    weights = learn([_shown([2.0, 0.0], [1.0, None])], {})

    assert weights["words"] / trusted(1) == pytest.approx(_solved(0.2), abs=1e-6)
    assert {name for name, weight in weights.items() if weight} == {"words"}


def test_a_hit_that_was_dismissed_counts_five_times_as_much_as_one_of_which_nothing_was_said() -> None:
    silent = learn([_shown([2.0, 0.0], [1.0, None])], {})["words"]
    dismissed = learn([_shown([2.0, 0.0], [1.0, 0.0])], {})["words"]

    assert dismissed / trusted(1) == pytest.approx(_solved(1.0), abs=1e-6)
    assert dismissed > 2 * silent


def test_a_citation_far_down_counts_more_than_one_at_the_top() -> None:
    up, down = _shown([1.0, -1.0], [1.0, 0.0], [1, 8]), _shown([1.0, -1.0], [0.0, 1.0], [1, 8])
    plain = learn([_shown([1.0, -1.0], [1.0, 0.0], [1, 1]), _shown([1.0, -1.0], [0.0, 1.0], [1, 1])], {})

    assert plain["words"] == pytest.approx(0.0, abs=1e-9)
    assert learn([up, down], {})["words"] < -0.0005
    assert scoring.propensities(np.array([1.0, 32.0, 1000.0])) == pytest.approx([1.0, 8.0, 10.0])


def test_a_hit_that_was_rewritten_is_worth_less_than_one_that_was_cited() -> None:
    both = learn([_shown([1.0, -1.0], [1.0, 0.3], [1, 1])], {})
    other = learn([_shown([1.0, -1.0], [0.3, 1.0], [1, 1])], {})

    assert both["words"] == pytest.approx(-other["words"])
    assert both["words"] > 0


def test_what_speaks_for_a_hit_beside_its_features_is_not_put_down_to_them() -> None:
    known = lesson(["words"], [[1.0], [-1.0]], [30.0, 0.0], [1, 2], [1.0, 0.0])

    assert abs(learn([known] * 50, {})["words"]) < 1e-6
    assert learn([_shown([1.0, -1.0], [1.0, 0.0])] * 50, {})["words"] > 0.05


def test_ndcg_counts_a_cited_hit_by_its_place_and_by_how_seldom_its_rank_is_looked_at() -> None:
    one = _shown([0.0, 1.0, 2.0], [1.0, None, None])
    assert ndcg(one, {"words": 1.0}) == pytest.approx(1 / math.log2(4))
    assert ndcg(one, {"words": -1.0}) == pytest.approx(1.0)

    # Gains are 1 at rank 1 and 32 ** 0.6 = 8 at rank 32.
    two = _shown([1.0, 0.0], [1.0, 1.0], [1, 32])
    best, other = 8 + 1 / math.log2(3), 1 + 8 / math.log2(3)
    assert ndcg(two, {"words": 1.0}) == pytest.approx(other / best)
    assert ndcg(two, {"words": -1.0}) == pytest.approx(1.0)


def test_a_lesson_is_judged_by_how_seldom_its_citation_would_have_been_seen() -> None:
    up, down = _shown([1.0, 0.0], [1.0, None], [1, 32]), _shown([1.0, 0.0], [None, 1.0], [1, 32])
    found = judge([up, down], {"words": 1.0}, {"words": -1.0})

    low = 1 / math.log2(3)
    assert found.shipped == pytest.approx((1 * 1 + 8 * low) / 9)
    assert found.learnt == pytest.approx((1 * low + 8 * 1) / 9)
    assert found.low <= found.lift <= found.high


def test_the_weights_that_drew_the_citations_are_approached_and_their_lift_is_seen() -> None:
    taste = {**shipped().weights, "words": 2.5, "asks": 1.5}
    trained = train(_drawn(taste, 1500), shipped().weights)

    assert (trained.lessons, trained.trusted) == (1050, 0.84)
    assert 1.2 < trained.weights["words"] < 3
    assert 0.3 < trained.weights["asks"] < 2
    assert trained.judged is not None
    assert (trained.judged.lessons, trained.judged.low > 0) == (450, True)


@pytest.mark.parametrize("seed", range(5))
def test_citations_by_position_alone_do_not_show_a_lift(seed: int) -> None:
    trained = train(_drawn({}, 400, seed=seed, by_position=True), shipped().weights)

    assert trained.judged is not None
    assert trained.judged.low <= 0


def test_less_than_thirty_later_lessons_judge_nothing() -> None:
    assert train(_drawn({"words": 3.0}, 97), shipped().weights).judged is None
    judged = train(_drawn({"words": 3.0}, 100), shipped().weights).judged
    assert judged is not None
    assert judged.lessons == 30


def test_lessons_are_learnt_from_in_the_order_of_time() -> None:
    once, later = _drawn({"words": 4.0}, 140), _drawn({"words": -4.0}, 60)

    assert train([*once, *later], {}).weights == learn(once, {})


def test_features_are_found_by_name_and_missing_ones_say_nothing() -> None:
    rows = [[1.0, 5.0, 9.0], [-1.0, 5.0, 7.0]]
    known = lesson(["meaning", "of an earlier version", "words"], rows, [0, 0], [1, 2], [1.0, None])

    assert known.features[:, MEANING].tolist() == [1.0, -1.0]
    assert known.features[:, WORDS].tolist() == [9.0, 7.0]
    assert np.delete(known.features, [MEANING, WORDS], axis=1).any() == np.False_
    prior = {"coverage": 1.25}
    assert learn([_shown([1.0, -1.0], [1.0, None])], prior)["coverage"] == 1.25


def test_a_fit_is_the_most_likely_one() -> None:
    rows = np.array([[1.0], [0.0], [0.0]])
    found = fit_lists(rows, np.array([0]), np.array([0.75, 0.125, 0.125]), np.zeros(3), np.zeros(1), 1e-9)

    assert found == pytest.approx([math.log(6)], abs=1e-4)


_NUMBERS = st.one_of(st.floats(), st.integers(-(2**60), 2**60))


@given(
    st.lists(
        st.lists(
            st.tuples(_NUMBERS, _NUMBERS, st.integers(-5, 10**9), st.sampled_from([None, 0.0, 0.3, 1.0])), max_size=6
        ),
        max_size=8,
    )
)
@settings(max_examples=200, deadline=None)
def test_weights_are_finite_whatever_the_events_hold(
    events: list[list[tuple[float, float, int, float | None]]],
) -> None:
    lessons = [
        lesson(
            ["words", "length"],
            [[hit[0], hit[1]] for hit in hits],
            [hit[1] for hit in hits],
            [hit[2] for hit in hits],
            [hit[3] for hit in hits],
        )
        for hits in events
    ]
    learnt = learn(lessons, shipped().weights)

    assert set(learnt) >= set(shipped().weights)
    assert all(math.isfinite(weight) for weight in learnt.values())
