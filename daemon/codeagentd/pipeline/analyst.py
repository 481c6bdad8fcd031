"""The process that analyses the whole graph: `python -m codeagentd.pipeline.analyst INDEX`, the analysis as MessagePack on stdout; the generation alone where
the last analysis was of the same graph, as after many edits of what functions do: that takes a seventh of the time.

A process of its own, once for each analysis: it takes seconds of Python's time, and memory that is better given back at once.
"""

from __future__ import annotations

import gc
import hashlib
import json
import sys
from typing import Final

import msgspec

from codeagentd.analysis.graph import Graph, Node, Reference, file_of, joined
from codeagentd.analysis.whole import analysed
from codeagentd.base.machine import give_way
from codeagentd.model.analysis import Analysis, Findings
from codeagentd.model.kinds import TYPES, SymbolKind
from codeagentd.model.labels import label
from codeagentd.store.connection import Database

_TYPES: Final = {"types": json.dumps(sorted(int(kind) for kind in TYPES)), "constructor": int(SymbolKind.CONSTRUCTOR)}
_64_BITS: Final = (1 << 64) - 1


def graph_of(db: Database) -> Graph:
    """The whole graph of an index."""
    files = {number: file_of(path, language) for number, path, language in db.all("analysis.files")}
    nodes = [
        Node(number, kind, label(kind, name, module, path, is_file=bool(is_file)), key, file, parent, bool(is_file), bool(lends))
        for number, kind, name, module, path, file, key, parent, is_file, lends in db.all("analysis.symbols", _TYPES)
    ]
    return joined(nodes, files, (Reference(*row) for row in db.each("analysis.refs")))


def fingerprint_of(db: Database) -> str:
    """What tells the graph of an index from another one. References count in no order: an edit moves them."""
    seen = hashlib.blake2b(digest_size=16)
    for row in db.each("analysis.files"):
        seen.update(msgspec.msgpack.encode(row))
    for row in db.each("analysis.symbols", _TYPES):
        seen.update(msgspec.msgpack.encode(row))
    references = sum(map(hash, db.each("analysis.refs"))) & _64_BITS  # of whole numbers, whose hashes are the same in every process
    return f"{seen.hexdigest()}{references:016x}"


def answer(db: Database) -> Analysis | int:
    """The analysis of the index as it is now, or its generation if the last one still holds."""
    with db.transaction("DEFERRED"):
        generation = int(db.value("writer.meta", ("generation",), 0))
        fingerprint = fingerprint_of(db)
        if (kept := db.one("analysis.kept")) and msgspec.msgpack.decode(kept[1], type=Findings).graph == fingerprint:
            return generation
        before: dict[int, int] = dict(db.all("analysis.members_before"))
        graph = graph_of(db)
    return analysed(graph, generation, before, fingerprint)


def main() -> None:
    """Entry point."""
    gc.disable()  # everything lives to the end
    give_way()  # nobody waits for it once there was one
    sys.stdout.buffer.write(msgspec.msgpack.encode(answer(Database(sys.argv[1]))))


if __name__ == "__main__":
    main()
