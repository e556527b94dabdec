"""What every write shares: embedding what is prepared, and adding it in the open transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from trigraph.contracts import NewMemory, Progress
from trigraph.engine.embedding import Unusable, mismatch
from trigraph.engine.parts import Parts
from trigraph.engine.write.connecting import connect
from trigraph.engine.write.documents import relate
from trigraph.engine.write.placing import Placed, placed_as_before
from trigraph.engine.write.preparing import Prepared
from trigraph.engine.write.referring import Relating
from trigraph.engine.write.resolution import Called, NameBook, link_entities
from trigraph.engine.write.saying import ends_of, say, things_of
from trigraph.errors import InvalidInput, ModelUnavailable, TrigraphError
from trigraph.model.change import Verb
from trigraph.model.ids import new_id
from trigraph.model.link import LINK_PREFIX, Link, LinkOrigin, LinkType
from trigraph.model.memory import (
    CLEAR_FROM_DISCUSSION,
    MEMORY_PREFIX,
    SAID_BY_USER,
    TRUST,
    Derivation,
    Memory,
    MemoryDraft,
    Place,
    Provenance,
    Source,
    Status,
)
from trigraph.model.report import ItemResult, ItemStatus
from trigraph.model.scope import Scope
from trigraph.model.status import EmbeddingModel
from trigraph.text.terms import topic_key

if TYPE_CHECKING:
    from trigraph.contracts import Vectors


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors of prepared memories, by their place in the list; empty, with the reason, when degraded."""

    model: EmbeddingModel | None
    vectors: dict[int, Vectors]
    degraded: str | None


def embed(
    parts: Parts,
    scope: Scope,
    prepared: Sequence[Prepared],
    *,
    skip: Iterable[int] = (),
    progress: Progress | None = None,
) -> Embedded:
    """Vectors of all that is prepared but what `skip` names. Without a usable model: none, and the reason."""
    skipped = set(skip)
    wanted = [place for place in range(len(prepared)) if place not in skipped]
    texts = [text for place in wanted for text in prepared[place].embed_texts]
    embedder = parts.embedding.usable(parts.store, scope)
    if isinstance(embedder, Unusable):
        return Embedded(None, {}, embedder.reason)
    if not texts:
        return Embedded(embedder.model, {}, None)
    try:
        rows = embedder.embed_documents(texts, progress)
    except ModelUnavailable as error:
        return Embedded(None, {}, str(error))
    vectors, row = {}, 0
    for place in wanted:
        after = row + len(prepared[place].embed_texts)
        vectors[place] = rows[row:after]
        row = after
    return Embedded(embedder.model, vectors, None)


def add(
    parts: Parts,
    scope: Scope,
    one: Prepared,
    memory: Memory,
    vectors: Vectors | None,
    *,
    verb: Verb = Verb.REMEMBER,
    subject: Called | None = None,
    people: Iterable[str] = (),
    book: NameBook | None = None,
    placed: Placed | None = None,
    apart_from: Collection[str] = (),
) -> Memory:
    """Write a memory whole and link it to the entities it speaks of; without vectors it is queued for embedding.

    `subject` is what it is about, where that is known better than by the draft; `people` are names that are
    certainly persons', such as those of a thread's speakers; `book` is shared by what one transaction writes;
    `placed` says which document a document's text is; `apart_from` are memories that it will be linked to on purpose.
    """
    key = topic_key(memory.topic) if memory.topic else None
    book = book or NameBook(parts, scope)
    parts.store.memories.add(scope, NewMemory(memory, key, one.passages, vectors, verb, _signs(one)))
    draw_derivations(parts, scope, memory, one.draft.derived_from)
    if memory.status is Status.QUARANTINED:
        return memory  # it speaks of nothing and is tied to nothing until somebody lets it in
    if subject is None and one.draft.subject is not None:
        subject = Called(one.draft.subject, one.draft.type)
    prefer: dict[str, str] = {}
    beside: frozenset[str] = frozenset()
    if one.document is not None and (placed := placed or placed_as_before(parts, scope, subject)) is not None:
        subject = placed.called
        beside = one.draft.document.beside if one.draft.document else frozenset()
        prefer = Relating(parts, scope, memory, placed, memory.created_at, book, beside).named(one.names)
    tied = link_entities(
        parts,
        scope,
        memory,
        one.names,
        subject=subject,
        people=people,
        book=book,
        prefer=prefer,
        further=(*ends_of(one.relations), *things_of(memory.text, one.props)),
    )
    memory = replace(memory, subject=tied.subject)
    say(parts, scope, memory, one.relations, one.props, tied.named)
    if one.document is not None and placed is not None:
        relate(parts, scope, memory, placed, one.document, memory.created_at, book, beside)
    connect(parts, scope, memory, tied.entity_ids, vectors, apart_from)
    return memory


def draw_derivations(parts: Parts, scope: Scope, memory: Memory, sources: Iterable[Derivation]) -> None:
    """Link a memory to what it was derived from, once each, with the words it was taken from."""
    drawn: set[str] = set()
    for source in sources:
        if source.memory_id in drawn or source.memory_id == memory.id:
            continue
        drawn.add(source.memory_id)
        parts.store.links.add(
            scope,
            Link(
                id=new_id(LINK_PREFIX, memory.created_at),
                from_id=memory.id,
                to_id=source.memory_id,
                type=LinkType.DERIVED_FROM,
                confidence=1.0,
                created_by=LinkOrigin.SYSTEM,
                author=scope.agent,
                reason=None,
                valid_from=memory.valid_from,
                valid_until=None,
                known_from=memory.created_at,
                span=None if source.start is None or source.end is None else (source.start, source.end),
            ),
        )


def _signs(one: Prepared) -> str | None:
    """What a quarantined memory is held back for."""
    return ", ".join(one.guarded.signs) or None


def check_audience(parts: Parts, scope: Scope, group: str | None) -> None:
    """A memory may only be given to a group that its writer is a member of; others are unknown to it."""
    if group is None:
        return
    groups = parts.store.registry.reader(scope).groups
    if group not in groups:
        raise InvalidInput(
            f"{str(group)[:80]!r} is not a group of yours.",
            field="group",
            allowed=sorted(groups),
            fix="`trigraph admin group join` makes an agent a member."
            if not groups
            else f"Yours: {', '.join(sorted(groups))}.",
        )


def fitting(parts: Parts, scope: Scope, embedded: Embedded) -> dict[int, Vectors]:
    """The vectors, if they are of the pinned model; the first model to write is pinned."""
    if embedded.model is None:
        return {}
    pinned = parts.store.space.pinned(scope)
    if pinned is None and embedded.vectors:
        parts.store.space.pin(scope, embedded.model)
    return {} if mismatch(pinned, embedded.model) else embedded.vectors


def new_memory(scope: Scope, one: Prepared, at: datetime, place: Place | None) -> Memory:
    """The memory that a prepared draft becomes at the time of the transaction."""
    draft = one.draft
    confidence = SAID_BY_USER if draft.source is Source.USER else CLEAR_FROM_DISCUSSION
    return Memory(
        id=new_id(MEMORY_PREFIX, at),
        project=scope.project,
        kind=draft.kind,
        text=draft.text,
        topic=draft.topic,
        content_hash=one.content_hash,
        provenance=Provenance(draft.source, scope.agent, draft.session, draft.turn, draft.uri),
        trust=min(TRUST[draft.source], one.trust),
        details=draft.details,
        place=place,
        occurred_at=draft.occurred_at,
        created_at=at,
        retracted_at=None,
        valid_from=_valid_from(draft, at),
        valid_until=draft.valid_until,
        last_verified_at=None,
        status=one.guarded.status,
        visibility=draft.visibility,
        tags=draft.tags,
        domains=draft.domains,
        confidence=draft.confidence if draft.confidence is not None else confidence,
        pinned=draft.pinned,
        group=draft.group,
    )


def _valid_from(draft: MemoryDraft, at: datetime) -> datetime:
    start = draft.valid_from or min(draft.occurred_at or at, at)
    # What was after the start when it was checked may have been overtaken by the clock since.
    return min(start, draft.valid_until) if draft.valid_until is not None else start


def added(one: Prepared, memory: Memory) -> ItemResult:
    """The result of an item that was written."""
    if one.guarded.signs:
        held = f"reads like an instruction: {', '.join(one.guarded.signs)}"
        return ItemResult(ItemStatus.QUARANTINED, memory.id, held)
    taken_out = f"redacted: {', '.join(one.guarded.redacted)}" if one.guarded.redacted else None
    return ItemResult(ItemStatus.ADDED, memory.id, taken_out)


def failure(error: TrigraphError) -> ItemResult:
    """The result of an item that could not be taken."""
    return ItemResult(ItemStatus.ERROR, None, str(error), error.code)
