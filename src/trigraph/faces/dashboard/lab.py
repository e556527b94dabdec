"""The recall lab: ask, see how the answer came about, compare two settings, and replay what was asked before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from trigraph.errors import InvalidInput
from trigraph.faces.dashboard.cards import counted, day, entity_url, minute
from trigraph.faces.dashboard.frame import Action, Asked, Page, Shown, address_of
from trigraph.faces.dashboard.lab_compare import Comparison, compared
from trigraph.faces.dashboard.lab_hits import LabHit, lab_hits
from trigraph.faces.dashboard.lab_replay import Replay, replayed
from trigraph.faces.dashboard.lab_settings import (
    LIMIT_MOST,
    OTHER,
    PROFILE_NAMES,
    SESSION,
    Question,
    Setting,
    question_in,
    setting_in,
)
from trigraph.model.ids import short_id
from trigraph.model.memory import Kind
from trigraph.model.query import Fusion, Leg, TimeWindow
from trigraph.model.recall import Conflict, Constraint, Plan, Recall

PATH = "/lab"
PAST_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Side:
    """One answer, whole: how it was planned, how the legs fared, what was found and why."""

    name: str
    told: str
    recall_id: str
    plan: tuple[tuple[str, str], ...]
    entities: tuple[tuple[str, str], ...]
    legs: tuple[tuple[str, str, str, str, str, bool], ...]
    stages: tuple[tuple[str, str, float], ...]
    spent: str
    certainty: float | None
    nothing_found: bool
    constraints: tuple[Constraint, ...]
    constraints_left_out: int
    conflicts: tuple[Conflict, ...]
    hits: tuple[LabHit, ...]
    threads: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class PastLine:
    """A past recall in a list."""

    url: str
    query: str
    when: str
    outcome: str
    shown: int


@dataclass(frozen=True, slots=True)
class Lab:
    """The page: the form as it was filled in, and what it brought."""

    question: Question | None
    first: Setting
    second: Setting
    comparing: bool
    typed: dict[str, str]
    kinds: tuple[tuple[str, bool], ...]
    profiles: tuple[str, ...]
    fusions: tuple[str, ...]
    legs: tuple[str, ...]
    sides: tuple[Side, ...]
    comparison: Comparison | None
    replay: Replay | None
    again_url: str | None
    lab_url: str | None
    past: tuple[PastLine, ...]
    older_url: str | None
    problem: str
    limit_most: int = LIMIT_MOST


def show(asked: Asked) -> Shown:
    """An empty form with past recalls; with a query, its answer by one or two settings; with a recall, that one."""
    recall_id = asked.query.given("recall")
    return _replay(asked, recall_id) if recall_id else _ask(asked)


def _ask(asked: Asked) -> Shown:
    data: dict[str, object] = {}
    sides: list[Side] = []
    question, comparison, problem = None, None, ""
    try:
        question = question_in(asked.query)
        if question.text:
            settings = [one for one in (question.first, question.second) if one is not None]
            answers = [asked.memory.recall(question.text, **question.arguments(one)) for one in settings]
            names = ("A", "B") if len(answers) > 1 else ("",)
            sides = [_side(*one) for one in zip(names, settings, answers, strict=True)]
            data |= dict(zip(("recall", "compared_with"), answers, strict=False))
            if len(answers) > 1:
                comparison = _compared(*answers)
    except InvalidInput as error:
        problem = f"{error.message} {error.fix or ''}".strip()
    past, older = _past(asked, data) if not sides else ((), None)
    view = _lab(asked, question, problem, sides=tuple(sides), comparison=comparison, past=past, older_url=older)
    return Shown("lab.html", view, data, status=400 if problem else 200)


def _replay(asked: Asked, recall_id: str) -> Shown:
    memory, record = asked.memory, asked.memory.past_recall(recall_id)
    event = record.event
    profile = event.profile if event.profile in PROFILE_NAMES else None
    again = bool(asked.query.one("again")) and record.replayable
    answer = None
    if again:
        limit = min(max(event.top_n_selected, 1), LIMIT_MOST)
        answer = memory.recall(event.query, limit=limit, profile=profile, session=SESSION, explain=True)
    data: dict[str, object] = {"past_recall": record, **({"recall": answer} if answer else {})}
    sides = (_side("", Setting(profile=profile or ""), answer),) if answer else ()
    view = _lab(
        asked,
        None,
        "",
        sides=sides,
        replay=replayed(memory, record, answer),
        again_url=address_of(PATH, recall=event.recall_id, again="1") if record.replayable and not again else None,
        lab_url=address_of(PATH, q=event.query, profile=profile) if record.replayable else None,
    )
    return Shown("lab.html", view, data)


def _lab(asked: Asked, question: Question | None, problem: str, **found: Any) -> Lab:
    given = asked.query
    none = {"comparison": None, "replay": None, "again_url": None, "lab_url": None, "past": (), "older_url": None}
    return Lab(
        question=question,
        first=setting_in(given, ""),
        second=setting_in(given, OTHER),
        comparing=bool(given.one("compare")),
        typed={name: given.one(name) for name in ("q", "limit", "tags", "domains", "threads")},
        kinds=tuple((kind.value, kind.value in given.all("kinds")) for kind in Kind),
        profiles=PROFILE_NAMES,
        fusions=tuple(one.value for one in Fusion),
        legs=tuple(one.value for one in Leg),
        problem=problem,
        **{**none, **found},
    )


def _past(asked: Asked, data: dict[str, object]) -> tuple[tuple[PastLine, ...], str | None]:
    page = asked.memory.recalls(limit=PAST_SHOWN, cursor=asked.query.given("cursor"))
    data["recalls"] = page
    lines = tuple(
        PastLine(
            address_of(PATH, recall=one.recall_id),
            one.query or "(its query was not kept)",
            minute(one.at),
            one.outcome.value,
            one.shown,
        )
        for one in page.recalls
    )
    return lines, address_of(PATH, cursor=page.next_cursor) if page.next_cursor else None


def _side(name: str, setting: Setting, recall: Recall) -> Side:
    slowest = max(recall.stages.values(), default=1.0) or 1.0
    return Side(
        name=name,
        told=setting.told,
        recall_id=recall.id,
        plan=_plan(recall.plan),
        entities=tuple((called, entity_url(id_)) for id_, called in recall.plan.entities.items()),
        legs=tuple(
            (
                leg.leg.value,
                leg.status.value.replace("_", " "),
                f"{leg.count}{' (cut short)' if leg.truncated else ''}",
                f"{leg.milliseconds:.1f}",
                leg.reason or "",
                leg.status.degraded,
            )
            for leg in recall.legs
        ),
        stages=tuple(
            (stage, f"{spent:.1f} ms", round(100 * spent / slowest, 1)) for stage, spent in recall.stages.items()
        ),
        spent=f"{recall.milliseconds:.0f} ms",
        certainty=None if recall.certainty is None else round(100 * recall.certainty, 1),
        nothing_found=recall.nothing_found,
        constraints=recall.constraints,
        constraints_left_out=recall.constraints_left_out,
        conflicts=recall.conflicts,
        hits=lab_hits(recall),
        threads=tuple(
            (
                one.name or one.session or short_id(one.id),
                "" if one.chance is None else f"{one.chance:.0%}",
                one.best_id,
            )
            for one in recall.threads or ()
        ),
    )


def _plan(plan: Plan) -> tuple[tuple[str, str], ...]:
    facts = (
        ("class", plan.query_class.value.replace("_", " ")),
        ("profile", plan.profile),
        ("fusion", plan.fusion.value + (f", ordered by {plan.ordered_by}" if plan.ordered_by else "")),
        ("weights", ", ".join(f"{leg.value} {weight:g}" for leg, weight in plan.weights.items())),
        ("time named", _window(plan.window) if plan.window else "none"),
        ("what was replaced", "is wanted too" if plan.superseded else "is left out"),
        ("recency", f"{plan.recency:g}"),
        ("terms", " ".join(plan.terms)),
        ("identifiers", " ".join(plan.identifiers)),
        ("domains", ", ".join(plan.domains) or "all"),
        ("looked at", counted(plan.candidates_per_leg, "candidate a leg", "candidates a leg")),
    )
    return tuple((name, value) for name, value in facts if value)


def _window(window: TimeWindow) -> str:
    start = day(window.start) if window.start else "ever"
    until = day(window.until) if window.until else "now"
    return f"“{window.phrase}”: {start} to {until}"


def _compared(first: Recall, second: Recall) -> Comparison:
    texts = {hit.memory.id: hit.memory.text for hit in (*first.hits, *second.hits)}
    return compared((hit.memory.id for hit in first.hits), (hit.memory.id for hit in second.hits), texts)


PAGES = (Page(PATH, show, label="Recall lab"),)
ACTIONS: tuple[Action, ...] = ()
