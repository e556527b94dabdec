"""Everything trigraph raises on purpose, each class something a caller can act on.

TrigraphError
├── InvalidInput          what was handed over cannot be taken; names the field and what is allowed
│   └── BrokenFile        a file that was to be read is not what it should be
├── NotFound              no such memory, thread or project among what the caller may see
├── Unauthenticated       a token is missing, or does not stand for anyone (any more)
├── Forbidden             the caller may see it, but may not do that with it
├── Conflict              it stands otherwise than the call supposes: look again, then decide
│   └── KeyReused         an idempotency key was used before for something else
├── StoreError            the store could not do it; nothing was half-written
│   ├── StoreBusy         another process held the write lock for too long: try again
│   ├── StorageFull       the disk is full
│   ├── StoreClosed       the engine was closed, or carried across a fork
│   ├── StoreCorrupt      the file is damaged, or is not a trigraph file
│   └── SchemaTooNew      a newer trigraph wrote the file; it was left untouched
├── ModelUnavailable      the embedding model is missing or does not answer
├── ServerError           a server was asked, and refused or failed
│   ├── Unreachable       it does not answer, or not in time
│   └── Incompatible      what answers is no trigraph, or one of another version
└── ConfigError           a setting cannot be used
"""

from __future__ import annotations

from collections.abc import Iterable


class TrigraphError(Exception):
    """Base of all: `code` is stable for programs, `fix` says what to do next."""

    code = "error"

    def __init__(self, message: str, *, fix: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix

    def __str__(self) -> str:
        return f"{self.message} {self.fix}" if self.fix else self.message


class InvalidInput(TrigraphError):
    """The input cannot be taken. `field` names what is wrong, `allowed` what would be right."""

    code = "invalid_input"

    def __init__(self, message: str, *, field: str, allowed: Iterable[str] = (), fix: str | None = None) -> None:
        super().__init__(message, fix=fix)
        self.field = field
        self.allowed = tuple(allowed)


class BrokenFile(InvalidInput):
    """A file to be read is missing, unreadable, or not in the expected format."""

    code = "broken_file"


class NotFound(TrigraphError):
    """Nothing of that name exists among what the caller may see."""

    code = "not_found"


class Unauthenticated(TrigraphError):
    """A token is missing, or does not stand for anyone: unknown, expired or revoked, which is not told."""

    code = "unauthenticated"


class Forbidden(TrigraphError):
    """The caller may see it, but may not do that with it."""

    code = "forbidden"


class Conflict(TrigraphError):
    """The thing stands otherwise than the call supposes. Nothing was changed."""

    code = "conflict"


class KeyReused(Conflict):
    """An idempotency key came a second time with another body."""

    code = "idempotency_key_reused"


class StoreError(TrigraphError):
    """The store could not do what was asked. Nothing was half-written."""

    code = "store_error"


class StoreBusy(StoreError):
    """The write lock was held by others for too long."""

    code = "store_busy"


class StorageFull(StoreError):
    """No space is left where the store lives."""

    code = "storage_full"


class StoreClosed(StoreError):
    """The engine was closed, or belongs to another process."""

    code = "store_closed"


class StoreCorrupt(StoreError):
    """The file is damaged or is not a trigraph file."""

    code = "store_corrupt"


class SchemaTooNew(StoreError):
    """The file was written by a newer trigraph and has been left untouched."""

    code = "schema_too_new"


class ModelUnavailable(TrigraphError):
    """The embedding model is missing or does not answer."""

    code = "model_unavailable"


class ServerError(TrigraphError):
    """A server refused what was asked, or failed at it. `code` and `status` are what it said of that, `request_id` is
    what its log knows it by."""

    code = "server_error"

    def __init__(
        self,
        message: str,
        *,
        fix: str | None = None,
        code: str | None = None,
        status: int | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message, fix=fix)
        self.code = code or self.code
        self.status = status
        self.request_id = request_id


class Unreachable(ServerError):
    """The server does not answer. What had been sent may have been done, unless the message says otherwise."""

    code = "unreachable"


class Incompatible(ServerError):
    """What answers does not speak as this version does."""

    code = "incompatible"


class ConfigError(TrigraphError):
    """A setting cannot be used."""

    code = "config_error"


def invalid_choice(field: str, given: object, allowed: Iterable[str]) -> InvalidInput:
    """The error for a value outside a closed list, with the nearest valid one suggested."""
    from difflib import get_close_matches  # only when something went wrong

    options = tuple(allowed)
    near = get_close_matches(str(given), options, n=1)
    hint = f"Did you mean {near[0]!r}? " if near else ""
    return InvalidInput(
        f"{field} {str(given)[:80]!r} is not known.",
        field=field,
        allowed=options,
        fix=f"{hint}Valid: {', '.join(options)}.",
    )
