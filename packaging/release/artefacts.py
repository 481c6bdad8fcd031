"""The table of what a release consists of. A new artefact is a module beside this one, and an entry of ARTEFACTS."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple

import bundle
import constraints
import homebrew
import image
import install_script
import manuals
import npm_package
import python_packages
import vsix
from programs import Tool

Build = Callable[[Path, Path], list[Path]]


class Artefact(NamedTuple):
    """A part of a release.

    `build(sources, out)` is called with a fresh copy of the commit's files, which it may write into, and with the
    folder of the release, which has the files of the artefacts named in `after`. It returns the files that it wrote
    into `out`. Their bytes depend on the commit alone: archives are written by `archives`, and the environment has
    SOURCE_DATE_EPOCH. `needs`: programs that it runs.
    """

    name: str
    summary: str
    build: Build
    needs: tuple[Tool, ...] = ()
    after: tuple[str, ...] = ()


ARTEFACTS: Final = (
    Artefact(
        "python", "wheel, source distribution and bill of materials, for installers of Python", python_packages.build
    ),
    Artefact("script", "install script for machines with Python or uv alone", install_script.build, after=("python",)),
    Artefact("constraints", "versions and hashes of all that a release is installed with", constraints.build),
    Artefact("manuals", "manual pages and completions, for packagers; the wheel has them too", manuals.build),
    Artefact(
        "image",
        "container image of `codeagentd serve`, for podman load and docker load",
        image.build,
        needs=(Tool("buildah", "buildah 1.28 or newer"),),
        after=("python", "constraints"),
    ),
    Artefact("npm", "package for `npx codeagentd`", npm_package.build, after=("python",)),
    Artefact("homebrew", "formula for a tap of Homebrew", homebrew.build, after=("python", "constraints")),
    Artefact("vsix", "extension of VS Code", vsix.build, needs=(Tool("npm", "Node.js 20 or newer"),)),
    Artefact("mcpb", "bundle for Claude Desktop, and the entry of the MCP registry", bundle.build),
)


def chosen(only: Iterable[str] = (), without: Iterable[str] = ()) -> list[Artefact]:
    """Return the artefacts named in `only` (none: all) and those that they come after, less those of `without`, in the
    order of the table. Errors: SystemExit for a name that no artefact has, and for one that another still needs.
    """
    by_name = {artefact.name: artefact for artefact in ARTEFACTS}
    if unknown := [name for name in (*only, *without) if name not in by_name]:
        raise SystemExit(f"there is no artefact {', '.join(unknown)}; there are {', '.join(by_name)}")
    wanted = set(only or by_name) - set(without)
    for artefact in reversed(ARTEFACTS):
        if artefact.name in wanted:
            wanted |= set(artefact.after)
    if needed := wanted & set(without):
        raise SystemExit(f"others are made from {', '.join(sorted(needed))}; leave these out too, or none")
    return [artefact for artefact in ARTEFACTS if artefact.name in wanted]
