"""Verbs on entities: personas, names, and whether a thing is still in use."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from trigraph.assembly import open_engine
from trigraph.errors import Conflict, InvalidInput, NotFound
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.change import EntityHistory, Verb
from trigraph.model.entity import EntityEvent, EntityState
from trigraph.model.link import LinkType
from trigraph.model.memory import EntityType, Kind, Visibility
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.settings import EmbedderSettings, Settings

if TYPE_CHECKING:
    from clocks import SettableClock

WITHOUT_MODEL = Settings(embedder=EmbedderSettings(kind="none"))
CANNOT_NAME = ["42", "the", "", "   ", "##", "x" * 121, " ".join(["word"] * 11)]


@pytest.fixture
def memory(clock: SettableClock) -> Iterator[Trigraph]:
    """An empty memory without a model."""
    with Trigraph(open_engine(WITHOUT_MODEL, in_memory=True, clock=clock), LOCAL_SCOPE) as opened:
        yield opened


@pytest.fixture
def bob(memory: Trigraph) -> Trigraph:
    """Another agent of the project, that reads what is shared."""
    memory.admin.set_agent("default", "default", "bob", ReadPolicy.SHARED)
    return Trigraph(memory.engine, Scope("default", "default", "bob"))


@pytest.mark.req("T8")
class TestPersona:
    def test_it_has_a_description_and_properties_said_by_a_memory(self, memory: Trigraph) -> None:
        changed = memory.persona_create("Reviewer", "Reads every line", props={"tone": "dry"})
        persona, kept = memory.entity("reviewer"), memory.get(changed.id)

        assert (persona.id, persona.type, persona.name) == (changed.entity_id, EntityType.PERSONA, "Reviewer")
        assert {name: (prop.value, prop.memory_id) for name, prop in persona.state.props.items()} == {
            "description": ("Reads every line", changed.id),
            "tone": ("dry", changed.id),
        }
        assert (persona.state.event, persona.state.cause_id) == (EntityEvent.CREATED, changed.id)
        assert (kept.kind, kept.text, kept.subject.id) == (Kind.CONTEXT, "Reads every line", persona.id)

    def test_an_update_changes_what_it_names_and_keeps_the_rest(self, memory: Trigraph, clock: SettableClock) -> None:
        first = memory.persona_create("Reviewer", "Reads every line", props={"tone": "dry", "pace": "slow"}).id
        clock.advance(days=2)
        second = memory.persona_update("Reviewer", props={"tone": "warm"})
        clock.advance(days=2)
        third = memory.persona_update("Reviewer", "Reads the tests first")

        states = _states(memory, "Reviewer")
        assert [(state.event, state.cause_id) for state in states] == [
            (EntityEvent.CREATED, first),
            (EntityEvent.UPDATED, second.id),
            (EntityEvent.UPDATED, third.id),
        ]
        assert [_props(state) for state in states] == [
            {"description": "Reads every line", "tone": "dry", "pace": "slow"},
            {"description": "Reads every line", "tone": "warm", "pace": "slow"},
            {"description": "Reads the tests first", "tone": "warm", "pace": "slow"},
        ]
        assert [state.valid_until for state in states] == [states[1].valid_from, states[2].valid_from, None]
        assert second.replaced == ()
        assert (third.replaced, memory.get(first).superseded_by) == ((first,), third.id)
        assert [link.type for link in memory.links(third.id)] == [LinkType.SUPERSEDES]
        assert _props(memory.entity("Reviewer", as_of="2026-09-02").state)["tone"] == "dry"

    def test_one_of_a_name_is_made_once(self, memory: Trigraph) -> None:
        memory.persona_create("Reviewer", "Reads every line")

        with pytest.raises(Conflict, match="persona update"):
            memory.persona_create("reviewer", "Reads the tests first")
        assert len(memory.list().memories) == len(_states(memory, "Reviewer")) == 1

    def test_a_thing_of_that_name_is_no_persona(self, memory: Trigraph) -> None:
        memory.remember("It hums", subject="Kettle", type="tool")

        with pytest.raises(InvalidInput, match="is a tool, no persona"):
            memory.persona_update("Kettle", "Hums")

    @pytest.mark.parametrize("name", CANNOT_NAME)
    def test_what_names_nothing_is_refused(self, memory: Trigraph, name: str) -> None:
        with pytest.raises(InvalidInput) as refused:
            memory.persona_create(name, "Reads every line")
        assert refused.value.field == "name"
        assert memory.list().memories == ()

    @pytest.mark.parametrize(
        "props", [{"tone": ""}, {"": "dry"}, {"tone": 5}, {str(number): "x" for number in range(51)}], ids=str
    )
    def test_properties_that_do_not_fit_are_refused(self, memory: Trigraph, props: dict[str, str]) -> None:
        with pytest.raises(InvalidInput) as refused:
            memory.persona_create("Reviewer", "Reads every line", props=props)
        assert refused.value.field == "props"
        assert memory.list().memories == ()

    def test_an_update_changes_something_that_is_there(self, memory: Trigraph) -> None:
        with pytest.raises(NotFound):
            memory.persona_update("Reviewer", "Reads every line")
        memory.persona_create("Reviewer", "Reads every line")
        with pytest.raises(InvalidInput, match="Nothing to change"):
            memory.persona_update("Reviewer")

    def test_what_is_said_of_a_private_one_is_private(self, memory: Trigraph, bob: Trigraph) -> None:
        memory.persona_create("Reviewer", "Reads every line", visibility="private")
        told = memory.persona_update("Reviewer", "Reads the tests first").id

        assert memory.get(told).visibility is Visibility.PRIVATE
        with pytest.raises(NotFound):
            bob.entity("Reviewer")
        bob.persona_create("Reviewer", "Reads nothing")
        assert _props(bob.entity("Reviewer").state) == {"description": "Reads nothing"}


@pytest.mark.req("T8")
class TestRename:
    def test_the_old_name_stays_an_alias_and_the_memories_stay_with_it(
        self, memory: Trigraph, clock: SettableClock
    ) -> None:
        memory.remember("It keeps the sessions", subject="Redis", type="system", topic="cache")
        clock.advance(days=2)
        changed = memory.rename("redis", "Valkey")
        entity = memory.entity("Valkey")

        assert (entity.name, entity.aliases, entity.type) == ("Valkey", ("Redis",), EntityType.SYSTEM)
        assert memory.entity("Redis").id == entity.id == changed.entity_id
        assert len(memory.list(entity="Valkey").memories) == 2
        before, after = _states(memory, "Valkey")
        assert (before.name, after.name) == ("Redis", "Valkey")
        assert (after.event, after.cause_id) == (EntityEvent.RENAMED, changed.id)
        assert before.valid_until == after.valid_from == changed.at
        assert memory.get(changed.id).text == "Redis is now called Valkey."
        assert memory.entity(entity.id, as_of="2026-09-02").name == "Redis"
        assert memory.entity(entity.id, known_at="2026-09-02").name == "Redis"

    def test_properties_are_kept(self, memory: Trigraph) -> None:
        memory.decide("Use JWT", topic="auth")
        memory.rename("auth", "identity", text="We call it identity now")

        assert _props(memory.entity("identity").state) == {"decision": "Use JWT"}
        assert "We call it identity now" in {one.text for one in memory.list().memories}

    def test_a_later_memory_is_linked_by_either_name(self, memory: Trigraph) -> None:
        memory.remember("It keeps the sessions", subject="Redis", type="system")
        memory.rename("Redis", "Valkey")
        old, new = memory.remember("Redis was slow").id, memory.remember("Valkey is fast").id

        ids = {memory.mentions(str(id))[0].entity_id for id in (old, new)}
        assert ids == {memory.entity("Valkey").id}

    def test_the_name_it_has_is_a_conflict(self, memory: Trigraph) -> None:
        memory.remember("It keeps the sessions", subject="Redis", type="system")

        with pytest.raises(Conflict, match="called that already"):
            memory.rename("redis", "Redis")
        assert memory.rename("redis", "REDIS").verb is Verb.RENAME

    @pytest.mark.parametrize("name", CANNOT_NAME)
    @pytest.mark.parametrize("verb", ["rename", "alias"])
    def test_what_names_nothing_is_refused(self, memory: Trigraph, verb: str, name: str) -> None:
        memory.remember("It keeps the sessions", subject="Redis", type="system")

        with pytest.raises(InvalidInput) as refused:
            getattr(memory, verb)("Redis", name)
        assert refused.value.field == "name"
        assert len(memory.list().memories) == 1

    @pytest.mark.parametrize("verb", ["rename", "alias"])
    def test_what_is_unknown_or_hidden_does_not_exist(self, memory: Trigraph, bob: Trigraph, verb: str) -> None:
        memory.remember("It keeps the sessions", subject="Redis", type="system", visibility="private")

        for name in ("Redis", "Postgres"):
            with pytest.raises(NotFound, match=f"There is no entity '{name}'"):
                getattr(bob, verb)(name, "Valkey")


@pytest.mark.req("T8")
class TestAlias:
    def test_it_goes_by_both_names_from_now_on(self, memory: Trigraph) -> None:
        memory.remember("It keeps the tables", subject="Postgres", type="system")
        changed = memory.alias("Postgres", "Old Elephant")
        entity = memory.entity("old elephant")

        assert (entity.name, entity.aliases) == ("Postgres", ("Old Elephant",))
        assert memory.get(changed.id).text == "Old Elephant is another name of Postgres."
        told = memory.remember("Last night Old Elephant was slow").id
        assert [mention.entity_id for mention in memory.mentions(str(told))] == [entity.id]
        assert len(_states(memory, "Postgres")) == 1

    def test_a_name_that_begins_with_an_article_is_found_too(self, memory: Trigraph) -> None:
        memory.remember("It keeps the tables", subject="Postgres", type="system")
        memory.alias("Postgres", "the elephant")
        told = memory.remember("Last night the elephant was slow").id

        assert [mention.name for mention in memory.mentions(str(told))] == ["Postgres"]

    @pytest.mark.parametrize("name", ["postgres", "The  Elephant"])
    def test_a_name_it_has_is_a_conflict(self, memory: Trigraph, name: str) -> None:
        memory.remember("It keeps the tables", subject="Postgres", type="system")
        memory.alias("Postgres", "the elephant")

        with pytest.raises(Conflict, match="already"):
            memory.alias("Postgres", name)


@pytest.mark.req("T8")
class TestRetire:
    @pytest.fixture
    def kettle(self, memory: Trigraph, clock: SettableClock) -> str:
        memory.remember("It hums", subject="Kettle", type="tool")
        clock.advance(days=2)
        return memory.entity("Kettle").id

    def test_a_retired_thing_is_not_listed_but_still_there(self, memory: Trigraph, kettle: str) -> None:
        changed = memory.archive("Kettle")

        assert (changed.verb, changed.entity_id) == (Verb.ARCHIVE, kettle)
        assert memory.entities().entities == ()
        assert memory.entity("Kettle").retired
        assert [one.id for one in memory.entities(as_of="2026-09-02").entities] == [kettle]
        assert [one.id for one in memory.entities(known_at="2026-09-02", as_of="2026-09-02").entities] == [kettle]
        assert not memory.entity("Kettle", as_of="2026-09-02").retired
        assert memory.get(changed.id).text == "Kettle is no longer in use."
        state = _states(memory, "Kettle")[-1]
        assert (state.event, state.cause_id) == (EntityEvent.RETIRED, changed.id)
        assert [one.text for one in memory.list(entity="Kettle").memories][-1] == "It hums"

    def test_it_can_be_brought_back(self, memory: Trigraph, kettle: str, clock: SettableClock) -> None:
        memory.archive("Kettle")
        clock.advance(days=1)
        changed = memory.restore("Kettle")

        assert [one.id for one in memory.entities().entities] == [kettle]
        states = _states(memory, "Kettle")
        assert [state.event for state in states] == [EntityEvent.CREATED, EntityEvent.RETIRED, EntityEvent.RESTORED]
        assert [state.valid_until for state in states[:-1]] == [state.valid_from for state in states[1:]]
        assert states[-1].cause_id == changed.id
        assert memory.entity("Kettle", as_of="2026-09-03T18:00:00Z").retired

    def test_twice_is_a_conflict(self, memory: Trigraph, kettle: str) -> None:
        with pytest.raises(Conflict, match="is in use"):
            memory.restore(kettle)
        memory.archive(kettle)
        with pytest.raises(Conflict, match="retired already"):
            memory.archive(kettle)
        assert len(_states(memory, "Kettle")) == 2

    def test_the_reason_is_kept(self, memory: Trigraph, kettle: str) -> None:
        changed = memory.archive("Kettle", reason="It leaked")

        told = (memory.get(changed.id), memory.history(changed.id))
        assert "It leaked" in repr(told)

    def test_an_id_of_a_memory_means_the_memory(self, memory: Trigraph, kettle: str) -> None:
        (said,) = memory.list().memories
        memory.archive(said.id[-8:])

        assert memory.list().memories == ()
        assert not memory.entity("Kettle").retired

    def test_what_is_neither_is_not_found(self, memory: Trigraph) -> None:
        for name in ("Toaster", "zzzzzzzz", "e_01kx0f6gq3v8z5d2c7b9n4t1hw"):
            with pytest.raises(NotFound):
                memory.archive(name)
            with pytest.raises(NotFound):
                memory.restore(name)


@pytest.mark.parametrize("fields", [{"visibility": "private"}, {"group": "crew"}], ids=str)
def test_what_is_said_of_an_entity_has_no_audience_of_its_own(memory: Trigraph, fields: dict[str, str]) -> None:
    memory.persona_create("Reviewer", "Reads every line")
    for say in (
        lambda: memory.persona_update("Reviewer", "Reads nothing", **fields),
        lambda: memory.rename("Reviewer", "Critic", **fields),
        lambda: memory.alias("Reviewer", "Critic", **fields),
        lambda: memory.archive("Reviewer", **fields),
    ):
        with pytest.raises(InvalidInput) as refused:
            say()
        assert refused.value.field in fields
    assert len(memory.list().memories) == 1


class TestEntities:
    def test_a_page_at_a_time_and_by_type(self, memory: Trigraph) -> None:
        for name, type_ in (("Kettle", "tool"), ("Ana", "person"), ("Lathe", "tool"), ("Saw", "tool")):
            memory.remember(f"{name} is here", subject=name, type=type_)

        def page(cursor: str | None = None, **asked: object) -> tuple[list[str], str | None]:
            found = memory.entities(limit=2, cursor=cursor, **asked)  # type: ignore[arg-type]
            return [one.name for one in found.entities], found.next_cursor

        first, cursor = page()
        second, end = page(cursor)
        assert (first, second, end) == (["Kettle", "Ana"], ["Lathe", "Saw"], None)
        tools, cursor = page(types="tool")
        assert (tools, page(cursor, types="tool")) == (["Kettle", "Lathe"], (["Saw"], None))
        assert page(types=["person", "skill"]) == (["Ana"], None)

    @pytest.mark.parametrize(
        ("asked", "field"),
        [
            ({"types": ["gadget"]}, "type"),
            ({"limit": 0}, "limit"),
            ({"limit": 501}, "limit"),
            ({"cursor": "x"}, "cursor"),
        ],
        ids=str,
    )
    def test_a_mistake_is_named(self, memory: Trigraph, asked: dict[str, object], field: str) -> None:
        with pytest.raises(InvalidInput) as refused:
            memory.entities(**asked)  # type: ignore[arg-type]
        assert refused.value.field == field

    def test_it_is_found_by_name_alias_id_and_the_end_of_one(self, memory: Trigraph) -> None:
        memory.remember("It hums", subject="Electric Kettle", type="tool")
        memory.alias("Electric Kettle", "the jug")
        id = memory.entity("Electric Kettle").id

        for name in ("electric kettle", "Electric-Kettle", "THE JUG", id, id[-8:], id[2:]):
            assert memory.entity(name).id == id

    def test_counts_are_of_what_one_may_see(self, memory: Trigraph, bob: Trigraph, clock: SettableClock) -> None:
        memory.remember("It hums", subject="Kettle", type="tool")
        clock.advance(days=1)
        memory.remember("The Kettle was a gift", visibility="private")
        ours, theirs = memory.entity("Kettle"), bob.entity("Kettle")

        assert (ours.mention_count, theirs.mention_count) == (2, 1)
        assert ours.last_referenced == datetime(2026, 9, 2, 12, tzinfo=UTC)
        assert theirs.last_referenced == theirs.first_seen == datetime(2026, 9, 1, 12, tzinfo=UTC)


def _states(memory: Trigraph, name: str) -> tuple[EntityState, ...]:
    told = memory.history(name)
    assert isinstance(told, EntityHistory)
    return told.states


def _props(state: EntityState) -> dict[str, str]:
    return {name: prop.value for name, prop in state.props.items()}
