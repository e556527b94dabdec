"""Document: a spec, an ADR, a TODO, any markdown with an id; and what its text says of other documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trigraph.model.relation import Relation, RelationType

DEFAULT_COLLECTION = "default"

SUPERSEDED_BY_PROP = "superseded_by"
"""The property of a document that another superseded: that one's name."""

READY_FAMILIES = ("SPEC", "ADR", "TODO", "PEP", "RFC", "EIP", "BIP", "KEP")
"""Families whose own ids are understood without being configured."""
DEFAULT_FAMILIES = ("SPEC", "ADR", "TODO")
"""Families that any document may refer to by number; beside them its own."""


@dataclass(frozen=True, slots=True)
class DocumentRef:
    """What a caller says of a document: its collection, where its file stands within that, and its id, if the text is
    not to say that. `gone` are paths at which no file stands any more: one of the same id has moved; `beside` are those
    of files that are added along with it, and may be referred to before they are."""

    collection: str = DEFAULT_COLLECTION
    path: str | None = None
    id: str | None = None
    gone: frozenset[str] = frozenset()
    beside: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Target:
    """What a reference names: a document by its name, or by the path of its file, from the collection's root."""

    name: str | None = None
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """A relation that a document's text declares. `incoming` turns it round: "superseded by X" is said of X."""

    type: RelationType
    target: Target
    section: str
    incoming: bool = False


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """What the text of a document says about itself. `names` are what it may be called, the likeliest first: by its
    front matter, its heading, its file."""

    names: tuple[str, ...]
    title: str | None
    props: Mapping[str, str]
    references: tuple[Reference, ...]

    @property
    def name(self) -> str | None:
        """What it calls itself."""
        return self.names[0] if self.names else None


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it stands: its entity, its identity, and the memory that holds its text; a stub has none."""

    entity_id: str
    name: str
    collection: str
    path: str | None
    memory_id: str | None
    props: Mapping[str, str]

    @property
    def stub(self) -> bool:
        """Whether it was only ever referred to."""
        return self.memory_id is None


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """Part of a listing; `next_cursor` asks for what follows."""

    documents: tuple[Document, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class DocumentDetails:
    """A document with its relations, both ways; `truncated` when it has more than are shown."""

    document: Document
    relations: tuple[Relation, ...]
    truncated: bool = False
