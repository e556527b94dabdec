"""Whether a record of an export can be what it says: checked before anything is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from trigraph.contracts import Record
from trigraph.errors import InvalidInput
from trigraph.model.access import ReadPolicy
from trigraph.model.change import CitationKind, Verb
from trigraph.model.composition import COMPOSITION_PREFIX, CompositionStatus, OutcomeLabel, Role
from trigraph.model.entity import EntityEvent
from trigraph.model.ids import is_full_id
from trigraph.model.link import LinkOrigin, LinkType
from trigraph.model.memory import EntityType, Kind, OutcomeResult, Source, Status, Visibility
from trigraph.model.query import Leg, QueryClass
from trigraph.model.recall import RECALL_PREFIX
from trigraph.model.relation import RelationType
from trigraph.model.scope import DEFAULT_NAME, Scope
from trigraph.model.times import parse_time
from trigraph.text.cleaning import content_hash

PARTS = ("versions", "states", "aliases", "mentions", "evidence", "outcomes")
_TIMES = (
    "at",
    "created_at",
    "occurred_at",
    "known_from",
    "known_until",
    "valid_from",
    "valid_until",
    "retracted_at",
    "last_verified_at",
    "referenced_at",
    "last_at",
)
_OUTCOMES = ("hits", "misses", "undecided", "empty")
_COUNTS = (
    "recalls",
    *_OUTCOMES,
    "stale",
    "payload_bytes",
    *(kind.value for kind in CitationKind),
    *(f"{leg.value}_{fared}" for leg in Leg for fared in ("asked", "found", "degraded")),
)
"""What is counted of the recalls of a day."""


def check_record(record: Record) -> None:
    """Raise ValueError, KeyError or TypeError if a record cannot be read back as what it says."""
    _CHECKS[record["record"]](record)
    for told in (record, *(one for part in PARTS for one in record.get(part, ()))):
        for name in _TIMES:
            if told.get(name) is not None:
                parse_time(told[name], name)
        if "known_from" in told and told["known_from"] is None:
            raise ValueError("it is not said since when it is known")
        if told.get("known_until") is not None and _instant(told, "known_until") <= _instant(told, "known_from"):
            raise ValueError("it is known no longer before it is known")
        if told.get("valid_until") is not None and told["valid_until"] < told["valid_from"]:
            raise ValueError("it ends before it begins")


def _instant(told: Record, name: str) -> datetime:
    return parse_time(told[name], name)


def _agent(record: Record) -> None:
    _name(record["name"])
    ReadPolicy(record["policy"])
    _texts(record["domains"])


def _group(record: Record) -> None:
    _name(record["name"])
    for member in record["members"]:
        _name(member)


def _thread(record: Record) -> None:
    _id(record["id"], "t")
    _name(record["author"])
    _need(record, "name", "session", "title", "created_at")


def _memory(record: Record) -> None:
    _id(record["id"], "m")
    _name(record["author"])
    _one_of(Kind, record["kind"])
    _one_of(Source, record["source"])
    if content_hash(record["text"]) != record["content_hash"]:
        raise ValueError("the text does not fit its hash")
    _share(record["trust"])
    _details(record["details"])
    _need(record, "topic", "thread_id", "seq", "speaker", "occurred_at", "created_at", "root_id")
    if len({record["kind"] == Kind.EPISODE, record["thread_id"] is not None, record["seq"] is not None}) != 1:
        raise ValueError("an episode has a place in a thread, and nothing else has")
    versions = record["versions"]
    if [version["known_until"] for version in versions].count(None) != 1 or versions[-1]["known_until"] is not None:
        raise ValueError("exactly one version must be open, the last")
    for version in versions:
        _one_of(Status, version["status"])
        _audience(version)
        _one_of(Verb, version["verb"])
        _share(version["confidence"])
        _strength(version)
        _texts(version["tags"])
        _texts(version["domains"])


def _strength(version: Record) -> None:
    stability, difficulty = version.get("stability_days"), version.get("difficulty")
    if (stability is None) != (difficulty is None):
        raise ValueError("how firmly a memory is held takes two numbers")
    if stability is not None and difficulty is not None and not (float(stability) > 0 and 1 <= float(difficulty) <= 10):
        raise ValueError("how firmly a memory is held is out of range")


def _entity(record: Record) -> None:
    _id(record["id"], "e")
    _name(record["author"])
    _one_of(EntityType, record["type"])
    _audience(record)
    states = record["states"]
    if not states or not any(state["name"] for state in states):
        raise ValueError("an entity needs a state and a name")
    if len({(state["valid_from"], state["known_from"]) for state in states}) != len(states):
        raise ValueError("two of its states are one")
    for state in states:
        _one_of(EntityEvent, state["event"])
        if state["name"] == "" or not all(isinstance(value, str | None) for value in state["props"].values()):
            raise ValueError("a state's name or property is no text")
        _need(state, "cause_id")
    if (document := record.get("document")) is not None:
        _texts(
            [document["collection"], *(document[name] for name in ("name_key", "path") if document[name] is not None)]
        )
    for alias in record["aliases"]:
        _need(alias, "name", "name_key", "memory_id", "known_from")
    for mention in record["mentions"]:
        _share(mention["confidence"])
        _need(mention, "memory_id", "start", "end", "known_from", "known_until", "subject")


def _link(record: Record) -> None:
    _id(record["id"], "l")
    _name(record["author"])
    _one_of(LinkType, record["type"])
    _one_of(LinkOrigin, record["created_by"])
    _share(record["confidence"])
    _need(record, "from_id", "to_id", "reason", "valid_from", "valid_until", "known_from", "known_until")


def _relation(record: Record) -> None:
    _id(record["source_id"], "e")
    _id(record["target_id"], "e")
    _one_of(RelationType, record["type"])
    if record["source_id"] == record["target_id"] or not record["evidence"]:
        raise ValueError("a relation has two ends, and stands written somewhere")
    for one in record["evidence"]:
        _id(one["memory_id"], "m")
        _texts([one["section"]])
        if not isinstance(one["ordinal"], int) or one["ordinal"] < 0:
            raise ValueError("a place in a text is a number from 0 on")
        _need(one, "known_from", "known_until")


def _citation(record: Record) -> None:
    _name(record["agent"])
    _one_of(CitationKind, record["kind"])
    _need(record, "memory_id", "recall_id", "session", "notes", "at")


def _restatement(record: Record) -> None:
    _name(record["author"])
    _one_of(Source, record["source"])
    _share(record["raised"])
    _need(record, "memory_id", "session", "turn", "uri", "at")


def _vote(record: Record) -> None:
    _name(record["agent"])
    if record["value"] not in (-1, 1) or not isinstance(record["moved"], int | float):
        raise ValueError("a vote is 1 or -1")
    _need(record, "target", "reason", "at")


def _erased(record: Record) -> None:
    _id(record["id"], "m")
    _name(record["by"])
    _need(record, "thread_id", "seq", "at")


def _composition(record: Record) -> None:
    _id(record["id"], COMPOSITION_PREFIX)
    _name(record["author"])
    _texts([record[name] for name in ("tool", "mode", "query", "query_hash", "output_preview")])
    if record["confidence"] is not None:
        _share(record["confidence"])
    if record["status"] is not None:
        _one_of(CompositionStatus, record["status"])
    if not isinstance(record["told"], bool):
        raise ValueError("it is not said whether it is told")
    if not record["members"] or not isinstance(record["metadata"], dict):
        raise ValueError("a composition is of some memory")
    for member in record["members"]:
        _id(member["memory_id"], "m")
        _one_of(Role, member["role"])
        _texts(member["tags"])
        _texts([member["preview"], member["text"]])
        _need(member, "rank", "trust", "score", "replaced_by", "author", "visibility", "group_name")
    for outcome in record["outcomes"]:
        _name(outcome["author"])
        _one_of(OutcomeLabel, outcome["label"])
        _texts([outcome["source"]])
        _need(outcome, "at", "confidence_delta", "notes")
    _need(record, "at")


def _recall_day(record: Record) -> None:
    if date.fromisoformat(record["day"]).isoformat() != record["day"]:
        raise ValueError("its day is not written like 2026-05-14")
    _name(record["agent"])
    _one_of(QueryClass, record["query_class"])
    for name in _COUNTS:
        _count(record[name])
    if sum(record[name] for name in _OUTCOMES) != record["recalls"] or not record["recalls"]:
        raise ValueError("its recalls are not those whose outcomes it counts")
    if type(record["milliseconds"]) not in (int, float) or not record["milliseconds"] >= 0:
        raise ValueError("its milliseconds are no number")


def _shown_before(record: Record) -> None:
    _id(record["memory_id"], "m")
    _name(record["agent"])
    _count(record["shown"])
    _instant(record, "last_at")


def _recall_event(record: Record) -> None:
    _id(record["recall_id"], RECALL_PREFIX)
    _name(record["agent"])
    _one_of(QueryClass, record["query_class"])
    if not all(isinstance(one, list) and len(one) in (4, 5) for one in record["candidates"]):
        raise ValueError("its candidates are not a list of them")
    _features(record.get("features"))
    _texts(record["result_ids"])
    _texts(record["exact_ids"])
    _need(record, "query", "profile", "fusion", "weights", "legs", "milliseconds", "at")


def _features(features: Any) -> None:
    """What is learnt from: every hit has a number for every name."""
    match features:
        case None:
            return
        case {"names": [*names], "shown": [*shown]}:
            _texts(names)
            for memory_id, rank, beyond, values in shown:
                _id(memory_id, "m")
                if type(rank) is not int or not all(type(one) in (int, float) for one in (beyond, *values)):
                    raise ValueError("its features are not numbers")
                if len(values) != len(names):
                    raise ValueError("its features are not as many as their names")
        case _:
            raise ValueError("its features are no features")


def _skill_use(record: Record) -> None:
    _id(record["entity_id"], "e")
    _name(record["agent"])
    _need(record, "recall_id", "at")


_CHECKS: dict[str, Callable[[Record], None]] = {
    "agent": _agent,
    "group": _group,
    "thread": _thread,
    "memory": _memory,
    "entity": _entity,
    "relation": _relation,
    "link": _link,
    "citation": _citation,
    "restatement": _restatement,
    "vote": _vote,
    "erased": _erased,
    "composition": _composition,
    "recall_day": _recall_day,
    "shown_before": _shown_before,
    "recall_event": _recall_event,
    "skill_use": _skill_use,
}

KINDS = tuple(_CHECKS)


def _details(details: Any) -> None:
    match details:
        case None | {"reasoning": str()} | {"citations": dict()}:
            return
        case {"result": result, "reason": None | str()}:
            _one_of(OutcomeResult, result)
        case _:
            raise ValueError("its details are of no kind of memory")


def _need(values: Record, *names: str) -> None:
    for name in names:
        values[name]


def _id(value: object, prefix: str) -> None:
    if not isinstance(value, str) or not is_full_id(value, prefix):
        raise ValueError(f"{str(value)[:80]!r} is not an id")


def _name(value: object) -> None:
    try:
        Scope(DEFAULT_NAME, DEFAULT_NAME, value)  # type: ignore[arg-type]
    except InvalidInput as error:
        raise ValueError(error.message) from error


def _one_of(options: type[StrEnum], value: Any) -> None:
    options(value)


def _audience(values: Record) -> None:
    if (Visibility(values["visibility"]) is Visibility.GROUP) != (values["group"] is not None):
        raise ValueError("visibility group and the name of a group belong together")


def _share(value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"{value!r} is not a number from 0 to 1")


def _count(value: object) -> None:
    if type(value) is not int or not 0 <= value < 2**63:
        raise ValueError(f"{value!r:.40} is no count")


def _texts(values: Iterable[object]) -> None:
    if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
        raise ValueError("a list of texts is no list of texts")
