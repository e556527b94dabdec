"""The panels of insight say what a simulated month was like, by a reckoning of their own and of ours."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from statistics import fmean, pstdev

import apsw
import pytest

from month import AGENTS, DAYS, FIRST, PAYLOAD, SILENT, WEIGHTS, Asked, Month, ask, live
from trigraph.assembly import open_engine
from trigraph.engine.engine import Engine
from trigraph.errors import InvalidInput, NotFound
from trigraph.faces.library import Trigraph
from trigraph.model.change import CitationKind
from trigraph.model.insight import Insight, InsightQuery, Panel, RecallFilter, RecallOutcome, Share, Span, Step
from trigraph.model.query import Leg, QueryClass, RecallQuery
from trigraph.model.scope import Scope
from trigraph.settings import EmbedderSettings, InsightSettings, Settings

pytestmark = pytest.mark.req("T16")

K = CitationKind
USE = (K.CITED, K.SAVED_REWORK, K.REWROTE)
WHOLE = InsightQuery(since=FIRST, until=FIRST + timedelta(days=DAYS))


@pytest.fixture(scope="module")
def month() -> Iterator[Month]:
    lived = live()
    yield lived
    lived.engine.close()


@pytest.fixture(scope="module")
def told(month: Month) -> Insight:
    """What a reviewer is told of the whole month."""
    return month.engine.project_insight(month.scope("anna"), WHOLE)


def fared(one: Asked) -> str:
    if any(kind in USE for kind in one.said.values()):
        return "hit"
    return "miss" if one.said else "undecided" if one.shown else "empty"


def counts(asked: Sequence[Asked]) -> tuple[int, int, int, int, int]:
    found = Counter(fared(one) for one in asked)
    return len(asked), found["hit"], found["miss"], found["undecided"], found["empty"]


def wilson(part: int, whole: int) -> tuple[float, float]:
    z, p = 1.959964, part / whole
    middle = p + z * z / (2 * whole)
    reach = z * math.sqrt(p * (1 - p) / whole + z * z / (4 * whole * whole))
    return (middle - reach) / (1 + z * z / whole), (middle + reach) / (1 + z * z / whole)


def check(share: Share, part: int, whole: int) -> None:
    low, high = wilson(part, whole)
    assert (share.part, share.whole) == (part, whole)
    assert (share.rate, share.low, share.high) == pytest.approx((part / whole, low, high), abs=1e-4)


def test_the_hit_rate_of_every_class_is_that_of_the_record(month: Month, told: Insight) -> None:
    assert told.hit_rate is not None
    for figure in (told.hit_rate.overall, *told.hit_rate.by_class):
        asked = [one for one in month.asked if figure.query_class in (None, one.query_class)]
        recalls, hits, misses, undecided, empty = counts(asked)
        assert (figure.recalls, figure.hits, figure.misses) == (recalls, hits, misses)
        assert (figure.undecided, figure.empty) == (undecided, empty)
        check(figure.rate, hits, hits + misses)
        check(figure.of_all, hits, recalls)
    rates = {one.query_class: one.of_all.rate or 0 for one in told.hit_rate.by_class}
    assert rates[QueryClass.HISTORICAL] > rates[QueryClass.DECISION] > rates[QueryClass.OTHER]


@pytest.mark.parametrize("step", Step)
def test_a_series_shows_the_week_in_which_nobody_asked_as_empty(month: Month, step: Step) -> None:
    found = month.engine.project_insight(month.scope("anna"), replace(WHOLE, step=step, panels=(Panel.HIT_RATE,)))
    assert found.hit_rate is not None
    days = 7 if step is Step.WEEK else 1
    assert len(found.hit_rate.series) == DAYS // days
    for place, point in enumerate(found.hit_rate.series):
        there = [one for one in month.asked if one.day // days == place]
        assert (point.recalls, point.hits, point.misses, point.undecided, point.empty) == counts(there)
        assert (point.rate is None) == (place * days in SILENT)
        assert (point.start, point.until) == (FIRST + place * timedelta(days), FIRST + (place + 1) * timedelta(days))


def test_stale_and_tokens_are_those_of_the_record(month: Month, told: Insight) -> None:
    kinds = Counter(kind for one in month.asked for kind in one.said.values())
    stale = [one for one in month.asked if {K.FLAGGED_STALE, K.REWROTE} & set(one.said.values())]
    assert told.stale is not None
    assert told.tokens is not None
    check(told.stale.overall, len(stale), sum(bool(one.said) for one in month.asked))
    assert (told.stale.flagged_stale, told.stale.rewrote) == (kinds[K.FLAGGED_STALE], kinds[K.REWROTE])
    assert [point.stale for point in told.stale.series] == [sum(one.day == d for one in stale) for d in range(DAYS)]
    loaded, saved = len(month.asked) * PAYLOAD // 4, 300 * kinds[K.CITED] + 1500 * kinds[K.SAVED_REWORK]
    assert (told.tokens.loaded_tokens, told.tokens.saved_tokens) == (loaded, saved)
    assert told.tokens.net_tokens == saved - loaded
    assert (told.tokens.assumption.cited_tokens, told.tokens.assumption.saved_rework_tokens) == (300, 1500)
    assert sum(point.saved_tokens for point in told.tokens.series) == saved


def test_every_agent_did_what_the_record_says(month: Month, told: Insight) -> None:
    assert told.agents is not None
    assert {one.agent for one in told.agents} == set(AGENTS)
    for figure in told.agents:
        asked = [one for one in month.asked if one.agent == figure.agent]
        assert (figure.recalls, figure.hits, figure.misses, figure.undecided, figure.empty) == counts(asked)
        assert figure.citations == Counter(kind for one in asked for kind in one.said.values())
        assert [point.recalls for point in figure.series] == [sum(one.day == d for one in asked) for d in range(DAYS)]
        assert [point.citations for point in figure.series] == [
            sum(len(one.said) for one in asked if one.day == d) for d in range(DAYS)
        ]
        assert (figure.written, figure.milliseconds) == (0, 12.0)


def test_top_cited_and_never_cited_are_those_of_the_record(month: Month, told: Insight) -> None:
    of_use = Counter(id_ for one in month.asked for id_, kind in one.said.items() if kind in USE)
    shown = Counter(id_ for one in month.asked for id_ in one.shown)
    assert told.top_cited is not None
    assert told.never_cited is not None
    assert {one.memory_id: one.of_use for one in told.top_cited}.items() <= of_use.items()
    assert [one.of_use for one in told.top_cited] == sorted(of_use.values(), reverse=True)[:10]
    uncited = {id_: shown[id_] for id_ in shown if id_ not in of_use}
    assert {one.memory_id: one.shown for one in told.never_cited.shown_often} == uncited
    assert {one.memory_id for one in told.never_cited.old} == {id_ for id_ in month.memories if id_ not in of_use}


def test_legs_that_found_nothing_or_were_slow_are_told(month: Month, told: Insight) -> None:
    assert told.legs is not None
    found = {one.leg: (one.asked, one.found, one.degraded) for one in told.legs}
    asked, by_graph = len(month.asked), sum(one.graph_found for one in month.asked)
    first_day = sum(one.day == 0 for one in month.asked)
    assert found[Leg.VECTOR] == (asked, asked, 0)
    assert found[Leg.GRAPH] == (asked, by_graph, 0)
    assert found[Leg.TEMPORAL] == (asked, asked, first_day)


def reciprocal(one: Asked, legs: set[Leg]) -> float:
    """1/rank of what was of use, by z-scores of likeness and evidence on top, in plain Python."""
    ids = list(one.scores[Leg.VECTOR])
    total = dict.fromkeys(ids, 0.0)
    alike = [leg for leg in (Leg.VECTOR, Leg.LEXICAL) if leg in legs]
    for leg in alike:
        values = [one.scores[leg][id_] for id_ in ids]
        for id_ in ids:
            z = (one.scores[leg][id_] - fmean(values)) / pstdev(values)
            total[id_] += WEIGHTS[leg] * z / sum(WEIGHTS[each] for each in alike)
    for leg in legs & {Leg.GRAPH, Leg.TEMPORAL}:
        for id_ in ids:
            total[id_] += WEIGHTS[leg] * one.scores[leg].get(id_, 0.0)
    (useful,) = (id_ for id_, kind in one.said.items() if kind in USE)
    return 1 / (1 + sum(score > total[useful] for score in total.values()))


def test_the_lift_of_every_leg_is_that_of_the_record_and_shows_what_was_planted(month: Month, told: Insight) -> None:
    hits = [one for one in month.asked if fared(one) == "hit"]
    assert told.lift is not None
    assert (told.lift.recalls, told.lift.hits, told.lift.learnt) == (len(hits), len(hits), 0)
    whole = fmean(reciprocal(one, set(Leg)) for one in hits)
    assert told.lift.whole == pytest.approx(whole, abs=1e-4)
    lifts = {one.leg: one for one in told.lift.legs}
    for leg, lift in lifts.items():
        without = fmean(reciprocal(one, set(Leg) - {leg}) for one in hits)
        assert lift.leave_one_out.mean == pytest.approx(whole - without, abs=2e-4)
    assert sum(lift.shapley.mean for lift in lifts.values()) == pytest.approx(whole, abs=4e-4)
    assert lifts[Leg.GRAPH].leave_one_out.low > 0.1
    assert lifts[Leg.TEMPORAL].leave_one_out.low <= 0 <= lifts[Leg.TEMPORAL].leave_one_out.high
    assert lifts[Leg.GRAPH].shapley.low > lifts[Leg.TEMPORAL].shapley.high


def test_the_rows_of_a_figure_are_the_recalls_that_it_counts(month: Month, told: Insight) -> None:
    scope = month.scope("anna")
    assert told.hit_rate is not None
    assert told.stale is not None
    for figure in told.hit_rate.by_class:
        rows = replace(figure.rows, outcomes=(RecallOutcome.HIT,))
        assert len(month.engine.project_recalls(scope, rows, 500).recalls) == figure.hits
    assert len(month.engine.project_recalls(scope, told.stale.rows, 500).recalls) == told.stale.overall.part
    first = told.hit_rate.series[0]
    assert len(month.engine.project_recalls(scope, first.rows, 500).recalls) == first.recalls


def test_pages_of_recalls_follow_one_another(month: Month) -> None:
    scope, wanted = month.scope("bert"), RecallFilter()
    own = [one.recall_id for one in month.asked if one.agent == "bert"]
    seen, cursor = [], None
    while True:
        page = month.engine.recalls(scope, wanted, 30, cursor)
        seen += [one.recall_id for one in page.recalls]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert len(seen) == len(own)
    assert set(seen) == set(own)
    with pytest.raises(InvalidInput, match="cursor"):
        month.engine.recalls(scope, wanted, 30, "x")


@pytest.mark.req("S6")
def test_an_agent_is_told_of_its_own_recalls_alone(month: Month) -> None:
    own = month.engine.insight(month.scope("cleo"), WHOLE)
    asked = [one for one in month.asked if one.agent == "cleo"]
    assert own.hit_rate is not None
    assert own.agents is not None
    assert own.top_cited is not None
    figure = own.hit_rate.overall
    assert (figure.recalls, figure.hits, figure.misses, figure.undecided, figure.empty) == counts(asked)
    assert ([one.agent for one in own.agents], own.agent) == (["cleo"], "cleo")
    of_use = Counter(id_ for one in asked for id_, kind in one.said.items() if kind in USE)
    assert sum(one.of_use for one in own.top_cited) == sum(sorted(of_use.values(), reverse=True)[:10])
    assert own == replace(month.engine.project_insight(month.scope("cleo"), replace(WHOLE, agent="cleo")), at=own.at)
    theirs = next(one.recall_id for one in month.asked if one.agent == "dora")
    for refused in (
        lambda: month.engine.insight(month.scope("cleo"), replace(WHOLE, agent="dora")),
        lambda: month.engine.recalls(month.scope("cleo"), RecallFilter(agent="dora"), 10),
    ):
        with pytest.raises(InvalidInput, match="dora"):
            refused()
    with pytest.raises(NotFound):
        month.engine.past_recall(month.scope("cleo"), theirs)


def test_one_recall_is_read_whole_with_what_became_of_it(month: Month) -> None:
    one = next(one for one in month.asked if fared(one) == "hit")
    record = month.engine.past_recall(month.scope(one.agent), one.recall_id)
    assert (record.outcome, record.replayable, record.why_not) == (RecallOutcome.HIT, True, None)
    assert {said.memory_id: said.kind for said in record.citations} == one.said
    assert len(record.event.candidates) == 20


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        (replace(WHOLE, until=FIRST), "since"),
        (replace(WHOLE, since=FIRST - timedelta(days=4000)), "since"),
        (replace(WHOLE, limit=0), "limit"),
    ],
)
def test_what_cannot_be_answered_is_told(month: Month, asked: InsightQuery, field: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        month.engine.insight(month.scope("anna"), asked)
    assert raised.value.field == field


def kept(home: Path, **insight: object) -> Settings:
    of = InsightSettings(**insight)  # type: ignore[arg-type]
    return Settings(home=str(home), embedder=EmbedderSettings(kind="none"), insight=of)


def test_trends_outlive_the_events_that_they_were_counted_from(tmp_path: Path) -> None:
    month = live(kept(tmp_path, keep_days=10, whole_days=3), in_memory=False)
    scope = month.scope("anna")
    before = month.engine.project_insight(scope, WHOLE)
    month.clock.advance(days=20)
    for _ in range(3):
        month.engine.work(scope)
    after = month.engine.project_insight(scope, WHOLE)
    assert month.engine.project_recalls(scope, RecallFilter(), 10).recalls == ()
    assert after.rolled_up == len(month.asked)
    names = ("hit_rate", "stale", "tokens", "agents", "legs", "top_cited")
    assert [getattr(after, name) for name in names] == [getattr(before, name) for name in names]
    assert after.lift is not None
    assert (after.lift.recalls, after.lift.legs) == (0, ())
    assert month.engine.drop_recalls(scope) == sum(one.agent == "anna" for one in month.asked)
    assert month.engine.insight(scope, WHOLE).rolled_up == 0
    month.engine.close()


ALL_PANELS = ("hit_rate", "stale", "tokens", "agents", "top_cited", "never_cited", "legs", "lift", "rolled_up")


def _let_go(month: Month) -> None:
    for _ in range(3):
        month.engine.work(month.scope("anna"))


def _exported(month: Month, file: Path) -> Path:
    Trigraph(month.engine, month.scope("anna")).export(file, everything=True)
    return file


def _told(engine: Engine) -> dict[str, object]:
    insight = engine.project_insight(Scope("default", "default", "anna"), WHOLE)
    return {name: getattr(insight, name) for name in ALL_PANELS}


def test_an_exported_home_tells_the_same_figures_where_it_is_imported(tmp_path: Path) -> None:
    month = live(kept(tmp_path / "home", keep_days=21, whole_days=4), in_memory=False)
    end = month.clock()
    for month.clock.time in (FIRST + timedelta(days=7, hours=7), FIRST + timedelta(days=7, hours=16)):
        ask(month, random.Random(3), 7, "anna", QueryClass.OTHER)
    month.clock.time = end
    _let_go(month)
    told, file = _told(month.engine), _exported(month, tmp_path / "all.jsonl")
    days = month.engine._parts.store.figures.days(month.scope("anna"), Span(FIRST, end, None))
    cut = Counter((one.day, one.agent, one.query_class) for one in days)
    assert [key for key, parts in cut.items() if parts == 2] == [(FIRST + timedelta(days=7), "anna", QueryClass.OTHER)]
    month.engine.close()

    settings = kept(tmp_path / "elsewhere", keep_days=21, whole_days=4)
    with open_engine(settings, clock=month.clock) as engine:
        there = Trigraph(engine, month.scope("anna"))
        assert there.import_(file).conflicts == ()
        assert _told(engine) == told
        again = there.import_(file)
        assert (set(again.counts), again.conflicts, _told(engine)) == ({"same"}, (), told)
        there.export(tmp_path / "again.jsonl", everything=True)
    assert _recalls_in(tmp_path / "again.jsonl") == _recalls_in(file)


def test_recalls_that_were_rolled_up_meanwhile_are_not_imported_again(tmp_path: Path) -> None:
    month = live(kept(tmp_path / "home", keep_days=21), in_memory=False)
    file = _exported(month, tmp_path / "all.jsonl")
    _let_go(month)
    told = _told(month.engine)
    assert told["rolled_up"]
    anna = Trigraph(month.engine, month.scope("anna"))

    report = anna.import_(file)
    assert _told(month.engine) == told
    assert report.counts["different"] == told["rolled_up"]
    assert {line.split()[2] for line in report.conflicts} == {"recall_event"}
    month.clock.advance(days=14)
    file = _exported(month, tmp_path / "part.jsonl")
    _let_go(month)
    told = _told(month.engine)
    assert anna.import_(file).counts["different"] > 0
    assert _told(month.engine) == told
    month.engine.close()


def _recalls_in(file: Path) -> list[str]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith(('{"record": "recall_', '{"record": "shown_'))]


def test_queries_that_are_not_to_be_kept_are_nowhere(tmp_path: Path) -> None:
    month = live(kept(tmp_path, keep_queries=False), in_memory=False)
    scope = month.scope("anna")
    cursor = month.engine.tail(scope, None, 10).cursor
    answer = month.engine.recall(scope, RecallQuery("pier lamp zanzibar"))
    record = month.engine.past_recall(scope, answer.id)
    assert (record.event.query, record.replayable) == ("", False)
    assert "keep_queries" in str(record.why_not)
    assert "zanzibar" not in str(month.engine.tail(scope, cursor, 10))
    month.engine.work(scope)
    assert {one.query for one in month.engine.recalls(scope, RecallFilter(), 500).recalls} == {None}
    month.engine.close()
    held = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"zanzibar" not in held
    assert b"where are the lamps" not in held


def test_the_number_of_statements_does_not_depend_on_the_rows(tmp_path: Path) -> None:
    statements: list[str] = []

    def watch(connection: apsw.Connection) -> None:
        connection.trace_v2(apsw.SQLITE_TRACE_STMT, lambda event: statements.append(str(event["sql"])))

    apsw.connection_hooks.append(watch)
    try:
        few = open_engine(kept(tmp_path / "few"))
        many = live(kept(tmp_path / "many"), in_memory=False)
        scope = many.scope("anna")
        spent = [_spent(statements, engine, scope) for engine in (few, many.engine)]
    finally:
        apsw.connection_hooks.remove(watch)
    assert spent[0] == spent[1]
    assert min(spent[0]) > 0
    assert max(spent[0]) < 40


def _spent(statements: list[str], engine: Engine, scope: Scope) -> list[int]:
    """How many statements insight takes, and a page of recalls, once connections are open."""
    hits, counted = RecallFilter(outcomes=(RecallOutcome.HIT,)), []
    with engine:
        for ask in (engine.project_insight, lambda who, _: engine.project_recalls(who, hits, 500)):
            ask(scope, WHOLE)
            statements.clear()
            ask(scope, WHOLE)
            counted.append(len(statements))
    return counted
