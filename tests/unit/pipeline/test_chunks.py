"""Files in pieces for text search: where they are cut, that they follow the files, and what never gets in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from codeagentd.model.kinds import SymbolKind
from codeagentd.model.secrets import REMOVED, redacted
from codeagentd.pipeline.chunks import LONGEST, SHORTEST, cut
from codeagentd.query.retrieval import retrieve

from .conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]


def found(bench: Bench, question: str) -> list[str]:
    assert bench.engine.text_ready(10.0)
    with bench.engine.readers.read() as database:
        return [one.path for one in retrieve(database, question, 10)[1]]


def test_chunks_cover_every_line_once_and_none_is_long() -> None:
    spans = cut(137, [(20, 40, "f", SymbolKind.FUNCTION), (22, 22, "x", SymbolKind.VARIABLE), (60, 130, "g", SymbolKind.FUNCTION)])
    assert [line for first, last in spans for line in range(first, last + 1)] == list(range(1, 138))
    assert max(last - first + 1 for first, last in spans) <= LONGEST
    assert {20, 60} <= {first for first, _ in spans}
    assert 22 not in {first for first, _ in spans}


def test_short_definitions_stand_together() -> None:
    spans = cut(SHORTEST, [(line, line + 1, "f", SymbolKind.FUNCTION) for line in range(1, SHORTEST, 2)])
    assert spans == [(1, SHORTEST)]
    assert cut(0, []) == []


def test_text_search_follows_edits_moves_and_deletions(make_bench: Make) -> None:
    bench = make_bench({"a.py": "def lend():\n    '''hand a novel over the counter'''\n", "b.py": "x = 1\n"})
    assert found(bench, "novel counter") == ["a.py"]
    bench.write("b.py", "# the counter for novels\n")
    bench.catch_up()
    assert set(found(bench, "novel counter")) == {"a.py", "b.py"}
    (bench.root / "a.py").rename(bench.root / "c.py")
    bench.catch_up()
    assert set(found(bench, "novel counter")) == {"b.py", "c.py"}
    (bench.root / "c.py").unlink()
    (bench.root / "b.py").unlink()
    bench.catch_up()
    assert found(bench, "novel counter") == []
    assert bench.rows("SELECT count(*) FROM chunks") == [(0,)]


def test_the_words_inside_of_names_are_found_and_so_are_whole_names(make_bench: Make) -> None:
    bench = make_bench({"a.py": "def openReadingRoom(): ...\n", "b.py": "def close_reading_room(): ...\n"})
    assert found(bench, "open reading rooms")[0] == "a.py"
    assert found(bench, "close_reading_room")[0] == "b.py"


@pytest.mark.parametrize("question", ['"', "a AND OR (", "*", "{path} : x", "NEAR(", "ünïcode", "x" * 900, "(" * 300])
def test_no_question_is_an_error_of_the_full_text_search(make_bench: Make, question: str) -> None:
    bench = make_bench({"a.py": "x = 1\n"})
    assert isinstance(found(bench, question), list)


@pytest.mark.parametrize(
    "text",
    [
        'password = "hunter2hunter2"', "api_key: 'abcd1234efgh'", "AWS = AKIAIOSFODNN7EXAMPLE9Zk3", "url = postgres://ada:tulips99@db.example/x",
        "Authorization: Bearer abcdefghijklmnopqrstuv.wxyz0123", "-----BEGIN RSA PRIVATE KEY-----\nMIIBOgIBAAJBAK\n-----END RSA PRIVATE KEY-----",
        "# rotated key AKIAQWZXERTYUIOPASDF", 'x("ghp_abcdefghijklmnopqrstuvwxyz0123456789")', "digest 3f786850e387550fdab836ed7e6dc881de23001b",
        "t = eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
    ],
)  # fmt: skip
def test_what_looks_like_a_secret_is_left_out(text: str) -> None:
    assert REMOVED in redacted(text)
    for secret in ("hunter2", "abcd1234", "AKIAIOSFODNN7", "tulips99", "wxyz0123", "QWZXERTY", "ghp_abc", "3f786850", "MIIBOg", "dozjgNryP4"):
        assert secret not in redacted(text)


@pytest.mark.parametrize(
    "text",
    [
        "def authenticate_user_with_password(user): ...",
        "import codeagentd.pipeline.module_names.documents",
        "token = next(tokens)",
        "password = None",
        "sha256_of_utf8_text_2024_12",
    ],
)
def test_ordinary_code_stays_as_it_is(text: str) -> None:
    assert redacted(text) == text
