"""The error codes that a client can see. No other module defines any."""

from __future__ import annotations

from typing import Any, Final

NOT_FOUND: Final = "not_found"
INVALID_PARAMETER: Final = "invalid_parameter"
PATH_ESCAPE: Final = "path_escape"
BINARY_FILE: Final = "binary_file"
TOO_LARGE: Final = "too_large"
ENGINE_UNAVAILABLE: Final = "engine_unavailable"
INDEX_ERROR: Final = "index_error"
INTERNAL: Final = "internal"
DB_ERROR: Final = "db_error"
EMBEDDING_ERROR: Final = "embedding_error"

CODES: Final = (
    NOT_FOUND,
    INVALID_PARAMETER,
    PATH_ESCAPE,
    BINARY_FILE,
    TOO_LARGE,
    ENGINE_UNAVAILABLE,
    INDEX_ERROR,
    INTERNAL,
    DB_ERROR,
    EMBEDDING_ERROR,
)

# Page 004 has four codes of its own. Every other code is a failure that callers cannot resolve: DB_ERROR.
FLAT_CODES: Final = {NOT_FOUND: "NOT_FOUND", EMBEDDING_ERROR: "EMBEDDING_ERROR"} | dict.fromkeys(
    (INVALID_PARAMETER, PATH_ESCAPE, BINARY_FILE, TOO_LARGE), "VALIDATION_ERROR"
)
FLAT_FAILURE: Final = "DB_ERROR"


class CodedError(Exception):
    """An error with a code of this module, facts about it, and what to do next.

    `message` says what is wrong; `remedy` says what to do; `facts` are JSON values (candidates, the parameter's name,
    limits).
    """

    code: str = INTERNAL

    def __init__(self, message: str, *, remedy: str = "", code: str = "", **facts: Any) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.facts = facts
        self.code = code or type(self).code

    def as_dict(self) -> dict[str, Any]:
        """Return the contract's error object: {"code", "message", "remedy"?, facts…}."""
        answer: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.remedy:
            answer["remedy"] = self.remedy
        return answer | self.facts

    def as_flat(self) -> dict[str, str]:
        """Return the error object of page 004: fault and remedy in one text, with one of the page's four codes."""
        text = f"{self.message}: {self.remedy}" if self.remedy else self.message
        return {"error": text, "code": FLAT_CODES.get(self.code, FLAT_FAILURE)}


class NotFound(CodedError):
    """The requested resource does not exist."""

    code = NOT_FOUND


class InvalidParameter(CodedError):
    """A parameter's value is invalid or out of range; `parameter` names it."""

    code = INVALID_PARAMETER


class PathEscape(CodedError):
    """A path resolves outside the repository root."""

    code = PATH_ESCAPE


class BinaryFile(CodedError):
    """A text operation met a binary file; `mime_type` says which kind."""

    code = BINARY_FILE


class TooLarge(CodedError):
    """A request exceeds a size limit."""

    code = TOO_LARGE


class EngineUnavailable(CodedError):
    """The engine is not initialised, or is shutting down."""

    code = ENGINE_UNAVAILABLE


class IndexFailed(CodedError):
    """Indexing failed; the message has the details."""

    code = INDEX_ERROR


class StoreFailed(CodedError):
    """The database of the memories cannot be read or written."""

    code = DB_ERROR
