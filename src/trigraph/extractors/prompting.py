"""What a model is asked: a prompt, and the messages as marked data, within a budget of tokens."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from trigraph.errors import ConfigError
from trigraph.extractors.reading import schema_of
from trigraph.model.extraction import Said, Stage

TOKENS_IN = MappingProxyType({Stage.TURN: 500, Stage.DISTILLATION: 6_000})
TOKENS_OUT = MappingProxyType({Stage.TURN: 200, Stage.DISTILLATION: 1_200})
LEAST_TOKENS_FOR_MESSAGES = 80
CUT = " [...] "

_FRAMING_TOKENS = 16
"""What a chat's roles, the schema's name and the like come to."""
_LEAST_TOKENS_OF_A_MESSAGE = 12
_MOST_CHARS_PER_TOKEN = 10
_WIDEST_MARK = "a1a1a1"
_SPEAKER_CHARS = 40

_PIECE = re.compile(
    r"[A-Za-z]{1,16}|[0-9]{1,16}|[^\x00-\x7f]{1,4}|[^\S ]{1,8}| {2,8}|[!-/:-@\[-`{-~]{1,6}|[\x00-\x1f\x7f]"
)


@dataclass(frozen=True, slots=True)
class Question:
    """One request, whatever the dialect. `tokens_in` is estimated, `tokens_out` is the most that may come back."""

    prompt: str
    data: str
    schema: dict[str, Any]
    tokens_in: int
    tokens_out: int


def read_prompts(folder: Path | None) -> Mapping[Stage, str]:
    """The prompt of each stage: `turn.md` and `distillation.md` of the folder where it has them, else the packaged."""
    fix = "Check extractor.prompts."
    if folder is not None and not folder.is_dir():
        raise ConfigError(f"The folder of prompts {folder} does not exist.", fix=fix)
    prompts = {}
    for stage in Stage:
        own = folder / f"{stage}.md" if folder else None
        source = own if own and own.exists() else files("trigraph.extractors").joinpath("prompts", f"{stage}.md")
        try:
            prompts[stage] = source.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(
                f"The prompt {source} cannot be read: {error}.", fix="Check extractor.prompts."
            ) from error
        room = _room_tokens(stage, prompts[stage])
        if not prompts[stage] or room < LEAST_TOKENS_FOR_MESSAGES:
            raise ConfigError(
                f"The prompt {source} is empty, or leaves {room} of {TOKENS_IN[stage]} tokens to the messages.",
                fix=f"Write one that leaves at least {LEAST_TOKENS_FOR_MESSAGES}.",
            )
    return MappingProxyType(prompts)


def make_question(stage: Stage, prompt: str, messages: Sequence[Said]) -> Question:
    """The prompt and as much of the messages as the budget allows: the newest, long ones without their middle. They
    stand between lines with a mark that none of them holds, so that no message can end or begin another."""
    shown = _fitted(messages, _room_tokens(stage, prompt))
    mark = secrets.token_hex(3)
    while any(mark in heading + text for heading, text in shown):
        mark = secrets.token_hex(3)
    lines = [f"=== {mark} {heading}\n{text}" for heading, text in shown]
    data = "\n".join([*lines, f"=== {mark} end"])
    prompt = prompt.replace("{mark}", mark)
    schema = schema_of(stage)
    tokens_in = careful_tokens(prompt) + careful_tokens(data) + _schema_tokens(stage) + _FRAMING_TOKENS
    return Question(prompt, data, schema, tokens_in, TOKENS_OUT[stage])


def careful_tokens(text: str) -> int:
    """Tokens of a text, rather too many than too few: by words, figures and signs, since a budget that must hold cannot
    go by the length alone, as `text.tokens` does. Figures, identifiers and other scripts cost more than prose."""
    return sum(_piece_tokens(match.group()) for match in _PIECE.finditer(text))


def _tokens_up_to(most: int, text: str) -> int:
    """Those of a text, or some more than the most: a text of megabytes need not be counted to its end."""
    tokens = 0
    for match in _PIECE.finditer(text):
        tokens += _piece_tokens(match.group())
        if tokens > most:
            break
    return tokens


def _piece_tokens(piece: str) -> int:
    if not piece.isascii():
        return -(-len(piece.encode(errors="replace")) // 2)
    if piece.isalpha():
        return 1 if len(piece) <= 6 else -(-len(piece) // 4)
    if piece.isdigit():
        return -(-len(piece) // 2)
    return 1 if piece.isspace() else -(-len(piece) // 3)


def _schema_tokens(stage: Stage) -> int:
    return careful_tokens(json.dumps(schema_of(stage), separators=(",", ":")))


def _room_tokens(stage: Stage, prompt: str) -> int:
    fixed = prompt.replace("{mark}", _WIDEST_MARK)
    closing = careful_tokens(f"\n=== {_WIDEST_MARK} end")
    return TOKENS_IN[stage] - careful_tokens(fixed) - _schema_tokens(stage) - closing - _FRAMING_TOKENS


def _fitted(messages: Sequence[Said], room_tokens: int) -> list[tuple[str, str]]:
    """(heading, text) of the newest messages: as many as get a line each, with the room shared out among them so that
    short ones stay whole."""
    kept: list[tuple[str, str, int]] = []
    left = room_tokens
    for place in reversed(range(len(messages))):
        text = messages[place].text.encode(errors="replace").decode().strip()
        if not text:
            continue
        heading = _heading(messages[place], messages[place - 1] if place else None)
        tokens = _tokens_up_to(room_tokens, text)
        frame = careful_tokens(f"\n=== {_WIDEST_MARK} {heading}\n")
        if left - frame < min(tokens, _LEAST_TOKENS_OF_A_MESSAGE):
            break
        left -= frame + min(tokens, _LEAST_TOKENS_OF_A_MESSAGE)
        kept.append((heading, text, tokens))
    share = _fair_share(
        [tokens for *_, tokens in kept],
        left + sum(min(tokens, _LEAST_TOKENS_OF_A_MESSAGE) for *_, tokens in kept),
    )
    return [
        (heading, text if tokens <= share else _without_middle(text, share)) for heading, text, tokens in reversed(kept)
    ]


def _fair_share(wanted: list[int], room: int) -> int:
    """The most that each may have, where what some do not need goes to the others."""
    ordered = sorted(wanted)
    for place, want in enumerate(ordered):
        share = room // (len(ordered) - place)
        if want > share:
            return share
        room -= want
    return max(ordered, default=0)


def _without_middle(text: str, tokens: int) -> str:
    half = max(0, tokens - careful_tokens(CUT)) // 2
    window = half * _MOST_CHARS_PER_TOKEN + 16
    head = _end_within(list(_PIECE.finditer(text[:window])), half)
    tail_from = max(head, len(text) - window)
    pieces = list(_PIECE.finditer(text[tail_from:]))
    start = len(text)
    for piece in reversed(pieces):
        half -= _piece_tokens(piece.group())
        if half < 0:
            break
        start = tail_from + piece.start()
    return text[:head].rstrip() + CUT + text[start:].lstrip()


def _end_within(pieces: list[re.Match[str]], tokens: int) -> int:
    end = 0
    for piece in pieces:
        tokens -= _piece_tokens(piece.group())
        if tokens < 0:
            break
        end = piece.end()
    return end


def _heading(said: Said, before: Said | None) -> str:
    """Who speaks, and the day where it is another one than before."""
    day = said.occurred_at.date() if said.occurred_at else None
    same = before and before.occurred_at and before.occurred_at.date() == day
    speaker = " ".join((said.speaker or "").encode(errors="replace").decode().split())[:_SPEAKER_CHARS]
    return " ".join([str(said.role), *([speaker] if speaker else []), *([str(day)] if day and not same else [])])
