"""The errors that a client reads when its request reaches no daemon: JSON-RPC error lines that carry the coded error
and say what to do.
"""

from __future__ import annotations

import json
from typing import Any, Final

from .errors import BINARY_FILE, ENGINE_UNAVAILABLE, INVALID_PARAMETER, NOT_FOUND, PATH_ESCAPE, TOO_LARGE, CodedError

INTERNAL_ERROR: Final = -32603
PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
NOT_INITIALIZED: Final = -32002  # of LSP: a request came before `initialize`
NUMBERS: Final = {  # JSON-RPC's own numbers where they fit, else numbers of the range for servers
    INVALID_PARAMETER: -32602,
    PATH_ESCAPE: -32602,
    BINARY_FILE: -32602,
    TOO_LARGE: -32600,
    NOT_FOUND: -32002,
    ENGINE_UNAVAILABLE: -32000,
}


def error_object(error: CodedError) -> dict[str, Any]:
    """Return the JSON-RPC error member for `error`: message and remedy as one text for people, {"code", "message",
    "remedy"?, facts…} as data for programs.
    """
    text = f"{error.message}; {error.remedy}" if error.remedy else error.message
    return {"code": NUMBERS.get(error.code, INTERNAL_ERROR), "message": text, "data": error.as_dict()}


def error_line(request_id: str | float | None, error: CodedError, number: int = 0) -> bytes:
    """Return the line that answers the request `request_id` with `error`, without its newline. `number` replaces the
    number of the error's code.
    """
    member = error_object(error) | ({"code": number} if number else {})
    return _line({"jsonrpc": "2.0", "id": request_id, "error": member})


def answer(line: bytes, error: CodedError) -> bytes | None:
    """Return the line that answers the request in `line` with `error`; None when the line is no request (a
    notification, a response, no JSON at all).
    """
    message = parsed(line)
    if isinstance(message, list):
        responses = [_response(request, error) for request in message if is_request(request)]
        return _line(responses) if responses else None
    return _line(_response(message, error)) if is_request(message) else None


def parsed(line: bytes) -> Any:
    """Return the JSON value of `line`; None when the line is no JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def is_request(message: Any) -> bool:
    """Whether the JSON value `message` is a JSON-RPC request, which must be answered."""
    return isinstance(message, dict) and "method" in message and isinstance(message.get("id"), str | int | float)


def _response(message: dict[str, Any], error: CodedError) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": message["id"], "error": error_object(error)}


def _line(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
