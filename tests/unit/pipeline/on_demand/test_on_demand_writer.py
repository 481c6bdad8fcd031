"""What the on-demand index knows of the names that questions ask for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.pipeline.on_demand import answer_steps, on_demand_writer
from codeagentd.pipeline.on_demand.raw_search import Listing
from tests.harness.on_demand import NAMES_OF_SHOPS, Partial, shops, write
from tests.harness.stored_rows import rows_of_engine

COUNT = 8


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    write(root, shops(COUNT))
    return root


@pytest.fixture
def partial(repo: Path, tmp_path: Path) -> Iterator[Partial]:
    result = Partial(repo, tmp_path / "on-demand")
    yield result
    result.close()


def test_callers_are_those_of_the_whole_index(repo: Path, partial: Partial, tmp_path: Path) -> None:
    engine = IndexingEngine(repo, tmp_path / "index", tmp_path / "blobs", use_watcher=False)
    engine.start()
    try:
        assert engine.wait_caught_up(60)
        for name in [form.format(place) for form in NAMES_OF_SHOPS for place in (0, 3, COUNT - 1)]:
            coverage = partial.ask(name)
            assert coverage.is_whole, name
            expected = rows_of_engine(engine).callers(name)
            assert expected, name
            assert partial.rows.callers(name) == expected, name
    finally:
        engine.close(10)


def test_only_files_that_matter_for_the_name_are_read(partial: Partial) -> None:
    partial.ask("c_pay_3")
    assert set(partial.read) == {"c/include/deep/till.h", "c/till3.c", "c/shop3.c", "c/shop2.c"}


def test_a_name_that_nothing_mentions_is_known_not_to_exist(partial: Partial) -> None:
    coverage = partial.ask("nothing_has_this_name")
    assert coverage.is_whole
    assert coverage.mentioning == 0


def test_a_part_of_a_name_finds_files_too(partial: Partial) -> None:
    coverage = partial.ask("PAY_3")
    assert coverage.indexed
    assert partial.rows.callers("c_pay_3")


def test_a_file_is_indexed_by_its_path(partial: Partial) -> None:
    partial.ask(paths=("py/shop1.py",))
    assert "py/shop1.py" in partial.read


def test_a_text_finds_the_files_that_have_most_of_its_words(repo: Path, tmp_path: Path) -> None:
    (repo / "py/ledger.py").write_text("def balance():\n    '''The monthly ledger of all debtors.'''\n")
    partial = Partial(repo, tmp_path / "words")
    coverage = partial.ask(words=("monthly", "ledger", "debtors"))
    assert partial.read[0] == "py/ledger.py"
    assert not coverage.is_whole  # a search in words never knows that
    assert partial.rows.chunks()
    partial.close()


def test_untracked_files_are_searched(repo: Path, tmp_path: Path) -> None:
    (repo / "py/new.py").write_text("from shops.till0 import open_0\n\n\ndef late():\n    return open_0()\n")
    partial = Partial(repo, tmp_path / "new")
    partial.ask("open_0")
    assert "py/new.py" in partial.read
    partial.close()


@pytest.mark.parametrize("git", [True, False])
def test_without_git_the_files_themselves_are_searched(tmp_path: Path, *, git: bool) -> None:
    root = tmp_path / "plain"
    write(root, shops(3), git=git)
    partial = Partial(root, tmp_path / "on-demand")
    assert partial.ask("py_pay_1").is_whole
    assert partial.rows.callers("py_pay_1")
    partial.close()


def test_where_git_does_not_answer_the_files_are_searched(
    partial: Partial, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert partial.ask("py_pay_1").is_whole
    assert partial.rows.callers("py_pay_1")


def test_ignored_and_secret_files_are_never_read(repo: Path, tmp_path: Path) -> None:
    hidden = {
        ".gitignore": "left_out/\n",
        ".codeagentignore": "own/\n",
        "left_out/a.py": "def py_pay_1(): ...\n",
        "own/b.py": "def py_pay_1(): ...\n",
        "settings/c.py": "def py_pay_1(): ...\n",
        ".ssh/d.py": "def py_pay_1(): ...\n",
        "secrets.json": '{"py_pay_1": 1}\n',
    }
    write(repo, hidden)
    partial = Partial(repo, tmp_path / "on-demand", ignore=("settings/",))
    partial.ask("py_pay_1")
    assert partial.read
    assert not {*partial.read} & hidden.keys()
    assert not {*partial.rows.paths()} & (hidden.keys() - {".gitignore", ".codeagentignore"})
    partial.close()


def test_a_changed_file_is_read_again(repo: Path, partial: Partial) -> None:
    partial.ask("py_pay_1")
    (repo / "py/shop1.py").write_text("def other():\n    return 1\n")
    partial.ask("py_pay_1")
    assert "py/shop1.py" not in {path for _, path, _ in partial.rows.callers("py_pay_1")}
    (repo / "py/shop0.py").unlink()
    partial.ask("py_pay_1")
    assert "py/shop0.py" not in {path for _, path, _ in partial.rows.callers("py_pay_1")}


def test_a_popular_name_is_indexed_in_steps(repo: Path, partial: Partial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_steps, "STEP_S", 0.0)
    monkeypatch.setattr(on_demand_writer, "LISTED_S", 0.0)
    write(repo, {f"many/m{place}.py": "from shops.till1 import open_1\nopen_1()\n" for place in range(30)})
    question = answer_steps.Question(("open_1",))
    steps = answer_steps.AnswerSteps(partial.writer, question, answer_steps.RawSearch(repo, question, Listing(repo)))
    seen = []
    for has_worked in steps.run():
        if has_worked:
            seen.append(steps.coverage)
    assert len(seen) > 5
    assert not seen[0].is_whole
    assert "py/shops/till1.py" in partial.read[: answer_steps.FIRST_STEP]  # its definition first
    assert not any(coverage.is_whole for coverage in seen[:-1])
    assert steps.coverage.is_whole


def test_a_lookup_waits_for_the_definition_and_not_for_all_that_mention_it(
    repo: Path, partial: Partial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_steps, "STEP_S", 0.0)
    monkeypatch.setattr(on_demand_writer, "LISTED_S", 0.0)
    write(repo, {f"many/m{place}.py": "from shops.till1 import open_1\nopen_1()\n" for place in range(30)})
    question = answer_steps.Question(("open_1",), needs_uses=False)
    steps = answer_steps.AnswerSteps(partial.writer, question, answer_steps.RawSearch(repo, question, Listing(repo)))
    settled = next(steps.coverage for _ in steps.run() if steps.is_settled)
    assert not settled.is_whole
    assert settled.indexed < settled.mentioning
    assert ("open_1", "py/shops/till1.py") in {(symbol.name, symbol.path) for symbol in partial.rows.symbols()}
