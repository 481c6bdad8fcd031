"""What a session has been sent."""

from __future__ import annotations

from codeagentd.toolkit import sent_snippets
from codeagentd.toolkit.sent_snippets import Delivery, SentSnippets


def sent(to: SentSnippets, *snippets: str) -> None:
    delivery = Delivery(to)
    for snippet in snippets:
        delivery.hold("a.py", snippet)
    delivery.confirm()


def test_a_snippet_counts_as_sent_when_its_answer_has_gone_out() -> None:
    book = SentSnippets()
    delivery = Delivery(book)
    delivery.hold("a.py", "x = 1")
    assert not Delivery(book).has("a.py", "x = 1")
    delivery.confirm()
    assert Delivery(book).has("a.py", "x = 1")
    assert not Delivery(book).has("a.py", "x = 2")
    assert not Delivery(book).has("b.py", "x = 1")


def test_an_answer_that_is_made_again_holds_only_what_it_holds_at_last() -> None:
    book = SentSnippets()
    delivery = Delivery(book)
    delivery.hold("a.py", "x = 1")
    delivery.begin_again()
    delivery.hold("a.py", "x = 2")
    delivery.confirm()
    assert [Delivery(book).has("a.py", f"x = {number}") for number in (1, 2)] == [False, True]


def test_the_oldest_are_forgotten(monkeypatch) -> None:
    monkeypatch.setattr(sent_snippets, "MOST", 3)
    book = SentSnippets()
    sent(book, "1", "2", "3")
    sent(book, "1", "4")
    assert [Delivery(book).has("a.py", text) for text in "1234"] == [True, False, True, True]


def test_without_a_session_nothing_was_ever_sent() -> None:
    alone = Delivery()
    alone.hold("a.py", "x")
    alone.confirm()
    assert not alone.has("a.py", "x")
