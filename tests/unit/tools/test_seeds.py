"""What explain_code and search_code show of the definitions that a question is about, and of what is one step away."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeagentd.toolkit.context import Context
from codeagentd.tools.retrieval.explain import explain_code
from codeagentd.tools.retrieval.search_code import search_code
from tests.harness.served import surroundings

FILES = {
    "shop/shelf.py": '''"""Shelves of the shop."""
LIMIT = 12


class Shelf:
    """Keeps books in the order of their arrival."""

    def __init__(self):
        self.books = []

    def arrange(self, books):
        """Put books on the shelf."""
        self.books += sorted(books)

    def weigh(self):
        return len(self.books)


def unrelated():
    return LIMIT
''',
    "shop/wall.py": """from shop.shelf import Shelf


class Wall(Shelf):
    def arrange(self, books):
        return super().arrange(books)
""",
    "shop/desk.py": """from shop.shelf import Shelf


def open_shop(books):
    shelf = Shelf()
    shelf.arrange(books)
    return shelf
""",
    "tests/test_shelf.py": """from shop.desk import open_shop
from shop.shelf import Shelf


def test_a():
    Shelf().arrange([])


def test_b():
    open_shop([]).arrange([])
""",
    "web/lamp.ts": "export function lamp() {\n  return 1\n}\n",
    "web/index.ts": "export { lamp } from './lamp'\n",
}


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("seeds"), FILES) as found:
        yield found


def test_a_hit_is_narrowed_to_the_definition_that_answers_and_shown_from_its_beginning(ctx: Context) -> None:
    best = explain_code(ctx, "what does open_shop do").results[0]
    assert (best.path, best.lines, best.symbols) == ("shop/desk.py", [4, 7], ["shop.desk.open_shop"])
    assert best.snippet.startswith("def open_shop(books):")
    assert "import" not in best.snippet


def test_a_type_that_answers_names_its_methods(ctx: Context) -> None:
    hits = explain_code(ctx, "what is a Shelf").results
    shelf = next(hit for hit in hits if hit.symbols[0] == "shop.shelf.Shelf")
    assert [name.rpartition(".")[2] for name in shelf.symbols] == ["Shelf", "__init__", "arrange", "weigh"]


def test_no_definition_is_shown_twice(ctx: Context) -> None:
    answer = explain_code(ctx, "arrange books on a shelf", limit=50)
    shown = [(hit.path, *hit.lines) for hit in answer.results]
    places = [*shown, *((read.path, *read.lines) for read in answer.recommended_reads)]
    assert len(places) == len(set(places))


def test_tests_of_what_answers_are_listed(ctx: Context) -> None:
    tests = explain_code(ctx, "how does arrange put books on a shelf").tests
    assert {test.path for test in tests} == {"tests/test_shelf.py"}


def test_a_name_alone_leads_one_step_on_with_the_product_before_tests(ctx: Context) -> None:
    reads = search_code(ctx, "Shelf.arrange").recommended_reads
    told = [(read.path, read.reason) for read in reads if read.reason.startswith(("extends", "calls"))]
    assert told[0] == ("shop/wall.py", "extends arrange: arrange")
    callers = [path for path, reason in told if reason.startswith("calls")]
    assert set(callers) == {"shop/wall.py", "shop/desk.py", "tests/test_shelf.py"}
    assert callers[-1] == "tests/test_shelf.py"


def test_a_name_leads_to_the_files_that_hand_it_on(ctx: Context) -> None:
    reads = search_code(ctx, "lamp").recommended_reads
    assert ("web/index.ts", "re-exports lamp: index") in [(read.path, read.reason) for read in reads]


def test_a_question_in_words_is_not_followed_into_the_graph(ctx: Context) -> None:
    reads = search_code(ctx, "put books on the shelf in order").recommended_reads
    assert not [read for read in reads if read.reason.startswith(("extends ", "calls ", "re-exports "))]
