"""`contracts.Queue`, as tests."""

from __future__ import annotations

from trigraph.contracts import Store
from trigraph.testing.builders import ANNE, BERT, keep_job
from trigraph.testing.suites.base import Suite


class QueueSuite(Suite):
    """`contracts.Queue`."""

    def test_jobs_wait_under_their_name_for_whoever_queued_them(self, store: Store) -> None:
        keep_job(store, ANNE, "tidy")
        keep_job(store, BERT, "tidy")
        keep_job(store, ANNE, "sweep")
        waiting = [store.queue.waiting(ANNE, name) for name in ("tidy", "sweep", "unheard")]
        assert waiting == [1, 1, 0]
