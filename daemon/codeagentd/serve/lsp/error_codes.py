"""The error codes of the Language Server Protocol 3.17, and the errors that carry them."""

from __future__ import annotations

from typing import Any, Final

from codeagent_protocol.errors import INTERNAL, CodedError

METHOD_NOT_FOUND: Final = -32601
INTERNAL_ERROR: Final = -32603
SERVER_NOT_INITIALIZED: Final = -32002
REQUEST_FAILED: Final = -32803
CONTENT_MODIFIED: Final = -32801
REQUEST_CANCELLED: Final = -32800


class LspError(Exception):
    """An error of the protocol that is no coded error; `error` is the member of the response."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.error = error_of(code, message)


def error_of(code: int, message: str, data: Any = None) -> dict[str, Any]:
    """Return the error member of a response."""
    return {"code": code, "message": message} | ({} if data is None else {"data": data})


def failure(error: CodedError) -> dict[str, Any]:
    """Return the error member for a coded error: its message and what to do, as one text for people."""
    text = f"{error.message}; {error.remedy}" if error.remedy else error.message
    return error_of(INTERNAL_ERROR if error.code == INTERNAL else REQUEST_FAILED, text, error.as_dict())
