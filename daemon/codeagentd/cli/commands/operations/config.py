"""`codeagentd config`: the settings in force, the source of each, and the files and variables that could change it."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any

from codeagent_protocol import dirs
from codeagentd.boot.settings import KEYS, REPOSITORY_FILE, USER_FILE, Loaded, in_force, load
from codeagentd.cli.rendering.console import Paint, paint_for, plain
from codeagentd.cli.rendering.tables import table
from codeagentd.cli.repository_arguments import add_json, add_repo, root_from

DEFAULT = "default"

EXAMPLES = """examples:
  codeagentd config          every setting with its source
  codeagentd config path     the files that are read, lowest precedence first
  codeagentd config --json

Defaults, then the user's file, then the repository's (which may choose less), then variables, then flags. A file \
with a mistake is left out as a
whole; the mistake is told here and by `codeagentd doctor`. exit codes: 0 fine, 1 a source has a mistake"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_repo(parser)
    add_json(parser)
    parser.add_argument(
        "what",
        metavar="VERB",
        nargs="?",
        choices=("show", "path"),
        default="show",
        help="show: the settings (default); path: the files they come from",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print settings or paths. Returns the exit code: 1 when a source has a mistake."""
    root = root_from(arguments)
    if arguments.what == "path":
        print(
            json.dumps({"files": files(root)}, indent=2, ensure_ascii=False)
            if arguments.json
            else "\n".join(files(root))
        )
        return 0
    loaded = load(root, os.environ)
    print(
        json.dumps(as_json(loaded), indent=2, ensure_ascii=False)
        if arguments.json
        else "\n".join(as_text(loaded, paint_for(arguments)))
    )
    for problem in () if arguments.json else loaded.problems:
        print(f"error: {plain(problem.source)}: {plain(problem.message)} ({problem.remedy})", file=sys.stderr)
    return int(bool(loaded.problems))


def files(root: str) -> list[str]:
    """Return the paths of the two configuration files for the repository at `root`, the one of lower
    precedence first.
    """
    return [str(dirs.config_dir() / USER_FILE), os.path.join(root, REPOSITORY_FILE)]


def as_json(loaded: Loaded) -> dict[str, Any]:
    """Return all settings as JSON."""
    settings = {
        name: {"value": value, "source": loaded.origins.get(name, DEFAULT)}
        for name, value in in_force(loaded.settings).items()
    }
    problems = [
        {"source": problem.source, "message": problem.message, "remedy": problem.remedy} for problem in loaded.problems
    ]
    return {"settings": settings, "problems": problems}


def as_text(loaded: Loaded, paint: Paint) -> list[str]:
    """Return one line per setting: its value, its source, and the variable that would override it."""
    rows = [[paint(name, "bold") for name in ("setting", "value", "source", "variable")]]
    for name, value in in_force(loaded.settings).items():
        source = loaded.origins.get(name, DEFAULT)
        shown = paint(source, "dim") if source == DEFAULT else plain(source)
        rows.append(
            [name, plain(json.dumps(value, ensure_ascii=False)), shown, paint(KEYS[name].variable or "-", "dim")]
        )
    return table(rows, indent=0)
