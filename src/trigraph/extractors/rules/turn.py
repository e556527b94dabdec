"""The after-turn stage: the few things of one turn that are worth keeping, each in a short sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from trigraph.extractors.rules import chat
from trigraph.extractors.rules.cues import Cue, cue_in, is_hedged, is_passing_state, reason_in, unvarnished
from trigraph.extractors.rules.fitting import is_whole
from trigraph.extractors.rules.grammar import Person, is_past
from trigraph.extractors.rules.listing import gives_causes, is_planned, listings, told_whole, with_subject
from trigraph.extractors.rules.problems import because, cause_and_fix, is_announcement, without_cause_words
from trigraph.extractors.rules.scene import Scene, scene_of
from trigraph.extractors.rules.standing import (
    is_specific,
    names_named,
    reported,
    stand_alone,
    stripped,
    stripped_question,
)
from trigraph.extractors.rules.tools import passes_after
from trigraph.model.extraction import Certainty, Finding, Found, Role, Said, Span
from trigraph.text.sentences import Sentence, sentences_in
from trigraph.text.terms import analyse

TURN_LEAST_CHARS = 100
FINDINGS_MOST = 3
TEXT_LIMIT_CHARS = 100
_AFTER_COLON = re.compile(r"^[^:`]{10,160}:\s+(?=\S+\s+\S+\s+\S)")


_DONE = re.compile(
    r"^I(?:['’]ve| have)?(?: now| also| just)?(?: successfully)? (?=\w+(?:ed|ten|ilt|ade|rote)\b)", re.IGNORECASE
)
_BEFORE_DECISION = re.compile(
    r"^.{3,120}?(?:\bso|,|;| -| —|\band|\bthen)\s+(?=(?:we should|let['’]s|we['’]ll|i want|use)\b)", re.I
)
_AND = re.compile(
    r",?\s+(?:and|but|also|so)\s+(?=(?:please|never|always|don['’]t|do not|make sure|use|let['’]s|we|i|our|my)\b)|;\s+",
    re.I,
)
_TO_DO = re.compile(r"^.{0,40}?\byou(?:['’]ll| will)? (?:still |also )?(?:need|have) to\s+", re.IGNORECASE)
_PERSONAL = Cue(Finding.FACT, 6.5, re.compile(""))
_ANNOUNCED = Cue(Finding.ROOT_CAUSE, 8.0, re.compile(""))
_MENDED = Cue(Finding.ROOT_CAUSE, 8.4, re.compile(""))
_THE_CODE = Person("The assistant", "The code", many_is_plural=False)
_REASON = re.compile(r"\b(?:because|since|due to the fact that)\s+(?P<reason>.{15,})$", re.IGNORECASE)
_CONTRAST = re.compile(r"\b(?:but|however|instead|although|though|yet|while|rather)\b", re.IGNORECASE)
_CAUSAL = re.compile(r"\b(?:because|due to|caused by|since)\b", re.IGNORECASE)
_SEEN_THERE = re.compile(r"\b(?:exists?|already|is (?:present|defined|in place))\b", re.IGNORECASE)
_GOES_WITH = re.compile(
    r"^(?:this was |it was |i )?(?:fixed|resolved|solved|addressed) (?:this |it )?(?:by|with|via)\b", re.I
)
PERSONAL_LEAST_WORTH = 2.2
_CODE_NAME = re.compile(r"`[^`]+`|\b\w+(?:[./_-]\w+)*[._/]\w+\b")
_TOLD_IN_WORDS = (Finding.NEXT_STEP, Finding.ROOT_CAUSE, Finding.DECISION)
_UNNAMED = re.compile(r"^[^\s:]+(?: \w+)?: ")
LISTING_WEIGHT = 7.2


@dataclass(frozen=True, slots=True)
class Candidate:
    """A finding and how much it is worth keeping beside others."""

    found: Found
    weight: float
    stands_apart: bool = False


def extract_turn(messages: Sequence[Said]) -> tuple[Found, ...]:
    """At most three findings, best first; none of a turn in which little was said."""
    if sum(len(said.text) for said in messages if said.role is not Role.TOOL) < TURN_LEAST_CHARS:
        return ()
    scene = scene_of(messages)
    return best(candidates(scene, TEXT_LIMIT_CHARS), FINDINGS_MOST)


def best(found: Iterable[Candidate], most: int) -> tuple[Found, ...]:
    """The weightiest that say different things."""
    kept: list[tuple[Found, set[str]]] = []
    for candidate in sorted(found, key=lambda one: -one.weight):
        terms = terms_of(candidate.found.text)
        if not any(says_the_same(candidate.found, terms, other, others) for other, others in kept):
            kept.append((candidate.found, terms))
        if len(kept) == most:
            break
    return tuple(one for one, _ in kept)


def terms_of(text: str) -> set[str]:
    """The terms by which findings are compared; a name of code is one of them, however long."""
    return {*_names_in(text), *analyse(_CODE_NAME.sub(" ", text))}


def _names_in(text: str) -> set[str]:
    return {re.sub(r"\(.*\)$", "", name.strip("`")) for name in _CODE_NAME.findall(text)}


def says_the_same(found: Found, terms: set[str], other: Found, others: set[str]) -> bool:
    """Whether two findings share most of their terms, or the words of one lie in those of the other."""
    shared, sizes = len(terms & others), sorted((len(terms), len(others)))
    if shared >= 0.8 * sizes[0] or (shared >= 0.6 * sizes[0] and shared >= 0.35 * sizes[1]):
        return True
    names = sorted((_names_in(found.text), _names_in(other.text)), key=len)
    if len(names[0]) >= 2 and names[0] <= names[1] and shared >= 0.65 * sizes[0]:
        return True
    if _same_cause(found.text, other.text):
        return True
    one, two = found.evidence[0], other.evidence[0]
    inside = one.message == two.message and two.start <= one.start and one.end <= two.end
    return inside and one.end - one.start < two.end - two.start


def _same_cause(one: str, two: str) -> bool:
    """Whether both give a reason for the same, and the reasons are about one thing."""
    (effect, joint, reason), (effect_two, joint_two, reason_two) = (
        one.partition(" because "),
        two.partition(" because "),
    )
    if not joint or not joint_two:
        return False
    effects = sorted((terms_of(effect), terms_of(effect_two)), key=len)
    heads = [
        re.sub(r"^(?:the|an?|our|its|their)\s+", "", part, flags=re.I).split()[:1] for part in (reason, reason_two)
    ]
    return bool(effects[0]) and effects[0] <= effects[1] and heads[0] == heads[1]


def candidates(scene: Scene, limit: int) -> Iterator[Candidate]:
    """Every sentence and list that states something and can stand alone."""
    last = max((n for n, said in enumerate(scene.messages) if said.role is Role.ASSISTANT), default=-1)
    for number, said in enumerate(scene.messages):
        if said.role is Role.TOOL:
            continue
        closing = 0.5 if number == last else 0.0
        sentences = sentences_in(said.text) if scene.is_chat else _with_fixes(sentences_in(said.text))
        if scene.is_chat:
            found: Iterable[Candidate | None] = (_chat_candidate(scene, number, one, limit) for one in sentences)
        else:
            found = _work_candidates(scene, number, sentences, limit)
        yield from (Candidate(one.found, one.weight + closing) for one in found if one is not None)
        if said.role is Role.ASSISTANT and not scene.is_chat:
            for listing in listings(sentences):
                if (text := told_whole(listing, scene, number, limit)) is not None and is_whole(text):
                    span = Span(number, listing.start, listing.end)
                    finding = Finding.OUTCOME if is_past(text.split()[0]) else Finding.FACT
                    finding = Finding.ROOT_CAUSE if gives_causes(listing.lead) else finding
                    yield Candidate(Found(text, finding, Certainty.CLEAR, (span,)), LISTING_WEIGHT + closing)


def _chat_candidate(scene: Scene, number: int, sentence: Sentence, limit: int) -> Candidate | None:
    told = told_in_chat(scene, number, sentence, limit)
    if told is None:
        return None
    text, finding, weight = told
    certainty = Certainty.SAID if scene.messages[number].role is Role.USER else Certainty.CLEAR
    return Candidate(_found(text, finding, certainty, number, sentence), weight)


def told_in_chat(scene: Scene, number: int, sentence: Sentence, limit: int) -> tuple[str, Finding, float] | None:
    """What a person's sentence tells of them, standing alone, and how much that is."""
    best: tuple[str, Finding, float] | None = None
    for part in chat.parts_of(chat.with_subject(stripped(sentence.text))):
        weight = chat.worth(part)
        if weight < chat.LEAST_WORTH or (best is not None and best[2] >= weight):
            continue
        text = stand_alone(part, scene, number, sentence.start, limit)
        if text is not None:
            best = text, chat.finding_of(part), weight
    return best


def _with_fixes(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences, "Fixed by …" taken together with the one before it, which says what was."""
    joined: list[Sentence] = []
    for sentence in sentences:
        before = joined[-1] if joined else None
        if before is not None and before.paragraph == sentence.paragraph and _GOES_WITH.match(sentence.text):
            fixed = re.sub(
                r"^(?:this was |it was |i )", "", re.sub(r"\b(?:this|it) (?=by|with|via)", "", sentence.text)
            )
            if cause_and_fix(whole := f"{before.text.rstrip(' .!')} - {fixed}") is not None:
                joined[-1] = replace(before, text=whole, end=sentence.end)
                continue
        joined.append(sentence)
    return joined


def _work_candidates(
    scene: Scene, number: int, sentences: Sequence[Sentence], limit: int
) -> Iterator[Candidate | None]:
    role, before = scene.messages[number].role, ""
    for sentence in sentences:
        announced = role is Role.ASSISTANT and is_announcement(before)
        for part in _statements(sentence, role):
            yield _work_candidate(scene, number, part, limit, announced=announced)
        before = sentence.text


def _statements(sentence: Sentence, role: Role) -> list[Sentence]:
    """A user's sentence in parts, where each states something: "I prefer tabs, and never push to main"."""
    if role is Role.USER:
        parts = [part for part in _AND.split(sentence.text) if cue_in(part, role) is not None]
        if len(parts) > 1:
            return [_part(sentence, part) for part in parts]
    return [sentence]


def _part(sentence: Sentence, words: str) -> Sentence:
    """A part of a sentence at its own place, where nothing was marked up."""
    if len(sentence.text) != sentence.end - sentence.start:
        return replace(sentence, text=words)
    start = sentence.start + sentence.text.index(words)
    return replace(sentence, text=words, start=start, end=start + len(words))


def _work_candidate(
    scene: Scene, number: int, sentence: Sentence, limit: int, *, announced: bool = False
) -> Candidate | None:
    said = scene.messages[number]
    stated = _stated(sentence, said.role, limit) if scene.is_work or said.role is Role.USER else None
    if stated is None:
        return None
    words, cue = stated
    finds_fault = announced and cue.finding is Finding.FACT
    text = _told(words, _ANNOUNCED if finds_fault else cue, scene, number, sentence.start, limit)
    if finds_fault and text is not None and bool(_CONTRAST.search(text)) == bool(_CONTRAST.search(words)):
        cue = _ANNOUNCED  # cut before its "but", it is a fact and no cause
    if text is not None and cue.finding is Finding.FACT and said.role is Role.ASSISTANT:
        text = _placed(text, scene, number, limit)
    if text is None or not is_whole(text) or (said.role is Role.ASSISTANT and not _says_enough(text, cue)):
        return None
    is_open = said.role is Role.ASSISTANT and cue.finding is Finding.FACT and is_passing_state(text)
    if is_open and passes_after(scene, number):
        return None
    certainty = Certainty.SAID if said.role is Role.USER else Certainty.CLEAR
    if said.role is Role.ASSISTANT and is_hedged(sentence.text):
        certainty = Certainty.INFERRED
    if cue.finding is Finding.OUTCOME and not re.search(r"[`\d/]|\w\.\w", text):
        return Candidate(_found(text, cue.finding, certainty, number, sentence), cue.weight - 1.5)
    doubt = 0.5 if certainty is Certainty.INFERRED else 0.0
    finding = chat.finding_of(words) if cue is _PERSONAL else Finding.NEXT_STEP if is_open else cue.finding
    weight = cue.weight - doubt + 0.3 * min(3, names_named(text)) - (0.4 if sentence.is_item else 0)
    return Candidate(_found(text, finding, certainty, number, sentence), weight)


def _told(words: str, cue: Cue, scene: Scene, number: int, at: int, limit: int) -> str | None:
    """The words standing alone, and still saying what they were taken for."""
    if cue.finding is not Finding.ROOT_CAUSE:
        person = _household(scene, number) if cue is _PERSONAL else None
        return stand_alone(words, scene, number, at, limit, person)
    words = without_cause_words(words)
    if cue is _MENDED:
        text = stand_alone(words, scene, number, at, 4 * limit, _THE_CODE)
        if text is not None and len(text) > limit:
            text = stand_alone(words.rpartition("; ")[0], scene, number, at, limit - 8, _THE_CODE)
            return f"{text} (fixed)" if text is not None else None
        return text
    if cue is _ANNOUNCED:
        return stand_alone(words, scene, number, at, limit, _THE_CODE)
    text = because(words, scene, number, limit) or stand_alone(words, scene, number, at, limit)
    if (text is None or not _CAUSAL.search(text)) and (reason := _REASON.search(words)) is not None:
        return stand_alone(reason.group("reason"), scene, number, at, limit, _THE_CODE)
    return text


def _placed(text: str, scene: Scene, number: int, limit: int) -> str:
    """With the file in which it was seen behind it, where the sentence names none: "The toggle exists (page.html)"."""
    place = scene.looked_at(number) if _SEEN_THERE.search(text) and not names_named(text) else None
    return f"{text} ({place})" if place is not None and len(text) + len(place) + 3 <= limit else text


def _household(scene: Scene, number: int) -> Person:
    """Whom "we" names when a user speaks of their life."""
    one = scene.person(number).one
    return Person(one, f"{one} and others", many_is_plural=True)


def _says_enough(text: str, cue: Cue) -> bool:
    return is_specific(text) or (cue.finding in _TOLD_IN_WORDS and len(text.split()) >= 6)


def _stated(sentence: Sentence, role: Role, limit: int) -> tuple[str, Cue] | None:
    """The words of a sentence that state something, and as what."""
    if role is Role.USER:
        return _stated_by_user(sentence, limit)
    if (mended := cause_and_fix(sentence.text)) is not None:
        return "; ".join(mended), _MENDED
    if sentence.is_item:
        item = None if is_planned(sentence) else with_subject(sentence)
        if item is None:
            return None
        words, bare = unvarnished(item), _UNNAMED.sub("", unvarnished(item))
    else:
        words = unvarnished(reason_in(sentence.text) or sentence.text)
        bare = stripped(words)
    cue = cue_in(bare, role) or (cue_in(told, role) if (told := reported(bare)) != bare else None)
    if cue is None:
        return None
    if cue.finding is Finding.NEXT_STEP:
        words = _TO_DO.sub("Still to do: ", words, count=1)
    return _DONE.sub("", words), cue


def _stated_by_user(sentence: Sentence, limit: int) -> tuple[str, Cue] | None:
    words = stripped_question(sentence.text)
    cue = cue_in(sentence.text, Role.USER) or cue_in(stripped(sentence.text), Role.USER)
    if cue is None:
        told = chat.with_subject(stripped(words))
        personal = chat.worth(told) >= PERSONAL_LEAST_WORTH and chat.is_personal(told)
        return (told, _PERSONAL) if personal else None
    if cue.finding is Finding.DECISION and len(words) > limit:
        words = _BEFORE_DECISION.sub("", words, count=1)
    if cue.finding is Finding.CORRECTION and (lead := _AFTER_COLON.match(words)):
        words = words[lead.end() :]
    return words, cue


def _found(text: str, finding: Finding, certainty: Certainty, number: int, sentence: Sentence) -> Found:
    return Found(text, finding, certainty, (Span(number, sentence.start, sentence.end),))
