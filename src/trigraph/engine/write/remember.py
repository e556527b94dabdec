"""The one write path for memories: prepare, embed, compare, then one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING

from trigraph.contracts import Progress
from trigraph.engine.parts import Parts
from trigraph.engine.write.comparing import Compared, Comparing, Judged, judge_all, vouches_for
from trigraph.engine.write.deriving import origin_of
from trigraph.engine.write.documents import settle_supersessions
from trigraph.engine.write.once import call, earlier, once
from trigraph.engine.write.placing import Placed, neighbours, place, put_identity, texts_of
from trigraph.engine.write.preparing import Prepared, prepare
from trigraph.engine.write.referencing import restated
from trigraph.engine.write.resolution import Called, NameBook
from trigraph.engine.write.revising import retract_for, take_place
from trigraph.engine.write.telling import draw_contradiction, draw_link
from trigraph.engine.write.writing import Embedded, add, added, check_audience, embed, failure, fitting, new_memory
from trigraph.errors import InvalidInput, StoreError, TrigraphError
from trigraph.model.change import Verb
from trigraph.model.link import LinkType
from trigraph.model.memory import Kind, Memory, MemoryDraft, Visibility
from trigraph.model.report import ItemResult, ItemStatus, RememberReport
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.text.names import name_key

if TYPE_CHECKING:
    from trigraph.contracts import Vectors

BATCH_SIZE = 256
"""How many items a bulk write commits at once: enough that the embedder sets the pace, not the disk."""

Item = MemoryDraft | TrigraphError
"""An item of a batch: a draft, or the error that kept it from becoming one."""


def remember(parts: Parts, scope: Scope, draft: MemoryDraft, key: str | None = None) -> RememberReport:
    """Keep one memory, or raise and write nothing."""
    called = call(Verb.REMEMBER, key, draft)
    if (before := earlier(parts, scope, called, RememberReport)) is not None:
        return before
    prepared = prepare_draft(parts, scope, draft)
    if prepared.guarded.filtered is not None:
        return RememberReport((_left_out(prepared),))
    ready = make_ready(parts, scope, [prepared])

    def write(at: datetime) -> RememberReport:
        return RememberReport(tuple(write_ready(parts, scope, ready, at, alone=True)), degraded=ready.embedded.degraded)

    return once(parts, scope, called, RememberReport, write)


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
        attempts = [failure(broken) if broken else _attempt(parts, scope, item) for item in run]
        prepared = [attempt for attempt in attempts if isinstance(attempt, Prepared)]
        try:
            ready = make_ready(parts, scope, prepared)
            written = iter(_write_run(parts, scope, ready))
            degraded = degraded or ready.embedded.degraded
        except StoreError as error:
            broken = error
            written = iter([failure(error)] * len(prepared))
        results += [next(written) if isinstance(attempt, Prepared) else attempt for attempt in attempts]
        if progress:
            progress(len(run))
    return RememberReport(tuple(results), degraded=degraded)


def _runs(items: Iterable[Item]) -> Iterator[list[Item]]:
    remaining = iter(items)
    while run := list(islice(remaining, BATCH_SIZE)):
        yield run


def _attempt(parts: Parts, scope: Scope, item: Item) -> Prepared | ItemResult:
    if isinstance(item, TrigraphError):
        return failure(item)
    try:
        prepared = prepare_draft(parts, scope, item)
    except InvalidInput as error:
        return failure(error)
    return prepared if prepared.guarded.filtered is None else _left_out(prepared)


def prepare_draft(parts: Parts, scope: Scope, draft: MemoryDraft) -> Prepared:
    """Check a draft, look at what it was derived from, and derive what can be from it alone."""
    check_audience(parts, scope, draft.group)
    return prepare(draft, parts.clock(), parts.families, origin_of(parts, scope, draft))


def _left_out(one: Prepared) -> ItemResult:
    return ItemResult(ItemStatus.FILTERED, None, one.guarded.filtered)


@dataclass(frozen=True, slots=True)
class ReadyItems:
    """Prepared memories with their vectors, and what each may restate or contradict."""

    prepared: Sequence[Prepared]
    embedded: Embedded
    judged: Sequence[Sequence[Judged]]


def make_ready(parts: Parts, scope: Scope, prepared: Sequence[Prepared]) -> ReadyItems:
    """All that is to be done before the transaction."""
    embedded = embed(parts, scope, prepared, skip=_known(parts, scope, prepared))
    return ReadyItems(prepared, embedded, judge_all(parts, scope, prepared, embedded))


def _known(parts: Parts, scope: Scope, prepared: Sequence[Prepared]) -> set[int]:
    """Places of what is already stored: not worth embedding. The transaction decides, not this."""
    now = parts.now(scope)
    same = _same_text(parts, scope, prepared, now)
    at = now.known_at
    known = {
        place
        for place, one in enumerate(prepared)
        if _there(parts, scope, one, same.get(_sameness(one), ()), at) is not None
    }
    return {place for place in known if _is_known(parts, scope, prepared[place], now.known_at)}


def _is_known(parts: Parts, scope: Scope, one: Prepared, at: datetime) -> bool:
    """Of equal texts of two documents, each is its own."""
    if one.document is None:
        return True
    memory = new_memory(scope, one, at, None)
    placed = place(parts, scope, one, memory)
    if placed is None:
        return True
    before, _ = _before_and_after(parts, scope, placed, memory, at)
    return before is not None and before.content_hash == one.content_hash and _reaches(before, memory)


def _write_run(parts: Parts, scope: Scope, ready: ReadyItems) -> list[ItemResult]:
    if not ready.prepared:
        return []
    with parts.store.transaction(scope, parts.clock()) as at:
        return write_ready(parts, scope, ready, at)


def write_ready(
    parts: Parts, scope: Scope, ready: ReadyItems, at: datetime, *, alone: bool = False
) -> list[ItemResult]:
    """Write what is ready, in the open transaction; `alone` raises what would be one item's error."""
    prepared = ready.prepared
    same = _same_text(parts, scope, prepared, Moment(at, at))
    vectors = fitting(parts, scope, ready.embedded)
    book = NameBook(parts, scope, (one.names for one in prepared))
    comparing = Comparing(parts, scope, ready.judged)
    results = []
    for number, one in enumerate(prepared):
        if one.document is not None:
            own = at if number == 0 else parts.store.tick(scope, at)
            written = _write_document(parts, scope, one, vectors.get(number), book, own)
            if isinstance(written, InvalidInput) and alone:
                raise written
            if written is not None:
                results.append(failure(written) if isinstance(written, InvalidInput) else written)
                continue
        now = parts.store.present(scope, at)  # with what the items before it ended
        there = _there(parts, scope, one, same.get(_sameness(one), ()), now)
        if there is not None:
            results.append(_again(parts, scope, one, there, at))
            continue
        compared = comparing.compared(number, one, vectors.get(number), now)
        if compared.restates is not None:
            results.append(_restated(parts, scope, one, compared.restates, at))
            continue
        memory, result = _add(parts, scope, one, vectors.get(number), book, compared, at)
        comparing.written(memory, vectors.get(number))
        if memory.valid_until is None or memory.valid_until > at:
            same[_sameness(one)] = (*same.get(_sameness(one), ()), memory.id)
        results.append(result)
    return results


def _again(parts: Parts, scope: Scope, one: Prepared, there: Memory, at: datetime) -> ItemResult:
    """The very same text is there. Sent twice it is one; said in another session, it counts for it."""
    session = one.draft.session
    if session is not None and there.provenance.session not in (None, session):
        return _restated(parts, scope, one, there, at)
    return ItemResult(ItemStatus.DUPLICATE, there.id, "a memory of the same text exists")


def _restated(parts: Parts, scope: Scope, one: Prepared, memory: Memory, at: datetime) -> ItemResult:
    restated(parts, scope, memory, one, parts.store.tick(scope, at))
    return ItemResult(ItemStatus.REINFORCED, memory.id, "it says what this memory says already")


def _add(
    parts: Parts,
    scope: Scope,
    one: Prepared,
    vectors: Vectors | None,
    book: NameBook,
    compared: Compared,
    at: datetime,
) -> tuple[Memory, ItemResult]:
    """Write a new memory, with what it disagrees with: linked, or, on a person's clear word, ended by it."""
    memory = new_memory(scope, one, at, None)
    others = [other.id for other, _ in compared.conflicts]
    if not compared.conflicts:
        memory = add(parts, scope, one, memory, vectors, book=book)
        return memory, added(one, memory)
    old, verdict = compared.conflicts[0]
    ends = compared.retires and (verdict.corrects or memory.valid_from > old.valid_from)
    if ends and verdict.corrects:
        memory = replace(memory, root_id=old.root_id or old.id, valid_from=old.valid_from, valid_until=old.valid_until)
    about: Called | None = None
    if ends:  # what takes its place is about the same thing, and as firmly kept
        memory = replace(memory, tags=memory.tags or old.tags, pinned=memory.pinned or old.pinned)
        if old.subject is not None and one.draft.subject is None:
            about = Called(old.subject.name, old.subject.type, old.subject.id)
    memory = add(parts, scope, one, memory, vectors, book=book, apart_from=others, subject=about)
    if ends:
        own = parts.store.tick(scope, at)
        if verdict.corrects:
            retract_for(parts, scope, old, memory, verdict.reason, own)
        else:
            take_place(parts, scope, old, memory, verdict.reason, own)
        return memory, ItemResult(ItemStatus.UPDATED, memory.id, f"in place of {old.id}: {verdict.reason}")
    for other, against in compared.conflicts:
        draw_contradiction(parts, scope, memory, other.id, against.reason)
    told = f"disagrees with {', '.join(others)}: {verdict.reason}"
    return memory, ItemResult(ItemStatus.ADDED, memory.id, told, conflicts=tuple(others))


def _write_document(
    parts: Parts, scope: Scope, one: Prepared, vectors: Vectors | None, book: NameBook, at: datetime
) -> ItemResult | InvalidInput | None:
    """A document's text, in place of the one that held until then; None if nothing says which document it is, an
    error, with nothing written, if it cannot be taken."""
    memory = new_memory(scope, one, at, None)
    placed = place(parts, scope, one, memory)
    if placed is None:
        return None
    if one.guarded.signs:  # once let in, nobody would know which document it is the text of
        return InvalidInput(
            f"From {one.draft.source}, this reads like an instruction ({', '.join(one.guarded.signs)}).",
            field="text",
            fix="Remember it instead: it is then kept for review, and changes nothing until somebody lets it in.",
        )
    before, after = _before_and_after(parts, scope, placed, memory, at)
    same = before is not None and before.content_hash == memory.content_hash and _reaches(before, memory)
    if same and before is not None and placed.entity_id is not None:
        put_identity(parts, scope, placed, memory, book)
        return ItemResult(ItemStatus.DUPLICATE, before.id, "the document has this text already")
    if before is not None and before.valid_from == memory.valid_from:
        return InvalidInput(
            f"{before.id} is the document's text from {before.valid_from.isoformat()} on already.",
            field="valid_from",
            fix="Give another time, or correct that memory.",
        )
    around = [one.id for one in (before, after) if one is not None]
    if after is not None:  # it arrived late: it held until the next text began
        memory = replace(memory, valid_until=after.valid_from, superseded=True, superseded_by=after.id)
    memory = add(parts, scope, one, memory, vectors, verb=Verb.DOCUMENT, book=book, placed=placed, apart_from=around)
    if before is not None:
        take_place(parts, scope, before, memory, None, at)
    if after is not None:
        draw_link(parts, scope, after, memory.id, LinkType.SUPERSEDES)
    if before is not None and memory.subject is not None:
        settle_supersessions(parts, scope, memory, memory.subject.id, at)
    if before is None:
        return ItemResult(ItemStatus.ADDED, memory.id)
    return ItemResult(ItemStatus.UPDATED, memory.id, f"in place of {before.id}")


def _reaches(before: Memory, memory: Memory) -> bool:
    """Whether a text still held when another began."""
    return before.valid_until is None or before.valid_until > memory.valid_from


def _before_and_after(
    parts: Parts, scope: Scope, placed: Placed, memory: Memory, at: datetime
) -> tuple[Memory | None, Memory | None]:
    if placed.entity_id is None:
        return None, None
    return neighbours(texts_of(parts, scope, placed.entity_id, at), memory.valid_from)


def _there(parts: Parts, scope: Scope, one: Prepared, ids: Sequence[str], at: datetime) -> Memory | None:
    """Which of the memories of equal text is about the same thing, where the draft says what it is about."""
    if not ids:
        return None
    moment = Moment(at, at)
    alike = [memory for memory in parts.store.memories.get(scope, ids, moment) if vouches_for(memory, one)]
    if one.draft.subject is None:
        return alike[0] if alike else None
    things = {thing.id for thing in parts.store.entities.named(scope, name_key(one.draft.subject), moment)}
    return next((memory for memory in alike if memory.subject and memory.subject.id in things), None)


_Sameness = tuple[str, Kind, Visibility, str | None]


def _sameness(one: Prepared) -> _Sameness:
    return one.content_hash, one.draft.kind, one.draft.visibility, one.draft.group


def _same_text(
    parts: Parts, scope: Scope, prepared: Sequence[Prepared], moment: Moment
) -> dict[_Sameness, tuple[str, ...]]:
    """Which of the prepared have a current memory of the same text, kind and visibility."""
    hashes: dict[tuple[Kind, Visibility, str | None], set[str]] = {}
    for one in prepared:
        content_hash, *alike = _sameness(one)
        hashes.setdefault(tuple(alike), set()).add(content_hash)  # type: ignore[arg-type]
    return {
        (content_hash, *alike): ids
        for alike, wanted in hashes.items()
        for content_hash, ids in parts.store.memories.same_text(scope, wanted, *alike, moment).items()
    }
