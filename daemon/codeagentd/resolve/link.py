"""References of one file to the symbols that they mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.model.facts import (
    CLASS,
    COMPLEX,
    FIRST_BOUND,
    FIRST_REFERENCE,
    FREE,
    LOCAL,
    PLAIN,
    SCOPED,
    SELF,
    SUPER,
    TAG,
    THROUGH_CALL,
    FileFacts,
    ImportFact,
)
from codeagentd.model.ids import FILE_SHIFT
from codeagentd.model.kinds import TYPES, Confidence, Origin, ReferenceKind, SymbolKind

from .modules import RULES as MODULE_RULES
from .names import Names
from .targets import EXTERNAL, Target
from .world import File, Symbol

REF_COLUMNS: Final = 9  # of the table refs; target 0 = open

INFERRED: Final = int(Confidence.INFERRED)
AMBIGUOUS: Final = int(Confidence.AMBIGUOUS)
SAME_NAME: Final = int(Origin.SAME_NAME)
_INHERIT: Final = int(ReferenceKind.INHERIT)
_CONTRACTS: Final = frozenset({SymbolKind.INTERFACE, SymbolKind.TRAIT})


class Linker:
    """Resolves files one after the other against one state of the repository."""

    def __init__(self, names: Names, key_of: Callable[[str], int]) -> None:
        self._names = names
        self._world = names.world
        self._key_of = key_of

    def link(self, file: File, facts: FileFacts, ids: Sequence[int]) -> list[int]:
        """The refs rows of one file, REF_COLUMNS numbers each; `ids` are its symbols' ids in the facts' order.

        Returns: rows for resolved references and for open member references that some member of the repository may answer.
        """
        return _FileLinker(self._names, self._key_of, file, facts, ids).numbers()


class _FileLinker:
    """One file's state while its references are resolved in order."""

    def __init__(self, names: Names, key_of: Callable[[str], int], file: File, facts: FileFacts, ids: Sequence[int]) -> None:
        self._names = names
        self._world = names.world
        self._key_of = key_of
        self._file = file
        self._facts = facts
        self._ids = ids
        self._rules = languages()[facts.language].rules
        self._by_include = self._rules.module == "include"
        self._bound = len(ids) + FIRST_BOUND
        self._imports: dict[int, Target | None] = {}
        self._free: dict[tuple[int, int, int], Target | None] = {}
        self._members: dict[tuple[Target, int], Target | None] = {}
        self._enclosing: dict[int, int] = {}
        self._targets: list[Target | None] = []
        self._numbers: list[int] = []
        self._next = file.id << FILE_SHIFT

    def numbers(self) -> list[int]:
        """Imports first, then the references in their order: a receiver comes before what hangs on it."""
        for index, fact in enumerate(self._facts.imports):
            self._import_rows(index, fact)
        texts, ids, numbers, following = self._facts.names, self._ids, self._numbers, self._next
        keys = [self._key_of(text) for text in texts]
        targets, has_member = self._targets, self._world.has_member
        macros = {index for index, symbol in enumerate(self._facts.symbols) if symbol.kind == SymbolKind.MACRO}  # what they name is settled where they are used
        for name, kind, line, col, source, binding, receiver, flags in self._facts.rows():
            if receiver == PLAIN:
                target = self._plain(name, source, binding, flags)
            else:
                target = self._member(name, source, receiver, flags)
            targets.append(target)
            if target is None:
                if receiver != PLAIN and has_member(keys[name]):
                    numbers += (following, keys[name], 0, ids[source], kind, AMBIGUOUS, SAME_NAME, line, col)
                    following += 1
            elif target.symbol:
                if kind == _INHERIT:
                    kind = self._inherit_kind(ids[source], target.symbol)
                confidence = target.confidence or (INFERRED if source in macros else target.confidence)
                numbers += (following, keys[name], target.symbol, ids[source], kind, confidence, target.origin, line, col)
                following += 1
        return numbers

    def _import_rows(self, index: int, fact: ImportFact) -> None:
        """A row for the imported name, and one for the module that it comes from."""
        kind = int(ReferenceKind.REEXPORT if fact.exported else ReferenceKind.IMPORT)
        target = self._import(index)
        source = self._ids[fact.source]
        if fact.name not in ("", "*") and target is not None and target.symbol:
            self._row(fact.name, target, source, kind, fact.line, fact.col)
        found = MODULE_RULES[self._rules.module](self._world, self._file, fact.module)
        last = fact.module.rpartition("/")[2].rpartition(".")[2] or fact.module
        if found and (
            index == 0 or self._facts.imports[index - 1].module_col != fact.module_col or self._facts.imports[index - 1].module_line != fact.module_line
        ):
            self._row(last, Target(found[0].symbol, origin=int(Origin.IMPORT)), source, kind, fact.module_line, fact.module_col)
        elif not found and fact.name in ("", "*") and target is not None and target.symbol:
            self._row(last, target, source, kind, fact.line, fact.col)

    def _row(self, name: str, target: Target, source: int, kind: int, line: int, col: int) -> None:
        self._numbers += (self._next, self._key_of(name), target.symbol, source, kind, target.confidence, target.origin, line, col)
        self._next += 1

    def _import(self, index: int) -> Target | None:
        """What an import binds; `import a.b` binds `a`."""
        if index not in self._imports:
            fact = self._facts.imports[index]
            module = fact.local if fact.name == "" and fact.module.startswith(f"{fact.local}.") and fact.local else fact.module
            self._imports[index] = self._names.imported(self._file, module, fact.name)
        return self._imports[index]

    def _plain(self, name: int, source: int, binding: int, flags: int) -> Target | None:
        if binding >= self._bound:
            return self._import(binding - self._bound)
        if binding != FREE:
            return Target(self._ids[binding - FIRST_BOUND])
        tag = flags & TAG
        key = (name, source if self._rules.module in ("none", "include") else 0, tag)
        if key not in self._free:
            self._free[key] = self._names.free(self._file, self._world.symbol(self._ids[source]), self._facts.names[name], bool(tag))
        return self._free[key]

    def _member(self, name: int, source: int, receiver: int, flags: int) -> Target | None:
        if receiver >= FIRST_REFERENCE:
            base = self._targets[receiver - FIRST_REFERENCE]
            if base is None or base is EXTERNAL:
                return EXTERNAL if flags & SCOPED and self._by_include else base
            if flags & THROUGH_CALL:
                if not base.symbol or self._world.symbol(base.symbol).kind not in TYPES:
                    return None
                base = Target(base.symbol, instance=True)
            return self._looked_up(base, name)
        if receiver in (LOCAL, COMPLEX):
            return EXTERNAL if flags & SCOPED and self._by_include else None
        owner = self._type_around(source)
        text = self._facts.names[name]
        if not owner or (receiver in (SELF, CLASS) and flags & THROUGH_CALL):
            return None
        found = self._names.type_member(owner, text, skip_own=receiver == SUPER)
        if found is not None:
            return found.by(Origin.SUPER) if receiver == SUPER else found
        return None

    def _looked_up(self, base: Target, name: int) -> Target | None:
        key = (base, name)
        if key not in self._members:
            self._members[key] = self._names.member(base, self._facts.names[name], self._file)
        return self._members[key]

    def _type_around(self, source: int) -> int:
        """The id of the innermost type that encloses a symbol of this file; 0 = none."""
        if source not in self._enclosing:
            index, symbols = source, self._facts.symbols
            while index > 0 and symbols[index].kind not in TYPES:
                index = symbols[index].parent
            self._enclosing[source] = self._ids[index] if index > 0 else self._owner(source)
        return self._enclosing[source]

    def _owner(self, source: int) -> int:
        """The id of the type whose member is defined here and declared in another file; 0 = none."""
        if not self._facts.symbols[source].shared:
            return 0
        outer = self._world.symbol(self._ids[source]).parent
        return outer if outer and self._kind_of(outer) in TYPES else 0

    def _inherit_kind(self, source: int, target: int) -> int:
        """A class implements an interface, an interface extends one, everything else inherits."""
        if self._world.symbol(target).kind not in _CONTRACTS:
            return _INHERIT
        return int(ReferenceKind.EXTEND if self._kind_of(source) in _CONTRACTS else ReferenceKind.IMPLEMENT)

    def _kind_of(self, symbol: int) -> int:
        found: Symbol = self._world.symbol(symbol)
        return found.kind
