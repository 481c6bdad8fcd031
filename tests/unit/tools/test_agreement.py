"""Every tool on the graph gives the same answer: what one calls a caller, a dependent or an overriding member, the
others must call so too, for every symbol of a repository of many languages.

The differences of scope are data: each view names those that it has, and each difference says why it is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import pytest

from codeagentd.model.ids import node_id
from codeagentd.model.kinds import TYPES, SymbolKind
from codeagentd.query.graph.relation_names import ACROSS, RELATION_NAMES
from codeagentd.toolkit.context import Context
from tests.harness.asking import ask
from tests.harness.every_shape import FILES
from tests.harness.served import surroundings

CALLS: Final = ("calls", "constructs")
INHERITANCE: Final = ("inherits", "implements", "overrides")
FILE_KINDS: Final = (SymbolKind.FILE, SymbolKind.MODULE, SymbolKind.NAMESPACE)
LEFT_OUT: Final = {"json", "toml", "xml", ""}  # files that have no code


class Key(NamedTuple):
    """One form of every answer's way to name a symbol."""

    name: str
    path: str
    line: int


class Edge(NamedTuple):
    """A symbol at the other end of an edge, and what the answer says of the edge."""

    end: Key
    relation: str
    origin: str = ""
    confidence: str = ""


class Symbol(NamedTuple):
    """A symbol that is asked about."""

    key: Key
    id: str
    kind: SymbolKind
    short: str
    last: int

    @property
    def is_type(self) -> bool:
        return self.kind in TYPES


class Difference(NamedTuple):
    """Edges that one tool leaves out and another does not, and why."""

    reason: str
    is_left_out: Callable[[Symbol, Edge], bool]


THROUGH_BASE: Final = Difference(
    "references are the places that name the symbol, and a call through a base names the base's member",
    lambda _, edge: edge.origin == "override",
)
AMBIGUOUS: Final = Difference(
    "what is ambiguous is listed by tools of one step, and not followed by queries and paths",
    lambda _, edge: edge.confidence == "ambiguous",
)
ITSELF: Final = Difference(
    "a symbol is not among what depends on it, though it may call itself", lambda symbol, edge: edge.end == symbol.key
)


class View(NamedTuple):
    """A tool's answer to the question of a test, as the symbols at the other ends."""

    name: str
    ends: Callable[[World, Symbol], set[Key]]
    differences: tuple[Difference, ...] = ()
    applies: Callable[[Symbol], bool] = lambda symbol: True


class World:
    """The repository, with its answers in one form."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        with ctx.read() as db:
            rows = db.connection.execute(
                "SELECT s.uid, s.qualified_name, f.path, s.line_start, s.kind, s.name, s.line_end, f.language "
                "FROM symbols s JOIN files f ON f.id = s.file WHERE s.id > 0 ORDER BY s.id"
            ).fetchall()
        everything = [
            Symbol(Key(name, path, line), node_id(uid), SymbolKind(kind), short, last)
            for uid, name, path, line, kind, short, last, language in rows
            if language not in LEFT_OUT or kind == SymbolKind.BOUNDARY
        ]
        self.by_id = {symbol.id: symbol.key for symbol in everything}
        self.symbols = [symbol for symbol in everything if symbol.kind not in FILE_KINDS]
        self.everything = everything
        self._asked: dict[str, Any] = {}

    def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        question = f"{tool} {sorted(arguments.items())}"
        if question not in self._asked:
            self._asked[question] = ask(self.ctx, tool, **arguments).structured
        answer: dict[str, Any] = self._asked[question]
        assert not answer.get("next_cursor"), "one page is enough here"
        return answer

    def edges(self, tool: str, symbol: Symbol, *relations: str) -> list[Edge]:
        return [
            Edge(Key(item["qualified_name"], item["file_path"], item["line_start"]), item["edge_type"],
                 item["origin"], item["confidence"])
            for item in self.ask(tool, node_id=symbol.id, limit=500)["results"]
            if not relations or item["edge_type"] in relations
        ]  # fmt: skip

    def of_ids(self, items: list[dict[str, Any]], *relations: str) -> set[Key]:
        return {
            self.by_id[item["id"]]
            for item in items
            if item["id"] in self.by_id and (not relations or item["relation"] in relations)
        }

    def matched(self, symbol: Symbol, *edges: str) -> set[Key]:
        """What CGQL says is at the other end of these edges into a symbol."""
        found = set()
        for edge in edges:
            query = (
                f'MATCH (a)-[:{edge}]->(b) WHERE b.name = "{symbol.short}" AND b.file = "{symbol.key.path}" RETURN a, b'
            )
            rows = self.ask("structural_search", query=query, limit=1000)["results"]
            found |= {self.by_id[source["id"]] for source, target in rows if target["id"] == symbol.id}
        return found

    def sites(self, symbol: Symbol, *relations: str) -> set[Key]:
        """The innermost symbols of the name that find_refs says are around each place."""
        found = set()
        for site in self.ask("find_refs", symbol=symbol.id, limit=500)["sites"]:
            if site["kind"] in relations:
                around = [
                    one for one in self.everything
                    if one.key.path == site["path"] and one.key.line <= site["line"] <= one.last
                    and one.key.name == site.get("within", one.key.name)
                    and (site.get("within") or one.kind in FILE_KINDS)
                ]  # fmt: skip
                found.add(around[-1].key)
        return found

    def placed(self, items: list[dict[str, Any]]) -> set[Key]:
        root = f"{self.ctx.root}/"
        return {
            Key(item["qualified_name"], item["file_path"].removeprefix(root), item["range"]["start_line"])
            for item in items
        }

    def is_next_to(self, tool: str, symbol: Symbol) -> set[Key]:
        """The callers that are one step from a symbol by a tool about paths."""
        ids = {item["node_id"] for item in self.ask("get_callers", node_id=symbol.id, limit=500)["results"]}
        found = set()
        for end in ids - {symbol.id}:
            answer = self.ask(tool, source=end, target=symbol.id)
            found |= {self.by_id[end]} if answer["found"] and answer["hops"] == 1 else set()
        return found


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with surroundings(tmp_path_factory.mktemp("shapes"), FILES) as ctx:
        assert ctx.engine.analysed(60)
        yield World(ctx)


def compare(world: World, reference: Callable[[Symbol], list[Edge]], view: View) -> None:
    """Hold a view against the reference for each symbol; a view may lack what its differences leave out, and no more."""
    wrong = {}
    for symbol in world.symbols:
        if not view.applies(symbol):
            continue
        wanted = {
            edge.end
            for edge in reference(symbol)
            if not any(difference.is_left_out(symbol, edge) for difference in view.differences)
        }
        found = view.ends(world, symbol)
        if ITSELF in view.differences:
            found = found - {symbol.key}
        if found != wanted:
            wrong[symbol.key] = {"missing": wanted - found, "more": found - wanted}
    assert not wrong, "\n".join(f"{key}: {both}" for key, both in wrong.items())


def is_no_type(symbol: Symbol) -> bool:
    """For types, tools on impact include the members, so that their callers are more."""
    return not symbol.is_type


def has_own_name(world: World, symbol: Symbol) -> bool:
    return [one.key.name for one in world.symbols].count(symbol.key.name) == 1


def hierarchy(direction: str) -> Callable[[World, Symbol], set[Key]]:
    """The call hierarchy of all symbols of a name: for overloads, that of each is asked for by the others."""

    def ends(world: World, symbol: Symbol) -> set[Key]:
        if not has_own_name(world, symbol):
            tool = {"incoming": "get_callers", "outgoing": "get_callees"}[direction]
            return {edge.end for edge in world.edges(tool, symbol)}
        tool = "code.relation.callHierarchy"
        return world.placed(world.ask(tool, symbol_name=symbol.key.name, direction=direction)["results"])

    return ends


CALLER_VIEWS: Final = (
    View("find_callers", lambda world, one: world.of_ids(world.ask("find_callers", label=one.id)["neighbors"], *CALLS),
         applies=is_no_type),
    View("get_dependents", lambda world, one: {edge.end for edge in world.edges("get_dependents", one, *CALLS)}),
    View("get_neighbors", lambda world, one: world.of_ids(
        [item for item in world.ask("get_neighbors", label=one.id)["neighbors"] if item["direction"] == "in"], *CALLS)),
    View("get_references", lambda world, one: {edge.end for edge in world.edges("get_references", one, *CALLS)},
         (THROUGH_BASE,)),
    View("find_refs", lambda world, one: world.sites(one, *CALLS), (THROUGH_BASE,)),
    View("call hierarchy", hierarchy("incoming")),
    View("describe_symbol", lambda world, one: {
        Key(item["name"], item["path"], item["line"]) for item in world.ask("describe_symbol", symbol=one.id)["callers"]
    }, applies=is_no_type),
    View("affected", lambda world, one: world.of_ids(
        world.ask("affected", label=one.id, depth=1, relations=[*CALLS])["affected"]), (ITSELF,), is_no_type),
    View("CGQL", lambda world, one: world.matched(one, *CALLS), (AMBIGUOUS, ITSELF)),
    View("shortest_path", lambda world, one: world.is_next_to("shortest_path", one), (AMBIGUOUS, ITSELF)),
    View("path_between", lambda world, one: world.is_next_to("path_between", one), (AMBIGUOUS, ITSELF)),
)  # fmt: skip


@pytest.mark.parametrize("view", CALLER_VIEWS, ids=lambda view: view.name)
def test_all_tools_name_the_same_callers(world: World, view: View) -> None:
    compare(world, lambda symbol: world.edges("get_callers", symbol), view)


CALLEE_VIEWS: Final = (
    View("find_callees", lambda world, one: world.of_ids(
        world.ask("find_callees", label=one.id)["neighbors"], *CALLS)),
    View("get_dependencies", lambda world, one: {
        edge.end for edge in world.edges("get_dependencies", one, *CALLS) if edge.end.path in FILES}),
    View("call hierarchy", hierarchy("outgoing")),
    View("describe_symbol", lambda world, one: {
        Key(item["name"], item["path"], item["line"]) for item in world.ask("describe_symbol", symbol=one.id)["callees"]
    }),
    View("get_callers", lambda world, one: {
        other.key for other in world.symbols
        if one.key in {edge.end for edge in world.edges("get_callers", other)}}),
)  # fmt: skip


@pytest.mark.parametrize("view", CALLEE_VIEWS, ids=lambda view: view.name)
def test_all_tools_name_the_same_callees(world: World, view: View) -> None:
    compare(world, lambda symbol: world.edges("get_callees", symbol), view)


DEEPER: Final = Difference(
    "hops count each step of overriding, and members that override at any depth are one step in tools of one step",
    lambda _, edge: False,  # these are told apart by what depth 8 finds; see `within_reach`
)


def within_reach(items: str, tool: str, **arguments: Any) -> Callable[[World, Symbol], set[Key]]:
    """What a tool on impact finds at one step, and the members that override at any depth."""

    def ends(world: World, symbol: Symbol) -> set[Key]:
        found = world.ask(tool, **{key: symbol.id if value == "" else value for key, value in arguments.items()})
        first = (
            {Key(item["name"], item["path"], item["line"]) for item in found[items]} if tool == "impact_of" else None
        )
        deeper = world.ask("affected", label=symbol.id, depth=8, relations=["overrides"])["affected"]
        return (world.of_ids(found[items]) if first is None else first) | world.of_ids(deeper)

    return ends


DEPENDENT_VIEWS: Final = (
    View("get_neighbors", lambda world, one: world.of_ids([
        item for item in world.ask("get_neighbors", label=one.id)["neighbors"]
        if item["direction"] == "in" and item["relation"] != "contains"])),
    View("affected", within_reach("affected", "affected", label="", depth=1), (ITSELF, DEEPER), is_no_type),
    View("impact_of", within_reach("nodes", "impact_of", target="", depth=1, limit=500), (ITSELF, DEEPER), is_no_type),
    View("predict_edit", lambda world, one: within_reach("will_break", "predict_edit", symbol="", kind="signature", depth=1)(
        world, one) | within_reach("review", "predict_edit", symbol="", kind="signature", depth=1)(world, one),
        (ITSELF, DEEPER), is_no_type),
    View("CGQL", lambda world, one: world.matched(one, *(
        name for name in RELATION_NAMES if name not in ("contains", "method"))) | world.matched(one, "overrides*1..8"),
        (AMBIGUOUS, ITSELF)),
)  # fmt: skip


@pytest.mark.parametrize("view", DEPENDENT_VIEWS, ids=lambda view: view.name)
def test_all_tools_name_the_same_dependents(world: World, view: View) -> None:
    compare(
        world,
        lambda symbol: [edge for edge in world.edges("get_dependents", symbol) if edge.relation != "contains"],
        view,
    )


IMPLEMENTATION_VIEWS: Final = (
    View("get_dependents", lambda world, one: {edge.end for edge in world.edges("get_dependents", one, *INHERITANCE)}),
    View("CGQL", lambda world, one: world.matched(one, "overrides*1..8", "implements", "inherits"), (AMBIGUOUS,)),
    View("affected", lambda world, one: world.of_ids(
        world.ask("affected", label=one.id, depth=8, relations=["overrides"])["affected"]), applies=is_no_type),
    View("type hierarchy", lambda world, one: world.placed(world.ask(
        "code.type.hierarchy", symbol_name=one.key.name, direction="subtypes")["results"]),
        applies=lambda one: one.is_type),
    View("plan_rename", lambda world, one: {
        symbol.key for symbol in world.symbols
        for edit in world.ask("plan_rename", name=one.id, to="anotherName")["edits"]
        if edit["reason"].startswith("overrides") and symbol.key.path == edit["file"] and symbol.short == one.short
        and symbol.key.line <= edit["line"] <= symbol.last and one.key in overridden(world, symbol)},
        applies=lambda one: one.kind == SymbolKind.METHOD),
    View("is_override", lambda world, one: {
        symbol.key for symbol in world.symbols
        if world.ask("get_symbol", node_id=symbol.id)["is_override"] and one.key in overridden(world, symbol)},
        applies=is_no_type),
)  # fmt: skip


def overridden(world: World, symbol: Symbol) -> set[Key]:
    """The members that a symbol overrides, at any depth."""
    found: set[Key] = set()
    level = {symbol.key}
    while level:
        ends = [one for one in world.symbols if one.key in level]
        level = {edge.end for one in ends for edge in world.edges("get_dependencies", one, "overrides")} - found
        found |= level
    return found


@pytest.mark.parametrize("view", IMPLEMENTATION_VIEWS, ids=lambda view: view.name)
def test_all_tools_name_the_same_implementations(world: World, view: View) -> None:
    compare(world, lambda symbol: world.edges("get_implementations", symbol), view)


BOUNDARY_VIEWS: Final = (
    View("find_callers", lambda world, one: world.of_ids(
        world.ask("find_callers", label=one.id)["neighbors"], *ACROSS)),
    View("affected", lambda world, one: world.of_ids(
        world.ask("affected", label=one.id, depth=1, relations=[*ACROSS])["affected"]), applies=is_no_type),
    View("CGQL", lambda world, one: world.matched(one, *ACROSS)),
    View("find_callees", lambda world, one: {
        other.key for other in world.everything
        if one.key in world.of_ids(world.ask("find_callees", label=other.id)["neighbors"], *ACROSS)}),
)  # fmt: skip


@pytest.mark.parametrize("view", BOUNDARY_VIEWS, ids=lambda view: view.name)
def test_all_tools_follow_the_same_edges_between_languages(world: World, view: View) -> None:
    compare(world, lambda symbol: world.edges("get_dependents", symbol, *ACROSS), view)


@pytest.mark.parametrize(
    "path", sorted(path for path in FILES if path.endswith((".py", ".ts", ".cs", ".java", ".go", ".rs", ".cpp")))
)
def test_a_changed_file_has_the_same_dependents_for_each_tool(world: World, path: str) -> None:
    affected = world.ask("affected", label=path, depth=3)["affected"]
    assert {item["id"] for item in world.ask("predict_impact", files=[path], depth=3)["blast"]} == {
        item["id"] for item in affected
    }
    nodes = world.ask("impact_of", target=path, depth=3, limit=500)["nodes"]
    assert {Key(node["name"], node["path"], node["line"]) for node in nodes} == world.of_ids(affected)
