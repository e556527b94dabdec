"""Are two names one thing, and what does a sentence state? Against labelled pairs of records, names and relations.

Records are the public pairs Abt-Buy and Fodors-Zagats, beside a cosine threshold that was tuned on their train split.
Their column `class` is left out of both arms: in Fodors-Zagats it is the answer.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trigraph.assembly import embedder_loader
from trigraph.bench.report import table
from trigraph.contracts import Embedder
from trigraph.lifecycle.matching import Match, Named, match
from trigraph.lifecycle.records import RECORD_SAME, record_features, record_match_score
from trigraph.model.memory import EntityType
from trigraph.settings import Settings
from trigraph.text.statements import stated_relations

DATASETS = ("Abt-Buy", "Fodors-Zagats")
EMBEDDED_AT_ONCE = 64
RESAMPLED = 2000
SMALL_SET_WEIGHT = 3.0
"""How much a pair of the smaller data set counts in the fit."""
PENALTY = 0.3
"""Of large weights."""

_COLUMN = re.compile(r"COL (\S+) VAL (.*?)(?= COL |$)")
_QUOTING = re.compile(r"[`\\]|(?<!\w)'|'(?!\w)")
_ARTICLE = re.compile(r"^(?:the|a|an) ")

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Record:
    """Two records, and whether they are of one thing."""

    one: str
    other: str
    same: bool

    @property
    def names(self) -> tuple[str, str]:
        """Their first lines."""
        return self.one.partition("\n")[0], self.other.partition("\n")[0]


@dataclass(frozen=True, slots=True)
class Found:
    """Precision, recall and F1 in per cent."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, right: int, said: int, wanted: int) -> Found:
        """From counts."""
        precision, recall = right / max(said, 1), right / max(wanted, 1)
        f1 = 2 * right / max(said + wanted, 1)
        return cls(round(100 * precision, 1), round(100 * recall, 1), round(100 * f1, 1))


@dataclass(frozen=True, slots=True)
class RecordFigures:
    """One data set's test split: the score beside cosine alone; the interval is of the difference of F1."""

    pairs: int
    score: Found
    score_without_cosine: Found
    cosine: Found
    cosine_threshold: float
    difference: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class MatchingReport:
    """All figures; of names and relations by the file they come from."""

    model: str
    records: Mapping[str, RecordFigures]
    names: Mapping[str, Found]
    confusion: Mapping[str, Mapping[str, int]]
    relations: Mapping[str, Found]

    def as_dict(self) -> dict[str, Any]:
        """For a file of figures."""
        return {"benchmark": "matching", "unit": "percent", **asdict(self)}

    def table(self) -> str:
        """For people."""
        records = [
            [name, one.pairs, arm, found.precision, found.recall, found.f1]
            for name, one in self.records.items()
            for arm, found in (
                ("score", one.score),
                ("score, no embedding", one.score_without_cosine),
                (f"cosine ≥ {one.cosine_threshold}", one.cosine),
            )
        ]
        gains = [[name, f"{one.difference:+}", f"{one.low:+} to {one.high:+}"] for name, one in self.records.items()]
        labels = [str(label) for label in Match]
        confusion = [
            [name, label, *(counts.get(f"{label} {said}", 0) for said in labels)]
            for name, counts in self.confusion.items()
            for label in labels
        ]
        told = [
            [f"{what}, {name}", found.precision, found.recall, found.f1]
            for what, figures in (("names: same", self.names), ("relations", self.relations))
            for name, found in figures.items()
        ]
        return "\n\n".join(
            (
                f"Records, test split, model {self.model}, percent\n"
                + table(("data", "pairs", "arm", "precision", "recall", "F1"), records),
                "F1 of the score against cosine (95 % interval, bootstrap over pairs)\n"
                + table(("data", "difference", "interval"), gains),
                "Names and relations, percent\n" + table(("set", "precision", "recall", "F1"), told),
                "Names: label by judgement\n" + table(("set", "label", *labels), confusion),
            )
        )


def run(
    data: Path,
    labelled: Path,
    settings: Settings,
    *,
    sets: Sequence[str] = ("tune", "report"),
    cache: Path | None = None,
    note: Callable[[str], None] = lambda line: None,
) -> MatchingReport:
    """Measure on the test splits below `data` and the labelled sets below `labelled`; vectors are kept in `cache`."""
    embedder = embedder_loader(settings.embedder)()
    figures: dict[str, RecordFigures] = {}
    for name in DATASETS:
        folder = data / "entity_resolution" / name
        train, test = read_records(folder / "train.txt"), read_records(folder / "test.txt")
        figures[name] = _record_figures(train, test, embedder, cache)
        note(f"{name}: {len(test)} pairs")
    names: dict[str, Found] = {}
    confusion: dict[str, dict[str, int]] = {}
    relations: dict[str, Found] = {}
    for one in sets:
        names[one], confusion[one] = _name_figures(_rows(labelled / "names" / f"{one}.jsonl"), embedder, cache)
        relations[one] = _relation_figures(_rows(labelled / "relations" / f"{one}.jsonl"))
    return MatchingReport(embedder.model.model_id, figures, names, confusion, relations)


def fitted(data: Path, settings: Settings, *, cache: Path | None = None) -> dict[str, dict[str, float]]:
    """The weights of `trigraph.lifecycle.records`: a logistic fit on the train splits, moved so that the F1 of the
    valid splits is best from `RECORD_SAME` on."""
    embedder = embedder_loader(settings.embedder)()
    found: dict[str, dict[str, float]] = {}
    for arm, with_cosine in (("WEIGHTS", True), ("WEIGHTS_WITHOUT_COSINE", False)):
        features: dict[str, list[Floats]] = {"train": [], "valid": []}
        wanted: dict[str, list[Floats]] = {"train": [], "valid": []}
        counted: list[Floats] = []
        columns: list[str] = []
        for name, weight in zip(DATASETS, (1.0, SMALL_SET_WEIGHT), strict=True):
            for split in ("train", "valid"):
                rows = read_records(data / "entity_resolution" / name / f"{split}.txt")
                cosines = _cosines(rows, embedder, cache)
                told = [record_features(row.one, row.other) for row in rows]
                if with_cosine:
                    told = [{**one, "cosine": cosine} for one, cosine in zip(told, cosines, strict=True)]
                columns = [*told[0], "bias"]
                features[split].append(np.array([[*one.values(), 1.0] for one in told]))
                wanted[split].append(np.array([float(row.same) for row in rows]))
            counted.append(np.full(len(wanted["train"][-1]), weight))
        weights = _logistic_fit(np.vstack(features["train"]), np.hstack(wanted["train"]), np.hstack(counted))
        scores, truth = np.vstack(features["valid"]) @ weights, np.hstack(wanted["valid"]) > 0
        weights[-1] -= _best_threshold(scores, truth) - np.log(RECORD_SAME / (1 - RECORD_SAME))
        found[arm] = {name: round(float(weight), 2) for name, weight in zip(columns, weights, strict=True)}
    return found


def read_records(path: Path) -> list[Record]:
    """Pairs as Ditto writes them: two records of `COL … VAL …` and a label, tabs between."""
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return [Record(_record(one), _record(other), label == "1") for one, other, label in rows]


def _record(side: str) -> str:
    values = (_QUOTING.sub(" ", value) for name, value in _COLUMN.findall(side.strip()) if name != "class")
    lines = (" ".join(value.replace(" 's", "'s").split()) for value in values)
    return "\n".join(line for line in lines if line)


def _record_figures(
    train: Sequence[Record], test: Sequence[Record], embedder: Embedder, cache: Path | None
) -> RecordFigures:
    train_truth, truth = (np.array([row.same for row in rows]) for rows in (train, test))
    threshold = _best_threshold(np.array(_cosines(train, embedder, cache)), train_truth)
    cosines = _cosines(test, embedder, cache)
    by_cosine = np.array(cosines) >= threshold
    scores = (record_match_score(row.one, row.other, cosine) for row, cosine in zip(test, cosines, strict=True))
    by_score = np.array([score >= RECORD_SAME for score in scores])
    alone = np.array([record_match_score(row.one, row.other) >= RECORD_SAME for row in test])
    chance = np.random.default_rng(7)
    gains = []
    for _ in range(RESAMPLED):
        drawn = chance.integers(0, len(test), len(test))
        gains.append(_f1(by_score[drawn], truth[drawn]) - _f1(by_cosine[drawn], truth[drawn]))
    low, high = (round(100 * float(value), 1) for value in np.quantile(gains, (0.025, 0.975)))
    difference = round(100 * (_f1(by_score, truth) - _f1(by_cosine, truth)), 1)
    return RecordFigures(
        pairs=len(test),
        score=_found(by_score, truth),
        score_without_cosine=_found(alone, truth),
        cosine=_found(by_cosine, truth),
        cosine_threshold=round(threshold, 3),
        difference=difference,
        low=low,
        high=high,
    )


def _name_figures(
    rows: Sequence[dict[str, Any]], embedder: Embedder, cache: Path | None
) -> tuple[Found, dict[str, int]]:
    contexts = [context for row in rows for context in (row["context_a"], row["context_b"])]
    vectors = _vectors(contexts, embedder, cache)
    counts: Counter[str] = Counter()
    for row in rows:
        one = Named(row["a"], EntityType(row["type_a"]), context=row["context_a"])
        other = Named(row["b"], EntityType(row["type_b"]), context=row["context_b"])
        cosine = float(vectors[row["context_a"]] @ vectors[row["context_b"]])
        counts[f"{row['label']} {match(one, other, cosine).match}"] += 1
    same = str(Match.SAME)
    said = sum(count for pair, count in counts.items() if pair.endswith(f" {same}"))
    wanted = sum(count for pair, count in counts.items() if pair.startswith(f"{same} "))
    return Found.of(counts[f"{same} {same}"], said, wanted), dict(counts)


def _relation_figures(rows: Iterable[dict[str, Any]]) -> Found:
    right = said = wanted = 0
    for row in rows:
        labelled = {(_plain(source), type_, _plain(target)) for source, type_, target in row["relations"]}
        found = {(_plain(one.source), str(one.type), _plain(one.target)) for one in stated_relations(row["text"])}
        right, said, wanted = right + len(found & labelled), said + len(found), wanted + len(labelled)
    return Found.of(right, said, wanted)


def _plain(name: str) -> str:
    return _ARTICLE.sub("", name.strip().casefold())


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _cosines(rows: Sequence[Record], embedder: Embedder, cache: Path | None) -> list[float]:
    """Of the records' names."""
    vectors = _vectors([name for row in rows for name in row.names], embedder, cache)
    return [float(vectors[row.names[0]] @ vectors[row.names[1]]) for row in rows]


def _vectors(texts: Iterable[str], embedder: Embedder, cache: Path | None) -> dict[str, NDArray[np.float32]]:
    """A vector for each text, embedded once; with a cache, once for all runs with this model."""
    wanted = sorted(set(texts), key=len)
    file = cache / f"{_digest(embedder.model.model_id)}.npz" if cache is not None else None
    known: dict[str, NDArray[np.float32]] = {}
    if file is not None and file.is_file():
        with np.load(file) as kept:
            known = dict(zip(kept["keys"].tolist(), kept["vectors"], strict=True))
    fresh = [text for text in wanted if _digest(text) not in known]
    for place in range(0, len(fresh), EMBEDDED_AT_ONCE):
        batch = fresh[place : place + EMBEDDED_AT_ONCE]
        known.update(zip(map(_digest, batch), embedder.embed_documents(batch), strict=True))
    if file is not None and fresh:
        file.parent.mkdir(parents=True, exist_ok=True)
        np.savez(file, keys=np.array(list(known)), vectors=np.array(list(known.values())))
    return {text: known[_digest(text)] for text in wanted}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _logistic_fit(features: Floats, wanted: Floats, counted: Floats) -> Floats:
    """Newton's method; the last column is the bias, which is not penalised."""
    weights = np.zeros(features.shape[1])
    penalty = np.diag([PENALTY] * (len(weights) - 1) + [0.0])
    for _ in range(50):
        expected = 1 / (1 + np.exp(-features @ weights))
        slope = features.T @ (counted * (expected - wanted)) + penalty @ weights
        curve = (features * (counted * expected * (1 - expected))[:, None]).T @ features + penalty
        step = np.linalg.solve(curve, slope)
        weights = weights - step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def _best_threshold(scores: Floats, truth: NDArray[np.bool_]) -> float:
    candidates = np.unique(scores) if len(scores) < 3000 else np.quantile(scores, np.linspace(0, 1, 3000))
    return float(max(candidates, key=lambda one: _f1(scores >= one, truth)))


def _f1(said: NDArray[np.bool_], truth: NDArray[np.bool_]) -> float:
    return 2 * float((said & truth).sum()) / max(float(said.sum() + truth.sum()), 1.0)


def _found(said: NDArray[np.bool_], truth: NDArray[np.bool_]) -> Found:
    return Found.of(int((said & truth).sum()), int(said.sum()), int(truth.sum()))
