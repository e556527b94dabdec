"""Writes docs/reference/http.md from the OpenAPI document.

python docs/write_http_reference.py [FILE]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from trigraph.faces.http.openapi import PROBLEMS, document, problem_codes

TARGET = Path(__file__).parent / "reference" / "http.md"
HEAD = """\
# HTTP API

<!-- Written by docs/write_http_reference.py from the OpenAPI document; do not edit. -->

`trigraph serve` answers under `/v1`; the whole description is `/openapi.json` (OpenAPI 3.1), and `/docs` shows it.
Every route is a verb of the [library](library.md): it takes the same arguments (in the query for GET and DELETE, else
in a JSON body) and answers the same JSON as the library and `--json`. [How to use it](../how-to/http.md).

| header | meaning |
|---|---|
| `Authorization: Bearer …` | a token: it stands for its agent, and allows what it was issued for |
| `x-trigraph-agent-id` (also `x-signet-agent-id`) | on this machine, without a token: who asks |
| `Idempotency-Key` | the same key and body answer what was answered before (`replayed`); another body is a 422 |
| `ETag`, `If-Match`, `If-None-Match` | of one memory: a change of what was changed since is a 412 |
| `Link: …; rel="next"` | the next page of a listing |
| `X-Request-Id`, `traceparent` | echoed; the first is made up where it is missing |
| `RateLimit`, `RateLimit-Policy`, `Retry-After` | how many requests are left, and how long to wait |

Beside it: `/healthz` (whether it lives, and what is degraded), `/readyz` (whether the store can be written to),
`/version`, `/metrics` (Prometheus).

## Routes

| route | verb | right | what it does |
|---|---|---|---|
"""


def reference() -> str:
    """The page."""
    described = document("")
    rows = [
        _row(path, method, operation) for path, at in described["paths"].items() for method, operation in at.items()
    ]
    return HEAD + "".join(rows) + _errors()


def _row(path: str, method: str, operation: dict[str, Any]) -> str:
    verb = f"`{operation['x-verb']}`" if "x-verb" in operation else ""
    return f"| `{method.upper()} {path}` | {verb} | {operation['x-right']} | {operation['summary']} |\n"


def _errors() -> str:
    statuses = "".join(f"| {status} | {says} |\n" for status, says in PROBLEMS.items())
    codes = ", ".join(f"`{code}` {status}" for code, status in problem_codes().items())
    return (
        "\n## Errors\n\nErrors are `application/problem+json` (RFC 9457) with `code`, `detail` and `fix` as the "
        "library has them, `request_id`, and for bad input `errors`: the `pointer` or `parameter` that is wrong, "
        "and what is `allowed`."
        f"\n\n| status | meaning |\n|---|---|\n{statuses}\nCodes of the engine: {codes}; all others are 503.\n"
    )


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.write_text(reference(), encoding="utf-8")
