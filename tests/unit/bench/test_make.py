"""The generator of large stores."""

from __future__ import annotations

from pathlib import Path

from trigraph.bench.make import make, questions
from trigraph.faces.library import Trigraph


def _texts(memory: Trigraph) -> list[str]:
    return [one.text for one in memory.list(limit=500).memories]


def test_a_store_has_the_size_asked_for_and_all_that_is_promised(memory: Trigraph) -> None:
    assert make(memory.engine, memory.scope, 800, seed=7) == 800
    stats = memory.stats()
    assert stats.memories == 800
    assert stats.threads >= 1
    assert len(stats.by_kind) >= 5
    listed = memory.list(limit=500).memories
    assert len({one.provenance.author for one in listed}) > 1
    assert any(one.topic and one.tags for one in listed)


def test_the_same_seed_gives_the_same_texts(memory: Trigraph, tmp_path: Path) -> None:
    from trigraph.assembly import open_engine
    from trigraph.settings import EmbedderSettings, Settings

    make(memory.engine, memory.scope, 120, seed=3)
    settings = Settings(home=str(tmp_path / "other"), embedder=EmbedderSettings(kind="none"))
    with Trigraph(open_engine(settings), memory.scope) as other:
        make(other.engine, other.scope, 120, seed=3)
        assert _texts(other) == _texts(memory)


def test_questions_come_from_the_seed() -> None:
    assert questions(5, 1) == questions(5, 1)
    assert questions(5, 1) != questions(5, 2)
