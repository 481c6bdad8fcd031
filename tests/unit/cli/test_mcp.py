"""`codeagentd mcp` is codeagent-mcp."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from codeagent_shim.options import MCP, NUDGE, parse, usage
from codeagentd.cli.commands import mcp
from codeagentd.cli.main import parser_of, run
from tests.harness.raw_session import INITIALIZE


def test_it_speaks_with_the_client_on_its_own_pipes(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, "-m", "codeagentd", "mcp", "--repo", "/"],
        input=json.dumps(INITIALIZE).encode() + b"\n",
        capture_output=True,
        env=os.environ | {"CODEAGENT_RUNTIME_DIR": str(tmp_path / "run")},
        cwd=tmp_path,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0
    (answer,) = map(json.loads, done.stdout.splitlines())
    assert answer["id"] == 1
    assert answer["error"]["data"]["code"] == "invalid_parameter"


def test_it_takes_what_the_other_command_takes_and_passes_it_on(monkeypatch: pytest.MonkeyPatch):
    flags = {flag for flag in parser_of("mcp")._option_string_actions if flag not in ("-h", "--help", "--no-color")}
    listed = {line.split()[0] for line in usage(MCP).splitlines() if line.startswith("  --")}
    assert flags == listed - {"--help", "--version", NUDGE}
    passed: list[list[str]] = []
    monkeypatch.setattr(mcp, "become", lambda _, words: passed.append(words) or 0)
    words = ["--repo", "a b", "--toolsets", "all", "--exclude-tools", "", "--rows", "full", "--read-only"]
    assert run("mcp", words) == 0
    assert parse(passed[0], {}) == parse(words, {})
