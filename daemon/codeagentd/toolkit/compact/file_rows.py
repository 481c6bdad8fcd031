"""Rows of folders, of search hits, and of descriptions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from codeagentd.model.results.change_results import Tests
from codeagentd.model.results.retrieval_results import DescribeAnswer, ExplainAnswer
from codeagentd.model.results.symbol_results import DirectoryEntry, SymbolDetails, TreeNode
from codeagentd.model.retrieval import CodeHit, Read, SearchAnswer

from .names import within

SEPARATORS: Final = ".:#"  # between the name of a type and that of a member
NAMES: Final = 3  # definitions of a hit that its heading names
_FLAGS: Final = ("is_static", "is_abstract", "is_async", "is_override", "is_deprecated")


def entries(items: Sequence[DirectoryEntry]) -> list[str]:
    """Return the entries of a directory: folders with a slash, files with their size in bytes."""
    return [f"{item.name}/" if item.type == "directory" else f"{item.name} {item.size or 0}" for item in items]


def tree(top: TreeNode) -> dict[str, Any]:
    """Return a tree as folders, each with the names in it; `…` stands for entries that are missing. Folders that were
    not entered end in a slash.
    """
    return {"results": dict(_folders(top, ""))}


def _folders(folder: TreeNode, path: str) -> Iterator[tuple[str, list[str]]]:
    children = folder.children or []
    names = [
        f"{child.name}/" if child.type == "directory" else child.name for child in children if child.children is None
    ]
    if names or folder.truncated or not (path or children):
        yield path or ".", [*names, *(["…"] if folder.truncated else [])]
    for child in children:
        if child.children is not None:
            yield from _folders(child, f"{path}/{child.name}" if path else child.name)


def details(item: SymbolDetails) -> dict[str, Any]:
    """Return the details of a symbol: what is true and what there is."""
    flags = [name.removeprefix("is_") for name in _FLAGS if getattr(item, name)]
    return {
        "symbol": item.qualified_name,
        "at": f"{item.file_path}:{item.line_start}-{item.line_end}",
        "kind": " ".join((item.access_modifier, *flags, item.node_type)).strip(),
        "signature": f"{item.parameter_signature or ''}{f' -> {item.return_type}' if item.return_type else ''}",
        "doc": item.doc,
        "references": item.reference_count,
        "parse_status": "" if item.parse_status == "full" else item.parse_status,
        "note": item.note,
    }


def described(item: DescribeAnswer) -> dict[str, Any]:
    """Return the fields of a description that its source does not tell."""
    doc = "" if item.doc.rstrip(". …") in " ".join(item.source.split()) else item.doc
    more = {
        f"more_{name}": count - len(listed)
        for name, count, listed in (
            ("callers", item.caller_count, item.callers),
            ("callees", item.callee_count, item.callees),
            ("tests", item.test_count, item.tests),
            ("members", item.member_count, item.members),
        )
        if count > len(listed)
    }
    return {"signature": "" if item.source else item.signature, "doc": doc} | more


def counted(item: Tests) -> dict[str, Any]:
    """Return the numbers of lists that are longer than what is listed."""
    counts = {
        "total": (item.total, len(item.tests)),
        "total_files": (item.total_files, len(item.files)),
        "total_farther": (item.total_farther, len(item.farther)),
    }
    return {name: total if total > listed else "" for name, (total, listed) in counts.items()}


def unsure(item: SearchAnswer | ExplainAnswer) -> dict[str, Any]:
    """Return the confidence of an answer, if it is not high."""
    return {"confidence": "" if item.confidence == "high" else item.confidence}


def heading(path: str, lines: Sequence[int], symbols: Sequence[str]) -> str:
    """Return the heading of a hit: its place and what it defines."""
    place, members = f"{path}:{lines[0]}-{lines[1]}", [name for name in symbols[1:] if _is_member(name, symbols[0])]
    if len(members) == len(symbols) - 1 > 0:
        names = ", ".join(name[len(symbols[0]) :].lstrip(SEPARATORS) for name in members)
        return f"{place} {within(symbols[0], path)}: {names}"
    return f"{place} {', '.join(dict.fromkeys(within(name, path) for name in symbols[:NAMES]))}".rstrip()


def _is_member(name: str, owner: str) -> bool:
    return name.startswith(owner) and name[len(owner) : len(owner) + 1] in SEPARATORS


def hits(items: Sequence[CodeHit]) -> list[str]:
    """Return search hits, the best first: a heading each, and its lines where there was room for them."""
    return [
        heading(item.path, item.lines, item.symbols)
        + (f"\n{item.snippet}" if item.snippet else " (sent before)" if item.already_sent else "")
        for item in items
    ]


def reads(items: Sequence[Read]) -> list[str]:
    """Return places that are worth reading, with what is there."""
    return [f"{item.path}:{item.lines[0]}-{item.lines[1]} {item.reason.removeprefix('defines ')}" for item in items]
