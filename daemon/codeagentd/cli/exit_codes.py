"""The exit codes of the command line, and the line that it prints for an error."""

from __future__ import annotations

from typing import Final

from codeagent_protocol.errors import INVALID_PARAMETER, CodedError
from codeagentd.cli.rendering.remedies import for_shells

EXIT_FAILED: Final = 1
EXIT_USAGE: Final = 2
EXIT_INTERRUPTED: Final = 130


def exit_code(error: CodedError) -> int:
    """Return the exit code of `error`: that of wrong usage if it names a wrong parameter. An ambiguous name does not
    count as one.
    """
    is_usage = error.code == INVALID_PARAMETER and "parameter" in error.facts and "candidates" not in error.facts
    return int(getattr(error, "exit_code", EXIT_USAGE if is_usage else EXIT_FAILED))


def error_line(error: CodedError) -> str:
    """Return the line `error: the fault (the remedy)`, in words of the command line."""
    message = " ".join(error.message.split())
    return f"error: {message} ({for_shells(error.remedy)})" if error.remedy else f"error: {message}"
