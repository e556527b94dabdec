"""The edge: loose arguments and JSON → values, values → JSON. One place for all faces."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

from trigraph.errors import BrokenFile, InvalidInput, TrigraphError, invalid_choice
from trigraph.model.memory import (
    DecisionDetails,
    Details,
    Kind,
    Memory,
    MemoryDraft,
    MemoryFilter,
    OutcomeDetails,
    OutcomeResult,
    Source,
    Visibility,
)
from trigraph.model.query import Fusion, RecallQuery
from trigraph.model.recall import Hit, Recall
from trigraph.model.report import ItemStatus, RememberReport
from trigraph.model.thread import Message, ThreadDraft
from trigraph.model.times import parse_time

WHOLE_MOST = 2**53

_Choice = TypeVar("_Choice", bound=StrEnum)

_DRAFT_KEYS = frozenset(
    """
    text kind topic tags domains visibility source session turn uri occurred_at valid_from valid_until confidence pinned
    reasoning result reason
    """.split()
)
_MESSAGE_KEYS = frozenset("text speaker role occurred_at seq".split())
_THREAD_KEYS = frozenset("messages name session title visibility source append".split())


_FILTERS = frozenset(field.name for field in fields(MemoryFilter))
_RECALL_FILTERS = _FILTERS - {"session"}


def memory_draft(values: Mapping[str, Any]) -> MemoryDraft:
    """A draft from loose values; unknown keys, bad choices and bad times are clear errors."""
    _check_keys(values, _DRAFT_KEYS, "memory")
    given = {name: value for name, value in values.items() if value is not None}
    return MemoryDraft(
        text=given.get("text", ""),
        kind=_choice(Kind, given.get("kind", Kind.FACT), "kind"),
        topic=given.get("topic"),
        tags=_strings(given.get("tags", ()), "tags"),
        domains=_strings(given.get("domains", ()), "domains"),
        visibility=_choice(Visibility, given.get("visibility", Visibility.SHARED), "visibility"),
        source=_choice(Source, given.get("source", Source.USER), "source"),
        session=given.get("session"),
        turn=given.get("turn"),
        uri=given.get("uri"),
        occurred_at=_time(given, "occurred_at"),
        valid_from=_time(given, "valid_from"),
        valid_until=_time(given, "valid_until"),
        confidence=_number(given, "confidence"),
        pinned=_flag(given, "pinned"),
        details=_details(given),
    )


def batch_item(values: object) -> MemoryDraft | TrigraphError:
    """A draft, or the error that is to be reported in its place."""
    try:
        if isinstance(values, str):
            return memory_draft({"text": values})
        if isinstance(values, Mapping):
            return memory_draft(values)
        raise InvalidInput(
            f"An item must be a text or an object, not {type(values).__name__}.",
            field="items",
            fix='Write it like {"text": "…", "kind": "fact"}.',
        )
    except TrigraphError as error:
        return error


def thread_draft(values: Mapping[str, Any]) -> ThreadDraft:
    """A conversation from loose values."""
    _check_keys(values, _THREAD_KEYS, "thread")
    messages = values.get("messages", ())
    if isinstance(messages, str | Mapping) or not isinstance(messages, Iterable):
        raise InvalidInput("messages must be a list.", field="messages", fix="Give one object per message.")
    return ThreadDraft(
        messages=tuple(_message_or_error(number, one) for number, one in enumerate(messages)),
        name=values.get("name"),
        session=values.get("session"),
        title=values.get("title"),
        visibility=_choice(Visibility, values.get("visibility") or Visibility.SHARED, "visibility"),
        source=_choice(Source, values.get("source") or Source.USER, "source"),
        append=_flag(values, "append"),
    )


def memory_filter(
    *,
    kinds: Iterable[str] = (),
    topic: str | None = None,
    tags: Iterable[str] = (),
    sources: Iterable[str] = (),
    author: str | None = None,
    session: str | None = None,
    thread: str | None = None,
    first_seq: int | None = None,
    last_seq: int | None = None,
    created_after: object = None,
    created_before: object = None,
    occurred_after: object = None,
    occurred_before: object = None,
) -> MemoryFilter:
    """Which memories a read is about."""
    times = {
        "created_after": created_after,
        "created_before": created_before,
        "occurred_after": occurred_after,
        "occurred_before": occurred_before,
    }
    return MemoryFilter(
        kinds=tuple(_choice(Kind, kind, "kind") for kind in _strings(kinds, "kinds")),
        topic=_optional_text(topic, "topic"),
        tags=_strings(tags, "tags"),
        sources=tuple(_choice(Source, source, "source") for source in _strings(sources, "sources")),
        author=_optional_text(author, "author"),
        session=_optional_text(session, "session"),
        thread=_optional_text(thread, "thread"),
        first_seq=_optional_whole(first_seq, "first_seq"),
        last_seq=_optional_whole(last_seq, "last_seq"),
        **{name: _time(times, name) for name in times},
    )


def recall_query(
    text: str,
    *,
    limit: int = 10,
    budget_tokens: int | None = None,
    as_of: object = None,
    known_at: object = None,
    session: str | None = None,
    profile: str | None = None,
    fusion: str | None = None,
    **filters: Any,
) -> RecallQuery:
    """One question to memory; what is left of the arguments is a filter.

    `session` is the asker's own, for telemetry; it is no filter.
    """
    _check_keys(filters, _RECALL_FILTERS, "recall")
    return RecallQuery(
        text=text,
        limit=whole(limit, "limit"),
        budget_tokens=_optional_whole(budget_tokens, "budget_tokens"),
        filter=memory_filter(**filters),
        as_of=optional_time(as_of, "as_of"),
        known_at=optional_time(known_at, "known_at"),
        session=_optional_text(session, "session"),
        profile=_optional_text(profile, "profile"),
        fusion=_choice(Fusion, fusion, "fusion") if fusion is not None else None,
    )


def whole(value: object, field: str) -> int:
    """A whole number."""
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > WHOLE_MOST:
        raise InvalidInput(f"{field} must be a whole number.", field=field, fix="Write it like 10.")
    return value


def text_of(value: object, field: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise InvalidInput(f"{field} must be a text, not {type(value).__name__}.", field=field, fix="Give a text.")
    return value


def listing_filter(**filters: Any) -> MemoryFilter:
    """Which memories a listing is about; an unknown name is answered with the nearest known one."""
    _check_keys(filters, _FILTERS, "list")
    return memory_filter(**filters)


def optional_time(value: object, field: str) -> datetime | None:
    """A time that may be left out."""
    return None if value is None else parse_time(value, field)


def read_json_lines(text: str, name: str) -> list[object]:
    """Objects of a JSON Lines text. A broken line is an error that says which, and nothing is read."""
    items: list[object] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            items.append(read_json(line, f"{name}, line {number}"))
    return items


def read_json(text: str, name: str) -> Any:
    """A JSON value, or an error that names where it is broken."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BrokenFile(f"{name} is not JSON ({error}).", field="file", fix="Mend it and try again.") from error


def to_json(value: Any) -> Any:
    """A value as plain JSON data: times as RFC 3339, empty optionals as null."""
    match value:
        case Hit():
            return _hit_json(value)
        case Recall():
            return {**_fields_json(value), "degraded": value.degraded}
        case RememberReport():
            counts = {status.value: value.count(status) for status in ItemStatus}
            return {**_fields_json(value), "counts": counts}
        case datetime():
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case StrEnum():
            return value.value
        case Mapping():
            return {str(to_json(key)): to_json(one) for key, one in value.items()}
        case list() | tuple():
            return [to_json(one) for one in value]
        case _ if is_dataclass(value):
            return _fields_json(value)
        case _:
            return value


def memory_facts(memory: Memory) -> list[tuple[str, str]]:
    """What is known about a memory beside its text, for people: (name, value), in the words of the glossary."""
    provenance, place = memory.provenance, memory.place
    facts: list[tuple[str, str | None]] = [
        *_detail_facts(memory.details),
        ("id", memory.id),
        ("kind", memory.kind.value),
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
        ("visibility", memory.visibility.value),
        ("status", memory.status.value),
        ("pinned", "yes" if memory.pinned else None),
        ("occurred", _shown(memory.occurred_at)),
        ("created", _shown(memory.created_at)),
        ("valid from", _shown(memory.valid_from)),
        ("valid until", _shown(memory.valid_until)),
        ("last verified", _shown(memory.last_verified_at)),
    ]
    return [(name, value) for name, value in facts if value]


def _detail_facts(details: Details | None) -> list[tuple[str, str | None]]:
    match details:
        case DecisionDetails(reasoning):
            return [("reasoning", reasoning)]
        case OutcomeDetails(result, reason):
            return [("result", result.value), ("reason", reason)]
        case None:
            return []


def _shown(instant: datetime | None) -> str | None:
    return instant.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC") if instant else None


def error_json(error: TrigraphError) -> dict[str, Any]:
    """An error as every face shows it."""
    shown: dict[str, Any] = {"code": error.code, "message": error.message, "fix": error.fix}
    if isinstance(error, InvalidInput):
        shown |= {"field": error.field, "allowed": list(error.allowed)}
    return shown


def _hit_json(hit: Hit) -> dict[str, Any]:
    """A hit flat: its memory's fields beside its own; of a long memory only the excerpt."""
    memory = to_json(hit.memory)
    memory["text"] = hit.excerpt.text
    return {
        **memory,
        "rank": hit.rank,
        "score": hit.score,
        "why": hit.why,
        "legs": to_json(hit.legs),
        "excerpt": {"start": hit.excerpt.start, "end": hit.excerpt.end},
        "staleness": {**_fields_json(hit.staleness), "superseded": hit.staleness.superseded},
    }


def _fields_json(value: Any) -> dict[str, Any]:
    return {one.name: to_json(getattr(value, one.name)) for one in fields(value)}


def _message_or_error(number: int, values: object) -> Message | TrigraphError:
    try:
        return _message(number, values)
    except InvalidInput as error:
        return error


def _message(number: int, values: object) -> Message:
    if not isinstance(values, Mapping):
        raise InvalidInput(
            f"Message {number} must be an object, not {type(values).__name__}.",
            field="messages",
            fix='Write it like {"speaker": "Ana", "text": "…"}.',
        )
    _check_keys(values, _MESSAGE_KEYS, f"message {number}")
    return Message(
        text=values.get("text", ""),
        speaker=values.get("speaker"),
        role=values.get("role"),
        occurred_at=_time(values, "occurred_at"),
        seq=_optional_whole(values.get("seq"), "seq"),
    )


def _details(given: Mapping[str, Any]) -> Details | None:
    if "result" in given:
        return OutcomeDetails(_choice(OutcomeResult, given["result"], "result"), given.get("reason"))
    if "reason" in given:
        raise InvalidInput(
            "reason belongs to a result.",
            field="reason",
            fix="Give result as well: SUCCESS, FAILED or PARTIAL.",
        )
    return DecisionDetails(given["reasoning"]) if "reasoning" in given else None


def _check_keys(values: Mapping[str, Any], known: frozenset[str], what: str) -> None:
    for key in values:
        if key not in known:
            raise invalid_choice(f"{what} field", key, sorted(known))


def _choice(options: type[_Choice], value: object, field: str) -> _Choice:
    try:
        return options(value)  # type: ignore[arg-type]
    except ValueError as error:
        raise invalid_choice(field, value, [option.value for option in options]) from error


def _strings(values: object, field: str) -> tuple[str, ...]:
    if values is None:
        return ()
    if isinstance(values, str):
        return (values,)
    if not isinstance(values, Iterable):
        raise InvalidInput(f"{field} must be a list of texts.", field=field, fix='Write it like ["a", "b"].')
    return tuple(text_of(value, field) for value in values)


def _optional_text(value: object, field: str) -> str | None:
    return None if value is None else text_of(value, field)


def _optional_whole(value: object, field: str) -> int | None:
    return None if value is None else whole(value, field)


def _time(values: Mapping[str, Any], field: str) -> datetime | None:
    return optional_time(values.get(field), field)


def _number(values: Mapping[str, Any], field: str) -> float | None:
    value = values.get(field)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(f"{field} must be a number.", field=field, fix="Choose a number from 0 to 1.")
    try:
        return float(value)
    except OverflowError as error:
        raise InvalidInput(f"{field} is too large.", field=field, fix="Choose a number from 0 to 1.") from error


def _flag(values: Mapping[str, Any], field: str) -> bool:
    value = values.get(field)
    if value is None:
        return False
    if not isinstance(value, bool):
        raise InvalidInput(f"{field} must be true or false.", field=field, fix="Write true or false.")
    return value
