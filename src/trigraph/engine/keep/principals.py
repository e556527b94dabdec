"""Who a request speaks for: by its token, or on this machine by its own word."""

from __future__ import annotations

import hmac
from contextlib import suppress
from datetime import timedelta

from trigraph.engine.keep import tokens
from trigraph.engine.parts import Parts
from trigraph.errors import Forbidden, InvalidInput, StoreError, Unauthenticated
from trigraph.model.access import Principal, Right, Token
from trigraph.model.scope import DEFAULT_NAME, LONGEST_NAME, Scope

LOCAL_RIGHTS = frozenset(Right) - {Right.ADMIN}
"""What a request without a token may do. Whoever may read the files administers, not whoever finds the port."""
USED_EVERY = timedelta(minutes=1)
_NO_HASH = "0" * 64


def authenticate(
    parts: Parts, token: str | None, claimed_agent: str | None, claimed_project: str | None, local: Scope | None
) -> Principal:
    """The one that a request may speak for. A token decides, and what is claimed beside it must be its own; without
    one, `local` does, with what is claimed in its place; without either nobody is let in."""
    _check_no_token("agent", claimed_agent)
    _check_no_token("project", claimed_project)
    if token is not None:
        return _of_token(_standing(parts, token), claimed_agent, claimed_project)
    if local is None:
        raise Unauthenticated(
            "This takes a token.", fix="Send `Authorization: Bearer tg_…`; `trigraph admin token create` makes one."
        )
    project = local.project if claimed_project is None else claimed_project
    agent = local.agent if claimed_agent is None else claimed_agent
    return Principal(Scope(local.tenant, project, agent), LOCAL_RIGHTS)


def _of_token(token: Token, claimed_agent: str | None, claimed_project: str | None) -> Principal:
    if claimed_agent not in (None, token.agent):
        raise Forbidden(
            f"The token stands for agent {token.agent!r}, not for the one that the request names.",
            fix="Leave the agent out, or use a token of that agent.",
        )
    if token.project is not None and claimed_project not in (None, token.project):
        raise Forbidden(
            f"The token is good in project {token.project!r}, not in the one that the request names.",
            fix="Leave the project out, or use a token that is good there.",
        )
    project = token.project or (DEFAULT_NAME if claimed_project is None else claimed_project)
    return Principal(Scope(token.tenant, project, token.agent), frozenset(token.rights), token.id)


def _standing(parts: Parts, text: str) -> Token:
    """The token of that text, if it stands. Why it does not is nobody's business: one error for all."""
    registry, now = parts.store.registry, parts.clock()
    token_id = tokens.id_in(text)
    kept = registry.token(token_id) if token_id else None
    same = token_id is not None and hmac.compare_digest(kept.hash if kept else _NO_HASH, tokens.digest(text))
    if kept is None or not same or not kept.token.good_at(now):
        raise Unauthenticated(
            "The token is not valid.",
            fix="Ask whoever runs trigraph for another; `trigraph admin token list` shows them.",
        )
    if kept.token.used_at is None or now - kept.token.used_at >= USED_EVERY:
        with suppress(StoreError):  # a store that cannot be written to can still be read
            registry.token_used(kept.token.id, now)
    return kept.token


def _check_no_token(field: str, claimed: str | None) -> None:
    """A token in the wrong place is said to be one, and is not repeated; nor is one that was copied with what stood
    around it. No name is that long."""
    if isinstance(claimed, str) and tokens.TEXT_PREFIX in claimed and len(claimed) > LONGEST_NAME:
        raise InvalidInput(
            f"A token was given as {field}.", field=field, fix="Send it as `Authorization: Bearer tg_…`."
        )
