"""The virtual environment of this program, which setup makes where the program that runs is in a runner's cache."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from codeagent_protocol import dirs
from codeagent_protocol.errors import EngineUnavailable
from codeagent_protocol.version import __version__, version_of
from codeagentd.base import failpoints
from codeagentd.cli.other_programs import output_of
from codeagentd.clients.config_entries import LANGUAGE_SERVER_PROGRAM, PROGRAM
from codeagentd.clients.program_path import own_environment, own_program

from . import setup_log

PACKAGE: Final = "codeagentd"
PROGRAMS: Final = (PACKAGE, PROGRAM, LANGUAGE_SERVER_PROGRAM)
ANSWER_S: Final = 60.0  # seconds for a program to say its version: the first start compiles it
INSTALL_S: Final = 1800.0  # seconds for packages to be downloaded and installed
SHOWN_CHARACTERS: Final = 400  # of what an installer wrote before it failed
Command = Sequence[str]
# a requirement of an extra in the metadata of a package: its name, and the extra
_OF_EXTRA: Final = re.compile(r"""([A-Za-z0-9._-]+)[^;]*;.*\bextra == ['"]([^'"]+)""")


def requirement() -> str:
    """Return the requirement by which this version is installed again: from where it was installed, if that was no
    index.
    """
    text = importlib.metadata.distribution(PACKAGE).read_text("direct_url.json")
    if not text:
        return requirement_of(__version__)
    source = json.loads(text)
    if vcs := source.get("vcs_info"):
        return f"{requirement_of('')} @ {vcs['vcs']}+{source['url']}@{vcs['commit_id']}"
    return f"{requirement_of('')} @ {source['url']}"


def requirement_of(version: str) -> str:
    """Return the requirement of a version of this program, "" for any, with the extras that are installed."""
    extras = ",".join(installed_extras())
    return f"{PACKAGE}{f'[{extras}]' if extras else ''}{f'=={version}' if version else ''}"


def installed_extras() -> list[str]:
    """Return the extras of this program of which every package is installed."""
    needed: dict[str, list[str]] = {}
    for line in importlib.metadata.requires(PACKAGE) or ():
        if match := _OF_EXTRA.match(line):
            needed.setdefault(match[2], []).append(match[1])
    return sorted(extra for extra, packages in needed.items() if all(map(_is_installed, packages)))


def _is_installed(package: str) -> bool:
    try:
        importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def present_version() -> str:
    """Return the version of the program in the environment; "" when there is none, or none that was finished."""
    return "" if setup_log.load().environment == "" else version_in(own_program(PACKAGE))


def version_in(program: str) -> str:
    """Return the version that the codeagentd at the path `program` says; "" when it says none."""
    if not os.access(program, os.X_OK):
        return ""
    try:
        return str(json.loads(output_of([program, "version", "--json"], ANSWER_S) or "")["version"])
    except (ValueError, KeyError):
        return ""


def is_needed(present: str) -> bool:
    """Whether the environment has to be made, or brought to this version; `present` is its version."""
    return version_of(present) < version_of(__version__)


def make(present: str, *, quiet: bool) -> str:
    """Install this version into the environment, which has the version `present`, "" for none, and link its programs.
    Returns the name of the installer.

    Errors: engine_unavailable when an installer fails.
    """
    folder, python = own_environment(), own_program("python")
    is_ours = setup_log.load().environment is not None or not present
    setup_log.note(environment="" if is_ours else None)
    uv = uv_program()
    if not present:
        shutil.rmtree(folder, ignore_errors=True)
        base = getattr(sys, "_base_executable", sys.executable)
        new = [uv, "venv", "--quiet", "--python", base] if uv else [base, "-m", "venv"]
        run_installer([*new, str(folder)], quiet=quiet)
    failpoints.point("setup.environment")
    run_installer(install_command(python, requirement()), quiet=quiet)
    failpoints.point("setup.installed")
    _link()
    if is_ours:
        setup_log.note(environment=__version__)
    return "uv" if uv else "pip"


def install_command(python: str, package: str, *options: str) -> list[str]:
    """Return the command that installs the requirement `package` for the interpreter `python`. The installer's cache is
    used where there is one, and not begun where there is none.
    """
    if uv := uv_program():
        cache = () if _has_cache([uv, "cache", "dir"]) else ("--no-cache",)
        return [uv, "pip", "install", "--python", python, *cache, *options, package]
    pip = [python, "-m", "pip"]
    cache = () if _has_cache([*pip, "cache", "dir"]) else ("--no-cache-dir",)
    return [*pip, "install", "--disable-pip-version-check", *cache, *options, package]


def uv_program() -> str:
    """Return the path of uv, "" where it is not installed. `uvx` names itself to the program that it runs."""
    return os.environ.get("UV") or shutil.which("uv") or ""


def run_installer(command: Command, *, quiet: bool) -> None:
    """Run `command`, with its progress on stderr unless `quiet`. Errors: engine_unavailable."""
    output = subprocess.PIPE if quiet else sys.stderr
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT if quiet else output,
            text=True, errors="replace", timeout=INSTALL_S, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _failed(command, str(error)) from error
    if done.returncode:
        raise _failed(
            command, " ".join((done.stdout or "").split())[-SHOWN_CHARACTERS:] or f"exit code {done.returncode}"
        )


def remove() -> list[str]:
    """Remove the environment and the links to it, if setup has made them. Returns the removed paths.

    Errors: engine_unavailable.
    """
    log = setup_log.load()
    links = [link for link in log.links if _leads_inside(link)]
    for link in links:
        os.unlink(link)
    removed = list(links)
    if log.environment is not None and os.path.lexists(own_environment()):
        try:
            shutil.rmtree(own_environment())
        except OSError as error:
            remedy = "end what runs from it, then run `uvx codeagentd setup --undo`, or remove the folder yourself"
            raise EngineUnavailable(f"{own_environment()} cannot be removed: {error}", remedy=remedy) from error
        removed.append(str(own_environment()))
    return removed


def link_folder() -> Path:
    """Return the folder for the user's programs."""
    return Path(dirs.home(), ".local", "bin")


def _link() -> None:
    """Link the programs into the user's folder of programs, where their names are free."""
    if sys.platform == "win32":
        return
    places = {str(link_folder() / program): own_program(program) for program in PROGRAMS}
    missing = {link: program for link, program in places.items() if not os.path.lexists(link)}
    setup_log.note(links=tuple(dict.fromkeys([*setup_log.load().links, *missing])))
    link_folder().mkdir(parents=True, exist_ok=True)
    for link, program in missing.items():
        os.symlink(program, link)


def _leads_inside(link: str) -> bool:
    return os.path.islink(link) and os.readlink(link).startswith(f"{own_environment()}{os.sep}")


def _has_cache(question: Command) -> bool:
    """Whether the folder exists that an installer's command names as its cache."""
    return os.path.isdir((output_of(question, ANSWER_S) or "").strip())


def _failed(command: Command, why: str) -> EngineUnavailable:
    return EngineUnavailable(
        f"`{' '.join(command)}` failed: {why}",
        remedy="run it to see more; or `pipx install codeagentd`, and then `codeagentd setup`",
    )
