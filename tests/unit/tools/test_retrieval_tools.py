"""search_code as clients call it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from codeagent_protocol.errors import InvalidParameter
from codeagentd.model.retrieval import CodeHit
from codeagentd.query.retrieval.tokens import estimate
from codeagentd.toolkit.call import run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.sent_snippets import Delivery, SentSnippets
from codeagentd.toolkit.toolsets import load
from codeagentd.tools.retrieval.explain import explain_code
from codeagentd.tools.retrieval.hits import cost
from codeagentd.tools.retrieval.search_code import search_code
from tests.harness.served import surroundings

CATALOGUE = load("codeagentd.tools")
FILES = {
    "library/loans.py": "class Loan:\n    '''A book that a reader has.'''\n\n    def renew(self, days):\n        self.due += days\n"
    + "    # filler\n" * 30,
    "library/stamps.py": "x = 1\n\x0c\n" * 12 + "def cancel_stamp():\n    return 'void'\n",
    "library/marks.py": "from hashlib import sha256\n",
    "library/fines.py": "def fine(loan):\n    '''What a reader owes for a late book.'''\n    return loan.late * 2\n",
    **{f"library/extra_{number}.py": f"def late_{number}(book):\n    return book\n" for number in range(8)},
}


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("retrieval"), FILES) as found:
        yield found


def tokens_of(hit: CodeHit) -> int:
    return sum(
        map(estimate, (f"{hit.path}:{hit.lines[0]}-{hit.lines[1]}\n{hit.reason}", "\n".join(hit.symbols), hit.snippet))
    )


def test_the_envelope_is_always_whole(ctx: Context) -> None:
    for question in ("late book", "zeppelin"):
        answer = search_code(ctx, question)
        assert (answer.schema_version, answer.tool, answer.query, answer.index.exists, answer.index.stale) == (
            1,
            "search_code",
            question,
            True,
            False,
        )
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", answer.index.built_at)
    assert answer.results == []
    assert (answer.confidence, answer.note) == ("low", "not in the indexed text: zeppelin")


def test_a_question_about_what_is_not_there_says_so_and_is_trusted_little(ctx: Context) -> None:
    answer = search_code(ctx, "late zeppelin harbour")
    assert (answer.note, answer.confidence) == ("not in the indexed text: zeppelin, harbour", "low")
    assert answer.results
    assert (search_code(ctx, "late book").note, search_code(ctx, "late zeppelin book").note) == (
        "",
        "not in the indexed text: zeppelin",
    )
    assert explain_code(ctx, "late zeppelin harbour").confidence == "low"
    assert (search_code(ctx, "sha256 of a book").note, search_code(ctx, "md5 of a book").note) == (
        "",
        "not in the indexed text: md5",
    )
    defined = search_code(ctx, "Loan zeppelin")
    assert (defined.results[0].path, defined.note) == ("library/loans.py", "not in the indexed text: zeppelin")


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


@pytest.mark.parametrize("budget", [100, 200, 400, 700, 1500])
@pytest.mark.parametrize("raw", [False, True])
def test_the_budget_holds_for_all_that_is_told_and_the_rest_is_on_the_next_page(
    ctx: Context, budget: int, raw: bool
) -> None:
    seen: list[tuple[str, int]] = []
    cursor = None
    while True:
        answer = search_code(ctx, "late book", token_budget=budget, raw=raw, cursor=cursor)
        assert sum(hit.token_est for hit in answer.results) + cost(ctx, answer.recommended_reads) <= budget
        assert all(hit.token_est == tokens_of(hit) for hit in answer.results)
        named = answer.results or answer.recommended_reads
        seen += [(one.path, one.lines[0]) for one in named]
        if answer.results:
            assert [read.path for read in answer.recommended_reads] == [
                hit.path for hit in answer.results if not hit.snippet
            ]
        cursor = answer.next_cursor
        if not cursor:
            break
    assert seen == [
        (hit.path, hit.lines[0]) for hit in search_code(ctx, "late book", limit=50, token_budget=20_000).results
    ]


def test_a_budget_below_one_hit_gives_reads_alone(ctx: Context) -> None:
    answer = search_code(
        msgspec.structs.replace(ctx, tokens=lambda text: 20 if ":" in text else 90), "late book", token_budget=100
    )  # a read costs 20
    assert answer.results == []
    assert len(answer.recommended_reads) == 5
    nothing = search_code(msgspec.structs.replace(ctx, tokens=lambda text: 101), "late book", token_budget=100)
    assert (nothing.results, nothing.recommended_reads) == ([], [])
    assert nothing.next_cursor


def test_the_budget_of_an_explanation_holds_for_relations_too(ctx: Context) -> None:
    for budget in (100, 300, 1000):
        answer = explain_code(ctx, "how is a late book fined", token_budget=budget)
        around = sum(
            estimate(f"{one.symbol}\n{one.path}:{one.line}\n{one.callers}\n{one.callees}") for one in answer.relations
        )
        assert sum(hit.token_est for hit in answer.results) + cost(ctx, answer.recommended_reads) + around <= budget


def test_a_session_gets_a_snippet_as_often_as_it_asks(ctx: Context) -> None:
    sent_snippets = SentSnippets()
    for more in ({}, {"dedupe": True}, {}):
        call = msgspec.structs.replace(ctx, delivery=Delivery(sent_snippets))
        hits = search_code(call, "late book", limit=3, **more).results
        call.delivery.confirm()
        assert all(
            hit.snippet and not hit.already_sent for hit in hits
        )  # what was sent without `dedupe` may be another agent's


def test_a_session_that_wants_no_snippet_twice_gets_it_once(ctx: Context) -> None:
    sent_snippets = SentSnippets()

    def asked(delivered: bool = True) -> list[CodeHit]:
        call = msgspec.structs.replace(ctx, delivery=Delivery(sent_snippets))
        hits = search_code(call, "late book", limit=3, dedupe=True).results
        if delivered:
            call.delivery.confirm()
        return hits

    first = asked(delivered=False)
    assert asked() == first  # what was cancelled was not sent
    assert all(hit.snippet and not hit.already_sent for hit in first)
    again = asked()
    assert all(hit.already_sent and not hit.snippet for hit in again)
    assert all(now.token_est < then.token_est for now, then in zip(again, first, strict=True))
    assert [hit.already_sent for hit in search_code(ctx, "late book", limit=3, dedupe=True).results] == [
        False
    ] * 3  # another session


def test_a_snippet_that_has_changed_is_sent(ctx: Context) -> None:
    sent_snippets = SentSnippets()
    place = ctx.root / "library/fines.py"
    text = place.read_text()
    try:
        for number in range(2):
            call = msgspec.structs.replace(ctx, delivery=Delivery(sent_snippets))
            best = search_code(call, "fine", limit=1, raw=True, dedupe=True).results[0]
            call.delivery.confirm()
            assert (best.path, best.already_sent) == ("library/fines.py", False)
            place.write_text(text.replace("* 2", f"* {number + 3}"))
    finally:
        place.write_text(text)


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


def test_a_class_that_every_file_names_does_not_hide_what_a_sentence_with_its_name_asks_for(tmp_path: Path) -> None:
    files = {
        f"desk/part_{number}.py": f"from desk.ledger import Ledger\n\ndef part_{number}(ledger: Ledger):\n    return ledger.page\n"
        for number in range(30)
    }
    files["desk/ledger.py"] = "class Ledger:\n    page = 1\n"
    files["desk/closing.py"] = (
        "from desk.ledger import Ledger\n\ndef closed(ledger: Ledger):\n    '''Emits the balance at the end.'''\n    return ledger.page\n"
    )
    with surroundings(tmp_path, files) as ctx:
        first = search_code(ctx, "emits the balance of the Ledger").results[:2]
        assert {hit.path for hit in first} == {"desk/closing.py", "desk/ledger.py"}
        assert search_code(ctx, "Ledger").results[0].path == "desk/ledger.py"


@pytest.mark.parametrize("tool", ["search_code", "explain_code"])
def test_a_whole_issue_is_a_question(ctx: Context, tool: str) -> None:
    text = "Fines of late books are wrong\n\n" + " ".join(f"line{number} of our log," for number in range(3_000))
    answer = run(CATALOGUE[tool], ctx, {"query": text[:32_000], "token_budget": 1_000}).structured
    assert answer["results"][0]["path"] == "library/fines.py"
    assert "late" in answer["note"].partition("was looked up: ")[2].split(", ")
    assert len(answer["query"]) < 600
    assert run(CATALOGUE[tool], ctx, {"query": "x " * 16_001}).code == "too_large"


@pytest.mark.parametrize("text", ["x" * 32_000, "aB" * 16_000, "中" * 32_000, ("late " + "x" * 400 + " ") * 70])
def test_an_endless_word_makes_no_endless_answer(ctx: Context, text: str) -> None:
    answer = run(CATALOGUE["search_code"], ctx, {"query": text, "token_budget": 200})
    assert not answer.is_error
    assert len(answer.text) < 3_000


def test_an_issue_about_something_else_is_trusted_little(ctx: Context) -> None:
    words = " ".join(f"zeppelin{chr(97 + number)}" for number in range(26))
    assert search_code(ctx, f"late {words}").confidence == "low"


@pytest.mark.parametrize("tool", [name for name, tool in CATALOGUE.items() if tool.toolset == "retrieval"])
def test_every_description_of_page_003_has_an_example_and_says_how_it_fails(tool: str) -> None:
    description = CATALOGUE[tool].description
    assert "E.g. " in description or "such as `" in description
    assert any(
        words in description for words in ("Fails on ", "never fails", "Without an index yet", "gives no results")
    )


@pytest.mark.parametrize(
    ("tool", "parameter"),
    [("find_refs", "symbol"), ("impact_of", "target"), ("describe_symbol", "symbol"), ("path_between", "source")],
)
def test_they_fail_as_they_say(ctx: Context, tool: str, parameter: str) -> None:
    other = {"target": "library/loans.py"} if tool == "path_between" else {}
    assert run(CATALOGUE[tool], ctx, {parameter: "zeppelin", **other}).code == "not_found"


@pytest.mark.parametrize(
    "tool",
    [
        name
        for name, tool in CATALOGUE.items()
        if tool.toolset == "retrieval" and "of several symbols" in tool.description
    ],
)
def test_who_says_so_refuses_a_name_of_several_symbols_with_candidates(tmp_path: Path, tool: str) -> None:
    parameter = next(iter(CATALOGUE[tool].input_schema["properties"]))
    other = {"target": "a.py"} if tool == "path_between" else {}
    with surroundings(tmp_path, {"a.py": "def lend():\n    pass\n", "b.py": "def lend():\n    pass\n"}) as ctx:
        answer = run(CATALOGUE[tool], ctx, {parameter: "lend", **other})
    assert answer.code == "invalid_parameter"
    assert len(answer.structured["error"]["candidates"]) == 2


def test_a_name_of_nothing_is_found_nowhere_and_an_empty_one_is_refused(ctx: Context) -> None:
    assert run(CATALOGUE["find_symbol"], ctx, {"name": "zeppelin"}).structured["results"] == []
    for tool, parameter in (("find_symbol", "name"), ("search_code", "query"), ("explain_code", "query")):
        assert run(CATALOGUE[tool], ctx, {parameter: " "}).code == "invalid_parameter"
