"""What joins two memories, and how far that counts (C5)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trigraph.frontier.pairs import (
    HOLDERS_MOST,
    WEIGHTS,
    Bridge,
    Joined,
    Profile,
    Tie,
    admitted,
    band,
    boundaries,
    features,
    rarity,
    score,
)
from trigraph.model.calibration import Thresholds
from trigraph.model.composition import CompositionTally
from trigraph.model.frontier import BOUNDARY_TAGS
from trigraph.model.memory import Kind

ONE, OTHER = Profile("m_1", Kind.FACT), Profile("m_2", Kind.FACT)
WORD = Bridge(Tie.TERM, "viscos")
THRESHOLDS = Thresholds()


def scored(pair: Joined) -> float:
    return score(features(pair, BOUNDARY_TAGS, THRESHOLDS))


@pytest.mark.req("C5")
@pytest.mark.parametrize("tie", list(Tie))
def test_the_fewer_hold_what_two_share_the_more_it_counts(tie: Tie) -> None:
    worth = [scored(Joined(ONE, OTHER, {Bridge(tie, "x"): held})) for held in (2, 5, 20, HOLDERS_MOST)]
    assert worth == sorted(worth, reverse=True)
    assert worth[0] > worth[-1] > 0


def test_a_word_that_everybody_uses_joins_nobody() -> None:
    assert rarity(HOLDERS_MOST + 1) == 0
    assert not admitted(Joined(ONE, OTHER, {WORD: HOLDERS_MOST + 1}), THRESHOLDS)
    assert admitted(Joined(ONE, OTHER, {WORD: 2}), THRESHOLDS)


def test_what_says_the_same_is_no_combination() -> None:
    assert not admitted(Joined(ONE, OTHER, {WORD: 2}, surface=THRESHOLDS.duplicate), THRESHOLDS)


@pytest.mark.parametrize(("cosine", "within"), [(0.05, False), (0.3, True), (0.6, True), (0.85, True), (0.95, False)])
def test_meanings_count_that_are_near_and_not_the_same(cosine: float, within: bool) -> None:
    assert (band(cosine, THRESHOLDS) > 0) is within
    assert admitted(Joined(ONE, OTHER, {}, surface=cosine), THRESHOLDS) is within
    assert band(None, THRESHOLDS) == 0


@pytest.mark.req("C5")
@pytest.mark.parametrize(
    "better",
    [
        {"kind": Kind.DECISION},
        {"tags": frozenset({"boundary-bank"})},
        {"tags": frozenset({"oracle"})},
    ],
)
def test_different_kinds_and_boundary_tags_raise_a_score(better: dict[str, object]) -> None:
    plain = Joined(replace(ONE, tags=frozenset({"a"})), OTHER, {WORD: 3})
    assert scored(replace(plain, other=replace(OTHER, **better))) > scored(  # type: ignore[arg-type]
        replace(plain, other=replace(OTHER, tags=frozenset({"b"})) if "tags" in better else OTHER)
    )


@pytest.mark.req("C5")
def test_what_was_used_often_or_is_fading_counts_less() -> None:
    plain = Joined(ONE, OTHER, {WORD: 3})
    used = replace(plain, other=replace(OTHER, tally=CompositionTally(events=9)))
    fading = replace(plain, other=replace(OTHER, retention=0.2))
    assert scored(plain) > scored(used)
    assert scored(plain) > scored(fading)


@pytest.mark.req("C9")
def test_trust_is_that_of_the_weakest_member() -> None:
    weak = Joined(replace(ONE, trust=0.3), replace(OTHER, trust=1.0), {WORD: 3})
    assert features(weak, BOUNDARY_TAGS, THRESHOLDS).trust == 0.3
    assert scored(weak) < scored(Joined(ONE, OTHER, {WORD: 3}))


def test_boundary_tags_are_those_named_and_those_that_begin_so() -> None:
    tags = {"boundary-x", "boundary", "queue", "queues", "seam-1"}
    assert boundaries(tags, BOUNDARY_TAGS) == ("boundary-x", "queue")
    assert boundaries(tags, (*BOUNDARY_TAGS, "seam-*")) == ("boundary-x", "queue", "seam-1")


def test_the_weights_of_a_whole_add_up_to_one() -> None:
    whole = WEIGHTS.bridge + WEIGHTS.novelty + WEIGHTS.retention + WEIGHTS.trust
    parts = "allocation companions linking band structure tags boundary kinds distance".split()
    assert whole == pytest.approx(1)
    assert sum(getattr(WEIGHTS, name) for name in parts) == pytest.approx(1)
