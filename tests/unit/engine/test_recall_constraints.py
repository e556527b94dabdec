"""Constraints that are pinned or concern what a query names stand in a block of their own, whatever their rank."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from clocks import SettableClock
from trigraph.errors import InvalidInput
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.ranking.profiles import PROFILES
from trigraph.text.tokens import estimate_tokens

pytestmark = pytest.mark.req("S4")

QUESTION = "who works on Kestrel this week?"


def kept(memory: Trigraph, text: str, kind: str = "constraint", **fields: Any) -> str:
    id = memory.remember(text, kind=kind, **fields).id
    assert id is not None
    return id


@pytest.fixture
def crowded(memory: Trigraph) -> Trigraph:
    """Memory in which much more is like the question than any constraint."""
    for number in range(12):
        kept(memory, f"Person {number} works on Kestrel this week, says note {number}", "fact", subject="Kestrel")
    return memory


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_a_constraint_surfaces_whatever_its_rank(crowded: Trigraph, profile: str) -> None:
    named = kept(crowded, "Deliveries to Kestrel need two signatures", subject="Kestrel", type="system")
    pinned = kept(crowded, "Nobody pushes on a Friday", pinned=True)
    kept(crowded, "Osprey closes at noon", subject="Osprey", type="system")

    answer = crowded.recall(QUESTION, limit=3, profile=profile)
    assert not {named, pinned} & {hit.memory.id for hit in answer.hits}
    assert [(one.id, one.pinned, one.why, one.rank) for one in answer.constraints] == [
        (pinned, True, "pinned", None),
        (named, False, "speaks of Kestrel", None),
    ]
    assert [(one.text, one.shortened) for one in answer.constraints] == [
        ("Nobody pushes on a Friday", False),
        ("Deliveries to Kestrel need two signatures", False),
    ]


def test_a_constraint_that_only_mentions_the_thing_concerns_it(crowded: Trigraph) -> None:
    mentioning = kept(crowded, "Signatures are needed wherever Kestrel delivers", subject="Delivery", type="concept")

    assert [one.id for one in crowded.recall(QUESTION, limit=3).constraints] == [mentioning]


def test_a_constraint_that_is_a_hit_stays_one_and_its_rank_is_marked(memory: Trigraph) -> None:
    memory.remember("The parrot is green")
    rule = kept(memory, "Retries are capped at five", pinned=True)

    answer = memory.recall("how many retries?")
    assert answer.hits[0].memory.id == rule
    assert [(one.id, one.rank) for one in answer.constraints] == [(rule, 1)]


def test_pinned_ones_stand_first_then_the_best_match_then_the_newest(memory: Trigraph, clock: SettableClock) -> None:
    ids = {}
    for name, text, pinned in (
        ("unlike", "Kestrel ledgers are blue", False),
        ("old", "Zebra crossings are white", True),
        ("alike", "Kestrel releases go out on Tuesday mornings", False),
        ("new", "Xylophones are loud", True),
    ):
        clock.advance(days=1)
        ids[name] = kept(memory, text, pinned=pinned, subject=None if pinned else "Kestrel")

    answer = memory.recall("when do Kestrel releases go out?", profile="lexical")
    assert [one.id for one in answer.constraints] == [ids[name] for name in ("new", "old", "alike", "unlike")]


def test_the_block_has_a_budget_and_nothing_is_dropped(memory: Trigraph) -> None:
    ids = {
        kept(memory, f"Rule {number}: " + "no exceptions to this are made. " * 20, pinned=True) for number in range(8)
    }
    short = kept(memory, "Be brief.", pinned=True)

    answer = memory.recall("parrots", constraint_tokens=200)
    assert {one.id for one in answer.constraints} == {*ids, short}
    assert sum(estimate_tokens(one.text) for one in answer.constraints) <= 200
    by_id = {one.id: one for one in answer.constraints}
    assert (by_id[short].text, by_id[short].shortened) == ("Be brief.", False)
    assert all(by_id[id].shortened and by_id[id].text.endswith("…") and len(by_id[id].text) > 60 for id in ids)
    tightest = memory.recall("parrots", constraint_tokens=1).constraints
    assert {one.id for one in tightest} == {*ids, short}
    assert {len(one.text) for one in tightest if one.id != short} <= {59, 60}


def test_beyond_twenty_the_others_are_counted(memory: Trigraph) -> None:
    rules = [kept(memory, f"Rule {number} holds", pinned=True) for number in range(27)]

    answer = memory.recall("parrots", limit=1, profile="lexical")
    assert [one.id for one in answer.constraints] == rules[:6:-1]
    assert answer.constraints_left_out == 7


def test_the_block_can_be_left_out(memory: Trigraph) -> None:
    kept(memory, "Nobody pushes on a Friday", pinned=True)

    answer = memory.recall("parrots", constraint_tokens=0)
    assert (answer.constraints, answer.constraints_left_out) == ((), 0)


def test_only_what_holds_at_the_moment_asked_for_is_told(memory: Trigraph, clock: SettableClock) -> None:
    old = kept(memory, "Kestrel deploys need one signature", pinned=True)
    clock.advance(days=10)
    before = clock()
    clock.advance(days=10)
    new = memory.supersede(old, "Kestrel deploys need two signatures").id

    assert [one.id for one in memory.recall("why did Kestrel change?", superseded=True).constraints] == [new]
    assert [one.id for one in memory.recall("parrots", as_of=before).constraints] == [old]
    memory.forget(str(new))
    assert memory.recall("parrots").constraints == ()


def test_what_others_may_not_see_binds_only_its_author(memory: Trigraph) -> None:
    memory.admin.set_agent("default", "default", "other")
    kept(memory, "I owe Kestrel an answer", pinned=True, visibility="private", subject="Kestrel")
    shared = kept(memory, "Kestrel closes at noon", pinned=True)

    other = Trigraph(memory.engine, replace(LOCAL_SCOPE, agent="other"))
    assert [one.id for one in other.recall("Kestrel").constraints] == [shared]
    assert len(memory.recall("Kestrel").constraints) == 2


def test_filters_of_whose_word_and_which_area_count_and_those_of_kind_do_not(memory: Trigraph) -> None:
    house = kept(memory, "Doors are locked at ten", pinned=True, tags=["house"], domains=["house"])
    garden = kept(memory, "Hedges are cut in March", pinned=True, source="web", domains=["garden"])

    def told(**asked: Any) -> set[str]:
        return {one.id for one in memory.recall("parrots", **asked).constraints}

    assert told(kinds=["episode"], occurred_after="2100-01-01", topic="birds") == {house, garden}
    assert (told(tags=["house"]), told(sources=["web"]), told(author="nobody")) == ({house}, {garden}, set())
    assert told(domains=["garden"]) == {garden}


def test_a_store_without_constraints_has_no_block(memory: Trigraph) -> None:
    kept(memory, "Kestrel is pinned", "fact", pinned=True, subject="Kestrel")

    answer = memory.recall("Kestrel")
    assert (answer.constraints, answer.constraints_left_out) == ((), 0)


@pytest.mark.parametrize("asked", [-1, "4", None, 1.5, True], ids=str)
def test_a_mistake_is_named(memory: Trigraph, asked: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        memory.recall("parrots", constraint_tokens=asked)
    assert refused.value.field == "constraint_tokens"
