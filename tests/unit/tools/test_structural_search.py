"""structural_search: queries with answers worked out by hand, mistakes, caps, patterns."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codeagentd.model.kinds import EDGE_TYPES
from codeagentd.query.cgql import executor
from codeagentd.query.cgql.ast import FIELDS
from codeagentd.toolkit.call import Answer, run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.served import surroundings

CATALOGUE = load("codeagentd.tools")
GENERATED = int(os.environ.get("GENERATED_QUERIES", "200"))  # `make queries` asks 10,000

# Lines matter: Base 1-3, Left 6-8, Right 11-13, Keeper 16-23, make 26-27, chain_a 30-31, chain_b 34-35, chain_c 38-39, loop 42-43
ZOO = """class Base:
    def speak(self):
        pass


class Left(Base):
    def speak(self):
        return chain_a()


class Right(Base):
    def speak(self):
        return 2


class Keeper:
    pet: Base
    _own: "Keeper"

    def feed(self) -> "Keeper":
        return self

    def _hide(self, other: Base): ...


def make() -> Base:
    return Left()


def chain_a():
    return chain_b()


def chain_b():
    return chain_c()


def chain_c():
    return make()


def loop():
    return loop()
"""
WEB = "import { helper } from './helper';\nexport function page() {\n  return helper();\n}\n"
FILES = {
    "zoo/animals.py": ZOO,
    "zoo/visit.py": "from zoo.animals import Keeper, chain_a\n\n\ndef visit(day):\n    chain_a()\n    return Keeper().feed()\n",
    "web/page.ts": WEB,
    "web/helper.ts": "export function helper() {\n  return 1;\n}\n",
    "shop/far.py": "from zoo.animals import Left\n\n\ndef far():\n    return Left()\n",
}


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("zoo"), FILES) as found:
        assert found.engine.analysed(30)
        yield found


def search(ctx: Context, query: str, **more: Any) -> Answer:
    return run(CATALOGUE["structural_search"], ctx, {"query": query, **more})


def rows(ctx: Context, query: str, **more: Any) -> list[Any]:
    """Labels of nodes, or values; a row of one as that one."""
    answer = search(ctx, query, **more)
    assert not answer.is_error, answer.text
    found = [[node["label"] for node in row] for row in answer.structured["results"]] or answer.structured.get(
        "groups", []
    )
    return [row[0] if len(row) == 1 else tuple(row) for row in found]


CHAIN = ["chain_a()", "chain_b()", "chain_c()"]
ANSWERS: list[tuple[str, list[Any]]] = [
    ("MATCH (c:class) RETURN c", ["Base", "Left", "Right", "Keeper"]),
    ("match (c:CLASS) where c.loc > 3 return c", ["Keeper"]),
    ("MATCH (c:class) WHERE c.loc >= 3 AND c.loc <= 3 RETURN c", ["Base", "Left", "Right"]),
    ("MATCH (c:class) WHERE c.loc = 8 RETURN c.name", ["Keeper"]),
    ("MATCH (c:class) WHERE c.loc != 3 RETURN c.name, c.loc", [("Keeper", 8)]),
    ("MATCH (c:class) WHERE NOT c.loc = 3 RETURN c", ["Keeper"]),
    ('MATCH (f:function) WHERE f.name =~ "^chain" RETURN f', CHAIN),
    ("MATCH (f:function) WHERE f.name =~ '_[bc]$' RETURN f", CHAIN[1:]),
    ("MATCH (f:function) WHERE f.name = make RETURN f", ["make()"]),
    ('MATCH (f) WHERE f.name = "speak" RETURN f', ["Base.speak()", "Left.speak()", "Right.speak()"]),
    ("MATCH (m:method) WHERE m.visibility = private OR m.visibility = protected RETURN m", ["Keeper._hide()"]),
    ("MATCH (f:function) WHERE f.lang = typescript RETURN f", ["helper()", "page()"]),
    ('MATCH (f:function) WHERE f.file = "zoo/visit.py" RETURN f', ["visit()"]),
    ('MATCH (f:function) WHERE f.file =~ "^web/" AND NOT f.name = page RETURN f', ["helper()"]),
    ("MATCH (m:module) RETURN count(m)", [3]),
    ("MATCH (f:function)-[:calls]->(g:function) WHERE f.name = chain_a RETURN g", ["chain_b()"]),
    ("MATCH (g:function)<-[:calls]-(f:function) WHERE g.name = chain_b RETURN f", ["chain_a()"]),
    (
        "MATCH (f:function)-[:calls*]->(g) WHERE f.name = chain_a AND g.kind = function RETURN g",
        ["make()", "chain_b()", "chain_c()"],
    ),
    ("MATCH (f:function)-[:calls*2]->(g:function) WHERE f.name = chain_a RETURN g", ["chain_c()"]),
    ("MATCH (f:function)-[:calls*2..]->(g:function) WHERE f.name = chain_a RETURN g", ["make()", "chain_c()"]),
    ("MATCH (f:function)-[:calls*..2]->(g:function) WHERE f.name = chain_a RETURN g", ["chain_b()", "chain_c()"]),
    ("MATCH (f:function)-[:calls*1..8]->(g:function) WHERE f.name = loop RETURN g", []),
    ("MATCH (f)-[:calls]-(g:function) WHERE f.name = chain_b RETURN g", ["chain_a()", "chain_c()"]),
    ("MATCH (c:class)-[:inherits]->(b:class) RETURN c, b", [("Left", "Base"), ("Right", "Base")]),
    ("MATCH (b:class)<-[:inherits]-(c) RETURN b.name, count(c)", [("Base", 2)]),
    (
        "MATCH (c:class)-[:contains]->(m:method) RETURN c, count(m)",
        [("Keeper", 2), ("Base", 1), ("Left", 1), ("Right", 1)],
    ),
    ("MATCH (c:class)-[:method]->(m:method) WHERE c.name = Keeper RETURN m", ["Keeper.feed()", "Keeper._hide()"]),
    ("MATCH (m)-[:imports]->(f:function) RETURN m, f", [("web/page.ts", "helper()"), ("zoo/visit.py", "chain_a()")]),
    ("MATCH (m:module)-[:imports_from]->(c:class) RETURN m.file", ["shop/far.py", "zoo/visit.py"]),
    ("MATCH (f:function)-[:returns]->(c:class) RETURN f, c", [("make()", "Base")]),
    ("MATCH (m)-[:accepts]->(c:class) RETURN m", ["Keeper._hide()"]),
    ("MATCH (f:function) WHERE f.fan_in = 0 RETURN f.name", ["far", "loop", "page", "visit"]),
    ("MATCH (f:function) WHERE f.fan_in > 2 RETURN f", ["chain_a()"]),
    ("MATCH (f:function) WHERE f.fan_out < 1 RETURN f", ["helper()", "loop()"]),
    ("MATCH (f:function) WHERE f.degree = 1 RETURN f.name", ["loop"]),
    (
        "MATCH (f:function)-[:calls]->(g)-[:calls]->(h) WHERE f.name = visit AND h.kind = function RETURN g, h",
        [("chain_a()", "chain_b()")],
    ),
    ("MATCH (a)-[:calls]->(a) RETURN a", []),
    (
        "MATCH (f:function)-[:calls]->(m:method)<-[:contains]-(c:class) RETURN f, m, c",
        [("visit()", "Keeper.feed()", "Keeper")],
    ),
    ('MATCH (f) WHERE has(f, "static") RETURN f', []),
    ('MATCH (f) WHERE NOT has(f, "static") AND f.kind = class RETURN count(*)', [4]),
    ("MATCH (f:function) WHERE (f.name = loop OR f.name = make) AND NOT (f.name = make) RETURN f", ["loop()"]),
    ("MATCH (c:class) RETURN c.loc", [3, 8]),
    ("MATCH (c:class) RETURN c LIMIT 2", ["Base", "Left"]),
    ("MATCH (c:class) RETURN c LIMIT 0", []),
    ("MATCH (:class)-[:contains]->(m:method) RETURN count(m), m.name", [(3, "speak"), (1, "_hide"), (1, "feed")]),
    ("MATCH (n:trait) RETURN count(*)", [0]),
    ("MATCH (n:trait) RETURN n.name, count(*)", []),
    ("MATCH (a:class)-->(b:class) WHERE a.name = Left RETURN b", ["Base"]),
]


@pytest.mark.parametrize(("query", "answer"), ANSWERS, ids=[query for query, _ in ANSWERS])
def test_a_query_has_the_answer_that_was_worked_out_by_hand(query: str, answer: list[Any], ctx: Context) -> None:
    assert rows(ctx, query) == answer


@pytest.mark.parametrize(
    ("query", "place", "told"),
    [
        ("", "line 1, column 1", "MATCH"),
        ("MATCH (c:klass) RETURN c", "column 10", "class"),
        ("MATCH (c)-[:frobs]->(d) RETURN c", "column 13", "calls"),
        ("MATCH (c) WHERE c.size > 1 RETURN c", "column 19", "fan_in"),
        ("MATCH (c) WHERE d.loc > 1 RETURN c", "column 17", "use one of: c"),
        ("MATCH (c) RETURN d", "column 18", "use one of: c"),
        ("MATCH () RETURN d", "column 17", "none is named"),
        ("MATCH (c) WHERE c.loc = big RETURN c", "column 25", "number"),
        ("MATCH (c) WHERE c.loc =~ \"1\" RETURN c", "column 26", "<="),
        ("MATCH (c) WHERE c.name =~ \"(a\" RETURN c", "column 27", "RE2"),
        ("MATCH (c) WHERE c.name =~ \"(?=a)\" RETURN c", "column 27", "look-around"),
        ("MATCH (c)-[*0..2]->(d) RETURN c", "column 16", "1 to 8"),
        ("MATCH (c)-[*9]->(d) RETURN c", "column 13", "1 to 8"),
        ("MATCH (c)-[*3..2]->(d) RETURN c", "column 16", "lower first"),
        ("MATCH (c)\nRETURN c ORDER", "line 2, column 10", "LIMIT"),
        ("MATCH (c) RETURN c LIMIT many", "column 26", "a number"),
        ("MATCH (c) WHERE c.name = \"open RETURN c", "column 26", "a text"),
        ("MATCH (c:class RETURN c", "column 16", ")"),
        ("MATCH (c)", "column 10", "RETURN"),
        ("MATCH (c) ; DROP TABLE symbols", "column 11", "RETURN"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_place_and_what_could_stand_there(
    query: str, place: str, told: str, ctx: Context
) -> None:
    error = search(ctx, query).structured["error"]
    assert error["code"] == "invalid_parameter"
    assert place in error["message"]
    assert told in error["remedy"]


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (c) WHERE " + "(" * 2000 + "c.loc > 1",
        "MATCH (c) WHERE " + "NOT " * 900 + "c.loc > 1 RETURN c",
        "MATCH (c)" + "-->(d)" * 600 + " RETURN c",
        "MATCH (c) WHERE c.name =~ \"" + "a?" * 400 + "\" RETURN c",
        "MATCH (c) RETURN c LIMIT " + "9" * 3000,
        "MATCH (c) WHERE c.loc > " + "9" * 3000 + " RETURN c",
        "MATCH (c) WHERE " + " OR ".join(["c.loc > 1"] * 250) + " RETURN c",
    ],
    ids=["parentheses", "nots", "path", "expression", "limit", "number", "ors"],
)  # fmt: skip
def test_a_query_out_of_proportion_is_refused_or_answered(query: str, ctx: Context) -> None:
    answer = search(ctx, query)
    assert not answer.is_error or answer.structured["error"]["code"] in ("invalid_parameter", "too_large")


def test_an_expression_that_others_hang_on_takes_no_time(ctx: Context) -> None:
    assert rows(ctx, 'MATCH (c) WHERE c.name =~ "^(a+)+$" RETURN count(*)') == [0]


def test_what_matches_too_often_or_takes_too_long_is_refused(ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "BINDINGS", 20)
    assert search(ctx, "MATCH (a)-[*1..8]-(b) RETURN count(*)").structured["error"]["code"] == "too_large"
    monkeypatch.setattr(executor, "SECONDS", -1.0)
    assert "longer than" in search(ctx, "MATCH (a:class) RETURN a").structured["error"]["message"]


def test_the_limit_says_how_many_are_left_out(ctx: Context) -> None:
    answer = search(ctx, "MATCH (c:class) RETURN c", limit=1)
    assert answer.rendered.splitlines() == [
        "1 row (c):",
        "Base [class/public] zoo/animals.py:L1",
        "Note: 3 more rows are left out by the limit",
    ]
    assert len(rows(ctx, "MATCH (c:class) RETURN c LIMIT 3", limit=2)) == 2
    assert rows(ctx, "MATCH (c:class) RETURN c", limit=-4) == []


def test_a_matched_node_has_its_signature(ctx: Context) -> None:
    (row,) = search(ctx, "MATCH (m:method) WHERE m.name = _hide RETURN m").structured["results"]
    assert row[0]["signature"]["params"] == [{"name": "self"}, {"name": "other", "type_ref": "Base"}]
    assert row[0].keys() == {"id", "label", "kind", "visibility", "file", "line", "loc", "signature"}


def test_query_or_pattern_and_not_both(ctx: Context) -> None:
    for arguments in ({}, {"query": "MATCH (c) RETURN c", "pattern": "factory"}, {"pattern": "visitor"}):
        assert run(CATALOGUE["structural_search"], ctx, arguments).structured["error"]["code"] == "invalid_parameter"


@pytest.mark.parametrize(
    ("pattern", "answer"),
    [
        ("singleton", ["Keeper"]),
        ("factory", ["make()"]),
        ("observer", ["Keeper"]),
        ("god-class", []),
        ("service-locator", []),
    ],
)
def test_a_pattern_finds_what_looks_like_it(pattern: str, answer: list[str], ctx: Context) -> None:
    found = run(CATALOGUE["structural_search"], ctx, {"pattern": pattern})
    assert [row[0]["label"] for row in found.structured["results"]] == answer


def test_a_class_that_is_long_and_uses_much_is_a_god_class(tmp_path_factory: pytest.TempPathFactory) -> None:
    helpers = "\n".join(f"def helper_{number}():\n    pass\n" for number in range(25))
    methods = "\n".join(f"    def do_{number}(self):\n" + f"        helper_{number}()\n" * 20 for number in range(25))
    short = "\n".join(f"class Short{number}:\n    pass\n" for number in range(3))
    with surroundings(
        tmp_path_factory.mktemp("god"), {"god.py": f"{helpers}\n\nclass God:\n{methods}\n{short}"}
    ) as ctx:
        found = run(CATALOGUE["structural_search"], ctx, {"pattern": "god-class"})
        assert [row[0]["label"] for row in found.structured["results"]] == ["God"]


NAMES = st.sampled_from(["a", "b", "c", "n"])
KIND = st.sampled_from(["", ":class", ":function", ":method", ":module", ":nothing"])
NODE = st.builds(lambda name, kind: f"({name}{kind})", st.one_of(NAMES, st.just("")), KIND)
REACH = st.sampled_from(["", "*", "*2", "*1..3", "*..2", "*2..", "*0", "*9..1"])
EDGE = st.builds(
    lambda left, relation, reach, right: f"{left}[{relation}{reach}]{right}",
    st.sampled_from(["-", "<-"]), st.sampled_from(["", *(f":{edge}" for edge in EDGE_TYPES), ":frobs"]), REACH, st.sampled_from(["->", "-"]),
)  # fmt: skip
VALUE = st.one_of(
    st.integers(-5, 600).map(str),
    st.sampled_from(["class", "chain_a", '"speak"', "'zoo/animals.py'", '"^c.*"', '"["', '""']),
)
TERM = st.builds(
    lambda name, field, operator, value: f"{name}.{field} {operator} {value}",
    NAMES, st.sampled_from([*FIELDS, "size"]), st.sampled_from(["=", "!=", "<", ">", "<=", ">=", "=~"]), VALUE,
)  # fmt: skip
CONDITION = st.recursive(
    TERM,
    lambda inner: st.one_of(
        st.builds("NOT {}".format, inner),
        st.builds("({} AND {})".format, inner, inner),
        st.builds("({} OR {})".format, inner, inner),
    ),
    max_leaves=4,
)
ITEM = st.one_of(
    NAMES,
    st.builds("{}.{}".format, NAMES, st.sampled_from(FIELDS)),
    st.builds("count({})".format, NAMES),
    st.just("count(*)"),
)
QUERY = st.builds(
    lambda first, rest, condition, items, limit: (
        f"MATCH {first}{''.join(edge + node for edge, node in rest)}{f' WHERE {condition}' if condition else ''} RETURN {', '.join(items)}{limit}"
    ),
    NODE, st.lists(st.tuples(EDGE, NODE), max_size=3), st.one_of(st.none(), CONDITION), st.lists(ITEM, min_size=1, max_size=3),
    st.sampled_from(["", " LIMIT 3", " LIMIT 0"]),
)  # fmt: skip
QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@pytest.mark.limit(1200)
@settings(max_examples=GENERATED, deadline=None, suppress_health_check=QUIET)
@given(query=st.one_of(QUERY, st.text(max_size=60), st.builds("MATCH (a) {}".format, st.text(max_size=40))))
def test_no_query_crashes(query: str, ctx: Context) -> None:
    answer = search(ctx, query.replace("\0", " ").encode(errors="replace").decode())
    assert not answer.is_error or answer.structured["error"]["code"] in ("invalid_parameter", "too_large"), answer.text
