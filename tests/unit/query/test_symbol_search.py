"""Full-text search over a real FTS5 table: order, filters, forgiving queries, coded errors."""

from __future__ import annotations

import contextlib
import itertools
import random
from typing import Any

import pytest

from codeagent_protocol.errors import InvalidParameter
from codeagentd.model.kinds import SymbolKind
from codeagentd.query.symbols import symbol_search as search_module
from codeagentd.query.symbols.lookup import Filters, filters
from codeagentd.query.symbols.symbol_search import search
from codeagentd.store.connection import Database
from tests.unit.query.sample_index import SampleIndex
from tests.unit.query.test_fts_expression import PLAIN

NAMES = [
    "compute_total",
    "compute_totals_later",
    "UserService",
    "user_service",
    "Foo",
    "Foo.bar",
    "a",
    "b",
    "__init__",
    "c",
    "authenticate",
    "recompute",
    "_",
]


@pytest.fixture
def names(index: SampleIndex) -> SampleIndex:
    file = index.file("app/names.py")
    for line, name in enumerate(NAMES, 1):
        index.symbol(
            file,
            f"app.names.{name}",
            SymbolKind.FUNCTION,
            lines=(line, line),
            signature="(user, service)" if name == "a" else None,
        )
    return index


def found(db: Database, text: str, narrowed: Filters | None = None, limit: int = 20) -> list[str]:
    return [
        hit.qualified_name.removeprefix("app.names.") for hit in search(db, text, narrowed or Filters(), limit).hits
    ]


@pytest.mark.usefixtures("names")
@pytest.mark.parametrize(
    "text", ["compute_total", "UserService", "user_service", "__init__", "Foo", "Foo.bar", "_", "authenticate"]
)
def test_the_symbol_of_exactly_that_name_comes_first(db: Database, text: str) -> None:
    assert found(db, text)[0] == text


@pytest.mark.usefixtures("names")
def test_split_words_find_both_spellings(db: Database) -> None:
    assert set(found(db, "UserService")[:2]) == {"UserService", "user_service"}
    assert set(found(db, "user_service")[:2]) == {"UserService", "user_service"}
    assert set(found(db, "user service")[:2]) == {"UserService", "user_service"}


@pytest.mark.usefixtures("names")
@pytest.mark.parametrize("text", ["compute total", "Compute Total"])
def test_words_that_are_a_whole_name_find_it_before_names_that_say_more(
    index: SampleIndex, db: Database, text: str
) -> None:
    file = index.file("app/more.py")
    for name in ("compute_total_key", "computeTotal"):
        index.symbol(file, f"app.names.{name}", SymbolKind.FUNCTION)
    index.symbol(
        file,
        "app.names.Totals.compute_total",
        SymbolKind.METHOD,
        signature="(self, total: Total, totals: Totals, compute: Compute, later: bool)",
    )
    assert set(found(db, text)[:3]) == {"compute_total", "computeTotal", "Totals.compute_total"}


@pytest.mark.usefixtures("names")
def test_a_star_asks_for_a_beginning(db: Database) -> None:
    assert set(found(db, "comp*")) == {"compute_total", "compute_totals_later"}


@pytest.mark.usefixtures("names")
def test_half_a_name_is_found(db: Database) -> None:
    assert found(db, "authent") == ["authenticate"]
    assert found(db, "henticat") == ["authenticate"]
    assert found(db, "ECOMPU") == ["recompute"]


@pytest.mark.usefixtures("names")
def test_of_several_words_the_known_ones_are_enough(db: Database) -> None:
    assert found(db, "how does authenticate work") == ["authenticate"]


@pytest.mark.usefixtures("names")
def test_an_unknown_word_finds_nothing(db: Database) -> None:
    assert found(db, "zzqqxx") == []
    assert found(db, "-") == []
    assert found(db, "   ") == []


@pytest.mark.usefixtures("names")
@pytest.mark.parametrize("text", PLAIN)
def test_a_plain_text_is_never_a_syntax_error(db: Database, text: str) -> None:
    assert isinstance(found(db, text), list)


@pytest.mark.usefixtures("names")
def test_fts5_expressions_work(db: Database) -> None:
    assert set(found(db, "name:recompute OR name:authenticate", limit=5)) == {"recompute", "authenticate"}
    assert "UserService" not in found(db, 'service NOT name:"userservice"')
    assert found(db, '^"compute"')


@pytest.mark.usefixtures("names")
@pytest.mark.parametrize(
    ("text", "hit"),
    [
        ('"compute_total', "compute_total"), ("(compute_total", "compute_total"), ("compute_total AND", "compute_total"), ("NOT authenticate", "authenticate"),
        ("compute_total AND AND later", "compute_totals_later"), ("NEAR(user service", "UserService"), ('Foo.bar"', "Foo.bar"),
        ("{name: UserService", "UserService"),
        (") authenticate", "authenticate"), ("name: (recompute", "recompute"), ("{nosuch}: recompute", "recompute"), ("*Service", "UserService"),
    ],
)  # fmt: skip
def test_what_is_no_expression_is_read_as_words_and_says_so(db: Database, text: str, hit: str) -> None:
    searched = search(db, text, Filters(), 20)
    assert hit in [one.qualified_name.removeprefix("app.names.") for one in searched.hits]
    assert searched.note.startswith("the query is no FTS5 expression and was read as words: ")


@pytest.mark.usefixtures("names")
@pytest.mark.parametrize("text", ["*", '"', "^", "name:", "AND OR", "({})", "NOT (", '"*'])
def test_signs_alone_are_refused_in_our_words(db: Database, text: str) -> None:
    with pytest.raises(InvalidParameter, match="query has operators and nothing to look for") as caught:
        search(db, text, Filters(), 20)
    assert caught.value.facts["parameter"] == "query"
    assert "quote" in caught.value.remedy


@pytest.mark.usefixtures("names")
def test_no_text_shows_the_databases_own_error(db: Database) -> None:
    signs = (
        '"',
        "(",
        ")",
        "*",
        "^",
        ":",
        "{",
        "}",
        "-",
        "+",
        "AND ",
        "NOT ",
        "NEAR(",
        "name:",
        "a",
        " ",
        "'",
        ",",
        "\\",
        "é",
        "\x01",
    )
    for text in random.Random(5).sample(["".join(found) for found in itertools.product(signs, repeat=3)], 600):
        with contextlib.suppress(InvalidParameter):
            assert len(search(db, text, Filters(), 5).hits) <= 5


def test_filters_narrow_the_hits(index: SampleIndex, db: Database) -> None:
    python, sharp = index.file("a.py"), index.file("A.cs", "csharp", "csharp:Api")
    index.symbol(python, "a.Run", SymbolKind.CLASS)
    index.symbol(python, "a.Run.run", SymbolKind.METHOD, lines=(2, 2))
    index.symbol(sharp, "Api.Run", SymbolKind.CLASS)
    assert found(db, "run", filters(db, "method", None, None)) == ["a.Run.run"]
    assert found(db, "run", filters(db, "class", "csharp", None)) == ["Api.Run"]
    assert found(db, "Run", filters(db, None, None, "python:.")) == ["a.Run", "a.Run.run"]
    assert found(db, "ru", filters(db, "method", None, None)) == ["a.Run.run"]


def test_hits_have_the_contracts_fields(index: SampleIndex, db: Database) -> None:
    file = index.file("a.py")
    symbol = index.symbol(file, "a.go", lines=(3, 9), signature="(x)", returns="int")
    (hit,) = search(db, "go", Filters(), 20).hits
    assert hit.node_id == index.node_id(symbol)
    assert (hit.name, hit.node_type, hit.language, hit.file_path, hit.line_start, hit.line_end) == (
        "go",
        "function",
        "python",
        "a.py",
        3,
        9,
    )
    assert (hit.access_modifier, hit.parameter_signature, hit.return_type) == ("public", "(x)", "int")
    assert hit.rank is not None
    assert hit.rank <= 0


def test_a_short_last_part_is_looked_up_in_names_where_symbols_are_many(
    index: SampleIndex, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = index.file("lock.c", "c")
    for line, name in enumerate(("mutex_lock_io", "mutex_lock", "my_mutex_list", "lock_mutex", "mutex"), 1):
        index.symbol(file, name, lines=(line, line))
    assert sorted(hit.name for hit in search(db, "mutex_l", Filters(), 5).hits) == [
        "mutex_lock",
        "mutex_lock_io",
        "my_mutex_list",
    ]
    monkeypatch.setattr(search_module, "NARROW", 0)
    matches: list[str] = []
    every = Database.all

    def noted(self: Database, name: str, parameters: Any = ()) -> list[tuple[Any, ...]]:
        matches.append(str(dict(parameters).get("match", "")))
        return every(self, name, parameters)

    monkeypatch.setattr(Database, "all", noted)
    assert [hit.name for hit in search(db, "mutex_l", Filters(), 5).hits] == [
        "mutex_lock",
        "mutex_lock_io",
        "my_mutex_list",
    ]
    assert not any(match.endswith("*)") for match in matches)
    assert search(db, "mute_", Filters(), 5).hits
    assert search(db, "mutex_loc", Filters(), 5).hits
    assert any(match.endswith("*)") for match in matches)


def test_the_limit_holds(index: SampleIndex, db: Database) -> None:
    file = index.file("a.py")
    for line in range(30):
        index.symbol(file, f"a.C{line}.go", lines=(line, line))
    assert len(found(db, "go", limit=7)) == 7
    assert len(found(db, "g*", limit=7)) == 7


def test_exact_names_come_first_even_when_the_word_is_too_common_to_rank_all_its_hits(
    index: SampleIndex, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_module, "SCAN", 10)
    file = index.file("a.py")
    for line in range(30):
        index.symbol(file, f"a.get_{line}", lines=(line, line))
    index.symbol(file, "a.get", lines=(99, 99))
    index.symbol(file, "a.B.get", lines=(100, 100))
    hits = search(db, "get", Filters(), 5).hits
    assert {hit.qualified_name for hit in hits[:2]} == {"a.get", "a.B.get"}
    assert len(hits) == 5
    assert [hit.rank for hit in hits] == sorted(hit.rank or 0 for hit in hits)
