"""The input of the reference collector: a parsed file, and the bindings of its names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tree_sitter import Node

from codeagentd.extract.captures import Captures
from codeagentd.extract.definitions.draft import Draft
from codeagentd.extract.positions import Places
from codeagentd.extract.scopes import Scope, ScopeTree
from codeagentd.extract.values.value_sources import ValueSources
from codeagentd.languages.language import Language


class ParsedFile(NamedTuple):
    """A parsed file: its text, its syntax tree, and the captures of its language's query. `hidden`: start -> end of the
    names that are blanks in the parsed text.
    """

    source: bytes
    captures: Captures
    root: Node
    language: Language
    places: Places
    hidden: dict[int, int]  # start -> end of names that have no node of their own


class NameBindings(NamedTuple):
    """The bindings of the names of a file: definitions, imports and variables.

    `looks_further` says whether a name that is not bound in the file may be bound elsewhere. If not, it is no
    reference.
    """

    tree: ScopeTree
    variables: ValueSources
    skip: set[int]  # starts of names that are definitions or imports
    since: dict[tuple[int, bytes], int]  # (names of a scope, one of them) -> the end of its declaration
    looks_further: bool
    drafts: Sequence[Draft] = ()  # the definitions of the file
    places: Mapping[int, tuple[int, list[Scope]]] = {}  # as NameBinder has them
