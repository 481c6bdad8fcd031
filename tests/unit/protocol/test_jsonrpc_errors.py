"""A request that reaches no daemon is answered with what to do."""

from __future__ import annotations

import json

import pytest

from codeagent_protocol.errors import CODES, CodedError, InvalidParameter
from codeagent_protocol.jsonrpc_errors import NUMBERS, answer, error_line

ERROR = InvalidParameter("no repository", remedy="name one", parameter="repo")


def test_an_error_tells_people_and_programs_what_is_wrong_and_what_to_do():
    assert json.loads(error_line("a", ERROR)) == {
        "jsonrpc": "2.0",
        "id": "a",
        "error": {
            "code": -32602,
            "message": "no repository; name one",
            "data": {
                "code": "invalid_parameter",
                "message": "no repository",
                "remedy": "name one",
                "parameter": "repo",
            },
        },
    }


def test_each_code_has_a_number_of_json_rpc():
    assert set(NUMBERS) <= set(CODES)
    assert json.loads(error_line(None, CodedError("bug")))["error"] == {
        "code": -32603,
        "message": "bug",
        "data": {"code": "internal", "message": "bug"},
    }


@pytest.mark.parametrize("request_id", [0, -1, "", "x\ud800", 1.5, 10**30])
def test_a_request_is_answered_under_its_own_id(request_id: object):
    response = answer(json.dumps({"jsonrpc": "2.0", "id": request_id, "method": "ping"}).encode(), ERROR)
    assert response
    assert b"\n" not in response
    assert json.loads(response)["id"] == request_id


NOT_REQUESTS = [
    b'{"method":"notifications/x"}',
    b'{"id":null,"method":"x"}',
    b'{"id":{},"method":"x"}',
    b'{"id":1,"result":{}}',
    b"5",
    b"null",
    b'"x"',
    b"[]",
]
NO_JSON = [b"", b"{", b"\xff", b"[" * 200_000, b'{"id":' + b"9" * 5000 + b',"method":"x"}']


@pytest.mark.parametrize("line", NOT_REQUESTS + NO_JSON)
def test_what_asks_nothing_is_not_answered(line: bytes):
    assert answer(line, ERROR) is None


def test_each_request_of_a_batch_is_answered():
    line = b'[{"id":1,"method":"a"},{"method":"b"},{"id":"2","method":"c"},7]'
    responses = json.loads(answer(line, ERROR) or b"")
    assert [response["id"] for response in responses] == [1, "2"]
