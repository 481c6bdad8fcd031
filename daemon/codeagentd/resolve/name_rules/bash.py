"""Bash: one table of functions and one of variables for a script and all that it sources.

Source: Bash Reference Manual, 3.3 "Shell Functions", 3.7.2 "Command Search and Execution".
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from codeagentd.model.facts import SOMEWHERE
from codeagentd.model.kinds import Confidence, Origin, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import File, Symbol
from codeagentd.resolve.targets import Target
from codeagentd.resolve.usage import ANY, VALUE, Usage

from .rule import NameRule

_COMMANDS = frozenset({SymbolKind.FUNCTION, SymbolKind.MACRO})
_LONGEST_CHAIN = 12  # files that source each other


class BashNames(NameRule):
    """The name rule of Bash. A name that is run is a function or an alias; any other is a variable."""

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The target of `name` in `file`: a definition of the file itself, else of the files that it sources. A
        function whose name contains `_` may also be of the nearest other file that defines it.
        """
        if own := _defined(names, file, name, use):
            inner = [symbol for scope in (place.id, file.symbol) for symbol in own if symbol.parent == scope]
            chosen = names.first_by_position(inner[:1] or own, Origin.SCOPE)
            return chosen.inferred() if len(own) > 1 else chosen
        if result := self._sourced(names, file, name, use):
            return result
        if use.is_call and "_" in name.strip("_"):
            others = _fitting(names.world.qualified(file.language, name), use) or _fitting(
                names.world.named(name, file.language), use
            )
            near = [_shared(file, names.world.file(other.file)) for other in others]
            if near.count(max(near, default=0)) == 1:
                nearest = others[near.index(max(near))]
                return Target(nearest.id, confidence=int(Confidence.INFERRED), origin=int(Origin.UNIQUE_NAME))
        return None

    def _sourced(self, names: NameLookup, file: File, name: str, use: Usage = ANY) -> Target | None:
        """A definition of the files that are sourced; the last one counts, since it defines the name again. A path that
        begins at a computed folder makes it a guess.
        """
        seen, fresh = {file.id}, {file: False}
        for _ in range(_LONGEST_CHAIN):
            following: dict[File, bool] = {}
            for current, guessed in fresh.items():
                for entry in reversed(names.world.imports(current.id)):
                    computed = guessed or entry.module.startswith(SOMEWHERE)
                    for other in names.files(current, entry.module):
                        if other.id not in seen:
                            following[other] = computed and following.get(other, True)
            seen.update(other.id for other in following)
            for other, guessed in following.items():
                if symbols := _defined(names, other, name, use):
                    target = names.first_by_position(symbols, Origin.IMPORT)
                    return (
                        Target(target.symbol, confidence=int(Confidence.INFERRED), origin=target.origin)
                        if guessed
                        else target
                    )
            fresh = following
        return None


def _shared(file: File, other: File) -> int:
    """The number of folders that two files have in common."""
    return len(posixpath.commonpath([f"/{posixpath.dirname(each.path)}" for each in (file, other)]).split("/"))


def _defined(names: NameLookup, file: File, name: str, use: Usage) -> Sequence[Symbol]:
    """The definitions of a name in a file: those of the file itself, then functions inside of others."""
    own = _fitting(names.world.members(file.symbol).get(name, ()), use)
    if not use.is_call:
        return own
    inner = [
        symbol
        for symbol in names.world.named(name, file.language)
        if symbol.file == file.id and symbol.parent != file.symbol
    ]
    return [*own, *_fitting(inner, use)]


def _fitting(symbols: Sequence[Symbol], use: Usage) -> Sequence[Symbol]:
    """The candidates of a reference: a command where the name is run, a variable where it is read or written."""
    if use is not VALUE and not use.is_call:
        return symbols
    return [symbol for symbol in symbols if (symbol.kind in _COMMANDS) == (use.is_call)]
