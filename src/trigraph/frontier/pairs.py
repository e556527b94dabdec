"""What two memories have in common, and how far that makes them worth combining.

Every ingredient is from 0 to 1 and says one thing: through how few hands they are joined (resource allocation over
entities that both speak of), by how many memories that both were used with, by how rare words, whether their meanings
are neighbours without being the same, whether they are built alike, and so on. None of them counts memories that the
asker may not see.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from trigraph.model.calibration import Thresholds
from trigraph.model.composition import CompositionTally
from trigraph.model.memory import Kind

HOLDERS_MOST = 50
"""What more memories hold joins nobody in particular."""

BAND_BELOW = 0.50
BAND_RISES = 0.25
BAND_ABOVE = 0.10
"""A band of cosines around the one from which two texts are alike: from so far below it they have something to do with
each other, fully so from so far below it to so far above it, and less and less up to that of duplicates."""

ALLOCATION_HALF = 0.5
TERM_SHARE = 0.6
TAG_SHARE = 0.5
COMPANION_SHARE = 0.5
BOUNDARY_FULL = 2


class Tie(StrEnum):
    """What two memories can be joined by."""

    ENTITY = "entity"
    TERM = "term"
    TAG = "tag"
    COMPANION = "companion"


class Bridge(NamedTuple):
    """One thing that joins memories: an entity or a companion by its id, an analysed term, a tag."""

    tie: Tie
    key: str


@dataclass(frozen=True, slots=True)
class Profile:
    """A memory as the frontier sees it. `place` is where it comes from, such as a session; `tally` is of its
    compositions."""

    id: str
    kind: Kind
    tags: frozenset[str] = frozenset()
    trust: float = 1.0
    retention: float = 1.0
    place: str | None = None
    tally: CompositionTally = field(default_factory=CompositionTally)


@dataclass(frozen=True, slots=True)
class Joined:
    """Two memories, what joins them (with how many the asker may see that hold it), how alike they are on the surface
    (None where that is not known) and how alike they are built."""

    one: Profile
    other: Profile
    bridges: Mapping[Bridge, int]
    surface: float | None = None
    structure: float = 0.0


@dataclass(frozen=True, slots=True)
class Features:
    """The ingredients of a pair's score."""

    allocation: float
    companions: float
    linking: float
    band: float
    structure: float
    tags: float
    boundary: float
    kinds: float
    distance: float
    novelty: float
    retention: float
    trust: float


@dataclass(frozen=True, slots=True)
class Weights:
    """What each ingredient weighs: those of the bridge add up to one, and so do those of the whole."""

    allocation: float = 0.38
    companions: float = 0.26
    linking: float = 0.18
    band: float = 0.04
    structure: float = 0.04
    tags: float = 0.01
    boundary: float = 0.03
    kinds: float = 0.02
    distance: float = 0.04
    bridge: float = 0.80
    novelty: float = 0.08
    retention: float = 0.04
    trust: float = 0.08


WEIGHTS = Weights()


def rarity(holders: int) -> float:
    """How much it says that two memories hold the same thing: 1 if only one did, 0 from `HOLDERS_MOST` on. It depends
    on what the asker may see alone, not on the size of the store."""
    return max(math.log((HOLDERS_MOST + 1) / max(holders, 1)) / math.log(HOLDERS_MOST + 1), 0.0)


def weight_of(bridge: Bridge, holders: int) -> float:
    """A rough worth of a bridge, by which neighbours are found before they are looked at closely."""
    if bridge.tie in (Tie.ENTITY, Tie.COMPANION):
        return 1 / max(holders, 1)
    return (0.5 if bridge.tie is Tie.TERM else 0.25) * rarity(holders)


def features(pair: Joined, boundary_tags: Collection[str], thresholds: Thresholds) -> Features:
    """The ingredients of a pair."""
    one, other = pair.one, pair.other
    return Features(
        allocation=_allocation(pair.bridges),
        companions=_joined_by(pair.bridges, Tie.COMPANION, COMPANION_SHARE),
        linking=_joined_by(pair.bridges, Tie.TERM, TERM_SHARE),
        band=band(pair.surface, thresholds),
        structure=pair.structure,
        tags=_joined_by(pair.bridges, Tie.TAG, TAG_SHARE),
        boundary=min(len(boundaries(one.tags | other.tags, boundary_tags)) / BOUNDARY_FULL, 1.0),
        kinds=float(one.kind is not other.kind),
        distance=_distance(one, other),
        novelty=(novelty(one.tally.events) + novelty(other.tally.events)) / 2,
        retention=(one.retention + other.retention) / 2,
        trust=min(one.trust, other.trust),
    )


def bridge_score(of: Features, weights: Weights = WEIGHTS) -> float:
    """How well two memories are joined, from 0 to 1."""
    return (
        weights.allocation * of.allocation
        + weights.companions * of.companions
        + weights.linking * of.linking
        + weights.band * of.band
        + weights.structure * of.structure
        + weights.tags * of.tags
        + weights.boundary * of.boundary
        + weights.kinds * of.kinds
        + weights.distance * of.distance
    )


def score(of: Features, adjustment: float = 0.0, weights: Weights = WEIGHTS) -> float:
    """How far a pair is worth combining, with what came of its members' compositions added."""
    return (
        weights.bridge * bridge_score(of, weights)
        + weights.novelty * of.novelty
        + weights.retention * of.retention
        + weights.trust * of.trust
        + adjustment
    )


def admitted(pair: Joined, thresholds: Thresholds) -> bool:
    """Whether anything joins the two: something few hold, or neighbouring meanings; and they do not say the same."""
    if pair.surface is not None and pair.surface >= thresholds.duplicate:
        return False
    return any(rarity(held) > 0 for held in pair.bridges.values()) or band(pair.surface, thresholds) > 0


def band(cosine: float | None, thresholds: Thresholds) -> float:
    """1 where two texts are neighbours, 0 where they have nothing to do with each other or say the same."""
    if cosine is None:
        return 0.0
    none, full = thresholds.alike - BAND_BELOW, thresholds.alike - BAND_RISES
    falls = min(thresholds.alike + BAND_ABOVE, thresholds.duplicate)
    if cosine < full:
        return max((cosine - none) / (full - none), 0.0)
    if cosine <= falls:
        return 1.0
    return max((thresholds.duplicate - cosine) / (thresholds.duplicate - falls), 0.0) if cosine < 1 else 0.0


def novelty(events: int) -> float:
    """How little a memory was used together with others."""
    return 1 / (1 + events)


def boundaries(tags: Collection[str], boundary_tags: Collection[str]) -> tuple[str, ...]:
    """The tags of places where systems meet, in order."""
    exact = {tag for tag in boundary_tags if not tag.endswith("*")}
    beginnings = tuple(tag[:-1] for tag in boundary_tags if tag.endswith("*"))
    return tuple(sorted(tag for tag in tags if tag in exact or (beginnings and tag.startswith(beginnings))))


def _allocation(bridges: Mapping[Bridge, int]) -> float:
    """Resource allocation: what each shared entity passes on is shared out among all that speak of it."""
    passed_on = sum(1 / max(held, 1) for (tie, _), held in bridges.items() if tie is Tie.ENTITY)
    return passed_on / (passed_on + ALLOCATION_HALF)


def _joined_by(bridges: Mapping[Bridge, int], of: Tie, share: float) -> float:
    """Several signs of one sort, each a chance of up to `share`: that not all of them mislead."""
    missed = 1.0
    for (tie, _), held in bridges.items():
        if tie is of:
            missed *= 1 - share * rarity(held)
    return 1 - missed


def _distance(one: Profile, other: Profile) -> float:
    """How far apart two memories were kept: by their tags, and by where they come from."""
    every = one.tags | other.tags
    by_tags = 1 - len(one.tags & other.tags) / len(every) if every else 0.5
    apart = float(one.place is None or one.place != other.place)
    return (by_tags + apart) / 2
