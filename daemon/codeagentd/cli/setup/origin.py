"""How the copy that runs was installed, and the command by which its version is changed."""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Final

import msgspec

from codeagent_protocol import dirs
from codeagentd.cli.other_programs import output_of
from codeagentd.clients.program_path import own_environment, own_program, passing_place, running

from .environment import PACKAGE, install_command, uv_program

OWNER_S: Final = 10.0  # seconds for dpkg to say which package has a file
AGAIN: Final = "install it again in the way in which it was installed"


class Origin(msgspec.Struct, frozen=True):
    """How a copy was installed: `kind`; `command` that brings its version to the one asked for, empty where that is not
    this program's to do; `advice` for the user then.
    """

    kind: str
    command: tuple[str, ...] = ()
    advice: str = ""


def origin_of(requirement: str) -> Origin:
    """Return how the running copy was installed. `requirement` is the requirement that its command installs."""
    prefix, record = Path(os.path.realpath(sys.prefix)), _record("direct_url.json")
    if json.loads(record or "{}").get("dir_info", {}).get("editable"):
        return Origin(
            "checkout", advice="update the checkout (git pull), and install it again if its dependencies changed"
        )
    if passing_place(running()):
        return Origin("cache", advice=f"run `uvx {PACKAGE}@latest setup`, or `pipx run --no-cache {PACKAGE} setup`")
    if prefix == Path(os.path.realpath(own_environment())):
        return Origin("setup", _installs(own_program("python"), requirement))
    if _is_below(prefix, dirs.data_dir() / "npm"):
        return Origin("npm", advice=f"run `npx {PACKAGE}@latest setup`, or `npm install --global {PACKAGE}@latest`")
    if (prefix / "install-script").is_file():
        return Origin(
            "install script", advice="run install.sh of the version that you want; it keeps this one beside it"
        )
    if (prefix / "uv-receipt.toml").is_file():
        uv = uv_program()
        command = (uv, "tool", "install", "--upgrade", "--force", requirement) if uv else ()
        return Origin("uv tool", command, f"run `uv tool install --upgrade {requirement}`: uv is not on PATH here")
    if (prefix / "pipx_metadata.json").is_file():
        pipx = shutil.which("pipx")
        return Origin(
            "pipx",
            (pipx, "install", "--force", requirement) if pipx else (),
            f"run `pipx install --force {requirement}`",
        )
    return _of_the_system(prefix) or Origin("pip", _installs(sys.executable, requirement))


def _of_the_system(prefix: Path) -> Origin | None:
    """A copy that a package manager of the system looks after; None for none."""
    if "Cellar" in prefix.parts:
        return Origin("Homebrew", advice=f"run `brew upgrade {PACKAGE}`")
    module = str(Path(__file__).resolve())
    if shutil.which("dpkg-query") and output_of(["dpkg-query", "--search", module], OWNER_S) is not None:
        return Origin("Debian package", advice=f"run `sudo apt install --only-upgrade {PACKAGE}`")
    if not os.access(os.path.dirname(module), os.W_OK):
        return Origin("system", advice=f"{prefix} may not be changed by this user: {AGAIN}")
    return None


def _installs(python: str, requirement: str) -> tuple[str, ...]:
    return tuple(install_command(python, requirement, "--upgrade"))


def _is_below(place: Path, folder: Path) -> bool:
    return Path(os.path.realpath(folder)) in place.parents


def _record(name: str) -> str:
    try:
        return importlib.metadata.distribution(PACKAGE).read_text(name) or ""
    except importlib.metadata.PackageNotFoundError:
        return ""
