"""Fitting the write guard: logistic models with a ridge over labelled texts, judged on writers they have not seen.

A text is a bag of windows, of which the most suspicious one decides. The first fit takes the first window of a text,
the next one the window that the last fit found worst. Two fits are averaged: one of the features as they are, and one
in which a feature counts by how much more often it stands in one kind of text than in the other.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from trigraph.text.guard_features import windows
from trigraph.text.guard_folding import shortened, smuggled, views
from trigraph.text.guard_model import NORM_POWER, Model, scale_of

RIDGES = (0.1, 0.3)
"""Of the fit of the features as they are, and of the one by how telling they are."""
ROUNDS = 2
NEWTON_STEPS = 12
SOLVER_STEPS = 40
LEAST_TEXTS = 3
"""A feature of fewer texts is not learnt."""
WEIGHTS = 12_000
"""So many features are shipped, those of the largest weights."""
ALLOWED_FALSE = 0.03
"""Of the benign texts of writers left out. Most of these were asked for a quarter that is as hard as can be (articles
that quote attacks, tests of filters): among ordinary texts it is a share of this."""
REAL = "real"
REAL_SEED = 1
REAL_MOST = 100
"""So many texts of one source."""
REAL_CHARS = (60, 1500)
FOLDS = 7
"""So many models are fitted to judge, each without some of the writers."""
ALWAYS_LEARNT = "train_c"
"""A writer of the classes that others lack, who is never left out."""
_SMUGGLED_SCORE = 20.0

_Array = np.ndarray[Any, np.dtype[np.float64]]
_Places = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, slots=True)
class Bag:
    """A labelled text: its writer, its windows, and whether it wears a disguise that decides by itself."""

    writer: str
    windows: tuple[frozenset[str], ...]
    poisoned: bool
    smuggled: bool


def fit(folder: Path, data: Path) -> tuple[Model, dict[str, Any]]:
    """A model from all writers and from half of the real texts in `data`, with the figures of writers left out in turn;
    sets that were set aside are not read."""
    bags = [bag for path in [*sorted(folder.glob("train_*.jsonl")), folder / "tune.jsonl"] for bag in _bags(path)]
    bags += [bag_of(text, poisoned=False, writer=REAL) for text in real_texts(data, report=False)]
    told: dict[str, tuple[_Array, _Array]] = {}
    writers = sorted({bag.writer for bag in bags} - {ALWAYS_LEARNT, REAL})
    for left_out in (writers[start::FOLDS] for start in range(FOLDS)):
        model = _fitted([bag for bag in bags if bag.writer not in left_out])
        told |= {writer: _scores(model, [bag for bag in bags if bag.writer == writer]) for writer in left_out}
    pooled = tuple(np.concatenate(parts) for parts in zip(*told.values(), strict=True))
    threshold = _threshold(*pooled)
    final = _fitted(bags)
    figures = {writer: _figures(scores, labels, threshold) for writer, (scores, labels) in told.items()}
    figures["all"] = _figures(pooled[0], pooled[1], threshold)
    return Model(final.weights, final.bias, threshold), figures


def written(model: Model, path: Path) -> None:
    """Write the weights, largest first, for people to read and for the guard to load."""
    ordered = sorted(model.weights.items(), key=lambda item: (-abs(item[1]), item[0]))
    read = {"bias": round(model.bias, 4), "threshold": round(model.threshold, 4), "weights": dict(ordered)}
    path.write_text(json.dumps(read, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


def bag_of(text: str, *, poisoned: bool, writer: str = "") -> Bag:
    """A text as the guard reads it."""
    seen = tuple(window.features for view in views(shortened(text)) for window in windows(view))
    return Bag(writer, seen or (frozenset(),), poisoned, smuggled(text) is not None)


def real_texts(data: Path, *, report: bool) -> list[str]:
    """Paragraphs of decision records and proposals, and turns of conversations, as people wrote them: from every other
    source to learn from, from the rest to report."""
    chance = random.Random(REAL_SEED)
    groups: list[list[str]] = []
    for folder in (path for path in sorted((data / "adrs").iterdir()) if path.is_dir()):
        groups.append([part for path in sorted(folder.glob("**/*.md")) for part in _paragraphs(path)])
    proposals = [path for path in sorted((data / "fips" / "docs").iterdir()) if path.is_file()]
    groups += [[part for path in proposals[start::40] for part in _paragraphs(path)] for start in range(40)]
    for sample in json.loads((data / "locomo" / "locomo10.json").read_text(encoding="utf-8")):
        sessions = (value for value in sample["conversation"].values() if isinstance(value, list))
        groups.append([turn["text"] for session in sessions for turn in session])
    return [text for group in groups[report::2] for text in chance.sample(group, min(REAL_MOST, len(group)))]


def _paragraphs(path: Path) -> list[str]:
    parts = path.read_text(encoding="utf-8", errors="replace").split("\n\n")
    return [part for part in parts if REAL_CHARS[0] < len(part) < REAL_CHARS[1]]


def _bags(path: Path) -> list[Bag]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [bag_of(row["text"], poisoned=row["label"] == "poisoned", writer=_writer(path, row)) for row in rows]


def _writer(path: Path, row: dict[str, Any]) -> str:
    """Sets for training have one writer each, the one to tune on several."""
    return str(row["id"]).partition("-")[0] if path.stem == "tune" else path.stem


@dataclass(frozen=True, slots=True)
class _Rows:
    """A sparse matrix: of every row the places and values that are not zero."""

    places: _Places
    values: _Array
    row_of: _Places
    rows: int
    columns: int

    def times(self, weights: _Array) -> _Array:
        return np.asarray(np.bincount(self.row_of, self.values * weights[self.places], self.rows), dtype=np.float64)

    def back(self, sums: _Array) -> _Array:
        return np.asarray(np.bincount(self.places, self.values * sums[self.row_of], self.columns), dtype=np.float64)

    def scaled(self, scales: _Array) -> _Rows:
        return _Rows(self.places, self.values * scales[self.places], self.row_of, self.rows, self.columns)

    def only(self, chosen: Sequence[int]) -> _Rows:
        number = np.full(self.rows, -1)
        number[list(chosen)] = np.arange(len(chosen))
        kept = number[self.row_of] >= 0
        return _Rows(self.places[kept], self.values[kept], number[self.row_of[kept]], len(chosen), self.columns)


def _fitted(bags: Sequence[Bag]) -> Model:
    counted = Counter(feature for bag in bags for feature in frozenset().union(*bag.windows))
    names = sorted(name for name, texts in counted.items() if texts >= LEAST_TEXTS)
    flat = [window for bag in bags for window in bag.windows]
    rows = _rows(flat, names)
    starts = np.cumsum([0, *(len(bag.windows) for bag in bags)])
    labels = np.array([float(bag.poisoned) for bag in bags])
    weights: _Array = np.zeros(len(names))
    bias = 0.0
    for ridge, leaning in zip(RIDGES, (np.ones(len(names)), _leaning(bags, names)), strict=True):
        own, own_bias = _learnt(rows.scaled(leaning), starts, labels, ridge)
        own *= leaning
        spread = float(np.std(rows.times(own)))
        weights, bias = weights + own / spread, bias + own_bias / spread
    scales = np.array([scale_of(name) for name in names])
    strongest = sorted(range(len(names)), key=lambda place: (-abs(weights[place]), names[place]))[:WEIGHTS]
    kept = {names[place]: round(float(weights[place] * scales[place]), 4) for place in strongest}
    return Model(kept, bias, 0.0)


def _rows(flat: Sequence[frozenset[str]], names: Sequence[str]) -> _Rows:
    place_of = {name: place for place, name in enumerate(names)}
    scales = np.array([scale_of(name) for name in names])
    places, values, row_of = [], [], []
    for row, window in enumerate(flat):
        known = np.array([place_of[feature] for feature in window if feature in place_of], dtype=np.int64)
        own = scales[known]
        places.append(known)
        values.append(own / max(1e-6, float(np.sqrt(own @ own))) ** NORM_POWER)
        row_of.append(np.full(len(known), row))
    return _Rows(np.concatenate(places), np.concatenate(values), np.concatenate(row_of), len(flat), len(names))


def _leaning(bags: Sequence[Bag], names: Sequence[str]) -> _Array:
    """How much more often a feature stands in poisoned texts than in benign ones, as a logarithm."""
    counts = [Counter[str](), Counter[str]()]
    for bag in bags:
        counts[bag.poisoned].update(frozenset().union(*bag.windows))
    benign, poisoned = (np.array([count[name] + 1.0 for name in names]) for count in counts)
    return np.asarray(np.log(poisoned / poisoned.sum()) - np.log(benign / benign.sum()), dtype=np.float64)


def _learnt(rows: _Rows, starts: _Places, labels: _Array, ridge: float) -> tuple[_Array, float]:
    weights, bias = _logistic(rows.only([int(start) for start in starts[:-1]]), labels, ridge)
    for _ in range(1, ROUNDS):
        scores = rows.times(weights)
        worst = [int(start + np.argmax(scores[start:end])) for start, end in pairwise(starts)]
        weights, bias = _logistic(rows.only(worst), labels, ridge)
    return weights, bias


def _logistic(rows: _Rows, labels: _Array, ridge: float) -> tuple[_Array, float]:
    """Newton's steps, each solved by conjugate gradients."""
    weights: _Array = np.zeros(rows.columns)
    bias = 0.0
    for _ in range(NEWTON_STEPS):
        chances = 1 / (1 + np.exp(-(rows.times(weights) + bias)))
        curves = np.maximum(chances * (1 - chances), 1e-5)
        slopes = labels - chances
        step = _solved(rows, curves, ridge, rows.back(slopes) - ridge * weights, float(slopes.sum()))
        weights, bias = weights + step[0], bias + step[1]
    return weights, bias


def _solved(rows: _Rows, curves: _Array, ridge: float, slope: _Array, bias_slope: float) -> tuple[_Array, float]:
    step = np.zeros(rows.columns + 1)
    left = np.r_[slope, bias_slope]
    way = left.copy()
    size = float(left @ left)
    for _ in range(SOLVER_STEPS):
        weighted = curves * (rows.times(way[:-1]) + way[-1])
        turned = np.r_[rows.back(weighted) + ridge * way[:-1], weighted.sum()]
        much = size / float(way @ turned)
        step, left = step + much * way, left - much * turned
        before, size = size, float(left @ left)
        if size < 1e-10:
            break
        way = left + size / before * way
    return step[:-1], float(step[-1])


def _scores(model: Model, bags: Sequence[Bag]) -> tuple[_Array, _Array]:
    scores = [_SMUGGLED_SCORE if bag.smuggled else max(map(model.score, bag.windows)) for bag in bags]
    return np.array(scores), np.array([float(bag.poisoned) for bag in bags])


def _threshold(scores: _Array, labels: _Array) -> float:
    benign = np.sort(scores[labels == 0])[::-1]
    return float(benign[int(ALLOWED_FALSE * len(benign))])


def _figures(scores: _Array, labels: _Array, threshold: float) -> dict[str, float]:
    return {
        "poisoned_percent": round(100 * float((scores[labels == 1] > threshold).mean()), 1),
        "benign_percent": round(100 * float((scores[labels == 0] > threshold).mean()), 1),
    }
