"""The API's own page: written by the server from the OpenAPI document, with nothing fetched from elsewhere."""

from __future__ import annotations

from html import escape
from typing import Any

from trigraph.faces.http.openapi import PROBLEMS, document, problem_codes
from trigraph.faces.http.schema import Schema

_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>trigraph API</title><link rel="icon" href="/static/icon.svg"><link rel="stylesheet" href="/static/style.css">
</head><body><header><a class="brand" href="/">tri<span>graph</span></a></header><main>
<h1>HTTP API</h1>
<p>Every route is a verb of the library, and answers the same JSON. The whole description is
<a href="/openapi.json">openapi.json</a>.</p>
"""


def page(version: str) -> str:
    """The page."""
    described = document(version)
    parts = [_HEAD]
    tag = None
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            if operation["tags"][0] != tag:
                tag = operation["tags"][0]
                parts.append(f'<h2 id="{escape(tag)}">{escape(tag)}</h2>')
            parts.append(_operation(path, method, operation))
    return "".join([*parts, _errors(), "</main></body></html>"])


def _operation(path: str, method: str, operation: dict[str, Any]) -> str:
    return (
        f'<section class="card" id="{escape(operation["operationId"])}">'
        f'<p class="meta"><span class="kind">{method.upper()}</span> <code>{escape(path)}</code></p>'
        f'<p class="text">{escape(operation["description"])}</p><dl>{"".join(_rows(operation))}</dl></section>'
    )


def _rows(operation: dict[str, Any]) -> list[str]:
    rows = [(one["name"], one["in"], one["required"], one["schema"]) for one in operation["parameters"]]
    if "requestBody" in operation:
        schema = next(iter(operation["requestBody"]["content"].values()))["schema"]
        needed = schema.get("required", ())
        rows += [(name, "body", name in needed, one) for name, one in schema["properties"].items()]
    told = [
        f"<dt><code>{escape(name)}</code></dt>"
        f"<dd>{place}{', required' if needed else ''}: {escape(_shown(schema))}</dd>"
        for name, place, needed, schema in rows
    ]
    answers = ", ".join(operation["responses"])
    return [*told, f"<dt>answers</dt><dd>{escape(answers)}</dd>"]


def _shown(schema: Schema) -> str:
    """A schema in a few words."""
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_shown(one) for one in schema["anyOf"]))
    kind = schema.get("type", "any")
    if kind == "array":
        return f"list of {_shown(schema.get('items', {}))}"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _errors() -> str:
    rows = "".join(f"<dt>{status}</dt><dd>{escape(says)}</dd>" for status, says in PROBLEMS.items())
    codes = "".join(
        f'<dt id="error-{escape(code)}"><code>{escape(code)}</code></dt><dd>{status}</dd>'
        for code, status in problem_codes().items()
    )
    return f'<h2 id="errors">Errors</h2><dl>{rows}</dl><h2>Codes</h2><dl>{codes}</dl>'
