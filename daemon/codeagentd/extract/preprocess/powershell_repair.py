"""Repair of PowerShell with parse errors: empty blocks as values, paths that begin with a variable, labels, a dollar
sign at the end of a string, and ForEach-Object, which the grammar cannot parse.
"""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Parser, Tree

from .parse_errors import Repaired, errors_of, weight_of

_EMPTY: Final = re.compile(rb"(?m)((?:[=,(]|\breturn)[ \t]*|^[ \t]+)(\{[ \t]*\})(?=[ \t]*[\r\n,);])")  # $action = {}
_PATH: Final = re.compile(rb"(?<=\w)(\\[\w.\\*${}:-]*)(?=[\s;)}|])")  # . $PSScriptRoot\Shared.ps1
_DOLLAR: Final = re.compile(rb"\$(?=\"[\s)])")  # "^git$"
_LABEL: Final = re.compile(rb"(?i)(?<=\bcontinue)[ \t]+[a-z]\w*")
_KEYWORD: Final = re.compile(rb"(?i)(?<=\bforeach)-(?=object\b)")  # the loop, to the grammar


def powershell(source: bytes, tree: Tree, parser: Parser) -> Repaired:
    """Return the source and its tree with other text in place of such code, if that leaves fewer errors."""
    text = _EMPTY.sub(lambda match: match[1] + b"''".ljust(len(match[2])), source)
    text = _PATH.sub(lambda match: b" " * len(match[0]), text)
    text = _LABEL.sub(lambda match: b" " * len(match[0]), text)
    text = _KEYWORD.sub(b"_", _DOLLAR.sub(b".", text))
    if text == source:
        return source, tree
    repaired = parser.parse(text)
    is_better = weight_of(errors_of(repaired.root_node)) < weight_of(errors_of(tree.root_node))
    return (text, repaired) if is_better else (source, tree)
