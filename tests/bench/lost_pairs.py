"""Why a pair of function and test is lost: the calls on the way from the test to the function that are no edges of the graph, by what is written there."""

from __future__ import annotations

import ast
import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from codeagentd.model.kinds import Confidence, SymbolKind
from codeagentd.query.graph.relation_names import kinds_of
from codeagentd.query.graph.traversal import steps
from codeagentd.query.refactor.changed_symbols import IMPACT, NAMING
from codeagentd.store.connection import Database

if TYPE_CHECKING:
    from tests.bench.execution import Index, Symbol, Truth

AMBIGUOUS: Final = int(Confidence.AMBIGUOUS)
RUNNER: Final = ("_pytest.", "pluggy.", "pytest.", "unittest.")
CONSTRUCTORS: Final = frozenset(
    {"__init__", "__new__", "__post_init__", "__init_subclass__", "__set_name__", "__attrs_post_init__"}
)
SET_UP: Final = ("setup", "teardown", "setUp", "tearDown", "asyncSetUp", "asyncTearDown")
EXAMPLES: Final = 6
DEPTH: Final = "depth: reached by more steps than the default"
WHOLE: Final = "no call is missing: depth, caps or candidates that are not followed"


class Cause(NamedTuple):
    """A kind of missing edge: pairs with it on the way, pairs with no other kind on the way, examples."""

    name: str
    pairs: int
    alone: int
    examples: list[str]


class Call(NamedTuple):
    """A call that was seen: between symbols (no caller: from the runner, a thread or a loop), its place, and the library function in between."""

    callee: int
    caller: int | None
    site: tuple[int, int, int, int] | None
    library: str


class Reference(NamedTuple):
    """What the index has at a place: the name, and what it leads to."""

    line: int
    name: str
    target: int | None
    kind: int
    confidence: int


class Sources:
    """The texts and syntax trees of a project's files."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.lines = cache(self._lines)
        self.tree = cache(self._tree)
        self.places = cache(self._places)
        self.decorated = cache(self._decorated)
        self.generators = cache(self._generators)

    def _lines(self, path: str) -> list[str]:
        try:
            return (self.root / path).read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError):
            return []

    def _tree(self, path: str) -> ast.Module | None:
        try:
            return ast.parse("\n".join(self.lines(path)))
        except SyntaxError:
            return None

    def expression(self, path: str, site: tuple[int, int, int, int]) -> ast.AST | None:
        """The largest expression at exactly this place; columns are of UTF-8."""
        return self.places(path).get(site)

    def _places(self, path: str) -> dict[tuple[int, ...], ast.AST]:
        tree = self.tree(path) if path.endswith(".py") else None
        found: dict[tuple[int, ...], ast.AST] = {}
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, (ast.expr, ast.stmt)) and not isinstance(node, ast.Expr):
                found.setdefault((node.lineno, node.end_lineno or 0, node.col_offset, node.end_col_offset or 0), node)
        return found

    def _generators(self, path: str) -> frozenset[int]:
        tree = self.tree(path) if path.endswith(".py") else None
        return frozenset(
            node.lineno
            for node in (ast.walk(tree) if tree else ())
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            and any(isinstance(one, (ast.Yield, ast.YieldFrom)) for part in node.body for one in ast.walk(part))
        )

    def decorators(self, symbol: Symbol) -> str:
        """The decorators of a Python function as text."""
        return self.decorated(symbol.path).get(symbol.line, "")

    def _decorated(self, path: str) -> dict[int, str]:
        tree = self.tree(path) if path.endswith(".py") else None
        return {
            node.lineno: " ".join(map(ast.unparse, node.decorator_list))
            for node in (ast.walk(tree) if tree else ())
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        }


class Analysis:
    """The calls of a project's suite beside the edges of its graph."""

    def __init__(self, root: Path, db: Database, index: Index, truth: Truth, recorded: Iterable[Any]) -> None:
        self.db, self.index, self.truth = db, index, truth
        self.sources = Sources(root)
        self.calls: dict[int | None, list[Call]] = defaultdict(list)
        for callee, caller, site, library in recorded:
            target = truth.symbol_of[callee]
            source = None if caller < 0 else truth.symbol_of[caller]
            if target is not None and (caller < 0 or source is not None) and source != target:
                self.calls[source].append(Call(target, source, tuple(site) if site else None, library))
        self.edge = cache(self._edge)
        self.named = cache(self._named)
        self.references: dict[str, list[Reference]] = defaultdict(list)
        self.naming: dict[str, dict[int, bool]] = defaultdict(dict)  # name -> where it is written, whether it is open
        for path, line, name, target, kind, confidence, source in db.connection.execute(
            "SELECT f.path, r.line, n.name, r.target, r.kind, r.confidence, r.source FROM refs r JOIN files f ON f.id = r.id >> 20"
            " LEFT JOIN names n ON n.key = r.key"
        ):
            self.references[path].append(Reference(line, name or "", target, kind, confidence))
            self.naming[name or ""][source] = self.naming[name or ""].get(source, False) or target is None

    def _edge(self, callee: int) -> dict[int, int]:
        """The best confidence of the edges into a symbol, by where they begin."""
        found: dict[int, int] = {}
        for step in steps(self.db, [callee], forward=False, kinds=kinds_of(*IMPACT) & ~NAMING):
            found[step.end] = min(found.get(step.end, step.confidence), step.confidence)
        return found

    def confidence(self, call: Call) -> int | None:
        """The confidence of the edge that stands for a call; None without one."""
        if call.caller is None:
            return None
        edges = self.edge(call.callee)
        known = [edges[one] for one in self.index.chain(call.caller) if one in edges]
        return min(known) if known else None

    def ways(self, test: int, start: int) -> dict[int, Call | None]:
        """For each symbol that a test executes the call before it, on the way with the fewest missing edges."""
        bit = 1 << test
        inside = self.index.whole(start)
        best: dict[int, tuple[int, int]] = dict.fromkeys(inside, (0, 0))
        before: dict[int, Call | None] = dict.fromkeys(inside)
        heap = [(0, 0, one) for one in inside]
        while heap:
            missing, length, at = heapq.heappop(heap)
            if best[at] < (missing, length):
                continue
            calls = self.calls.get(at, []) + (self.calls.get(None, []) if at == start else [])
            for call in calls:
                if not self.truth.executed.get(call.callee, 0) & bit:
                    continue
                is_there = self.is_edge(call, test, start)
                reached = (missing + (not is_there), length + 1)
                if reached < best.get(call.callee, (10**6, 0)):
                    best[call.callee] = reached
                    before[call.callee] = call
                    heapq.heappush(heap, (*reached, call.callee))
        return before

    def is_edge(self, call: Call, test: int, start: int) -> bool:
        """Whether the graph has an edge for a call.

        A generator runs where it is iterated: it counts where anything that the test executes has an edge to it. A function that the runner calls is a fixture:
        it counts where the test names it.
        """
        confidence = self.confidence(call)
        if confidence is not None and confidence < AMBIGUOUS:
            return True
        if call.caller is None:
            return self.edge(call.callee).get(start, AMBIGUOUS) < AMBIGUOUS
        return self.is_generator(call.callee) and any(
            confidence < AMBIGUOUS and self._is_run(source, test)
            for source, confidence in self.edge(call.callee).items()
        )

    def _is_run(self, symbol: int, test: int) -> bool:
        return bool((self.truth.executed.get(symbol, 0) | self.truth.of_symbol.get(symbol, 0)) >> test & 1)

    def is_generator(self, number: int) -> bool:
        """Whether a symbol is a Python generator."""
        symbol = self.index.symbols[number]
        return symbol.line in self.sources.generators(symbol.path)

    def missing(self, function: int, before: dict[int, Call | None], test: int, start: int) -> list[Call] | None:
        """The calls on the way to a function that are no edges; None where no way is known."""
        if function not in before:
            return None
        found = []
        call = before[function]
        while call is not None:
            if not self.is_edge(call, test, start):
                found.append(call)
            call = before[call.caller if call.caller is not None else start]
        return found

    def _named(self, call: Call) -> tuple[str, str]:
        """(cause, example) of a call that is no edge."""
        callee = self.index.symbols[call.callee]
        caller = self.index.symbols[call.caller] if call.caller is not None else None
        written = ""
        if caller is not None and call.site:
            lines = self.sources.lines(caller.path)
            written = lines[call.site[0] - 1].strip() if call.site[0] <= len(lines) else ""
        example = f"{callee.qualified_name} ({callee.path}:{callee.line}) from " + (
            f"{caller.qualified_name} ({caller.path}:{call.site[0] if call.site else caller.line}) `{written[:90]}`"
            if caller is not None
            else "no function of the project"
        )
        example += f" via {call.library}" if call.library else ""
        return self._cause(call, callee, caller), example

    def _cause(self, call: Call, callee: Symbol, caller: Symbol | None) -> str:
        if caller is None:
            return self._from_outside(call, callee)
        if self.confidence(call) == AMBIGUOUS:
            return "method by its name on a receiver [candidates that are not followed]"
        if call.library:
            return self._through_library(call, callee)
        if not call.site:
            return "unknown place"
        node = self.sources.expression(caller.path, call.site)
        if self.is_generator(call.callee) and not (
            isinstance(node, ast.Call) and callee.name in ast.unparse(node.func)
        ):
            naming = self.naming.get(callee.name, {})
            stored = (
                "no reference of its name stored"
                if not naming
                else "open"
                if any(naming.values())
                else "resolved to other definitions"
            )
            return f"generator, created elsewhere [{stored}]"
        is_local = (parent := self.index.symbols.get(callee.parent or 0)) is not None and parent.kind in (
            SymbolKind.FUNCTION,
            SymbolKind.METHOD,
        )
        cause = cause_by_syntax(node, callee.name, is_local)
        return cause + (self._stored(call, callee, caller, node) if "by its name" in cause else "")

    def _from_outside(self, call: Call, callee: Symbol) -> str:
        decorators = self.sources.decorators(callee)
        if "fixture" in decorators:
            return "fixture, autouse" if "autouse" in decorators else "fixture"
        if callee.name.startswith(SET_UP):
            return "set-up or tear-down that the runner calls"
        if call.library.startswith(RUNNER):
            return "called by the runner: a hook, a parametrization or a doctest"
        return f"no caller in the project: thread, event loop or {call.library.partition('.')[0] or 'interpreter'}"

    def _through_library(self, call: Call, callee: Symbol) -> str:
        package = call.library.partition(".")[0]
        if call.library.startswith(("contextlib", "functools")):
            return f"through {package}: a decorated function or context manager"
        parent = self.index.symbols.get(callee.parent or 0)
        if parent is not None and parent.parent is None:
            return "function that a library calls back"
        if parent is not None and parent.kind in (SymbolKind.FUNCTION, SymbolKind.METHOD):
            return "local function that a library calls back"
        return "method that a library calls: hook of a subclass, or protocol"

    def _stored(self, call: Call, callee: Symbol, caller: Symbol, node: ast.AST | None) -> str:
        """What the index has of the name at the place of a call."""
        if not isinstance(node, (ast.Call, ast.Attribute)) or call.site is None:
            return ""
        function = node.func if isinstance(node, ast.Call) else node
        name = (
            function.attr
            if isinstance(function, ast.Attribute)
            else function.id
            if isinstance(function, ast.Name)
            else ""
        )
        rows = [
            one for one in self.references[caller.path] if call.site[0] <= one.line <= call.site[1] and one.name == name
        ]
        if not rows:
            return " [no reference stored]"
        if any(one.target is None for one in rows):
            return " [open]"
        targets = {one.target for one in rows if one.target is not None}
        if callee.number in targets:
            return " [stored; by another kind of edge]"
        return " [external]" if all(one < 0 for one in targets) else " [resolved to another definition]"


SPECIAL: Final = {
    **dict.fromkeys(("__enter__", "__exit__", "__aenter__", "__aexit__"), "of `with`"),
    **dict.fromkeys(("__iter__", "__next__", "__aiter__", "__anext__"), "of iteration"),
    **dict.fromkeys(("__getattr__", "__getattribute__", "__setattr__", "__delattr__"), "of attribute access"),
    **dict.fromkeys(("__get__", "__set__", "__delete__"), "of a descriptor"),
    **dict.fromkeys(("__str__", "__repr__", "__format__", "__bytes__"), "of text"),
    "__call__": "of a call of an instance",
}


PYTHON_SPECIAL: Final = frozenset(SPECIAL) | {
    name
    for kind in (object, int, float, str, list, dict, set, type, property, classmethod)
    for name in dir(kind)
    if name.startswith("__") and name.endswith("__")
}


def cause_by_syntax(node: ast.AST | None, name: str, is_local: bool) -> str:
    """The cause by the expression that calls."""
    called = node.func if isinstance(node, ast.Call) else node
    if isinstance(called, ast.Attribute) and called.attr == name:
        return f"{'method' if isinstance(node, ast.Call) else 'property'} by its name on a receiver"
    if isinstance(called, ast.Name) and called.id == name:
        return "function by its name"
    if name in CONSTRUCTORS:
        return "constructor of a class that a variable, parameter or attribute holds"
    if name in PYTHON_SPECIAL:
        return f"special method {SPECIAL.get(name, 'of an operator or built-in')}"
    if is_local:
        return "local function that its function returns or passes on"
    if isinstance(node, (ast.Await, ast.YieldFrom)):
        return "coroutine or generator that is resumed"
    if isinstance(called, ast.Attribute):
        return (
            "function that an attribute holds"
            if isinstance(node, ast.Call)
            else "function behind an attribute of another name"
        )
    if isinstance(called, ast.Name):
        return "function that a variable or parameter holds, or a built-in calls"
    if isinstance(called, ast.Subscript):
        return "function in a registry, by subscript"
    return f"other syntax: {type(called).__name__ if called else 'unknown'}"


def causes(
    root: Path,
    db: Database,
    index: Index,
    truth: Truth,
    recorded: Iterable[Any],
    missed: dict[int, dict[int, int]],
) -> Iterator[Cause]:
    """Why pairs are lost, most pairs first. `missed`: by depth the tests that were lost for each function."""
    analysis = Analysis(root, db, index, truth, recorded)
    least, most = min(missed), max(missed)
    pairs: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    calls: dict[str, Counter[str]] = defaultdict(Counter)
    near = sum(mask.bit_count() for mask in missed[least].values())
    far = sum(mask.bit_count() for mask in missed[most].values())
    pairs[DEPTH] = alone[DEPTH] = near - far
    for test, (start, _, _) in enumerate(truth.tests):
        lost = [function for function, mask in missed[most].items() if mask >> test & 1]
        if start is None or not lost:
            continue
        before = analysis.ways(test, start)
        for function in lost:
            missing = analysis.missing(function, before, test, start)
            named = [analysis.named(call) for call in missing or ()]
            kinds = {kind for kind, _ in named} or {"no way seen" if missing is None else WHOLE}
            for kind in kinds:
                pairs[kind] += 1
                alone[kind] += len(kinds) == 1
            for kind, example in dict.fromkeys(named):
                calls[kind][example] += 1
    for kind, count in pairs.most_common():
        examples = [f"{number} × {example}" for example, number in calls[kind].most_common(EXAMPLES)]
        yield Cause(kind, count, alone[kind], examples)
