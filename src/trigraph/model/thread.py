"""Thread: an ordered conversation. Episode: one message of it, kept verbatim."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from trigraph.errors import TrigraphError
from trigraph.model.memory import Source, Visibility

THREAD_PREFIX = "t"


@dataclass(frozen=True, slots=True)
class Message:
    """One message to be kept. Without `seq` it stands where it stands in the list; without `source` it comes from where
    the thread does. `turn` is the caller's own id for it."""

    text: str
    speaker: str | None = None
    role: str | None = None
    occurred_at: datetime | None = None
    seq: int | None = None
    source: Source | None = None
    turn: str | None = None


@dataclass(frozen=True, slots=True)
class ThreadDraft:
    """A conversation to be kept.

    `name` is the caller's own name for it: sent again under the same name it is the same thread,
    and what is already there counts as duplicate. Without a name every call makes a new thread. With
    `append` the messages follow whatever the thread holds when they are written; with `unattended` nobody looked at
    them, and secrets in them are redacted. An error in place of a
    message is what kept it from becoming one; it is reported, and its place stays a hole.
    """

    messages: tuple[Message | TrigraphError, ...]
    name: str | None = None
    session: str | None = None
    title: str | None = None
    visibility: Visibility = Visibility.SHARED
    group: str | None = None
    source: Source = Source.USER
    append: bool = False
    unattended: bool = False


@dataclass(frozen=True, slots=True)
class Thread:
    """A stored thread."""

    id: str
    name: str | None
    session: str | None
    title: str | None
    author: str
    created_at: datetime
