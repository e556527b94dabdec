"""`contracts.Queue`, as tests."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

from trigraph.contracts import NewJob, Store
from trigraph.model.ids import new_id
from trigraph.model.job import Job, JobState
from trigraph.model.scope import Scope
from trigraph.model.thread import Thread
from trigraph.testing.builders import ANNE, BERT, DAY, ISLAND, MICROSECOND, NOW, START, keep, keep_job, open_island
from trigraph.testing.suites.base import Suite, undone

HOUR = timedelta(hours=1)
LEASE = timedelta(minutes=2)
LATER = START + HOUR
WAITING, RUNNING, DONE, DEAD = JobState.WAITING, JobState.RUNNING, JobState.DONE, JobState.DEAD


def put(store: Store, scope: Scope, name: str = "turn", at: datetime = START, **payload: object) -> str:
    """Queue a job; returns its id."""
    with store.transaction(scope, at) as now:
        job = NewJob(new_id("j", now), name, json.dumps(payload))
        store.queue.put(scope, job, now)
    return job.id


def claim(store: Store, scope: Scope = ANNE, at: datetime = LATER) -> Job | None:
    """Claim what is due first, for as long as a lease is."""
    with store.transaction(scope, at):
        return store.queue.claim(scope, at, at + LEASE)


def claimed(store: Store, scope: Scope = ANNE, at: datetime = LATER) -> Job:
    """The same, where something is due."""
    job = claim(store, scope, at)
    assert job is not None
    return job


def finish(store: Store, job: Job, scope: Scope = ANNE, at: datetime = LATER) -> bool:
    """The claimed job is done."""
    with store.transaction(scope, at) as now:
        return store.queue.finish(scope, job, '{"added": 1}', now)


def fail(store: Store, job: Job, again_at: datetime | None, at: datetime = LATER) -> None:
    """The claimed job failed."""
    with store.transaction(ANNE, at) as now:
        store.queue.fail(ANNE, job, "OSError: it rained", again_at, now)


def revive(store: Store, scope: Scope, job_id: str, at: datetime = LATER) -> bool:
    """Let a dead job be tried again."""
    with store.transaction(scope, at) as now:
        return store.queue.revive(scope, job_id, now)


def put_done(store: Store, scope: Scope, at: datetime) -> str:
    """Queue a job and do it at once; nothing else may be due."""
    id_ = put(store, scope, at=at)
    assert finish(store, claimed(store, scope, at + MICROSECOND), scope, at + MICROSECOND)
    return id_


def put_turn(store: Store, scope: Scope, session: str | None, at: datetime) -> str:
    """A turn of a session is handed over, in the thread of that name."""
    there = store.threads.find(scope, session or "nowhere", NOW)
    with store.transaction(scope, at) as now:
        thread = there or Thread(new_id("t", now), session, session, None, scope.agent, now)
        if there is None:
            store.threads.add(scope, thread)
    return put(store, scope, "turn", at, thread_id=thread.id, first=0, last=0)


def sweep(store: Store, scope: Scope, before: datetime) -> None:
    """Let go of what was done before a time."""
    with store.transaction(scope, LATER):
        store.queue.sweep(scope, before)


def listed(store: Store, scope: Scope, *states: JobState) -> list[str]:
    return [job.id for job in store.queue.jobs(scope, states, 100)]


class QueueSuite(Suite):
    """`contracts.Queue`."""

    def test_jobs_wait_under_their_name_for_whoever_queued_them(self, store: Store) -> None:
        keep_job(store, ANNE, "tidy")
        keep_job(store, BERT, "tidy")
        keep_job(store, ANNE, "sweep")
        waiting = [store.queue.waiting(ANNE, name) for name in ("tidy", "sweep", "unheard")]
        assert waiting == [1, 1, 0]

    # Claiming

    def test_a_job_comes_back_whole(self, store: Store) -> None:
        id_ = put(store, BERT, "turn", first=0, text='what about the "green" door? 😀')
        job = claimed(store)
        assert (job.id, job.author, job.name, job.attempts, job.state) == (id_, "bert", "turn", 1, RUNNING)
        assert json.loads(job.payload) == {"first": 0, "text": 'what about the "green" door? 😀'}
        assert (job.not_before, job.created_at) == (LATER + LEASE, START)
        assert (job.finished_at, job.last_error, job.result) == (None, None, None)
        assert store.queue.jobs(BERT, [RUNNING], 10) == [job]

    def test_what_is_due_first_is_claimed_first_whoever_queued_it(self, store: Store) -> None:
        queued = [put(store, scope, at=START + number * DAY) for number, scope in enumerate((ANNE, BERT, ANNE))]
        taken = [claimed(store, BERT, START + 5 * DAY).id for _ in queued]
        assert taken == queued
        assert claim(store, BERT, START + 5 * DAY) is None

    def test_of_jobs_due_at_one_time_the_first_queued_is_claimed_first(self, store: Store) -> None:
        with store.transaction(ANNE, START) as now:
            queued = [new_id("j", now) for _ in range(5)]
            for id_ in reversed(queued):
                store.queue.put(ANNE, NewJob(id_, "turn", "{}"), now)
        assert [claimed(store).id for _ in queued] == queued[::-1]

    def test_what_is_not_due_yet_is_not_claimed(self, store: Store) -> None:
        id_ = put(store, ANNE, at=START + DAY)
        assert claim(store, ANNE, START + DAY - MICROSECOND) is None
        assert claimed(store, ANNE, START + DAY).id == id_

    def test_embedding_jobs_are_never_claimed_listed_or_counted(self, store: Store) -> None:
        keep(store, ANNE, "a memory without a vector")
        put(store, ANNE, "embed")
        assert claim(store) is None
        assert store.queue.next_due(ANNE) is None
        assert store.queue.counts(ANNE) == {}
        assert listed(store, ANNE) == []

    def test_a_job_is_its_claimers_until_the_lease_ends(self, store: Store) -> None:
        id_ = put(store, ANNE)
        first = claimed(store)
        assert claim(store, at=LATER + LEASE - MICROSECOND) is None
        second = claimed(store, at=LATER + LEASE)
        assert (first.id, second.id, first.attempts, second.attempts) == (id_, id_, 1, 2)
        assert second.not_before == LATER + 2 * LEASE

    def test_who_lost_the_lease_neither_finishes_nor_fails_the_job(self, store: Store) -> None:
        put(store, ANNE)
        first = claimed(store)
        second = claimed(store, at=LATER + LEASE)
        assert not finish(store, first, at=LATER + LEASE)
        fail(store, first, None, LATER + LEASE)
        (job,) = store.queue.jobs(ANNE, [], 10)
        assert (job.state, job.attempts, job.last_error) == (RUNNING, 2, None)
        assert finish(store, second, at=LATER + LEASE)
        assert not finish(store, second, at=LATER + LEASE)

    def test_a_late_finish_stands_where_nobody_else_claimed_the_job(self, store: Store) -> None:
        put(store, ANNE)
        job = claimed(store)
        assert finish(store, job, at=LATER + DAY)
        assert claim(store, at=LATER + 2 * DAY) is None

    # Finishing and failing

    def test_what_is_done_is_due_no_more_and_says_what_came_of_it(self, store: Store) -> None:
        id_ = put(store, ANNE)
        assert finish(store, claimed(store), at=LATER + HOUR)
        (job,) = store.queue.jobs(ANNE, [DONE], 10)
        assert (job.id, job.state, job.result, job.last_error) == (id_, DONE, '{"added": 1}', None)
        assert job.finished_at is not None
        assert job.finished_at >= LATER + HOUR
        assert (claim(store, at=LATER + DAY), store.queue.next_due(ANNE)) == (None, None)

    def test_a_finish_undone_with_its_transaction_leaves_the_job_running(self, store: Store) -> None:
        put(store, ANNE)
        job = claimed(store)
        with undone(store, ANNE, LATER) as now:
            assert store.queue.finish(ANNE, job, "{}", now)
        assert store.queue.jobs(ANNE, [], 10) == [job]

    def test_a_put_and_a_claim_that_are_undone_never_were(self, store: Store) -> None:
        with undone(store, ANNE) as now:
            store.queue.put(ANNE, NewJob(new_id("j", now), "turn", "{}"), now)
        assert store.queue.next_due(ANNE) is None
        put(store, ANNE)
        with undone(store, ANNE, LATER):
            assert store.queue.claim(ANNE, LATER, LATER + LEASE) is not None
        assert claimed(store).attempts == 1

    def test_what_failed_is_due_again_at_the_time_that_was_given(self, store: Store) -> None:
        put(store, ANNE)
        fail(store, claimed(store), LATER + HOUR)
        (job,) = store.queue.jobs(ANNE, [WAITING], 10)
        assert (job.last_error, job.attempts, job.finished_at) == ("OSError: it rained", 1, None)
        assert store.queue.next_due(ANNE) == LATER + HOUR
        assert claim(store, at=LATER + HOUR - MICROSECOND) is None
        again = claimed(store, at=LATER + HOUR)
        assert again.attempts == 2
        assert finish(store, again)
        assert store.queue.jobs(ANNE, [], 10)[0].last_error is None

    def test_what_failed_for_good_is_dead_until_it_is_revived(self, store: Store) -> None:
        id_ = put(store, ANNE)
        fail(store, claimed(store), None)
        (job,) = store.queue.jobs(ANNE, [DEAD], 10)
        assert (job.id, job.last_error) == (id_, "OSError: it rained")
        assert claim(store, at=LATER + DAY) is None
        assert revive(store, ANNE, id_, LATER + DAY)
        again = claimed(store, at=LATER + 2 * DAY)
        assert (again.id, again.attempts) == (id_, 1)
        assert finish(store, again, at=LATER + 2 * DAY)

    def test_only_the_agents_own_dead_jobs_are_revived(self, store: Store) -> None:
        open_island(store)
        dead, waiting = put(store, ANNE), put(store, ANNE)
        fail(store, claimed(store), None)
        assert not revive(store, BERT, dead)
        assert not revive(store, ISLAND, dead)
        assert not revive(store, ANNE, waiting)
        assert not revive(store, ANNE, new_id("j", START))
        assert listed(store, ANNE, DEAD) == [dead]
        assert revive(store, ANNE, dead)
        assert not revive(store, ANNE, dead)

    # Looking at the queue

    def test_an_agents_own_jobs_are_listed_the_latest_first(self, store: Store) -> None:
        first, second, third = (put(store, ANNE, at=START + number * DAY) for number in range(3))
        theirs = put(store, BERT)
        assert listed(store, ANNE) == [third, second, first]
        assert [job.id for job in store.queue.jobs(ANNE, [], 2)] == [third, second]
        assert listed(store, BERT) == [theirs]

    def test_jobs_are_listed_by_state(self, store: Store) -> None:
        done, dead, running, waiting = (put(store, ANNE, at=START + number * DAY) for number in range(4))
        assert finish(store, claimed(store, at=START + 5 * DAY))
        fail(store, claimed(store, at=START + 5 * DAY), None)
        claimed(store, at=START + 5 * DAY)
        states = {state: listed(store, ANNE, state) for state in JobState}
        assert states == {DONE: [done], DEAD: [dead], RUNNING: [running], WAITING: [waiting]}
        assert listed(store, ANNE, DONE, WAITING) == [waiting, done]

    def test_a_job_is_found_by_its_id_or_the_end_of_it(self, store: Store) -> None:
        first, second = put(store, ANNE), put(store, ANNE)
        for asked in (first, first[-8:]):
            assert [job.id for job in store.queue.jobs(ANNE, [], 10, asked)] == [first]
            assert store.queue.jobs(BERT, [], 10, asked) == []
        assert [job.id for job in store.queue.jobs(ANNE, [WAITING], 10, second)] == [second]
        assert store.queue.jobs(ANNE, [DEAD], 10, second) == []
        assert store.queue.jobs(ANNE, [], 10, "%") == []

    def test_jobs_of_the_project_are_counted_by_state_but_for_those_done(self, store: Store) -> None:
        assert store.queue.counts(ANNE) == {}
        for scope in (ANNE, BERT, ANNE, BERT, ANNE):
            put(store, scope)
        assert finish(store, claimed(store))
        fail(store, claimed(store), None)
        claimed(store)
        assert store.queue.counts(ANNE) == store.queue.counts(BERT) == {DEAD: 1, RUNNING: 1, WAITING: 2}

    def test_the_next_due_is_what_waits_or_whose_lease_ends_first(self, store: Store) -> None:
        assert store.queue.next_due(ANNE) is None
        put(store, BERT)
        assert store.queue.next_due(ANNE) == START
        claimed(store)
        assert store.queue.next_due(ANNE) == LATER + LEASE
        put(store, ANNE, at=LATER + DAY)
        assert store.queue.next_due(ANNE) == LATER + LEASE

    # Letting go

    def test_only_what_was_done_before_a_time_is_let_go(self, store: Store) -> None:
        old = put_done(store, ANNE, START)
        young = put_done(store, ANNE, START + 2 * DAY)
        dead, waiting = (put(store, ANNE, at=START + 3 * DAY) for _ in range(2))
        fail(store, claimed(store, at=START + 3 * DAY), None)
        sweep(store, ANNE, START + DAY)
        assert set(listed(store, ANNE)) == {young, dead, waiting}
        sweep(store, ANNE, NOW.known_at)
        assert set(listed(store, ANNE)) == {dead, waiting}
        assert old not in listed(store, ANNE)

    # Another project

    def test_another_project_has_a_queue_of_its_own(self, store: Store) -> None:
        open_island(store)
        here, there = put(store, ANNE), put(store, ISLAND, at=START + DAY)
        assert (listed(store, ANNE), listed(store, ISLAND)) == ([here], [there])
        assert claimed(store, ISLAND, START + 2 * DAY).id == there
        assert claim(store, ISLAND, START + 2 * DAY) is None
        assert (store.queue.counts(ANNE), store.queue.counts(ISLAND)) == ({WAITING: 1}, {RUNNING: 1})
        assert (store.queue.next_due(ANNE), store.queue.next_due(ISLAND)) == (START, START + 2 * DAY + LEASE)
        assert store.queue.jobs(ISLAND, [], 10, here) == []

    def test_a_sweep_leaves_another_projects_jobs(self, store: Store) -> None:
        open_island(store)
        there = put_done(store, ISLAND, START)
        put_done(store, ANNE, START + DAY)
        sweep(store, ANNE, NOW.known_at)
        assert (listed(store, ANNE), listed(store, ISLAND)) == ([], [there])

    # What is due of itself

    def test_a_session_is_quiet_once_nothing_was_handed_over_since_a_time(self, store: Store) -> None:
        put_turn(store, ANNE, "morning", START)
        put_turn(store, ANNE, "morning", START + 2 * HOUR)
        put_turn(store, BERT, "evening", START + 3 * HOUR)
        assert store.queue.quiet(ANNE, START + HOUR) == []
        assert store.queue.quiet(ANNE, START + 2 * HOUR) == []
        assert store.queue.quiet(ANNE, START + 2 * HOUR + LEASE) == [("anne", "morning")]
        assert sorted(store.queue.quiet(BERT, START + DAY)) == [("anne", "morning"), ("bert", "evening")]

    def test_a_session_that_was_distilled_is_quiet_again_after_further_turns(self, store: Store) -> None:
        put_turn(store, ANNE, "morning", START)
        put(store, ANNE, "distil", START + HOUR, session="morning")
        assert store.queue.quiet(ANNE, START + DAY) == []
        put_turn(store, ANNE, "morning", START + 2 * HOUR)
        assert store.queue.quiet(ANNE, START + DAY) == [("anne", "morning")]

    def test_another_agents_distillation_or_that_of_another_session_is_none(self, store: Store) -> None:
        put_turn(store, ANNE, "morning", START)
        put(store, BERT, "distil", START + HOUR, session="morning")
        put(store, ANNE, "distil", START + HOUR, session="evening")
        assert store.queue.quiet(ANNE, START + DAY) == [("anne", "morning")]

    def test_two_agents_may_have_a_session_of_one_name(self, store: Store) -> None:
        for scope in (ANNE, BERT):
            put_turn(store, scope, "morning", START)
        assert sorted(store.queue.quiet(ANNE, START + DAY)) == [("anne", "morning"), ("bert", "morning")]

    def test_turns_of_no_session_are_never_quiet(self, store: Store) -> None:
        put_turn(store, ANNE, None, START)
        put(store, ANNE, "turn", said=[])
        assert store.queue.quiet(ANNE, START + DAY) == []

    def test_who_handed_over_turns_is_unreflected_until_it_is_reflected(self, store: Store) -> None:
        assert store.queue.unreflected(ANNE, START) == []
        put_turn(store, ANNE, "morning", START)
        put_turn(store, ANNE, "evening", START)
        put_turn(store, BERT, "morning", START)
        assert sorted(store.queue.unreflected(ANNE, START)) == ["anne", "bert"]
        put(store, ANNE, "reflect", START + DAY)
        assert store.queue.unreflected(BERT, START + DAY) == ["bert"]
        assert sorted(store.queue.unreflected(BERT, START + DAY + MICROSECOND)) == ["anne", "bert"]

    def test_what_another_project_handed_over_is_due_there_alone(self, store: Store) -> None:
        open_island(store)
        put_turn(store, ISLAND, "morning", START)
        assert (store.queue.quiet(ANNE, START + DAY), store.queue.unreflected(ANNE, START)) == ([], [])
        assert store.queue.quiet(ISLAND, START + DAY) == [("anne", "morning")]
        assert store.queue.unreflected(ISLAND, START) == ["anne"]
