"""What a change touches, may break, and which tests it needs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from codeagentd.toolkit import call as tool_calls
from codeagentd.toolkit import change_scope
from codeagentd.toolkit.call import Answer
from codeagentd.toolkit.call import run as call
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.past import committed, run, write
from tests.harness.served import surroundings

CATALOGUE = load("codeagentd.tools")
SHOP = {
    "shop/__init__.py": "",
    "shop/price.py": "def total(items):\n    return sum(items)\n\n\ndef _hidden():\n    return total([])\n\n\n"
    "class Cart:\n    def sum(self):\n        return total([1])\n",
    "shop/view.py": "from shop.price import Cart, total\n\n\ndef show(items):\n    return total(items)\n\n\ndef cart() -> Cart:\n    return Cart()\n",
    "tests/test_view.py": "from shop.view import show\n\n\ndef test_show():\n    assert show([1]) == 1\n",
    "tests/test_price.py": "def test_nothing():\n    assert True\n",
    "tests/helpers.py": "def given():\n    return [1]\n",
    "shop/alone.py": "def lonely():\n    return 1\n",
    "core/src/lib.rs": "pub fn add(a: i32) -> i32 { a }\n\n#[cfg(test)]\n"
    "mod tests {\n    use super::*;\n    #[test]\n    fn adds() { assert_eq!(add(1), 1); }\n}\n",
    "core/Cargo.toml": '[package]\nname = "core"\nversion = "0.1.0"\n',
}


def ask(ctx: Context, tool: str, **arguments: Any) -> Answer:
    return call(CATALOGUE[tool], ctx, arguments)


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    place = tmp_path_factory.mktemp("changes")
    committed(place / "repo", SHOP)
    with surroundings(place, {}) as found:
        assert found.engine.analysed(30)
        yield found


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return committed(tmp_path / "repo", SHOP)


def test_working_changes_are_what_a_pull_request_would_have_and_what_is_not_committed_yet(
    tmp_path: Path, repo: Path
) -> None:
    run(repo, "checkout", "-q", "-b", "topic")
    write(repo, {"shop/alone.py": "def lonely():\n    return 2\n"})
    run(repo, "commit", "-q", "-a", "-m", "topic")
    run(repo, "checkout", "-q", "main")
    write(repo, {"shop/other.py": "x = 1\n"})
    run(repo, "add", "-A")
    run(repo, "commit", "-q", "-m", "main goes on")
    run(repo, "checkout", "-q", "topic")
    with surroundings(
        tmp_path, {"shop/view.py": "def show(items):\n    return items\n", "shop/new.py": "def fresh(): ...\n"}
    ) as ctx:
        assert ctx.engine.analysed(30)
        answer = ask(ctx, "working_changes_impact")
    assert answer.structured["base"] == "main"
    assert answer.structured["files"] == ["shop/alone.py", "shop/new.py", "shop/view.py"]
    assert answer.rendered.startswith("Working changes vs main: 3 files, 6 graph nodes, ")


def test_without_changes_the_answer_says_so(ctx: Context) -> None:
    assert ask(ctx, "working_changes_impact", base="main").rendered == "No changes vs main (or git unavailable)"


@pytest.mark.parametrize("base", ["nowhere", "-x", "--output=/tmp/x", "a b", "HEAD^{tree}", "main\n", "x" * 240])
def test_a_base_that_git_does_not_know_is_refused(ctx: Context, base: str) -> None:
    answer = ask(ctx, "working_changes_impact", base=base)
    assert answer.code == "invalid_parameter"
    assert "git knows no commit" in answer.structured["error"]["message"]


def test_a_repository_without_a_commit_says_so(tmp_path: Path) -> None:
    with surroundings(tmp_path, {"a.py": "x = 1\n"}) as ctx:
        assert (
            ask(ctx, "working_changes_impact").rendered
            == "No changes vs base (or git unavailable): there is no commit yet"
        )


def test_without_git_files_can_still_be_named(ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert "git is not there" in ask(ctx, "predict_impact").rendered
    assert ask(ctx, "affected_tests").structured["partial"]
    assert ask(ctx, "predict_impact", files=["shop/price.py"]).structured["apis"] == 2


@pytest.fixture
def slow_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A git that needs longer for each question than a call has."""
    monkeypatch.setattr(tool_calls, "GIT_CALL_S", 0.3)
    (tmp_path / "git").write_text("#!/bin/sh\nexec sleep 20\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")


@pytest.mark.usefixtures("slow_git")
@pytest.mark.limit(20)
def test_a_git_that_does_not_answer_in_time_is_told_and_nothing_is_taken_for_unchanged(ctx: Context) -> None:
    for name in ("working_changes_impact", "predict_impact", "affected_tests"):
        answer = ask(ctx, name)
        assert "git did not answer in time" in answer.structured["note"]
        assert "so what has changed is not known" in answer.rendered
    assert ask(ctx, "affected_tests").rendered.startswith("It is not known what has changed")
    named = ask(ctx, "predict_impact", files=["shop/price.py"]).structured
    assert (named["apis"], "git did not say how many lines" in named["note"]) == (2, True)
    assert "git did not answer in time" in ask(ctx, "time_travel_diff", rev1="HEAD").rendered


@pytest.mark.limit(20)
def test_a_base_is_called_unknown_only_where_git_has_answered(
    ctx: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "git").write_text(
        f'#!/bin/sh\ncase " $* " in *main*) exec sleep 20;; esac\nexec {shutil.which("git")} "$@"\n'
    )
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setattr(tool_calls, "GIT_CALL_S", 1.0)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert ask(ctx, "working_changes_impact", base="main").code == "engine_unavailable"


def test_a_change_of_more_files_than_are_looked_at_says_that_tests_may_be_missing(
    ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_scope, "MOST_FILES", 0)
    (ctx.root / "shop" / "another.py").write_text("x = 1\n")
    found = ask(ctx, "affected_tests", base="main").structured
    (ctx.root / "shop" / "another.py").unlink()
    assert found["partial"]
    assert "only the first 0 of" in found["note"]
    assert "partial" not in ask(ctx, "affected_tests", files=["shop/price.py"]).structured


def test_a_detached_head_has_a_base_all_the_same(tmp_path: Path, repo: Path) -> None:
    run(repo, "checkout", "-q", "--detach")
    with surroundings(tmp_path, {"shop/alone.py": ""}) as ctx:
        assert ask(ctx, "working_changes_impact").structured["files"] == ["shop/alone.py"]


def test_a_forecast_names_apis_tests_and_dependents(ctx: Context) -> None:
    answer = ask(ctx, "predict_impact", files=["shop/price.py"])
    found = answer.structured
    assert [(one["label"], one["outside"]) for one in found["public"]] == [("total()", 2), ("Cart", 2)]
    assert {one["label"] for one in found["blast"]} >= {"show()", "cart()", "test_show()"}
    assert found["test_files"] == ["tests/test_price.py", "tests/test_view.py"]
    assert found["risk"]["level"] == "low"
    assert "Risk: low" in answer.rendered
    assert "- [ ] run the tests of 2 files" in answer.rendered


def test_a_path_out_of_the_repository_is_refused(ctx: Context) -> None:
    assert ask(ctx, "predict_impact", files=["../elsewhere.py"]).code == "path_escape"


def test_tests_are_found_by_what_they_use_and_by_what_they_are_called(ctx: Context) -> None:
    found = ask(ctx, "affected_tests", files=["shop/price.py"]).structured
    assert found["files"] == ["tests/test_price.py", "tests/test_view.py"]
    assert {(one["label"], one["via_relation"]) for one in found["tests"]} >= {
        ("test_show()", "calls"),
        ("tests/test_price.py", "named_after"),
    }


def test_inline_tests_of_rust_are_tests(ctx: Context) -> None:
    found = ask(ctx, "affected_tests", files=["core/src/lib.rs"]).structured
    assert found["files"] == ["core/src/lib.rs"]
    assert any(one["label"].endswith("adds()") for one in found["tests"])


def test_a_changed_test_is_run_and_a_changed_helper_is_not(ctx: Context) -> None:
    assert ask(ctx, "affected_tests", files=["tests/test_price.py"]).structured["files"] == ["tests/test_price.py"]
    assert ask(ctx, "affected_tests", files=["tests/helpers.py"]).structured["files"] == []


def test_a_change_that_no_test_reaches_says_so(ctx: Context) -> None:
    answer = ask(ctx, "affected_tests", files=["shop/alone.py"])
    assert answer.rendered.startswith("No test in the graph reaches the change (1 file): no test is known to run it")
    assert answer.structured["partial"]
    assert ask(ctx, "affected_tests", files=[]).rendered.startswith("No file has changed, so no test has to run")


@pytest.mark.parametrize(
    ("kind", "breaks", "review"),
    [
        (
            "delete",
            {"Cart.sum()", "_hidden()", "show()", "shop/view.py", "cart()", "test_show()", "tests/test_view.py"},
            set(),
        ),
        ("signature", {"Cart.sum()", "_hidden()", "show()"}, {"shop/view.py", "test_show()", "tests/test_view.py"}),
        ("visibility", {"show()", "shop/view.py"}, set()),
    ],
)
def test_an_edit_breaks_what_its_kind_says(ctx: Context, kind: str, breaks: set[str], review: set[str]) -> None:
    found = ask(ctx, "predict_edit", symbol="total", kind=kind).structured
    assert {one["label"] for one in found["will_break"]} >= breaks - {"cart()"}
    assert {one["label"] for one in found["review"]} >= review
    assert not breaks & {one["label"] for one in found["review"]}


def test_an_edit_of_nothing_or_of_no_kind_is_told(ctx: Context) -> None:
    assert ask(ctx, "predict_edit", symbol="nobody", kind="delete").rendered == "No node matches 'nobody'."
    assert (
        "one of delete, signature, visibility"
        in ask(ctx, "predict_edit", symbol="total", kind="paint").structured["error"]["remedy"]
    )


def test_a_path_that_is_no_file_is_told_first_and_never_taken_for_nothing(ctx: Context) -> None:
    for tool, head in (
        ("affected_tests", "Which tests to run is not known: "),
        ("predict_impact", "No file to forecast: "),
    ):
        answer = ask(ctx, tool, files=["nope/price.py"])
        assert answer.structured["unknown"] == ["nope/price.py"]
        told = "no file of the repository, nor of its last commit, and left out: nope/price.py (did you mean shop/price.py?)"
        assert answer.rendered == head + told
    both = ask(ctx, "affected_tests", files=["shop/price.py", "shop"])
    assert both.rendered.startswith("Not known, and left out: shop\n- ")
    assert (both.structured["partial"], both.structured["changed"]) == (True, ["shop/price.py"])


def test_files_are_taken_from_the_callers_folder_and_from_the_top(ctx: Context) -> None:
    there = msgspec.structs.replace(ctx, folders=("shop", ""))
    for path in ("price.py", "shop/price.py", "../shop/price.py", f"{ctx.root}/shop/price.py"):
        assert ask(there, "affected_tests", files=[path]).structured["changed"] == ["shop/price.py"]


def test_a_file_that_is_gone_is_known_as_long_as_a_commit_has_it(tmp_path: Path) -> None:
    repo = committed(tmp_path / "repo", SHOP)
    (repo / "shop/alone.py").unlink()
    run(repo, "checkout", "-q", "-b", "topic")
    (repo / "shop/view.py").unlink()
    run(repo, "commit", "-q", "-a", "-m", "without")
    with surroundings(tmp_path, {}) as there:
        answer = ask(there, "affected_tests", files=["shop/alone.py", "shop/view.py"]).structured
    assert answer["changed"] == ["shop/alone.py", "shop/view.py"]
    assert "unknown" not in answer
