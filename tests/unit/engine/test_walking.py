"""The graph leg (T5): how near things are, hubs, what is indirect; and what the legs say of themselves (T17)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from clocks import SettableClock
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.engine.read import legs, walking
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.query import Leg
from trigraph.model.recall import LegReport, LegStatus, Recall
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.settings import EmbedderSettings, LinkSettings, Settings

FIXUP = "trigraph audit --fixup memory-graph"


@contextmanager
def opened(clock: SettableClock, home: Path | None = None, embedder: Embedder | None = None) -> Iterator[Trigraph]:
    """Memory in which nothing is linked by itself."""
    settings = Settings(
        home=str(home or ""),
        embedder=EmbedderSettings(kind="none" if embedder is None else "pack"),
        links=LinkSettings(automatic="none"),
    )
    engine = open_engine(settings, in_memory=home is None, clock=clock, embedder=embedder)
    with Trigraph(engine, LOCAL_SCOPE) as memory:
        yield memory


@pytest.fixture
def plain(clock: SettableClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Trigraph]:
    """Memory without a model; its walks have all the time they need."""
    monkeypatch.setattr(walking, "BUDGET_MILLISECONDS", 60_000.0)
    with opened(clock) as memory:
        yield memory


def kept(memory: Trigraph, text: str, **fields: Any) -> str:
    id = memory.remember(text, **fields).id
    assert id is not None
    return id


def document(name: str, body: str = "", **sections: str) -> str:
    """A document's text; sections by their headings, with _ for a space."""
    told = "".join(f"\n## {heading.replace('_', ' ')}\n\n- {items}\n" for heading, items in sections.items())
    return f"# {name}: a document\n\n{body}\n{told}"


def put(memory: Trigraph, name: str, body: str = "", **sections: str) -> str:
    id = memory.docs.put(document(name, body, **sections)).id
    assert id is not None
    return id


def nearness(memory: Trigraph, query: str) -> dict[str, float]:
    """Raw graph scores by memory."""
    hits = memory.recall(query, profile="graph", limit=500).hits
    return {hit.memory.id: hit.legs[Leg.GRAPH].raw for hit in hits}


def said(answer: Recall, leg: Leg) -> LegReport:
    return next(report for report in answer.legs if report.leg is leg)


@pytest.mark.req("T5")
class TestNearness:
    def test_two_hops_count_less_than_one_and_three_nothing(self, plain: Trigraph) -> None:
        ids = [put(plain, f"SPEC-{number}", Depends_on=f"SPEC-{number + 1}") for number in (1, 2, 3)]
        ids.append(put(plain, "SPEC-4"))
        near = nearness(plain, "what does SPEC-1 depend on")
        assert near[ids[0]] > near[ids[1]] > near[ids[2]] > 0
        assert ids[3] not in near

    def test_relations_lead_both_ways(self, plain: Trigraph) -> None:
        one, other = put(plain, "SPEC-1", Related="SPEC-2"), put(plain, "SPEC-2")
        assert {one, other} <= set(nearness(plain, "SPEC-1"))
        assert {one, other} <= set(nearness(plain, "SPEC-2"))

    def test_the_way_that_is_asked_counts_more(self, plain: Trigraph) -> None:
        put(plain, "SPEC-1", Depends_on="SPEC-2")
        needed, needing = put(plain, "SPEC-2"), put(plain, "SPEC-3", Depends_on="SPEC-1")
        forward, back = nearness(plain, "what does SPEC-1 depend on"), nearness(plain, "what depends on SPEC-1")
        assert forward[needed] > forward[needing] > 0
        assert back[needing] > back[needed] > 0

    def test_each_further_path_adds_less_than_the_one_before(self, plain: Trigraph) -> None:
        """The same neighbour over one, two and three relations."""
        put(plain, "SPEC-1", Related="SPEC-11, SPEC-12, SPEC-13", Extends="SPEC-12, SPEC-13", Implements="SPEC-13")
        ids = [put(plain, f"SPEC-{number}") for number in (11, 12, 13)]
        near = nearness(plain, "SPEC-1")
        one, two, three = (near[id] for id in ids)
        assert 0 < one < two < three < 1
        assert two - one < one
        assert three - two < two - one

    def test_a_hub_says_little(self, plain: Trigraph) -> None:
        """Both are one relation away from what is named; of one of those, sixty memories speak."""
        put(plain, "SPEC-1", Related="SPEC-11")
        put(plain, "SPEC-2", Related="SPEC-12")
        ids = [put(plain, "SPEC-11"), put(plain, "SPEC-12")]
        even = [nearness(plain, query)[id] for query, id in zip(("SPEC-1", "SPEC-2"), ids, strict=True)]
        assert even[0] == pytest.approx(even[1])
        plain.remember_batch([f"On day {day} somebody praised SPEC-2" for day in range(60)])
        quiet, loud = (nearness(plain, query)[id] for query, id in zip(("SPEC-1", "SPEC-2"), ids, strict=True))
        assert quiet == pytest.approx(even[0])
        assert loud < quiet / 2

    def test_what_a_relation_leads_to_is_nearer_than_what_only_mentions_a_name(self, plain: Trigraph) -> None:
        put(plain, "SPEC-1", Depends_on="SPEC-2")
        needed = put(plain, "SPEC-2")
        passing = kept(plain, "Somebody read SPEC-1 at lunch")
        near = nearness(plain, "SPEC-1 dependencies")
        assert near[needed] > near[passing] > 0

    def test_private_relations_of_others_lead_nowhere(self, plain: Trigraph) -> None:
        plain.admin.set_agent("default", "default", "bob", ReadPolicy.SHARED)
        bob = Trigraph(plain.engine, Scope("default", "default", "bob"))
        put(plain, "SPEC-1")
        needed = put(plain, "SPEC-2")
        bob.docs.put(document("SPEC-3", Depends_on="SPEC-1, SPEC-2"), visibility="private")
        assert needed not in nearness(plain, "SPEC-1")
        assert all(one.name != "SPEC-3" for one in plain.docs.list().documents)


@pytest.mark.req("T5")
class TestIndirect:
    def test_what_only_hits_lead_to_ranks_below_every_hit(self, plain: Trigraph) -> None:
        direct = [kept(plain, f"The ferry timetable of line {number}") for number in range(4)]
        far = kept(plain, "Crew rosters are drawn up in March")
        plain.link(direct[0], far, "relates_to")
        hits = plain.recall("ferry timetable").hits
        assert {hit.memory.id for hit in hits[:4]} == set(direct)
        assert hits[4].memory.id == far
        assert hits[4].score < min(hit.score for hit in hits[:4])
        assert hits[4].legs == {}
        assert hits[4].why.startswith("linked to")
        assert [hit.memory.id for hit in plain.recall("ferry timetable", expand=False).hits] == [
            hit.memory.id for hit in hits[:4]
        ]

    def test_it_takes_no_place_from_a_hit(self, plain: Trigraph) -> None:
        direct = [kept(plain, f"The ferry timetable of line {number}") for number in range(6)]
        far = kept(plain, "Crew rosters are drawn up in March")
        for one in direct:
            plain.link(one, far, "relates_to")
        assert far not in {hit.memory.id for hit in plain.recall("ferry timetable", limit=6).hits}
        assert plain.recall("ferry timetable", limit=7).hits[-1].memory.id == far

    def test_unless_another_leg_found_it_too(self, plain: Trigraph) -> None:
        weak = [kept(plain, f"Somebody saw a ferry and then talked for hours of thing {n}") for n in range(4)]
        best = kept(plain, "The ferry timetable")
        linked = kept(plain, "Rosters and the ferry timetable")
        plain.link(best, linked, "relates_to")
        hits = plain.recall("ferry timetable").hits
        assert [hit.memory.id for hit in hits[:2]] == [best, linked]
        assert Leg.LEXICAL in hits[1].legs
        assert {hit.memory.id for hit in hits[2:]} == set(weak)

    def test_nothing_forgotten_private_or_filtered_is_led_to(self, plain: Trigraph) -> None:
        plain.admin.set_agent("default", "default", "bob", ReadPolicy.SHARED)
        bob = Trigraph(plain.engine, Scope("default", "default", "bob"))
        hit = kept(plain, "The ferry timetable")
        gone, secret = kept(plain, "Rosters are drawn up in March"), kept(bob, "A bribe", visibility="private")
        other = kept(plain, "Paint it red", kind="insight")
        for far in (gone, other):
            plain.link(hit, far, "relates_to")
        bob.link(hit, secret, "relates_to")
        plain.forget(gone)
        assert [one.memory.id for one in plain.recall("ferry timetable").hits] == [hit, other]
        assert [one.memory.id for one in plain.recall("ferry timetable", kinds=["fact"]).hits] == [hit]


@pytest.mark.req("T5")
class TestExact:
    @pytest.mark.parametrize("with_model", [False, True])
    def test_a_related_topic_never_displaces_the_exact_one(
        self, clock: SettableClock, embedder: Embedder, with_model: bool
    ) -> None:
        """Six documents about a neighbouring matter, all tied to one another and to the one that is asked for."""
        with opened(clock, embedder=embedder if with_model else None) as memory:
            exact = put(memory, "SPEC-7", "Valve pressure is checked at noon.", Related="SPEC-11")
            ids = []
            for number in range(11, 17):
                others = ", ".join(f"SPEC-{other}" for other in range(11, 17) if other != number)
                ids.append(
                    put(memory, f"SPEC-{number}", "Pump pressure and valve wear.", Depends_on=f"SPEC-7, {others}")
                )
            for query in ("SPEC-7", "SPEC-7 valve pressure", "valve pressure in SPEC-7", "what does SPEC-7 say"):
                hits = memory.recall(query).hits
                assert hits[0].memory.id == exact, query
                assert len(hits) > 1

    def test_a_query_that_is_a_topic_finds_it_first(self, plain: Trigraph) -> None:
        for number in range(6):
            kept(plain, f"Deploy window, deploy window: the deploy window of team {number}")
        exact = kept(plain, "We ship on Tuesdays", topic="deploy window")
        hits = plain.recall("Deploy-Window").hits
        assert hits[0].memory.id == exact
        assert len(hits) == 7


@pytest.mark.req("T17")
class TestSaying:
    def test_a_recall_says_each_leg_with_its_count_and_time(self, memory: Trigraph) -> None:
        memory.remember("Redis keeps the sessions", subject="Redis")
        memory.remember("The tide is low")
        answer = memory.recall("Redis")
        assert {report.leg for report in answer.legs} == set(Leg)
        assert {report.leg: (report.status, report.count) for report in answer.legs} == {
            Leg.VECTOR: (LegStatus.OK, 2),
            Leg.LEXICAL: (LegStatus.OK, 1),
            Leg.GRAPH: (LegStatus.OK, 1),
            Leg.TEMPORAL: (LegStatus.NOT_APPLICABLE, 0),
        }
        assert all(report.milliseconds >= 0 for report in answer.legs)
        assert all(report.reason for report in answer.legs if report.status is not LegStatus.OK)
        assert not answer.degraded

    def test_a_leg_with_nothing_to_do_is_no_fault(self, plain: Trigraph) -> None:
        kept(plain, "The tide is low")
        graph = said(plain.recall("tide"), Leg.GRAPH)
        assert (graph.status, graph.count) == (LegStatus.NOT_APPLICABLE, 0)
        assert "names no entity" in str(graph.reason)

    def test_documents_without_relations_are_said_by_health(self, home: Path, clock: SettableClock) -> None:
        with opened(clock, home) as memory:
            put(memory, "SPEC-1", Depends_on="SPEC-2")
            put(memory, "SPEC-2")
            graph = [leg for leg in memory.health().legs if leg.leg is Leg.GRAPH]
            assert [leg.status for leg in graph] == [LegStatus.OK]
            with apsw.Connection(str(home / "default.db")) as connection:
                connection.execute("DELETE FROM evidence; DELETE FROM relation")
            health = memory.health()
            (graph,) = (leg for leg in health.legs if leg.leg is Leg.GRAPH)
            assert not health.ok
            assert (graph.status.degraded, graph.count) == (True, 0)
            assert any("graph leg" in problem and FIXUP in problem for problem in health.problems)
            assert not memory.audit().ok

            memory.fixup_memory_graph(apply=True)
            assert not any("graph leg" in problem for problem in memory.health().problems)
            assert [one.target.name for one in memory.relations("SPEC-1")] == ["SPEC-2"]

    def test_documents_that_refer_to_none_are_no_fault(self, plain: Trigraph) -> None:
        put(plain, "SPEC-1")
        assert not any("graph leg" in problem for problem in plain.health().problems)

    def test_a_store_whose_graph_is_gone_is_said_by_recall_and_health(self, home: Path, clock: SettableClock) -> None:
        with opened(clock, home) as memory:
            put(memory, "SPEC-1", Depends_on="SPEC-2")
            with apsw.Connection(str(home / "default.db")) as connection:
                connection.execute("PRAGMA foreign_keys = ON; DELETE FROM entity")
            answer = memory.recall("what does SPEC-1 depend on")
            graph = said(answer, Leg.GRAPH)
            assert (graph.status, graph.count) == (LegStatus.EMPTY_STORE, 0)
            assert answer.degraded
            assert any("graph leg" in problem for problem in memory.health().problems)

    def test_a_walk_that_ran_out_of_time_says_so(self, plain: Trigraph, monkeypatch: pytest.MonkeyPatch) -> None:
        put(plain, "SPEC-1", Depends_on="SPEC-2")
        put(plain, "SPEC-2")
        assert not said(plain.recall("SPEC-1"), Leg.GRAPH).truncated
        monkeypatch.setattr(walking, "BUDGET_MILLISECONDS", 0.0)
        graph = said(plain.recall("SPEC-1"), Leg.GRAPH)
        assert (graph.status, graph.truncated) == (LegStatus.OK, True)
        assert graph.reason
        assert graph.count == 2

    def test_a_walk_that_ran_out_of_nodes_says_so(self, plain: Trigraph, monkeypatch: pytest.MonkeyPatch) -> None:
        put(plain, "SPEC-1", Related=", ".join(f"SPEC-{number}" for number in range(2, 12)))
        for number in range(2, 12):
            put(plain, f"SPEC-{number}")
        assert said(plain.recall("SPEC-1", limit=50), Leg.GRAPH).count == 11
        monkeypatch.setattr(walking, "NODES_MOST", 5)
        answer = plain.recall("SPEC-1", limit=50)
        graph = said(answer, Leg.GRAPH)
        assert (graph.truncated, graph.count) == (True, 5)
        assert sum(Leg.GRAPH in hit.legs for hit in answer.hits) == 5

    def test_a_hub_of_more_memories_than_the_budget_is_cut_and_said(self, plain: Trigraph) -> None:
        plain.remember_batch([{"text": f"Line {number} is up", "subject": "Blue Heron"} for number in range(450)])
        graph = said(plain.recall("Blue Heron", limit=450), Leg.GRAPH)
        assert graph.count == 200, "half of the budget: the rest is for what lies beyond"
        assert graph.truncated

    def test_a_name_that_more_mention_than_are_looked_at_is_said(self, plain: Trigraph) -> None:
        kept(plain, "A boat", subject="Blue Heron")
        plain.remember_batch([f"On day {number} we saw Blue Heron" for number in range(150)])
        graph = said(plain.recall("Blue Heron", limit=200), Leg.GRAPH)
        assert graph.count == 151 or graph.truncated

    def test_a_slow_leg_is_degraded(self, plain: Trigraph, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(legs, "SLOW_MILLISECONDS", -1)
        put(plain, "SPEC-1", Depends_on="SPEC-2")
        answer = plain.recall("SPEC-1")
        assert {said(answer, leg).status for leg in (Leg.LEXICAL, Leg.GRAPH)} == {LegStatus.SLOW}
        assert answer.degraded

    def test_a_slow_leg_is_degraded_also_where_it_was_cut_short(
        self, plain: Trigraph, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(legs, "SLOW_MILLISECONDS", -1)
        monkeypatch.setattr(walking, "BUDGET_MILLISECONDS", 0.0)
        put(plain, "SPEC-1", Depends_on="SPEC-2")
        graph = said(plain.recall("SPEC-1"), Leg.GRAPH)
        assert graph.truncated
        assert graph.status is LegStatus.SLOW
