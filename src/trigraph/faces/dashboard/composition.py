"""One composition: who took part and in what part, what came of it, and a drawing of both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from trigraph.faces.dashboard.cards import minute
from trigraph.faces.dashboard.composition_picture import composition_url, drawing_of
from trigraph.faces.dashboard.compositions import (
    FRONTIER,
    LABEL_KEYS,
    PATH,
    TOOL,
    LabelKey,
    Line,
    line_of,
    notice_of,
    places,
    show,
    sort_of,
)
from trigraph.faces.dashboard.frame import Action, Answer, Asked, Done, Page, Shown, address_of
from trigraph.model.composition import CompositionEvent, CompositionOutcome


@dataclass(frozen=True, slots=True)
class Whole:
    """One composition: who took part, what came of it, and a drawing of both."""

    places: tuple[tuple[str, str, bool], ...]
    line: Line
    facts: tuple[tuple[str, str], ...]
    reasoning: str
    outcomes: tuple[tuple[CompositionOutcome, str], ...]
    drawing: dict[str, object]
    then_url: str
    around_url: str
    labels: tuple[LabelKey, ...] = LABEL_KEYS
    at_hand: int = len(LABEL_KEYS)


def show_one(asked: Asked) -> Answer:
    """One composition. The end of an id leads to the whole. Raises NotFound."""
    event = asked.memory.composition(asked.named["name"])
    if asked.named["name"] != event.id:
        return Done(composition_url(event.id))
    held = asked.memory.engine.find_all(asked.memory.scope, {one.memory_id for one in event.members})
    line = line_of(event, held)
    view = Whole(
        places=places(""),
        line=line,
        facts=_facts(event),
        reasoning=event.metadata.reasoning_preview or event.output_preview,
        outcomes=tuple((one, sort_of(one.label)) for one in reversed(event.outcomes)),
        drawing=drawing_of(event, held),
        then_url=address_of(FRONTIER, known_at=event.at.isoformat()),
        around_url=address_of(FRONTIER, around=event.members[0].memory_id if event.members else None),
    )
    return Shown("composition.html", view, {"composition": event})


def label(asked: Asked) -> Done:
    """What came of a composition. What the label calls for next is said, and offered."""
    given = asked.memory.label(
        asked.form.one("id"), asked.form.one("label"), notes=asked.form.given("notes"), source=TOOL
    )
    return Done(asked.back, notice_of(given.label, given.suggested, given.changed.ids[0]))


def _again(asked: Asked) -> Answer:
    """The page that a label was sent from."""
    path = asked.back.partition("?")[0]
    within = path.startswith(f"{PATH}/c_")
    return show_one(replace(asked, named={"name": path.rpartition("/")[2]})) if within else show(asked)


def _facts(event: CompositionEvent) -> tuple[tuple[str, str], ...]:
    made: tuple[tuple[str, Any], ...] = (
        ("made by", f"{event.tool}, {event.mode.replace('_', ' ')}"),
        ("for", event.author),
        ("at", minute(event.at)),
        ("status", event.status.value.replace("_", " ") if event.status else ""),
        ("confidence", "" if event.confidence is None else f"{event.confidence:.2f} (a heuristic)"),
        ("intent", (event.metadata.intent or "").replace("_", " ")),
        ("memories looked at", event.metadata.memories_analysed or ""),
        ("brought by the graph", event.metadata.activation_expanded or ""),
    )
    return tuple((name, str(value)) for name, value in made if value != "")


PAGES = (Page(f"{PATH}/{{name}}", show_one),)
ACTIONS = (Action(f"{PATH}/label", label, page=_again),)
