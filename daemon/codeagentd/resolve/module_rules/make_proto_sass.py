"""GNU make, Protocol Buffers and Sass: files that are included by a path, which may lack parts and begin at several
roots.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from codeagentd.resolve.symbol_table import File, SymbolTable


def make(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """The file that the makefile `file` includes by the path `module`. GNU make reads paths from the folder of the
    first makefile: the file's own, or one above. So do others, from the file's own folder or a root above it.

    Source: GNU make manual, "Including Other Makefiles".
    """
    return _first(world, (posixpath.join(folder, module) for folder in _folders(file.path)))


def protobuf(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """The file that `file` imports by the path `module`. Paths start at a root that is an option of the Protocol
    Buffers compiler: the file's folder or one above.

    Source: Protocol Buffers language guide, "Importing Definitions".
    """
    return _first(world, (posixpath.join(folder, module) for folder in reversed(list(_folders(file.path)))))


def sass(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """The file that the CSS or Sass file `file` imports by the path `module`: relative to the file, then to the top. A
    partial's underscore, the suffix and a folder's index may be left out.

    Source: Sass documentation, "@use", sections "Load Paths", "Partials", "Index Files".
    """
    module = module.partition("?")[0].partition("#")[0].removeprefix("~")
    return _first(
        world,
        (
            name
            for folder in (posixpath.dirname(file.path), "")
            for name in _partials(posixpath.join(folder, module.lstrip("/")))
        ),
    )


def _partials(path: str) -> Iterator[str]:
    yield path
    folder, name = posixpath.split(path)
    for stem in (name, f"_{name}", f"{name}/_index", f"{name}/index"):
        for suffix in (".scss", ".css"):
            yield posixpath.join(folder, f"{stem}{suffix}")


def _folders(path: str) -> Iterator[str]:
    """The folders around a path, innermost first, '' for the top."""
    while path:
        path = posixpath.dirname(path)
        yield path


def _first(world: SymbolTable, paths: Iterator[str]) -> Sequence[File]:
    for path in map(posixpath.normpath, paths):
        if not path.startswith("../") and (result := world.file_at(path)):
            return (result,)
    return ()
