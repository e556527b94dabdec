"""Automatic links, sampled for people to judge: are the two memories worth reading together?

Texts that others wrote are not part of trigraph: a label names its link by digests of both ends. The sample is the
same for the same seed, whatever ids the memories got.
"""

from __future__ import annotations

import hashlib
import json
import random
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw

from trigraph.assembly import embedder_loader, open_engine, scope_of
from trigraph.faces.library import Trigraph
from trigraph.model.link import LinkOrigin
from trigraph.settings import Settings

PAGE = 200


@dataclass(frozen=True, slots=True)
class Pair:
    """A link with the texts of its ends."""

    source: str
    type: str
    from_text: str
    to_text: str
    confidence: float
    similarity: float | None

    @property
    def key(self) -> tuple[str, str, str]:
        """What names it in a file of labels."""
        return (self.type, _digest(self.from_text), _digest(self.to_text))


def run(
    data: Path,
    settings: Settings,
    *,
    seed: int,
    count: int,
    labels: Path | None = None,
    sample_to: Path | None = None,
    note: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Draw the sample, write it for labelling, and hold it against labels that are there."""
    embedder = embedder_loader(settings.embedder)()
    pairs: list[Pair] = []
    stores: dict[str, dict[str, Any]] = {}
    for name, fill in (("adrs", _adrs), ("observations", _observations), ("demo", _demo)):
        found: list[Pair] = []
        memories = links_bytes = all_bytes = 0
        for items in fill(data):
            with tempfile.TemporaryDirectory() as home:
                engine = open_engine(replace(settings, home=home), embedder=embedder)
                with Trigraph(engine, scope_of(settings)) as memory:
                    items(memory)
                    found += _links(name, memory)
                    memories += memory.stats().memories
                of_links, of_all = _bytes(Path(home) / f"{settings.scope.tenant}.db")
                links_bytes, all_bytes = links_bytes + of_links, all_bytes + of_all
        pairs += found
        share = round(100 * links_bytes / max(all_bytes, 1), 1)
        stores[name] = {"memories": memories, "links": len(found), "percent_of_bytes": share}
        note(f"{name}: {memories} memories, {len(found)} automatic links")
    chosen = _sampled(pairs, seed, count)
    if sample_to is not None:
        sample_to.write_text("".join(json.dumps(_shown(pair), ensure_ascii=False) + "\n" for pair in chosen), "utf-8")
    judged = _judged(chosen, labels) if labels is not None else None
    return {"benchmark": "links", "seed": seed, "sampled": len(chosen), "stores": stores, "judged": judged}


def _sampled(pairs: Iterable[Pair], seed: int, count: int) -> list[Pair]:
    """As many from each source, as far as it has them; the rest from those that have more."""
    chance = random.Random(seed)
    by_source: dict[str, list[Pair]] = {}
    for pair in sorted(pairs, key=lambda one: (one.source, one.key)):
        by_source.setdefault(pair.source, []).append(pair)
    for of in by_source.values():
        chance.shuffle(of)
    chosen: list[Pair] = []
    while len(chosen) < count and any(by_source.values()):
        for of in by_source.values():
            if of and len(chosen) < count:
                chosen.append(of.pop())
    return chosen


def _judged(chosen: Iterable[Pair], labels: Path) -> dict[str, Any]:
    known = {}
    for line in labels.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        known[row["type"], row["from"], row["to"]] = bool(row["relevant"])
    marks = [(pair.source, known[pair.key]) for pair in chosen if pair.key in known]
    by_source = {
        source: {"labelled": len(of), "relevant": sum(of)}
        for source in sorted({source for source, _ in marks})
        if (of := [mark for name, mark in marks if name == source])
    }
    relevant = sum(mark for _, mark in marks)
    share = round(100 * relevant / len(marks), 1) if marks else None
    return {"labelled": len(marks), "relevant": relevant, "percent": share, "by_source": by_source}


def _adrs(data: Path) -> Iterator[Callable[[Trigraph], object]]:
    """Each repository is a project of its own."""
    for folder in sorted(path for path in (data / "adrs").iterdir() if path.is_dir()):
        yield lambda memory, folder=folder: memory.docs.add(folder)  # type: ignore[misc]


def _observations(data: Path) -> Iterator[Callable[[Trigraph], object]]:
    for sample in json.loads((data / "locomo" / "locomo10.json").read_text(encoding="utf-8")):
        items = list(_facts(sample))
        yield lambda memory, items=items: memory.remember_batch(items)  # type: ignore[misc]


def _demo(_: Path) -> Iterator[Callable[[Trigraph], object]]:
    """The demo project, if this is a checkout of trigraph: its notes, as they are."""
    notes = Path("demo") / "memories.jsonl"
    if notes.is_file():
        known = ("text", "kind", "topic", "tags", "session", "occurred_at", "source")
        rows = [json.loads(line) for line in notes.read_text(encoding="utf-8").splitlines()]
        items = [{name: row[name] for name in known if name in row} for row in rows]
        yield lambda memory: (memory.docs.add(Path("demo") / "specs"), memory.remember_batch(items))


def _facts(sample: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for name, told in sample["observation"].items():
        date_time = sample["conversation"][name.replace("_observation", "_date_time")]
        at = datetime.strptime(date_time, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        for person, facts in told.items():
            for fact, *_ in facts:
                yield {"text": fact, "subject": person, "type": "person", "occurred_at": at, "source": "import"}


def _links(source: str, memory: Trigraph) -> Iterator[Pair]:
    """Every automatic link, from the end that it starts from."""
    cursor: str | None = None
    while True:
        page = memory.list(limit=PAGE, cursor=cursor)
        for one in page.memories:
            for link in memory.links(one.id):
                if link.from_id == one.id and link.created_by is LinkOrigin.SYSTEM:
                    other = memory.get(link.to_id)
                    yield Pair(source, link.type.value, one.text, other.text, link.confidence, link.similarity)
        cursor = page.next_cursor
        if cursor is None:
            return


def _bytes(database: Path) -> tuple[int, int]:
    """What links take of a database, their indexes included, and all that it takes."""
    connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        of_links = connection.execute(
            "SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE aggregate = TRUE AND name IN"
            " (SELECT name FROM sqlite_schema WHERE tbl_name = 'link')"
        ).get
        return int(of_links), int(connection.execute("SELECT sum(pgsize) FROM dbstat WHERE aggregate = TRUE").get)
    finally:
        connection.close()


def _shown(pair: Pair) -> dict[str, Any]:
    type_, from_digest, to_digest = pair.key
    return {
        "source": pair.source,
        "type": type_,
        "from": from_digest,
        "to": to_digest,
        "similarity": pair.similarity,
        "from_text": pair.from_text,
        "to_text": pair.to_text,
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
