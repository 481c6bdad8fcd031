"""The definition of a language: its folder of data as one frozen value."""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final, Literal, NamedTuple

import msgspec

from codeagent_protocol.errors import IndexFailed

from .generic_table import generic_rows
from .heading_rules import ContentRules, HeadingRules
from .module_systems import MODULE_SYSTEMS, ModuleSystem

# definitions, references, imports, origins of values
QUERY_FILES: Final = ("defs.scm", "refs.scm", "imports.scm", "types.scm")
OWN_QUERIES: Final = "own.scm"  # those that grammars of languages like this one could not compile
# settings that `like` does not take over
_ITS_FILES: Final = frozenset(
    {
        "extensions",
        "filenames",
        "interpreters",
        "aliases",
        "minified",
        "dialect",
        "shared_extensions",
        "opening",
        "tier",
    }
)


OTHER: Final = "other"  # the language of text that no other language claims
GENERIC: Final = "generic"  # the tier of languages, and the rules, whose definitions are known by the grammar alone

# operations that take functions and types as well: a value is called, a type is raised as an exception
CALLING: Final = "()"
RAISING: Final = "raise"


class SymbolRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules by which names become symbols: [symbols] in language.toml."""

    file: str = "file"
    separator: str = "."
    file_types: bool = False  # a file is a type, and its outer definitions are the members
    constructors: tuple[str, ...] = ()
    property_decorators: tuple[str, ...] = ()
    overloads: bool = False  # parameters are part of a symbol's identity
    shared: tuple[str, ...] = ()  # kinds that several files may define together; "partial" needs that modifier
    scattered: bool = False  # methods name their type and may be in other files of its namespace
    shared_whole: tuple[str, ...] = ()  # modifiers of symbols that several files define together, with all members
    members_in_scope: bool = False  # a type's members are visible by bare name in its methods
    anonymous: str = ""  # the name of a definition without a written name: @unnamed
    implementations: bool = False  # @implementation blocks hold members of types that are defined elsewhere
    closed_modules: bool = False  # a module inside a file does not see the names of enclosing scopes
    # in type positions only types are looked up: a property may have the name of its type
    separate_types: bool = False
    # a function assigned to a member of one of these objects is a function of the file, which exports it
    module_objects: tuple[str, ...] = ()
    # a name directly after a dot is a member; for other joints (`::`, `->`, `:`) the query captures @receiver
    dots: bool = True
    # joints other than a dot that make the next name a member, where @member captures the names that can be one
    joints: tuple[str, ...] = ()
    # a name directly before this character is called; for other calls the query captures @called
    call_sign: str = ""
    implicit: tuple[str, ...] = ()  # names that @bind.implicit binds without mentioning them
    # all members that functions have; where there are some, other members of a method are not looked up
    of_functions: tuple[str, ...] = ()
    # endings of files whose definitions are visible in every file, as long as they import and export nothing
    global_files: tuple[str, ...] = ()
    global_block: str = ""  # a namespace of this name is the same one in any file
    separate_static: bool = False  # a member of a type and one of its objects may have the same name
    # a member of the expected type may omit it, `.tall`, so that any member without a known receiver may be one
    implied: bool = False
    bounded: bool = False  # the bound of a type parameter is looked up in the scope of its definition
    # rule for the key that distinguishes definitions of one name: definitions.overload_keys
    headers: str = "parameters"
    unscoped: tuple[str, ...] = ()  # kinds that belong to the file wherever they are defined
    # kinds of types whose inner names are visible around them: enumerators of an "enum", types inside a "struct"
    spills: tuple[str, ...] = ()
    entry_points: tuple[str, ...] = ()  # functions that every program has of its own
    section: str = "section"  # the kind of the symbol that a heading begins
    keywords: tuple[str, ...] = ()  # identifiers to the grammar, not to the language, unless something binds them
    sigil: str = ""  # the first character of a variable's name, though the grammar's identifier begins after it
    path_sign: str = ""  # joins the parts of a name in the source, where that is not the separator: `A\\B`, `A::B`
    # which definitions their file binds by bare name: all, outer (no members of types), contents (as outer, no
    # packages), free (no methods and fields of types), fieldless (no fields), scopes (no members), none
    bound: str = "all"
    tables: bool = False  # a variable is a namespace when functions are its fields, a class when they have a self
    member_sigils: tuple[str, ...] = ()  # first characters of fields that need no receiver: Ruby's `@count`
    closed: bool = False  # a definition's body sees no variable of enclosing scopes
    bare_calls: bool = False  # a name that begins with a small letter and is no variable calls a method
    calls_apart: bool = False  # functions have names of their own, which variables do not hide
    setter: str = ""  # ends the name of the method that an assignment to a member calls
    mixins: bool = False  # a trait is mixed in, not implemented
    # functions that exist without import: targets of calls that match no definition of this name
    ambient: tuple[str, ...] = ()
    receiver_parameter: bool = False  # a method's first parameter is the object that it is called on
    labels: bool = False  # arguments have labels, which distinguish overloads
    # a definition of kind "type" that declares no other type adds members to one, which may be from elsewhere
    reopened: bool = False
    makers: tuple[str, ...] = ()  # methods of classes that return an instance, unless another result is known
    # types whose members every type has without naming them; the rule of names adds others
    further_bases: tuple[str, ...] = ()
    # "values": types may declare what their values convert to, or are built from; "literals": which literals they are
    converting: str = ""
    extensions: bool = False  # a function that names a base is called on values of that type
    objects: bool = False  # a static type is a value; in type positions the type of the same name is meant
    uniform_access: bool = False  # the bare name of a function without parameters is a call of it
    last_base_first: bool = False  # the members of the last base come first
    structural: bool = False  # a type with all methods of an interface implements it without declaring so
    global_imports: bool = False  # an exported import is visible in every file of its project
    type_arity: bool = False  # the number of type parameters distinguishes types of one name
    # in type positions only types are looked up, in calls only methods, types and delegates
    invocable: bool = False
    contracts: bool = False  # a class does not inherit the members of its interfaces
    # a method whose first parameter is marked so is called on values of the parameter's type
    extending_parameters: bool = False
    attribute_suffix: str = ""  # which the names of decorating types may omit
    separate_members: bool = False  # a type may have a method and a field of the same name
    clauses: bool = False  # a function may have several clauses, of which the first one stands for it
    ordered: bool = False  # a declared name is visible only after its declaration, also in the file's own scope
    separate_values: bool = False  # as `ordered`, and a local variable hides no method
    inherited_constructors: bool = False  # although parameters distinguish them: Swift's initializers
    # kinds of types whose members are names of the module around them: constructors, fields and methods in Haskell
    open_types: tuple[str, ...] = ()
    equations: bool = False  # a function is defined by several equations, which its signature precedes
    # which members of a class are overridden, not hidden: "modifier": by members that are marked as overriding;
    # "virtual": those that are marked as virtual, or override such; "": all
    overriding: str = ""


class RuleNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The named rules that a language chooses: [rules] in language.toml."""

    module: str = "none"
    packages: str = "none"  # how the module of an import determines its package
    imports: str = "none"
    doc: str = "preceding"
    access: str = "modifiers"
    exports: str = "everything"
    default_access: str = "public"
    member_access: str = ""
    prepare: str = "none"  # rule for the parts that are cut out of a source before it is parsed
    repair: str = "none"  # rule for the repair of a source with parse errors
    naming: str = "none"  # how the text of a name becomes a symbol's name
    outline: str = "none"  # how the text of a heading becomes a title
    # how the query is run: `matches` where many matches stay open for long, which costs `captures` quadratic time
    reading: str = "captures"
    parts: str = "none"  # which parts of a file are in another language
    declarators: str = "none"  # how declarations are read that separate a name from its type
    bases: str = "c3"  # order in which a type's bases are searched
    # how names are looked up outside of their file: through modules (or namespaces, where there are none), or by a rule
    # of the language
    names: str = "modules"


class ReceiverWords(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    rename={"self_words": "self", "class_words": "class", "super_words": "super"},
):
    """Words that refer to the current object, its class and its base: [receivers] in language.toml."""

    self_words: tuple[str, ...] = ()
    class_words: tuple[str, ...] = ()
    super_words: tuple[str, ...] = ()
    globals: tuple[str, ...] = ()  # objects of the language itself, whose members no repository defines


class TypeRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules by which written types are read: [types] in language.toml."""

    # types that are read as their first argument (Optional, Promise); "Union" as each of its arguments
    transparent: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()  # node types of signs that stand before a type, beside its node: `[]`, `*`
    nested: bool = False  # the type of a field may be written out: its parts are then members of the field
    parametric: bool = False  # a call of a type with parameters is a type: `List(Book)`
    own: tuple[str, ...] = ()  # words for the type of the object itself (Self, this)
    enter: tuple[str, ...] = ()  # methods that return the x of `with value as x`; none: it is the value itself
    # names that exist without a binding: types whose members no repository defines, functions that return such types
    built_in: tuple[str, ...] = ()
    literals: dict[str, str] = {}  # by word of @literal.<word>: the type of such a value
    core: tuple[str, ...] = ()  # types of the language to which a repository may add members
    # types of packages, by package and name: the function types that they are, or the type argument, `$1`
    signatures: dict[str, str] = {}
    item: tuple[str, ...] = ()  # methods that run when an object is subscripted
    iterate: tuple[str, ...] = ()  # methods that run when an object is iterated
    mappings: tuple[str, ...] = ()  # containers with a key type as first argument and an element type as second
    pairs: bool = False  # iterating a mapping yields pairs, whose type is unknown
    values: tuple[str, ...] = ()  # methods of mappings that iterate over the elements
    take: tuple[str, ...] = ()  # methods of containers that return an element
    passing: tuple[str, ...] = ()  # built-in functions that yield the elements of their argument
    memberless: tuple[str, ...] = ()  # base types without members
    attributes: tuple[str, ...] = ()  # attributes of everything, whose types are the language's own
    type_attributes: tuple[str, ...] = ()  # attributes of every object that hold its type
    classes: tuple[str, ...] = ()  # types whose values are types: their argument itself
    functions: tuple[str, ...] = ()  # function types, whose last argument is the result
    delegates: tuple[str, ...] = ()  # function types, whose arguments are the parameter types and then the result
    payloads: bool = False  # variants and tuples determine the types of the parts that patterns bind
    call: tuple[str, ...] = ()  # methods that run when an object is called
    # the file whose functions provide the parameters of tests in its folder and below: pytest's fixtures
    injecting: str = ""
    generators: tuple[str, ...] = ()  # declared results of such a function that provide their element
    primitive: tuple[str, ...] = ()  # types that no type parameter stands for
    leading: bool = False  # a type precedes the names that it declares, once for several
    last_inside: bool = False  # the last of several type arguments is the element type: array<string, Shelf>
    unwrap: tuple[str, ...] = ()  # methods of containers that return the element
    keep: tuple[str, ...] = ()  # methods of containers that return a container of the same elements
    visit: tuple[str, ...] = ()  # methods of containers that call their first argument with the element
    # containers with those methods; none: every type with arguments ("[]" is the one without a name)
    sequences: tuple[str, ...] = ()
    # methods of the language's own values, which are no members of the repository when the receiver is unknown
    common: tuple[str, ...] = ()
    copy: tuple[str, ...] = ()  # methods that every value may have, with a result of the value's type
    hand: tuple[str, ...] = ()  # methods that every value may have, which call their first argument with the value
    grouped: bool = False  # one type after several names declares them all
    # how object types are written out where they are used: "objects", { book: Book }; "structs", struct { book Book }
    written_out: str = ""
    # the callee's signature determines the parameter types of a callback, also through the name of a function type
    callbacks: bool = False
    arrow: str = ""  # the same with parameter types before this sign: `Shelf => Int`, `(Shelf) -> Int`
    conversions: bool = False  # a call of a type's name converts a value to it, and calls nothing
    tries: bool = False  # a sign after a value unwraps it: `a?.b` of Rust
    # words for any type at all; in languages with such words, an undeclared type belongs to the platform
    vague: tuple[str, ...] = ()
    results: str = "one"  # "first": of several results in parentheses, the first is the value
    interfaces: dict[str, tuple[str, ...]] = {}  # methods of standard library interfaces that others embed


class IdentifierRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words that can be a definition's name: [identifiers] in language.toml.

    An identifier is a letter or `_`, then letters, digits and `_`; `letters` are further ones.
    """

    letters: str = ""
    reserved: tuple[str, ...] = ()  # keywords; those that only some places reserve are names
    reserved_types: tuple[str, ...] = ()  # further words that no type can have as its name
    member_words: bool = False  # a member of a type may have a keyword as its name
    any_case: bool = False  # keywords are the same in capital letters
    escape: tuple[str, ...] = ()  # what stands before and after a keyword that is a name nevertheless
    never_escaped: tuple[str, ...] = ()  # keywords that cannot be names even so
    # a type at the top level of a file has the file's name: "public": the compiler demands it of public types;
    # "loaded": a type whose file has its name is loaded by it
    file_of_types: str = ""
    # where one word is the name of a member and of a variable: "objects", "fields" (of structs), '' for nowhere
    shorthand: str = ""
    associated_types: bool = False  # a type inside of a trait is fulfilled by those of its name in other types


class KnownBases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Types outside of every repository whose members are known; `*` stands for any letters."""

    bases: tuple[str, ...]
    members: tuple[str, ...]


class ImplicitUses(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the language and its platform use definitions that no code names: [implicit_uses] in language.toml."""

    special: tuple[str, ...] = ()  # names of such definitions; `*` stands for any letters
    special_types: tuple[str, ...] = ()  # names of types that the language uses
    marks: tuple[str, ...] = ()  # words before the name of such a definition, on its line
    known: tuple[KnownBases, ...] = ()
    lookups: tuple[str, ...] = ()  # words that look definitions up by names, which code may put together
    computed_members: bool = False  # a member can be named by any value in brackets
    pasting: bool = False  # macros may put names together
    # kinds of types, and bases, whose members other types may have without naming them: their values are accepted
    structural_kinds: tuple[str, ...] = ()
    structural_bases: tuple[str, ...] = ()
    marks_overriding: bool = False  # a member that overrides another is always marked so
    visible_word: str = ""  # a visible member without this word before its name is one of a trait


class PreprocessorRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The macros that no file defines and whose values are known, for a present-day GCC on Linux: [preprocessor] in
    language.toml.

    The values of other macros are unknown.
    """

    undefined: tuple[str, ...] = ()
    predefined: dict[str, int] = {}


class Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of one language.toml. `flags` maps a symbol flag to the modifiers or decorators that set it."""

    name: str
    grammar: str  # '' = none: its files are read by lines
    extensions: tuple[str, ...]
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()  # other names of the language in documents
    # files of mostly long lines are output of a minifier, not source
    minified: bool = False
    # the language whose queries and rules also apply: its queries are added to these, its tables replaced by these;
    # '' = none
    like: str = ""
    boundaries: str = ""  # folder whose boundaries.toml is used; '' = none
    members: str = ""  # folder whose members.toml is used; '' = none
    dialect: str = ""  # the language in which files with the shared extensions may be instead
    shared_extensions: tuple[str, ...] = ()
    opening: str = ""  # text that every file in the language has, and none in its dialect
    # deep: held to compilers; good: references by scope and module; generic: by name; text: no references
    tier: Literal["deep", "good", "generic", "text"] = "good"
    family: str = ""  # languages of one family import each other's modules; '' = its own name
    symbols: SymbolRules = SymbolRules()
    rules: RuleNames = RuleNames()
    receivers: ReceiverWords = ReceiverWords()
    types: TypeRules = TypeRules()
    # None: those of the language whose members it has
    identifiers: IdentifierRules | None = None
    implicit_uses: ImplicitUses | None = None
    preprocessor: PreprocessorRules = PreprocessorRules()
    headings: HeadingRules = HeadingRules()
    recognised: ContentRules = ContentRules()
    # by type of the language, or word of @argument.<word>: the parameter types that accept such a value, best first
    arguments: dict[str, tuple[str, ...]] = {}
    flags: dict[str, tuple[str, ...]] = {}
    # by operation, a word of @runs.<word>, an operator or a built-in function: the methods that it runs on its operand;
    # of alternatives, `a|b`, the first that the operand has; of `a>b` also `b` of the result of `a`. CALLING: a value
    # may be a function or type that is called; as a method: the operation calls its arguments
    operations: dict[str, tuple[str, ...]] = {}

    @property
    def names(self) -> IdentifierRules:
        """The rules of identifiers; for pages and notebooks, those of the language of their scripts."""
        return self.identifiers or self._lender.identifiers or IdentifierRules(letters="$")

    @property
    def uses(self) -> ImplicitUses:
        """The implicit uses; for pages and notebooks, those of the language of their scripts."""
        return self.implicit_uses or self._lender.implicit_uses or ImplicitUses()

    @property
    def _lender(self) -> Language:
        return languages().get(self.members, self)

    @property
    def modules(self) -> ModuleSystem:
        """The facts of the module system that the language chooses."""
        return MODULE_SYSTEMS[self.rules.module]


def _data() -> Traversable:
    return resources.files("codeagentd.languages") / "data"


@functools.cache
def languages() -> dict[str, Language]:
    """Return every language by name, in alphabetical order."""
    files = (
        folder / "language.toml"
        for folder in sorted(_data().iterdir(), key=lambda entry: entry.name)
        if folder.is_dir()
    )
    tables = [tomllib.loads(file.read_text(encoding="utf-8")) for file in files if file.is_file()]
    rules = {table["name"]: {key: value for key, value in table.items() if key not in _ITS_FILES} for table in tables}
    known = {table["name"]: msgspec.convert(rules.get(table.get("like"), {}) | table, Language) for table in tables}
    return dict(sorted((known | _generic()).items()))


def _generic() -> dict[str, Language]:
    """Return the languages without a folder of their own, which share one set of rules."""
    symbols = SymbolRules(bound="none", dots=False, call_sign="(")
    code = RuleNames(module=GENERIC, names=GENERIC, doc=GENERIC, naming=GENERIC, reading="matches")
    data = RuleNames(module="document", doc=GENERIC, naming=GENERIC, reading="matches")
    return {
        name: Language(
            name, row.grammar, row.extensions, row.filenames, row.interpreters, tier=GENERIC, symbols=symbols,
            rules=data if row.data else code, recognised=ContentRules(needs=row.needs, instead=row.instead),
        )
        for name, row in generic_rows().items()
    }  # fmt: skip


@functools.cache
def _by_suffix() -> dict[str, str]:
    suffixes: dict[str, str] = {}
    for language in languages().values():
        for suffix in (*language.extensions, *language.filenames):
            if suffix in suffixes:
                raise ValueError(f"{suffix} belongs to {suffixes[suffix]} and to {language.name}")
            suffixes[suffix] = language.name
    return suffixes


def language_of(path: str) -> str | None:
    """Return the language of the file at `path` by its name; None when no language claims it."""
    name = path.rpartition("/")[2]
    suffixes = _by_suffix()
    if name in suffixes:
        return suffixes[name]
    dot = name.find(".", 1)
    while dot > 0:  # the longest suffix wins: .d.ts before .ts
        if result := suffixes.get(name[dot:].lower()):
            return result
        dot = name.find(".", dot + 1)
    stem = name.partition(".")[0]
    return suffixes.get(stem) if stem else None  # Dockerfile.web


def is_parsed(language: str | None) -> bool:
    """Whether files in `language` are parsed, so that they may define and mention names; others are only read."""
    known = languages().get(language or "")
    return known is not None and bool(known.grammar)


class QueryFile(NamedTuple):
    """One .scm file: its text, and its `path` below the folder of data."""

    path: str
    text: str


@functools.cache
def query_files(language: str) -> tuple[QueryFile, ...]:
    """Return the .scm files of `language` in their order. Errors: index_error."""
    chosen = languages()[language]
    if chosen.tier == GENERIC:
        return (_query_file(GENERIC, f"{language}.scm"),)
    shared, own = chosen.like or chosen.name, chosen.name
    places = [(shared, name) for name in QUERY_FILES if (_data() / shared / name).is_file()]
    names = sorted(file.name for file in (_data() / own).iterdir())
    places += [(own, name) for name in names if name == OWN_QUERIES or (own != shared and name.endswith(".scm"))]
    return tuple(_query_file(folder, name) for folder, name in places)


def _query_file(folder: str, name: str) -> QueryFile:
    content = (_data() / folder / name).read_bytes()
    try:
        return QueryFile(f"{folder}/{name}", content.decode())
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise IndexFailed(f"{folder}/{name}, line {line}: not UTF-8", remedy="install the package again") from None
