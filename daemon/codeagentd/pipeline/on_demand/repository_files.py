"""The files of a repository before they are indexed: their paths, and what resolution has to know of those that it only
passes on its way: language, project, module name and, where imports insert text, their imports.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from codeagentd.base.paths import read_regular
from codeagentd.languages.dialects import presumed, sources_among
from codeagentd.languages.language import language_of, languages
from codeagentd.model.kinds import SymbolFlag, SymbolKind
from codeagentd.pipeline.rows.module_names import module_name
from codeagentd.pipeline.rows.project_map import ProjectMap
from codeagentd.resolve.symbol_table import File, Import, IncludeEdges, Symbol
from codeagentd.scan.ignore import OWN_FILES
from codeagentd.scan.secret_files import is_secret_file

# Ids of files that have no rows. Files of the on-demand index have far lower ones, and so have its symbols; what lies
# outside of the repository has ids below zero.
FIRST_STUB: Final = 1 << 31
_INCLUDE: Final = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*(?:\"([^\"\n]+)\"|(<[^>\n]+>))", re.MULTILINE)
_SEPARATORS: Final = re.compile(r"[./\\:]+")


class RepositoryFiles:
    """The files of the repository by path and by module. `paths`: all of them, without regard to the rules by which
    `excluded` leaves some out; `indexed`: those that have rows, kept up to date by the writer. `needed` collects the
    files without rows that resolution would have looked into. `has_settings`: the settings have ignore rules.
    """

    def __init__(
        self, root: Path, paths: set[str], excluded: Callable[[str], bool], max_file_bytes: int, *,
        has_settings: bool = True,
    ) -> None:  # fmt: skip
        self.paths = paths
        self.indexed: set[str] = set()
        self.needed: dict[str, None] = {}
        self._root = root
        self._excluded = excluded
        self._max_file_bytes = max_file_bytes
        self._sources = sources_among(paths)
        self._projects = ProjectMap()
        self._by_name: dict[str, list[str]] = defaultdict(list)
        self._note_names(paths)
        # git does not list what its own rules leave out
        self._has_own_rules = has_settings or not self._by_name.keys().isdisjoint(OWN_FILES)
        self._stubs: dict[str, File | None] = {}
        self._names: dict[int, tuple[str, str]] = {}
        self._numbers: list[str] = []
        self._includes: dict[int, Sequence[Import]] = {}
        self.include_edges: IncludeEdges = {}  # of all batches

    def _note_names(self, paths: Iterable[str]) -> None:
        for path in paths:
            self._by_name[path[path.rfind("/") + 1 :]].append(path)

    def add(self, paths: Collection[str]) -> None:
        """Add files that have come since."""
        if new := set(paths) - self.paths:
            self.paths.update(new)
            self._note_names(new)
            self._stubs = {path: stub for path, stub in self._stubs.items() if stub is not None}
            for index in ("_by_part", "_folders"):
                self.__dict__.pop(index, None)

    @functools.cached_property
    def _by_part(self) -> Mapping[str, Sequence[str]]:
        """The paths by the stem of the file, and by the last folder."""
        result: dict[str, list[str]] = defaultdict(list)
        for path in self.paths:
            folder, _, name = path.rpartition("/")
            result[name.partition(".")[0]].append(path)
            result[folder.rpartition("/")[2]].append(path)
        return result

    @functools.cached_property
    def _folders(self) -> Mapping[str, Sequence[str]]:
        """All folders by the last part of their paths."""
        waiting, known = {path.rpartition("/")[0] for path in self.paths}, set()
        while waiting:
            known |= waiting
            waiting = {folder.rpartition("/")[0] for folder in waiting} - known
        result: dict[str, list[str]] = defaultdict(list)
        for folder in known - {""}:
            result[folder.rpartition("/")[2]].append(folder)
        return result

    def note_indexed(self, paths: Collection[str]) -> None:
        """Note that files get rows, or others than before. Their ids change with that."""
        if self.indexed.isdisjoint(paths):
            moved = {stub.id for path in paths if (stub := self._stubs.get(path))}
            self.include_edges = {file: edge for file, edge in self.include_edges.items() if moved.isdisjoint(edge[0])}
        else:
            self.include_edges = {}
        self.indexed.update(paths)

    def use_projects(self, projects: ProjectMap) -> None:
        """Derive module names by `projects` from now on."""
        self._projects = projects
        self._stubs.clear()

    def may_read(self, path: str) -> bool:
        """Whether `path` is a file of the index that is no secret."""
        return path in self.paths and not is_secret_file(path) and not self._excluded(path)

    def has_indexed(self, name: str) -> bool:
        """Whether some file that an import of `name` leads to may have rows."""
        candidates = self._by_name.get(name)
        return candidates is None or not self.indexed.isdisjoint(candidates)

    # -- files without rows
    def at(self, path: str) -> File | None:
        """Return the file at `path`, if there is one without rows in a language that is read."""
        if path in self.indexed or path not in self.paths:  # the usual cases
            return None
        if path not in self._stubs:
            self._stubs[path] = self._stub(path)
        return self._stubs[path]

    def _stub(self, path: str) -> File | None:
        name = language_of(path)
        if name is None or is_secret_file(path) or (self._has_own_rules and self._excluded(path)):
            return None
        language = languages()[presumed(name, path, self._sources)]
        project = self._projects.project_of(path, language.name)
        module = module_name(path, language, project, self.paths)
        number = FIRST_STUB + len(self._numbers)
        self._numbers.append(path)
        self._names[number] = (module.qualified, module.imported)
        return File(number, path, language.name, self._projects.id_of(project), number, module.qualified)

    def of_module(self, name: str) -> list[File]:
        """Return the files without rows that an import of the dotted name `name` leads to."""
        candidates: Sequence[str] | None = self._by_name.get(name)
        if candidates is None:
            language = languages().get(language_of(name) or "")
            if language is not None and language.modules.is_pasted:
                return []  # no file has the name of an included one
            candidates = self._by_part.get(_SEPARATORS.split(name.rstrip("/"))[-1], ())
        stubs = (self.at(path) for path in candidates)
        return [stub for stub in stubs if stub is not None and name in self._names[stub.id]]

    def has_folder(self, name: str) -> bool:
        """Whether the dotted name `name` ends like the path of a folder."""
        path = name.replace(".", "/")
        last = path.rpartition("/")[2]
        return any(folder == path or folder.endswith(f"/{path}") for folder in self._folders.get(last, ()))

    def stub(self, number: int) -> File:
        """Return the file without rows that has this id."""
        result = self._stubs.get(self._numbers[number - FIRST_STUB])
        if result is None:
            raise KeyError(f"no file {number}")
        return result

    def symbol(self, number: int) -> Symbol:
        """Return the symbol that stands for the file with this id."""
        name = self._numbers[number - FIRST_STUB].rpartition("/")[2]
        return Symbol(number, name, int(SymbolKind.FILE), int(SymbolFlag.EXPORTED), 0, number, 1)

    def qualified_name(self, number: int) -> str:
        """Return the qualified name of that symbol."""
        return self._names[number][0] or self._numbers[number - FIRST_STUB]

    def need(self, number: int) -> None:
        """Note that resolution needs what the file with this id contains."""
        self.needed.setdefault(self._numbers[number - FIRST_STUB])

    def need_named(self, names: Iterable[str]) -> None:
        """Note that resolution looks for definitions in files of these names."""
        for name in names:
            for path in self._by_part.get(name, ()):
                if (
                    path not in self.indexed
                    and self.may_read(path)
                    and path.rpartition("/")[2].partition(".")[0] == name
                ):
                    self.needed.setdefault(path)

    def imports(self, number: int) -> Sequence[Import]:
        """Return the files that the file with this id includes. In a language whose imports insert no text the file is
        needed instead.
        """
        path = self._numbers[number - FIRST_STUB]
        if number not in self._includes:
            stub = self._stubs.get(path)
            if stub is None or not languages()[stub.language].modules.is_pasted:
                self.need(number)
                return ()
            self._includes[number] = tuple(self._included(path))
        return self._includes[number]

    def _included(self, path: str) -> Iterable[Import]:
        source = read_regular(self._root / path, self._max_file_bytes) or b""
        for quoted, system in _INCLUDE.findall(source):
            yield Import("", (quoted or system).decode("utf-8", "replace"), "*", True)
