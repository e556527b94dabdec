"""What each client hands over and understands, in one form. The formats are those that the clients document."""

from __future__ import annotations

import json
import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CLIENTS = ("claude", "codex", "gemini", "cursor")
EVENTS = ("session-start", "prompt", "pre-compact", "stop", "session-end")

_NAMED = {"session-start": "SessionStart", "prompt": "UserPromptSubmit"}
_NAMED_BY_GEMINI = {"session-start": "SessionStart", "prompt": "BeforeAgent"}
_SPOKEN = ("user", "sdk")
"""Sources of a prompt that somebody meant; others are the client's own clockwork."""
_PRIVATE = re.compile(r"<private>.*?(?:</private>|\Z)", re.DOTALL | re.IGNORECASE)
TEXT_CHARS = 20_000
"""So much of a prompt or an answer is looked at and kept."""


class Call:
    """One call of a hook. What a client leaves out, or gives in a form that it should not have, is empty."""

    __slots__ = ("client", "event", "folder", "prompt", "reply", "session", "source", "transcript")

    def __init__(self, client: str, event: str, given: dict[str, Any]) -> None:
        self.client = client
        self.event = event
        self.session = _text(given, "conversation_id" if client == "cursor" else "session_id", 200).strip()
        self.folder = _folder(given)
        self.source = _text(given, "source", 40)
        self.prompt = without_private(_text(given, "prompt"))
        reply = "prompt_response" if client == "gemini" else "last_assistant_message"
        self.reply = without_private(_text(given, reply))
        self.transcript = _transcript(given) if client == "claude" else ""

    @property
    def is_spoken(self) -> bool:
        """Whether somebody said the prompt."""
        return self.client != "claude" or self.source in ("", *_SPOKEN)


def read_call(client: str, event: str, data: bytes) -> Call:
    """What a client says on stdin. Raises ValueError for what is no JSON object."""
    given = json.loads(data.decode("utf-8", "replace"))
    if not isinstance(given, dict):
        raise ValueError("not an object")
    return Call(client, event, given)


def shown(client: str, event: str, context: str) -> str:
    """What a hook prints so that the client puts `context` before the model. Nothing where it cannot: no key that a
    client does not know may be there."""
    told: dict[str, object] = {}
    if client == "cursor":
        if event == "session-start" and context:
            told = {"additional_context": context}
        elif event == "prompt":
            told = {"continue": True}
    elif context and event in _NAMED:
        named = (_NAMED_BY_GEMINI if client == "gemini" else _NAMED)[event]
        told = {"hookSpecificOutput": {"hookEventName": named, "additionalContext": context}}
        if client == "claude" and event == "session-start":
            told = {"suppressOutput": True, **told}
    return json.dumps(told) if told else ""


def without_private(text: str) -> str:
    """A text without what stands between <private> and </private>."""
    return _PRIVATE.sub("", text) if "<" in text else text


def _text(given: dict[str, Any], key: str, most: int = TEXT_CHARS) -> str:
    value = given.get(key)
    return value[:most].encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _folder(given: dict[str, Any]) -> str:
    """Where the client works: its settings are read there."""
    roots = given.get("workspace_roots")
    for one in (given.get("cwd"), *(roots[:1] if isinstance(roots, list) else ())):
        if isinstance(one, str) and "\0" not in one and os.path.isabs(one) and os.path.isdir(one):
            return one
    return os.getcwd()


def _transcript(given: dict[str, Any]) -> str:
    path = _text(given, "transcript_path", 4096)
    return path if "\0" not in path and os.path.isabs(path) and os.path.isfile(path) else ""
