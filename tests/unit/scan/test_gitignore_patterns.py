"""Lines of ignore files: what they match, and that none of them can stall us."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagentd.scan.gitignore_patterns import PatternFile, parse, parse_line


def ignored(lines: str, path: str, *, is_dir: bool = False, ignore_case: bool = False) -> bool | None:
    rules = PatternFile(parse(lines.encode()), ignore_case=ignore_case)
    return rules.verdict(path.encode(), path.rpartition("/")[2].encode(), is_dir=is_dir)


@pytest.mark.parametrize(
    ("line", "matches", "others"),
    [
        ("*.py", ["a.py", "x/y/a.py", ".py"], ["a.pyc", "a.py/b"]),
        ("/a.py", ["a.py"], ["x/a.py"]),
        ("src/a", ["src/a"], ["x/src/a", "src/a/b"]),
        ("**/a", ["a", "x/a", "x/y/a"], ["ba", "a/x"]),
        ("src/**", ["src/a", "src/a/b"], ["src", "xsrc/a"]),
        ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb"]),
        ("a/**/b/**/c", ["a/b/c", "a/1/b/2/3/c", "a/b/b/c"], ["a/c", "b/c"]),
        ("foo**/bar", ["foo/bar", "foobar", "foox/y/bar"], ["xfoo/bar"]),
        ("x?y/*z", ["xay/z", "xay/bz"], ["x/y/z", "xaby/z", "xay/b/z"]),
        ("[a-c]x", ["ax", "cx"], ["dx", "x"]),
        ("[!a-c]x", ["dx"], ["ax", "/x"]),
        ("[]x]", ["]", "x"], ["[]x]"]),
        ("[[:digit:]_]", ["7", "_"], ["x"]),
        ("[a\\-c]", ["-", "a"], ["b"]),
        ("\\#a", ["#a"], ["a"]),
        ("\\!a", ["!a"], ["a"]),
        ("a\\*", ["a*"], ["ab"]),
        ("a\\ ", ["a "], ["a"]),
        ("a  ", ["a"], ["a  "]),
        ("  a", ["  a"], ["a"]),
        ("a\r\n", ["a"], ["a\r"]),
        ("é?", ["éx"], ["é"]),
        ("line*", ["line\nbreak"], ["xline"]),
    ],
)
def test_a_pattern_matches_as_in_git(line: str, matches: list[str], others: list[str]) -> None:
    assert [path for path in matches if not ignored(line, path)] == []
    assert [path for path in others if ignored(line, path)] == []


@pytest.mark.parametrize("line", ["", "# comment", "/", "!", "a\\", "[a", "[[:bogus:]]", "[b-", "x" * 2_000])
def test_lines_that_match_nothing_are_dropped(line: str) -> None:
    assert parse_line(line.encode()) is None


def test_the_last_matching_line_decides() -> None:
    lines = "*.log\n!keep.log\nkeep.log.d/\n"
    assert ignored(lines, "x.log") is True
    assert ignored(lines, "keep.log") is False
    assert ignored(lines, "x.py") is None
    assert ignored(f"{lines}*.log\n", "keep.log") is True


def test_a_trailing_slash_means_directories() -> None:
    assert ignored("build/", "build", is_dir=True)
    assert not ignored("build/", "build")


def test_case_counts_unless_git_says_otherwise() -> None:
    assert not ignored("*.LOG", "a.log")
    assert ignored("*.LOG", "a.log", ignore_case=True)


@pytest.mark.limit(10)
@pytest.mark.parametrize(
    "line", ["*a" * 60 + "*b", "**/a/" * 40 + "b", "?*" * 60 + "b", "*[a]*a" * 30 + "b", "**/*a*a*a/" * 12 + "b"]
)
def test_nested_wildcards_cannot_stall_us(line: str) -> None:
    assert ignored(line, "a" * 250) is None
    assert ignored(line, "/".join(["a" * 20] * 190)) is None


@given(
    st.lists(
        st.sampled_from(["*", "**", "/", "?", "a", "[", "]", "!", "-", "\\", "^", "[:", ":]", " ", "#", "\n", "é"]),
        max_size=12,
    ).map("".join),
    st.text("ab/-]", max_size=8),
)
def test_no_line_is_an_error(lines: str, path: str) -> None:
    assert ignored(lines, path) in (True, False, None)
