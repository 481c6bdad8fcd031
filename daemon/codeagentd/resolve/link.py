"""References of one file to the symbols that they mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.model.facts import (
    CLASS,
    COMPLEX,
    DECLARED,
    ELEMENT,
    ENTERED,
    FIRST_BOUND,
    FIRST_REFERENCE,
    FREE,
    LOCAL,
    PLAIN,
    SELF,
    SUPER,
    THROUGH_CALL,
    FileFacts,
    ImportFact,
    Source,
)
from codeagentd.model.ids import FILE_SHIFT
from codeagentd.model.kinds import TYPES, Confidence, Origin, ReferenceKind, SymbolKind

from .modules import RULES as MODULE_RULES
from .names import Names
from .targets import Target
from .world import File, Symbol

REF_COLUMNS: Final = 9  # of the table refs; target 0 = open

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
        self._by_place = self._rules.module == "none" or self._rules.names != "modules"  # what a free name means depends on where it stands
        self._bound = len(ids) + FIRST_BOUND
        self._imports: dict[int, Target | None] = {}
        self._free: dict[tuple[int, int], Target | None] = {}
        self._members: dict[tuple[Target, int], Target | None] = {}
        self._enclosing: dict[int, int] = {}
        self._locals: dict[int, Target | None] = {}
        self._values = names.values
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
        for name, kind, line, col, source, binding, receiver, flags in self._facts.rows():
            if receiver == PLAIN:
                target = self._plain(name, source, binding)
            else:
                target = self._member(name, source, binding, receiver, flags)
            targets.append(target)
            if target is None:
                if receiver != PLAIN and has_member(keys[name]):
                    numbers += (following, keys[name], 0, ids[source], kind, AMBIGUOUS, SAME_NAME, line, col)
                    following += 1
            elif target.symbol:
                if kind == _INHERIT:
                    kind = self._inherit_kind(ids[source], target.symbol)
                numbers += (following, keys[name], target.symbol, ids[source], kind, target.confidence, target.origin, line, col)
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

    def _plain(self, name: int, source: int, binding: int) -> Target | None:
        if binding >= self._bound:
            return self._import(binding - self._bound)
        if binding != FREE:
            return Target(self._ids[binding - FIRST_BOUND])
        key = (name, source if self._by_place else 0)
        if key not in self._free:
            self._free[key] = self._names.free(self._file, self._world.symbol(self._ids[source]), self._facts.names[name])
        return self._free[key]

    def _member(self, name: int, source: int, binding: int, receiver: int, flags: int) -> Target | None:
        if receiver >= LOCAL:
            base = self._value(source, binding, receiver, flags)
            return base if base is None or base.is_external else self._looked_up(base, name)
        owner = self._type_around(source)
        if not owner or (receiver in (SELF, CLASS) and flags & THROUGH_CALL):
            return self._looked_up(Target(owner, instance=True), name) if owner and receiver == CLASS else None
        found = self._names.type_member(owner, self._facts.names[name], skip_own=receiver == SUPER)
        return found.by(Origin.SUPER) if found is not None and receiver == SUPER else found

    def _value(self, source: int, binding: int, receiver: int, flags: int) -> Target | None:
        """What a receiver stands for: a symbol or an instance; EXTERNAL, or None when nothing is known."""
        if receiver >= FIRST_REFERENCE:
            index = receiver - FIRST_REFERENCE
            found = self._targets[index] if index < len(self._targets) else self._ahead(index)
        elif receiver == LOCAL:
            found = self._local(source, binding)
        elif receiver == COMPLEX or not (owner := self._type_around(source)):
            return None
        else:
            found = Target(owner, instance=receiver != CLASS)
        return self._values.result(found) if found is not None and flags & THROUGH_CALL else found

    def _ahead(self, index: int) -> Target | None:
        """A reference that stands behind the one that needs it: the source of a comprehension."""
        name, _, _, _, source, binding, receiver, flags = next(islice(self._facts.rows(), index, None))
        if receiver == PLAIN:
            return self._plain(name, source, binding)
        return self._member(name, source, binding, receiver, flags) if receiver < FIRST_REFERENCE + index else None

    def _local(self, source: int, binding: int) -> Target | None:
        """The value of a local variable, by its place in FileFacts.sources plus 1."""
        if not binding:
            return None
        if binding not in self._locals:
            self._locals[binding] = None  # a cycle has no answer
            self._locals[binding] = self._made_of(source, self._facts.sources[binding - 1])
        return self._locals[binding]

    def _made_of(self, source: int, made: Source) -> Target | None:
        if made.how == DECLARED:
            return self._values.declared(self._world.symbol(self._ids[source]), self._facts.texts[made.receiver], self._type_around(source))
        found = self._value(source, made.binding, made.receiver, made.flags)
        if found is not None:
            found = self._values.behind(found)
        if found is not None and made.how == ELEMENT:
            found = self._values.element(found)
        elif found is not None and made.how == ENTERED:
            found = self._values.entered(found)
        return found.inferred() if found is not None and made.many else found

    def _looked_up(self, base: Target, name: int) -> Target | None:
        key = (base, name)
        if key not in self._members:
            self._members[key] = self._names.member(base, self._facts.names[name])
        return self._members[key]

    def _type_around(self, source: int) -> int:
        """The id of the innermost type that encloses a symbol of this file; 0 = none."""
        if source not in self._enclosing:
            index, symbols = source, self._facts.symbols
            while index > 0 and symbols[index].kind not in TYPES:
                index = symbols[index].parent
            self._enclosing[source] = self._ids[index] if index > 0 else 0
        return self._enclosing[source]

    def _inherit_kind(self, source: int, target: int) -> int:
        """A class implements an interface, an interface extends one, everything else inherits."""
        if self._world.symbol(target).kind not in _CONTRACTS:
            return _INHERIT
        return int(ReferenceKind.EXTEND if self._kind_of(source) in _CONTRACTS else ReferenceKind.IMPLEMENT)

    def _kind_of(self, symbol: int) -> int:
        found: Symbol = self._world.symbol(symbol)
        return found.kind
