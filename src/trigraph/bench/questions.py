"""Questions over a project's memories and over documents: how often an answer is among the first.

Three sets (`benchmarks/questions`): the demo project (memories, conversations, specs), decision records of several
projects, and decision records with improvement proposals. Each lists for every question all that answers it; the
writers had read the collections and never seen an answer of any engine.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from trigraph.assembly import embedder_loader, open_engine, scope_of
from trigraph.bench.abstaining import auroc
from trigraph.bench.data import read_lines
from trigraph.bench.measures import averages, measures
from trigraph.contracts import Embedder
from trigraph.faces.library import Trigraph
from trigraph.model.memory import Memory
from trigraph.settings import Settings

LIMIT = 10
ARMS = {"default": None, "plain": "plain", "lexical": "lexical", "vector": "vector"}
FOREIGN = {"demo": "adrs", "adrs": "demo"}
"""Whose questions a collection has nothing on."""
LEAST_WORDS = 50


@dataclass(frozen=True, slots=True)
class Collection:
    """What is asked: how it gets into a store, and what a memory of it is called in the lists of answers."""

    load: Callable[[Path, Embedder, Settings], None]
    called: Callable[[Memory], str | None]


def run(
    sets: Path, data: Path, settings: Settings, part: str, note: Callable[[str], None] = lambda line: None
) -> dict[str, Any]:
    """Every set in a store of its own, every arm on it. `part` is report or tune."""
    embedder = embedder_loader(settings.embedder)()
    collections = {
        "demo": demo(sets.parent / "demo"),
        "adrs": documents(data, data / "adrs", ("adrs",)),
        "documents": documents(data, data, ("adrs", "fips/docs")),
    }
    found: dict[str, Any] = {}
    certain: dict[str, Any] = {}
    for name, collection in collections.items():
        questions = read_lines(sets / "questions" / f"{name}_{part}.jsonl")
        with tempfile.TemporaryDirectory() as home:
            collection.load(Path(home), embedder, settings)
            with Trigraph(open_engine(Settings(home=home), embedder=embedder), scope_of(settings)) as memory:
                found[name] = {arm: _asked(memory, collection, questions, profile) for arm, profile in ARMS.items()}
                if name in FOREIGN:
                    others = read_lines(sets / "questions" / f"{FOREIGN[name]}_{part}.jsonl")
                    certain[name] = _certain(memory, questions, others)
        note(f"{name}: {len(questions)} questions")
    return {
        "benchmark": "questions",
        "part": part,
        "unit": "percent",
        "model": embedder.model.model_id,
        "sets": found,
        "certainty": certain,
    }


def _asked(
    memory: Trigraph, collection: Collection, questions: Sequence[Mapping[str, Any]], profile: str | None
) -> dict[str, float]:
    rows = []
    for question in questions:
        answer = memory.recall(question["query"], limit=LIMIT, profile=profile)
        names = dict.fromkeys(collection.called(hit.memory) or hit.memory.id for hit in answer.hits)
        rows.append(measures(list(names), question["relevant"]))
    return averages(rows)


def _certain(
    memory: Trigraph, own: Sequence[Mapping[str, Any]], others: Sequence[Mapping[str, Any]]
) -> dict[str, float]:
    """How well certainty, and the top score beside it, tell own questions from those of another collection; and how
    many of each are said to have nothing."""
    answers = [[memory.recall(one["query"], limit=1) for one in some] for some in (own, others)]
    certainty = [np.array([answer.certainty or 0.0 for answer in some]) for some in answers]
    scores = [np.array([answer.hits[0].score if answer.hits else 0.0 for answer in some]) for some in answers]
    flagged = [100 * np.mean([answer.nothing_found for answer in some]) for some in answers]
    return {
        "certainty": round(auroc(*certainty), 4),
        "top_score": round(auroc(*scores), 4),
        "flagged_own": round(float(flagged[0]), 1),
        "flagged_others": round(float(flagged[1]), 1),
    }


def demo(folder: Path) -> Collection:
    names: dict[str, str] = {}
    for number, note in enumerate(read_lines(folder / "memories.jsonl"), start=1):
        names[note["text"].strip()] = f"m:{number}"
    for path in sorted((folder / "threads").glob("*.json")):
        for number, message in enumerate(json.loads(path.read_text(encoding="utf-8"))["messages"], start=1):
            names.setdefault(message["text"].strip(), f"t:{path.stem}#{number}")

    def load(home: Path, embedder: Embedder, settings: Settings) -> None:
        subprocess.run([sys.executable, folder / "load.py", "--home", home], check=True, capture_output=True)

    def called(memory: Memory) -> str | None:
        if memory.kind == "document":
            return f"d:{memory.topic}"
        return names.get(memory.text.strip())

    return Collection(load, called)


def documents(data: Path, root: Path, folders: Sequence[str]) -> Collection:
    """Documents are called by their path from `root`."""

    def load(home: Path, embedder: Embedder, settings: Settings) -> None:
        with Trigraph(open_engine(Settings(home=str(home)), embedder=embedder), scope_of(settings)) as memory:
            for folder in folders:
                for path in sorted((data / folder).rglob("*.md")):
                    text = path.read_text(encoding="utf-8", errors="replace")
                    if len(text.split()) >= LEAST_WORDS:
                        name = path.relative_to(root).as_posix()
                        memory.docs.put(text, collection=folder.replace("/", "-"), path=name, uri=name)

    return Collection(load, lambda memory: memory.provenance.uri)


def questions_table(found: Mapping[str, Any]) -> str:
    """The figures for people."""
    from trigraph.bench.report import table

    names = ("n", "any@1", "any@3", "any@10", "MRR")
    rows = [
        [name, arm, *(figures[measure] for measure in names)]
        for name, arms in found["sets"].items()
        for arm, figures in arms.items()
    ]
    head = f"Questions ({found['part']}), percent; any@k: something that answers is among the first k"
    heads = ("certainty", "top_score", "flagged_own", "flagged_others")
    certain = [[name, *(told[column] for column in heads)] for name, told in found["certainty"].items()]
    return "\n\n".join(
        (
            head,
            table(("set", "arm", *names), rows),
            "Own questions against those of another collection: AUROC, and per cent said to have nothing",
            table(("set", "certainty", "top score", "own flagged", "others flagged"), certain),
        )
    )
