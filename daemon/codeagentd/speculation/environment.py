"""The environment of commands, made from a list of allowed variables: no user's home, no credentials.

Commands use the existing caches of packages and toolchains, since they have no network to fill others. None of these
folders contains credentials.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from codeagentd.base.search_path import VARIABLE, WHOLE
from codeagentd.vcs.alternates import ALONE

_INHERITED: Final = frozenset({"LANG", "LANGUAGE", "TZ", "USER", "LOGNAME"})
_SET: Final = {
    "TERM": "dumb", "NO_COLOR": "1", "CI": "1", "GOPROXY": "off", "GOTOOLCHAIN": "local", "CARGO_NET_OFFLINE": "true",
    "npm_config_offline": "true", "PIP_NO_INDEX": "1", "PYTHONDONTWRITEBYTECODE": "1",
}  # fmt: skip
# variable -> its default folder below the home directory
_CACHES: Final = {"RUSTUP_HOME": ".rustup", "GOMODCACHE": "go/pkg/mod", "PYTHONUSERBASE": ".local"}
_CRATES: Final = ("registry", "git")  # subfolders of Cargo's folder, which has its credentials beside them


def environment(ours: Mapping[str, str], folder: Path, tree: Path) -> dict[str, str]:
    """Return the variables of commands that run in `tree`; `ours` are the daemon's variables. Creates the folders that
    the variables name, below `folder`.
    """
    home = folder / "home"
    for place in (home, folder / "tmp"):
        place.mkdir(mode=0o700)
    inherited = {name: value for name, value in ours.items() if _is_plain(name)}
    sources = os.pathsep.join(str(place) for place in (tree, tree / "src") if place.is_dir())
    own = {
        "HOME": str(home),
        "TMPDIR": str(folder / "tmp"),
        "PATH": _path(ours.get(WHOLE) or ours.get(VARIABLE, os.defpath)),
        "PYTHONPATH": sources,
    }
    return inherited | _SET | ALONE | own | _caches(ours, home)


def supervisors(ours: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of the process between daemon and commands: those of commands, because commands can read
    them, and those by which Python finds this program. `ours` are the daemon's variables.
    """
    allowed = {VARIABLE, WHOLE, "HOME", "PYTHONPATH", *_CACHES, "CARGO_HOME"}
    return {name: value for name, value in ours.items() if name in allowed or _is_plain(name)} | ALONE


def _is_plain(name: str) -> bool:
    return name in _INHERITED or name.startswith("LC_")


def _path(path: str) -> str:
    """PATH without entries that depend on the current directory: with these, the repository could decide which program
    a command runs.
    """
    return os.pathsep.join(part for part in path.split(os.pathsep) if os.path.isabs(part))


def _caches(ours: Mapping[str, str], home: Path) -> dict[str, str]:
    real = ours.get("HOME", "")
    result = {name: ours.get(name) or os.path.join(real, below) for name, below in _CACHES.items()}
    cargo = ours.get("CARGO_HOME") or os.path.join(real, ".cargo")
    (home / ".cargo").mkdir()
    for name in _CRATES:
        if os.path.isdir(os.path.join(cargo, name)):
            with suppress(OSError):
                (home / ".cargo" / name).symlink_to(os.path.join(cargo, name))
    return {name: place for name, place in result.items() if os.path.isdir(place)} | {
        "CARGO_HOME": str(home / ".cargo")
    }
