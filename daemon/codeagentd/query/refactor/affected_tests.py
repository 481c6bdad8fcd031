"""The tests that exercise some files: tests that depend on them, and tests that are named after them."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from codeagentd.model.file_kinds import can_be_run, holds_tests
from codeagentd.model.kinds import SymbolKind
from codeagentd.query.graph.impact import Reached
from codeagentd.query.graph.nodes import Node, nodes
from codeagentd.query.graph.traversal import FILES
from codeagentd.store.connection import Database

from .changed_symbols import FARTHEST, SymbolsOfFiles, blast, symbols_in, test_blast, touched

BY_NAME: Final = "named_after"  # the relation of a test file to the file that it is named after
ITSELF: Final = "changed"  # the relation of tests that are part of the change

BY_IMPORT: Final = "no test is known to run it: these import it, directly or not"
NONE_KNOWN: Final = (
    "no test is known to run it, nor to import it; what is started as a program, or called by a framework or by its "
    "name in a text, is not seen"
)

NO_TESTS: Final = "no file of the repository is known as one of tests"

_AFFIX: Final = re.compile(r"^test_+|[_.-](?:tests?|spec)$|(?:Tests?|Spec)$")
_SHARED: Final = "conftest.py"  # the file whose fixtures pytest gives to all tests below its folder, without an import


class AffectedTest(NamedTuple):
    """A test, and how it was reached: the number of steps, and the relation of the last one. `reached` is None for one
    that is found by its name or is changed itself (`relation` states which).
    """

    node: Node
    depth: int
    relation: str
    reached: Reached | None = None


class Selection(NamedTuple):
    """The tests of a change, the nearest first, and their files for a test runner: those with tests up to the wanted
    distance, and the others. `note`: what may be missing, in words; not `is_whole`: there may be more tests.
    """

    tests: list[AffectedTest]
    files: list[str]
    farther: list[str]
    note: str
    is_whole: bool


def select(db: Database, changed: Sequence[str], inside: SymbolsOfFiles, depth: int) -> Selection:
    """Select the tests of a change of the files `changed`, whose symbols are `inside`: those that may run one, at any
    distance. Where there are none, those whose files import a changed one, directly or not.

    `depth`: the number of steps up to which files count as near.
    """
    reached, cut = test_blast(db, inside.symbols)
    selected = tests(db, changed, inside.symbols, reached)
    note = cut
    if inside.has_code and all(test.relation == BY_NAME for test in selected):
        importing, cut = blast(db, touched(db, inside.files).symbols, FARTHEST)
        selected = tests(db, changed, inside.symbols, importing)
        why = BY_IMPORT if any(test.reached for test in selected) else NONE_KNOWN
        why = why if any(map(holds_tests, _paths(db))) else NO_TESTS
        note = "; ".join(filter(None, (cut, why)))
    near = runnable([test for test in selected if test.depth <= depth], changed, inside.files)
    known = set(near)
    farther = [path for path in runnable(selected, changed, inside.files) if path not in known]
    return Selection(selected, near, farther, note, not cut and NONE_KNOWN not in note)


def tests(db: Database, changed: Sequence[str], own: Collection[int], reached: Sequence[Reached]) -> list[AffectedTest]:
    """Return the tests among `own`, the symbols of the changed files, and `reached`, their dependents, and the test
    files named after changed files; the nearest first.

    A reached helper file of tests passes the change on to the tests that use it.
    """
    own = list(own)
    inside = _inline(db, [*own, *(item.symbol for item in reached)])
    known = nodes(db, [item.symbol for item in reached])
    result = [
        AffectedTest(node, 0, ITSELF)
        for node in nodes(db, own).values()
        if _is_test(node, inside) and not _is_file(node)
    ]
    result += [
        AffectedTest(known[item.symbol], item.distance, item.step.edge_type, item)
        for item in reached
        if item.symbol in known and _is_test(known[item.symbol], inside)
    ]
    seen = {item.node.file for item in result}
    named = [path for path in named_after(changed, _paths(db)) if path not in seen]
    result += [AffectedTest(node, 1, BY_NAME) for node in _file_nodes(db, named)]
    return sorted(result, key=lambda item: (item.depth, item.relation == BY_NAME, item.node.file, item.node.line_start))


def runnable(affected: Sequence[AffectedTest], changed: Collection[str], present: Collection[str]) -> list[str]:
    """Return the files of `affected` that can be passed to a test runner: changed test files, then the others in the
    order of `affected`. `present`: the files that exist.
    """
    own = sorted(path for path in changed if path in present and holds_tests(path))
    files = dict.fromkeys(own + [test.node.file for test in affected])
    return [path for path in files if can_be_run(path) or not holds_tests(path)]


def named_after(changed: Collection[str], paths: Collection[str]) -> list[str]:
    """Return those of `paths` that are test files whose names show that they test one of the `changed` files; for a
    changed conftest.py, all below its folder.
    """
    files = [path for path in paths if holds_tests(path) and can_be_run(path)]
    stems = {key for path in changed if not holds_tests(path) for key in _keys(path)}
    below = tuple(f"{posixpath.dirname(path)}/".lstrip("/") for path in changed if path.rpartition("/")[2] == _SHARED)
    return [path for path in files if stems.intersection(_keys(path)) or (below and path.startswith(below))]


def _keys(path: str) -> set[tuple[str, str]]:
    """The name without affixes such as `test_`, with the family of languages, by which a test file and a tested file
    are compared. For a file such as `__init__.py` or `index.ts` it is the folder's name; empty without a name.
    """
    folders, name = path.split("/")[:-1], path.rpartition("/")[2]
    stem, suffix = (
        name.partition(".")[0] if name.count(".") < 2 else name.rpartition(".")[0],
        posixpath.splitext(name)[1],
    )
    bare = _AFFIX.sub("", _AFFIX.sub("", stem)).strip("_").lower()
    language = _SORTS.get(suffix, suffix)
    if bare in ("", "__init__", "init__", "index", "mod", "main", "lib"):
        bare = folders[-1].lower() if folders else ""
    return {(bare, language)} if bare else set()


_SORTS: Final = (
    dict.fromkeys((".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte"), "ecmascript")
    | dict.fromkeys((".c", ".h", ".cc", ".cpp", ".hpp", ".cxx", ".hh"), "c")
    | dict.fromkeys((".kt", ".kts", ".java", ".scala"), "jvm")
)


def _paths(db: Database) -> list[str]:
    return [path for (path,) in db.all("change.paths")]


def _file_nodes(db: Database, paths: Collection[str]) -> list[Node]:
    rows = symbols_in(db, paths)
    return list(nodes(db, [number for _, number, kind, _, is_file in rows if is_file and kind in FILES]).values())


def _is_file(node: Node) -> bool:
    return node.label == node.file


def _is_test(node: Node, inside: Collection[int]) -> bool:
    return holds_tests(node.file) or node.number in inside


def _inline(db: Database, symbols: Sequence[int]) -> set[int]:
    """The symbols inside a module `tests` of a Rust file: tests next to the code that they test."""
    return {number for (number,) in db.all("change.tested", (json.dumps(list(symbols)), int(SymbolKind.MODULE)))}
