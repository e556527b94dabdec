"""JSON back to values: what a newer or older version wrote is read as far as that is safe, and refused beyond."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from trigraph.errors import Incompatible
from trigraph.faces import wire
from trigraph.model.change import EntityHistory, MemoryHistory
from trigraph.model.job import Job, JobState
from trigraph.model.link import LinkType
from trigraph.model.memory import DecisionDetails, Details, Kind, OutcomeDetails, OutcomeResult, SessionDetails
from trigraph.model.query import Leg
from trigraph.model.report import ItemResult, ItemStatus

NOON = datetime(2026, 9, 1, 12, 0, 0, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (int, 3),
        (float, 3.0),
        (str | None, None),
        (datetime | None, NOON),
        (Kind, Kind.FACT),
        (list[LinkType], [LinkType.CORRECTS]),
        (tuple[int, int] | None, (3, 4)),
        (tuple[str, ...], ("a", "b")),
        (frozenset[str], frozenset({"a", "b"})),
        (Mapping[Leg, float], {Leg.GRAPH: 0.5}),
        (Details | None, DecisionDetails("why")),
        (Details | None, OutcomeDetails(OutcomeResult.FAILED, None)),
        (Details | None, SessionDetails({"cited": 2})),
        (Job, Job("j_1", "a", "turn", '{"a": [1]}', 1, JobState.DONE, NOON, NOON, result='"x"')),
        (Job, Job("j_1", "a", "turn", "", 1, JobState.DEAD, NOON, NOON)),
    ],
)
def test_a_value_comes_back_as_it_was(kind: Any, value: object) -> None:
    found = wire.from_json(kind, wire.to_json(value))
    assert found == value
    assert type(found) is type(value)


def test_what_is_unknown_is_passed_over_and_what_is_missing_is_as_by_default() -> None:
    found = wire.from_json(ItemResult, {"status": "added", "id": None, "mood": "calm"})
    assert found == ItemResult(ItemStatus.ADDED, None)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (int, "3"),
        (int, True),
        (bool, 1),
        (str, None),
        (Kind, "song"),
        (datetime, "noon"),
        (datetime, 5),
        (list[int], {}),
        (tuple[int, int], [1]),
        (ItemResult, {"id": None}),
        (ItemResult, [1]),
        (Mapping[str, int], []),
        (MemoryHistory | EntityHistory, {"id": "m_1"}),
        (MemoryHistory | EntityHistory, None),
    ],
)
def test_what_is_no_value_of_its_kind_is_refused(kind: Any, data: object) -> None:
    with pytest.raises(Incompatible, match="same version"):
        wire.from_json(kind, data)
