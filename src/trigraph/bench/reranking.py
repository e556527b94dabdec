"""What the configured re-ranker brings on LoCoMo: the default with it and without it, question by question."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from trigraph.assembly import embedder_loader, open_engine, scope_of
from trigraph.bench import locomo
from trigraph.bench.report import table
from trigraph.errors import ConfigError
from trigraph.faces.library import Trigraph
from trigraph.model.recall import LegStatus
from trigraph.settings import Settings

ARMS = {"default": False, "re-ranked": True}


def check_configured(settings: Settings) -> None:
    """Nothing is measured, and nothing is embedded, where there is no re-ranker."""
    if settings.reranker.kind == "none":
        raise ConfigError(
            "No re-ranker is configured.",
            fix="Set reranker.kind to http, reranker.url and reranker.model, and what they need of reranker.dialect"
            " and reranker.api_key_env (docs/reference/settings.md).",
        )


def run(
    folder: Path,
    settings: Settings,
    *,
    conversations: int = 10,
    note: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Both arms over all conversations. A question that the re-ranker failed at counts as it was answered, and is
    counted as failed."""
    check_configured(settings)
    embedder = embedder_loader(settings.embedder)()
    arms = {name: locomo.Arm() for name in ARMS}
    failed: Counter[str] = Counter()
    for conversation in locomo.read(folder)[:conversations]:
        with tempfile.TemporaryDirectory() as home:
            engine = open_engine(Settings(home=home, reranker=settings.reranker), embedder=embedder)
            with Trigraph(engine, scope_of(settings)) as memory:
                turn_of = locomo.remember(memory, conversation)
                _ask(memory, conversation, turn_of, arms, failed)
        note(f"{conversation.name}: {len(turn_of)} turns, {len(conversation.questions)} questions")
    return {
        "benchmark": "locomo, re-ranked",
        "unit": "percent; R@k is the fraction of evidence found",
        "questions": len(arms["default"].rows),
        "model": settings.reranker.model,
        "candidates": settings.reranker.candidates,
        "blend": settings.reranker.blend,
        "failed": failed.total(),
        "reasons": dict(failed.most_common(3)),
        "arms": {name: locomo.figures(arm) for name, arm in arms.items()},
        "gain": locomo.compared(arms["default"].rows, arms["re-ranked"].rows)["all"],
    }


def _ask(
    memory: Trigraph,
    conversation: locomo.Conversation,
    turn_of: Mapping[str, str],
    arms: Mapping[str, locomo.Arm],
    failed: Counter[str],
) -> None:
    for question in conversation.questions:
        for name, rerank in ARMS.items():
            started = time.perf_counter()
            answer = memory.recall(question.text, limit=locomo.LIMIT, rerank=rerank)
            arms[name].milliseconds.append((time.perf_counter() - started) * 1000)
            if answer.reranked is not None and answer.reranked.status is LegStatus.FAILED:
                failed[answer.reranked.reason or "no reason"] += 1
            locomo.score_answer(arms[name], conversation, question, answer, turn_of)


def reranking_table(found: Mapping[str, Any]) -> str:
    """The figures for people."""
    columns = ("R@1", "R@5", "R@10", "R@25", "MRR")
    rows: list[Sequence[object]] = [
        [name, *(arm["turn"]["all"][column] for column in columns), *arm["latency"].values()]
        for name, arm in found["arms"].items()
    ]
    gain = found["gain"]
    told = [
        f"LoCoMo, {found['questions']} questions, turn level, {found['unit']}; {found['model']} reads"
        f" {found['candidates']} candidates, share {found['blend']:g}",
        table(("arm", *columns, "p50 ms", "p95 ms"), rows),
        f"R@10, re-ranked against default: {gain['gain']:+} (95 % over conversations {gain['low']:+} to"
        f" {gain['high']:+})",
    ]
    if found["failed"]:
        reasons = "; ".join(f"{count}: {reason}" for reason, count in found["reasons"].items())
        told.append(f"The re-ranker failed at {found['failed']} questions, which keep the fused order ({reasons})")
    return "\n\n".join(told)
