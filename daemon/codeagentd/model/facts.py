"""The facts of one file by itself: symbols, imports, exports and references, as extraction passes them to resolution.

Facts depend on the bytes and the language only, never on the path or on other files, so that they can be kept by
content hash.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from .boundaries import Boundary

# part of every language's version: raise it when the same bytes would give other facts, or the same facts other bytes
EXTRACTOR_VERSION: Final = 56

FILE_SYMBOL: Final = 0  # index of the symbol that stands for the file itself

# What a plain name is bound to, seen from its place: Reference.binding
FREE: Final = 0  # nothing in this file
FIRST_BOUND: Final = 1  # 1 + i: symbol i of this file; 1 + len(symbols) + j: import j of this file

# What a member name hangs on: Reference.receiver
PLAIN: Final = 0  # not a member
SELF: Final = 1  # self, this
CLASS: Final = 2  # cls
SUPER: Final = 3  # super(), base
LOCAL: Final = (
    4  # a local variable; Reference.binding is 1 + the index of what it is made of in FileFacts.sources, 0 = unknown
)
COMPLEX: Final = 5  # an expression that is not a chain of names
BUILT_IN_RECEIVER: Final = 6  # an object of the language itself, or a literal: no file declares its members
FIRST_REFERENCE: Final = 7  # 7 + k: reference k of this file

THROUGH_CALL: Final = 1  # flag: the receiver is called: a().b
# flag of a member: one of what its receiver holds: a[0].b, or what Rust unwraps, a?.b; the bit of TAG, which only bare
# names have
THROUGH_ITEM: Final = 2
TAG: Final = 2  # flag: the name of a struct, union or enum of C, said to be one
# flag: the receiver is a namespace or type, as in a::b; of a bare name: that it is looked up outside of all namespaces,
# as in ::b
SCOPED: Final = 4
DESTRUCTURED: Final = 8  # flag of a member: a pattern takes it out of its receiver
# flag of a call: an object is made of the type of this name, where a value may have the name too; the bit of
# DESTRUCTURED, which no call has
CONSTRUCTED: Final = 8
# flags >> ARGUMENTS: 1 + how many arguments a call gives, 0 = unknown; only where the language has overloads,
# and 1 in patterns
ARGUMENTS: Final = 4
LABELS: Final = (
    5  # bits of that number; behind them is, where arguments carry labels, the mark of the labels; 0 = unknown
)
MOST_COUNTED: Final = (1 << LABELS) - 2  # arguments that are counted
# three bits: how many type arguments a name gets, where that tells namesakes apart; instead of labels
TYPE_ARGUMENTS: Final = ARGUMENTS + LABELS
MOST_TYPES: Final = 7  # type arguments counted

# How a local variable gets its value: Source.how
DECLARED: Final = 0  # x: T
VALUE: Final = 1  # x = value
ELEMENT: Final = 2  # for x in value
ENTERED: Final = 3  # with value as x
# a test holds here that says T; `binding`: what it is made of without the test, as of LOCAL, `flags`: T as a receiver,
# 0 = only text
NARROWED: Final = 4
# a parameter of a function in the argument number `binding` of a call of what `receiver` says; `flags`: PARAMETER
CALLBACK_PARAMETER: Final = 5
LAST_ARGUMENT: Final = 255  # as such a number: a function behind the others
DESTRUCTURED_FROM: Final = 6  # what a pattern takes out: { x } = value
# the argument number `binding` of a call of what `receiver` says; `flags`: 1 + its label in FileFacts.names, 0 = none:
# lend(to: .tall)
EXPECTED_ARGUMENT: Final = 7
SECOND: Final = 9  # a, x = value(), where the call gives several results
PART: Final = 10  # the part number `flags` of what the variant or tuple holds that `receiver` names
# the parameter of a function that a framework calls, which gives it what goes by the name that the text `receiver`
# says: pytest's fixtures
INJECTED: Final = 8
EXPECTED: Final = (
    11  # a parameter of a function that stands where the text `receiver` says its type; `flags`: PARAMETER
)

# bits of the number of a parameter, from 0; behind them 1 + the text of the argument's label or of the object's keys, 0
# = none
PARAMETER: Final = 8
CALL: Final = "()"  # stands among these keys where a function has to be called for what follows

SOMEWHERE: Final = "?/"  # begins the module of an import whose folder is computed: what is found there is a guess
# before a base that a module gives to the types that mix it in: of these themselves, not of their objects
USERS_BASE: Final = "included:"
OWN_BASE: Final = "extend:"  # before a base of the type itself, not of its objects (SymbolFact.bases)

EXPRESSION: Final = "="  # begins the text of a type that is no declaration but the value itself: `=Shelf().first`
DOUBTFUL: Final = "=?"  # begins it where there are other values, of which nothing is known
# the first step of it where an object is made of a type with whose name a value may be called as well:
# `=new.Shelf().first`
CONSTRUCTING: Final = "new"
# begins the type of an interface that can be called: its call signatures as function types; no value says its type like
# that
CALL_SIGNATURES: Final = "&"
MORE: Final = (
    "..."  # stands as the name of a member where a type that is written out may have others: { book: Book; ...: any }
)
LITERAL: Final = "[]"  # stands in it for a literal: nothing that the repository defines

# begins the type of an argument that says itself what it is: `#String` of a literal, `#function`, as [arguments] of its
# language names it
WRITTEN: Final = "#"
FUNCTION: Final = "function"  # such a type: a function that is written where it is given
BLOCK: Final = "block"  # one behind the other arguments, for the last parameter
# the first argument that goes by the name of its parameter: what it and those behind it are for is not known
NAMED: Final = "named"

COLUMNS: Final = 8
_MOST_MARKS: Final = (1 << 32 - ARGUMENTS - LABELS) - 1  # what a number of a column has room for


class SymbolFact(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One definition.

    Lines 1-based, columns 0-based in characters; `parent` is an index into FileFacts.symbols, -1 for the file's own
    symbol.
    """

    name: str
    kind: int
    parent: int
    line_start: int
    line_end: int
    line: int
    col: int
    flags: int = 0
    access: str = ""
    signature: str | None = None
    parameters: int | None = None
    returns: str | None = None
    header: str = ""  # tells overloads apart, where the language has them
    body: int = 0
    bases: tuple[str, ...] = ()  # as written, generic arguments removed
    type: str = ""  # declared type of a field or variable, as written
    shared: bool = False  # other files may add spans to it (namespace, partial class)
    more_lines: tuple[tuple[int, int, int], ...] = ()  # (line_start, line_end, line) of further spans in this file
    owner: str = ""  # whose member it is, where its type stands in another file: Shelf of `void Shelf::lend() {…}`


class ImportFact(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One imported name.

    `module` as written; `name` '' = the module itself, '*' = all; `local` = the name it gets here ('' = none).
    """

    module: str
    name: str
    local: str
    line: int
    col: int
    source: int = 0  # enclosing symbol
    exported: bool = False  # export … from
    type_only: bool = False
    module_line: int = 0  # where the module's own name stands; 0 = the same place
    module_col: int = 0


class Reference(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One occurrence of a name that is neither a definition nor a local variable. The constants above give the values
    of its fields.
    """

    name: str
    kind: int
    line: int
    col: int
    source: int
    binding: int
    receiver: int
    flags: int


class ValueSource(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The source of a local variable's value. `how` is one of the constants above.

    For a type, `receiver` is an index into FileFacts.texts; else receiver, binding and flags are those of a Reference.
    """

    variable: int
    how: int
    receiver: int
    binding: int
    flags: int
    many: bool  # the variable has other sources too


class FileFacts(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """All facts of one file.

    `columns` packs the references: COLUMNS unsigned numbers each, in the order of Reference, names as indexes into
    `names`.
    """

    language: str
    status: str  # full | partial
    lines: int
    symbols: list[SymbolFact]
    imports: list[ImportFact]
    exports: list[tuple[str, str]]  # (exported name, local name) beyond the symbols flagged EXPORTED
    names: list[str]
    wide: bool  # 4-byte columns instead of 2-byte ones
    columns: bytes
    sources: list[ValueSource] = []  # of local variables that something is asked of
    texts: list[str] = []  # declared types of such variables, as written
    generated: bool = False
    boundaries: list[Boundary] = []  # where the file leaves its language or process
    # of calls: reference, number of arguments, and of each 1 + the index of what it is made of in `sources`, 0 =
    # unknown; 4 bytes each
    arguments: bytes = b""

    def call_arguments(self) -> dict[int, tuple[int, ...]]:
        """Return, by reference, 1 + the index of the value source of each argument of a call; 0 where it is unknown."""
        numbers, by_reference, at = memoryview(self.arguments).cast("I").tolist(), dict[int, tuple[int, ...]](), 0
        while at < len(numbers):
            end = at + 2 + numbers[at + 1]
            by_reference[numbers[at]] = tuple(numbers[at + 2 : end])
            at = end
        return by_reference

    def rows(self) -> Iterator[tuple[int, ...]]:
        """List the packed references as tuples (name index, kind, line, col, source, binding, receiver, flags)."""
        return zip(*[iter(self._numbers())] * COLUMNS, strict=True)

    def row(self, index: int) -> tuple[int, ...]:
        """Return one of the packed references."""
        return tuple(self._numbers()[index * COLUMNS : (index + 1) * COLUMNS])

    def flags(self) -> set[int]:
        """Return every combination of flags that a reference has."""
        return set(self._numbers()[COLUMNS - 1 :: COLUMNS].tolist())

    def called(self, names: set[int]) -> Iterator[tuple[int, ...]]:
        """List the rows whose name index is one of these; fast where they are few."""
        numbers = self._numbers()
        for index, name in enumerate(numbers[::COLUMNS].tolist()):
            if name in names:
                yield tuple(numbers[index * COLUMNS : (index + 1) * COLUMNS])

    def _numbers(self) -> memoryview[int]:
        return memoryview(self.columns).cast("I" if self.wide else "H")

    def references(self) -> Iterator[Reference]:
        """List the references with their names as text."""
        for name, *rest in self.rows():
            yield Reference(self.names[name], *rest)


def label_mark(labels: Iterable[str]) -> int:
    """Return a number that stands for the labels of arguments in their order, '' for none; two rows of labels hardly
    ever have the same number.

    Arguments without labels that follow each other count as one, since a parameter may take any number of them.
    """
    last = None
    distinct = [last := label for label in labels if label or last != ""]
    return 1 + zlib.crc32("".join(f"{label}:" for label in distinct).encode()) % _MOST_MARKS


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(FileFacts)


def pack(facts: FileFacts) -> bytes:
    """Return facts as the bytes that blobs.db stores: not compressed, which would halve them and cost 60 us a file."""
    return _encoder.encode(facts)


def unpack(blob: bytes) -> FileFacts:
    """Return the facts of packed bytes: the inverse of `pack`."""
    return _decoder.decode(blob)
