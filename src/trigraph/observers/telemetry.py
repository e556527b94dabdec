"""The observer that assembly hands to the engine: a span and a line for each verb."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from trigraph.observers import facts
from trigraph.observers.lines import LOGGER, level_of, log
from trigraph.observers.operations import POLLED
from trigraph.observers.spans import Spans

if TYPE_CHECKING:
    from opentelemetry.trace import Span

_Answered = TypeVar("_Answered")


class Telemetry:
    """Tells of verbs in spans and in log lines. Telling never makes a verb fail."""

    def __init__(self, version: str, *, contents: bool = False) -> None:
        self._spans = Spans(version, contents=contents)

    def listens(self) -> bool:
        """Whether anybody traces, or a line for each verb is wanted."""
        return LOGGER.isEnabledFor(logging.INFO) or self._spans.wanted()

    def failed(self, verb: str, given: Mapping[str, object], error: BaseException) -> None:
        """A line of a verb that failed."""
        _write(verb, given, None, None, None, error)

    def observe(self, verb: str, given: Mapping[str, object], run: Callable[[], _Answered]) -> _Answered:
        """Run a verb and tell of it."""
        span = self._spans.start(verb, given)
        if span is None:
            return self._logged(verb, given, run, None)
        with self._spans.current(span):
            try:
                answer = self._logged(verb, given, run, span)
            except BaseException as error:
                with suppress(Exception):
                    self._spans.failed(span, given, error)
                raise
            with suppress(Exception):
                self._spans.answered(span, given, answer)
            return answer

    def _logged(
        self, verb: str, given: Mapping[str, object], run: Callable[[], _Answered], span: Span | None
    ) -> _Answered:
        started = time.perf_counter()
        try:
            answer = run()
        except BaseException as error:
            _write(verb, given, started, span, None, error)
            raise
        if LOGGER.isEnabledFor(logging.INFO):
            _write(verb, given, started, span, answer, None)
        return answer


def _write(
    verb: str,
    given: Mapping[str, object],
    started: float | None,
    span: Span | None,
    answer: object,
    error: BaseException | None,
) -> None:
    spent = {} if started is None else {"ms": round((time.perf_counter() - started) * 1000, 3)}
    if not LOGGER.isEnabledFor(level_of(error)):
        return
    with suppress(Exception):
        told = {} if error is not None else facts.of_answer(answer)
        if verb in POLLED and error is None and not any(told.values()):
            return
        line = {"verb": verb, "outcome": facts.outcome(error), **spent, **facts.of_call(verb, given), **told}
        log("verb", {**line, **_trace(span)}, error)


def _trace(span: Span | None) -> dict[str, str]:
    """By which ids a tracing system knows the verb."""
    context = span.get_span_context() if span is not None else None
    if context is None or not context.is_valid:
        return {}
    return {"trace_id": f"{context.trace_id:032x}", "span_id": f"{context.span_id:016x}"}
