"""Hierarchies that no compiler would take, or that no one would write by hand: they are indexed, and answered in bounds."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Final

import pytest

from codeagentd.toolkit.context import Context
from tests.harness.asking import ask
from tests.harness.served import surroundings

SECONDS: Final = 2.0  # of CPU time for one answer, far above what it takes
DEPTH: Final = 24  # diamonds above each other: 2 ** 24 ways up
IMPLEMENTERS: Final = 300

RINGS: Final = {
    "ring.py": """class First(Third):
    def run(self):
        self.stop()


class Second(First):
    def run(self):
        super().run()


class Third(Second):
    def run(self): ...

    def stop(self): ...


class Own(Own):
    def run(self): ...


def use(one: First):
    one.run()
""",
    "Ring.java": """class Ring extends Band { void turn() { turn(); } }
class Band extends Ring { void turn() {} }
interface Left extends Right { void go(); }
interface Right extends Left { void go(); }
class Both implements Left, Right { public void go() {} void use(Left left) { left.go(); } }
""",
    "ring.ts": """export class Up extends Down { lift(): void {} }
export class Down extends Up { lift(): void { super.lift() } }
export interface A extends B { go(): void }
export interface B extends A { go(): void }
export function use(one: Up, other: A): void { one.lift(); other.go() }
""",
    "ring.go": """package ring

type Outer struct{ *Inner }
type Inner struct{ *Outer }

func (o *Outer) Turn() {}
func (i *Inner) Turn() { i.Outer.Turn() }

type Turner interface{ Turner2 }
type Turner2 interface {
	Turner
	Turn()
}

func Use(t Turner) { t.Turn() }
""",
}

QUESTIONS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("get_callers", {"node_id": "NAME"}),
    ("get_callees", {"node_id": "NAME"}),
    ("get_references", {"node_id": "NAME", "include": "possible"}),
    ("get_dependents", {"node_id": "NAME"}),
    ("get_implementations", {"node_id": "NAME"}),
    ("find_callers", {"label": "NAME"}),
    ("affected", {"label": "NAME", "depth": 16}),
    ("impact_of", {"target": "NAME", "depth": 5}),
    ("predict_edit", {"symbol": "NAME", "kind": "signature"}),
    ("plan_rename", {"name": "NAME", "to": "anotherName"}),
    ("code.relation.callHierarchy", {"symbol_name": "NAME", "depth": 5}),
    ("describe_symbol", {"symbol": "NAME"}),
)


def answers(ctx: Context, name: str) -> dict[str, dict[str, Any]]:
    """The answers of each tool to the question about a symbol, each in time."""
    found = {}
    for tool, arguments in QUESTIONS:
        filled = {key: name if value == "NAME" else value for key, value in arguments.items()}
        started = time.thread_time()
        found[tool] = ask(ctx, tool, **filled).structured
        assert time.thread_time() - started < SECONDS, tool
    return found


def names(items: list[dict[str, Any]]) -> set[str]:
    return {item["qualified_name"] for item in items}


def test_types_that_inherit_from_themselves_are_answered(tmp_path: Path) -> None:
    with surroundings(tmp_path, RINGS) as ctx:
        found = answers(ctx, "ring.First.run")
        assert "ring.use" in names(found["get_callers"]["results"])
        assert names(found["get_implementations"]["results"]) <= {"ring.First.run", "ring.Second.run", "ring.Third.run"}
        for name in ("ring.Own.run", "Ring.turn", "Both.go", "Left.go", "ring.Up.lift", "ring.A.go", "ring.Inner.Turn"):
            answers(ctx, name)
        ask(ctx, "code.type.hierarchy", symbol_name="First", direction="both", depth=5)
        ask(ctx, "code.relation.inheritanceChain", symbol_name="Left")
        ask(ctx, "structural_search", query="MATCH (a)-[:overrides*1..8]->(b) RETURN a, b")


def diamonds() -> dict[str, str]:
    """Classes of which each two of one level inherit from both of the level above."""
    lines = ["class L0:\n    def run(self): ...\n\n\nclass R0:\n    def run(self): ...\n"]
    for level in range(1, DEPTH):
        for side in "LR":
            lines.append(f"class {side}{level}(L{level - 1}, R{level - 1}):\n    def run(self): ...\n")
    lines.append("def use(one: L0):\n    one.run()\n")
    return {"diamonds.py": "\n\n".join(lines)}


def test_diamonds_above_each_other_have_each_member_once(tmp_path: Path) -> None:
    with surroundings(tmp_path, diamonds()) as ctx:
        found = answers(ctx, f"diamonds.L{DEPTH - 1}.run")
        assert names(found["get_callers"]["results"]) == {"diamonds.use"}
        below = ask(ctx, "get_implementations", node_id="diamonds.L0.run").structured["results"]
        assert len(below) == len(names(below)) == 2 * (DEPTH - 1)


def common() -> dict[str, str]:
    """An interface that each class implements, and calls of its common names on receivers of unknown type."""
    classes = [
        f"class C{number} implements Everything {{\n  public Object get(String key) {{ return key; }}\n"
        "  public void close() {}\n}\n"
        for number in range(IMPLEMENTERS)
    ]
    contract = "interface Everything {\n  Object get(String key);\n  void close();\n}\n"
    user = 'class User {\n  void use(Everything one) { one.get("a"); one.close(); }\n}\n'
    python = [f"class P{number}:\n    def close(self): ...\n\n    def get(self, key): ...\n" for number in range(30)]
    calls = [f"def call{number}(thing):\n    thing.get(1)\n    thing.close()\n" for number in range(200)]
    return {
        "src/Everything.java": contract,
        "src/Classes.java": "\n".join(classes),
        "src/User.java": user,
        "things.py": "\n\n".join([*python, *calls]),
    }


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with surroundings(tmp_path_factory.mktemp("common"), common()) as ctx:
        yield ctx


def test_an_interface_that_everything_implements_is_counted(crowded: Context) -> None:
    found = answers(crowded, "C7.close")
    assert names(found["get_callers"]["results"]) == {"User.use"}
    callees = ask(crowded, "get_callees", node_id="User.use", limit=100).structured
    assert f"Everything.close is overridden by {IMPLEMENTERS} members" in callees["note"]
    assert len(callees["results"]) == 100
    assert callees["next_cursor"]
    answers(crowded, "Everything")
    answers(crowded, "Everything.get")


@pytest.mark.parametrize("name", ["get", "close"])
def test_calls_of_a_common_name_are_counted_and_no_edges(crowded: Context, name: str) -> None:
    found = answers(crowded, f"things.P3.{name}")
    told = f"200 more of `.{name}` on receivers of unknown type may mean it: more than 3 members have this name"
    assert found["get_callers"]["results"] == []
    for tool in ("get_callers", "get_dependents", "find_callers", "affected", "impact_of", "predict_edit", "plan_rename",
                 "code.relation.callHierarchy", "describe_symbol"):  # fmt: skip
        assert told in found[tool]["note"], tool
    possible = ask(crowded, "get_callers", node_id=f"things.P3.{name}", include="possible", limit=500).structured
    assert len(possible["results"]) == 200
    assert {item["confidence"] for item in possible["results"]} == {"ambiguous"}
