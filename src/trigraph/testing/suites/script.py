"""A random script that a store and a plain dictionary go through together."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from trigraph.contracts import Store
from trigraph.model.memory import Kind, Memory, MemoryFilter, Status, Visibility
from trigraph.model.scope import Scope
from trigraph.model.thread import Thread
from trigraph.model.times import Moment
from trigraph.testing.builders import (
    ALL,
    ANNE,
    BERT,
    DAY,
    NOW,
    START,
    ids,
    keep,
    keep_episode,
    keep_thread,
    memories_of,
    new_memory,
)
from trigraph.testing.suites.base import Suite, undone

SCRIPT_STEPS = 300
SCRIPT_SEED = 20260901
_WORDS = ("alpha", "beta", "gamma", "delta", "epsilon")
_AGENTS = (ANNE, BERT, replace(ANNE, agent="carl"))
_KINDS = (Kind.FACT, Kind.SKILL, Kind.DECISION)


@dataclass(frozen=True)
class _Model:
    """What a store is to hold, as a plain dictionary, and what it is to show."""

    kept: dict[str, Memory]

    def visible(self, scope: Scope, moment: Moment, wanted: MemoryFilter = ALL) -> list[Memory]:
        """Newest first."""
        shown = [one for one in self.kept.values() if self._shows(one, scope, moment) and self._fits(one, wanted)]
        return sorted(shown, key=lambda memory: memory.id, reverse=True)

    def _shows(self, memory: Memory, scope: Scope, moment: Moment) -> bool:
        return (
            (memory.provenance.author == scope.agent or memory.visibility is Visibility.SHARED)
            and memory.status is Status.ACTIVE
            and memory.created_at <= moment.known_at
            and memory.valid_from <= moment.as_of
            and (memory.valid_until is None or moment.as_of < memory.valid_until)
        )

    def _fits(self, memory: Memory, wanted: MemoryFilter) -> bool:
        return (
            (not wanted.kinds or memory.kind in wanted.kinds)
            and set(wanted.tags) <= set(memory.tags)
            and wanted.author in (None, memory.provenance.author)
        )


class RandomScriptSuite(Suite):
    """A store and a dictionary go through the same script, and show the same at every step."""

    def test_a_random_script_shows_what_a_plain_dictionary_would(self, store: Store) -> None:
        dice = random.Random(SCRIPT_SEED)
        model = _Model({})
        threads: list[tuple[Thread, Scope]] = []
        for step in range(SCRIPT_STEPS):
            scope, at = dice.choice(_AGENTS), START + dice.randint(-5, step) * DAY
            action = dice.random()
            if action < 0.1:
                threads.append((keep_thread(store, scope, at=at), scope))
            elif action < 0.35 and threads:
                self._say(store, model, dice, dice.choice(threads)[0], scope, at)
            elif action < 0.9:
                self._remember(store, model, dice, scope, at)
            else:
                self._fail(store, dice, scope, at)
            self._compare(store, model, dice)

    def _say(
        self, store: Store, model: _Model, dice: random.Random, thread: Thread, scope: Scope, at: datetime
    ) -> None:
        seq = store.threads.next_seq(scope, thread.id) + dice.randint(0, 1)
        memory = keep_episode(store, scope, thread, seq, self._text(dice), at=at, **self._fields(dice, at))
        model.kept[memory.id] = memory

    def _remember(self, store: Store, model: _Model, dice: random.Random, scope: Scope, at: datetime) -> None:
        kind = dice.choice(_KINDS)
        pieces = [self._text(dice) for _ in range(dice.randint(1, 3))]
        memory = keep(store, scope, *pieces, at=at, kind=kind, **self._fields(dice, at))
        model.kept[memory.id] = memory

    def _fail(self, store: Store, dice: random.Random, scope: Scope, at: datetime) -> None:
        with undone(store, scope, at) as now:
            store.memories.add(scope, new_memory(scope, self._text(dice), at=now))

    def _text(self, dice: random.Random) -> str:
        return " ".join(dice.choices(_WORDS, k=dice.randint(1, 4)))

    def _fields(self, dice: random.Random, at: datetime) -> dict[str, Any]:
        begins = at - dice.randint(0, 30) * DAY
        return {
            "valid_from": begins,
            "valid_until": dice.choice([None, begins + dice.randint(1, 90) * DAY]),
            "visibility": dice.choice(list(Visibility)),
            "status": dice.choice([Status.ACTIVE, Status.ACTIVE, Status.ACTIVE, Status.FORGOTTEN]),
            "tags": tuple(dice.sample(["a", "b", "c"], dice.randint(0, 2))),
        }

    def _compare(self, store: Store, model: _Model, dice: random.Random) -> None:
        scope = dice.choice(_AGENTS)
        as_of, known_at = (START + dice.randint(-30, SCRIPT_STEPS) * DAY for _ in range(2))
        moment = dice.choice([NOW, Moment(as_of, known_at)])
        visible = model.visible(scope, moment)
        everything = list(model.kept)
        dice.shuffle(everything)
        shown = set(ids(visible))
        got = store.memories.get(scope, everything, moment)
        assert got == [model.kept[id_] for id_ in everything if id_ in shown]
        self._compare_page(store, model, dice, scope, moment)
        counts = store.memories.count_by_kind(scope, moment)
        assert counts == {kind: sum(one.kind is kind for one in visible) for kind in {one.kind for one in visible}}
        places = {one.place.thread_id for one in visible if one.place}
        assert store.threads.count(scope, moment) == len(places)
        word = dice.choice(_WORDS)
        found = store.search.lexical(scope, [word], ALL, moment, 10_000)
        holding = {one.id for one in visible if word in one.text.split()}
        assert set(memories_of(store, scope, found, moment)) == holding

    def _compare_page(self, store: Store, model: _Model, dice: random.Random, scope: Scope, moment: Moment) -> None:
        wanted = MemoryFilter(
            kinds=tuple(dice.sample(_KINDS, dice.randint(0, 2))),
            tags=tuple(dice.sample(["a", "b"], dice.randint(0, 1))),
            author=dice.choice([None, "anne", "bert"]),
        )
        expected = ids(model.visible(scope, moment, wanted))
        before = dice.choice([None, *model.kept]) if model.kept else None
        limit = dice.randint(1, 20)
        following = [id_ for id_ in expected if before is None or id_ < before]
        assert ids(store.memories.page(scope, wanted, moment, limit, before)) == following[:limit]
