"""Documents as others write them: 97 Filecoin improvement proposals, 343 ADRs of 11 repositories.

The data is not part of trigraph (`TRIGRAPH_DATA`, by default ../shared/data). Without a model: vectors have no part in
what is asked here.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clocks import SettableClock
from trigraph.assembly import open_engine
from trigraph.bench.data import data_folder
from trigraph.errors import BrokenFile, NotFound
from trigraph.faces.library import Trigraph
from trigraph.model.document import Document
from trigraph.model.report import ItemStatus
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import DocumentSettings, EmbedderSettings, Settings

DATA = Path(__file__).parents[1] / "data"
START = datetime(2026, 9, 1, 12, tzinfo=UTC)
FRONT_MATTER = "front matter: "


def folder_of(name: str) -> Path:
    """A folder of measuring data, or the test is skipped, saying so."""
    try:
        return data_folder(name)
    except BrokenFile as error:
        pytest.skip(str(error))


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@contextmanager
def opened(clock: SettableClock, families: str | None = None) -> Iterator[Trigraph]:
    documents = DocumentSettings(families) if families else DocumentSettings()
    settings = Settings(embedder=EmbedderSettings(kind="none"), documents=documents)
    with Trigraph(open_engine(settings, in_memory=True, clock=clock), LOCAL_SCOPE) as memory:
        yield memory


def all_documents(memory: Trigraph) -> list[Document]:
    found: list[Document] = []
    cursor = None
    while True:
        page = memory.docs.list(limit=500, cursor=cursor)
        found += page.documents
        cursor = page.next_cursor
        if cursor is None:
            return found


class Fips:
    """The proposals as they were added, and how their states came in, long after, in any order."""

    def __init__(self, memory: Trigraph, clock: SettableClock, folder: Path) -> None:
        self.memory = memory
        self.folder = folder
        self.report = memory.docs.add(folder / "docs", collection="fips")
        clock.advance(days=1)
        self.before = clock()
        clock.advance(days=1)
        history = rows(folder / "status_history.csv")
        random.Random(54).shuffle(history)
        assert history != sorted(history, key=lambda row: row["valid_from_utc"])
        for row in history:
            memory.docs.status(row["id"], row["status"], collection="fips", valid_from=row["valid_from_utc"])
            clock.advance(seconds=1)
        self.told = len(history)

    def status(self, id: str, as_of: str, known_at: datetime | None = None) -> str:
        try:
            there = self.memory.docs.get(id, collection="fips", as_of=as_of, known_at=known_at)
        except NotFound:
            return "(absent)"
        return there.document.props["status"]


@pytest.fixture(scope="module")
def fips() -> Iterator[Fips]:
    folder = folder_of("fips")
    clock = SettableClock(START)
    with opened(clock, "FIP") as memory:
        yield Fips(memory, clock, folder)


@pytest.mark.req("T1")
def test_every_proposal_goes_in_under_its_own_id(fips: Fips) -> None:
    expected = rows(fips.folder / "docs.csv")
    assert fips.report.report().count(ItemStatus.ADDED) == len(fips.report.files) == len(expected) == 97
    there = {document.path: document for document in all_documents(fips.memory) if not document.stub}
    found = {(path, document.name.replace("-000", "-").replace("-00", "-").replace("-0", "-"))
             for path, document in there.items()}  # fmt: skip
    assert found == {(row["file"], row["id"]) for row in expected}


@pytest.mark.req("T1")
@pytest.mark.req("T2")
def test_the_relations_of_the_front_matter_are_those_declared(fips: Fips) -> None:
    name_of = {row["file"]: row["id"] for row in rows(fips.folder / "docs.csv")}
    documents = all_documents(fips.memory)
    called = {
        document.entity_id: name_of.get(document.path or "", f"FIP-{document.name.rpartition('-')[2].lstrip('0')}")
        for document in documents
    }
    by_text = {document.memory_id: document.entity_id for document in documents if document.memory_id}
    found, elsewhere = set(), set()
    for document in documents:
        for one in fips.memory.docs.get(document.entity_id).relations:
            for evidence in one.evidence:
                own = by_text[evidence.memory_id]
                other = one.target.id if one.source.id == own else one.source.id
                if evidence.section.startswith(FRONT_MATTER):
                    key = evidence.section.removeprefix(FRONT_MATTER)
                    found.add((called[own], key, called[other]))
                else:
                    elsewhere.add((called[own], one.type, called[other], evidence.section))
    by_key = {edge for edge in found if edge[1] != "status"}
    expected = {(row["source"], row["edge_type"], row["target"]) for row in rows(fips.folder / "edges.csv")}
    print(f"\nfips: {len(by_key)} relations by front matter keys, {len(found - by_key)} by a status there, "
          f"{len(elsewhere)} by sections")  # fmt: skip
    assert by_key == expected


@pytest.mark.req("T3")
def test_what_was_replaced_says_by_what_and_keeps_its_status(fips: Fips) -> None:
    """FIP-15 replaces FIP-9 and is Final: in force."""
    replaced = fips.memory.docs.get("FIP-9", collection="fips").document.props
    assert fips.memory.docs.get("FIP-15", collection="fips").document.props["status"] == "Final"
    assert replaced["superseded_by"].lstrip("FIP-").lstrip("0") == "15"
    assert replaced["status"] == "Superseded"


@pytest.mark.req("T7")
@pytest.mark.req("T9")
def test_what_the_status_was_at_any_time_though_it_came_late_and_in_any_order(fips: Fips) -> None:
    questions = rows(fips.folder / "asof_questions.csv")
    answers = [fips.status(row["id"], row["as_of"]) for row in questions]
    wrong = [
        (row["id"], row["as_of"], row["expected_status"], answer)
        for row, answer in zip(questions, answers, strict=True)
        if answer != row["expected_status"]
    ]
    print(f"\nfips: {len(questions) - len(wrong)} of {len(questions)} states at a time right")
    assert wrong == []
    assert len(questions) == 388
    assert sum(answer == "(absent)" for answer in answers) > 50


@pytest.mark.req("X1")
def test_before_the_history_arrived_nothing_was_known_of_those_times(fips: Fips) -> None:
    questions = rows(fips.folder / "asof_questions.csv")
    answers = {fips.status(row["id"], row["as_of"], known_at=fips.before) for row in questions}
    assert answers == {"(absent)"}
    day = START.date().isoformat()
    for row in rows(fips.folder / "docs.csv"):
        said = row["status"]
        for known_at in (fips.before, None):
            assert fips.status(row["id"], f"{day}T13:00:00Z", known_at).casefold() == said.casefold()


@pytest.mark.req("T7")
def test_the_chains_of_states_are_whole_after_it(fips: Fips) -> None:
    assert [check.name for check in fips.memory.audit().checks if check.broken] == []


Edge = tuple[str, str, str, str]


class Adrs:
    """Eleven collections, each the top folder of a repository."""

    def __init__(self, memory: Trigraph, folder: Path) -> None:
        self.memory = memory
        self.folders = sorted(path for path in folder.iterdir() if path.is_dir())
        self.first = memory.docs.add(self.folders)
        self.again = memory.docs.add(self.folders)
        self.found = self.relations()
        self.diff = memory.fixup_memory_graph()
        memory.fixup_memory_graph(apply=True)
        self.repaired = self.relations()

    def relations(self) -> set[Edge]:
        """(collection, file, type, file) of every relation."""
        documents = all_documents(self.memory)
        paths = {one.entity_id: one.path or f"(stub) {one.name}" for one in documents}
        return {
            (one.collection, paths[edge.source.id], edge.type.value, paths[edge.target.id])
            for one in documents
            for edge in self.memory.docs.get(one.entity_id).relations
        }


def labelled() -> tuple[set[Edge], set[Edge]]:
    """What a reader of all files found: what is certain, and what that reader called debatable."""
    certain: set[Edge] = set()
    debatable: set[Edge] = set()
    for row in rows(DATA / "adr_relations.csv"):
        edge = (row["file"].partition("/")[0], row["source_file"], row["type"], row["target"])
        (debatable if row["note"].startswith("debatable") else certain).add(edge)
    return certain, debatable - certain


def figures(found: set[Edge]) -> str:
    certain, debatable = labelled()
    right, missed = found & (certain | debatable), (certain | debatable) - found
    return (
        f"{len(found)} relations; precision {len(right)}/{len(found)}; recall {len(right)}/{len(certain | debatable)}, "
        f"of the certain ones {len(found & certain)}/{len(certain)}; missed: {sorted(missed)}"
    )


@pytest.fixture(scope="module")
def adrs() -> Iterator[Adrs]:
    folder = folder_of("adrs")
    with opened(SettableClock(START)) as memory:
        yield Adrs(memory, folder)


@pytest.mark.req("T1")
def test_343_decision_records_go_in_each_as_a_document_of_its_own(adrs: Adrs) -> None:
    files = sum(1 for folder in adrs.folders for _ in folder.rglob("*.md"))
    assert len(adrs.folders) == 11
    statuses = {one.path: one.result.status for one in adrs.first.files}
    assert adrs.first.report().count(ItemStatus.ADDED) == len(adrs.first.files) == files == 343, statuses
    assert {one.collection for one in adrs.first.files} == {folder.name for folder in adrs.folders}
    there = [one for one in all_documents(adrs.memory) if not one.stub]
    assert {(one.collection, one.path) for one in there} == {(one.collection, one.path) for one in adrs.first.files}
    assert len({one.memory_id for one in there}) == 343


@pytest.mark.req("T1")
def test_added_again_nothing_is_new(adrs: Adrs) -> None:
    assert adrs.again.report().count(ItemStatus.DUPLICATE) == len(adrs.again.files) == 343
    ids = [[one.result.id for one in report.files] for report in (adrs.first, adrs.again)]
    assert ids[0] == ids[1]


@pytest.mark.req("T1")
@pytest.mark.req("T3")
def test_the_relations_are_those_that_a_reader_found(adrs: Adrs) -> None:
    """What its reader called debatable may be there or not."""
    certain, debatable = labelled()
    print(f"\nadrs, as added: {figures(adrs.found)}")
    assert adrs.found - certain - debatable == set()
    assert certain - adrs.found == set()


@pytest.mark.req("T4")
def test_the_backfill_finds_nothing_to_do_after_adding(adrs: Adrs) -> None:
    assert adrs.diff.documents == 343
    assert adrs.diff.empty


@pytest.mark.req("T4")
def test_after_the_backfill_the_relations_are_those_that_a_reader_found(adrs: Adrs) -> None:
    certain, debatable = labelled()
    print(f"\nadrs, after the backfill: {figures(adrs.repaired)}")
    assert adrs.repaired - certain - debatable == set()
    assert certain - adrs.repaired == set()
    assert adrs.memory.fixup_memory_graph().empty


@pytest.mark.req("T1")
def test_what_is_no_markdown_gets_a_clear_word(adrs: Adrs) -> None:
    licence = next(path for folder in adrs.folders for path in sorted(folder.glob("LICEN*")))
    (refused,) = adrs.memory.docs.add(licence).files
    assert (refused.result.status, refused.result.id) == (ItemStatus.ERROR, None)
    assert licence.name in str(refused.result.reason)
    assert "is not markdown" in str(refused.result.reason)
    assert ".md" in str(refused.result.reason)
    assert adrs.first.passed_over > 0
