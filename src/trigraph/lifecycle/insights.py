"""What recurs, told in a sentence or two that stand alone: what, how often, when."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from trigraph.lifecycle import signals
from trigraph.lifecycle.noticing import Candidate
from trigraph.lifecycle.troubles import troubled
from trigraph.text.sentences import sentences_in
from trigraph.text.slots import read

LIMIT_CHARS = 300
SAID_CHARS = 160
DATES_MOST = 4
WORDS_MOST = 5

_OPENING = re.compile(
    r"^(?:(?:no|nope|nah|again|wait|stop|sorry|well|hm+|ok|okay|please|one (?:more )?thing|agreed|also|but"
    r"|and)\b[\s,:;.!–—-]*)+",
    re.IGNORECASE,
)
_LEANING = re.compile(
    r"^(?:he|she|it|they|this|that|these|those|there|both|his|her|its|their|the same|then|so)\b", re.IGNORECASE
)
_MONTHS = "January February March April May June July August September October November December".split()


def correction_text(members: Sequence[Candidate]) -> str:
    """A correction that was made in several sessions."""
    head = f"Corrected in {len(members)} sessions ({_dates(members)}): "
    texts = [one.text for one in reversed(members)]
    said = _clearest(texts, _shared_words(members), signals.corrects, SAID_CHARS)
    return head + _ended(_cut(said, LIMIT_CHARS - len(head)))


def change_text(older: Candidate, newer: Candidate) -> str:
    """A preference, as it is now and as it was."""
    words = _shared_words((older, newer))
    with_year = older.occurred_at.year != newer.occurred_at.year
    head = f"Preference changed on {_date(newer.occurred_at, with_year)}: "
    link = f" Before ({_date(older.occurred_at, with_year)}): "
    each = (LIMIT_CHARS - len(head) - len(link)) // 2
    now, before = (
        _OPENING.sub("", one.text) if len(one.text) < each else _clearest([one.text], words, signals.prefers, each)
        for one in (newer, older)
    )
    return head + _ended(_cut(now, each)) + link + _ended(_cut(before, each))


def trouble_text(members: Sequence[Candidate], words: Mapping[str, float]) -> str:
    """A trouble that came back, with the words that its reports share."""
    sessions = len({one.session for one in members})
    about = ", ".join(_surfaces(members, words))
    head = f"Problem in {sessions} sessions ({_dates(members)}), about {about}: "
    said = _clearest([one.text for one in reversed(members)], words, troubled, 0)
    return head + _ended(_cut(said, LIMIT_CHARS - len(head)))


def _shared_words(members: Sequence[Candidate]) -> dict[str, float]:
    found: dict[str, float] = {}
    for number, one in enumerate(members):
        for other in members[number + 1 :]:
            found |= {stem: one.words[stem] for stem in one.words.keys() & other.words.keys()}
    return found


def _clearest(texts: Sequence[str], words: Mapping[str, float], grade: signals.Grade, limit: int) -> str:
    """The sentence with most of the shared words, with the one before it where it leans on that, and with those after
    it while all stays within so many characters."""
    best, best_weight = "", -1.0
    for text in texts:
        sentences = [one.text for one in sentences_in(text) if not signals.asks(one.text)]
        for place, sentence in enumerate(sentences):
            weight = sum(words.get(stem, 0.0) for stem in read(sentence).content) + 0.3 * grade(sentence)
            if weight > best_weight + 1e-6:
                first = place - 1 if place and _LEANING.match(sentence) else place
                best, best_weight = _joined(sentences, first, place + 1, limit), weight
    plain = _OPENING.sub("", best)
    return plain if len(plain.split()) > 1 else best


def _joined(sentences: Sequence[str], first: int, after: int, limit: int) -> str:
    while after < len(sentences) and len(" ".join(sentences[first : after + 1])) < limit:
        after += 1
    return " ".join(sentences[first:after])


def _surfaces(members: Sequence[Candidate], words: Mapping[str, float]) -> list[str]:
    """Shared words as they are written, those of most weight first."""
    written: dict[str, str] = {}
    for one in members:
        for word in read(one.text).words:
            if word.stem in words:
                written.setdefault(word.stem, _written(word.token, one.text[word.start : word.end]))
    ranked = sorted(written, key=lambda stem: (-words[stem], stem))
    return [written[stem] for stem in ranked[:WORDS_MOST]]


def _written(token: str, surface: str) -> str:
    """A word as the text writes it, unless that is a possessive or a part of a compound."""
    return surface if surface.casefold() == token else token


def _dates(members: Sequence[Candidate]) -> str:
    days = list(dict.fromkeys(one.occurred_at.date() for one in sorted(members, key=lambda one: one.occurred_at)))
    instants = sorted(one.occurred_at for one in members)
    with_year = instants[0].year != instants[-1].year
    if len(days) > DATES_MOST:
        return f"{_date(instants[0], with_year)} to {_date(instants[-1], with_year)}"
    seen = {instant.date(): instant for instant in instants}
    return ", ".join(_date(seen[day], with_year) for day in days)


def _date(instant: datetime, with_year: bool) -> str:
    day = f"{instant.day} {_MONTHS[instant.month - 1]}"
    return f"{day} {instant.year}" if with_year else day


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit - 1:
        return text
    return text[: limit - 1].rsplit(" ", 1)[0].rstrip(" ,;:.") + "…"


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else text + "."
