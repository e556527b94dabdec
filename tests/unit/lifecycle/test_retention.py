"""How likely a memory still is to be of use: FSRS over citations, with the time passed in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from fsrs import Rating
from hypothesis import given, settings
from hypothesis import strategies as st

from trigraph.lifecycle.retention import CONFIRMED, RATINGS, retention, reviewed
from trigraph.model.change import CitationKind
from trigraph.model.memory import Kind, Memory, Provenance, Source, Status, Strength, Visibility

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
MONTH = 30

strengths = st.builds(Strength, st.floats(0.5, 5_000), st.floats(1, 10))
days = st.integers(0, 10_000)
ratings = st.sampled_from(list(Rating))
pytestmark = pytest.mark.req("I10")


def after(days: float) -> datetime:
    return START + timedelta(days=days)


def held(strength: Strength | None = None, referenced_at: datetime | None = None) -> Memory:
    """A memory that was written at the start."""
    return Memory(
        id="m_" + "1" * 26,
        project="default",
        kind=Kind.FACT,
        text="Tea is served at four",
        topic=None,
        content_hash="0",
        provenance=Provenance(Source.USER, "default"),
        trust=1.0,
        details=None,
        place=None,
        occurred_at=None,
        created_at=START,
        retracted_at=None,
        valid_from=START,
        valid_until=None,
        last_verified_at=None,
        status=Status.ACTIVE,
        visibility=Visibility.SHARED,
        tags=(),
        domains=(),
        confidence=1.0,
        pinned=False,
        referenced_at=referenced_at,
        strength=strength,
    )


def stability_after(rating: Rating, *, of: Strength | None = None, at: datetime = START) -> float:
    return reviewed(held(of), rating, at).stability_days


class TestFalling:
    @pytest.mark.parametrize("stability", [1, 10, 69, 400])
    def test_after_as_many_days_as_it_is_stable_nine_chances_in_ten_are_left(self, stability: int) -> None:
        assert retention(held(Strength(stability, 5.0)), after(stability)) == pytest.approx(0.9)

    @pytest.mark.parametrize(
        ("elapsed", "left"),
        [(0, 1.0), (69, 0.9), (138, 0.845885), (690, 0.692827)],
    )
    def test_what_was_just_written_falls_along_the_curve_of_fsrs_from_sixty_nine_days(
        self, elapsed: int, left: float
    ) -> None:
        """By hand: (1 + (0.9 ** (-1 / 0.1542) - 1) · days / 69) ** -0.1542."""
        assert retention(held(), after(elapsed)) == pytest.approx(left, abs=1e-6)

    def test_it_counts_from_the_last_reference(self) -> None:
        assert retention(held(Strength(69, 5.0), referenced_at=after(100)), after(169)) == pytest.approx(0.9)

    def test_a_clock_that_went_back_leaves_it_whole(self) -> None:
        assert retention(held(), after(-100)) == 1.0

    @given(strengths, days, days)
    def test_it_falls_with_time_and_stays_a_chance(self, strength: Strength, first: int, more: int) -> None:
        one, other = held(strength), held(strength)
        assert 0 < retention(other, after(first + more)) <= retention(one, after(first)) <= 1

    @given(st.floats(1, 5_000), st.floats(1.01, 10), st.integers(1, 10_000))
    def test_what_is_held_more_firmly_falls_more_slowly(self, stability: float, times: float, elapsed: int) -> None:
        weak, firm = held(Strength(stability, 5.0)), held(Strength(stability * times, 5.0))
        assert retention(weak, after(elapsed)) < retention(firm, after(elapsed))


class TestUses:
    def test_every_kind_of_citation_counts_as_something(self) -> None:
        assert set(RATINGS) == set(CitationKind)
        assert {kind for kind in CitationKind if RATINGS[kind] is Rating.Again} == {
            CitationKind.FLAGGED_STALE,
            CitationKind.REWROTE,
        }

    @pytest.mark.parametrize("kind", [CitationKind.CITED, CitationKind.SAVED_REWORK])
    def test_a_use_makes_it_firmer(self, kind: CitationKind) -> None:
        assert stability_after(RATINGS[kind], at=after(MONTH)) > 69

    def test_so_does_hearing_it_again(self) -> None:
        assert stability_after(CONFIRMED, at=after(MONTH)) > 69

    @pytest.mark.parametrize("kind", [CitationKind.FLAGGED_STALE, CitationKind.REWROTE])
    def test_being_called_stale_loosens_it(self, kind: CitationKind) -> None:
        assert stability_after(RATINGS[kind], at=after(MONTH)) < 69

    def test_saving_work_counts_for_more_than_a_citation_and_that_for_more_than_a_dismissal(self) -> None:
        kinds = (CitationKind.SAVED_REWORK, CitationKind.CITED, CitationKind.DISMISSED, CitationKind.FLAGGED_STALE)
        firm = [stability_after(RATINGS[kind], at=after(MONTH)) for kind in kinds]
        assert firm == sorted(firm, reverse=True)
        assert len(set(firm)) == 4

    def test_a_use_raises_the_chance_at_every_later_time(self) -> None:
        strength = reviewed(held(), RATINGS[CitationKind.CITED], after(MONTH))
        used = held(strength, referenced_at=after(MONTH))
        for later in (MONTH + 1, MONTH + 69, MONTH + 700):
            assert retention(used, after(later)) > retention(held(), after(later))

    def test_the_memory_itself_is_left_as_it_was(self) -> None:
        memory = held(Strength(69, 5.0))
        reviewed(memory, Rating.Good, after(MONTH))
        assert memory.strength == Strength(69, 5.0)

    @settings(deadline=None)
    @given(strengths, ratings, days)
    def test_it_is_always_held_for_some_time_and_of_some_difficulty(
        self, strength: Strength, rating: Rating, elapsed: int
    ) -> None:
        now = reviewed(held(strength), rating, after(elapsed))
        assert now.stability_days > 0
        assert 1 <= now.difficulty <= 10

    @settings(deadline=None)
    @given(strengths, st.integers(1, 10_000))
    def test_a_citation_never_loosens_and_a_stale_flag_never_makes_firmer(
        self, strength: Strength, elapsed: int
    ) -> None:
        cited = reviewed(held(strength), Rating.Good, after(elapsed))
        stale = reviewed(held(strength), Rating.Again, after(elapsed))
        assert stale.stability_days <= strength.stability_days + 1e-6
        assert cited.stability_days >= strength.stability_days - 1e-6

    @settings(deadline=None)
    @given(strengths, ratings, days)
    def test_the_same_use_at_the_same_time_is_the_same(self, strength: Strength, rating: Rating, elapsed: int) -> None:
        """Nothing looks at a clock of its own, and nothing is drawn by lot."""
        first = reviewed(held(strength), rating, after(elapsed))
        assert first == reviewed(held(strength), rating, after(elapsed))
