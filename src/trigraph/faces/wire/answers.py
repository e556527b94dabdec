"""What the engine answers → plain JSON data, and facts for people."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from trigraph.errors import InvalidInput, TrigraphError
from trigraph.model.audit import Audit, GraphDiff
from trigraph.model.change import Changed
from trigraph.model.document import Document
from trigraph.model.entity import Entity
from trigraph.model.job import Job
from trigraph.model.memory import DecisionDetails, Details, Memory, OutcomeDetails, SessionDetails
from trigraph.model.recall import Hit, Recall
from trigraph.model.relation import Relation
from trigraph.model.report import DocumentsReport, ItemStatus, RememberReport
from trigraph.model.tail import Happened

_PLAIN = frozenset({str, int, float, bool, type(None)})
"""Most values are one of these, and are JSON as they are."""


def to_json(value: Any) -> Any:
    """A value as plain JSON data: times as RFC 3339, empty optionals as null."""
    if type(value) in _PLAIN:
        return value
    match value:
        case Hit():
            return _hit_json(value)
        case Recall():
            asked_for = {"signals": bool(value.signals), "stages": value.explained, "explained": False}
            asked_for["threads"] = value.threads is not None
            shown = {**_fields_json(value), "degraded": value.degraded}
            return {name: one for name, one in shown.items() if asked_for.get(name, True)}
        case DocumentsReport():
            return {**_fields_json(value), "counts": to_json(value.report())["counts"]}
        case Document():
            return {**_fields_json(value), "stub": value.stub}
        case Relation():
            said = ("source_memory_id", "extracted_from_section", "created_at")
            return {**_fields_json(value), **{name: to_json(getattr(value, name)) for name in said}}
        case Audit():
            return {**_fields_json(value), "ok": value.ok}
        case GraphDiff():
            return {**_fields_json(value), "empty": value.empty}
        case Memory():
            return {**_fields_json(value), "type": value.type.value}
        case Entity():
            return {**_fields_json(value), "name": value.name, "retired": value.retired}
        case Changed():
            return {**_fields_json(value), "id": value.ids[0] if value.ids else None}
        case RememberReport():
            counts = {status.value: value.count(status) for status in ItemStatus}
            return {**_fields_json(value), "counts": counts}
        case Happened():
            return {"event": value.event, **_fields_json(value)}
        case Job():
            told = {name: json.loads(text) if text else None for name, text in _written(value)}
            return {**_fields_json(value), **told}
        case datetime():
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case StrEnum():
            return value.value
        case Mapping():
            return {str(to_json(key)): to_json(one) for key, one in value.items()}
        case list() | tuple():
            return [to_json(one) for one in value]
        case frozenset():
            return sorted(to_json(one) for one in value)
        case _ if is_dataclass(value):
            return _fields_json(value)
        case _:
            return value


def _written(job: Job) -> tuple[tuple[str, str | None], ...]:
    return ("payload", job.payload), ("result", job.result)


def memory_facts(memory: Memory) -> list[tuple[str, str]]:
    """What is known about a memory beside its text, for people: (name, value), in the words of the glossary."""
    provenance, place = memory.provenance, memory.place
    facts: list[tuple[str, str | None]] = [
        *_detail_facts(memory.details),
        ("id", memory.id),
        ("kind", memory.kind.value),
        ("subject", f"{memory.subject.name} ({memory.subject.type.value})" if memory.subject else None),
        ("topic", memory.topic),
        ("tags", ", ".join(memory.tags)),
        ("domains", ", ".join(memory.domains)),
        ("source", provenance.source.value),
        ("uri", provenance.uri),
        ("author", provenance.author),
        ("session", provenance.session),
        ("turn", provenance.turn),
        ("thread", f"message {place.seq} of {place.thread_id}" if place else None),
        ("speaker", place.speaker if place else None),
        ("trust", f"{memory.trust:g}"),
        ("confidence", f"{memory.confidence:g}"),
        ("visibility", f"group {memory.group}" if memory.group else memory.visibility.value),
        ("status", memory.status.value),
        ("pinned", "yes" if memory.pinned else None),
        ("occurred", shown_time(memory.occurred_at)),
        ("created", shown_time(memory.created_at)),
        ("valid from", shown_time(memory.valid_from)),
        ("valid until", shown_time(memory.valid_until)),
        ("superseded by", memory.superseded_by or ("something you may not see" if memory.superseded else None)),
        ("last verified", shown_time(memory.last_verified_at)),
    ]
    return [(name, value) for name, value in facts if value]


def error_json(error: TrigraphError) -> dict[str, Any]:
    """An error as every face shows it."""
    shown: dict[str, Any] = {"code": error.code, "message": error.message, "fix": error.fix}
    if isinstance(error, InvalidInput):
        shown |= {"field": error.field, "allowed": list(error.allowed)}
    return shown


def _detail_facts(details: Details | None) -> list[tuple[str, str | None]]:
    match details:
        case DecisionDetails(reasoning):
            return [("reasoning", reasoning)]
        case OutcomeDetails(result, reason):
            return [("result", result.value), ("reason", reason)]
        case SessionDetails(citations):
            return [("citations", ", ".join(f"{count} {kind}" for kind, count in citations.items()))]
        case None:
            return []


def shown_time(instant: datetime | None) -> str | None:
    """A time for people; None if there is none."""
    return instant.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC") if instant else None


def _hit_json(hit: Hit) -> dict[str, Any]:
    """A hit flat: its memory's fields beside its own; of a long memory only the excerpt."""
    memory = to_json(hit.memory)
    memory["text"] = hit.excerpt.text
    asked_for = {name: to_json(told) for name, told in (("features", hit.features), ("moved", hit.moved)) if told}
    if hit.before is not None:
        asked_for |= {"before": to_json(hit.before), "after": to_json(hit.after)}
    return {
        **memory,
        "rank": hit.rank,
        "score": hit.score,
        "why": hit.why,
        "legs": to_json(hit.legs),
        "excerpt": {"start": hit.excerpt.start, "end": hit.excerpt.end},
        "staleness": _fields_json(hit.staleness),
        "outcomes": to_json(hit.outcomes),
        "effective_confidence": hit.effective_confidence,
        "attached": to_json(hit.attached),
        **asked_for,
    }


def _fields_json(value: Any) -> dict[str, Any]:
    return {one.name: to_json(getattr(value, one.name)) for one in fields(value)}
