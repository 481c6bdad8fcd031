"""What of a long text is looked up."""

from __future__ import annotations

import contextlib
import time

import pytest

from codeagentd.model.kinds import SymbolKind
from codeagentd.query.graph.subgraph import subgraph
from codeagentd.query.retrieval.intent import read_intent
from codeagentd.query.retrieval.question import read
from codeagentd.query.retrieval.question_condensing import MOST_NAMES, MOST_WORDS, Mention, condensed, mentions
from codeagentd.query.retrieval.retrieve import retrieve
from codeagentd.store.connection import Database
from tests.unit.query.sample_index import SampleIndex

LONGEST = 32_000
PROSE = "people often expect other things from software when they have some time and another machine with much better weather outside while everybody waits"
ISSUE = f"""Overdue notices are sent twice

{PROSE}. {PROSE} again.

Traceback (most recent call last):
  File "/home/me/env/lib/python3.12/site-packages/library/notices.py", line 31, in send
    self.mailer.deliver(letter)
library.errors.PostageError: no stamp

I think that `renew_loan` should tell the mailer. {PROSE}.
"""


@pytest.fixture
def library(index: SampleIndex, db: Database) -> Database:
    """300 pieces of everyday words, three of which say something of the issue."""
    pieces = dict.fromkeys(range(300), PROSE)
    special = {
        5: "class Notices overdue notices send",
        6: "def renew_loan mailer deliver letter",
        7: "raise PostageError no stamp",
    }
    file = index.file("library/notices.py")
    index.symbol(file, "library.notices.renew_loan", SymbolKind.FUNCTION)
    index.symbol(file, "library.notices.PostageError", SymbolKind.CLASS)
    with contextlib.closing(Database(index.path, writable=True)) as writer, writer.transaction():
        for number, text in (pieces | special).items():
            chunk = (file << 20) + number
            writer.run("chunks.put", (chunk, 1 + number * 10, 10 + number * 10))
            writer.run(
                "chunks.put_words", (chunk, "library/notices.py" if number in special else "library/other.py", "", text)
            )
    return db


def test_a_short_question_is_looked_up_as_it_is(library: Database) -> None:
    for question in ("how are overdue notices sent", "renew_loan", "", "Notices.send"):
        assert condensed(library, question) == (read(question), {})


def test_of_an_issue_its_title_its_error_and_its_rare_words_are_looked_up_wherever_they_stand(
    library: Database,
) -> None:
    query = condensed(library, ISSUE).query
    assert {"overdue", "notices", "mailer", "deliver", "letter", "stamp"} <= {*query.words}
    assert {"renew_loan", "PostageError"} <= {*query.names}
    assert len(query.words) <= MOST_WORDS
    assert len(query.names) <= MOST_NAMES
    assert "weather" not in query.words[:4]


def test_an_issue_speaks_of_tests_and_documents_and_asks_for_the_code(library: Database) -> None:
    assert not condensed(library, f"{ISSUE}\nA test and a config file are in the docs.").query.about_tests
    assert not condensed(library, f"The test of overdue notices fails\n{ISSUE}").query.about_tests
    assert condensed(library, "the test of overdue notices").query.about_tests


def test_words_that_stand_nowhere_are_not_looked_up(library: Database) -> None:
    made_up = " ".join(f"zeppelin{chr(97 + number)}" for number in range(26))
    query, weighed = condensed(library, f"{made_up} {made_up} {ISSUE}")
    assert "mailer" in query.words
    assert not any(word.startswith("zeppelin") for word in query.words)
    assert sum(not count for count in weighed.values()) >= 26


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('File "/usr/lib/shop/cart.py", line 12, in add', [("/usr/lib/shop/cart.py", 12)]),
        ("at Object.<anonymous> (/w/src/cart.ts:7:3)", [("/w/src/cart.ts", 7)]),
        ("see src/cart.rs and src\\lib\\tax.cs:40", [("src/cart.rs", 0), ("src/lib/tax.cs", 40)]),
        ("cart.py:3: error", [("cart.py", 3)]),
        ("C:\\w\\cart.cs:3", [("C:/w/cart.cs", 3)]),
        ("a.b.c, e.g. this, 1.5 and x/y", []),
        ("a/b.py a/b.py", [("a/b.py", 0)]),
    ],
)
def test_files_are_named_by_a_path_or_a_line(text: str, found: list[tuple[str, int]]) -> None:
    assert mentions(text) == [Mention(*one) for one in found]


def test_a_file_in_a_traceback_is_found_and_said_to_be_named(library: Database) -> None:
    (best, *_) = retrieve(library, ISSUE, 5).chunks
    assert best.path == "library/notices.py"
    assert "named by path" in best.reasons


@pytest.mark.parametrize(
    "text",
    [
        *(
            "x" * LONGEST,
            "a/" * 16_000,
            "a." * 16_000,
            "a-" * 16_000,
            "aB" * 16_000,
            '"' * LONGEST,
            "中" * LONGEST,
            "\n" * LONGEST,
            "_" * LONGEST,
        ),
        *(
            "what who from " * 2_300,
            " ".join(f"word{number}" for number in range(4_000)),
            "E " * 16_000,
            "1:" * 16_000,
            (ISSUE * 40)[:LONGEST],
        ),
    ],
    ids=lambda text: text[:6].strip(),
)
def test_no_text_takes_long_or_is_a_syntax_error(library: Database, text: str) -> None:
    started = time.process_time()
    retrieve(library, text, 10)
    subgraph(library, text, 50, deep=False, places=[])
    read_intent(text)
    assert (
        time.process_time() - started < 1.5
    )  # a sixth of that where nothing else runs: what grows with the square takes a minute


def test_a_text_asks_the_index_little_however_long_it_is(library: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = []
    value = Database.value

    def counted(self: Database, name: str, *rest: object) -> object:
        counts.append(name)
        return value(self, name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Database, "value", counted)
    for words in (200, 5_000):
        counts.clear()
        retrieve(library, " ".join(f"word_{number}" for number in range(words))[:LONGEST] + ISSUE, 10)
        assert len(counts) < 250
