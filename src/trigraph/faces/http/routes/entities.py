"""Entities: what they are called, how they stood, which of them are one."""

from __future__ import annotations

from trigraph.faces.http.table import ABOUT, DRAFT, Route, without
from trigraph.model.memory import EntityType
from trigraph.model.relation import RelationType

_TOLD = without(DRAFT, "text", "kind", "subject", "type", "reasoning", "result", "reason")

ENTITIES = (
    Route("GET", "/entities", "entities", choices={"types": EntityType}),
    Route("POST", "/entities/resolve", "resolve"),
    Route("GET", "/entities/{name:path}", "entity"),
    Route("GET", "/entities/{name:path}/history", "history"),
    Route(
        "GET",
        "/entities/{name:path}/relations",
        "relations",
        named={"name": "entity"},
        choices={"types": RelationType},
    ),
    Route("GET", "/entities/{name:path}/moves", "moves", named={"name": "entity"}),
    Route("GET", "/entities/{name:path}/uses", "skill_uses"),
    Route("POST", "/entities/{entity:path}/rename", "rename", more=ABOUT),
    Route("POST", "/entities/{entity:path}/alias", "alias", more=ABOUT),
    Route("POST", "/entities/{entity:path}/merge", "merge", more=ABOUT),
    Route("POST", "/entities/{entity:path}/split", "split", more=ABOUT),
    Route("POST", "/entities/{name:path}/archive", "archive", more=ABOUT, named={"name": "id"}),
    Route("POST", "/entities/{name:path}/restore", "restore", more=ABOUT, named={"name": "id"}),
    Route("POST", "/moves/{id}/undo", "undo", more=ABOUT, named={"id": "move"}),
    Route("POST", "/personas", "persona_create", status=201, more=_TOLD),
    Route("PATCH", "/personas/{name:path}", "persona_update", more=ABOUT),
    Route("GET", "/pairs", "pairs"),
    Route("POST", "/pairs/find", "find_pairs"),
    Route("POST", "/pairs/{id}", "decide_pair", more=ABOUT),
)
