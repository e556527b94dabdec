"""One call of a hook, from what the client says to what it is told. Nothing that goes wrong leaves this module."""

from __future__ import annotations

import os
import time

from trigraph.faces.hook.clients import CLIENTS, EVENTS, Call, read_call, shown
from trigraph.faces.hook.folder import Session, leave, note, tidy
from trigraph.faces.hook.recalling import Asker, at_prompt, at_start
from trigraph.sources import default_home, given_values, is_bypassed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TELLS_ONCE = ("codex", "cursor")
"""Clients that tell what was asked with the prompt, and not again when the turn is over."""


class Full(Exception):
    """Nobody has taken in for long what hooks left."""


def answer(arguments: list[str], data: bytes, until: float) -> str:
    """What is to be printed; nothing if memory has nothing to say or cannot."""
    client, event = (*arguments, "", "")[:2]
    if len(arguments) != 2 or client not in CLIENTS or event not in EVENTS or is_bypassed():
        return ""
    home = ""
    try:
        call = read_call(client, event, data)
        values = given_values(call.folder)
        home = _home(values)
        asker = Asker(home, _scope(values), until)
        return shown(client, event, _told(asker, call, catch_up=_truth(values.get("hooks.catch_up", True))))
    except Exception as error:
        note(home or _home_at_a_loss(), client, event, error)
        return shown(client, event, "")


def _told(asker: Asker, call: Call, *, catch_up: bool) -> str:
    if call.event == "session-start":
        return _begin(asker, call)
    if call.event == "prompt":
        return _prompt(asker, call)
    _hand_over(asker, call)
    if catch_up:
        from trigraph.faces.local.catching_up import start_if_needed

        start_if_needed(asker.home, asker.until, at_once=call.event == "session-end")
    return ""


def _begin(asker: Asker, call: Call) -> str:
    told, ids = at_start(asker)
    session = Session(asker.home, call.client, call.session)
    session.given = (session.given if call.source == "resume" else []) + ids
    session.keep()
    tidy(asker.home)
    return told


def _prompt(asker: Asker, call: Call) -> str:
    session = Session(asker.home, call.client, call.session)
    if call.client in TELLS_ONCE and call.is_spoken:
        session.asked = _redacted(call.prompt)
        session.keep()
    if call.client == "cursor":  # it has no way to be told anything here
        return ""
    told, ids = at_prompt(asker, call, session.given)
    if ids:
        session.given += ids
        session.keep()
    return told


def _hand_over(asker: Asker, call: Call) -> None:
    """Leave what was said to be taken in; at the end of a session also the word that it is over."""
    session = Session(asker.home, call.client, call.session)
    said = [] if call.transcript or call.event == "pre-compact" else _said(call, session)
    ends = call.event == "session-end"
    if call.session and (said or call.transcript or ends):
        entry: dict[str, Any] = {
            "client": call.client,
            "event": call.event,
            "session": call.session,
            "scope": asker.scope,
            "at": time.time(),
            "transcript": call.transcript,
            "messages": said,
        }
        if not leave(asker.home, entry):
            raise Full
    if ends:
        session.drop()
    elif said and session.asked:
        session.asked = ""
        session.keep()


def _said(call: Call, session: Session) -> list[dict[str, str]]:
    both = (("user", call.prompt or session.asked), ("assistant", call.reply))
    return [{"role": role, "content": _redacted(text)} for role, text in both if text.strip()]


def _redacted(text: str) -> str:
    """As what is queued is kept: without secrets."""
    from trigraph.text.secrets import redact

    return redact(text).text


def _home(values: dict[str, object]) -> str:
    given = values.get("home")
    return os.path.expanduser(given if isinstance(given, str) and given else default_home())


def _home_at_a_loss() -> str:
    """Where the log is when not even the settings could be read."""
    try:
        return _home(given_values(os.sep))
    except Exception:
        return ""


def _scope(values: dict[str, object]) -> tuple[str, str, str]:
    tenant, project, agent = (str(values.get(f"scope.{name}", "default")) for name in ("tenant", "project", "agent"))
    return tenant, project, agent


def _truth(value: object) -> bool:
    return value is True or str(value).lower() == "true"
