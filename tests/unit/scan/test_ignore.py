"""Ignore rules: the same verdicts as git's, with .codeagentignore and the settings on top."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeagentd.scan.ignore import OWN_FILES, IgnoreRules
from codeagentd.scan.walk import scan
from codeagentd.vcs import git
from tests.unit.scan.mirror import run_git

NAMES = ["a", "b", "foo", "bar", "x.py", "ab", "a b", "é", "[a]", "a*", "!a", "#a", "-a", "foo.log", " sp", "\\a"]
ATOMS = [
    "a", "b", "foo", "bar", "*", "?", "**", "[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[[:alpha:]]", "[a", "[z-a]", "\\a", "\\*", "\\", "/", "!", "#",
    " ", "\\ ", "é", ".py", "x", "-", "[\\]]", "[[:bogus:]]", "[-a]",
]  # fmt: skip
pattern = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "", "!"]),
    st.lists(st.sampled_from(ATOMS), min_size=1, max_size=5).map("".join),
    st.sampled_from(["", "", "/"]),
)
ignore_file = st.lists(pattern, min_size=1, max_size=4).map("\n".join)
folder = st.lists(st.sampled_from(NAMES), max_size=3).map("/".join)


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()
    return root


@pytest.fixture(scope="module")
def reused(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("reused") / "repo"
    root.mkdir()
    run_git(root, "init", "-q")
    return root


@settings(max_examples=100, deadline=None)
@given(
    files=st.lists(st.tuples(folder, st.sampled_from(NAMES)), min_size=1, max_size=15),
    rules=st.lists(st.tuples(folder, ignore_file), min_size=1, max_size=3),
)
def test_the_verdicts_are_those_of_git(
    reused: Path, files: list[tuple[str, str]], rules: list[tuple[str, str]]
) -> None:
    for entry in reused.iterdir():
        if entry.name != ".git":
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    for place, name, text in [
        *((place, name, "") for place, name in files),
        *((place, ".gitignore", text) for place, text in rules),
    ]:
        try:
            write(reused, {f"{place}/{name}".lstrip("/"): text})
        except OSError:
            continue  # a file is where a directory would be
    everything = [
        os.path.relpath(os.path.join(at, name), reused)
        for at, folders, names in os.walk(reused)
        if ".git" not in Path(at).parts
        for name in folders + names
    ]
    everything = [path for path in everything if path.partition("/")[0] != ".git"]
    asked = "\0".join([*everything, ""]).encode()
    answer = subprocess.run(
        ["git", "-C", str(reused), "check-ignore", "--no-index", "-z", "--stdin"], input=asked, capture_output=True
    ).stdout
    ours = IgnoreRules(reused)
    assert {path for path in everything if ours.ignored(path, (reused / path).is_dir())} == set(
        answer.decode().split("\0")[:-1]
    )
    assert set(scan(reused, ours).files) == set(git.list_files(reused) or [])


def test_deeper_files_and_later_lines_win(root: Path) -> None:
    write(root, {".gitignore": "*.log\n/top.py\n", "src/.gitignore": "!keep.log\nout/\n"})
    rules = IgnoreRules(root)
    assert rules.ignored("x.log")
    assert rules.ignored("src/x.log")
    assert not rules.ignored("src/keep.log")
    assert rules.ignored("src/out/deep/file.py")
    assert rules.ignored("top.py")
    assert not rules.ignored("src/top.py")


def test_version_control_directories_are_never_part_of_the_index(root: Path) -> None:
    rules = IgnoreRules(root)
    for path in (".git/config", "src/.hg/store", ".svn/entries", ".git"):
        assert rules.ignored(path)
        assert rules.excluded(path)
    assert not rules.ignored(".github/workflows/ci.yml")


def test_codeagentignore_covers_tracked_files_and_wins(root: Path) -> None:
    write(
        root, {".gitignore": "gen/\n*.tmp\n", ".codeagentignore": "vendor/\n!gen/\n", "gen/.codeagentignore": "*.bin\n"}
    )
    rules = IgnoreRules(root)
    assert rules.ignored("vendor/a.py")
    assert rules.excluded("vendor/a.py")
    assert not rules.ignored("gen/a.py")
    assert rules.excluded("gen/a.bin")
    assert rules.ignored("gen/a.tmp")
    assert not rules.excluded("gen/a.tmp")
    assert rules.has_negated_rules()


@pytest.mark.parametrize("name", OWN_FILES)
def test_every_ignore_file_of_ours_has_gits_syntax_and_wins_at_every_level(root: Path, name: str) -> None:
    write(root, {".gitignore": "gen/\n", name: "vendor/\n!gen/\n*.bin\n!keep.bin\n", f"src/{name}": "/local.py\n"})
    rules = IgnoreRules(root)
    assert rules.excluded("vendor/a.py")
    assert not rules.ignored("gen/a.py")
    assert rules.excluded("src/a.bin")
    assert not rules.excluded("src/keep.bin")
    assert rules.excluded("src/local.py")
    assert not rules.excluded("local.py")


def test_of_several_ignore_files_in_a_directory_the_first_with_a_verdict_decides(root: Path) -> None:
    write(
        root,
        {
            ".codeagentignore": "!a.md\n",
            ".codeindexignore": "a.md\n!b.md\n",
            ".claudeignore": "b.md\nc.md\n",
            ".cursorignore": "*.md\n",
            "in/.cursorignore": "!c.md\n",
        },
    )
    rules = IgnoreRules(root)
    assert [path for path in ("a.md", "b.md", "c.md", "d.md", "in/c.md") if rules.excluded(path)] == ["c.md", "d.md"]


def test_settings_rank_below_every_codeagentignore(root: Path) -> None:
    write(root, {"docs/.codeagentignore": "!keep.md\n"})
    rules = IgnoreRules(root, extra=["*.md", "/build"])
    assert rules.excluded("a.md")
    assert not rules.excluded("docs/keep.md")
    assert rules.excluded("build/x.py")
    assert not rules.excluded("src/build/x.py")


def test_exclude_files_outside_of_the_tree_rank_last(root: Path, tmp_path: Path) -> None:
    (tmp_path / "strong").write_text("!a.log\n")
    (tmp_path / "weak").write_text("*.log\n*.out\n")
    write(root, {"src/.gitignore": "!b.out\n"})
    rules = IgnoreRules(root, exclude_files=[tmp_path / "strong", tmp_path / "weak", tmp_path / "missing"])
    assert [path for path in ("a.log", "b.log", "src/a.out", "src/b.out") if rules.ignored(path)] == [
        "b.log",
        "src/a.out",
    ]


def test_a_repository_inside_a_repository_is_another_one(root: Path) -> None:
    write(root, {"inner/.git/HEAD": "ref: refs/heads/main\n", "inner/a.py": "", "outer.py": ""})
    rules = IgnoreRules(root)
    assert rules.ignored("inner/a.py")
    assert rules.foreign("inner")
    assert not rules.excluded("inner/a.py")
    workspace = IgnoreRules(root, nested=True)
    assert not workspace.ignored("inner/a.py")
    assert workspace.ignored("inner/.git/HEAD")


def test_a_root_inside_a_work_tree_obeys_the_rules_above(root: Path) -> None:
    write(root, {".gitignore": "*.log\n/app/secret.py\n", "app/.gitignore": "!keep.log\n"})
    rules = IgnoreRules(root / "app", above=root, extra=["/local"])
    assert rules.ignored("x.log")
    assert not rules.ignored("keep.log")
    assert rules.ignored("secret.py")
    assert rules.ignored("local/x.py")
    assert not rules.ignored("src/local/x.py")
    assert not rules.ignored("", is_dir=True)


def test_changed_rules_count_after_a_refresh(root: Path) -> None:
    rules = IgnoreRules(root)
    assert not rules.ignored("src/a.log")
    write(root, {"src/.gitignore": "*.log\n"})
    assert not rules.ignored("src/a.log")
    rules.forget("src")
    assert rules.ignored("src/a.log")
    write(root, {".gitignore": "*.py\n"})
    rules.refresh()
    assert rules.ignored("src/a.py")


@pytest.mark.limit(5)
def test_ignore_files_that_are_links_or_pipes_are_not_read(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("*\n")
    (root / ".gitignore").symlink_to(tmp_path / "outside")
    (root / "src").mkdir()
    os.mkfifo(root / "src" / ".gitignore")
    assert not IgnoreRules(root).ignored("src/a.py")


def test_a_path_of_two_thousand_parts_is_judged(root: Path) -> None:
    write(root, {".gitignore": "b\n"})
    assert not IgnoreRules(root).ignored("a/" * 2_000 + "a")
    assert IgnoreRules(root).ignored("a/" * 1_000 + "b/" + "a/" * 1_000 + "a")
