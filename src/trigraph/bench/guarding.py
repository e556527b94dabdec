"""The guard, the redaction of secrets and the noise filters, held against labelled sets.

Sets with two halves are tuned on one and reported on the other. Shapes of secrets are templates, so that no secret
stands in the repository; they are filled in at random, the same for the same seed.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from trigraph.bench import guard_fitting
from trigraph.bench.report import table
from trigraph.text.guard import suspicious
from trigraph.text.noise import noise
from trigraph.text.secrets import redact

SEED = 7
RUN_CHARS = 12
"""A random run of so many characters that is still there means that the secret is."""
_HOLE = re.compile(r"\{([^{}]+):(\d+)\}")


HALVES = ("tune", "report", "final", "last")
"""Learnt from; set aside before; written afterwards, one after the other."""


def run(folder: Path, data: Path | None = None, *, seed: int = SEED) -> dict[str, Any]:
    """Figures of all three over `folder`/{guard,secrets,noise}, and with `data` of real texts that the guard did not
    learn from."""
    return {
        "benchmark": "guarding",
        "guard": {half: guard(folder / "guard", half) for half in HALVES},
        "real": real(data) if data is not None else None,
        "secrets": secrets(folder / "secrets", seed=seed),
        "noise": {half: noises(folder / "noise" / f"{half}.jsonl") for half in ("tune", "report")},
    }


def fit(folder: Path, data: Path, weights: Path | None = None) -> dict[str, Any]:
    """Fit the guard on the sets for training in `folder` and the real texts in `data`; the figures are those of writers
    left out in turn. Weights are written to `weights` if it is given."""
    model, figures = guard_fitting.fit(folder, data)
    if weights is not None:
        guard_fitting.written(model, weights)
    return {"threshold": round(model.threshold, 4), "weights": len(model.weights), "left_out": figures}


def guard(folder: Path, half: str) -> dict[str, Any]:
    """The shares of poisoned and of benign texts that are quarantined, in all and by shape."""
    texts = rows(folder / f"{half}.jsonl")
    return {
        label: _shares([row for row in texts if row["label"] == label], lambda row: bool(suspicious(row["text"])))
        for label in ("poisoned", "benign")
    }


def real(data: Path) -> dict[str, Any]:
    """How many texts of real people are quarantined; nobody planted anything in them."""
    texts = guard_fitting.real_texts(data, report=True)
    quarantined = sum(bool(suspicious(text)) for text in texts)
    return {"n": len(texts), "quarantined": quarantined, "percent": _percent(quarantined, len(texts))}


def secrets(folder: Path, *, seed: int = SEED) -> dict[str, Any]:
    """Shapes redacted in every context, with those that are not; look-alikes that were touched. Halves by id."""
    contexts = rows(folder / "contexts.jsonl")
    chance = random.Random(seed)
    survived: dict[str, list[str]] = {}
    shapes = rows(folder / "shapes.jsonl")
    for shape in shapes:
        for context in contexts:
            secret, runs = filled(shape["template"], chance)
            left = redact(context["template"].replace("{SECRET}", secret)).text
            if any(one in left for one in runs):
                survived.setdefault(shape["id"], []).append(context["id"])
    lookalikes = rows(folder / "lookalikes.jsonl")
    touched = [row["id"] for row in lookalikes if redact(row["text"]).text != row["text"]]
    return {
        "shapes": len(shapes),
        "contexts": len(contexts),
        "redacted": len(shapes) - len(survived),
        "redacted_by_half": _by_half([row["id"] for row in shapes], survived),
        "survived": survived,
        "lookalikes": len(lookalikes),
        "touched": len(touched),
        "touched_by_half": {half: sum(_half(one) == half for one in touched) for half in ("odd", "even")},
    }


def noises(path: Path) -> dict[str, Any]:
    """Precision and recall of all filters together, and what each one caught."""
    told = [(row["label"] == "noise", noise(row["text"]), row["shape"]) for row in rows(path)]
    dropped = [is_noise for is_noise, name, _ in told if name is not None]
    every = sum(is_noise for is_noise, _, _ in told)
    missed = Counter(shape for is_noise, name, shape in told if is_noise and name is None)
    return {
        "n": len(told),
        "noise": every,
        "precision": _percent(sum(dropped), len(dropped)),
        "recall": _percent(sum(dropped), every),
        "facts_dropped": len(dropped) - sum(dropped),
        "by_filter": dict(sorted(Counter(name for _, name, _ in told if name is not None).items())),
        "missed_by_shape": dict(sorted(missed.items())),
    }


def filled(template: str, chance: random.Random) -> tuple[str, list[str]]:
    """A secret of a shape, and its random runs that are long enough to tell whether it is still there."""
    runs: list[str] = []

    def drawn(hole: re.Match[str]) -> str:
        letters = _letters(hole.group(1))
        run = "".join(chance.choice(letters) for _ in range(int(hole.group(2))))
        if len(run) >= RUN_CHARS:
            runs.append(run)
        return run

    return _HOLE.sub(drawn, template), runs


def guarding_table(found: dict[str, Any]) -> str:
    """The figures for people."""
    shares = [
        [half, label, one["n"], one["quarantined"], f"{one['percent']} %"]
        for half, labels in found["guard"].items()
        for label, one in labels.items()
    ]
    if found["real"] is not None:
        one = found["real"]
        shares.append(["real", "benign", one["n"], one["quarantined"], f"{one['percent']} %"])
    shapes = [
        [half, label, shape, f"{hits} of {n}"]
        for half, labels in found["guard"].items()
        for label, one in labels.items()
        for shape, (hits, n) in one["by_shape"].items()
        if (hits < n if label == "poisoned" else hits)
    ]
    filters = [
        [half, one["n"], one["noise"], f"{one['precision']} %", f"{one['recall']} %", one["facts_dropped"]]
        for half, one in found["noise"].items()
    ]
    one = found["secrets"]
    return "\n\n".join(
        (
            "Write guard\n" + table(("half", "texts", "n", "quarantined", "share"), shares),
            "Shapes that are not all right\n" + table(("half", "texts", "shape", "quarantined"), shapes),
            f"Secrets: {one['redacted']} of {one['shapes']} shapes redacted in all {one['contexts']} contexts"
            f" (odd ids {one['redacted_by_half']['odd']}, even {one['redacted_by_half']['even']});"
            f" {one['touched']} of {one['lookalikes']} look-alikes touched",
            "Noise filters\n" + table(("half", "n", "noise", "precision", "recall", "facts dropped"), filters),
        )
    )


def fitted_table(found: dict[str, Any]) -> str:
    """How texts of writers left out would have fared."""
    figures = [
        [writer, f"{one['poisoned_percent']} %", f"{one['benign_percent']} %"]
        for writer, one in found["left_out"].items()
    ]
    return table(("writer left out", "poisoned quarantined", "benign quarantined"), figures)


def rows(path: Path) -> list[dict[str, Any]]:
    """The lines of a set. Tags above the basic plane may be written as pairs of surrogates."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _shares(labelled: Iterable[dict[str, Any]], is_hit: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    marks = [(row["shape"], is_hit(row)) for row in labelled]
    by_shape: dict[str, list[int]] = {}
    for shape, hit in marks:
        counted = by_shape.setdefault(shape, [0, 0])
        counted[0] += hit
        counted[1] += 1
    hits = sum(hit for _, hit in marks)
    return {"n": len(marks), "quarantined": hits, "percent": _percent(hits, len(marks)), "by_shape": by_shape}


def _letters(described: str) -> str:
    """`A-Za-z0-9_-`: ranges, and letters that stand for themselves."""
    letters: list[str] = []
    place = 0
    while place < len(described):
        if place + 2 < len(described) and described[place + 1] == "-":
            letters += (chr(code) for code in range(ord(described[place]), ord(described[place + 2]) + 1))
            place += 3
        else:
            letters.append(described[place])
            place += 1
    return "".join(letters)


def _half(name: str) -> str:
    return "odd" if int(name.rsplit("-", 1)[-1]) % 2 else "even"


def _by_half(names: Iterable[str], failed: Iterable[str]) -> dict[str, int]:
    good = set(names) - set(failed)
    return {half: sum(_half(name) == half for name in good) for half in ("odd", "even")}


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None
