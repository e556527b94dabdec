"""Export and import: everything a project holds as JSON Lines, without loss, a record at a time.

The first line says what the file is, the last one how many records there are and their digest: a file that was
cut short or changed on the way is refused before anything is written. Reading the same file twice changes nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any

from trigraph.contracts import NewPassage, Progress, Put, Record
from trigraph.engine.embedding import mismatch
from trigraph.engine.parts import Parts
from trigraph.engine.write.preparing import prepare_stored
from trigraph.errors import BrokenFile, InvalidInput, StoreError
from trigraph.model.memory import Kind, MemoryDraft
from trigraph.model.scope import Scope
from trigraph.model.status import EmbeddingModel
from trigraph.model.times import parse_time
from trigraph.model.transfer import ExportReport, ImportReport
from trigraph.text.cleaning import content_hash

if TYPE_CHECKING:
    from trigraph.contracts import Vectors

FORMAT = 1
BATCH_SIZE = 500
KINDS = (
    "agent",
    "group",
    "thread",
    "memory",
    "entity",
    "link",
    "citation",
    "vote",
    "erased",
    "recall_event",
    "skill_use",
)
_CLOCKS_DIFFER = timedelta(days=1)


def export(
    parts: Parts,
    scope: Scope,
    write: Callable[[str], object],
    *,
    everything: bool = False,
    vectors: bool = True,
    events: bool = True,
    progress: Progress | None = None,
) -> ExportReport:
    """Write one line per record. Without `everything`, of what the scope may see; with it, of all agents."""
    digest, counts = hashlib.sha256(), Counter[str]()
    pinned = parts.store.space.pinned(scope) if vectors else None
    header = {
        "record": "trigraph",
        "format": FORMAT,
        "project": scope.project,
        "exported_at": parts.clock().isoformat(),
        "everything": everything,
        "model": None if pinned is None else {"model_id": pinned.model_id, "dimension": pinned.dimension},
    }
    write(_line(header))
    for record in parts.store.transfer.records(scope, everything=everything, vectors=vectors, events=events):
        digest.update(_digested(record))
        counts[record["record"]] += 1
        write(_line(record))
        if progress and record["record"] == "memory":
            progress(1)
    report = ExportReport({kind: counts[kind] for kind in KINDS if counts[kind]}, digest.hexdigest())
    write(_line({"record": "end", "counts": dict(report.counts), "digest": report.digest}))
    return report


def import_(
    parts: Parts, scope: Scope, lines: Callable[[], Iterable[str]], progress: Progress | None = None
) -> ImportReport:
    """Read an export into the project, after checking that it is whole.

    What is there already and the same is skipped; what is there and different is kept and reported; what was
    erased here stays erased. `lines` begins the file anew each time it is called: once to check, once to write.
    """
    header = check(lines())
    state = _Import(parts, scope, _model(header), parts.clock() + _CLOCKS_DIFFER)
    records = _records(lines())
    while batch := list(islice(records, BATCH_SIZE)):
        with parts.store.transaction(scope, parts.clock()) as at:
            for number, record in batch:
                state.put(number, record, at)
            if state.latest is not None:
                parts.store.transfer.reached(scope, state.latest)
        if progress:
            progress(sum(record["record"] == "memory" for _, record in batch))
    return ImportReport(
        {put.value: count for put, count in state.counts.items()}, tuple(state.conflicts), state.without_vectors
    )


def check(lines: Iterable[str]) -> Record:
    """The header of an export that is whole; a clear error if it is not."""
    digest, counts = hashlib.sha256(), Counter[str]()
    header: Record | None = None
    end: Record | None = None
    for number, record in _objects(lines):
        kind = record.get("record")
        if header is None:
            if kind != "trigraph":
                raise _broken(number, "this is no export of trigraph: its first line must say so")
            if record.get("format") != FORMAT:
                raise _broken(number, f"format {record.get('format')} is not known; upgrade trigraph")
            header = record
        elif end is not None:
            raise _broken(number, "something follows the end")
        elif kind == "end":
            end = record
        elif kind in KINDS:
            digest.update(_digested(record))
            counts[kind] += 1
        else:
            raise _broken(number, f"record {str(kind)[:40]!r} is not known")
    if header is None or end is None:
        raise BrokenFile(
            "The file ends early: its last line is missing.", field="file", fix="Export again; nothing was written."
        )
    if end.get("counts") != dict(counts) or end.get("digest") != digest.hexdigest():
        raise BrokenFile(
            "The file is not what was exported: its digest differs.",
            field="file",
            fix="Export again; nothing was written.",
        )
    return header


@dataclass(slots=True)
class _Import:
    """An import under way."""

    parts: Parts
    scope: Scope
    model: EmbeddingModel | None
    not_after: datetime
    counts: Counter[Put] = field(default_factory=Counter)
    conflicts: list[str] = field(default_factory=list)
    without_vectors: int = 0
    latest: datetime | None = None

    def put(self, number: int, record: Record, at: datetime) -> None:
        try:
            self._reach(record)
            put = self._put_memory(record, at) if record["record"] == "memory" else self._put(record)
        except (KeyError, TypeError, ValueError, AttributeError, InvalidInput) as error:
            raise _broken(number, f"it cannot be read ({type(error).__name__}: {error})") from error
        except StoreError as error:
            if type(error) is not StoreError:
                raise
            raise _broken(number, f"the store refuses it ({error})") from error
        self.counts[put] += 1
        if put in (Put.DIFFERENT, Put.DANGLING):
            name = record.get("id") or record.get("name") or record.get("recall_id") or record.get("memory_id")
            self.conflicts.append(f"line {number}: {record['record']} {name} ({put})")

    def _put(self, record: Record) -> Put:
        return self.parts.store.transfer.put(self.scope, record)

    def _put_memory(self, record: Record, at: datetime) -> Put:
        if content_hash(record["text"]) != record["content_hash"]:
            raise ValueError("the text does not fit its hash")
        passages = prepare_stored(_draft(record), record["speaker"])
        vectors = self._vectors(record, passages)
        put = self.parts.store.transfer.put_memory(self.scope, record, passages, vectors, at)
        self.without_vectors += put is Put.ADDED and vectors is None
        return put

    def _vectors(self, record: Record, passages: tuple[NewPassage, ...]) -> Vectors | None:
        """The record's vectors, if they are of the pinned model and fit the passages; the first model is pinned."""
        rows = record.get("vectors")
        if self.model is None or not rows or len(rows) != len(passages):
            return None
        pinned = self.parts.store.space.pinned(self.scope)
        if pinned is None:
            self.parts.store.space.pin(self.scope, self.model)
        elif mismatch(pinned, self.model):
            return None
        import numpy as np

        table = np.frombuffer(bytes.fromhex("".join(rows)), dtype=np.int8).reshape(len(rows), self.model.dimension)
        vectors = table.astype(np.float32)
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)

    def _reach(self, record: Record) -> None:
        for told in (record, *record.get("versions", ()), *record.get("states", ())):
            for name in ("known_from", "known_until", "created_at", "at"):
                if told.get(name) is not None:
                    instant = parse_time(told[name], name)
                    if instant > self.not_after:
                        raise ValueError(f"{name} {told[name]} lies in the future")
                    self.latest = max(self.latest or instant, instant)


def _draft(record: Record) -> MemoryDraft:
    """What the indexes are made from, as it was when the memory was first written."""
    occurred_at = record["occurred_at"]
    return MemoryDraft(
        text=record["text"],
        kind=Kind(record["kind"]),
        topic=record["topic"],
        tags=tuple(record["versions"][0]["tags"]),
        occurred_at=None if occurred_at is None else parse_time(occurred_at, "occurred_at"),
    )


def _model(header: Record) -> EmbeddingModel | None:
    model = header.get("model")
    return None if model is None else EmbeddingModel(model["model_id"], model["dimension"])


def _records(lines: Iterable[str]) -> Iterator[tuple[int, Record]]:
    return ((number, record) for number, record in _objects(lines) if record.get("record") in KINDS)


def _objects(lines: Iterable[str]) -> Iterator[tuple[int, Record]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record: Any = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise _broken(number, f"it is not JSON ({error})") from error
        if not isinstance(record, dict):
            raise _broken(number, "it is no JSON object")
        yield number, record


def _line(record: Record) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def _digested(record: Record) -> bytes:
    """What the digest sees of a record: all but its vectors, which can be made again."""
    plain = {name: value for name, value in record.items() if name != "vectors"}
    return json.dumps(plain, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def _broken(number: int, what: str) -> BrokenFile:
    return BrokenFile(f"Line {number}: {what}.", field="file", fix="Mend the file or export again.")
