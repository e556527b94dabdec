"""`contracts.Bridges`, as tests."""

from __future__ import annotations

from typing import Any

from trigraph.contracts import Store
from trigraph.model.memory import Kind, MemoryFilter, Status, Visibility
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.testing.builders import (
    ALL,
    ANNE,
    BERT,
    DAY,
    ISLAND,
    NOW,
    START,
    keep,
    keep_episode,
    keep_thread,
    open_island,
)
from trigraph.testing.cast import every_audience, expected, register_all, shown
from trigraph.testing.changes import compose, erase, keep_entity, keep_mention, revise
from trigraph.testing.suites.base import Suite


def tagged(store: Store, scope: Scope, tag: str, moment: Moment = NOW, most: int = 10) -> tuple[str, ...]:
    return store.bridges.tagged(scope, [tag], ALL, moment, most)[tag]


class BridgesSuite(Suite):
    """`contracts.Bridges`."""

    def test_the_newest_come_first_and_episodes_take_no_part(self, store: Store) -> None:
        keep_episode(store, ANNE, keep_thread(store, ANNE), 0, "said")
        kept = [keep(store, ANNE, f"number {number}", kind=kind) for number, kind in enumerate((Kind.FACT, Kind.SKILL))]
        assert store.bridges.newest(ANNE, ALL, NOW, 5) == [kept[1].id, kept[0].id]
        assert store.bridges.newest(ANNE, ALL, NOW, 1) == [kept[1].id]
        assert store.bridges.newest(ANNE, MemoryFilter(kinds=(Kind.FACT,)), NOW, 5) == [kept[0].id]
        assert store.bridges.newest(ANNE, ALL, Moment(START - DAY, START - DAY), 5) == []

    def test_a_spread_takes_the_first_from_each_time_on(self, store: Store) -> None:
        kept = [keep(store, ANNE, f"day {day}", at=START + day * DAY) for day in (0, 1, 2, 5)]
        times = [START - DAY, START + DAY, START + 3 * DAY, START + 4 * DAY]
        assert store.bridges.spread(ANNE, ALL, NOW, times) == [kept[0].id, kept[1].id, kept[3].id]
        assert store.bridges.first(ANNE, ALL, NOW) == kept[0].created_at
        assert store.bridges.first(ANNE, MemoryFilter(tags=("x",)), NOW) is None

    def test_memories_are_found_by_a_term_up_to_a_limit(self, store: Store) -> None:
        one, two, three = (keep(store, ANNE, f"mill {number}", "and mill") for number in ("a", "b", "c"))
        assert store.bridges.holding(ANNE, ["mill", "a", "none"], ALL, NOW, 2) == {
            "mill": (three.id, two.id),
            "a": (one.id,),
            "none": (),
        }
        assert store.bridges.frequencies(ANNE, ["mill", "a", "none"]) == {"mill": 6, "a": 1}

    def test_memories_are_found_by_an_entity(self, store: Store) -> None:
        entity_id, maker = keep_entity(store, ANNE, "Old Mill", subject=True)
        again = keep_mention(store, ANNE, [entity_id])
        assert store.bridges.speaking_of(ANNE, [entity_id], ALL, NOW, 9) == {entity_id: (again.id, maker.id)}
        assert store.bridges.speaking_of(ANNE, [entity_id], ALL, NOW, 1) == {entity_id: (again.id,)}

    def test_memories_are_found_by_the_tags_they_had_then(self, store: Store) -> None:
        memory = keep(store, ANNE, "one", tags=("red",))
        revise(store, ANNE, memory, at=START + 2 * DAY, tags=("blue", 'a "quoted" one'))
        assert tagged(store, ANNE, "red") == ()
        assert tagged(store, ANNE, 'a "quoted" one') == tagged(store, ANNE, "blue") == (memory.id,)
        assert tagged(store, ANNE, "red", Moment(START + DAY, START + DAY)) == (memory.id,)
        assert tagged(store, ANNE, "blue", Moment(START + DAY, START + DAY)) == ()
        assert tagged(store, ANNE, "re") == ()

    def test_what_was_forgotten_or_erased_is_found_by_nothing(self, store: Store) -> None:
        gone, erased = (keep(store, ANNE, "mill", tags=("red",)) for _ in range(2))
        revise(store, ANNE, gone, status=Status.FORGOTTEN, retracted_at=START + DAY)
        erase(store, ANNE, erased)
        assert tagged(store, ANNE, "red") == ()
        assert store.bridges.holding(ANNE, ["mill"], ALL, NOW, 5) == {"mill": ()}

    def test_companions_are_those_of_compositions_by_then(self, store: Store) -> None:
        one, two, three = (keep(store, ANNE, name) for name in ("one", "two", "three"))
        compose(store, ANNE, one, two)
        compose(store, ANNE, one, three, at=START + 5 * DAY)
        assert store.bridges.companions(ANNE, [one.id, two.id], NOW.known_at, 9) == {
            one.id: (two.id, three.id),
            two.id: (one.id,),
        }
        assert store.bridges.companions(ANNE, [one.id], START + DAY, 9) == {one.id: (two.id,)}
        assert store.bridges.companions(ANNE, [one.id], NOW.known_at, 1) == {one.id: (two.id,)}
        assert store.bridges.companions(ANNE, [], NOW.known_at, 9) == {}

    @every_audience
    def test_only_who_may_see_a_memory_finds_it_by_what_it_holds(self, store: Store, audience: dict[str, Any]) -> None:
        register_all(store)
        entity_id, _ = keep_entity(store, ANNE, "Mill", tags=("red",), **audience)
        held = expected(audience)
        assert shown(lambda scope: tagged(store, scope, "red")) == held
        assert shown(lambda scope: store.bridges.newest(scope, ALL, NOW, 5)) == held
        assert shown(lambda scope: store.bridges.first(scope, ALL, NOW)) == held
        assert shown(lambda scope: store.bridges.spread(scope, ALL, NOW, [START - DAY])) == held
        assert shown(lambda scope: store.bridges.holding(scope, ["mill"], ALL, NOW, 5)["mill"]) == held
        found = shown(lambda scope: store.bridges.speaking_of(scope, [entity_id], ALL, NOW, 5)[entity_id])
        assert found == held

    def test_a_companion_that_may_not_be_seen_is_not_told(self, store: Store) -> None:
        register_all(store)
        mine = keep(store, ANNE, "mine")
        hidden = keep(store, BERT, "hidden", visibility=Visibility.PRIVATE)
        compose(store, BERT, mine, hidden)
        assert store.bridges.companions(BERT, [mine.id], NOW.known_at, 9) == {mine.id: (hidden.id,)}
        assert store.bridges.companions(ANNE, [mine.id], NOW.known_at, 9) == {}

    def test_another_project_is_an_island(self, store: Store) -> None:
        open_island(store)
        keep(store, ANNE, "mill", tags=("red",))
        assert tagged(store, ISLAND, "red") == ()
        assert store.bridges.holding(ISLAND, ["mill"], ALL, NOW, 5) == {"mill": ()}
        assert store.bridges.newest(ISLAND, ALL, NOW, 5) == []
