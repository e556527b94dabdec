"""Rows ↔ values."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from trigraph.model.change import MemoryVersion, Verb
from trigraph.model.memory import (
    DecisionDetails,
    Details,
    EntityType,
    Kind,
    Memory,
    OutcomeDetails,
    OutcomeResult,
    Place,
    Provenance,
    SessionDetails,
    Source,
    Status,
    Strength,
    Subject,
    Visibility,
)
from trigraph.model.times import from_micros, to_micros


def memory_from(row: Sequence[Any]) -> Memory:
    """A memory from `splicing.MEMORY_COLUMNS`."""
    (id_, project, kind, text, topic, content_hash, source, author, session, turn, uri, trust, details,
     thread_id, seq, speaker, role, occurred_at, created_at, retracted_at, valid_from, valid_until,
     last_verified_at, status, visibility, tags, domains, confidence, pinned, group, root_id, superseded,
     superseded_by, subject_id, subject_type, subject_name, referenced_at, stability_days, difficulty,
     restatements) = row  # fmt: skip
    return Memory(
        id=id_,
        project=project,
        kind=Kind(kind),
        text=text,
        topic=topic,
        content_hash=content_hash,
        provenance=Provenance(Source(source), author, session, turn, uri),
        trust=trust,
        details=details_from(details),
        place=None if thread_id is None else Place(thread_id, seq, speaker, role),
        occurred_at=time_from(occurred_at),
        created_at=from_micros(created_at),
        retracted_at=time_from(retracted_at),
        valid_from=from_micros(valid_from),
        valid_until=time_from(valid_until),
        last_verified_at=time_from(last_verified_at),
        status=Status(status),
        visibility=Visibility(visibility),
        tags=tuple(json.loads(tags)),
        domains=tuple(json.loads(domains)),
        confidence=confidence,
        pinned=bool(pinned),
        group=group,
        superseded=bool(superseded),
        superseded_by=superseded_by,
        subject=None if subject_id is None else Subject(subject_id, subject_name, EntityType(subject_type)),
        root_id=root_id,
        referenced_at=time_from(referenced_at),
        strength=None if stability_days is None else Strength(stability_days, difficulty),
        restatements=restatements,
    )


def version_from(row: Sequence[Any]) -> MemoryVersion:
    """A version from the query `versions`."""
    (memory_id, known_from, known_until, valid_from, valid_until, retracted_at, status, visibility, group, tags,
     domains, confidence, pinned, last_verified_at, superseded, superseded_by, verb, changed_by,
     reason) = row  # fmt: skip
    return MemoryVersion(
        memory_id=memory_id,
        known_from=from_micros(known_from),
        known_until=time_from(known_until),
        valid_from=from_micros(valid_from),
        valid_until=time_from(valid_until),
        retracted_at=time_from(retracted_at),
        status=Status(status),
        visibility=Visibility(visibility),
        group=group,
        tags=tuple(json.loads(tags)),
        domains=tuple(json.loads(domains)),
        confidence=confidence,
        pinned=bool(pinned),
        last_verified_at=time_from(last_verified_at),
        superseded=bool(superseded),
        superseded_by=superseded_by,
        verb=Verb(verb),
        changed_by=changed_by,
        reason=reason,
    )


def memory_params(memory: Memory) -> dict[str, object]:
    """Parameters of `add_memory` that come from the memory alone."""
    place = memory.place
    return {
        "id": memory.id,
        "kind": memory.kind,
        "text": memory.text,
        "content_hash": memory.content_hash,
        "topic": memory.topic,
        "details": details_json(memory.details),
        "source": memory.provenance.source,
        "session": memory.provenance.session,
        "turn": memory.provenance.turn,
        "uri": memory.provenance.uri,
        "trust": memory.trust,
        "thread_id": place.thread_id if place else None,
        "seq": place.seq if place else None,
        "speaker": place.speaker if place else None,
        "role": place.role if place else None,
        "occurred_at": time_param(memory.occurred_at),
        "created_at": to_micros(memory.created_at),
        "root_id": memory.root_id,
    }


def version_params(memory: Memory, known_from: datetime) -> dict[str, object]:
    """Parameters of `add_version` that come from the memory."""
    return {
        "known_from": to_micros(known_from),
        "valid_from": to_micros(memory.valid_from),
        "valid_until": time_param(memory.valid_until),
        "retracted_at": time_param(memory.retracted_at),
        "status": memory.status,
        "visibility": memory.visibility,
        "group_name": memory.group,
        "superseded": memory.superseded,
        "superseded_by": memory.superseded_by,
        "tags": json.dumps(memory.tags),
        "domains": json.dumps(memory.domains),
        "confidence": memory.confidence,
        "pinned": int(memory.pinned),
        "last_verified_at": time_param(memory.last_verified_at),
        "referenced_at": time_param(memory.referenced_at),
        "stability_days": memory.strength.stability_days if memory.strength else None,
        "difficulty": memory.strength.difficulty if memory.strength else None,
    }


def time_from(micros: int | None) -> datetime | None:
    """A time that may be absent."""
    return None if micros is None else from_micros(micros)


def time_param(instant: datetime | None) -> int | None:
    """The inverse of `time_from`."""
    return None if instant is None else to_micros(instant)


def details_json(details: Details | None) -> str | None:
    match details:
        case DecisionDetails(reasoning):
            return json.dumps({"reasoning": reasoning})
        case OutcomeDetails(result, reason):
            return json.dumps({"result": result, "reason": reason})
        case SessionDetails(citations):
            return json.dumps({"citations": dict(citations)})
        case None:
            return None


def details_from(text: str | None) -> Details | None:
    if text is None:
        return None
    data = json.loads(text)
    if "reasoning" in data:
        return DecisionDetails(data["reasoning"])
    if "citations" in data:
        return SessionDetails(data["citations"])
    return OutcomeDetails(OutcomeResult(data["result"]), data["reason"])
