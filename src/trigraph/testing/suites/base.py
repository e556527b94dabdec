"""What every suite needs: a store, a transaction that fails, and another thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

import pytest

from trigraph.contracts import Store
from trigraph.model.scope import Scope
from trigraph.testing.builders import START, register


class Suite:
    """The hook that a backend fills."""

    writers_wait_for_readers = False
    """True for a store that lets no other thread write while one reads or writes."""

    @pytest.fixture
    def store(self) -> Iterator[Store]:
        """An empty store, closed at the end."""
        raise NotImplementedError("a backend's suite overrides this fixture")

    @pytest.fixture(autouse=True)
    def _known_agents(self, store: Store) -> None:
        """The agents of the suites may see what is shared."""
        register(store, "anne", "bert", "carl")


class _Interruption(Exception):
    """What goes wrong in the middle of a transaction."""


@contextmanager
def undone(store: Store, scope: Scope, at: datetime = START) -> Iterator[datetime]:
    """A transaction that fails after the last statement of the block; the failure must come out of it."""
    try:
        with store.transaction(scope, at) as now:
            yield now
            raise _Interruption
    except _Interruption:
        return
    pytest.fail("the store swallowed the exception")


def in_another_thread(action: Callable[[], object]) -> object:
    """What the action gave or raised."""
    outcome: list[object] = []

    def run() -> None:
        try:
            outcome.append(action())
        except Exception as error:
            outcome.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(60)
    return outcome[0] if outcome else TimeoutError("the other thread is still waiting")
