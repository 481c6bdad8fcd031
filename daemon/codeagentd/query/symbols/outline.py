"""The outline of a file: its definitions in line order."""

from __future__ import annotations

from typing import Final, NamedTuple

from codeagent_protocol.errors import NotFound
from codeagentd.model.ids import node_id
from codeagentd.model.results.symbol_results import OutlineItem
from codeagentd.query.paging import Key, Slice, cut
from codeagentd.store.connection import Database

from .lookup import LABELS

_PLACE: Final = ("after_line", "after_last", "after_col", "after_uid")
_START: Final[Key] = (-1, 0, 0, b"")


class IndexedFile(NamedTuple):
    """A file of the index.

    `status` is full, partial, failed or skipped; without a `language` its content is not indexed.
    """

    id: int
    language: str | None
    status: str
    reason: str


def indexed_file(db: Database, path: str) -> IndexedFile:
    """Return the file at `path`. Errors: not_found, with status and reason if the file is known but was left out."""
    row = db.row("files.by_path", (path,))
    if row is None:
        raise NotFound(
            f"no indexed file has the path {path!r}",
            remedy="list_directory shows what is there; paths are repository-relative",
            parameter="path",
        )
    file = IndexedFile(*row)
    if file.language is None:
        why = f"{file.status}: {file.reason}" if file.reason else file.status
        raise NotFound(
            f"{path!r} has no symbols in the index ({why})",
            remedy="read_file shows its text",
            parameter="path",
            status=file.status,
            reason=file.reason,
        )
    return file


def outline(db: Database, file: IndexedFile, after: Key | None, limit: int) -> Slice[OutlineItem]:
    """Return the symbols of `file` in line order, outer before inner ones, without the symbol of the file itself."""
    parameters = {"file": file.id, "limit": limit + 1, **dict(zip(_PLACE, after or _START, strict=True))}
    rows, following = cut(db.all("files.outline", parameters), limit, len(_PLACE))
    return Slice([_item(row) for row in rows], following)


def _item(row: Key) -> OutlineItem:
    line_start, _, _, uid, name, qualified_name, kind, line_end, access, signature, returns = row
    return OutlineItem(
        node_id(uid), name, qualified_name, LABELS[kind], line_start, line_end, access, signature, returns
    )
