"""Confidence fades while nobody refers to a memory, and rises when somebody does. The figures are made by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigraph.lifecycle.confidence import effective, effective_of, factor, risen
from trigraph.model.memory import Kind, Memory, Provenance, Source, Status, Visibility

START = datetime(2026, 3, 1, 12, tzinfo=UTC)

confidences = st.floats(0, 1)
days = st.floats(0, 20_000)
pytestmark = pytest.mark.req("I10")


def after(days: float) -> datetime:
    return START + timedelta(days=days)


def held(confidence: float, *, referenced_at: datetime | None = None) -> Memory:
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
        confidence=confidence,
        pinned=False,
        referenced_at=referenced_at,
    )


class TestFading:
    @pytest.mark.parametrize(
        ("base", "unreferenced_days", "left"),
        [
            (1.0, 0, 1.0),
            (1.0, 30, 0.95),
            (1.0, 15, 0.975),
            (1.0, 60, 0.9),
            (1.0, 365, 1.0 - 0.05 * 365 / 30),
            (0.8, 90, 0.65),
            (0.6, 30, 0.55),
            (1.0, 539, 1.0 - 0.05 * 539 / 30),
            (1.0, 540, 0.1),
            (1.0, 541, 0.1),
            (1.0, 36_500, 0.1),
            (0.1, 30, 0.1),
            (0.12, 30, 0.1),
        ],
    )
    def test_it_falls_by_five_hundredths_every_thirty_days_to_a_tenth(
        self, base: float, unreferenced_days: float, left: float
    ) -> None:
        assert effective(base, START, after(unreferenced_days)) == pytest.approx(left, abs=1e-12)

    @pytest.mark.parametrize("base", [0.0, 0.04, 0.1])
    def test_what_was_given_less_than_a_tenth_is_not_lifted_to_it(self, base: float) -> None:
        assert effective(base, START, after(0)) == base
        assert effective(base, START, after(3_000)) == base

    def test_a_clock_that_went_back_adds_nothing(self) -> None:
        assert effective(0.5, START, after(-300)) == 0.5

    def test_it_counts_from_when_the_memory_was_written_or_last_referred_to(self) -> None:
        assert effective_of(held(1.0), after(60)) == pytest.approx(0.9)
        assert effective_of(held(1.0, referenced_at=after(30)), after(60)) == pytest.approx(0.95)

    @given(confidences, days, days)
    def test_it_never_rises_by_itself(self, base: float, first: float, more: float) -> None:
        assert effective(base, START, after(first + more)) <= effective(base, START, after(first))

    @given(confidences, days)
    def test_it_stays_between_the_floor_and_what_it_was(self, base: float, unreferenced: float) -> None:
        left = effective(base, START, after(unreferenced))
        assert min(base, 0.1) <= left <= base

    @given(confidences, confidences, days)
    def test_the_more_believed_is_never_less_believed_later(self, one: float, other: float, later: float) -> None:
        low, high = sorted((one, other))
        assert effective(low, START, after(later)) <= effective(high, START, after(later))

    @given(st.floats(0.2, 1), st.integers(0, 30), st.integers(0, 30))
    def test_it_is_linear_above_the_floor(self, base: float, first: int, more: int) -> None:
        """Fading in two steps is fading in one: keeping what is left as the base changes nothing."""
        left = effective(base, START, after(first))
        assert effective(left, after(first), after(first + more)) == pytest.approx(
            effective(base, START, after(first + more)), abs=1e-9
        )


class TestRising:
    @pytest.mark.parametrize(
        ("base", "unreferenced_days", "then"),
        [
            (0.6, 0, 0.7),
            (0.8, 60, 0.8),
            (1.0, 0, 1.0),
            (0.95, 0, 1.0),
            (1.0, 60, 1.0),
            (1.0, 120, 0.9),
            (1.0, 3_000, 0.2),
            (0.0, 0, 0.1),
        ],
    )
    def test_a_reference_adds_a_tenth_to_what_is_left_and_no_more_than_to_one(
        self, base: float, unreferenced_days: float, then: float
    ) -> None:
        assert risen(held(base), after(unreferenced_days)) == pytest.approx(then, abs=1e-6)

    def test_what_it_rose_to_is_the_new_base(self) -> None:
        # 0.8 falls to 0.7 in sixty days, rises to 0.8, and thirty days later is 0.75.
        raised = held(risen(held(0.8), after(60)), referenced_at=after(60))
        assert effective_of(raised, after(90)) == pytest.approx(0.75, abs=1e-6)

    @given(confidences, days)
    def test_a_reference_never_takes_away_and_never_adds_more_than_a_tenth(self, base: float, later: float) -> None:
        before, raised = effective_of(held(base), after(later)), risen(held(base), after(later))
        assert before - 1e-6 <= raised <= min(before + 0.1, 1.0) + 1e-6


class TestFactor:
    @pytest.mark.parametrize(("confidence", "kept"), [(1.0, 1.0), (0.5, 0.9), (0.1, 0.82), (0.0, 0.8)])
    def test_a_score_keeps_four_fifths_whatever_the_confidence(self, confidence: float, kept: float) -> None:
        assert factor(confidence) == pytest.approx(kept)

    @pytest.mark.parametrize("confidence", [1.0, 0.5, 0.1])
    def test_without_a_floor_it_is_the_plain_product(self, confidence: float) -> None:
        assert factor(confidence, 0.0) == pytest.approx(confidence)

    @given(confidences, confidences, confidences)
    def test_more_confidence_never_keeps_less(self, one: float, other: float, floor: float) -> None:
        low, high = sorted((one, other))
        assert factor(low, floor) <= factor(high, floor) + 1e-12
        assert floor - 1e-12 <= factor(low, floor) <= 1 + 1e-12
