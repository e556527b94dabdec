"""Whether two memories are built alike, apart from what they say (C9)."""

from __future__ import annotations

import pytest

from trigraph.frontier.structure import Arc, Part, fit, histogram, likeness
from trigraph.model.memory import EntityType

SYSTEM, PERSON = EntityType.SYSTEM, EntityType.PERSON


@pytest.mark.req("C9")
def test_names_do_not_matter_and_relations_do() -> None:
    billing = histogram([Part("billing", SYSTEM, True)], [Arc("billing", "DEPENDS_ON", "postgres")])
    search = histogram([Part("search", SYSTEM, True)], [Arc("search", "DEPENDS_ON", "redis")])
    owned = histogram([Part("search", SYSTEM, True)], [Arc("search", "OWNS", "redis")])
    turned = histogram([Part("search", SYSTEM, True)], [Arc("redis", "DEPENDS_ON", "search")])
    assert likeness(billing, search) == pytest.approx(1)
    assert likeness(billing, owned) < 1
    assert likeness(billing, turned) < 1


def test_what_a_neighbour_is_joined_to_counts() -> None:
    chain = [Arc("a", "USES", "b"), Arc("b", "USES", "c")]
    fork = [Arc("a", "USES", "b"), Arc("a", "USES", "c")]
    parts = [Part("a", SYSTEM, False), Part("b", SYSTEM, False), Part("c", SYSTEM, False)]
    assert likeness(histogram(parts, chain), histogram(parts, fork)) < 1


def test_a_memory_without_relations_has_no_structure() -> None:
    alone = histogram([Part("a", PERSON, True)], [Arc("x", "USES", "y")])
    assert not alone
    assert likeness(alone, alone) == 0


@pytest.mark.req("C9")
def test_the_fit_is_what_structure_has_beyond_the_surface() -> None:
    shape = histogram([Part("a", SYSTEM, True)], [Arc("a", "USES", "b")])
    assert fit(shape, shape, 0.0) == pytest.approx(1)
    assert fit(shape, shape, 0.8) == pytest.approx(0.6)
    assert fit(shape, shape, None) == pytest.approx(1)
    assert fit(shape, {}, 0.5) == 0
