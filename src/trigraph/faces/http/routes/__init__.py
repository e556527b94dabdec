"""The table of routes: every verb of the library that is reached over HTTP, by subject."""

from __future__ import annotations

from trigraph.faces.http.routes.answering import ANSWERING
from trigraph.faces.http.routes.deciding import DECIDING
from trigraph.faces.http.routes.documents import DOCUMENTS
from trigraph.faces.http.routes.entities import ENTITIES
from trigraph.faces.http.routes.insight import INSIGHT
from trigraph.faces.http.routes.keeping import KEEPING
from trigraph.faces.http.routes.memories import MEMORIES
from trigraph.faces.http.table import Route

ROUTES: tuple[Route, ...] = (*MEMORIES, *ANSWERING, *DECIDING, *ENTITIES, *DOCUMENTS, *INSIGHT, *KEEPING)

NOT_HERE = {
    "admin": "tenants, agents and tokens are managed on the machine itself",
    "calibrate": "it measures the model for minutes, and the engine has no job for it",
    "close": "the server's own",
    "docs.add": "it reads files of the server's disk; put sends a document's text",
    "export": "it writes a file on the server's disk",
    "import_": "it reads a file of the server's disk",
    "reembed": "it runs for minutes, and the engine has no job for it",
    "work": "the server works the queue off by itself",
    "work_on": "the server works the queue off by itself",
}
"""Verbs of the library without a route, and why."""
