"""Learning the order of candidates from questions whose answers are known, and judging it on conversations left out.

A question is a list of candidates of which some answer it. The model is the chance that each is the one: a softmax over
the list of a weighted sum of features, with a ridge. Every conversation is asked with weights that were learnt from
the others; what ships is learnt from all.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trigraph.assembly import embedder_loader, open_engine, scope_of
from trigraph.bench import locomo
from trigraph.contracts import Embedder
from trigraph.faces.library import Trigraph
from trigraph.ranking.order import LIKENESS, Order
from trigraph.ranking.profiles import PROFILES
from trigraph.ranking.scoring import fit_lists
from trigraph.settings import Settings

RIDGE = 5.0
ALL_CANDIDATES = replace(PROFILES["default"], expand=False, diversity=0.0)
LEARNT_FROM = 1000
"""All candidates of a question: weights learnt among the best alone do not tell them from the rest."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: the features of its candidates, and which of them answer it."""

    features: Floats
    answers: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Kept:
    """Conversations in stores: what their questions found, and which memory is which turn."""

    asked: dict[str, list[Asked]]
    turns: dict[str, dict[str, str]]


def run(
    folder: Path,
    settings: Settings,
    *,
    conversations: int = 10,
    weights: Path | None = None,
    note: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """How the learnt order fares on conversations it has not seen, beside plain fusion; with `weights`, what was learnt
    from all is written there."""
    embedder = embedder_loader(settings.embedder)()
    chosen = locomo.read(folder)[:conversations]
    arms = {"plain": locomo.Arm(), "learned": locomo.Arm()}
    with tempfile.TemporaryDirectory() as home:
        kept = learn_from(chosen, Path(home), embedder, settings, plain=arms["plain"], note=note)
        for one in chosen:
            others = [question for name, some in kept.asked.items() if name != one.name for question in some]
            engine = open_engine(Settings(home=f"{home}/{one.name}"), embedder=embedder, order=Order(fit(others)))
            with Trigraph(engine, scope_of(settings)) as memory:
                _ask(memory, one, kept.turns[one.name], arms["learned"])
            note(f"{one.name}: asked with what the others taught")
    learnt = fit([question for some in kept.asked.values() for question in some])
    if weights is not None:
        weights.write_text(json.dumps({"weights": learnt}, indent=0) + "\n", encoding="utf-8")
    return {
        "benchmark": "locomo, order",
        "questions": len(arms["learned"].rows),
        "arms": {name: locomo.figures(arm) for name, arm in arms.items()},
        "gain": locomo.compared(arms["plain"].rows, arms["learned"].rows)["all"],
        "weights": learnt,
    }


def learn_from(
    conversations: Sequence[locomo.Conversation],
    home: Path,
    embedder: Embedder,
    settings: Settings,
    *,
    plain: locomo.Arm | None = None,
    note: Callable[[str], None] = lambda line: None,
) -> Kept:
    """Keep every conversation in a store of its own below `home`, and ask it its questions."""
    kept = Kept({}, {})
    for one in conversations:
        engine = open_engine(Settings(home=f"{home}/{one.name}"), embedder=embedder)
        with Trigraph(engine, scope_of(settings)) as memory:
            kept.turns[one.name] = locomo.remember(memory, one)
            kept.asked[one.name] = list(_lists(memory, one, kept.turns[one.name], plain))
        note(f"{one.name}: {len(kept.asked[one.name])} questions read")
    return kept


def fit(questions: Iterable[Asked]) -> dict[str, float]:
    """What each feature weighs."""
    return Lessons(questions).weights()


class Lessons:
    """Questions to learn from; those without an answer among their candidates teach nothing."""

    def __init__(self, questions: Iterable[Asked]) -> None:
        useful = [question for question in questions if question.answers.any()]
        rows = np.concatenate([question.features for question in useful])
        self._scale = rows.std(axis=0) + 1e-9
        rows -= rows.mean(axis=0)
        rows /= self._scale
        self._rows = rows
        self._heads = np.cumsum([0, *(len(question.features) for question in useful)])[:-1]
        self._target = np.concatenate([question.answers / question.answers.sum() for question in useful])

    def weights(self, without: Collection[str] = ()) -> dict[str, float]:
        """What each feature weighs; those `without` which it is to be learnt weigh nothing."""
        kept = [column for column, name in enumerate(LIKENESS) if name not in without]
        rows = self._rows[:, kept] if without else self._rows
        nothing = np.zeros(len(kept))
        learnt = fit_lists(rows, self._heads, self._target, np.zeros(len(rows)), nothing, RIDGE)
        weights = np.zeros(len(LIKENESS))
        weights[kept] = learnt / self._scale[kept]
        return {name: round(float(weight), 4) for name, weight in zip(LIKENESS, weights, strict=True)}


def _lists(
    memory: Trigraph, conversation: locomo.Conversation, turn_of: Mapping[str, str], plain: locomo.Arm | None
) -> Iterable[Asked]:
    for question in conversation.questions:
        if plain is not None:
            before = memory.recall(question.text, limit=locomo.LIMIT, threads=locomo.THREADS, profile="plain")
            locomo.score_answer(plain, conversation, question, before, turn_of)
        yield candidates_of(memory, question, turn_of)


def candidates_of(memory: Trigraph, question: locomo.Question, turn_of: Mapping[str, str]) -> Asked:
    """All candidates of a question."""
    answer = memory.recall(question.text, limit=LEARNT_FROM, profile=ALL_CANDIDATES, explain=True)
    hits = [hit for hit in answer.hits if hit.features]
    features = np.array([list(hit.features.values()) for hit in hits])
    return Asked(features, np.array([turn_of[hit.memory.id] in question.evidence for hit in hits]))


def _ask(memory: Trigraph, conversation: locomo.Conversation, turn_of: Mapping[str, str], learned: locomo.Arm) -> None:
    for question in conversation.questions:
        answer = memory.recall(question.text, limit=locomo.LIMIT, threads=locomo.THREADS)
        locomo.score_answer(learned, conversation, question, answer, turn_of)


def order_table(found: Mapping[str, Any]) -> str:
    """The figures for people."""
    from trigraph.bench.report import table

    rows: list[Sequence[object]] = []
    for name, arm in found["arms"].items():
        turn, session = arm["turn"], arm["session"]
        rows.append(
            [
                name,
                *(turn["all"][measure] for measure in ("R@5", "R@10", "R@50")),
                turn["1"]["R@10"],
                session["all"]["any@5"],
                session["all"]["all@10"],
            ]
        )
    heads = ("order", "R@5", "R@10", "R@50", "multi-hop R@10", "session any@5", "session all@10")
    gain = found["gain"]
    weights = sorted(found["weights"].items(), key=lambda item: -abs(item[1]))
    return "\n\n".join(
        (
            f"LoCoMo, {found['questions']} questions; learned: each conversation by weights from the others",
            table(heads, rows),
            f"R@10, learned against plain: {gain['gain']:+} (95 % {gain['low']:+} to {gain['high']:+})",
            table(("feature", "weight"), weights),
        )
    )
