"""The definition of a language: its folder of data as one frozen value."""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

import msgspec

from codeagent_protocol.errors import IndexFailed

from .module_systems import MODULE_SYSTEMS, ModuleSystem

# definitions, occurrences, imports, what values are made of
QUERY_FILES: Final = ("defs.scm", "refs.scm", "imports.scm", "types.scm")
# not shared
_ITS_FILES: Final = frozenset(
    {"extensions", "filenames", "interpreters", "aliases", "minified", "dialect", "shared_extensions", "opening"}
)


class SymbolRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How names become symbols: [symbols] in language.toml."""

    file: str = "file"
    separator: str = "."
    constructors: tuple[str, ...] = ()
    property_decorators: tuple[str, ...] = ()
    overloads: bool = False  # parameters are part of a symbol's identity
    shared: tuple[str, ...] = ()  # kinds that several files may define together; "partial" needs that modifier
    scattered: bool = False  # methods name their type and may stand in other files of its namespace
    shared_whole: tuple[str, ...] = ()  # modifiers of what several files define together with everything inside
    members_in_scope: bool = False  # a type's members are visible by bare name in its methods
    anonymous: str = ""  # what a definition is called whose name nobody wrote: @unnamed
    implementations: bool = False  # @implementation blocks hold members of types that are defined elsewhere
    closed_modules: bool = False  # a module inside a file does not see the names around it
    separate_types: bool = (
        False  # where a type is meant, only types are looked up: a property may be called like its type
    )
    module_objects: tuple[
        str, ...
    ] = ()  # a function assigned to a member of one of these is a function of the file, and offered by it
    dots: bool = (
        True  # a name directly behind a dot is a member; @receiver says so of the other joints (`::`, `->`, `:`)
    )
    joints: tuple[
        str, ...
    ] = ()  # what else than a dot makes the name behind it a member, where @member says which names can be one
    call_sign: str = ""  # a name is called when this character stands directly behind it; @called says so of the others
    implicit: tuple[str, ...] = ()  # names that @bind.implicit binds without saying them
    of_functions: tuple[
        str, ...
    ] = ()  # all members that a function has; where they are said, a method is asked for no others
    global_files: tuple[
        str, ...
    ] = ()  # endings of files whose definitions every file sees, as long as they import and export nothing
    global_block: str = ""  # a namespace of this name says the same in any file
    separate_static: bool = False  # a member of a type and one of its objects may have one name
    # a member of a type may be named without it, `.tall`, so that what nobody knows the receiver of may be one as well
    implied: bool = False
    bounded: bool = False  # what a type parameter has to be is looked up where its definition says it
    headers: str = "parameters"  # rule that says what tells namesakes apart: extract.identity
    unscoped: tuple[str, ...] = ()  # kinds that belong to the file wherever they stand
    spills: tuple[
        str, ...
        # kinds of types whose inner names are visible around them: enumerators of an "enum", types inside a "struct"
    ] = ()
    entry_points: tuple[str, ...] = ()  # functions that every program has of its own
    section: str = "section"  # the kind of what a heading opens
    keywords: tuple[str, ...] = ()  # identifiers to the grammar, not to the language, unless something binds them
    sigil: str = ""  # begins a variable's name, though the grammar's identifier begins behind it
    path_sign: str = ""  # joins the parts of a name in the source, where that is not the separator: `A\\B`, `A::B`
    # which definitions their file binds by bare name: all, outer (no members of types), contents (as outer, no
    # packages), free (no methods and fields of
    # types), scopes (no members), none
    bound: str = "all"
    tables: bool = False  # a variable is a namespace when functions are its fields, a class when they have a self
    member_sigils: tuple[str, ...] = ()  # begin the names of fields that need no receiver: Ruby's `@count`
    closed: bool = False  # a definition's body sees no variable of the scopes around it
    bare_calls: bool = False  # a name that begins with a small letter and is no variable calls a method
    calls_apart: bool = False  # functions have names of their own: a variable hides none
    setter: str = ""  # ends the name of the method that an assignment to a member calls
    mixins: bool = False  # a trait is mixed in, not implemented
    ambient: tuple[
        str, ...
    ] = ()  # functions that are there without import: what a call means that fits no member of this name
    labels: bool = False  # arguments carry names, which are part of what tells overloads apart
    # a definition of kind "type" that declares no other type adds members to one, which may be from elsewhere
    reopened: bool = False
    makers: tuple[
        str, ...
    ] = ()  # methods of classes that give one of their objects, if nothing else is known of what they give
    further_bases: tuple[
        str, ...
    ] = ()  # types whose members every type has without naming them; the rule of names says which, and which others
    companions: bool = False  # the members of a static object inside of a type go by the type's name
    # "values": types may say what else values of theirs are taken for, or what they are made of; "literals": what
    # literals they are
    converting: str = ""
    extensions: bool = False  # a function that names a base is called on values of that type
    objects: bool = False  # a static type stands for a value; where a type is meant, its namesake does
    uniform_access: bool = False  # to name a function without parameters is to call it
    last_base_first: bool = False  # of several bases the last one's members come first
    relative_imports: bool = False  # an import may begin inside of the packages around it
    structural: bool = False  # a type with all methods of an interface implements it, without saying so
    wildcards_first: bool = False  # names imported on demand hide those of the package
    global_imports: bool = False  # an exported import holds for every file of its project
    type_arity: bool = False  # the number of type parameters tells namesakes apart
    # where a type is meant only types are looked up, where something is called what can be: methods, types, delegates
    invocable: bool = False
    contracts: bool = False  # a class has none of the members of its interfaces
    extending_parameters: bool = (
        False  # a method is called on values of the type of its first parameter, where that says so
    )
    attribute_suffix: str = ""  # which the names of decorating types may leave out
    separate_members: bool = False  # a type may have a method and a field of one name
    optional_imports: bool = False  # a variable may have the name of an import, for where that fails
    ordered: bool = False  # what a declaration defines is visible behind it only, also in the file's own scope
    separate_values: bool = False  # the same, and a local variable hides no method


class RuleNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The named rules that a language chooses: [rules] in language.toml."""

    module: str = "none"
    packages: str = "none"  # how the module of an import tells the package that it is from: resolve.outside
    imports: str = "none"
    doc: str = "preceding"
    access: str = "modifiers"
    exports: str = "everything"
    default_access: str = "public"
    member_access: str = ""
    prepare: str = "none"  # what is taken out of a source before it is parsed
    repair: str = "none"  # what is tried on a source with errors
    naming: str = "none"  # how the text of a name becomes a symbol's name
    outline: str = "none"  # how the title of a heading reads
    # how the query is run: `matches` where many matches wait long for their end, which `captures` pays for with the
    # square
    reading: str = "captures"
    parts: str = "none"  # which parts of a file are in another language
    declarators: str = "none"  # how a declaration is read whose type stands apart from its name
    bases: str = "c3"  # order in which a type's bases are searched
    # how names are looked up beyond their file: through modules (or namespaces, where there are none), or by a rule of
    # the language
    names: str = "modules"


class ReceiverWords(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    rename={"self_words": "self", "class_words": "class", "super_words": "super"},
):
    """Words that stand for the object, its class and its base: [receivers] in language.toml."""

    self_words: tuple[str, ...] = ()
    class_words: tuple[str, ...] = ()
    super_words: tuple[str, ...] = ()
    globals: tuple[
        str, ...
    ] = ()  # objects of the language itself: what an unbound name of these has is no member of anything here


class TypeRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How written types are read: [types] in language.toml."""

    transparent: tuple[
        str, ...
    ] = ()  # types that stand for their first argument (Optional, Promise); "Union" for each of its arguments
    own: tuple[str, ...] = ()  # words for the type of the object itself (Self, this)
    enter: tuple[str, ...] = ()  # methods that say what `with value as x` gives; none: the value itself
    built_in: tuple[
        str, ...
        # names that nothing has to bind: types whose members no repository defines, functions that give values of such
        # types
    ] = ()
    literals: dict[str, str] = {}  # by word of @literal.<word>: the type of such a value
    core: tuple[
        str, ...
    ] = ()  # types of the language that a repository may add to: what they lack here they have there
    signatures: dict[
        str, str
    ] = {}  # types of packages, by package and name: the functions that they are, or the type argument, `$1`
    item: tuple[str, ...] = ()  # methods that run when an object is subscripted
    iterate: tuple[str, ...] = ()  # methods that run when an object is iterated
    mappings: tuple[str, ...] = ()  # containers that are subscripted by their first argument and give their second
    pairs: bool = False  # iterating a mapping yields pairs, of which nothing is known
    values: tuple[str, ...] = ()  # methods of mappings that iterate over what they hold
    take: tuple[str, ...] = ()  # methods of containers that give one of what they hold
    passing: tuple[str, ...] = ()  # built-in functions that yield what their argument yields
    memberless: tuple[str, ...] = ()  # types to inherit from that bring no members along
    attributes: tuple[str, ...] = ()  # what everything has, of a type that comes with the language
    type_attributes: tuple[str, ...] = ()  # what every object has: its type
    classes: tuple[str, ...] = ()  # types whose values are types: their argument itself
    functions: tuple[str, ...] = ()  # types of functions, whose last argument is the result
    delegates: tuple[
        str, ...
    ] = ()  # types of functions, whose arguments are the types of what they take, the result behind them
    payloads: bool = False  # variants and tuples say the types of what patterns take out of them
    call: tuple[str, ...] = ()  # methods that run when an object is called
    injecting: str = (
        ""  # the file whose functions give tests in its folder and below what these have parameters of their names for
    )
    generators: tuple[str, ...] = ()  # declared results of such a function that gives what is inside
    leading: bool = False  # a type stands before the names that it declares, once for several
    last_inside: bool = False  # of several type arguments the last one is what iterating gives: array<string, Shelf>
    unwrap: tuple[str, ...] = ()  # methods of containers that give what is inside
    keep: tuple[str, ...] = ()  # methods of containers that give one with the same inside
    visit: tuple[
        str, ...
    ] = ()  # methods of containers that hand what is inside to the function that is their first argument
    sequences: tuple[
        str, ...
    ] = ()  # containers with those methods; none: every type with arguments ("[]" is the one without a name)
    common: tuple[
        str, ...
    ] = ()  # methods of the language's own values: asked of something unknown, these are no members of the repository
    copy: tuple[str, ...] = ()  # methods that every value may have and that give one of its own type
    hand: tuple[
        str, ...
    ] = ()  # methods that every value may have and that hand it to the function that is their first argument
    grouped: bool = False  # one type behind several names declares them all
    # how types of what has members are written out where they are used: "objects", { book: Book }; "structs", struct {
    # book Book }
    written_out: str = ""
    # a function that is handed to a call gets what the callee's signature says, also by the name of a function type
    callbacks: bool = False
    arrow: str = ""  # the same by what stands before this sign in a written type: `Shelf => Int`, `(Shelf) -> Int`
    conversions: bool = False  # what is called by a type's name converts to it, and calls nothing
    tries: bool = False  # a sign behind a value unwraps it: `a?.b` of Rust
    vague: tuple[
        str, ...
    ] = ()  # words for any type at all; where there are such, any other type that no file declares is of the platform
    results: str = "one"  # "first": of several results in parentheses, the first is the value
    interfaces: dict[str, tuple[str, ...]] = {}  # of the standard library: what those ask for that others embed


class PreprocessorRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The macros that no file defines and whose values are known, for a present-day GCC on Linux: [preprocessor] in
    language.toml.

    Others are unknown.
    """

    undefined: tuple[str, ...] = ()
    predefined: dict[str, int] = {}


class Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language.toml. `flags` maps a symbol flag to the modifiers or decorators that set it."""

    name: str
    grammar: str
    extensions: tuple[str, ...]
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()  # other names by which documents ask for it
    # what is sent to browsers is often made small by a program: files that are mostly long lines are nobody's source
    minified: bool = False
    # the language whose queries and rules hold, but for what its own folder says: its queries besides, its tables
    # instead; '' = none
    like: str = ""
    boundaries: str = ""  # folder whose boundaries.toml is used; '' = none
    members: str = ""  # folder whose members.toml is used; '' = none
    dialect: str = ""  # the language in which files with the shared extensions may be instead
    shared_extensions: tuple[str, ...] = ()
    opening: str = ""  # what every file in the language says, and none in its dialect
    family: str = ""  # languages of one family import each other's modules; '' = its own name
    symbols: SymbolRules = SymbolRules()
    rules: RuleNames = RuleNames()
    receivers: ReceiverWords = ReceiverWords()
    types: TypeRules = TypeRules()
    preprocessor: PreprocessorRules = PreprocessorRules()
    arguments: dict[
        str, tuple[str, ...]
        # by type of the language, or word of @argument.<word>: the types that such a value may be given for, best first
    ] = {}
    flags: dict[str, tuple[str, ...]] = {}

    @property
    def modules(self) -> ModuleSystem:
        """The facts of the module system that the language chooses."""
        return MODULE_SYSTEMS[self.rules.module]


def _data() -> Traversable:
    return resources.files("codeagentd.languages") / "data"


@functools.cache
def languages() -> dict[str, Language]:
    """Every language by name, in alphabetical order."""
    files = (
        folder / "language.toml"
        for folder in sorted(_data().iterdir(), key=lambda entry: entry.name)
        if folder.is_dir()
    )
    tables = [tomllib.loads(file.read_text(encoding="utf-8")) for file in files if file.is_file()]
    rules = {table["name"]: {key: value for key, value in table.items() if key not in _ITS_FILES} for table in tables}
    return {table["name"]: msgspec.convert(rules.get(table.get("like"), {}) | table, Language) for table in tables}


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
    """The language of a file by its name; None when no language claims it."""
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


class QueryFile(NamedTuple):
    """One .scm file: its text, and its `path` below the folder of data."""

    path: str
    text: str


@functools.cache
def query_files(language: str) -> tuple[QueryFile, ...]:
    """A language's .scm files in their order. Errors: index_error."""
    chosen = languages()[language]
    shared, own = chosen.like or chosen.name, chosen.name
    places = [(shared, name) for name in QUERY_FILES if (_data() / shared / name).is_file()]
    if own != shared:
        places += [
            (own, name) for name in sorted(file.name for file in (_data() / own).iterdir()) if name.endswith(".scm")
        ]
    return tuple(_query_file(folder, name) for folder, name in places)


def _query_file(folder: str, name: str) -> QueryFile:
    content = (_data() / folder / name).read_bytes()
    try:
        return QueryFile(f"{folder}/{name}", content.decode())
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise IndexFailed(f"{folder}/{name}, line {line}: not UTF-8", remedy="install the package again") from None
