"""Citations teach how hits are ordered: only when that helps, only as far as there is evidence, and never for good."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from clocks import SettableClock
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.errors import ConfigError
from trigraph.faces.library import Trigraph
from trigraph.model.recall import Hit, Recall
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.model.scorer import ScorerState
from trigraph.ranking.order import LIKENESS, Order, shipped
from trigraph.settings import ScorerSettings, Settings

pytestmark = pytest.mark.req("S9")

THINGS = "lamp crane ferry anchor buoy rope barge gate mast sail winch pump".split()
SIDES = "north south east west upper lower".split()
Choice = Callable[[Sequence[Hit]], Hit]
Open = Callable[..., Trigraph]


def _told() -> list[str]:
    """Of each thing statements, and questions, which the shipped weights think less of."""
    lines = []
    for number, thing in enumerate(THINGS):
        for side in SIDES:
            lines.append(f"The {thing} at the {side} pier was painted and tested in week {number + 3}.")
            lines.append(f"Is the {thing} at the {side} pier painted and tested yet?")
    return lines


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Path:
    home = tmp_path_factory.mktemp("scorer") / "home"
    with Trigraph(open_engine(Settings(home=str(home)), embedder=embedder), LOCAL_SCOPE) as memory:
        memory.remember_batch(_told())
    return home


@pytest.fixture
def open_(told: Path, home: Path, embedder: Embedder, clock: SettableClock) -> Iterator[Open]:
    """Opens memory on a copy of what was told, with settings of the scorer."""
    shutil.copytree(told, home)
    clock.advance(days=400)
    opened: list[Trigraph] = []

    def open_with(order: Order | None = None, scope: Scope = LOCAL_SCOPE, **scorer: object) -> Trigraph:
        chosen = Settings(home=str(home), scorer=ScorerSettings(**scorer))  # type: ignore[arg-type]
        opened.append(Trigraph(open_engine(chosen, clock=clock, embedder=embedder, order=order), scope))
        return opened[-1]

    yield open_with
    for one in opened:
        one.close()


def _queries(count: int) -> list[str]:
    asked = [f"{thing} at the {side} pier" for side in SIDES for thing in THINGS]
    return [asked[number % len(asked)] for number in range(count)]


def _ask(memory: Trigraph, query: str, limit: int = 8) -> Recall:
    return memory.recall(query, limit=limit, fusion="learned", explain=True)


def _use(memory: Trigraph, clock: SettableClock, count: int, choose: Choice) -> None:
    """Ask so often, and cite a hit each time."""
    for query in _queries(count):
        clock.advance(minutes=1)
        answer = _ask(memory, query)
        memory.cite(answer.id, choose(answer.hits).memory.id)


def _a_question(hits: Sequence[Hit]) -> Hit:
    return next((hit for hit in hits if hit.memory.text.endswith("?")), hits[0])


def _by_position(chance: random.Random) -> Choice:
    return lambda hits: chance.choices(hits, [1 / hit.rank**0.6 for hit in hits])[0]


def _orders(memory: Trigraph) -> list[list[tuple[str, float]]]:
    return [[(hit.memory.id, hit.score) for hit in _ask(memory, query).hits] for query in _queries(12)]


def _texts(answer: Recall) -> list[str]:
    return [hit.memory.text for hit in answer.hits]


def _rank_of_the_first_question(memory: Trigraph) -> float:
    ranks = [_a_question(_ask(memory, query).hits).rank for query in _queries(24)]
    return sum(ranks) / len(ranks)


@pytest.mark.req("S8")
def test_a_recall_keeps_the_features_of_what_it_showed(open_: Open) -> None:
    memory = open_()
    answer = _ask(memory, "crane at the north pier", 60)
    event = memory.recall_event(answer.id)

    assert event is not None
    assert event.feature_names == LIKENESS
    assert [one.memory_id for one in event.shown] == [hit.memory.id for hit in answer.hits[:50]]
    assert [one.rank for one in event.shown] == list(range(1, 51))
    first = dict(zip(event.feature_names, event.shown[0].features, strict=True))
    assert first == pytest.approx(answer.hits[0].features, abs=0.0006)


@pytest.mark.req("S8")
def test_hits_that_no_learnt_order_ranked_and_exact_matches_have_no_features(open_: Open) -> None:
    memory = open_()
    plain = memory.recall_event(memory.recall("crane", profile="lexical").id)
    exact = memory.remember("The crane is for sale.", topic="crane sale").items[0].id
    answer = memory.recall("crane sale", fusion="learned")
    event = memory.recall_event(answer.id)

    assert plain is not None
    assert (plain.feature_names, plain.shown, plain.explored) == ((), (), None)
    assert event is not None
    assert answer.hits[0].memory.id == exact
    assert exact not in {one.memory_id for one in event.shown}
    assert len(event.shown) == len(answer.hits) - 1


def test_before_anything_was_cited_the_order_is_the_shipped_one_exactly(open_: Open) -> None:
    memory = open_()
    before = _ask(memory, "ferry at the east pier")
    found = memory.scorer_train()
    after = _ask(memory, "ferry at the east pier")

    assert (found.state, found.used, found.why) == (ScorerState.WAITING, False, "no hit was cited yet")
    assert (found.evidence.citations, found.held_out, found.changes) == (0, None, ())
    assert (before.plan.ordered_by, after.plan.ordered_by) == ("shipped", "shipped")
    assert after.plan.order == before.plan.order == shipped().weights
    assert [(hit.memory.id, hit.score) for hit in after.hits] == [(hit.memory.id, hit.score) for hit in before.hits]


def test_what_citations_prefer_comes_up_once_it_has_shown_that_it_helps(open_: Open, clock: SettableClock) -> None:
    memory = open_(explore=0.0)
    _use(memory, clock, 60, _a_question)
    early = memory.scorer_train()
    assert (early.state, early.used) == (ScorerState.WAITING, False)
    assert early.why == "60 recalls with a hit of use; it takes 100 to judge it"

    _use(memory, clock, 60, _a_question)
    found = memory.scorer_train()
    assert (found.state, found.used) == (ScorerState.PROMOTED, True)
    assert (found.evidence.citations, found.evidence.positive, found.evidence.learnt_from) == (120, 120, 84)
    assert found.held_out is not None
    assert found.held_out.recalls == 36
    assert found.held_out.low > 0
    changed = {one.feature: one.learnt - one.shipped for one in found.changes}
    assert changed["asks"] > 0 or changed["ends_asking"] > 0
    after = _ask(memory, "pump at the west pier")
    assert after.plan.ordered_by == f"scorer of {clock.time:%Y-%m-%d}"
    assert after.plan.order != shipped().weights
    as_shipped = open_(order=shipped())
    assert _rank_of_the_first_question(memory) < _rank_of_the_first_question(as_shipped) - 0.3
    assert memory.scorer_report() == found

    memory.scorer_off()
    assert _orders(memory) == _orders(as_shipped)
    assert memory.scorer_train().state is ScorerState.OFF
    assert _orders(memory) == _orders(as_shipped)
    again = memory.scorer_on()
    assert (again.state, again.used) == (ScorerState.PROMOTED, True)

    switched = open_(enabled=False)
    assert _ask(switched, "pump at the west pier").plan.ordered_by == "shipped"
    assert (switched.scorer_report().state, switched.scorer_report().used) == (ScorerState.PROMOTED, False)
    given = open_(order=Order({"words": 1.0}))
    assert _ask(given, "pump at the west pier").plan.ordered_by == "given"
    assert open_().recall("pump", profile="lexical").plan.ordered_by is None, "plain fusion weighs no features"

    _use(memory, clock, 140, _by_position(random.Random(3)))
    demoted = memory.scorer_train()
    assert (demoted.state, demoted.used) == (ScorerState.WAITING, False)
    assert demoted.held_out is not None
    assert demoted.why == f"it did not clearly help on {demoted.held_out.recalls} later recalls"
    assert _ask(memory, "pump at the west pier").plan.ordered_by == "shipped"


@pytest.mark.parametrize("seed", [1, 2])
def test_citations_that_follow_the_position_alone_change_nothing(open_: Open, clock: SettableClock, seed: int) -> None:
    memory = open_(explore=0.0)
    _use(memory, clock, 150, _by_position(random.Random(seed)))
    found = memory.scorer_train()

    assert (found.state, found.used) == (ScorerState.WAITING, False)
    assert found.held_out is not None
    assert _ask(memory, "gate at the lower pier").plan.ordered_by == "shipped"


def test_only_whoever_asked_says_what_a_hit_was_worth_and_the_latest_word_counts(
    open_: Open, clock: SettableClock
) -> None:
    memory = open_()
    memory.admin.set_agent("default", "default", "other")
    other = Trigraph(memory.engine, replace(LOCAL_SCOPE, agent="other"))
    answer = _ask(memory, "mast at the east pier")
    other.cite(answer.id, answer.hits[3].memory.id)
    assert memory.scorer_report().evidence.labelled == 0

    memory.cite(answer.id, answer.hits[1].memory.id)
    assert (memory.scorer_report().evidence.labelled, memory.scorer_report().evidence.positive) == (1, 1)
    clock.advance(hours=1)
    memory.cite(answer.id, answer.hits[1].memory.id, "flagged_stale")
    assert (memory.scorer_report().evidence.labelled, memory.scorer_report().evidence.positive) == (1, 0)
    assert memory.scorer_report() == other.scorer_report()


def test_what_was_erased_teaches_nothing(open_: Open, clock: SettableClock) -> None:
    memory = open_()
    answer = _ask(memory, "buoy at the upper pier")
    gone = answer.hits[0].memory.id
    memory.cite(answer.id, gone)
    memory.cite(answer.id, answer.hits[1].memory.id, "dismissed")
    assert memory.scorer_report().evidence.positive == 1
    memory.erase(gone)
    event = memory.recall_event(answer.id)

    assert event is not None
    assert gone not in repr(event)
    assert [one.rank for one in event.shown] == [2, 3, 4, 5, 6, 7, 8]
    evidence = memory.scorer_train().evidence
    assert (evidence.citations, evidence.labelled, evidence.positive) == (1, 1, 0)


def test_now_and_then_the_last_place_goes_to_one_from_below_to_learn_from(open_: Open) -> None:
    memory = open_(explore=1.0)
    before = _ask(memory, "rope at the south pier", 30)
    assert before.hits[-1].why.endswith("shown to learn from") is False
    memory.cite(before.id, before.hits[0].memory.id)
    memory.scorer_train()
    answer = _ask(memory, "rope at the south pier", 8)
    event = memory.recall_event(answer.id)

    ranked = [hit.memory.id for hit in before.hits]
    assert [hit.memory.id for hit in answer.hits[:7]] == ranked[:7]
    assert answer.hits[7].memory.id in ranked[8:18]
    assert answer.hits[7].why.endswith("shown to learn from")
    assert event is not None
    assert event.explored == answer.hits[7].memory.id == event.shown[7].memory_id

    few = _ask(memory, "rope at the south pier", 7)
    assert [hit.memory.id for hit in few.hits] == ranked[:7]
    memory.scorer_off()
    assert [hit.memory.id for hit in _ask(memory, "rope at the south pier", 8).hits] == ranked[:8]


def test_no_place_is_spent_on_learning_where_it_is_switched_off_or_nothing_was_cited(open_: Open) -> None:
    memory = open_(explore=1.0)
    memory.scorer_train()
    ranked = _texts(_ask(memory, "sail at the north pier", 30))
    assert _texts(_ask(memory, "sail at the north pier")) == ranked[:8]

    answer = _ask(memory, "sail at the north pier")
    memory.cite(answer.id, answer.hits[0].memory.id)
    memory.scorer_train()
    assert _texts(_ask(open_(explore=0.0), "sail at the north pier")) == ranked[:8]
    assert _texts(_ask(open_(explore=1.0, enabled=False), "sail at the north pier")) == ranked[:8]


def test_exact_matches_and_constraints_do_not_give_way(open_: Open) -> None:
    memory = open_(explore=1.0)
    answer = _ask(memory, "winch at the east pier")
    memory.cite(answer.id, answer.hits[0].memory.id)
    memory.scorer_train()
    for number in range(8):
        memory.remember(f"Sale number {number} of the harbour.", topic="harbour sale")
    assert [hit.why[:18] for hit in _ask(memory, "harbour sale").hits] == ["exactly this topic"] * 8

    for number in range(8):
        text = f"Never paint the heron nest of station {number} before the herons have left."
        memory.remember(text, kind="constraint")
    assert {hit.memory.kind.value for hit in _ask(memory, "paint the heron nest of a station").hits} == {"constraint"}


@pytest.mark.parametrize("explore", [-0.1, 1.1, float("nan")])
def test_a_share_that_is_none_is_refused(explore: float) -> None:
    with pytest.raises(ConfigError, match=r"scorer\.explore"):
        open_engine(Settings(scorer=ScorerSettings(explore=explore)), in_memory=True)
