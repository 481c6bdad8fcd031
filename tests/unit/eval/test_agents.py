"""`make eval-agents`: its tables, its searches, the rows that it counts, and a question through a real shim."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.eval import agents
from tests.eval.agents import main
from tests.eval.known_answers import Search, repositories
from tests.eval.rows import row_count
from tests.eval.searches import Peer, PeerFailed, grep
from tests.eval.tables import table
from tests.harness.world import GIT_IDENTITY

DATA = """
repository = "library"
url = "https://example.invalid/library"
commit = "{commit}"
suffixes = [".py"]

[[question]]
number = 1
text = "Who calls fine?"
tool = "get_callers"
arguments = {{ node_id = "fine" }}
grep = {{ pattern = "fine" }}
peer = ["callers", "fine"]
[question.known]
must = ["loans.py:4-5 back"]

[[question]]
number = 2
text = "Who calls the tax?"
tool = "get_callers"
arguments = {{ node_id = "tax" }}
grep = {{ pattern = "tax" }}
[question.known]
must = ["loans.py:4-5 back"]
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A repository of two files below a folder of repositories."""
    root = tmp_path / "corpora/library"
    root.mkdir(parents=True)
    (root / "fines.py").write_text("def fine(loan):\n    return 2\n")
    (root / "loans.py").write_text("from fines import fine\n\n\ndef back(loan):\n    return fine(loan)\n")
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all"]):
        subprocess.run(["git", *command], cwd=root, env=GIT_IDENTITY | {"PATH": "/usr/bin:/bin"}, check=True)
    return root


def test_a_question_is_asked_through_a_shim_and_by_grep(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["git", "-C", str(library), "rev-parse", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    (tmp_path / "library.toml").write_text(DATA.format(commit=commit))
    monkeypatch.setattr(agents, "repositories", lambda: repositories(tmp_path))
    assert main(["--corpora", str(library.parent), "--json"]) == 0
    told = capsys.readouterr()
    first, second = json.loads(told.out)
    assert "no --peer" in told.err
    assert (first["ours"]["verdict"]["right"], first["grep"]["verdict"]["right"], first["peer"]) == (True, True, None)
    assert (second["ours"]["verdict"]["right"], second["ours"]["verdict"]["reason"], second["against_grep"]) == (
        False,
        "error",
        "even",
    )
    assert main(["--corpora", str(library.parent), "--only", "1", "--markdown"]) == 0
    assert "| 1 | library | Who calls fine? | get_callers |" in capsys.readouterr().out


def test_a_checkout_at_another_commit_is_left_out(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "library.toml").write_text(DATA.format(commit="0" * 40))
    monkeypatch.setattr(agents, "repositories", lambda: repositories(tmp_path))
    assert main(["--corpora", str(library.parent)]) == 2
    assert "the answers hold at 000000000" in capsys.readouterr().err


def test_grep_prints_whole_words_parts_or_what_an_expression_finds(library: Path) -> None:
    assert grep(library, Search("fine"), [".py"]).splitlines() == [
        "fines.py:1:def fine(loan):", "loans.py:1:from fines import fine", "loans.py:5:    return fine(loan)",
    ]  # fmt: skip
    assert grep(library, Search("FIN", part=True), [".py"]).count("\n") == 2
    assert grep(library, Search("^def ", path="loans.py", regex=True), [".py"]) == "loans.py:4:def back(loan):"
    assert grep(library, Search("fine"), [".ts"]) == ""


def test_a_peer_that_fails_is_left_out_with_its_reason(library: Path, tmp_path: Path) -> None:
    program = tmp_path / "codegraph"
    program.write_text("#!/bin/sh\necho 'no such thing' >&2\nexit 3\n")
    program.chmod(0o755)
    with pytest.raises(PeerFailed, match="no such thing"):
        Peer(program, library)
    with pytest.raises(PeerFailed):
        Peer(tmp_path / "absent", library)


def test_a_peer_works_on_a_copy_with_a_home_of_its_own(library: Path, tmp_path: Path) -> None:
    program = tmp_path / "codegraph"
    program.write_text('#!/bin/sh\n[ "$1" = init ] && touch "$3/written" || echo "$HOME $*"\n')
    program.chmod(0o755)
    peer = Peer(program, library)
    try:
        home, *words = peer.ask(["callers", "fine"]).split()
        assert words[0] == "callers"
        assert words[-1] == "fine"
        assert Path(words[2], "written").exists()
        assert not (library / "written").exists()
        assert Path(home) != Path.home()
    finally:
        peer.close()
    assert not Path(home).exists()


@pytest.mark.parametrize(
    ("value", "rows"),
    [
        ({"results": []}, 0),
        ({"results": {}, "note": "none"}, 0),
        ({"results": [{"name": "a", "sites": [{"file_path": "x", "line": 1}] * 3}, {"name": "b"}], "note": "two"}, 2),
        ({"results": {"x.py": ["1:2 a", "3:4 b"], "y.py": ["5:6 c"]}}, 3),
        ({"name": "top", "children": [{"name": "a"}, {"name": "b", "children": [{"name": "c"}]}]}, 4),
        ({"results": "x/\n  a.py\n  b.py\n"}, 3),
    ],
)
def test_rows_are_objects_strings_of_a_list_or_lines(value: object, rows: int) -> None:
    assert row_count(json.dumps(value)) == rows


def test_columns_of_figures_are_flush_right() -> None:
    assert table(["name", "n"], [["a", "1,000"], ["bc", "5"]]) == "name      n\na     1,000\nbc        5"
    assert table(["a", "b"], [["1", "x"]], markdown=True) == "| a | b |\n| --- | --- |\n| 1 | x |"
