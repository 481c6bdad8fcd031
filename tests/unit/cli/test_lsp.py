"""`codeagentd lsp` is codeagent-lsp."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from codeagent_shim.options import LSP, parse, usage
from codeagentd.cli.main import parser_of
from tests.harness.editor import framed, messages


@pytest.mark.parametrize("words", [[], ["--stdio", "--clientProcessId=7"], ["--repo", "/nonexistent"]])
def test_it_speaks_with_the_editor_on_its_own_pipes(words: list[str], tmp_path: Path):
    sent = [
        {"jsonrpc": "2.0", "id": 1, "method": "shutdown"},
        {"jsonrpc": "2.0", "method": "exit"},
    ]
    done = subprocess.run(
        [sys.executable, "-m", "codeagentd", "lsp", *words],
        input=b"".join(map(framed, sent)),
        capture_output=True,
        env=os.environ | {"CODEAGENT_RUNTIME_DIR": str(tmp_path / "run")},
        cwd=tmp_path,
        timeout=30,
        check=False,
    )
    assert (done.returncode, messages(done.stdout)) == (0, [{"jsonrpc": "2.0", "id": 1, "result": None}])


def test_it_takes_what_the_other_command_takes():
    command = {flag for flag in parser_of("lsp")._option_string_actions if flag not in ("-h", "--help", "--no-color")}
    assert command == {"--repo", *LSP.ignored}
    assert all(flag in usage(LSP) for flag in ("--repo", "--stdio"))
    for flags in (["--stdio"], ["--clientProcessId=7"], ["--clientProcessId", "7"]):
        assert parse(flags, {}, LSP) == parse([], {}, LSP)
