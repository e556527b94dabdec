"""Load the demo project into a store of its own, by the same verbs that everyone uses.

    python demo/load.py --home .demo-home

Loading twice changes nothing: what is there already counts as duplicate.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

import trigraph

HERE = Path(__file__).parent


def main() -> None:
    """Load everything and say what became of it."""
    parser = argparse.ArgumentParser(description="Load the demo project.")
    parser.add_argument("--home", required=True, help="folder of the demo's store")
    with trigraph.open(parser.parse_args().home) as memory:
        notes = [json.loads(line) for line in (HERE / "memories.jsonl").read_text(encoding="utf-8").splitlines()]
        told = load_story(memory, [note for note in notes if "verb" in note])
        plain = memory.remember_batch(note for note in notes if "verb" not in note)
        reports = [*load_specs(memory), *load_threads(memory), plain]
    items = [item for report in reports for item in report.items]
    wrong = [item.reason for item in items if item.status in ("error", "conflict")]
    added = sum(item.status == "added" for item in items)
    there = len(items) - added - len(wrong)
    print(f"demo: {added + told} added, {there} already there", file=sys.stderr)
    if wrong:
        sys.exit("demo: " + "; ".join(str(reason) for reason in wrong))


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


if __name__ == "__main__":
    main()
