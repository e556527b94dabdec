"""What `facets` answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Facets:
    """How the memories that a filter asks for divide: for each of their qualities, how many have a value. Values with
    most come first, months with the latest. `by_status` says how many the same filter would find of each status."""

    total: int
    by_kind: Mapping[str, int]
    by_status: Mapping[str, int]
    by_tag: Mapping[str, int]
    by_domain: Mapping[str, int]
    by_author: Mapping[str, int]
    by_source: Mapping[str, int]
    by_visibility: Mapping[str, int]
    by_month: Mapping[str, int]
