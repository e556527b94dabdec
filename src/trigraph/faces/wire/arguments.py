"""Loose arguments → what the engine takes. One place for all faces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any

from trigraph.errors import InvalidInput, TrigraphError
from trigraph.faces.wire.values import (
    check_keys,
    choice,
    flag,
    number,
    number_of,
    optional_text,
    optional_time,
    optional_whole,
    strings,
    text_of,
    whole,
)
from trigraph.model.change import CitationKind
from trigraph.model.memory import (
    DecisionDetails,
    Derivation,
    Details,
    EntityType,
    Kind,
    MemoryDraft,
    MemoryFilter,
    OutcomeDetails,
    OutcomeResult,
    Source,
    Status,
    Visibility,
)
from trigraph.model.neighbourhood import GraphName, NeighbourhoodQuery
from trigraph.model.query import CONSTRAINT_TOKENS, Fusion, Profile, RecallQuery
from trigraph.model.revision import Revision, Use
from trigraph.model.thread import Message, ThreadDraft

_DRAFT_KEYS = frozenset(
    """
    text kind type subject topic tags domains visibility group source session turn uri occurred_at valid_from
    valid_until confidence pinned reasoning result reason derived_from
    """.split()
)
_MESSAGE_KEYS = frozenset("text speaker role occurred_at seq".split())
_THREAD_KEYS = frozenset("messages name session title visibility group source append".split())


_REVISION_KEYS = frozenset("topic tags domains source session turn uri confidence reasoning valid_from reason".split())
_USE_KEYS = frozenset("id kind notes".split())
_FILTERS = frozenset(field.name for field in fields(MemoryFilter)) - {"happened_from", "happened_until", "domainless"}
_RECALL_FILTERS = _FILTERS - {"session", "status"}


def memory_draft(values: Mapping[str, Any]) -> MemoryDraft:
    """A draft from loose values; unknown keys, bad choices and bad times are clear errors."""
    check_keys(values, _DRAFT_KEYS, "memory")
    given = {name: value for name, value in values.items() if value is not None}
    return MemoryDraft(
        text=given.get("text", ""),
        kind=choice(Kind, given.get("kind", Kind.FACT), "kind"),
        topic=given.get("topic"),
        tags=strings(given.get("tags", ()), "tags"),
        domains=strings(given.get("domains", ()), "domains"),
        visibility=_visibility(given),
        group=given.get("group"),
        subject=given.get("subject"),
        type=choice(EntityType, given["type"], "type") if "type" in given else None,
        source=choice(Source, given.get("source", Source.USER), "source"),
        session=given.get("session"),
        turn=given.get("turn"),
        uri=given.get("uri"),
        occurred_at=optional_time(given.get("occurred_at"), "occurred_at"),
        valid_from=optional_time(given.get("valid_from"), "valid_from"),
        valid_until=optional_time(given.get("valid_until"), "valid_until"),
        confidence=number(given, "confidence"),
        pinned=flag(given, "pinned"),
        details=_details(given),
        derived_from=tuple(Derivation(id_) for id_ in strings(given.get("derived_from", ()), "derived_from")),
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
    check_keys(values, _THREAD_KEYS, "thread")
    messages = values.get("messages", ())
    if isinstance(messages, str | Mapping) or not isinstance(messages, Iterable):
        raise InvalidInput("messages must be a list.", field="messages", fix="Give one object per message.")
    return ThreadDraft(
        messages=tuple(_message_or_error(number, one) for number, one in enumerate(messages)),
        name=values.get("name"),
        session=values.get("session"),
        title=values.get("title"),
        visibility=_visibility(values),
        group=values.get("group"),
        source=choice(Source, values.get("source") or Source.USER, "source"),
        append=flag(values, "append"),
    )


def memory_filter(
    *,
    kinds: Iterable[str] = (),
    types: Iterable[str] = (),
    status: str | None = None,
    entity: str | None = None,
    topic: str | None = None,
    tags: Iterable[str] = (),
    domains: Iterable[str] = (),
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
    visibility: str | None = None,
    verified_before: object = None,
) -> MemoryFilter:
    """Which memories a read is about."""
    return MemoryFilter(
        kinds=tuple(choice(Kind, kind, "kind") for kind in strings(kinds, "kinds")),
        types=tuple(choice(EntityType, type_, "type") for type_ in strings(types, "types")),
        status=Status.ACTIVE if status is None else choice(Status, status, "status"),
        entity=optional_text(entity, "entity"),
        topic=optional_text(topic, "topic"),
        tags=strings(tags, "tags"),
        domains=strings(domains, "domains"),
        sources=tuple(choice(Source, source, "source") for source in strings(sources, "sources")),
        author=optional_text(author, "author"),
        session=optional_text(session, "session"),
        thread=optional_text(thread, "thread"),
        first_seq=optional_whole(first_seq, "first_seq"),
        last_seq=optional_whole(last_seq, "last_seq"),
        created_after=optional_time(created_after, "created_after"),
        created_before=optional_time(created_before, "created_before"),
        occurred_after=optional_time(occurred_after, "occurred_after"),
        occurred_before=optional_time(occurred_before, "occurred_before"),
        visibility=None if visibility is None else choice(Visibility, visibility, "visibility"),
        verified_before=optional_time(verified_before, "verified_before"),
    )


def recall_query(
    text: str,
    *,
    limit: int = 10,
    budget_tokens: int | None = None,
    as_of: object = None,
    known_at: object = None,
    session: str | None = None,
    superseded: bool | None = None,
    expand: bool = True,
    profile: str | Profile | None = None,
    fusion: str | None = None,
    explain: bool = False,
    rerank: bool = True,
    all_domains: bool = False,
    constraint_tokens: int = CONSTRAINT_TOKENS,
    context: str | None = None,
    in_thread: str | None = None,
    neighbours: int = 0,
    threads: int = 0,
    **filters: Any,
) -> RecallQuery:
    """One question to memory; what is left of the arguments is a filter.

    `session` is the asker's own, for telemetry; it is no filter.
    """
    check_keys(filters, _RECALL_FILTERS, "recall")
    return RecallQuery(
        text=text,
        limit=whole(limit, "limit"),
        budget_tokens=optional_whole(budget_tokens, "budget_tokens"),
        filter=memory_filter(**filters),
        as_of=optional_time(as_of, "as_of"),
        known_at=optional_time(known_at, "known_at"),
        session=optional_text(session, "session"),
        superseded=None if superseded is None else flag({"superseded": superseded}, "superseded"),
        expand=flag({"expand": expand}, "expand"),
        profile=profile if isinstance(profile, Profile) else optional_text(profile, "profile"),
        fusion=choice(Fusion, fusion, "fusion") if fusion is not None else None,
        explain=flag({"explain": explain}, "explain"),
        rerank=flag({"rerank": rerank}, "rerank"),
        all_domains=flag({"all_domains": all_domains}, "all_domains"),
        constraint_tokens=whole(constraint_tokens, "constraint_tokens"),
        context=optional_text(context, "context"),
        in_thread=optional_text(in_thread, "in_thread"),
        neighbours=whole(neighbours, "neighbours"),
        threads=whole(threads, "threads"),
    )


def neighbourhood_query(
    depth: object,
    graphs: object,
    types: object,
    confidence: object,
    automatic: object,
    limit: object,
    times: tuple[datetime | None, datetime | None],
) -> NeighbourhoodQuery:
    """How far to look around a thing, and along what."""
    as_of, known_at = times
    named = tuple(choice(GraphName, one, "graphs") for one in strings(graphs, "graphs"))
    return NeighbourhoodQuery(
        depth=whole(depth, "depth"),
        graphs=named or NeighbourhoodQuery().graphs,
        types=tuple(strings(types, "types")),
        confidence=number_of(confidence, "confidence"),
        automatic=flag({"automatic": automatic}, "automatic"),
        limit=whole(limit, "limit"),
        as_of=as_of,
        known_at=known_at,
    )


def listing_filter(**filters: Any) -> MemoryFilter:
    """Which memories a listing is about; an unknown name is answered with the nearest known one."""
    check_keys(filters, _FILTERS, "list")
    return memory_filter(**filters)


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
    check_keys(values, _MESSAGE_KEYS, f"message {number}")
    return Message(
        text=values.get("text", ""),
        speaker=values.get("speaker"),
        role=values.get("role"),
        occurred_at=optional_time(values.get("occurred_at"), "occurred_at"),
        seq=optional_whole(values.get("seq"), "seq"),
    )


def _visibility(given: Mapping[str, Any]) -> Visibility:
    """As given; whoever names a group means that group."""
    return audience(given.get("visibility"), given.get("group"))[0]


def _details(given: Mapping[str, Any]) -> Details | None:
    if "result" in given:
        return OutcomeDetails(choice(OutcomeResult, given["result"], "result"), given.get("reason"))
    if "reason" in given:
        raise InvalidInput(
            "reason belongs to a result.",
            field="reason",
            fix="Give result as well: SUCCESS, FAILED or PARTIAL.",
        )
    return DecisionDetails(given["reasoning"]) if "reasoning" in given else None


def revision(text: object, values: Mapping[str, Any]) -> Revision:
    """What takes the place of a memory."""
    check_keys(values, _REVISION_KEYS, "revision")
    given = {name: value for name, value in values.items() if value is not None}
    return Revision(
        text=check_text(text),
        topic=optional_text(given.get("topic"), "topic"),
        tags=strings(given["tags"], "tags") if "tags" in given else None,
        domains=strings(given["domains"], "domains") if "domains" in given else None,
        source=choice(Source, given.get("source", Source.USER), "source"),
        session=optional_text(given.get("session"), "session"),
        turn=optional_text(given.get("turn"), "turn"),
        uri=optional_text(given.get("uri"), "uri"),
        confidence=number(given, "confidence"),
        details=DecisionDetails(text_of(given["reasoning"], "reasoning")) if "reasoning" in given else None,
        valid_from=optional_time(given.get("valid_from"), "valid_from"),
        reason=optional_text(given.get("reason"), "reason"),
    )


def check_text(text: object) -> str:
    """The text of a revision."""
    found = text_of(text, "text")
    if not found.strip():
        raise InvalidInput("text is empty.", field="text", fix="Give at least one word.")
    return found


def uses(
    memory: str | None = None,
    kind: object = CitationKind.CITED,
    notes: str | None = None,
    items: Iterable[Mapping[str, Any]] | None = None,
) -> tuple[Use, ...]:
    """One use of a memory, or several as objects with id, kind and notes."""
    if items is not None and (isinstance(items, str | Mapping) or not isinstance(items, Iterable)):
        raise InvalidInput("items must be a list.", field="items", fix='Write it like [{"id": "m_…"}].')
    if (memory is None) == (items is None):
        raise InvalidInput("Give one memory, or a list of items.", field="items", fix="Give exactly one of them.")
    if memory is not None:
        items = [{"id": memory, "kind": kind, "notes": notes}]
    found = []
    for item in items or ():
        if not isinstance(item, Mapping):
            raise InvalidInput("An item must be an object.", field="items", fix='Write it like {"id": "m_…"}.')
        check_keys(item, _USE_KEYS, "citation")
        found.append(
            Use(
                text_of(item.get("id"), "id"),
                choice(CitationKind, item.get("kind") or CitationKind.CITED, "kind"),
                optional_text(item.get("notes"), "notes"),
            )
        )
    return tuple(found)


def audience(visibility: object, group: object) -> tuple[Visibility, str | None]:
    """With whom to share; whoever names a group means that group."""
    named = optional_text(group, "group")
    default = Visibility.GROUP if named else Visibility.SHARED
    return choice(Visibility, visibility or default, "visibility"), named


def draft_about(text: object, fields: Mapping[str, Any]) -> MemoryDraft:
    """A draft about something that is there: its text may be left to the verb, and whoever sees that sees it."""
    without_audience(fields)
    return draft_told(text, fields)


def without_audience(fields: Mapping[str, Any]) -> None:
    """An audience is taken over, never given."""
    for field in ("visibility", "group"):
        if fields.get(field) is not None:
            raise InvalidInput(
                f"{field} is taken over: whoever sees what this is about sees it.",
                field=field,
                fix="Leave it out.",
            )


def draft_told(text: object, fields: Mapping[str, Any]) -> MemoryDraft:
    """A draft whose text may be left to the verb."""
    told = None if text is None else text_of(text, "text")
    return memory_draft({**fields, "text": told})
