"""Method sets of Go: the methods of a type including those of embedded types, and the methods that an interface
requires.

Source: The Go Programming Language Specification, "Method sets", "Selectors", "Struct types", "Interface types".
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final, NamedTuple

from codeagentd.languages.language import languages
from codeagentd.model.ids import name_key
from codeagentd.model.kinds import INHERITS, Confidence, SymbolKind
from codeagentd.store.connection import Database

from .go_signatures import Likeness, Signature, read
from .signature_types import Meanings

DEEPEST: Final = 8  # levels of embedding: deeper than in real code
MOST_TYPES: Final = 400  # types embedded in one interface, or on one level of a struct; a limit for sources with errors

_METHOD: Final = int(SymbolKind.METHOD)
_INTERFACE: Final = int(SymbolKind.INTERFACE)
_COMPUTED: Final = "?"  # the name of a base that is no type name: the terms of a constraint


class Method(NamedTuple):
    """A member of a type: the columns of the statement structural.members. `package` is the package of its type."""

    type: int
    key: int
    id: int
    kind: int
    type_kind: int
    package: int | None
    access: str
    signature: str
    returns: str
    file: int
    line: int
    col: int
    name: str
    path: str

    @property
    def is_standard(self) -> bool:
        """Whether the method is a requirement of an interface of the standard library, declared by no source of the
        repository.
        """
        return self.id < 0

    @property
    def read(self) -> Signature | None:
        """The parsed signature; None if it cannot be parsed."""
        return read(self.signature, self.returns)


class TypeRow(NamedTuple):
    """A type: the columns of the statement structural.types."""

    id: int
    kind: int
    bases: str
    type: str
    key: int
    file: int
    line: int
    col: int
    language: str
    qualified_name: str
    path: str

    @property
    def place(self) -> tuple[str, str]:
        """Its place in the order in which types are compared."""
        return self.qualified_name, self.path

    @property
    def written_bases(self) -> list[str]:
        """The names of its bases as written."""
        return [base for base in self.bases.split(",") if base]


class MethodRequirements(NamedTuple):
    """The methods that an interface requires, by key of the name; not `is_whole` when it embeds an unknown
    interface.
    """

    methods: dict[int, Method]
    is_whole: bool

    @property
    def declared(self) -> list[int]:
        """The keys of the methods that a source of the repository declares."""
        return [key for key, method in self.methods.items() if not method.is_standard]


class MatchedMethods(NamedTuple):
    """The methods of one name that a type has (several where each build has its own), and how certain it is that it has
    them.
    """

    methods: tuple[Method, ...]
    confidence: int


class TypeTable:
    """Types with their members and bases, read in bulk and cached."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.types: dict[int, TypeRow] = {}
        self._members: dict[int, dict[int, list[Method]]] = {}
        self._bases: dict[int, list[tuple[int, int]]] = {}

    @property
    def size(self) -> int:
        """The number of types in the cache."""
        return len(self._members)

    def load(self, types: Iterable[int]) -> None:
        """Read these types and their members."""
        missing = [number for number in types if number not in self._members]
        if not missing:
            return
        parameter = {"types": json.dumps(missing)}
        self.types |= {row[0]: TypeRow(*row) for row in self._db.all("structural.types", parameter)}
        self._members |= {number: {} for number in missing}
        for row in self._db.all("structural.members", parameter):
            self._members[row[0]].setdefault(row[1], []).append(Method(*row))

    def load_bases(self, types: Iterable[int]) -> None:
        """Read the bases of these types, which must be loaded."""
        missing = [number for number in types if number not in self._bases]
        self._bases |= {number: [] for number in missing}
        written = [number for number in missing if number in self.types and self.types[number].bases]
        if written:
            parameters = {"types": json.dumps(written), "inherits": INHERITS}
            for source, base, confidence in self._db.all("structural.bases", parameters):
                self._bases[source].append((base, confidence))

    def methods(self, type_: int) -> list[Method]:
        """The methods that a type declares."""
        self.load([type_])
        return [method for several in self._members[type_].values() for method in several if method.kind == _METHOD]

    def with_bases(self, types: Iterable[int]) -> set[int]:
        """These types, and those that they embed, directly or not."""
        seen, level = set[int](), set(types)
        while level:
            seen |= level
            self.load(level)
            self.load_bases(level)
            level = {base for number in level for base, _ in self._bases[number]} - seen
        return seen

    def prepare(self, types: list[int], keys: Iterable[int]) -> None:
        """Read these types, and the bases of those that lack some of these methods."""
        self.load(types)
        wanted = set(keys)
        self.load_bases([number for number in types if not wanted <= self._members[number].keys()])

    def find(self, type_: int, key: int, is_standard: bool = False) -> MatchedMethods | None:
        """Return the methods of the name `key` that the type `type_` has at the lowest embedding depth. None if there
        is none, several types at one depth have it, or a field hides it.

        A method of the standard library may be promoted from an embedded type of the standard library: then the result
        has no method of the repository, and is `inferred`.
        """
        declared = self._members.get(type_, {}).get(key)
        if declared is not None:  # most often: the loop below comes to the same
            is_clear = all(method.kind == _METHOD for method in declared)
            return MatchedMethods(tuple(declared), 0) if is_clear else None
        level, confidence = {type_: (0, 1)}, 0
        for _ in range(DEEPEST):
            self.load(level)
            here = [(number, *level[number]) for number in level if key in self._members[number]]
            if here:
                ((number, sure, ways), *others) = here
                methods = tuple(self._members[number][key])
                is_clear = not others and ways == 1 and all(method.kind == _METHOD for method in methods)
                return MatchedMethods(methods, max(confidence, sure)) if is_clear else None
            self.load_bases(level)
            if any(self._is_open(number) for number in level):
                confidence = int(Confidence.INFERRED)  # the unknown type may have a nearer method
            level = self._embedded(level)
            if not level or len(level) > MOST_TYPES:
                return MatchedMethods((), confidence) if is_standard and confidence else None
        return None

    def matched(self, type_: int, required: MethodRequirements) -> dict[int, MatchedMethods] | None:
        """The methods of a type under the names that an interface requires; None where one is missing."""
        methods = {}
        for key, requirement in required.methods.items():
            match = self.find(type_, key, requirement.is_standard)
            if match is None:
                return None
            methods[key] = match
        return methods

    def required(self, interface: int) -> MethodRequirements | None:
        """The methods that an interface requires, including those of embedded interfaces; None for a constraint, which
        cannot be the type of a value.
        """
        methods: dict[int, Method] = {}
        is_whole = True
        seen, level = {interface}, [interface]
        while level and len(seen) <= MOST_TYPES:
            self.load(level)
            every = [self.types[number] for number in level if number in self.types]
            rows = [row for row in every if row.kind == _INTERFACE]
            written = [base for row in rows for base in row.written_bases]
            if _COMPUTED in written or any(row.kind == SymbolKind.STRUCT for row in every):
                return None
            # the same one in each index, where sources with errors ask for two of one name
            for method in sorted((method for row in rows for method in self.methods(row.id)), key=_place):
                methods.setdefault(method.key, method)
            self.load_bases([row.id for row in rows])
            bases = [base for row in rows for base in self._bases[row.id]]
            standard = _standard(rows) if len(bases) < len(written) else {}
            for declared in (method for each in standard.values() for method in each):
                methods.setdefault(declared.key, declared)
            is_whole = (
                is_whole
                and len(rows) == len(level)
                and len(bases) + len(standard) >= len(written)
                and not any(confidence for _, confidence in bases)
            )
            level = list(dict.fromkeys(base for base, _ in bases if base not in seen))
            seen.update(level)
        return MethodRequirements(methods, is_whole)

    def _embedded(self, level: dict[int, tuple[int, int]]) -> dict[int, tuple[int, int]]:
        """The next level of embedding: the embedded types, the confidence of each, and the number of ways that lead to
        it.
        """
        following: dict[int, tuple[int, int]] = {}
        for number, (sure, ways) in level.items():
            for base, confidence in self._bases[number]:
                _, before = following.get(base, (0, 0))
                following[base] = (max(sure, confidence), before + ways)
        return following

    def _is_open(self, type_: int) -> bool:
        """Whether a type embeds a type from outside of the repository, or is an alias."""
        row = self.types.get(type_)
        if row is None:
            return True
        return len(self._bases[type_]) < len(row.written_bases) or (row.kind == SymbolKind.TYPE and bool(row.type))


def _place(method: Method) -> tuple[str, int, int]:
    return method.path, method.line, method.col


def _standard(rows: list[TypeRow]) -> dict[tuple[int, str], list[Method]]:
    """The methods required by the interfaces of the standard library that these interfaces embed."""
    return {
        (row.id, base): [_method(row, signature) for signature in known[base]]
        for row in rows
        for known in (languages()[row.language].types.interfaces,)
        for base in row.written_bases
        if base in known
    }


def _method(interface: TypeRow, signature_text: str) -> Method:
    """A method without a source declaration, parsed from the language's data: `Write(p []byte) (n int, err error)`."""
    name, _, rest = signature_text.partition("(")
    parameters, _, returns = rest.partition(")")
    key = name_key(name)
    return Method(
        interface.id,
        key,
        -key,
        _METHOD,
        _INTERFACE,
        None,
        "public",
        f"({parameters})",
        returns.strip(),
        0,
        0,
        0,
        name,
        "",
    )


def fits(required: MethodRequirements, methods: dict[int, MatchedMethods], meanings: Meanings) -> int | None:
    """Return the confidence that `methods`, by key of the name, satisfy `required`, the requirements of an interface;
    None when they do not.

    One undecided type makes the result `inferred`, if another method agrees: the name of a single method is not enough.
    """
    confidence = 0 if required.is_whole else int(Confidence.INFERRED)
    likenesses = [
        min((_likeness(requirement, method, meanings) for method in methods[key].methods), default=Likeness.UNDECIDED)
        for key, requirement in required.methods.items()
    ]
    if Likeness.DIFFERENT in likenesses or Likeness.SAME not in likenesses:
        return None
    if Likeness.UNDECIDED in likenesses:
        confidence = int(Confidence.INFERRED)
    return max(confidence, *(match.confidence for match in methods.values()))


def _likeness(requirement: Method, method: Method, meanings: Meanings) -> Likeness:
    # unexported names of two packages are different names
    if requirement.access == "internal" and requirement.package != method.package:
        return Likeness.DIFFERENT
    return meanings.compare(requirement, method)
