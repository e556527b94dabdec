"""Whether memory pays: the figures of insight, each with what its rows are."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from trigraph.model.change import Citation, CitationKind
from trigraph.model.events import RecallEvent
from trigraph.model.memory import Kind
from trigraph.model.query import Leg, QueryClass

POSITIVE = (CitationKind.CITED, CitationKind.SAVED_REWORK, CitationKind.REWROTE)
"""What says that a hit was of use: even one that was rewritten had been found."""
STALE = (CitationKind.FLAGGED_STALE, CitationKind.REWROTE)
"""What says that a hit was out of date."""


class Panel(StrEnum):
    """What insight can be asked for."""

    HIT_RATE = "hit_rate"
    STALE = "stale"
    TOKENS = "tokens"
    AGENTS = "agents"
    TOP_CITED = "top_cited"
    NEVER_CITED = "never_cited"
    LEGS = "legs"
    LIFT = "lift"


class Step(StrEnum):
    """How long a point of a series is. Weeks begin on Mondays; both are of UTC."""

    DAY = "day"
    WEEK = "week"


class RecallOutcome(StrEnum):
    """What became of a recall: a hit of it was of use; something was said of its hits, but nothing good; nothing was
    said; there was nothing to say it of."""

    HIT = "hit"
    MISS = "miss"
    UNDECIDED = "undecided"
    EMPTY = "empty"


def outcome_of(said: Collection[CitationKind], shown: int) -> RecallOutcome:
    """What became of a recall that showed so many hits, by what was said of these."""
    if said:
        return RecallOutcome.HIT if any(kind in POSITIVE for kind in said) else RecallOutcome.MISS
    return RecallOutcome.UNDECIDED if shown else RecallOutcome.EMPTY


@dataclass(frozen=True, slots=True)
class InsightQuery:
    """What insight is asked for: recalls of [since, until), of one agent or all that the verb is about. Without a time
    it is the last 30 days; without panels, all of them. `limit` is how many memories a list names."""

    since: datetime | None = None
    until: datetime | None = None
    agent: str | None = None
    step: Step = Step.DAY
    panels: tuple[Panel, ...] = ()
    limit: int = 10


@dataclass(frozen=True, slots=True)
class RecallFilter:
    """Which past recalls: those of [since, until), of an agent, a session, a class, with some outcomes, and of which a
    hit got a citation of some kinds. What is left out asks for all."""

    since: datetime | None = None
    until: datetime | None = None
    agent: str | None = None
    session: str | None = None
    query_class: QueryClass | None = None
    outcomes: tuple[RecallOutcome, ...] = ()
    kinds: tuple[CitationKind, ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a whole, with its 95 % interval by Wilson; nothing where the whole is nothing."""

    part: int
    whole: int
    rate: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class HitFigure:
    """How recalls fared: `rate` is hits among those of which something was said, `of_all` among all of them, which is
    the least that it can be. Without a class it is of all classes."""

    query_class: QueryClass | None
    recalls: int
    hits: int
    misses: int
    undecided: int
    empty: int
    rate: Share
    of_all: Share
    rows: RecallFilter


@dataclass(frozen=True, slots=True)
class HitPoint:
    """The same in one step of time."""

    start: datetime
    until: datetime
    recalls: int
    hits: int
    misses: int
    undecided: int
    empty: int
    rate: float | None
    rows: RecallFilter


@dataclass(frozen=True, slots=True)
class HitRate:
    """Recall hit rate, by class of query and over time. A step without recalls has a point with nothing in it."""

    overall: HitFigure
    by_class: tuple[HitFigure, ...]
    series: tuple[HitPoint, ...]


@dataclass(frozen=True, slots=True)
class StalePoint:
    """Of how many recalls something was said, and of how many a hit was flagged as stale or rewritten."""

    start: datetime
    until: datetime
    decided: int
    stale: int
    rate: float | None
    rows: RecallFilter


@dataclass(frozen=True, slots=True)
class StaleRate:
    """How often what was found was out of date, among recalls of which something was said."""

    overall: Share
    flagged_stale: int
    rewrote: int
    series: tuple[StalePoint, ...]
    rows: RecallFilter


@dataclass(frozen=True, slots=True)
class TokenAssumption:
    """What no event can tell, and what the tokens rest on: settings, but for the first."""

    bytes_per_token: int
    cited_tokens: int
    saved_rework_tokens: int


@dataclass(frozen=True, slots=True)
class TokenPoint:
    """Tokens in one step of time."""

    start: datetime
    until: datetime
    loaded_tokens: int
    saved_tokens: int
    rows: RecallFilter


@dataclass(frozen=True, slots=True)
class Tokens:
    """What recalls put before agents, and what their citations saved, by an assumption."""

    assumption: TokenAssumption
    recalls: int
    loaded_tokens: int
    cited: int
    saved_rework: int
    saved_tokens: int
    net_tokens: int
    series: tuple[TokenPoint, ...]
    rows: RecallFilter


@dataclass(frozen=True, slots=True)
class ActivityPoint:
    """What an agent did in one step of time."""

    start: datetime
    until: datetime
    recalls: int
    citations: int
    written: int


@dataclass(frozen=True, slots=True)
class AgentFigure:
    """How an agent uses memory. `citations` are all that it made in that time, by kind, of whatever recall or none;
    `written` are the memories that it wrote."""

    agent: str
    recalls: int
    hits: int
    misses: int
    undecided: int
    empty: int
    rate: Share
    citations: Mapping[CitationKind, int]
    written: int
    milliseconds: float | None
    series: tuple[ActivityPoint, ...]
    rows: RecallFilter


@dataclass(frozen=True, slots=True)
class CitedMemory:
    """A memory that was of use: how often (`of_use`), by kind of citation, and when last. `text` is its beginning."""

    memory_id: str
    text: str
    kind: Kind
    of_use: int
    citations: Mapping[CitationKind, int]
    last_at: datetime


@dataclass(frozen=True, slots=True)
class UncitedMemory:
    """A memory that was never of use: how often recalls showed it, when last, and since when it is there."""

    memory_id: str
    text: str
    kind: Kind
    shown: int
    last_shown_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class NeverCited:
    """Dead weight, of all times: what was shown most often and never of use, and the oldest that was never of use, from
    before `old_before`. `looked_at` is how many of the most shown memories were looked at."""

    shown_often: tuple[UncitedMemory, ...]
    old: tuple[UncitedMemory, ...]
    old_before: datetime
    looked_at: int


@dataclass(frozen=True, slots=True)
class LegFigure:
    """How a leg fared: in how many recalls it was asked, found something, and was degraded."""

    leg: Leg
    asked: int
    found: int
    degraded: int
    empty_rate: float | None
    degraded_rate: float | None
    rows: RecallFilter


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over recalls with its 95 % bootstrap interval, sessions drawn whole."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class LegLift:
    """What a leg adds to where the memories that were of use stand, as mean reciprocal rank: what is lost without it
    (`leave_one_out`), and its fair share of the whole (`shapley`). `only_with` counts those that are among the first
    `top` only with it, `pushed_out` those that are there only without it; `places` is the mean of log2 of the rank
    without it over the rank with it, where both rank."""

    leg: Leg
    leave_one_out: Interval
    shapley: Interval
    only_with: int
    pushed_out: int
    places: float | None
    asked: int
    found: int
    empty_rate: float | None


@dataclass(frozen=True, slots=True)
class Lift:
    """The lift of every leg, by fusing what recalls kept again. It rests on `recalls` with `memories` that were of use:
    the newest of the `hits`, at most `most`, whose candidates are kept and hold what was of use. `learnt` of them were
    ordered by a learnt model. `whole` is the mean reciprocal rank with all legs; `note` says what was not replayed."""

    legs: tuple[LegLift, ...]
    whole: float | None
    recalls: int
    memories: int
    hits: int
    learnt: int
    most: int
    top: int
    note: str
    rows: RecallFilter


@dataclass(frozen=True, slots=True)
class Insight:
    """Figures of recalls made in [since, until), as they stand at a time. `agent` is whose they are: nobody's for all
    agents of the project; `askers` are the agents that made them. Panels that were not asked for are None. `rolled_up`
    counts the recalls that are known by their day's counts alone, because their events are no longer kept."""

    since: datetime
    until: datetime
    at: datetime
    step: Step
    agent: str | None
    askers: tuple[str, ...]
    rolled_up: int
    hit_rate: HitRate | None = None
    stale: StaleRate | None = None
    tokens: Tokens | None = None
    agents: tuple[AgentFigure, ...] | None = None
    top_cited: tuple[CitedMemory, ...] | None = None
    never_cited: NeverCited | None = None
    legs: tuple[LegFigure, ...] | None = None
    lift: Lift | None = None


@dataclass(frozen=True, slots=True)
class PastRecall:
    """A recall that was made. `query` is None where it is another agent's or was not kept, and so is `session`; `whole`
    says whether its candidates are still there."""

    recall_id: str
    at: datetime
    agent: str
    session: str | None
    query: str | None
    query_class: QueryClass
    outcome: RecallOutcome
    shown: int
    payload_bytes: int
    milliseconds: float
    citations: Mapping[CitationKind, int]
    whole: bool


@dataclass(frozen=True, slots=True)
class RecallPage:
    """Past recalls, the latest first; `next_cursor` leads to the next page, if there is one."""

    recalls: tuple[PastRecall, ...]
    next_cursor: str | None = None


@dataclass(frozen=True, slots=True)
class RecallRecord:
    """A recall as it was kept, with what became of it. `replayable` says whether it can be asked again: not without
    its query (then `why_not` tells)."""

    event: RecallEvent
    outcome: RecallOutcome
    citations: tuple[Citation, ...]
    replayable: bool
    why_not: str | None = None


# What a store counts


@dataclass(frozen=True, slots=True)
class Span:
    """Recalls of [since, until), of one agent, or without one of all agents of the project."""

    since: datetime
    until: datetime
    agent: str | None


@dataclass(frozen=True, slots=True)
class LegCounts:
    """In how many recalls a leg was asked, found something, was degraded."""

    asked: int = 0
    found: int = 0
    degraded: int = 0


@dataclass(frozen=True, slots=True)
class DayFigures:
    """The recalls of an agent, of one class, on one day of UTC. `stale` counts those of which a hit was flagged as
    stale or rewritten; `citations` counts the agent's citations of hits of theirs. `rolled_up` says that only these
    counts are left."""

    day: datetime
    agent: str
    query_class: QueryClass
    recalls: int
    hits: int
    misses: int
    undecided: int
    empty: int
    stale: int
    payload_bytes: int
    milliseconds: float
    citations: Mapping[CitationKind, int] = field(default_factory=dict)
    legs: Mapping[Leg, LegCounts] = field(default_factory=dict)
    rolled_up: bool = False


@dataclass(frozen=True, slots=True)
class DayCount:
    """How many of something an agent made on a day of UTC; of a kind, if it has kinds."""

    day: datetime
    agent: str
    count: int
    kind: CitationKind | None = None


@dataclass(frozen=True, slots=True)
class UsefulRecall:
    """A recall of which hits were of use: its event, and which."""

    event: RecallEvent
    useful: tuple[str, ...]
