"""Two entities that are one, one that is two, and both taken back; what names mean, and who is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from soundness import faults
from trigraph.assembly import open_engine
from trigraph.contracts import Written
from trigraph.errors import Conflict, InvalidInput, KeyReused, NotFound
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.change import Changed, EntityHistory, Verb
from trigraph.model.entity import Entity, EntityEvent
from trigraph.model.memory import EntityType, Kind, MemoryDraft, Visibility
from trigraph.model.relation import RelationType
from trigraph.model.resolution import PairState, ResolvedStatus
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.settings import EmbedderSettings, Settings

if TYPE_CHECKING:
    from clocks import SettableClock

pytestmark = pytest.mark.req("I8")

NOTHING = MemoryDraft("")


@pytest.fixture
def memory(home: Path, clock: SettableClock) -> Iterator[Trigraph]:
    """Memory on files of its own, without a model; sound at the end, whatever was done to it."""
    settings = Settings(home=str(home), embedder=EmbedderSettings(kind="none"))
    with Trigraph(open_engine(settings, clock=clock), LOCAL_SCOPE) as opened:
        yield opened
        broken = [one for one in opened.audit().checks if one.broken and one.name != "vectors_behind"]
    assert broken == []
    assert faults(home) == []


@pytest.fixture
def bob(memory: Trigraph) -> Trigraph:
    """Another agent of the project, that reads what is shared."""
    memory.admin.set_agent("default", "default", "bob", ReadPolicy.SHARED)
    return Trigraph(memory.engine, Scope("default", "default", "bob"))


def keep(memory: Trigraph, text: str, subject: str | None = None, type_: str = "system", **fields: Any) -> str:
    about = {"subject": subject, "type": type_} if subject else {}
    kept = memory.remember(text, **about, **fields).items[0].id
    assert kept is not None
    return kept


def merge(memory: Trigraph, name: str, into: str, **fields: Any) -> Changed:
    return memory.engine.merge(memory.scope, name, into, NOTHING, **fields)


def split(memory: Trigraph, name: str, new_name: str, *memories: str, **fields: Any) -> Changed:
    return memory.engine.split(memory.scope, name, new_name, memories, NOTHING, **fields)


def undo(memory: Trigraph, changed: Changed, **fields: Any) -> Changed:
    return memory.engine.undo_move(memory.scope, changed.id, NOTHING, **fields)


@pytest.fixture
def aletheia(memory: Trigraph, clock: SettableClock) -> list[str]:
    """What is known of aletheia, and of the Aletheia runtime; the ids of the memories."""
    ids = [
        keep(memory, "aletheia keeps the vectors", "aletheia"),
        keep(memory, "The Aletheia runtime crashed on Monday", "Aletheia runtime"),
        keep(memory, "Both aletheia and the Aletheia runtime write to the disk"),
        keep(memory, "Aletheia runtime uses `libfoo_core`"),
    ]
    clock.advance(days=1)
    return ids


def everything(memory: Trigraph, ids: list[str], **when: Any) -> dict[str, object]:
    """What is read of all things and of some memories, apart from what merely tells of merges and splits."""
    entities = memory.entities(**when).entities
    read: dict[str, object] = {
        "entities": [
            (one.id, one.name, one.type, one.aliases, one.audience, one.first_seen, dict(one.state.props))
            for one in entities
        ],
        "relations": [
            (one.source, one.type, one.target, [(told.memory_id, told.section) for told in one.evidence])
            for entity in entities
            for one in memory.relations(entity.id, **when)
        ],
    }
    if not when:
        read["mentions"] = [memory.mentions(id_) for id_ in ids]
        read["subjects"] = [memory.get(id_).subject for id_ in ids]
    return read


def by_name(memory: Trigraph, *names: str, **when: Any) -> list[Entity]:
    return [memory.entity(name, **when) for name in names]


class TestMerge:
    def test_either_name_gives_one_entity_with_all_mentions(self, memory: Trigraph, aletheia: list[str]) -> None:
        changed = merge(memory, "Aletheia runtime", "aletheia", reason="it is the same binary")
        one, other = by_name(memory, "aletheia", "Aletheia runtime")

        assert (one, one.aliases, one.type) == (other, ("Aletheia runtime",), EntityType.SYSTEM)
        assert one.mention_count == len(aletheia) + 1
        assert {found.id for found in memory.list(entity="Aletheia runtime").memories} == {*aletheia, changed.ids[1]}
        assert (changed.verb, changed.entity_id) == (Verb.MERGE, one.id)
        told = memory.get(changed.ids[1])
        assert told.text == "Aletheia runtime is the same thing as aletheia: it is the same binary."
        assert told.subject is not None
        assert told.subject.id == one.id
        assert [found.name for found in memory.entities().entities].count("aletheia") == 1
        assert "Aletheia runtime" not in [found.name for found in memory.entities().entities]

    def test_recall_and_the_graph_walk_from_either_name(self, memory: Trigraph, aletheia: list[str]) -> None:
        merge(memory, "Aletheia runtime", "aletheia")
        for name in ("aletheia", "Aletheia runtime"):
            answer = memory.recall(f"what about {name}?", limit=10)
            found = {hit.memory.id for hit in answer.hits if "graph" in hit.legs}
            assert {aletheia[0], aletheia[1]} <= found

    def test_before_it_was_known_there_were_two(
        self, memory: Trigraph, aletheia: list[str], clock: SettableClock
    ) -> None:
        before, then = everything(memory, aletheia), memory.engine.now(LOCAL_SCOPE)
        clock.advance(days=1)
        merge(memory, "Aletheia runtime", "aletheia")

        one, other = by_name(memory, "aletheia", "Aletheia runtime", known_at=then)
        assert (one.id != other.id, one.mention_count, other.mention_count) == (True, 3, 3)
        assert everything(memory, aletheia, known_at=then).items() <= before.items()
        answer = memory.recall("what about the Aletheia runtime?", known_at=then, limit=10)
        assert aletheia[1] in {hit.memory.id for hit in answer.hits if "graph" in hit.legs}

    @pytest.mark.usefixtures("aletheia")
    def test_the_old_id_leads_to_the_one_that_stays(self, memory: Trigraph, clock: SettableClock) -> None:
        gone, then = memory.entity("Aletheia runtime"), memory.engine.now(LOCAL_SCOPE)
        clock.advance(days=1)
        merge(memory, "Aletheia runtime", "aletheia")

        assert memory.entity(gone.id).name == "aletheia"
        assert memory.entity(gone.id, known_at=then).name == "Aletheia runtime"
        history = memory.history(gone.id)
        assert isinstance(history, EntityHistory)
        assert history.entity.name == "aletheia"

    def test_what_is_said_later_by_either_name_is_of_the_one(self, memory: Trigraph, aletheia: list[str]) -> None:
        merge(memory, "Aletheia runtime", "aletheia")
        later = keep(memory, "The Aletheia runtime is slow today")
        about = keep(memory, "It was restarted", "Aletheia runtime")

        for id_ in (later, about):
            assert [one.name for one in memory.mentions(id_)] == ["aletheia"]

    def test_three_facts_about_one_project_make_one_entity_with_three_mentions(self, memory: Trigraph) -> None:
        for text in ("Kestrel ships in May", "Kestrel has three people", "Kestrel is written in Rust"):
            keep(memory, text, "Kestrel", "project")
        (project,) = memory.entities().entities
        assert (project.name, project.mention_count) == ("Kestrel", 3)

    def test_what_is_one_was_there_since_either_was(self, memory: Trigraph) -> None:
        keep(memory, "It hums", "Old Mill", valid_from="2020-01-01")
        keep(memory, "It grinds", "Grinder", valid_from="2024-01-01")
        changed = merge(memory, "Old Mill", "Grinder")

        assert memory.entity("Old Mill", as_of="2021-01-01").name == "Grinder"
        undo(memory, changed)
        with pytest.raises(NotFound):
            memory.entity("Grinder", as_of="2021-01-01")

    def test_a_type_that_was_unknown_is_learned_and_unlearned(self, memory: Trigraph) -> None:
        keep(memory, "It hums", "Mill", "location")
        keep(memory, "The `old_mill` hums")
        changed = merge(memory, "Mill", "old_mill")
        assert memory.entity("Mill").type is EntityType.LOCATION
        undo(memory, changed)
        assert memory.entity("old_mill").type is EntityType.UNKNOWN

    def test_it_is_logged(self, memory: Trigraph, aletheia: list[str]) -> None:
        changed = merge(memory, "Aletheia runtime", "aletheia", reason="it is the same binary")
        (move,) = memory.engine.moves(LOCAL_SCOPE, "aletheia")
        assert (move.id, move.verb, move.cause_id) == (changed.id, Verb.MERGE, changed.ids[1])
        assert (move.from_.name, move.to.name) == ("Aletheia runtime", "aletheia")
        assert (move.reason, move.author, move.undone_at) == ("it is the same binary", "default", None)

    def test_digits_may_differ_when_a_person_says_so(self, memory: Trigraph) -> None:
        keep(memory, "It has a V10", "1997 Ram 2500", "vehicle")
        keep(memory, "It needs oil", "Ram 3500", "vehicle")
        merge(memory, "Ram 3500", "1997 Ram 2500")
        assert memory.entity("Ram 3500").name == "1997 Ram 2500"

    def test_a_key_makes_it_happen_once(self, memory: Trigraph, aletheia: list[str]) -> None:
        first = merge(memory, "Aletheia runtime", "aletheia", key="k1")
        again = merge(memory, "Aletheia runtime", "aletheia", key="k1")
        assert again == replace(first, replayed=True)
        with pytest.raises(KeyReused):
            merge(memory, "aletheia", "libfoo_core", key="k1")

    # What cannot be one

    def test_one_thing_is_one_already(self, memory: Trigraph, aletheia: list[str]) -> None:
        with pytest.raises(Conflict, match="one already"):
            merge(memory, "aletheia", "aletheia")
        merge(memory, "Aletheia runtime", "aletheia")
        with pytest.raises(Conflict, match="one already"):
            merge(memory, "Aletheia runtime", "aletheia")

    def test_a_product_is_no_person(self, memory: Trigraph) -> None:
        keep(memory, "It hums", "Kettle", "tool")
        keep(memory, "She hums", "Ines", "person")
        with pytest.raises(Conflict, match="is a tool, 'Ines' a person"):
            merge(memory, "Kettle", "Ines")
        assert len(memory.list().memories) == 2

    def test_documents_stay_what_they_are(self, memory: Trigraph, aletheia: list[str]) -> None:
        memory.docs.put("# SPEC-001: Storage\n\nIt stores.", path="SPEC-001.md")
        for one, other in (("SPEC-001", "aletheia"), ("aletheia", "SPEC-001")):
            with pytest.raises(Conflict, match="is a document"):
                merge(memory, one, other)
        with pytest.raises(Conflict, match="is a document"):
            split(memory, "SPEC-001", "Storage", aletheia[0])

    def test_nothing_becomes_part_of_itself(self, memory: Trigraph) -> None:
        names = ("Wheel", "Axle", "Cart")
        for name in names:
            keep(memory, f"The {name} is here", name)
        ids = {name: memory.entity(name).id for name in names}
        id_ = keep(memory, "The Wheel is on the Axle, the Axle is on the Cart")
        store = memory.engine._parts.store
        with store.transaction(LOCAL_SCOPE, memory.engine.now(LOCAL_SCOPE)) as at:
            for part, whole in (("Wheel", "Axle"), ("Axle", "Cart")):
                written = Written(id_, ids[part], RelationType.PART_OF, ids[whole], "")
                store.relations.add(LOCAL_SCOPE, written, 0, at)
        with pytest.raises(Conflict, match="part of itself"):
            merge(memory, "Wheel", "Cart")
        merge(memory, "Wheel", "Axle")
        assert [one.target.name for one in memory.relations("Axle")] == ["Cart"]


class TestUndo:
    def test_everything_is_as_it_was(self, memory: Trigraph, aletheia: list[str], clock: SettableClock) -> None:
        before = everything(memory, aletheia)
        changed = merge(memory, "Aletheia runtime", "aletheia")
        between = memory.engine.now(LOCAL_SCOPE)
        clock.advance(days=1)
        undone = undo(memory, changed)

        assert everything(memory, aletheia) == before
        assert (undone.verb, undone.replaced, undone.ids[0]) == (Verb.RESTORE, (changed.ids[1],), changed.id)
        assert memory.entity(changed.replaced[0], known_at=between).name == "aletheia"
        (move,) = memory.engine.moves(LOCAL_SCOPE, "aletheia")
        assert move.undone_at == undone.at

    def test_the_states_tell_it(self, memory: Trigraph, aletheia: list[str]) -> None:
        changed = merge(memory, "Aletheia runtime", "aletheia")
        undone = undo(memory, changed)
        history = memory.history("Aletheia runtime")
        assert isinstance(history, EntityHistory)
        assert [(one.event, one.cause_id) for one in history.states] == [
            (EntityEvent.CREATED, aletheia[1]),
            (EntityEvent.RESTORED, undone.ids[1]),
        ]
        assert history.states[-1].props == {}

    def test_what_was_said_since_goes_to_whose_name_it_was(self, memory: Trigraph, aletheia: list[str]) -> None:
        changed = merge(memory, "Aletheia runtime", "aletheia")
        said = {name: keep(memory, f"The {name} is slow today", name) for name in ("Aletheia runtime", "aletheia")}
        undo(memory, changed)
        assert {name: [one.name for one in memory.mentions(id_)] for name, id_ in said.items()} == {
            "Aletheia runtime": ["Aletheia runtime"],
            "aletheia": ["aletheia"],
        }

    def test_it_is_done_once_and_later_ones_come_first(self, memory: Trigraph, aletheia: list[str]) -> None:
        first = merge(memory, "Aletheia runtime", "aletheia")
        second = merge(memory, "aletheia", "libfoo_core")
        with pytest.raises(Conflict, match="later first"):
            undo(memory, first)
        undo(memory, second)
        undo(memory, first)
        with pytest.raises(Conflict, match="was undone"):
            undo(memory, first)
        assert len({one.id for one in by_name(memory, "aletheia", "Aletheia runtime", "libfoo_core")}) == 3

    def test_what_was_undone_is_not_merged_by_itself_again(self, memory: Trigraph) -> None:
        keep(memory, "It hums", "data_base", "tool")
        keep(memory, "It sings", "DataBase", "tool")
        assert len(memory.engine.find_pairs(LOCAL_SCOPE).same) == 1
        undo(memory, merge(memory, "data_base", "DataBase"))
        assert memory.engine.find_pairs(LOCAL_SCOPE, apply=True).same == ()

    def test_what_is_not_there_cannot_be_undone(self, memory: Trigraph) -> None:
        for wrong in ("g_01kx0f6gq3v8z5d2c7b9n4t1hw", "b9n4t1hw"):
            with pytest.raises(NotFound):
                memory.engine.undo_move(LOCAL_SCOPE, wrong, NOTHING)
        with pytest.raises(InvalidInput):
            memory.engine.undo_move(LOCAL_SCOPE, "no id", NOTHING)


class TestSplit:
    def test_some_memories_speak_of_another_thing(self, memory: Trigraph) -> None:
        ids = [keep(memory, text, "Ines", "person") for text in ("Ines sails", "Ines bakes", "Ines bakes bread")]
        changed = split(memory, "Ines", "Ines Meyer", *ids[1:])

        old, new = by_name(memory, "Ines", "Ines Meyer")
        assert (new.id, new.type) == (changed.entity_id, EntityType.PERSON)
        assert new.state.props["split_from"].value == old.id
        assert {one.id for one in memory.list(entity="Ines Meyer").memories} == {*ids[1:], changed.ids[1]}
        assert [memory.get(id_).subject.name for id_ in ids] == ["Ines", "Ines Meyer", "Ines Meyer"]  # type: ignore[union-attr]
        assert new.first_seen == memory.get(ids[1]).created_at
        assert memory.entity("Ines Meyer", as_of=memory.get(ids[1]).created_at).id == new.id

    def test_a_name_that_was_another_s_goes_along(self, memory: Trigraph, clock: SettableClock) -> None:
        ids = [keep(memory, f"The gateway {does}", "Gateway") for does in ("hums", "sings", "falls")]
        memory.alias("Gateway", "Proxy")
        then = memory.engine.now(LOCAL_SCOPE)
        clock.advance(days=1)
        changed = split(memory, "Gateway", "Proxy", ids[0])

        assert [memory.entity("Proxy").id, memory.entity("Gateway").aliases] == [changed.entity_id, ()]
        assert memory.entity("Proxy", known_at=then).name == "Gateway"
        later = keep(memory, "The Proxy is slow")
        assert [one.name for one in memory.mentions(later)] == ["Proxy"]
        undo(memory, changed)
        assert (memory.entity("Proxy").name, memory.entity("Gateway").aliases) == ("Gateway", ("Proxy",))
        assert [one.name for one in memory.mentions(later)] == ["Gateway"]

    def test_undone_it_is_as_before(self, memory: Trigraph, clock: SettableClock) -> None:
        ids = [keep(memory, f"Ines {does}", "Ines", "person") for does in ("sails", "bakes", "sleeps")]
        before = everything(memory, ids)
        changed = split(memory, "Ines", "Ines Meyer", ids[1])
        clock.advance(days=1)
        assert everything(memory, ids) != before
        undo(memory, changed)
        assert everything(memory, ids) == before
        assert memory.entity(changed.entity_id or "").name == "Ines"
        with pytest.raises(NotFound):
            memory.entity("Ines Meyer")

    @pytest.mark.parametrize(
        ("memories", "name", "raises"),
        [([0, 1, 2], "Ines Meyer", Conflict), ([], "Ines Meyer", InvalidInput), ([3], "Ines Meyer", Conflict),
         ([0], "ines", InvalidInput), ([0], "42", InvalidInput)],
    )  # fmt: skip
    def test_what_cannot_be_split(
        self, memory: Trigraph, memories: list[int], name: str, raises: type[Exception]
    ) -> None:
        ids = [keep(memory, f"Ines {does}", "Ines", "person") for does in ("sails", "bakes", "sleeps")]
        ids.append(keep(memory, "It rains"))
        with pytest.raises(raises):
            split(memory, "Ines", name, *(ids[place] for place in memories))
        assert len(memory.list().memories) == 4


@pytest.mark.req("S6")
class TestWhoSeesIt:
    def test_private_memories_go_along_and_stay_private(self, memory: Trigraph, bob: Trigraph) -> None:
        keep(memory, "aletheia keeps the vectors", "aletheia")
        keep(memory, "Aletheia runtime crashed", "Aletheia runtime")
        secret = keep(bob, "Aletheia runtime has a back door", visibility="private")
        merge(memory, "Aletheia runtime", "aletheia")

        assert [one.name for one in bob.mentions(secret)] == ["aletheia"]
        assert [one.entity("aletheia").mention_count for one in (memory, bob)] == [3, 4]
        assert secret not in {one.id for one in memory.list(entity="aletheia").memories}

    def test_a_shared_thing_does_not_go_where_fewer_see_it(self, memory: Trigraph, bob: Trigraph) -> None:
        keep(memory, "It hums", "Mill")
        keep(memory, "It is haunted", "Haunted House", visibility="private")
        with pytest.raises(Conflict, match="Not everybody"):
            merge(memory, "Mill", "Haunted House")
        assert bob.entity("Mill").mention_count == 1

    def test_a_secret_name_does_not_come_to_a_shared_thing(self, memory: Trigraph, bob: Trigraph) -> None:
        keep(memory, "It hums", "Mill")
        keep(memory, "It is haunted", "Haunted House", visibility="private")
        with pytest.raises(Conflict, match="Fewer agents know 'Haunted House'"):
            merge(memory, "Haunted House", "Mill")
        assert len(memory.list().memories) == 2

    def test_a_private_thing_of_the_same_name_goes_into_the_shared_one(self, memory: Trigraph, bob: Trigraph) -> None:
        memory.decide("Use tokens", topic="auth")
        memory.decide("Use cookies, secretly", topic="auth", visibility="private")
        seen = bob.entity("auth")
        private, shared = sorted(
            (one for one in memory.entities().entities), key=lambda one: one.visibility is Visibility.SHARED
        )
        changed = merge(memory, private.id, shared.id)

        assert memory.entity("auth").mention_count == 3
        assert bob.entity("auth") == seen
        assert bob.engine.moves(bob.scope, "auth") == []
        with pytest.raises(NotFound):
            bob.get(changed.ids[1])
        with pytest.raises(NotFound):
            undo(bob, changed)
        with pytest.raises(NotFound):
            bob.entity(private.id)
        undo(memory, changed)
        assert {one.id for one in memory.entities().entities} >= {private.id, shared.id}

    def test_what_one_may_not_see_one_cannot_merge(self, memory: Trigraph, bob: Trigraph) -> None:
        keep(memory, "It hums", "Mill")
        keep(memory, "It is haunted", "Haunted House", visibility="private")
        for one, other in (("Mill", "Haunted House"), ("Haunted House", "Mill")):
            with pytest.raises(NotFound, match="There is no entity 'Haunted House'"):
                merge(bob, one, other)

    def test_an_agent_that_sees_its_own_alone_keeps_its_own(self, memory: Trigraph) -> None:
        zed = Trigraph(memory.engine, Scope("default", "default", "zed"))
        keep(zed, "It hums", "Old Mill")
        keep(memory, "It grinds", "Grinder")
        with pytest.raises(Conflict, match="Not everybody"):
            merge(memory, "Old Mill", "Grinder")
        assert zed.entity("Old Mill").mention_count == 1


class TestResolve:
    def test_the_ladder_from_exact_to_unknown(self, memory: Trigraph) -> None:
        keep(memory, "It keeps the vectors", "aletheia", "system")
        keep(memory, "They sail", "North Sea Sailing Club", "organization")
        keep(memory, "It runs the containers", "Kubernetes", "system")
        found = memory.engine.resolve(
            LOCAL_SCOPE, ["ALETHEIA", "aletheia_system", "NSSC", "k8s", "Kuberentes", "Postgres", "42", "the"]
        )
        assert [(one.status, one.canonical_name) for one in found] == [
            (ResolvedStatus.MATCHED, "aletheia"),
            (ResolvedStatus.MATCHED, "aletheia"),
            (ResolvedStatus.MATCHED, "North Sea Sailing Club"),
            (ResolvedStatus.MATCHED, "Kubernetes"),
            (ResolvedStatus.MATCHED, "Kubernetes"),
            (ResolvedStatus.UNKNOWN, None),
            (ResolvedStatus.UNKNOWN, None),
            (ResolvedStatus.UNKNOWN, None),
        ]
        assert found[0].confidence == 1.0
        assert all(0.85 <= one.confidence <= 1 for one in found[:5])

    def test_a_name_of_two_is_ambiguous_and_a_part_is_no_alias(self, memory: Trigraph) -> None:
        keep(memory, "It hums", "Jordan", "person")
        keep(memory, "It is far", "Jordan", "location")
        keep(memory, "It keeps the vectors", "aletheia", "system")
        several, part = memory.engine.resolve(LOCAL_SCOPE, ["jordan", "Aletheia runtime"])
        assert (several.status, several.entity_id, len(several.candidates)) == (ResolvedStatus.AMBIGUOUS, None, 2)
        assert part.status is not ResolvedStatus.MATCHED
        assert [one.entity.name for one in part.candidates] == ["aletheia"]

    def test_never_across_digits(self, memory: Trigraph) -> None:
        keep(memory, "It is old", "Python 2", "tool")
        (found,) = memory.engine.resolve(LOCAL_SCOPE, ["Python 3"])
        assert found.status is not ResolvedStatus.MATCHED

    def test_only_among_what_one_may_see(self, memory: Trigraph, bob: Trigraph) -> None:
        keep(memory, "It is haunted", "Haunted House", "location", visibility="private")
        found = [bob.engine.resolve(bob.scope, [name])[0] for name in ("Haunted House", "Haunted Houses")]
        assert [(one.status, one.candidates) for one in found] == [(ResolvedStatus.UNKNOWN, ())] * 2

    def test_from_one_to_many_names_at_once(self, memory: Trigraph) -> None:
        for wrong in ([], ["x"] * 501):
            with pytest.raises(InvalidInput):
                memory.engine.resolve(LOCAL_SCOPE, wrong)


class TestPairs:
    @pytest.fixture
    def varied(self, memory: Trigraph) -> None:
        """Names of one thing, of perhaps one, of a part, and of different things."""
        keep(memory, "Kubernetes runs the containers", "Kubernetes", "system")
        keep(memory, "Kubernetes restarts them", "Kubernetes", "system")
        keep(memory, "Kuberentes was upgraded", "Kuberentes", "system")
        keep(memory, "She sails", "Ines", "person")
        keep(memory, "She bakes", "Ines Meyer", "person")
        keep(memory, "aletheia keeps the vectors", "aletheia", "system")
        keep(memory, "It crashed", "Aletheia runtime", "system")
        keep(memory, "It is old", "Python 2", "tool")
        keep(memory, "It is new", "Python 3", "tool")

    @pytest.mark.usefixtures("varied")
    def test_it_is_first_told_what_would_be_done(self, memory: Trigraph) -> None:
        plan = memory.engine.find_pairs(LOCAL_SCOPE)

        assert [(one.one.name, one.other.name, one.move_id) for one in plan.same] == [
            ("Kuberentes", "Kubernetes", None)
        ]
        assert [{one.one.name, one.other.name} for one in plan.review] == [{"Ines", "Ines Meyer"}]
        assert [(one.one.name, one.other.name) for one in plan.parts] == [("Aletheia runtime", "aletheia")]
        assert (plan.entities, plan.applied, memory.engine.pairs(LOCAL_SCOPE, 10)) == (8, False, [])

    @pytest.mark.usefixtures("varied")
    def test_what_is_one_is_merged_and_the_rest_is_asked_once(self, memory: Trigraph) -> None:
        plan = memory.engine.find_pairs(LOCAL_SCOPE, apply=True)
        assert memory.entity("Kuberentes").name == "Kubernetes"
        (move,) = memory.engine.moves(LOCAL_SCOPE, "Kubernetes")
        assert plan.same[0].move_id == move.id
        told = memory.get(move.cause_id or "")
        assert (told.kind, 0.8 < told.confidence < 1.0) == (Kind.FACT, True)
        (pair,) = memory.engine.pairs(LOCAL_SCOPE, 10)
        assert {pair.one.name, pair.other.name} == {"Ines", "Ines Meyer"}

        again = memory.engine.find_pairs(LOCAL_SCOPE, apply=True)
        assert (again.same, again.review) == ((), ())
        assert memory.engine.pairs(LOCAL_SCOPE, 10) == [pair]

    @pytest.mark.usefixtures("varied")
    def test_somebody_says_they_are_one(self, memory: Trigraph) -> None:
        memory.engine.find_pairs(LOCAL_SCOPE, apply=True)
        (pair,) = memory.engine.pairs(LOCAL_SCOPE, 10)
        changed = memory.engine.decide_pair(LOCAL_SCOPE, pair.id, one=True, draft=NOTHING, key="k")

        assert memory.entity("Ines").id == memory.entity("Ines Meyer").id == changed.entity_id
        assert changed.ids[0] == pair.id
        assert memory.engine.decide_pair(LOCAL_SCOPE, pair.id, one=True, draft=NOTHING, key="k").replayed
        assert memory.engine.pairs(LOCAL_SCOPE, 10) == []

    @pytest.mark.usefixtures("varied")
    def test_what_was_told_apart_is_not_asked_again(self, memory: Trigraph) -> None:
        memory.engine.find_pairs(LOCAL_SCOPE, apply=True)
        (pair,) = memory.engine.pairs(LOCAL_SCOPE, 10)
        memory.engine.decide_pair(LOCAL_SCOPE, pair.id[-8:], one=False, draft=NOTHING)

        assert memory.engine.pairs(LOCAL_SCOPE, 10) == []
        assert memory.engine.find_pairs(LOCAL_SCOPE, apply=True).review == ()
        with pytest.raises(Conflict, match=PairState.TWO):
            memory.engine.decide_pair(LOCAL_SCOPE, pair.id, one=True, draft=NOTHING)

    def test_what_is_private_is_neither_compared_nor_asked_in_sight_of_others(
        self, memory: Trigraph, bob: Trigraph
    ) -> None:
        keep(memory, "She sails", "Ines", "person")
        keep(memory, "She bakes", "Ines Meyer", "person", visibility="private")
        memory.engine.find_pairs(LOCAL_SCOPE, apply=True)
        (pair,) = memory.engine.pairs(LOCAL_SCOPE, 10)

        assert bob.engine.pairs(bob.scope, 10) == []
        assert bob.engine.find_pairs(bob.scope).review == ()
        with pytest.raises(NotFound):
            bob.engine.decide_pair(bob.scope, pair.id, one=False, draft=NOTHING)
