"""What calls ask about, as far as their arguments tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codeagentd.base.paths import Jail
from codeagentd.model.ids import node_id
from codeagentd.model.on_demand import Question
from codeagentd.store.connection import ReaderPool
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.questions import question_of
from codeagentd.toolkit.toolsets import load

CATALOGUE = load("codeagentd.tools")


def question(root: Path, tool: str, **arguments: Any) -> Question:
    ctx = Context(root, ReaderPool(root / "none", 1), None, Jail(root), lambda path, is_directory: False)  # type: ignore[arg-type]
    return question_of(CATALOGUE[tool], ctx, arguments)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("vfs_read", ("vfs_read",)),
        ("Shelf.lend", ("lend",)),
        ("shop::Shelf::lend", ("lend",)),
        ("fs/read_write.c::vfs_read", ("vfs_read",)),
        ("Shelf.lend(book, days)", ("lend",)),
        ("player.go", ("go",)),  # no file is called so
    ],
)
def test_a_name_is_asked_for_without_what_qualifies_it(tmp_path: Path, text: str, names: tuple[str, ...]) -> None:
    assert question(tmp_path, "get_callers", node_id=text).names == names


def test_a_file_that_exists_is_a_path(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/till.py").write_text("")
    asked = question(tmp_path, "get_file_outline", path="shop/till.py")
    assert (asked.paths, asked.names) == (("shop/till.py",), ())


@pytest.mark.parametrize("path", ["a" * 300 + "/x.py", "a/" * 5_000, "../" * 5_000 + "x.py", "shop/\0.py"])
def test_a_path_that_no_file_can_have_is_none(tmp_path: Path, path: str) -> None:
    assert not question(tmp_path, "get_file_outline", path=path).paths


@pytest.mark.parametrize(
    ("path", "name"),
    [("shop/till.py", "till"), ("shop/__init__.py", "shop"), ("ts/cart/index.ts", "cart"), ("a/b.h", "b.h")],
)
def test_who_imports_a_file_mentions_its_name(tmp_path: Path, path: str, name: str) -> None:
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text("")
    asked = question(tmp_path, "get_dependents", node_id=path)
    assert (asked.paths, asked.names) == ((path,), (name,))


def test_an_id_is_an_id(tmp_path: Path) -> None:
    assert question(tmp_path, "get_callers", node_id=node_id(b"0123456789abcdef")).ids == (b"0123456789abcdef",)


def test_of_a_text_the_words_that_tell_most_are_searched_for(tmp_path: Path) -> None:
    asked = question(tmp_path, "search_code", query="where is the total_price of a cart computed?")
    assert asked.words[0] == "total_price"
    assert "the" not in asked.words
    assert asked.needs_text


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("god_nodes", {"top_n": 3}),
        ("search_symbols", {"query": " "}),
        ("search_symbols", {"query": 5}),
        ("index_files", {"paths": ["a.py"]}),  # writes
        ("get_status", {}),
    ],
)
def test_some_calls_name_nothing(tmp_path: Path, tool: str, arguments: dict[str, Any]) -> None:
    assert question(tmp_path, tool, **arguments).is_empty


def test_parameters_that_narrow_an_answer_are_not_what_it_is_about(tmp_path: Path) -> None:
    asked = question(tmp_path, "search_symbols", query="lend", project_id="python:shop", kind="function")
    assert asked.names == ("lend",)


def test_a_lookup_needs_the_definition_and_not_what_uses_it(tmp_path: Path) -> None:
    assert not question(tmp_path, "search_symbols", query="lend").needs_uses
    assert not question(tmp_path, "get_symbol", node_id="lend").needs_uses
    assert question(tmp_path, "get_callers", node_id="lend").needs_uses
