"""The symbol that a demonstration is about: the index is asked what there is, so that any language will do."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tests.demo.sources import Json, Wrong

if TYPE_CHECKING:
    from mcp.client.client import Client

KINDS: Final = ("function", "method", "class")  # what is called, the most telling first
MOST_CALLED: Final = 25  # symbols of a kind that are looked at
SHORTEST_NAME: Final = 5
ENOUGH_FILES: Final = 3  # files that call it
MOST_NAMESAKES: Final = 3  # so that a search for the name has one answer to be right about
SEARCH_LIMIT: Final = 50  # page 000 search_symbols
TESTS: Final = re.compile(r"(^|[/_.-])(tests?|specs?|testing|fixtures?)([/_.-]|$)|Tests?\b|Spec\b", re.ASCII)


@dataclass(frozen=True)
class Answer:
    """One tool's answer, checked for form."""

    content: Json
    watermark: Json
    ms: float

    @property
    def items(self) -> list[Json]:
        """The rows of an answer that is a list."""
        found: list[Json] = self.content.get("results", [])
        return found


@dataclass(frozen=True)
class Subject:
    """The symbol that the questions are about."""

    symbol: Json

    @property
    def path(self) -> str:
        """The file that defines it."""
        return str(self.symbol["file_path"])

    @property
    def name(self) -> str:
        """Its own name."""
        return str(self.symbol["name"])

    @property
    def where(self) -> str:
        """path:line kind name, as compilers write it."""
        return f"{self.path}:{self.symbol['line_start']}  {self.symbol['node_type']} {self.symbol['qualified_name']}"


async def ask(client: Client, tool: str, **arguments: object) -> Answer:
    """Call a tool. Errors: Wrong when it answers with an error or without a watermark."""
    started = time.perf_counter()
    result = await client.call_tool(tool, arguments)
    ms = (time.perf_counter() - started) * 1000
    if result.is_error:
        raise Wrong(f"{tool} {json.dumps(arguments)} answered {getattr(result.content[0], 'text', '')[:500]}")
    watermark: Json = (result.meta or {}).get("codeagent/index") or {}
    if not {"generation", "caught_up", "pending_files"} <= watermark.keys():
        raise Wrong(f"{tool} carries no watermark")
    return Answer(result.structured_content or {}, watermark, ms)


async def choose(client: Client) -> Subject | None:
    """A symbol that is called from several files, best of the product and not of its tests; else any that is defined; None where nothing is."""
    best: tuple[tuple[bool, int], Subject] | None = None
    for kind in KINDS:
        for name in await _most_called(client, kind):
            if (subject := await _distinct(client, name, kind)) is None:
                continue
            files = await _calling_files(client, subject)
            score = not TESTS.search(subject.path), files
            if files and (best is None or score > best[0]):
                best = score, subject
            if best and best[0] >= (True, ENOUGH_FILES):
                return best[1]
    return best[1] if best else await _any(client)


async def _most_called(client: Client, kind: str) -> list[str]:
    """Names of symbols of a kind, the most called first."""
    found = await ask(
        client, "structural_search", query=f"MATCH (s:{kind})<-[:calls]-(c) RETURN s, count(c) LIMIT {MOST_CALLED}"
    )
    return [_own_name(label) for label, _ in found.content.get("groups", [])]


async def _distinct(client: Client, name: str, kind: str) -> Subject | None:
    """The one symbol of a kind that has this name, where few share it."""
    if len(name) < SHORTEST_NAME or name.startswith("_"):
        return None
    found = await ask(client, "search_symbols", query=name, limit=SEARCH_LIMIT)
    namesakes = [item for item in found.items if item["name"] == name]
    mine = [item for item in namesakes if item["node_type"] == kind]
    return Subject(mine[0]) if len(mine) == 1 and len(namesakes) <= MOST_NAMESAKES else None


async def _calling_files(client: Client, subject: Subject) -> int:
    """How many other files have a call that is certain to mean it; one of its own counts as well as none from elsewhere can."""
    found = await ask(client, "get_callers", node_id=subject.symbol["node_id"])
    files = {site["file_path"] for item in found.items if item["confidence"] == "exact" for site in item["sites"]}
    return len(files - {subject.path}) or bool(files)


async def _any(client: Client) -> Subject | None:
    """The first symbol that is defined, code before headings and keys."""
    for condition in (" or ".join(f"s.kind = {kind}" for kind in KINDS), "s.kind != file and s.kind != module"):
        found = await ask(client, "structural_search", query=f"MATCH (s) WHERE {condition} RETURN s LIMIT 1")
        for (row,) in found.content["results"]:  # rows of nodes, not of fields
            name = _own_name(row["label"]) if row["kind"] in KINDS else row["label"]
            lines = {"line_start": row["line"], "line_end": row["line"] + row["loc"] - 1}
            return Subject(
                {
                    "node_id": row["id"],
                    "name": name,
                    "qualified_name": row["label"],
                    "node_type": row["kind"],
                    "file_path": row["file"],
                    **lines,
                }
            )
    return None


def _own_name(label: str) -> str:
    """The last part of a label such as `Parser.parse()`."""
    return re.split(r"[.:#]", label.removesuffix("()"))[-1]
