"""What may be told of a verb to anybody who watches: ids, counts, times, states. Never a text, a name or a query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from traceback import extract_tb

from trigraph.errors import (
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    TrigraphError,
    Unauthenticated,
)
from trigraph.model.change import Changed
from trigraph.model.memory import MEMORY_PREFIX, Memory, MemoryDraft, MemoryPage
from trigraph.model.query import RecallQuery
from trigraph.model.recall import Recall
from trigraph.model.report import RememberReport
from trigraph.model.revision import Revision
from trigraph.model.scope import DEFAULT_NAME, Scope
from trigraph.model.thread import ThreadDraft
from trigraph.text.tokens import estimate_tokens

Fact = str | int | float | bool | tuple[str, ...]
Facts = dict[str, Fact]

IDS_MOST = 20
SESSION_LONGEST = 200
FRAMES_MOST = 8
CALLERS_FAULT = (InvalidInput, NotFound, Unauthenticated, Forbidden, Conflict)


def of_call(verb: str, given: Mapping[str, object]) -> Facts:
    """Whose memory it is, who calls, and in which session."""
    scope = given.get("scope") or _registered(verb, given)
    facts: Facts = {}
    if isinstance(scope, Scope):
        facts["store"] = f"{scope.tenant}/{scope.project}"
        if "scope" in given:
            facts["agent"] = scope.agent
    session = _session(given)
    if session:
        facts["session"] = session[:SESSION_LONGEST]
    return facts


def of_answer(answer: object) -> Facts:
    """How many, which, and how it went."""
    match answer:
        case Recall():
            return _recall(answer)
        case RememberReport():
            told = Counter(item.status.value for item in answer.items)
            ids = [item.id for item in answer.items if item.id is not None]
            facts = _records(ids, len(answer.items))
            facts |= {f"items.{status}": count for status, count in told.items()}
            return facts | {"replayed": answer.replayed, "degraded": answer.degraded is not None}
        case Changed():
            facts = _records([one for one in answer.ids if one.startswith(f"{MEMORY_PREFIX}_")])
            return facts | {"preview": answer.preview, "replayed": answer.replayed}
        case Memory():
            return _records([answer.id])
        case MemoryPage():
            return {"record_count": len(answer.memories)}
        case bool():
            return {}
        case int():
            return {"count": answer}
        case list():
            return {"count": len(answer)}
    done = {name: getattr(answer, name, None) for name in ("done", "failed", "embedded")}
    return {name: count for name, count in done.items() if isinstance(count, int)}


def outcome(error: BaseException | None) -> str:
    """ok, the code of one of our errors, or the class of another."""
    if error is None:
        return "ok"
    return error.code if isinstance(error, TrigraphError) else type(error).__qualname__


def frames(error: BaseException) -> tuple[str, ...]:
    """Where an error came from, the last place last. What it says is left out: that may quote a memory."""
    found = extract_tb(error.__traceback__)[-FRAMES_MOST:]
    return tuple(f"{'/'.join(PurePath(one.filename).parts[-3:])}:{one.lineno} {one.name}" for one in found)


def answer_tokens(answer: Recall) -> int:
    """What the texts of an answer cost whoever reads them, estimated."""
    texts = [hit.excerpt.text for hit in answer.hits] + [one.text for one in answer.constraints]
    texts += [one.text for hit in answer.hits for one in hit.attached]
    texts += [one.text or "" for hit in answer.hits for one in (*(hit.before or ()), *(hit.after or ()))]
    return sum(map(estimate_tokens, texts))


def _recall(answer: Recall) -> Facts:
    facts: Facts = {
        "recall_id": answer.id,
        "record_count": len(answer.hits),
        "left_out": answer.left_out,
        "constraints": len(answer.constraints),
        "conflicts": len(answer.conflicts),
        "tokens": answer_tokens(answer),
        "nothing_found": answer.nothing_found,
        "degraded": answer.degraded,
        "profile": answer.plan.profile,
        "query_class": answer.plan.query_class.value,
        "fusion": answer.plan.fusion.value,
    }
    if answer.certainty is not None:
        facts["certainty"] = answer.certainty
    if answer.hits:
        facts["best_score"] = answer.hits[0].score
    for report in answer.legs:
        leg = f"legs.{report.leg.value}"
        facts |= {f"{leg}.status": report.status.value, f"{leg}.count": report.count, f"{leg}.ms": report.milliseconds}
    if answer.reranked is not None:
        facts["reranker.status"] = answer.reranked.status.value
    return facts | {f"stages.{stage}.ms": spent for stage, spent in answer.stages.items()}


def _records(ids: Sequence[str], count: int | None = None) -> Facts:
    facts: Facts = {"record_count": len(ids) if count is None else count}
    if len(ids) == 1:
        facts["record_id"] = ids[0]
    elif ids:
        facts["record_ids"] = tuple(ids[:IDS_MOST])
    return facts


def _session(given: Mapping[str, object]) -> str | None:
    told = given.get("session")
    if isinstance(told, str):
        return told
    carriers = (MemoryDraft, Revision, RecallQuery, ThreadDraft)
    return next((one.session for one in given.values() if isinstance(one, carriers) and one.session), None)


def _registered(verb: str, given: Mapping[str, object]) -> Scope | None:
    """The project that a verb of the registry is about, if that is a name at all."""
    name, tenant, project = (given.get(one) or DEFAULT_NAME for one in ("name", "tenant", "project"))
    if verb == "admin.add_tenant":
        tenant = name
    elif verb == "admin.add_project":
        project = name
    elif "tenant" not in given:
        return None
    try:
        return Scope(str(tenant), str(project), DEFAULT_NAME)
    except InvalidInput:
        return None
