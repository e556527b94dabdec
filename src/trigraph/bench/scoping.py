"""What it brings to hand the talk along, and to keep to one's domains.

Talk: every question is asked as if in the thread in which its answer was given, with the messages just before that as
context; beside it without, and with messages of another session, which is what a wrong thread costs.
Domains: two conversations in one store, each turn a note of its conversation's domain, and two agents, each with one of
the domains; beside it the same questions asked of everything.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from trigraph.assembly import embedder_loader, open_engine, scope_of
from trigraph.bench import locomo
from trigraph.bench.report import table
from trigraph.faces.library import Trigraph
from trigraph.settings import Settings

LIMIT = 10
BEFORE = 6


def talk(
    folder: Path,
    settings: Settings,
    *,
    conversations: int = 10,
    note: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """R@10 without a talk, with the one of the answer, and with another."""
    embedder = embedder_loader(settings.embedder)()
    arms = {name: locomo.Arm() for name in ("none", "own", "other")}
    for one in locomo.read(folder)[:conversations]:
        chance = random.Random(one.name)
        with (
            tempfile.TemporaryDirectory() as home,
            Trigraph(open_engine(Settings(home=home), embedder=embedder), scope_of(settings)) as memory,
        ):
            turn_of = locomo.remember(memory, one)
            for question in one.questions:
                contexts = {"none": None, "own": _before(one, question), "other": _elsewhere(one, question, chance)}
                for name, context in contexts.items():
                    answer = memory.recall(question.text, limit=LIMIT, context=context)
                    turns = [turn_of[hit.memory.id] for hit in answer.hits]
                    locomo.score(arms[name], one.name, question, turns, window=False)
        note(f"{one.name}: {len(one.questions)} questions")
    return _told("talk", arms, "none")


def domains(
    folder: Path,
    settings: Settings,
    *,
    conversations: int = 10,
    note: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """R@10 of each agent's questions, asked of everything and of its own domain."""
    embedder = embedder_loader(settings.embedder)()
    arms = {"everything": locomo.Arm(), "own domain": locomo.Arm()}
    chosen = locomo.read(folder)[:conversations]
    for pair in zip(chosen[::2], chosen[1::2], strict=False):
        with tempfile.TemporaryDirectory() as home:
            engine = open_engine(Settings(home=home), embedder=embedder)
            with Trigraph(engine, scope_of(settings)) as memory:
                turn_of: dict[str, str] = {}
                for one in pair:
                    turn_of |= _noted(memory, one)
                    memory.admin.set_agent(memory.scope.tenant, memory.scope.project, one.name, domains=[one.name])
                for one in pair:
                    asker = Trigraph(engine, replace(memory.scope, agent=one.name))
                    for question in one.questions:
                        for name, everything in (("everything", True), ("own domain", False)):
                            answer = asker.recall(question.text, limit=LIMIT, all_domains=everything)
                            turns = [turn_of[hit.memory.id] for hit in answer.hits]
                            locomo.score(arms[name], one.name, question, _own(turns, one), window=False)
        note(f"{pair[0].name} and {pair[1].name}: asked by two agents")
    return _told("domains", arms, "everything")


def _noted(memory: Trigraph, conversation: locomo.Conversation) -> dict[str, str]:
    """Every turn as a note: memory → `conversation/turn`."""
    names = [
        (f"{conversation.name}/{turn}", message)
        for session, messages in conversation.sessions.items()
        for turn, message in zip(conversation.turn_ids[session], messages, strict=True)
    ]
    report = memory.remember_batch(
        {
            "text": f"{message['speaker']}: {message['text']}",
            "kind": "context",
            "occurred_at": message["occurred_at"],
            "domains": [conversation.name],
        }
        for _, message in names
    )
    return {item.id: name for item, (name, _) in zip(report.items, names, strict=True) if item.id}


def _own(turns: Sequence[str], conversation: locomo.Conversation) -> list[str]:
    """Turn ids; those of another conversation keep its name before them, so that none is taken for an answer."""
    own = f"{conversation.name}/"
    return [turn.removeprefix(own) if turn.startswith(own) else "D0:0" for turn in turns]


def _before(conversation: locomo.Conversation, question: locomo.Question) -> str | None:
    """The messages just before the first turn that answers."""
    first = question.evidence[0]
    for session, ids in conversation.turn_ids.items():
        if first in ids:
            place = ids.index(first)
            return _spoken(conversation.sessions[session][max(place - BEFORE, 0) : place])
    return None


def _elsewhere(conversation: locomo.Conversation, question: locomo.Question, chance: random.Random) -> str | None:
    """As many messages of a session that answers nothing of it."""
    others = [name for name, ids in conversation.turn_ids.items() if not set(ids) & set(question.evidence)]
    messages = conversation.sessions[chance.choice(others)]
    start = chance.randrange(max(len(messages) - BEFORE, 1))
    return _spoken(messages[start : start + BEFORE])


def _spoken(messages: Sequence[Mapping[str, Any]]) -> str | None:
    return "\n".join(f"{one['speaker']}: {one['text']}" for one in messages) or None


def _told(what: str, arms: Mapping[str, locomo.Arm], base: str) -> dict[str, Any]:
    return {
        "benchmark": f"locomo, {what}",
        "questions": len(arms[base].rows),
        "R@10": {name: locomo.figures(arm)["turn"]["all"]["R@10"] for name, arm in arms.items()},
        "gain": {name: locomo.compared(arms[base].rows, arm.rows)["all"] for name, arm in arms.items() if name != base},
    }


def scoping_table(found: Mapping[str, Any]) -> str:
    """The figures for people."""
    rows = [
        [name, value, "{gain:+} ({low:+} to {high:+})".format(**found["gain"][name]) if name in found["gain"] else ""]
        for name, value in found["R@10"].items()
    ]
    return f"{found['benchmark']}, {found['questions']} questions\n\n{table(('arm', 'R@10', 'difference'), rows)}"
