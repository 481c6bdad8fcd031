"""The recent documents of the process, and the index that they are resolved against."""

from __future__ import annotations

import contextlib
import gc
import sys
import tempfile
from collections import OrderedDict
from pathlib import Path
from typing import Final

from codeagentd.base.malloc import return_free_memory
from codeagentd.model.documents import DocumentText
from codeagentd.store.connection import Database, form_of
from codeagentd.store.opening import open_disposable

from .document_resolver import DocumentResolver
from .index_state import IndexState, ProjectsOfIndex

KEPT_TEXTS: Final = 16  # documents: an editor asks again about those that its windows show
KEPT_CHARACTERS: Final = 4_000_000  # of them together
# blocks of memory above those at the start, after which everything is dropped; about 100 MB
KEPT_BLOCKS: Final = 1_000_000
NO_INDEX: Final = -1  # the generation where the index is not whole


class DocumentTexts:
    """The texts that were sent last, by path and digest."""

    def __init__(self) -> None:
        self._texts: OrderedDict[tuple[str, bytes], DocumentText] = OrderedDict()
        self._characters = 0

    def put(self, digest: bytes, text: DocumentText) -> None:
        """Keep a text, and drop older ones where there are too many."""
        if (text.path, digest) not in self._texts:
            self._characters += len(text.text)
        self._texts[text.path, digest] = text
        self._texts.move_to_end((text.path, digest))
        while len(self._texts) > 1 and (len(self._texts) > KEPT_TEXTS or self._characters > KEPT_CHARACTERS):
            _, dropped = self._texts.popitem(last=False)
            self._characters -= len(dropped.text)

    def get(self, path: str, digest: bytes) -> DocumentText | None:
        """Return a text; None if it is not kept."""
        if text := self._texts.get((path, digest)):
            self._texts.move_to_end((path, digest))
        return text


class ResolverSource:
    """The resolver of documents for the present generation of the index; made anew with each generation."""

    def __init__(self, index: Path, max_file_bytes: int) -> None:
        self._path = index
        self._max_file_bytes = max_file_bytes
        self._database: Database | None = None
        self._form: object = None
        self._projects = ProjectsOfIndex()
        self._resolver: DocumentResolver | None = None
        self._has_index = False
        self._left = False  # whether there is memory that only the collector frees
        self._most_blocks = sys.getallocatedblocks() + KEPT_BLOCKS

    def begin(self, *, has_index: bool) -> DocumentResolver:
        """Begin a read transaction of the index, and return the resolver for what it shows. Without a whole index it is
        one that knows the documents alone.
        """
        database = self._opened(has_index=has_index)
        database.connection.execute("BEGIN")
        generation = int(database.value("writer.meta", ("generation",), 0)) if has_index else NO_INDEX
        if self._resolver is None or self._resolver.index.generation != generation:
            self._left = self._resolver is not None
            index = IndexState(database, generation, self._projects.read(database))
            self._resolver = DocumentResolver(index, self._max_file_bytes)
        return self._resolver

    def end(self) -> None:
        """End the transaction. Drop what is kept where that has become much."""
        if self._database is not None and self._database.connection.in_transaction:
            self._database.connection.execute("COMMIT")
        if sys.getallocatedblocks() > self._most_blocks:
            self._resolver, self._left = None, True
            self.rest()

    def rest(self) -> None:
        """Free the memory of earlier generations, while nobody waits."""
        if self._left or (self._resolver is not None and self._resolver.has_dropped):
            gc.collect()
            return_free_memory()
            self._left = False
            if self._resolver is not None:
                self._resolver.has_dropped = False

    def _opened(self, *, has_index: bool) -> Database:
        form = form_of(self._path) if has_index else None
        if self._database is None or form != self._form or has_index != self._has_index:
            if self._database is not None:
                self._database.close()
            self._resolver = None
            self._database = Database(self._path) if has_index else _empty_index()
            self._form, self._has_index = form, has_index
        return self._database


def _empty_index() -> Database:
    """Return an index of no files. It has no name on the disk."""
    with tempfile.TemporaryDirectory(prefix="codeagentd-", ignore_cleanup_errors=True) as folder:
        path = Path(folder, "index.db")
        database, _ = open_disposable(path, "index")
        with contextlib.suppress(OSError):
            path.unlink()
        return database
