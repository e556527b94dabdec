"""The three graphs around one thing: focus, depth, filters, time; drawn, and as tables for whoever does not see it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any

from trigraph.errors import InvalidInput, NotFound
from trigraph.faces.dashboard.cards import one_line
from trigraph.faces.dashboard.frame import Action, Asked, Fields, Page, Shown, address_of
from trigraph.faces.dashboard.graph_picture import DEGREE, SIZES, Picture, joined, picture
from trigraph.faces.library import Trigraph
from trigraph.model.ids import short_id
from trigraph.model.neighbourhood import DEPTH_MOST, NODES_MOST, WALKED, GraphName, Neighbourhood, graph_of

PATH = "/graph"
DEPTH = 2
NODES = 120
"""How many nodes are drawn unless more are asked for: what one can still look at."""
EXPANDED_MOST = 6
EXPANDED_NODES = 40
NAMES_MOST = 500
SUGGESTED = 12
FOUND = 8
MARKS_MOST = 200
GRAPHS = (GraphName.SEMANTIC, GraphName.TEMPORAL)


@dataclass(frozen=True, slots=True)
class Sight:
    """What an address asks to see, as it was typed."""

    focus: str
    depth: str
    graphs: tuple[str, ...]
    types: tuple[str, ...]
    confidence: str
    automatic: bool
    as_of: str
    known_at: str
    size: str
    limit: str
    expand: tuple[str, ...]

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """It as an address says it; what is as it is anyway is left out."""
        usual = {"depth": str(DEPTH), "confidence": "0", "size": DEGREE, "limit": str(NODES)}
        plain = [(name, getattr(self, name)) for name in ("focus", "depth", "confidence", "as_of", "known_at", "size")]
        plain.append(("limit", self.limit))
        many = [("graphs", one) for one in self.graphs if self.graphs != tuple(GRAPHS)]
        many += [("types", one) for one in self.types] + [("expand", one) for one in self.expand]
        switched = [] if self.automatic else [("automatic", "off")]
        return (*((name, value) for name, value in plain if value != usual.get(name)), *many, *switched)

    @property
    def arguments(self) -> dict[str, Any]:
        """What the neighbourhood is asked with. Raises InvalidInput for what is no number."""
        return {
            "depth": int(_number(self.depth, "depth")),
            "graphs": self.graphs,
            "types": self.types,
            "confidence": _number(self.confidence, "confidence"),
            "automatic": self.automatic,
            "limit": int(_number(self.limit, "limit")),
        }

    @property
    def times(self) -> dict[str, Any]:
        """When it is looked at; None for now."""
        return {"as_of": self.as_of or None, "known_at": self.known_at or None}


@dataclass(frozen=True, slots=True)
class GraphPage:
    """The page: what was asked to see, what is to be seen, and what else could be."""

    sight: Sight
    title: str
    told: str
    picture: Picture | None
    types: tuple[tuple[str, bool, int], ...]
    graphs: tuple[tuple[str, str, bool], ...]
    sizes: tuple[str, ...]
    marks: tuple[str, ...]
    names: tuple[str, ...]
    suggested: tuple[tuple[str, str, int], ...]
    found: tuple[tuple[str, str, str], ...]
    collapse_url: str | None
    problem: str
    depth_most: int = DEPTH_MOST
    nodes_most: int = NODES_MOST


_HOLDS = {
    GraphName.CANONICAL: "types, entities, aliases",
    GraphName.SEMANTIC: "mentions, relations, links",
    GraphName.TEMPORAL: "states, supersession",
}


def show(asked: Asked) -> Shown:
    """What stands around the focus; without one, around the thing that most is said of. What cannot be found is
    searched for."""
    memory, sight = asked.memory, sight_in(asked.query)
    known = sorted(memory.entities(limit=NAMES_MOST).entities, key=lambda one: -one.mention_count)
    if not sight.focus and known:
        sight = replace(sight, focus=known[0].id)
    parts: list[Neighbourhood] = []
    found: tuple[tuple[str, str, str], ...] = ()
    marks: tuple[str, ...] = ()
    problem, status = "", 200
    try:
        if sight.focus:
            parts = _looked(memory, sight)
            marks = _marks(memory, sight, parts[0])
    except NotFound as error:
        problem, status = error.message, 404
        if sight.as_of or sight.known_at:
            problem = f"{error.message} Perhaps it was not there yet at that time."
        else:
            found = _search(memory, sight)
        if found:
            problem, status = f"Nothing is called “{sight.focus[:80]}”. Perhaps one of these?", 200
    except InvalidInput as error:
        problem, status = f"{error.message} {error.fix or ''}".strip(), 400
    view = GraphPage(
        sight=sight,
        title=parts[0].nodes[0].label if parts else "Graph",
        told=_told(parts),
        picture=_picture(sight, parts) if parts else None,
        types=_types(sight, parts),
        graphs=tuple((one.value, _HOLDS[one], one.value in sight.graphs) for one in GraphName),
        sizes=SIZES,
        marks=marks,
        names=tuple(dict.fromkeys(one.name for one in known)),
        suggested=tuple(
            (one.name, address_of(PATH, *replace(sight, focus=one.id, expand=()).pairs), one.mention_count)
            for one in known[:SUGGESTED]
        ),
        found=found,
        collapse_url=address_of(PATH, *replace(sight, expand=()).pairs) if sight.expand else None,
        problem=problem,
    )
    data: dict[str, object] = {"neighbourhood": parts[0] if parts else None, "expanded": parts[1:]}
    return Shown("graph.html", view, data, status)


def sight_in(query: Fields) -> Sight:
    """What an address asks to see."""
    graphs, focus = query.all("graphs"), query.one("focus")
    if focus and focus == query.one("was_called"):
        focus = query.one("was")  # the form shows a name; unless that was changed, the very thing is meant
    return Sight(
        focus=focus,
        depth=query.one("depth") or str(DEPTH),
        graphs=tuple(one for one in graphs) or tuple(one.value for one in GRAPHS),
        types=query.all("types"),
        confidence=query.one("confidence") or "0",
        automatic=query.one("automatic") != "off",
        as_of=query.one("as_of"),
        known_at=query.one("known_at"),
        size=query.one("size") if query.one("size") in SIZES else DEGREE,
        limit=query.one("limit") or str(NODES),
        expand=query.all("expand")[:EXPANDED_MOST],
    )


def _looked(memory: Trigraph, sight: Sight) -> list[Neighbourhood]:
    """What stands around the focus, and around what was expanded."""
    asked = sight.arguments
    parts = [memory.neighbourhood(sight.focus, **asked, **sight.times)]
    nearer = {**asked, "depth": 1, "limit": EXPANDED_NODES}
    return parts + [memory.neighbourhood(one, **nearer, **sight.times) for one in sight.expand]


def _picture(sight: Sight, parts: list[Neighbourhood]) -> Picture:
    nodes, edges = joined(parts)

    def focus(id_: str) -> str:
        return address_of(PATH, *replace(sight, focus=id_, expand=()).pairs)

    def expand(id_: str) -> str:
        return address_of(PATH, *replace(sight, expand=(*sight.expand, id_)[-EXPANDED_MOST:]).pairs)

    return picture(parts[0].focus_id, nodes, edges, sight.size, focus, expand, sight.expand)


def _told(parts: list[Neighbourhood]) -> str:
    if not parts:
        return ""
    nodes, edges = joined(parts)
    more = "; there is more than is shown" if parts[0].truncated else ""
    return f"{len(nodes)} nodes, {len(edges)} edges{more}"


def _types(sight: Sight, parts: list[Neighbourhood]) -> tuple[tuple[str, bool, int], ...]:
    """Types of edges that can be switched: those that are there, and those that were chosen."""
    _, edges = joined(parts)
    counts: dict[str, int] = {}
    for one in edges:
        counts[one.type] = counts.get(one.type, 0) + 1
    there = [one for one in WALKED if counts.get(one) or one in sight.types]
    return tuple((one, one in sight.types, counts.get(one, 0)) for one in there if graph_of(one).value in sight.graphs)


def _marks(memory: Trigraph, sight: Sight, now: Neighbourhood) -> tuple[str, ...]:
    """The days on which something of what is there began or ceased to hold, whatever time is looked at."""
    if sight.as_of:
        now = memory.neighbourhood(sight.focus, **sight.arguments, known_at=sight.known_at or None)
    times: list[datetime] = []
    for one in now.nodes:
        times += [at for at in (one.valid_from, one.valid_until) if at is not None and at <= now.as_of]
    days = {_day_after(at) for at in times}
    return tuple(sorted(one.isoformat() for one in days if one <= now.as_of.date())[-MARKS_MOST:])


def _day_after(at: datetime) -> date:
    """The first day at whose start something had happened: a bare date means the start of that day."""
    return at.date() if at.time() == time() else at.date() + timedelta(days=1)


def _search(memory: Trigraph, sight: Sight) -> tuple[tuple[str, str, str], ...]:
    """What a text that names nothing may have meant: entities that it names, and memories on it."""
    answer = memory.recall(sight.focus, limit=FOUND, constraint_tokens=0)

    def address(id_: str) -> str:
        return address_of(PATH, *replace(sight, focus=id_, expand=()).pairs)

    things = [(name, address(id_), "entity") for id_, name in answer.plan.entities.items()]
    memories = [
        (one_line(hit.excerpt.text), address(hit.memory.id), f"{hit.memory.kind.value} {short_id(hit.memory.id)}")
        for hit in answer.hits
    ]
    return (*things, *memories)


def _number(text: str, field: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if value != value or (field != "confidence" and value != int(value)):
        raise InvalidInput(f"{field} is {text[:40]!r}.", field=field, fix="Give a number.")
    return value


PAGES = (Page(PATH, show, label="Graph"),)
ACTIONS: tuple[Action, ...] = ()
