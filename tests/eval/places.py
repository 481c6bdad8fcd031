"""The places that the text of an answer names: JSON objects, rows grouped by file, `path:line` lines and numbered source alike.

A judge reads texts, not fields, so that answers of other programs and of other versions are judged by the same rule. A
place is one row: a path, the line numbers and the names beside it. A path is what the repository has a file for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import Any, Final, NamedTuple

UNCERTAIN: Final = frozenset({"possible", "candidates", "ambiguous", "maybe", "other_candidates"})
UNSURE: Final = re.compile(r"\b(?:possible|possibly|maybe)\b")
LINE_KEY: Final = re.compile(r"(?:^|_)(?:lines?|site|sites|start|end)(?:_|$)")
NAME_KEYS: Final = frozenset(
    {"name", "qualified_name", "symbol", "symbols", "label", "caller", "callee", "source", "target"}
)
PATH: Final = re.compile(r"[\w@.+-]+(?:/[\w@.+-]+)*")
IDENTIFIER: Final = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*")
NUMBER: Final = re.compile(
    r"(?:(?:^|[:@…,;])\s*L?|\((?=\d+(?:-\d+)?[),])|\blines?[ :=]+)(\d+)(?::\d+)?(?:\s*[-–]\s*(\d+))?(?![\w.])"
)
NUMBERED: Final = re.compile(r"\s*(\d+)[\t|:│](?!\d) ?\s*(\S.*)?$")  # a line of source behind its number
DEFINES: Final = re.compile(r"\b(?:def|class|function|const|interface|enum|type|let|var)\s+([A-Za-z_$][\w$]*)")


class Place(NamedTuple):
    """One row of an answer. `certain` is False below a heading such as "candidates"; `row` is False where it only leads to others."""

    path: str
    lines: frozenset[int] = frozenset()
    names: frozenset[str] = frozenset()
    certain: bool = True
    row: bool = True


def places(text: str, paths: Collection[str], within: str = "") -> list[Place]:
    """Every place of an answer; `within` is the file that the question was about, for rows that do not repeat it."""
    try:
        value = json.loads(text)
    except ValueError:
        return list(_of_text(text, paths, within))
    return list(_of_json(value, paths, within, True))


def strings(text: str) -> str:
    """The answer as its reader sees it: every string of a JSON value, unescaped, or the text itself."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return "\n".join(_leaves(value))


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, child in value.items():
            yield str(key)
            yield from _leaves(child)
    elif isinstance(value, list):
        for child in value:
            yield from _leaves(child)
    elif value is not None:
        yield str(value)


def _of_json(value: Any, paths: Collection[str], path: str, certain: bool) -> Iterator[Place]:
    if isinstance(value, str):
        if value in paths:
            yield Place(value, certain=certain)
        else:
            yield from _of_text(value, paths, path, certain)
    elif isinstance(value, list):
        for child in value:
            yield from _of_json(child, paths, path, certain)
    elif isinstance(value, dict):
        own = next(
            (found for child in value.values() if isinstance(child, str) and (found := _stated(child, paths))), ""
        )
        if own or any(key in NAME_KEYS or LINE_KEY.search(key) for key in value):
            yield from _of_object(value, paths, own or path, certain)
            return
        for key, child in value.items():
            yield from _of_json(child, paths, _below(path, key, paths), certain and key not in UNCERTAIN)


def _below(path: str, key: str, paths: Collection[str]) -> str:
    """The file, or the folder that ends in a slash, that the rows below a key are about."""
    joined = f"{path}{key}" if path.endswith("/") else key
    return joined if joined in paths or key.endswith("/") else path


def _stated(text: str, paths: Collection[str]) -> str:
    """The path that a string consists of, a line and column behind it or not; '' for other strings."""
    match = re.fullmatch(rf"({PATH.pattern})(?:[:#]L?\d+(?:[:-]\d+)*)?", text)
    return match[1] if match and match[1] in paths else ""


def _of_object(value: dict[str, Any], paths: Collection[str], path: str, certain: bool) -> Iterator[Place]:
    """One row of an object, with the sites and the source below it; lists of further objects are rows of their own."""
    lines: set[int] = set()
    names: set[str] = set()
    below: list[Place] = []
    for key, child in value.items():
        if key in NAME_KEYS:
            names |= {name for leaf in _leaves(child) for name in _named(leaf)}
        elif LINE_KEY.search(key) and not isinstance(child, str):
            lines |= _numbers(child)
            below += [one for one in _of_json(child, paths, path, certain) if one.path != path]
        elif isinstance(child, str) and child not in paths:
            for one in _of_text(child, paths, path, certain):
                if one.path == path:
                    lines |= one.lines
            names |= set(DEFINES.findall(child))
        elif isinstance(child, list | dict):
            below += _of_json(child, paths, path, certain and key not in UNCERTAIN)
    yield Place(path, frozenset(lines), frozenset(names), certain)
    yield from below


def _numbers(value: Any) -> set[int]:
    """The line numbers below a key that says so: those of columns are left out."""
    if isinstance(value, dict):
        return set().union(*(_numbers(child) for key, child in value.items() if LINE_KEY.search(key)), set())
    if isinstance(value, list):
        return set().union(*(_numbers(child) for child in value), set())
    return {value} if isinstance(value, int) and not isinstance(value, bool) else set()


def _named(text: str) -> set[str]:
    """Identifiers, and of dotted ones the last part too."""
    found = {one.replace("::", ".").replace("#", ".") for one in IDENTIFIER.findall(text)}
    return found | {one.rsplit(".", 1)[-1] for one in found}


def _of_text(text: str, paths: Collection[str], path: str, certain: bool = True) -> Iterator[Place]:
    """The places of lines of text. A path holds for the lines below it; a name alone belongs to the line that follows."""
    before: set[str] = set()
    for line in text.splitlines():
        found = [match for match in PATH.finditer(line) if _path(match[0], paths)]
        numbered = NUMBERED.match(line)
        if found:
            yield from _of_line(line, found, path, before, certain, paths)
            path, before = _path(found[-1][0], paths), set()
        elif numbered and path:
            yield Place(
                path, frozenset({int(numbered[1])}), frozenset(DEFINES.findall(numbered[2] or "")), certain, False
            )
            before = set()
        else:
            lines = _ranges(line)
            if lines and path:
                sure = certain and not UNSURE.search(line)
                yield Place(path, frozenset(lines), frozenset(_named(line) | before), sure)
                before = set()
            elif line.strip():
                before = _named(line)
                if path:
                    yield Place(path, names=frozenset(before), certain=certain, row=False)


def _of_line(
    line: str, found: list[re.Match[str]], path: str, before: set[str], certain: bool, paths: Collection[str]
) -> Iterator[Place]:
    """The places of a line that names paths: numbers belong to the path before them."""
    if line.startswith(found[0][0]) and (
        match := re.match(r":(\d+):", line[found[0].end() :])
    ):  # grep's, with the line's text
        yield Place(_path(found[0][0], paths), frozenset({int(match[1])}), frozenset(), certain)
        return
    names = frozenset(_named(PATH.sub(lambda match: " " if _path(match[0], paths) else match[0], line)) | before)
    if path and (ahead := _ranges(line[: found[0].start()])):
        yield Place(path, frozenset(ahead), names, certain)
    for at, match in enumerate(found):
        end = found[at + 1].start() if at + 1 < len(found) else len(line)
        lines = frozenset(_ranges(line[match.end() : end]))
        yield Place(_path(match[0], paths), lines, names, certain, bool(lines) or len(found) > 1)


def _path(token: str, paths: Collection[str]) -> str:
    """The repository's path that a token means, '' for none; the full stop of a sentence is not of it."""
    for one in (token, token.rstrip("."), token.removeprefix("./")):
        if one in paths:
            return one
    return ""


def _ranges(text: str) -> set[int]:
    """The first and last lines that a text states."""
    return {int(one) for match in NUMBER.finditer(text) for one in match.groups() if one}
