"""Pairs of texts that people judged: are corrections kept, contradictions flagged, restatements recognised?

Three sources: pairs made by hand for an agent's memory (`benchmarks/pairs`), contradictions in SICK, paraphrases in
MRPC. Each measure stands beside a plain cosine, whose threshold is tuned on other pairs; the difference of F1 has an
interval by bootstrap over pairs. Of the files made by hand, `tune.jsonl` was looked at while the rules were written;
`report.jsonl` and `final.jsonl` were not, and their figures are the ones to quote.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trigraph.assembly import embedder_loader
from trigraph.bench.report import table
from trigraph.contracts import Embedder
from trigraph.lifecycle.comparison import Relation, Thresholds, calibrate, compare
from trigraph.lifecycle.likeness import features, likeness
from trigraph.settings import Settings

DEVELOPMENT = "tune.jsonl"
HELD_OUT = ("report.jsonl", "final.jsonl")
BOOTSTRAPS = 2_000
UNRELATED_PAIRS = 2_000
RIDGE = 1.0
ROUNDS = 50
_FLAGS = frozenset({Relation.CONTRADICTS.value, Relation.CHANGES.value})
_RESTATES = frozenset({Relation.RESTATES.value})

Marks = NDArray[np.bool_]
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts, the older first, and what a person says of them."""

    older: str
    newer: str
    label: str


@dataclass(frozen=True, slots=True)
class Arm:
    """One way of deciding, in per cent. `low` and `high` bound its F1 minus that of the cosine, 95 of 100 times."""

    name: str
    precision: float
    recall: float
    f1: float
    gain: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Task:
    """One question put to one set of pairs."""

    name: str
    pairs: int
    wanted: int
    arms: tuple[Arm, ...]


@dataclass(frozen=True, slots=True)
class PairsReport:
    """All tasks. `kept` is the share of corrections that were not taken for restatements, by file and arm, in per
    cent."""

    model: str
    half: str
    seed: int
    duplicate: float
    alike: float
    kept: dict[str, dict[str, float]]
    tasks: tuple[Task, ...]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"benchmark": "pairs", "unit": "percent", **asdict(self)}


def run(
    data: Path,
    pairs: Path,
    settings: Settings,
    *,
    seed: int = 1,
    held_out: bool = True,
    note: Callable[[str], None] = lambda line: None,
) -> PairsReport:
    """Measure on what nothing was tuned on or, to tune, on the training halves.

    `data` holds `pairs/sick` and `pairs/mrpc`; `pairs` is the folder of the files made by hand.
    """
    embedder = embedder_loader(settings.embedder)()
    judge, train = _calibrated(data, pairs, embedder, seed)
    tasks: list[Task] = []
    kept: dict[str, dict[str, float]] = {}
    for name, known, measured in _by_hand(pairs, held_out):
        halves = _Halves.of(known, measured, embedder)
        tasks.append(judge.task(f"agent, {name}: contradicts or changes", halves, _FLAGS))
        tasks.append(judge.task(f"agent, {name}: restates", halves, _RESTATES))
        kept[name] = judge.kept(halves)
        note(f"{name}: {len(measured)} pairs")
    for name, labels in (("SICK: contradiction", _FLAGS), ("MRPC: paraphrase", _RESTATES)):
        other = _other_half(data, name) if held_out else train[name]
        tasks.append(judge.task(name, _Halves.of(train[name], other, embedder), labels, scored=labels == _RESTATES))
        note(f"{name}: {len(other)} pairs")
    return PairsReport(
        model=embedder.model.model_id,
        half="held out" if held_out else "training",
        seed=seed,
        duplicate=round(judge.thresholds.duplicate, 4),
        alike=round(judge.thresholds.alike, 4),
        kept=kept,
        tasks=tuple(tasks),
    )


def _by_hand(folder: Path, held_out: bool) -> Iterator[tuple[str, list[Pair], list[Pair]]]:
    """Name, pairs on which the cosine is tuned, and pairs to measure."""
    known = hand_made(folder / DEVELOPMENT)
    yield DEVELOPMENT, known, known
    if held_out:
        yield from ((name, known, hand_made(folder / name)) for name in HELD_OUT)


def _calibrated(data: Path, pairs: Path, embedder: Embedder, seed: int) -> tuple[_Judge, dict[str, list[Pair]]]:
    """A judge whose thresholds come from training pairs, and those of the public sets."""
    train = {
        "SICK: contradiction": sick(data / "pairs/sick/SICK_train.txt"),
        "MRPC: paraphrase": mrpc(data / "pairs/mrpc/msr-para-train.tsv"),
    }
    drawn = hand_made(pairs / DEVELOPMENT) + train["MRPC: paraphrase"]
    return _Judge(seed, calibrate(_unrelated(drawn, embedder, seed))), train


def _other_half(data: Path, name: str) -> list[Pair]:
    if name.startswith("SICK"):
        return sick(data / "pairs/sick/SICK_trial.txt")
    return mrpc(data / "pairs/mrpc/msr-para-val.tsv")


@dataclass(frozen=True, slots=True)
class _Halves:
    """Pairs to tune on and pairs to measure, with the cosine of each."""

    train: Sequence[Pair]
    near: Scores
    measured: Sequence[Pair]
    far: Scores

    @classmethod
    def of(cls, train: Sequence[Pair], measured: Sequence[Pair], embedder: Embedder) -> _Halves:
        near = cosines(train, embedder)
        return cls(train, near, measured, near if measured is train else cosines(measured, embedder))


@dataclass(frozen=True, slots=True)
class _Judge:
    seed: int
    thresholds: Thresholds

    def kept(self, halves: _Halves) -> dict[str, float]:
        """How many corrections survive: by the detectors, and by a cosine tuned to find restatements."""
        corrections = np.array([pair.label in _FLAGS for pair in halves.measured])
        same = self._verdicts(halves.measured, halves.far, _RESTATES)
        restated = np.array([pair.label == Relation.RESTATES.value for pair in halves.train])
        tuned = best_threshold(halves.near, restated)
        share = {"compare": same, "cosine, tuned": halves.far >= tuned, "cosine, 0.90": halves.far >= 0.90}
        return {name: round(100 * float(1 - lost[corrections].mean()), 2) for name, lost in share.items()}

    def task(self, name: str, halves: _Halves, labels: frozenset[str], *, scored: bool = False) -> Task:
        known = np.array([pair.label in labels for pair in halves.train])
        wanted = np.array([pair.label in labels for pair in halves.measured])
        plain = halves.far >= best_threshold(halves.near, known)
        decided = {"cosine, tuned": plain, "compare": self._verdicts(halves.measured, halves.far, labels)}
        if scored:
            least = best_threshold(_scores(halves.train, halves.near), known)
            decided["likeness, tuned"] = _scores(halves.measured, halves.far) >= least
        arms = tuple(self._arm(arm, found, plain, wanted) for arm, found in decided.items())
        return Task(name, len(halves.measured), int(wanted.sum()), arms)

    def _verdicts(self, of: Sequence[Pair], cosine: Scores, labels: frozenset[str]) -> Marks:
        return np.array(
            [
                compare(pair.older, pair.newer, float(one), self.thresholds).relation.value in labels
                for pair, one in zip(of, cosine, strict=True)
            ]
        )

    def _arm(self, name: str, found: Marks, plain: Marks, wanted: Marks) -> Arm:
        chance = np.random.default_rng(self.seed)
        gains = []
        for _ in range(BOOTSTRAPS):
            drawn = chance.integers(0, len(wanted), len(wanted))
            gains.append(_f1(found[drawn], wanted[drawn]) - _f1(plain[drawn], wanted[drawn]))
        low, high = np.quantile(gains, (0.025, 0.975))
        right = float((found & wanted).sum())
        figures = (
            right / max(float(found.sum()), 1.0),
            right / max(float(wanted.sum()), 1.0),
            _f1(found, wanted),
            _f1(found, wanted) - _f1(plain, wanted),
            float(low),
            float(high),
        )
        return Arm(name, *(round(100 * figure, 2) for figure in figures))


def pairs_table(found: PairsReport) -> str:
    """Every task and arm, then what became of corrections."""
    rows = [
        [
            task.name,
            f"{task.wanted} of {task.pairs}",
            arm.name,
            arm.precision,
            arm.recall,
            arm.f1,
            f"{arm.gain:+}",
            f"{arm.low:+} to {arm.high:+}",
        ]
        for task in found.tasks
        for arm in task.arms
    ]
    header = ("task", "n", "arm", "precision", "recall", "F1", "F1 gain", "interval")
    kept = [
        f"{name}: " + ", ".join(f"{arm} {share} %" for arm, share in shares.items())
        for name, shares in found.kept.items()
    ]
    return "\n\n".join(
        (
            f"Pairs, {found.half} halves, model {found.model},"
            f" duplicate from {found.duplicate}, alike from {found.alike}",
            table(header, rows),
            "\n".join(("Corrections not taken for restatements", *kept)),
        )
    )


def hand_made(path: Path) -> list[Pair]:
    """Pairs as an agent would write them."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [Pair(row["first"], row["second"], row["relation"]) for row in rows]


def sick(path: Path) -> list[Pair]:
    """Sentences about pictures and films; those that contradict."""
    labels = {"CONTRADICTION": Relation.CONTRADICTS.value, "ENTAILMENT": "entails", "NEUTRAL": Relation.DISTINCT.value}
    return [Pair(row[1], row[2], labels[row[4].strip()]) for row in _rows(path)]


def mrpc(path: Path) -> list[Pair]:
    """Sentences from the news; those that say the same."""
    labels = {"1": Relation.RESTATES.value, "0": Relation.DISTINCT.value}
    return [Pair(row[3], row[4], labels[row[0]]) for row in _rows(path)]


def _rows(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]


def cosines(pairs: Sequence[Pair], embedder: Embedder) -> Scores:
    """Of each pair, both sides embedded as documents."""
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.older, pair.newer)))
    vectors = dict(zip(texts, embedder.embed_documents(texts), strict=True))
    return np.array([float(vectors[pair.older] @ vectors[pair.newer]) for pair in pairs])


def _unrelated(pairs: Sequence[Pair], embedder: Embedder, seed: int) -> list[float]:
    """Cosines of texts drawn at random from different pairs."""
    chance = np.random.default_rng(seed)
    places = [int(place) for place in chance.permutation(len(pairs))[:UNRELATED_PAIRS]]
    shifted = [Pair(pairs[one].older, pairs[other].newer, "") for one, other in pairwise(places)]
    return [float(one) for one in cosines(shifted, embedder)]


def fit(data: Path, settings: Settings) -> dict[str, float]:
    """Weights of `trigraph.lifecycle.likeness`, from the training half of MRPC."""
    pairs = mrpc(data / "pairs/mrpc/msr-para-train.tsv")
    near = cosines(pairs, embedder_loader(settings.embedder)())
    rows = [features(pair.older, pair.newer, float(cosine)) for pair, cosine in zip(pairs, near, strict=True)]
    matrix = np.array([list(row.values()) for row in rows])
    weights = _logistic(matrix, np.array([float(pair.label == Relation.RESTATES.value) for pair in pairs]))
    return {name: round(float(weight), 3) for name, weight in zip(rows[0], weights, strict=True)}


def _logistic(matrix: Scores, wanted: Scores) -> Scores:
    """Ridge logistic regression by Newton's method; the first column is the bias and is not drawn to zero."""
    penalty = RIDGE * np.eye(matrix.shape[1])
    penalty[0, 0] = 1e-6
    weights = np.zeros(matrix.shape[1])
    for _ in range(ROUNDS):
        likely = 1 / (1 + np.exp(-matrix @ weights))
        slope = matrix.T @ (likely - wanted) + penalty @ weights
        curve = (matrix * (likely * (1 - likely))[:, None]).T @ matrix + penalty
        weights = weights - np.linalg.solve(curve, slope)
    return weights


def best_threshold(scores: Scores, wanted: Marks) -> float:
    """The threshold with the best F1."""
    tried = np.unique(np.quantile(scores, np.linspace(0, 1, 400)))
    return float(max(tried, key=lambda threshold: _f1(scores >= threshold, wanted)))


def _scores(pairs: Sequence[Pair], cosine: Scores) -> Scores:
    return np.array([likeness(pair.older, pair.newer, float(one)) for pair, one in zip(pairs, cosine, strict=True)])


def _f1(found: Marks, wanted: Marks) -> float:
    return float(2 * (found & wanted).sum() / max(found.sum() + wanted.sum(), 1))
