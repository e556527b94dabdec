"""Reasons and questions always name what links the members (C5)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trigraph.frontier.wording import Linking, question, reason
from trigraph.model.frontier import OutcomeSignal
from trigraph.model.memory import Kind

BARE = Linking(
    entities=(),
    terms=(),
    tags=(),
    boundary_tags=(),
    companions=(),
    ends=("fish oil", "Raynaud"),
    kinds=(Kind.FACT, Kind.INSIGHT),
    surface=0.5,
    structural_fit=0.0,
    signal=OutcomeSignal.CLEAN,
)
COMPANION = "m_01k0btx8fnacgxn06b73yb31fa"


@pytest.mark.req("C5")
@pytest.mark.parametrize(
    ("linking", "anchor"),
    [
        ({"entities": ("Postgres",)}, "Postgres"),
        ({"terms": ("viscosity",)}, "viscosity"),
        ({"tags": ("billing",)}, "billing"),
        ({"companions": (COMPANION,)}, "73yb31fa"),
        ({}, "fish oil"),
    ],
)
@pytest.mark.parametrize(
    "kinds",
    [(Kind.FACT, Kind.INSIGHT), (Kind.FACT, Kind.CONSTRAINT), (Kind.OUTCOME, Kind.FACT), (Kind.CONSTRAINT,) * 2],
)
def test_a_question_names_what_links_the_two_and_both_of_them(
    linking: dict[str, tuple[str, ...]], anchor: str, kinds: tuple[Kind, ...]
) -> None:
    asked = question(replace(BARE, **linking, kinds=kinds))  # type: ignore[arg-type]
    assert asked.endswith("?")
    for word in (anchor, "fish oil", "Raynaud"):
        assert word in asked
    assert "“”" not in asked
    assert anchor in reason(replace(BARE, **linking, kinds=kinds))  # type: ignore[arg-type]


def test_the_constraint_is_asked_about_whichever_comes_first() -> None:
    bound = replace(BARE, terms=("oil",), kinds=(Kind.FACT, Kind.CONSTRAINT))
    assert "the constraint “Raynaud” bear on “fish oil”" in question(bound)


def test_a_set_is_asked_about_as_a_whole() -> None:
    three = replace(BARE, terms=("viscosity",), ends=("a", "b", "c"), kinds=(Kind.FACT,) * 3)
    assert "“a”, “b” and “c” together" in question(three)


def test_a_duplicate_risk_says_what_to_check_first() -> None:
    assert reason(replace(BARE, signal=OutcomeSignal.PRIOR_DUPLICATE_RISK)).endswith(
        "Check the duplicate family first."
    )
