"""The parser of a command: argparse with this program's form of errors, suggestions for misspelled words, and help that
fits the terminal.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterable
from typing import Any, Final, NoReturn

from codeagentd.cli.rendering.text_wrapping import wrapped

from .exit_codes import EXIT_USAGE, WrongUsage

WIDEST: Final = 100  # columns of help, since longer lines are hard to read
_REQUIRED: Final = "the following arguments are required: "
_UNRECOGNIZED: Final = "unrecognized arguments: "


def help_width() -> int:
    """Return the number of columns for help on this terminal; 80 without a terminal."""
    return min(WIDEST, shutil.get_terminal_size().columns)


class Help(argparse.HelpFormatter):
    """A help formatter that keeps each example on its own line, and wraps sentences between words."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=help_width())

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(f"{indent}{line}" for line in wrapped(text, width))


class Parser(argparse.ArgumentParser):
    """An argument parser that raises errors with a remedy. `unknown_option` says what else an option that does not
    exist may stand for.
    """

    unknown_option = ""

    def error(self, message: str) -> NoReturn:
        """Raise WrongUsage. A command without its verb prints its help, and exits with the code of wrong usage."""
        # a command without its verb: list the verbs
        if self._subparsers and message.startswith(_REQUIRED):
            self.print_help(sys.stderr)
            self.exit(EXIT_USAGE)
        raise WrongUsage(message, remedy=f"{self._hint(message)} see `{self.prog} --help`".lstrip())

    def _hint(self, message: str) -> str:
        """The known option that an unknown one resembles, or else what it may stand for."""
        if not message.startswith(_UNRECOGNIZED):
            return ""
        word = message.removeprefix(_UNRECOGNIZED).split("=")[0].split(" ")[0]
        if not word.startswith("-"):
            return ""
        return did_you_mean(word, self._option_string_actions) or self.unknown_option

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        known = [str(choice) for choice in action.choices]
        hint = did_you_mean(str(value), known)
        raise argparse.ArgumentError(
            action, f"there is no {str(value)!r}{f', {hint}' if hint else ':'} pass one of {', '.join(known)}"
        )


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the question "did you mean a, b or c?" with the words of `known` that are similar to `word`; '' if none
    is.
    """
    from codeagentd.base import suggestions  # difflib is imported only for mistakes

    return suggestions.did_you_mean(word, known)
