"""`contracts.Entities`, as tests: the names of an entity, and on whose word it has them."""

from __future__ import annotations

from trigraph.contracts import Store
from trigraph.model.access import Audience
from trigraph.model.entity import EntityEvent
from trigraph.model.memory import EntityType, Visibility
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.testing.builders import ANNE, BERT, DAY, MICROSECOND, NOW, START, keep
from trigraph.testing.changes import change, keep_alias, keep_entity, keep_mention
from trigraph.testing.suites.base import Suite


def named(store: Store, scope: Scope, name: str, moment: Moment = NOW) -> list[str]:
    return [entity.id for entity in store.entities.named(scope, name, moment)]


class NamesSuite(Suite):
    """Names and aliases. The key of a name of one or two words is its own lead."""

    def test_an_entity_is_found_by_every_one_of_its_names(self, store: Store) -> None:
        entity_id, memory = keep_entity(store, ANNE, "Old Mill")
        keep_alias(store, ANNE, entity_id, "The Grinder", memory)
        (entity,) = store.entities.get(BERT, [entity_id], NOW)
        assert (entity.name, entity.aliases) == ("Old Mill", ("The Grinder",))
        assert named(store, BERT, "old mill") == named(store, BERT, "the grinder") == [entity_id]
        assert named(store, BERT, "old") == named(store, BERT, "mill") == []

    def test_entities_of_one_name_come_oldest_first(self, store: Store) -> None:
        kept = [keep_entity(store, ANNE, "Old Mill")[0] for _ in range(3)]
        assert named(store, BERT, "old mill") == kept

    def test_a_name_it_has_already_is_left_as_it_is(self, store: Store) -> None:
        entity_id, memory = keep_entity(store, ANNE, "Old Mill")
        keep_alias(store, ANNE, entity_id, "OLD MILL", memory)
        keep_alias(store, ANNE, entity_id, "Grinder", memory)
        keep_alias(store, ANNE, entity_id, "GRINDER", memory)
        (entity,) = store.entities.get(ANNE, [entity_id], NOW)
        assert (entity.name, entity.aliases) == ("Old Mill", ("Grinder",))

    def test_known_names_are_those_with_one_of_the_leads(self, store: Store) -> None:
        mill, memory = keep_entity(store, ANNE, "Old Mill", type_=EntityType.LOCATION)
        pond, _ = keep_entity(store, BERT, "Pond")
        keep_entity(store, ANNE, "New Old Mill")
        keep_alias(store, ANNE, mill, "Pond House", memory)
        known = store.entities.known_names(BERT, ["old mill", "pond", "pond house"])
        assert sorted((one.name, one.name_key, one.entity_id) for one in known) == [
            ("Old Mill", "old mill", mill),
            ("Pond", "pond", pond),
            ("Pond House", "pond house", mill),
        ]
        assert [one.entity_id for one in known] == [mill, mill, pond]
        assert (known[0].type, known[0].audience) == (EntityType.LOCATION, Audience("anne", Visibility.SHARED))
        assert store.entities.known_names(BERT, []) == []

    def test_a_name_is_known_from_the_time_it_was_given(self, store: Store) -> None:
        entity_id, memory = keep_entity(store, ANNE, "Old Mill")
        keep_alias(store, ANNE, entity_id, "Grinder", memory, at=START + DAY)
        before, then = (Moment(NOW.as_of, known_at) for known_at in (START + DAY - MICROSECOND, START + DAY))
        assert store.entities.get(ANNE, [entity_id], before)[0].aliases == ()
        assert store.entities.get(ANNE, [entity_id], then)[0].aliases == ("Grinder",)
        assert named(store, ANNE, "grinder", then) == [entity_id]
        assert named(store, ANNE, "grinder", before) == []

    def test_a_name_from_a_hidden_memory_is_hidden(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Old Mill")
        secret = keep_mention(store, ANNE, [entity_id], visibility=Visibility.PRIVATE)
        keep_alias(store, ANNE, entity_id, "Hideout", secret)
        assert store.entities.get(BERT, [entity_id], NOW)[0].aliases == ()
        assert named(store, BERT, "hideout") == []
        assert store.entities.known_names(BERT, ["hideout"]) == []
        assert store.entities.get(ANNE, [entity_id], NOW)[0].aliases == ("Hideout",)
        assert named(store, ANNE, "hideout") == [entity_id]
        assert len(store.entities.known_names(ANNE, ["hideout"])) == 1

    def test_a_name_that_a_hidden_memory_gave_can_be_given_by_one_that_is_seen(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Old Mill")
        keep_alias(store, ANNE, entity_id, "Grinder", keep(store, ANNE, "alpha", visibility=Visibility.PRIVATE))
        keep_alias(store, BERT, entity_id, "Grinder", keep(store, BERT, "beta"))
        assert named(store, BERT, "grinder") == [entity_id]
        assert store.entities.get(BERT, [entity_id], NOW)[0].aliases == ("Grinder",)

    def test_a_name_given_in_private_is_not_shown_by_a_later_change_for_all(self, store: Store) -> None:
        entity_id, made = keep_entity(store, ANNE, "Old Mill")
        renamed = EntityEvent.RENAMED
        change(store, ANNE, entity_id, START + DAY, name="Hideout", event=renamed, visibility=Visibility.PRIVATE)
        change(store, ANNE, entity_id, START + 2 * DAY, props={"colour": "red"})
        (entity,) = store.entities.get(BERT, [entity_id], NOW)
        assert entity.name == "Old Mill"
        assert {state.name for state in store.entities.states(BERT, entity_id, NOW.known_at)} == {"Old Mill"}
        assert {one.name for one in store.entities.mentions_of(BERT, [made.id], NOW)} == {"Old Mill"}
        assert store.entities.get(ANNE, [entity_id], NOW)[0].name == "Hideout"

    def test_a_renamed_entity_has_its_name_from_then_on(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Old Mill")
        memory = change(store, ANNE, entity_id, START + DAY, name="Museum", event=EntityEvent.RENAMED)
        keep_alias(store, ANNE, entity_id, "Museum", memory)
        (before,) = store.entities.get(BERT, [entity_id], Moment(START + DAY - MICROSECOND, NOW.known_at))
        (now,) = store.entities.get(BERT, [entity_id], NOW)
        assert (before.name, now.name, now.aliases) == ("Old Mill", "Museum", ("Old Mill",))
        assert named(store, BERT, "museum") == named(store, BERT, "old mill") == [entity_id]
