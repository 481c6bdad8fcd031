"""search_code as clients call it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeagent_protocol.errors import InvalidParameter
from codeagentd.toolkit.context import Context
from codeagentd.tools.retrieval.search import search_code
from tests.harness.served import surroundings

FILES = {
    "library/loans.py": "class Loan:\n    '''A book that a reader has.'''\n\n    def renew(self, days):\n        self.due += days\n" + "    # filler\n" * 30,
    "library/stamps.py": "x = 1\n\x0c\n" * 12 + "def cancel_stamp():\n    return 'void'\n",
    "library/fines.py": "def fine(loan):\n    '''What a reader owes for a late book.'''\n    return loan.late * 2\n",
    **{f"library/extra_{number}.py": f"def late_{number}(book):\n    return book\n" for number in range(8)},
}


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("retrieval"), FILES) as found:
        yield found


def test_the_envelope_is_always_whole(ctx: Context) -> None:
    for question in ("late book", "zeppelin"):
        answer = search_code(ctx, question)
        assert (answer.schema_version, answer.tool, answer.query, answer.index.exists, answer.index.stale) == (1, "search_code", question, True, False)
        assert answer.index.built_at
    assert answer.results == []
    assert answer.confidence == "low"


def test_hits_say_where_what_and_why(ctx: Context) -> None:
    best = search_code(ctx, "Loan").results[0]
    assert (best.rank, best.path, best.lines[0]) == (1, "library/loans.py", 1)
    assert "library.loans.Loan" in best.symbols
    assert "defines Loan" in best.reason
    assert "class Loan" in best.snippet


def test_lines_that_do_not_matter_are_left_out_and_counted_unless_all_are_wanted(ctx: Context) -> None:
    short, whole = search_code(ctx, "renew days").results[0], search_code(ctx, "renew days", raw=True).results[0]
    assert short.skeletonized
    assert short.elided_lines > 20
    assert "def renew" in short.snippet
    assert not whole.skeletonized
    assert whole.snippet.count("filler") == 30


def test_a_snippet_is_of_the_lines_that_the_index_counts_also_behind_form_feeds(ctx: Context) -> None:
    best = search_code(ctx, "cancel_stamp").results[0]
    assert (best.lines, best.snippet) == ([25, 26], "def cancel_stamp():\n    return 'void'")


def test_the_budget_holds_for_all_snippets_and_the_rest_is_named(ctx: Context) -> None:
    answer = search_code(ctx, "late book", token_budget=100, raw=True)
    assert sum(hit.token_est for hit in answer.results) <= 100
    assert len(answer.recommended_reads) == sum(not hit.snippet for hit in answer.results) > 0


def test_pages_follow_one_another_without_gaps(ctx: Context) -> None:
    whole = [(hit.rank, hit.path) for hit in search_code(ctx, "late book", limit=8).results]
    first = search_code(ctx, "late book", limit=3)
    second = search_code(ctx, "late book", limit=5, cursor=first.next_cursor)
    assert [(hit.rank, hit.path) for hit in (*first.results, *second.results)] == whole


def test_bad_questions_are_refused_with_a_remedy(ctx: Context) -> None:
    with pytest.raises(InvalidParameter, match="query"):
        search_code(ctx, "  ")
    with pytest.raises(InvalidParameter, match="cursor"):
        search_code(ctx, "late book", cursor="AAAA")
