"""The session of an editor's window: its order, its errors, and what the shim keeps of it."""

from __future__ import annotations

import json

import pytest

from codeagent_protocol import frames
from codeagentd.serve.lsp.session_documents import MOST_LINES
from tests.harness.editor_session import EVERYTHING, editor_session

FILES = {
    "shop/shelf.py": "class Shelf:\n    def lend(self, book):\n        return book\n",
    "shop/desk.py": "from shop.shelf import Shelf\n\n\ndef serve(reader):\n    return Shelf().lend(reader)\n",
}
NOT_INITIALIZED, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32002, -32600, -32601, -32602
CANCELLED, FAILED, MODIFIED, PARSE_ERROR = -32800, -32803, -32801, -32700


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """A repository with an index; each test has a window of its own."""
    with editor_session(tmp_path_factory.mktemp("lsp"), FILES, begun=False) as window:
        yield window


@pytest.fixture
def window(shop):
    with shop.beside() as window:
        yield window


@pytest.fixture
def begun(window):
    window.initialize()
    return window


def code(answer):
    return answer["error"]["code"]


def test_the_result_of_initialize_names_what_is_served_and_the_encoding(window):
    result = window.initialize({"general": {"positionEncodings": ["utf-7", "utf-32", "utf-8"]}})
    assert result["capabilities"]["positionEncoding"] == "utf-32"
    assert result["serverInfo"]["name"] == "codeagentd"
    assert "diagnosticProvider" not in result["capabilities"]


def test_an_encoding_that_nobody_knows_leaves_utf_16(window):
    result = window.initialize({"general": {"positionEncodings": ["ebcdic", 7]}})
    assert result["capabilities"]["positionEncoding"] == "utf-16"


@pytest.mark.parametrize("capabilities", [None, [], 7, {"general": 3, "textDocument": {"hover": []}}])
def test_malformed_capabilities_count_as_none(window, capabilities):
    assert window.ask("initialize", capabilities=capabilities)["capabilities"]["definitionProvider"] is True


def test_a_request_before_initialize_is_refused_and_a_notification_dropped(window):
    assert code(window.answer("textDocument/hover")) == NOT_INITIALIZED
    window.open("shop/desk.py")
    window.initialize()
    assert window.session.in_flight == 0


def test_initialize_comes_once(begun):
    assert code(begun.answer("initialize", capabilities={})) == INVALID_REQUEST


def test_after_shutdown_requests_are_refused(begun):
    assert begun.ask("shutdown") is None
    assert code(begun.answer("workspace/symbol", query="Shelf")) == INVALID_REQUEST


def test_unknown_methods_and_wrong_parameters_have_their_codes(begun):
    assert code(begun.answer("textDocument/fly")) == METHOD_NOT_FOUND
    assert code(begun.answer("textDocument/definition", textDocument=7)) == INVALID_PARAMS
    wrong = {"textDocument": {"uri": begun.uri("shop/desk.py")}, "position": {"line": "x", "character": 0}}
    assert code(begun.answer("textDocument/definition", **wrong)) == INVALID_PARAMS


def test_a_line_that_is_no_json_is_answered_with_a_parse_error(begun):
    begun.line(900, b"{]")
    assert code(begun.response(900)) == PARSE_ERROR


def test_a_cancelled_request_is_answered_once_with_its_code(begun):
    number, cancelling = 500, 501
    asking = {"jsonrpc": "2.0", "id": number, "method": "workspace/symbol", "params": {"query": "Shelf"}}
    begun.together(
        {number: asking, cancelling: {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": number}}}
    )
    answers = [begun.response(number)]
    begun.ask("workspace/symbol", query="lend")
    sent = [payload for kind, _, ack, payload in begun.sent if kind == frames.LINE and ack == number]
    assert len(sent) == 1
    assert code(answers[0]) == CANCELLED


def test_cancelling_what_is_unknown_or_malformed_does_no_harm(begun):
    for request_id in (12345, "x", None, [1], {"a": 1}, 1.5, True):
        begun.notify("$/cancelRequest", id=request_id)
    assert begun.ask("workspace/symbol", query="Shelf")


def test_unknown_notifications_are_ignored(begun):
    begun.notify("$/setTrace", value="verbose")
    begun.notify("workspace/didChangeConfiguration", settings={})
    begun.notify("textDocument/didSave", textDocument={"uri": begun.uri("shop/desk.py")})
    assert begun.at("definition", "shop/desk.py", 4, 20)


def test_files_outside_are_refused_when_asked_about_and_left_out_otherwise(begun):
    outside = {"textDocument": {"uri": "file:///etc/hostname"}, "position": {"line": 0, "character": 0}}
    answer = begun.answer("textDocument/definition", **outside)
    assert code(answer) == FAILED
    assert "is no file of the repository" in answer["error"]["message"]
    assert begun.ask("textDocument/documentHighlight", **outside) is None
    assert begun.ask("textDocument/documentSymbol", textDocument={"uri": "untitled:one"}) is None
    begun.notify("textDocument/didOpen", textDocument={"uri": "file:///etc/x", "text": "a", "version": 1})
    begun.notify("textDocument/didOpen", textDocument={"uri": begun.uri("../out.py"), "text": "a", "version": 1})
    assert not begun.session._documents.by_path


def test_a_column_beyond_a_line_is_its_end_and_a_line_beyond_the_text_has_no_name(begun):
    assert begun.at("hover", "shop/desk.py", 0, 2**31 - 1)["range"]["start"]["character"] == 23
    assert begun.at("hover", "shop/desk.py", 4, 10**6) is None
    assert begun.at("hover", "shop/desk.py", 10**9, 0) is None


def kept_lines(window):
    """The lines that a shim keeps, by number, as frames tell it."""
    kept = {}
    lines = window.lines
    for kind, flags, ack, payload in window.sent:
        if kind == frames.REPLACE:
            numbers, line = frames.unpack_replacement(payload)
            for number in numbers:
                kept.pop(number)
            if line:
                kept[max(numbers)] = json.loads(line)
        elif flags & frames.STATE:
            kept[ack] = lines[ack]
    return kept


def test_the_shim_keeps_the_handshake_and_the_lines_of_open_documents(begun):
    begun.open("shop/desk.py")
    begun.change("shop/desk.py", 2, {"text": "x = 1\n"})
    begun.notify("textDocument/didSave", textDocument={"uri": begun.uri("shop/desk.py")})
    begun.ask("workspace/symbol", query="Shelf")
    assert [line["method"] for line in kept_lines(begun).values()] == [
        "initialize", "initialized", "textDocument/didOpen", "textDocument/didChange",
    ]  # fmt: skip


def test_many_changes_are_folded_into_one_line_with_the_text(begun):
    begun.open("shop/desk.py", "")
    for number in range(3 * MOST_LINES):
        start = {"line": 0, "character": number}
        begun.change("shop/desk.py", number + 2, {"text": "x", "range": {"start": start, "end": start}})
    kept = list(kept_lines(begun).values())
    assert len(kept) <= MOST_LINES + 2
    opened = next(line for line in kept if line["method"] == "textDocument/didOpen")["params"]["textDocument"]
    changes = [line for line in kept if line["method"] == "textDocument/didChange"]
    assert opened["text"] == "x" * (3 * MOST_LINES - len(changes))
    assert opened["version"] == 3 * MOST_LINES + 1 - len(changes)


def test_the_lines_of_a_closed_document_are_dropped_before_the_close_is_acknowledged(begun):
    begun.open("shop/desk.py")
    begun.change("shop/desk.py", 2, {"text": "x = 1\n"})
    number = begun.notify("textDocument/didClose", textDocument={"uri": begun.uri("shop/desk.py")})
    assert [line["method"] for line in kept_lines(begun).values()] == ["initialize", "initialized"]
    order = [(kind, ack) for kind, _, ack, _ in begun.sent if kind == frames.REPLACE or ack == number]
    assert order == [(frames.REPLACE, 0), (frames.ACK, number)]


def test_every_line_is_answered_or_acknowledged_once(begun):
    begun.open("shop/desk.py")
    begun.change("shop/missing.py", 2, {"text": "x"})
    begun.notify("textDocument/didChange", textDocument={"uri": 5})
    begun.notify("textDocument/didOpen", nothing=1)
    begun.notify("textDocument/didClose", textDocument={"uri": "nonsense"})
    begun.ask("workspace/symbol", query="Shelf")
    begun.answer("textDocument/fly")
    acks = [ack for _, _, ack, _ in begun.sent if ack]
    assert sorted(acks) == sorted(set(acks)) == sorted(begun.lines)


def test_after_a_change_that_cannot_be_applied_answers_say_so_until_the_document_is_opened_again(begun):
    begun.open("shop/desk.py")
    begun.notify(
        "textDocument/didChange", textDocument={"uri": begun.uri("shop/desk.py")}, contentChanges=[{"text": 5}]
    )
    position = {"line": 4, "character": 20}
    asked = {"textDocument": {"uri": begun.uri("shop/desk.py")}, "position": position}
    assert code(begun.answer("textDocument/definition", **asked)) == MODIFIED
    begun.open("shop/desk.py")
    assert begun.ask("textDocument/definition", **asked)


def test_what_a_daemon_before_this_one_answered_is_not_answered_again(window):
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": EVERYTHING}}
    window.line(1, request, frames.REPLAY)
    assert window.sent == [(frames.ACK, frames.STATE, 1, None)]


def test_two_windows_have_documents_of_their_own(shop):
    with shop.beside() as first, shop.beside() as second:
        first.initialize()
        second.initialize()
        first.open("shop/desk.py", "def other():\n    pass\n")
        assert [symbol["name"] for symbol in first.whole("documentSymbol", "shop/desk.py")] == ["other"]
        assert [symbol["name"] for symbol in second.whole("documentSymbol", "shop/desk.py")] == ["serve"]


def test_a_client_that_waits_for_diagnostics_gets_an_empty_list_after_each_edit(window):
    window.initialize({"textDocument": {"publishDiagnostics": {}}})
    window.open("shop/desk.py")
    window.change("shop/desk.py", 2, {"text": "x = 1\n"})
    told = [json.loads(payload) for kind, _, ack, payload in window.sent if kind == frames.LINE and not ack]
    lists = [message["params"] for message in told if message["method"] == "textDocument/publishDiagnostics"]
    assert [(one["version"], one["diagnostics"]) for one in lists] == [(1, []), (2, [])]
    assert {one["uri"] for one in lists} == {window.uri("shop/desk.py")}


def test_a_client_without_diagnostics_is_sent_none(begun):
    begun.open("shop/desk.py")
    assert not [payload for _, _, ack, payload in begun.sent if not ack]
