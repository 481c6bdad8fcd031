"""The text of answers of toolset graph for people: path:line first, as for other tools."""

from __future__ import annotations

from .console import Paint, count, plain
from .remedies import in_commands
from .source_places import Place
from .tables import table
from .tool_answers import Json


def affected(answer: Json, paint: Paint, place: Place) -> list[str]:
    """Return the text of the answer of affected: one line for each symbol, ordered by hops."""
    rows = [
        [
            paint(place(item["file"], item["line"]), "cyan"), str(item["depth"]), item["via_relation"],
            _sure(item["confidence"], paint), paint(plain(item["label"]), "bold"),
        ]
        for item in answer.get("affected", ())
    ]  # fmt: skip
    return [plain(answer["message"]), *table(rows, "<>", indent=0), *_noted(answer, paint)]


def subgraph(answer: Json, paint: Paint, place: Place) -> list[str]:
    """Return the text of the answer of query_graph: the matching nodes, then the edges between them."""
    rows = [
        [
            paint(place(item["source_file"], item["line"]), "cyan"),
            paint(plain(item["label"]), "bold"),
            item["file_type"],
        ]
        for item in answer["nodes"]
    ]
    edges = [[plain(item["source"]), f"{item['relation']} ->", plain(item["target"])] for item in answer["edges"]]
    more = f", the first {len(rows):,} of them here" if len(rows) < answer["found"] else ""
    head = f"{count(answer['found'], 'node')} found{more}" + (
        f", beginning at {plain(', '.join(answer['start']))}" if answer["start"] else ""
    )
    return [head, *table(rows, indent=0), *([""] if edges else []), *table(edges, indent=0), *_noted(answer, paint)]


def matches(answer: Json, paint: Paint, place: Place) -> list[str]:
    """Return the text of the answer of structural_search: one line for each row with all its nodes, or the groups with
    their counts.
    """
    rows = [
        [
            f"{paint(place(item['file'], item['line']), 'cyan')}  {item['kind']} {paint(plain(item['label']), 'bold')}"
            for item in row
        ]
        for row in answer["results"]
    ]
    rows += [["-" if value is None else plain(str(value)) for value in row] for row in answer.get("groups", ())]
    head = f"{count(len(rows), 'row')} ({', '.join(answer['columns'])}):" if rows else "No matches."
    return [head, *table(rows, indent=0), *_noted(answer, paint)]


def _sure(confidence: str, paint: Paint) -> str:
    """A confidence of page 002, or an empty text for the usual one."""
    return "" if confidence == "EXTRACTED" else paint(confidence.lower(), "yellow")


def _noted(answer: Json, paint: Paint) -> list[str]:
    note = answer.get("note", "")
    return [paint(plain(in_commands(note)), "dim")] if note else []
