"""Prior outcomes are counted, smoothed, and told in one word (C5)."""

from __future__ import annotations

import pytest

from trigraph.frontier.outcomes import WORTH, adjustment, prior_outcomes, signal
from trigraph.frontier.pairs import Bridge, Joined, Profile, Tie, features, score
from trigraph.model.calibration import Thresholds
from trigraph.model.composition import CompositionTally, OutcomeLabel
from trigraph.model.frontier import OutcomeSignal
from trigraph.model.memory import Kind

L, S = OutcomeLabel, OutcomeSignal
THRESHOLDS = Thresholds()
ONE, OTHER = Profile("m_1", Kind.FACT), Profile("m_2", Kind.FACT)


def tally(events: int = 1, **labels: int) -> CompositionTally:
    return CompositionTally(events, {OutcomeLabel(name): times for name, times in labels.items()})


def test_every_label_has_a_worth() -> None:
    assert set(WORTH) == set(OutcomeLabel)


@pytest.mark.req("C5")
def test_ten_helpful_ones_say_more_than_one() -> None:
    once, often = adjustment([tally(1, helpful=1)]), adjustment([tally(10, helpful=10)])
    assert 0 < once < often <= WORTH[L.HELPFUL]


@pytest.mark.req("C5")
def test_one_dead_end_among_many_compositions_says_little() -> None:
    alone, among = adjustment([tally(1, dead_end=1)]), adjustment([tally(20, dead_end=1), tally(20)])
    assert alone < among < 0
    assert among > -0.02
    assert adjustment([tally(5), CompositionTally()]) == 0


@pytest.mark.req("C5")
def test_what_came_of_others_says_less_than_what_joins_two() -> None:
    shared = features(
        Joined(ONE, OTHER, {Bridge(Tie.COMPANION, "m1"): 2, Bridge(Tie.TERM, "heron"): 2}), (), THRESHOLDS
    )
    apart = features(Joined(ONE, OTHER, {}), (), THRESHOLDS)

    assert score(shared, adjustment([tally(100, dead_end=100)])) > score(apart, adjustment([tally(100, accepted=100)]))


def test_outcomes_of_both_members_are_counted_together() -> None:
    assert prior_outcomes([tally(2, helpful=1, dead_end=1), tally(3, helpful=2)]) == {L.HELPFUL: 3, L.DEAD_END: 1}


@pytest.mark.req("C5")
@pytest.mark.parametrize(
    ("labels", "told"),
    [
        ([], S.CLEAN),
        ([L.ACCEPTED], S.PRIOR_SUCCESS),
        ([L.HELPFUL, L.NEEDS_POC], S.PRIOR_SUCCESS),
        ([L.DUPLICATE_RISK], S.PRIOR_DUPLICATE_RISK),
        ([L.CLOSED_BY_DUPLICATE], S.PRIOR_DUPLICATE_RISK),
        ([L.DEAD_END], S.PRIOR_CLOSED_DOOR),
        ([L.EXPIRED_LANE, L.DUPLICATE_RISK], S.PRIOR_CLOSED_DOOR),
        ([L.NEEDS_POC], S.PRIOR_NEEDS_POC),
        ([L.REJECTED, L.HELPFUL], S.MIXED_PRIOR_OUTCOMES),
        ([L.DUPLICATE_RISK, L.SUBMITTED], S.MIXED_PRIOR_OUTCOMES),
        ([L.USER_DEMOTED], S.MIXED_PRIOR_OUTCOMES),
    ],
)
def test_outcomes_come_to_one_signal(labels: list[OutcomeLabel], told: OutcomeSignal) -> None:
    assert signal(dict.fromkeys(labels, 1)) is told
