"""The plan of a batch's files: the files to read, and the language, project and module name of each."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from codeagentd.base.limits import TEXT_SAMPLE_BYTES
from codeagentd.base.paths import read_start
from codeagentd.languages.dialects import may_be_other, presumed, sources_among
from codeagentd.languages.language import OTHER, language_of, languages
from codeagentd.pipeline.background.slow_files import SlowFiles
from codeagentd.pipeline.changes.plan import SECRET, Plan, why_not_parsed
from codeagentd.pipeline.rows.module_names import module_name
from codeagentd.pipeline.rows.module_naming.module_name import ModuleName
from codeagentd.pipeline.rows.project_map import ProjectMap
from codeagentd.pipeline.rows.shebang import language_by_interpreter
from codeagentd.pipeline.workers.messages import Extracted, Job
from codeagentd.scan.projects.detection import Detected, top_project
from codeagentd.scan.projects.project import Project
from codeagentd.scan.secret_files import is_secret_file
from codeagentd.scan.walk import Stat
from codeagentd.store.connection import Database

from .commit import Context
from .repository_macros import known_openings, openings_for


def language_to_parse(
    root: Path, path: str, languages: frozenset[str], sources: frozenset[str]
) -> tuple[str | None, str]:
    """Return the language as which the file at `path` below `root` is read, or the reason why it is not.
    `languages`: those that are read, none for all; `sources`: as of `sources_among`.
    """
    if is_secret_file(path):  # checked first: not even its first line is read
        return None, SECRET
    language = language_of(path) or language_by_interpreter(root, path) or OTHER
    reason = why_not_parsed(path, language, lambda: read_start(root / path, TEXT_SAMPLE_BYTES), languages)
    return (None if reason else presumed(language, path, sources)), reason


class FilePlanner:
    """Plans the files of batches. `paths` is every file of the repository, kept up to date by the batch writer;
    `languages`: those that are parsed, none for all.
    """

    def __init__(
        self, database: Database, root: Path, paths: set[str], languages: frozenset[str], slow_files: SlowFiles | None
    ) -> None:
        self._database = database
        self._root = root
        self._paths = paths
        self._languages = languages
        self._slow_files = slow_files
        self._projects = ProjectMap()
        self._sources: frozenset[str] | None = None

    @property
    def projects(self) -> ProjectMap:
        """The projects of the repository, as they were saved last."""
        return self._projects

    def jobs(self, plan: Plan, stats: dict[str, Stat]) -> tuple[list[Job], list[Extracted], dict[str, Context]]:
        """Plan the reading of the changed files of `plan`. Returns (files to read, outcomes that are known already, the
        context of each path).
        """
        jobs: list[Job] = []
        direct = [Extracted(path, "gone") for path in plan.gone]
        sources, openings = self._save_dialect_sources(), known_openings(self._database)
        contexts = dict.fromkeys((*plan.gone, *plan.changed), Context(None, 0))
        for path in plan.changed:
            language, reason = language_to_parse(self._root, path, self._languages, sources)
            if reason:
                stat = stats.get(path, Stat(0, 0))
                direct.append(Extracted(path, "skipped", reason, stat.size, stat.mtime_ns))
            elif language:
                project, module = self.project_and_module(path, language)
                contexts[path] = Context(language, self._projects.id_of(project), module.qualified, module.imported)
                job = Job(path, language, project.key, module, openings_for(path, openings))
                extracted = self._slow_files.pop_result(job, stats.get(path)) if self._slow_files is not None else None
                if extracted is not None:
                    direct.append(extracted)
                else:
                    jobs.append(job)
        return jobs, direct, contexts

    def project_and_module(self, path: str, language: str) -> tuple[Project, ModuleName]:
        """Return the project of the file at `path`, and its module name by the rule of `language`."""
        project = self._projects.project_of(path, language)
        return project, module_name(path, languages()[language], project, self._paths)

    def renamed_files(self, paths: Collection[str]) -> set[str]:
        """Return the indexed files whose module name or project would change if `paths` were all files of the
        repository.
        """
        result = set()
        moves_headers = self.moves_headers(paths)
        for path, language, module, imported, project_id in self._database.all("world.contexts"):
            if path in paths:
                if moves_headers and may_be_other(path):
                    result.add(path)
                project = self._projects.project_of(path, language)
                name = module_name(path, languages()[language], project, paths)
                if (name.qualified, name.imported, self._projects.id_of(project)) != (module, imported, project_id):
                    result.add(path)
        return result

    def _save_dialect_sources(self) -> frozenset[str]:
        """Save and return the languages with dialects of which there are source files: a header is presumed to be in
        one of these languages.
        """
        if self._sources is None:
            self._sources = sources_among(self._paths)
        self._database.run("writer.put_meta", ("sources", " ".join(sorted(self._sources))))
        return self._sources

    def note_files(self, plan: Plan) -> None:
        """Note the files that are added or removed."""
        if plan.gone or not self._paths.issuperset(plan.changed):
            self._sources = None
            self._paths.difference_update(plan.gone)
            self._paths.update(plan.changed)

    def moves_headers(self, paths: Collection[str]) -> bool:
        """Whether headers, and other files whose names fit two languages, may be taken for the other one if `paths`
        were all files of the repository.
        """
        return bool(" ".join(sorted(sources_among(paths))) != self._database.value("writer.meta", ("sources",), ""))

    def save_projects(self, detected: Detected) -> None:
        """Give every project in `detected` an id in the index. If imports may lead to other files now, everything is
        resolved again.
        """
        projects = ProjectMap(detected)
        packed = projects.pack()
        before = self._database.value("writer.meta", ("projects",))
        tops = [top_project(language) for language in languages()]
        with self._database.transaction():
            rows = (
                (project.key, project.language, project.name, project.root) for project in (*tops, *detected.projects)
            )
            ids = {row[0]: int(self._database.value("writer.put_project", row)) for row in rows}
            if packed != before:
                self._database.run("writer.put_meta", ("projects", packed))
                if before is not None:
                    self._database.run("writer.set_all_unresolved")
        self._projects = projects.with_ids(ids)
