"""The edge: loose arguments and JSON → values, values → JSON. One place for all faces."""

from __future__ import annotations

from trigraph.faces.wire.answers import error_json, memory_facts, shown_time, to_json
from trigraph.faces.wire.arguments import (
    audience,
    batch_item,
    draft_about,
    draft_told,
    listing_filter,
    memory_draft,
    memory_filter,
    recall_query,
    revision,
    thread_draft,
    uses,
    without_audience,
)
from trigraph.faces.wire.claims import (
    AGENT_HEADER,
    AGENT_HEADERS,
    PROJECT_HEADER,
    TOKEN_HEADER,
    Claims,
    claims,
)
from trigraph.faces.wire.decoding import WHOLE_TEXT, from_json
from trigraph.faces.wire.values import (
    WHOLE_MOST,
    choice,
    number_of,
    optional_text,
    optional_time,
    read_json,
    read_json_lines,
    strings,
    text_map,
    text_of,
    whole,
)

__all__ = [
    "AGENT_HEADER",
    "AGENT_HEADERS",
    "PROJECT_HEADER",
    "TOKEN_HEADER",
    "WHOLE_MOST",
    "WHOLE_TEXT",
    "Claims",
    "audience",
    "batch_item",
    "choice",
    "claims",
    "draft_about",
    "draft_told",
    "error_json",
    "from_json",
    "listing_filter",
    "memory_draft",
    "memory_facts",
    "memory_filter",
    "number_of",
    "optional_text",
    "optional_time",
    "read_json",
    "read_json_lines",
    "recall_query",
    "revision",
    "shown_time",
    "strings",
    "text_map",
    "text_of",
    "thread_draft",
    "to_json",
    "uses",
    "whole",
    "without_audience",
]
