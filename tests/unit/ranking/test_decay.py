"""What a link still says after some days: e to the power of so much a day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from trigraph.model.link import LinkOrigin, LinkType
from trigraph.ranking.decay import decayed

DRAWN = datetime(2026, 1, 1, tzinfo=UTC)
LASTING = (LinkType.SUPERSEDES, LinkType.CORRECTS, LinkType.OUTCOME_OF)


def after(days: float, type_: LinkType, confidence: float = 1.0, by: LinkOrigin = LinkOrigin.SYSTEM) -> float:
    return decayed(type_, by, confidence, DRAWN, DRAWN + timedelta(days=days))


@pytest.mark.req("L6")
@pytest.mark.parametrize(
    ("type_", "after_1", "after_10", "after_30"),
    [
        (LinkType.TEMPORAL, 0.904837, 0.367879, 0.049787),
        (LinkType.RELATES_TO, 0.951229, 0.606531, 0.223130),
        (LinkType.IMPLEMENTS, 0.980199, 0.818731, 0.548812),
        (LinkType.CONTRADICTS, 0.951229, 0.606531, 0.223130),
        (LinkType.DUPLICATE_OF, 0.951229, 0.606531, 0.223130),
        (LinkType.DERIVED_FROM, 0.951229, 0.606531, 0.223130),
    ],
)
@pytest.mark.parametrize("by", LinkOrigin)
def test_a_link_fades_by_its_type(
    type_: LinkType, after_1: float, after_10: float, after_30: float, by: LinkOrigin
) -> None:
    assert [after(days, type_, by=by) for days in (1, 10, 30)] == pytest.approx([after_1, after_10, after_30], abs=1e-6)


@pytest.mark.req("L6")
@pytest.mark.parametrize("type_", LASTING)
@pytest.mark.parametrize("by", [LinkOrigin.USER, LinkOrigin.LLM])
def test_what_somebody_said_of_a_memorys_fate_does_not_fade(type_: LinkType, by: LinkOrigin) -> None:
    assert after(10_000, type_, 0.8, by) == 0.8


@pytest.mark.req("L6")
@pytest.mark.parametrize("type_", LASTING)
def test_what_the_system_guessed_of_it_does(type_: LinkType) -> None:
    assert after(10, type_) == pytest.approx(0.606531, abs=1e-6)


@pytest.mark.req("L6")
def test_it_fades_from_the_confidence_it_had_and_counts_parts_of_days() -> None:
    assert after(10, LinkType.RELATES_TO, 0.6) == pytest.approx(0.363918, abs=1e-6)
    assert after(0.5, LinkType.TEMPORAL, 0.5) == pytest.approx(0.475615, abs=1e-6)
    assert after(0, LinkType.TEMPORAL, 0.5) == 0.5


@pytest.mark.req("L6")
def test_a_link_drawn_in_the_future_has_not_begun_to_fade() -> None:
    assert after(-30, LinkType.TEMPORAL, 0.5) == 0.5
