"""Health: what works and what mends the rest, how much is stored, and the queue."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from trigraph.faces.dashboard.cards import LegLine, leg_line, minute, one_line
from trigraph.faces.dashboard.frame import Action, Asked, Done, Page, Shown, address_of
from trigraph.faces.dashboard.notices import Notice
from trigraph.model.job import Job, JobState
from trigraph.model.status import Health, Stats

PATH = "/health"
JOBS_SHOWN = 50
JOBS_COUNTED = 500


@dataclass(frozen=True, slots=True)
class JobLine:
    """A job of one's own."""

    id: str
    name: str
    state: str
    attempts: int
    created: str
    finished: str
    error: str
    dead: bool


@dataclass(frozen=True, slots=True)
class Report:
    """What works, how much there is, and the queue."""

    health: Health
    legs: tuple[LegLine, ...]
    stored: tuple[tuple[str, str, str | None], ...]
    about: tuple[tuple[str, str], ...]
    jobs: tuple[JobLine, ...]
    states: tuple[tuple[str, int, str, bool], ...]


def show(asked: Asked) -> Shown:
    """All that `health`, `stats` and `jobs` say."""
    memory, state = asked.memory, asked.query.one("state")
    health, stats = memory.health(), memory.stats()
    latest = memory.jobs(limit=JOBS_COUNTED)
    counted = Counter(one.state for one in latest)
    jobs = [one for one in latest if not state or one.state == state][:JOBS_SHOWN]
    view = Report(
        health=health,
        legs=tuple(map(leg_line, health.legs)),
        stored=_stored(stats),
        about=_about(health),
        jobs=tuple(map(_job, jobs)),
        states=tuple(
            (
                one.value,
                counted[one],
                address_of(PATH, state="" if one.value == state else one.value),
                one.value == state,
            )
            for one in JobState
        ),
    )
    return Shown("health.html", view, {"health": health, "stats": stats, "jobs": jobs})


def retry(asked: Asked) -> Done:
    """Dead jobs are tried again."""
    ids = asked.form.all("ids")
    for one in ids:
        asked.memory.retry(one)
    return Done(PATH, Notice("retry" if ids else "nothing"))


def _stored(stats: Stats) -> tuple[tuple[str, str, str | None], ...]:
    """What is stored, how much, and where its rows are."""
    return (
        ("memories", f"{stats.memories:,}", "/memories"),
        ("entities", f"{stats.entities:,}", "/entities"),
        ("threads", f"{stats.threads:,}", "/memories?kind=episode"),
        ("passages", f"{stats.passages:,}", None),
        ("vectors", f"{stats.vectors:,}", None),
        ("waiting for a vector", f"{stats.waiting_for_vector:,}", None),
        ("recalls", f"{stats.recalls:,}", None),
        ("on disk", f"{stats.store_bytes / 1_048_576:,.1f} MiB", None),
    )


def _about(health: Health) -> tuple[tuple[str, str], ...]:
    model = health.configured_model or health.pinned_model
    return (
        ("trigraph", health.engine_version),
        ("store", health.store),
        ("schema version", str(health.schema_version)),
        ("embedding model", f"{model.model_id}, {model.dimension} dimensions" if model else "none"),
    )


def _job(one: Job) -> JobLine:
    return JobLine(
        id=one.id,
        name=one.name,
        state=one.state.value,
        attempts=one.attempts,
        created=minute(one.created_at),
        finished=minute(one.finished_at),
        error=one_line(one.last_error or "", 200),
        dead=one.state is JobState.DEAD,
    )


PAGES = (Page(PATH, show, label="Health"),)
ACTIONS = (Action("/health/retry", retry, page=show),)
