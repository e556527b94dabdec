"""How many model tokens a text costs, estimated without any model's tokenizer."""

from __future__ import annotations

BYTES_PER_TOKEN = 4


def estimate_tokens(text: str) -> int:
    """Within about a third for English prose and code; wider scripts are counted by their UTF-8 bytes."""
    return -(-len(text.encode()) // BYTES_PER_TOKEN)
