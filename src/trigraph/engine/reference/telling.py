"""The reasoning in plain words: the answer, what it replaced, what supports it, what disagrees, how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from trigraph.engine.reference.disagreeing import Disagreeing, Replaced, time_of
from trigraph.engine.reference.gathering import Piece, without_head_matter
from trigraph.model.ids import short_id
from trigraph.model.memory import DecisionDetails, Kind, OutcomeDetails
from trigraph.model.recall import Recall
from trigraph.model.reference import Intent, ReplacedBy
from trigraph.text.deciding import decision_in
from trigraph.text.sentences import sentences_in

ANSWER_CHARACTERS = 360
OTHERS_CHARACTERS = 150
DECISION_CHARACTERS, DECISION_READ = 280, 1_200
REPLACED_MOST, SUPPORTS_MOST, DISPUTES_MOST, STEPS_MOST = 3, 3, 3, 8
OLD_DAYS = 180
LOW, HIGH = 0.45, 0.75
_GROWS_OLD = frozenset({Kind.FACT, Kind.PREFERENCE, Kind.CONSTRAINT, Kind.CONTEXT, Kind.SKILL})


@dataclass(frozen=True, slots=True)
class Told:
    """All that the reasoning speaks of."""

    query: str
    intent: Intent
    claim: str | None
    recall: Recall
    recommended: Piece
    supports: Sequence[Piece]
    pieces: Sequence[Piece]
    found: Disagreeing
    confidence: float
    now: datetime


def reasoning(told: Told) -> str:
    """A few short paragraphs."""
    paragraphs = [_answer(told), _course(told), _replaced(told), _came_of(told), _support(told)]
    paragraphs += [_disputes(told), _sure(told), _check(told)]
    return "\n\n".join(one for one in paragraphs if one)


def nothing_told(recall: Recall) -> str:
    """What is said where there is no evidence."""
    if not recall.hits:
        why = "The store holds nothing that could answer." if not recall.degraded else "Nothing was found."
        return f"Memory has nothing on this. {why} Do not take that for a no: it was never written down here."
    nearest = ", ".join(f"{short_id(hit.memory.id)} “{cut(_plain(hit.excerpt.text), 120)}”" for hit in recall.hits[:2])
    return (
        "Memory has nothing on this, as far as recall can tell. What came nearest is likely about something else: "
        f"{nearest}. Do not take that for a no: it was never written down here, or in other words."
    )


def said(piece: Piece, query: str, limit: int) -> str:
    """What a piece says to the question: all of a short text, of a longer one the sentences nearest to the question,
    under the heading at which they stand."""
    whole = " ".join(piece.shown.split())
    if (piece.memory.kind is not Kind.DOCUMENT and len(whole) <= 3 * limit) or not piece.sentences:
        return cut(whole, limit)
    first = piece.nearest(query)
    sentences = piece.sentences
    heading = sentences[first].heading if piece.memory.kind is Kind.DOCUMENT else None
    chosen = f"{heading}: {sentences[first].text}" if heading else sentences[first].text
    for sentence in sentences[first + 1 :]:
        if len(chosen) + len(sentence.text) >= limit and len(chosen) >= limit / 2:
            break
        chosen = f"{chosen} {sentence.text}"
    return cut(chosen, limit)


def _plain(text: str) -> str:
    """Without the head matter of a document and its marks."""
    sentences = sentences_in(without_head_matter(text))
    return " ".join(one.text for one in sentences[:4]) if sentences and text.lstrip().startswith(("#", "---")) else text


def cut(text: str, limit: int) -> str:
    """One line of a text, ended at a word if it is too long."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def _name(piece: Piece) -> str:
    memory = piece.memory
    about = f" {memory.subject.name}" if memory.kind is Kind.DOCUMENT and memory.subject else ""
    return f"{short_id(memory.id)} ({memory.kind.value}{about}, {_day(time_of(memory))})"


def _day(instant: datetime) -> str:
    return f"{instant:%Y-%m-%d}"


def _answer(told: Told) -> str:
    one = told.recommended
    quoted = f"“{said(one, told.query, ANSWER_CHARACTERS)}”"
    denials = {id(piece): reason for piece, reason in told.found.claim}
    if id(one) in denials:
        first = f"Not by what memory holds. The question takes it that {told.claim}; {_name(one)} says {quoted}"
        return f"{_ended(first)} {denials[id(one)]}{_because(one, quoted)}"
    if one in told.found.affirmed:
        return f"Yes, by {_name(one)}: {quoted}{_because(one, quoted)}"
    doubts = {id(piece): reason for piece, reason in told.found.doubts}
    if id(one) in doubts:
        first = f"Perhaps not, by what memory holds. {_name(one)} says {quoted}"
        return f"{_ended(first)} {doubts[id(one)]}{_because(one, quoted)}"
    ended = "" if one.holds else " It does not hold any more, and nothing that does was found."
    if told.intent is Intent.ROOT_CAUSE:
        return f"What memory gives as the reason is in {_name(one)}: {quoted}{_because(one, quoted)}{ended}"
    return f"Go by {_name(one)}: {quoted}{_because(one, quoted)}{ended}"


def _ended(text: str) -> str:
    """With a full stop, unless what is quoted at the end has its own."""
    return text if text.rstrip("”").endswith((".", "!", "?", "…")) else f"{text}."


def _because(piece: Piece, quoted: str) -> str:
    if piece.memory.kind is Kind.DOCUMENT:
        return _decides(piece, quoted)
    match piece.memory.details:
        case DecisionDetails(reasoning=why) if why:
            return f" It was decided because: {cut(why, ANSWER_CHARACTERS)}"
        case OutcomeDetails(result=result, reason=why) if why:
            return f" ({result.value}: {cut(why, ANSWER_CHARACTERS)})"
        case _:
            return ""


def _decides(piece: Piece, quoted: str) -> str:
    """What a record of a decision decides, where another passage of it is quoted."""
    decision = decision_in(piece.memory.text)
    sentences = sentences_in(decision[:DECISION_READ]) if decision else []
    if not sentences or any(one.text in quoted for one in sentences):
        return ""
    return f" It decides: “{cut(' '.join(one.text for one in sentences), DECISION_CHARACTERS)}”"


def _course(told: Told) -> str:
    """How it came about, where that is asked for."""
    if told.intent is not Intent.TIMELINE:
        return ""
    steps = sorted((one for one in told.pieces if one.relevance > 0), key=lambda one: time_of(one.memory))
    best = sorted(steps, key=lambda one: -one.score)[:STEPS_MOST]
    lines = [f"{_day(time_of(one.memory))} {short_id(one.memory.id)} “{said(one, told.query, 110)}”" for one in steps
             if one in best]  # fmt: skip
    return "In the order of time: " + "; ".join(lines) + "." if len(lines) > 1 else ""


def _replaced(told: Told) -> str:
    ordered = sorted(told.found.replaced, key=lambda one: (one.new is not told.recommended, -one.old.relevance))
    ordered += told.found.changed
    shown = ordered[:REPLACED_MOST]
    newer = [one for one in shown if one.by is ReplacedBy.CHANGED]
    lines = [_all_older([one for one in newer if one.new is new], told) for new in _once(one.new for one in newer)]
    lines += [_one_replaced(one, told) for one in shown if one.by is not ReplacedBy.CHANGED]
    more = len(ordered) - len(shown)
    return " ".join(lines) + (f" {more} further replacements are in the list." if more > 0 else "")


def _once(pieces: Iterable[Piece]) -> list[Piece]:
    """Each of them once, in order."""
    return list({id(one): one for one in pieces}.values())


def _all_older(ones: Sequence[Replaced], told: Told) -> str:
    """What one newer memory says otherwise than several older ones; nobody said that it replaces them."""
    new = "It" if ones[0].new is told.recommended else _name(ones[0].new)
    older = [
        f"{_name(one.old)} “{said(one.old, told.query, OTHERS_CHARACTERS)}” ({(one.reason or '').rstrip('.')})"
        for one in ones
    ]
    return f"{new} is newer than {'; than '.join(older)}: it says otherwise, and the newer counts."


def _one_replaced(one: Replaced, told: Told) -> str:
    new = "It" if one.new is told.recommended else _name(one.new)
    old = f"{_name(one.old)} “{said(one.old, told.query, OTHERS_CHARACTERS)}”"
    why = f" {one.reason.rstrip('.')}." if one.reason else ""
    match one.by:
        case ReplacedBy.CORRECTED:
            return f"{new} corrects {old}, which was never true.{why}"
        case ReplacedBy.IN_PART if one.old is told.recommended:
            later = f"{_name(one.new)} “{said(one.new, told.query, OTHERS_CHARACTERS)}”"
            return f"{_ended(f'A part of it was changed later, by {later}')}{why}"
        case ReplacedBy.IN_PART:
            return f"{_ended(f'{new} changes a part of {old}')}{why}"
        case ReplacedBy.DOCUMENT if one.new is told.recommended:
            old = f"{_name(one.old)} “{said(one.old, told.query, ANSWER_CHARACTERS)}”"
            return f"It supersedes {old}, which may tell more of this.{why}"
        case ReplacedBy.DOCUMENT:
            return f"{_ended(f'{new} supersedes {old}')}{why}"
        case _:
            return f"{new} took the place of {old} on {_day(one.at)}.{why}"


def _came_of(told: Told) -> str:
    """What came of the answer and of what it replaced."""
    pieces = [told.recommended, *(one.old for one in told.found.replaced)]
    if told.intent is Intent.ROOT_CAUSE:
        pieces += [one for one in told.supports if one not in pieces]
    lines = []
    for one in dict.fromkeys(map(id, pieces)):
        piece = next(each for each in pieces if id(each) == one)
        for outcome in piece.outcomes[-2:]:
            reason = f": {cut(outcome.reason, 200)}" if outcome.reason else ""
            lines.append(f"{short_id(piece.memory.id)} came to {outcome.result.value}{reason}.".replace("..", "."))
    return " ".join(lines[:3])


def _support(told: Told) -> str:
    if not told.supports:
        return "Nothing else that holds speaks to it." if told.recommended.holds else ""
    shown = [f"{_name(one)} “{said(one, told.query, OTHERS_CHARACTERS)}”" for one in told.supports[:SUPPORTS_MOST]]
    more = len(told.supports) - len(shown)
    rest = f"; and {more} more" if more > 0 else ""
    return _ended(f"Beside it stand{'s' if len(shown) == 1 and not more else ''} {'; '.join(shown)}{rest}")


def _disputes(told: Told) -> str:
    lines = [
        f"{_name(newer)} and {_name(older)} disagree, and both hold: {reason.rstrip('.')}."
        f" “{said(newer, told.query, 110)}” against “{said(older, told.query, 110)}”."
        for newer, older, reason in told.found.contradictions[:DISPUTES_MOST]
    ]
    others = [
        f"{_name(one)} denies it, too: {reason}" for one, reason in told.found.claim if one is not told.recommended
    ]
    doubts = [
        f"{_name(one)} casts a doubt on what the question takes for granted. {reason}"
        for one, reason in told.found.doubts
        if one is not told.recommended
    ]
    return " ".join([*lines, *others[:2], *doubts[:2]])


def _sure(told: Told) -> str:
    level = "Low" if told.confidence < LOW else "High" if told.confidence >= HIGH else "Fair"
    certainty = told.recall.certainty
    reasons = [] if certainty is None else [f"recall is {certainty:.0%} sure that memory has something on this"]
    reasons.append(f"the memory itself is trusted {told.recommended.trust:.2f}")
    if told.supports:
        reasons.append(f"{len(told.supports)} more speak{'s' if len(told.supports) == 1 else ''} to it")
    if told.found.contradictions:
        reasons.append(f"open contradictions count against it ({len(told.found.contradictions)})")
    if told.found.claim:
        reasons.append("it goes against the question's own words")
    if not told.recommended.holds:
        reasons.append("it does not hold any more")
    return f"{level} confidence, {told.confidence:.2f} (a heuristic, no probability): {'; '.join(reasons)}."


def _check(told: Told) -> str:
    one, todo = told.recommended, []
    age = (told.now - max(time_of(one.memory), one.memory.last_verified_at or time_of(one.memory))).days
    if age >= OLD_DAYS and one.memory.kind in _GROWS_OLD:
        todo.append(f"whether it still holds: nobody has confirmed it for {age} days")
    if told.found.contradictions:
        newer, older, _ = told.found.contradictions[0]
        todo.append(
            f"which of {short_id(newer.memory.id)} and {short_id(older.memory.id)} is right, and supersede the other"
        )
    changed = next((each for each in told.found.replaced if each.by is ReplacedBy.CHANGED), None)
    if changed is not None:
        todo.append(
            f"that {short_id(changed.new.memory.id)} does replace {short_id(changed.old.memory.id)}: nobody said so"
        )
    if one.memory.trust < 0.6:
        todo.append(f"its source ({one.memory.provenance.source.value}), which is trusted little")
    if told.recall.degraded:
        todo.append("again once every leg of recall works: it was degraded")
    if told.confidence < LOW and not todo:
        todo.append("the memory itself before you rely on it")
    return f"To check: {'; '.join(todo)}." if todo else ""
