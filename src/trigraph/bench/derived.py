"""LoCoMo with the pipelines off and on, and how much of what others noted of it is kept (`observation`).

Off, a conversation is a thread of episodes; on, its sessions are handed over as turns, read by the rules, and
distilled. A derived hit counts as the turns that it was derived from: each takes a place of its own in the ranking.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from trigraph.assembly import embedder_loader, open_engine, scope_of
from trigraph.bench.locomo import LIMIT, Arm, Conversation, compared, figures, read, remember, score
from trigraph.faces.library import Trigraph
from trigraph.model.link import LinkType
from trigraph.settings import Settings
from trigraph.text.terms import analyse

SAYS = 0.6
"""A memory says an observation if it has so much of its words of weight, or more."""


def run(
    folder: Path,
    settings: Settings,
    *,
    conversations: int = 10,
    note: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Both arms over all conversations, and the share of observations that a memory says."""
    embedder = embedder_loader(settings.embedder)()
    arms = {"off": Arm(), "on": Arm()}
    kept = {"observations": 0, "said": 0, "from_the_turn": 0, "derived": 0, "turns": 0}
    observed = observations(folder)
    for conversation in read(folder)[:conversations]:
        for name, arm in arms.items():
            with tempfile.TemporaryDirectory() as home:
                engine = open_engine(replace(settings, home=home), embedder=embedder)
                with Trigraph(engine, scope_of(settings)) as memory:
                    turns_of = remember_off(memory, conversation) if name == "off" else hand_over(memory, conversation)
                    _ask(memory, conversation, turns_of, arm)
                    if name == "on":
                        kept["turns"] += sum(map(len, conversation.turn_ids.values()))
                        _count(memory, observed[conversation.name], turns_of, kept)
        note(f"{conversation.name}: {len(conversation.questions)} questions, {kept['derived']} derived so far")
    return {
        "benchmark": "locomo, pipelines",
        "questions": len(arms["on"].rows),
        "arms": {name: figures(arm) for name, arm in arms.items()},
        "gain": compared(arms["off"].rows, arms["on"].rows),
        "observations": kept,
        "says": SAYS,
    }


def observations(folder: Path) -> dict[str, list[tuple[str, frozenset[str]]]]:
    """Conversation → (observation, the turns it was taken from)."""
    found: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for sample in json.loads((folder / "locomo10.json").read_text(encoding="utf-8")):
        rows = found.setdefault(sample["sample_id"], [])
        for by_speaker in sample["observation"].values():
            for notes in by_speaker.values():
                for text, source in notes:
                    turns = source if isinstance(source, list) else [source]
                    rows.append((text, frozenset(turns)))
    return found


def remember_off(memory: Trigraph, conversation: Conversation) -> dict[str, tuple[str, ...]]:
    """Episodes alone: memory → its turn."""
    return {id_: (turn,) for id_, turn in remember(memory, conversation).items()}


def hand_over(memory: Trigraph, conversation: Conversation) -> dict[str, tuple[str, ...]]:
    """Sessions as turns, worked off and distilled: memory → the turns that it is or was derived from."""
    turns_of: dict[str, tuple[str, ...]] = {}
    for name, messages in conversation.sessions.items():
        first = messages[0]["speaker"]
        said = [
            {
                "role": "user" if one["speaker"] == first else "assistant",
                "content": one["text"],
                "speaker": one["speaker"],
                "created_at": one["occurred_at"].isoformat(),
            }
            for one in messages
        ]
        report = memory.turn(said, session=name, whole=True)
        for item, turn in zip(report.items, conversation.turn_ids[name], strict=True):
            assert item.id is not None, item
            turns_of[item.id] = (turn,)
    memory.work()
    for name in conversation.sessions:
        memory.distil(name)
    memory.work()
    return turns_of | _derived(memory, turns_of)


def _derived(memory: Trigraph, turns_of: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    derived: dict[str, tuple[str, ...]] = {}
    cursor = None
    while True:
        page = memory.list(sources=["turn", "distillation"], limit=500, cursor=cursor)
        for one in page.memories:
            links = [link for link in memory.links(one.id) if link.type is LinkType.DERIVED_FROM]
            sources = [turns_of[link.to_id][0] for link in links if link.from_id == one.id and link.to_id in turns_of]
            derived[one.id] = tuple(dict.fromkeys(sources))
        cursor = page.next_cursor
        if cursor is None:
            return derived


def _ask(memory: Trigraph, conversation: Conversation, turns_of: dict[str, tuple[str, ...]], arm: Arm) -> None:
    for question in conversation.questions:
        answer = memory.recall(question.text, limit=LIMIT)
        shown = [turn for hit in answer.hits for turn in turns_of.get(hit.memory.id, ())]
        score(arm, conversation.name, question, list(dict.fromkeys(shown)), window=answer.plan.window is not None)


def _count(
    memory: Trigraph,
    observed: list[tuple[str, frozenset[str]]],
    turns_of: dict[str, tuple[str, ...]],
    kept: dict[str, int],
) -> None:
    """Of what others noted, what a derived memory says, by its words; and whether one came from the same turn."""
    by_turn: dict[str, list[set[str]]] = {}
    cursor = None
    while True:
        page = memory.list(sources=["turn", "distillation"], limit=500, cursor=cursor)
        for one in page.memories:
            kept["derived"] += 1
            for turn in turns_of.get(one.id, ()):
                by_turn.setdefault(turn, []).append(set(analyse(one.text)))
        cursor = page.next_cursor
        if cursor is None:
            break
    for text, turns in observed:
        words = set(analyse(text))
        near = [said for turn in turns for said in by_turn.get(turn, ())]
        kept["observations"] += 1
        kept["from_the_turn"] += bool(near)
        kept["said"] += any(len(words & said) >= SAYS * len(words) for said in near)
