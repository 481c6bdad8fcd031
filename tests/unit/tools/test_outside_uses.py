"""A plan is not sure where something outside of the repository uses the name: the language, or a base of a library."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from codeagentd.toolkit.call import run as call
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.served import surroundings

CATALOGUE = load("codeagentd.tools")
FILES = {
    "job.py": (
        "import threading\n\n\nclass Job(threading.Thread):\n    def run(self):\n        return self.py_go()\n\n    def py_go(self):\n        return 1\n\n\n"
        "class Nested(Job):\n    def deep(self):\n        return 2\n\n\n"
        "class Oops(ValueError):\n    def detail(self):\n        return 1\n\n    def with_traceback(self, tb):\n        return self\n\n\n"
        "class Plain:\n    def py_plain(self):\n        return 1\n\n    def __str__(self):\n        return ''\n"
    ),
    "Task.java": (
        "class Task implements Runnable, Comparable<Task> {\n  public void javaRun() { help(); }\n  private void help() {}\n"
        "  public int compareTo(Task o) { return 0; }\n  @Override public String marked() { return null; }\n"
        "  public boolean equals(Object o) { return true; }\n}\n"
        "class Timer extends java.util.TimerTask {\n  public void tick() {}\n  private void own() {}\n}\n"
    ),
    "sub.ts": (
        "import { Base } from 'outside'\nexport class Sub extends Base {\n  tsRun() { return 1 }\n  private tsOwn() { return 2 }\n}\n"
        "export class Flat {\n  toJSON() { return 1 }\n  tsFlat() { return 1 }\n}\n"
    ),
    "jsx.ts": (
        "export {}\ndeclare global { interface Window { tsMine: number } }\ndeclare module 'outside' { interface Ext { tsMore: string } }\n"
        "export namespace JSX { export interface IntrinsicElements { a: number } export interface TsOther { b: number } }\n"
    ),
    "meta.py": "import django\n\n\nclass Shelf(django.Model):\n    class Meta:\n        tall = True\n",
    "point.rs": (
        "use std::fmt;\npub struct P { x: u32 }\nimpl fmt::Display for P {\n    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { self.rs_inner() }\n}\n"
        "impl P {\n    fn rs_inner(&self) -> fmt::Result { Ok(()) }\n    pub fn rs_open(&self) -> u32 { self.x }\n}\n"
        "pub trait Own {\n    fn rs_own(&self) -> u32;\n}\npub enum E { RsOne }\nimpl Own for P {\n    fn rs_own(&self) -> u32 { 1 }\n}\n"
        "fn main() {}\n"
    ),
    "h.go": (
        "package m\n\ntype H struct{ n int }\n\nfunc (h H) ServeHTTP(a, b int) {}\nfunc (h H) goOther() {}\nfunc init() {}\n"
    ),
    "res.cs": (
        "class Res : IDisposable, IComparer {\n  public void Dispose() {}\n  public int Compare(int a, int b) { return 1; }\n"
        "  public override int Marked() { return 1; }\n}\nclass Own { void CsOwn() {} }\n"
    ),
    "k.kt": "class Kt : Runnable {\n  override fun ktRun() {}\n  fun ktOwn() {}\n}\n",
}  # fmt: skip
SURE = ["py_plain", "detail", "help", "Timer.own", "tsOwn", "tsFlat", "rs_inner", "rs_open", "Own::rs_own", "P.x", "RsOne",
        "goOther", "CsOwn", "ktOwn", "TsOther"]  # fmt: skip
UNSURE = {
    "Job.run": "it may override a member of threading.Thread, which is outside of the repository",
    "Nested.deep": "it may override a member of threading.Thread, which is outside of the repository",
    "Oops.with_traceback": "it may override a member of ValueError, which is outside of the repository",
    "Plain.__str__": "the language uses a definition of this name",
    "Task.compareTo": "it may override a member of Comparable, which is outside of the repository",
    "Task.marked": "it overrides a member of a type that is outside of the repository",
    "Task.equals": "the language uses a definition of this name",
    "Timer.tick": "it may override a member of java.util.TimerTask, which is outside of the repository",
    "Sub.tsRun": "it may override a member of Base, which is outside of the repository",
    "Flat.toJSON": "the language uses a definition of this name",
    "Window@jsx.ts": "it may add to a definition that is outside of the repository",
    "tsMore": "it may add to a definition that is outside of the repository",
    "IntrinsicElements": "the language uses a type of this name",
    "Shelf.Meta": "it may override a member of django.Model, which is outside of the repository",
    "fmt@point.rs": "it overrides a member of a type that is outside of the repository",
    "main": "the program begins here: the language demands this name",
    "init": "the program begins here: the language demands this name",
    "ServeHTTP": "it may be demanded by http.Handler, which is outside of the repository",
    "Dispose": "the language uses a definition of this name",
    "Compare": "it may override a member of IComparer, which is outside of the repository",
    "Res.Marked": "it overrides a member of a type that is outside of the repository",
    "ktRun": "it overrides a member of a type that is outside of the repository",
}


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("outside"), FILES) as found:
        yield found


def reasons(ctx: Context, name: str) -> list[str]:
    found: dict[str, Any] = call(CATALOGUE["plan_rename"], ctx, {"name": name, "to": "other"}).structured
    assert found["found"], name
    assert (found["confidence"] == "EXTRACTED") == (not found["review"])
    return [one["reason"] for one in found["review"]]


@pytest.mark.parametrize("name", SURE)
def test_what_only_the_repository_uses_is_sure(ctx: Context, name: str) -> None:
    assert reasons(ctx, name) == []


@pytest.mark.parametrize("name", UNSURE)
def test_what_something_outside_may_use_is_for_review_with_the_reason(ctx: Context, name: str) -> None:
    assert UNSURE[name] in reasons(ctx, name)


def test_a_member_that_a_base_outside_may_have_makes_its_whole_family_unsure(tmp_path: Any) -> None:
    files = {
        "a.py": "import threading\n\n\nclass Plain:\n    def step(self):\n        return 1\n\n\n"
        "class Both(Plain, threading.Thread):\n    def step(self):\n        return 2\n"
    }
    with surroundings(tmp_path, files) as ctx:
        assert reasons(ctx, "Plain.step") == [
            "it may override a member of threading.Thread, which is outside of the repository"
        ]
