"""C and C++: all files that a file includes, itself or through others."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from codeagentd.resolve.symbol_table import SymbolTable

from .include import SCOPE, include

SETS: Final = 4_000  # sets of included files kept: some 30 MB in a repository of 60,000 files


class IncludedFiles:
    """A set of files by their ids: a file, and all that it includes. `is_whole`: each `"file"` that these name exists.

    It is a set of bits, since a thousand files include the same thousand headers. `numbers`: the bit of each file.
    """

    def __init__(self, bits: int, is_whole: bool, numbers: dict[int, int]) -> None:
        self.bits = bits
        self.is_whole = is_whole
        self._numbers = numbers

    def __contains__(self, file: int) -> bool:
        number = self._numbers.get(file)
        if number is None or number >> 3 >= len(self._octets):
            return False
        return bool(self._octets[number >> 3] >> (number & 7) & 1)

    @cached_property
    def _octets(self) -> bytes:
        return self.bits.to_bytes(self.bits.bit_length() + 7 >> 3, "little")


class Inclusion:
    """Finds the files that a file includes, in one state of the repository."""

    def __init__(self, world: SymbolTable) -> None:
        self._world = world
        self._edges = world.include_edges
        self._sets: dict[int, IncludedFiles] = {}
        self._numbers: dict[int, int] = {}

    def of(self, file: int) -> IncludedFiles:
        """Return the file with the id `file` and all files that it includes."""
        known = self._sets.get(file)
        if known is None:
            if len(self._sets) >= SETS:
                self._sets.clear()
            for other in self._included(file)[0]:  # which many files include
                if other not in self._sets:
                    self._sets[other] = self._reached(other)
            known = self._sets[file] = self._reached(file)
        return known

    def _reached(self, file: int) -> IncludedFiles:
        bits, met, waiting, is_whole = 0, {file}, [file], True
        while waiting:
            current = waiting.pop()
            bits |= 1 << self._numbers.setdefault(current, len(self._numbers))
            included, has_all = self._included(current)
            is_whole = is_whole and has_all
            for other in included:
                if other in met:
                    continue
                met.add(other)
                if known := self._sets.get(other):
                    bits |= known.bits
                    is_whole = is_whole and known.is_whole
                else:
                    waiting.append(other)
        return IncludedFiles(bits, is_whole, self._numbers)

    def _included(self, file: int) -> tuple[tuple[int, ...], bool]:
        """(the files that a file includes itself, whether each `"file"` that it names exists)."""
        if file not in self._edges:
            here = self._world.file(file)
            modules = [entry.module for entry in self._world.imports(file) if not entry.module.startswith(SCOPE)]
            collected = [(include(self._world, here, module), module) for module in modules]
            ids = tuple(files[0].id for files, _ in collected if files)
            self._edges[file] = ids, all(files or module.startswith("<") for files, module in collected)
        return self._edges[file]
