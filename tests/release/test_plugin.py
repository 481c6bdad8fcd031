"""The plugin in Claude Code itself, on a machine that has no codeagentd: two lines, and its server is connected."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.harness import npm_packages, portable_python
from tests.harness.clean_machines import HOME, Machine
from tests.harness.loopback_registries import registries
from tests.release.conftest import ROOT

pytestmark = [pytest.mark.long, pytest.mark.limit(600)]

CLAUDE = "@anthropic-ai/claude-code"
VERSION = "2.1.332"
QUIET = {"DISABLE_TELEMETRY": "1", "DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}


def test_claude_code_connects_to_the_server_of_the_plugin(release: Path, node_alone: Machine, python_alone: Machine):
    packages = npm_packages.npm_packages("claude-code", f"{CLAUDE}@{VERSION}") / "node_modules"
    shutil.copy(packages / f"{CLAUDE}-linux-x64" / "claude", node_alone.home)
    for part in (".claude-plugin", "editors/claude-code"):  # as a clone of the repository has them
        shutil.copytree(ROOT / part, node_alone.home / "codeagentd" / part)
    (node_alone.home / "shop").mkdir()
    node_alone.owned(node_alone.home)
    with registries(release, portable_python.archive(python_alone)) as variables:
        # the first start fetches codeagentd, which may take longer than the 30 s that Claude Code waits
        node_alone.variables |= variables | QUIET | {"MCP_TIMEOUT": "180000"}
        valid = node_alone.run("./claude plugin validate codeagentd/editors/claude-code")
        assert "Validation passed" in valid.out, valid.out + valid.err
        added = node_alone.run(
            "./claude plugin marketplace add ./codeagentd && ./claude plugin install codeagentd@codeagentd"
        )
        assert added.code == 0, added.out + added.err
        listed = node_alone.run(f"git init -q && {HOME}/claude mcp list", f"{HOME}/shop")
        (line,) = [line for line in listed.out.splitlines() if line.startswith("plugin:codeagentd:codeagent:")]
        assert "Connected" in line, listed.out + listed.err
