"""What is switched in an ablation is what its name says, and every feature that is named exists."""

from __future__ import annotations

import numpy as np

from trigraph.bench.ablation import FEATURES, SWITCHED, ablation_table
from trigraph.bench.ordering import Asked, Lessons, fit
from trigraph.model.query import Leg
from trigraph.ranking.order import LIKENESS
from trigraph.ranking.profiles import PROFILES


def test_every_switch_changes_the_default_in_one_place() -> None:
    default = PROFILES["default"]

    assert all(profile != default for profile in SWITCHED.values())
    assert Leg.GRAPH not in SWITCHED["graph leg off"].weights
    assert SWITCHED["diversity off"].diversity == 0
    assert SWITCHED["dampening of hubs on (×0.7)"].dampening.hubs == 0.7


def test_groups_of_features_are_of_those_that_there_are() -> None:
    assert {name for group in FEATURES.values() for name in group} <= set(LIKENESS)


def test_features_that_are_left_out_weigh_nothing() -> None:
    chance = np.random.default_rng(5)
    lists = []
    for _ in range(60):
        features = chance.normal(size=(12, len(LIKENESS)))
        answers = np.zeros(12, dtype=bool)
        answers[int(np.argmax(features[:, LIKENESS.index("words")]))] = True
        lists.append(Asked(features, answers))

    assert fit(lists)["words"] > 1
    assert Lessons(lists).weights(without=("words",))["words"] == 0


def test_what_costs_most_stands_first() -> None:
    told = {"gain": -2.0, "low": -3.0, "high": -1.0}
    table = ablation_table({"questions": 3, "default": 80.0, "switched": {"a": {**told, "gain": 0.5}, "b": told}})

    assert table.index("| b ") < table.index("| a ")
    assert "78.0" in table
