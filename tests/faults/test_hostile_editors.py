"""Editors that misbehave: another window never notices."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.harness.language_window import LanguageWindow, editor_window
from tests.harness.waiting import comes
from tests.harness.world import World

FILES = {
    "shop/shelf.py": "class Shelf:\n    def lend(self, book):\n        return book\n",
    "shop/desk.py": "from shop.shelf import Shelf\n\n\ndef serve(reader):\n    return Shelf().lend(reader)\n",
}
SOON_S = 1.0
FLOOD = 3_000
PARSE_ERROR, INVALID_REQUEST, NOT_INITIALIZED = -32700, -32600, -32002


@pytest.fixture
def repo(world: World) -> Path:
    root = world.repository("shop", FILES)
    world.index(root)
    return root


@pytest.fixture
def other(world: World, repo: Path) -> LanguageWindow:
    window = editor_window(world, repo)
    window.open_file("shop/desk.py")
    window.at("definition", "shop/desk.py", 4, 20)
    return window


def answers_soon(window: LanguageWindow) -> bool:
    """Whether a window still has its answer, and at once."""
    answer = window.at("definition", "shop/desk.py", 4, 20)
    return window.places(answer) == ["shop/shelf.py:1:8"] and answer.seconds < SOON_S


@pytest.mark.limit(90)
def test_a_client_that_floods_and_never_reads_costs_no_other_window_anything(world, repo, other):
    flood = editor_window(world, repo)
    flood.process.stdout.flush()
    body = {"textDocument": flood.document("shop/desk.py")}
    began = time.monotonic()
    for number in range(FLOOD):
        message = {"jsonrpc": "2.0", "id": 10_000 + number, "method": "textDocument/documentSymbol", "params": body}
        try:
            flood.send(message)
        except (BlockingIOError, BrokenPipeError):
            break
        if number % 500 == 0:
            assert answers_soon(other)
        if time.monotonic() - began > 20:
            break
    assert answers_soon(other)
    assert world.status(repo)["state"] in ("ready", "degraded")


def test_garbage_is_answered_with_a_parse_error_and_the_session_goes_on(world, repo, other):
    window = editor_window(world, repo)
    window.write(b"Content-Length: 7\r\n\r\n{]oops!")
    window.write(b"Nonsense: 1\r\n\r\n" + b"x" * 40)
    assert answers_soon(window) or window.unnumbered
    assert comes(lambda: answers_soon(window))
    assert all(answer["error"]["code"] == PARSE_ERROR for answer in window.unnumbered)
    assert answers_soon(other)


def test_a_deeply_nested_message_and_one_with_a_wrong_id_are_refused(world, repo, other):
    window = editor_window(world, repo)
    deep = b'{"jsonrpc":"2.0","id":1,"method":"workspace/symbol","params":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    window.write(b"Content-Length: %d\r\n\r\n%b" % (len(deep), deep))
    wrong = json.dumps({"jsonrpc": "2.0", "id": {"a": 1}, "method": "workspace/symbol", "params": {}}).encode()
    window.write(b"Content-Length: %d\r\n\r\n%b" % (len(wrong), wrong))
    assert comes(lambda: answers_soon(window))
    assert {answer["error"]["code"] for answer in window.unnumbered} <= {PARSE_ERROR, INVALID_REQUEST}
    assert len(window.unnumbered) == 2
    assert answers_soon(other)


@pytest.mark.limit(60)
def test_a_gigantic_document_is_open_but_not_analysed_and_delays_nobody(world, repo, other):
    window = editor_window(world, repo)
    text = "def f():\n    return 1\n" * 400_000  # 9 MB
    window.open_file("shop/desk.py", text)
    answer = window.at("hover", "shop/desk.py", 0, 5)
    assert "is too large" in answer.message["error"]["message"]
    assert (
        window.request("textDocument/documentSymbol", {"textDocument": window.document("shop/desk.py")}).message[
            "result"
        ]
        is None
    )
    assert answers_soon(other)
    window.change_file("shop/desk.py", 2, {"text": FILES["shop/desk.py"]})
    assert comes(lambda: answers_soon(window))


@pytest.mark.limit(60)
def test_a_text_that_takes_the_parser_long_costs_its_own_answers_alone(world, repo, other):
    window = editor_window(world, repo)
    window.open_file("shop/desk.py", "x = " + "(" * 20_000 + "1" + ")" * 20_000 + "\n")
    window.at("hover", "shop/desk.py", 0, 0)
    assert answers_soon(other)
    window.change_file("shop/desk.py", 2, {"text": FILES["shop/desk.py"]})
    assert comes(lambda: answers_soon(window))


def test_requests_out_of_order_have_the_codes_of_the_protocol(world, repo, other):
    from tests.harness.language_window import language_window

    window = language_window(world, repo)
    early = window.request("textDocument/hover", {})
    assert early.message["error"]["code"] == NOT_INITIALIZED
    window.hello()
    assert window.request("initialize", {"capabilities": {}}).message["error"]["code"] == INVALID_REQUEST
    assert answers_soon(window)
    assert window.request("shutdown").message["result"] is None
    assert window.request("workspace/symbol", {"query": "x"}).message["error"]["code"] == INVALID_REQUEST
    assert window.exit() == 0
    assert answers_soon(other)
