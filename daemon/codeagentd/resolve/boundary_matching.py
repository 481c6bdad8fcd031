"""Matching of boundaries between languages and processes: routes and requests, procedures, programs, native names.
Every edge is inferred.

A route's path is the path written there, below the prefixes of the object that it belongs to, as far as they are known.
A request leads to the one route whose template fits its path best; else to one that ends, or begins to match, alike;
else to nothing of this repository, and a boundary of its own stands for the service that it calls.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from codeagentd.model.boundaries import ANY, GRPC, HOLE, HTTP, ROOT, Boundary, Role, joined
from codeagentd.model.kinds import Origin, ReferenceKind, SymbolKind

from .symbol_table import Symbol
from .targets import ExternalSymbol

# of what routes hang on: a symbol, or a variable by its file, the symbol around it and its name
Key = int | tuple[int, int, str]

PREFIXES: Final = 4  # paths that one object may be put below: more are no API, but tests
DEEPEST: Final = 8
_NODE: Final = "node"  # the module of what N-API offers
_SCRIPTS: Final = frozenset({"javascript", "typescript", "tsx"})
_GATES: Final = frozenset({"api", "rest", "backend", "server"})  # what proxies put before paths, besides versions
_NATIVE: Final = frozenset({"c", "cpp"})
_CALLABLE: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.MACRO})


class Crossing(NamedTuple):
    """One boundary of a file, with symbols in place of names.

    `around` is the symbol that contains the boundary, `file_symbol` the symbol of the file.
    """

    file: int
    path: str
    language: str
    fact: Boundary
    around: int
    file_symbol: int
    on: Key | None
    to: Key | None


class Edge(NamedTuple):
    """One edge of the graph. An end is a symbol, or the name of a boundary."""

    file: int
    line: int
    col: int
    source: int | str
    target: int | str
    kind: int
    origin: int
    name: str


class IndexQueries(Protocol):
    """The lookups in the index that the matching of boundaries needs. Symbols and files are ids; 0 means none."""

    def symbol(self, symbol: int) -> Symbol:
        """Return the symbol with the id `symbol`."""

    def file_symbol_of(self, symbol: int) -> int:
        """Return the id of the symbol that stands for the file of `symbol`."""

    def language_of(self, symbol: int) -> str:
        """Return the language of the file of `symbol`."""

    def module(self, file: int, module: str) -> int:
        """Return the id of the symbol of the file that the module name `module` refers to in `file`."""

    def script(self, file: int, path: str) -> int:
        """Return the id of the symbol of the file that a command in `file` names by `path`, relative to the repository
        or to `file`.
        """

    def members(self, symbol: int) -> Iterable[Symbol]:
        """Return the members of the type `symbol`."""

    def place(self, symbol: int) -> tuple[int, int, int]:
        """Return (file, line, column) of the name of `symbol` in its definition."""

    def named(self, name: str) -> Sequence[Symbol]:
        """Return the symbols with the name `name`."""

    def external_references(self, outside: ExternalSymbol) -> Iterable[tuple[int, int, int, int]]:
        """Return (file, line, column, source) of each reference to the external symbol `outside`."""


class Route(NamedTuple):
    """The path template of a route, in the form in which requests are compared with it. `is_whole`: no unknown prefix
    precedes it.
    """

    method: str
    path: str
    parts: tuple[str, ...]
    is_whole: bool

    @property
    def name(self) -> str:
        """The name of the boundary: its method and path."""
        return f"{self.method} {self.path}"


def edges_of(crossings: Sequence[Crossing], index: IndexQueries) -> list[Edge]:
    """Return all edges that `crossings` cause, in the order of the boundaries."""
    http = _Http(crossings, index)
    result = [*http.edges(), *_procedures(crossings, index), *_programs(crossings, index), *_natives(crossings, index)]
    return list(dict.fromkeys(result))


def _edge(
    crossing: Crossing,
    source: int | str,
    target: int | str,
    kind: ReferenceKind,
    origin: Origin = Origin.LITERAL,
    name: str = "",
) -> Edge:
    fact = crossing.fact
    shown = name or (target if isinstance(target, str) else source if isinstance(source, str) else fact.text)
    return Edge(crossing.file, fact.line, fact.col, source, target, int(kind), int(origin), shown)


class _Http:
    """Routes below their prefixes, and the requests that mean them."""

    def __init__(self, crossings: Sequence[Crossing], index: IndexQueries) -> None:
        self._crossings = [crossing for crossing in crossings if crossing.fact.protocol == HTTP]
        self._index = index
        self._groups: dict[Key, Crossing] = {}
        self._mounts: dict[Key, list[Crossing]] = defaultdict(list)
        for crossing in self._crossings:
            if crossing.fact.role == Role.GROUP and crossing.on is not None:
                self._groups.setdefault(crossing.on, crossing)
        for crossing in self._crossings:
            if crossing.fact.role == Role.MOUNT:
                for child in self._mounted(crossing):
                    self._mounts[child].append(crossing)
        # by their number of parts and the first of them
        self._by_start: dict[tuple[int, str], list[Route]] = defaultdict(list)
        self._by_end: dict[str, list[Route]] = defaultdict(list)

    def edges(self) -> Iterator[Edge]:
        """Those of the routes, then those of the requests."""
        known: set[Route] = set()
        for crossing in self._crossings:
            if crossing.fact.role == Role.ROUTE:
                for route in self._routes(crossing):
                    known.add(route)
                    yield _edge(crossing, route.name, self._answering(crossing), ReferenceKind.HANDLE)
        for route in sorted(known):
            self._by_start[len(route.parts), route.parts[0] if route.parts else ""].append(route)
            self._by_end[route.parts[-1] if route.parts else ""].append(route)
        for crossing in self._crossings:
            if crossing.fact.role in (Role.CALL, Role.TRY) and (boundary := self._requested_boundary(crossing)):
                yield _edge(crossing, crossing.around, boundary[0], ReferenceKind.SERVICE, boundary[1])

    # -- prefixes
    def _mounted(self, mount: Crossing) -> list[Key]:
        """The keys that a mount puts below its path: an object, or all of a file."""
        if mount.fact.module and (file := self._index.module(mount.file, mount.fact.module)):
            return [file]
        if mount.to is None:
            return []
        if (
            isinstance(mount.to, int)
            and mount.to not in self._groups
            and self._index.symbol(mount.to).kind not in _CALLABLE
        ):
            return [mount.to, self._index.file_symbol_of(mount.to)]
        return [mount.to]

    def _prefixes(self, key: Key, scope: int, seen: frozenset[Key] = frozenset()) -> list[tuple[str, bool]]:
        """(path, whether all of it is known) of each prefix of an object's routes."""
        if key in seen or len(seen) > DEEPEST:
            return []
        seen |= {key}
        group = self._groups.get(key)
        own = group.fact.text if group is not None else "/"
        if group is not None and group.to is not None and group.to != key:
            return [(joined(before, own), known) for before, known in self._prefixes(group.to, group.around, seen)][
                :PREFIXES
            ]
        mounts = self._mounts_of(key, scope)
        result: dict[tuple[str, bool], None] = {}
        for mount in mounts:
            above = mount.on if mount.on is not None else mount.around or mount.file_symbol
            inner = mount.fact.text if mount.fact.method == "=" else joined(mount.fact.text, own)
            for before, known in self._prefixes(above, mount.around, seen):
                result[joined(before, inner), known] = None
        if result:
            return list(result)[:PREFIXES]
        return [(own, group is not None and group.fact.module in (ROOT, "type"))]

    def _mounts_of(self, key: Key, scope: int) -> list[Crossing]:
        """The mounts of an object: of itself, else of the function or file that contains it."""
        if mounts := self._mounts.get(key):
            return mounts
        if isinstance(key, tuple):
            return self._mounts.get(scope, [])
        group = self._groups.get(key)
        if group is not None and group.fact.module == ROOT:
            return []
        return self._mounts.get(self._index.file_symbol_of(key), [])

    def _routes(self, crossing: Crossing) -> Iterator[Route]:
        key = crossing.on if crossing.on is not None else crossing.around or crossing.file_symbol
        for before, known in self._prefixes(key, crossing.around):
            path = joined(before, crossing.fact.text)
            yield Route(crossing.fact.method, path, _parts(path), known)

    def _answering(self, crossing: Crossing) -> int:
        """The handler of a route: the definition that the route names, by its type or as the only one of its name; else
        the definition that the route stands on or in.
        """
        return crossing.to if isinstance(crossing.to, int) else _function(crossing, self._index)

    # -- requests
    def _requested_boundary(self, crossing: Crossing) -> tuple[str, Origin] | None:
        """The boundary that a request leads to, and the rule by which it was found."""
        fact, host = crossing.fact, crossing.fact.module if crossing.fact.module != HOLE else ""
        path, is_below = fact.text, fact.module == HOLE
        client = self._groups.get(crossing.on) if crossing.on is not None and not host else None
        if client is not None:
            path = joined(client.fact.text, path)
            is_below |= client.fact.module == HOLE
            host = client.fact.module if "." in client.fact.module else ""
        if host:
            return (f"{fact.method} {host}{path}", Origin.LITERAL) if fact.role == Role.CALL else None
        result = self._fitting(fact.method, _parts(path)) or (
            self._ending(fact.method, _parts(path), is_below) if is_below or fact.role == Role.CALL else None
        )
        if result is None and fact.role == Role.CALL and path != "/":
            return f"{fact.method} {path}", Origin.LITERAL
        return result

    def _fitting(self, method: str, parts: tuple[str, ...]) -> tuple[str, Origin] | None:
        """The route whose template has the most literal parts of a path."""
        starts = dict.fromkeys((parts[0] if parts else "", HOLE))
        near = [route for start in starts for route in self._by_start.get((len(parts), start), ())]
        fits = [
            route
            for route in near
            if _is_method(route.method, method)
            and _fits(route.parts, parts)
            and (_literal_count(route.parts) or not parts)
        ]
        if not fits:
            return None
        most = max(_literal_count(route.parts) for route in fits)
        best = _only([route for route in fits if _literal_count(route.parts) == most], method)
        return (best.name, Origin.LITERAL if best.parts == parts else Origin.TEMPLATE) if best else None

    def _ending(self, method: str, parts: tuple[str, ...], is_below: bool) -> tuple[str, Origin] | None:
        """The only route that ends as a path does, or that a path ends as: what is left over is not known on one side,
        or a proxy's.
        """
        ends = {parts[-1] if parts else "", HOLE}
        fits = []
        for route in (route for end in sorted(ends) for route in self._by_end[end]):
            short, long, open_end = (
                (parts, route.parts, is_below)
                if len(parts) < len(route.parts)
                else (route.parts, parts, not route.is_whole)
            )
            rest = long[: len(long) - len(short)]
            if (
                rest
                and _literal_count(short)
                and (long is route.parts or HOLE not in rest)
                and _is_method(route.method, method)
                and (open_end or all(map(_is_gate, rest)))
            ):
                tail = len(rest)
                ours, theirs = (route.parts[tail:], parts) if long is route.parts else (route.parts, parts[tail:])
                if _literal_count(ours) and _fits(ours, theirs):
                    fits.append(route)
        best = _only(fits, method)
        return (best.name, Origin.SUFFIX) if best else None


def _parts(path: str) -> tuple[str, ...]:
    return tuple(part.lower() for part in path.split("/") if part)


def _literal_count(parts: Sequence[str]) -> int:
    """The number of a template's parts that are literal."""
    return sum(part != HOLE for part in parts)


def _fits(template: Sequence[str], parts: Sequence[str]) -> bool:
    return len(template) == len(parts) and all(
        ours in (HOLE, theirs) for ours, theirs in zip(template, parts, strict=True)
    )


def _is_method(ours: str, theirs: str) -> bool:
    return ours == theirs or ANY in (ours, theirs) or (theirs == "HEAD" and ours == "GET")


def _is_gate(part: str) -> bool:
    return part in _GATES or (part[0] == "v" and part[1:].isdigit())


def _only(routes: Sequence[Route], method: str) -> Route | None:
    """The one route among some that fit alike: that of the very method, where there is one."""
    named = {route.name: route for route in routes if route.method == method} or {route.name: route for route in routes}
    return next(iter(named.values())) if len(named) == 1 else None


def _procedures(crossings: Sequence[Crossing], index: IndexQueries) -> Iterator[Edge]:
    """gRPC: what interface definitions say, by the names of services and procedures; generated code writes them with
    other first letters.
    """
    known: dict[str, str] = {}
    services: dict[str, dict[str, str]] = defaultdict(dict)
    for crossing in crossings:
        if crossing.fact.protocol == GRPC and crossing.fact.role == Role.OFFER:
            name = f"gRPC {crossing.fact.text}"
            service, _, procedure = crossing.fact.text.lower().partition("/")
            known[crossing.fact.text.lower()] = services[service][procedure] = name
            yield _edge(crossing, name, crossing.around, ReferenceKind.HANDLE)
    for crossing in crossings if known else ():
        fact = crossing.fact
        if fact.role == Role.SERVE:
            for member in sorted(index.members(crossing.around), key=lambda member: member.id):
                answered = services.get(fact.text.lower(), {}).get(member.name.lower())
                if answered and member.kind in _CALLABLE:
                    yield Edge(
                        *index.place(member.id),
                        answered,
                        member.id,
                        int(ReferenceKind.HANDLE),
                        int(Origin.LITERAL),
                        answered,
                    )
        elif fact.protocol == GRPC and (boundary := known.get(fact.text.lower())):
            if fact.role == Role.CALL:
                yield _edge(crossing, crossing.around, boundary, ReferenceKind.SERVICE)
            elif fact.role == Role.ROUTE:
                yield _edge(crossing, boundary, crossing.around, ReferenceKind.HANDLE)


def _programs(crossings: Sequence[Crossing], index: IndexQueries) -> Iterator[Edge]:
    for crossing in crossings:
        if crossing.fact.role != Role.RUN:
            continue
        if crossing.fact.method != "script":
            yield _edge(crossing, crossing.around, f"command {crossing.fact.text}", ReferenceKind.INVOKE)
        elif (script := index.script(crossing.file, crossing.fact.text)) and script != crossing.around:
            yield _edge(crossing, crossing.around, script, ReferenceKind.INVOKE)


def _natives(crossings: Sequence[Crossing], index: IndexQueries) -> Iterator[Edge]:
    """Edges of calls and declarations by the name of a definition in another language, and of what native modules offer
    to Python.
    """
    offers: dict[tuple[bool, str], set[int]] = defaultdict(set)  # by whether scripts ask for it, and its name
    for crossing in crossings:
        module = crossing.fact.module
        if crossing.fact.role == Role.OFFER and crossing.fact.protocol != GRPC:
            offered = crossing.to if isinstance(crossing.to, int) else _function(crossing, index)
            if module in ("", _NODE):
                offers[module == _NODE, crossing.fact.text].add(offered)
            else:
                outside = ExternalSymbol("python", module, f"{module}.{crossing.fact.text}", ".")
                for file, line, col, source in index.external_references(outside):
                    yield Edge(
                        file,
                        line,
                        col,
                        source,
                        offered,
                        int(ReferenceKind.BIND),
                        int(Origin.LITERAL),
                        crossing.fact.text,
                    )
    for crossing in crossings:
        if crossing.fact.role == Role.BIND:
            definitions = offers.get((crossing.language in _SCRIPTS, crossing.fact.text)) or _defined(crossing, index)
            if len(definitions) == 1 and (target := next(iter(definitions))) != crossing.around:
                yield _edge(crossing, crossing.around, target, ReferenceKind.BIND, name=crossing.fact.text)


def _function(crossing: Crossing, index: IndexQueries) -> int:
    """The function that an offer names where no reference leads to it: the only one of that name in its language; else
    the enclosing definition.
    """
    name = crossing.to[2] if isinstance(crossing.to, tuple) else ""
    result = [
        symbol.id
        for symbol in index.named(name)
        if name and _is_function(symbol) and index.language_of(symbol.id) == crossing.language
    ]
    return result[0] if len(result) == 1 else crossing.around


def _defined(crossing: Crossing, index: IndexQueries) -> set[int]:
    """Definitions that another language calls by their bare names."""
    return {
        symbol.id
        for symbol in index.named(crossing.fact.text)
        if _is_function(symbol) and index.language_of(symbol.id) in _NATIVE and symbol.id != crossing.around
    }


def _is_function(symbol: Symbol) -> bool:
    return symbol.kind in (SymbolKind.FUNCTION, SymbolKind.METHOD)
