"""One analyser for index and query."""

from __future__ import annotations

from datetime import UTC, datetime
from threading import Thread

import pytest

from trigraph.text.terms import analyse, date_terms, identifiers, topic_key


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The dogs were running quickly", ["dog", "run", "quick"]),
        ("connection connected connecting", ["connect", "connect", "connect"]),
        ("Is it to be, or not to be?", []),
        ("", []),
        ("!!! -- ...", []),
        ("Café CRÈME naïve", ["cafe", "creme", "naiv"]),
        ("cafe\u0301", ["cafe"]),
        ("Straße STRASSE", ["strass", "strass"]),
        ("Ωμέγα", ["ωμεγα"]),
        ("ﬁne Ｗｉｄｅ", ["fine", "wide"]),
        ("don't we'll Ana's", ["don", "ana"]),
        ("don’t Ana’s", ["don", "ana"]),
        ("version 16 in 2026", ["version", "16", "2026"]),
    ],
)
def test_words_are_folded_stemmed_and_freed_of_stop_words(text: str, terms: list[str]) -> None:
    assert analyse(text) == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("getUserById", ["get", "user", "id", "getuserbyid"]),
        ("HTTPServer", ["http", "server", "httpserver"]),
        ("parse_config", ["pars", "config", "parseconfig"]),
        ("SPEC-054", ["spec", "054", "spec054"]),
        ("spec-054", ["spec", "054", "spec054"]),
        ("src/app.py", ["src", "app", "py", "srcapppi"]),
        ("ADR#12", ["adr", "12", "adr12"]),
        ("well-known", ["well", "known"]),
    ],
)
def test_names_give_their_parts_and_if_they_are_names_the_whole(text: str, terms: list[str]) -> None:
    assert analyse(text) == terms


@pytest.mark.parametrize("query", ["SPEC-054", "spec 054", "Spec_054", "SPEC054"])
def test_a_specification_is_found_however_it_is_written(query: str) -> None:
    assert set(analyse(query)) & set(analyse("See SPEC-054, section 2."))


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("東京都", ["東京", "京都"]),
        ("猫", ["猫"]),
        ("데이터베이스", ["데이", "이터", "터베", "베이", "이스"]),
        ("東京タワーTokyo", ["東京", "京タ", "タワ", "ワー", "tokyo"]),
        ("ภาษา", ["ภา", "าษ", "ษา"]),
    ],
)
def test_scripts_without_spaces_give_pairs_of_characters(text: str, terms: list[str]) -> None:
    assert analyse(text) == terms


def test_a_part_of_an_unspaced_word_is_found_in_it() -> None:
    assert set(analyse("京都")) <= set(analyse("東京都に住んでいます"))


def test_threads_may_analyse_at_once() -> None:
    wrong: list[list[str]] = []

    def work() -> None:
        for _ in range(300):
            terms = analyse("The connected dogs were running")
            if terms != ["connect", "dog", "run"]:
                wrong.append(terms)

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Call parse_config and getUserById in src/app.py", ["parse_config", "src/app.py", "getuserbyid"]),
        ("SPEC-054, SPEC-054 and spec-054", ["spec-054"]),
        ("a well-known fact", []),
        ("plain words only", []),
    ],
)
def test_identifiers_are_what_a_person_would_search_by_a_part(text: str, names: list[str]) -> None:
    assert identifiers(text) == names


def test_a_day_is_found_by_year_month_and_day() -> None:
    assert date_terms(datetime(2023, 5, 8, tzinfo=UTC)) == ["2023", "may", "8"]
    assert date_terms(datetime(2023, 1, 31, tzinfo=UTC)) == analyse("2023 January 31")


@pytest.mark.parametrize(
    "topic",
    ["release plan", "Release-Plan", "RELEASE_PLAN", " release \t plan ", "release-_-plan", "Ｒelease plan"],
)
def test_topics_are_equal_whatever_their_case_and_separators(topic: str) -> None:
    assert topic_key(topic) == "release plan"


@pytest.mark.parametrize("other", ["releaseplan", "release plans", "release.plan", "release plan 2"])
def test_other_topics_stay_other(other: str) -> None:
    assert topic_key(other) != "release plan"
