"""What came of compositions that a pair's members took part in: it shapes the order and never hides a pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from trigraph.model.composition import (
    CLOSED_LABELS,
    DUPLICATE_LABELS,
    SUCCESS_LABELS,
    CompositionTally,
    OutcomeLabel,
)
from trigraph.model.frontier import OutcomeSignal

WORTH: Mapping[OutcomeLabel, float] = MappingProxyType(
    {
        OutcomeLabel.ACCEPTED: 0.35,
        OutcomeLabel.HELPFUL: 0.25,
        OutcomeLabel.USER_PROMOTED: 0.20,
        OutcomeLabel.SUBMITTED: 0.15,
        OutcomeLabel.NEEDS_POC: -0.05,
        OutcomeLabel.USER_DEMOTED: -0.20,
        OutcomeLabel.DUPLICATE_RISK: -0.35,
        OutcomeLabel.CLOSED_BY_DUPLICATE: -0.40,
        OutcomeLabel.DEAD_END: -0.45,
        OutcomeLabel.REJECTED: -0.45,
        OutcomeLabel.BAD_SEVERITY: -0.45,
        OutcomeLabel.CLOSED_BY_SCOPE: -0.45,
        OutcomeLabel.CLOSED_BY_FALSE_ASSUMPTION: -0.45,
        OutcomeLabel.CLOSED_BY_USER: -0.45,
        OutcomeLabel.EXPIRED_LANE: -0.45,
    }
)
"""What a composition with that outcome says for others of its members."""

SHARE = 0.2
"""So much of that is added: a score goes from 0 to 1, and what joins two memories has to say more of them than what
came of others that one of them took part in."""

UNKNOWN = 3.0
"""Nothing is known of the next composition: so many compositions without an outcome are counted with what there is."""

_DOORS = CLOSED_LABELS - DUPLICATE_LABELS


def prior_outcomes(tallies: Iterable[CompositionTally]) -> dict[OutcomeLabel, int]:
    """How often each outcome was told of compositions of these memories, in the order of the list of labels."""
    counted: dict[OutcomeLabel, int] = {}
    for tally in tallies:
        for label, times in tally.labels.items():
            counted[label] = counted.get(label, 0) + times
    return {label: counted[label] for label in OutcomeLabel if counted.get(label)}


def adjustment(tallies: Iterable[CompositionTally]) -> float:
    """What the outcomes add to a score: a share of the mean worth of a composition of these memories, drawn towards
    nothing the fewer there are. Ten helpful ones say more than one, and one dead end among twenty compositions says
    little. They were told of whole compositions, not of this pair: hence never more than their mean."""
    known = tuple(tallies)
    prior = prior_outcomes(known)
    if not prior:
        return 0.0
    told = sum(prior.values())
    compositions = max(sum(tally.events for tally in known), told)
    return SHARE * sum(WORTH[label] * times for label, times in prior.items()) / (compositions + UNKNOWN)


def signal(prior: Mapping[OutcomeLabel, int]) -> OutcomeSignal:
    """What the outcomes come to, in one word. A lane that was closed because somebody was there before is told as a
    duplicate risk: that is what to check first."""
    if not prior:
        return OutcomeSignal.CLEAN
    succeeded = bool(SUCCESS_LABELS & prior.keys())
    closed, duplicate = bool(_DOORS & prior.keys()), bool(DUPLICATE_LABELS & prior.keys())
    if (closed or duplicate) and succeeded:
        return OutcomeSignal.MIXED_PRIOR_OUTCOMES
    if closed:
        return OutcomeSignal.PRIOR_CLOSED_DOOR
    if duplicate:
        return OutcomeSignal.PRIOR_DUPLICATE_RISK
    if succeeded:
        return OutcomeSignal.PRIOR_SUCCESS
    if OutcomeLabel.NEEDS_POC in prior:
        return OutcomeSignal.PRIOR_NEEDS_POC
    return OutcomeSignal.MIXED_PRIOR_OUTCOMES
