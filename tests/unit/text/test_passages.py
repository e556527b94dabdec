"""Long texts as passages."""

from __future__ import annotations

from itertools import pairwise

import pytest

from trigraph.text.passages import LIMIT_CHARS, Span, split_passages, title_of

SENTENCE = "The committee met again and adjourned. "


def test_a_short_text_is_one_passage_without_a_heading() -> None:
    text = "# Title\n\n" + "x" * 1091

    assert len(text) == 1100
    assert split_passages(text) == [Span(0, 1100)]
    assert split_passages("") == [Span(0, 0)]


def test_a_long_text_is_cut_at_its_headings() -> None:
    text = "# Top\n\nIntroduction.\n\n## One\n\n" + "a" * 600 + "\n\n### Two ###\n\n" + "b" * 600 + "\n"
    pieces = [(span.heading, text[span.start : span.end].strip()) for span in split_passages(text)]

    assert pieces == [
        ("Top", "# Top\n\nIntroduction."),
        ("One", "## One\n\n" + "a" * 600),
        ("Two", "### Two ###\n\n" + "b" * 600),
    ]


def test_small_paragraphs_under_one_heading_are_put_together_up_to_700_characters() -> None:
    paragraphs = [letter * 298 + "\n\n" for letter in "abcde"]

    assert [(span.start, span.end) for span in split_passages("".join(paragraphs))] == [
        (0, 600),
        (600, 1200),
        (1200, 1500),
    ]


@pytest.mark.parametrize("fence", ["```", "~~~", "    ```"])
def test_a_heading_or_blank_line_inside_a_fence_cuts_nothing(fence: str) -> None:
    code = f"{fence}sh\n# not a heading\n\nmake all\n{fence}"
    text = "x" * 900 + f"\n\n## Build\n\n{code}\n\n## Next\n\n" + "y" * 300
    pieces = {span.heading: text[span.start : span.end].strip() for span in split_passages(text)}

    assert pieces["Build"] == f"## Build\n\n{code}"
    assert list(pieces) == [None, "Build", "Next"]


def test_a_long_paragraph_is_cut_after_a_sentence() -> None:
    text = SENTENCE * 60
    spans = split_passages(text)

    # 28 sentences of 39 characters are 1,092; 60 of them are 28 + 28 + 4.
    assert [(span.start, span.end) for span in spans] == [(0, 1092), (1092, 2184), (2184, 2340)]


def test_without_sentences_it_is_cut_at_a_space_and_without_spaces_anywhere() -> None:
    words, solid = "word " * 400, "x" * 2500

    assert [(span.start, span.end) for span in split_passages(words)] == [(0, 1100), (1100, 2000)]
    assert [(span.start, span.end) for span in split_passages(solid)] == [
        (0, 1100),
        (1100, 2200),
        (2200, 2500),
    ]


@pytest.mark.parametrize(
    "text",
    [
        SENTENCE * 100,
        "\n\n\n".join(f"## Part {n}\n\n{SENTENCE * n}" for n in range(40)),
        "x" * 5000,
        "\r\n".join(["line"] * 900),
        "```\n" + "code line\n\n" * 300,
        "東京都。" * 800,
        "\u2028".join(["line separator"] * 200),
        " " * 3000 + "end",
    ],
    ids=range(8),
)
def test_passages_hold_every_word_in_order_and_none_is_too_long(text: str) -> None:
    spans = split_passages(text)

    assert "".join(text[span.start : span.end] for span in spans).split() == text.split()
    assert all(before.end <= after.start for before, after in pairwise(spans))
    assert max(span.end - span.start for span in spans) <= 1100
    assert all(text[span.start : span.end].strip() for span in spans)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Kraken\n\nText", "Kraken"),
        ("Text first\n\n# Kraken #\n", "Kraken"),
        ("## Only level two", None),
        ("plain", None),
        ("#hashtag", None),
        ("---\ntitle: Deep Sea\nauthor: Ana\n---\n# Kraken\n", "Deep Sea"),
        ("---\nauthor: Ana\ntitle: 'Deep Sea'\n---\n\n# Kraken\n", "Deep Sea"),
        ('---\ntitle: "Deep: Sea"\n---\ntext', "Deep: Sea"),
        ("---\nauthor: Ana\n---\n# Kraken\n", "Kraken"),
        ("---\r\ntitle: Deep Sea\r\n---\r\n# Kraken\r\n", "Deep Sea"),
        ("text\n---\ntitle: Deep Sea\n---\n# Kraken\n", "Kraken"),
    ],
)
def test_a_title_comes_from_the_front_matter_else_from_the_first_heading(text: str, title: str | None) -> None:
    assert title_of(text) == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("```sh\n# install everything\nmake all\n```\n\n# Kraken\n", "Kraken"),
        ('---\ntitle: ""\n---\n# Kraken\n', "Kraken"),
        ("---\n# a comment\nauthor: Ana\n---\n# Kraken\n", "Kraken"),
    ],
)
def test_a_title_is_not_taken_from_where_no_reader_would_look(text: str, title: str | None) -> None:
    assert title_of(text) == title


def test_blank_lines_at_the_beginning_make_no_passage_too_long() -> None:
    spans = split_passages("\n\n" + "0" * (LIMIT_CHARS + 50))

    assert [(span.start, span.end) for span in spans] == [(2, LIMIT_CHARS + 2), (LIMIT_CHARS + 2, LIMIT_CHARS + 52)]
