"""A stored memory is linked at once: to known names, to new ones that stand out, and never across audiences."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from trigraph.assembly import open_engine
from trigraph.engine.write.resolution import MENTIONS_MOST
from trigraph.errors import InvalidInput, NotFound
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.memory import EntityType, Kind
from trigraph.model.report import ItemStatus
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.settings import EmbedderSettings, Settings

BOB = Scope("default", "default", "bob")
WITHOUT_MODEL = Settings(embedder=EmbedderSettings(kind="none"))


@pytest.fixture
def memory() -> Iterator[Trigraph]:
    """An empty memory without a model."""
    with Trigraph(open_engine(WITHOUT_MODEL, in_memory=True), LOCAL_SCOPE) as opened:
        yield opened


@pytest.fixture
def bob(memory: Trigraph) -> Trigraph:
    """Another agent of the project, that reads what is shared."""
    memory.admin.set_agent("default", "default", "bob", ReadPolicy.SHARED)
    return Trigraph(memory.engine, BOB)


def names(memory: Trigraph, id: str | None) -> list[str]:
    return [mention.name for mention in memory.mentions(id)]


def all_names(memory: Trigraph) -> list[str]:
    return sorted(entity.name for entity in memory.entities(limit=500).entities)


@pytest.mark.req("S1")
class TestKnownNames:
    def test_a_memory_is_linked_to_what_it_names_as_soon_as_it_is_stored(self, memory: Trigraph) -> None:
        memory.remember("It keeps the sessions", subject="Redis", type="system")
        later = memory.remember("Last night Redis was slow").id

        (mention,) = memory.mentions(later)
        assert (mention.name, mention.type, mention.subject) == ("Redis", EntityType.SYSTEM, False)
        assert "Last night Redis was slow"[mention.start : mention.end] == "Redis"
        assert memory.list(entity="Redis").memories[0].id == later
        assert memory.recall("slow", entity="Redis").hits[0].memory.id == later

    def test_three_facts_about_one_project_make_one_entity_with_three_mentions(self, memory: Trigraph) -> None:
        for text in ("SPEC-054 is late", "spec 54 was split", "The rest of SPEC-54 waits"):
            memory.remember(text)
        assert all_names(memory) == ["SPEC-054"]
        assert memory.entity("spec-54").mention_count == 3

    def test_a_name_that_stands_in_a_text_twice_is_one_mention_of_its_first_place(self, memory: Trigraph) -> None:
        text = "parse_config calls parse_config"
        (mention,) = memory.mentions(memory.remember(text).id)
        assert (mention.start, mention.end) == (0, len("parse_config"))

    def test_a_duplicate_is_not_linked_again(self, memory: Trigraph) -> None:
        first = memory.remember("SPEC-054 is late")
        again = memory.remember("SPEC-054 is late")
        assert (again.items[0].status, again.id) == (ItemStatus.DUPLICATE, first.id)
        assert memory.entity("SPEC-054").mention_count == 1

    def test_items_of_a_batch_are_linked_to_what_earlier_ones_made(self, memory: Trigraph) -> None:
        report = memory.remember_batch([{"text": "It rains", "subject": "Blue Heron"}, "Blue Heron is a boat"])
        assert [names(memory, item.id) for item in report.items] == [["Blue Heron"]] * 2
        assert memory.entity("Blue Heron").mention_count == 2

    def test_after_a_rename_the_new_name_links_and_the_old_one_still_does(self, memory: Trigraph) -> None:
        memory.remember("It keeps the sessions", subject="Redis")
        memory.rename("Redis", "Valkey")
        new, old = memory.remember("Valkey is fast").id, memory.remember("Redis was slow").id
        assert names(memory, new) == names(memory, old) == ["Valkey"]
        assert memory.entity("Redis").id == memory.entity("Valkey").id

    def test_after_an_alias_that_name_links(self, memory: Trigraph) -> None:
        memory.remember("It keeps the sessions", subject="Redis")
        before = memory.remember("The session box is warm").id
        memory.alias("Redis", "session box")
        after = memory.remember("The session box is hot").id
        assert names(memory, before) == []
        assert names(memory, after) == ["Redis"]

    def test_of_two_known_names_the_longer_is_meant(self, memory: Trigraph) -> None:
        memory.remember("A boat", subject="Blue Heron")
        memory.remember("A place", subject="Blue Heron Bay")
        assert names(memory, memory.remember("We swim in Blue Heron Bay").id) == ["Blue Heron Bay"]

    def test_what_was_forgotten_no_longer_counts(self, memory: Trigraph) -> None:
        kept = memory.remember("SPEC-054 is late")
        gone = memory.remember("SPEC-054 is early").id
        assert gone is not None
        memory.forget(gone)
        assert memory.entity("SPEC-054").mention_count == 1
        assert kept.id is not None
        memory.forget(kept.id)
        assert all_names(memory) == []

    def test_a_write_that_fails_leaves_neither_links_nor_entities(self, memory: Trigraph) -> None:
        old = memory.remember("The port is 80", valid_from="2026-01-01").id
        assert old is not None
        with pytest.raises(InvalidInput):
            memory.supersede(old, "SPEC-099 says 81", valid_from="2025-01-01")
        assert all_names(memory) == []
        assert memory.stats().entities == 0


@pytest.mark.req("S1")
class TestNewNames:
    @pytest.mark.parametrize(
        "text",
        [
            "Anna went to Lisbon with Tobias",
            "Yesterday it rained. Nobody came.",
            "He said it to them in 2026, 42 times",
            "**Important**: see https://example.org/get_started.html",
            "```\nparse_config()\n```",
        ],
    )
    def test_nothing_is_made_of_plain_words_pronouns_numbers_or_markup(self, memory: Trigraph, text: str) -> None:
        memory.remember(text)
        assert all_names(memory) == []

    def test_what_stands_out_by_its_form_is_made(self, memory: Trigraph) -> None:
        text = 'SPEC-054 moves parse_config into src/app.py, says "The Long Rain"'
        made = memory.mentions(memory.remember(text).id)
        assert [one.name for one in made] == ["SPEC-054", "parse_config", "src/app.py", "The Long Rain"]
        assert [text[one.start : one.end] for one in made] == [one.name for one in made]
        assert {one.name: one.type for one in made}["SPEC-054"] is EntityType.DOCUMENT
        assert memory.entity("parse_config").type is EntityType.UNKNOWN

    def test_the_subject_is_made_even_if_the_text_does_not_name_it(self, memory: Trigraph) -> None:
        id = memory.remember("He is allergic to nuts", subject="Tobias", type="person").id
        (mention,) = memory.mentions(id)
        assert (mention.name, mention.start, mention.subject) == ("Tobias", None, True)
        assert memory.entity("tobias").type is EntityType.PERSON

    def test_speakers_become_persons_when_another_names_them(self, memory: Trigraph) -> None:
        report = memory.remember_thread(
            [
                {"text": "Ask Mara about it", "speaker": "Ines"},
                {"text": "I am here", "speaker": "Mara"},
                {"text": "Tobias is not", "speaker": "Mara"},
            ]
        )
        assert [names(memory, item.id) for item in report.items] == [["Mara"], [], []]
        assert memory.entity("Mara").type is EntityType.PERSON
        with pytest.raises(NotFound):
            memory.entity("Ines")

    def test_a_role_is_no_person(self, memory: Trigraph) -> None:
        memory.remember_thread(
            [{"text": "Ask the Assistant", "speaker": "User"}, {"text": "The User asked", "speaker": "Assistant"}]
        )
        assert all_names(memory) == []

    def test_a_person_that_a_thread_made_is_known_afterwards(self, memory: Trigraph) -> None:
        memory.remember_thread([{"text": "Ask Mara", "speaker": "Ines"}, {"text": "Yes?", "speaker": "Mara"}])
        assert names(memory, memory.remember("Mara likes tea").id) == ["Mara"]

    def test_a_long_document_is_linked_to_its_first_names_only(self, memory: Trigraph) -> None:
        text = "\n".join(f"See OPS-{number + 1000}." for number in range(MENTIONS_MOST + 50))
        id = memory.remember(text, kind="document", subject="OPS-1230").id
        mentioned = memory.mentions(id)
        assert len(mentioned) in (MENTIONS_MOST, MENTIONS_MOST + 1)  # and the subject, wherever it stands
        assert {f"OPS-{number + 1000}" for number in range(MENTIONS_MOST - 1)} <= {one.name for one in mentioned}
        assert [one.name for one in mentioned if one.subject] == ["OPS-1230"]


class TestSubjectAndTopic:
    @pytest.mark.req("S1")
    def test_a_topic_that_names_something_known_is_a_mention_but_not_the_subject(self, memory: Trigraph) -> None:
        memory.remember("It keeps the sessions", subject="Redis")
        (mention,) = memory.mentions(memory.remember("Two hours are enough", topic="redis").id)
        assert (mention.name, mention.start, mention.subject, mention.confidence) == ("Redis", None, False, 0.9)

    @pytest.mark.req("S1")
    def test_a_topic_alone_makes_nothing(self, memory: Trigraph) -> None:
        memory.remember("Two hours are enough", topic="session length")
        assert all_names(memory) == []

    @pytest.mark.req("S7")
    def test_where_a_type_is_given_the_topic_is_the_subject(self, memory: Trigraph) -> None:
        id = memory.remember("Two hours are enough", topic="session length", type="concept").id
        assert id is not None
        kept = memory.get(id)
        assert kept.subject is not None
        assert (kept.subject.name, kept.type) == ("session length", EntityType.CONCEPT)

    @pytest.mark.req("S7")
    def test_a_type_says_what_an_entity_is_of_which_that_was_unknown(self, memory: Trigraph) -> None:
        memory.remember("parse_config is slow")
        memory.remember("It reads TOML", subject="parse_config", type="tool")
        assert memory.entity("parse_config").type is EntityType.TOOL
        assert memory.stats().entities == 1

    @pytest.mark.req("S7")
    def test_a_thing_of_another_type_is_another_thing(self, memory: Trigraph) -> None:
        memory.remember("It is a language", subject="Mercury", type="tool")
        memory.remember("It is hot there", subject="Mercury", type="location")
        assert [one.type for one in memory.entities().entities] == [EntityType.TOOL, EntityType.LOCATION]
        with pytest.raises(InvalidInput, match="names several entities"):
            memory.entity("Mercury")

    @pytest.mark.req("S1")
    @pytest.mark.parametrize("subject", ["it", "42", "the", "***", "of the 7", " ", "x" * 121])
    def test_what_can_name_nothing_is_refused_as_a_subject(self, memory: Trigraph, subject: str) -> None:
        with pytest.raises(InvalidInput) as raised:
            memory.remember("Something", subject=subject)
        assert raised.value.field == "subject"
        assert memory.stats().memories == 0


@pytest.mark.req("S7")
class TestTypesAndKinds:
    def test_a_memory_is_a_fact_about_something_unknown_unless_said_otherwise(self, memory: Trigraph) -> None:
        plain = memory.remember("It rains").id
        about = memory.remember("It rains there", subject="Bergen").id
        assert plain is not None
        assert about is not None
        assert (memory.get(plain).kind, memory.get(plain).type) == (Kind.FACT, EntityType.UNKNOWN)
        assert memory.get(about).type is memory.entity("Bergen").type is EntityType.UNKNOWN

    @pytest.mark.parametrize(("field", "options"), [("kind", Kind), ("type", EntityType)])
    def test_one_that_is_not_known_is_refused_with_all_that_are(
        self, memory: Trigraph, field: str, options: type[Kind] | type[EntityType]
    ) -> None:
        with pytest.raises(InvalidInput) as raised:
            memory.remember("It rains", subject="Bergen", **{field: "wether"})
        assert raised.value.field == field
        assert set(raised.value.allowed) == {one.value for one in options}
        assert memory.stats().memories == 0

    @pytest.mark.parametrize(("filter", "options"), [("kinds", Kind), ("types", EntityType)])
    def test_so_is_one_in_a_filter(self, memory: Trigraph, filter: str, options: type[Kind] | type[EntityType]) -> None:
        for read in (memory.list, lambda **filters: memory.recall("rain", **filters)):
            with pytest.raises(InvalidInput) as raised:
                read(**{filter: ["wether"]})
            assert set(raised.value.allowed) == {one.value for one in options}

    @pytest.mark.parametrize("type", EntityType)
    def test_every_type_is_taken_and_found_again(self, memory: Trigraph, type: EntityType) -> None:
        id = memory.remember("It rains", subject="Bergen", type=type.value).id
        memory.remember("It rains everywhere")
        found = [one.id for one in memory.list(types=[type.value]).memories]
        assert id in found
        assert len(found) == (2 if type is EntityType.UNKNOWN else 1)

    def test_a_type_without_anything_it_could_be_of_is_refused(self, memory: Trigraph) -> None:
        with pytest.raises(InvalidInput) as raised:
            memory.remember("It rains", type="location")
        assert raised.value.field == "type"


@pytest.mark.req("S10")
class TestSkills:
    def test_storing_and_recalling_a_skill_count_as_uses_of_it(self, memory: Trigraph) -> None:
        memory.remember("Rebase with autosquash", kind="skill", subject="git rebase")
        assert memory.entity("git rebase").type is EntityType.SKILL
        assert memory.skill_uses("git rebase") == 1
        memory.remember("Abort with --abort", subject="git rebase", type="skill")
        assert memory.skill_uses("git rebase") == 2
        assert memory.recall("autosquash").hits
        assert memory.skill_uses("git rebase") == 3

    def test_one_recall_that_shows_a_skill_twice_is_one_use(self, memory: Trigraph) -> None:
        memory.remember("Rebase with autosquash", kind="skill", subject="git rebase")
        memory.remember("Rebase onto main", kind="skill", subject="git rebase")
        assert len(memory.recall("rebase").hits) == 2
        assert memory.skill_uses("git rebase") == 3

    def test_a_recall_that_does_not_show_it_is_none(self, memory: Trigraph) -> None:
        memory.remember("Rebase with autosquash", kind="skill", subject="git rebase")
        memory.remember("The kettle is on")
        memory.recall("kettle")
        assert memory.skill_uses("git rebase") == 1

    def test_recall_can_ask_for_one_type_only(self, memory: Trigraph) -> None:
        skill = memory.remember("Bake the bread slowly", kind="skill", subject="baking").id
        place = memory.remember("The bread there is good", subject="Lisbon", type="location").id
        plain = memory.remember("Buy bread").id
        assert [hit.memory.id for hit in memory.recall("bread", types=["skill"]).hits] == [skill]
        assert {hit.memory.id for hit in memory.recall("bread", types=["skill", "location"]).hits} == {skill, place}
        assert [hit.memory.id for hit in memory.recall("bread", types=["unknown"]).hits] == [plain]
        assert [one.name for one in memory.entities(types=["skill"]).entities] == ["baking"]

    def test_uses_by_others_are_not_told(self, memory: Trigraph, bob: Trigraph) -> None:
        memory.remember("Rebase with autosquash", kind="skill", subject="git rebase")
        assert bob.recall("autosquash").hits
        assert memory.skill_uses("git rebase") == 1
        assert bob.skill_uses("git rebase") == 2


@pytest.mark.req("S1")
class TestAudiences:
    def test_a_private_memory_links_to_what_is_shared(self, memory: Trigraph, bob: Trigraph) -> None:
        memory.remember("It keeps the sessions", subject="Redis")
        own = bob.remember("I dislike Redis", visibility="private").id
        assert bob.mentions(own)[0].entity_id == memory.entity("Redis").id
        assert (memory.entity("Redis").mention_count, bob.entity("Redis").mention_count) == (1, 2)

    def test_a_shared_memory_never_links_to_what_is_private(self, memory: Trigraph, bob: Trigraph) -> None:
        memory.remember("A surprise party", subject="Blue Heron", visibility="private")
        shared = memory.remember("Blue Heron is a boat").id
        (mention,) = memory.mentions(shared)  # of a new one of its own
        private, public = memory.entities().entities
        assert (private.mention_count, public.mention_count, mention.entity_id) == (1, 1, public.id)
        assert [one.id for one in bob.entities().entities] == [public.id]
        assert bob.entity("Blue Heron").mention_count == 1

    def test_nothing_of_a_private_entity_is_told_to_others(self, memory: Trigraph, bob: Trigraph) -> None:
        id = memory.remember("A surprise party", subject="Blue Heron", visibility="private").id
        assert bob.entities().entities == ()
        assert bob.stats().entities == 0
        for asked in ("Blue Heron", memory.entity("Blue Heron").id):
            with pytest.raises(NotFound):
                bob.entity(asked)
        with pytest.raises(NotFound):
            bob.mentions(id)

    def test_what_stands_out_in_a_shared_memory_is_made_anew_beside_a_private_one(
        self, memory: Trigraph, bob: Trigraph
    ) -> None:
        secret = memory.remember("SPEC-054 will be dropped", visibility="private").id
        shared = memory.remember("SPEC-054 is late").id
        ids = [memory.mentions(one)[0].entity_id for one in (secret, shared)]
        assert ids[0] != ids[1]
        assert [one.id for one in bob.entities().entities] == [ids[1]]
        assert bob.entity("SPEC-054").mention_count == 1

    def test_what_another_agent_keeps_private_is_never_linked_to(self, memory: Trigraph, bob: Trigraph) -> None:
        memory.remember("A surprise party", subject="Blue Heron", visibility="private")
        memory.remember("SPEC-054 will be dropped", visibility="private")
        for visibility in ("shared", "private"):
            plain = bob.remember(f"Blue Heron is a boat, {visibility}", visibility=visibility).id
            assert names(bob, plain) == []
        made = bob.mentions(bob.remember("SPEC-054 is mine", visibility="private").id)
        assert [one.name for one in made] == ["SPEC-054"]
        assert memory.entity("SPEC-054").mention_count == 1
        assert memory.entity("SPEC-054").id != made[0].entity_id

    def test_an_alias_that_was_given_in_private_links_nothing_of_others(self, memory: Trigraph, bob: Trigraph) -> None:
        memory.remember("It keeps the sessions", subject="Redis", visibility="private")
        memory.alias("Redis", "session box")
        assert names(bob, bob.remember("The session box is hot").id) == []
        assert names(memory, memory.remember("My session box is hot", visibility="private").id) == ["Redis"]

    def test_sharing_a_memory_lets_others_link_to_what_it_made(self, memory: Trigraph, bob: Trigraph) -> None:
        id = memory.remember("It is a boat", subject="Blue Heron", visibility="private").id
        assert id is not None
        memory.share(id, "shared")
        assert names(bob, bob.remember("Blue Heron leaks").id) == ["Blue Heron"]
        assert bob.entity("Blue Heron").id == memory.entity("Blue Heron").id

    def test_what_a_group_named_is_linked_within_the_group_only(self, memory: Trigraph, bob: Trigraph) -> None:
        memory.admin.set_agent("default", "default", "carol", ReadPolicy.SHARED)
        memory.admin.add_group("default", "default", "crew")
        memory.admin.join("default", "default", "crew", "default")
        memory.remember("It is a boat", subject="Blue Heron", group="crew")
        of_the_crew = memory.entity("Blue Heron").id
        within = memory.remember("Blue Heron leaks", group="crew").id
        assert names(bob, bob.remember("Blue Heron? Never heard of it").id) == []
        memory.admin.join("default", "default", "crew", "bob")
        ours = bob.remember("Blue Heron is ours", group="crew").id
        outside = memory.remember("Blue Heron is fast").id
        linked = [memory.mentions(one)[0].entity_id for one in (within, ours, outside)]
        assert linked[:2] == [of_the_crew] * 2
        assert linked[2] != of_the_crew

    def test_a_private_thread_makes_persons_that_only_its_writer_knows(self, memory: Trigraph, bob: Trigraph) -> None:
        memory.remember_thread(
            [{"text": "Ask Mara", "speaker": "Ines"}, {"text": "Yes?", "speaker": "Mara"}], visibility="private"
        )
        assert names(memory, memory.remember("Mara knows", visibility="private").id) == ["Mara"]
        assert bob.entities().entities == ()
        assert names(bob, bob.remember("Mara likes tea").id) == []
