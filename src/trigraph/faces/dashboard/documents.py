"""Documents: listed, and one of them with what it depends on, what depends on it, and what changed in its text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from trigraph.faces.dashboard.cards import entity_url, memory_url, minute
from trigraph.faces.dashboard.diffing import Piece, differences
from trigraph.faces.dashboard.frame import Action, Asked, Page, Shown, address_of
from trigraph.faces.library import Trigraph
from trigraph.model.change import MemoryHistory
from trigraph.model.document import Document, DocumentDetails
from trigraph.model.link import LinkType
from trigraph.model.memory import EntityType, Memory
from trigraph.model.relation import Relation, RelationEnd

PATH = "/documents"
PAGE_SIZE = 100
VERSIONS_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Line:
    """A document in a list."""

    url: str
    name: str
    title: str
    collection: str
    status: str
    path: str
    stub: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """Documents and stubs."""

    collection: str
    lines: tuple[Line, ...]
    first_url: str | None
    next_url: str | None


@dataclass(frozen=True, slots=True)
class Other:
    """A document or a thing at the other end of a relation."""

    url: str
    name: str
    section: str


@dataclass(frozen=True, slots=True)
class Version:
    """A text that the document had, and what the next one changed."""

    url: str
    at: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Detail:
    """One document; relations by their type, first those that it declares, then those in which others name it."""

    document: Document
    title: str
    entity_url: str
    memory_url: str | None
    text: str
    props: tuple[tuple[str, str], ...]
    outgoing: tuple[tuple[str, tuple[Other, ...]], ...]
    incoming: tuple[tuple[str, tuple[Other, ...]], ...]
    truncated: bool
    versions: tuple[Version, ...]


def document_url(one: Document) -> str:
    """Where a document's page is."""
    return address_of(f"{PATH}/{quote(one.name, safe='')}", collection=one.collection)


def show(asked: Asked) -> Shown:
    """Documents and stubs, a page at a time."""
    collection, cursor = asked.query.one("collection"), asked.query.given("cursor")
    page = asked.memory.docs.list(collection=collection or None, limit=PAGE_SIZE, cursor=cursor)
    following = address_of(PATH, collection=collection, cursor=page.next_cursor) if page.next_cursor else None
    first = address_of(PATH, collection=collection) if cursor else None
    return Shown(
        "documents.html", Listing(collection, tuple(map(_line, page.documents)), first, following), {"page": page}
    )


def show_one(asked: Asked) -> Shown:
    """One document, by its name in a collection."""
    memory = asked.memory
    found = memory.docs.get(asked.named["name"], collection=asked.query.given("collection"))
    one = found.document
    text, versions, history = _texts(memory, one)
    view = Detail(
        document=one,
        title=one.props.get("title", ""),
        entity_url=entity_url(one.entity_id),
        memory_url=memory_url(one.memory_id) if one.memory_id else None,
        text=text,
        props=tuple(sorted(one.props.items())),
        outgoing=_grouped(found, outgoing=True),
        incoming=_grouped(found, outgoing=False),
        truncated=found.truncated,
        versions=versions,
    )
    return Shown("document.html", view, {"document": found, "history": history})


def _line(one: Document) -> Line:
    title, status = one.props.get("title", ""), one.props.get("status", "")
    return Line(document_url(one), one.name, title, one.collection, status, one.path or "", one.stub)


def _grouped(found: DocumentDetails, *, outgoing: bool) -> tuple[tuple[str, tuple[Other, ...]], ...]:
    own = found.document.entity_id
    chosen = [one for one in found.relations if (one.source.id == own) is outgoing]
    types = dict.fromkeys(one.type for one in chosen)
    return tuple(
        (type_.value, tuple(_others((one for one in chosen if one.type is type_), outgoing=outgoing)))
        for type_ in types
    )


def _others(relations: Iterable[Relation], *, outgoing: bool) -> Iterable[Other]:
    for one in relations:
        end: RelationEnd = one.target if outgoing else one.source
        url = f"{PATH}/{quote(end.id)}" if end.type is EntityType.DOCUMENT else entity_url(end.id)
        yield Other(url, end.name, one.extracted_from_section)


def _texts(memory: Trigraph, one: Document) -> tuple[str, tuple[Version, ...], MemoryHistory | None]:
    """The text that stands, and what changed from one to the next, the latest first."""
    if one.memory_id is None:
        return "", (), None
    history = memory.history(one.memory_id)
    assert isinstance(history, MemoryHistory)
    texts: dict[str, Memory] = {kept.id: kept for kept in history.memories}
    replacing = [link for link in history.links if link.type in (LinkType.SUPERSEDES, LinkType.CORRECTS)]
    versions = [
        Version(
            memory_url(link.from_id),
            minute(texts[link.from_id].created_at),
            differences(texts[link.to_id].text, texts[link.from_id].text),
        )
        for link in reversed(replacing[-VERSIONS_SHOWN:])
        if link.from_id in texts and link.to_id in texts
    ]
    text = texts[one.memory_id].text if one.memory_id in texts else ""
    return text, tuple(versions), history


PAGES = (Page(PATH, show, label="Documents"), Page("/documents/{name:path}", show_one))
ACTIONS: tuple[Action, ...] = ()
