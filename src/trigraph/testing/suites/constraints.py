"""`contracts.Graph.constraints`, as tests."""

from __future__ import annotations

from typing import Any

import pytest

from trigraph.contracts import Bound, Store
from trigraph.model.memory import Kind, MemoryFilter, Status, Visibility
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.testing.builders import ALL, ANNE, BERT, DAY, ISLAND, MICROSECOND, NOW, START, keep, open_island
from trigraph.testing.cast import AUDIENCES, every_audience, expected, register_all, shown
from trigraph.testing.changes import keep_entity, keep_mention, revise
from trigraph.testing.suites.base import Suite

RULE = Kind.CONSTRAINT


def _ids(store: Store, *entity_ids: str, moment: Moment = NOW, scope: Scope = BERT) -> list[str]:
    return [one.memory_id for one in store.graph.constraints(scope, entity_ids, ALL, moment, 100)]


class ConstraintsSuite(Suite):
    """Constraints that are pinned, or that speak of an entity."""

    def test_whether_there_is_a_constraint_is_told_of_the_project(self, store: Store) -> None:
        open_island(store)
        keep(store, ANNE, "a fact", pinned=True)
        assert not store.graph.constrained(ANNE)
        keep(store, ANNE, "a rule", kind=RULE, visibility=Visibility.PRIVATE)
        assert (store.graph.constrained(BERT), store.graph.constrained(ISLAND)) == (True, False)

    def test_pinned_constraints_and_those_that_speak_of_an_entity_are_told_newest_first(self, store: Store) -> None:
        mill, pond = (keep_entity(store, ANNE, name)[0] for name in ("Mill", "Pond"))
        keep(store, ANNE, "a rule of something else", kind=RULE)
        keep(store, ANNE, "a pinned fact", pinned=True)
        keep_mention(store, ANNE, [mill], "a fact of the mill")
        about = keep_mention(store, ANNE, [mill], "a rule about the mill", kind=RULE, subject=True).id
        both = keep_mention(store, ANNE, [mill, pond], "a rule that names both", kind=RULE, pinned=True).id
        pinned = keep(store, ANNE, "a pinned rule", kind=RULE, pinned=True).id

        found = store.graph.constraints(BERT, [pond, mill], ALL, NOW, 100)
        assert [(one.memory_id, one.pinned, set(one.entity_ids)) for one in found] == [
            (pinned, True, set()),
            (both, True, {mill, pond}),
            (about, False, {mill}),
        ]
        assert _ids(store) == [pinned, both]
        assert store.graph.constraints(BERT, [pond], ALL, NOW, 100)[1] == Bound(both, True, (pond,))

    def test_of_what_is_not_pinned_only_the_newest_are_looked_at(self, store: Store) -> None:
        mill, _ = keep_entity(store, ANNE, "Mill")
        pinned = keep(store, ANNE, "an old pinned rule", kind=RULE, pinned=True).id
        keep_mention(store, ANNE, [mill], "an old rule about the mill", kind=RULE)
        newest = keep_mention(store, ANNE, [mill], "a new rule about the mill", kind=RULE).id

        found = store.graph.constraints(ANNE, [mill], ALL, NOW, 1)
        assert [one.memory_id for one in found] == [newest, pinned]

    def test_a_filter_holds_for_constraints_too(self, store: Store) -> None:
        keep(store, ANNE, "a rule", kind=RULE, pinned=True, tags=("a",), domains=("house",))
        wanted = keep(store, BERT, "a rule", kind=RULE, pinned=True, tags=("a", "b"), domains=("garden",)).id
        for asked in (MemoryFilter(tags=("b",)), MemoryFilter(author="bert"), MemoryFilter(domains=("garden",))):
            assert [one.memory_id for one in store.graph.constraints(ANNE, [], asked, NOW, 100)] == [wanted]
        assert store.graph.constraints(ANNE, [], MemoryFilter(kinds=(Kind.FACT,)), NOW, 100) == []

    @every_audience
    @pytest.mark.parametrize("pinned", [True, False])
    def test_a_constraint_is_told_to_whom_it_may_be_seen(
        self, store: Store, audience: dict[str, Any], pinned: bool
    ) -> None:
        register_all(store)
        mill, _ = keep_entity(store, ANNE, "Mill")
        keep_mention(store, ANNE, [mill], "a rule", kind=RULE, pinned=pinned, **audience)
        told = expected(audience) if pinned else expected(audience, AUDIENCES["shared"])
        assert shown(lambda scope: _ids(store, mill, scope=scope)) == told

    @every_audience
    def test_a_constraint_does_not_tell_of_a_hidden_entity(self, store: Store, audience: dict[str, Any]) -> None:
        register_all(store)
        mill, _ = keep_entity(store, ANNE, "Mill", **audience)
        keep_mention(store, ANNE, [mill], "a rule", kind=RULE)
        told = expected(audience, AUDIENCES["shared"])
        assert shown(lambda scope: _ids(store, mill, scope=scope)) == told

    def test_a_constraint_is_told_while_it_holds_and_as_it_was_known(self, store: Store) -> None:
        begins, ends = START + 2 * DAY, START + 9 * DAY
        rule = keep(store, ANNE, "a rule", kind=RULE, pinned=True, valid_from=begins, valid_until=ends)
        for as_of, holds in ((begins - MICROSECOND, False), (begins, True), (ends - MICROSECOND, True), (ends, False)):
            assert bool(_ids(store, moment=Moment(as_of, NOW.known_at))) is holds
        revise(store, ANNE, rule, at=START + DAY, pinned=False)
        assert _ids(store, moment=Moment(begins, START + DAY - MICROSECOND)) == [rule.id]
        assert _ids(store, moment=Moment(begins, START + DAY)) == []

    @pytest.mark.parametrize("status", [Status.ARCHIVED, Status.FORGOTTEN, Status.QUARANTINED])
    def test_a_constraint_that_was_put_aside_is_not_told(self, store: Store, status: Status) -> None:
        keep(store, ANNE, "a rule", kind=RULE, pinned=True, status=status)
        assert _ids(store) == []

    def test_a_constraint_of_another_project_is_not_told(self, store: Store) -> None:
        open_island(store)
        keep(store, ISLAND, "a rule", kind=RULE, pinned=True)
        assert _ids(store) == []
