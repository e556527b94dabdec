"""Documents in their ordinary life: updated, corrected, superseded, forgotten, late."""

from __future__ import annotations

from pathlib import Path

import pytest

from trigraph.assembly import open_engine
from trigraph.errors import InvalidInput
from trigraph.faces.library import Trigraph
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import EmbedderSettings, Settings


@pytest.fixture
def memory() -> Trigraph:
    settings = Settings(embedder=EmbedderSettings(kind="none"))
    return Trigraph(open_engine(settings, in_memory=True), LOCAL_SCOPE)


def spec(number: int, status: str = "Accepted", *lines: str) -> str:
    return "\n\n".join([f"# SPEC-{number}: Matter {number}", f"Status: {status}", *lines]) + "\n"


def props(memory: Trigraph, name: str, as_of: str | None = None) -> dict[str, str]:
    return dict(memory.docs.get(name, as_of=as_of).document.props)


@pytest.mark.req("T3")
def test_what_is_superseded_says_so_only_while_a_text_in_force_does(memory: Trigraph) -> None:
    memory.docs.put(spec(2))
    memory.docs.put(spec(1, "Draft", "## Supersedes", "SPEC-2"))
    assert "superseded_by" not in props(memory, "SPEC-2")
    memory.docs.put(spec(1, "Accepted", "## Supersedes", "SPEC-2"))
    assert props(memory, "SPEC-2") == {
        "title": "SPEC-2: Matter 2",
        "status": "Accepted",
        "doc_kind": "spec",
        "superseded_by": "SPEC-1",
    }
    memory.docs.put(spec(1))
    assert "superseded_by" not in props(memory, "SPEC-2")


@pytest.mark.req("T11")
def test_a_hit_from_a_document_that_was_superseded_is_marked(memory: Trigraph) -> None:
    memory.docs.put(spec(2, "Accepted", "Kettles are descaled weekly."))
    memory.docs.put(spec(1, "Accepted", "## Supersedes", "SPEC-2"))
    hits = {hit.memory.topic or hit.memory.text[2:8]: hit for hit in memory.recall("kettles descaled matter").hits}
    assert hits["SPEC-2"].staleness.document_superseded_by == "SPEC-1"
    assert hits["SPEC-1"].staleness.document_superseded_by is None


@pytest.mark.req("T3")
def test_forgetting_the_superseder_leaves_the_rest_as_it_was(memory: Trigraph, tmp_path: Path) -> None:
    (tmp_path / "1.md").write_text(spec(1), encoding="utf-8")
    (tmp_path / "2.md").write_text(spec(2, "Accepted", "## Supersedes", "SPEC-1"), encoding="utf-8")
    memory.docs.add(tmp_path)
    assert props(memory, "SPEC-1")["superseded_by"] == "SPEC-2"
    superseder = memory.docs.get("SPEC-2").document.memory_id
    assert superseder is not None
    memory.forget(superseder)
    assert props(memory, "SPEC-1") == {"title": "SPEC-1: Matter 1", "status": "Accepted", "doc_kind": "spec"}


@pytest.mark.req("T8")
def test_a_text_that_arrives_late_changes_nothing_of_what_followed(memory: Trigraph) -> None:
    memory.docs.put(spec(1), valid_from="2020-01-01")
    memory.docs.put(spec(1, "Accepted", "Revised."), valid_from="2022-01-01")
    memory.docs.put(spec(1, "Draft", "In between."), valid_from="2021-01-01")
    told = {day: props(memory, "SPEC-1", day)["status"] for day in ("2020-06-01", "2021-06-01", "2022-06-01")}
    assert told == {"2020-06-01": "Accepted", "2021-06-01": "Draft", "2022-06-01": "Accepted"}


@pytest.mark.req("T8")
def test_forgetting_an_older_text_leaves_the_newer_one_its_status(memory: Trigraph) -> None:
    first = memory.docs.put(spec(1)).id
    memory.docs.put(spec(1, "Accepted", "Revised."))
    assert first is not None
    memory.forget(first)
    assert props(memory, "SPEC-1")["status"] == "Accepted"


@pytest.mark.req("I12")
def test_a_corrected_text_says_what_the_status_always_was(memory: Trigraph) -> None:
    wrong = memory.docs.put(spec(1, "Draft", "## Depends on", "SPEC-2")).id
    assert wrong is not None
    memory.correct(wrong, spec(1, "Accepted", "## Depends on", "SPEC-3"))
    found = memory.docs.get("SPEC-1")
    assert found.document.props["status"] == "Accepted"
    assert [one.target.name for one in found.relations] == ["SPEC-3"]


def test_texts_of_one_document_in_one_batch_follow_one_another(memory: Trigraph) -> None:
    texts = [spec(1, "Draft"), spec(1, "Accepted"), spec(1, "Accepted")]
    report = memory.remember_batch([{"text": text, "kind": "document"} for text in texts])
    assert [item.status.value for item in report.items] == ["added", "updated", "duplicate"]
    assert props(memory, "SPEC-1")["status"] == "Accepted"


@pytest.mark.req("L2")
def test_what_is_linked_automatically_can_be_corrected(memory: Trigraph) -> None:
    memory.remember("The mast leans a little", session="s1")
    second = memory.remember("The sail is torn", session="s1").id
    assert second is not None
    corrected = memory.correct(second, "The sail is patched", session="s1")
    linked = [(link.type.value, link.created_by.value) for link in memory.links(corrected.id)]
    assert linked.count(("temporal", "system")) == 1


@pytest.mark.req("T5")
@pytest.mark.parametrize("word", ["needs", "requires", "requirements", "replaced", "related"])
def test_a_word_of_relations_does_not_lift_all_that_is_known_of_a_thing(memory: Trigraph, word: str) -> None:
    for number in range(6):
        memory.remember(f"Alice prefers tool number {number} for her garden", subject="Alice", type="person")
    exact = "Before the Postgres migration Alice must get the staging credentials"
    memory.remember(exact)
    assert memory.recall(f"Alice {word} Postgres migration credentials").hits[0].memory.text == exact


@pytest.mark.req("T5")
def test_a_hub_leaves_room_for_the_other_names_of_a_query(memory: Trigraph) -> None:
    memory.remember_batch(
        [{"text": f"Ledger line {number}", "subject": "Hubster", "type": "system"} for number in range(600)]
    )
    small = memory.remember("It has three staff", subject="Smallco", type="organization").id
    answer = memory.recall("Hubster and Smallco", profile="graph", limit=500)
    assert small in {hit.memory.id for hit in answer.hits}
    assert [leg.truncated for leg in answer.legs] == [True]


@pytest.mark.req("L6")
def test_a_vote_does_not_make_a_link_young_again(memory: Trigraph) -> None:
    one, other = (memory.remember(text).id for text in ("A quay", "A crane"))
    assert one is not None
    assert other is not None
    link = memory.link(one, other).id
    (before,) = memory.links(one)
    memory.vote(link, -1)
    (after,) = memory.links(one)
    assert (after.known_from > before.known_from, after.drawn_at) == (True, before.drawn_at)


def test_a_folder_of_the_same_name_elsewhere_is_another_collection(memory: Trigraph, tmp_path: Path) -> None:
    for repository in ("one", "two"):
        (tmp_path / repository / "adr").mkdir(parents=True)
        (tmp_path / repository / "adr" / "0001-tea.md").write_text(f"# 1. Tea of {repository}\n", encoding="utf-8")
    memory.docs.add(tmp_path / "one" / "adr")
    with pytest.raises(InvalidInput, match="--collection"):
        memory.docs.add(tmp_path / "two" / "adr")
    report = memory.docs.add(tmp_path / "two" / "adr", collection="two")
    assert [one.result.status.value for one in report.files] == ["added"]
