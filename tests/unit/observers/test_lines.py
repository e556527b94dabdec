"""Log lines: one for each verb, with ids, counts and times, and never a word of what was said or asked."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from every_verb import PLANTED, SESSION, call_every_verb
from trigraph.assembly import start_logs as start_as_configured
from trigraph.engine.observing import VERBS
from trigraph.errors import ConfigError, InvalidInput, NotFound, StoreClosed
from trigraph.faces.library import Trigraph
from trigraph.observers.lines import start_logs
from trigraph.settings import LogSettings

pytestmark = pytest.mark.req("X13")

Lines = Callable[[], list[dict[str, Any]]]


def test_no_line_of_any_verb_holds_a_word_of_what_was_handed_over(
    memory: Trigraph, stream: io.StringIO, lines: Lines, tmp_path: Path
) -> None:
    call_every_verb(memory, tmp_path)

    written = stream.getvalue()
    told = lines()
    assert PLANTED.findall(written) == []
    assert {line["verb"] for line in told} == VERBS
    succeeded = {line["verb"] for line in told if line["outcome"] == "ok"}
    assert VERBS - succeeded <= {"retry", "split", "decide_pair"}
    assert {line["outcome"] for line in told} >= {"ok", "not_found", "invalid_input"}


def test_a_recall_is_told_by_its_id_its_legs_and_where_its_time_went(plain: Trigraph, lines: Lines) -> None:
    kept = plain.remember("A heron nests on the pier", session=SESSION)
    answer = plain.recall("heron", session=SESSION)

    written, asked = lines()[-2:]
    assert written["record_id"] == kept.id
    assert (written["items.added"], written["level"], written["event"]) == (1, "info", "verb")
    assert asked["recall_id"] == answer.id
    assert (asked["store"], asked["agent"], asked["session"]) == ("default/default", "anna", SESSION)
    assert (asked["record_count"], asked["legs.lexical.status"], asked["legs.vector.status"]) == (1, "ok", "failed")
    assert asked["ms"] >= asked["stages.planning.ms"] > 0


def test_an_error_of_the_caller_is_told_by_its_code_alone(plain: Trigraph, lines: Lines) -> None:
    with pytest.raises(NotFound):
        plain.get("zzzzegret")

    (line,) = lines()[-1:]
    assert (line["verb"], line["outcome"], line["level"]) == ("get", "not_found", "info")
    assert "egret" not in json.dumps(line)


def test_what_the_store_cannot_do_is_a_warning_that_is_written_without_being_asked_for(
    plain: Trigraph, stream: io.StringIO, lines: Lines
) -> None:
    start_logs("json", "warning", stream)
    plain.remember("A heron")
    plain.close()
    with pytest.raises(StoreClosed):
        plain.recall("heron")

    (line,) = lines()
    assert (line["level"], line["verb"], line["outcome"]) == ("warning", "recall", "store_closed")


def test_a_fault_of_the_program_is_told_by_where_it_happened(
    plain: Trigraph, stream: io.StringIO, lines: Lines
) -> None:
    def broken(line: str) -> None:
        raise ZeroDivisionError("a heron nests here")

    lines()
    with pytest.raises(ZeroDivisionError):
        plain.engine.export(plain.scope, broken)

    assert "heron" not in stream.getvalue()
    (line,) = lines()
    assert (line["level"], line["outcome"]) == ("error", "ZeroDivisionError")
    assert line["trace"][-1].startswith("unit/observers/test_lines.py:")
    assert line["trace"][-1].endswith(" broken")


def test_idle_rounds_over_the_queues_leave_no_line(plain: Trigraph, lines: Lines) -> None:
    plain.engine.work_everywhere(schedule=False)
    lines()
    plain.engine.work_everywhere(schedule=False)
    assert lines() == []


def test_for_people_a_line_begins_with_what_happened(plain: Trigraph, stream: io.StringIO) -> None:
    start_logs("text", "info", stream)
    with pytest.raises(InvalidInput):
        plain.recall("heron", session="two\nlines")

    (line,) = stream.getvalue().splitlines()
    assert ' info verb invalid_input verb="recall" ms=' in line
    assert r'session="two\nlines"' in line


def test_others_are_told_by_what_they_say_in_general(stream: io.StringIO, lines: Lines) -> None:
    other = logging.getLogger("some.package")
    other.info("nothing")
    try:
        raise ValueError("a heron")
    except ValueError:
        other.exception("cannot read %r", "a heron")

    assert "heron" not in stream.getvalue()
    (line,) = lines()
    assert (line["logger"], line["message"], line["error"]) == ("some.package", "cannot read %r", "ValueError")
    assert line["level"] == "error"


def test_logs_that_are_started_twice_are_written_once(plain: Trigraph, stream: io.StringIO, lines: Lines) -> None:
    start_logs("json", "info", stream)
    plain.stats()
    assert [line["verb"] for line in lines()] == ["stats"]


@pytest.mark.parametrize(
    "wrong", [LogSettings(format="xml"), LogSettings(level="loud")], ids=["log.format", "log.level"]
)
def test_a_setting_that_is_not_known_says_what_is(wrong: LogSettings) -> None:
    with pytest.raises(ConfigError, match=r"log\.(format|level) '\w+' is not known. Valid: "):
        start_as_configured(wrong)


def test_a_program_that_configures_nothing_is_told_nothing(plain: Trigraph, capfd: pytest.CaptureFixture[str]) -> None:
    plain.remember("A heron")
    plain.close()
    with pytest.raises(StoreClosed):
        plain.recall("heron")
    assert capfd.readouterr() == ("", "")
