"""A window stays cheap: nothing heavy is imported by the shim, and nothing at all that its start does not need."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "asyncio",
    "mcp",
    "pydantic",
    "numpy",
    "apsw",
    "tree_sitter",
    "fastembed",
    "watchdog",
    "codeagentd",
    "platformdirs",
}
SLOW_TO_IMPORT = {"argparse", "inspect", "dataclasses", "subprocess", "logging", "pathlib", "json"}

EVERYTHING = """
import importlib, pkgutil, sys
import codeagent_shim
for module in pkgutil.iter_modules(codeagent_shim.__path__, "codeagent_shim."):
    importlib.import_module(module.name)
print(*sys.modules)
"""
START = "import sys, codeagent_shim.main; print(*sys.modules)"
START_OF_EDITOR = "import sys, codeagent_shim.language_server; print(*sys.modules)"
# all that a window loads until it waits for its client, and to serve it
SERVING = """
import sys
from codeagent_shim import bridge, launching, link, main, root_negotiation
from codeagent_protocol import pipe_writer
print(*sys.modules)
"""
SERVING_AN_EDITOR = """
import sys
from codeagent_shim import bridge, content_length, language_server, language_session, launching, link
print(*sys.modules)
"""


def modules_after(program: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    return {name.partition(".")[0] for name in done.stdout.split()}


def test_no_module_of_the_shim_imports_anything_heavy():
    assert not modules_after(EVERYTHING) & HEAVY


@pytest.mark.parametrize("start", [START, START_OF_EDITOR])
def test_a_cold_daemon_is_started_before_zeromq_is_imported(start: str):
    assert "zmq" not in modules_after(start)


@pytest.mark.parametrize("start", [START, START_OF_EDITOR])
def test_the_start_of_a_window_imports_no_slow_standard_module(start: str):
    assert not modules_after(start) & SLOW_TO_IMPORT


def test_the_window_of_an_editor_imports_nothing_that_a_window_of_mcp_does_not():
    assert modules_after(SERVING_AN_EDITOR) <= modules_after(SERVING)


def test_a_hook_imports_neither_zeromq_nor_slow_modules():
    modules = modules_after("import sys, codeagent_shim.main, codeagent_shim.session_start_hook; print(*sys.modules)")
    assert not modules & (SLOW_TO_IMPORT | HEAVY | {"zmq", "msgspec"})
