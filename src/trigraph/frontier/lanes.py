"""Compositions as lanes: what was tried, what is closed, and what waits for a proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from trigraph.frontier.pairs import Features, bridge_score
from trigraph.model.composition import (
    CLOSED_LABELS,
    DUPLICATE_LABELS,
    SUCCESS_LABELS,
    CompositionEvent,
    OutcomeLabel,
)
from trigraph.model.frontier import Lane


def lane_of(event: CompositionEvent) -> Lane:
    """The lane that a composition is; its tags are those of its members, the most common first."""
    counted = Counter(tag for member in event.members for tag in member.tags)
    labels = Counter(outcome.label for outcome in event.outcomes)
    return Lane(
        composition_id=event.id,
        query=event.query,
        at=event.at,
        member_ids=tuple(dict.fromkeys(member.memory_id for member in event.members)),
        tags=tuple(sorted(counted, key=lambda tag: (-counted[tag], tag))),
        labels={label: labels[label] for label in OutcomeLabel if labels[label]},
    )


def closed(lanes: Iterable[Lane]) -> list[Lane]:
    """Those that were closed, other than by a duplicate, and of which nothing came since."""
    return [
        lane for lane in with_labels(lanes, CLOSED_LABELS - DUPLICATE_LABELS) if not SUCCESS_LABELS & lane.labels.keys()
    ]


def duplicates(lanes: Iterable[Lane]) -> list[Lane]:
    """Those in which somebody was before, or may have been."""
    return with_labels(lanes, DUPLICATE_LABELS)


def unproven(lanes: Iterable[Lane]) -> list[Lane]:
    """Those that wait for a proof of concept and were neither closed nor proven since."""
    settled = CLOSED_LABELS | {OutcomeLabel.ACCEPTED}
    return [lane for lane in with_labels(lanes, {OutcomeLabel.NEEDS_POC}) if not settled & lane.labels.keys()]


def with_labels(lanes: Iterable[Lane], labels: Collection[OutcomeLabel]) -> list[Lane]:
    """Those of which one of the labels was told."""
    return [lane for lane in lanes if any(label in lane.labels for label in labels)]


def weirdness(of: Features, surface: float | None) -> float:
    """How unlike each other memories are that something joins all the same: built alike or joined by something rare,
    in different words."""
    return (of.structure + bridge_score(of)) * (1 - max(surface or 0.0, 0.0))
