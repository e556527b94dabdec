"""Documents for programs: files and folders in, documents and their relations out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from trigraph.contracts import Progress
from trigraph.errors import BrokenFile, InvalidInput, NotFound, TrigraphError
from trigraph.faces import wire
from trigraph.model.change import Changed
from trigraph.model.document import DEFAULT_COLLECTION, DocumentDetails, DocumentPage, DocumentRef
from trigraph.model.memory import MemoryDraft
from trigraph.model.report import AddedFile, DocumentsReport, RememberReport

if TYPE_CHECKING:
    from trigraph.faces.library import Trigraph

ENDINGS = (".md", ".markdown", ".mdx")
BYTES_MOST = 10_000_000
PAGE = 500


@dataclass(frozen=True, slots=True)
class _File:
    """A file to be added, and the folder from which its path is counted."""

    path: Path
    root: Path
    collection: str

    @property
    def relative(self) -> str:
        return self.path.relative_to(self.root).as_posix()


_Paths = Mapping[tuple[str, Path], frozenset[str]]


class Docs:
    """Specs, ADRs, TODOs, any markdown with an id: `memory.docs`."""

    def __init__(self, memory: Trigraph) -> None:
        self._memory = memory
        self._engine = memory.engine
        self._scope = memory.scope

    def add(
        self,
        paths: str | Path | Iterable[str | Path],
        *,
        collection: str | None = None,
        progress: Progress | None = None,
        **fields: Any,
    ) -> DocumentsReport:
        """Add markdown files, and all of folders. A changed file is an update; one that is the same changes nothing.

        The collection is the folder's name, or a lone file's folder's, unless one is given. Fields as for `remember`.
        """
        found = list(self._found([paths] if isinstance(paths, str | Path) else list(paths), collection))
        files = [one for one in found if isinstance(one, _File)]
        gone = {place: self._gone(*place) for place in dict.fromkeys((one.collection, one.root) for one in files)}
        errors = {number: one for number, one in enumerate(found) if isinstance(one, tuple)}
        if collection is None:  # whoever names a collection means it
            for place in gone:
                self._check_root(*place)
        beside = {
            place: frozenset(one.relative for one in files if (one.collection, one.root) == place) for place in gone
        }
        drafts = (
            errors[number][1] if number in errors else self._draft(one, gone, beside, fields)
            for number, one in enumerate(found)
            if not isinstance(one, int)
        )
        report = self._engine.remember_batch(self._scope, drafts, progress)
        told = [one for one in found if not isinstance(one, int)]
        added = tuple(
            AddedFile(one.relative, one.collection, result)
            if isinstance(one, _File)
            else AddedFile(str(one[0]), collection or "", result)
            for one, result in zip(told, report.items, strict=True)
        )
        missing = [path for place, paths in gone.items() if paths for path in sorted(self._gone(*place))]
        passed_over = sum(one for one in found if isinstance(one, int))
        return DocumentsReport(added, passed_over, tuple(missing), report.degraded)

    def put(
        self,
        text: str,
        *,
        collection: str = DEFAULT_COLLECTION,
        id: str | None = None,
        path: str | None = None,
        idempotency_key: str | None = None,
        **fields: Any,
    ) -> RememberReport:
        """Create or update one document from its text; its id is read from the text unless one is given."""
        draft = _document_draft(text, fields)
        ref = DocumentRef(
            wire.text_of(collection, "collection"), wire.optional_text(path, "path"), wire.optional_text(id, "id")
        )
        return self._engine.remember(self._scope, replace(draft, document=ref), idempotency_key)

    def list(
        self,
        *,
        collection: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
        as_of: object = None,
        known_at: object = None,
    ) -> DocumentPage:
        """Documents and stubs, a page at a time."""
        return self._engine.documents(
            self._scope,
            wire.optional_text(collection, "collection"),
            wire.whole(limit, "limit"),
            wire.optional_text(cursor, "cursor"),
            wire.optional_time(as_of, "as_of"),
            wire.optional_time(known_at, "known_at"),
        )

    def get(
        self, name: str, *, collection: str | None = None, as_of: object = None, known_at: object = None
    ) -> DocumentDetails:
        """One document, by its id (in a collection), with its relations both ways."""
        return self._engine.document(
            self._scope,
            wire.text_of(name, "name"),
            wire.optional_text(collection, "collection"),
            wire.optional_time(as_of, "as_of"),
            wire.optional_time(known_at, "known_at"),
        )

    def status(
        self,
        name: str,
        status: str,
        *,
        collection: str | None = None,
        text: str | None = None,
        idempotency_key: str | None = None,
        **fields: Any,
    ) -> Changed:
        """Say what a document's status was from a time on (`valid_from`; now, if left out)."""
        told = None if text is None else wire.text_of(text, "text")
        return self._engine.document_status(
            self._scope,
            wire.text_of(name, "name"),
            wire.text_of(status, "status"),
            wire.memory_draft({**fields, "text": told}),
            wire.optional_text(collection, "collection"),
            idempotency_key,
        )

    def _found(
        self, paths: Iterable[str | Path], collection: str | None
    ) -> Iterator[_File | tuple[str, TrigraphError] | int]:
        """Files in order; an error in place of what cannot be read; counts of what is passed over in folders."""
        for given in paths:
            path = Path(given).expanduser()
            if path.is_dir():
                root = path.resolve()
                name = collection or root.name or DEFAULT_COLLECTION
                passed_over = 0
                for file in _walk(root):
                    if file.suffix.lower() in ENDINGS:
                        yield _File(file, root, name)
                    else:
                        passed_over += 1
                yield passed_over
            elif not path.exists():
                yield str(given), BrokenFile(f"{given} is not there.", field="path", fix="Check the path.")
            elif path.suffix.lower() not in ENDINGS:
                yield str(given), _not_markdown(str(given))
            else:
                yield self._alone(path.resolve(), collection)

    def _alone(self, path: Path, collection: str | None) -> _File:
        """A lone file: of the collection that has it already, if one of its folders is one; else of its folder's."""
        for root in path.parents:
            name = collection or root.name
            if name and self._has(name, path.relative_to(root).as_posix()):
                return _File(path, root, name)
        return _File(path, path.parent, collection or path.parent.name or DEFAULT_COLLECTION)

    def _has(self, collection: str, path: str) -> bool:
        try:
            self._engine.document(self._scope, path, collection)
        except (NotFound, InvalidInput):
            return False
        return True

    def _check_root(self, collection: str, root: Path) -> None:
        """Raise if a collection's files stand elsewhere: a folder of the same name in another place is another one."""
        for one in self._engine.documents(self._scope, collection, PAGE).documents:
            if one.path is None or one.memory_id is None or not (root / one.path).exists():
                continue
            was = urlsplit(self._engine.find(self._scope, one.memory_id).provenance.uri or "")
            stood = Path(unquote(was.path))
            if was.scheme == "file" and stood != root / one.path and stood.exists():
                raise InvalidInput(
                    f"Collection {collection!r} has {one.path} from {stood}.",
                    field="collection",
                    fix="Give these files a collection of their own: --collection NAME.",
                )
            return

    def _gone(self, collection: str, root: Path) -> frozenset[str]:
        """Paths of a collection's documents at which no file stands any more."""
        paths = []
        cursor: str | None = None
        while True:
            page = self._engine.documents(self._scope, collection, PAGE, cursor)
            paths += [one.path for one in page.documents if one.path is not None and not one.stub]
            cursor = page.next_cursor
            if cursor is None:
                return frozenset(path for path in paths if not (root / path).exists())

    def _draft(self, file: object, gone: _Paths, beside: _Paths, fields: dict[str, Any]) -> MemoryDraft | TrigraphError:
        assert isinstance(file, _File)
        try:
            draft = _document_draft(_read(file.path, file.relative), {"uri": file.path.as_uri(), **fields})
        except TrigraphError as error:
            return error
        place = (file.collection, file.root)
        ref = DocumentRef(file.collection, file.relative, gone=gone[place], beside=beside[place])
        return replace(draft, document=ref)


def _document_draft(text: str, fields: dict[str, Any]) -> MemoryDraft:
    for name in ("kind", "subject", "type"):
        if name in fields:
            raise InvalidInput(f"A document takes no {name}.", field=name, fix="Leave it out.")
    return wire.memory_draft({"source": "document", **fields, "text": text, "kind": "document"})


def _walk(root: Path) -> Iterator[Path]:
    """Files below a folder, in order, without hidden ones; links to folders are not followed."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        for name in sorted(files):
            if not name.startswith("."):
                yield Path(folder) / name


def _read(path: Path, shown: str) -> str:
    try:
        if path.stat().st_size > BYTES_MOST:
            raise InvalidInput(
                f"{shown} has over {BYTES_MOST:,} bytes.", field="path", fix="Split it, or add it in parts."
            )
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_markdown(shown, f"it is not UTF-8 text (byte {error.start})") from error
    except OSError as error:
        raise BrokenFile(f"{shown} cannot be read ({error.strerror}).", field="path", fix="Check the path.") from error
    if "\0" in text:
        raise _not_markdown(shown, "it holds NUL bytes")
    return text


def _not_markdown(shown: str, why: str | None = None) -> BrokenFile:
    because = why or f"its name does not end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
    return BrokenFile(
        f"{shown} is not markdown: {because}.", field="path", fix="Convert it, or keep it with `trigraph remember`."
    )
