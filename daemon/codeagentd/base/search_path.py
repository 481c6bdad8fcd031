"""Programs that are found by their names, such as git and gh: none that a repository brings along."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

VARIABLE: Final = "PATH"
WHOLE: Final = "CODEAGENT_WHOLE_PATH"  # the user's own PATH, for commands that the user has asked to be run


def leave_out(folder: str) -> None:
    """Take the entries out of this process's PATH, and so of its children's, by which a repository at `folder` decides
    which program runs: those below it (`node_modules/.bin`), and those that depend on the current directory.
    """
    whole = os.environ.get(VARIABLE, os.defpath)
    entries = [entry for entry in whole.split(os.pathsep) if os.path.isabs(entry) and not _is_below(entry, folder)]
    os.environ[WHOLE] = whole
    os.environ[VARIABLE] = os.pathsep.join(entries) or os.defpath


def _is_below(entry: str, folder: str) -> bool:
    real = os.path.realpath(folder)
    return any(Path(place).is_relative_to(real) for place in (os.path.realpath(entry), os.path.abspath(entry)))
