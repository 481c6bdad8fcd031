"""The doctor's checks: each examines one thing, makes no lasting change, and never raises.

A finding includes its repair where that is safe.
"""

from __future__ import annotations

import os
import platform
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from codeagent_protocol import dirs
from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import EngineUnavailable
from codeagent_protocol.locks import holder_line, is_held
from codeagent_protocol.sandbox import CONSEQUENCE, REMEDY, barrier, refusal
from codeagent_protocol.transport import TCP, Address, expected
from codeagent_protocol.version import __version__
from codeagentd.base.host_load import is_wsl
from codeagentd.cli.daemon_client.daemon_status import exit_code, status_of
from codeagentd.cli.rendering.console import size
from codeagentd.scan.watching.remote_filesystem import remote_type

from . import repairs
from .finding import FAIL, OK, WARN, Finding

LEAST_FREE_BYTES = 500_000_000  # the index of a large repository, its log and its blobs
GIT_PATIENCE_S = 5.0
FEW_INSTANCES = 128


def environment() -> Iterator[Finding]:
    """Yield the findings on Python, the two commands and git."""
    yield Finding(
        OK,
        "codeagentd",
        f"{__version__} with Python {platform.python_version()} on {platform.system()} "
        f"{platform.machine()}{' (WSL)' if is_wsl() else ''}",
    )
    shim = Path(sys.executable).parent / "codeagent-mcp"
    if shim.exists():
        yield Finding(OK, "codeagent-mcp", str(shim))
    else:
        yield Finding(
            WARN,
            "codeagent-mcp",
            f"not beside {sys.executable}",
            "install the package again: clients start this command",
        )
    yield _git()


def _git() -> Finding:
    without = "ignore rules are read without git, and HEAD is unknown"
    if not (program := shutil.which("git")):
        return Finding(WARN, "git", f"not found: {without}", "install git")
    try:
        done = subprocess.run(
            [program, "--version"],
            capture_output=True,
            text=True,
            timeout=GIT_PATIENCE_S,
            check=True,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return Finding(WARN, "git", f"does not run ({error}): {without}", "repair the git installation")
    return Finding(OK, "git", done.stdout.strip().removeprefix("git version "))


def directories() -> Iterator[Finding]:
    """Yield the findings on the directories: each exists or can be created, belongs to the user, is writable and has
    free space.
    """
    yield _runtime(dirs.runtime_path())
    for name, path in (
        ("cache", dirs.cache_path()),
        ("data", str(dirs.data_dir())),
        ("config", str(dirs.config_dir())),
        ("logs", dirs.state_path()),
    ):
        yield _writable(name, path)
    free = shutil.disk_usage(_existing(dirs.cache_path())).free
    if free < LEAST_FREE_BYTES:
        yield Finding(
            WARN, "disk", f"{size(free)} free for the cache", "make room, or set CODEAGENT_CACHE_DIR to another disk"
        )
    else:
        yield Finding(OK, "disk", f"{size(free)} free for the cache")


def _runtime(path: str) -> Finding:
    if not os.path.isdir(path):
        return _writable("runtime", path)
    status = os.stat(path)
    if sys.platform == "win32":
        return Finding(OK, "runtime", path)
    if status.st_uid != os.getuid():
        return Finding(
            FAIL,
            "runtime",
            f"{path} belongs to uid {status.st_uid}",
            "set CODEAGENT_RUNTIME_DIR to a directory of your own",
        )
    if stat.S_IMODE(status.st_mode) & 0o077:
        text = f"{path} is open to others ({stat.S_IMODE(status.st_mode):04o})"
        return Finding(
            WARN,
            "runtime",
            text,
            "the next start closes it; or `chmod 700` it now, or `codeagentd doctor --fix`",
            partial(repairs.close, Path(path)),
        )
    return Finding(OK, "runtime", f"{path} (0700)")


def _writable(name: str, path: str) -> Finding:
    at = _existing(path)
    obstacle = next(
        (part for part in (path, *map(str, Path(path).parents)) if os.path.lexists(part) and not os.path.isdir(part)),
        "",
    )
    if obstacle:
        return Finding(
            FAIL, name, f"{path}: {obstacle} is no directory", f"move it away, or set {dirs.variable_of(path)}"
        )
    try:
        dirs.check_path(path)
    except EngineUnavailable as error:
        return Finding(FAIL, name, error.message, error.remedy)
    if not os.access(at, os.W_OK | os.X_OK):
        return Finding(
            FAIL, name, f"{path}: {at} is not writable", f"make it writable, or set {dirs.variable_of(path)}"
        )
    return Finding(OK, name, path if at == path else f"{path} (made when needed)")


def _existing(path: str) -> str:
    while not os.path.isdir(path) and os.path.dirname(path) != path:
        path = os.path.dirname(path)
    return path


def local_sockets() -> Iterator[Finding]:
    """Yield a finding on whether this process may use local sockets: some sandboxes forbid them."""
    nobody = None if expected() == TCP else Address(f"ipc://{os.path.join(dirs.runtime_path(), 'nobody.sock')}")
    if why := refusal(nobody):
        yield Finding(FAIL, "local sockets", f"{why}: {CONSEQUENCE}", REMEDY)
    else:
        yield Finding(OK, "local sockets", "allowed")


def stale() -> Iterator[Finding]:
    """Yield a finding on sockets that killed daemons left."""
    if left := repairs.stale_sockets(dirs.runtime_path()):
        text = f"{len(left)} of daemons that are gone; each next start replaces its own"
        yield Finding(WARN, "stale sockets", text, "codeagentd doctor --fix", partial(repairs.sweep, left))


def repository(endpoint: Endpoint) -> Iterator[Finding]:
    """Yield the findings on the repository's root and its file system."""
    yield Finding(OK, "repository", endpoint.root)
    if kind := remote_type(Path(endpoint.root)):
        yield Finding(WARN, "file system", f"{kind}: changes are found by polling", _remedy_for(kind))


def _remedy_for(kind: str) -> str:
    if kind in ("9p", "v9fs", "drvfs", "fuse.drvfs") and is_wsl():
        return "keep the repository in the Linux file system of WSL (below ~, not /mnt/c) to have them at once"
    return "keep the repository on a local disk to have them at once"


def watches(endpoint: Endpoint) -> Iterator[Finding]:
    """Yield a finding on whether there are enough inotify watches for every directory (Linux)."""
    limits = {name: _kernel_limit(name) for name in ("max_user_watches", "max_user_instances")}
    if not limits["max_user_watches"]:
        return
    folders = sum(1 for _ in _directories(endpoint.root, limits["max_user_watches"]))
    text = f"{folders:,} directories, {limits['max_user_watches']:,} watches allowed"
    if folders * 2 > limits["max_user_watches"]:
        yield Finding(
            WARN,
            "inotify",
            text,
            "sudo sysctl fs.inotify.max_user_watches=1048576 (the daemon polls when watches run out)",
        )
    else:
        yield Finding(OK, "inotify", text)
    if limits["max_user_instances"] < FEW_INSTANCES:
        yield Finding(
            WARN,
            "inotify",
            f"only {limits['max_user_instances']} instances allowed",
            "sudo sysctl fs.inotify.max_user_instances=512",
        )


def _kernel_limit(name: str) -> int:
    try:
        return int(Path("/proc/sys/fs/inotify", name).read_text())
    except (OSError, ValueError):
        return 0


def _directories(root: str, enough: int) -> Iterator[str]:
    """Yield directories below a root, at most `enough` of them."""
    for number, (folder, _, _) in enumerate(os.walk(root)):
        if number > enough:
            return
        yield folder


def settings(endpoint: Endpoint) -> Iterator[Finding]:
    """Yield the findings on the sources of settings: whether each can be used."""
    from codeagentd.boot.settings import load

    problems = load(endpoint.root, os.environ).problems
    for problem in problems:
        yield Finding(FAIL, "settings", f"{problem.source}: {problem.message}", problem.remedy)
    if not problems:
        yield Finding(OK, "settings", "valid")


def daemon(endpoint: Endpoint) -> Iterator[Finding]:
    """Yield the findings on the lock, the sockets and the answer of the daemon."""
    if why := barrier(endpoint):
        yield Finding(FAIL, "daemon", f"out of reach: {why}", REMEDY)
        return
    is_running = is_held(endpoint.life_lock)
    for path in (endpoint.socket, endpoint.control, endpoint.ports):
        if sys.platform != "win32" and os.path.exists(path) and stat.S_IMODE(os.stat(path).st_mode) & 0o077:
            yield Finding(
                WARN, "socket", f"{path} is open to others", "codeagentd restart", partial(repairs.close, Path(path))
            )
    if not is_running:
        left = " (sockets of an earlier one are replaced at the next start)" if os.path.exists(endpoint.socket) else ""
        yield Finding(OK, "daemon", f"not running{left}")
        return
    fields = status_of(endpoint)
    state = str(fields.get("state")).replace("_", " ")
    if (code := exit_code(fields)) == 0:
        yield Finding(OK, "daemon", f"{state}, pid {fields.get('pid')}, version {fields.get('version')}")
    else:
        level = WARN if code == 1 else FAIL
        yield Finding(
            level,
            "daemon",
            f"{state}: {fields.get('reason', '')} (lock held by {holder_line(endpoint.life_lock)})",
            str(fields.get("remedy", "")),
        )
    yield from _embedding(fields)
    if fields.get("version") not in (__version__, None):
        yield Finding(
            WARN, "version", f"the daemon is {fields['version']}, this is {__version__}", "codeagentd restart"
        )


def _embedding(fields: dict[str, Any]) -> Iterator[Finding]:
    """Report whether a running daemon has search by meaning."""
    embedding = fields.get("embeddings") or {}
    model, reason = embedding.get("model"), embedding.get("reason")
    if reason:
        instead = f"{model}, in place of a sentence model" if model else "none, so search is by words alone"
        yield Finding(WARN, "embedding model", f"{instead}: {reason}", str(embedding.get("remedy", "")))
    elif model:
        yield Finding(OK, "embedding model", model)
    elif embedding.get("state") == "off":
        yield Finding(OK, "embedding model", "off (embedding.enabled), so search is by words alone")


def index(endpoint: Endpoint) -> Iterator[Finding]:
    """Yield the findings on index.db: whether it can be read and is intact."""
    from codeagentd.store.opening import own

    from .database_checks import index_finding

    path = Path(endpoint.index) / "index.db"
    path = ours if (ours := own(path, "index")).exists() else path
    finding = index_finding(path)
    yield replace(finding, mend=partial(repairs.put_aside, endpoint, path)) if finding.level == FAIL else finding


def memory() -> Iterator[Finding]:
    """Yield the findings on memory.db: whether it is intact, closed to other users, and backed up; and on the server of
    a team, where the settings name one.
    """
    from codeagentd.boot.settings import load
    from codeagentd.memory.memory_store import FILE

    from .memory_checks import examine, examine_team

    if url := load("", os.environ).settings.memory.url:
        yield from examine_team(url)
    yield from examine(dirs.data_dir() / FILE)
