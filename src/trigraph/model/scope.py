"""Scope: tenant / project / agent. Every read and every write has exactly one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from trigraph.errors import InvalidInput

DEFAULT_NAME = "default"
LONGEST_NAME = 64
_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{LONGEST_NAME - 1}}}")


@dataclass(frozen=True, slots=True)
class Scope:
    """Who is asking, and within which island. Names are letters, digits, `.`, `_` and `-`."""

    tenant: str
    project: str
    agent: str

    def __post_init__(self) -> None:
        if "." in str(self.tenant) or self.tenant == "registry":
            # Tenants name files: `x.events` would be the file of x's events.
            raise InvalidInput(
                f"tenant {str(self.tenant)[:80]!r} is not a valid name.",
                field="tenant",
                fix="Use a name without dots, other than 'registry'.",
            )
        for field in ("tenant", "project", "agent"):
            name = getattr(self, field)
            if not isinstance(name, str) or not _NAME.fullmatch(name):
                raise InvalidInput(
                    f"{field} {str(name)[:80]!r} is not a valid name.",
                    field=field,
                    fix=f"Use 1 to {LONGEST_NAME} letters, digits, '.', '_' or '-', beginning with a letter or digit.",
                )


LOCAL_SCOPE = Scope(DEFAULT_NAME, DEFAULT_NAME, DEFAULT_NAME)
