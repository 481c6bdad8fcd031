"""Which definitions have a doc comment: one named rule per place where languages keep it."""

from __future__ import annotations

from codeagentd.languages.language import Language

from .symbols import Captures


def documented_starts(captures: Captures, source: bytes, language: Language) -> set[int]:
    """Byte offsets of definitions that a comment directly precedes; empty for languages whose query captures @doc inside the definition."""
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


_WRAPPERS = frozenset({"export_statement", "lexical_declaration", "variable_declaration", "decorated_definition", "ambient_declaration"})


def _end_of_text(source: bytes, at: int) -> int:
    """Where the text before `at` ends, white space with at most one line break left out; -1 past an empty line."""
    head = source[:at].rstrip() if at < 200 else source[at - 200 : at].rstrip()
    end = len(head) if at < 200 else at - 200 + len(head)
    return end if source.count(b"\n", end, at) <= 1 else -1
