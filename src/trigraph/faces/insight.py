"""Verbs of insight, for the library: whether memory pays, and the recalls that say so."""

from __future__ import annotations

from collections.abc import Iterable

from trigraph.engine.engine import Engine
from trigraph.faces import wire
from trigraph.model.change import CitationKind
from trigraph.model.insight import (
    Insight,
    InsightQuery,
    Panel,
    RecallFilter,
    RecallOutcome,
    RecallPage,
    RecallRecord,
    Step,
)
from trigraph.model.query import QueryClass
from trigraph.model.scope import Scope


class InsightVerbs:
    """What became of recalls."""

    engine: Engine
    scope: Scope

    def insight(
        self,
        *,
        since: object = None,
        until: object = None,
        step: str = "day",
        panels: Iterable[str] = (),
        limit: int = 10,
    ) -> Insight:
        """Whether memory pays, by your own recalls made since a time and before another (the last 30 days, if left
        out) and by what you said of their hits. Panels: hit_rate, stale, tokens, agents, top_cited, never_cited, legs,
        lift; all of them, if left out. `step` is how long a point of a series is: day or week."""
        return self.engine.insight(self.scope, _asked(since, until, None, step, panels, limit))

    def project_insight(
        self,
        *,
        since: object = None,
        until: object = None,
        agent: str | None = None,
        step: str = "day",
        panels: Iterable[str] = (),
        limit: int = 10,
    ) -> Insight:
        """The same of all agents of the project, or of one of them. Memories are named only if you may see them. It
        takes the right to review."""
        return self.engine.project_insight(self.scope, _asked(since, until, agent, step, panels, limit))

    def recalls(
        self,
        *,
        since: object = None,
        until: object = None,
        session: str | None = None,
        query_class: str | None = None,
        outcomes: Iterable[str] = (),
        kinds: Iterable[str] = (),
        limit: int = 50,
        cursor: str | None = None,
    ) -> RecallPage:
        """Your past recalls, the latest first, a page at a time: of a time, a session, a class of query, with some
        outcomes (hit, miss, undecided, empty), or of which a hit got a citation of some kinds."""
        wanted = _wanted(since, until, None, session, query_class, outcomes, kinds)
        return self.engine.recalls(self.scope, wanted, wire.whole(limit, "limit"), wire.optional_text(cursor, "cursor"))

    def project_recalls(
        self,
        *,
        since: object = None,
        until: object = None,
        agent: str | None = None,
        session: str | None = None,
        query_class: str | None = None,
        outcomes: Iterable[str] = (),
        kinds: Iterable[str] = (),
        limit: int = 50,
        cursor: str | None = None,
    ) -> RecallPage:
        """The same of all agents of the project, or of one of them, without what others asked and in which session. It
        takes the right to review."""
        wanted = _wanted(since, until, agent, session, query_class, outcomes, kinds)
        after = wire.optional_text(cursor, "cursor")
        return self.engine.project_recalls(self.scope, wanted, wire.whole(limit, "limit"), after)

    def past_recall(self, recall_id: str) -> RecallRecord:
        """A recall of yours as it was kept, what you said of its hits, and whether it can be asked again."""
        return self.engine.past_recall(self.scope, wire.text_of(recall_id, "recall_id"))

    def drop_recalls(self) -> int:
        """Let go of all that is kept of your recalls, and of what was counted of them; says how many they were. There
        is no way back."""
        return self.engine.drop_recalls(self.scope)


def _asked(
    since: object, until: object, agent: str | None, step: str, panels: Iterable[str], limit: int
) -> InsightQuery:
    return InsightQuery(
        since=wire.optional_time(since, "since"),
        until=wire.optional_time(until, "until"),
        agent=wire.optional_text(agent, "agent"),
        step=wire.choice(Step, step, "step"),
        panels=tuple(wire.choice(Panel, one, "panels") for one in wire.strings(panels, "panels")),
        limit=wire.whole(limit, "limit"),
    )


def _wanted(
    since: object,
    until: object,
    agent: str | None,
    session: str | None,
    query_class: str | None,
    outcomes: Iterable[str],
    kinds: Iterable[str],
) -> RecallFilter:
    return RecallFilter(
        since=wire.optional_time(since, "since"),
        until=wire.optional_time(until, "until"),
        agent=wire.optional_text(agent, "agent"),
        session=wire.optional_text(session, "session"),
        query_class=None if query_class is None else wire.choice(QueryClass, query_class, "query_class"),
        outcomes=tuple(wire.choice(RecallOutcome, one, "outcomes") for one in wire.strings(outcomes, "outcomes")),
        kinds=tuple(wire.choice(CitationKind, one, "kinds") for one in wire.strings(kinds, "kinds")),
    )
