"""How much a link still says after some days (L6). It ranks and prunes; thresholds of traversals ask what is stored."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from trigraph.model.link import LinkOrigin, LinkType

_DAY = timedelta(days=1)
_PER_DAY = {LinkType.TEMPORAL: 0.1, LinkType.IMPLEMENTS: 0.02}
_OTHERS_PER_DAY = 0.05
_NEVER = (LinkType.SUPERSEDES, LinkType.CORRECTS, LinkType.OUTCOME_OF)


def decayed(type_: LinkType, created_by: LinkOrigin, confidence: float, drawn_at: datetime, now: datetime) -> float:
    """The confidence of a link at a time. What somebody said of a memory's fate does not fade."""
    if type_ in _NEVER and created_by is not LinkOrigin.SYSTEM:
        return confidence
    days = max((now - drawn_at) / _DAY, 0.0)
    return confidence * math.exp(-_PER_DAY.get(type_, _OTHERS_PER_DAY) * days)
