"""The kind of a file by its path: a test, prose, code."""

from __future__ import annotations

import re
from typing import Final

# documents that people write; schema/0020_index.sql and the statements of store/sql have the same list
DOCUMENTS: Final = frozenset({"asciidoc", "latex", "man", "markdown", "org", "pod", "rst", "text"})
# settings and tables whose languages have no folder; those of languages/data/generic/languages.json that are data
DATA_LANGUAGES: Final = frozenset(
    {"beancount", "bibtex", "chatito", "cpon", "dtd", "gitattributes", "gitignore", "gomod", "hyprlang", "ini", "kdl",
     "mermaid", "pgn", "properties", "pymanifest", "qmldir", "query", "readline", "requirements", "ron", "udev",
     "xcompose", "xml"}
)  # fmt: skip
PROSE_LANGUAGES: Final = (
    DOCUMENTS | DATA_LANGUAGES | {"csv", "json", "yaml", "toml", "html", "css", "scss", "notebook", "other"}
)

_TESTS: Final = re.compile(
    r"(?:^|/)(?:tests?|specs?|__tests__|testing|testdata|fixtures?|mocks?)(?:/|$)|(?:^|/)test_|[_.-](?:test|tests"
    r"|spec)\.|Tests?\.\w+$"
)
# folders
_BESIDE_PRODUCT: Final = re.compile(
    r"^(?:.*[._-])?(?:tests|specs|examples|samples|benchmarks|fixtures|mocks|demos)$|^(?:.*\.)?(?:test|spec|example"
    r"|sample|bench|demo|docs?)$|^tests?[._-]",
    re.IGNORECASE,
)
_SOURCE_SET: Final = re.compile(r"^[a-z]+[a-zA-Z]*Test$")  # of a build: commonTest, jvmTest
_TOP_OF_TESTS: Final = "t/"  # as Perl has it
# the convention of affected_tests: `spec` alone is no test
_TEST_FOLDERS: Final = frozenset({"test", "tests", "__tests__", "testing"})
_TEST_NAMES: Final = re.compile(
    r"^test_|(?:_tests?|_spec)\.\w+$|\.(?:test|spec)\.|[^/](?:Tests?|Spec)\.\w+$|^conftest\."
)
_PYTHON_TESTS: Final = re.compile(r"^(?:test_.*|.*_test|tests?)\.py$")
_DATA: Final = frozenset(
    {
        "md", "json", "yaml", "yml", "toml", "html", "css", "scss", "txt", "ipynb", "sql", "rst", "adoc", "asciidoc",
        "org", "tex", "pod", "csv", "tsv", "ini", "cfg", "conf", "xml", "svg", "log", "po", "pot", "patch", "diff",
        "properties", "in", "out",
    }
)  # fmt: skip
_FILED: Final = DOCUMENTS | {"html", "other"}  # those without code, as far as is known


def is_test(path: str) -> bool:
    """Whether the file at `path` is one of tests, by its path."""
    return path.startswith(_TOP_OF_TESTS) or _TESTS.search(path) is not None


def is_product(path: str) -> bool:
    """Whether the file at `path` is a part of the product: no test, example, sample or benchmark, and no support for
    one of these.
    """
    folders = path.split("/")[:-1]
    is_beside = any(_BESIDE_PRODUCT.search(folder) or _SOURCE_SET.search(folder) for folder in folders)
    return not (is_beside or is_test(path) or holds_tests(path))


def holds_tests(path: str) -> bool:
    """Whether the file at `path` belongs to the tests, by the convention of the tool affected_tests."""
    *folders, name = path.split("/")
    return not _TEST_FOLDERS.isdisjoint(folders) or _TEST_NAMES.search(name) is not None


def can_be_run(path: str) -> bool:
    """Whether a test runner can run the test file at `path`. A file that only supports tests is recognised by its name,
    where the language has a convention for that.
    """
    name = path.rpartition("/")[2]
    if name.endswith(".py"):
        return _PYTHON_TESTS.fullmatch(name) is not None
    return name.endswith("_test.go") if name.endswith(".go") else name.rpartition(".")[2] not in _DATA


def file_type(language: str) -> str:
    """Return the file type of `language` in answers of the toolset `graph`: `document` for documents and for text
    of no known language, `code` for everything else.
    """
    return "document" if language in _FILED else "code"
