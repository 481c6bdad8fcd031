"""The facts of one file by itself: symbols, imports, exports and references, as extraction passes them to resolution.

Facts depend on the bytes and the language only, never on the path or on other files, so that they can be kept by
content hash.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from codeagentd.base import zstd

from .boundaries import Boundary

# part of every language's version: raise it when the same bytes would give other facts, or the same facts other bytes
EXTRACTOR_VERSION: Final = 65

FILE_SYMBOL: Final = 0  # index of the symbol that stands for the file itself

# Reference.binding: the binding of a plain name at its place
FREE: Final = 0  # not bound in this file
FIRST_BOUND: Final = 1  # 1 + i: symbol i of this file; 1 + len(symbols) + j: import j of this file

# Reference.receiver: the receiver of a member name
PLAIN: Final = 0  # not a member
SELF: Final = 1  # self, this
CLASS: Final = 2  # cls
SUPER: Final = 3  # super(), base
# a local variable; Reference.binding is 1 + the index of its value source in FileFacts.sources, 0 = unknown
LOCAL: Final = 4
COMPLEX: Final = 5  # an expression that is not a chain of names
BUILT_IN_RECEIVER: Final = 6  # an object of the language itself, or a literal: no file declares its members
FIRST_REFERENCE: Final = 7  # 7 + k: reference k of this file

THROUGH_CALL: Final = 1  # flag: the receiver is called: a().b
# flag of a member: its receiver is an element, a[0].b, or a value that Rust unwraps, a?.b; the same bit as TAG, which
# only bare names have
THROUGH_ITEM: Final = 2
TAG: Final = 2  # flag: the name of a struct, union or enum of C after that keyword
# flag: the receiver is a namespace or type, as in a::b; for a bare name: it is looked up outside of all namespaces, as
# in ::b
SCOPED: Final = 4
DESTRUCTURED: Final = 8  # flag of a member: a pattern takes it out of its receiver
# flag of a call: it constructs an object of the type with this name, where a value may have the name too; the same bit
# as DESTRUCTURED, which no call has
CONSTRUCTED: Final = 8
# flags >> ARGUMENTS: 1 + the number of arguments of a call, 0 = unknown; only where the language has overloads, and 1
# in patterns
ARGUMENTS: Final = 4
# bits of that number; the higher bits are the mark of the labels, where arguments carry labels; 0 = unknown
LABELS: Final = 5
MOST_COUNTED: Final = (1 << LABELS) - 2  # the highest number of arguments that is counted
# three bits, instead of labels: the number of type arguments of a name, where that distinguishes types of one name
TYPE_ARGUMENTS: Final = ARGUMENTS + LABELS
MOST_TYPES: Final = 7  # the highest number of type arguments that is counted

# ValueSource.how: how a local variable gets its value
DECLARED: Final = 0  # x: T
VALUE: Final = 1  # x = value
ELEMENT: Final = 2  # for x in value
ENTERED: Final = 3  # with value as x
# a test holds here that narrows the type to T; `binding`: the value source without the test, as for LOCAL; `flags`: T
# as a receiver, 0 = only text
NARROWED: Final = 4
# a parameter of a function that is the argument number `binding` of a call of `receiver`; `flags`: PARAMETER
CALLBACK_PARAMETER: Final = 5
LAST_ARGUMENT: Final = 255  # as such a number: a trailing function, after the other arguments
DESTRUCTURED_FROM: Final = 6  # a member that a pattern takes out of a value: { x } = value
# the argument number `binding` of a call of `receiver`; `flags`: 1 + its label in FileFacts.names, 0 = none:
# lend(to: .tall)
EXPECTED_ARGUMENT: Final = 7
SECOND: Final = 9  # a, x = value(), where the call returns several results
PART: Final = 10  # the part number `flags` of the variant or tuple that `receiver` names
# the parameter of a function that a framework calls with the object of the name that is the text `receiver`: pytest's
# fixtures
INJECTED: Final = 8
EXPECTED: Final = 11  # a parameter of a function whose type is declared as the text `receiver`; `flags`: PARAMETER

# stands for the name of every automatic fixture, in FileFacts.names; no name is written so
AUTOMATIC: Final = "@autouse"

# bits of the number of a parameter, from 0; the higher bits are 1 + the text of the argument's label or of the object's
# keys, 0 = none
PARAMETER: Final = 8
CALL: Final = "()"  # among these keys: a function has to be called to get to the next key

SOMEWHERE: Final = "?/"  # begins the module of an import whose folder is computed: its target is a guess
# before a base that a module adds to the types that mix it in: a base of the types themselves, not of their objects
USERS_BASE: Final = "included:"
OWN_BASE: Final = "extend:"  # before a base of the type itself, not of its objects (SymbolFact.bases)

# begins the text of a type that is given by a value expression and not declared: `=Shelf().first`
EXPRESSION: Final = "="
DOUBTFUL: Final = "=?"  # begins such a text where there are other values, which are unknown
# the first step of such a text where an object is constructed, in languages where a value may have the type's name:
# `=new.Shelf().first`
CONSTRUCTING: Final = "new"
# begins the type of an interface that can be called: its call signatures as function types; no written type begins so
CALL_SIGNATURES: Final = "&"
# the name of a member in a written-out type that may have further members: { book: Book; ...: any }
MORE: Final = "..."
LITERAL: Final = "[]"  # stands in such a text for a literal, whose members no repository defines

# begins the type of an argument whose form determines it: `#String` for a literal, `#function`, as named in [arguments]
# of its language
WRITTEN: Final = "#"
FUNCTION: Final = "function"  # such a type: a function literal
BLOCK: Final = "block"  # a trailing function, for the last parameter
# the first argument that names its parameter: the parameters of this argument and of those after it are unknown
NAMED: Final = "named"

COLUMNS: Final = 8
OPERATION_COLUMNS: Final = 8
_MOST_MARKS: Final = (1 << 32 - ARGUMENTS - LABELS) - 1  # the highest mark that fits into a number of a column


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
    header: str = ""  # distinguishes overloads, where the language has them
    body: int = 0
    bases: tuple[str, ...] = ()  # as written, generic arguments removed
    type: str = ""  # declared type of a field or variable, as written
    shared: bool = False  # other files may add spans to it (namespace, partial class)
    more_lines: tuple[tuple[int, int, int], ...] = ()  # (line_start, line_end, line) of further spans in this file
    # the type that it is a member of, where another file declares that type: Shelf of `void Shelf::lend() {…}`
    owner: str = ""


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
    module_line: int = 0  # the line of the module's own name; 0 = the same place
    module_col: int = 0
    is_value: bool = False  # the module is a value that no name gets


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


class FixtureRequest(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A fixture that a test or another fixture needs, which the framework calls for it: pytest's.

    `name`: an index into FileFacts.names, of AUTOMATIC for the automatic fixtures of the class or file that `source`
    is. Lines are 1-based, columns 0-based in characters; `source` is an index into FileFacts.symbols. `is_sure`:
    whether the fixture is looked up from where it is named.
    """

    name: int
    line: int
    col: int
    source: int
    is_sure: bool = True


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
    sources: list[ValueSource] = []  # of local variables that references depend on
    texts: list[str] = []  # declared types of such variables, as written
    generated: bool = False
    boundaries: list[Boundary] = []  # where the file leaves its language or process
    # for each call: reference, number of arguments, and for each argument 1 + the index of its value source in
    # `sources`, 0 = unknown; 4 bytes a number
    arguments: bytes = b""
    fixtures: list[FixtureRequest] = []
    # OPERATION_COLUMNS numbers of 4 bytes for each operation that runs a method of its operand, or calls a value: its
    # index in `operation_words`, line, column, source, receiver, binding and flags of the operand, as those of a
    # receiver, and whether it certainly is the operand. A PLAIN one is the definition with this binding
    operations: bytes = b""
    operation_words: list[str] = []  # as the languages' data name them

    def call_arguments(self) -> dict[int, tuple[int, ...]]:
        """Return, by the index of a reference that is a call, 1 + the index of the value source of each argument; 0
        where that is unknown.
        """
        numbers, by_reference, at = memoryview(self.arguments).cast("I").tolist(), dict[int, tuple[int, ...]](), 0
        while at < len(numbers):
            end = at + 2 + numbers[at + 1]
            by_reference[numbers[at]] = tuple(numbers[at + 2 : end])
            at = end
        return by_reference

    def rows(self) -> Iterator[tuple[int, ...]]:
        """Yield the packed references as tuples (name index, kind, line, col, source, binding, receiver, flags)."""
        return zip(*[iter(self._numbers())] * COLUMNS, strict=True)

    def operation_rows(self) -> Iterator[tuple[int, ...]]:
        """Yield the packed operations as tuples."""
        numbers = memoryview(self.operations).cast("I").tolist()
        return zip(*[iter(numbers)] * OPERATION_COLUMNS, strict=True)

    def row(self, index: int) -> tuple[int, ...]:
        """Return the packed reference with this index as a tuple, in the form of `rows`."""
        return tuple(self._numbers()[index * COLUMNS : (index + 1) * COLUMNS])

    def flags(self) -> set[int]:
        """Return every combination of flags that a reference has."""
        return set(self._numbers()[COLUMNS - 1 :: COLUMNS].tolist())

    def called(self, names: set[int]) -> Iterator[tuple[int, ...]]:
        """Yield those of `rows` whose name index is one of `names`; fast where they are few."""
        numbers = self._numbers()
        for index, name in enumerate(numbers[::COLUMNS].tolist()):
            if name in names:
                yield tuple(numbers[index * COLUMNS : (index + 1) * COLUMNS])

    def _numbers(self) -> memoryview[int]:
        return memoryview(self.columns).cast("I" if self.wide else "H")

    def references(self) -> Iterator[Reference]:
        """Yield the references with their names as text."""
        for name, *rest in self.rows():
            yield Reference(self.names[name], *rest)


def label_mark(labels: Iterable[str]) -> int:
    """Return a number that stands for `labels`, those of a call's arguments in their order, '' for none. Two rows of
    labels hardly ever have the same number.

    Arguments without labels that follow each other count as one, since a parameter may take any number of them.
    """
    last = None
    distinct = [last := label for label in labels if label or last != ""]
    return 1 + zlib.crc32("".join(f"{label}:" for label in distinct).encode()) % _MOST_MARKS


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(FileFacts)
LEVEL: Final = 3  # of zstd: half the time of zlib's first level, and less of a file
_COMPRESSED: Final = b"x"  # the first byte of zlib's format (RFC 1950), which begins no array of MessagePack


def pack(facts: FileFacts) -> bytes:
    """Return `facts` as bytes."""
    return _encoder.encode(facts)


def compressed(packed: bytes) -> bytes:
    """Return what `pack` has returned as the bytes that blobs.db and packs store: two fifths of it, for 7 ms a
    megabyte.
    """
    return zstd.compress(packed, LEVEL)


def unpack(blob: bytes) -> FileFacts | None:
    """Return the facts that `blob` encodes, compressed by zstd, by zlib, or not at all, as older builds stored them.
    None for bytes that are no facts: some come from the store of a team.
    """
    try:
        if blob.startswith(zstd.MAGIC):
            return _decoder.decode(zstd.decompress(blob))
        return _decoder.decode(zlib.decompress(blob) if blob.startswith(_COMPRESSED) else blob)
    except (msgspec.MsgspecError, zlib.error, zstd.ZstdError):
        return None
