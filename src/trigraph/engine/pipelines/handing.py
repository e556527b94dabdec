"""What callers do: hand over what was said, ask for a session to be distilled or for reflection. The work is queued."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from trigraph.engine.parts import Parts
from trigraph.engine.pipelines.jobs import JobName, queue_job
from trigraph.engine.write.once import call, once
from trigraph.engine.write.threads import THREAD_LIMIT_MESSAGES, remember_thread
from trigraph.engine.write.writing import check_audience
from trigraph.errors import InvalidInput, NotFound
from trigraph.model.change import Changed, Verb
from trigraph.model.extraction import Conversation, Role, Said
from trigraph.model.memory import Kind, MemoryFilter, Place, Source, Visibility
from trigraph.model.report import ItemResult, ItemStatus, RememberReport
from trigraph.model.scope import Scope
from trigraph.model.thread import Message, ThreadDraft
from trigraph.text.cleaning import check_label, check_text, optional_label
from trigraph.text.transcripts import read_conversation

SOURCES = {Role.USER: Source.USER, Role.ASSISTANT: Source.AGENT, Role.TOOL: Source.TOOL_OUTPUT}


@dataclass(frozen=True, slots=True)
class Handed:
    """A conversation as it is handed over, and to whom it may be shown. `whole` says that it is all of the session so
    far: what was handed over before is then left as it is; else the messages follow what is there."""

    conversation: Conversation
    session: str | None = None
    whole: bool = False
    visibility: Visibility = Visibility.SHARED
    group: str | None = None


def handed(
    messages: object,
    session: str | None,
    whole: bool | None,
    audience: tuple[Visibility, str | None],
) -> Handed:
    """Messages in any of the forms that are understood. What names its own session is taken for all of it."""
    conversation = read_conversation(messages)
    of_its_own = conversation.session is not None
    return Handed(conversation, session or conversation.session, of_its_own if whole is None else whole, *audience)


def turn(parts: Parts, scope: Scope, given: Handed, key: str | None = None) -> RememberReport:
    """Keep what was said as episodes and queue the rest: what is worth keeping is found later."""
    session = optional_label(given.session, "session")
    if not given.conversation.messages:
        raise InvalidInput("Nothing was said.", field="messages", fix="Give at least one message.")
    if given.whole and session is None:
        raise InvalidInput(
            "A whole session needs its name.", field="session", fix="Give session, so that it is known again."
        )
    if not parts.work.keep_episodes:
        return _turn_unkept(parts, scope, given, session, key)
    draft = ThreadDraft(
        messages=tuple(_message(said) for said in given.conversation.messages),
        name=session,
        session=session,
        visibility=given.visibility,
        group=given.group,
        source=Source.AGENT,
        append=session is not None and not given.whole,
        unattended=True,
    )

    def queue(places: Sequence[Place], at: datetime) -> tuple[str, ...]:
        return tuple(
            queue_job(parts, scope, JobName.TURN, {"thread_id": thread_id, "first": first, "last": last}, at)
            for thread_id, first, last in _turns(places)
        )

    return remember_thread(parts, scope, draft, key=key, queue=queue)


def _message(said: Said) -> Message:
    return Message(said.text, said.speaker, said.role, said.occurred_at, source=SOURCES[said.role], turn=said.id)


def _turns(places: Sequence[Place]) -> list[tuple[str, int, int]]:
    """(thread, first, last) of every run of places that begins with what a user said."""
    turns: list[tuple[str, int, int]] = []
    for place in sorted(places, key=lambda one: one.seq):
        if turns and place.role != Role.USER:
            thread_id, first, _ = turns[-1]
            turns[-1] = (thread_id, first, place.seq)
        else:
            turns.append((place.thread_id, place.seq, place.seq))
    return turns


def _turn_unkept(parts: Parts, scope: Scope, given: Handed, session: str | None, key: str | None) -> RememberReport:
    """The same where no episodes are kept: the messages wait in the queue, and go with their job."""
    from trigraph.text.guard import suspicious
    from trigraph.text.secrets import redact

    check_audience(parts, scope, given.group)
    if len(given.conversation.messages) > THREAD_LIMIT_MESSAGES:
        raise InvalidInput(
            f"{len(given.conversation.messages):,} messages at once; one call takes {THREAD_LIMIT_MESSAGES:,}.",
            field="messages",
            fix="Send them in parts.",
        )
    for one in given.conversation.messages:
        check_text(one.text, Kind.EPISODE, "messages")
    said = [
        {
            "role": one.role,
            "text": redact(one.text).text,
            "speaker": one.speaker,
            "occurred_at": one.occurred_at.isoformat() if one.occurred_at else None,
            "id": one.id,
        }
        for one in given.conversation.messages
        if one.role is not Role.TOOL or not suspicious(one.text)
    ]
    body: dict[str, object] = {
        "said": said,
        "session": session,
        "visibility": given.visibility,
        "group": given.group,
    }
    called = call(Verb.TURN, key, json.dumps(body))

    def write(at: datetime) -> RememberReport:
        job = queue_job(parts, scope, JobName.TURN, body, at)
        items = tuple(
            ItemResult(ItemStatus.FILTERED, None, "episodes are not kept") for _ in given.conversation.messages
        )
        return RememberReport(items, jobs=(job,))

    return once(parts, scope, called, RememberReport, write)


def distil(parts: Parts, scope: Scope, session: str, key: str | None = None) -> Changed:
    """Queue the distillation of a session: what is worth keeping of the whole of it."""
    session = check_label(session, "session")
    called = call(Verb.DISTIL, key, session)
    wanted = MemoryFilter(kinds=(Kind.EPISODE,), session=session)
    if not parts.store.memories.page(scope, wanted, parts.now(scope), 1, None):
        raise NotFound(
            f"There is no session {session!r} with anything said in it.",
            fix="Hand it over first (`trigraph turn --session …`).",
        )

    def write(at: datetime) -> Changed:
        return Changed(Verb.DISTIL, (queue_job(parts, scope, JobName.DISTIL, {"session": session}, at),), at)

    return once(parts, scope, called, Changed, write)


def reflect(parts: Parts, scope: Scope, days: int, key: str | None = None) -> Changed:
    """Queue a reflection over the sessions of the last days: what recurs in them."""
    called = call(Verb.REFLECT, key, days)
    if not 1 <= days <= 3660:
        raise InvalidInput(f"days is {days}.", field="days", fix="Give a number from 1 to 3660.")

    def write(at: datetime) -> Changed:
        return Changed(Verb.REFLECT, (queue_job(parts, scope, JobName.REFLECT, {"days": days}, at),), at)

    return once(parts, scope, called, Changed, write)
