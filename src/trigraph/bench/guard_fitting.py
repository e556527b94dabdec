"""Fitting the write guard: a logistic model with a ridge over labelled texts, judged on writers it has not seen.

A text is a bag of windows, of which the most suspicious one decides. The first fit takes all windows of a text
together, the following ones the window that the last fit found worst.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from trigraph.text.guard_features import MOVE, windows
from trigraph.text.guard_folding import shortened, smuggled, views
from trigraph.text.guard_model import NORM_POWER, Model, scale_of

RIDGE = 3e-4
ROUNDS = 2
NEWTON_STEPS = 6
LEAST_TEXTS = 3
"""A feature of fewer texts is not learnt."""
WEIGHTS = 4000
"""So many features are shipped, those of the largest weights."""
ALLOWED_FALSE = 0.02
_SMUGGLED_SCORE = 20.0
_SETS: Mapping[str, tuple[tuple[str, str | None], ...]] = {
    "tune": (("poisoned_tune.jsonl", "poisoned"), ("benign_tune.jsonl", "benign")),
    "a": (("train_a.jsonl", None),),
    "b": (("train_b.jsonl", None),),
    "c": (("train_c.jsonl", None),),
    "d": (("train_d.jsonl", None),),
    "e": (("train_e.jsonl", None),),
    "f": (("train_f.jsonl", None),),
}
HELD_OUT = ("tune", "a", "b", "d", "e", "f")
"""Writers that are left out in turn; `c` was written for the classes that the others lack and is always learnt from."""

_Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, slots=True)
class Bag:
    """A labelled text: its windows, and whether it wears a disguise that decides by itself."""

    windows: tuple[frozenset[str], ...]
    poisoned: bool
    smuggled: bool


def fit(folder: Path) -> tuple[Model, dict[str, Any]]:
    """A model from all writers, with the figures of those left out in turn. The threshold is the one at which 2 % of
    the benign texts of writers left out would be quarantined."""
    bags = {writer: list(_bags(folder, writer)) for writer in _SETS}
    told: dict[str, tuple[_Array, _Array]] = {}
    for writer in HELD_OUT:
        model = _fitted([bag for other, some in bags.items() if other != writer for bag in some], WEIGHTS)
        told[writer] = _scores(model, bags[writer])
    pooled = tuple(np.concatenate(parts) for parts in zip(*told.values(), strict=True))
    threshold = _threshold(*pooled)
    final = _fitted([bag for some in bags.values() for bag in some], WEIGHTS)
    figures = {writer: _figures(scores, labels, threshold) for writer, (scores, labels) in told.items()}
    figures["all"] = _figures(pooled[0], pooled[1], threshold)
    return Model(final.weights, final.bias, threshold), figures


def written(model: Model, path: Path) -> None:
    """Write the weights, largest first, for people to read and for the guard to load."""
    ordered = sorted(model.weights.items(), key=lambda item: (-abs(item[1]), item[0]))
    read = {"bias": round(model.bias, 4), "threshold": round(model.threshold, 4), "weights": dict(ordered)}
    path.write_text(json.dumps(read, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


def bag_of(text: str, poisoned: bool) -> Bag:
    """A text as the guard reads it."""
    seen = tuple(window.features for view in views(shortened(text)) for window in windows(view))
    return Bag(seen or (frozenset(),), poisoned, smuggled(text) is not None)


def _bags(folder: Path, writer: str) -> list[Bag]:
    found = []
    for name, label in _SETS[writer]:
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            found.append(bag_of(row["text"], (label or row["label"]) == "poisoned"))
    return found


def _fitted(bags: Sequence[Bag], most: int) -> Model:
    counted = Counter(feature for bag in bags for feature in frozenset().union(*bag.windows))
    names = sorted(
        feature for feature, texts in counted.items() if texts >= LEAST_TEXTS and not feature.startswith(MOVE)
    )
    weights, _ = _learnt(bags, names)
    strongest = sorted(names, key=lambda name: (-abs(weights[name]), name))[:most]
    weights, bias = _learnt(bags, sorted(strongest))
    return Model({name: round(weight, 4) for name, weight in weights.items()}, bias, 0.0)


def _learnt(bags: Sequence[Bag], names: Sequence[str]) -> tuple[dict[str, float], float]:
    place = {name: index for index, name in enumerate(names)}
    scales = np.array([scale_of(name) for name in names], dtype=np.float32)
    flat = [window for bag in bags for window in bag.windows]
    matrix = np.zeros((len(flat), len(names)), dtype=np.float32)
    for row, window in enumerate(flat):
        known = [place[feature] for feature in window if feature in place]
        matrix[row, known] = scales[known]
    ends = np.cumsum([len(bag.windows) for bag in bags])
    starts = np.r_[0, ends[:-1]]
    labels = np.array([float(bag.poisoned) for bag in bags])
    chosen = _normed(np.maximum.reduceat(matrix, starts, axis=0))
    matrix = _normed(matrix)
    weights: _Array = np.zeros(len(names))
    bias = 0.0
    for turn in range(ROUNDS):
        if turn:
            scores = matrix @ weights
            chosen = matrix[
                [start + int(np.argmax(scores[start:end])) for start, end in zip(starts, ends, strict=True)]
            ]
        duals, bias = _logistic((chosen @ chosen.T).astype(np.float64), labels)
        weights = np.asarray(chosen.T @ duals, dtype=np.float64)
    return dict(zip(names, (weights * scales).tolist(), strict=True)), bias


def _normed(matrix: Any) -> Any:
    return matrix / np.maximum(1e-6, np.sqrt((matrix * matrix).sum(axis=1, keepdims=True))) ** NORM_POWER


def _logistic(kernel: _Array, labels: _Array) -> tuple[_Array, float]:
    """Newton's steps in the dual, where a problem of thousands of features has the size of the number of texts."""
    size = len(labels)
    duals: _Array = np.zeros(size)
    bias = 0.0
    for _ in range(NEWTON_STEPS):
        scores = kernel @ duals + bias
        chances = 1 / (1 + np.exp(-scores))
        curves = np.maximum(chances * (1 - chances), 1e-4)
        system = np.zeros((size + 1, size + 1))
        system[:size, :size] = kernel + np.diag(RIDGE * size / curves)
        system[:size, size] = system[size, :size] = 1
        solved = np.linalg.solve(system, np.r_[scores + (labels - chances) / curves, 0])
        duals, bias = np.asarray(solved[:size], dtype=np.float64), float(solved[size])
    return duals, bias


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
        "poisoned_percent_at_2": round(100 * float((scores[labels == 1] > _threshold(scores, labels)).mean()), 1),
    }
