"""Tools of the toolset `full` on the ledger: deep references, and the one door to what was used together."""

from __future__ import annotations

from trigraph.faces import wire
from trigraph.faces.mcp import schemas as s
from trigraph.faces.mcp import telling
from trigraph.faces.mcp.tooling import Answer, Caller, Given, ToolSpec
from trigraph.model.composed_graph import ComposedGraph, LedgerAction
from trigraph.model.composition import CompositionEvent, OutcomeLabel
from trigraph.model.frontier import Bounty, Candidate, FrontierBounds, Lane
from trigraph.model.ids import short_id

ARGUMENTS = {
    "action": s.text(of=LedgerAction),
    "event_id": s.text("get, label"),
    "memory_id": s.text("memory, neighbors; never_composed: with this one"),
    "tags": s.texts("recent, never_composed, bounty_mode: on some member, all of them"),
    "limit": s.whole(default=10),
    "outcome_type": s.text("label: what came of it", of=OutcomeLabel),
    "notes": s.text("label: whatever is worth keeping"),
}


def deep_reference(caller: Caller, given: Given) -> Answer:
    """A question answered from the evidence."""
    found = caller.memory.deep_reference(given["query"], depth=given.get("depth", 20), session=caller.session)
    kept = f"composition {short_id(found.composition_event_id)}" if found.composition_event_id else "no composition"
    return Answer(wire.to_json(found), f"{telling.quoted(found.reasoning)}\nrecall {short_id(found.recall_id)}, {kept}")


def composed_graph(caller: Caller, given: Given) -> Answer:
    """The one door to the ledger."""
    found = caller.memory.composed_graph(**given)
    return Answer(wire.to_json(found), composed_text(found))


def composed_text(found: ComposedGraph) -> str:
    """What the door answers, to be read."""
    lines = [line for event in found.events for line in _event_lines(event, whole=found.action is LedgerAction.GET)]
    for one in found.companions:
        came = "".join(f", {count} × {label}" for label, count in one.labels.items())
        lines.append(f"{short_id(one.memory_id)}  {one.events} × together, last {one.last_at:%Y-%m-%d}{came}")
    if found.labelled is not None:
        lines += [f"labelled {short_id(found.labelled.changed.id)} {found.labelled.label}", *found.labelled.advice]
    if found.frontier is not None:
        lines += [line for one in found.frontier.candidates for line in _candidate_lines(one)]
        lines.append(_looked(found.frontier.bounds))
    if found.bounty is not None:
        lines += bounty_lines(found.bounty)
    return telling.lines_of(lines, "Nothing was composed there.")


def bounty_lines(found: Bounty) -> list[str]:
    """Lanes and candidates, to be read."""
    lines: list[str] = []
    for name, lanes in (
        ("composed lately", found.recent_composed_lanes),
        ("closed doors", found.closed_doors),
        ("duplicate risk", found.duplicate_risk_lanes),
        ("needs a proof of concept", found.needs_poc_lanes),
    ):
        lines += [f"{name}: {len(lanes) or 'none'}", *(_lane_line(one) for one in lanes)]
    for name, candidates in (
        ("never composed", found.never_composed_lanes),
        ("weird", found.top_weird_combinations),
    ):
        lines += [
            f"{name}: {len(candidates) or 'none'}",
            *(line for one in candidates for line in _candidate_lines(one)),
        ]
    return [*lines, _looked(found.bounds)]


def _candidate_lines(one: Candidate) -> list[str]:
    ids = " + ".join(short_id(id_) for id_ in one.member_ids)
    return [
        f"{ids}  {one.score:.3f}  {one.outcome_signal}  (a hypothesis)",
        f"  {telling.in_a_line(one.composition_question)}",
        f"  {telling.in_a_line(one.reason)}",
    ]


def _lane_line(one: Lane) -> str:
    came = ", ".join(f"{count} × {label}" for label, count in one.labels.items())
    asked = telling.in_a_line(one.query)
    return f"  {short_id(one.composition_id)}  {one.at:%Y-%m-%d}  {came or 'no outcome yet'}  {asked}"


def _looked(of: FrontierBounds) -> str:
    return f"looked from {of.seeds} memories at {of.pairs_looked_at} pairs" + "".join(f"; {line}" for line in of.cut)


def _event_lines(event: CompositionEvent, *, whole: bool) -> list[str]:
    came = ", ".join(one.label for one in event.outcomes)
    head = f"{short_id(event.id)}  {event.at:%Y-%m-%d}  {event.tool}  {event.status or '-'}  {came or 'no outcome yet'}"
    asked = [f"  {telling.in_a_line(event.query)}"] if event.query else []
    members = [
        f"  {one.role}  {short_id(one.memory_id)}  {telling.in_a_line(one.preview) or '(erased)'}"
        for one in (event.members if whole else event.members[:3])
    ]
    return [head, *asked, *members]


TOOLS = (
    ToolSpec(
        name="deep_reference",
        description=(
            "Call for a question whose answer must be right: gathers evidence from recall and the graph, says which "
            "memory to go by, what it replaced and why, what disagrees, whether the question's own claim is denied, "
            "and how sure that is. Slower than recall."
        ),
        arguments={
            "query": s.text("The whole question"),
            "depth": s.whole("How many are looked at: 5 to 50", default=20),
        },
        required=("query",),
        answer=s.record(
            {"evidence": s.listed(s.anything()), "reasoning": s.text(), "composition_write_status": s.text()},
            ["evidence", "reasoning", "composition_write_status"],
        ),
        example={"query": "Do we still use JWT for sessions?"},
        run=deep_reference,
    ),
    ToolSpec(
        name="composed_graph",
        description=(
            "Call to see which memories were used together and what came of it: recent, get, memory (its "
            "compositions), neighbors (used together with it); label says what came of one. never_composed lists "
            "memories that never met and look worth combining (hypotheses), bounty_mode the lanes open and closed."
        ),
        arguments=ARGUMENTS,
        required=("action",),
        answer=s.record({"action": s.text(), "events": s.listed(s.anything())}, ["action", "events"]),
        example={"action": "label", "event_id": "1a2b3c4d", "outcome_type": "helpful"},
        run=composed_graph,
    ),
)
