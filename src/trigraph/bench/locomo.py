"""LoCoMo through the ordinary verbs: threads in, `recall` out, in one run with the arms it must beat.

One store per conversation, one thread per session, limit 200, no token budget. Turn level ranks turns;
session level ranks sessions by their best turn. Nothing here, nor in the engine, is fitted to the data.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean
from typing import Any

from trigraph.assembly import embedder_loader, open_engine, scope_of
from trigraph.bench.measures import averages, latency, measures
from trigraph.faces.library import Trigraph
from trigraph.model.recall import Recall
from trigraph.settings import RecallSettings, Settings

LIMIT = 200
THREADS = 10
ARMS = {
    "bm25": "lexical",
    "vector": "vector",
    "rrf": "rrf",
    "likeness": "likeness",
    "plain": "plain",
    "trigraph": "default",
}
"""Arm → the profile that answers it. `random` stands for no memory at all: turns in random order; `likeness` is `plain`
without the graph and the temporal leg. What `trigraph` orders by was learnt from these very conversations: held out it
is measured by `ordering.run`."""
DRAWS = 2000
"""So many times conversations are drawn anew, with replacement, for an interval."""

CATEGORIES = {"1": "multi-hop", "2": "temporal", "3": "open-domain", "4": "single-hop", "5": "adversarial"}
_GROUPS = {"all": "12345", "1-4": "1234", **{name: name for name in CATEGORIES}}
_SESSION = re.compile(r"session_\d+")
_TURN_ID = re.compile(r"D(\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the turns that answer it."""

    text: str
    category: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One of the ten: sessions of messages as `remember_thread` takes them, turn ids beside."""

    name: str
    sessions: dict[str, list[dict[str, Any]]]
    turn_ids: dict[str, list[str]]
    questions: list[Question]


@dataclass(frozen=True, slots=True)
class _Row:
    """How one question was answered: at turn and at session level; `window` says whether it names a time."""

    conversation: str
    category: str
    window: bool
    turn: dict[str, float]
    session: dict[str, float]


@dataclass(slots=True)
class Arm:
    """What one way of answering came to."""

    rows: list[_Row] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)


def run(
    folder: Path,
    settings: Settings,
    *,
    conversations: int = 10,
    limit: int = LIMIT,
    note: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """All arms over all conversations, each asked for so many hits; the figures as the command prints them with
    `--json`."""
    load = embedder_loader(settings.embedder)
    embedder = load()
    arms = {name: Arm() for name in ("random", *ARMS)}
    turns, seconds = 0, 0.0
    for number, conversation in enumerate(read(folder)[:conversations]):
        with tempfile.TemporaryDirectory() as home:
            engine = open_engine(Settings(home=home), embedder=embedder)
            with Trigraph(engine, scope_of(settings)) as memory:
                started = time.perf_counter()
                turn_of = remember(memory, conversation)
                turns, seconds = turns + len(turn_of), seconds + time.perf_counter() - started
                _ask(memory, conversation, turn_of, arms, random.Random(number), limit)
        note(f"{conversation.name}: {len(turn_of)} turns, {len(conversation.questions)} questions")
    return {
        "benchmark": "locomo",
        "unit": "percent; R@k is the fraction of evidence found",
        "questions": len(arms["trigraph"].rows),
        "model": embedder.model.model_id,
        "ingest": {"turns": turns, "turns_per_second": round(turns / seconds, 1)},
        "arms": {name: figures(arm) for name, arm in arms.items()},
        "legs": compared(arms["likeness"].rows, arms["plain"].rows),
    }


def recency(
    folder: Path,
    settings: Settings,
    weights: Sequence[float],
    *,
    conversations: int = 10,
    note: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """What recency costs or brings, by its weight, asked a day after each conversation's end."""
    embedder = embedder_loader(settings.embedder)()
    arms = {weight: Arm() for weight in weights}
    for conversation in read(folder)[:conversations]:
        end = max(one["occurred_at"] for messages in conversation.sessions.values() for one in messages)
        with tempfile.TemporaryDirectory() as home:
            with Trigraph(open_engine(Settings(home=home), embedder=embedder), scope_of(settings)) as memory:
                turn_of = remember(memory, conversation)
            for weight, arm in arms.items():
                said = RecallSettings(weights=f"recency={weight} current_state.recency={weight}")
                engine = open_engine(Settings(home=home, recall=said), embedder=embedder)
                with Trigraph(engine, scope_of(settings)) as memory:
                    for question in conversation.questions:
                        answer = memory.recall(question.text, limit=10, as_of=end + timedelta(days=1))
                        turns = [turn_of[hit.memory.id] for hit in answer.hits]
                        score(arm, conversation.name, question, turns, window=False)
        note(f"{conversation.name}: {len(conversation.questions)} questions")
    first = arms[weights[0]].rows
    return {
        "benchmark": "locomo, recency",
        "questions": len(first),
        "R@10": {str(weight): compared(first, arm.rows)["all"] for weight, arm in arms.items()},
    }


def read(folder: Path) -> list[Conversation]:
    """The data set. Questions without usable evidence are left out (4 of 1,986)."""
    questions: dict[str, list[Question]] = {}
    for line in (folder / "qa_normalised.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["evidence"]:
            question = Question(row["question"], str(row["category"]), tuple(row["evidence"]))
            questions.setdefault(row["sample_id"], []).append(question)
    samples = json.loads((folder / "locomo10.json").read_text(encoding="utf-8"))
    return [_conversation(sample, questions[sample["sample_id"]]) for sample in samples]


def _conversation(sample: dict[str, Any], questions: list[Question]) -> Conversation:
    content = sample["conversation"]
    names = [name for name in content if _SESSION.fullmatch(name)]
    return Conversation(
        name=sample["sample_id"],
        sessions={name: list(_messages(content[name], content[f"{name}_date_time"])) for name in names},
        turn_ids={name: [turn["dia_id"] for turn in content[name]] for name in names},
        questions=questions,
    )


def _messages(turns: list[dict[str, Any]], date_time: str) -> Iterator[dict[str, Any]]:
    at = datetime.strptime(date_time, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    for turn in turns:
        shown = f" [shares a photo: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
        yield {"text": turn["text"] + shown, "speaker": turn["speaker"], "role": "user", "occurred_at": at}


def remember(memory: Trigraph, conversation: Conversation) -> dict[str, str]:
    """Keep a conversation, a thread per session: memory → its turn."""
    turn_of: dict[str, str] = {}
    for name, messages in conversation.sessions.items():
        report = memory.remember_thread(messages, name=name, session=name)
        for item, turn_id in zip(report.items, conversation.turn_ids[name], strict=True):
            assert item.id is not None, item
            turn_of[item.id] = turn_id
    return turn_of


def _ask(
    memory: Trigraph,
    conversation: Conversation,
    turn_of: dict[str, str],
    arms: dict[str, Arm],
    chance: random.Random,
    limit: int,
) -> None:
    for question in conversation.questions:
        shuffled = list(turn_of.values())
        chance.shuffle(shuffled)
        score(arms["random"], conversation.name, question, shuffled[:limit], window=False)
        for name, profile in ARMS.items():
            started = time.perf_counter()
            answer = memory.recall(question.text, limit=limit, threads=THREADS, profile=profile)
            arms[name].milliseconds.append((time.perf_counter() - started) * 1000)
            score_answer(arms[name], conversation, question, answer, turn_of)


def score_answer(
    arm: Arm, conversation: Conversation, question: Question, answer: Recall, turn_of: Mapping[str, str]
) -> None:
    """Hold an answer against what answers the question."""
    turns = [turn_of[hit.memory.id] for hit in answer.hits]
    sessions = [(thread.name or "").removeprefix("session_") for thread in answer.threads or ()]
    score(arm, conversation.name, question, turns, sessions, window=answer.plan.window is not None)


def score(
    arm: Arm, conversation: str, question: Question, turns: list[str], sessions: Sequence[str] = (), *, window: bool
) -> None:
    """Hold the turns that were found, best first, against those that answer the question; and the sessions: those that
    were told, then by their first turns."""
    sessions = list(dict.fromkeys([*sessions, *map(_session_of, turns)]))
    gold_sessions = {_session_of(turn) for turn in question.evidence}
    found = (measures(turns, question.evidence), measures(sessions, gold_sessions))
    arm.rows.append(_Row(conversation, question.category, window, *found))


def _session_of(turn_id: str) -> str:
    match = _TURN_ID.match(turn_id)
    assert match, turn_id
    return match.group(1)


def figures(arm: Arm) -> dict[str, Any]:
    """Averages by level and category."""
    levels = {"turn": [row.turn for row in arm.rows], "session": [row.session for row in arm.rows]}
    groups: dict[str, Any] = {
        level: {
            name: averages([one for one, row in zip(found, arm.rows, strict=True) if row.category in categories])
            for name, categories in _GROUPS.items()
        }
        for level, found in levels.items()
    }
    return {**groups, "latency": latency(arm.milliseconds)} if arm.milliseconds else groups


def compared(without: Sequence[_Row], with_: Sequence[_Row]) -> dict[str, Any]:
    """What one arm brings over another at R@10: of all questions, and of those that name a time; with an interval from
    conversations drawn anew."""
    found = {}
    for name, wanted in (("all", lambda row: True), ("naming a time", lambda row: row.window)):
        gains: dict[str, list[float]] = {}
        before = []
        for old, new in zip(without, with_, strict=True):
            if wanted(new):
                gains.setdefault(new.conversation, []).append(100 * (new.turn["R@10"] - old.turn["R@10"]))
                before.append(100 * old.turn["R@10"])
        if before:
            found[name] = {"n": len(before), "without": round(fmean(before), 2), **_interval(gains)}
    return found


def _interval(gains: Mapping[str, Sequence[float]]) -> dict[str, float]:
    chance = random.Random(0)
    names = sorted(gains)
    draws = sorted(
        fmean(gain for name in chance.choices(names, k=len(names)) for gain in gains[name]) for _ in range(DRAWS)
    )
    gain = fmean(gain for of in gains.values() for gain in of)
    low, high = draws[round(0.025 * DRAWS)], draws[round(0.975 * DRAWS) - 1]
    return {"gain": round(gain, 2), "low": round(low, 2), "high": round(high, 2)}
