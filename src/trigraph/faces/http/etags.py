"""ETags of memories: what stands there now, so that a change is made of what was seen."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from starlette.requests import Request

from trigraph.faces import wire
from trigraph.faces.http.problems import Refused
from trigraph.model.memory import Memory
from trigraph.model.revision import Check


def etag_of(shown: Any) -> str:
    """The tag of a memory as it is shown: another one after every change of it."""
    written = json.dumps(shown, sort_keys=True).encode()
    return f'"{hashlib.sha256(written).hexdigest()[:32]}"'


def unchanged(request: Request, etag: str) -> bool:
    """Whether the asker has it already (`If-None-Match`)."""
    return _listed(request.headers.get("if-none-match"), etag)


def match_of(request: Request, *, needed: bool) -> Check | None:
    """What is asked of a memory before it is changed, in the same transaction: that it stands as `If-Match` says."""
    asked = request.headers.get("if-match")
    if asked is None:
        if needed:
            raise Refused(
                428, "precondition_required", "If-Match is missing.", fix="Send the ETag that GET answered as If-Match."
            )
        return None

    def check(memory: Memory) -> None:
        if not _listed(asked, etag_of(wire.to_json(memory))):
            raise Refused(
                412, "precondition_failed", "The memory was changed since.", fix="Read it again, then decide anew."
            )

    return check


def _listed(header: str | None, etag: str) -> bool:
    tags = [one.strip() for one in (header or "").split(",")]
    return "*" in tags or etag in tags
