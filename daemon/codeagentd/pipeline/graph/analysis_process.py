"""The process that analyses the whole graph: `python -m codeagentd.pipeline.graph.analysis_process INDEX [behind]`, the
analysis as MessagePack on stdout.

It is a separate process for each analysis, because an analysis takes seconds of Python's time, and memory that should
be freed at once.
"""

from __future__ import annotations

import gc
import sys

import msgspec

from codeagentd.analysis.full_analysis import analysed
from codeagentd.analysis.graph import Graph, Node, Reference, file_of, joined
from codeagentd.base.host_load import lower_priority
from codeagentd.languages.untyped_members import lending
from codeagentd.model.analysis import Analysis
from codeagentd.model.labels import label
from codeagentd.store.connection import Database

from .analysis_scheduler import LOW_PRIORITY


def graph_of(db: Database) -> Graph:
    """Return the whole graph of the index `db`."""
    files = {number: file_of(path, language) for number, path, language in db.all("analysis.files")}
    nodes = [
        Node(
            number,
            kind,
            label(kind, name, module, path, is_file=bool(is_file)),
            key,
            file,
            parent,
            bool(is_file),
            bool(lends),
        )
        for number, kind, name, module, path, file, key, parent, is_file, lends in db.all("analysis.symbols", lending())
    ]
    return joined(nodes, files, (Reference(*row) for row in db.each("analysis.refs")))


def answer(db: Database) -> Analysis:
    """Return the analysis of the index `db` as it is now."""
    with db.transaction("DEFERRED"):
        generation, born = (int(db.value("writer.meta", (name,), 0)) for name in ("generation", "born"))
        before: dict[int, int] = dict(db.all("analysis.members_before"))
        graph = graph_of(db)
    return msgspec.structs.replace(analysed(graph, generation, before), index=born)


def main() -> None:
    """Analyse the index that the arguments name, and write the result to stdout."""
    gc.disable()  # all objects live to the end of the process
    if LOW_PRIORITY in sys.argv[2:]:
        lower_priority()
    sys.stdout.buffer.write(msgspec.msgpack.encode(answer(Database(sys.argv[1]))))


if __name__ == "__main__":
    main()
