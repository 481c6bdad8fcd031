"""Every tool on the graph gives the same answer: what one calls a caller, a dependent or an overriding member, the
others must call so too, for every symbol of a repository of many languages.

The differences of scope are data: each view names those that it has, and each difference says why it is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import pytest

from codeagentd.capabilities.completions import completed
from codeagentd.model.ids import node_id
from codeagentd.model.kinds import EDGE_TYPES, TYPES, SymbolKind
from codeagentd.query.graph.relation_names import ACROSS, RELATION_NAMES
from codeagentd.toolkit.context import Context
from tests.harness.asking import ask
from tests.harness.every_shape import FILES
from tests.harness.served import surroundings
from tests.harness.stored_rows import stored_rows

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
UNNAMED: Final = Difference(
    "references are the places that name the symbol, and an operation, or a call of a value, runs what it does not name",
    lambda _, edge: edge.origin == "operation",
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
            stored = stored_rows(db)
            symbols, languages = stored.symbols(), {file.path: file.language for file in stored.files()}
        everything = [
            Symbol(
                Key(one.qualified_name, one.path, one.line_start),
                node_id(one.uid),
                SymbolKind(one.kind),
                one.name,
                one.line_end,
            )
            for one in symbols
            if languages.get(one.path, "") not in LEFT_OUT or one.kind == SymbolKind.BOUNDARY
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
            answer = self.ask("structural_search", query=f"MATCH (a)-[:{edge}]->(b) RETURN a, b", limit=1000)
            assert not answer.get("note"), "one answer has all rows here"
            found |= {self.by_id[source["id"]] for source, target in answer["results"] if target["id"] == symbol.id}
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


def check_agreement(world: World, reference: Callable[[Symbol], list[Edge]], view: View) -> None:
    """Hold a view against the reference for each symbol; a view may lack what its differences leave out, and no more."""
    wrong = {}
    for symbol in world.symbols:
        if not view.applies(symbol):
            continue
        expected = {
            edge.end
            for edge in reference(symbol)
            if not any(difference.is_left_out(symbol, edge) for difference in view.differences)
        }
        found = view.ends(world, symbol)
        if ITSELF in view.differences:
            found = found - {symbol.key}
        if found != expected:
            wrong[symbol.key] = {"missing": expected - found, "more": found - expected}
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
         (THROUGH_BASE, UNNAMED)),
    View("find_refs", lambda world, one: world.sites(one, *CALLS), (THROUGH_BASE, UNNAMED)),
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
    check_agreement(world, lambda symbol: world.edges("get_callers", symbol), view)


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
    check_agreement(world, lambda symbol: world.edges("get_callees", symbol), view)


def within_reach(items: str, tool: str, **arguments: Any) -> Callable[[World, Symbol], set[Key]]:
    """What a tool on impact finds at one step, and the members that override at any depth: hops count each step of
    overriding, which is one step for tools about neighbours.
    """

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
    View("affected", within_reach("affected", "affected", label="", depth=1), (ITSELF,), is_no_type),
    View("impact_of", within_reach("nodes", "impact_of", target="", depth=1, limit=500), (ITSELF,), is_no_type),
    View("predict_edit", lambda world, one: within_reach("will_break", "predict_edit", symbol="", kind="signature", depth=1)(
        world, one) | within_reach("review", "predict_edit", symbol="", kind="signature", depth=1)(world, one),
        (ITSELF,), is_no_type),
    View("CGQL", lambda world, one: world.matched(one, *(
        name for name in RELATION_NAMES if name not in ("contains", "method"))) | world.matched(one, "overrides*1..8"),
        (AMBIGUOUS, ITSELF)),
)  # fmt: skip


@pytest.mark.parametrize("view", DEPENDENT_VIEWS, ids=lambda view: view.name)
def test_all_tools_name_the_same_dependents(world: World, view: View) -> None:
    check_agreement(
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
    check_agreement(world, lambda symbol: world.edges("get_implementations", symbol), view)


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
    check_agreement(world, lambda symbol: world.edges("get_dependents", symbol, *ACROSS), view)


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


class Truth(NamedTuple):
    """The callers of a symbol by the rules of its language, each as path:line."""

    shape: str
    symbol: str  # path:line
    callers: set[str]


TRUTHS: Final = (
    Truth("an overriding member, called through the base", "shop/stripe.py:10", {
        "shop/base.py:12", "shop/checkout.py:5", "shop/checkout.py:13", "shop/stripe.py:15"}),
    Truth("a member that overrides at two steps", "shop/stripe.py:15", {
        "shop/base.py:12", "shop/checkout.py:5", "shop/checkout.py:13"}),
    Truth("a constructor", "shop/stripe.py:6", {"shop/checkout.py:9"}),
    Truth("a constructor that is called by super()", "shop/base.py:6", {"shop/stripe.py:6"}),
    Truth("a constructor of TypeScript", "web/src/store.ts:23", {"web/src/client.ts:12"}),
    Truth("a constructor of a generic base", "web/src/store.ts:9", {"web/src/store.ts:23"}),
    Truth("a member that implements one of an interface", "web/src/store.ts:17", {
        "web/src/store.ts:31", "web/src/client.ts:8"}),
    Truth("a member that overrides at two steps, with a modifier", "web/src/store.ts:31", {"web/src/client.ts:8"}),
    Truth("a member in the other part of a partial class", "cs/AuthService.Checks.cs:5", {"cs/AuthService.cs:7"}),
    Truth("the overload that implements an interface", "cs/AuthService.cs:7", {
        "cs/AuthService.cs:12", "cs/Login.cs:11"}),
    Truth("the overload that implements nothing", "cs/AuthService.cs:12", {"cs/Login.cs:13"}),
    Truth("a constructor that is called by base(...)", "cs/AuthService.cs:5", {
        "cs/AuthService.Checks.cs:10", "cs/Login.cs:15"}),
    Truth("the overload of Java that implements an interface", "java/src/main/java/com/acme/Circle.java:10", {
        "java/src/main/java/com/acme/Circle.java:13", "java/src/main/java/com/acme/Main.java:6"}),
    Truth("the constructor that this(...) and new call", "java/src/main/java/com/acme/Circle.java:6", {
        "java/src/main/java/com/acme/Circle.java:8", "java/src/main/java/com/acme/Main.java:12"}),
    Truth("a method of Go that implements one of an interface", "go/store/store.go:16", {"go/store/store.go:20"}),
    Truth("a method of a trait's implementation", "rust/src/lib.rs:13", {"rust/src/lib.rs:3", "rust/src/lib.rs:16"}),
    Truth("a virtual function of C++", "native/fast.cpp:5", {"native/fast.cpp:4", "native/fast.cpp:7"}),
)  # fmt: skip


def at(world: World, place: str) -> Symbol:
    path, line = place.rsplit(":", 1)
    return next(one for one in world.symbols if (one.key.path, one.key.line) == (path, int(line)))


@pytest.mark.parametrize("truth", TRUTHS, ids=lambda truth: truth.shape)
def test_the_callers_are_those_by_the_rules_of_the_language(world: World, truth: Truth) -> None:
    edges = world.edges("get_callers", at(world, truth.symbol))
    assert {f"{edge.end.path}:{edge.end.line}" for edge in edges} == truth.callers


@pytest.mark.parametrize("truth", TRUTHS, ids=lambda truth: truth.shape)
def test_a_question_about_two_symbols_shows_the_edge_between_them(world: World, truth: Truth) -> None:
    symbol = at(world, truth.symbol)
    label = world.ask("get_node", label=symbol.id)["label"]
    for edge in world.edges("get_callers", symbol):
        if edge.confidence != "ambiguous":
            caller = world.ask("get_node", label=at(world, f"{edge.end.path}:{edge.end.line}").id)["label"]
            question = f"{edge.end.name} {symbol.key.name}"
            edges = world.ask("query_graph", question=question, token_budget=16_000)["edges"]
            assert (caller, edge.relation, label) in {
                (one["source"], one["relation"], one["target"]) for one in edges
            }, question


def test_the_routes_scripts_and_native_functions_have_callers_in_the_other_language(world: World) -> None:
    def dependents(label: str, depth: int) -> set[str]:
        return {item["label"] for item in world.ask("affected", label=label, depth=depth)["affected"]}

    assert {"GET /api/orders/{}", "loadOrder()"} <= dependents("get_order", 2)
    assert dependents("fast_sum", 1) == {"fast_total()"}
    assert dependents("scripts/report.py", 1) == {"report()"}
    assert world.ask("describe_node", label="fast_total")["callees"] == ["fast_sum()"]


def test_tests_that_a_change_affects_are_those_that_depend_on_it(world: World) -> None:
    runnable = {"tests/test_checkout.py", "web/src/client.test.ts", "go/store/store_test.go"}
    for path in FILES:
        affected = world.ask("affected", label=path, depth=16)
        reached = {item["file"] for item in affected["affected"]} if affected["found"] else set()
        assert runnable & reached - {path} <= set(world.ask("affected_tests", files=[path], depth=16)["files"]), path


def test_every_tool_knows_the_same_relations(world: World) -> None:
    symbol = next(one for one in world.symbols if one.short == "Stripe")
    for relation in EDGE_TYPES:
        expected = world.ask("get_dependents", node_id=symbol.id, edge_type=relation)["results"]
        filtered = world.ask("get_neighbors", label=symbol.id, relation_filter=relation)["neighbors"]
        ids = {item["id"] for item in filtered if item["direction"] == "in" and item["relation"] == relation}
        assert ids == {item["node_id"] for item in expected}, relation
        assert world.ask("structural_search", query=f"MATCH (a)-[:{relation}]->(b) RETURN count(a)")["groups"]
        if relation != "contains":
            world.ask("affected", label=symbol.id, relations=[relation])


def test_the_overview_the_nodes_and_the_completions_number_communities_alike(world: World) -> None:
    overview = world.ask("architecture_overview", limit=50)["communities"]
    assert overview
    for part in overview:
        for name in part["top_nodes"]:
            (hit, *_) = world.ask("lookup_symbol", qualified_name=name)["results"]
            assert world.ask("get_node", label=hit["node_id"])["community"] == part["id"], name
        assert world.ask("get_community", community_id=part["id"])["total"] > 0
    numbers = completed(world.ctx, "community_id", "")["completion"]["values"]
    assert {str(part["id"]) for part in overview} <= set(numbers)
    assert all(world.ask("get_community", community_id=int(number))["total"] for number in numbers)
