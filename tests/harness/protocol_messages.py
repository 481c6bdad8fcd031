"""Messages of the language server against the official types of the protocol, and questions of every kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, Final

from lsprotocol import converters, types

from tests.harness.editor_session import EditorSession

Json = dict[str, Any]
Cases = Callable[[EditorSession, str, list[Json]], Iterator[Json]]

CONVERTER: Final = converters.get_converter()
WHOLE: Final = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
_WORD: Final = re.compile(r"\w+")


def names_of(text: str, encoding: str) -> list[Json]:
    """The positions of the words of a text, the first two of each, in units of the encoding."""
    width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    codec = encoding if width == 1 else f"{encoding}-le"
    found: dict[str, list[Json]] = {}
    for number, line in enumerate(text.split("\n")):
        for word in _WORD.finditer(line):
            column = len(line[: word.start()].encode(codec)) // width
            found.setdefault(word[0], []).append({"line": number, "character": column})
    return [position for positions in found.values() for position in positions[:2]]


def structured(message: Json, kind: type[Any]) -> Any:
    """The message as the official type has it. Nothing of it may be missing there, or be something else."""
    value = CONVERTER.structure(message, kind)
    assert known(CONVERTER.unstructure(value)) == known(message), message
    return value


def known(value: Any) -> Any:
    """A message without members that are null, which are the same as missing ones except for a whole result."""
    if isinstance(value, dict):
        return {name: known(inner) for name, inner in value.items() if inner is not None}
    return [known(inner) for inner in value] if isinstance(value, list) else value


def check_ranges(value: Any) -> None:
    """Check what clients refuse besides wrong types: ranges that end before they start, names outside of what they
    name, edits of one document or tokens that overlap.
    """
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        check_ranges(inner)
    if isinstance(value, dict):
        if {"start", "end"} <= value.keys():
            assert ends(value)[0] <= ends(value)[1], value
        for whole_, name in (("range", "selectionRange"), ("targetRange", "targetSelectionRange")):
            if name in value:
                (first, last), (start, end) = ends(value[whole_]), ends(value[name])
                assert first <= start <= end <= last, value
        if "edits" in value:
            edits = sorted(ends(edit["range"]) for edit in value["edits"])
            assert all(one[1] <= other[0] for one, other in pairwise(edits)), value
        if isinstance(data := value.get("data"), list):  # tokens, each relative to the one before it
            tokens = [data[at : at + 5] for at in range(0, len(data), 5)]
            assert all(len(token) == 5 and min(token) >= 0 and token[2] for token in tokens), value
            assert all(other[0] or other[1] >= one[2] for one, other in pairwise(tokens)), value
        if "startLine" in value:
            assert value["startLine"] <= value["endLine"], value


def ends(range_: Json) -> list[tuple[int, int]]:
    """The two positions of a range."""
    return [(range_[name]["line"], range_[name]["character"]) for name in ("start", "end")]


def response_type(method: str) -> type[Any]:
    """The official type of the responses to a method."""
    kind = types.METHOD_TO_TYPES[method][1]
    assert kind is not None
    return kind


def at_names(**more: Any) -> Cases:
    """Parameters for each name of a document."""

    def cases(window: EditorSession, path: str, names: list[Json]) -> Iterator[Json]:
        for position in names:
            yield {"textDocument": {"uri": window.uri(path)}, "position": position, **more}

    return cases


def whole(**more: Any) -> Cases:
    """The parameters for a document."""

    def cases(window: EditorSession, path: str, _: list[Json]) -> Iterator[Json]:
        yield {"textDocument": {"uri": window.uri(path)}, **more}

    return cases


def items(prepare: str) -> Cases:
    """Parameters for each item of a hierarchy that begins in a document."""

    def cases(window: EditorSession, path: str, names: list[Json]) -> Iterator[Json]:
        for params in at_names()(window, path, names):
            for item in window.ask(prepare, **params) or []:
                yield {"item": item}

    return cases


def lenses(window: EditorSession, path: str, _: list[Json]) -> Iterator[Json]:
    """The lenses of a document."""
    yield from window.whole("codeLens", path) or []


def searches(_: EditorSession, path: str, __: list[Json]) -> Iterator[Json]:
    """Searches for symbols."""
    yield {"query": path[:1]}
    yield {"query": ""}


def selections(window: EditorSession, path: str, names: list[Json]) -> Iterator[Json]:
    """The names of a document, selected at once."""
    yield {"textDocument": {"uri": window.uri(path)}, "positions": names}


CASES: Final[dict[str, Cases]] = {
    "callHierarchy/incomingCalls": items("textDocument/prepareCallHierarchy"),
    "callHierarchy/outgoingCalls": items("textDocument/prepareCallHierarchy"),
    "codeLens/resolve": lenses,
    "textDocument/codeLens": whole(),
    "textDocument/completion": at_names(),
    "textDocument/declaration": at_names(),
    "textDocument/definition": at_names(),
    "textDocument/documentHighlight": at_names(),
    "textDocument/documentSymbol": whole(),
    "textDocument/foldingRange": whole(),
    "textDocument/hover": at_names(),
    "textDocument/implementation": at_names(),
    "textDocument/inlayHint": whole(range=WHOLE),
    "textDocument/prepareCallHierarchy": at_names(),
    "textDocument/prepareRename": at_names(),
    "textDocument/prepareTypeHierarchy": at_names(),
    "textDocument/references": at_names(context={"includeDeclaration": True}),
    "textDocument/rename": at_names(newName="renamed_here"),
    "textDocument/selectionRange": selections,
    "textDocument/semanticTokens/full": whole(),
    "textDocument/semanticTokens/range": whole(range=WHOLE),
    "textDocument/signatureHelp": at_names(),
    "textDocument/typeDefinition": at_names(),
    "typeHierarchy/subtypes": items("textDocument/prepareTypeHierarchy"),
    "typeHierarchy/supertypes": items("textDocument/prepareTypeHierarchy"),
    "workspace/symbol": searches,
}
