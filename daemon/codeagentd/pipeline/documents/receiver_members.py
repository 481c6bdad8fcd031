"""The members that may be written after a receiver: those of its type, as far as type inference knows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codeagentd.languages.language import Language, languages
from codeagentd.model.documents import Completion
from codeagentd.model.facts import EXPRESSION, SUPER
from codeagentd.model.kinds import TYPES, SymbolFlag, SymbolKind
from codeagentd.resolve.name_lookup import MODULES
from codeagentd.resolve.overloads.overload_resolution import filter_static
from codeagentd.resolve.packed_references import Receiver, Reference
from codeagentd.resolve.symbol_table import Symbol
from codeagentd.resolve.targets import Target
from codeagentd.resolve.usage import INSTANCE, STATIC

from .document_resolver import DocumentResolver, ParsedDocument, target_number

DETAIL_CHARACTERS: Final = 120  # of a signature or type
_PRIVATE: Final = "private"
_PROTECTED: Final = "protected"
_INTERNAL: Final = "internal"
_OF_FOLDERS: Final = "go"  # the rule of module names by which all files of a folder are one package
_VALUES: Final = frozenset({SymbolKind.CONSTANT, SymbolKind.VARIABLE})


class ReceiverMembers:
    """The members of receivers at one place of a document, in the definition with the index `source`."""

    def __init__(self, resolver: DocumentResolver, document: ParsedDocument, source: int) -> None:
        self._index = resolver.index
        self._document = document
        self._names = document.names
        self._symbols = document.names.world
        self._enclosing = self._types_around(source)

    def _types_around(self, source: int) -> frozenset[int]:
        results = set()
        while source > 0:
            fact = self._document.facts.symbols[source]
            results |= {self._document.symbols.ids[source]} if fact.kind in TYPES else set()
            source = fact.parent
        return frozenset(results)

    def of_reference(self, reference: Reference) -> Iterator[Completion]:
        """List the members of the receiver of a reference; none where its type is not known."""
        receiver = Receiver(reference.receiver, reference.binding, reference.flags)
        target = self._document.resolver.receiver_target(reference.source, receiver)
        value = self._names.values.type_of_target(target) if target is not None else None
        for member in (value.alternatives or (value,)) if value is not None else ():
            yield from self._of_value(member, skips_own=reference.receiver == SUPER)

    def _of_value(self, value: Target, *, skips_own: bool = False) -> Iterator[Completion]:
        if value.symbol <= 0:
            return
        symbol = self._symbols.symbol(value.symbol)
        if symbol.kind in TYPES:
            yield from self.of_type(symbol.id, is_instance=value.instance, skips_own=skips_own)
            if symbol.kind == SymbolKind.TYPE and symbol.type:
                aliased = self._names.values.type_of_annotation(symbol, symbol.type)
                if aliased is not None and aliased.symbol not in (0, symbol.id):
                    yield from self._of_value(aliased)
        elif symbol.kind in MODULES or symbol.kind == SymbolKind.NAMESPACE:
            yield from self.of_module(symbol)
        elif symbol.kind in _VALUES:
            for same in self._symbols.members(symbol.id).values():
                yield completion_of(same[0])

    def of_type(self, type_id: int, *, is_instance: bool, skips_own: bool = False) -> list[Completion]:
        """List the members of a type, the own ones first, without those that cannot be seen from here. What belongs to
        the type itself follows what its objects have, or the other way round.
        """
        order = self._names.inheritance.mro(type_id)
        fitting, others = list[Completion](), list[Completion]()
        for current in order[1:] if skips_own else order:
            is_separate = self._language_of(current).symbols.separate_static
            for members in self._symbols.members(current).values():
                symbol = filter_static(self._symbols, members, INSTANCE if is_instance else STATIC)[0]
                if symbol.kind == SymbolKind.CONSTRUCTOR or not self._is_visible(symbol, current):
                    continue
                if _is_of_type(symbol) != is_instance:
                    fitting.append(completion_of(symbol))
                elif not is_separate:
                    others.append(completion_of(symbol))
        return [*fitting, *others]

    def _language_of(self, symbol: int) -> Language:
        return languages()[self._symbols.file(self._symbols.symbol(symbol).file).language]

    def of_module(self, module: Symbol) -> Iterator[Completion]:
        """List what a module or namespace offers: its definitions, and what it exports of others."""
        file = self._symbols.file(module.file)
        is_declared = languages()[file.language].rules.exports == "declared" and module.kind in MODULES
        for members in self._symbols.members(module.id).values():
            if not is_declared or members[0].flags & SymbolFlag.EXPORTED:
                yield completion_of(members[0])
        for entry in self._symbols.imports(file.id) if module.kind in MODULES else ():
            if entry.exported and entry.local and entry.module:
                target = self._names.imported(file, entry.module, entry.name)
                if target is not None and target.symbol > 0:
                    yield completion_of(self._symbols.symbol(target.symbol), entry.local)

    def _is_visible(self, symbol: Symbol, owner: int) -> bool:
        """Whether a member of the type `owner` can be seen from here by its access, as far as languages agree on what
        that means. A private one is seen in its type and in the same file, a protected one in subtypes too.
        """
        here, there = self._document.symbols.file, self._symbols.file(symbol.file)
        if owner in self._enclosing or there.id == here.id:
            return True
        access = self._index.access(symbol.id)
        if access == _PROTECTED:
            return any(owner in self._names.inheritance.mro(type_id) for type_id in self._enclosing)
        is_of_folder = languages()[there.language].rules.module == _OF_FOLDERS
        return access != _PRIVATE and (access != _INTERNAL or not is_of_folder or here.module == there.module)


def _is_of_type(symbol: Symbol) -> bool:
    return bool(symbol.flags & SymbolFlag.STATIC) or symbol.kind in TYPES or symbol.kind == SymbolKind.ENUM_MEMBER


def completion_of(symbol: Symbol, name: str = "") -> Completion:
    """Return the completion for a symbol, under another name if one is given."""
    type_ = "" if symbol.type.startswith(EXPRESSION) else symbol.type
    returns = "" if symbol.returns.startswith(EXPRESSION) else symbol.returns
    detail = (
        f"{symbol.signature} -> {returns}" if symbol.signature and returns else symbol.signature or returns or type_
    )
    short = " ".join(detail.split())
    if len(short) > DETAIL_CHARACTERS:
        short = f"{short[: DETAIL_CHARACTERS - 1]}…"
    return Completion(name or symbol.name, symbol.kind, target_number(symbol.id), short)
