"""The files of a repository as the judge of answers: whether what an answer says stands where it says so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from codeagentd.secrets.redaction import REMOVED

Json = dict[str, Any]
GAP: Final = re.compile(r"…(?:(\d+):)?")  # what stands in a snippet for lines that are left out


class Wrong(Exception):
    """An answer is an error, lacks what it has to have, or contradicts the files."""


class Sources:
    """The files of the repository, by line, and how many statements about them were checked."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lines: dict[str, list[str]] = {}
        self.checked = 0

    def lines(self, path: str) -> list[str]:
        """The lines of a file. Errors: Wrong when it cannot be read."""
        if path not in self._lines:
            try:
                text = (self._root / path).read_text(encoding="utf-8-sig", errors="replace")
            except OSError as error:
                raise Wrong(f"{path} cannot be read: {error}") from None
            self._lines[path] = text.splitlines()
        return self._lines[path]

    def line(self, path: str, number: int) -> str:
        """Line `number` (from 1) of a file. Errors: Wrong when there is none."""
        if not 1 <= number <= len(self.lines(path)):
            raise Wrong(f"{path} has no line {number}")
        return self.lines(path)[number - 1]

    def check_exists(self, path: str) -> None:
        """There is such a file."""
        self.lines(path)
        self.checked += 1

    def check_definition(self, item: Json) -> str:
        """The symbol's name stands between its first and last line. Returns the line where it does."""
        name = re.compile(rf"(?<!\w){re.escape(item['name'])}(?!\w)")
        for number in range(item["line_start"], item["line_end"] + 1):
            if name.search(text := self.line(item["file_path"], number)):
                self.checked += 1
                return text.strip()
        raise Wrong(f"{item['file_path']}:{item['line_start']}-{item['line_end']} does not contain {item['name']!r}")

    def check_begins(self, path: str, number: int, name: str) -> None:
        """The last word of the symbol's name stands at or below the line where the symbol begins."""
        self.line(path, number)
        words = re.findall(r"\w+", name)
        if words and not any(words[-1] in text for text in self.lines(path)[number - 1 :]):
            raise Wrong(f"{path} does not contain {words[-1]!r} at or below line {number}")
        self.checked += 1

    def check_site(self, name: str, site: Json) -> str:
        """The callee's name, or a local alias of it, stands at the place of the call. Returns the line."""
        path, text = site["file_path"], self.line(site["file_path"], site["line"])
        rest = text[site["column"] :]
        found = re.match(r"\w+", rest)
        word = found.group() if found else ""
        if not rest.startswith(name) and not self._is_alias(path, name, word):
            raise Wrong(f"{path}:{site['line']}:{site['column']} does not name {name!r} but {word!r}: {text.strip()}")
        self.checked += 1
        return text.strip()

    def _is_alias(self, path: str, name: str, word: str) -> bool:
        alias = rf"\b{re.escape(name)}\b\s*(as|:|=)\s*{re.escape(word)}\b|\b{re.escape(word)}\b\s*=\s*.*\b{re.escape(name)}\b"
        return bool(word) and bool(re.search(alias, "\n".join(self.lines(path))))

    def check_snippet(self, hit: Json) -> None:
        """Each line of a snippet stands in its file where it is said to stand; `…N:` says that the next line is number N."""
        number, last = hit["lines"]
        self.line(hit["path"], last)
        for shown in hit["snippet"].split("\n"):
            if gap := GAP.fullmatch(shown):
                number = int(gap[1] or last + 1)
                continue
            text = shown.removesuffix("…").split(REMOVED)[
                0
            ]  # what stands behind a secret that was taken out is not compared
            if not self.line(hit["path"], number).startswith(text):
                raise Wrong(f"{hit['path']}:{number} is not {shown!r}")
            number += 1
        self.checked += 1
