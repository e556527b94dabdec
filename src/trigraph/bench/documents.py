"""Text that is not dialogue: a document by its title, a sentence by its paraphrase.

Titles are taken out of the documents before they are stored, so that a title must find its document by
what the document says. Arms as in LoCoMo; used to choose the default model.
"""

from __future__ import annotations

import csv
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from trigraph.assembly import embedder_loader, open_engine, scope_of
from trigraph.bench.locomo import ARMS
from trigraph.bench.measures import averages, measures
from trigraph.contracts import Embedder
from trigraph.faces.library import Trigraph
from trigraph.settings import Settings

LIMIT = 50
_FRONT_MATTER = re.compile(r"\A---\r?\n(.*?)\r?\n---\s*\n", re.DOTALL)
_TITLE_KEY = re.compile(r"""^title:\s*["']?(.+?)["']?\s*$""", re.MULTILINE)
_HEADING = re.compile(r"^#\s+(.+?)\s*$", re.MULTILINE)
_NUMBERING = re.compile(r"^(?:ADR|FIP)?[\s#-]*\d*\s*[.:-]*\s*", re.IGNORECASE)

Case = tuple[str, str, str]
"""A query, the name of what it should find, and that text."""


def run(data: Path, settings: Settings, note: Callable[[str], None] = lambda line: None) -> dict[str, Any]:
    """Each task in a store of its own, every arm on it."""
    embedder = embedder_loader(settings.embedder)()
    tasks = {
        "adr-titles": ("document", list(adr_titles(data / "adrs"))),
        "fip-titles": ("document", list(fip_titles(data / "fips"))),
        "mrpc-paraphrases": ("fact", list(paraphrases(data / "pairs" / "mrpc" / "msr-para-val.tsv"))),
    }
    found: dict[str, Any] = {}
    for name, (kind, cases) in tasks.items():
        found[name] = _measure(cases, kind, embedder, settings)
        note(f"{name}: {len(cases)} queries")
    return {"benchmark": "documents", "unit": "percent", "model": embedder.model.model_id, "tasks": found}


def adr_titles(folder: Path) -> Iterator[Case]:
    """Real decision records of several projects. Templates and indexes have no title of their own."""
    for path in sorted(folder.rglob("*.md")):
        if re.search(r"\d", path.name):
            yield from _title_case(path)


def fip_titles(folder: Path) -> Iterator[Case]:
    """Improvement proposals, long and technical."""
    for path in sorted((folder / "docs").glob("fip-*.md")):
        yield from _title_case(path)


def paraphrases(path: Path) -> Iterator[Case]:
    """News sentences that say the same in other words."""
    with path.open(encoding="utf-8-sig", newline="") as lines:
        rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        for quality, _, second_id, first, second in rows:
            if quality == "1":
                yield first, second_id, second


def _title_case(path: Path) -> Iterator[Case]:
    text = path.read_text(encoding="utf-8", errors="replace")
    front = _FRONT_MATTER.match(text)
    named = _TITLE_KEY.search(front.group(1)) if front else None
    heading = _HEADING.search(text)
    title = (named or heading).group(1) if (named or heading) else ""  # type: ignore[union-attr]
    title = _NUMBERING.sub("", title).strip()
    if len(title.split()) < 2:
        return
    body = text[front.end() :] if front else text
    body = body.replace(title, "")
    if len(body.split()) >= 50:
        yield title, str(path), body


def _measure(cases: list[Case], kind: str, embedder: Embedder, settings: Settings) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as home:
        engine = open_engine(Settings(home=home), embedder=embedder)
        with Trigraph(engine, scope_of(settings)) as memory:
            report = memory.remember_batch({"text": text, "kind": kind} for _, _, text in cases)
            name_of: dict[str, str] = {}
            for item, (_, name, _) in zip(report.items, cases, strict=True):
                assert item.id is not None, item
                name_of.setdefault(item.id, name)
            wanted = [name_of[item.id] for item in report.items if item.id]
            arms: dict[str, Any] = {}
            for arm, profile in ARMS.items():
                rows = []
                for (query, _, _), name in zip(cases, wanted, strict=True):
                    answer = memory.recall(query, limit=LIMIT, profile=profile)
                    rows.append(measures([name_of[hit.memory.id] for hit in answer.hits], [name]))
                arms[arm] = averages(rows)
    return arms
