"""Two agents of different domains over one mixed store: each recalls its own, and everything when it asks for that."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from trigraph.errors import InvalidInput
from trigraph.faces.library import Trigraph
from trigraph.model.recall import Recall
from trigraph.model.scope import LOCAL_SCOPE

pytestmark = pytest.mark.req("I14")

BILLING = "The rounding rule of Ledger is half to even"
NETWORK = "The rounding of packet sizes in Ledger is to 64 bytes"
GENERAL = "The rounding talk about Ledger is on Monday"
QUESTION = "what about the rounding in Ledger?"


@pytest.fixture
def texts(memory: Trigraph) -> Trigraph:
    """The agent without domains, in a store in which three memories are about one thing."""
    memory.remember(BILLING, domains=["billing"], subject="Ledger", type="system", topic="rounding")
    memory.remember(NETWORK, domains=["network"], subject="Ledger", type="system", topic="rounding")
    memory.remember(GENERAL, subject="Ledger", type="system", topic="rounding")
    memory.admin.set_agent("default", "default", "clerk", domains=["billing"])
    memory.admin.set_agent("default", "default", "admin", domains=["network", "storage"])
    return memory


@pytest.fixture
def clerk(texts: Trigraph) -> Trigraph:
    return _as(texts, "clerk")


@pytest.fixture
def admin(texts: Trigraph) -> Trigraph:
    return _as(texts, "admin")


def test_an_agent_recalls_its_own_domains_and_what_is_of_none(clerk: Trigraph, admin: Trigraph) -> None:
    of_clerk, of_admin = clerk.recall(QUESTION), admin.recall(QUESTION)

    assert _texts(of_clerk) == {BILLING, GENERAL}
    assert _texts(of_admin) == {NETWORK, GENERAL}
    assert (of_clerk.plan.domains, of_admin.plan.domains) == (("billing",), ("network", "storage"))


@pytest.mark.parametrize("profile", ["default", "plain", "equal", "graph", "lexical", "vector", "rrf"])
def test_every_leg_keeps_to_the_domains(clerk: Trigraph, profile: str) -> None:
    assert _texts(clerk.recall(QUESTION, profile=profile)) == {BILLING, GENERAL}


def test_an_agent_without_domains_is_not_scoped(texts: Trigraph) -> None:
    answer = texts.recall(QUESTION)

    assert _texts(answer) == {BILLING, NETWORK, GENERAL}
    assert answer.plan.domains == ()


def test_other_domains_are_asked_for_by_name_and_all_at_once(texts: Trigraph, clerk: Trigraph) -> None:
    assert _texts(clerk.recall(QUESTION, domains=["network"])) == {NETWORK, GENERAL}
    assert _texts(clerk.recall(QUESTION, domains="network")) == {NETWORK, GENERAL}
    assert _texts(clerk.recall(QUESTION, domains=["network", "billing"])) == {BILLING, NETWORK, GENERAL}
    everything = clerk.recall(QUESTION, all_domains=True)
    assert _texts(everything) == {BILLING, NETWORK, GENERAL}
    assert everything.plan.domains == ()
    assert _texts(texts.recall(QUESTION, domains=["billing"])) == {BILLING, GENERAL}


def test_a_domain_gives_no_right(texts: Trigraph, clerk: Trigraph) -> None:
    texts.remember("The rounding secret of Ledger", domains=["billing"], visibility="private")

    for asked in ({}, {"all_domains": True}, {"domains": ["billing"]}):
        assert "The rounding secret of Ledger" not in _texts(clerk.recall(QUESTION, **asked))


def test_a_topic_is_scoped_and_an_id_is_not(clerk: Trigraph) -> None:
    (elsewhere,) = clerk.list(domains=["network"]).memories

    assert _texts(clerk.recall("rounding")) == {BILLING, GENERAL}
    assert clerk.recall(elsewhere.id).hits[0].memory.id == elsewhere.id


def test_what_a_hit_is_linked_to_is_scoped_and_what_contradicts_it_is_told(clerk: Trigraph) -> None:
    (own,), (other,) = (clerk.list(domains=[domain]).memories for domain in ("billing", "network"))
    clerk.link(own.id, other.id, "contradicts", reason="two rules")

    answer = clerk.recall("half to even")
    assert other.id not in [hit.memory.id for hit in answer.hits]
    assert [{one.first_id, one.second_id} for one in answer.conflicts] == [{own.id, other.id}]


def test_a_listing_is_filtered_by_domain_only_when_that_is_asked_for(clerk: Trigraph) -> None:
    assert {one.text for one in clerk.list().memories} == {BILLING, NETWORK, GENERAL}
    assert [one.text for one in clerk.list(domains=["network", "storage"]).memories] == [NETWORK]


def test_domains_count_as_they_are_now(texts: Trigraph, clerk: Trigraph) -> None:
    texts.admin.set_agent("default", "default", "clerk", domains=[])
    assert _texts(clerk.recall(QUESTION)) == {BILLING, NETWORK, GENERAL}


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"domains": ["billing"], "all_domains": True}, "domains"),
        ({"domains": [" "]}, "domains"),
        ({"domains": 5}, "domains"),
        ({"all_domains": "yes"}, "all_domains"),
        ({"domainless": True}, "recall field"),
    ],
    ids=str,
)
def test_a_mistake_is_named(clerk: Trigraph, asked: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        clerk.recall(QUESTION, **asked)
    assert refused.value.field == field


def _as(memory: Trigraph, agent: str) -> Trigraph:
    return Trigraph(memory.engine, replace(LOCAL_SCOPE, agent=agent))


def _texts(answer: Recall) -> set[str]:
    return {hit.memory.text for hit in answer.hits}
