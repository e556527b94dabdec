"""Verbs of the pipelines and the queue, for the library."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from trigraph.engine.engine import Engine, Worked
from trigraph.errors import InvalidInput, StoreClosed
from trigraph.faces import wire
from trigraph.model.change import Changed
from trigraph.model.job import Job, JobState
from trigraph.model.report import RememberReport
from trigraph.model.scope import Scope

IDLE_SECONDS = 0.3
RETRY_SECONDS = 5.0
SCHEDULE_SECONDS = 60.0


class PipelineVerbs:
    """turn, distil, reflect, work, jobs: hand over what was said; what is worth keeping is found later."""

    engine: Engine
    scope: Scope

    def turn(
        self,
        messages: str | Mapping[str, Any] | Iterable[Mapping[str, Any]],
        *,
        session: str | None = None,
        whole: bool | None = None,
        visibility: str | None = None,
        group: str | None = None,
        idempotency_key: str | None = None,
    ) -> RememberReport:
        """Hand over what was said: kept as episodes at once, read for what is worth keeping when the queue is worked.

        Messages are a list with role and content (text, speaker and created_at if there are any), OpenAI-style
        messages, or the text of a coding agent's JSONL transcript. With `whole` they are all of the session so far, as
        a transcript is; else they follow what the session has.
        """
        if not isinstance(messages, str | Mapping):
            if not isinstance(messages, Iterable):
                raise InvalidInput("messages must be a list.", field="messages", fix="Give one object per message.")
            messages = list(messages)
        return self.engine.turn(
            self.scope,
            messages,
            session=wire.optional_text(session, "session"),
            whole=whole,
            audience=wire.audience(visibility, group),
            key=idempotency_key,
        )

    def distil(self, session: str, *, idempotency_key: str | None = None) -> Changed:
        """Queue the distillation of a session: conclusions, root causes, decisions, and a summary."""
        return self.engine.distil(self.scope, wire.text_of(session, "session"), idempotency_key)

    def reflect(self, *, days: int = 90, idempotency_key: str | None = None) -> Changed:
        """Queue a reflection over the sessions of the last days: what recurs in them."""
        return self.engine.reflect(self.scope, wire.whole(days, "days"), idempotency_key)

    def work(
        self,
        *,
        most: int | None = None,
        progress: Callable[[Job], None] | None = None,
        stop: threading.Event | None = None,
    ) -> Worked:
        """Work off the project's queue until nothing is left that can be done now."""
        return self.engine.work(self.scope, most=most, progress=progress, stop=stop)

    def work_on(self, stop: threading.Event) -> None:
        """Work off every queue of the home until `stop` is set; what is due of itself is queued along the way."""
        scheduled = float("-inf")
        while not stop.is_set():
            due = time.monotonic() - scheduled >= SCHEDULE_SECONDS
            scheduled = time.monotonic() if due else scheduled
            try:
                self.engine.work_everywhere(schedule=due, stop=stop)
            except StoreClosed:
                return
            except Exception:  # a full disk, a lock, a model that broke: it may pass; what is queued waits
                stop.wait(RETRY_SECONDS)
            stop.wait(IDLE_SECONDS)

    def jobs(self, *, states: Iterable[str] = (), limit: int = 50) -> list[Job]:
        """Work that you queued, the latest first; dead jobs wait for somebody to look at them."""
        wanted = [wire.choice(JobState, state, "state") for state in wire.strings(states, "states")]
        return self.engine.jobs(self.scope, wanted, wire.whole(limit, "limit"))

    def job(self, id: str) -> Job:
        """One job, by its id or the end of it."""
        return self.engine.job(self.scope, wire.text_of(id, "id"))

    def retry(self, id: str) -> Job:
        """Try a dead job again."""
        return self.engine.retry(self.scope, wire.text_of(id, "id"))
