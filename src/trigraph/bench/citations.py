"""What citations bring, by a model of users with position bias, on LoCoMo.

What is simulated. The conversations are cut in two halves. The prior (what would ship) is learnt from the first half,
or is plain fusion (words and meaning alike), which knows nothing of such talk. Users of the second half ask its
questions, each three times in a row, are shown the ten best by the prior, look at a hit with a chance of
1 / rank ** 0.6 and cite what they looked at: a turn that answers the question in 9 of 10 cases, any other in 1 of 20.
`position` are users who cite one in five of what they look at, whatever it says. The lessons are cut after so many
citations and go the way of `trigraph scorer train`: learnt from the earlier ones, judged on the later ones, used if
promoted.

What is measured: NDCG@10 over all candidates, on questions of conversations of the second half of which no citation was
used (with two conversations: on its last questions), against the gold turns; the gain over the prior with an interval
from questions drawn anew.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trigraph.assembly import embedder_loader, open_engine, scope_of
from trigraph.bench import locomo
from trigraph.bench.ordering import Asked, candidates_of, fit
from trigraph.bench.report import table
from trigraph.faces.library import Trigraph
from trigraph.ranking.order import Order
from trigraph.ranking.scoring import CUT, EXAMINED, Lesson, train
from trigraph.settings import Settings

PLAIN = {"words": 0.5, "meaning": 0.5}
CITED_IF_GOLD = 0.9
CITED_IF_NOT = 0.05
CITED_BY_POSITION = 0.2
ROUNDS = 3
STEPS = (0, 100, 500, None)
"""After so many citations; None is all of them."""
HELD_OUT = 0.4
DRAWS = 2000

Floats = NDArray[np.float64]
Weights = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Halves:
    """Questions by what they are for: to learn the prior from, to be cited, to measure on."""

    prior: list[Asked]
    cited: list[Asked]
    held_out: list[Asked]


def run(
    folder: Path,
    settings: Settings,
    *,
    conversations: int = 10,
    seed: int = 1,
    note: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Read the features of every question once, then simulate on them."""
    embedder = embedder_loader(settings.embedder)()
    asked: list[list[Asked]] = []
    for one in locomo.read(folder)[: max(conversations, 2)]:
        with tempfile.TemporaryDirectory() as home:
            engine = open_engine(Settings(home=home), embedder=embedder)
            with Trigraph(engine, scope_of(settings)) as memory:
                turn_of = locomo.remember(memory, one)
                asked.append([candidates_of(memory, question, turn_of) for question in one.questions])
        note(f"{one.name}: {len(asked[-1])} questions read")
    halves = divided(asked)
    priors = {"learnt elsewhere": fit(halves.prior), "plain": PLAIN}
    return {
        "benchmark": "locomo, citations",
        "conversations": len(asked),
        "cited": len(halves.cited),
        "held_out": len(halves.held_out),
        "seed": seed,
        "priors": {name: simulated(halves.cited, halves.held_out, prior, seed) for name, prior in priors.items()},
    }


def divided(asked: Sequence[list[Asked]]) -> Halves:
    """The first half for the prior; of the second the last conversations are held out, or the last questions of one."""
    middle = len(asked) // 2
    prior = [one for of in asked[:middle] for one in of]
    second = asked[middle:]
    if len(second) == 1:
        cut = len(second[0]) - round(HELD_OUT * len(second[0]))
        return Halves(prior, second[0][:cut], second[0][cut:])
    cut = len(second) - max(round(HELD_OUT * len(second)), 1)
    return Halves(prior, [one for of in second[:cut] for one in of], [one for of in second[cut:] for one in of])


def simulated(cited: Sequence[Asked], held_out: Sequence[Asked], prior: Weights, seed: int) -> dict[str, Any]:
    """What users who cite answers teach, step by step, and those who cite by position."""
    before = ndcgs(held_out, prior)
    found: dict[str, Any] = {"baseline": round(100 * float(before.mean()), 2)}
    for feedback, gold in (("answers", True), ("position", False)):
        lessons = taught(cited, prior, np.random.default_rng(seed), by_gold=gold)
        found[feedback] = [_step(lessons, most, held_out, prior, before) for most in STEPS]
    return found


def taught(cited: Sequence[Asked], prior: Weights, chance: np.random.Generator, *, by_gold: bool) -> list[Lesson]:
    """What the users did, recall by recall. The order of questions is drawn; the same ones stay together, so that few
    are both learnt from and judged on."""
    order = Order(prior)
    lessons = []
    for number in np.repeat(chance.permutation(len(cited)), ROUNDS).tolist():
        asked = cited[number]
        shown = np.argsort(-order.scores(asked.features), kind="stable")[:CUT]
        ranks = np.arange(1.0, len(shown) + 1)
        likely = np.where(asked.answers[shown], CITED_IF_GOLD, CITED_IF_NOT) if by_gold else CITED_BY_POSITION
        uses = chance.random(len(shown)) < likely / ranks**EXAMINED
        rewards = np.where(uses, 1.0, np.nan)
        lessons.append(Lesson(asked.features[shown], np.zeros(len(shown)), ranks, rewards))
    return lessons


def ndcgs(questions: Sequence[Asked], weights: Weights) -> Floats:
    """NDCG@10 of each question over all its candidates; 0 where none of them answers it."""
    order = Order(weights)
    discounts = 1 / np.log2(np.arange(CUT) + 2)
    found = []
    for one in questions:
        best = one.answers[np.argsort(-order.scores(one.features), kind="stable")[:CUT]]
        ideal = discounts[: int(one.answers.sum())].sum()
        found.append(float(best @ discounts[: len(best)]) / ideal if ideal else 0.0)
    return np.array(found)


def _step(
    lessons: Sequence[Lesson], most: int | None, held_out: Sequence[Asked], prior: Weights, before: Floats
) -> dict[str, Any]:
    """What the first so many citations came to."""
    counted = np.cumsum([np.nansum(one.rewards) for one in lessons])
    kept = lessons if most is None else lessons[: int(np.searchsorted(counted, most, side="right"))]
    trained = train(kept, prior)
    promoted = trained.judged is not None and trained.judged.low > 0
    learnt = ndcgs(held_out, trained.weights)
    return {
        "citations": int(sum(np.nansum(one.rewards) for one in kept)),
        "recalls": len(kept),
        "promoted": promoted,
        "used": _gain(before, learnt if promoted else before),
        "if_used": _gain(before, learnt),
    }


def _gain(before: Floats, after: Floats) -> dict[str, float]:
    gains = 100 * (after - before)
    drawn = np.random.default_rng(0).integers(len(gains), size=(DRAWS, len(gains)))
    low, high = np.quantile(gains[drawn].mean(axis=1), (0.025, 0.975))
    figures = {"NDCG@10": 100 * after.mean(), "gain": gains.mean(), "low": low, "high": high}
    return {name: round(float(value), 2) for name, value in figures.items()}


def citations_table(found: Mapping[str, Any]) -> str:
    """The figures for people."""
    rows: list[Sequence[object]] = []
    for name, of_prior in found["priors"].items():
        for feedback in ("answers", "position"):
            for step in of_prior[feedback]:
                used, would = step["used"], step["if_used"]
                rows.append(
                    [
                        name,
                        feedback,
                        step["citations"],
                        "yes" if step["promoted"] else "no",
                        used["NDCG@10"],
                        f"{used['gain']:+} ({used['low']:+} to {used['high']:+})",
                        f"{would['gain']:+} ({would['low']:+} to {would['high']:+})",
                    ]
                )
    heads = ("prior", "cited by", "citations", "promoted", "NDCG@10", "gain (95 %)", "gain if it were used")
    told = f"LoCoMo, {found['cited']} questions cited, each asked {ROUNDS} times, {found['held_out']} held out"
    return f"{told}\n\n{table(heads, rows)}"
