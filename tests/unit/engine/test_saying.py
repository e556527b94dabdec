"""What a memory's own text says of things is there at once, and as long as the memory stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from trigraph.assembly import open_engine
from trigraph.engine.read import walking
from trigraph.errors import NotFound
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.query import Leg
from trigraph.model.report import ItemStatus
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.settings import EmbedderSettings, Settings

if TYPE_CHECKING:
    from clocks import SettableClock

WITHOUT_MODEL = Settings(embedder=EmbedderSettings(kind="none"))
LEDGER = {("Billing", "DEPENDS_ON", "Ledger")}
VAULT = {("Billing", "DEPENDS_ON", "Vault")}

pytestmark = pytest.mark.req("S1")


@pytest.fixture
def memory(clock: SettableClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Trigraph]:
    """An empty memory without a model; a busy machine ends no walk early."""
    monkeypatch.setattr(walking, "BUDGET_MILLISECONDS", 60_000.0)
    with Trigraph(open_engine(WITHOUT_MODEL, in_memory=True, clock=clock), LOCAL_SCOPE) as opened:
        yield opened


@pytest.fixture
def bob(memory: Trigraph) -> Trigraph:
    """Another agent of the project, that reads what is shared."""
    memory.admin.set_agent("default", "default", "bob", ReadPolicy.SHARED)
    return Trigraph(memory.engine, Scope("default", "default", "bob"))


def kept(memory: Trigraph, text: str, **fields: Any) -> str:
    (item,) = memory.remember(text, **fields).items
    assert item.status is ItemStatus.ADDED
    assert item.id is not None
    return item.id


def related(memory: Trigraph, name: str, **moment: Any) -> set[tuple[str, str, str]]:
    """What is said of a thing; nothing, where there is none of that name."""
    try:
        return {(one.source.name, one.type.value, one.target.name) for one in memory.relations(name, **moment)}
    except NotFound:
        return set()


def props(memory: Trigraph, name: str, **moment: Any) -> dict[str, str]:
    try:
        return {one: prop.value for one, prop in memory.entity(name, **moment).state.props.items()}
    except NotFound:
        return {}


@pytest.mark.req("I9")
class TestRelations:
    def test_what_a_fact_states_is_there_at_once(self, memory: Trigraph) -> None:
        id = kept(memory, "1997 Ram 2500 steering box needs replacement")
        assert related(memory, "steering box") == {
            ("steering box", "PART_OF", "1997 Ram 2500"),
            ("steering box", "NEEDS", "replacement"),
        }
        assert related(memory, "1997 Ram 2500") == {("steering box", "PART_OF", "1997 Ram 2500")}
        (part,) = memory.relations("1997 Ram 2500")
        assert [one.memory_id for one in part.evidence] == [id]

    def test_it_is_walked_at_once(self, memory: Trigraph) -> None:
        kept(memory, "Billing depends on Ledger")
        far = kept(memory, "Ledger uses Kafka")
        kept(memory, "It rains in Bergen")
        hits = {hit.memory.id: hit for hit in memory.recall("What is up with Billing?").hits}
        assert Leg.GRAPH in hits[far].legs, "no word of it stands in the query"
        assert not {"It rains in Bergen"} & {hit.memory.text for hit in hits.values()}

    def test_each_item_of_a_batch_says_its_own(self, memory: Trigraph) -> None:
        memory.remember_batch(["Billing depends on Ledger", "Ledger uses Kafka", "It rains in Bergen"])
        assert related(memory, "Ledger") == LEDGER | {("Ledger", "USES", "Kafka")}

    def test_said_by_two_it_is_one_relation_with_two_witnesses(self, memory: Trigraph) -> None:
        first = kept(memory, "Billing depends on Ledger")
        second = kept(memory, "Billing depends on Ledger, and Anna works on Billing")
        (found,) = memory.relations("Ledger")
        assert {one.memory_id for one in found.evidence} == {first, second}
        memory.forget(first)
        (found,) = memory.relations("Ledger")
        assert {one.memory_id for one in found.evidence} == {second}

    @pytest.mark.parametrize(
        "text",
        [
            "Billing does not depend on Ledger",
            "Does Billing depend on Ledger?",
            "Billing and Ledger were mentioned in one sentence",
            "If Billing depends on Ledger, we wait",
        ],
    )
    def test_what_is_denied_asked_or_merely_near_states_nothing(self, memory: Trigraph, text: str) -> None:
        for name in ("Billing", "Ledger"):
            kept(memory, f"It is one of ours: {name.lower()}", subject=name)
        kept(memory, text)
        assert related(memory, "Billing") == related(memory, "Ledger") == set()

    @pytest.mark.parametrize("kind", ["document", "summary"])
    def test_documents_and_summaries_repeat_and_state_nothing_by_their_text(self, memory: Trigraph, kind: str) -> None:
        kept(memory, "It is one of ours", subject="Billing")
        kept(memory, "Billing depends on Ledger", kind=kind)
        assert related(memory, "Billing") == set()


@pytest.mark.req("I9")
class TestRelationsEndWithTheMemory:
    def test_forgotten_they_are_gone_and_restored_they_are_back(self, memory: Trigraph, clock: SettableClock) -> None:
        id = kept(memory, "Billing depends on Ledger")
        kept(memory, "Billing has a new face")
        clock.advance(hours=1)
        before = clock()
        clock.advance(hours=1)
        memory.forget(id)
        assert related(memory, "Billing") == related(memory, "Ledger") == set()
        assert related(memory, "Billing", known_at=before) == LEDGER
        memory.restore(id)
        assert related(memory, "Billing") == LEDGER

    def test_corrected_they_were_never_so(self, memory: Trigraph, clock: SettableClock) -> None:
        id = kept(memory, "Billing depends on Ledger")
        clock.advance(hours=1)
        before = clock()
        clock.advance(hours=1)
        memory.correct(id, "Billing depends on Vault")
        assert related(memory, "Billing") == related(memory, "Billing", as_of=before) == VAULT
        assert related(memory, "Billing", known_at=before) == LEDGER
        assert related(memory, "Ledger") == set()

    def test_superseded_they_were_so_until_then(self, memory: Trigraph, clock: SettableClock) -> None:
        id = kept(memory, "Billing depends on Ledger")
        clock.advance(days=1)
        before = clock()
        clock.advance(days=1)
        memory.supersede(id, "Billing depends on Vault")
        assert related(memory, "Billing") == VAULT
        assert related(memory, "Billing", as_of=before) == LEDGER
        assert related(memory, "Billing", known_at=before) == LEDGER

    def test_they_hold_while_the_memory_does(self, memory: Trigraph, clock: SettableClock) -> None:
        kept(memory, "It is one of ours", subject="Billing", valid_from="2026-01-01")
        kept(memory, "Billing depends on Ledger", valid_from="2026-02-01", valid_until="2026-03-01")
        assert related(memory, "Billing") == set()
        assert related(memory, "Billing", as_of="2026-02-15") == LEDGER
        assert related(memory, "Billing", as_of="2026-01-15") == related(memory, "Billing", as_of="2026-03-01") == set()

    def test_a_recall_no_longer_walks_them(self, memory: Trigraph) -> None:
        bridge = kept(memory, "Billing depends on Ledger")
        far = kept(memory, "Ledger uses Kafka")
        kept(memory, "Billing has a new face")
        assert far in {hit.memory.id for hit in memory.recall("What is up with Billing?").hits}
        memory.forget(bridge)
        assert far not in {hit.memory.id for hit in memory.recall("What is up with Billing?").hits}

    @pytest.mark.req("X6")
    def test_purged_they_are_gone_and_what_they_replaced_is_back(self, memory: Trigraph, clock: SettableClock) -> None:
        id = kept(memory, "Billing depends on Ledger")
        clock.advance(hours=1)
        memory.supersede(id, "Billing depends on Vault", source="web")
        assert related(memory, "Billing") == VAULT
        clock.advance(hours=1)
        memory.purge("web", dry_run=False)
        assert related(memory, "Billing") == LEDGER


class TestWhoSeesThem:
    def test_a_private_memorys_relation_is_nobody_elses(self, memory: Trigraph, bob: Trigraph) -> None:
        for name in ("Billing", "Ledger"):
            kept(memory, f"{name} is ours", subject=name)
        id = kept(memory, "Billing depends on Ledger", visibility="private")
        assert related(memory, "Billing") == LEDGER
        assert related(bob, "Billing") == related(bob, "Ledger") == set()
        memory.share(id, "shared")
        assert related(bob, "Billing") == LEDGER

    def test_nor_is_a_thing_that_only_it_speaks_of(self, memory: Trigraph, bob: Trigraph) -> None:
        kept(memory, "Billing depends on Ledger", visibility="private")
        assert bob.entities().entities == ()
        for name in ("Billing", "Ledger"):
            with pytest.raises(NotFound):
                bob.relations(name)

    def test_nor_does_his_recall_walk_it(self, memory: Trigraph, bob: Trigraph) -> None:
        kept(memory, "Billing has a new face", subject="Billing")
        far = kept(memory, "Ledger uses Kafka")
        kept(memory, "Billing depends on Ledger", visibility="private")
        assert far in {hit.memory.id for hit in memory.recall("What is up with Billing?").hits}
        assert far not in {hit.memory.id for hit in bob.recall("What is up with Billing?").hits}

    def test_a_private_property_is_nobody_elses(self, memory: Trigraph, bob: Trigraph) -> None:
        kept(memory, "It is one of ours", subject="Aletheia")
        kept(memory, "The status of Aletheia is crimson", visibility="private")
        assert "status" not in props(bob, "Aletheia")
        assert "crimson" not in str(bob.history("Aletheia"))


@pytest.mark.req("I9")
class TestProperties:
    def test_a_stated_property_is_there_at_once(self, memory: Trigraph, clock: SettableClock) -> None:
        id = kept(memory, "The status of Aletheia is green")
        clock.advance(seconds=1)  # the thing itself is a microsecond older than what is said of it
        assert props(memory, "Aletheia")["status"] == "green"
        assert memory.entity("Aletheia").state.props["status"].memory_id == id
        assert [one.name for one in memory.mentions(id)] == ["Aletheia"]

    def test_of_a_known_thing_too(self, memory: Trigraph) -> None:
        kept(memory, "It is one of ours", subject="Aletheia", type="project")
        kept(memory, "The status of Aletheia is green")
        kept(memory, "Aletheia version is 2.1")
        found = props(memory, "Aletheia")
        assert (found["status"], found["version"]) == ("green", "2.1")

    def test_what_is_said_later_holds_from_then_on(self, memory: Trigraph, clock: SettableClock) -> None:
        kept(memory, "It is one of ours", subject="Aletheia")
        kept(memory, "The status of Aletheia is green")
        clock.advance(days=1)
        before = clock()
        clock.advance(days=1)
        kept(memory, "The status of Aletheia is red")
        assert props(memory, "Aletheia")["status"] == "red"
        assert props(memory, "Aletheia", as_of=before)["status"] == "green"

    @pytest.mark.parametrize("verb", ["correct", "supersede"])
    def test_what_takes_its_place_shows_the_new_value(self, memory: Trigraph, clock: SettableClock, verb: str) -> None:
        kept(memory, "It is one of ours", subject="Aletheia")
        id = kept(memory, "The status of Aletheia is green")
        clock.advance(days=1)
        before = clock()
        clock.advance(days=1)
        getattr(memory, verb)(id, "The status of Aletheia is red")
        assert props(memory, "Aletheia")["status"] == "red"
        assert props(memory, "Aletheia", known_at=before)["status"] == "green"
        assert props(memory, "Aletheia", as_of=before)["status"] == {"correct": "red", "supersede": "green"}[verb]

    def test_forgotten_it_is_gone(self, memory: Trigraph, clock: SettableClock) -> None:
        kept(memory, "It is one of ours", subject="Aletheia")
        id = kept(memory, "The status of Aletheia is green")
        clock.advance(hours=1)
        before = clock()
        clock.advance(hours=1)
        memory.forget(id)
        assert "status" not in props(memory, "Aletheia")
        assert props(memory, "Aletheia", known_at=before)["status"] == "green"


@pytest.mark.req("I9")
def test_three_facts_about_one_project_are_one_entity_with_three_mentions(memory: Trigraph) -> None:
    ids = [kept(memory, text) for text in ("Aletheia uses Redis", "Anna works on Aletheia", "Aletheia needs a logo")]
    (found,) = [one for one in memory.entities(limit=100).entities if one.name == "Aletheia"]
    assert found.mention_count == 3
    assert {one.id for one in memory.list(entity="Aletheia").memories} == set(ids)
    assert related(memory, "Aletheia") == {
        ("Aletheia", "USES", "Redis"),
        ("Anna", "WORKS_ON", "Aletheia"),
        ("Aletheia", "NEEDS", "logo"),
    }
