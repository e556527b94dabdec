"""The one write path for conversations: messages become episodes, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from trigraph.contracts import Progress
from trigraph.engine.parts import Parts
from trigraph.engine.write.once import call, earlier, once
from trigraph.engine.write.preparing import Prepared, prepare_episode
from trigraph.engine.write.resolution import NameBook
from trigraph.engine.write.writing import Embedded, add, added, check_audience, embed, failure, fitting, new_memory
from trigraph.errors import InvalidInput, NotFound, TrigraphError
from trigraph.model.change import Verb
from trigraph.model.ids import is_full_id, new_id
from trigraph.model.memory import SAID_BY_USER, Kind, MemoryDraft, Place
from trigraph.model.report import ItemResult, ItemStatus, RememberReport
from trigraph.model.scope import Scope
from trigraph.model.thread import THREAD_PREFIX, Message, Thread, ThreadDraft
from trigraph.model.times import Moment
from trigraph.text.cleaning import optional_label
from trigraph.text.names import is_nameable

THREAD_LIMIT_MESSAGES = 20_000
SEQ_LIMIT = 2**31
_LATER = Embedded(None, {}, None)
_NEW = (ItemStatus.ADDED, ItemStatus.QUARANTINED)
_ROLES = frozenset("user assistant system tool human ai agent bot".split())


Queueing = Callable[[Sequence[Place], datetime], tuple[str, ...]]
"""Queues what is to be done with episodes that were added, and says which jobs that is."""


def remember_thread(
    parts: Parts,
    scope: Scope,
    draft: ThreadDraft,
    progress: Progress | None = None,
    key: str | None = None,
    *,
    queue: Queueing | None = None,
) -> RememberReport:
    """Keep a conversation's messages as episodes, in one transaction.

    A message that cannot be taken is reported, and its place stays a hole. With `queue` nobody waits for vectors: they
    are made with the rest of what is queued.
    """
    called = call(Verb.TURN if queue else Verb.REMEMBER, key, draft)
    if (before := earlier(parts, scope, called, RememberReport)) is not None:
        return before
    draft = _checked_thread(draft)
    check_audience(parts, scope, draft.group)
    attempts = [_attempt_message(draft, message, parts.clock()) for message in draft.messages]
    prepared = [attempt for attempt in attempts if isinstance(attempt, Prepared)]
    embedded = _LATER
    if queue is None:
        embedded = embed(parts, scope, prepared, skip=_kept(parts, scope, draft, attempts), progress=progress)

    def write(at: datetime) -> RememberReport:
        thread = _find_or_add_thread(parts, scope, draft, at)
        seqs = _seqs(draft, parts.store.threads.next_seq(scope, thread.id) if draft.append else 0)
        kept = [seq for seq, attempt in zip(seqs, attempts, strict=True) if isinstance(attempt, Prepared)]
        places = [Place(thread.id, seq, one.speaker, one.role) for seq, one in zip(kept, prepared, strict=True)]
        said = [_of_session(one, thread) for one in prepared]
        written = _add_episodes(parts, scope, said, places, embedded, at)
        new = [place for place, one in zip(places, written, strict=True) if one.status in _NEW]
        jobs = queue(new, at) if queue and new else ()
        remaining = iter(written)
        results = [next(remaining) if isinstance(attempt, Prepared) else attempt for attempt in attempts]
        return RememberReport(tuple(results), thread_id=thread.id, degraded=embedded.degraded, jobs=jobs)

    return once(parts, scope, called, RememberReport, write)


def _attempt_message(draft: ThreadDraft, message: Message | TrigraphError, now: datetime) -> Prepared | ItemResult:
    if isinstance(message, TrigraphError):
        return failure(message)
    episode = MemoryDraft(
        text=message.text,
        kind=Kind.EPISODE,
        visibility=draft.visibility,
        group=draft.group,
        source=message.source or draft.source,
        session=draft.session,
        turn=message.turn,
        occurred_at=message.occurred_at,
        confidence=SAID_BY_USER if draft.unattended else None,  # that it was said is certain, whoever said it
    )
    try:
        return prepare_episode(episode, now, message.speaker, message.role, unattended=draft.unattended)
    except InvalidInput as error:
        return failure(error)


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


def _add_episodes(
    parts: Parts,
    scope: Scope,
    prepared: Sequence[Prepared],
    places: Sequence[Place],
    embedded: Embedded,
    at: datetime,
) -> list[ItemResult]:
    vectors = fitting(parts, scope, embedded)
    taken = _taken(parts, scope, places, at)
    people, book = _people(prepared), NameBook(parts, scope, (one.names for one in prepared))
    results = []
    for number, (one, place) in enumerate(zip(prepared, places, strict=True)):
        if place.seq in taken:
            there, content_hash = taken[place.seq]
            # Of what the writer may not see, not even whether it is the same is told.
            same = there is not None and content_hash == one.content_hash
            results.append(_already_there(place, there, same=same))
            continue
        memory = new_memory(scope, one, at, place)
        add(parts, scope, one, memory, vectors.get(number), people=people, book=book)
        taken[place.seq] = (memory.id, one.content_hash)
        results.append(added(one, memory))
    return results


def _people(prepared: Sequence[Prepared]) -> list[str]:
    """The speakers that have names of their own: in each other's messages these names are persons'."""
    named = dict.fromkeys(one.speaker for one in prepared if one.speaker)
    return [name for name in named if name[0].isupper() and is_nameable(name) and name.lower() not in _ROLES]


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
    seen = {version.memory_id for version in parts.store.memories.versions(scope, ids, at)}
    return {
        seq: (memory_id if memory_id in seen else None, content_hash) for seq, (memory_id, content_hash) in held.items()
    }


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
