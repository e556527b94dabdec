"""The LoCoMo harness on a tiny data set of the same form, written here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trigraph.bench import locomo
from trigraph.bench.data import data_folder
from trigraph.errors import BrokenFile
from trigraph.settings import Settings

TALK = {
    "session_1_date_time": "1:56 pm on 8 May, 2025",
    "session_1": [
        {"speaker": "Ana", "dia_id": "D1:1", "text": "Which instrument did you take up?"},
        {"speaker": "Bo", "dia_id": "D1:2", "text": "The cello, my uncle left me his."},
        {"speaker": "Ana", "dia_id": "D1:3", "text": "Lovely."},
    ],
    "session_2_date_time": "9:05 am on 2 June, 2025",
    "session_2": [
        {"speaker": "Bo", "dia_id": "D2:1", "text": "The roof leaks again.", "blip_caption": "a wet ceiling"},
        {"speaker": "Ana", "dia_id": "D2:2", "text": "Call the roofer in Graz."},
    ],
}
QUESTIONS = [
    {"sample_id": "conv-1", "category": 4, "question": "Who should Bo call about the roof?", "evidence": ["D2:2"]},
    {"sample_id": "conv-1", "category": 1, "question": "Which instrument does Bo play?", "evidence": ["D1:2", "D1:1"]},
    {"sample_id": "conv-1", "category": 3, "question": "no evidence", "evidence": []},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "locomo10.json").write_text(json.dumps([{"sample_id": "conv-1", "conversation": TALK}]))
    (tmp_path / "qa_normalised.jsonl").write_text("\n".join(json.dumps(row) for row in QUESTIONS))
    return tmp_path


def test_conversations_are_read_with_times_speakers_and_photos(folder: Path) -> None:
    (conversation,) = locomo.read(folder)
    assert [len(messages) for messages in conversation.sessions.values()] == [3, 2]
    first = conversation.sessions["session_2"][0]
    assert first["text"] == "The roof leaks again. [shares a photo: a wet ceiling]"
    assert first["occurred_at"].isoformat() == "2025-06-02T09:05:00+00:00"
    assert [question.category for question in conversation.questions] == ["4", "1"]


def test_every_arm_is_measured_at_both_levels_and_by_category(folder: Path) -> None:
    found = locomo.run(folder, Settings())
    assert set(found["arms"]) == {"random", "bm25", "vector", "rrf", "likeness", "plain", "trigraph"}
    default = found["arms"]["trigraph"]
    assert default["turn"]["all"]["n"] == 2
    assert default["turn"]["4"]["n"] == default["turn"]["1"]["n"] == 1
    assert default["turn"]["5"] == {"n": 0}
    assert default["turn"]["all"]["R@5"] == 100.0
    assert default["session"]["all"]["any@5"] == 100.0
    assert found["ingest"]["turns"] == 5


def test_missing_data_is_said_with_what_to_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIGRAPH_DATA", str(tmp_path))
    with pytest.raises(BrokenFile, match="TRIGRAPH_DATA"):
        data_folder("locomo")
