"""Questions to a repository, and whether the files themselves agree with the answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tests.demo.sources import Json, Sources, Wrong
from tests.demo.subject import SEARCH_LIMIT, Answer, Subject, ask

if TYPE_CHECKING:
    from mcp.client.client import Client

HITS: Final = 3  # of a search in words
SNIPPET: Final = 2  # lines of each that are shown
WORDS: Final = 8  # of a doc comment that are searched for
WIDTH: Final = 110
CONTAINERS: Final = ("file", "module", "namespace")  # their names come from paths: no line has to say them
Told = tuple[Answer, list[str]]


async def lookup(client: Client, sources: Sources, subject: Subject) -> Told:
    """Is the symbol found by its name, and does each line that is named define what it is said to define?"""
    answer = await ask(client, "search_symbols", query=subject.name, limit=SEARCH_LIMIT)
    if not any(item["node_id"] == subject.symbol["node_id"] for item in answer.items):
        raise Wrong(f"search_symbols does not find {subject.where}")
    lines = []
    for item in answer.items:
        text = "" if item["node_type"] in CONTAINERS else sources.check_definition(item)
        lines += [f"{item['file_path']}:{item['line_start']}  {item['node_type']} {item['qualified_name']}"]
        lines += [f"    {text[:WIDTH]}"] if item["node_id"] == subject.symbol["node_id"] else []
    return answer, lines


async def words_for(client: Client, subject: Subject) -> str:
    """A question of a user who does not know the name: the beginning of its doc comment, else the words of its name."""
    described = await ask(client, "describe_symbol", symbol=subject.symbol["node_id"])
    sentence = [
        word
        for word in re.findall(r"\w[\w'-]*", re.split(r"\.\s|\n\n", described.content["doc"])[0])
        if word != subject.name
    ]
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+|\d+", subject.name)
    return " ".join(sentence[:WORDS] if len(sentence) > 1 else parts).lower() or subject.name


async def search(client: Client, sources: Sources, words: str) -> Told:
    """What does a search in words find, and does each snippet stand in its file?"""
    answer = await ask(client, "search_code", query=words, limit=HITS)
    lines = []
    for hit in answer.items:
        sources.check_snippet(hit)
        lines.append(f"{hit['path']}:{hit['lines'][0]}  {', '.join(hit['symbols'][:2])}")
        lines += [f"    {text[:WIDTH]}" for text in hit["snippet"].splitlines()[:SNIPPET]]
    if not lines and not answer.content.get("note"):
        raise Wrong(f"search_code finds nothing for {words!r}, which is written in the repository")
    return answer, lines or [str(answer.content["note"])]


async def callers(client: Client, sources: Sources, subject: Subject) -> Told:
    """Who calls it, and does every call site name it?"""
    answer = await ask(client, "get_callers", node_id=subject.symbol["node_id"])
    lines = []
    for item in answer.items:
        lines.append(
            f"{item['file_path']}:{item['line_start']}  {item['node_type']} {item['qualified_name']}  ({item['confidence']})"
        )
        for site in item["sites"]:
            lines.append(
                f"    {site['file_path']}:{site['line']}:{site['column'] + 1}  {sources.check_site(subject.name, site)[:WIDTH]}"
            )
    return answer, lines or [str(answer.content.get("note") or "the index knows no call of it")]


async def impact(client: Client, sources: Sources, subject: Subject) -> Told:
    """What does a change of it affect, and is each of these symbols where it is said to be?"""
    answer = await ask(client, "impact_of", target=subject.symbol["node_id"])
    nodes = [
        node for node in answer.content["nodes"] if ":" not in node["path"]
    ]  # a colon: of a package, or where processes meet
    for node in nodes:
        if node["kind"] not in CONTAINERS:
            sources.check_begins(node["path"], node["line"], node["name"])
    lines = [f"{node['path']}:{node['line']}  {node['name']}  ({_steps(node)})" for node in nodes]
    known = (
        f"{answer.content['total_nodes']} symbols in {len(answer.content['files'])} files"
        if lines
        else "nothing that the index knows of"
    )
    return answer, [known, *lines, *filter(None, [answer.content.get("note", "")])]


def _steps(node: Json) -> str:
    return f"{node['via_edge']}, {node['distance']} step{'' if node['distance'] == 1 else 's'} away"


async def tests(client: Client, sources: Sources, subject: Subject) -> Told:
    """Which tests reach its file, and is each of them there?"""
    answer = await ask(client, "affected_tests", files=[subject.path])
    files: list[str] = answer.content["files"]
    for path in files:
        sources.check_exists(path)
    note = answer.content.get("note", "")
    return answer, [*files, *([note] if note else [])] or ["none that the index knows of: run them all"]
