"""An extractor that asks a model over HTTP, in the dialect of OpenAI or of Anthropic."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from trigraph.errors import ConfigError, ModelUnavailable
from trigraph.exchange import Passing, Refused, Unusable, check_client, checked_key, checked_url, parse, post, shown
from trigraph.extractors.dialects import DIALECTS
from trigraph.extractors.prompting import Question, careful_tokens, make_question, read_prompts
from trigraph.extractors.reading import Unfounded, read_findings
from trigraph.model.extraction import Extraction, Said, Stage, Usage

TRIES = 3
UNUSABLE_ANSWERS = 2


class HttpExtractor:
    """See `contracts.Extractor`. Thread-safe. `timeout_seconds` bounds a whole extraction, all tries and pauses
    included. What may pass (429, 5xx, no connection) is tried again, an unusable answer is asked for once more."""

    def __init__(
        self,
        dialect: str,
        url: str,
        model: str,
        *,
        key: str | None,
        timeout_seconds: float,
        prompts: Path | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        if dialect not in DIALECTS:
            raise ConfigError(f"The dialect {dialect!r} is not known.", fix=f"Valid: {', '.join(DIALECTS)}.")
        self._dialect = DIALECTS[dialect]
        self._name = f"{dialect}:{model}"
        self._model = model
        self._url = checked_url(url, "extractor", "extractor.key_file") + self._dialect.path
        check_client()
        self._key = checked_key(key, "extractor", "extractor.key_file")
        self._timeout_seconds = timeout_seconds
        self._prompts = read_prompts(prompts)
        self._pause = pause

    @property
    def name(self) -> str:
        return self._name

    def extract(self, stage: Stage, messages: Sequence[Said]) -> Extraction:
        if not any(said.text.strip() for said in messages):
            return Extraction((), self._name)
        question = make_question(stage, self._prompts[stage], messages)
        deadline = time.monotonic() + self._timeout_seconds
        usage, unusable, problem = Usage(), 0, "no try was made"
        for attempt in range(1, TRIES + 1):
            pause_seconds = 0.0
            try:
                text = self._post(question, deadline)
                answer = parse(text)
                usage = _sum(usage, self._dialect.usage(answer) or _estimate(question, text))
                found, summary = read_findings(stage, self._dialect.content(answer), messages)
                return Extraction(found, self._name, summary, usage)
            except Unfounded as error:
                raise self._unavailable(str(error)) from error
            except Refused as error:
                problem = str(error)
                break
            except Unusable as error:
                problem, unusable = str(error), unusable + 1
            except Passing as error:
                problem = str(error)
                pause_seconds = 0.5 * 2**attempt if error.pause_seconds is None else error.pause_seconds
            if unusable == UNUSABLE_ANSWERS or time.monotonic() + pause_seconds >= deadline:
                break
            if pause_seconds and attempt < TRIES:
                self._pause(pause_seconds)
        raise self._unavailable(problem)

    def _post(self, question: Question, deadline: float) -> str:
        """The text of a good answer."""
        body, headers = self._dialect.body(self._model, question), self._dialect.headers(self._key)
        return post(self._url, body, headers, deadline=deadline, timeout_seconds=self._timeout_seconds)

    def _unavailable(self, problem: str) -> ModelUnavailable:
        return ModelUnavailable(
            f"The extractor at {self._url} failed: {shown(problem, self._key)}.",
            fix="Check extractor.url, extractor.model and extractor.key_file.",
        )


def _estimate(question: Question, text: str) -> Usage:
    return Usage(question.tokens_in, min(question.tokens_out, careful_tokens(text)))


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(one.tokens_in + other.tokens_in, one.tokens_out + other.tokens_out)
