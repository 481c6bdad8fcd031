"""Which definitions have a doc comment: one named rule per place where languages keep it."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from codeagentd.languages.language import Language

from .symbols import Captures


def documented_starts(captures: Captures, source: bytes, language: Language) -> set[int]:
    """Byte offsets of definitions that a comment directly precedes; empty for languages whose query captures @doc inside the definition."""
    if language.rules.doc == "slashes":
        return {node.start_byte for node in _definitions(captures) if _follows_slashes(source, node.start_byte)}
    if language.rules.doc != "preceding":
        return set()
    comments = {node.end_byte for node in captures.get("comment", ())}
    found = set()
    for capture, nodes in captures.items():
        if not capture.startswith("def."):
            continue
        for node in nodes:
            start = node.start_byte
            outer = node.parent
            while outer is not None and outer.type in _WRAPPERS:
                start, outer = outer.start_byte, outer.parent
            if _end_of_text(source, start) in comments:
                found.add(node.start_byte)
    return found


def _definitions(captures: Captures) -> Iterator[Node]:
    """Every definition, and every declaration that holds several."""
    for capture, nodes in captures.items():
        if capture == "group" or capture.startswith("def."):
            yield from nodes


def _follows_slashes(source: bytes, at: int) -> bool:
    """C#: whether the line above is a /// comment, or a /** */ comment ends right before."""
    line = source.rfind(b"\n", 0, at)
    before = source[line + 1 : at].strip()
    if not before:
        above = source.rfind(b"\n", 0, max(line, 0))
        before = source[above + 1 : max(line, 0)].strip()
        if before.startswith(b"///") and not before.startswith(b"////"):
            return True
    if not before.endswith(b"*/"):
        return False
    begin = source.rfind(b"/*", 0, at)
    return source.startswith(b"/**", begin) and not source.startswith(b"/**/", begin)


_WRAPPERS = frozenset({"export_statement", "lexical_declaration", "variable_declaration", "decorated_definition", "ambient_declaration"})


def _end_of_text(source: bytes, at: int) -> int:
    """Where the text before `at` ends, white space with at most one line break left out; -1 past an empty line."""
    head = source[:at].rstrip() if at < 200 else source[at - 200 : at].rstrip()
    end = len(head) if at < 200 else at - 200 + len(head)
    return end if source.count(b"\n", end, at) <= 1 else -1
