"""Re-ranking: a model reads the question with the best candidates, each in its window, before the answer is cut."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from trigraph.contracts import PassageText
from trigraph.engine.parts import Parts, RerankRules
from trigraph.engine.read.ranking import Candidate
from trigraph.errors import ModelUnavailable
from trigraph.model.memory import Memory
from trigraph.model.query import RecallQuery
from trigraph.model.recall import LegStatus, Reranked
from trigraph.model.scope import Scope
from trigraph.model.times import Moment
from trigraph.ranking.context import Neighbourhood
from trigraph.ranking.fusion import standardised

WINDOW_REACH = 1
WINDOW_CHARS = 2_000
LEAST_CHARS = 20
"""Less than so much of a neighbour says nothing, and is left out."""
SCORE_MOST = 1e100
"""Beyond it there is no standard deviation to measure in."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Line:
    """A passage as it is read aloud: who says it, and what."""

    speaker: str | None
    text: str

    def within(self, chars: int, *, its_end: bool = False) -> str:
        """As much of it as there is room for, its beginning or its end; the speaker's name is kept."""
        name = f"{self.speaker}: " if self.speaker else ""
        room = chars - len(name)
        if len(self.text) <= room:
            return name + self.text
        if room < LEAST_CHARS:
            return ""
        return f"{name}…{self.text[1 - room :]}" if its_end else f"{name}{self.text[: room - 1]}…"


def windows_of(parts: Parts, scope: Scope, query: RecallQuery, moment: Moment, best: Sequence[Candidate]) -> list[str]:
    """What the model is to read of each candidate: its passage, and of the passages just before and after it what the
    scope may see. Read in the recall's snapshot, under the visibility that the answer has."""
    passages = [one.passage.passage for one in best]
    texts = parts.store.search.surroundings(scope, passages, WINDOW_REACH, query.filter, moment)
    around = Neighbourhood(texts, (), reach=WINDOW_REACH)
    ids = list(dict.fromkeys(text.memory_id for text in texts))
    memories = {memory.id: memory for memory in parts.store.memories.get(scope, ids, moment)}
    lines = [_line(text, memories) for text in texts]
    row_of = {text.passage: row for row, text in enumerate(texts)}

    def line_at(passage: int, offset: int) -> _Line | None:
        row = int(around.rows_at[offset][row_of[passage]]) if passage in row_of else -1
        return lines[row] if row >= 0 else None

    return [
        _window(line_at(passage, -1), lines[row_of[passage]], line_at(passage, 1)) if passage in row_of else ""
        for passage in passages
    ]


def rerank(
    rules: RerankRules, query: str, ranked: Sequence[Candidate], windows: Sequence[str]
) -> tuple[list[Candidate], Reranked]:
    """The ranking with its best re-ordered, one for each window, and how that went. When it fails the order stays."""
    started = time.perf_counter()
    given: Floats | str
    if len(windows) < 2:
        return list(ranked), Reranked(rules.reranker.model_id, LegStatus.NOT_APPLICABLE, "there is nothing to re-order")
    try:
        given = _sound(rules.reranker.scores(query, windows), len(windows))
    except ModelUnavailable as error:
        given = str(error)
    milliseconds = round((time.perf_counter() - started) * 1000, 3)
    if isinstance(given, str):
        return list(ranked), Reranked(rules.reranker.model_id, LegStatus.FAILED, given, milliseconds)
    ordered = [*_reordered(ranked[: len(windows)], given, rules.blend), *ranked[len(windows) :]]
    return ordered, Reranked(rules.reranker.model_id, LegStatus.OK, None, milliseconds)


def still_there(parts: Parts, scope: Scope, moment: Moment, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Without those that were erased while the model was asked: no answer and no event may name them."""
    ids = {one.passage.memory_id for one in candidates}
    known = parts.store.memories.held(scope, ids, moment.known_at)
    return [one for one in candidates if one.passage.memory_id in known]


def _sound(scores: Sequence[float], count: int) -> Floats | str:
    """Scores that an order can be made of, or why none can: the model is somebody else's."""
    if len(scores) != count:
        return f"it gave {len(scores)} scores for {count} texts"
    values = np.asarray(scores, dtype=np.float64)
    if not np.all(np.abs(values) < SCORE_MOST):
        return "it gave scores that are not numbers"
    return values


def _reordered(best: Sequence[Candidate], given: Floats, blend: float) -> list[Candidate]:
    """By both scores, each in standard deviations; on the scale of the fused ones again, above all that follows."""
    fused = np.array([one.score for one in best])
    blended = blend * standardised(given) + (1 - blend) * standardised(fused)
    scores = fused.min() + (blended - blended.min()) * (fused.std() or 1.0)
    order = np.argsort(-blended, kind="stable").tolist()
    return [
        replace(best[before], score=float(scores[before]), reranked=_moved(before, now))
        for now, before in enumerate(order)
    ]


def _moved(before: int, now: int) -> str | None:
    if before == now:
        return None
    return f"moved {'up' if now < before else 'down'} by the re-ranker, from place {before + 1}"


def _line(text: PassageText, memories: Mapping[str, Memory]) -> _Line:
    memory = memories.get(text.memory_id)
    if memory is None:
        return _Line(None, "")
    return _Line(memory.place.speaker if memory.place else None, memory.text[text.start : text.end].strip())


def _window(before: _Line | None, own: _Line, after: _Line | None) -> str:
    """Three passages, a line each; what there is no room for is missing at the outer ends."""
    middle = own.within(WINDOW_CHARS)
    room = WINDOW_CHARS - len(middle) - 2
    whole = len(after.within(WINDOW_CHARS)) if after else 0
    head = before.within(max(room // 2, room - whole), its_end=True) if before else ""
    tail = after.within(room - len(head)) if after else ""
    return "\n".join(line for line in (head, middle, tail) if line)
