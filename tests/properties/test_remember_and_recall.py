"""What must hold for any text and any query. Without a model where the model has no part in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from trigraph.assembly import open_engine
from trigraph.contracts import Embedder
from trigraph.errors import InvalidInput, NotFound
from trigraph.faces.library import Trigraph
from trigraph.model.ids import is_full_id, new_id
from trigraph.model.recall import Recall
from trigraph.model.report import ItemStatus
from trigraph.model.scope import LOCAL_SCOPE
from trigraph.settings import EmbedderSettings, Settings
from trigraph.text.passages import LIMIT_CHARS, split_passages
from trigraph.text.terms import STOP_WORDS

START = datetime(2026, 9, 1, 12, tzinfo=UTC)
WITHOUT_MODEL = Settings(embedder=EmbedderSettings(kind="none"))

few = settings(deadline=None, max_examples=60)
many = settings(deadline=None, max_examples=200)

anything = st.text(st.characters(exclude_categories=[]))
"""Any string that Python can make, lone surrogates and NUL included."""
unicode_text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
kept_text = unicode_text.filter(lambda text: text.strip() != "")
long_text = st.lists(st.one_of(kept_text, st.sampled_from(["# Heading\n", "\n\n", "```\n", "word " * 40, "x" * 400])))
marks = """AND OR NOT NEAR( ( ) " "" * ^ : - + { } , ' ; -- % _ \\ terms: alpha alpha* SPEC-054 parse_config""".split()
operators = st.lists(st.sampled_from([*marks, "\t", "\r\n", "\x01", "\x7f", "\ufeff"]), min_size=1)
queries = st.one_of(anything, operators.map("".join), operators.map(" ".join))


@contextmanager
def fresh_memory(clock: list[datetime] | None = None) -> Iterator[Trigraph]:
    """An empty memory without a model. `clock` is a list whose last time is now."""
    times = clock or [START]
    with Trigraph(open_engine(WITHOUT_MODEL, in_memory=True, clock=lambda: times[-1]), LOCAL_SCOPE) as memory:
        yield memory


# Texts


@many
@given(anything)
@example("\ufeffwith a byte order mark")
@example("\ufffe\uffff and \U0010ffff")
@example("a lone \ud800 surrogate")
@example("a NUL \x00 byte")
@example("Zu\u0308rich \r\n\u2028 e\u0301")
def test_any_text_is_kept_exactly_or_refused(text: str) -> None:
    with fresh_memory() as memory:
        try:
            report = memory.remember(text)
        except InvalidInput:
            assert not text.strip() or "\x00" in text or re.search("[\ud800-\udfff]", text)
            assert memory.stats().memories == 0
            return
        assert report.id is not None
        assert memory.get(report.id).text == text
        assert [one.text for one in memory.list().memories] == [text]


@few
@given(long_text)
@example([" ".join(f"word{number}" for number in range(120)), "x" * 390])
def test_a_long_text_is_kept_exactly_as_are_its_excerpts(parts: list[str]) -> None:
    text = "Opening zanzibar. " + " ".join(parts)
    with fresh_memory() as memory:
        report = memory.remember(text, kind="document")
        assert report.id is not None
        assert memory.get(report.id).text == text
        excerpt = memory.recall("zanzibar").hits[0].excerpt
        assert excerpt.text == text[excerpt.start : excerpt.end].strip()
        assert "zanzibar" in excerpt.text


@many
@given(kept_text, st.sampled_from([" ", "\t", "\n", "  ", "\u3000"]))
def test_a_text_remembered_twice_is_a_duplicate_whatever_its_white_space(text: str, space: str) -> None:
    with fresh_memory() as memory:
        first = memory.remember(text)
        again = memory.remember(text)
        spaced = memory.remember(space + space.join(text.split()) + space)
        assert first.items[0].status is ItemStatus.ADDED
        assert [one.items[0].status for one in (again, spaced)] == [ItemStatus.DUPLICATE] * 2
        assert {again.id, spaced.id} == {first.id}
        assert memory.stats().memories == 1


@few
@given(st.lists(kept_text, min_size=1, max_size=12))
def test_a_batch_keeps_each_different_text_once(texts: list[str]) -> None:
    with fresh_memory() as memory:
        report = memory.remember_batch([*texts, *texts])
        first, repeated = report.items[: len(texts)], report.items[len(texts) :]
        assert [item.status for item in repeated] == [
            # what only restates another is not stored, and restates it again
            one.status if one.status is ItemStatus.REINFORCED else ItemStatus.DUPLICATE
            for one in first
        ]
        assert [item.id for item in repeated] == [item.id for item in report.items[: len(texts)]]
        assert memory.stats().memories == report.count(ItemStatus.ADDED)


# Recall

letters = st.characters(categories=["Lu", "Ll", "Lo", "Nd"])
tokens = st.one_of(
    st.from_regex(r"[a-z]{2,5}[0-9]{3,5}[a-z]{2}", fullmatch=True), st.text(letters, min_size=3, max_size=12)
)


@many
@given(unicode_text, tokens, unicode_text)
@example("", "naïveté", "")
@example("", "東京都庁", "")
@example("", "𞤀𞤣𞤤𞤢𞤥", "")
@example("", "ßẞſ", "")
@example("", "thé", "")
def test_a_text_is_found_by_any_word_that_only_it_holds(before: str, token: str, after: str) -> None:
    assume(unicodedata.normalize("NFKC", token).casefold() not in STOP_WORDS)
    with fresh_memory() as memory:
        memory.remember_batch(["The kettle is on.", "A boat left the harbour.", "Nobody called."])
        assume(not memory.recall(token).hits)
        report = memory.remember(f"{before} {token} {after}")
        assert [hit.memory.id for hit in memory.recall(token).hits] == [report.id]


@pytest.fixture(scope="module")
def with_model(embedder: Embedder) -> Iterator[Trigraph]:
    """A memory with the real model, and something to find in it."""
    with Trigraph(open_engine(Settings(), in_memory=True, embedder=embedder), LOCAL_SCOPE) as memory:
        memory.remember_batch(["alpha calls parse_config", "SPEC-054 says so", "beta " * 400])
        memory.remember_thread([{"text": f"message {number}", "speaker": "Anne"} for number in range(5)])
        yield memory


def _answer(memory: Trigraph, query: str) -> Recall | None:
    """The answer, or None if the query was refused; anything else that is raised fails the test."""
    try:
        return memory.recall(query)
    except InvalidInput:
        return None


@many
@given(query=queries)
@example(query='"')
@example(query="alpha AND")
@example(query="NEAR(alpha beta, 2)")
@example(query="* OR 1=1; --")
def test_no_query_breaks_recall(with_model: Trigraph, query: str) -> None:
    answer = _answer(with_model, query)
    refused = not query.strip() or "\x00" in query or re.search("[\ud800-\udfff]", query)
    assert (answer is None) == bool(refused)
    assert answer is None or not answer.degraded


@settings(deadline=None, max_examples=15)
@given(query=operators.map(lambda parts: (" ".join(parts) + " ") * 5000).map(lambda query: query[:5000]))
@example(query=" ".join(f"parse_config_{number}.py" for number in range(220)))
@example(query="東京" * 2500)
def test_no_long_query_breaks_recall(with_model: Trigraph, query: str) -> None:
    assume(query.strip())
    answer = with_model.recall(query)
    assert not answer.degraded
    assert len({hit.memory.id for hit in answer.hits}) == len(answer.hits)


@few
@given(field=st.sampled_from(["session", "topic", "author", "thread"]), value=anything, tag=anything)
@example(field="session", value="\ud800", tag="a")
@example(field="topic", value="\ud800", tag="a")
@example(field="author", value="\ud800", tag="a")
@example(field="thread", value="\ud800", tag="\ud800")
def test_no_filter_breaks_a_read(with_model: Trigraph, field: str, value: str, tag: str) -> None:
    refused: list[InvalidInput | NotFound] = []
    for read in (with_model.list, lambda **filters: with_model.recall("alpha", **filters)):
        try:
            read(**{field: value, "tags": [tag]})
        except (InvalidInput, NotFound) as error:
            refused.append(error)
    assert all(error.fix for error in refused)


# Passages


@many
@given(long_text)
def test_passages_cover_every_word_in_order_and_without_overlap(parts: list[str]) -> None:
    text = "".join(parts)
    assume(text.strip())
    spans = split_passages(text)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(left.end <= right.start for left, right in pairwise(spans))
    covered = "".join(text[span.start : span.end] for span in spans)
    assert "".join(covered.split()) == "".join(text.split())
    assert all(text[span.start : span.end].strip() for span in spans)
    assert all(span.end - span.start <= LIMIT_CHARS for span in spans)


@few
@given(st.integers(0, 1_000_000), st.sampled_from([" ", "\n", "\n\n", "\t", "\u3000", "\u00a0"]))
def test_no_word_of_ordinary_length_is_cut_in_two(seed: int, space: str) -> None:
    dice = Random(seed)
    words = ["".join(dice.choices("aeiouéß", k=dice.randint(1, 40))) + dice.choice(["", "", ","]) for _ in range(150)]
    text = space.join(words)
    pieces = [text[span.start : span.end].split() for span in split_passages(text)]
    assert [word for piece in pieces for word in piece] == words


# Order

steps = st.lists(st.integers(0, 1500), min_size=2, max_size=50)


@many
@given(steps)
@example([0] * 50)
def test_ids_sort_as_they_were_made(microseconds: list[int]) -> None:
    at, made = START, []
    for step in microseconds:
        at += timedelta(microseconds=step)
        made.append(new_id("m", at))
    assert made == sorted(set(made))
    assert all(is_full_id(one, "m") for one in made)


@many
@given(st.lists(st.sampled_from(["remember", "recall", "back", "on"]), max_size=30))
@example(["remember", "back", "recall", "remember"] * 5)
def test_memories_are_listed_as_they_were_made_whatever_the_clock_does(actions: list[str]) -> None:
    clock, made = [START], []
    with fresh_memory(clock) as memory:
        for action in actions:
            if action == "remember":
                made.append(memory.remember(f"text {len(made)}").id)
            elif action == "recall":
                memory.recall("text")
            else:
                clock.append(clock[-1] + timedelta(hours=-1 if action == "back" else 2))
        assert [one.id for one in memory.list().memories] == made[::-1]


@few
@given(st.integers(1, 25), st.integers(1, 7), st.lists(st.integers(0, 3), max_size=30))
def test_paging_shows_each_memory_once_while_others_are_added(count: int, limit: int, added_between: list[int]) -> None:
    clock = [START]
    with fresh_memory(clock) as memory:
        there = [item.id for item in memory.remember_batch(f"text {number}" for number in range(count)).items]
        shown: list[str] = []
        page = memory.list(limit=limit)
        additions = iter(added_between)
        while True:
            shown += [one.id for one in page.memories]
            for _ in range(next(additions, 0)):
                clock.append(clock[-1] + timedelta(milliseconds=1))
                memory.remember(f"later {len(clock)}")
            if page.next_cursor is None:
                break
            page = memory.list(limit=limit, cursor=page.next_cursor)
        assert shown == there[::-1]
