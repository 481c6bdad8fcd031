"""Facts of files in several languages: the facts of the parts become facts of the file."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import msgspec
from tree_sitter import Node

from codeagentd.extract.positions import Places
from codeagentd.model.facts import (
    CALLBACK_PARAMETER,
    COLUMNS,
    DECLARED,
    EXPECTED,
    FILE_SYMBOL,
    FIRST_BOUND,
    FIRST_REFERENCE,
    FREE,
    INJECTED,
    LOCAL,
    NARROWED,
    PARAMETER,
    PLAIN,
    FileFacts,
    ImportFact,
    SymbolFact,
    ValueSource,
)

from . import html, markdown_fences, notebook, vue_svelte
from .region import Part, Rule
from .relocation import moved

Extract = Callable[[bytes, Part, Places], FileFacts]
_DEFAULT: Final = "default"

RULES: Final[dict[str, Rule]] = {
    "fences": markdown_fences.fences, "notebook": notebook.notebook, "page": html.page, "vue": vue_svelte.vue,
    "svelte": vue_svelte.svelte,
}  # fmt: skip


def with_parts(whole: FileFacts, source: bytes, root: Node, rule: str, extract: Extract) -> FileFacts:
    """Return the facts of a file together with those of its parts in other languages.

    `whole` are the facts in the language of the file itself, `rule` finds the parts, and `extract` extracts the facts
    of one part.
    """
    parts = list(RULES[rule](root, source))
    if not parts:
        return whole
    places = Places(source)
    pieces = [_Piece(whole, None, {0: FILE_SYMBOL})]
    for part in parts:
        facts = extract(part.source or source, part, places)
        if part.origin:
            facts = moved(facts, part.origin)
        pieces.append(_Piece(facts, part, {0: _enclosing_symbol(whole.symbols, facts, part)}))
    return _united(pieces)


def _enclosing_symbol(symbols: Sequence[SymbolFact], facts: FileFacts, part: Part) -> int:
    """Return the symbol that contains a part: the innermost one around its first line, or the file."""
    if not part.is_nested:
        return FILE_SYMBOL
    holding = [index for index, symbol in enumerate(symbols) if symbol.line_start <= part.line <= symbol.line_end]
    return max(holding, key=lambda index: (symbols[index].line_start, index), default=FILE_SYMBOL)


class _Piece:
    """The facts of one part, and the offsets that its numbers get in the file. `symbols`: index in the part -> index in
    the file.
    """

    def __init__(self, facts: FileFacts, part: Part | None, symbols: dict[int, int]) -> None:
        self.facts = facts
        self.part = part
        self.symbols = symbols
        self.is_shared = part is None or part.is_shared
        self.imports = self.references = self.sources = self.texts = 0

    def place(self, following: int) -> int:
        """Give the symbols their numbers in the file, from `following` on. The default export of a component is the
        file itself.
        """
        for index, symbol in enumerate(self.facts.symbols[1:], 1):
            if self.part is None:
                self.symbols[index] = index
            elif self.part.is_component and symbol.parent == 0 and symbol.name == _DEFAULT:
                self.symbols[index] = FILE_SYMBOL
                continue
            else:
                self.symbols[index] = following
            following += 1
        return following

    def names(self, symbols: int) -> Iterator[tuple[str, int]]:
        """List the names that other parts can refer to, each with its binding in a file with that many symbols."""
        for index, symbol in enumerate(self.facts.symbols[1:], 1):
            if symbol.parent == 0:
                yield symbol.name, FIRST_BOUND + self.symbols[index]
        for number, fact in enumerate(self.facts.imports):
            if fact.local and not fact.exported and fact.source == 0:
                yield fact.local, FIRST_BOUND + symbols + self.imports + number

    def bound(self, receiver: int, binding: int, symbols: int) -> int:
        """Return a binding of the part as one of the file."""
        if receiver == LOCAL:
            return binding + self.sources if binding else binding
        if binding == FREE:
            return FREE
        index, own = binding - FIRST_BOUND, len(self.facts.symbols)
        return FIRST_BOUND + (self.symbols[index] if index < own else symbols + self.imports + index - own)


def _united(pieces: list[_Piece]) -> FileFacts:
    symbols: list[SymbolFact] = []
    imports: list[ImportFact] = []
    following, sources, texts = 1, 0, 0
    for piece in pieces:
        following = piece.place(following)
        piece.imports, piece.sources, piece.texts = len(imports), sources, texts
        sources += len(piece.facts.sources)
        texts += len(piece.facts.texts)
        symbols += _symbols(piece, first=not symbols)
        imports += [_import(piece, fact) for fact in piece.facts.imports]
    whole = pieces[0].facts
    known = {
        name: bound
        for piece in reversed(pieces)
        if piece.part and piece.is_shared
        for name, bound in piece.names(len(symbols))
    }
    names: dict[str, int] = {}
    numbers: list[int] = []
    for piece in pieces:
        piece.references = len(numbers) // COLUMNS
        numbers += _references(piece, known, names, len(symbols))
    is_wide = any(number > 0xFFFF for number in numbers)
    counted = [piece for piece in pieces if piece.part is None or piece.part.counts]
    importing = [piece for piece in pieces if piece.part is None or piece.part.has_imports]
    return msgspec.structs.replace(
        whole,
        symbols=symbols,
        imports=imports,
        names=list(names),
        wide=is_wide,
        columns=array("I" if is_wide else "H", numbers).tobytes(),
        status="partial" if any(piece.facts.status != "full" for piece in counted) else "full",
        exports=[entry for piece in importing for entry in piece.facts.exports if entry[0] != _DEFAULT],
        sources=[_source(piece, source, len(symbols)) for piece in pieces for source in piece.facts.sources],
        texts=[text for piece in pieces for text in piece.facts.texts],
        fixtures=[],
        operations=b"",
        operation_words=[],
        boundaries=[
            msgspec.structs.replace(boundary, source=piece.symbols[boundary.source])
            for piece in pieces
            if piece.is_shared
            for boundary in piece.facts.boundaries
        ],
    )


def _import(piece: _Piece, fact: ImportFact) -> ImportFact:
    """Return an import with its position in the file; one that leads to no file still binds its name."""
    if piece.part is None or piece.part.has_imports:
        return msgspec.structs.replace(fact, source=piece.symbols[fact.source])
    return msgspec.structs.replace(fact, source=piece.symbols[fact.source], module="", name="", local="")


def _symbols(piece: _Piece, first: bool) -> Iterable[SymbolFact]:
    if first:
        return piece.facts.symbols
    return [
        msgspec.structs.replace(symbol, parent=piece.symbols[symbol.parent])
        for index, symbol in enumerate(piece.facts.symbols)
        if index and piece.symbols[index] != FILE_SYMBOL
    ]


def _references(piece: _Piece, known: dict[str, int], names: dict[str, int], symbols: int) -> Iterator[int]:
    """List the references of a part as numbers of the file.

    A free name of a shared part is bound to a name that another part defines; only free names have references in the
    file's own language.
    """
    part = piece.part
    for name, kind, line, col, source, binding, receiver, flags in piece.facts.rows():
        text = piece.facts.names[name]
        bound = piece.bound(receiver, binding, symbols)
        if receiver == PLAIN and binding == FREE and piece.is_shared and not (part and part.hides(text, line, col)):
            bound = (
                known.get(text)
                or known.get(_component(text))
                or (known.get(text[1:], FREE) if part and part.sigil == text[0] else FREE)
            )
        if part is None and bound == FREE and known:
            continue
        if receiver >= FIRST_REFERENCE:
            receiver += piece.references
        yield from (names.setdefault(text, len(names)), kind, line, col, piece.symbols[source], bound, receiver, flags)


def _component(tag: str) -> str:
    """Return the component that a tag names: `<my-shelf>` is MyShelf. Source: Vue guide, "Component Registration"."""
    return "".join(word[:1].upper() + word[1:] for word in tag.split("-")) if "-" in tag else ""


def _source(piece: _Piece, source: ValueSource, symbols: int) -> ValueSource:
    receiver, binding, flags = source.receiver, source.binding, source.flags
    if source.how in (CALLBACK_PARAMETER, EXPECTED) and flags >> PARAMETER:
        flags += piece.texts << PARAMETER
    if source.how in (DECLARED, INJECTED, EXPECTED):
        receiver += piece.texts
    elif source.how == NARROWED:
        receiver, binding = receiver + piece.texts, piece.bound(LOCAL, binding, symbols)
        flags += piece.references if flags >= FIRST_REFERENCE else 0
    else:
        binding = piece.bound(receiver, binding, symbols) if source.how != CALLBACK_PARAMETER else binding
        if receiver >= FIRST_REFERENCE:
            receiver += piece.references
    return msgspec.structs.replace(source, receiver=receiver, binding=binding, flags=flags)
