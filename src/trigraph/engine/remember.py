"""The one write path: prepare, embed, compare, then one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING

from trigraph.contracts import NewMemory, Progress
from trigraph.engine.embedding import Unusable, mismatch
from trigraph.engine.parts import Parts
from trigraph.engine.preparing import Prepared, prepare, prepare_episode
from trigraph.errors import InvalidInput, ModelUnavailable, NotFound, StoreError, TrigraphError
from trigraph.model.ids import is_full_id, new_id
from trigraph.model.memory import (
    CLEAR_FROM_DISCUSSION,
    MEMORY_PREFIX,
    SAID_BY_USER,
    TRUST,
    Kind,
    Memory,
    MemoryDraft,
    Place,
    Provenance,
    Source,
    Status,
    Visibility,
)
from trigraph.model.report import ItemResult, ItemStatus, RememberReport
from trigraph.model.scope import Scope
from trigraph.model.status import EmbeddingModel
from trigraph.model.thread import THREAD_PREFIX, Message, Thread, ThreadDraft
from trigraph.model.times import Moment
from trigraph.text.cleaning import optional_label
from trigraph.text.terms import topic_key

if TYPE_CHECKING:
    from trigraph.contracts import Vectors

BATCH_SIZE = 256
"""How many items a bulk write commits at once: enough that the embedder sets the pace, not the disk."""
THREAD_LIMIT_MESSAGES = 20_000
SEQ_LIMIT = 2**31

Item = MemoryDraft | TrigraphError
"""An item of a batch: a draft, or the error that kept it from becoming one."""


@dataclass(frozen=True, slots=True)
class _Embedded:
    """Vectors of prepared memories, by their place in the list; empty, with the reason, when degraded."""

    model: EmbeddingModel | None
    vectors: dict[int, Vectors]
    degraded: str | None


def remember(parts: Parts, scope: Scope, draft: MemoryDraft) -> RememberReport:
    """Keep one memory, or raise and write nothing."""
    prepared = [prepare(draft, parts.clock())]
    embedded = _embed(parts, scope, prepared, skip=_known(parts, scope, prepared))
    results = _write(parts, scope, prepared, embedded)
    return RememberReport(tuple(results), degraded=embedded.degraded)


def remember_batch(
    parts: Parts, scope: Scope, items: Iterable[Item], progress: Progress | None = None
) -> RememberReport:
    """Keep many memories; each has its own result, and a bad one never loses the others.

    Each run of `BATCH_SIZE` items is one transaction. When the store fails, the items of that run and all
    that follow are reported as errors with its reason; those before it are kept.
    """
    results: list[ItemResult] = []
    degraded: str | None = None
    broken: StoreError | None = None
    for run in _runs(items):
        attempts = [_failure(broken) if broken else _attempt(item, parts.clock()) for item in run]
        prepared = [attempt for attempt in attempts if isinstance(attempt, Prepared)]
        try:
            embedded = _embed(parts, scope, prepared, skip=_known(parts, scope, prepared))
            written = iter(_write(parts, scope, prepared, embedded))
            degraded = degraded or embedded.degraded
        except StoreError as error:
            broken = error
            written = iter([_failure(error)] * len(prepared))
        results += [next(written) if isinstance(attempt, Prepared) else attempt for attempt in attempts]
        if progress:
            progress(len(run))
    return RememberReport(tuple(results), degraded=degraded)


def remember_thread(parts: Parts, scope: Scope, draft: ThreadDraft, progress: Progress | None = None) -> RememberReport:
    """Keep a conversation's messages as episodes, in one transaction.

    A message that cannot be taken is reported, and its place stays a hole.
    """
    draft = _checked_thread(draft)
    attempts = [_attempt_message(draft, message, parts.clock()) for message in draft.messages]
    prepared = [attempt for attempt in attempts if isinstance(attempt, Prepared)]
    embedded = _embed(parts, scope, prepared, skip=_kept(parts, scope, draft, attempts), progress=progress)
    with parts.store.transaction(scope, parts.clock()) as at:
        thread = _find_or_add_thread(parts, scope, draft, at)
        seqs = _seqs(draft, parts.store.threads.next_seq(scope, thread.id) if draft.append else 0)
        kept = [seq for seq, attempt in zip(seqs, attempts, strict=True) if isinstance(attempt, Prepared)]
        places = [Place(thread.id, seq, one.speaker, one.role) for seq, one in zip(kept, prepared, strict=True)]
        said = [_of_session(one, thread) for one in prepared]
        written = iter(_add_episodes(parts, scope, said, places, embedded, at))
    results = [next(written) if isinstance(attempt, Prepared) else attempt for attempt in attempts]
    return RememberReport(tuple(results), thread_id=thread.id, degraded=embedded.degraded)


def _runs(items: Iterable[Item]) -> Iterator[list[Item]]:
    remaining = iter(items)
    while run := list(islice(remaining, BATCH_SIZE)):
        yield run


def _attempt(item: Item, now: datetime) -> Prepared | ItemResult:
    try:
        return _failure(item) if isinstance(item, TrigraphError) else prepare(item, now)
    except InvalidInput as error:
        return _failure(error)


def _attempt_message(draft: ThreadDraft, message: Message | TrigraphError, now: datetime) -> Prepared | ItemResult:
    if isinstance(message, TrigraphError):
        return _failure(message)
    episode = MemoryDraft(
        text=message.text,
        kind=Kind.EPISODE,
        visibility=draft.visibility,
        source=draft.source,
        session=draft.session,
        occurred_at=message.occurred_at,
    )
    try:
        return prepare_episode(episode, now, message.speaker, message.role)
    except InvalidInput as error:
        return _failure(error)


def _failure(error: TrigraphError) -> ItemResult:
    return ItemResult(ItemStatus.ERROR, None, str(error), error.code)


def _known(parts: Parts, scope: Scope, prepared: Sequence[Prepared]) -> set[int]:
    """Places of what is already stored: not worth embedding. The transaction decides, not this."""
    same = _same_text(parts, scope, prepared, parts.now(scope))
    return {place for place, one in enumerate(prepared) if _sameness(one) in same}


def _kept(parts: Parts, scope: Scope, draft: ThreadDraft, attempts: Sequence[Prepared | ItemResult]) -> set[int]:
    """Which of the prepared messages stand in the thread already, so that a thread that grows and is sent whole
    each time is not embedded anew each time. The transaction decides, not this."""
    if draft.append or draft.name is None:
        return set()
    thread = parts.store.threads.find(scope, draft.name, parts.now(scope))
    if thread is None:
        return set()
    seqs = [seq for seq, one in zip(_seqs(draft, 0), attempts, strict=True) if isinstance(one, Prepared)]
    held = parts.store.threads.episodes_at(scope, thread.id, seqs)
    prepared = (one for one in attempts if isinstance(one, Prepared))
    return {
        place
        for place, (seq, one) in enumerate(zip(seqs, prepared, strict=True))
        if seq in held and held[seq][1] == one.content_hash
    }


def _embed(
    parts: Parts,
    scope: Scope,
    prepared: Sequence[Prepared],
    *,
    skip: Iterable[int] = (),
    progress: Progress | None = None,
) -> _Embedded:
    skipped = set(skip)
    wanted = [place for place in range(len(prepared)) if place not in skipped]
    texts = [text for place in wanted for text in prepared[place].embed_texts]
    embedder = parts.embedding.usable(parts.store, scope)
    if isinstance(embedder, Unusable):
        return _Embedded(None, {}, embedder.reason)
    if not texts:
        return _Embedded(embedder.model, {}, None)
    try:
        rows = embedder.embed_documents(texts, progress)
    except ModelUnavailable as error:
        return _Embedded(None, {}, str(error))
    vectors, row = {}, 0
    for place in wanted:
        after = row + len(prepared[place].embed_texts)
        vectors[place] = rows[row:after]
        row = after
    return _Embedded(embedder.model, vectors, None)


def _write(parts: Parts, scope: Scope, prepared: Sequence[Prepared], embedded: _Embedded) -> list[ItemResult]:
    if not prepared:
        return []
    with parts.store.transaction(scope, parts.clock()) as at:
        same = _same_text(parts, scope, prepared, Moment(at, at))
        vectors = _fitting(parts, scope, embedded)
        results = []
        for place, one in enumerate(prepared):
            if there := same.get(_sameness(one)):
                results.append(ItemResult(ItemStatus.DUPLICATE, there, "a memory of the same text exists"))
                continue
            memory = _memory(scope, one, at, None)
            _add(parts, scope, one, memory, vectors.get(place))
            if memory.valid_until is None or memory.valid_until > at:
                same[_sameness(one)] = memory.id
            results.append(ItemResult(ItemStatus.ADDED, memory.id))
    return results


def _add_episodes(
    parts: Parts,
    scope: Scope,
    prepared: Sequence[Prepared],
    places: Sequence[Place],
    embedded: _Embedded,
    at: datetime,
) -> list[ItemResult]:
    vectors = _fitting(parts, scope, embedded)
    taken = _taken(parts, scope, places, at)
    results = []
    for number, (one, place) in enumerate(zip(prepared, places, strict=True)):
        if place.seq in taken:
            there, content_hash = taken[place.seq]
            # Of what the writer may not see, not even whether it is the same is told.
            same = there is not None and content_hash == one.content_hash
            results.append(_already_there(place, there, same=same))
            continue
        memory = _memory(scope, one, at, place)
        _add(parts, scope, one, memory, vectors.get(number))
        taken[place.seq] = (memory.id, one.content_hash)
        results.append(ItemResult(ItemStatus.ADDED, memory.id))
    return results


def _already_there(place: Place, there: str | None, *, same: bool) -> ItemResult:
    if same:
        return ItemResult(ItemStatus.DUPLICATE, there, f"message {place.seq} is already there")
    return ItemResult(ItemStatus.CONFLICT, there, f"place {place.seq} of the thread holds another text; it was kept")


def _taken(parts: Parts, scope: Scope, places: Sequence[Place], at: datetime) -> dict[int, tuple[str | None, str]]:
    """Places already held: seq → (id, if the writer may see it; content hash)."""
    if not places:
        return {}
    held = parts.store.threads.episodes_at(scope, places[0].thread_id, {place.seq for place in places})
    ids = [memory_id for memory_id, _ in held.values()]
    seen = {memory.id for memory in parts.store.memories.get(scope, ids, Moment(at, at))}
    return {
        seq: (memory_id if memory_id in seen else None, content_hash) for seq, (memory_id, content_hash) in held.items()
    }


def _add(parts: Parts, scope: Scope, one: Prepared, memory: Memory, vectors: Vectors | None) -> None:
    key = topic_key(memory.topic) if memory.topic else None
    parts.store.memories.add(scope, NewMemory(memory, key, one.passages, vectors))


def _fitting(parts: Parts, scope: Scope, embedded: _Embedded) -> dict[int, Vectors]:
    """The vectors, if they are of the pinned model; the first model to write is pinned."""
    if embedded.model is None:
        return {}
    pinned = parts.store.space.pinned(scope)
    if pinned is None and embedded.vectors:
        parts.store.space.pin(scope, embedded.model)
    return {} if mismatch(pinned, embedded.model) else embedded.vectors


_Sameness = tuple[str, Kind, Visibility]


def _sameness(one: Prepared) -> _Sameness:
    return one.content_hash, one.draft.kind, one.draft.visibility


def _same_text(parts: Parts, scope: Scope, prepared: Sequence[Prepared], moment: Moment) -> dict[_Sameness, str]:
    """Which of the prepared have a current memory of the same text, kind and visibility."""
    hashes: dict[tuple[Kind, Visibility], set[str]] = {}
    for one in prepared:
        hashes.setdefault((one.draft.kind, one.draft.visibility), set()).add(one.content_hash)
    return {
        (content_hash, kind, visibility): memory_id
        for (kind, visibility), wanted in hashes.items()
        for content_hash, memory_id in parts.store.memories.same_text(scope, wanted, kind, visibility, moment).items()
    }


def _memory(scope: Scope, one: Prepared, at: datetime, place: Place | None) -> Memory:
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
        trust=TRUST[draft.source],
        details=draft.details,
        place=place,
        occurred_at=draft.occurred_at,
        created_at=at,
        retracted_at=None,
        valid_from=_valid_from(draft, at),
        valid_until=draft.valid_until,
        last_verified_at=None,
        status=Status.ACTIVE,
        visibility=draft.visibility,
        tags=draft.tags,
        domains=draft.domains,
        confidence=draft.confidence if draft.confidence is not None else confidence,
        pinned=draft.pinned,
    )


def _valid_from(draft: MemoryDraft, at: datetime) -> datetime:
    start = draft.valid_from or min(draft.occurred_at or at, at)
    # What was after the start when it was checked may have been overtaken by the clock since.
    return min(start, draft.valid_until) if draft.valid_until is not None else start


def _checked_thread(draft: ThreadDraft) -> ThreadDraft:
    if not draft.messages:
        raise InvalidInput("The thread has no messages.", field="messages", fix="Give at least one.")
    if len(draft.messages) > THREAD_LIMIT_MESSAGES:
        raise InvalidInput(
            f"The thread has {len(draft.messages):,} messages; one call takes {THREAD_LIMIT_MESSAGES:,}.",
            field="messages",
            fix="Send it in parts, with append.",
        )
    given = [one.seq for one in draft.messages if isinstance(one, Message) and one.seq is not None]
    if draft.append and given:
        raise InvalidInput("append and seq exclude each other.", field="seq", fix="Leave one of them out.")
    for seq in given:
        if not 0 <= seq < SEQ_LIMIT:
            raise InvalidInput(f"seq is {seq}.", field="seq", fix=f"Places in a thread count from 0 to {SEQ_LIMIT}.")
    return replace(
        draft,
        name=optional_label(draft.name, "name"),
        session=optional_label(draft.session, "session"),
        title=optional_label(draft.title, "title"),
    )


def _find_or_add_thread(parts: Parts, scope: Scope, draft: ThreadDraft, at: datetime) -> Thread:
    if draft.name is not None:
        found = parts.store.threads.find(scope, draft.name, Moment(at, at))
        if found is not None:
            if draft.session is not None and found.session not in (None, draft.session):
                raise InvalidInput(
                    f"The thread {draft.name!r} belongs to session {found.session!r}, not {draft.session!r}.",
                    field="session",
                    fix="Leave the session out, or begin a thread under another name.",
                )
            return found
        if is_full_id(draft.name, THREAD_PREFIX):
            raise NotFound(f"There is no thread {draft.name}.", fix="Give it a name of your own to begin one.")
    thread = Thread(new_id(THREAD_PREFIX, at), draft.name, draft.session, draft.title, scope.agent, at)
    parts.store.threads.add(scope, thread)
    return thread


def _seqs(draft: ThreadDraft, first: int) -> list[int]:
    given = [one.seq if isinstance(one, Message) else None for one in draft.messages]
    return [first + position if seq is None else seq for position, seq in enumerate(given)]


def _of_session(one: Prepared, thread: Thread) -> Prepared:
    """A thread belongs to one session, and so do its episodes."""
    return replace(one, draft=replace(one.draft, session=thread.session or one.draft.session))
