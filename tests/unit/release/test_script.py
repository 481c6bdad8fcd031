"""The install script as a text: what it carries, and that every shell reads it. `tests/release` runs it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import install_script
import pytest

from codeagent_protocol.version import __version__

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (tmp_path / f"codeagentd-{__version__}-py3-none-any.whl").write_bytes(b"a wheel")
    (made,) = install_script.build(ROOT, tmp_path)
    return made


def test_it_carries_the_hashes_of_the_wheel_and_of_all_that_is_locked(script: Path):
    text = script.read_text()
    assert f"codeagentd=={__version__} --hash=sha256:{sha256(b'a wheel').hexdigest()}\n" in text
    assert (ROOT / "packaging/constraints.txt").read_text() in text


def test_shellcheck_finds_nothing_wrong(script: Path):
    shellcheck = shutil.which("shellcheck", path=Path(sys.executable).parent)
    assert shellcheck, "run `make .venv/.installed`"
    done = subprocess.run([shellcheck, "--shell", "sh", str(script)], capture_output=True, text=True)
    assert done.stdout == ""


@pytest.mark.parametrize("shell", ["dash", "bash", "busybox", "zsh"])
def test_a_shell_reads_it_and_help_changes_nothing(script: Path, shell: str, tmp_path: Path):
    if not shutil.which(shell):
        pytest.skip(f"no {shell} here")
    words = [shell, *(["sh"] if shell == "busybox" else []), str(script), "--help"]
    environment = {"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    assert done.stdout.startswith("usage: sh install.sh [options]"), done.stderr
    assert not (tmp_path / "home").exists()


def test_it_runs_only_once_all_of_it_has_arrived(script: Path, tmp_path: Path):
    """A download that is cut off must do nothing: the call is the last line."""
    lines = script.read_text().splitlines(keepends=True)
    assert lines[-1] == 'main "$@"\n'
    cut = tmp_path / "cut.sh"
    cut.write_text("".join(lines[:-1]))
    done = subprocess.run(
        ["sh", str(cut)], capture_output=True, text=True, env={"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin"}
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert not (tmp_path / "home").exists()
