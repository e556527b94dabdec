"""What the features of a candidate weigh by what was done with hits: learnt from citations, around given weights.

A recall of which a hit was put to use is a lesson: a list of the hits that were shown, of which some were cited. The
model is that of `bench/ordering.py`, a softmax over the list of a weighted sum of features, with a Gaussian prior
around the weights that ship. A hit further down was looked at less often, so that a citation of it counts for more.
What was learnt from the earlier lessons is judged on the later ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trigraph.model.change import CitationKind
from trigraph.ranking.order import LIKENESS

REWARDS = {
    CitationKind.CITED: 1.0,
    CitationKind.SAVED_REWORK: 1.0,
    CitationKind.REWROTE: 0.3,
    CitationKind.DISMISSED: 0.0,
    CitationKind.FLAGGED_STALE: 0.0,
}
"""What a hit was worth; one that was rewritten had been found, but did not hold."""
EXAMINED = 0.6
"""A hit at a rank is looked at with a chance of 1 / rank ** this."""
PROPENSITY_MOST = 10.0
UNLABELLED = 0.2
"""How much it counts that a hit was cited and not another of which nothing was said, beside one that was dismissed."""
PRIOR_DEVIATION = 0.5
SPREAD_LEAST = 0.1
"""A feature that hardly differs between hits teaches little of what it would weigh if it did."""
HALF_TRUSTED_AT = 200
HELD_OUT = 0.3
HELD_OUT_LEAST = 30
CUT = 10
DRAWS = 2000
VALUE_MOST = 100.0
NEWTON_STEPS = 12
HALVINGS = 8
INTERVAL = (0.005, 0.995)
"""What a lift must be sure of before it is used: of forty stores that teach nothing, one would pass 95 %."""
CONVERGED = 1e-9
"""A step that betters the fit by a smaller share than this is the last."""

Floats = NDArray[np.float64]
Weights = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A recall: of each hit that was shown its features (a column for each of `LIKENESS`), what spoke for it beside
    them, its rank, and what it was worth, NaN where nothing was said."""

    features: Floats
    beyond: Floats
    ranks: Floats
    rewards: Floats

    @property
    def teaches(self) -> bool:
        """Whether some hit was of use."""
        return bool(np.nansum(self.rewards) > 0)


@dataclass(frozen=True, slots=True)
class Judged:
    """How weights fared on lessons that they were not learnt from, beside those that ship: NDCG@10 corrected for
    position, from 0 to 1, and the difference with a 99 % interval."""

    lessons: int
    shipped: float
    learnt: float
    lift: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Trained:
    """Weights, from how many lessons they were learnt, how far they are trusted, and how they fared, if there was
    enough to judge them by."""

    weights: Weights
    lessons: int
    trusted: float
    judged: Judged | None


def lesson(
    names: Sequence[str],
    rows: Sequence[Sequence[float]],
    beyond: Sequence[float],
    ranks: Sequence[int],
    rewards: Sequence[float | None],
) -> Lesson:
    """What was kept of a recall, with its features put where they belong today. One that was not known then is the
    same for all its hits, and so says nothing."""
    features = np.zeros((len(rows), len(LIKENESS)))
    kept = np.array(rows, dtype=np.float64).reshape(len(rows), len(names))
    for column, name in enumerate(names):
        if name in LIKENESS:
            features[:, LIKENESS.index(name)] = kept[:, column]
    return Lesson(
        _bounded(features),
        _bounded(np.array(beyond, dtype=np.float64)),
        np.maximum(np.array(ranks, dtype=np.float64), 1.0),
        np.array([np.nan if one is None else one for one in rewards], dtype=np.float64),
    )


def train(lessons: Sequence[Lesson], prior: Weights) -> Trained:
    """Learn from the earlier lessons (they come in the order of time) and judge what was learnt by the later ones.
    Without lessons the weights are the prior itself."""
    useful = [one for one in lessons if one.teaches]
    earlier = useful[: len(useful) - round(HELD_OUT * len(useful))]
    later = useful[len(earlier) :]
    weights = learn(earlier, prior)
    judged = judge(later, prior, weights) if len(later) >= HELD_OUT_LEAST else None
    return Trained(weights, len(earlier), trusted(len(earlier)), judged)


def learn(lessons: Sequence[Lesson], prior: Weights) -> Weights:
    """The prior, moved towards what the lessons say as far as so many are to be trusted."""
    useful = [one for one in lessons if one.teaches]
    if not useful:
        return prior
    most_likely = _most_likely(useful, prior)
    share = trusted(len(useful))
    return {name: prior.get(name, 0.0) + share * (most_likely[name] - prior.get(name, 0.0)) for name in LIKENESS}


def trusted(lessons: int) -> float:
    """How far what was learnt from so many lessons is trusted: from 0 to nearly 1."""
    return lessons / (lessons + HALF_TRUSTED_AT)


def propensities(ranks: Floats) -> Floats:
    """How much more a citation at a rank counts than one at the top."""
    return np.minimum(ranks**EXAMINED, PROPENSITY_MOST)


def judge(lessons: Sequence[Lesson], prior: Weights, weights: Weights) -> Judged:
    """Order the hits of each lesson by both, and draw lessons anew for the interval. A lesson counts by how seldom
    what was cited in it would have been looked at."""
    counts = np.array([_gains(one).sum() for one in lessons])
    before = np.array([ndcg(one, prior) for one in lessons])
    after = np.array([ndcg(one, weights) for one in lessons])
    drawn = np.random.default_rng(0).integers(len(lessons), size=(DRAWS, len(lessons)))
    lifts = (counts * (after - before))[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    shipped, learnt = (float(counts @ one / counts.sum()) for one in (before, after))
    low, high = (float(np.quantile(lifts, share)) for share in INTERVAL)
    return Judged(len(lessons), shipped, learnt, learnt - shipped, low, high)


def ndcg(shown: Lesson, weights: Weights) -> float:
    """NDCG@10 of the hits that were shown in the order of these weights, each cited one counting by its propensity."""
    gains = _gains(shown)
    scores = shown.features @ _vector(weights) + shown.beyond
    discounts = 1 / np.log2(np.arange(min(len(gains), CUT)) + 2)
    reached = gains[np.argsort(-scores, kind="stable")[:CUT]] @ discounts
    return float(reached / (np.sort(gains)[::-1][:CUT] @ discounts))


def fit_lists(
    rows: Floats, heads: NDArray[np.int64], target: Floats, offset: Floats, prior: Floats, ridge: float
) -> Floats:
    """The weights under which the target is most likely: a softmax over each list (they begin at `heads`) of the
    weighted rows and the offset, with a ridge around the prior."""
    list_of = np.repeat(np.arange(len(heads)), np.diff([*heads, len(rows)]))
    counts = np.add.reduceat(target, heads)[list_of]

    def chances_of(weights: Floats) -> tuple[Floats, float]:
        """The chance of each candidate, and how badly that fits the target."""
        scores = rows @ weights + offset
        logs = scores - np.maximum.reduceat(scores, heads)[list_of]
        logs -= np.log(np.add.reduceat(np.exp(logs), heads))[list_of]
        return np.exp(logs), float(-(target @ logs) + ridge * ((weights - prior) @ (weights - prior)) / 2)

    weights = prior
    chances, misfit = chances_of(weights)
    for _ in range(NEWTON_STEPS):
        expected = np.add.reduceat(rows * chances[:, None], heads)
        slope = rows.T @ (target - counts * chances) - ridge * (weights - prior)
        curve = (rows * (counts * chances)[:, None]).T @ rows + ridge * np.eye(len(weights))
        curve -= (expected * counts[heads][:, None]).T @ expected
        step = np.linalg.solve(curve, slope)
        tried = [weights + step / 2**halvings for halvings in range(HALVINGS)]
        better = next((one for one in tried if chances_of(one)[1] < misfit), None)
        if better is None:
            break
        before = misfit
        weights, (chances, misfit) = better, chances_of(better)
        if before - misfit < CONVERGED * abs(before):
            break
    return weights


def _most_likely(lessons: Sequence[Lesson], prior: Weights) -> dict[str, float]:
    """By lists whose features are compared within each: only differences between the hits of one recall count. What was
    cited is chosen among all that was shown, which counts a little, and among what else something was said of."""
    centred = [one.features - one.features.mean(axis=0) for one in lessons]
    spread = np.maximum(np.concatenate(centred).std(axis=0), SPREAD_LEAST)
    scale = len(lessons) / sum(float(_gains(one).sum()) for one in lessons)
    lists: list[tuple[Floats, Floats, Floats]] = []
    for one, rows in zip(lessons, centred, strict=True):
        gains, said = scale * _gains(one), ~np.isnan(one.rewards)
        lists.append((rows, UNLABELLED * gains, one.beyond))
        if (one.rewards[said] == 0).any():
            lists.append((rows[said], (1 - UNLABELLED) * gains[said], one.beyond[said]))
    rows, target, offset = (np.concatenate(columns) for columns in zip(*lists, strict=True))
    heads = np.cumsum([0, *(len(one[0]) for one in lists)])[:-1]
    start = _vector(prior) * spread
    found = fit_lists(rows / spread, heads, target, offset, start, 1 / PRIOR_DEVIATION**2)
    moved = (found - start) / spread
    return {name: prior.get(name, 0.0) + float(by) for name, by in zip(LIKENESS, moved, strict=True)}


def _gains(shown: Lesson) -> Floats:
    return np.nan_to_num(shown.rewards) * propensities(shown.ranks)


def _vector(weights: Weights) -> Floats:
    return np.array([weights.get(name, 0.0) for name in LIKENESS])


def _bounded(values: Floats) -> Floats:
    return np.clip(np.nan_to_num(values), -VALUE_MOST, VALUE_MOST)
