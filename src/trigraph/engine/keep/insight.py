"""Whether memory pays: the panels of insight, of one agent's recalls or of all agents of a project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from trigraph.engine.keep import panels
from trigraph.engine.keep.panels import Steps
from trigraph.engine.parts import Parts
from trigraph.engine.read.reading import check_limit
from trigraph.errors import InvalidInput
from trigraph.model.insight import (
    AgentFigure,
    DayFigures,
    Insight,
    InsightQuery,
    LegLift,
    Lift,
    NeverCited,
    Panel,
    RecallFilter,
    RecallOutcome,
    Span,
    Step,
    TokenAssumption,
)
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.text.tokens import BYTES_PER_TOKEN

SPAN = timedelta(days=30)
STEPS_MOST = 1000
LISTED_MOST = 100
LOOKED_AT = 500
"""Of so many memories that were shown most often it is looked whether they were ever of use."""
OLD_AFTER = timedelta(days=30)
LIFT_MOST = 400
"""The lift rests on so many recalls at most, the newest: each of them is fused again."""
NOTE = (
    "Only fusion is replayed: what moves hits after it (confidence, diversity, re-ranking, exact matches, expansion) is"
    " not. Citations were made of what all legs together had shown, so that what another order would have shown is"
    " not known."
)


def insight(parts: Parts, scope: Scope, asked: InsightQuery) -> Insight:
    """The agent's own recalls and citations alone."""
    if asked.agent is not None and asked.agent != scope.agent:
        raise InvalidInput(
            f"Of {asked.agent[:80]!r} only project_insight tells.", field="agent", fix="Leave it out, or ask that."
        )
    return _told(parts, scope, asked, scope.agent)


def project_insight(parts: Parts, scope: Scope, asked: InsightQuery) -> Insight:
    """All agents of the project, or one of them. Whoever calls this has seen to it that the caller may."""
    return _told(parts, scope, asked, asked.agent)


def _told(parts: Parts, scope: Scope, asked: InsightQuery, agent: str | None) -> Insight:
    check_limit(asked.limit, LISTED_MOST)
    now = parts.now(scope)
    span = _span(asked, now.as_of, agent)
    wanted = asked.panels or tuple(Panel)
    steps, rows = Steps(span.since, span.until, asked.step), RecallFilter(span.since, span.until, agent)
    figures = parts.store.figures
    days = figures.days(scope, span)
    top = tuple(figures.top_cited(scope, span, now, asked.limit)) if Panel.TOP_CITED in wanted else None
    return Insight(
        since=span.since,
        until=span.until,
        at=now.as_of,
        step=asked.step,
        agent=agent,
        askers=tuple(sorted({one.agent for one in days})),
        rolled_up=sum(one.recalls for one in days if one.rolled_up),
        hit_rate=panels.hit_rate(days, steps, rows) if Panel.HIT_RATE in wanted else None,
        stale=panels.stale_rate(days, steps, rows) if Panel.STALE in wanted else None,
        tokens=panels.tokens(days, steps, rows, _assumption(parts)) if Panel.TOKENS in wanted else None,
        agents=_agents(parts, scope, span, days, steps, rows) if Panel.AGENTS in wanted else None,
        top_cited=top,
        never_cited=_never_cited(parts, scope, agent, now, asked.limit) if Panel.NEVER_CITED in wanted else None,
        legs=panels.legs(days, rows) if Panel.LEGS in wanted else None,
        lift=_lift(parts, scope, span, days, rows) if Panel.LIFT in wanted else None,
    )


def _span(asked: InsightQuery, now: datetime, agent: str | None) -> Span:
    """What is asked for; without a time, the last 30 days of UTC, today included."""
    tomorrow = Steps(now, now, Step.DAY).begin(now) + timedelta(days=1)
    until = asked.until or tomorrow
    since = asked.since or until - SPAN
    if not since < until:
        raise InvalidInput("since is not before until.", field="since", fix="Give an earlier time.")
    if (until - since) / (timedelta(weeks=1) if asked.step is Step.WEEK else timedelta(days=1)) > STEPS_MOST:
        raise InvalidInput(
            f"That is more than {STEPS_MOST} steps.", field="since", fix="Give a later time, or weeks as steps."
        )
    return Span(since, until, agent)


def _assumption(parts: Parts) -> TokenAssumption:
    return TokenAssumption(BYTES_PER_TOKEN, parts.insight.cited_tokens, parts.insight.saved_rework_tokens)


def _agents(
    parts: Parts, scope: Scope, span: Span, days: Sequence[DayFigures], steps: Steps, rows: RecallFilter
) -> tuple[AgentFigure, ...]:
    cited, written = parts.store.figures.citation_days(scope, span), parts.store.figures.written_days(scope, span)
    return panels.agents(days, cited, written, steps, rows)


def _never_cited(parts: Parts, scope: Scope, agent: str | None, now: Moment, limit: int) -> NeverCited:
    before = Steps(now.as_of, now.as_of, Step.DAY).begin(now.as_of) - OLD_AFTER
    return NeverCited(
        shown_often=tuple(parts.store.figures.shown_uncited(scope, agent, now, limit, LOOKED_AT)),
        old=tuple(parts.store.figures.oldest_uncited(scope, agent, now, before, limit)),
        old_before=before,
        looked_at=LOOKED_AT,
    )


def _lift(parts: Parts, scope: Scope, span: Span, days: Sequence[DayFigures], rows: RecallFilter) -> Lift:
    from trigraph.ranking.lift import TOP, lift

    found = lift(parts.store.figures.useful(scope, span, LIFT_MOST))
    fared = {one.leg: one for one in panels.legs(days, rows)}
    told = [
        LegLift(
            leg=leg,
            leave_one_out=gain.leave_one_out,
            shapley=gain.shapley,
            only_with=gain.only_with,
            pushed_out=gain.pushed_out,
            places=gain.places,
            asked=fared[leg].asked,
            found=fared[leg].found,
            empty_rate=fared[leg].empty_rate,
        )
        for leg, gain in (found.gains.items() if found else ())
    ]
    return Lift(
        legs=tuple(told),
        whole=found.whole if found else None,
        recalls=found.recalls if found else 0,
        memories=found.memories if found else 0,
        hits=sum(one.hits for one in days),
        learnt=found.learnt if found else 0,
        most=LIFT_MOST,
        top=TOP,
        note=NOTE,
        rows=replace(rows, outcomes=(RecallOutcome.HIT,)),
    )
