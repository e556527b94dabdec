"""How long recalls are kept: whole, then without their candidates, then as counts of their days."""

from __future__ import annotations

from collections.abc import Callable

from trigraph.engine.parts import Parts
from trigraph.model.scope import Scope

BATCH = 500
"""So many recalls change in one transaction: a recall that is made meanwhile does not wait long for its event."""
BATCHES_MOST = 20
"""So many transactions of each kind one run makes; the next goes on."""


def let_go(parts: Parts, scope: Scope) -> int:
    """Let go of what has been kept long enough in the scope's project; returns of how many recalls something went.
    Cut short at any place, it is gone on with where it was."""
    rules, now, retention = parts.insight, parts.clock(), parts.store.retention
    gone = 0
    if rules.keep is not None:
        before = now - rules.keep
        gone += _in_batches(lambda: retention.roll_up(scope, before, BATCH))
    if rules.keep_whole is not None:
        whole_before = now - rules.keep_whole
        gone += _in_batches(lambda: retention.thin(scope, whole_before, BATCH))
    if not rules.keep_queries:
        gone += _in_batches(lambda: retention.unask(scope, BATCH))
    return gone


def _in_batches(change: Callable[[], int]) -> int:
    done = 0
    for _ in range(BATCHES_MOST):
        batch = change()
        done += batch
        if batch < BATCH:
            break
    return done


def drop_own(parts: Parts, scope: Scope) -> int:
    """Let go of all that was kept of the agent's own recalls, the counts of its days too; returns how many they were.
    What it said of them stays with the memories."""
    dropped = parts.store.retention.counted(scope)
    while True:
        batch = parts.store.retention.drop(scope, BATCH)
        dropped += batch
        if batch < BATCH:
            return dropped
