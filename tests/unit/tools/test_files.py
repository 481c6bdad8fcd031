"""Directories and file contents as clients see them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from codeagentd.query.retrieval.tokens import estimate
from codeagentd.tools.files import listing, tree
from tests.unit.tools.surroundings import Caller


def names(entries: list[dict[str, Any]]) -> list[str]:
    return [entry["name"] for entry in entries]


def test_a_directory_lists_its_entries_by_name_with_sizes(call: Caller) -> None:
    assert call.results("list_directory") == [
        {"name": "README.md", "type": "file", "size": 7},
        {"name": "shop", "type": "directory"},
    ]
    assert names(call.results("list_directory", path="shop")) == ["orders", "pricing.py"]
    assert names(call.results("list_directory", path="./shop/../shop/")) == ["orders", "pricing.py"]


def test_ignored_entries_and_git_itself_are_not_listed(call: Caller, repo: Path) -> None:
    (repo / ".git").mkdir()
    (repo / ".gitignore").write_text("*.log\nbuild/\n")
    (repo / "x.log").touch()
    (repo / "build").mkdir()
    (repo / "shop/y.log").touch()
    assert names(call.results("list_directory")) == [".gitignore", "README.md", "shop"]
    assert names(call.results("list_directory", path="shop")) == ["orders", "pricing.py"]
    assert "y.log" not in str(call.ok("get_directory_tree"))


def test_a_link_is_what_it_leads_to_inside_and_a_bare_file_otherwise(call: Caller, repo: Path) -> None:
    outside = repo.parent / "outside"
    outside.mkdir()
    (outside / "secret.py").write_text("secret")
    (repo / "out").symlink_to(outside)
    (repo / "in").symlink_to("shop")
    (repo / "copy.md").symlink_to("README.md")
    (repo / "dangling").symlink_to("nowhere")
    (repo / "loop").symlink_to("loop")
    os.mkfifo(repo / "pipe")
    found = {entry["name"]: entry for entry in call.results("list_directory")}
    assert found["in"] == {"name": "in", "type": "directory"}
    assert found["copy.md"] == {"name": "copy.md", "type": "file", "size": 7}
    for name in ("out", "dangling", "loop", "pipe"):
        assert found[name] == {"name": name, "type": "file"}
    shown = str(call.ok("get_directory_tree", depth=10))
    assert "secret" not in shown
    assert shown.count("pricing.py") == 1


def test_a_link_to_a_folder_above_is_listed(call: Caller, repo: Path) -> None:
    (repo / ".git").mkdir(exist_ok=True)
    (repo / "shop/up").symlink_to("..")
    (repo / ".gitignore").write_text("orders/\n")
    (repo / "shop/later").symlink_to("orders")
    assert names(call.results("list_directory", path="shop")) == ["later", "pricing.py", "up"]
    assert str(call.ok("get_directory_tree", depth=10)).count("pricing.py") == 1


def test_names_that_are_not_utf8_can_be_listed(call: Caller, repo: Path) -> None:
    (repo / os.fsdecode(b"caf\xe9.txt")).touch()
    assert "caf\ufffd.txt" in names(call.results("list_directory"))
    assert "caf\ufffd.txt" in str(call.ok("get_directory_tree"))


def test_a_large_directory_comes_in_pages(call: Caller, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "MAX_ENTRIES", 4)
    for number in range(11):
        (repo / f"shop/orders/f{number:02}.py").touch()
    pages = call.pages("list_directory", path="shop/orders")
    assert [len(page) for page in pages] == [4, 4, 4]
    assert names([entry for page in pages for entry in page]) == [
        "checkout.py",
        *(f"f{number:02}.py" for number in range(11)),
    ]


@pytest.mark.parametrize("tool", ["list_directory", "get_directory_tree"])
@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("..", "path_escape"),
        ("/etc", "path_escape"),
        ("shop/../..", "path_escape"),
        ("nowhere", "not_found"),
        ("README.md", "invalid_parameter"),
    ],
)
def test_only_directories_of_the_repository_are_listed(call: Caller, tool: str, path: str, code: str) -> None:
    error = call.error(tool, path=path)
    assert error["code"] == code
    assert error["remedy"]


def test_a_tree_nests_and_stops_at_its_depth(call: Caller) -> None:
    assert call.ok("get_directory_tree", path="shop") == {
        "name": "shop", "type": "directory", "children": [
            {"name": "orders", "type": "directory", "children": [{"name": "checkout.py", "type": "file"}]},
            {"name": "pricing.py", "type": "file"},
        ],
    }  # fmt: skip
    flat = call.ok("get_directory_tree", path="shop", depth=1)
    assert flat["children"] == [{"name": "orders", "type": "directory"}, {"name": "pricing.py", "type": "file"}]
    assert call.ok("get_directory_tree")["name"] == "repo"


def test_a_tree_says_where_children_are_missing(call: Caller, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MAX_CHILDREN", 2)
    (repo / "shop/zebra.py").touch()
    shop = call.ok("get_directory_tree", path="shop")
    assert (names(shop["children"]), shop["truncated"]) == (["orders", "pricing.py"], True)
    assert "truncated" not in shop["children"][0]


def test_a_tree_that_is_too_large_misses_its_deepest_entries(
    call: Caller, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree, "MAX_NODES", 4)
    found = call.ok("get_directory_tree")
    assert names(found["children"]) == ["README.md", "shop"]
    shop = found["children"][1]
    assert names(shop["children"]) == ["orders", "pricing.py"]
    assert shop["children"][0] == {"name": "orders", "type": "directory", "children": [], "truncated": True}


def test_a_thousand_entries_are_shown_of_a_directory(call: Caller, repo: Path) -> None:
    (repo / "many").mkdir()
    for number in range(1_001):
        (repo / f"many/{number}").touch()
    many = call.ok("get_directory_tree", path="many")
    assert (len(many["children"]), many["truncated"]) == (1_000, True)


def test_a_file_is_read_whole_or_by_lines(call: Caller) -> None:
    whole = call.ok("read_file", path="shop/pricing.py")
    assert whole == {
        "content": '"""Prices."""\n\n\ndef compute_total(amounts):\n    return sum(amounts)\n',
        "total_lines": 5,
        "truncated": False,
    }
    assert (
        call.ok("read_file", path="shop/pricing.py", line_start=4, line_end=4)["content"]
        == "def compute_total(amounts):\n"
    )
    assert call.ok("read_file", path="shop/pricing.py", line_start=5)["content"] == "    return sum(amounts)\n"
    assert call.ok("read_file", path="shop/pricing.py", line_end=1)["content"] == '"""Prices."""\n'
    assert call.ok("read_file", path="shop/pricing.py", line_start=4, line_end=99)["truncated"] is False


def test_beyond_the_end_there_is_nothing(call: Caller) -> None:
    assert call.ok("read_file", path="shop/pricing.py", line_start=6) == {
        "content": "",
        "total_lines": 5,
        "truncated": False,
    }
    assert call.ok("read_file", path="shop/pricing.py", line_start=10**9, line_end=10**9)["content"] == ""


@pytest.mark.parametrize(
    ("raw", "content", "lines"),
    [
        (b"", "", 0), (b"\n", "\n", 1), (b"a", "a", 1), (b"a\r\nb\r\n", "a\r\nb\r\n", 2), (b"\xef\xbb\xbfa\n", "a\n", 1), (b"caf\xe9\n", "café\n", 1),
        ("ünï\u2028x\n".encode(), "ünï\u2028x\n", 1),
    ],
)  # fmt: skip
def test_texts_of_any_encoding_are_read(call: Caller, repo: Path, raw: bytes, content: str, lines: int) -> None:
    (repo / "t.txt").write_bytes(raw)
    assert call.ok("read_file", path="t.txt") == {"content": content, "total_lines": lines, "truncated": False}


def test_a_long_file_is_cut_after_ten_thousand_lines(call: Caller, repo: Path) -> None:
    (repo / "long.txt").write_text("x\n" * 10_001)
    found = call.ok("read_file", path="long.txt")
    assert (found["content"].count("\n"), found["total_lines"], found["truncated"]) == (10_000, 10_001, True)
    assert (found["next_line"], found["note"]) == (
        10_001,
        "lines 1 to 10000 of 10001 are shown: go on with line_start 10001",
    )
    rest = call.ok("read_file", path="long.txt", line_start=10_001)
    assert (rest["content"], rest["truncated"]) == ("x\n", False)
    assert call.ok("read_file", path="long.txt", line_start=2, line_end=10_001)["truncated"] is False


def test_a_wide_file_is_cut_at_25_000_tokens_after_a_whole_line(call: Caller, repo: Path) -> None:
    (repo / "wide.txt").write_text(("ü" * 999 + "\n") * 300)
    found = call.ok("read_file", path="wide.txt")
    assert found["truncated"] is True
    assert found["content"].endswith("ü\n")
    assert 10_000 < estimate(found["content"]) <= 25_000
    assert found["next_line"] == found["content"].count("\n") + 1
    following = call.ok("read_file", path="wide.txt", line_start=found["next_line"], line_end=299)
    shown = found["next_line"] + following["content"].count("\n") - 1
    assert (
        following["note"]
        == f"lines {found['next_line']} to {shown} of 300 are shown: go on with line_start {shown + 1}"
    )
    assert following["content"].startswith("ü" * 999 + "\n")


def test_a_line_longer_than_the_cap_is_cut_inside(call: Caller, repo: Path) -> None:
    (repo / "one.js").write_text("é" * 400_000)
    found = call.ok("read_file", path="one.js")
    assert (found["truncated"], found["total_lines"]) == (True, 1)
    assert 10_000 < estimate(found["content"]) <= 25_000
    assert (found.get("next_line"), found["note"]) == (
        None,
        "line 1 is too long for an answer, and its end cannot be read",
    )
    (repo / "one.js").write_text("short\n" + "é" * 400_000 + "\nend\n")
    assert call.ok("read_file", path="one.js")["next_line"] == 2
    found = call.ok("read_file", path="one.js", line_start=2)
    assert (found["next_line"], found["note"]) == (
        3,
        "line 2 is too long for an answer, and its end cannot be read: go on with line_start 3",
    )
    assert call.ok("read_file", path="one.js", line_start=3)["content"] == "end\n"


def test_a_binary_file_is_refused_with_its_type(call: Caller, repo: Path) -> None:
    (repo / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    error = call.error("read_file", path="logo.png")
    assert (error["code"], error["mime_type"]) == ("binary_file", "image/png")


def test_a_file_too_large_to_hold_is_refused(call: Caller, repo: Path) -> None:
    with (repo / "huge.txt").open("wb") as file:
        file.truncate(17_000_000)
    assert call.error("read_file", path="huge.txt")["code"] == "too_large"


@pytest.mark.parametrize(
    ("arguments", "code", "parameter"),
    [
        ({"path": "../x"}, "path_escape", "path"), ({"path": "nowhere.py"}, "not_found", "path"), ({"path": "shop"}, "invalid_parameter", "path"),
        ({"path": "README.md", "line_start": 3, "line_end": 2}, "invalid_parameter", "line_start"), ({"path": "a\0b"}, "invalid_parameter", "path"),
        ({"path": "README.md", "line_start": 0}, "invalid_parameter", "line_start"), ({"path": "x" * 5_000}, "invalid_parameter", "path"),
        ({"path": "x" * 1_000_000}, "too_large", "path"), ({"path": "\ud800"}, "invalid_parameter", "path"), ({"path": 5}, "invalid_parameter", "path"),
        ({"path": ["a"]}, "invalid_parameter", "path"), ({"path": None}, "invalid_parameter", "path"), ({}, "invalid_parameter", "path"),
        ({"path": "README.md", "line_end": "2"}, "invalid_parameter", "line_end"), ({"path": "README.md", "lines": 2}, "invalid_parameter", "lines"),
    ],
)  # fmt: skip
def test_bad_requests_to_read_name_the_parameter(
    call: Caller, arguments: dict[str, Any], code: str, parameter: str
) -> None:
    error = call.error("read_file", **arguments)
    assert (error["code"], error["parameter"]) == (code, parameter)
    assert error["remedy"] or code == "too_large"
    assert len(str(error)) < 1_200


def test_a_pipe_keeps_nobody_waiting(call: Caller, repo: Path) -> None:
    os.mkfifo(repo / "pipe.py")
    assert call.error("read_file", path="pipe.py")["code"] == "invalid_parameter"


@pytest.mark.parametrize("sign", ["\x1b", "\x07", "\x7f", "\x9b", "\u202e", "\u2067", "\U000e0041"])
def test_signs_that_steer_a_terminal_or_turn_text_are_escapes_in_an_answer_and_the_name_still_opens_the_file(
    call: Caller, repo: Path, sign: str
) -> None:
    (repo / f"a{sign}b.py").write_text("x = 1\n")
    for tool in ("list_directory", "get_directory_tree"):
        answer = call.answer(tool)
        assert sign not in answer.text + answer.rendered
        assert json.loads(answer.text) == answer.structured
    assert f"a{sign}b.py" in names(call.results("list_directory"))
    assert call.ok("read_file", path=f"a{sign}b.py")["content"] == "x = 1\n"
