"""find_similar: symbols that mean the same, or are made alike."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagent_protocol.errors import InvalidParameter, NotFound
from codeagentd.toolkit.context import Context
from codeagentd.tools.symbols.similar import find_similar
from tests.harness.models import embedded, needs_model, wanted
from tests.harness.served import served, surroundings
from tests.unit.tools.surroundings import context_of

FILES = {
    "desk.py": '''from rules import due_date, fine, stamp


def lend_book(book, reader):
    """A reader takes a book home."""
    stamp(book)
    return due_date(book, reader)


def lend_map(sheet, reader):
    stamp(sheet)
    return due_date(sheet, reader)


def give_back(book):
    return fine(book)


def sweep_floor():
    pass
''',
    "rules.py": "def stamp(thing):\n    return thing\n\n\ndef due_date(thing, reader):\n    return 1\n\n\ndef fine(thing):\n    return 2\n",
    "copy.py": "from rules import due_date, stamp\n\n\ndef lend_book(book, reader):\n    stamp(book)\n    return due_date(book, reader)\n",
}


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("similar"), FILES) as found:
        yield found


def test_without_a_model_what_uses_the_same_under_a_like_name_is_similar_and_the_answer_says_by_what(
    ctx: Context,
) -> None:
    answer = find_similar(ctx, "desk.lend_book")
    assert answer.basis == "structure"
    assert [one.qualified_name for one in answer.results][:2] == ["copy.lend_book", "desk.lend_map"]
    assert 1 >= answer.results[0].similarity > answer.results[1].similarity > 0.5
    assert "desk.sweep_floor" not in {one.qualified_name for one in answer.results}


def test_the_symbol_itself_is_not_among_them_and_the_limit_holds(ctx: Context) -> None:
    assert [one.qualified_name for one in find_similar(ctx, "desk.lend_book", limit=1).results] == ["copy.lend_book"]


def test_a_symbol_that_uses_nothing_has_no_look_alikes(ctx: Context) -> None:
    answer = find_similar(ctx, "desk.sweep_floor")
    assert answer.results == []
    assert answer.note.startswith(
        "nothing to compare by: desk.sweep_floor uses nothing by name, no other of its kind has its name"
    )


def test_an_unknown_or_ambiguous_symbol_is_told(ctx: Context) -> None:
    with pytest.raises(NotFound):
        find_similar(ctx, "nobody")
    with pytest.raises(InvalidParameter) as error:
        find_similar(ctx, "lend_book")
    assert error.value.facts["total_candidates"] == 2


@needs_model
def test_with_a_model_what_means_the_same_is_similar(tmp_path: Path) -> None:
    with served(tmp_path, FILES, wanted(tmp_path)) as engine:
        assert embedded(engine)
        ctx = context_of(engine.root, engine.readers, engine)  # type: ignore[arg-type]  # the real engine
        answer = find_similar(ctx, "desk.lend_book", limit=3)
    assert answer.basis == "meaning"
    assert answer.embedded == 1.0
    assert {one.qualified_name for one in answer.results[:2]} == {"copy.lend_book", "desk.lend_map"}
    assert answer.results[0].similarity <= 1
