"""The two ways of asking a model over HTTP: what is posted where, and where in the answer things stand."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Protocol

from trigraph.exchange import Unusable, parse
from trigraph.extractors.prompting import Question
from trigraph.model.extraction import Usage

_MOST_TOKENS = 100_000_000
_TOOL = "keep"


class Dialect(Protocol):
    """One vendor's protocol. What the answer holds is taken for nothing but what was checked."""

    path: str

    def headers(self, key: str | None) -> dict[str, str]:
        """What says who asks."""

    def body(self, model: str, question: Question) -> dict[str, Any]:
        """What is posted."""

    def usage(self, answer: object) -> Usage | None:
        """The tokens that the answer says it took."""

    def content(self, answer: object) -> object:
        """What the model wrote, parsed. Raises Unusable if it was cut short, refused, or is not there."""


class OpenAi:
    """`POST {url}/chat/completions` with a strict `json_schema`; also spoken by most local servers."""

    path = "/chat/completions"

    def headers(self, key: str | None) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def body(self, model: str, question: Question) -> dict[str, Any]:
        return {
            "model": model,
            "max_tokens": question.tokens_out,
            "messages": [
                {"role": "system", "content": question.prompt},
                {"role": "user", "content": question.data},
            ],
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": _TOOL, "strict": True, "schema": question.schema},
            },
        }

    def usage(self, answer: object) -> Usage | None:
        return _usage(answer, ("prompt_tokens",), "completion_tokens")

    def content(self, answer: object) -> object:
        choices = _part(answer, "choices")
        if not isinstance(choices, list) or not choices:
            raise Unusable("its answer has no choices")
        reason, message = _part(choices[0], "finish_reason"), _part(choices[0], "message")
        if reason == "length":
            raise Unusable("its answer was cut at the token limit")
        if reason == "content_filter" or _part(message, "refusal"):
            raise Unusable("it refused")
        text = _part(message, "content")
        if not isinstance(text, str):
            raise Unusable("its answer has no content")
        return parse(text)


class Anthropic:
    """`POST {url}/v1/messages` with one tool that the model has to call."""

    path = "/v1/messages"

    def headers(self, key: str | None) -> dict[str, str]:
        return {"anthropic-version": "2023-06-01"} | ({"x-api-key": key} if key else {})

    def body(self, model: str, question: Question) -> dict[str, Any]:
        return {
            "model": model,
            "max_tokens": question.tokens_out,
            "system": question.prompt,
            "messages": [{"role": "user", "content": question.data}],
            "tools": [{"name": _TOOL, "description": "Keep what was found.", "input_schema": question.schema}],
            "tool_choice": {"type": "tool", "name": _TOOL, "disable_parallel_tool_use": True},
        }

    def usage(self, answer: object) -> Usage | None:
        read = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        return _usage(answer, read, "output_tokens")

    def content(self, answer: object) -> object:
        reason, blocks = _part(answer, "stop_reason"), _part(answer, "content")
        if reason in ("max_tokens", "model_context_window_exceeded"):
            raise Unusable("its answer was cut at the token limit")
        if reason == "refusal":
            raise Unusable("it refused")
        calls = [block for block in blocks if _part(block, "type") == "tool_use"] if isinstance(blocks, list) else []
        if len(calls) != 1 or _part(calls[0], "name") != _TOOL:
            raise Unusable("its answer does not call the one tool once")
        return _part(calls[0], "input")


DIALECTS: Mapping[str, Dialect] = MappingProxyType({"openai": OpenAi(), "anthropic": Anthropic()})


def _part(value: object, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _usage(answer: object, names_in: tuple[str, ...], name_out: str) -> Usage | None:
    """The first of the names has to be there, the others are added where they are."""
    told = _part(answer, "usage")
    first, *others = (_part(told, name) for name in names_in)
    counts = [first, _part(told, name_out), *(count for count in others if count is not None)]
    if not all(type(count) is int and 0 <= count <= _MOST_TOKENS for count in counts):
        return None
    tokens_in, tokens_out, *more = counts
    return Usage(tokens_in + sum(more), tokens_out)
