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

import trigraph

HERE = Path(__file__).parent


def main() -> None:
    """Load everything and say what became of it."""
    parser = argparse.ArgumentParser(description="Load the demo project.")
    parser.add_argument("--home", required=True, help="folder of the demo's store")
    with trigraph.open(parser.parse_args().home) as memory:
        reports = [load_specs(memory), *load_threads(memory), load_memories(memory)]
    items = [item for report in reports for item in report.items]
    wrong = [item.reason for item in items if item.status in ("error", "conflict")]
    added = sum(item.status == "added" for item in items)
    print(f"demo: {added} added, {len(items) - added - len(wrong)} already there", file=sys.stderr)
    if wrong:
        sys.exit("demo: " + "; ".join(str(reason) for reason in wrong))


def load_memories(memory: trigraph.Trigraph) -> trigraph.model.report.RememberReport:
    """What people and agents of the project noted."""
    lines = (HERE / "memories.jsonl").read_text(encoding="utf-8").splitlines()
    return memory.remember_batch(json.loads(line) for line in lines)


def load_specs(memory: trigraph.Trigraph) -> trigraph.model.report.RememberReport:
    """Its specs and decision records, as documents."""
    items = []
    for path in sorted((HERE / "specs").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        identity = re.match(r"[A-Z]+-\d+", path.name)
        day = re.search(r"^date:\s*(\S+)", text, re.MULTILINE)
        items.append(
            {
                "text": text,
                "kind": "document",
                "topic": identity.group(0) if identity else path.stem,
                "source": "document",
                "uri": f"demo/specs/{path.name}",
                "occurred_at": day.group(1) if day else None,
            }
        )
    return memory.remember_batch(items)


def load_threads(memory: trigraph.Trigraph) -> list[trigraph.model.report.RememberReport]:
    """Its conversations."""
    threads = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((HERE / "threads").glob("*.json"))]
    return [memory.remember_thread(**thread) for thread in threads]


if __name__ == "__main__":
    main()
