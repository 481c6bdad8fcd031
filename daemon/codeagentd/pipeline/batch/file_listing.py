"""The files that a first index of a repository would read, listed without an index."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

from codeagentd.pipeline.changes.change_scan import rules_of
from codeagentd.pipeline.changes.plan import Plan
from codeagentd.pipeline.workers.messages import Job
from codeagentd.scan.projects.detection import detect
from codeagentd.scan.walk import scan
from codeagentd.store.opening import open_disposable
from codeagentd.vcs import git

from .file_planner import FilePlanner
from .repository_macros import update_openings


def files_to_read(root: Path, ignore: tuple[str, ...] = (), languages: tuple[str, ...] = ()) -> list[Job]:
    """Return the files of the repository at `root` that a first index would read, by path, with the language, the
    project, the module name and the macros of each. `ignore` and `languages`: as in the settings.
    """
    with tempfile.TemporaryDirectory(prefix="codeagentd-") as folder:
        database, _ = open_disposable(Path(folder) / "index.db", "index")
        with contextlib.closing(database):
            listing = scan(root, rules_of(root, ignore), git.list_files(root))
            planner = FilePlanner(database, root, set(), frozenset(languages), None)
            planner.save_projects(detect(root, listing.files))
            plan = update_openings(database, root, Plan(tuple(sorted(listing.files))))
            planner.note_files(plan)
            jobs, _, _ = planner.jobs(plan, listing.files)
    return jobs
