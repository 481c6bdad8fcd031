"""The exit codes of the command line, and an error as a line for people and as JSON."""

from __future__ import annotations

from typing import Final

from codeagent_protocol.errors import INVALID_PARAMETER, CodedError, InvalidParameter
from codeagentd.cli.rendering.console import plain
from codeagentd.cli.rendering.remedies import in_commands

EXIT_FAILED: Final = 1
EXIT_USAGE: Final = 2
EXIT_INTERRUPTED: Final = 130


class WrongUsage(InvalidParameter):
    """Raised for arguments that a command does not take."""

    exit_code = EXIT_USAGE


def exit_code(error: CodedError) -> int:
    """Return the exit code of `error`: that of wrong usage if it names a wrong parameter. An ambiguous name does not
    count as one.
    """
    is_usage = error.code == INVALID_PARAMETER and "parameter" in error.facts and "candidates" not in error.facts
    return int(getattr(error, "exit_code", EXIT_USAGE if is_usage else EXIT_FAILED))


def error_line(error: CodedError) -> str:
    """Return the line `error: the fault (the remedy)`, in words of the command line."""
    message = plain(" ".join(error.message.split()))
    return f"error: {message} ({plain(in_commands(error.remedy))})" if error.remedy else f"error: {message}"


def error_json(error: CodedError) -> str:
    """Return `error` as tools answer with it, {"error": {code, message, remedy?, facts…}}, in words of the command
    line.
    """
    import json  # only for --json

    from codeagentd.base.text import escaped

    remedy = {"remedy": in_commands(error.remedy)} if error.remedy else {}
    return escaped(json.dumps({"error": error.as_dict() | remedy}, indent=2, ensure_ascii=False))
