"""What is being talked about when a question is asked (I14): a text that was given, or a thread that tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from trigraph.engine.finding import not_found
from trigraph.engine.parts import Parts
from trigraph.model.memory import Kind, Memory, MemoryFilter
from trigraph.model.query import RecallQuery
from trigraph.model.scope import Scope
from trigraph.model.thread import Thread
from trigraph.model.times import Moment

if TYPE_CHECKING:
    from trigraph.contracts import Vectors

MESSAGES_MOST = 6
THREAD_MOST_CHARS = 1500
SUMMARY_MOST_CHARS = THREAD_MOST_CHARS // 2
ALIKE = 0.9
"""A talk as like the question as that adds nothing to it."""


def talk_of(parts: Parts, scope: Scope, query: RecallQuery) -> str | None:
    """The text of the talk, None if there is none. A thread is read as it stands now: the talk goes on today, whatever
    time is asked about."""
    if query.in_thread is None:
        return query.context
    now = parts.now(scope)
    with parts.store.snapshot(scope):
        thread = parts.store.threads.find(scope, query.in_thread, now)
        if thread is None:
            raise not_found("thread", query.in_thread, "Give the name of one of yours, or the id of one you may see.")
        told = _told(parts, scope, thread, now)
    return "\n".join(text for text in (query.context, told) if text) or None


def leaning(query: Vectors, talk: Vectors, weight: float) -> Vectors | None:
    """The query's vector drawn towards the talk's; None if the two are alike already."""
    if float(query @ talk) >= ALIKE * float(np.linalg.norm(query)) * float(np.linalg.norm(talk)):
        return None
    mixed = (1 - weight) * _unit(query) + weight * _unit(talk)
    return np.asarray(_unit(mixed), dtype=np.float32)


def _told(parts: Parts, scope: Scope, thread: Thread, now: Moment) -> str:
    """A thread's running summary and its last messages, the latest of them whole if there is room for no more."""
    page = parts.store.memories.page
    last = page(scope, MemoryFilter(thread=thread.id), now, MESSAGES_MOST, None)
    summaries: list[Memory] = []
    if thread.session is not None:
        wanted = MemoryFilter(kinds=(Kind.SUMMARY,), session=thread.session)
        summaries = page(scope, wanted, now, 1, None)
    summary = "".join(one.text[:SUMMARY_MOST_CHARS] for one in summaries)
    messages = "\n".join(one.text for one in sorted(last, key=lambda one: one.place.seq if one.place else 0))
    room = THREAD_MOST_CHARS - len(summary) - 1
    return "\n".join(text for text in (summary, messages[-room:]) if text)


def _unit(vector: Vectors) -> Vectors:
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector
