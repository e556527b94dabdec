"""Load the demo project into a store of its own, by the same verbs that everyone uses.

    python demo/load.py --home .demo-home

Loading twice changes nothing: what is there already counts as duplicate, and what was corrected stays so. A store that
was empty also gets a month of made-up usage (usage.yaml), told to an engine whose clock runs through that month and
ends now.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

import trigraph
from trigraph.assembly import open_engine, scope_of
from trigraph.settings import load_settings

HERE = Path(__file__).parent
LEARNT_BEFORE = timedelta(days=35)
"""How long before now an empty store is told the memories: usage comes after."""
APART = timedelta(minutes=7)
HITS = 5
PARTS = {"dismissed": "contradicting", "flagged_stale": "superseded", "rewrote": "superseded"}
JUDGED = ("cited", "saved_rework", "dismissed", "flagged_stale", "rewrote")


@dataclass
class Clock:
    """A clock that stands where it was set."""

    time: datetime

    def __call__(self) -> datetime:
        return self.time


def main() -> None:
    """Load everything and say what became of it."""
    parser = argparse.ArgumentParser(description="Load the demo project.")
    parser.add_argument("--home", required=True, help="folder of the demo's store")
    settings = load_settings({"home": parser.parse_args().home}).settings
    now = datetime.now(UTC)
    clock = Clock(now)
    with trigraph.Trigraph(open_engine(settings, clock=clock), scope_of(settings)) as memory:
        empty = memory.stats().memories == 0
        if empty:
            clock.time = now - LEARNT_BEFORE
        notes = [json.loads(line) for line in (HERE / "memories.jsonl").read_text(encoding="utf-8").splitlines()]
        told = load_story(memory, [note for note in notes if "verb" in note])
        wrong = () if empty else [line["correct"] for line in _usage() if "correct" in line]
        plain = memory.remember_batch(
            note for note in notes if "verb" not in note and not any(words in note["text"] for words in wrong)
        )
        reports = [*load_specs(memory), *load_threads(memory), plain]
        asked = load_usage(memory, clock, now) if empty else 0
    items = [item for report in reports for item in report.items]
    failed = [item.reason for item in items if item.status in ("error", "conflict")]
    added = sum(item.status == "added" for item in items)
    there = len(items) - added - len(failed)
    usage = f"; asked {asked} times over the last month, as usage.yaml makes it up" if asked else ""
    print(f"demo: {added + told} added, {there} already there{usage}", file=sys.stderr)
    if failed:
        sys.exit("demo: " + "; ".join(str(reason) for reason in failed))


def load_story(memory: trigraph.Trigraph, notes: list[dict[str, Any]]) -> int:
    """Decisions, what was built on them and what came of it: each refers to earlier ones by name."""
    ids: dict[str, str] = {}
    told = 0
    for note in notes:
        fields = {name: value for name, value in note.items() if name not in ("name", "verb", "text", "kind")}
        there = _held_then(memory, note)
        told += there is None
        ids[note["name"]] = there or _tell(memory, note["verb"], note["text"], fields, ids)
    return told


def _tell(memory: trigraph.Trigraph, verb: str, text: str, fields: dict[str, Any], ids: dict[str, str]) -> str:
    match verb:
        case "decide":
            replaced = ids.get(fields.pop("supersedes", ""))
            return memory.decide(text, supersedes=replaced, **fields).id
        case "checkpoint":
            return memory.checkpoint(text, implements=[ids[name] for name in fields.pop("implements")], **fields).id
        case "evolve":
            result, reason = fields.pop("result"), fields.pop("reason")
            return memory.evolve(ids[fields.pop("of")], result, reason, text=text, **fields).id
    sys.exit(f"demo: {verb} is not known")


def _held_then(memory: trigraph.Trigraph, note: dict[str, Any]) -> str | None:
    """The id of a note that was told before, whatever replaced it since."""
    page = memory.list(topic=note["topic"], as_of=note["occurred_at"])
    return next((one.id for one in page.memories if one.text == note["text"]), None)


def load_specs(memory: trigraph.Trigraph) -> list[trigraph.model.report.RememberReport]:
    """Its specs and decision records, as documents, each from the day it was written."""
    reports = []
    for path in sorted((HERE / "specs").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        identity = re.match(r"[A-Z]+-\d+", path.name)
        day = re.search(r"^date:\s*(\S+)", text, re.MULTILINE)
        reports.append(
            memory.docs.put(
                text,
                collection="specs",
                path=path.name,
                topic=identity.group(0) if identity else path.stem,
                uri=f"demo/specs/{path.name}",
                occurred_at=day.group(1) if day else None,
            )
        )
    return reports


def load_threads(memory: trigraph.Trigraph) -> list[trigraph.model.report.RememberReport]:
    """Its conversations."""
    threads = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((HERE / "threads").glob("*.json"))]
    return [memory.remember_thread(**thread) for thread in threads]


def load_usage(memory: trigraph.Trigraph, clock: Clock, now: datetime) -> int:
    """What agents asked in the last month and what they did with the hits; returns how often they asked."""
    asked, session = 0, {"day": 0, "agent": "", "session": ""}
    told = []
    for line in _usage():
        if "agent" in line:
            session = line
            memory.admin.set_agent(memory.scope.tenant, memory.scope.project, line["agent"])
        else:
            told.append((session, line))
    for place, (of, line) in enumerate(told):
        later = sum(other["day"] == of["day"] for other, _ in told[place + 1 :])
        clock.time = now - timedelta(days=of["day"]) - later * APART
        own = trigraph.Trigraph(memory.engine, replace(memory.scope, agent=of["agent"]))
        if "correct" in line:
            wrong = next(one for one in own.list(limit=500).memories if line["correct"] in one.text)
            own.correct(wrong.id, line["text"], reason=line["reason"], source="agent", session=of["session"])
        else:
            asked += 1
            _ask(own, line, of["session"])
    return asked


def _usage() -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = yaml.safe_load((HERE / "usage.yaml").read_text(encoding="utf-8"))
    return lines


def _ask(memory: trigraph.Trigraph, line: dict[str, str], session: str) -> None:
    """One recall, and what was said of its hits: the best that each phrase fits."""
    recall = memory.recall(line["ask"], limit=HITS, session=session)
    items = []
    for kind in JUDGED:
        for words in filter(None, line.get(kind, "").split("|")):
            fits = (hit.memory for hit in recall.hits if words == hit.memory.topic or words in hit.memory.text)
            if (found := next(fits, None)) is not None:
                items.append({"id": found.id, "kind": kind})
    if items:
        memory.cite(recall.id, items=items, session=session)
    if items and "came_to" in line:
        _compose(memory, line, items)


def _compose(memory: trigraph.Trigraph, line: dict[str, str], items: list[dict[str, str]]) -> None:
    """What was judged was used together: what was of use carried the answer, the rest spoke against it."""
    used = [{"id": one["id"], "role": PARTS.get(one["kind"], "supporting")} for one in items]
    leading = next((one for one in used if one["role"] == "supporting"), used[0])
    leading["role"] = "primary"
    made = memory.compose(
        sorted(used, key=lambda one: one is not leading), query=line["ask"], tool="agent", mode="task"
    )
    for label in line["came_to"].split("|"):
        memory.label(made.ids[0], label, source="agent")


if __name__ == "__main__":
    main()
