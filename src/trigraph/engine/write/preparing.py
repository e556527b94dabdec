"""From a draft to what can be written: checked, cut into passages, analysed. Touches nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from trigraph.contracts import NewPassage
from trigraph.engine.write.deriving import Origin
from trigraph.engine.write.guarding import Guarded, guard
from trigraph.engine.write.saying import props_said, relations_said
from trigraph.errors import InvalidInput
from trigraph.model.document import DocumentRef, ParsedDocument
from trigraph.model.memory import (
    DecisionDetails,
    EntityType,
    Kind,
    MemoryDraft,
    OutcomeDetails,
    SessionDetails,
    Visibility,
)
from trigraph.text.cleaning import LABEL_LIMIT_CHARS, check_label, check_text, content_hash, optional_label
from trigraph.text.documents import parse_document
from trigraph.text.names import NAME_LIMIT_CHARS, Names, is_nameable, names_in
from trigraph.text.passages import Span, split_passages, title_of
from trigraph.text.statements import Stated, StatedProp
from trigraph.text.terms import analyse, date_terms, identifiers

TAGS_MOST = 100
URI_LIMIT_CHARS = 4000


@dataclass(frozen=True, slots=True)
class Prepared:
    """A checked draft with everything that can be derived from it alone.

    `embed_texts` is what the model is to see of each passage; `names` is what linking needs of the text; `relations`
    and `props` are what the text itself says of things; `document`
    is what a document's text says of itself and of others; `guarded` says how it may be let in; `trust` is that of the
    weakest that it was derived from, `said_by_person` that a person said all of it.
    """

    draft: MemoryDraft
    content_hash: str
    passages: tuple[NewPassage, ...]
    embed_texts: tuple[str, ...]
    names: Names
    guarded: Guarded
    relations: tuple[Stated, ...] = ()
    props: tuple[StatedProp, ...] = ()
    document: ParsedDocument | None = None
    speaker: str | None = None
    role: str | None = None
    trust: float = 1.0
    said_by_person: bool = False


def prepare(draft: MemoryDraft, now: datetime, families: Sequence[str], origin: Origin | None = None) -> Prepared:
    """A memory that stands by itself; `families` are those of documents that a document may refer to by number,
    `origin` says what it was derived from."""
    origin = origin or Origin()
    if draft.kind is Kind.EPISODE:
        raise InvalidInput(
            "An episode belongs to a thread.",
            field="kind",
            fix="Use remember_thread (`trigraph remember --thread`).",
        )
    guarded = guard(_checked(draft, now), weakest=origin.weakest)
    prepared = replace(_prepared(guarded, speaker=None), trust=origin.trust, said_by_person=origin.said_by_person)
    if draft.kind is not Kind.DOCUMENT:
        return prepared
    return replace(prepared, document=parse_document(prepared.draft.text, draft.document or DocumentRef(), families))


def prepare_episode(
    draft: MemoryDraft, now: datetime, speaker: str | None, role: str | None, *, unattended: bool = False
) -> Prepared:
    """One message of a thread; `unattended` if nobody looked at what was handed over."""
    speaker, role = optional_label(speaker, "speaker"), optional_label(role, "role")
    guarded = guard(_checked(draft, now), unattended=unattended)
    prepared = _prepared(guarded, speaker=speaker)
    return replace(prepared, speaker=speaker, role=role)


def prepare_stored(draft: MemoryDraft, speaker: str | None) -> tuple[NewPassage, ...]:
    """The passages of a memory that was stored elsewhere: checked there, indexed here."""
    return _prepared(Guarded(draft), speaker).passages


def embed_text(piece: str, label: str | None, speaker: str | None) -> str:
    """What the model is to see of a passage."""
    said = f"{speaker}: {piece.strip()}" if speaker else piece.strip()
    return f"{label}\n{said}" if label else said


def _prepared(guarded: Guarded, speaker: str | None) -> Prepared:
    draft = guarded.draft
    title = _title(draft)
    around = analyse(" ".join(part for part in (speaker, title, *draft.tags) if part))
    if draft.occurred_at is not None:
        around += date_terms(draft.occurred_at)
    passages = tuple(_passage(draft.text, span, title, around) for span in split_passages(draft.text))
    return Prepared(
        draft=draft,
        content_hash=content_hash(draft.text),
        passages=passages,
        embed_texts=tuple(embed_text(draft.text[one.start : one.end], one.label, speaker) for one in passages),
        names=names_in(draft.text),
        guarded=guarded,
        relations=relations_said(draft.text, draft.kind),
        props=props_said(draft.text, draft.kind),
    )


def _passage(text: str, span: Span, title: str | None, around: list[str]) -> NewPassage:
    piece = text[span.start : span.end]
    heading = span.heading[:LABEL_LIMIT_CHARS] if span.heading else None
    label = " - ".join(part for part in (title, heading) if part and part not in piece[: 2 * len(part)])
    return NewPassage(span.start, span.end, label or None, (*analyse(piece), *around), tuple(identifiers(piece)))


def _title(draft: MemoryDraft) -> str | None:
    """What a reader would have to know before any one passage: a document's title, a memory's topic."""
    title = title_of(draft.text) if draft.kind is Kind.DOCUMENT else None
    return (title or draft.topic or "")[:LABEL_LIMIT_CHARS] or None


def _checked(draft: MemoryDraft, now: datetime) -> MemoryDraft:
    check_text(draft.text, draft.kind)
    if (draft.visibility is Visibility.GROUP) != (draft.group is not None):
        raise InvalidInput(
            "visibility group and the name of a group belong together.",
            field="group",
            fix="Give both, or neither.",
        )
    if draft.confidence is not None and not 0 <= draft.confidence <= 1:
        raise InvalidInput(f"confidence is {draft.confidence}.", field="confidence", fix="Choose a number from 0 to 1.")
    for field in ("tags", "domains"):
        if len(getattr(draft, field)) > TAGS_MOST:
            raise InvalidInput(f"Too many {field}.", field=field, fix=f"Give at most {TAGS_MOST}.")
    _check_details(draft)
    valid_from = draft.valid_from or min(draft.occurred_at or now, now)
    if draft.valid_until is not None and draft.valid_until <= valid_from:
        raise InvalidInput(
            f"valid_until {draft.valid_until.isoformat()} is not after valid_from {valid_from.isoformat()}.",
            field="valid_until",
            fix="Give a later time, or leave it out.",
        )
    subject = _subject(draft)
    return replace(
        draft,
        topic=optional_label(draft.topic, "topic"),
        group=optional_label(draft.group, "group"),
        subject=subject,
        type=draft.type or (EntityType.SKILL if subject and draft.kind is Kind.SKILL else None),
        tags=_labels(draft.tags, "tags"),
        domains=_labels(draft.domains, "domains"),
        session=optional_label(draft.session, "session"),
        turn=optional_label(draft.turn, "turn"),
        uri=optional_label(draft.uri, "uri", URI_LIMIT_CHARS),
    )


def _subject(draft: MemoryDraft) -> str | None:
    """What the memory is about: its subject as given, or, where a type is given, its topic."""
    named = draft.subject
    if named is None and draft.type is not None:
        named = draft.topic
    if named is None:
        if draft.type not in (None, EntityType.UNKNOWN):
            raise InvalidInput(
                f"type {draft.type} says what the subject is, and none is named.",
                field="type",
                fix="Give subject (or a topic) as well.",
            )
        return None
    name = check_label(named, "subject", NAME_LIMIT_CHARS)
    if not is_nameable(name):
        raise InvalidInput(
            f"subject {name[:80]!r} cannot name anything.",
            field="subject",
            fix="Give a name of one to ten words; not a number, a pronoun or markup.",
        )
    return name


def _check_details(draft: MemoryDraft) -> None:
    match draft.details:
        case DecisionDetails(reasoning):
            check_text(reasoning, Kind.FACT, "reasoning")
            fitting = Kind.DECISION
        case OutcomeDetails(_, reason):
            if reason is not None:
                check_text(reason, Kind.FACT, "reason")
            fitting = Kind.OUTCOME
        case SessionDetails() | None:
            return
    if draft.kind is not fitting:
        field = "reasoning" if fitting is Kind.DECISION else "result"
        raise InvalidInput(
            f"{field} belongs to a memory of kind {fitting}, not {draft.kind}.",
            field=field,
            fix=f"Leave it out, or use kind {fitting}.",
        )


def _labels(values: tuple[str, ...], field: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(check_label(value, field) for value in values))
