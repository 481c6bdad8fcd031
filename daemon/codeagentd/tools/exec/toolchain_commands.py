"""The commands of toolchains. They are fixed: files of the repository decide which commands apply, but not their
content.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Sequence
from typing import Final, Literal, NamedTuple

Toolchain = Literal["cargo", "go", "python", "node"]

FILES: Final = "{files}"  # the placeholder for the test files to run
FOLDERS: Final = "{folders}"  # the placeholder for their folders: ./a ./b


class Recipe(NamedTuple):
    """The commands of a toolchain, empty for none; `build` only applies if one of the files in `needs`, when any are
    named, is at the repository's root.
    """

    build: tuple[str, ...]
    test: tuple[str, ...]
    needs: tuple[str, ...] = ()


NOTHING: Final = Recipe((), ())
RECIPES: Final[dict[Toolchain, Recipe]] = {
    "cargo": Recipe(("cargo", "check", "--workspace", "--all-targets"), ("cargo", "test", "--workspace")),
    "go": Recipe(("go", "build", "./..."), ("go", "test", FOLDERS)),
    "python": Recipe((), ("python3", "-m", "pytest", "-q", FILES)),
    "node": Recipe(("npx", "--no-install", "tsc", "--noEmit"), ("npm", "test"), needs=("tsconfig.json",)),
}
_MARKERS: Final[tuple[tuple[Toolchain, tuple[str, ...]], ...]] = (  # in the order of page 002's origin
    ("cargo", ("Cargo.toml",)),
    ("go", ("go.mod",)),
    ("python", ("pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini")),
    ("node", ("package.json",)),
)
# Messages of launchers whose program is not installed: rustup's proxies, python -m, npx --no-install, pyenv's shims.
_ABSENT: Final = re.compile(
    r"error: (?:rustup could not choose a version of |no override and no default toolchain set"
    r"|toolchain '[^'\n]+' is not installed|"
    r"'[^'\n]+' is not installed for the toolchain )|\S*python\S*: No module named \S+$|npm (?:ERR!"
    r"|error) npx canceled due to missing packages|"
    r"pyenv: (?:version `[^'\n]+' is not installed|\S+: command not found)",
    re.MULTILINE,
)


def is_absent(output: str) -> bool:
    """Whether a command's output begins with the message that its program is missing, although its launcher started."""
    return bool(_ABSENT.match(output.lstrip()))


def fitting(names: Collection[str]) -> Toolchain | None:
    """The toolchain that the names of files at the repository's root indicate. No program is run for that."""
    return next((toolchain for toolchain, markers in _MARKERS if any(name in names for name in markers)), None)


def words(command: Sequence[str], files: Sequence[str]) -> list[str]:
    """A command with its placeholder replaced by the test files; empty if it needs files and there are none."""
    folders = sorted({f"./{posixpath.dirname(path)}".rstrip("/") for path in files})
    replacements = {FILES: list(files), FOLDERS: folders}
    if not files and any(word in replacements for word in command):
        return []
    return [part for word in command for part in replacements.get(word, [word])]
