"""From messages to drafts of memories: the first extractor that can read them does, the rules always can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trigraph.engine.parts import Parts
from trigraph.errors import ModelUnavailable, TrigraphError
from trigraph.model.extraction import (
    CERTAINTY_CONFIDENCE,
    FINDING_KINDS,
    Extraction,
    Found,
    Role,
    Said,
    Stage,
)
from trigraph.model.memory import Derivation, Memory, MemoryDraft, Source, Visibility

STAGE_SOURCES = {Stage.TURN: Source.TURN, Stage.DISTILLATION: Source.DISTILLATION}


@dataclass(frozen=True, slots=True)
class Heard:
    """Messages as they were said, with the episodes that keep them, if any do, and for whom they are."""

    said: tuple[Said, ...]
    episode_ids: tuple[str | None, ...]
    session: str | None
    visibility: Visibility
    group: str | None
    turn: str | None = None


@dataclass(frozen=True, slots=True)
class Read:
    """What was made of them, and why not by the model, where one is configured and failed."""

    extraction: Extraction
    fallen_back: str | None = None


def heard(episodes: Sequence[Memory]) -> Heard:
    """Episodes in order, as messages; they share one audience."""
    first = episodes[0]
    place = first.place
    return Heard(
        said=tuple(_said(episode) for episode in episodes),
        episode_ids=tuple(episode.id for episode in episodes),
        session=first.provenance.session,
        visibility=first.visibility,
        group=first.group,
        turn=f"{place.thread_id}:{place.seq}" if place else None,
    )


def read(parts: Parts, stage: Stage, messages: Sequence[Said]) -> Read:
    """Ask the extractors in turn; one that fails leaves it to the next, and that is told."""
    problem: str | None = None
    for extractor in parts.extractors:
        try:
            return Read(extractor.extract(stage, messages), problem)
        except ModelUnavailable as error:
            problem = f"{extractor.name}: {error.message}"
    raise TrigraphError(problem or "nothing is there that reads conversations")


def drafts(stage: Stage, heard_: Heard, extraction: Extraction) -> list[MemoryDraft]:
    """A draft of a memory for each finding."""
    return [_draft(stage, heard_, found) for found in extraction.found]


def _draft(stage: Stage, heard_: Heard, found: Found) -> MemoryDraft:
    times = [at for span in found.evidence if (at := heard_.said[span.message].occurred_at) is not None]
    sources = [
        Derivation(id_, span.start, span.end)
        for span in found.evidence
        if (id_ := heard_.episode_ids[span.message]) is not None
    ]
    return MemoryDraft(
        text=found.text,
        kind=FINDING_KINDS[found.finding],
        topic=found.topic,
        tags=(found.finding,),
        visibility=heard_.visibility,
        group=heard_.group,
        source=Source.TOOL_OUTPUT if _by_tools_unkept(heard_, found) else STAGE_SOURCES[stage],
        session=heard_.session,
        turn=heard_.turn,
        occurred_at=max(times, default=None),
        confidence=CERTAINTY_CONFIDENCE[found.certainty],
        derived_from=tuple(sources),
    )


def _by_tools_unkept(heard_: Heard, found: Found) -> bool:
    """Whether it rests on what a tool put out and no episode keeps: then nothing but its source says so."""
    return any(
        heard_.said[span.message].role is Role.TOOL and heard_.episode_ids[span.message] is None
        for span in found.evidence
    )


def _said(episode: Memory) -> Said:
    place = episode.place
    role = place.role if place and place.role in tuple(Role) else Role.USER
    return Said(
        Role(role), episode.text, place.speaker if place else None, episode.occurred_at, episode.provenance.turn
    )
