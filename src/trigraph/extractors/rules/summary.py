"""A session in a few sentences: what was asked, what was done, what came of it, what is open."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from trigraph.extractors.rules.dating import day_words
from trigraph.extractors.rules.fitting import fit, tidy
from trigraph.extractors.rules.scene import Scene
from trigraph.extractors.rules.standing import stripped
from trigraph.extractors.rules.tools import Use, branch_of, still_failing
from trigraph.model.extraction import Certainty, Finding, Found, Role
from trigraph.text.sentences import sentences_in
from trigraph.text.tool_lines import shortened

SUMMARY_LIMIT_CHARS = 600
_PART_CHARS = 220
_SHORT_CHARS = 25
_ASKING = re.compile(
    r"^(?:hey \w+,? )?(?:(?:can|could|would) you (?:please |also |mind )?(?:help (?:me )?(?:to )?)?"
    r"|please (?:have a look at|help (?:me )?(?:to )?)?"
    r"|i(?:['’]d like| want| need) (?:you )?to |let['’]s |(?:i think )?we should )",
    re.IGNORECASE,
)


def summary_of(scene: Scene, found: Sequence[Found], uses: Sequence[Use], files: str | None) -> str | None:
    """At most 600 characters; `files` are those that were made or changed."""
    return _of_chat(scene, found) if scene.is_chat else _of_work(scene, found, tuple(uses), files)


def _of_work(scene: Scene, found: Sequence[Found], uses: tuple[Use, ...], files: str | None) -> str | None:
    parts: list[str] = []
    asked = [text for said in scene.messages if said.role is Role.USER and (text := _asked(said.text)) is not None]
    failed = next((use for use in uses if use.is_command and use.failed), None)
    if asked and len(asked[0]) < _SHORT_CHARS and failed is not None:
        asked[0] = f"{asked[0]} (`{failed.command}` failed: {shortened(failed.error, 100)})"
    if asked:
        parts.append(f"Asked: {'; then: '.join(asked[:3])}.")
    branch = branch_of(uses)
    if branch is not None:
        parts.append(f"Branch: {branch}.")
    done = [one.text for one in found if _is_done(one) and _is_by_agent(scene, one)][:2]
    if done:
        parts.append(f"Done: {'; '.join(done)}.")
    if files is not None:
        parts.append(f"Files: {files}.")
    checked = next((use for use in reversed(uses) if use.is_command and use.passed), None)
    failing = still_failing(uses)
    if failing:
        parts.append(f"Open: `{failing[-1].command}` fails ({failing[-1].error}).")
    elif checked is not None:
        parts.append(f"Outcome: `{checked.command}`: {checked.told.rstrip('.! ')}.")
    steps = (one for one in found if one.finding is Finding.NEXT_STEP and one.certainty is not Certainty.INFERRED)
    open_steps = [one.text for one in steps][:2]
    if open_steps:
        parts.append(f"Next: {'; '.join(open_steps)}.")
    return _joined(parts)


def _is_done(found: Found) -> bool:
    return found.finding is Finding.OUTCOME or (found.finding is Finding.ROOT_CAUSE and "; fixed " in found.text)


def _is_by_agent(scene: Scene, found: Found) -> bool:
    return scene.messages[found.evidence[0].message].role is Role.ASSISTANT


def _asked(text: str) -> str | None:
    """What a message of the user asks for: its requests, else its first words."""
    sentences = [stripped(sentence.text) for sentence in sentences_in(text)[:8]]
    requests = [words for words in sentences if _ASKING.match(words)] or sentences[:1]
    short = [fit(_ASKING.sub("", words).rstrip("?"), _PART_CHARS, shortest=8) for words in requests[:2]]
    return "; ".join(one for one in short if one) or None


def _of_chat(scene: Scene, found: Sequence[Found]) -> str | None:
    speakers = list(dict.fromkeys(said.speaker for said in scene.messages if said.speaker))
    day = next((said.occurred_at for said in scene.messages if said.occurred_at is not None), None)
    when = f" on {day_words(day.date())}" if day else ""
    parts = [f"{' and '.join(speakers[:4])} talked{when}."]
    told: Counter[str] = Counter()
    for one in found:
        who = scene.messages[one.evidence[0].message].speaker or ""
        if told[who] < 3 and (short := fit(one.text, 120)) is not None:
            told[who] += 1
            parts.append(f"{tidy(short)}.")
    return _joined(parts)


def _joined(parts: Sequence[str]) -> str | None:
    text = ""
    for part in parts:
        if len(text) + len(part) + 1 <= SUMMARY_LIMIT_CHARS:
            text = f"{text} {part}".strip()
    return text or None
