"""How two revisions of a graph are compared."""

from __future__ import annotations

from itertools import chain

from codeagentd.analysis.graph_diff import Name, Revision
from codeagentd.model.graph_snapshot import Snapshot, packed
from codeagentd.model.kinds import ReferenceKind, SymbolKind


def packages(*paths: str) -> Snapshot:
    """A package of the same name in each file, and a function in the first by path that uses the one in the last."""
    rows = [[file, int(SymbolKind.NAMESPACE), 0, 0, 1] for file in range(len(paths))]
    user, used = paths.index(min(paths)), paths.index(max(paths))
    function = [user, int(SymbolKind.FUNCTION), 0, 1, 3]
    labels = ["main"] * len(paths) + ["run()"]
    return Snapshot(
        [*paths], labels, packed([*chain(*rows, function)]), packed([len(paths), used, int(ReferenceKind.CALL)]), 1
    )


def test_what_has_several_twins_is_the_same_whatever_order_the_index_has_its_files_in() -> None:
    names: dict[Name, int] = {}
    first, second = (
        Revision(packages(*paths), names) for paths in (("a.go", "b.go", "c.go"), ("c.go", "a.go", "b.go"))
    )
    assert first.nodes.keys() == second.nodes.keys()
    assert first.edges == second.edges
