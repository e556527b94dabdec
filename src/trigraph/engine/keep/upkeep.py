"""Work that keeps the store whole: making the vectors that are missing, pruning links that have faded."""

from __future__ import annotations

from trigraph.contracts import Embedder, Progress
from trigraph.engine.embedding import Unusable
from trigraph.engine.parts import Parts
from trigraph.engine.write.preparing import embed_text
from trigraph.errors import ModelUnavailable
from trigraph.model.scope import Scope
from trigraph.ranking.decay import decayed

BATCH_SIZE = 256
FADED = 0.3
"""Below this confidence, decayed, an automatic link is pruned."""


def reembed(parts: Parts, scope: Scope, *, anew: bool = False, progress: Progress | None = None) -> int:
    """Give every passage of the project a vector of the configured model, then search by that model.

    Resumable: each batch is committed, and only what is missing is made; `anew` drops what is there
    first. Without `anew` the model that was pinned before goes on answering until the end. Returns how many
    were made.
    """
    embedder = parts.embedding.embedder()
    if isinstance(embedder, Unusable):
        raise ModelUnavailable(embedder.reason)
    if anew:
        with parts.store.transaction(scope, parts.clock()) as at:
            parts.store.space.drop(scope, at)
    made = 0
    while True:
        made += _make_missing(parts, scope, embedder, progress)
        with parts.store.transaction(scope, parts.clock()) as at:
            if parts.store.space.missing(scope, embedder.model, 0, 1):
                continue  # written by others, for the model that was pinned until now
            parts.store.space.pin(scope, embedder.model)
            parts.store.space.settle_jobs(scope, at)
            return made


def ready(parts: Parts, scope: Scope, *, write: bool = True) -> tuple[int, int]:
    """The schema version and the size of the store in bytes; with `write`, only if a transaction went through."""
    if write:
        with parts.store.transaction(scope, parts.clock()):
            pass
    _, schema_version, store_bytes = parts.store.describe(scope)
    return schema_version, store_bytes


def embed_waiting(parts: Parts, scope: Scope) -> int:
    """Make the vectors that are missing, if there is a model that fits; returns how many. What a caller did not wait
    for is made here."""
    if not parts.store.queue.embedding_due(scope):
        return 0
    embedder = parts.embedding.usable(parts.store, scope)
    if isinstance(embedder, Unusable):
        return 0
    if parts.store.space.pinned(scope) is None:
        with parts.store.transaction(scope, parts.clock()):
            parts.store.space.pin(scope, embedder.model)
    try:
        made = _make_missing(parts, scope, embedder, None)
    except ModelUnavailable:
        return 0
    with parts.store.transaction(scope, parts.clock()) as at:
        parts.store.space.settle_jobs(scope, at)
    return made


def prune(parts: Parts, scope: Scope, *, dry_run: bool = False) -> int:
    """Close links that the system drew by likeness or nearness, that have faded, and through which nothing was used;
    returns how many. Same-topic and explicit links stay. What was known before stays for known_at."""
    pruned = 0
    after: str | None = None
    while True:
        with parts.store.transaction(scope, parts.clock()) as at:
            batch = parts.store.links.fading(scope, at, after, BATCH_SIZE)
            for link in batch:
                if decayed(link.type, link.created_by, link.confidence, link.drawn_at or link.known_from, at) < FADED:
                    pruned += bool(parts.store.links.get(scope, link.id, at))  # counted if the caller may see it
                    if not dry_run:
                        parts.store.links.close(scope, link.id, at)
        if len(batch) < BATCH_SIZE:
            return pruned
        after = batch[-1].id


def _make_missing(parts: Parts, scope: Scope, embedder: Embedder, progress: Progress | None) -> int:
    made = after = 0
    while batch := parts.store.space.missing(scope, embedder.model, after, BATCH_SIZE):
        texts = [embed_text(one.text, one.label, one.speaker) for one in batch]
        vectors = embedder.embed_documents(texts)
        with parts.store.transaction(scope, parts.clock()):
            parts.store.space.put(scope, embedder.model, [one.passage for one in batch], vectors)
        made, after = made + len(batch), batch[-1].passage
        if progress:
            progress(len(batch))
    return made
