"""Structured logs."""

from __future__ import annotations

import json
import logging

import pytest

from codeagentd.base import log
from codeagentd.base.log import EventLog, open_log


@pytest.fixture
def place(tmp_path):
    root = logging.getLogger()
    handlers, level, raises = list(root.handlers), root.level, logging.raiseExceptions
    for handler in handlers:
        root.removeHandler(handler)
    yield tmp_path / "daemon.log"
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    for handler in handlers:
        root.addHandler(handler)
    root.setLevel(level)
    logging.getLogger("codeagentd").setLevel(logging.NOTSET)
    logging.raiseExceptions = raises


def events(place):
    return [json.loads(line) for line in place.read_text().splitlines()]


def test_an_event_is_one_line_with_its_facts(place):
    open_log(place)
    EventLog("codeagentd.test").info("something happened", pid=5, name="a\nb")
    (event,) = events(place)
    assert {key: event[key] for key in ("level", "logger", "event", "pid", "name")} == {
        "level": "info", "logger": "codeagentd.test", "event": "something happened", "pid": 5, "name": "a\nb",
    }  # fmt: skip
    assert event["time"].endswith("Z")


def test_events_below_the_level_are_left_out(place):
    open_log(place, "warning")
    logger = EventLog("codeagentd.test")
    logger.debug("no")
    logger.info("no")
    logger.warning("yes")
    logger.error("yes")
    assert [event["event"] for event in events(place)] == ["yes", "yes"]


def test_of_an_error_the_type_and_the_place_are_kept_and_not_its_words(place):
    open_log(place)
    try:
        raise ValueError("pass" + "word")
    except ValueError as error:
        EventLog("codeagentd.test").error("it failed", error)
    (event,) = events(place)
    assert event["error"] == "ValueError"
    assert "test_log" in event["at"]
    assert "password" not in place.read_text()


def test_of_other_peoples_records_the_blanks_stay_empty(place):
    open_log(place)
    logging.getLogger("somebody.else").error("handler for %r failed", "a secret")
    (event,) = events(place)
    assert event["event"] == "handler for %r failed"


def test_the_file_is_rotated(place, monkeypatch):
    monkeypatch.setattr(log, "MAX_BYTES", 2_000)
    open_log(place)
    for number in range(100):
        EventLog("codeagentd.test").info("something happened", number=number)
    assert place.stat().st_size <= 2_000
    assert sorted(path.name for path in place.parent.iterdir()) == [
        "daemon.log",
        "daemon.log.1",
        "daemon.log.2",
        "daemon.log.3",
    ]


def test_a_long_fact_is_cut(place):
    open_log(place)
    EventLog("codeagentd.test").info("long", text="x" * 100_000)
    assert len(place.read_text()) < 5_000


def test_without_a_place_to_write_nothing_fails(place, capsys):
    open_log(None, terminal=True)
    EventLog("codeagentd.test").info("to the terminal")
    assert "to the terminal" in capsys.readouterr().err
    assert not place.exists()
