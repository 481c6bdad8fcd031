"""The journal of answered calls: its limits, its figures, and who hears of them."""

from __future__ import annotations

import threading

from codeagentd.serve.call_journal import LONGEST, MOST, WITH_TEXT, CallJournal, JournalEntry, brief


def entry(tool: str = "search", seconds: float = 0.001, text: str = "an answer", at: float = 0.0) -> JournalEntry:
    return JournalEntry(at, 1, tool, "query=x", seconds, text, "", True)


def filled(count: int) -> CallJournal:
    journal = CallJournal()
    for number in range(count):
        journal.note(entry(at=float(number)), may_write=False)
    return journal


def test_the_newest_comes_first():
    journal = filled(5)
    assert [one.at for one in journal.last(3)] == [4, 3, 2]
    assert [one.at for one in journal.last(50)] == [4, 3, 2, 1, 0]
    assert journal.last(0) == []
    assert CallJournal().last(5) == []


def test_the_last_500_are_kept_and_the_texts_of_40():
    assert (MOST, WITH_TEXT) == (500, 40)
    entries = filled(MOST + 7).last(MOST + 7)
    assert len(entries) == MOST
    assert entries[-1].at == 7
    assert [bool(one.text) for one in entries] == [True] * WITH_TEXT + [False] * (MOST - WITH_TEXT)


def test_latencies_are_of_what_is_kept_and_counts_of_everything():
    journal = CallJournal()
    for seconds in range(1, 101):
        journal.note(entry("slow", float(seconds)), may_write=False)
    journal.note(entry("rare", 0.5), may_write=False)
    assert journal.latencies() == [("slow", 100, 51.0, 96.0), ("rare", 1, 0.5, 0.5)]
    for _ in range(MOST):
        journal.note(entry("many"), may_write=False)
    assert [row[:2] for row in journal.latencies()] == [("many", MOST)]
    journal.note(entry("slow", 1.0), may_write=False)
    assert ("slow", 101, 1.0, 1.0) in journal.latencies()
    assert CallJournal().latencies() == []


def test_listeners_hear_whether_something_may_have_been_written():
    journal, heard = CallJournal(), list[bool]()
    journal.listeners.append(heard.append)
    journal.listeners.append(heard.append)
    journal.note(entry(), may_write=False)
    journal.note(entry(), may_write=True)
    assert heard == [False, False, True, True]


def test_threads_note_at_once():
    journal = CallJournal()
    threads = [
        threading.Thread(target=lambda: [journal.note(entry(), may_write=False) for _ in range(100)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert journal.latencies()[0][1] == 400


def test_arguments_are_brief():
    assert brief({"query": "a b", "limit": 3, "paths": ["x"]}) == 'query=a b, limit=3, paths=["x"]'
    assert brief("not an object") == brief(None) == brief({}) == ""
    assert len(brief({"content": "x" * 10_000})) <= LONGEST
    assert len(brief({str(at): "y" * 200 for at in range(10)})) == LONGEST
