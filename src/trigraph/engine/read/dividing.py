"""How memories divide, by what a filter can ask for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from trigraph.engine.parts import Parts
from trigraph.engine.read.reading import resolved
from trigraph.model.facets import Facets
from trigraph.model.memory import MemoryFilter, Status
from trigraph.model.scope import Scope
from trigraph.model.times import Moment

VALUES_MOST = 24


def facets(
    parts: Parts, scope: Scope, wanted: MemoryFilter, as_of: datetime | None = None, known_at: datetime | None = None
) -> Facets:
    """Counts of what the scope may see, in as many queries whatever there is."""
    with parts.store.snapshot(scope):
        now = parts.now(scope)
        moment = Moment(as_of or now.as_of, known_at or now.known_at)
        wanted = resolved(parts, scope, wanted, moment)
        found = parts.store.memories.facets(scope, wanted, moment, VALUES_MOST)
    by_status = found.get("status", {})
    return Facets(
        total=by_status.get(wanted.status, 0),
        by_kind=_most_first(found.get("kind", {})),
        by_status={status.value: by_status[status] for status in Status if status in by_status},
        by_tag=_most_first(found.get("tag", {})),
        by_domain=_most_first(found.get("domain", {})),
        by_author=_most_first(found.get("author", {})),
        by_source=_most_first(found.get("source", {})),
        by_visibility=_most_first(found.get("visibility", {})),
        by_month=dict(sorted(found.get("month", {}).items(), reverse=True)),
    )


def _most_first(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))
