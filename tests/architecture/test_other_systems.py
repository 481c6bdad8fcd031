"""Every module of the product can be loaded as on macOS and as on Windows, and tests that cannot be are left out there."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import conftest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {
    "codeagent_protocol": "protocol",
    "codeagent_shim": "shim",
    "codeagentd": "daemon",
}
OF_LINUX = {  # loaded for inotify, and in the process of `speculate`, which Windows never starts
    "codeagentd.pipeline.speculation.speculator",
    "codeagentd.scan.watching.watch_tree",
    "codeagentd.speculation.signal_scope",
}
OPTIONAL = {"codeagentd.cluster.ray_engine"}
OF_POSIX = ("fcntl", "resource", "pwd", "grp", "termios", "pty", "tty")
GONE = (  # of os and signal, which Windows does not have
    "fork", "geteuid", "getuid", "getgid", "getpgid", "killpg", "mkfifo", "pidfd_open", "setsid", "uname", "O_NOFOLLOW",
    "SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPROF", "SIGSTOP", "SIGUSR1", "setitimer",
)  # fmt: skip
# libraries come first: it is our code that has to know the system
LOAD = """
import asyncio, importlib, os, signal, subprocess, sys, types
import apsw, cryptography, mcp, mcp.server, mcp.server.stdio, msgspec, platformdirs, uvicorn, watchdog.observers, zmq, obstore, psycopg, distributed
system, modules, absent, gone = sys.argv[1], sys.argv[2].split(), sys.argv[3].split(), sys.argv[4].split()
sys.platform = system
if system == "win32":
    sys.modules.update(dict.fromkeys(absent), msvcrt=types.ModuleType("msvcrt"), _winapi=types.ModuleType("_winapi"))
    signal.Signals._member_map_["SIGBREAK"] = signal.SIGTERM
    for module in (os, signal):
        for name in gone:
            if hasattr(module, name):
                delattr(module, name)
for module in modules:
    importlib.import_module(module)
"""


def modules() -> list[str]:
    """Every module but those that `make types-win32` leaves out, too."""
    left_out = re.search(r"--platform win32 --exclude '(.+)'", (ROOT / "Makefile").read_text())
    assert left_out
    of_linux = re.compile(left_out[1].replace("$$", "$"))
    found = {
        ".".join(path.relative_to(ROOT / top).with_suffix("").parts).removesuffix(".__init__")
        for package, top in PACKAGES.items()
        for path in (ROOT / top / package).rglob("*.py")
        if path.name != "__main__.py" and "data" not in path.parts and not of_linux.search(path.as_posix())
    }
    assert found >= OF_LINUX
    return sorted(found - OF_LINUX - OPTIONAL)


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_every_module_loads_as_it_would_there(system: str) -> None:
    command = [sys.executable, "-c", LOAD, system, " ".join(modules()), " ".join(OF_POSIX), " ".join(GONE)]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert not done.returncode, done.stderr[-2000:]


def at_import(node: ast.AST) -> list[ast.AST]:
    """The nodes that are evaluated when a module is loaded: not the bodies of its functions."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return [found for part in (*node.decorator_list, node.args) for found in at_import(part)]
    if isinstance(node, ast.Lambda):
        return []
    if isinstance(node, ast.BoolOp) and ast.unparse(node.values[0]).startswith(("sys.platform", "os.name")):
        return []  # the rest is not reached there
    return [node, *(found for child in ast.iter_child_nodes(node) for found in at_import(child))]


def of_posix(path: Path) -> list[str]:
    found = []
    for node in at_import(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name in OF_POSIX]
        elif isinstance(node, ast.ImportFrom) and node.module in OF_POSIX:
            found.append(node.module)
        elif (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in ("os", "signal")
            and node.attr in GONE
        ):
            found.append(node.attr)
    return found


def test_a_test_that_windows_cannot_load_is_left_out_there() -> None:
    left_out = [ROOT / "tests" / path for path in conftest.OF_POSIX]
    files = [
        path
        for folder in ("unit", "e2e", "properties", "languages", "snapshots")
        for path in (ROOT / "tests" / folder).rglob("test_*.py")
        if not any(path.is_relative_to(one) for one in left_out)
    ]
    assert not {path.name: found for path in files if (found := of_posix(path))}
