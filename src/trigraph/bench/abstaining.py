"""Does recall know when memory has nothing? Questions of one conversation asked of another, where nothing answers them,
against its own.

Asked as they are (they name people whom nobody here knows) and with the speakers' names replaced by those of the
conversation that is asked. The model is fitted on conversations that have no part in what it is judged on.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trigraph.assembly import embedder_loader, open_engine, scope_of
from trigraph.bench import locomo
from trigraph.bench.report import table
from trigraph.faces.library import Trigraph
from trigraph.ranking.certainty import SIGNALS
from trigraph.settings import Settings

ADVERSARIAL = "5"
"""Questions whose answer is about somebody else: something there resembles them, nothing answers them."""
RIDGE = 3.0
NEWTON_STEPS = 30
FLAGGED_WRONGLY = 0.01
"""So many of the questions that memory can answer may be flagged: few, for other collections are less sure."""
DRAWS = 1000

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question asked of a conversation: its signals, the top score, and where question and store come from."""

    signals: Floats
    score: float
    store: str
    origin: str
    form: str
    category: str


def run(
    folder: Path,
    settings: Settings,
    *,
    conversations: int = 10,
    weights: Path | None = None,
    note: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Ask every conversation its own questions and those of the next; with `weights`, what was learnt from all is
    written there."""
    embedder = embedder_loader(settings.embedder)()
    chosen = locomo.read(folder)[:conversations]
    asked: list[Asked] = []
    for number, one in enumerate(chosen):
        other = chosen[(number + 1) % len(chosen)]
        swapped = dict(zip(_speakers(other), _speakers(one), strict=True))
        with (
            tempfile.TemporaryDirectory() as home,
            Trigraph(open_engine(Settings(home=home), embedder=embedder), scope_of(settings)) as memory,
        ):
            locomo.remember(memory, one)
            for question in one.questions:
                asked.append(_ask(memory, question.text, one.name, one.name, "own", question.category))
            for question in other.questions:
                renamed = _renamed(question.text, swapped)
                asked.append(_ask(memory, question.text, one.name, other.name, "foreign", question.category))
                asked.append(_ask(memory, renamed, one.name, other.name, "renamed", question.category))
        note(f"{one.name}: asked {len(asked)} questions so far")
    logits = np.zeros(len(asked))
    for one in chosen:
        apart = [each for each in asked if one.name not in (each.store, each.origin)]
        model = fit(apart)
        for place, each in enumerate(asked):
            if each.store == one.name:
                logits[place] = model["intercept"] + each.signals @ _column(model)
    learnt = fit(asked)
    own = [logits[place] for place, each in enumerate(asked) if each.form == "own" and each.category != ADVERSARIAL]
    learnt["abstains_below"] = round(float(_chance(np.quantile(own, FLAGGED_WRONGLY))), 4)
    if weights is not None:
        weights.write_text(json.dumps(learnt, indent=1) + "\n", encoding="utf-8")
    return {"benchmark": "locomo, abstention", "questions": len(asked), **judged(asked, logits), "model": learnt}


def _ask(memory: Trigraph, text: str, store: str, origin: str, form: str, category: str) -> Asked:
    answer = memory.recall(text, limit=1, expand=False, explain=True)
    told = np.array([answer.signals[name] for name in SIGNALS])
    return Asked(told, answer.hits[0].score, store, origin, form, category)


def _speakers(conversation: locomo.Conversation) -> list[str]:
    counted = Counter(message["speaker"] for messages in conversation.sessions.values() for message in messages)
    return [name for name, _ in counted.most_common(2)]


def _renamed(text: str, names: Mapping[str, str]) -> str:
    if not names:
        return text
    pattern = re.compile(r"\b(" + "|".join(map(re.escape, names)) + r")\b")
    return pattern.sub(lambda found: names[found.group(1)], text)


def fit(asked: Sequence[Asked]) -> dict[str, Any]:
    """A logistic model with a ridge: own questions against the others, each side weighing the same. Adversarial ones
    teach nothing: whether they have an answer is a matter of taste."""
    useful = [one for one in asked if one.category != ADVERSARIAL]
    rows = np.stack([one.signals for one in useful])
    target = np.array([one.form == "own" for one in useful], dtype=float)
    centre, scale = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    design = np.column_stack([(rows - centre) / scale, np.ones(len(rows))])
    share = np.where(target == 1, 0.5 / max(target.mean(), 1e-9), 0.5 / max(1 - target.mean(), 1e-9))
    penalty = RIDGE * np.diag([1.0] * rows.shape[1] + [0.0])
    weights = np.zeros(design.shape[1])
    for _ in range(NEWTON_STEPS):
        chances = _chance(design @ weights)
        slope = design.T @ (share * (target - chances)) - penalty @ weights
        curve = (design * (share * chances * (1 - chances))[:, None]).T @ design + penalty + 1e-9 * np.eye(len(weights))
        step = np.linalg.solve(curve, slope)
        weights = weights + step
        if float(np.abs(step).max()) < 1e-6:
            break
    plain = weights[:-1] / scale
    return {
        "weights": {name: round(float(weight), 4) for name, weight in zip(SIGNALS, plain, strict=True)},
        "intercept": round(float(weights[-1] - plain @ centre), 4),
    }


def _column(model: Mapping[str, Any]) -> Floats:
    return np.array([model["weights"][name] for name in SIGNALS])


def _chance(logits: Any) -> Any:
    return 1 / (1 + np.exp(-np.clip(logits, -30, 30)))


def judged(asked: Sequence[Asked], logits: Floats) -> dict[str, Any]:
    """AUROC of the chance, of the top score and of the nearest cosine, with what the chance gains over the better of
    them; and what is flagged where 1 % of the answerable are."""
    nearest = np.array([one.signals[SIGNALS.index("nearest")] for one in asked])
    scores = np.array([one.score for one in asked])
    own = np.array([one.form == "own" and one.category != ADVERSARIAL for one in asked])
    edge = float(np.quantile(logits[own], FLAGGED_WRONGLY))
    told: dict[str, Any] = {}
    for form in ("foreign", "renamed"):
        others = np.array([one.form == form and one.category != ADVERSARIAL for one in asked])
        figures = {
            name: auroc(values[own], values[others])
            for name, values in (("certainty", logits), ("top_score", scores), ("nearest", nearest))
        }
        rival = nearest if figures["nearest"] > figures["top_score"] else scores
        told[form] = {
            **{name: round(value, 4) for name, value in figures.items()},
            "gain": _interval(asked, own, others, logits, rival),
            "flagged": round(float((logits[others] < edge).mean()), 4),
        }
    adversarial = np.array([one.form == "own" and one.category == ADVERSARIAL for one in asked])
    told["adversarial"] = {
        "certainty": round(auroc(logits[own], logits[adversarial]), 4) if adversarial.any() else None,
        "flagged": round(float((logits[adversarial] < edge).mean()), 4) if adversarial.any() else None,
    }
    return {"auroc": told}


def auroc(above: Floats, below: Floats) -> float:
    """How often one of the first is greater than one of the second; equal counts half."""
    ordered = np.sort(below)
    less = np.searchsorted(ordered, above, side="left") + np.searchsorted(ordered, above, side="right")
    return float(less.sum() / (2 * len(above) * len(below)))


def _interval(
    asked: Sequence[Asked], own: NDArray[np.bool_], others: NDArray[np.bool_], ours: Floats, rival: Floats
) -> dict[str, float]:
    """What the chance gains, with conversations drawn anew."""
    stores = np.array([one.store for one in asked])
    names = sorted(set(stores))
    places = {
        name: (np.flatnonzero(own & (stores == name)), np.flatnonzero(others & (stores == name))) for name in names
    }
    chance = random.Random(0)

    def gain(drawn: Sequence[str]) -> float:
        first, second = (np.concatenate([places[name][side] for name in drawn]) for side in (0, 1))
        return auroc(ours[first], ours[second]) - auroc(rival[first], rival[second])

    draws = sorted(gain(chance.choices(names, k=len(names))) for _ in range(DRAWS))
    low, high = draws[round(0.025 * DRAWS)], draws[round(0.975 * DRAWS) - 1]
    return {"gain": round(gain(names), 4), "low": round(low, 4), "high": round(high, 4)}


def abstention_table(found: Mapping[str, Any]) -> str:
    """The figures for people."""
    rows = [
        [
            f"own against {form}",
            figures["certainty"],
            figures["top_score"],
            figures["nearest"],
            "{gain:+.3f} ({low:+.3f} to {high:+.3f})".format(**figures["gain"]),
            f"{100 * figures['flagged']:.0f} %",
        ]
        for form, figures in found["auroc"].items()
        if form != "adversarial"
    ]
    heads = ("questions", "certainty", "top score", "nearest cosine", "gain over the better", "flagged at 1 % of own")
    other = found["auroc"]["adversarial"]
    return "\n\n".join(
        (
            f"LoCoMo, {found['questions']} questions; AUROC, each conversation by a model of the others",
            table(heads, rows),
            f"adversarial questions against own: AUROC {other['certainty']}, flagged {other['flagged']}",
            f"says nothing below {found['model']['abstains_below']}",
        )
    )
