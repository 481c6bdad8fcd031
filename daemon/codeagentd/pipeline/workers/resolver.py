"""The resolver of indexed files, one after the other, in a worker or in the daemon.

An internal error in a file leaves that file without references, and affects no other.
"""

from __future__ import annotations

from codeagentd.base.internal_errors import INTERNAL_ERRORS, describe
from codeagentd.model.facts import FileFacts
from codeagentd.pipeline.invalidation.inheritance_index import heritage
from codeagentd.pipeline.rows.index_rows import key_of, unpack_ids
from codeagentd.pipeline.rows.stored_symbol_table import StoredSymbolTable
from codeagentd.resolve.name_lookup import NameResolver
from codeagentd.resolve.references import Linker
from codeagentd.store.connection import Database

from .messages import Linked


class Resolver:
    """Resolves the references of files in one state of the repository."""

    def __init__(self, database: Database, world: StoredSymbolTable) -> None:
        self._database, self._world = database, world
        self._names = NameResolver(world)
        self._linker = Linker(self._names, key_of)

    def resolve(self, file: int, facts: FileFacts, symbols: bytes) -> Linked:
        """Return the resolved references of the file with this id. `symbols`: the encoded ids of its symbols in the
        index.
        """
        try:
            self._world.read_symbols_of(file)
            links = self._linker.link(self._world.file(file), facts, unpack_ids(symbols))
            return Linked.of(file, links, heritage(self._database, self._names, file))
        except INTERNAL_ERRORS as error:  # also for a source with extreme nesting
            return Linked(file, b"", failure=describe(error))
