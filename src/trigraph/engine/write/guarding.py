"""What is let in, and how: noise is left out, secrets are redacted, what reads like an instruction is quarantined.

What a person or an agent says explicitly is taken as it is. What writes by itself is not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from trigraph.model.memory import (
    UNATTENDED,
    UNTRUSTED,
    DecisionDetails,
    Details,
    Kind,
    MemoryDraft,
    OutcomeDetails,
    Source,
    Status,
)

_NEVER_NOISE = frozenset({Kind.EPISODE, Kind.DOCUMENT, Kind.SUMMARY, Kind.CHECKPOINT})


@dataclass(frozen=True, slots=True)
class Guarded:
    """A draft as it may be written: `filtered` names the filter that left it out, `signs` what it is quarantined for,
    `redacted` the kinds of secrets that were taken out."""

    draft: MemoryDraft
    filtered: str | None = None
    signs: tuple[str, ...] = ()
    redacted: tuple[str, ...] = ()

    @property
    def status(self) -> Status:
        """Where a memory of it begins."""
        return Status.QUARANTINED if self.signs else Status.ACTIVE


def guard(draft: MemoryDraft, *, unattended: bool = False, weakest: Source | None = None) -> Guarded:
    """Look at a draft before it is written. `unattended` says that nobody attends to it whatever its source, as with
    what hooks hand over; `weakest` is the least trusted of the sources that it was derived from."""
    if draft.source not in UNATTENDED and not unattended:
        return Guarded(draft)
    from trigraph.text.guard import hidden, suspicious  # their tables are large: only for what nobody attends to
    from trigraph.text.noise import noise
    from trigraph.text.secrets import redact

    clean = redact(draft.text)
    draft = _labels_redacted(draft)
    signs: tuple[str, ...] = ()
    if draft.source in UNTRUSTED or weakest in UNTRUSTED:
        signs = suspicious(clean.text) or suspicious(_explained(draft.details))
    seen = hidden(clean.text)
    draft = replace(draft, text=seen if seen.strip() else clean.text)
    filtered = noise(draft.text) if draft.source in UNATTENDED and draft.kind not in _NEVER_NOISE else None
    return Guarded(draft, filtered, signs, clean.kinds)


def _labels_redacted(draft: MemoryDraft) -> MemoryDraft:
    """What stands beside the text may hold a secret as well."""
    from trigraph.text.secrets import redact

    details = draft.details
    match details:
        case DecisionDetails(reasoning):
            details = DecisionDetails(redact(reasoning).text)
        case OutcomeDetails(result, str(reason)):
            details = OutcomeDetails(result, redact(reason).text)
    return replace(
        draft,
        topic=redact(draft.topic).text if draft.topic else draft.topic,
        tags=tuple(redact(tag).text for tag in draft.tags),
        uri=redact(draft.uri).text if draft.uri else draft.uri,
        turn=redact(draft.turn).text if draft.turn else draft.turn,
        details=details,
    )


def _explained(details: Details | None) -> str:
    match details:
        case DecisionDetails(reasoning):
            return reasoning
        case OutcomeDetails(_, str(reason)):
            return reason
        case _:
            return ""
