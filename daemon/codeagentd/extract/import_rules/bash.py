"""The import rule of Bash: sourced files."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from codeagentd.model.facts import SOMEWHERE

from .imported import Imported, Statement, text_of

_QUOTES: Final = re.compile(r"""["']""")
_SCRIPT: Final = r"(?:\$0|\$\{0\}|\$BASH_SOURCE|\$\{BASH_SOURCE(?:\[0\])?\})"
_HERE: Final = re.compile(
    rf"(?:\$\(\s*dirname\s+(?:--\s+)?{_SCRIPT}\s*\)|\$\{{(?:BASH_SOURCE(?:\[0\])?|0)%/\*\}}"
    rf"|\$\(\s*cd\s+(?:--\s+)?\$\(\s*dirname\s+(?:--\s+)?{_SCRIPT}\s*\)[^)]*\))/(?P<rest>[^$`*?]+)"
)
_COMPUTED: Final = re.compile(r"(?:(?:\$\{?\w+[^/]*|\$\([^)]*\))/)+(?P<rest>[^$`*?]+)")


def bash(statement: Node) -> Statement:
    """Return the import of `statement`, a command that sources a file: source x.sh, . ./x.sh, . "$(dirname "$0")/x.sh",
    source "$DIR/lib/x.sh".

    A path from the file's own folder is the module `./x.sh`, one from a folder that the script computes `?/lib/x.sh`.
    """
    argument = statement.child_by_field_name("argument")
    text = _QUOTES.sub("", text_of(argument))
    if argument is None or not text:
        return
    if match := _HERE.fullmatch(text):
        path = f"./{match['rest']}"
    elif match := _COMPUTED.fullmatch(text):
        path = f"{SOMEWHERE}{match['rest']}"
    elif re.search(r"[$`*?\s]", text):
        return
    else:
        path = text
    yield Imported(path, "*", "", statement.start_byte, argument.start_byte)
