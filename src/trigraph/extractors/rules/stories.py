"""What only several messages tell together: a problem with its cause and fix, a proposal with its acceptance."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trigraph.extractors.rules.cues import cue_in, is_hedged, reason_in
from trigraph.extractors.rules.fitting import fit, is_whole, tidy
from trigraph.extractors.rules.grammar import is_past
from trigraph.extractors.rules.listing import gives_causes, label_of, listings
from trigraph.extractors.rules.problems import cause_and_fix, problem_in, without_cause_words
from trigraph.extractors.rules.scene import Scene
from trigraph.extractors.rules.standing import is_specific, reported, stand_alone, stripped
from trigraph.extractors.rules.tools import Use
from trigraph.model.extraction import Certainty, Finding, Found, Role, Span
from trigraph.text.sentences import Sentence, sentences_in
from trigraph.text.terms import analyse
from trigraph.text.tool_lines import shortened

LIMIT_CHARS = 300
_CAUSE = re.compile(
    r"\b(?:root cause|caused by|because|(?:issue|problem|bug|culprit|cause|reason)(?: here)? (?:is|was)|determines that"
    r"|expects?\b"
    r"|turns out|isn['’]t being|wasn['’]t being|limitation of)\b",
    re.IGNORECASE,
)
_ATTEMPT = re.compile(
    r"^(?:let me|i['’]ll|i will|now i['’]ll|i need to)\s+(?:try\s+|now\s+|also\s+)?(?P<fix>(?:us(?:e|ing)|updat|chang"
    r"|modif|replac|add|remov"
    r"|fix(?! the (?:issues?|problems?|tests?|errors?)\b)|wrap|renam|mov|set|switch|install|increas|enabl|disabl|upgrad"
    r"|pin)\w*\s"
    r"(?!it\b|that\b|these\b).{8,140}?)(?:\s+(?:since|because)\s.*)?$",
    re.IGNORECASE,
)
_ADDS_TESTS = re.compile(r"\b(?:added|wrote|created)\b[^.]*\btests?\b", re.IGNORECASE)
_FIXED = re.compile(
    r"\b(?:fix(?:ed|es)?|resolved|solved|added|changed|updated|replaced|removed|renamed|switched|set|moved|wrapped"
    r"|corrected|suppress\w*"
    r"|using|now)\b",
    re.IGNORECASE,
)
_FIXED_LABEL = re.compile(r"^(?:fixed|resolved|solved)\s[^:`]{3,60}:\s+", re.IGNORECASE)
_UNCOUNTED = re.compile(r"\s*\([^()]*\)$")
_ASKS = re.compile(
    r"^(?:should (?:i|we)|shall (?:i|we)|would you prefer(?: me)? to|(?:would you like|do you want) (?:me |us )?to"
    r"(?= (?:use|switch|replace|keep|store|move|go with|drop|adopt|migrate)\b))\s+(?P<what>.{8,200})\?$",
    re.IGNORECASE,
)
_SUGGESTS = re.compile(
    r"\b(?:i(?: would|['’]d)? (?:recommend|suggest|propose)|my recommendation is)(?: that we| to"
    r"| we)?\s+(?P<what>.{8,200}?)[.!]?$",
    re.IGNORECASE,
)
_ACCEPTS = re.compile(
    r"^(?:yes|yep|yeah|yup|sure|ok|okay|please do|go ahead|do it|sounds good|agreed|perfect|great|good idea|that works"
    r"|exactly|fine"
    r"|let['’]s do (?:it|that)|go for it|absolutely|correct)\b",
    re.IGNORECASE,
)
_CHOOSES = re.compile(
    r"^(?:(?:yes|ok|okay|hmm|i think|no)[,.!]?\s+)*(?:let['’]s |we(?:['’]ll| should) |i['’]d )?(?P<what>(?:go with|use"
    r"|take|choose"
    r"|pick|prefer|stick with|keep)\s+(?!it\b|that\b|this\b|the (?:first|second|former|latter)\b).{2,160})$",
    re.IGNORECASE,
)
_VAGUE = re.compile(r"\b(?:that|this|it|these|those)\b", re.IGNORECASE)


def problems_solved(scene: Scene, uses: Sequence[Use]) -> Iterator[Found]:
    """One finding for each problem that was met and got over: what failed, why, and what helped."""
    taken: set[Span] = set()
    for first, last, solved in _overcome(uses):
        until = solved.span.message if solved else len(scene.messages)
        cause = _cause(scene, first.span.message, _turn_end(scene, until), first.error)
        fix = _fix(scene, last.span.message, until, f"{first.error} {cause[0] if cause else ''}")
        if fix is not None and fix[1] in taken:
            fix = None
        if cause is None and fix is None:
            continue
        taken |= {one[1] for one in (cause, fix) if one is not None}
        text = f"`{shortened(first.command, 70)}` failed: {shortened(_UNCOUNTED.sub('', first.error), 110)}"
        yield _told(text, cause, fix, first.span)
    if not uses or not any(use.failed for use in uses):
        yield from _reported(scene)


def _turn_end(scene: Scene, message: int) -> int:
    """The next message of the user, or the end."""
    later = range(message + 1, len(scene.messages))
    return next((n for n in later if scene.messages[n].role is Role.USER), len(scene.messages))


def _overcome(uses: Sequence[Use]) -> Iterator[tuple[Use, Use, Use | None]]:
    """Commands that failed: the first time, the last, and the run that passed afterwards."""
    seen: set[str] = set()
    for place, use in enumerate(uses):
        if not use.is_command or not use.failed or use.program in seen:
            continue
        seen.add(use.program)
        later = [one for one in uses[place:] if one.is_command and one.program == use.program]
        fails = [one for one in later if one.failed]
        passed = next((one for one in later if one.passed and one.span.message >= fails[-1].span.message), None)
        if passed is not None:
            yield use, fails[-1], passed


def _sentences(scene: Scene, start: int, end: int, role: Role) -> Iterator[tuple[int, Sentence]]:
    for number in range(max(start, 0), min(end + 1, len(scene.messages))):
        if scene.messages[number].role is role:
            for sentence in sentences_in(scene.messages[number].text):
                yield number, sentence


def _cause(scene: Scene, start: int, end: int, error: str) -> tuple[str, Span] | None:
    """The clearest sentence between failure and success that says why."""
    best: tuple[float, str, Span] | None = None
    about = set(analyse(error))
    for number, sentence in _sentences(scene, start, end, Role.ASSISTANT):
        words = sentence.text.rstrip(":")
        given = reason_in(stripped(words))
        mended = cause_and_fix(words)
        if mended is not None:
            said, score = mended[0], 1.8
        elif given is not None:
            said, score = given, 1.0
        elif not is_whole(words):
            continue  # what introduces the causes is none
        elif sentence.is_item and gives_causes(sentence.lead):
            said, score = words, 1.5
        elif is_headline(words):
            continue  # what was done is no cause
        elif _CAUSE.search(words) and (
            cue_in(stripped(words), Role.ASSISTANT) is not None or without_cause_words(words) != stripped(words)
        ):
            said, score = without_cause_words(reported(stripped(words))), 1.5
            said = stand_alone(said, scene, number, sentence.start, 160) or said
        else:
            continue
        score += 0.3 * min(3, len(about & set(analyse(said)))) + (0.5 if is_specific(said) else 0)
        if re.match(r"(?:this|it|that|these|they)\b", said, re.IGNORECASE):
            continue
        if best is None or score > best[0]:
            best = (score, tidy(said), Span(number, sentence.start, sentence.end))
    return (best[1], best[2]) if best else None


def is_headline(words: str) -> bool:
    """`Updated five tests…`"""
    first = words.split(" ", 1)[0]
    return is_past(first) and first.lower() not in ("was", "were", "had", "did")


def _fix(scene: Scene, start: int, end: int, about: str) -> tuple[str, Span] | None:
    """The sentence after the last failure that tells what was done about it; else what was set about last before the
    check passed."""
    terms = set(analyse(about))
    best: tuple[float, str, Span] | None = None
    for number, sentence in _sentences(scene, start, len(scene.messages), Role.ASSISTANT):
        words = sentence.text.rstrip(":")
        span = Span(number, sentence.start, sentence.end)
        attempt = _ATTEMPT.match(stripped(words))
        cue = cue_in(stripped(sentence.text), Role.ASSISTANT)
        shared = len(terms & set(analyse(words)))
        if (mended := cause_and_fix(words)) is not None:
            said, score = mended[1].split(" ", 2)[2], 1.2 + 0.4 * min(shared, 4) if shared >= 2 else 0.0
        elif (
            cue is not None
            and cue.finding is Finding.OUTCOME
            and _FIXED.search(words)
            and not _ADDS_TESTS.search(words)
        ):
            said = _FIXED_LABEL.sub("", re.sub(r"^I(?:['’]ve| have)?(?: successfully)? ", "", words))
            score = 1.0 + 0.4 * min(shared, 4) if shared >= 2 else 0.0
        elif attempt is not None and not sentence.is_item and number < end:
            said, score = re.sub(r"\bth(?:is|ese)\b", "the", attempt.group("fix")), 0.5 + 0.1 * min(shared, 4)
        else:
            continue
        if score and (best is None or score >= best[0]):
            best = (score, tidy(said), span)
    return (best[1], best[2]) if best else None


def _reported(scene: Scene) -> Iterator[Found]:
    """A problem that the user told of, with the cause found and the fix made."""
    for number, said in enumerate(scene.messages):
        if said.role is not Role.USER:
            continue
        problem = problem_in(said.text)
        if problem is None:
            continue
        end = _turn_end(scene, number)
        cause = _cause(scene, number, end, problem.text)
        if cause is None:
            continue
        fix = _fix(scene, number, end, f"{problem.text} {cause[0]}")
        opening = fit(stripped(problem.text).rstrip("?"), 110)
        if opening is not None:
            yield _told(f"Problem: {opening}", cause, fix, Span(number, problem.start, problem.end))


def _told(opening: str, cause: tuple[str, Span] | None, fix: tuple[str, Span] | None, span: Span) -> Found:
    text, spans = opening.rstrip(" .:"), [span]
    for name, part in (("Cause", cause), ("Fix", fix)):
        room = LIMIT_CHARS - len(text) - len(name) - 4
        said = fit(part[0], min(room, 160)) if part is not None and room > 30 else None
        if said is not None and part is not None:
            text += f". {name}: {said}"
            spans.append(part[1])
    clear = cause is not None and not is_hedged(cause[0])
    return Found(text, Finding.ROOT_CAUSE, Certainty.CLEAR if clear else Certainty.INFERRED, tuple(spans))


_OPTION = re.compile(
    r"\b(?:option|number|choice) (?P<number>[1-9a-e])\b|\bthe (?P<nth>first|second|third|last) (?:one|option)\b"
    r"|^(?P<bare>[1-9])[.!]?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Proposal:
    """What was proposed, where, and the options that were numbered."""

    what: str
    span: Span
    options: tuple[str, ...]

    def option(self, match: re.Match[str]) -> str | None:
        """The option that words like "option 2" or "the first one" choose."""
        given = match.group("number") or match.group("bare")
        if given is not None:
            place = int(given) - 1 if given.isdigit() else "abcde".index(given.lower())
        else:
            place = {"first": 0, "second": 1, "third": 2}.get(match.group("nth").lower(), len(self.options) - 1)
        return (self.options[place] or None) if 0 <= place < len(self.options) else None


def decisions(scene: Scene) -> Iterator[Found]:
    """What the agent proposed or asked and the user settled."""
    proposed: _Proposal | None = None
    for number, said in enumerate(scene.messages):
        if said.role is Role.ASSISTANT:
            proposed = _proposal(number, said.text) or proposed
        elif said.role is Role.USER:
            if proposed is not None:
                found = _settled(proposed, number, said.text)
                if found is not None:
                    yield found
            proposed = None


def _proposal(number: int, text: str) -> _Proposal | None:
    sentences = sentences_in(text)
    options = next((listing.items for listing in listings(sentences)), ())
    named = tuple(fit(label_of(item.text) or item.text, 100, shortest=2) or "" for item in options)
    vague: _Proposal | None = None
    for sentence in reversed(sentences):
        match = _ASKS.match(stripped(sentence.text)) or _SUGGESTS.search(sentence.text)
        if match is not None:
            found = _Proposal(match.group("what"), Span(number, sentence.start, sentence.end), named)
            if not _VAGUE.search(found.what):
                return found
            vague = vague or found
    if vague is None and options:
        return _Proposal("", Span(number, options[0].start, options[-1].end), named)
    return vague


def _settled(proposed: _Proposal, number: int, text: str) -> Found | None:
    sentences = sentences_in(text)
    if not sentences:
        return None
    first = sentences[0]
    evidence = (proposed.span, Span(number, first.start, first.end))
    numbered = _OPTION.search(first.text)
    if numbered is not None and (option := proposed.option(numbered)) is not None:
        others = [name for name in proposed.options if name and name != option][:3]
        told = f"Decided: {option}" + (f" (over {', '.join(others)})" if others else "")
        return Found(told[:LIMIT_CHARS], Finding.DECISION, Certainty.SAID, evidence)
    choice = _CHOOSES.match(stripped(first.text) or first.text)
    asked = None if _VAGUE.search(proposed.what) else fit(proposed.what, 140)
    if choice is not None and numbered is None and (chosen := fit(choice.group("what"), 140)) is not None:
        told = f"Decided: {_low(chosen)}" + (f" (proposed was: {_low(asked)})" if asked else "")
        return Found(told, Finding.DECISION, Certainty.SAID, evidence)
    if _ACCEPTS.match(first.text) and " or " not in proposed.what and asked is not None:
        return Found(f"Decided: {_low(asked)}", Finding.DECISION, Certainty.SAID, evidence)
    return None


def _low(text: str) -> str:
    return text[0].lower() + text[1:] if re.match(r"[A-Z][a-z]+\b", text) else text
