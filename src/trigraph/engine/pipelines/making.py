"""The work of the pipelines: what each makes of its job, up to what is ready to be written."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from trigraph.engine.parts import Parts
from trigraph.engine.pipelines.extracting import Heard, Read, drafts, heard, read
from trigraph.engine.pipelines.jobs import JobName
from trigraph.engine.read.reading import all_memories
from trigraph.engine.write.remember import ReadyItems, make_ready, prepare_draft, write_ready
from trigraph.engine.write.telling import draw_link
from trigraph.errors import InvalidInput
from trigraph.model.change import Verb
from trigraph.model.extraction import Role, Said, Stage
from trigraph.model.job import Job
from trigraph.model.link import LinkOrigin, LinkType
from trigraph.model.memory import SAID_BY_USER, Derivation, Kind, Memory, MemoryDraft, MemoryFilter, Source, Visibility
from trigraph.model.report import ItemResult, ItemStatus
from trigraph.model.scope import Scope
from trigraph.model.times import Moment, parse_time
from trigraph.text.terms import analyse
from trigraph.text.transcripts import split_turns

EPISODES_MOST = 5_000
"""So many messages of a session are distilled, the latest."""

GAVE_WAY = "read again with its whole session"


@dataclass(frozen=True, slots=True)
class Made:
    """What a job came to: memories ready to be written, those that were left out, and what to tell of it."""

    ready: ReadyItems
    left_out: Counter[str]
    told: dict[str, Any]


def make(parts: Parts, scope: Scope, job: Job) -> Made:
    """Do a job's work. Writes nothing."""
    payload = json.loads(job.payload)
    match JobName(job.name):
        case JobName.TURN:
            return _made(parts, scope, *_turn(parts, scope, payload))
        case JobName.DISTIL:
            return _made(parts, scope, *_distillation(parts, scope, payload["session"]))
        case JobName.REFLECT:
            from trigraph.engine.pipelines.reflecting import insights  # its tables are large, and rarely needed

            return _made(parts, scope, *insights(parts, scope, payload["days"]))


def write(parts: Parts, scope: Scope, made: Made, at: datetime) -> str:
    """Write what was made, in the open transaction; says what came of it, as JSON."""
    results = write_ready(parts, scope, made.ready, at)
    _renew_summary(parts, scope, made.ready, results, at)
    _renew_turns(parts, scope, made.ready, results, at)
    counts = Counter(result.status.value for result in results)
    ids = [result.id for result in results if result.status in (ItemStatus.ADDED, ItemStatus.UPDATED)]
    return json.dumps({**made.told, **counts, "filtered": dict(made.left_out), "ids": ids})


def _made(parts: Parts, scope: Scope, found: Sequence[MemoryDraft], told: dict[str, Any]) -> Made:
    prepared, left_out = [], Counter[str]()
    for draft in found:
        try:
            one = prepare_draft(parts, scope, draft)
        except InvalidInput as error:
            left_out[error.code] += 1
            continue
        if one.guarded.filtered is None:
            prepared.append(one)
        else:
            left_out[one.guarded.filtered] += 1
    return Made(make_ready(parts, scope, prepared), left_out, told)


def _turn(parts: Parts, scope: Scope, payload: dict[str, Any]) -> tuple[list[MemoryDraft], dict[str, Any]]:
    if "said" in payload:
        given = _given(payload)
    else:
        wanted = MemoryFilter(
            kinds=(Kind.EPISODE,),
            thread=payload["thread_id"],
            first_seq=payload["first"],
            last_seq=payload["last"],
        )
        episodes = _episodes(parts, scope, wanted)
        if not episodes:
            return [], {"extractor": None}  # what was said has been forgotten since
        given = heard(episodes)
    found: list[MemoryDraft] = []
    told: dict[str, Any] = {}
    for messages, part in _each_turn(given):
        reading = read(parts, Stage.TURN, messages)
        found += drafts(Stage.TURN, part, reading.extraction)
        told = _told(reading, told)
    return found, told


def _each_turn(given: Heard) -> list[tuple[tuple[Said, ...], Heard]]:
    turns, start = [], 0
    for messages in split_turns(given.said):
        ids = given.episode_ids[start : start + len(messages)]
        turns.append((messages, replace(given, said=messages, episode_ids=ids)))
        start += len(messages)
    return turns


def _distillation(parts: Parts, scope: Scope, session: str) -> tuple[list[MemoryDraft], dict[str, Any]]:
    episodes = _episodes(parts, scope, MemoryFilter(kinds=(Kind.EPISODE,), session=session))
    if not episodes:
        return [], {"extractor": None}
    given = heard(episodes)
    reading = read(parts, Stage.DISTILLATION, given.said)
    found = drafts(Stage.DISTILLATION, given, reading.extraction)
    if reading.extraction.summary:
        found.append(_summary(given, episodes, reading.extraction.summary))
    return found, _told(reading, {})


def _summary(given: Heard, episodes: Sequence[Memory], text: str) -> MemoryDraft:
    spoken = [episode for episode in episodes if episode.provenance.source is not Source.TOOL_OUTPUT] or episodes
    return MemoryDraft(
        text=text,
        kind=Kind.SUMMARY,
        visibility=given.visibility,
        group=given.group,
        source=Source.DISTILLATION,
        session=given.session,
        turn=given.turn,
        occurred_at=episodes[-1].occurred_at,
        derived_from=tuple(Derivation(one.id) for one in {spoken[0].id: spoken[0], spoken[-1].id: spoken[-1]}.values()),
    )


def _renew_summary(parts: Parts, scope: Scope, ready: ReadyItems, results: Sequence[ItemResult], at: datetime) -> None:
    """A session that was distilled before has one summary, the latest."""
    for one, result in zip(ready.prepared, results, strict=True):
        if one.draft.kind is not Kind.SUMMARY or result.status is not ItemStatus.ADDED or result.id is None:
            continue
        wanted = MemoryFilter(kinds=(Kind.SUMMARY,), sources=(Source.DISTILLATION,), session=one.draft.session)
        now = Moment(at, at)
        for older in parts.store.memories.page(scope, wanted, now, 10, None):
            newer = parts.store.memories.get(scope, [result.id], now)
            own = older.id != result.id and older.provenance.author == scope.agent
            if newer and own and (older.visibility, older.group) == (one.draft.visibility, one.draft.group):
                _give_way(parts, scope, older, newer[0], at)


def _renew_turns(parts: Parts, scope: Scope, ready: ReadyItems, results: Sequence[ItemResult], at: datetime) -> None:
    """What was taken out of single turns is a first reading. A session's distillation has read the whole of it: what it
    did not keep gives way to its summary, unless somebody has used it since. What the user said only gives way to a
    memory that says all of it."""
    summary = next(
        (
            result.id
            for one, result in zip(ready.prepared, results, strict=True)
            if one.draft.kind is Kind.SUMMARY and one.draft.source is Source.DISTILLATION and result.id is not None
        ),
        None,
    )
    now = Moment(at, at)
    newer = parts.store.memories.get(scope, [summary], now) if summary is not None else []
    if not newer or newer[0].provenance.session is None:
        return
    kept = {result.id for result in results}  # what the distillation says, too, in the same words or others
    told = [set(analyse(one.draft.text)) for one in ready.prepared if one.draft.kind is not Kind.SUMMARY]
    wanted = MemoryFilter(sources=(Source.TURN,), author=scope.agent, session=newer[0].provenance.session)
    for older in parts.store.memories.page(scope, wanted, now, EPISODES_MOST, None):
        same_audience = (older.visibility, older.group) == (newer[0].visibility, newer[0].group)
        if older.id in kept or not same_audience or older.pinned or not _untouched(parts, scope, older, at):
            continue
        if older.confidence < SAID_BY_USER or any(set(analyse(older.text)) <= words for words in told):
            _give_way(parts, scope, older, newer[0], at)


def _untouched(parts: Parts, scope: Scope, memory: Memory, at: datetime) -> bool:
    """Whether a memory is as a pipeline left it: taken from a message, and since then neither used, voted on, said
    again nor built upon."""
    links = parts.store.links.of(scope, [memory.id], at)
    derived = any(link.type is LinkType.DERIVED_FROM and link.from_id == memory.id for link in links)
    built_on = any(link.created_by is not LinkOrigin.SYSTEM for link in links)
    once = len(parts.store.memories.versions(scope, [memory.id], at)) == 1
    return derived and once and not built_on and not memory.restatements


def _give_way(parts: Parts, scope: Scope, older: Memory, newer: Memory, at: datetime) -> None:
    """The pipelines' own words, put better: what was said before is retracted, for nobody is to find both."""
    own = parts.store.tick(scope, at)
    parts.store.memories.revise(scope, replace(older, retracted_at=own), Verb.CORRECT, GAVE_WAY, own)
    draw_link(parts, scope, newer, older.id, LinkType.CORRECTS, GAVE_WAY, origin=LinkOrigin.SYSTEM)


def _told(reading: Read, before: dict[str, Any]) -> dict[str, Any]:
    usage = reading.extraction.usage
    return {
        "extractor": reading.extraction.extractor,
        "fallen_back": reading.fallen_back or before.get("fallen_back"),
        "tokens_in": before.get("tokens_in", 0) + usage.tokens_in,
        "tokens_out": before.get("tokens_out", 0) + usage.tokens_out,
    }


def _given(payload: dict[str, Any]) -> Heard:
    said = tuple(
        Said(
            **{
                **one,
                "role": Role(one["role"]),
                "occurred_at": parse_time(one["occurred_at"], "occurred_at") if one["occurred_at"] else None,
            }
        )
        for one in payload["said"]
    )
    return Heard(said, (None,) * len(said), payload["session"], Visibility(payload["visibility"]), payload["group"])


def _episodes(parts: Parts, scope: Scope, wanted: MemoryFilter) -> list[Memory]:
    """What was said, in order: the agent's own episodes of one audience."""
    found = all_memories(parts, scope, replace(wanted, author=scope.agent), EPISODES_MOST)
    found.sort(key=lambda one: (one.place.thread_id, one.place.seq) if one.place else ("", 0))
    audience = (found[-1].visibility, found[-1].group) if found else None
    return [one for one in found if (one.visibility, one.group) == audience]
