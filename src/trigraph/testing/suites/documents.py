"""`contracts.Documents`, as tests."""

from __future__ import annotations

from typing import Any

import pytest

from trigraph.contracts import KnownDocument, Store
from trigraph.model.access import Audience
from trigraph.model.change import Verb
from trigraph.model.memory import EntityType, Kind, Memory, Status, Visibility
from trigraph.model.times import Moment
from trigraph.testing.builders import (
    ANNE,
    BERT,
    DAY,
    HIDDEN,
    ISLAND,
    MICROSECOND,
    NOW,
    START,
    keep,
    open_island,
)
from trigraph.testing.cast import every_audience, expected, register_all, shown
from trigraph.testing.changes import keep_document, keep_entity, keep_mention, revise
from trigraph.testing.suites.base import Suite, undone

KNOWN = NOW.known_at
LATER = START + DAY
EVER = Moment(NOW.as_of, NOW.known_at, superseded=True)


def keep_stub(store: Store, name: str, collection: str = "default", path: str | None = None, **fields: Any) -> str:
    """A document that a memory only refers to."""
    entity_id, _ = keep_entity(store, ANNE, name, type_=EntityType.DOCUMENT, **fields)
    with store.transaction(ANNE, START):
        store.documents.put(ANNE, entity_id, collection, name.casefold(), path)
    return entity_id


def keep_text(store: Store, entity_id: str, before: Memory, **fields: Any) -> Memory:
    """Another text of a document, in the place of the one before, from `LATER` on."""
    after = keep_mention(
        store, ANNE, [entity_id], "another text", at=LATER, subject=True, kind=Kind.DOCUMENT, valid_from=LATER, **fields
    )
    changed: dict[str, Any] = {"valid_until": LATER, "superseded": True, "superseded_by": after.id}
    revise(store, ANNE, before, Verb.SUPERSEDE, LATER, **changed)
    return after


class DocumentsSuite(Suite):
    """`contracts.Documents`."""

    # Which document an entity is

    def test_a_document_is_found_by_its_path_its_name_and_its_entity(self, store: Store) -> None:
        entity_id, _ = keep_document(store, ANNE, "SPEC-1", "north", "specs/one.md")
        known = KnownDocument(entity_id, "north", "spec-1", "specs/one.md", Audience("anne", Visibility.SHARED, None))
        assert store.documents.by_path(BERT, "north", "specs/one.md") == [known]
        assert store.documents.by_name(BERT, "north", "spec-1") == [known]
        assert store.documents.identity(BERT, entity_id) == known

    def test_names_and_paths_are_those_of_one_collection(self, store: Store) -> None:
        north, _ = keep_document(store, ANNE, "SPEC-1", "north", "one.md")
        south, _ = keep_document(store, ANNE, "SPEC-1", "south", "one.md")
        for collection, entity_id in (("north", north), ("south", south)):
            assert [one.entity_id for one in store.documents.by_path(ANNE, collection, "one.md")] == [entity_id]
            assert [one.entity_id for one in store.documents.by_name(ANNE, collection, "spec-1")] == [entity_id]
        assert store.documents.by_path(ANNE, "west", "one.md") == []
        assert store.documents.by_name(ANNE, "west", "spec-1") == []
        assert store.documents.by_path(ANNE, "north", "spec-1") == []
        assert store.documents.by_name(ANNE, "north", "one.md") == []

    def test_of_two_by_the_same_name_the_older_comes_first(self, store: Store) -> None:
        made = [keep_document(store, ANNE, "SPEC-1", "north", path)[0] for path in ("b.md", "a.md")]
        assert [one.entity_id for one in store.documents.by_name(ANNE, "north", "spec-1")] == made

    def test_what_is_said_again_takes_the_place_of_what_was_said_before(self, store: Store) -> None:
        entity_id, _ = keep_document(store, ANNE, "SPEC-1", "north", "one.md")
        with store.transaction(ANNE, START):
            store.documents.put(ANNE, entity_id, "south", None, "moved.md")
        known = store.documents.identity(ANNE, entity_id)
        assert known is not None
        assert (known.collection, known.name_key, known.path) == ("south", None, "moved.md")
        assert store.documents.by_name(ANNE, "north", "spec-1") == []
        assert store.documents.by_path(ANNE, "north", "one.md") == []
        assert [one.entity_id for one in store.documents.by_path(ANNE, "south", "moved.md")] == [entity_id]

    def test_what_was_undone_is_no_document(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "SPEC-1", type_=EntityType.DOCUMENT)
        with undone(store, ANNE):
            store.documents.put(ANNE, entity_id, "north", "spec-1", None)
        assert store.documents.identity(ANNE, entity_id) is None
        assert store.documents.page(ANNE, None, NOW, 10, None) == []

    def test_other_things_are_no_documents(self, store: Store) -> None:
        entity_id, _ = keep_entity(store, ANNE, "Mill")
        assert store.documents.identity(ANNE, entity_id) is None
        assert store.documents.identity(ANNE, "e_" + "0" * 26) is None

    @every_audience
    def test_a_document_is_known_to_whom_its_text_is(self, store: Store, audience: dict[str, Any]) -> None:
        register_all(store)
        entity_id, _ = keep_document(store, ANNE, "SPEC-1", "north", "one.md", **audience)
        told = expected(audience)
        assert shown(lambda scope: store.documents.by_path(scope, "north", "one.md")) == told
        assert shown(lambda scope: store.documents.by_name(scope, "north", "spec-1")) == told
        assert shown(lambda scope: store.documents.identity(scope, entity_id)) == told
        assert shown(lambda scope: store.documents.texts(scope, entity_id, NOW)) == told
        assert shown(lambda scope: store.documents.page(scope, None, NOW, 10, None)) == told
        assert shown(lambda scope: store.documents.stored(scope, KNOWN, 10, None)) == told

    def test_another_project_has_its_own(self, store: Store) -> None:
        open_island(store)
        entity_id, memory = keep_document(store, ANNE, "SPEC-1", "north", "one.md")
        with store.transaction(ISLAND, START):
            store.documents.put(ISLAND, entity_id, "stolen", "spec-1", "one.md")
        assert store.documents.by_path(ISLAND, "north", "one.md") == []
        assert store.documents.by_name(ISLAND, "north", "spec-1") == []
        assert store.documents.identity(ISLAND, entity_id) is None
        assert store.documents.texts(ISLAND, entity_id, NOW) == []
        assert store.documents.page(ISLAND, None, NOW, 10, None) == []
        assert store.documents.stored(ISLAND, KNOWN, 10, None) == []
        known = store.documents.identity(ANNE, entity_id)
        assert known is not None
        assert known.collection == "north"
        assert store.documents.texts(ANNE, entity_id, NOW) == [memory.id]

    # Its texts

    def test_its_text_is_the_one_that_holds_then(self, store: Store) -> None:
        entity_id, first = keep_document(store, ANNE, "SPEC-1")
        second = keep_text(store, entity_id, first)
        texts = store.documents.texts
        assert texts(BERT, entity_id, NOW) == [second.id]
        assert texts(BERT, entity_id, Moment(LATER, KNOWN)) == [second.id]
        assert texts(BERT, entity_id, Moment(LATER - MICROSECOND, KNOWN)) == [first.id]
        assert texts(BERT, entity_id, Moment(first.valid_from - MICROSECOND, KNOWN)) == []

    def test_the_texts_it_had_come_by_their_beginning(self, store: Store) -> None:
        entity_id, first = keep_document(store, ANNE, "SPEC-1", valid_from=START)
        second = keep_text(store, entity_id, first)
        early = keep_mention(
            store, ANNE, [entity_id], "found late", at=LATER, subject=True, kind=Kind.DOCUMENT, valid_from=START - DAY
        )
        assert store.documents.texts(ANNE, entity_id, EVER) == [early.id, first.id, second.id]

    def test_its_text_is_what_was_known_then(self, store: Store) -> None:
        entity_id, first = keep_document(store, ANNE, "SPEC-1")
        second = keep_text(store, entity_id, first)
        before = Moment(NOW.as_of, LATER - MICROSECOND)
        assert store.documents.texts(ANNE, entity_id, before) == [first.id]
        with store.transaction(ANNE, LATER + DAY) as now:
            store.entities.unmention(ANNE, second.id, [entity_id], now)
        assert store.documents.texts(ANNE, entity_id, EVER) == [first.id]
        assert store.documents.texts(ANNE, entity_id, Moment(NOW.as_of, LATER + DAY - MICROSECOND)) == [second.id]

    def test_what_merely_speaks_of_it_or_is_of_another_kind_is_no_text_of_it(self, store: Store) -> None:
        entity_id, text = keep_document(store, ANNE, "SPEC-1")
        keep_mention(store, ANNE, [entity_id], kind=Kind.DOCUMENT)
        keep_mention(store, ANNE, [entity_id], subject=True, kind=Kind.FACT)
        assert store.documents.texts(ANNE, entity_id, EVER) == [text.id]

    @pytest.mark.parametrize("visibility", HIDDEN)
    def test_a_text_that_is_hidden_is_not_named(self, store: Store, visibility: Visibility) -> None:
        entity_id, text = keep_document(store, ANNE, "SPEC-1")
        hidden = keep_mention(
            store, ANNE, [entity_id], at=LATER, subject=True, kind=Kind.DOCUMENT, visibility=visibility
        )
        assert store.documents.texts(BERT, entity_id, NOW) == [text.id]
        assert store.documents.texts(ANNE, entity_id, NOW) == [text.id, hidden.id]
        (theirs,) = store.documents.page(BERT, None, NOW, 10, None)
        (ours,) = store.documents.page(ANNE, None, NOW, 10, None)
        assert (theirs.memory_id, ours.memory_id) == (text.id, hidden.id)

    # A listing

    def test_a_listing_has_documents_and_stubs_by_their_age(self, store: Store) -> None:
        one, text = keep_document(store, ANNE, "SPEC-1", "north", "one.md")
        stub = keep_stub(store, "SPEC-2", "north")
        other, _ = keep_document(store, ANNE, "SPEC-1", "south")
        keep_entity(store, ANNE, "Mill")
        found = store.documents.page(BERT, None, NOW, 10, None)
        assert [document.entity_id for document in found] == [one, stub, other]
        assert [document.stub for document in found] == [False, True, False]
        assert (found[0].collection, found[0].path, found[0].memory_id) == ("north", "one.md", text.id)
        assert (found[1].collection, found[1].path, found[1].memory_id) == ("north", None, None)
        north = store.documents.page(BERT, "north", NOW, 10, None)
        assert [document.entity_id for document in north] == [one, stub]
        assert store.documents.page(BERT, "west", NOW, 10, None) == []

    def test_a_listing_goes_on_after_an_id(self, store: Store) -> None:
        made = [keep_document(store, ANNE, f"SPEC-{number}")[0] for number in range(5)]
        pages, after = [], None
        for _ in range(4):
            page = [one.entity_id for one in store.documents.page(ANNE, None, NOW, 2, after)]
            pages.append(page)
            after = page[-1] if page else after
        assert pages == [made[:2], made[2:4], made[4:], []]

    def test_a_page_is_filled_with_what_may_be_seen(self, store: Store) -> None:
        for number in range(6):
            keep_document(store, ANNE, f"ADR-{number}", visibility=Visibility.PRIVATE)
        made = [keep_document(store, ANNE, f"SPEC-{number}")[0] for number in range(2)]
        assert [one.entity_id for one in store.documents.page(BERT, None, NOW, 2, None)] == made

    def test_a_listing_is_of_its_moment(self, store: Store) -> None:
        entity_id, first = keep_document(store, ANNE, "SPEC-1", valid_from=START)
        second = keep_text(store, entity_id, first)

        def held(moment: Moment) -> list[tuple[str, str | None]]:
            return [(one.entity_id, one.memory_id) for one in store.documents.page(BERT, None, moment, 10, None)]

        assert held(NOW) == [(entity_id, second.id)]
        assert held(Moment(LATER - MICROSECOND, KNOWN)) == [(entity_id, first.id)]
        assert held(Moment(NOW.as_of, LATER - MICROSECOND)) == [(entity_id, first.id)]
        assert held(Moment(NOW.as_of, START - MICROSECOND)) == []
        assert held(Moment(START - DAY, KNOWN)) == []

    def test_a_document_whose_text_was_forgotten_is_listed_no_more(self, store: Store) -> None:
        _, text = keep_document(store, ANNE, "SPEC-1")
        revise(store, ANNE, text, Verb.FORGET, LATER, status=Status.FORGOTTEN, retracted_at=LATER)
        assert store.documents.page(ANNE, None, NOW, 10, None) == []
        assert len(store.documents.page(ANNE, None, Moment(NOW.as_of, LATER - MICROSECOND), 10, None)) == 1

    # All stored texts

    def test_stored_are_all_texts_that_stand_superseded_ones_too(self, store: Store) -> None:
        entity_id, first = keep_document(store, ANNE, "SPEC-1")
        nameless = keep(store, BERT, "of no name", kind=Kind.DOCUMENT)
        keep(store, ANNE, "a fact")
        second = keep_text(store, entity_id, first)
        forgotten = keep(store, ANNE, "forgotten", kind=Kind.DOCUMENT, at=LATER)
        revise(store, ANNE, forgotten, Verb.FORGET, LATER, status=Status.FORGOTTEN, retracted_at=LATER)
        assert store.documents.stored(ANNE, KNOWN, 10, None) == [first.id, nameless.id, second.id]
        assert store.documents.stored(ANNE, LATER - MICROSECOND, 10, None) == [first.id, nameless.id]
        assert store.documents.stored(ANNE, KNOWN, 1, None) == [first.id]
        assert store.documents.stored(ANNE, KNOWN, 5, first.id) == [nameless.id, second.id]
        assert store.documents.stored(ANNE, KNOWN, 5, second.id) == []
