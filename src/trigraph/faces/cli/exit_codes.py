"""What the command's exit status tells a script."""

from __future__ import annotations

import trigraph.errors as errors

DEGRADED = 1
NOT_FOUND = 3
FORBIDDEN = 4
CONFLICT = 5
BAD_DATA = 65
INTERRUPTED = 130
BROKEN_PIPE = 141

_OF_ERRORS: dict[type[errors.TrigraphError], int] = {
    errors.BrokenFile: BAD_DATA,
    errors.InvalidInput: 2,
    errors.NotFound: NOT_FOUND,
    errors.Forbidden: FORBIDDEN,
    errors.Unauthenticated: FORBIDDEN,
    errors.Conflict: CONFLICT,
    errors.StoreBusy: 75,
    errors.StorageFull: 74,
    errors.StoreCorrupt: BAD_DATA,
    errors.SchemaTooNew: 78,
    errors.StoreError: 74,
    errors.ModelUnavailable: 69,
    errors.ServerError: 69,
    errors.ConfigError: 78,
    errors.TrigraphError: 1,
}
"""The first class that fits decides: 2 usage, 3 not found, 4 forbidden or no valid token, 5 conflict, 65 bad data,
69 unavailable, 74 I/O or disk full, 75 locked, 78 configuration or newer schema."""


def of_error(error: errors.TrigraphError) -> int:
    """The status for an error that ended the command."""
    return next(code for kind, code in _OF_ERRORS.items() if isinstance(error, kind))


def of_item(code: str | None) -> int:
    """The status for an item that could not be taken: bad data, unless the store is what failed."""
    status = next((status for kind, status in _OF_ERRORS.items() if kind.code == code), BAD_DATA)
    return BAD_DATA if status in (2, NOT_FOUND) else status
