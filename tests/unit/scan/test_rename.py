"""Moved files: paired by content, by name where several have the same content, never by guessing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codeagentd.scan.rename import match_moves


def test_equal_content_is_a_move() -> None:
    assert match_moves({"old/a.py": b"1", "gone.py": b"2"}, {"new/b.py": b"1", "new.py": b"3"}) == {
        "new/b.py": "old/a.py"
    }


def test_among_equal_files_the_name_tells() -> None:
    gone = {"old/a.py": b"1", "old/b.py": b"1"}
    assert match_moves(gone, {"new/b.py": b"1", "new/a.py": b"1"}) == {"new/a.py": "old/a.py", "new/b.py": "old/b.py"}
    assert match_moves(gone, {"new/a.py": b"1", "new/c.py": b"1"}) == {"new/a.py": "old/a.py", "new/c.py": "old/b.py"}


def test_what_could_be_either_is_not_paired() -> None:
    gone = {"x/__init__.py": b"", "y/__init__.py": b""}
    assert match_moves(gone, {"v/__init__.py": b"", "w/__init__.py": b""}) == {}
    assert match_moves(gone, {"w/__init__.py": b""}) == {}
    assert match_moves({"a.py": b"1"}, {"b.py": b"1", "c.py": b"1"}) == {}


@given(
    st.dictionaries(st.sampled_from(["a", "x/a", "y/a", "b", "x/b"]), st.binary(max_size=1)),
    st.dictionaries(st.sampled_from(["n/a", "m/a", "n/b", "c"]), st.binary(max_size=1)),
)
def test_moves_pair_each_path_once_and_keep_the_content(gone: dict[str, bytes], new: dict[str, bytes]) -> None:
    moves = match_moves(gone, new)
    assert len(set(moves.values())) == len(moves)
    assert all(new[target] == gone[source] for target, source in moves.items())
