"""Query compilation: the .scm files of a language become one query, with errors by file and line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tree_sitter import Language as Grammar
from tree_sitter import Query, QueryError

from codeagent_protocol.errors import IndexFailed
from codeagentd.base.suggestions import did_you_mean
from codeagentd.model.kinds import SymbolKind

from .language import QueryFile

# The captures that extraction reads, up to the first dot; a name that begins with _ is local to a query.
CAPTURES: Final = frozenset({
    "alias", "anonymous", "argument", "arguments", "assigned", "base", "becomes", "bind", "block", "built", "callable",
    "called", "cast", "close", "comment", "component", "const", "converted", "created", "declaration", "declared",
    "decorator", "def", "define", "destructured", "directive", "doc", "either", "enclosed", "entered", "expected",
    "expects", "export", "exported", "exports", "extended", "extension", "generic", "group", "handed", "header", "heir",
    "hidden", "how", "implementation", "implied", "import", "indexed", "infix", "initial", "initialized", "initializer",
    "injected", "instance", "instantiated", "iterated", "key", "linkage", "literal", "loader", "macro", "made",
    "member", "modifier", "name", "narrowed", "outermost", "owner", "params", "pattern", "plain", "qualified", "quoted",
    "receiver", "ref", "region", "request", "required", "rest", "returned", "returns", "runs", "scope", "second",
    "section", "selector", "signature", "since", "skip", "static", "tag", "title", "type", "typed", "typename",
    "uninitialized", "unnamed", "unpacked", "wrapped",
})  # fmt: skip
KINDS: Final = frozenset(kind.label for kind in SymbolKind)
REMEDY: Final = "correct the query, or install the package again"
_ROW: Final = re.compile(r"\brow (\d+)")


def compiled(grammar: Grammar, files: Sequence[QueryFile]) -> Query:
    """Compile all `files` to one query for `grammar`. Errors: index_error, with file, line and reason."""
    try:
        query = Query(grammar, "\n".join(file.text for file in files))
    except (QueryError, ValueError) as error:
        raise _broken(grammar, files, error) from error
    for number in range(query.capture_count):
        name = query.capture_name(number)
        if not _is_known(name):
            raise _misnamed(name, files)
    return query


def _is_known(capture: str) -> bool:
    root, _, rest = capture.partition(".")
    return capture.startswith("_") or (root in CAPTURES and (root != "def" or rest in KINDS))


def _broken(grammar: Grammar, files: Sequence[QueryFile], whole: Exception) -> IndexFailed:
    for file in files:
        try:
            Query(grammar, file.text)
        except (QueryError, ValueError) as error:
            reason = " ".join(str(error).split())
            row = _ROW.search(reason)
            return _error(file, int(row[1]) + 1 if row else file.text.count("\n") + 1, reason)
    return _error(files[0], 1, " ".join(str(whole).split()))


def _misnamed(capture: str, files: Sequence[QueryFile]) -> IndexFailed:
    reason = "; ".join(filter(None, [f"unknown capture @{capture}", _suggestion(capture)]))
    for file in files:
        if match := re.search(rf"@{re.escape(capture)}(?![\w.])", file.text):
            return _error(file, file.text.count("\n", 0, match.start()) + 1, reason)
    return _error(files[0], 1, reason)


def _suggestion(capture: str) -> str:
    """Return the question for the part of a capture that is unknown: the kind of a definition, or the first part."""
    root, _, rest = capture.partition(".")
    return did_you_mean(rest, KINDS) if root == "def" else did_you_mean(root, CAPTURES)


def _error(file: QueryFile, line: int, reason: str) -> IndexFailed:
    return IndexFailed(f"{file.path}, line {line}: {reason}", remedy=REMEDY, path=file.path, line=line)
