"""Entities: what they are called, how they stood, which of them are one."""

from __future__ import annotations

from trigraph.faces.http.table import ABOUT, DRAFT, Route, without
from trigraph.model.access import Right
from trigraph.model.memory import EntityType
from trigraph.model.relation import RelationType

_TOLD = without(DRAFT, "text", "kind", "subject", "type", "reasoning", "result", "reason")

ENTITIES = (
    Route("GET", "/entities", "entities", Right.READ, choices={"types": EntityType}),
    Route("POST", "/entities/resolve", "resolve", Right.READ),
    Route("GET", "/entities/{name:path}", "entity", Right.READ),
    Route("GET", "/entities/{name:path}/history", "history", Right.READ),
    Route(
        "GET",
        "/entities/{name:path}/relations",
        "relations",
        Right.READ,
        named={"name": "entity"},
        choices={"types": RelationType},
    ),
    Route("GET", "/entities/{name:path}/moves", "moves", Right.READ, named={"name": "entity"}),
    Route("GET", "/entities/{name:path}/uses", "skill_uses", Right.READ),
    Route("POST", "/entities/{entity:path}/rename", "rename", Right.WRITE, more=ABOUT),
    Route("POST", "/entities/{entity:path}/alias", "alias", Right.WRITE, more=ABOUT),
    Route("POST", "/entities/{entity:path}/merge", "merge", Right.WRITE, more=ABOUT),
    Route("POST", "/entities/{entity:path}/split", "split", Right.WRITE, more=ABOUT),
    Route("POST", "/entities/{name:path}/archive", "archive", Right.WRITE, more=ABOUT, named={"name": "id"}),
    Route("POST", "/entities/{name:path}/restore", "restore", Right.WRITE, more=ABOUT, named={"name": "id"}),
    Route("POST", "/moves/{id}/undo", "undo", Right.WRITE, more=ABOUT, named={"id": "move"}),
    Route("POST", "/personas", "persona_create", Right.WRITE, status=201, more=_TOLD),
    Route("PATCH", "/personas/{name:path}", "persona_update", Right.WRITE, more=ABOUT),
    Route("GET", "/pairs", "pairs", Right.READ),
    Route("POST", "/pairs/find", "find_pairs", Right.WRITE),
    Route("POST", "/pairs/{id}", "decide_pair", Right.WRITE, more=ABOUT),
)
