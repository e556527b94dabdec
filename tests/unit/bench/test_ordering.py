"""Learning an order: from lists drawn by known weights, nearly those weights come back."""

from __future__ import annotations

import numpy as np

from trigraph.bench.ordering import Asked, fit
from trigraph.ranking.order import LIKENESS


def _drawn(weights: np.ndarray, lists: int) -> list[Asked]:
    chance = np.random.default_rng(5)
    found = []
    for _ in range(lists):
        features = chance.normal(size=(40, len(LIKENESS)))
        scores = np.exp(features @ weights)
        answers = np.zeros(40, dtype=bool)
        answers[chance.choice(40, p=scores / scores.sum())] = True
        found.append(Asked(features, answers))
    return found


def test_the_weights_that_drew_the_answers_are_learnt() -> None:
    weights = np.zeros(len(LIKENESS))
    weights[LIKENESS.index("words")], weights[LIKENESS.index("meaning")] = 2.0, -1.0
    learnt = fit(_drawn(weights, 400))

    assert abs(learnt["words"] - 2) < 0.3
    assert abs(learnt["meaning"] + 1) < 0.3
    assert max(abs(weight) for name, weight in learnt.items() if name not in ("words", "meaning")) < 0.3


def test_questions_without_an_answer_among_their_candidates_teach_nothing() -> None:
    lists = _drawn(np.ones(len(LIKENESS)) / 4, 50)
    silent = Asked(np.full((3, len(LIKENESS)), 9.0), np.zeros(3, dtype=bool))

    assert fit([*lists, silent]) == fit(lists)
