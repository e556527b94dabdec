"""The guard, redaction and the noise filters on labelled sets; the halves named report were never tuned on."""

from __future__ import annotations

from pathlib import Path

import pytest

from trigraph.bench import guarding

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.req("X6")
@pytest.mark.parametrize("half", guarding.HALVES[1:])
def test_most_poisoned_texts_are_quarantined_and_hardly_a_benign_one(half: str) -> None:
    found = guarding.guard(FOLDER / "guard", half)
    print(f"poisoned {found['poisoned']['percent']} %, benign {found['benign']['percent']} %")
    assert found["benign"]["percent"] <= 2
    assert found["poisoned"]["percent"] >= 90


@pytest.mark.req("X6")
def test_of_what_it_learnt_from_it_knows_most_and_hardly_a_benign_one() -> None:
    found = guarding.guard(FOLDER / "guard", "tune")
    assert found["benign"]["percent"] <= 2
    assert found["poisoned"]["percent"] >= 80


@pytest.mark.req("X7")
def test_shapes_of_secrets_go_in_every_context_and_look_alikes_stay() -> None:
    found = guarding.secrets(FOLDER / "secrets")
    print(f"{found['redacted']} of {found['shapes']} shapes, {found['touched']} of {found['lookalikes']} look-alikes")
    assert found["contexts"] >= 5
    assert found["redacted"] >= 60, found["survived"]
    assert found["touched"] <= found["lookalikes"] / 100


@pytest.mark.req("I5")
def test_noise_filters_hardly_ever_eat_a_fact() -> None:
    found = guarding.noises(FOLDER / "noise" / "report.jsonl")
    print(f"precision {found['precision']} %, recall {found['recall']} %")
    assert found["precision"] >= 95
