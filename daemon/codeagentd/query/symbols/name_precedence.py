"""The rule that selects the definitions that a name means, wherever a caller writes a name.

It selects all definitions of the highest precedence. Product code comes before tests, examples and generated code. A
type comes before its own file, constructor and namespace, before definitions of the same name inside other types or
functions, and before values. Symbols that other files can use come before those that they cannot. Definitions that
agree form one group. Several groups are ambiguous, which only the caller can resolve (decision 0032).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from codeagentd.model.file_kinds import is_product
from codeagentd.model.kinds import SCOPES_OF_NAMES, TYPES, SymbolFlag, SymbolKind
from codeagentd.model.labels import CALLABLE
from codeagentd.model.parameters import language_family

from .lookup import Subject

# the scope of a definition: the nearer to the top, the more code can use its bare name
_TOP, _NESTED, _MEMBER, _LOCAL = range(4)
_SCOPES: Final = SCOPES_OF_NAMES | {SymbolKind.PACKAGE}
_VALUES: Final = frozenset({SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD, SymbolKind.PROPERTY})
_SEPARATORS: Final = (".", "::", "/", "#", "\\")

Is = Callable[[Subject], bool]


class PrecedenceRow(NamedTuple):
    """The facts about a definition that the rule needs besides its subject: the columns of the statement
    symbols.standings.
    """

    id: int
    flags: int
    access: str
    is_generated: int
    signature: str


class Chosen(NamedTuple):
    """Groups of definitions that agree, by path and line; `beside`: definitions of the name that were not selected."""

    groups: list[list[Subject]]
    beside: list[Subject]


def chosen(name: str, subjects: Sequence[Subject], precedence_rows: Mapping[int, PrecedenceRow]) -> Chosen:
    """Return the definitions that `name` means, among `subjects`, all definitions of the name."""
    every = without_own(subjects)
    reach = {definition.id: _reach(definition, precedence_rows[definition.id]) for definition in every}
    result = _before(
        every, lambda definition: not is_product(definition.path) or bool(precedence_rows[definition.id].is_generated)
    )
    result = _before(result, lambda definition: definition.qualified_name != name)
    highest = min((reach[definition.id] for definition in result if definition.kind in TYPES), default=_LOCAL)
    result = _before(
        [definition for definition in result if reach[definition.id] <= highest],
        lambda definition: reach[definition.id] == _LOCAL,
    )
    types = {definition.qualified_name for definition in result if definition.kind in TYPES}
    if types:
        result = _before(
            result, lambda definition: definition.kind in _VALUES and definition.qualified_name not in types
        )
    if all(reach[definition.id] <= _NESTED for definition in result):
        result = _before(result, lambda definition: definition.kind in _SCOPES)
        result = _before(result, lambda definition: not precedence_rows[definition.id].flags & SymbolFlag.PUBLIC_API)
    chosen_ids = {definition.id for definition in result}
    return Chosen(
        grouped(result, precedence_rows), [definition for definition in every if definition.id not in chosen_ids]
    )


def without_own(subjects: Sequence[Subject]) -> list[Subject]:
    """Return `subjects` without the constructors of types among them, and without files, modules and namespaces that
    contain another subject.
    """
    inside = [subject for subject in subjects if subject.kind not in _SCOPES]
    numbers = {subject.id for subject in subjects}
    return [
        subject
        for subject in subjects
        if not (subject.kind == SymbolKind.CONSTRUCTOR and subject.parent in numbers)
        and not (subject.kind in _SCOPES and any(_holds(subject, other) for other in inside))
    ]


def grouped(subjects: Sequence[Subject], precedence_rows: Mapping[int, PrecedenceRow]) -> list[list[Subject]]:
    """Return `subjects` in groups of definitions that agree: overloads, declarations with their definition, branches of
    a preprocessor, copies for several targets.

    They have the same qualified name in one family of languages. Symbols that only their own file can use do not agree
    with those of other files.
    """
    groups: dict[tuple[object, ...], list[Subject]] = {}
    for definition in sorted(subjects, key=lambda subject: (subject.path, subject.line_start, subject.uid)):
        is_hidden = (
            precedence_rows[definition.id].access == "private"
            and _reach(definition, precedence_rows[definition.id]) == _TOP
        )
        groups.setdefault(
            (
                language_family(definition.language or ""),
                definition.qualified_name,
                definition.path if is_hidden else "",
            ),
            [],
        ).append(definition)
    return list(groups.values())


def _before(subjects: list[Subject], yields: Is) -> list[Subject]:
    """The subjects without those for which `yields` is true; all of them if it is true for all."""
    return [subject for subject in subjects if not yields(subject)] or subjects


def _reach(subject: Subject, precedence_row: PrecedenceRow) -> int:
    if subject.parent_kind in CALLABLE or precedence_row.flags & SymbolFlag.LOCAL:
        return _LOCAL
    if subject.parent_kind is None or subject.parent_kind in _SCOPES:
        return _TOP
    return _NESTED if subject.kind in TYPES else _MEMBER


def _holds(scope: Subject, other: Subject) -> bool:
    is_file = scope.parent is None and scope.file == other.file
    return is_file or other.qualified_name.startswith(tuple(scope.qualified_name + sign for sign in _SEPARATORS))
