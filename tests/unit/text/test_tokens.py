"""Tokens are estimated from bytes."""

from __future__ import annotations

import pytest

from trigraph.text.tokens import estimate_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("four", 1), ("fives", 2), ("x" * 400, 100), ("éé", 1), ("東京", 2), ("🦑", 1)],
)
def test_four_bytes_are_a_token_and_a_rest_is_one_more(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens
