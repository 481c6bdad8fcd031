"""The vocabularies of the graph: symbol kinds, reference kinds, edge types, confidences, as small integers with
names.
"""

from __future__ import annotations

import functools
import json
from enum import IntEnum, IntFlag
from typing import Final


class SymbolKind(IntEnum):
    """The kind of a symbol. Numbers are stored: append only."""

    FILE = 1
    MODULE = 2
    NAMESPACE = 3
    CLASS = 4
    INTERFACE = 5
    STRUCT = 6
    ENUM = 7
    TYPE = 8
    FUNCTION = 9
    METHOD = 10
    CONSTRUCTOR = 11
    PROPERTY = 12
    FIELD = 13
    CONSTANT = 14
    VARIABLE = 15
    ENUM_MEMBER = 16
    COMPONENT = 17
    EVENT = 18
    DELEGATE = 19
    RECORD = 20
    TRAIT = 21
    MACRO = 22
    SECTION = 23  # a heading of a document, and all up to the next of its level
    KEY = 24  # a key of a data file, or a table of keys
    # a part of a page with a name or role: an id, a landmark, a custom element
    ELEMENT = 25
    RULE = 26  # the declarations of a style sheet for a selector
    TARGET = 27  # a target of a build: of a Makefile, a stage of a Dockerfile
    RESOURCE = 28  # an object that a configuration creates or reads
    TABLE = 29
    VIEW = 30
    INDEX = 31
    TRIGGER = 32
    MESSAGE = 33
    SERVICE = 34
    PACKAGE = 35  # of another repository, named by an import
    EXTERNAL = 36  # a definition of a package that the repository refers to; nothing else is known of it
    BOUNDARY = 37  # where languages or processes meet: a path that is requested, a procedure, a program

    @property
    def label(self) -> str:
        """The node_type by which answers state this kind: the name in lower case."""
        return self.name.lower()


@functools.cache
def kinds_of(labels: tuple[str, ...]) -> frozenset[int]:
    """Return the kinds with these labels, as plain numbers; words that are no label stand for none."""
    return frozenset(int(kind) for kind in SymbolKind if kind.label in labels)


SCOPES_OF_NAMES = frozenset({SymbolKind.FILE, SymbolKind.MODULE, SymbolKind.NAMESPACE})
TYPES = frozenset(
    {SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.STRUCT, SymbolKind.ENUM, SymbolKind.TYPE, SymbolKind.COMPONENT,
     SymbolKind.DELEGATE, SymbolKind.RECORD, SymbolKind.TRAIT, SymbolKind.TABLE, SymbolKind.VIEW,
      SymbolKind.MESSAGE, SymbolKind.SERVICE}
)  # fmt: skip
# what others implement or inherit from: a module may be a behaviour, which asks for functions
HEIRS = TYPES | {SymbolKind.MODULE}
TYPE_NUMBERS: Final = json.dumps(sorted(int(kind) for kind in TYPES))  # TYPES as statements take them
# parts of documents: code never refers to them by their bare names
OUTLINE = frozenset({SymbolKind.SECTION, SymbolKind.KEY, SymbolKind.ELEMENT, SymbolKind.RULE})


class SymbolFlag(IntFlag):
    """The properties of a symbol: page 000's is_* fields, and flags that ranking and resolution need."""

    PUBLIC_API = 1
    STATIC = 2
    ABSTRACT = 4
    ASYNC = 8
    OVERRIDE = 16
    DEPRECATED = 32
    DOC_COMMENT = 64
    EXPORTED = 128
    OVERLOADED = 256  # it has parameters that are functions, and more signatures than the one shown
    # defined in an unnamed function or object: not a member of its parent, where the parent has another one of the name
    LOCAL = 512
    VIRTUAL = 1024  # members of subtypes override it, in languages where others are hidden
    PRIVATE = 2048  # no member of a subtype overrides it
    FIXTURE = 4096  # the framework of the tests calls it for the tests that name it
    AUTOMATIC = 8192  # a fixture for all tests of its class, file or folder


class ReferenceKind(IntEnum):
    """The effect of a reference at its place. Numbers are stored: append only."""

    CALL = 1
    IMPORT = 2
    REEXPORT = 3
    TYPE = 4
    ACCEPTS = 5
    RETURNS = 6
    INHERIT = 7
    IMPLEMENT = 8
    EXTEND = 9
    DECORATE = 10
    READ = 11
    WRITE = 12
    OVERRIDE = 13
    EMBED = 14  # a struct that embeds another without a field name has its members
    MIXIN = 15  # a module or trait that is mixed into a type
    DEPEND = 16  # a target that must be built before: a prerequisite, a stage
    READ_FROM = 17  # a table or view that a query reads
    USE = 18  # a value of a configuration, or a part of a document, that another names
    INVOKE = 19  # a program or script that is started
    BIND = 20  # a definition of another language, by its name
    SERVICE = 21  # a request: its path, or its procedure
    HANDLE = 22  # from a boundary to the code that answers there
    CONSTRUCT = 23  # a call of a type: its constructor runs


# the kinds by which a type descends from another, as bits
INHERITS: Final = sum(
    1 << kind
    for kind in (
        ReferenceKind.INHERIT, ReferenceKind.IMPLEMENT, ReferenceKind.EXTEND, ReferenceKind.EMBED, ReferenceKind.MIXIN
    )
)  # fmt: skip


class Confidence(IntEnum):
    """The certainty of an edge. It is proved by scope, import or type; or it has one plausible target; or it has
    several, all listed.
    """

    EXACT = 0
    INFERRED = 1
    AMBIGUOUS = 2

    @property
    def label(self) -> str:
        """The name by which answers state this confidence: `exact`, `inferred` or `ambiguous`."""
        return self.name.lower()


class Origin(IntEnum):
    """The rule that made an edge. Numbers are stored: append only."""

    SCOPE = 1
    IMPORT = 2
    REEXPORT = 3
    SELF = 4
    SUPER = 5
    INHERITANCE = 6
    MEMBER = 7
    CONSTRUCTOR = 8
    NAMESPACE = 9
    WILDCARD = 10
    UNIQUE_NAME = 11
    SAME_NAME = 12
    OVERRIDE = 13
    CONTAINS = 14
    TYPE = 15  # the type of the receiver, declared or inferred
    STRUCTURE = 16  # a type has all methods of an interface
    LITERAL = 17  # a literal is exactly this path, program or name
    TEMPLATE = 18  # a literal fits the template of one path
    SUFFIX = 19  # a literal and one path end alike; the beginning is unknown
    INITIAL_VALUE = 20  # the initial value of a variable of a file or module names it; such edges are not stored
    OPERATION = 21  # an operation on a value, or a call of it, runs what is not named there

    @property
    def label(self) -> str:
        """The name by which answers state this rule."""
        return self.name.lower()


EDGE_TYPES = (
    "calls", "inherits", "implements", "imports", "overrides", "references", "contains", "accepts", "extends",
    "returns", "decorates", "re_exports", "embeds", "mixes_in", "depends_on", "reads_from", "uses", "invokes",
    "binds_native", "calls_service", "handled_by", "constructs",
)  # fmt: skip

EDGE_OF_REFERENCE: dict[ReferenceKind, str] = {
    ReferenceKind.CALL: "calls",
    ReferenceKind.IMPORT: "imports",
    ReferenceKind.REEXPORT: "re_exports",
    ReferenceKind.TYPE: "references",
    ReferenceKind.ACCEPTS: "accepts",
    ReferenceKind.RETURNS: "returns",
    ReferenceKind.INHERIT: "inherits",
    ReferenceKind.IMPLEMENT: "implements",
    ReferenceKind.EXTEND: "extends",
    ReferenceKind.DECORATE: "decorates",
    ReferenceKind.READ: "references",
    ReferenceKind.WRITE: "references",
    ReferenceKind.OVERRIDE: "overrides",
    ReferenceKind.EMBED: "embeds",
    ReferenceKind.MIXIN: "mixes_in",
    ReferenceKind.DEPEND: "depends_on",
    ReferenceKind.READ_FROM: "reads_from",
    ReferenceKind.USE: "uses",
    ReferenceKind.INVOKE: "invokes",
    ReferenceKind.BIND: "binds_native",
    ReferenceKind.SERVICE: "calls_service",
    ReferenceKind.HANDLE: "handled_by",
    ReferenceKind.CONSTRUCT: "constructs",
}

CANDIDATES: Final = (
    3  # members that an open name may mean and still be an edge: beyond that most such edges are wrong (decision 0003)
)
