"""`codeagentd open`: opens a symbol or file in the user's editor, or prints where it is."""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import sys
from typing import Final, NamedTuple
from urllib.parse import quote

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import CodedError, InvalidParameter, NotFound
from codeagentd.cli.rendering.source_places import Place
from codeagentd.cli.repository_arguments import add_json, add_repo, inside, place_from

from .source import declared
from .tool_commands import SYMBOL, show_error

EXAMPLES: Final = """examples:
  codeagentd open QuerySet.filter
  codeagentd open app/models.py:120
  codeagentd open QuerySet.filter --print    a link that editors open: vscode://file/…

The editor is that of VISUAL or EDITOR, with its options; no shell reads them. Without an editor, or where there is no \
terminal, path:line is printed."""

EDITORS: Final = ("VISUAL", "EDITOR")
_WITH_PLACE: Final = re.compile(r"(?P<path>.+?):(?P<line>\d+)(?::(?P<column>\d+))?:?")
# how editors take a line; others get the file alone
_PLUS: Final = frozenset(
    ("vi", "vim", "nvim", "gvim", "mvim", "view", "nano", "pico", "emacs", "emacsclient", "mg", "kak", "micro", "joe")
)
_GOTO: Final = frozenset(("code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"))
_COLON: Final = frozenset(("subl", "sublime_text", "hx", "helix", "zed"))


class Spot(NamedTuple):
    """A place in a file of the repository: its path relative to the root, line and column counted from 1."""

    path: str
    line: int = 1
    column: int = 1


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments and options."""
    add_repo(parser)
    parser.add_argument("place", metavar="SYMBOL | PATH[:LINE]", help=f"{SYMBOL}; a path may have a line")
    parser.add_argument("--print", action="store_true", help="open nothing; print a link that editors open")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Become the editor, or print the place. Returns the exit code."""
    endpoint = place_from(arguments)
    shown = Place(endpoint.root)
    try:
        spot = found(endpoint, arguments.place)
    except CodedError as error:
        return show_error(arguments, error, shown)
    path = os.path.join(endpoint.root, spot.path)
    if arguments.json:
        print(json.dumps(spot._asdict() | {"link": link(path, spot)}, ensure_ascii=False))
    elif arguments.print:
        print(link(path, spot))
    elif (editor := _editor()) and sys.stdin.isatty() and sys.stdout.isatty():
        _become(command(editor, path, spot.line))
    else:
        print(shown(spot.path, spot.line))
    return 0


def found(endpoint: Endpoint, name: str) -> Spot:
    """Return the place that `name` names: a file of the repository, with or without a line, or a symbol.

    Errors: not_found; invalid_parameter when several symbols have the name.
    """
    match = _WITH_PLACE.fullmatch(name)
    for path, line, column in ((name, "1", "1"), match.group("path", "line", "column") if match else ("", "", "")):
        if path and (inner := _file(endpoint.root, path)):
            return Spot(inner, max(1, int(line)), max(1, int(column or 1)))
    symbol = declared(endpoint, name)
    return Spot(symbol["file_path"], symbol["line_start"])


def _file(root: str, path: str) -> str:
    """The path of a file relative to `root`; '' if there is none."""
    try:
        inner = inside(root, path)
    except (InvalidParameter, ValueError):  # ValueError: a null character
        return ""
    return inner if os.path.isfile(os.path.join(root, inner)) else ""


def link(path: str, spot: Spot) -> str:
    """Return the address by which editors of VS Code's family open the file at the absolute `path`."""
    return f"vscode://file{quote(path)}:{spot.line}:{spot.column}"


def command(editor: list[str], path: str, line: int) -> list[str]:
    """Return the command that opens the file at the absolute `path` at `line` in `editor`, a command with options."""
    name = os.path.basename(editor[0]).removesuffix(".exe")
    if name in _PLUS:
        return [*editor, f"+{line}", path]
    if name in _GOTO:
        return [*editor, "--goto", f"{path}:{line}"]
    return [*editor, f"{path}:{line}" if name in _COLON else path]


def _editor() -> list[str]:
    """The command of the user's editor, as words; [] where none is set. Errors: invalid_parameter."""
    for variable in EDITORS:
        try:
            if words := shlex.split(os.environ.get(variable, "")):
                return words
        except ValueError as error:
            raise InvalidParameter(
                f"{variable} cannot be read: {error}", remedy="quote it as for a shell, or pass --print"
            ) from None
    return []


def _become(words: list[str]) -> None:
    """Replace this process by the command `words`, which has the terminal then. Errors: not_found."""
    sys.stdout.flush()
    try:
        os.execvp(words[0], words)
    except OSError as error:
        raise NotFound(
            f"{words[0]} cannot be run: {error.strerror}", remedy=f"set {' or '.join(EDITORS)}, or pass --print"
        ) from None
