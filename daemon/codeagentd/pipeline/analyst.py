"""The process that analyses the whole graph: `python -m codeagentd.pipeline.analyst INDEX`, the analysis as MessagePack on stdout.

A process of its own, once for each analysis: it takes seconds of Python's time, and memory that is better given back at once.
"""

from __future__ import annotations

import gc
import json
import sys
from typing import Final

import msgspec

from codeagentd.analysis.graph import Graph, Node, Reference, file_of, joined
from codeagentd.analysis.whole import analysed
from codeagentd.base.machine import give_way
from codeagentd.model.kinds import TYPES, SymbolKind
from codeagentd.model.labels import label
from codeagentd.store.connection import Database

_TYPES: Final = {"types": json.dumps(sorted(int(kind) for kind in TYPES)), "constructor": int(SymbolKind.CONSTRUCTOR)}


def graph_of(db: Database) -> Graph:
    """The whole graph of an index."""
    files = {number: file_of(path, language) for number, path, language in db.all("analysis.files")}
    nodes = [
        Node(number, kind, label(kind, name, module, path, is_file=bool(is_file)), key, file, parent, bool(is_file), bool(lends))
        for number, kind, name, module, path, file, key, parent, is_file, lends in db.all("analysis.symbols", _TYPES)
    ]
    return joined(nodes, files, (Reference(*row) for row in db.each("analysis.refs")))


def main() -> None:
    """Entry point."""
    gc.disable()  # everything lives to the end
    give_way()  # nobody waits for it once there was one
    db = Database(sys.argv[1])
    with db.transaction("DEFERRED"):
        generation = int(db.value("writer.meta", ("generation",), 0))
        before: dict[int, int] = dict(db.all("analysis.members_before"))
        graph = graph_of(db)
    sys.stdout.buffer.write(msgspec.msgpack.encode(analysed(graph, generation, before)))


if __name__ == "__main__":
    main()
