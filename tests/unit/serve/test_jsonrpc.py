"""Reading one line of a client's."""

from __future__ import annotations

import json

import pytest

from codeagentd.serve.jsonrpc import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    InvalidLine,
    Notification,
    Request,
    Response,
    read,
)

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def line_of(**changes):
    return json.dumps(PING | changes).encode()


@pytest.mark.parametrize("request_id", [0, -1, 2**64 - 1, "a", ""])
def test_a_request_keeps_its_id(request_id):
    assert read(line_of(id=request_id)) == Request(request_id, "ping", None)


@pytest.mark.parametrize("line", [b"\xef\xbb\xbf" + line_of(), line_of() + b"\r", b"  " + line_of() + b" "])
def test_a_byte_order_mark_and_white_space_around_a_message_do_no_harm(line):
    assert read(line) == Request(1, "ping", None)


def test_a_message_without_id_is_a_notification():
    assert read(b'{"jsonrpc":"2.0","method":"notifications/initialized"}') == Notification(
        "notifications/initialized", None
    )


@pytest.mark.parametrize(
    ("line", "response"),
    [
        (b'{"jsonrpc":"2.0","id":77,"result":{}}', Response(77)),
        (b'{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"x"}}', Response("a", is_error=True)),
    ],
)
def test_a_response_is_told_from_a_request(line, response):
    assert read(line) == response


UNUSABLE = {
    "no JSON": (b"hello there", PARSE_ERROR, None),
    "half a message": (line_of()[:20], PARSE_ERROR, None),
    "nothing": (b"", PARSE_ERROR, None),
    "no UTF-8": (b'{"jsonrpc":"2.0","id":5,"method":"\xff\xfe"}', PARSE_ERROR, None),
    "NaN": (b'{"jsonrpc":"2.0","id":9,"method":"ping","params":{"x":NaN}}', PARSE_ERROR, 9),
    "half a surrogate pair": (b'{"jsonrpc":"2.0","id":9,"method":"ping","params":{"x":"\\ud800"}}', PARSE_ERROR, 9),
    "endless arrays": (b"[" * 200_000, PARSE_ERROR, None),
    "endless objects": (b'{"a":' * 100_000, PARSE_ERROR, None),
    "deep arguments": (
        b'{"jsonrpc":"2.0","id":9,"method":"m","params":' + b'{"a":' * 20_000 + b"1" + b"}" * 20_001,
        PARSE_ERROR,
        None,
    ),
    "a number of a megabyte": (b"1" * 1_000_000, PARSE_ERROR, None),
    "garbage of a megabyte": (b"\x80" * 1_000_000, PARSE_ERROR, None),
    "a batch": (b"[" + line_of() + b"]", INVALID_REQUEST, None),
    "a string": (b'"x"', INVALID_REQUEST, None),
    "no method": (b'{"jsonrpc":"2.0","id":901}', INVALID_REQUEST, 901),
    "another version": (line_of(jsonrpc="1.0"), INVALID_REQUEST, 1),
    "no version": (b'{"id":902,"method":"tools/list"}', INVALID_REQUEST, 902),
    "a method that is a number": (line_of(method=7), INVALID_REQUEST, 1),
    "an id that is an object": (line_of(id={"a": 1}), INVALID_REQUEST, None),
    "an id that is null": (line_of(id=None), INVALID_REQUEST, None),
    "an id that is true": (line_of(id=True), INVALID_REQUEST, None),
    "an id of 400 digits": (b'{"jsonrpc":"2.0","id":' + b"9" * 400 + b',"method":"ping"}', INVALID_REQUEST, None),
    "params that are a list": (line_of(params=[1]), INVALID_PARAMS, 1),
}


@pytest.mark.parametrize(("line", "code", "request_id"), UNUSABLE.values(), ids=UNUSABLE)
def test_a_line_that_nobody_can_use_is_answered_with_an_error(line, code, request_id):
    message = read(line)
    assert isinstance(message, InvalidLine)
    answer = json.loads(message.answer)
    assert (answer["error"]["code"], answer["id"]) == (code, request_id)


def test_a_notification_with_impossible_params_is_passed_over():
    assert read(b'{"jsonrpc":"2.0","method":"notifications/x","params":[1]}') == Response()
