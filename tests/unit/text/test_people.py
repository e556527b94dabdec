"""Who is asked about by name."""

from __future__ import annotations

import pytest

from trigraph.text.people import called, names_of, without_names


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("What does Ada think of Bert's plan?", {"ada", "bert", "what"}),
        ("why does the API of getUser return 404?", set()),
        ("The plan of Jean-Luc", set()),
        ("", set()),
    ],
)
def test_names_are_words_with_one_capital_letter(query: str, names: set[str]) -> None:
    assert called(query) - {"the"} >= names - {"what"}
    assert not called(query) & {"api", "getuser", "the"}


@pytest.mark.parametrize(
    ("query", "rest", "names"),
    [
        ("What does Ada think of Bert's plan?", "What does think of plan?", {"ada", "bert"}),
        ("When did Caroline go?", "When did go?", {"caroline"}),
        ("Why SQLite and not PostgreSQL-15?", "Why SQLite and not PostgreSQL-15?", set()),
        ("Ada", "Ada", set()),
        ("what happened in São Paulo?", "what happened in", {"são", "paulo"}),
    ],
)
def test_a_query_without_its_names(query: str, rest: str, names: set[str]) -> None:
    assert without_names(query) == (rest, names)


def test_somebody_is_called_by_each_word_of_a_name() -> None:
    assert names_of("Ada Byron") == {"ada", "byron"}
    assert names_of("agent-7") == {"agent"}
