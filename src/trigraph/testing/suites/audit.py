"""`contracts.Audit`, as tests. What a check finds in a store that is broken is for each backend to show: through the
contract no store can be broken."""

from __future__ import annotations

from trigraph.contracts import Store
from trigraph.model.link import LinkType
from trigraph.model.relation import RelationType
from trigraph.model.scope import Scope
from trigraph.testing.builders import ANNE, DAY, ISLAND, MODEL, START, keep, open_island, pin, unit_vectors
from trigraph.testing.changes import end_relation, erase, keep_entity, keep_link, keep_relation
from trigraph.testing.suites.base import Suite
from trigraph.testing.world import fill

LATER = START + DAY


def broken(store: Store, scope: Scope) -> dict[str, list[str]]:
    """Every check that finds something, and what."""
    found = {name: list(store.audit.broken(scope, name)) for name in store.audit.checks()}
    return {name: told for name, told in found.items() if told}


class AuditSuite(Suite):
    """`contracts.Audit`."""

    def test_there_are_checks_each_once(self, store: Store) -> None:
        names = store.audit.checks()
        assert names
        assert len(set(names)) == len(names)

    def test_an_empty_store_is_sound(self, store: Store) -> None:
        assert broken(store, ANNE) == {}

    def test_a_store_with_something_of_everything_is_sound(self, store: Store) -> None:
        fill(store)
        assert broken(store, ANNE) == {}

    def test_what_is_written_through_the_contract_stays_sound(self, store: Store) -> None:
        world = fill(store)
        erase(store, ANNE, world.maker, world.fact, at=LATER)
        assert broken(store, ANNE) == {}
        erase(store, ANNE, world.document, world.referring, at=LATER)
        assert broken(store, ANNE) == {}

    def test_a_project_beside_another_is_sound(self, store: Store) -> None:
        open_island(store)
        fill(store)
        with store.transaction(ISLAND, START):
            store.space.pin(ISLAND, MODEL)
        keep(store, ISLAND, "alpha", vectors=unit_vectors(1))
        keep_entity(store, ISLAND, "Reef")
        assert (broken(store, ISLAND), broken(store, ANNE)) == ({}, {})

    def test_memories_wait_for_vectors_or_have_them(self, store: Store) -> None:
        keep(store, ANNE, "alpha")
        pin(store)
        keep(store, ANNE, "beta", vectors=unit_vectors(1))
        assert broken(store, ANNE) == {}

    def test_succession_is_what_supersedes_or_corrects_what_as_is_known_now(self, store: Store) -> None:
        open_island(store)
        first, second, third = (keep(store, ANNE, text) for text in ("first", "second", "third"))
        keep_link(store, ANNE, second, first, LinkType.SUPERSEDES)
        keep_link(store, ANNE, third, second, LinkType.CORRECTS)
        keep_link(store, ANNE, third, first, LinkType.RELATES_TO)
        closed = keep_link(store, ANNE, third, first, LinkType.SUPERSEDES)
        with store.transaction(ANNE, LATER) as now:
            store.links.close(ANNE, closed.id, now)
        assert set(store.audit.succession(ANNE)) == {(second.id, first.id), (third.id, second.id)}
        assert list(store.audit.succession(ISLAND)) == []

    def test_parts_are_what_is_part_of_or_supersedes_what_as_is_known_now(self, store: Store) -> None:
        open_island(store)
        mill, pond, weir = (keep_entity(store, ANNE, name)[0] for name in ("Mill", "Pond", "Weir"))
        keep_relation(store, ANNE, mill, pond, RelationType.PART_OF)
        keep_relation(store, ANNE, mill, pond, RelationType.PART_OF)
        keep_relation(store, ANNE, weir, pond, RelationType.SUPERSEDES)
        keep_relation(store, ANNE, weir, mill, RelationType.USES)
        closed, _ = keep_relation(store, ANNE, pond, mill, RelationType.PART_OF)
        end_relation(store, ANNE, closed, LATER)
        told = list(store.audit.parts(ANNE))
        assert sorted(told) == sorted([(mill, pond, "PART_OF"), (weir, pond, "SUPERSEDES")])
        assert list(store.audit.parts(ISLAND)) == []
