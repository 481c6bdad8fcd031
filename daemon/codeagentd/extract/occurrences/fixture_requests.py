"""Fixture requests: the fixtures that tests and other fixtures of a file need, by parameters, marks and automatically.

Source: pytest documentation, "How to use fixtures", "Parametrizing tests".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from tree_sitter import Node

from codeagentd.extract.captures import Captures
from codeagentd.extract.definitions.draft import Draft
from codeagentd.extract.import_rules.imported import Exported, text_of
from codeagentd.extract.positions import Places
from codeagentd.extract.scopes import Scope, ScopeTree
from codeagentd.languages.language import Language
from codeagentd.model.facts import AUTOMATIC, FixtureRequest
from codeagentd.model.kinds import SymbolKind

_NAME: Final = re.compile(r"[^\W\d]\w*")
_DECORATED: Final = "decorated_definition"
_DYNAMIC: Final = b"getfixturevalue"


class _Parametrized(NamedTuple):
    """The names of parameters whose values a mark gives in the range of a definition."""

    start: int
    end: int
    names: frozenset[str]


def fixture_requests(
    captures: Captures, tree: ScopeTree, places: Places, language: Language, names: dict[bytes, int]
) -> list[FixtureRequest]:
    """Return the fixture requests of a file. `names`: the names of its references -> their numbers, to which the names
    of fixtures are added.
    """
    tests = captures.get("request.test", ())
    parameters, texts = captures.get("request", ()), captures.get("request.text", ())
    if not (tests or parameters or texts):
        return []
    parametrized = _parametrized(captures)
    own = {word.encode() for word in language.receivers.self_words + language.receivers.class_words}
    names_of_fixtures = {
        node.start_byte: (node, node.start_byte, True)
        for node in parameters
        if node.text not in own and not _has_value(node, parametrized)
    }
    for node in texts:
        if _NAME.fullmatch(text_of(node)):
            names_of_fixtures[node.start_byte] = (node, *_place_of_mark(node))
    requests = [
        _request(places, names.setdefault(node.text or b"", len(names)), node, scope.symbol, is_sure)
        for (node, _, is_sure), scope in _located(tree, [*names_of_fixtures.values()])
    ]
    return requests + _automatic(tests, tree, places, names)


def named_fixtures(captures: Captures) -> Iterator[Exported]:
    """List the fixtures that have another name than their functions: these are names that the file exports."""
    for node in captures.get("request.named", ()):
        if (decorated := _enclosing(node, _DECORATED)) and (function := decorated.child_by_field_name("definition")):
            yield Exported(text_of(node), text_of(function.child_by_field_name("name")))


def _request(places: Places, name: int, node: Node, source: int, is_sure: bool = True) -> FixtureRequest:
    line = places.line(node.start_byte)
    return FixtureRequest(name, line, places.column(node.start_byte, line), source, is_sure)


def _located(tree: ScopeTree, entries: list[tuple[Node, int, bool]]) -> Iterator[tuple[tuple[Node, int, bool], Scope]]:
    """List `entries` with the scopes that need them, in order."""
    entries.sort(key=lambda item: item[1])
    yield from zip(entries, tree.locate([place for _, place, _ in entries]), strict=True)


def _automatic(
    tests: list[Node] | tuple[Node, ...], tree: ScopeTree, places: Places, names: dict[bytes, int]
) -> list[FixtureRequest]:
    """The requests for the automatic fixtures of the file and of each class, at the first test of each."""
    first: dict[int, Node] = {}
    ordered = sorted(tests, key=lambda node: node.start_byte)
    for node, scope in zip(ordered, tree.locate([node.start_byte for node in ordered]), strict=True):
        test = scope.owner
        owner = test.parent if isinstance(test, Draft) else None
        if owner is None or owner.kind == SymbolKind.CLASS:
            first.setdefault(0, node)
            first.setdefault(owner.index if owner else 0, node)
    number = names.setdefault(AUTOMATIC.encode(), len(names)) if first else 0
    return [_request(places, number, node, source) for source, node in sorted(first.items())]


def _place_of_mark(node: Node) -> tuple[int, bool]:
    """Return (an offset in the definition that needs the fixture with the name `node`, whether it is looked up from
    there).
    """
    arguments = _enclosing(node, "argument_list")
    callee = arguments.parent.child_by_field_name("function") if arguments is not None and arguments.parent else None
    if callee is not None and callee.text is not None and callee.text.endswith(_DYNAMIC):
        return node.start_byte, False  # a helper may ask for a test
    decorated = _enclosing(node, _DECORATED)
    definition = decorated.child_by_field_name("definition") if decorated is not None else None
    if definition is None or definition.start_byte < node.start_byte:
        return node.start_byte, True
    inside = definition.child_by_field_name("body")
    return (inside or definition).start_byte, True


def _parametrized(captures: Captures) -> list[_Parametrized]:
    """Return the parameters to which marks give values themselves, without those whose values go to fixtures."""
    arguments = {node.start_byte: node for node in captures.get("request.arguments", ())}
    results: list[_Parametrized] = []
    for node in captures.get("request.parametrized", ()):
        decorated, whole = _enclosing(node, _DECORATED), _enclosing(node, "argument_list")
        if decorated is not None and whole is not None and whole.start_byte in arguments:
            names = {*_NAME.findall("".join(_texts(node)))} - _indirect(whole, node)
            results.append(_Parametrized(decorated.start_byte, decorated.end_byte, frozenset(names)))
    return results


def _indirect(arguments: Node, first: Node) -> set[str]:
    """Return the names of the parameters whose values a mark with these arguments gives to fixtures."""
    for argument in arguments.named_children:
        if argument.type == "keyword_argument" and text_of(argument.child_by_field_name("name")) == "indirect":
            value = argument.child_by_field_name("value")
            if value is not None and value.type in ("list", "tuple"):
                return {*_NAME.findall("".join(_texts(value)))}
            return {*_NAME.findall("".join(_texts(first)))} if value is not None and value.type != "false" else set()
    return set()


def _texts(node: Node) -> Iterator[str]:
    """List the contents of a string, or of the strings in a list or tuple, each followed by a comma."""
    for text in [node] if node.type == "string" else node.named_children:
        yield from (f"{text_of(part)}," for part in text.named_children if part.type == "string_content")


def _has_value(node: Node, parametrized: list[_Parametrized]) -> bool:
    name = text_of(node) if parametrized else ""
    return any(item.start <= node.start_byte < item.end and name in item.names for item in parametrized)


def _enclosing(node: Node, type_: str) -> Node | None:
    enclosing = node.parent
    while enclosing is not None and enclosing.type != type_:
        enclosing = enclosing.parent
    return enclosing
