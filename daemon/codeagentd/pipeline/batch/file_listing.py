"""The files that a first index of a repository would read, listed without an index."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from codeagentd.model.namespace_macros import Opening
from codeagentd.pipeline.changes.change_scan import rules_of
from codeagentd.pipeline.changes.plan import Plan
from codeagentd.pipeline.workers.messages import Job
from codeagentd.scan.projects.detection import detect
from codeagentd.scan.walk import Stat, scan
from codeagentd.store.opening import open_disposable
from codeagentd.vcs import git

from .file_planner import FilePlanner
from .repository_macros import known_openings, update_openings


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
    stats = scan(root, rules_of(root, ignore), git.list_files(root)).files
    with tempfile.TemporaryDirectory(prefix="codeagentd-") as folder:
        database, _ = open_disposable(Path(folder) / "index.db", "index")  # where the planner looks its state up
        with contextlib.closing(database):
            planner = FilePlanner(database, root, set(), frozenset(languages), None)
            planner.save_projects(detect(root, stats))
            plan = update_openings(database, root, Plan(tuple(sorted(stats))))
            planner.note_files(plan)
            jobs, _, _ = planner.jobs(plan, stats)
            return FilesToRead(jobs, stats, known_openings(database))
