"""Verbs that keep memory clean, for the library: purge, review, access."""

from __future__ import annotations

from datetime import datetime

from trigraph.engine.engine import Engine
from trigraph.faces import wire
from trigraph.model.access_log import AccessLog
from trigraph.model.calibration import Calibration
from trigraph.model.change import Changed
from trigraph.model.memory import Source
from trigraph.model.review import HeldBack
from trigraph.model.scope import Scope


class QualityVerbs:
    """What came from where, what is held back, and what was made of it."""

    engine: Engine
    scope: Scope

    def purge(
        self,
        source: str,
        *,
        since: str | datetime | None = None,
        uri: str | None = None,
        session: str | None = None,
        dry_run: bool = True,
        reason: str | None = None,
        idempotency_key: str | None = None,
    ) -> Changed:
        """Forget all that came from a source since a time, and all that was derived from it; what it had ended holds
        again. A preview unless `dry_run` is false."""
        return self.engine.purge(
            self.scope,
            wire.choice(Source, source, "source"),
            since=wire.optional_time(since, "since"),
            uri=wire.optional_text(uri, "uri"),
            session=wire.optional_text(session, "session"),
            dry_run=dry_run,
            reason=wire.optional_text(reason, "reason"),
            key=idempotency_key,
        )

    def held_back(self, *, limit: int = 50) -> list[HeldBack]:
        """Memories in quarantine, the latest first, and what each is held back for. They are never recalled."""
        return self.engine.held_back(self.scope, wire.whole(limit, "limit"))

    def review(
        self, id: str, *, accept: bool, reason: str | None = None, idempotency_key: str | None = None
    ) -> Changed:
        """Let a quarantined memory in, or forget it."""
        why = wire.optional_text(reason, "reason")
        return self.engine.review(self.scope, wire.text_of(id, "id"), accept=accept, reason=why, key=idempotency_key)

    def calibrate(self) -> Calibration:
        """Measure from which cosine on two memories are alike or may say the same, with the configured model."""
        return self.engine.calibrate(self.scope)

    def access(self, id: str) -> AccessLog:
        """When your recalls showed a memory, what you did with it, and when it was said again."""
        return self.engine.access(self.scope, wire.text_of(id, "id"))
