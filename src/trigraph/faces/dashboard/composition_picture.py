"""A composition as a small graph: its question in the middle, who took part, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from urllib.parse import quote

from trigraph.faces.dashboard.cards import day, memory_url, one_line
from trigraph.model.composition import CompositionEvent, Member, Role
from trigraph.model.ids import short_id
from trigraph.model.memory import Kind, Memory

LABEL_CHARACTERS = 48
LINES = {
    Role.PRIMARY: "semantic",
    Role.SUPPORTING: "semantic",
    Role.CONTRADICTING: "against",
    Role.SUPERSEDED: "temporal",
}
"""The colour of the line of a role."""


def composition_url(id_: str) -> str:
    """Where a composition's page is."""
    return f"/compositions/{quote(id_)}"


def drawing_of(event: CompositionEvent, held: Mapping[str, Memory]) -> dict[str, object]:
    """What the script draws from. A memory that played several parts is one node, with a line for each."""
    nodes, edges = [_middle(event)], []
    first = {one.memory_id: one for one in reversed(event.members)}
    nodes += [_node(one, held.get(id_)) for id_, one in first.items()]
    edges += [_edge(one.memory_id, event.id, one.role.value, LINES[one.role]) for one in event.members]
    edges += [
        _edge(one.memory_id, one.replaced_by, "replaced by", LINES[Role.SUPERSEDED])
        for one in event.members
        if one.replaced_by in first
    ]
    for id_, node in _outcomes(event):
        nodes.append(node)
        edges.append(_edge(event.id, id_, "came to", "canonical"))
    return {"focus": event.id, "nodes": nodes, "edges": edges}


def _middle(event: CompositionEvent) -> dict[str, object]:
    label = one_line(event.query, 60) if event.query else f"composition {short_id(event.id)}"
    return _drawn(event.id, label, "composition", event.mode, 3, 0, text=event.output_preview, held=day(event.at))


def _node(one: Member, memory: Memory | None) -> dict[str, object]:
    named = memory.topic if memory and memory.kind is Kind.DOCUMENT else None
    label = named or one_line(one.preview, LABEL_CHARACTERS) or f"erased {short_id(one.memory_id)}"
    size = 2 if one.role is Role.PRIMARY else 1
    return _drawn(
        one.memory_id,
        label,
        "role",
        one.role.value,
        size,
        1,
        text=one_line(one.text, 240),
        over=one.role is Role.SUPERSEDED,
        page=memory_url(one.memory_id) if memory else None,
        focus=memory_url(one.memory_id) if memory else None,
    )


def _outcomes(event: CompositionEvent) -> Iterator[tuple[str, dict[str, object]]]:
    for label, count in Counter(one.label for one in event.outcomes).items():
        told = label.value.replace("_", " ") + (f" × {count}" if count > 1 else "")
        yield f"outcome {label.value}", _drawn(f"outcome {label.value}", told, "outcome", label.value, 1, 1)


def _edge(start: str, end: str | None, type_: str, line: str) -> dict[str, object]:
    return {"from": start, "to": end, "type": type_, "graph": line, "confidence": None, "automatic": False}


def _drawn(id_: str, label: str, sort: str, type_: str, size: int, depth: int, **more: object) -> dict[str, object]:
    rest = {"text": "", "held": "", "over": False, "more": False, "mentions": 0, "citations": 0}
    leads = {"page": None, "focus": None, "expand": None}
    return {
        "id": id_,
        "label": label,
        "sort": sort,
        "type": type_,
        "size": size,
        "depth": depth,
        **rest,
        **leads,
        **more,
    }
