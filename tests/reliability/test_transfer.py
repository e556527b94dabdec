"""Export and import: nothing is lost, nothing is doubled, and what is not whole is refused."""

from __future__ import annotations

import hashlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from soundness import digest, faults
from town import (
    AGENTS,
    START,
    Record,
    Town,
    agent,
    asked,
    differences,
    differing,
    fill,
    lines_of,
    minutes,
    opened,
    pages,
    read,
    recalled_once,
    records,
    records_end,
    register,
    sealed,
    talk,
)
from trigraph.contracts import Embedder
from trigraph.engine.keep import transfer
from trigraph.errors import BrokenFile, Conflict, Forbidden, InvalidInput, NotFound, StoreError
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.ids import new_id
from trigraph.model.relation import Relation
from trigraph.model.scope import DEFAULT_NAME, Scope
from trigraph.model.transfer import ExportReport, ImportReport
from trigraph.text.cleaning import content_hash

if TYPE_CHECKING:
    from clocks import SettableClock

PROCESS = Path(__file__).with_name("transfer_process.py")
MANY, MORE = 5_000, 50_000
GROWTH_BYTES = 40_000_000
"""Measured: 15 MB each, the page cache of a larger store; a file read whole would be 40 MB and its records more."""


@dataclass(frozen=True)
class Filled:
    """A home with everything in it, its export, and what was read there. No test may change it."""

    home: Path
    file: Path
    report: ExportReport
    town: Town
    asked: dict[str, object]
    read: dict[str, object]
    clock: SettableClock


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Filled:
    from clocks import SettableClock

    folder = tmp_path_factory.mktemp("filled")
    clock = SettableClock(START)
    with opened(folder / "home", clock, embedder) as memory:
        town = fill(memory, clock)
        answers = asked(memory)
        reads = read(memory, town)
        report = memory.export(folder / "all.jsonl", everything=True)
    return Filled(folder / "home", folder / "all.jsonl", report, town, answers, reads, clock)


class TestRoundTrip:
    def test_everything_is_in_it(self, filled: Filled) -> None:
        assert set(filled.report.counts) == set(transfer.KINDS)
        kinds = {record["kind"] for record in records(filled.file) if record["record"] == "memory"}
        assert {"decision", "checkpoint", "outcome", "episode", "document", "skill", "summary", "context"} <= kinds
        assert faults(filled.home) == []

    def test_documents_relations_and_links_of_every_sort_are_in_it(self, filled: Filled) -> None:
        held = records(filled.file)
        documents = [one["document"] for one in held if one["record"] == "entity" and one["document"]]
        numbered = {one["collection"] for one in documents if one["name_key"] == "spec 301"}
        assert numbered == {"north", "south"}
        assert {one["path"] is None for one in documents} == {True, False}
        evidence = [piece for one in held if one["record"] == "relation" for piece in one["evidence"]]
        assert {piece["known_until"] is None for piece in evidence} == {True, False}
        assert any(len(one["evidence"]) > 1 for one in held if one["record"] == "relation")
        drawn = [one for one in held if one["record"] == "link" and one["created_by"] == "system"]
        by = {(one["similarity"] is not None, one["gap_seconds"] is not None) for one in drawn}
        assert by == {(True, False), (False, True), (False, False)}

    def test_the_documents_read_as_they_are_told(self, filled: Filled, embedder: Embedder, tmp_path: Path) -> None:
        """What is compared above is not compared with itself alone: this much the town is known to hold."""
        ids = filled.town.ids
        with opened(tmp_path / "home", filled.clock, embedder) as memory:
            memory.import_(filled.file)
            north = memory.docs.get("SPEC-301", collection="north")
            south = memory.docs.get("SPEC-301", collection="south")
            assert (north.document.memory_id, south.document.memory_id) == (ids["north 301 updated"], ids["south 301"])
            assert [one.type for one in south.relations] == ["EXTENDS"]
            then = memory.docs.get("SPEC-301", collection="north", as_of=filled.town.times[-1] - timedelta(days=1))
            assert _told(then.relations) - _told(north.relations) == {("SPEC-301", "REFERENCES", "SPEC-399")}
            stubs = {one.name for one in memory.docs.list(limit=500).documents if one.stub}
            assert stubs == {"SPEC-300", "SPEC-399", "ADR-310"}  # the second in a text that held once
            assert "SPEC-398" in {one.name for one in agent(memory, "ana").docs.list(limit=500).documents}
            assert memory.docs.get("SPEC-300", collection="north").document.props["superseded_by"] == "SPEC-302"
            assert [check for check in memory.audit().checks if check.broken] == []
            assert memory.fixup_memory_graph().added == memory.fixup_memory_graph().closed == ()

    def test_a_home_that_was_lost_comes_back_as_it_was(
        self, filled: Filled, embedder: Embedder, tmp_path: Path
    ) -> None:
        home = tmp_path / "home"
        shutil.copytree(filled.home, home)
        with opened(home, filled.clock, embedder) as memory:
            assert memory.export(tmp_path / "one.jsonl", everything=True).digest == filled.report.digest
        shutil.rmtree(home)
        with opened(home, filled.clock, embedder) as memory:
            report = memory.import_(tmp_path / "one.jsonl")
            again = memory.export(tmp_path / "two.jsonl", everything=True)
            assert (report.conflicts, report.waiting_for_vector) == ((), 0)
            assert differing(tmp_path / "one.jsonl", tmp_path / "two.jsonl") == []
            assert (again.digest, again.counts) == (filled.report.digest, filled.report.counts)
            assert differences(filled.read, read(memory, filled.town)) == {}
            assert differences(filled.asked, asked(memory)) == {}
        assert faults(home) == []

    def test_it_comes_back_as_it_was_a_year_later_too(self, filled: Filled, embedder: Embedder, tmp_path: Path) -> None:
        later = START + timedelta(days=400)
        with opened(tmp_path / "home", lambda: later, embedder) as memory:
            memory.import_(filled.file)
            again = memory.export(tmp_path / "two.jsonl", everything=True)
        assert differing(filled.file, tmp_path / "two.jsonl") == []
        assert again.digest == filled.report.digest

    def test_what_was_exported_without_vectors_is_the_same_and_waits_for_them(
        self, filled: Filled, embedder: Embedder, tmp_path: Path
    ) -> None:
        with opened(filled.home, filled.clock, embedder) as memory:
            report = memory.export(tmp_path / "plain.jsonl", everything=True, vectors=False)
        assert report.digest == filled.report.digest
        with opened(tmp_path / "home", filled.clock, embedder) as memory:
            imported = memory.import_(tmp_path / "plain.jsonl")
            assert imported.waiting_for_vector == report.counts["memory"]
            memory.reembed()
            assert memory.stats().waiting_for_vector == 0
            answers = asked(memory)
        assert _hits(answers) == _hits(filled.asked)

    def test_a_confidence_is_kept_to_the_last_digit(self, filled: Filled, embedder: Embedder, tmp_path: Path) -> None:
        with opened(tmp_path / "home", filled.clock, embedder) as memory:
            memory.import_(filled.file)
            (port,) = [
                one for one in memory.history(filled.town.ids["port"]).memories if one.id == filled.town.ids["port"]
            ]
        assert port.confidence == 1 / 3

    def test_importing_twice_changes_nothing(self, filled: Filled, embedder: Embedder, tmp_path: Path) -> None:
        home = tmp_path / "home"
        with opened(home, filled.clock, embedder) as memory:
            first = memory.import_(filled.file)
            before = digest(home)
            second = memory.import_(filled.file)
            assert memory.export(tmp_path / "two.jsonl", everything=True).digest == filled.report.digest
        assert first.counts.get("added", 0) > 0
        assert (set(second.counts), second.conflicts) == ({"same"}, ())
        assert digest(home) == before

    def test_importing_into_the_home_it_came_from_changes_nothing(
        self, filled: Filled, embedder: Embedder, tmp_path: Path
    ) -> None:
        shutil.copytree(filled.home, tmp_path / "home")
        before = digest(tmp_path / "home")
        with opened(tmp_path / "home", filled.clock, embedder) as memory:
            report = memory.import_(filled.file)
        assert (set(report.counts), report.conflicts) == ({"same"}, ())
        assert digest(tmp_path / "home") == before

    def test_the_file_is_for_its_owner_only(self, filled: Filled) -> None:
        assert filled.file.stat().st_mode & 0o077 == 0

    def test_after_an_import_life_goes_on(self, filled: Filled, embedder: Embedder, tmp_path: Path) -> None:
        with opened(tmp_path / "home", filled.clock, embedder) as memory:
            memory.import_(filled.file)
            new = memory.remember("Valkey is back, says SPEC-54").id
            assert {one.name for one in memory.mentions(new)} == {"Valkey", "SPEC-054"}
            memory.persona_update("Nova", "Nova is slow")
            memory.remember_thread([{"text": "More of it"}], name="cellar", append=True)
            assert memory.recall("Valkey is back", limit=1).hits[0].memory.id == new
        assert faults(tmp_path / "home") == []


def _told(relations: Iterable[Relation]) -> set[tuple[str, str, str]]:
    return {(one.source.name, str(one.type), one.target.name) for one in relations}


def _hits(answers: Mapping[str, Any]) -> dict[str, list[tuple[str, float]]]:
    return {name: [(hit[0].id, round(hit[1], 3)) for hit in hits] for name, hits in answers.items()}


class TestOneAgentsExport:
    @pytest.mark.parametrize("name", AGENTS)
    def test_it_holds_what_the_agent_may_see_and_nothing_else(
        self, name: str, filled: Filled, embedder: Embedder, tmp_path: Path
    ) -> None:
        with opened(filled.home, filled.clock, embedder) as memory:
            who = agent(memory, name)
            who.export(tmp_path / "one.jsonl")
            seen = {one.id for page in pages(who) for one in page.memories}
            hidden = {one.id: one.text for page in pages(memory) for one in page.memories} | {
                id: text for other in AGENTS for id, text in _texts_of(agent(memory, other)).items()
            }
        text = (tmp_path / "one.jsonl").read_text(encoding="utf-8")
        held = {record["id"] for record in records(tmp_path / "one.jsonl") if record["record"] == "memory"}
        assert seen <= held
        assert {record["record"] for record in records(tmp_path / "one.jsonl")}.isdisjoint({"agent", "group", "erased"})
        for id in hidden.keys() - seen - held:
            assert id not in text
            assert json.dumps(hidden[id], ensure_ascii=False)[1:-1] not in text
        for secret in {"cid": "SPEC-054", "eve": "SPEC-054", "default": "SPEC-777", "ben": "SPEC-777"}.items():
            assert name != secret[0] or secret[1] not in text

    @pytest.mark.parametrize("name", AGENTS)
    def test_it_can_be_imported_and_reads_alike_there(
        self, name: str, filled: Filled, embedder: Embedder, tmp_path: Path
    ) -> None:
        with opened(filled.home, filled.clock, embedder) as memory:
            agent(memory, name).export(tmp_path / "one.jsonl", events=False)
            before = [page.memories for page in pages(agent(memory, name))]
            entities = agent(memory, name).entities(limit=500)
        with opened(tmp_path / "home", filled.clock, embedder) as memory:
            register(memory)
            report = memory.import_(tmp_path / "one.jsonl")
            assert report.conflicts == ()
            assert [page.memories for page in pages(agent(memory, name))] == before
            assert agent(memory, name).entities(limit=500) == entities
            again = agent(memory, name).export(tmp_path / "two.jsonl", events=False)
        assert differing(tmp_path / "one.jsonl", tmp_path / "two.jsonl") == []
        assert again.digest == records_end(tmp_path / "one.jsonl")["digest"]
        assert faults(tmp_path / "home") == []

    def test_a_state_on_the_word_of_somebody_else_is_left_out_and_the_rest_still_fits(self, tmp_path: Path) -> None:
        """ben reads what his group wrote: of three states he may see the first and the last."""
        clock = minutes()
        with opened(tmp_path / "home", clock) as memory:
            register(memory)
            memory.admin.set_agent(DEFAULT_NAME, DEFAULT_NAME, "dora", ReadPolicy.SHARED)
            memory.persona_create("Nova", "Nova is patient")
            agent(memory, "dora").persona_update("Nova", props={"tone": "dry, says dora"})
            memory.persona_update("Nova", props={"height": "tall"})
            agent(memory, "ben").export(tmp_path / "ben.jsonl")
            seen = agent(memory, "ben").history("Nova")
        with opened(tmp_path / "other", clock) as memory:
            register(memory)
            memory.import_(tmp_path / "ben.jsonl")
            assert agent(memory, "ben").history("Nova") == seen
        assert "says dora" not in (tmp_path / "ben.jsonl").read_text(encoding="utf-8")


def _texts_of(who: Trigraph) -> dict[str, str]:
    return {one.id: one.text for page in pages(who) for one in page.memories}


# Random contents

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=60).filter(
    lambda text: text.strip() != ""
)
labels = st.one_of(st.none(), st.from_regex(r"[A-Za-zäß_][A-Za-z0-9 äß_-]{0,15}[a-z]", fullmatch=True))
moments = st.one_of(st.none(), st.datetimes(datetime(1900, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001
steps = st.lists(
    st.tuples(
        st.sampled_from(
            "remember remember decide thread correct supersede forget restore archive erase link vote cite recall "
            "persona rename alias share reverify evolve checkpoint document document status fixup".split()
        ),
        texts,
        labels,
        moments,
        st.integers(0, 10**6),
        st.sampled_from(["default", "ana", "cid"]),
    ),
    max_size=25,
)


def _step(memory: Trigraph, step: tuple[Any, ...]) -> None:
    verb, text, label, moment, number, name = step
    who = agent(memory, name)
    there = [one.id for page in pages(who) for one in page.memories]
    one = there[number % len(there)] if there else "m_" + "0" * 26
    other = there[number // 7 % len(there)] if there else one
    entities = [entity.id for entity in who.entities().entities] or ["Nova"]
    entity = entities[number % len(entities)]
    visibility = ("shared", "private")[number % 2]
    {
        "remember": lambda: who.remember(
            text, topic=label, subject=label, occurred_at=moment, visibility=visibility, confidence=number / 10**6
        ),
        "decide": lambda: who.decide(text, topic=label or "topic", valid_from=moment),
        "thread": lambda: who.remember_thread([{"text": text, "speaker": label}, {"text": label or "x"}], name=label),
        "correct": lambda: who.correct(one, text, reason=label),
        "supersede": lambda: who.supersede(one, text, valid_from=moment),
        "forget": lambda: who.forget(one),
        "restore": lambda: who.restore(one),
        "archive": lambda: who.archive(one if number % 3 else entity),
        "erase": lambda: who.erase(one),
        "link": lambda: who.link(one, other, confidence=number / 10**6),
        "vote": lambda: who.vote(one, 1 if number % 2 else -1, label),
        "cite": lambda: who.cite(None, items=[{"id": one}, {"id": other, "kind": "dismissed", "notes": label}]),
        "recall": lambda: who.recall(text),
        "persona": lambda: who.persona_create(
            label or "Nova", text, props={label or "at": text}, visibility=visibility
        ),
        "rename": lambda: who.rename(entity, label or "Nova"),
        "alias": lambda: who.alias(entity, label or "Nova"),
        "share": lambda: who.share(one, "shared"),
        "reverify": lambda: who.reverify(one),
        "evolve": lambda: who.evolve(one, "SUCCESS", label),
        "checkpoint": lambda: who.checkpoint(text, implements=[one], session=label),
        "document": lambda: who.docs.put(
            f"# SPEC-{number % 5}: {label}\n\nStatus: accepted\n\n## Supersedes\n\n- SPEC-{number // 5 % 5}\n"
            f"\n## References\n\n- SPEC-{number // 25 % 5}, [x](../{number % 7}.md)\n\n{text}",
            collection=("north", "south")[number % 2],
            path=f"specs/{number % 3}.md" if label else None,
            visibility=visibility,
            valid_from=moment,
        ),
        "status": lambda: who.docs.status(f"SPEC-{number % 5}", "final", collection="north", valid_from=moment),
        "fixup": lambda: who.fixup_memory_graph(apply=True),
    }[verb]()


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
def test_whatever_a_home_holds_comes_back(tmp_path: Path, actions: list[tuple[Any, ...]]) -> None:
    clock = minutes()
    with opened(None, clock) as memory:
        register(memory)
        for step in actions:
            try:
                _step(memory, step)
            except (InvalidInput, NotFound, Conflict, Forbidden):
                continue
        report = memory.export(tmp_path / "one.jsonl", everything=True)
    with opened(None, clock) as memory:
        imported = memory.import_(tmp_path / "one.jsonl")
        again = memory.export(tmp_path / "two.jsonl", everything=True)
        once_more = memory.import_(tmp_path / "one.jsonl")
    assert imported.conflicts == ()
    assert differing(tmp_path / "one.jsonl", tmp_path / "two.jsonl") == []
    assert again.digest == report.digest
    assert set(once_more.counts) <= {"same"}


# Files that are not whole


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small export with every kind of record, without a model."""
    from clocks import SettableClock

    folder, clock = tmp_path_factory.mktemp("small"), SettableClock(START)
    with opened(folder / "home", clock) as memory:
        register(memory)
        talk(memory, agent(memory, "ana"))
        memory.remember("Rebase with autosquash", kind="skill", subject="git rebase")
        clock.advance(minutes=1)
        memory.persona_create("Nova", "Nova is patient")
        clock.advance(minutes=1)
        memory.persona_update("Nova", "Nova is brisk")
        for text in ("We go slowly", "We go at once"):  # of one instant: the first is a state that was believed once
            memory.decide(text, topic="pace", valid_from="2026-08-01")
            clock.advance(minutes=1)
        memory.docs.put("# SPEC-1: One\n\n## References\n\n- SPEC-2\n", collection="north", path="one.md")
        clock.advance(minutes=1)
        recalled_once(memory, agent(memory, "ana"), clock)
        hits = memory.recall("autosquash").hits
        memory.cite(None, hits[0].memory.id)
        memory.vote(hits[0].memory.id, -1)
        memory.export(folder / "small.jsonl", everything=True)
    return folder / "small.jsonl"


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Trigraph]:
    """A home that holds a little, to be spoilt by what is imported."""
    with opened(tmp_path / "target", lambda: START + timedelta(days=30)) as memory:
        memory.remember("It was there before, like SPEC-001")
        yield memory


def refused(memory: Trigraph, file: Path, home: Path) -> BrokenFile:
    """The refusal of a file, of which nothing was written."""
    before = digest(home)
    with pytest.raises(BrokenFile) as raised:
        memory.import_(file)
    assert digest(home) == before
    assert raised.value.fix
    return raised.value


class TestBrokenFiles:
    def test_a_file_cut_short_at_any_line(self, small: Path, target: Trigraph, tmp_path: Path) -> None:
        lines, cut = lines_of(small), tmp_path / "cut.jsonl"
        for number in range(len(lines)):
            cut.write_text("".join(lines[:number]), encoding="utf-8")
            refused(target, cut, tmp_path / "target")

    def test_a_file_cut_short_within_a_line(self, small: Path, target: Trigraph, tmp_path: Path) -> None:
        content, cut, chance = small.read_bytes(), tmp_path / "cut.jsonl", random.Random(7)
        for place in (*chance.sample(range(len(content) - 2), 40), len(content) - 3):
            cut.write_bytes(content[:place])
            refused(target, cut, tmp_path / "target")

    def test_a_line_left_out_doubled_or_moved(self, small: Path, target: Trigraph, tmp_path: Path) -> None:
        lines, changed = lines_of(small), tmp_path / "changed.jsonl"
        for number in range(len(lines)):
            for others in (lines[:number] + lines[number + 1 :], [*lines[: number + 1], *lines[number:]]):
                changed.write_text("".join(others), encoding="utf-8")
                refused(target, changed, tmp_path / "target")
        lines[2], lines[3] = lines[3], lines[2]
        changed.write_text("".join(lines), encoding="utf-8")
        refused(target, changed, tmp_path / "target")

    def test_a_flipped_byte(self, small: Path, target: Trigraph, tmp_path: Path) -> None:
        content, flipped, chance = small.read_bytes(), tmp_path / "flipped.jsonl", random.Random(11)
        first = content.index(b"\n") + 1
        for place in chance.sample(range(first, len(content) - 1), 120):
            flipped.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
            refused(target, flipped, tmp_path / "target")

    def test_a_flipped_byte_of_the_first_line(self, filled: Filled, target: Trigraph, tmp_path: Path) -> None:
        """The first line names the model that the vectors are of: taken for another's they would be worse than none."""
        content, flipped = filled.file.read_bytes(), tmp_path / "flipped.jsonl"
        place = content.index(b'"model_id": "') + len(b'"model_id": "')
        flipped.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        refused(target, flipped, tmp_path / "target")

    def test_a_flipped_byte_of_a_vector(self, filled: Filled, target: Trigraph, tmp_path: Path) -> None:
        content, flipped = filled.file.read_bytes(), tmp_path / "flipped.jsonl"
        place = content.index(b'"vectors": ["') + 100
        flipped.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        refused(target, flipped, tmp_path / "target")

    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"\n\n",
            b"\x89PNG\r\n\x1a\n\xff\xfe",
            b"\x00" * 1000,
            os.urandom(10_000),
            b"just a text\n",
            b"[]\n",
            b'"trigraph"\n',
            b"[" * 100_000,
            b'{"text": "one"}\n{"text": "two"}\n',
            b'{"record": "trigraph", "format": 1}\n',
            b'{"record": "end", "counts": {}, "digest": ""}\n',
            b'{"record": ["trigraph"]}\n',
        ],
        ids=lambda content: repr(content[:12]) if content.isascii() else "random",
    )
    def test_what_is_no_export(self, content: bytes, target: Trigraph, tmp_path: Path) -> None:
        (tmp_path / "foreign").write_bytes(content)
        refused(target, tmp_path / "foreign", tmp_path / "target")

    def test_what_is_not_there_or_a_folder(self, target: Trigraph, tmp_path: Path) -> None:
        refused(target, tmp_path / "missing", tmp_path / "target")
        refused(target, tmp_path, tmp_path / "target")

    @pytest.mark.parametrize(
        "change", [("digest", "0" * 64), ("digest", None), ("counts", {}), ("counts", {"memory": 1})]
    )
    def test_a_wrong_end(self, change: tuple[str, object], small: Path, target: Trigraph, tmp_path: Path) -> None:
        lines = lines_of(small)
        lines[-1] = json.dumps({**json.loads(lines[-1]), change[0]: change[1]}) + "\n"
        (tmp_path / "wrong.jsonl").write_text("".join(lines), encoding="utf-8")
        assert "digest" in str(refused(target, tmp_path / "wrong.jsonl", tmp_path / "target"))

    @pytest.mark.parametrize("number", [0, 2, 99, "1", None, [1]])
    def test_a_format_that_is_not_ours(self, number: object, small: Path, target: Trigraph, tmp_path: Path) -> None:
        lines = lines_of(small)
        lines[0] = json.dumps({**json.loads(lines[0]), "format": number}) + "\n"
        (tmp_path / "wrong.jsonl").write_text("".join(lines), encoding="utf-8")
        error = refused(target, tmp_path / "wrong.jsonl", tmp_path / "target")
        assert "format" in str(error)
        assert "Line 1" in str(error)

    @pytest.mark.parametrize("model", [{}, "granite", {"model_id": 7, "dimension": "many"}, [1]])
    def test_a_model_that_is_none(self, model: object, small: Path, target: Trigraph, tmp_path: Path) -> None:
        header = {"record": "trigraph", "format": transfer.FORMAT, "project": "default", "model": model}
        held = [{**one, "vectors": ["00"]} for one in records(small) if one["record"] == "memory"]
        refused(target, sealed(tmp_path / "wrong.jsonl", held, header), tmp_path / "target")


def _version(name: str, value: object) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record["versions"][0][name] = value

    return change


def _field(name: str, value: object) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record[name] = value

    return change


def _without(name: str) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        del record[name]

    return change


def _state(change: Callable[[Record], object], *, replaced: bool = False) -> Callable[[Record], None]:
    """A change of an entity's first state; or of one that another of the same instant replaced."""

    def changed(record: Record) -> None:
        change((_replaced(record) if replaced else record["states"])[0])

    return changed


def _replaced(record: Record) -> list[Record]:
    """The states of an entity that another of the same instant replaced."""
    latest = {one["valid_from"]: one for one in sorted(record["states"], key=lambda one: one["known_from"])}
    return [one for one in record["states"] if one is not latest[one["valid_from"]]]


def _evidence(name: str, value: object) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record["evidence"][0][name] = value

    return change


def _to_itself(record: Record) -> None:
    record["target_id"] = record["source_id"]


def _document(**fields: object) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record["document"] = {"collection": "north", "name_key": "spec 1", "path": None, **fields}

    return change


def _twice(record: Record) -> None:
    record["states"] = record["states"] * 2


ELSEWHERE = {"agent", "group", "recall_day", "shown_before", "recall_event", "skill_use"}
IMPOSSIBLE: dict[str, tuple[str, Callable[[Record], None]]] = {
    "bad kind": ("memory", _field("kind", "fcat")),
    "bad source": ("memory", _field("source", "gossip")),
    "trust 7": ("memory", _field("trust", 7)),
    "bad id": ("memory", _field("id", "m_1")),
    "another text": ("memory", _field("text", "something else")),
    "text is a number": ("memory", _field("text", 7)),
    "lone surrogate": ("memory", _field("text", "\ud800")),
    "no time": ("memory", _field("created_at", "soon")),
    "naive time": ("memory", _field("occurred_at", "2026-01-01T00:00")),
    "created in the future": ("memory", _field("created_at", "2099-01-01T00:00:00Z")),
    "episode without a thread": ("memory", _field("thread_id", None)),
    "no author": ("memory", _field("author", None)),
    "impossible author": ("memory", _field("author", "../x")),
    "no text": ("memory", _without("text")),
    "no versions": ("memory", _field("versions", [])),
    "versions are a text": ("memory", _field("versions", "one")),
    "no open version": ("memory", _version("known_until", "2026-09-01T13:00:00Z")),
    "confidence 2": ("memory", _version("confidence", 2)),
    "bad status": ("memory", _version("status", "lost")),
    "bad visibility": ("memory", _version("visibility", "all")),
    "group without a name": ("memory", _version("visibility", "group")),
    "tags are a text": ("memory", _version("tags", "a")),
    "known in the future": ("memory", _version("known_from", "2099-01-01T00:00:00Z")),
    "ends before it begins": ("memory", _version("valid_until", "1999-01-01T00:00:00Z")),
    "bad verb": ("memory", _version("verb", "conjure")),
    "no states": ("entity", _field("states", [])),
    "two states at once": ("entity", _twice),
    "bad type": ("entity", _field("type", "ghost")),
    "bad event": ("entity", _state(lambda one: one.update(event="vanished"))),
    "bad event of a replaced state": ("entity", _state(lambda one: one.update(event="vanished"), replaced=True)),
    "state in the future": ("entity", _state(lambda one: one.update(known_from="2099-01-01T00:00:00Z"))),
    "empty name": ("entity", _state(lambda one: one.update(name=""))),
    "empty name of a replaced state": ("entity", _state(lambda one: one.update(name=""), replaced=True)),
    "document of no collection": ("entity", _document(collection="")),
    "collection is a number": ("entity", _document(collection=7)),
    "document without name and path": ("entity", _document(name_key=None)),
    "path is a list": ("entity", _document(path=["one.md"])),
    "document is a text": ("entity", _field("document", "SPEC-1")),
    "document is a list": ("entity", _field("document", ["north", "spec 1", None])),
    "bad type of relation": ("relation", _field("type", "LIKES")),
    "relation of small letters": ("relation", _field("type", "references")),
    "relation to itself": ("relation", _to_itself),
    "relation from nothing": ("relation", _field("source_id", None)),
    "relation of a memory": ("relation", _field("source_id", "m_" + "0" * 26)),
    "relation without evidence": ("relation", _field("evidence", [])),
    "no evidence": ("relation", _without("evidence")),
    "evidence is a text": ("relation", _field("evidence", "it says so")),
    "evidence of no memory": ("relation", _evidence("memory_id", None)),
    "evidence in no section": ("relation", _evidence("section", None)),
    "evidence at place -1": ("relation", _evidence("ordinal", -1)),
    "evidence at place 1e30": ("relation", _evidence("ordinal", 10**30)),
    "evidence at half a place": ("relation", _evidence("ordinal", 0.5)),
    "evidence known soon": ("relation", _evidence("known_from", "soon")),
    "evidence known at no time": ("relation", _evidence("known_from", None)),
    "evidence in the future": ("relation", _evidence("known_from", "2099-01-01T00:00:00Z")),
    "evidence that ends before it begins": ("relation", _evidence("known_until", "1999-01-01T00:00:00Z")),
    "bad type of link": ("link", _field("type", "resembles")),
    "similarity 7": ("link", _field("similarity", 7)),
    "similarity is a text": ("link", _field("similarity", "much")),
    "gap of -1 second": ("link", _field("gap_seconds", -1)),
    "vote of 5": ("vote", _field("value", 5)),
    "bad citation": ("citation", _field("kind", "liked")),
    "bad policy": ("agent", _field("policy", "everything")),
    "impossible agent": ("agent", _field("name", "../x")),
    "strange member": ("group", _field("members", ["nobody"])),
    "thread without an id": ("thread", _field("id", None)),
    "no such day": ("recall_day", _field("day", "2026-02-30")),
    "day written otherwise": ("recall_day", _field("day", "20260901")),
    "day in the future": ("recall_day", _field("day", "2099-01-01")),
    "half a recall": ("recall_day", _field("recalls", 0.5)),
    "less than no citation": ("recall_day", _field("cited", -1)),
    "more hits than recalls": ("recall_day", _field("hits", 99)),
    "day without a leg": ("recall_day", _without("graph_found")),
    "milliseconds are a text": ("recall_day", _field("milliseconds", "some")),
    "day of no class": ("recall_day", _field("query_class", "hunch")),
    "shown often": ("shown_before", _field("shown", "often")),
    "shown in the future": ("shown_before", _field("last_at", "2099-01-01T00:00:00Z")),
    "shown at no time": ("shown_before", _field("last_at", None)),
    "shown of no memory": ("shown_before", _field("memory_id", "e_" + "0" * 26)),
    "bad query class": ("recall_event", _field("query_class", "hunch")),
    "candidates are a text": ("recall_event", _field("candidates", "all")),
}


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_an_impossible_value_is_refused_by_its_line_and_nothing_of_its_batch_is_kept(
    what: str, small: Path, target: Trigraph, tmp_path: Path
) -> None:
    kind, change = IMPOSSIBLE[what]
    apart = ELSEWHERE - {kind}  # in files of their own; see below
    held = [one for one in records(small) if one["record"] not in apart]
    wanted = [place for place, one in enumerate(held) if one["record"] == kind]
    if what == "episode without a thread":
        wanted = [place for place in wanted if held[place]["kind"] == "episode"]
    if what.endswith("replaced state"):
        wanted = [place for place in wanted if _replaced(held[place])]
    place = max(wanted, key=lambda place: len(held[place].get("states", ())))
    change(held[place])
    error = refused(target, sealed(tmp_path / "bad.jsonl", held), tmp_path / "target")
    assert f"Line {place + 2}:" in str(error)
    assert [one.text for one in target.list().memories] == ["It was there before, like SPEC-001"]


@pytest.mark.parametrize("kind", ["memory", "vote", "recall_event"])
def test_agents_groups_and_events_of_a_batch_that_is_refused_are_not_kept_either(
    kind: str, small: Path, target: Trigraph, tmp_path: Path
) -> None:
    held = records(small)
    bad = max(place for place, one in enumerate(held) if one["record"] == kind)
    for name in ("author", "value", "result_ids"):
        held[bad] |= {name: None} if name in held[bad] else {}
    refused(target, sealed(tmp_path / "bad.jsonl", held), tmp_path / "target")


def test_nothing_of_a_file_with_one_bad_record_is_kept_however_long_it_is(
    tmp_path: Path, many: Callable[[int], list[Record]]
) -> None:
    held = many(1_300)
    bad = [*held[:1_200], {**held[1_200], "trust": 7}, *held[1_201:]]
    with opened(tmp_path / "home") as memory:
        with pytest.raises(BrokenFile, match="Line 1202:"):
            memory.import_(sealed(tmp_path / "bad.jsonl", bad))
        assert memory.stats().memories == 0
        report = memory.import_(sealed(tmp_path / "good.jsonl", held))
        assert report.counts == {"added": 1_300}
    assert faults(tmp_path / "home") == []


class TestRelations:
    """Records of relations that are whole, but not of what is here."""

    @pytest.mark.parametrize("end", ["source_id", "target_id"])
    def test_an_end_that_is_not_here_is_reported_and_nothing_is_written(
        self, end: str, small: Path, target: Trigraph, tmp_path: Path
    ) -> None:
        held = [one for one in records(small) if one["record"] not in ELSEWHERE]
        place = next(place for place, one in enumerate(held) if one["record"] == "relation")
        held[place][end] = "e_" + "0" * 26
        report = target.import_(sealed(tmp_path / "dangling.jsonl", held))
        assert report.counts["dangling"] == 1
        assert [one for one in report.conflicts if f"line {place + 2}:" in one and "dangling" in one]
        assert target.docs.get("SPEC-001", collection="north").relations == ()
        assert faults(tmp_path / "target") == []

    def test_a_report_names_the_relation(self, small: Path, target: Trigraph, tmp_path: Path) -> None:
        held = [{**one} for one in records(small) if one["record"] == "relation"]
        report = target.import_(sealed(tmp_path / "dangling.jsonl", held))
        assert report.counts == {"dangling": len(held)}
        for record, conflict in zip(held, report.conflicts, strict=True):
            assert record["source_id"] in conflict
            assert record["target_id"] in conflict

    def test_evidence_that_is_not_here_is_left_out(self, small: Path, target: Trigraph, tmp_path: Path) -> None:
        held = records(small)
        (relation,) = (one for one in held if one["record"] == "relation")
        whole = relation["evidence"][0]
        relation["evidence"] = [whole, {**whole, "memory_id": "m_" + "0" * 26, "section": "Elsewhere"}]
        target.import_(sealed(tmp_path / "more.jsonl", held))
        (told,) = target.docs.get("SPEC-001", collection="north").relations
        assert [one.section for one in told.evidence] == [whole["section"]]
        assert faults(tmp_path / "target") == []

    def test_what_became_known_with_evidence_alone_comes_before_what_is_written_next(
        self, small: Path, tmp_path: Path
    ) -> None:
        held = records(small)
        (relation,) = (one for one in held if one["record"] == "relation")
        closed = START + timedelta(hours=5)
        relation["evidence"][0]["known_until"] = closed.isoformat()
        with opened(tmp_path / "home", lambda: START + timedelta(hours=1)) as memory:
            memory.import_(sealed(tmp_path / "closed.jsonl", held))
            assert memory.docs.get("SPEC-001", collection="north").relations == ()


def test_an_export_of_an_earlier_version_can_still_be_read(filled: Filled, embedder: Embedder, tmp_path: Path) -> None:
    """It knew no documents, no relations, and not by what links were drawn."""
    newer = {"document", "similarity", "gap_seconds"}
    held = records(filled.file)
    header = json.loads(lines_of(filled.file)[0])
    older = [
        {name: value for name, value in one.items() if one["record"] not in ("entity", "link") or name not in newer}
        for one in held
        if one["record"] != "relation"
    ]
    file = sealed(tmp_path / "older.jsonl", older, header)
    with opened(tmp_path / "home", filled.clock, embedder) as memory:
        report = memory.import_(file)
        assert (report.conflicts, report.waiting_for_vector) == ((), 0)
        again = memory.import_(file)
        assert (set(again.counts), again.conflicts) == ({"same"}, ())
        memory.export(tmp_path / "two.jsonl", everything=True)
        reads = read(memory, filled.town)
        assert memory.docs.list().documents == ()
    arrived = [
        {name: value for name, value in one.items() if name not in newer} for one in records(tmp_path / "two.jsonl")
    ]
    assert arrived == [{name: value for name, value in one.items() if name not in newer} for one in older]
    unlike = differences(filled.read, reads)
    assert {name.split()[1] for name in unlike} <= {"documents", "document", "relations", "links", "stats", "history"}
    assert faults(tmp_path / "home") == []


# Into a home that already has some of it


class TestSomeOfIt:
    def test_what_is_there_is_skipped_and_the_rest_comes_with_all_its_links(self, tmp_path: Path) -> None:
        clock = minutes()
        with opened(tmp_path / "one", clock) as memory:
            memory.remember("SPEC-054 is late")
            memory.export(tmp_path / "first.jsonl", everything=True)
            memory.remember("SPEC-054 is later still, says SPEC-055")
            report = memory.export(tmp_path / "second.jsonl", everything=True)
        with opened(tmp_path / "other", clock) as memory:
            memory.import_(tmp_path / "first.jsonl")
            imported = memory.import_(tmp_path / "second.jsonl")
            assert imported.counts["same"] >= 1
            assert memory.stats().memories == 2
            assert {one.name for one in memory.mentions(memory.list().memories[0].id)} == {"SPEC-054", "SPEC-055"}
            assert memory.entity("SPEC-054").mention_count == 2
            assert memory.export(tmp_path / "third.jsonl", everything=True).digest == report.digest

    def test_what_became_different_is_reported_and_kept_as_it_is_here(self, tmp_path: Path) -> None:
        clock = minutes()
        with opened(tmp_path / "one", clock) as memory:
            id = memory.remember("The port is 80").id
            other = memory.remember("The boat is blue").id
            memory.export(tmp_path / "first.jsonl", everything=True)
            memory.forget(id)
            memory.admin.set_agent(DEFAULT_NAME, DEFAULT_NAME, "default", ReadPolicy.ISOLATED)
            before = digest(tmp_path / "one")
            report = memory.import_(tmp_path / "first.jsonl")
            assert report.counts["different"] == 2
            assert any(id in conflict for conflict in report.conflicts)
            assert any("agent default" in conflict for conflict in report.conflicts)
            assert not any(other in conflict for conflict in report.conflicts)
            assert digest(tmp_path / "one") == before

    def test_a_thread_of_the_same_name_is_a_conflict_and_not_the_end_of_the_import(self, tmp_path: Path) -> None:
        clock = minutes()
        with opened(tmp_path / "one", clock) as memory:
            memory.remember_thread([{"text": "Here it began"}], name="cellar")
            memory.remember("The boat is blue")
            memory.export(tmp_path / "one.jsonl", everything=True)
        with opened(tmp_path / "other", clock) as memory:
            memory.remember_thread([{"text": "There it began"}], name="cellar")
            report = memory.import_(tmp_path / "one.jsonl")
            assert any("thread" in conflict for conflict in report.conflicts)
            assert {one.text for one in memory.list().memories} >= {"There it began", "The boat is blue"}
        assert faults(tmp_path / "other") == []

    def test_a_place_of_a_thread_that_holds_another_text_is_a_conflict(self, tmp_path: Path) -> None:
        clock = minutes()
        with opened(tmp_path / "one", clock) as memory:
            memory.remember_thread([{"text": "It began"}], name="cellar")
            memory.export(tmp_path / "first.jsonl", everything=True)
            memory.remember_thread([{"text": "It went on here"}], name="cellar", append=True)
            memory.export(tmp_path / "second.jsonl", everything=True)
        with opened(tmp_path / "other", clock) as memory:
            memory.import_(tmp_path / "first.jsonl")
            memory.remember_thread([{"text": "It went on there"}], name="cellar", append=True)
            report = memory.import_(tmp_path / "second.jsonl")
            assert any("memory" in conflict for conflict in report.conflicts)
            assert [one.text for one in memory.list().memories] == ["It went on there", "It began"]
        assert faults(tmp_path / "other") == []

    def test_a_link_that_was_drawn_in_both_homes_is_a_conflict(self, tmp_path: Path) -> None:
        clock = minutes()
        with opened(tmp_path / "one", clock) as memory:
            one, other = memory.remember("The boat is blue").id, memory.remember("The sea is too").id
            memory.export(tmp_path / "first.jsonl", everything=True)
            memory.link(one, other)
            memory.export(tmp_path / "second.jsonl", everything=True)
        with opened(tmp_path / "other", clock) as memory:
            memory.import_(tmp_path / "first.jsonl")
            drawn = memory.link(one, other).id
            report = memory.import_(tmp_path / "second.jsonl")
            assert any("link" in conflict for conflict in report.conflicts)
            assert [link.id for link in memory.links(one)] == [drawn]

    def test_what_was_erased_here_stays_erased_with_all_that_it_said(self, tmp_path: Path) -> None:
        clock, home = minutes(), tmp_path / "home"
        with opened(home, clock) as memory:
            register(memory)
            persona = memory.persona_create("Nova", "Nova hides the zanzibar key")
            plain = memory.remember("The zanzibar code is 4711, says SPEC-900")
            memory.vote(plain.id, 1, "zanzibar indeed")
            memory.cite(None, plain.id, notes="zanzibar noted")
            memory.link(plain.id, persona.id, reason="zanzibar both")
            memory.recall("4711")
            memory.export(tmp_path / "before.jsonl", everything=True)
            for id in (plain.id, persona.id):
                memory.erase(id)
            report = memory.import_(tmp_path / "before.jsonl")
            assert report.counts["erased"] >= 2
            assert memory.list().memories == ()
            assert memory.entities().entities == ()
            memory.export(tmp_path / "after.jsonl", everything=True)
        held = records(tmp_path / "after.jsonl")
        assert [one for one in held if "zanzibar" in json.dumps(one)] == []
        told = [one for one in held if one["record"] != "erased" and plain.id in json.dumps(one)]
        assert told == []

    def test_what_was_erased_there_is_not_both_erased_and_kept_here(self, tmp_path: Path) -> None:
        clock = minutes()
        with opened(tmp_path / "one", clock) as memory:
            id = memory.remember("The boat is blue").id
            memory.export(tmp_path / "first.jsonl", everything=True)
            memory.erase(id)
            memory.export(tmp_path / "second.jsonl", everything=True)
        with opened(tmp_path / "other", clock) as memory:
            memory.import_(tmp_path / "first.jsonl")
            report = memory.import_(tmp_path / "second.jsonl")
            kept = [one.id for one in memory.list().memories] == [id]
            assert not kept or any(id in conflict for conflict in report.conflicts)
            again = memory.import_(tmp_path / "first.jsonl")
            assert again.counts.get("same", 0) > 0 or not kept

    def test_two_uses_of_one_memory_at_one_instant_are_both_kept(self, tmp_path: Path) -> None:
        clock = minutes()
        with opened(tmp_path / "one", clock) as memory:
            id = memory.remember("The boat is blue").id
            memory.cite(None, items=[{"id": id, "notes": "once"}, {"id": id, "notes": "twice"}])
            memory.export(tmp_path / "one.jsonl", everything=True)
            counted = memory.history(id).citations
        with opened(tmp_path / "other", clock) as memory:
            report = memory.import_(tmp_path / "one.jsonl")
            assert report.conflicts == ()
            assert memory.history(id).citations == counted

    def test_another_project_of_the_same_home_is_not_taken_for_this_one(self, tmp_path: Path) -> None:
        """Ids are unique in a tenant: what another project holds cannot be imported, and that is said."""
        with opened(tmp_path / "home", minutes()) as memory:
            memory.remember("The boat is blue")
            memory.export(tmp_path / "one.jsonl", everything=True)
            memory.admin.add_project(DEFAULT_NAME, "island")
            island = Trigraph(memory.engine, Scope(DEFAULT_NAME, "island", DEFAULT_NAME))
            try:
                report: ImportReport | None = island.import_(tmp_path / "one.jsonl")
            except (BrokenFile, Conflict, StoreError):
                report = None
            arrived = [one.text for one in island.list().memories] == ["The boat is blue"]
            assert arrived or report is None or report.conflicts
            assert [one.text for one in memory.list().memories] == ["The boat is blue"]


# Many memories


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], list[Record]]:
    """Records of so many short memories, made after one that the engine exported."""
    folder = tmp_path_factory.mktemp("many")
    with opened(folder / "home", lambda: START) as memory:
        memory.remember("Heron 0 was seen at quay 0", tags=["birds"], session="s1")
        memory.export(folder / "one.jsonl", everything=True, vectors=False)
    (pattern,) = (one for one in records(folder / "one.jsonl") if one["record"] == "memory")

    def make(count: int) -> list[Record]:
        return [_like(pattern, number) for number in range(count)]

    return make


def _like(pattern: Record, number: int) -> Record:
    text = (
        f"Heron {number} was seen at quay {number % 97} by watch {number % 7}, flying {('north', 'west')[number % 2]}"
    )
    at = START + timedelta(milliseconds=number)
    told = at.isoformat().replace("+00:00", "Z")
    version = {**pattern["versions"][0], "known_from": told, "valid_from": told}
    changed = {"id": new_id("m", at), "text": text, "content_hash": content_hash(text), "created_at": told}
    return {**pattern, **changed, "versions": [version]}


def run(*arguments: str | Path | int) -> Record:
    """What a process of its own told at its end."""
    done = subprocess.run(
        [sys.executable, PROCESS, *map(str, arguments)], capture_output=True, text=True, check=True, timeout=300
    )
    told: Record = json.loads(done.stdout.splitlines()[-1])
    return told


def test_ten_times_the_memories_need_no_more_memory(
    tmp_path: Path, many: Callable[[int], list[Record]], record_property: Callable[[str, object], None]
) -> None:
    peaks: dict[tuple[str, int], int] = {}
    for count in (MANY, MORE):
        file, again, home = tmp_path / f"{count}.jsonl", tmp_path / f"{count}.again.jsonl", tmp_path / f"home{count}"
        wanted = records_end(sealed(file, many(count)))["digest"]
        imported = run("import", home, file)
        exported = run("export", home, again)
        peaks["import", count], peaks["export", count] = imported["peak_bytes"], exported["peak_bytes"]
        assert imported["counts"] == {"added": count}
        assert exported["counts"]["memory"] == count
        assert digest_of(again) == wanted
    assert again.stat().st_size > 40_000_000
    print({f"{verb} {count}": f"{peak / 1e6:.0f} MB" for (verb, count), peak in peaks.items()})
    for verb in ("import", "export"):
        grown = peaks[verb, MORE] - peaks[verb, MANY]
        record_property(f"{verb}_grown_bytes", grown)
        assert grown < GROWTH_BYTES


def digest_of(file: Path) -> str:
    """The digest of a file's memories alone."""
    seen = hashlib.sha256()
    with file.open(encoding="utf-8", newline="\n") as lines:
        for line in lines:
            record = json.loads(line)
            if record["record"] == "memory":
                seen.update(transfer._digested(record))
    return seen.hexdigest()


# Killed, or without space


def test_an_import_that_is_killed_can_be_done_again_and_doubles_nothing(
    tmp_path: Path, many: Callable[[int], list[Record]], filled: Filled
) -> None:
    agents = [one for one in records(filled.file) if one["record"] in ("agent", "group")]
    held = [*agents, *many(4_000)]
    file, home, chance = sealed(tmp_path / "all.jsonl", held), tmp_path / "home", random.Random(20260903)
    reached = []
    for _ in range(6):
        reached.append(_import_and_kill(home, file, chance.uniform(0, 0.15)))
        with opened(home) as memory:
            assert memory.stats().memories % transfer.BATCH_SIZE in (0, transfer.BATCH_SIZE - len(agents))
        assert faults(home) == []
    with opened(home) as memory:
        report = memory.import_(file)
        again = memory.export(tmp_path / "again.jsonl", everything=True)
        assert memory.stats().memories == 4_000
    assert min(reached) < 4_000
    assert report.conflicts == ()
    assert again.counts["memory"] == 4_000
    assert again.digest == records_end(file)["digest"]


def _import_and_kill(home: Path, file: Path, seconds: float) -> int:
    """How many memories an import had told of when it was killed, so long after its first batch."""
    with subprocess.Popen(
        [sys.executable, PROCESS, "import", home, file], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline()]
        time.sleep(seconds)
        process.kill()
        lines += process.stdout.readlines()
    assert process.returncode == -signal.SIGKILL
    return max(int(line.split()[1]) for line in lines if line.startswith("memories"))


@pytest.mark.parametrize("after", [1, 150, 399])
def test_an_export_that_is_killed_leaves_the_old_file_whole(
    after: int, tmp_path: Path, many: Callable[[int], list[Record]]
) -> None:
    file = tmp_path / "export.jsonl"
    with opened(tmp_path / "home") as memory:
        memory.import_(sealed(tmp_path / "all.jsonl", many(100)))
        memory.export(file, everything=True)
        old = file.read_bytes()
        memory.import_(sealed(tmp_path / "all.jsonl", many(400)[100:]))
    command = [sys.executable, PROCESS, "export", tmp_path / "home", file, str(after)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == -signal.SIGKILL
    assert file.read_bytes() == old
    with opened(tmp_path / "other") as memory:
        assert memory.import_(file).counts["added"] >= 100
    with opened(tmp_path / "home") as memory:
        assert memory.export(file, everything=True).counts["memory"] == 400


@pytest.fixture(params=["limited_files", "filled_disk"])
def narrow(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, Callable[[], Any]]]:
    """A folder for exports, and how it is made too small for a while."""
    if request.param == "limited_files":
        yield tmp_path, _limited
        return
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=300000", "none", disk], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip(f"NOT RUN ON A REAL FULL DISK: mount is not permitted ({mounted.stderr.decode().strip()})")
    try:
        yield disk, _as_it_is
    finally:
        subprocess.run(["umount", disk], check=True)


@contextmanager
def _limited() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def _as_it_is() -> Iterator[None]:
    yield


def test_an_export_onto_a_full_disk_leaves_the_old_file_whole_and_nothing_else(
    narrow: tuple[Path, Callable[[], Any]], tmp_path: Path, many: Callable[[int], list[Record]]
) -> None:
    folder, full = narrow
    file = folder / "export.jsonl"
    with opened(tmp_path / "home") as memory:
        memory.import_(sealed(tmp_path / "all.jsonl", many(50)))
        memory.export(file, everything=True)
        old, there = file.read_bytes(), sorted(folder.iterdir())
        memory.import_(sealed(tmp_path / "all.jsonl", many(1_000)[50:]))
        there = sorted(folder.iterdir())
        with full(), pytest.raises(StoreError) as raised:
            memory.export(file, everything=True)
        assert raised.value.fix
        assert file.read_bytes() == old
        assert sorted(folder.iterdir()) == there
        assert memory.stats().memories >= 1_000
