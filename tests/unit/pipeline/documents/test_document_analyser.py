"""The process that analyses documents: what it answers, and that no text can take it away from others for long."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagentd.base.child_process import python_command
from codeagentd.model.documents import FULL, IMPORTS, REFUSED, DocumentAnalysis, DocumentText, Fold, Place
from codeagentd.pipeline.documents import document_analyser
from codeagentd.pipeline.documents.document_analyser import DocumentAnalyser
from tests.harness.document_index import DocumentIndex, documents_of
from tests.harness.processes import alive
from tests.harness.waiting import comes

PATIENCE_S = 60.0
TEXT = "import os\nimport sys\n\n\ndef lend(book):\n    return book\n\n\nlend(1)\n"
# the process, in which some texts hang the parser or end it; `slow` ones take a while
PROGRAM = """
import os, sys, time
from codeagentd.pipeline.documents import document_process, document_resolver
extract = document_resolver.extract_document
def odd(source, *rest):
    if b"HANG" in source:
        time.sleep(100)
    if b"CRASH" in source:
        os.abort()
    if b"FAIL" in source:
        raise LookupError
    if b"SLOW" in source:
        time.sleep(0.3)
    return extract(source, *rest)
document_resolver.extract_document = odd
sys.argv[1:] = {arguments!r}
document_process.main()
"""


@pytest.fixture
def documents(tmp_path: Path) -> Iterator[DocumentIndex]:
    with documents_of(tmp_path, {"loans.py": TEXT}) as index:
        yield index


@pytest.fixture
def analyser(documents: DocumentIndex, monkeypatch: pytest.MonkeyPatch) -> Iterator[DocumentAnalyser]:
    def command(_module: str, *arguments: str) -> list[str]:
        return python_command("-c", PROGRAM.format(arguments=list(arguments)))

    monkeypatch.setattr(document_analyser, "module_command", command)
    monkeypatch.setattr(document_analyser, "DEADLINE_S", 1.0)
    made = DocumentAnalyser(documents.path, 100_000, generation=lambda: 0)
    yield made
    made.close()


def document(text: str = TEXT, path: str = "loans.py") -> DocumentText:
    return DocumentText(path, "python", text)


def names(analysis: DocumentAnalysis | None) -> list[str]:
    assert analysis is not None
    return [definition.name for definition in analysis.definitions[1:]]


def test_a_text_is_analysed_by_a_process_that_starts_with_the_first_question(
    analyser: DocumentAnalyser, documents: DocumentIndex
) -> None:
    assert analyser.pid == 0
    analysis = analyser.analysis(document(), PATIENCE_S)
    assert analysis is not None
    assert analysis == documents.analyse("loans.py", TEXT)
    assert alive(analyser.pid)


def test_the_same_text_is_analysed_once(analyser: DocumentAnalyser) -> None:
    found: list[DocumentAnalysis | None] = []
    threads = [
        threading.Thread(target=lambda: found.append(analyser.analysis(document("# SLOW\n"), PATIENCE_S)))
        for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] is not None
    assert all(analysis is found[0] for analysis in found)
    assert analyser.analysis(document("# SLOW\n"), 0.0) is found[0]


def test_a_newer_version_makes_an_older_one_that_waits_unnecessary(analyser: DocumentAnalyser) -> None:
    assert analyser.analysis(document(), PATIENCE_S)
    found: dict[str, DocumentAnalysis | None] = {}

    def ask(text: str) -> None:
        found[text] = analyser.analysis(document(text), PATIENCE_S)

    texts = [f"# SLOW {number}\n" for number in range(4)]
    threads = [threading.Thread(target=ask, args=(text,)) for text in texts]
    for number, thread in enumerate(threads):
        thread.start()
        assert comes(
            lambda number=number: len(analyser._waiting) + len(analyser._running) + len(found) > min(number, 1)
        )  # type: ignore[misc]
    for thread in threads:
        thread.join()
    assert found[texts[3]] is not None
    assert None in [found[text] for text in texts[1:3]]


@pytest.mark.parametrize("word", ["HANG", "CRASH"])
def test_a_text_that_ends_the_process_is_refused_and_others_are_answered(analyser: DocumentAnalyser, word: str) -> None:
    assert names(analyser.analysis(document(), PATIENCE_S)) == ["lend"]
    first = analyser.pid
    assert analyser.analysis(document(f"# {word}\n"), PATIENCE_S) is None
    refused = analyser.analysis(document(f"# {word}\n"), 0.0)
    assert refused is not None
    assert refused.status == REFUSED
    assert analyser.folds(document(f"# {word}\n"), 0.0) == []
    assert names(analyser.analysis(document(TEXT + "\n"), PATIENCE_S)) == ["lend"]
    assert analyser.pid != first


def test_an_internal_error_costs_its_text_alone(analyser: DocumentAnalyser) -> None:
    assert analyser.analysis(document("# FAIL\n"), PATIENCE_S) is None
    first = analyser.pid
    assert names(analyser.analysis(document(), PATIENCE_S)) == ["lend"]
    assert analyser.pid == first


def test_a_process_that_was_killed_between_questions_starts_again(analyser: DocumentAnalyser) -> None:
    assert analyser.analysis(document(), PATIENCE_S)
    process = analyser._process
    assert process is not None
    process.kill_and_wait()
    assert names(analyser.analysis(document(TEXT + "\n"), PATIENCE_S)) == ["lend"]
    assert analyser.pid != process.pid


def test_an_index_that_cannot_be_read_is_no_fault_of_a_text(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    path.write_bytes(b"no database" * 1_000)
    analyser = DocumentAnalyser(path, generation=lambda: 0)
    try:
        assert analyser.analysis(document(), PATIENCE_S) is None
        assert analyser.analysis(document(), PATIENCE_S) is None, (
            "it is not refused, and the process not started at once"
        )
        assert analyser.pid == 0
    finally:
        analyser.close()


def test_a_text_larger_than_the_limit_is_refused_at_once(analyser: DocumentAnalyser) -> None:
    analysis = analyser.analysis(document("x = 1\n" * 100_000), 0.0)
    assert analysis is not None
    assert analysis.status == REFUSED
    assert analyser.pid == 0


def test_folds_and_ranges_are_those_of_the_syntax(analyser: DocumentAnalyser) -> None:
    assert analyser.folds(document(), PATIENCE_S) == [Fold(1, 2, IMPORTS), Fold(5, 6)]
    (ranges,) = analyser.selection_ranges(document(), [Place(6, 12)], PATIENCE_S)
    assert [(found.line_start, found.column_start, found.column_end) for found in ranges[:2]] == [
        (6, 11, 15),
        (6, 4, 15),
    ]
    assert (ranges[-1].line_start, ranges[-1].column_start) == (1, 0)
    outer = [(found.line_start, -found.line_end) for found in ranges]
    assert outer == sorted(outer, reverse=True)


def test_completions_are_made_for_the_text_that_the_process_has(analyser: DocumentAnalyser) -> None:
    names_here = [completion.name for completion in analyser.completions(document(), 6, 4, PATIENCE_S)]
    assert names_here == ["book", "lend", "os", "sys"]


def test_without_a_whole_index_a_document_knows_itself(tmp_path: Path) -> None:
    analyser = DocumentAnalyser(tmp_path / "none.db", generation=lambda: 0, is_whole=lambda: False)
    try:
        analysis = analyser.analysis(document(), PATIENCE_S)
        assert analysis is not None
        assert (analysis.status, names(analysis)) == (FULL, ["lend"])
        assert [use.target for use in analysis.uses if use.line == 9] == [-2]
        assert analyser.analysis(document(), 0.0) is analysis
    finally:
        analyser.close()


def test_closing_ends_the_process_and_whoever_waits(analyser: DocumentAnalyser) -> None:
    assert analyser.analysis(document(), PATIENCE_S)
    pid, found = analyser.pid, list[object]()
    waiting = threading.Thread(target=lambda: found.append(analyser.analysis(document("# HANG\n"), PATIENCE_S)))
    waiting.start()
    assert comes(lambda: bool(analyser._running))
    analyser.close()
    waiting.join(PATIENCE_S)
    assert found == [None]
    assert not alive(pid)
    assert analyser.analysis(document("# new\n"), 0.0) is None
