"""`contracts.Figures` as tests."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from trigraph.contracts import Store
from trigraph.model.change import CitationKind
from trigraph.model.events import RecallEvent
from trigraph.model.insight import DayCount, LegCounts, RecallFilter, RecallOutcome, Span
from trigraph.model.memory import Memory, Visibility
from trigraph.model.query import Leg, QueryClass
from trigraph.model.scope import Scope
from trigraph.testing.builders import ANNE, BERT, DAY, ISLAND, MICROSECOND, NOW, START, keep, open_island, recall_event
from trigraph.testing.changes import cite
from trigraph.testing.suites.base import Suite

FIRST = datetime(2026, 3, 1, tzinfo=UTC)
EVERYONE = Span(FIRST, FIRST + 30 * DAY, None)
OWN = replace(EVERYONE, agent="anne")
Kinds = CitationKind


def recalled(store: Store, scope: Scope, *shown: Memory, at: datetime = START, **fields: Any) -> RecallEvent:
    """Keep a recall that showed these memories."""
    whole = {"result_ids": tuple(one.id for one in shown), "top_n_selected": len(shown), **fields}
    event = replace(recall_event(scope, at), **whole)
    store.events.add(scope, event)
    return event


class FiguresSuite(Suite):
    """`contracts.Figures`."""

    def test_a_recall_is_a_hit_a_miss_undecided_or_empty(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        used, refused = recalled(store, ANNE, one, other), recalled(store, ANNE, one)
        recalled(store, ANNE, one)
        recalled(store, ANNE)
        cite(store, ANNE, one, Kinds.DISMISSED, recall_id=used.recall_id)
        cite(store, ANNE, other, Kinds.REWROTE, recall_id=used.recall_id)
        cite(store, ANNE, one, Kinds.FLAGGED_STALE, recall_id=refused.recall_id)
        (day,) = store.figures.days(ANNE, EVERYONE)
        assert (day.day, day.agent, day.query_class) == (FIRST, "anne", QueryClass.DECISION)
        assert (day.recalls, day.hits, day.misses, day.undecided, day.empty) == (4, 1, 1, 1, 1)
        assert (day.stale, day.payload_bytes, day.rolled_up) == (2, 4 * 123, False)
        assert day.citations == {Kinds.DISMISSED: 1, Kinds.REWROTE: 1, Kinds.FLAGGED_STALE: 1}
        assert day.legs[Leg.VECTOR] == LegCounts(4, 4, 0)
        assert day.legs[Leg.GRAPH] == LegCounts(4, 0, 0)
        assert day.legs[Leg.TEMPORAL] == LegCounts()

    def test_what_others_say_and_what_was_not_shown_decide_nothing(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        event = recalled(store, ANNE, one)
        cite(store, BERT, one, recall_id=event.recall_id)
        cite(store, ANNE, other, recall_id=event.recall_id)
        cite(store, ANNE, one)
        (day,) = store.figures.days(ANNE, EVERYONE)
        assert (day.undecided, day.citations) == (1, {})

    def test_days_are_of_the_span_the_agent_and_the_project(self, store: Store) -> None:
        open_island(store)
        for scope, days in ((ANNE, 0), (ANNE, 3), (BERT, 3), (ANNE, 40), (ISLAND, 3)):
            recalled(store, scope, at=START + days * DAY)
        told = {(one.day, one.agent) for one in store.figures.days(BERT, EVERYONE)}
        assert told == {(FIRST, "anne"), (FIRST + 3 * DAY, "anne"), (FIRST + 3 * DAY, "bert")}
        assert [one.agent for one in store.figures.days(BERT, OWN)] == ["anne", "anne"]
        assert store.figures.days(ANNE, replace(EVERYONE, since=FIRST + 4 * DAY)) == []

    def test_citations_and_memories_are_counted_by_day_and_agent(self, store: Store) -> None:
        one = keep(store, ANNE, "one")
        cite(store, ANNE, one, Kinds.DISMISSED)
        keep(store, BERT, "two", at=START + DAY, visibility=Visibility.PRIVATE)
        cite(store, BERT, one, at=START + DAY)
        assert set(store.figures.citation_days(ANNE, EVERYONE)) == {
            DayCount(FIRST, "anne", 1, Kinds.DISMISSED),
            DayCount(FIRST + DAY, "bert", 1, Kinds.CITED),
        }
        assert store.figures.citation_days(ANNE, OWN) == [DayCount(FIRST, "anne", 1, Kinds.DISMISSED)]
        assert store.figures.written_days(ANNE, OWN) == [DayCount(FIRST, "anne", 1)]
        assert len(store.figures.written_days(ANNE, EVERYONE)) == 2

    def test_top_cited_names_what_the_asker_may_see(self, store: Store) -> None:
        often, once = keep(store, ANNE, "often"), keep(store, ANNE, "once")
        hidden = keep(store, BERT, "hidden", visibility=Visibility.PRIVATE)
        for number in range(3):
            cite(store, ANNE, often, at=START + number * DAY)
            cite(store, BERT, hidden, at=START + number * DAY)
        cite(store, BERT, once, Kinds.SAVED_REWORK)
        cite(store, BERT, once, Kinds.DISMISSED)
        found = store.figures.top_cited(ANNE, EVERYONE, NOW, 10)
        assert [(one.memory_id, one.of_use) for one in found] == [(often.id, 3), (once.id, 1)]
        assert found[1].citations == {Kinds.SAVED_REWORK: 1, Kinds.DISMISSED: 1}
        assert (found[0].text, found[0].last_at) == ("often", START + 2 * DAY)
        assert [one.memory_id for one in store.figures.top_cited(ANNE, OWN, NOW, 10)] == [often.id]
        assert len(store.figures.top_cited(ANNE, EVERYONE, NOW, 1)) == 1

    def test_never_cited_counts_how_often_recalls_showed_it(self, store: Store) -> None:
        used, often, once = (keep(store, ANNE, text) for text in ("used", "often", "once"))
        hidden = keep(store, BERT, "hidden", visibility=Visibility.PRIVATE)
        recalled(store, ANNE, used, often, once)
        recalled(store, ANNE, used, often, at=START + DAY)
        recalled(store, BERT, hidden, often)
        cite(store, ANNE, used)
        cite(store, BERT, often)
        mine = store.figures.shown_uncited(ANNE, "anne", NOW, 10, 100)
        assert [(one.memory_id, one.shown) for one in mine] == [(often.id, 2), (once.id, 1)]
        assert mine[0].last_shown_at == START + DAY + MICROSECOND
        everyones = store.figures.shown_uncited(ANNE, None, NOW, 10, 100)
        assert [(one.memory_id, one.shown) for one in everyones] == [(once.id, 1)]

    def test_the_oldest_that_was_never_of_use_comes_first(self, store: Store) -> None:
        old, young = keep(store, ANNE, "old"), keep(store, ANNE, "young", at=START + DAY)
        used, refused = keep(store, ANNE, "used"), keep(store, ANNE, "refused", at=START + 2 * DAY)
        keep(store, BERT, "hidden", visibility=Visibility.PRIVATE)
        cite(store, ANNE, used)
        cite(store, ANNE, refused, Kinds.DISMISSED)
        recalled(store, ANNE, young)
        found = store.figures.oldest_uncited(ANNE, None, NOW, START + 30 * DAY, 10)
        assert [(one.memory_id, one.shown) for one in found] == [(old.id, 0), (young.id, 1), (refused.id, 0)]
        assert [one.memory_id for one in store.figures.oldest_uncited(ANNE, None, NOW, START + DAY, 10)] == [old.id]

    def test_useful_recalls_come_whole_the_latest_first(self, store: Store) -> None:
        one, other = keep(store, ANNE, "one"), keep(store, ANNE, "other")
        early, late = recalled(store, ANNE, one, other), recalled(store, ANNE, one, at=START + DAY)
        refused, theirs = recalled(store, ANNE, one), recalled(store, BERT, one)
        cite(store, ANNE, one, recall_id=early.recall_id)
        cite(store, ANNE, other, Kinds.SAVED_REWORK, recall_id=early.recall_id)
        cite(store, ANNE, one, Kinds.REWROTE, recall_id=late.recall_id, at=START + DAY)
        cite(store, ANNE, one, Kinds.DISMISSED, recall_id=refused.recall_id)
        cite(store, BERT, one, recall_id=theirs.recall_id)
        found = store.figures.useful(ANNE, OWN, 10)
        assert [(one.event, set(one.useful)) for one in found] == [(late, {one.id}), (early, {one.id, other.id})]
        assert [one.event for one in store.figures.useful(ANNE, OWN, 1)] == [late]
        assert len(store.figures.useful(ANNE, EVERYONE, 10)) == 3

    def test_past_recalls_are_listed_by_what_became_of_them(self, store: Store) -> None:
        memory = keep(store, ANNE, "one")
        hit, miss = recalled(store, ANNE, memory), recalled(store, ANNE, memory, at=START + DAY)
        plain = recalled(store, ANNE, memory, at=START + 2 * DAY, session=None, query_class=QueryClass.OTHER)
        empty = recalled(store, ANNE, at=START + 3 * DAY, query="")
        cite(store, ANNE, memory, recall_id=hit.recall_id)
        cite(store, ANNE, memory, Kinds.DISMISSED, recall_id=miss.recall_id)

        def listed(**wanted: Any) -> list[str]:
            return [one.recall_id for one in store.figures.recalls(ANNE, RecallFilter(**wanted), 10, None)]

        newest = [one.recall_id for one in (empty, plain, miss, hit)]
        assert listed() == newest
        assert listed(outcomes=(RecallOutcome.HIT, RecallOutcome.EMPTY)) == [empty.recall_id, hit.recall_id]
        assert listed(outcomes=(RecallOutcome.MISS,)) == listed(kinds=(Kinds.DISMISSED,)) == [miss.recall_id]
        assert listed(query_class=QueryClass.OTHER) == listed(outcomes=(RecallOutcome.UNDECIDED,)) == [plain.recall_id]
        assert listed(session="session-1") == [empty.recall_id, miss.recall_id, hit.recall_id]
        assert listed(since=START + DAY, until=START + 3 * DAY) == [plain.recall_id, miss.recall_id]
        after = store.figures.recalls(ANNE, RecallFilter(), 10, (plain.at, plain.recall_id))
        assert [one.outcome for one in after] == [RecallOutcome.MISS, RecallOutcome.HIT]
        assert after[0].citations == {Kinds.DISMISSED: 1}
        assert store.figures.recalls(ANNE, RecallFilter(), 1, None)[0].query is None

    def test_what_was_asked_is_told_to_whoever_asked(self, store: Store) -> None:
        event = recalled(store, ANNE, keep(store, ANNE, "one"))
        (mine,) = store.figures.recalls(ANNE, RecallFilter(), 10, None)
        (theirs,) = store.figures.recalls(BERT, RecallFilter(), 10, None)
        assert (mine.query, mine.session) == (event.query, event.session)
        assert theirs == replace(mine, query=None, session=None)
        assert store.figures.recalls(BERT, RecallFilter(agent="bert"), 10, None) == []
        assert store.figures.recalls(BERT, RecallFilter(session=event.session), 10, None) == []

    def test_citations_of_a_recall_are_those_of_the_asker(self, store: Store) -> None:
        memory = keep(store, ANNE, "one")
        event = recalled(store, ANNE, memory)
        cite(store, ANNE, memory, recall_id=event.recall_id, session="s")
        cite(store, ANNE, memory, Kinds.SAVED_REWORK, recall_id=event.recall_id, at=START + DAY)
        cite(store, BERT, memory, recall_id=event.recall_id)
        first, second = store.figures.citations_of(ANNE, event.recall_id)
        assert (first.memory_id, first.kind, first.session, first.notes) == (memory.id, Kinds.CITED, "s", "a note")
        assert (second.kind, second.at) == (Kinds.SAVED_REWORK, START + DAY)
