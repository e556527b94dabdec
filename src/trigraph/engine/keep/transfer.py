"""Export and import: everything a project holds as JSON Lines, without loss, a record at a time.

The first line says what the file is, the last one how many records there are and their digest: a file that was
cut short or changed on the way is refused before anything is written. Reading the same file twice changes nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from trigraph.contracts import NewPassage, Progress, Put, Record
from trigraph.engine.embedding import mismatch
from trigraph.engine.keep.records import KINDS, PARTS, check_record
from trigraph.engine.parts import Parts
from trigraph.engine.write.preparing import prepare_stored
from trigraph.errors import BrokenFile, InvalidInput, NotFound, StoreError
from trigraph.model.insight import Span
from trigraph.model.memory import Kind, MemoryDraft
from trigraph.model.scope import Scope
from trigraph.model.status import EmbeddingModel
from trigraph.model.times import parse_time
from trigraph.model.transfer import ExportReport, ImportReport

if TYPE_CHECKING:
    from trigraph.contracts import Vectors

FORMAT = 1
BATCH_SIZE = 500
BATCH_BYTES = 8_000_000
"""One transaction of an import holds so many records, or so many bytes of them."""
_ELSEWHERE = ("agent", "group", "recall_day", "shown_before", "recall_event", "skill_use")
_CLOCKS_DIFFER = timedelta(days=1)
_Counts = tuple[str, str, str]
"""Whose recalls are counted: of a day, an agent and a class."""


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
    digest, file_digest, counts = hashlib.sha256(), hashlib.sha256(), Counter[str]()

    def put(record: Record) -> None:
        line = json.dumps(record, ensure_ascii=False) + "\n"
        file_digest.update(line.encode())
        write(line)

    pinned = parts.store.space.pinned(scope) if vectors else None
    header = {
        "record": "trigraph",
        "format": FORMAT,
        "project": scope.project,
        "exported_at": parts.clock().isoformat(),
        "everything": everything,
        "model": None if pinned is None else {"model_id": pinned.model_id, "dimension": pinned.dimension},
    }
    put(header)
    for record in parts.store.transfer.records(scope, everything=everything, vectors=vectors, events=events):
        digest.update(_digested(record))
        counts[record["record"]] += 1
        put(record)
        if progress and record["record"] == "memory":
            progress(1)
    report = ExportReport({kind: counts[kind] for kind in KINDS if counts[kind]}, digest.hexdigest())
    end = {"record": "end", "counts": dict(report.counts), "digest": report.digest}
    put({**end, "file_digest": file_digest.hexdigest()})
    return report


def import_(
    parts: Parts, scope: Scope, lines: Callable[[], Iterable[str]], progress: Progress | None = None
) -> ImportReport:
    """Read an export into the project, after checking that it is whole.

    What is there already and the same is skipped; what is there and different is kept and reported; what was
    erased here stays erased. `lines` begins the file anew each time it is called: once to check, once to write.
    """
    model, latest = check(lines(), parts.clock() + _CLOCKS_DIFFER)
    state = _Import(parts, scope, model)
    for batch in _batches(_records(lines())):
        with parts.store.transaction(scope, parts.clock()) as at:
            for number, record in batch:
                if record["record"] not in _ELSEWHERE:
                    state.put(number, record, at)
            if latest is not None:
                parts.store.transfer.reached(scope, latest)
        for number, record in batch:  # these are other files: they follow what was committed
            if record["record"] in _ELSEWHERE:
                state.put(number, record, at)
        if progress:
            progress(sum(record["record"] == "memory" for _, record in batch))
    return ImportReport(
        {put.value: count for put, count in state.counts.items()}, tuple(state.conflicts), state.without_vectors
    )


def check(lines: Iterable[str], not_after: datetime) -> tuple[EmbeddingModel | None, datetime | None]:
    """Whether an export is whole and each record what it says; a clear error if not. Returns the model of its vectors
    and the latest time at which anything in it became known."""
    digest, file_digest, counts = hashlib.sha256(), hashlib.sha256(), Counter[str]()
    model: EmbeddingModel | None = None
    latest: datetime | None = None
    agents: set[str] = set()
    begun = ended = False
    for number, line, record in _objects(lines):
        kind = record.get("record")
        try:
            if ended:
                raise ValueError("something follows the end")
            if not begun:
                model, begun = _model(record), True
            elif kind == "end":
                ended = True
                _check_end(record, counts, digest.hexdigest(), file_digest.hexdigest())
            else:
                if kind not in KINDS:
                    raise ValueError(f"record {str(kind)[:40]!r} is not known")
                check_record(record)
                if kind == "agent":
                    agents.add(record["name"])
                elif kind == "group" and not agents.issuperset(record["members"]):
                    raise ValueError("a member of the group is no agent here")
                latest = _latest(record, latest, not_after)
                digest.update(_digested(record))
                counts[kind] += 1
        except (KeyError, TypeError, ValueError, AttributeError, InvalidInput) as error:
            if isinstance(error, BrokenFile):
                raise
            said = f"{error} is missing" if isinstance(error, KeyError) else str(error)
            raise _broken(number, said.rstrip(".")) from error
        file_digest.update(line.rstrip("\r\n").encode() + b"\n")
    if not ended:
        raise BrokenFile(
            "The file ends early: its last line is missing.", field="file", fix="Export again; nothing was written."
        )
    return model, latest


def _check_end(end: Record, counts: Mapping[str, int], digest: str, file_digest: str) -> None:
    if (end.get("counts"), end.get("digest"), end.get("file_digest")) != (dict(counts), digest, file_digest):
        raise BrokenFile(
            "The file is not what was exported: its digest differs.",
            field="file",
            fix="Export again; nothing was written.",
        )


def _latest(record: Record, latest: datetime | None, not_after: datetime) -> datetime | None:
    for told in (record, *(one for part in PARTS for one in record.get(part, ()))):
        for name in ("known_from", "known_until", "created_at", "at", "last_at", "day"):
            if told.get(name) is not None:
                instant = parse_time(told[name], name)
                if instant > not_after:
                    raise ValueError(f"{name} {told[name]} lies in the future")
                latest = max(latest or instant, instant)
    return latest


@dataclass(slots=True)
class _Import:
    """An import under way."""

    parts: Parts
    scope: Scope
    model: EmbeddingModel | None
    counts: Counter[Put] = field(default_factory=Counter)
    conflicts: list[str] = field(default_factory=list)
    without_vectors: int = 0
    told: set[_Counts] = field(default_factory=set)
    counted: set[_Counts] | None = None

    def put(self, number: int, record: Record, at: datetime) -> None:
        try:
            put = self._put_memory(record, at) if record["record"] == "memory" else self._put(record)
        except (LookupError, TypeError, ValueError, AttributeError, InvalidInput, NotFound) as error:
            raise _broken(number, f"it cannot be read ({type(error).__name__}: {error})") from error
        except StoreError as error:
            if type(error) is not StoreError:
                raise
            raise _broken(number, f"the store refuses it ({error})") from error
        self.counts[put] += 1
        if put in (Put.DIFFERENT, Put.DANGLING):
            name = record.get("id") or record.get("name") or record.get("recall_id") or record.get("memory_id")
            if record["record"] == "relation":
                name = f"{record['source_id']} {record['type']} {record['target_id']}"
            elif record["record"] == "recall_day":
                name = f"{record['day']} {record['agent']} {record['query_class']}"
            self.conflicts.append(f"line {number}: {record['record']} {name} ({put})")

    def _put(self, record: Record) -> Put:
        if record["record"] == "recall_event" and self._may_be_counted(record):
            return Put.DIFFERENT
        put = self.parts.store.transfer.put(self.scope, record)
        if record["record"] == "recall_day" and put is not Put.DIFFERENT:
            self.told.add((record["day"], record["agent"], record["query_class"]))
        return put

    def _may_be_counted(self, event: Record) -> bool:
        """Whether a recall that is not here may have been rolled up here: some of its day, agent and class were, and
        not those of which the file tells beside it."""
        if self.counted is None:
            self.counted = self._rolled_up() - self.told  # the counts stand in the file before the recalls
        agent, day = event["agent"], parse_time(event["at"], "at").astimezone(UTC).date().isoformat()
        if (day, agent, event["query_class"]) not in self.counted:
            return False
        return self.parts.store.events.get(replace(self.scope, agent=agent), event["recall_id"]) is None

    def _rolled_up(self) -> set[_Counts]:
        span = Span(datetime(1970, 1, 1, tzinfo=UTC), self.parts.clock() + _CLOCKS_DIFFER, None)
        days = self.parts.store.figures.days(self.scope, span)
        return {(one.day.date().isoformat(), one.agent, one.query_class.value) for one in days if one.rolled_up}

    def _put_memory(self, record: Record, at: datetime) -> Put:
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
    """The model of an export's vectors, by its first line."""
    if header.get("record") != "trigraph":
        raise ValueError("this is no export of trigraph: its first line must say so")
    if header.get("format") != FORMAT:
        raise ValueError(f"format {header.get('format')} is not known; upgrade trigraph")
    model = header.get("model")
    if model is None:
        return None
    model_id, dimension = model["model_id"], model["dimension"]
    if not isinstance(model_id, str) or isinstance(dimension, bool) or not isinstance(dimension, int) or dimension < 1:
        raise ValueError("its model has no id or no dimension")
    return EmbeddingModel(model_id, dimension)


def _records(lines: Iterable[str]) -> Iterator[tuple[int, int, Record]]:
    """(line number, its size, record) of all but the first and the last."""
    return ((number, len(line), record) for number, line, record in _objects(lines) if record.get("record") in KINDS)


def _batches(records: Iterable[tuple[int, int, Record]]) -> Iterator[list[tuple[int, Record]]]:
    batch: list[tuple[int, Record]] = []
    size = 0
    for number, length, record in records:
        batch.append((number, record))
        size += length
        if len(batch) == BATCH_SIZE or size > BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _objects(lines: Iterable[str]) -> Iterator[tuple[int, str, Record]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record: Any = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise _broken(number, f"it is not JSON ({error})") from error
        if not isinstance(record, dict):
            raise _broken(number, "it is no JSON object")
        yield number, line, record


def _digested(record: Record) -> bytes:
    """What the digest sees of a record: all but its vectors, which can be made again."""
    plain = {name: value for name, value in record.items() if name != "vectors"}
    return json.dumps(plain, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def _broken(number: int, what: str) -> BrokenFile:
    return BrokenFile(f"Line {number}: {what}.", field="file", fix="Mend the file or export again.")
