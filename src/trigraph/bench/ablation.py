"""Every ingredient of recall switched off, or on where it is off, one at a time: what does it bring?

LoCoMo, R@10, each conversation by weights that were learnt from the others; intervals from conversations drawn anew.
Groups of features are left out by learning the order without them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from trigraph.assembly import embedder_loader, open_engine, scope_of
from trigraph.bench import locomo, ordering
from trigraph.bench.report import table
from trigraph.contracts import Embedder
from trigraph.faces.library import Trigraph
from trigraph.model.query import Dampening, Fusion, Leg, Profile
from trigraph.ranking.order import LIKENESS, Order
from trigraph.ranking.profiles import PROFILES
from trigraph.settings import Settings

LIMIT = 10
_DEFAULT = PROFILES["default"]


def _without_leg(leg: Leg) -> Profile:
    return replace(_DEFAULT, weights={one: weight for one, weight in _DEFAULT.weights.items() if one is not leg})


SWITCHED: Mapping[str, Profile] = {
    "learnt order → mean of z-scores": replace(_DEFAULT, fusion=Fusion.SCORE),
    "learnt order → reciprocal ranks": replace(_DEFAULT, fusion=Fusion.RRF),
    "neighbours off": replace(_DEFAULT, context=False),
    "vector leg off": _without_leg(Leg.VECTOR),
    "lexical leg off": _without_leg(Leg.LEXICAL),
    "graph leg off": _without_leg(Leg.GRAPH),
    "temporal leg off": _without_leg(Leg.TEMPORAL),
    "recency off": replace(_DEFAULT, recency=0.0, by_class={}),
    "confidence off": replace(_DEFAULT, confidence_floor=1.0),
    "diversity off": replace(_DEFAULT, diversity=0.0),
    "spread over threads off": replace(_DEFAULT, spread=0.0),
    "expansion off": replace(_DEFAULT, expand=False),
    "dampening of the wordless on (×0.5)": replace(_DEFAULT, dampening=Dampening(wordless=0.5)),
    "dampening of hubs on (×0.7)": replace(_DEFAULT, dampening=Dampening(hubs=0.7)),
    "constraints and decisions ×1.2": replace(_DEFAULT, dampening=Dampening(guiding=1.2)),
}
FEATURES: Mapping[str, tuple[str, ...]] = {
    "form (asks, answers, tells)": (
        "asks", "ends_asking", "answers", "of_speaker", "tells_time", "tells_number",
    ),
    "thread": tuple(name for name in LIKENESS if "thread" in name and name not in ("thread_meant", "thread_unnamed")),
    "what stands beside": ("meaning_beside", "beside", "beside_two", "before"),
    "coverage": ("coverage", "coverage_around", "rarest"),
    "ranks": tuple(name for name in LIKENESS if name.endswith("_rank") and "thread" not in name),
    "length": ("length",),
    "related words": ("words_meant", "words_meant_around", "thread_meant"),
    "who says it": ("of_named",),
    "the query without names": ("meaning_unnamed", "meaning_unnamed_around", "thread_unnamed"),
    "feedback": ("feedback",),
}  # fmt: skip


def run(
    folder: Path,
    settings: Settings,
    *,
    conversations: int = 10,
    note: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """R@10 of the default, and of the default with one thing changed."""
    embedder = embedder_loader(settings.embedder)()
    chosen = locomo.read(folder)[:conversations]
    arms: dict[str, locomo.Arm] = {}
    with tempfile.TemporaryDirectory() as home:
        kept = ordering.learn_from(chosen, Path(home), embedder, settings, note=note)
        for one in chosen:
            others = [question for name, some in kept.asked.items() if name != one.name for question in some]
            place = f"{home}/{one.name}"
            lessons = ordering.Lessons(others)
            left_out: Mapping[str, tuple[str, ...]] = {"": (), **FEATURES}
            orders = {name: Order(lessons.weights(without)) for name, without in left_out.items()}
            for group, order in orders.items():
                with _opened(place, embedder, settings, order) as memory:
                    profiles = {f"without {group}": _DEFAULT} if group else {"default": _DEFAULT, **SWITCHED}
                    for name, profile in profiles.items():
                        _ask(memory, one, kept.turns[one.name], arms.setdefault(name, locomo.Arm()), profile)
            note(f"{one.name}: every ingredient switched")
    full = arms.pop("default")
    return {
        "benchmark": "locomo, ablation",
        "questions": len(full.rows),
        "default": locomo.figures(full)["turn"]["all"]["R@10"],
        "switched": {name: locomo.compared(full.rows, arm.rows)["all"] for name, arm in arms.items()},
    }


def _opened(home: str, embedder: Embedder, settings: Settings, order: Order) -> Trigraph:
    return Trigraph(open_engine(Settings(home=home), embedder=embedder, order=order), scope_of(settings))


def _ask(
    memory: Trigraph, conversation: locomo.Conversation, turn_of: Mapping[str, str], arm: locomo.Arm, profile: Profile
) -> None:
    for question in conversation.questions:
        answer = memory.recall(question.text, limit=LIMIT, profile=profile)
        locomo.score_answer(arm, conversation, question, answer, turn_of)


def ablation_table(found: Mapping[str, Any]) -> str:
    """The figures for people, what costs most first."""
    rows: list[Sequence[object]] = [
        [name, round(found["default"] + told["gain"], 2), f"{told['gain']:+}", f"{told['low']:+} to {told['high']:+}"]
        for name, told in sorted(found["switched"].items(), key=lambda item: item[1]["gain"])
    ]
    head = f"LoCoMo, {found['questions']} questions; R@10 of the default: {found['default']}"
    return f"{head}\n\n{table(('changed', 'R@10', 'difference', '95 %'), rows)}"
