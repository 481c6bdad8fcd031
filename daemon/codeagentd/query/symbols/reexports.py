"""Re-exports of a file, which are defined elsewhere: `export … from`, `pub use`, and the imports of a Python package
from its own modules.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final, NamedTuple

from codeagentd.languages.language import languages
from codeagentd.model.ids import name_key, numbers_of
from codeagentd.model.kinds import SCOPES_OF_NAMES, ReferenceKind, SymbolFlag, SymbolKind
from codeagentd.query.paging import Slice
from codeagentd.store.connection import Database

from .lookup import LABELS
from .outline import IndexedFile

EVERYTHING: Final = "*"
PACKAGE: Final = "__init__.py"  # a package offers the names that it imports, other Python files do not

_LAST: Final = re.compile(r"[/.:]")


class Named(NamedTuple):
    """A row of `imports`: `local` is the offered name, `name` the one in the source module ('' for the module
    itself).
    """

    id: int
    local: str
    module: str
    name: str


class Target(NamedTuple):
    """The symbol that a re-export leads to, and the line where it begins."""

    symbol: int
    name: str
    kind: int
    file: int
    path: str
    start: int


def reexports(db: Database, file: IndexedFile, path: str, after: int, limit: int) -> Slice[str]:
    """Return the re-exports of the file at `path`, in words and in the order of its statements. `after` is the number
    of the last row listed before (0: none).
    """
    result = [
        (binding, target) for binding, target in _pairs(db, file.id, file.language or "", path) if binding.id > after
    ]
    items = [_item(db, binding, target, file.id) for binding, target in result[:limit]]
    return Slice(items, (result[limit - 1][0].id if limit else after,) if len(result) > limit else None)


def _pairs(db: Database, file: int, language: str, path: str) -> Iterator[tuple[Named, Target | None]]:
    """Each row of the file that re-exports, with its target if that is known."""
    is_package = posixpath.basename(path) == PACKAGE
    if not is_package and languages()[language].symbols.global_imports:
        return  # such an import applies to all files of the project, and re-exports nothing
    rows = [row for *row, exported in db.all("files.imports", numbers_of(file)) if exported or is_package]
    if not rows:
        return
    kind = ReferenceKind.IMPORT if is_package else ReferenceKind.REEXPORT
    targets: dict[int, list[Target]] = defaultdict(list)
    for key, *columns in db.all("files.imported", {"file": file, "kind": kind}):
        targets[key].append(Target(*columns))
    for binding in map(Named._make, rows):
        target = _take_target(targets[name_key(_written(binding))], is_whole=binding.name in ("", EVERYTHING))
        if not is_package or _is_offered(binding, target, posixpath.dirname(path)):
            yield binding, target


def _written(binding: Named) -> str:
    """The name by which references name the target of a row: for a module, the last part of its name."""
    return binding.name if binding.name not in ("", EVERYTHING) else _LAST.split(binding.module)[-1] or binding.module


def _take_target(there: list[Target], *, is_whole: bool) -> Target | None:
    """Remove and return a target of the right kind, a module or a symbol in a module; else the first target. The last
    target stays in the list.
    """
    if not there:
        return None
    fitting = next((at for at, target in enumerate(there) if _is_whole(target) == is_whole), 0)
    return there.pop(fitting) if len(there) > 1 else there[0]


def _is_whole(target: Target) -> bool:
    return target.kind in SCOPES_OF_NAMES or target.kind == SymbolKind.PACKAGE


def _is_offered(binding: Named, target: Target | None, package: str) -> bool:
    """Whether a package re-exports an import: it comes from the package's own folder, and its name is not private."""
    return (
        target is not None
        and not binding.local.startswith("_")
        and bool(binding.local or binding.name == EVERYTHING)
        and target.path.startswith(f"{package}/")
    )


def _item(db: Database, binding: Named, target: Target | None, file: int) -> str:
    """One re-export in words: `function one as uno: src/b.ts:3`, `everything of src/a.ts: Three, four`."""
    if target is None:
        return f"{binding.local or binding.name}: {binding.module}, which is not found"
    if binding.name == EVERYTHING:
        names = dict.fromkeys(_names(db, target.file, {file})) if target.symbol > 0 else ()
        return f"everything of {target.path}" + (f": {', '.join(names)}" if names else "")
    name = target.name if target.symbol > 0 or binding.name == "" else binding.name
    offered = f"{LABELS[target.kind]} {name}" + (f" as {binding.local}" if binding.local not in ("", name) else "")
    return f"{offered}: {target.path}" + ("" if _is_whole(target) or target.symbol < 0 else f":{target.start}")


def _names(db: Database, file: int, seen: set[int]) -> Iterator[str]:
    """The names that a file offers, its own definitions first; files in `seen` are skipped."""
    if file in seen:
        return
    seen.add(file)
    path, language = db.row("files.place", (file,)) or ("", "")
    rows = db.all("files.top", (file,))
    is_declared = language in languages() and languages()[language].rules.exports == "declared"
    for name, flags, access in rows:
        if flags & SymbolFlag.EXPORTED if is_declared else access in ("", "public") and not name.startswith("_"):
            yield name
    pairs = list(_pairs(db, file, language, path)) if language in languages() else []
    for binding, target in pairs:
        if binding.name == EVERYTHING and target is not None and target.symbol > 0:
            yield from _names(db, target.file, seen)
    yield from (binding.local or binding.name for binding, _ in pairs if binding.name != EVERYTHING)
