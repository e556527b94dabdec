"""What stands around a memory or an entity: how far, along what, for whom, and at what cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from clocks import SettableClock
from trigraph.assembly import open_engine
from trigraph.errors import InvalidInput, NotFound
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.neighbourhood import Neighbourhood
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.settings import EmbedderSettings, LinkSettings, Settings


@pytest.fixture
def memory(clock: SettableClock) -> Iterator[Trigraph]:
    """Memory in which nothing is linked that the test did not link."""
    settings = Settings(embedder=EmbedderSettings(kind="none"), links=LinkSettings(automatic="none"))
    with Trigraph(open_engine(settings, in_memory=True, clock=clock), LOCAL_SCOPE) as opened:
        yield opened


def kept(memory: Trigraph, text: str, **fields: Any) -> str:
    id = memory.remember(text, **fields).id
    assert id is not None
    return id


def depths(found: Neighbourhood) -> dict[str, int]:
    assert len({one.id for one in found.nodes}) == len(found.nodes), "a node is shown twice"
    return {one.label: one.depth for one in found.nodes}


def edges(found: Neighbourhood) -> set[tuple[str, str, str]]:
    labels = {one.id: one.label for one in found.nodes}
    return {(labels[one.from_id], one.type, labels[one.to_id]) for one in found.edges}


def test_from_an_entity_over_what_speaks_of_it_to_what_that_is_linked_to(memory: Trigraph) -> None:
    one = kept(memory, "It leaks", subject="Mill", type="location")
    other = kept(memory, "It was mended")
    memory.link(other, one)

    near = memory.neighbourhood("Mill")
    assert depths(near).items() >= {"Mill": 0, "It leaks": 1}.items()
    assert "It was mended" not in depths(near)
    assert [node.more for node in near.nodes if node.label == "It leaks"] == [True]
    far = memory.neighbourhood("Mill", depth=2, graphs="semantic")
    assert depths(far) == {"Mill": 0, "It leaks": 1, "It was mended": 2}
    assert edges(far) == {("It leaks", "mentions", "Mill"), ("It was mended", "relates_to", "It leaks")}
    assert not any(node.more for node in far.nodes)


def test_documents_are_joined_by_their_relations(memory: Trigraph) -> None:
    memory.docs.put("# SPEC-7: Rigging\n\n## Depends on\n\nSPEC-3\n")
    found = memory.neighbourhood("SPEC-3", types="DEPENDS_ON")
    assert edges(found) >= {("SPEC-7", "DEPENDS_ON", "SPEC-3")}
    assert memory.neighbourhood("SPEC-3", types="USES", graphs="semantic").edges == ()


def test_the_canonical_graph_shows_types_and_aliases(memory: Trigraph) -> None:
    kept(memory, "It leaks", subject="Mill", type="location")
    memory.alias("Mill", "Grinder")
    found = memory.neighbourhood("Mill", graphs="canonical")
    assert edges(found) == {("Mill", "instance_of", "location"), ("Grinder", "alias_of", "Mill")}


def test_the_temporal_graph_shows_states_and_what_replaced_what(memory: Trigraph, clock: SettableClock) -> None:
    first = memory.decide("Use JWT", topic="tokens").id
    before = clock()
    clock.advance(days=3)
    memory.decide("Use opaque tokens", topic="tokens", supersedes=first)
    found = memory.neighbourhood("tokens", graphs="temporal")
    assert {one.type for one in found.edges} == {"becomes", "state_of"}
    then = memory.neighbourhood("tokens", graphs="temporal", as_of=before)
    assert [one.type for one in then.edges] == ["state_of"]
    two = memory.neighbourhood(first, graphs="temporal")
    assert [one.type for one in two.edges] == ["supersedes"]
    assert [one.over for one in two.nodes] == [True, False]


def test_as_of_a_time_only_what_held_then_is_there(memory: Trigraph, clock: SettableClock) -> None:
    one = kept(memory, "It leaks", subject="Mill")
    before = clock()
    clock.advance(days=3)
    other = kept(memory, "It was mended", subject="Mill")
    memory.link(other, one)
    now = memory.neighbourhood("Mill", graphs="semantic")
    assert set(depths(now)) == {"Mill", "It leaks", "It was mended"}
    assert set(depths(memory.neighbourhood("Mill", graphs="semantic", as_of=before))) == {"Mill", "It leaks"}
    assert set(depths(memory.neighbourhood("Mill", graphs="semantic", known_at=before))) == {"Mill", "It leaks"}


def test_weak_links_and_those_of_the_system_can_be_left_out(clock: SettableClock) -> None:
    settings = Settings(embedder=EmbedderSettings(kind="none"))
    with Trigraph(open_engine(settings, in_memory=True, clock=clock), LOCAL_SCOPE) as memory:
        one = kept(memory, "The mast leans", session="watch")
        kept(memory, "The sail is torn", session="watch")
        weak = kept(memory, "The keel was scraped")
        memory.link(one, weak, confidence=0.3)

        assert set(depths(memory.neighbourhood(one))) == {"The mast leans", "The sail is torn", "The keel was scraped"}
        assert set(depths(memory.neighbourhood(one, automatic=False))) == {"The mast leans", "The keel was scraped"}
        assert set(depths(memory.neighbourhood(one, confidence=0.4))) == {"The mast leans", "The sail is torn"}


@pytest.mark.parametrize("memories", [5, 300])
def test_it_ends_at_its_limit_and_costs_as_many_queries_whatever_there_is(
    memory: Trigraph, memories: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.remember_batch({"text": f"Grain {number}", "subject": "Mill"} for number in range(memories))
    asked: list[str] = []
    for part in ("memories", "entities", "links", "relations", "graph", "uses"):
        holder = type(getattr(memory.engine._parts.store, part))
        for name in ("get", "mentions_of", "strongest", "of", "speaking", "citations"):
            if hasattr(holder, name):
                monkeypatch.setattr(holder, name, _counted(getattr(holder, name), asked))
    found = memory.neighbourhood("Mill", depth=2, limit=40, graphs="semantic")

    assert len(found.nodes) == min(memories + 1, 40)
    assert found.truncated is (memories > 39)
    assert found.nodes[0].more is (memories > 39)
    assert len(asked) < 12


def _counted(verb: Any, asked: list[str]) -> Any:
    def counting(*args: Any, **kwargs: Any) -> Any:
        asked.append(verb.__name__)
        return verb(*args, **kwargs)

    return counting


@pytest.mark.req("S6")
def test_it_leads_to_nothing_that_may_not_be_seen_nor_says_that_there_is_something(memory: Trigraph) -> None:
    memory.admin.set_agent("default", "default", "bob", ReadPolicy.SHARED)
    bob = Trigraph(memory.engine, Scope("default", "default", "bob"))
    one = kept(memory, "The gate opened", subject="Gate")
    secret = kept(bob, "A bribe was paid at the Gate", visibility="private")
    last = kept(memory, "The crowd came")
    bob.link(one, secret)
    bob.link(secret, last)

    assert set(depths(bob.neighbourhood(one, depth=2))) >= {
        "The gate opened",
        "A bribe was paid at the Gate",
        "The crowd came",
    }
    mine = memory.neighbourhood(one, depth=3, graphs=["canonical", "semantic", "temporal"])
    assert not {"A bribe was paid at the Gate", "The crowd came"} & set(depths(mine))
    assert [node.label for node in mine.nodes if node.more] == []
    with pytest.raises(NotFound):
        memory.neighbourhood(secret)


@pytest.mark.parametrize(
    ("field", "given"),
    [
        ("depth", {"depth": 4}),
        ("depth", {"depth": 0}),
        ("limit", {"limit": 301}),
        ("confidence", {"confidence": 2.0}),
        ("types", {"types": "LIKES"}),
        ("graphs", {"graphs": "spiritual"}),
    ],
)
def test_what_cannot_be_asked_for_is_refused_by_name(memory: Trigraph, field: str, given: dict[str, Any]) -> None:
    kept(memory, "It leaks", subject="Mill")
    with pytest.raises(InvalidInput) as refused:
        memory.neighbourhood("Mill", **given)
    assert refused.value.field == field
