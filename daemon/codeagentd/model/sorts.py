"""What sort of file is this: a test, prose, code?"""

from __future__ import annotations

import re
from typing import Final

PROSE_LANGUAGES: Final = frozenset({"markdown", "json", "yaml", "toml", "html", "css", "scss", "notebook"})

_TESTS: Final = re.compile(r"(?:^|/)(?:tests?|specs?|__tests__|testing|testdata|fixtures?|mocks?)(?:/|$)|(?:^|/)test_|[_.-](?:test|tests|spec)\.|Tests?\.\w+$")
_DOCUMENTS: Final = frozenset({"markdown", "html"})


def is_test(path: str) -> bool:
    """Is this a file of tests, by its path?"""
    return _TESTS.search(path) is not None


def file_type(language: str) -> str:
    """What page 002 calls the sort of a file: prose is a `document`, everything else `code`."""
    return "document" if language in _DOCUMENTS else "code"
