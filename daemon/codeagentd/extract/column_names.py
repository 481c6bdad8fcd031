"""Columns of a table of separated values: the names in its first line, where it has names and no values."""

from __future__ import annotations

import re
from typing import Final

from codeagentd.model.kinds import SymbolKind

from .definitions.draft import Draft

MOST_COLUMNS: Final = 200  # of a table that people have named the columns of
LONGEST_NAME: Final = 64  # characters; a longer text is a value

_SEPARATORS: Final = (b",", b"\t", b";", b"|")
_NAME: Final = re.compile(r"[^\W\d][^\n]*")


def column_drafts(source: bytes) -> list[Draft]:
    """Return the columns of a table, in order; none where its first line has a text that is no name, or one twice."""
    line = source.partition(b"\n")[0].rstrip(b"\r")
    separator = max(_SEPARATORS, key=line.count)
    cells = [*re.finditer(rb'"((?:[^"]|"")*)"|[^%s"]+' % re.escape(separator), line)]
    names = [_name(match) for match in cells]
    if line.count(separator) + 1 != len(cells) or len(set(names)) != len(cells) or not 1 < len(cells) <= MOST_COLUMNS:
        return []
    if not all(_NAME.fullmatch(name) and len(name) <= LONGEST_NAME for name in names):
        return []
    return [_draft(match, name) for match, name in zip(cells, names, strict=True)]


def _name(match: re.Match[bytes]) -> str:
    text = match[0] if match[1] is None else match[1].replace(b'""', b'"')
    return text.decode(errors="replace").strip()


def _draft(match: re.Match[bytes], name: str) -> Draft:
    draft = Draft(int(SymbolKind.KEY), *match.span())
    draft.name, draft.name_start, draft.name_end = name.encode(), *match.span(1 if match[1] is not None else 0)
    return draft
