"""The files that a first index of a repository would read, listed without an index."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from codeagentd.languages.dialects import sources_among
from codeagentd.model.namespace_macros import Opening, Openings
from codeagentd.pipeline.changes.change_scan import rules_of
from codeagentd.pipeline.changes.plan import Plan
from codeagentd.pipeline.workers.messages import Job
from codeagentd.scan.projects.detection import detect
from codeagentd.scan.walk import Stat, scan
from codeagentd.store.opening import open_disposable
from codeagentd.vcs import git

from .file_planner import FilePlanner, language_to_parse
from .repository_macros import defined_openings, known_openings, openings_for, update_openings


class ParsedFile(NamedTuple):
    """A file that is parsed: its path, the language of its name, and the macros that it may use."""

    path: str
    language: str
    openings: Openings = {}


def parsed_files(root: Path, ignore: tuple[str, ...] = (), languages: tuple[str, ...] = ()) -> list[ParsedFile]:
    """Return the files of the repository at `root` that a first index would parse: what `files_to_read` says of them
    without their projects, in half the time. `ignore` and `languages`: as in the settings.
    """
    paths = sorted(_scanned(root, ignore))
    openings, sources, chosen = defined_openings(root, paths), sources_among(paths), frozenset(languages)
    kinds = ((path, language_to_parse(root, path, chosen, sources)[0]) for path in paths)
    return [ParsedFile(path, language, openings_for(path, openings)) for path, language in kinds if language]


class FilesToRead(NamedTuple):
    """The files that a first index reads: jobs in the order of paths, the sizes and times of all files, and the macros
    of the repository that open namespaces.
    """

    jobs: list[Job]
    stats: Mapping[str, Stat]
    openings: Mapping[str, Opening]


def files_to_read(root: Path, ignore: tuple[str, ...] = (), languages: tuple[str, ...] = ()) -> FilesToRead:
    """Return the files of the repository at `root` that a first index would read. `ignore` and `languages`: as in the
    settings.
    """
    stats = _scanned(root, ignore)
    with tempfile.TemporaryDirectory(prefix="codeagentd-") as folder:
        database, _ = open_disposable(Path(folder) / "index.db", "index")  # where the planner looks its state up
        with contextlib.closing(database):
            planner = FilePlanner(database, root, set(), frozenset(languages), None)
            planner.save_projects(detect(root, stats))
            plan = update_openings(database, root, Plan(tuple(sorted(stats))))
            planner.note_files(plan)
            jobs, _, _ = planner.jobs(plan, stats)
            return FilesToRead(jobs, stats, known_openings(database))


def _scanned(root: Path, ignore: tuple[str, ...]) -> dict[str, Stat]:
    return scan(root, rules_of(root, ignore), git.list_files(root)).files
