"""Three real questions to a repository, and whether the files themselves agree with the answers."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.client.client import Client

ASKED_ABOUT = ("function", "method", "class")
SUFFIXES = (".py", ".ts", ".tsx", ".js", ".cs")
SHORTEST_NAME = 5
MOST_FILES = 60  # files looked at for a symbol worth asking about
ENOUGH_FILES = 3  # files that call it
MOST_NAMESAKES = 3
SEARCH_LIMIT = 50  # page 000 search_symbols
MOST_SHOWN = 8
Json = dict[str, Any]


class Wrong(Exception):
    """An answer is empty, is an error, or contradicts the files."""


@dataclass(frozen=True)
class Answer:
    """One tool's answer, checked for form."""

    items: list[Json]
    watermark: Json
    ms: float


async def ask(client: Client, tool: str, arguments: Json) -> Answer:
    """Call a tool that lists. Errors: Wrong when it answers with an error or without a watermark."""
    started = time.perf_counter()
    result = await client.call_tool(tool, arguments)
    ms = (time.perf_counter() - started) * 1000
    data: Json = result.structured_content or {}
    if result.is_error:
        raise Wrong(f"{tool}({arguments}) answered {data.get('error')}")
    watermark: Json = (result.meta or {}).get("codeagent/index") or {}
    if not {"generation", "caught_up", "pending_files"} <= watermark.keys():
        raise Wrong(f"{tool} carries no watermark")
    return Answer(data.get("results", []), watermark, ms)


class Sources:
    """The files of the repository, by line."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lines: dict[str, list[str]] = {}

    def line(self, path: str, number: int) -> str:
        """Line `number` (from 1) of a file. Errors: Wrong when there is none."""
        if path not in self._lines:
            self._lines[path] = (self._root / path).read_text(encoding="utf-8-sig", errors="replace").splitlines()
        if not 1 <= number <= len(self._lines[path]):
            raise Wrong(f"{path} has no line {number}")
        return self._lines[path][number - 1]

    def check_definition(self, path: str, item: Json) -> None:
        """The symbol's name stands between its first and last line."""
        name = re.compile(rf"(?<!\w){re.escape(item['name'])}(?!\w)")
        if not any(name.search(self.line(path, number)) for number in range(item["line_start"], item["line_end"] + 1)):
            raise Wrong(f"{path}:{item['line_start']}-{item['line_end']} does not contain {item['name']!r}")

    def check_site(self, name: str, site: Json) -> str:
        """The callee's name, or a local alias of it, stands at the place of the call. Returns the line."""
        text = self.line(site["file_path"], site["line"])
        found = re.match(r"\w+", text[site["column"] :])
        word = found.group() if found else ""
        if word != name and not self._is_alias(site["file_path"], name, word):
            raise Wrong(f"{site['file_path']}:{site['line']}:{site['column']} does not name {name!r} but {word!r}: {text.strip()}")
        return text.strip()

    def _is_alias(self, path: str, name: str, word: str) -> bool:
        return bool(word) and bool(re.search(rf"\b{re.escape(name)}\b\s*(as|:|=)\s*{re.escape(word)}\b", "\n".join(self._lines[path])))


@dataclass(frozen=True)
class Subject:
    """The symbol that the questions are about."""

    path: str
    symbol: Json

    @property
    def where(self) -> str:
        """path:line kind name, as compilers write it."""
        return f"{self.path}:{self.symbol['line_start']}  {self.symbol['node_type']} {self.symbol['qualified_name']}"


async def choose(client: Client, root: Path, paths: list[str]) -> Subject:
    """A symbol that is called from several places, best from other files. Errors: Wrong when nothing in the repository is called."""
    best: tuple[int, int, Subject] | None = None
    for path in likely(root, paths):
        outline = await ask(client, "get_file_outline", {"path": path})
        for symbol in outline.items:
            if symbol["node_type"] not in ASKED_ABOUT or len(symbol["name"]) < SHORTEST_NAME or symbol["name"].startswith("_"):
                continue
            callers = await ask(client, "get_callers", {"node_id": symbol["node_id"]})
            sites = [site for item in callers.items if item["confidence"] == "exact" for site in item["sites"]]
            score = len({site["file_path"] for site in sites} - {path}), len(sites)
            if sites and (best is None or score > best[:2]) and await is_distinct(client, symbol):
                best = *score, Subject(path, symbol)
        if best and best[0] >= ENOUGH_FILES:
            break
    if best is None:
        raise Wrong("no symbol of this repository has a caller: nothing to ask about")
    return best[2]


async def is_distinct(client: Client, symbol: Json) -> bool:
    """Whether few symbols share the name, so that a search for it has one answer to be right about."""
    found = await ask(client, "search_symbols", {"query": symbol["name"], "limit": SEARCH_LIMIT})
    return 0 < [item["name"] for item in found.items].count(symbol["name"]) <= MOST_NAMESAKES


def likely(root: Path, paths: list[str]) -> list[str]:
    """Source files of middling size, tests last."""
    sized = [(bool(re.search(r"(^|[/_.])tests?([/_.]|$)", path)), -(root / path).stat().st_size, path) for path in paths if path.endswith(SUFFIXES)]
    return [path for _, size, path in sorted(sized) if -size < 30_000][:MOST_FILES]


async def search(client: Client, sources: Sources, subject: Subject) -> tuple[Answer, list[str]]:
    """Is the symbol found by its name, where it is?"""
    answer = await ask(client, "search_symbols", {"query": subject.symbol["name"], "limit": SEARCH_LIMIT})
    if not any(item["node_id"] == subject.symbol["node_id"] for item in answer.items):
        raise Wrong(f"search_symbols does not find {subject.where}")
    for item in answer.items:
        if item["node_type"] not in ("file", "module"):
            sources.check_definition(item["file_path"], item)
    return answer, [f"{item['file_path']}:{item['line_start']}  {item['node_type']} {item['qualified_name']}" for item in answer.items]


async def outline(client: Client, sources: Sources, subject: Subject) -> tuple[Answer, list[str]]:
    """Does the outline of its file list it, with every name where it says?"""
    answer = await ask(client, "get_file_outline", {"path": subject.path})
    named = [item for item in answer.items if item["node_type"] in (*ASKED_ABOUT, "interface", "enum", "constant", "property", "field")]
    if not any(item["node_id"] == subject.symbol["node_id"] for item in named):
        raise Wrong(f"the outline of {subject.path} lacks {subject.symbol['name']}")
    for item in named:
        sources.check_definition(subject.path, item)
    lines = [f"{item['line_start']}-{item['line_end']}  {item['node_type']} {item['name']}" for item in named if item["node_type"] in ASKED_ABOUT]
    return answer, [f"{subject.path} ({len(answer.items)} symbols)", *lines]


async def callers(client: Client, sources: Sources, subject: Subject) -> tuple[Answer, list[str]]:
    """Who calls it, and does every call site name it?"""
    answer = await ask(client, "get_callers", {"node_id": subject.symbol["node_id"]})
    lines = []
    for item in answer.items:
        lines.append(f"{item['file_path']}:{item['line_start']}  {item['node_type']} {item['qualified_name']}  ({item['confidence']}, {item['origin']})")
        for site in item["sites"]:
            lines.append(f"    {site['file_path']}:{site['line']}:{site['column']}  {sources.check_site(subject.symbol['name'], site)[:100]}")
    if not lines:
        raise Wrong(f"get_callers of {subject.where} is empty")
    return answer, lines
