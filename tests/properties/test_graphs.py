"""Relations and links under any order of verbs: what holds when, repairs, and walks that always end.

The models share no code with the product: which text of a document holds when, what was known then, and how far a
walk goes are written down here a second time, as in the glossary.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clocks import SettableClock
from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.engine.read import tracing
from trigraph.errors import InvalidInput, NotFound
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.report import ItemStatus
from trigraph.model.scope import LOCAL_SCOPE, Scope
from trigraph.model.trace import Trace
from trigraph.settings import EmbedderSettings, LinkSettings, Settings

START = datetime(2026, 9, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
SECTIONS = {"Related": "REFERENCES", "Depends on": "DEPENDS_ON", "Implements": "IMPLEMENTS", "Supersedes": "SUPERSEDES"}
DOCUMENTS = ("SPEC-1", "SPEC-2", "SPEC-3")
TARGETS = (*DOCUMENTS, "SPEC-9")
"""The last is never written: it stays a stub."""

Triple = tuple[str, str, str]
some = settings(deadline=None, max_examples=50)
few = settings(deadline=None, max_examples=20)


@contextmanager
def opened(home: Path | None = None, embedder: Embedder | None = None) -> Iterator[tuple[Trigraph, SettableClock]]:
    """Memory in which nothing is linked by itself, and its clock."""
    clock = SettableClock(START)
    told = Settings(
        home=str(home or ""),
        embedder=EmbedderSettings(kind="none" if embedder is None else "pack"),
        links=LinkSettings(automatic="none"),
    )
    engine = open_engine(told, in_memory=home is None, clock=clock, embedder=embedder)
    with Trigraph(engine, LOCAL_SCOPE) as memory:
        yield memory, clock


# Relations


@dataclass(frozen=True)
class Version:
    """What was known of a text from `known_from` on: when it holds, and whether it was forgotten."""

    known_from: datetime
    start: datetime
    end: datetime | None
    replaced: bool = False
    forgotten: bool = False

    def holds(self, at: datetime) -> bool:
        return not self.forgotten and self.start <= at and (self.end is None or at < self.end)


@dataclass
class Text:
    """One text of a document."""

    id: str
    written: str
    declares: frozenset[Triple]
    versions: list[Version]

    @property
    def now(self) -> Version:
        return self.versions[-1]

    def known(self, at: datetime) -> Version | None:
        return next((version for version in reversed(self.versions) if version.known_from <= at), None)


@dataclass
class Library:
    """Documents with all the texts they ever had."""

    texts: dict[str, list[Text]] = field(default_factory=dict)

    def around(self, name: str, start: datetime) -> tuple[Text | None, Text | None]:
        """The text that began last before a time, and the one that began next; of those that stand."""
        standing = [text for text in self.texts.get(name, []) if not text.now.forgotten]
        standing.sort(key=lambda text: text.now.start)
        before = [text for text in standing if text.now.start <= start]
        after = [text for text in standing if text.now.start > start]
        return (before[-1] if before else None), (after[0] if after else None)

    def put(self, name: str, id: str, written: str, declares: frozenset[Triple], start: datetime, at: datetime) -> None:
        before, after = self.around(name, start)
        if before is not None:
            ends = start if before.now.end is None else min(start, before.now.end)
            before.versions.append(replace(before.now, known_from=at, end=ends, replaced=True))
        end = after.now.start if after else None
        text = Text(id, written, declares, [Version(at, start, end, replaced=after is not None)])
        self.texts.setdefault(name, []).append(text)

    def relations(self, as_of: datetime, known_at: datetime) -> set[Triple]:
        found: set[Triple] = set()
        for texts in self.texts.values():
            for text in texts:
                version = text.known(known_at)
                if version is not None and version.holds(as_of):
                    found |= text.declares
        return found


def written(name: str, refers: frozenset[tuple[str, str]], superseded_by: str | None, edition: int) -> str:
    told = [f"# {name}: a document\n\nEdition {edition}.\n"]
    if superseded_by:
        told.append(f"## Status\n\nAccepted. Superseded by {superseded_by}.\n")
    for heading in SECTIONS:
        if items := sorted(target for section, target in refers if section == heading):
            told.append(f"## {heading}\n\n" + "".join(f"- {item}\n" for item in items))
    return "\n".join(told)


def declared(name: str, refers: frozenset[tuple[str, str]], superseded_by: str | None) -> frozenset[Triple]:
    """What a text says of others; of itself it says nothing."""
    found = {(name, SECTIONS[section], target) for section, target in refers}
    if superseded_by:
        found.add((superseded_by, "SUPERSEDES", name))
    return frozenset((one, type_, other) for one, type_, other in found if one != other)


references = st.frozensets(st.tuples(st.sampled_from(list(SECTIONS)), st.sampled_from(TARGETS)), max_size=4)
picks = st.integers(0, 1000)
puts = st.tuples(
    st.just("put"),
    st.sampled_from(DOCUMENTS),
    references,
    st.sampled_from([None, None, None, *TARGETS]),
    st.integers(0, 1),
    st.sampled_from([None, None, None, 1, 2, 5]),
)
"""A text, of one of two editions; with a number it arrives late: it began so many hours and a bit ago."""
deeds = st.lists(
    st.one_of(
        puts,
        puts,
        puts,
        st.tuples(st.just("revert"), st.sampled_from(DOCUMENTS), picks),
        st.tuples(st.just("forget"), picks),
        st.tuples(st.just("restore"), picks),
    ),
    min_size=1,
    max_size=12,
)


class Desk:
    """Does the same to the memory and to the model."""

    def __init__(self, memory: Trigraph, clock: SettableClock) -> None:
        self.memory = memory
        self.clock = clock
        self.library = Library()
        self.times = [START - HOUR, START]

    def do(self, deed: tuple) -> None:  # type: ignore[type-arg]
        self.clock.advance(hours=1)
        match deed:
            case ("put", name, refers, by, edition, late):
                self._put(name, written(name, refers, by, edition), declared(name, refers, by), late)
            case ("revert", name, pick):
                if texts := self.library.texts.get(name):
                    text = texts[pick % len(texts)]
                    self._put(name, text.written, text.declares, None)
            case ("forget", pick):
                if standing := [text for text in self._all() if not text.now.forgotten]:
                    text = standing[pick % len(standing)]
                    at = self.memory.forget(text.id).at
                    text.versions.append(replace(text.now, known_from=at, forgotten=True))
            case ("restore", pick):
                if gone := [text for text in self._all() if text.now.forgotten]:
                    text = gone[pick % len(gone)]
                    if self._overlaps(text):
                        return  # see test_a_text_that_is_restored_holds_until_the_next_began
                    at = self.memory.restore(text.id).at
                    text.versions.append(replace(text.versions[-2], known_from=at))
        self.times.append(self.clock())

    def _all(self) -> list[Text]:
        return [text for texts in self.library.texts.values() for text in texts]

    def _overlaps(self, text: Text) -> bool:
        """Whether another text of the document holds at a time at which this one did."""
        of = next(texts for texts in self.library.texts.values() if text in texts)
        return any(
            (one.now.end is None or text.now.start < one.now.end)
            and (text.now.end is None or one.now.start < text.now.end)
            for one in of
            if not one.now.forgotten
        )

    def _put(self, name: str, text: str, declares: frozenset[Triple], late: int | None) -> None:
        start = self.clock() if late is None else self.clock() - late * HOUR - timedelta(minutes=20)
        before, _ = self.library.around(name, start)
        if before is not None and before.written == text and not before.now.holds(start):
            return  # see test_a_text_that_holds_no_longer_can_be_put_again
        fields = {} if late is None else {"valid_from": start.isoformat()}
        if before is not None and before.written != text and before.now.start == start:
            with pytest.raises(InvalidInput):
                self.memory.docs.put(text, **fields)
            return
        result = self.memory.docs.put(text, **fields).items[0]
        if before is not None and before.written == text:
            assert (result.status, result.id) == (ItemStatus.DUPLICATE, before.id)
            return
        assert result.status is (ItemStatus.ADDED if before is None else ItemStatus.UPDATED)
        assert result.id is not None
        self.library.put(name, result.id, text, declares, start, self.memory.get(result.id).created_at)

    def seen(self, as_of: datetime | None = None, known_at: datetime | None = None) -> set[Triple]:
        """What the memory says, asked of every document from both its ends."""
        found: set[Triple] = set()
        for name in TARGETS:
            try:
                of = self.memory.relations(name, as_of=as_of, known_at=known_at)
            except NotFound:
                continue
            told = {(one.source.name, one.type.value, one.target.name) for one in of}
            assert len(told) == len(of)
            assert all(name in (one, other) for one, _, other in told)
            found |= told
        return found

    def now(self) -> set[Triple]:
        return self.library.relations(self.clock(), self.clock())


@pytest.mark.req("T3")
@pytest.mark.req("X1")
@some
@given(deeds, st.lists(st.tuples(picks, picks), min_size=8, max_size=8))
def test_relations_at_any_time_by_what_was_known_at_any_other(
    deeds: list[tuple],  # type: ignore[type-arg]
    asked: list[tuple[int, int]],
) -> None:
    with opened() as (memory, clock):
        desk = Desk(memory, clock)
        for deed in deeds:
            desk.do(deed)
            assert desk.seen() == desk.now()
        at = [*desk.times, *(time - timedelta(minutes=10) for time in desk.times)]
        for one, other in asked:
            as_of, known_at = at[one % len(at)], desk.times[other % len(desk.times)]
            expected = desk.library.relations(as_of, known_at)
            assert desk.seen(as_of=as_of, known_at=known_at) == expected, (as_of, known_at)


@pytest.mark.req("T4")
@some
@given(deeds)
def test_the_backfill_has_nothing_to_do_after_any_sequence(deeds: list[tuple]) -> None:  # type: ignore[type-arg]
    with opened() as (memory, clock):
        desk = Desk(memory, clock)
        for deed in deeds:
            desk.do(deed)
        for apply in (False, True, True):
            diff = memory.fixup_memory_graph(apply=apply)
            assert (diff.added, diff.closed) == ((), ())
        assert desk.seen() == desk.now()
        # Documents may say that they supersede each other: the audit tells, and it is theirs to mend.
        assert {check.name for check in memory.audit().checks if check.broken} <= {"cycles"}


@pytest.mark.req("T4")
@few
@given(deeds, st.lists(st.tuples(st.booleans(), picks, picks, picks), min_size=1, max_size=4))
def test_whatever_broke_the_rows_the_backfill_mends_and_twice_is_once(
    deeds: list[tuple],  # type: ignore[type-arg]
    breaks: list[tuple[bool, int, int, int]],
) -> None:
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder) / "home") as (memory, clock):
        desk = Desk(memory, clock)
        for deed in (("put", "SPEC-1", frozenset({("Related", "SPEC-9")}), None, 0, None), *deeds):
            desk.do(deed)
        clock.advance(hours=1)
        with apsw.Connection(str(Path(folder) / "home" / "default.db")) as connection:
            for deleted, *which in breaks:
                _break(connection, which, deleted=deleted)
        clock.advance(hours=1)
        looked = memory.fixup_memory_graph()
        done = memory.fixup_memory_graph(apply=True)
        assert (looked.added, looked.closed, looked.applied) == (done.added, done.closed, False)
        assert done.applied
        assert desk.seen() == desk.now()
        mended = memory.fixup_memory_graph(apply=True)
        assert (mended.added, mended.closed) == ((), ())
        assert mended.unchanged == done.unchanged + len(done.added)
        assert desk.seen() == desk.now()
        assert memory.audit().checks[-1].name == "memory_graph"
        assert memory.audit().checks[-1].broken == 0


def _break(connection: apsw.Connection, which: list[int], *, deleted: bool) -> None:
    """Take one row of evidence away, or put one that no text bears out."""
    texts = connection.execute("SELECT key FROM memory WHERE kind = 'document' ORDER BY key").fetchall()
    things = connection.execute("SELECT entity_key FROM document ORDER BY entity_key").fetchall()
    rows = connection.execute("SELECT relation_key, memory_key, section FROM evidence ORDER BY 1, 2, 3").fetchall()
    if deleted and rows:
        row = rows[which[0] % len(rows)]
        connection.execute("DELETE FROM evidence WHERE relation_key = ? AND memory_key = ? AND section = ?", row)
    elif not deleted and texts and len(things) > 1:
        source = things[which[0] % len(things)][0]
        target = next(key for (key,) in things[which[1] % len(things) :] + things if key != source)
        connection.execute(
            "INSERT OR IGNORE INTO relation (project, source_key, type, target_key) VALUES ('default', ?, 'USES', ?)",
            (source, target),
        )
        connection.execute(
            """INSERT OR IGNORE INTO evidence (relation_key, memory_key, section, ordinal, known_from)
               SELECT key, ?, 'Nowhere', 0, 0 FROM relation
               WHERE source_key = ? AND type = 'USES' AND target_key = ?""",
            (texts[which[2] % len(texts)][0], source, target),
        )


@pytest.mark.req("T3")
@pytest.mark.parametrize("times", [1, 3])
def test_closing_and_reopening_keeps_the_history(times: int) -> None:
    with opened() as (memory, clock):
        texts = {there: f"# SPEC-1: a document\n\n{'## Depends on' + chr(10) * 2 + '- SPEC-2' if there else 'Alone.'}\n"
                 for there in (True, False)}  # fmt: skip
        marks: list[tuple[datetime, bool]] = []
        for there in [True, False] * times:
            memory.docs.put(texts[there])
            clock.advance(hours=1)
            marks.append((clock(), there))
            clock.advance(hours=1)
        for at, there in marks:
            for known_at in (at, clock()):
                found = memory.relations("SPEC-1", as_of=at, known_at=known_at)
                assert [one.target.name for one in found] == (["SPEC-2"] if there else [])
        first = memory.relations("SPEC-1", as_of=marks[0][0])[0]
        assert (first.created_at, len(first.evidence)) == (START, 1)


@pytest.mark.req("T3")
def test_an_update_that_leaves_the_reference_in_place_keeps_it() -> None:
    with opened() as (memory, clock):
        for edition in range(3):
            memory.docs.put(f"# SPEC-1: a document\n\nEdition {edition}.\n\n## Depends on\n\n- SPEC-2\n")
            clock.advance(hours=1)
        for hours in (0.5, 1, 1.5, 2.5):
            (held,) = memory.relations("SPEC-1", as_of=START + hours * HOUR)
            assert held.target.name == "SPEC-2"


FIRST, SECOND, THIRD = (f"# SPEC-1: a document\n\n## Depends on\n\n- SPEC-{number}\n" for number in (2, 3, 4))


@pytest.mark.req("T1")
def test_a_text_that_holds_no_longer_can_be_put_again() -> None:
    """The second text is forgotten: the document has none. The first one, put again, is its text from then on."""
    with opened() as (memory, clock):
        memory.docs.put(FIRST)
        clock.advance(hours=1)
        second = memory.docs.put(SECOND).id
        clock.advance(hours=1)
        memory.forget(str(second))
        clock.advance(hours=1)
        memory.docs.put(FIRST)
        assert [one.target.name for one in memory.relations("SPEC-1")] == ["SPEC-2"]


@pytest.mark.req("T3")
def test_a_text_that_is_restored_holds_until_the_next_began() -> None:
    with opened() as (memory, clock):
        memory.docs.put(FIRST)
        clock.advance(hours=1)
        second = memory.docs.put(SECOND).id
        clock.advance(hours=1)
        memory.forget(str(second))
        clock.advance(hours=1)
        memory.docs.put(THIRD)
        clock.advance(hours=1)
        memory.restore(str(second))
        assert [one.target.name for one in memory.relations("SPEC-1")] == ["SPEC-4"]
        clock.advance(hours=1)
        memory.docs.put("# SPEC-1: a document\n\nAlone.\n")
        assert memory.relations("SPEC-1") == []


# Links


LINKED = ("relates_to", "temporal", "implements", "contradicts", "derived_from", "duplicate_of")


@dataclass(frozen=True)
class Node:
    """A memory of the model."""

    id: str
    at: datetime
    private: bool


@dataclass(frozen=True)
class Tie:
    type: str
    one: int
    other: int
    confidence: float


nodes = st.lists(
    st.tuples(st.integers(0, 12 * 24), st.sampled_from([False, False, False, True])), min_size=2, max_size=9
)
ties = st.lists(
    st.tuples(
        st.sampled_from([*LINKED, "temporal", "temporal", "relates_to", "relates_to"]),
        picks,
        picks,
        st.sampled_from([0.0, 0.3, 0.49, 0.5, 0.59, 0.6, 0.61, 1.0]),
    ),
    max_size=30,
)


class Web:
    """Decisions of two agents on one topic and any links between them; what is private is the second agent's."""

    def __init__(
        self,
        memory: Trigraph,
        clock: SettableClock,
        made: list[tuple[int, bool]],
        tied: list[tuple[str, int, int, float]],
    ) -> None:
        memory.admin.set_agent("default", "default", "bob", ReadPolicy.SHARED)
        self.memory = memory
        self.bob = Trigraph(memory.engine, Scope("default", "default", "bob"))
        self.nodes: list[Node] = []
        for number, (hours, private) in enumerate(made):
            at = START - timedelta(days=30) + hours * HOUR + timedelta(seconds=number)
            by = self.bob if private else memory
            seen = {"visibility": "private"} if private else {}
            text = f"Moor the ferry at quay {number}"
            told = by.decide(text, topic="Berth", occurred_at=at.isoformat(), **seen)
            self.nodes.append(Node(told.id, at, private))
        self.ties: list[Tie] = []
        for type_, one, other, confidence in tied:
            one, other = one % len(made), other % len(made)
            if one != other and not any((tie.type, tie.one, tie.other) == (type_, one, other) for tie in self.ties):
                self.bob.link(self.nodes[one].id, self.nodes[other].id, type_, confidence=confidence)
                self.ties.append(Tie(type_, one, other, confidence))
        clock.advance(days=200)

    def visible(self, agent: Trigraph) -> set[int]:
        return {number for number, node in enumerate(self.nodes) if agent is self.bob or not node.private}

    def reached(
        self, agent: Trigraph, start: int, depth: int, follows: Callable[[Tie, int, int], bool]
    ) -> dict[str, int]:
        """Every memory within so many links that may be followed, and how many it takes."""
        visible, far = self.visible(agent), {start: 0}
        for level in range(1, depth + 1):
            for tie in self.ties:
                for here, there in ((tie.one, tie.other), (tie.other, tie.one)):
                    if (
                        far.get(here) == level - 1
                        and there in visible
                        and there not in far
                        and follows(tie, here, there)
                    ):
                        far[there] = level
        return {self.nodes[number].id: level for number, level in far.items()}

    def back(self, tie: Tie, here: int, there: int) -> bool:
        return (
            tie.type in ("supersedes", "relates_to")
            and tie.confidence >= 0.6
            and self.nodes[there].at <= self.nodes[here].at
        )

    def forward_from(self, start: int) -> Callable[[Tie, int, int], bool]:
        until = self.nodes[start].at + timedelta(days=7)

        def forward(tie: Tie, here: int, there: int) -> bool:
            if tie.type == "temporal":
                leads = tie.one == here
            else:
                leads = tie.type in ("implements", "outcome_of") and tie.other == here
            return leads and self.nodes[here].at <= self.nodes[there].at <= until

        return forward


def depths(trace: Trace) -> dict[str, int]:
    found = {step.memory.id: step.depth for step in trace.steps}
    assert len(found) == len(trace.steps), "a memory is shown twice"
    return found


@pytest.mark.req("L5")
@pytest.mark.req("L7")
@some
@given(nodes, ties, st.sampled_from([1, 2, 3, 5, 200, 200, 200]))
def test_any_web_of_links_is_walked_to_its_end_or_to_the_budget(
    made: list[tuple[int, bool]], tied: list[tuple[str, int, int, float]], budget: int
) -> None:
    with opened() as (memory, clock), patch.object(tracing, "NODES_MOST", budget):
        web = Web(memory, clock, made, tied)
        for agent in (memory, web.bob):
            walks: list[tuple[Trace, dict[str, int]]] = []
            for start in sorted(web.visible(agent)):
                trace = agent.trace_impact(web.nodes[start].id)
                walks.append((trace, web.reached(agent, start, 5, web.forward_from(start))))
            if own := web.visible(agent):
                latest = max(own, key=lambda number: web.nodes[number].at)
                walks.append((agent.trace_evolution("berth"), web.reached(agent, latest, 10, web.back)))
            for trace, expected in walks:
                found = depths(trace)
                assert trace.truncated is (len(expected) > budget)
                assert len(found) == min(len(expected), budget)
                assert found.items() <= expected.items()


@pytest.mark.req("L5")
@pytest.mark.req("L7")
@few
@given(nodes, ties, picks, st.sampled_from([1, 3, 200, 200]))
def test_the_context_of_a_question_is_bounded_and_private_to_none(
    embedder: Embedder,
    made: list[tuple[int, bool]],
    tied: list[tuple[str, int, int, float]],
    pick: int,
    budget: int,
) -> None:
    with opened(embedder=embedder) as (memory, clock), patch.object(tracing, "NODES_MOST", budget):
        web = Web(memory, clock, made, tied)
        for agent in (memory, web.bob):
            visible = sorted(web.visible(agent))
            if not visible:
                continue
            start = visible[pick % len(visible)]
            trace = agent.trace_context("Moor the ferry at quay 3", web.nodes[start].id)
            expected = web.reached(agent, start, 2, lambda tie, *_: tie.confidence >= 0.5)
            found = depths(trace)
            assert set(found) == {web.nodes[number].id for number in visible} - {web.nodes[start].id}
            near = {id: depth for id, depth in found.items() if depth}
            assert trace.truncated is (len(expected) > budget)
            assert len(near) == min(len(expected), budget) - 1
            assert near.items() <= expected.items()
            assert [step.score for step in trace.steps] == sorted((step.score for step in trace.steps), reverse=True)
