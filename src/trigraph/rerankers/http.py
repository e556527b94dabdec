"""A re-ranker behind HTTP: the dialect of Cohere, which many servers speak, or that of TEI."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from trigraph.contracts import RERANK_MOST
from trigraph.errors import ConfigError, ModelUnavailable
from trigraph.exchange import Passing, Refused, Unusable, check_client, checked_key, checked_url, parse, post, shown

_KEY_SETTING = "reranker.api_key_env"


@dataclass(frozen=True, slots=True)
class _Dialect:
    """What is posted for a model, a query and texts; where in the answer the rows stand, and what a score is called."""

    body: Callable[[str, str, Sequence[str]], dict[str, Any]]
    rows: Callable[[Any], Any]
    score: str


def _cohere_body(model: str, query: str, texts: Sequence[str]) -> dict[str, Any]:
    return {"model": model, "query": query, "documents": list(texts), "top_n": len(texts)}


def _tei_body(model: str, query: str, texts: Sequence[str]) -> dict[str, Any]:
    return {"query": query, "texts": list(texts), "truncate": True}


DIALECTS: Mapping[str, _Dialect] = MappingProxyType(
    {
        "cohere": _Dialect(
            _cohere_body, lambda answer: answer.get("results") if isinstance(answer, dict) else None, "relevance_score"
        ),
        "tei": _Dialect(_tei_body, lambda answer: answer, "score"),
    }
)


class HttpReranker:
    """See `contracts.Reranker`. `url` is the whole address that is posted to. Asked once, within `timeout_seconds`:
    a recall goes on without it."""

    def __init__(self, dialect: str, url: str, model_id: str, *, key: str | None, timeout_seconds: float) -> None:
        if dialect not in DIALECTS:
            raise ConfigError(f"reranker.dialect {dialect!r} is not known.", fix=f"Valid: {', '.join(DIALECTS)}.")
        self._dialect = DIALECTS[dialect]
        self._model_id = model_id
        self._url = checked_url(url, "reranker", _KEY_SETTING)
        check_client()
        self._key = checked_key(key, "reranker", _KEY_SETTING)
        self._timeout_seconds = timeout_seconds

    @property
    def model_id(self) -> str:
        return self._model_id

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        if len(texts) > RERANK_MOST:
            raise self._unavailable(f"{len(texts)} texts were to be asked for at once, {RERANK_MOST} are the most")
        answered = self._ask(self._dialect.body(self._model_id, query, texts), len(texts))
        if isinstance(answered, str):
            raise self._unavailable(answered)
        return answered

    def _ask(self, body: dict[str, Any], count: int) -> list[float] | str:
        """The scores, or what was wrong: raised by the caller, so that no error carries what a server said unseen."""
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        deadline = time.monotonic() + self._timeout_seconds
        try:
            text = post(self._url, body, headers, deadline=deadline, timeout_seconds=self._timeout_seconds)
            return _read_scores(self._dialect.rows(parse(text)), self._dialect.score, count)
        except (Passing, Refused, Unusable) as error:
            return str(error)

    def _unavailable(self, problem: str) -> ModelUnavailable:
        return ModelUnavailable(
            f"The re-ranker at {self._url} failed: {shown(problem, self._key)}.",
            fix="Check reranker.url, reranker.model and reranker.dialect, or set reranker.kind to none.",
        )


def _read_scores(rows: object, name: str, count: int) -> list[float]:
    """The scores in the order of the texts: of each text exactly one, and each a number."""
    if not isinstance(rows, list):
        raise Unusable("its answer is not of the expected form: no list of results")
    found: dict[int, float] = {}
    for row in rows:
        index, score = (row.get("index"), _number(row.get(name))) if isinstance(row, dict) else (None, None)
        if type(index) is not int or not 0 <= index < count or index in found:
            raise Unusable("its answer is not of the expected form: an index is missing, twice or out of range")
        if score is None:
            raise Unusable(f"its answer is not of the expected form: a {name} is no number")
        found[index] = score
    if len(found) != count:
        raise Unusable(f"it answered {len(found)} results for {count} texts")
    return [found[place] for place in range(count)]


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
