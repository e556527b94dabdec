"""Long and hostile documents."""

from __future__ import annotations

from pathlib import Path

from trigraph.faces.library import Trigraph

FACTS = [f"Team {name} keeps data for {number} days." for number, name in enumerate("abcdefghij", start=30)]


def test_one_long_document_does_not_crowd_out_the_facts(memory: Trigraph) -> None:
    memory.remember_batch(FACTS)
    sections = [f"## Section {number}\n\nRetention policy: we keep data, data and data. " * 8 for number in range(120)]
    memory.remember("# Retention\n\n" + "\n\n".join(sections), kind="document")
    found = memory.recall("how long do we keep data? retention policy", limit=8).hits
    assert len(found) == 8
    assert sum(hit.memory.kind == "document" for hit in found) == 1


def test_a_huge_heading_is_not_copied_into_every_passage(memory: Trigraph, home: Path) -> None:
    text = "# " + "verylong " * 20_000 + "\n\n" + "One sentence after the other. " * 2_000
    memory.remember(text, kind="document")
    assert memory.stats().store_bytes < 20 * len(text)


def test_a_message_is_found_by_the_question_before_it(memory: Trigraph) -> None:
    """What the README says of its example."""
    memory.remember("We chose PostgreSQL 16 over MySQL because of its JSON support.", kind="decision")
    memory.remember_thread(
        [
            {"speaker": "Ana", "text": "When do we go live?", "occurred_at": "2026-05-04T09:00:00Z"},
            {"speaker": "Bo", "text": "Tuesday the 12th, after the load test."},
        ]
    )
    hits = memory.recall("when is the launch?", limit=2).hits
    assert "Tuesday the 12th, after the load test." in [hit.memory.text for hit in hits]
