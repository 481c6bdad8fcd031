"""Which file of the repository a path on the command line means."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeagent_protocol.errors import InvalidParameter
from codeagentd.cli.repository_arguments import inside


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "src" / "deep").mkdir(parents=True)
    (tmp_path / "src" / "a.py").write_text("")
    (tmp_path / "src" / "deep" / "b.py").write_text("")
    monkeypatch.chdir(tmp_path / "src")
    return tmp_path.resolve()


@pytest.mark.parametrize(
    ("path", "known"),
    [("a.py", "src/a.py"), ("src/a.py", "src/a.py"), ("deep/b.py", "src/deep/b.py"), ("src/gone.py", "src/gone.py")],
)
def test_paths_are_taken_from_here_or_from_the_root(repo: Path, path: str, known: str):
    assert inside(str(repo), path) == known


@pytest.mark.parametrize("path", ["../../outside.py", "/etc/hostname", ".."])
def test_a_path_outside_is_refused(repo: Path, path: str):
    with pytest.raises(InvalidParameter):
        inside(str(repo), path)
