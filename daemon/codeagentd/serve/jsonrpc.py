"""The parser of a client's lines: each is a request, a notification, a response, or invalid, with the error that
answers it.

Decoding ends at deep nesting with a RecursionError, and takes microseconds, so that a hostile line harms no other
window.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from codeagent_protocol.jsonrpc_errors import is_request, parsed

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
INVALID_PARAMS: Final = -32602
RequestId = str | int

_BOM: Final = b"\xef\xbb\xbf"
_SALVAGE_BYTES: Final = (
    # a broken line up to this size is parsed once more for its id; no client waits for the answer to a longer one
    100_000
)
_INTEGERS: Final = range(-(2**63), 2**64)  # the integers that the encoder can write


class Request(msgspec.Struct, frozen=True):
    """A request, which must be answered once."""

    id: RequestId
    method: str
    params: dict[str, Any] | None


class Notification(msgspec.Struct, frozen=True):
    """A notification, which has no answer."""

    method: str
    params: dict[str, Any] | None


class Response(msgspec.Struct, frozen=True):
    """A response to a request of the daemon, with the id of that request."""

    id: RequestId | None = None
    is_error: bool = False


class InvalidLine(msgspec.Struct, frozen=True):
    """A line that can only be answered with an error; `answer` is the error line."""

    answer: bytes


Message = Request | Notification | Response | InvalidLine


def read(line: bytes) -> Message:
    """Parse `line` into the message that it contains. Never raises."""
    try:
        value = msgspec.json.decode(line.removeprefix(_BOM))
    except RecursionError:
        return _error(None, PARSE_ERROR, "nested too deeply")
    except (msgspec.MsgspecError, ValueError):
        return _error(_salvaged_id(line), PARSE_ERROR, "this is not JSON, or not UTF-8")
    return _message(value)


def error_line(request_id: RequestId | None, code: int, message: str) -> bytes:
    """Return a JSON-RPC error response as a line; with `request_id` None it answers a line that has no valid id."""
    return msgspec.json.encode({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}})


def _message(value: Any) -> Message:
    if isinstance(value, list):
        return _error(None, INVALID_REQUEST, "batches are not supported; send one message a line")
    if not isinstance(value, dict):
        return _error(None, INVALID_REQUEST, "a message is a JSON object")
    if "method" not in value and ("result" in value or "error" in value):
        return Response(_usable_id(value.get("id")), "error" in value)
    request_id = _usable_id(value.get("id"))
    if "id" in value and request_id is None:
        return _error(None, INVALID_REQUEST, "an id is a string or an integer of at most 64 bits")
    method, params = value.get("method"), value.get("params")
    if value.get("jsonrpc") != "2.0" or not isinstance(method, str):
        return _error(request_id, INVALID_REQUEST, 'a message has "jsonrpc": "2.0" and a method')
    if params is not None and not isinstance(params, dict):
        return _error(request_id, INVALID_PARAMS, "params is an object") if request_id is not None else Response()
    return Notification(method, params) if request_id is None else Request(request_id, method, params)


def _usable_id(value: Any) -> RequestId | None:
    if isinstance(value, str):
        return value
    return value if isinstance(value, int) and not isinstance(value, bool) and value in _INTEGERS else None


def _salvaged_id(line: bytes) -> RequestId | None:
    """The id in a line that only a more lenient parser accepts (NaN, half of a surrogate pair), so that the client
    receives the error; None if it has none.
    """
    if len(line) > _SALVAGE_BYTES:
        return None
    value = parsed(line)
    return _usable_id(value["id"]) if is_request(value) else None


def _error(request_id: RequestId | None, code: int, message: str) -> InvalidLine:
    return InvalidLine(error_line(request_id, code, message))
