"""The analysis of the whole graph: when it is made, what is kept of it, and what becomes of it when things go wrong."""

from __future__ import annotations

import os
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from codeagentd.base import child_process
from codeagentd.base.paths import Jail
from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.pipeline.graph import analysis_scheduler, incremental_metrics, neighbourhood
from codeagentd.pipeline.graph.analysis_process import answer
from codeagentd.store.connection import Database
from codeagentd.toolkit.call import run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.analysed import differences
from tests.harness.served import served
from tests.harness.stored_rows import stored_rows
from tests.harness.waiting import comes

CATALOGUE = load("codeagentd.tools")
PATIENCE_S = 30.0


def package(name: str) -> dict[str, str]:
    functions = "\n\n".join(
        f"def {name}_{at}():\n" + "\n".join(f"    {name}_{other}()" for other in range(at)) + "\n    return 1"
        for at in range(6)
    )
    return {f"{name}/__init__.py": "", f"{name}/core.py": functions + "\n"}


FILES = (
    package("bank")
    | package("shop")
    | {"app.py": "from bank.core import bank_5\n\n\ndef main():\n    return bank_5()\n"}
)


def members(db: Database) -> dict[str, int]:
    return stored_rows(db).communities()


def generation(engine: IndexingEngine) -> int:
    with engine.readers.read() as db:
        return int(db.value("analysis.generation", (), -1))


def edit(engine: IndexingEngine, path: str, text: str) -> None:
    (engine.root / path).write_text(text)
    engine.request_scan()
    assert engine.sync(PATIENCE_S).caught_up


def test_nothing_is_analysed_before_somebody_asks_and_the_first_is_waited_for(tmp_path: Path) -> None:
    with served(tmp_path, FILES) as engine:
        assert generation(engine) == -1
        assert engine.analysed(PATIENCE_S)
        assert generation(engine) == engine.watermark().generation
        with engine.readers.read() as db:
            communities = members(db)
        assert len({communities[f"bank.core.bank_{at}"] for at in range(6)}) == 1
        assert communities["bank.core.bank_1"] != communities["shop.core.shop_1"]


def test_after_a_change_the_last_analysis_answers_and_the_next_waits_its_turn(tmp_path: Path) -> None:
    with served(tmp_path, FILES) as engine:
        assert engine.analysed(PATIENCE_S)
        first = generation(engine)
        edit(engine, "app.py", "def main():\n    return 2\n")
        started = time.monotonic()
        assert engine.analysed(PATIENCE_S)
        assert time.monotonic() - started < 1.0
        assert not comes(lambda: generation(engine) != first, 0.5)


def test_whoever_wants_the_present_graph_waits_for_its_analysis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path, FILES) as engine:
        assert engine.analysed(PATIENCE_S)
        edit(engine, "app.py", "def main():\n    return 2\n")
        assert engine.analysed(PATIENCE_S, current=True)
        assert generation(engine) == engine.watermark().generation
        edit(engine, "app.py", "def main():\n    return 3\n\n\ndef more():\n    return main()\n")
        monkeypatch.setattr(analysis_scheduler, "DEADLINE_S", 0.0)
        assert not engine.analysed(PATIENCE_S, current=True)


APP = "from bank.core import bank_5\n\n\ndef main():\n    return bank_5()\n"
OTHERS = (
    "from bank.core import bank_4\n\n\ndef main():\n    return bank_4()\n",
    (
        "from bank.core import bank_4\nfrom shop.core import shop_1\n\n\ndef main(bank):\n"
        "    return more(bank.open_it())\n\n\ndef more(one):\n    shop_1()\n"
    ),
    "class Bank:\n    def open_it(self):\n        return 1\n\n\ndef main(bank):\n    return bank.open_it()\n",
    "",
    APP,
)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For every process that analyses: whether a caller waits for it."""
    was_waited_for: list[bool] = []
    original = child_process.subprocess.Popen

    def noted(arguments: list[str], **more: Any) -> Any:
        was_waited_for.extend(
            analysis_scheduler.LOW_PRIORITY not in arguments
            for argument in arguments
            if argument == "codeagentd.pipeline.graph.analysis_process"
        )
        return original(arguments, **more)

    monkeypatch.setattr(child_process.subprocess, "Popen", noted)
    return was_waited_for


def state(engine: IndexingEngine) -> tuple[int, int | None]:
    """The generation of the last analysis, and how much has changed since."""
    with engine.readers.read() as db:
        analysed_generation, changed, _ = db.row("analysis.state") or (-1, None, 0)
    return analysed_generation, changed


def test_an_edit_that_connects_nothing_otherwise_leaves_the_analysis_one_of_the_present_graph(
    tmp_path: Path, started: list[bool]
) -> None:
    with served(tmp_path, FILES) as engine:
        assert engine.analysed(PATIENCE_S)
        for body in (
            "    total = 3\n    return bank_5() + total\n",
            "    # in two steps\n    first = bank_5()\n    return first + bank_5()\n",
        ):
            edit(engine, "app.py", f"from bank.core import bank_5\n\n\ndef main():\n{body}")
            assert state(engine) == (engine.watermark().generation, 0)
        assert engine.analysed(PATIENCE_S, current=True)
        assert len(started) == 1
        edit(engine, "app.py", "from bank.core import bank_4\n\n\ndef main():\n    return bank_4()\n")
        assert engine.analysed(PATIENCE_S, current=True)
        assert len(started) == 2


def test_what_one_edit_changes_is_counted_at_once_and_starts_no_analysis(
    tmp_path: Path, started: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis_scheduler, "PAUSE_S", 0.0)
    monkeypatch.setattr(analysis_scheduler, "SHARE", 0)
    with served(tmp_path, FILES) as engine:
        assert engine.analysed(PATIENCE_S)
        first = generation(engine)
        for text in OTHERS:
            edit(engine, "app.py", text)
            assert engine.analysed(PATIENCE_S)
            assert differences(engine.index_path) == {}
            assert generation(engine) == first
        assert len(started) == 1
        monkeypatch.setattr(analysis_scheduler, "LEAST_CHANGED", 1)
        assert engine.analysed(PATIENCE_S)
        assert comes(lambda: generation(engine) == engine.watermark().generation)
        assert started == [True, False], "the first is waited for, a later one leaves the processor to everybody else"


def test_a_new_symbol_joins_the_community_of_what_it_uses_and_one_that_went_is_no_member(tmp_path: Path) -> None:
    with served(tmp_path, FILES) as engine:
        assert engine.analysed(PATIENCE_S)
        calls = "".join(f"    bank_{at}()\n" for at in range(6))
        edit(
            engine,
            "late.py",
            f"from bank.core import {', '.join(f'bank_{at}' for at in range(6))}\n\n\ndef late():\n{calls}",
        )
        with engine.readers.read() as db:
            communities = members(db)
        assert communities["late.late"] == communities["bank.core.bank_1"]
        size = sum(community == communities["late.late"] for community in communities.values())
        (engine.root / "late.py").unlink()
        engine.request_scan()
        assert engine.sync(PATIENCE_S).caught_up
        with engine.readers.read() as db:
            assert stored_rows(db).community_sums()[communities["late.late"]][0] == size - 2


def test_edits_made_while_an_analysis_is_at_work_are_not_lost_with_its_answer(tmp_path: Path) -> None:
    with served(tmp_path, FILES) as engine:
        for attempt in range(2):  # also before the first analysis
            with closing(Database(engine.index_path)) as db:
                analysis = answer(db)
            for text in OTHERS:
                edit(engine, "app.py", text)
                edit(engine, f"late{attempt}.py", "from app import main\n\n\ndef late():\n    return main()\n")
            engine._analysis_inbox.hand_over(analysis)
            assert differences(engine.index_path) == {}
            assert state(engine)[0] == analysis.generation
            assert state(engine)[1]


def test_an_analysis_of_an_index_that_was_set_aside_is_not_kept(tmp_path: Path) -> None:
    with served(tmp_path, FILES) as engine:
        with closing(Database(engine.index_path)) as db:
            analysis = answer(db)
        engine._analysis_inbox.hand_over(msgspec.structs.replace(analysis, index=analysis.index - 1))
        assert generation(engine) == -1
        engine._analysis_inbox.hand_over(analysis)
        assert generation(engine) == engine.watermark().generation


def test_an_edit_that_touches_too_much_has_the_whole_analysed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(tmp_path, FILES) as engine:
        assert engine.analysed(PATIENCE_S)
        with closing(Database(engine.index_path)) as db:
            made_before = answer(db)
        for place, limit in (
            (neighbourhood, "MOST"),
            (neighbourhood, "MOST_AROUND"),
            (incremental_metrics, "BULK_RESOLVE_FILES"),
        ):
            with monkeypatch.context() as patch:
                patch.setattr(place, limit, 0)
                edit(engine, "app.py", f"from bank.core import bank_3\n\n\ndef {limit}():\n    return bank_3()\n")
            assert state(engine)[1] is None
            edit(engine, "app.py", "def main():\n    return 3\n")
            assert state(engine)[1] is None
            assert engine.analysed(PATIENCE_S, current=True)
            assert differences(engine.index_path) == {}
        engine._analysis_inbox.hand_over(made_before)
        assert state(engine)[1] is None


def test_communities_keep_their_numbers_when_one_file_changes_and_are_those_of_a_fresh_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis_scheduler, "PAUSE_S", 0.0)
    monkeypatch.setattr(analysis_scheduler, "SHARE", 0)
    monkeypatch.setattr(analysis_scheduler, "LEAST_CHANGED", 1)
    with served(tmp_path / "old", FILES) as engine:
        assert engine.analysed(PATIENCE_S)
        with engine.readers.read() as db:
            before = members(db)
        edit(engine, "app.py", "from shop.core import shop_5\n\n\ndef main():\n    return shop_5()\n")
        assert comes(lambda: engine.analysed(0.1) and generation(engine) == engine.watermark().generation)
        with engine.readers.read() as db:
            after = members(db)
    assert all(
        after[name] == community for name, community in before.items() if name.startswith(("bank.core", "shop.core"))
    )
    changed = FILES | {"app.py": "from shop.core import shop_5\n\n\ndef main():\n    return shop_5()\n"}
    with served(tmp_path / "new", changed) as engine:
        assert engine.analysed(PATIENCE_S)
        with engine.readers.read() as db:
            fresh = members(db)
    pairs = {(after[name], fresh[name]) for name in fresh}
    assert len(pairs) == len(set(after.values())) == len(set(fresh.values()))


def test_an_analysis_that_takes_too_long_is_ended_and_the_tool_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis_scheduler, "DEADLINE_S", 0.0)
    with served(tmp_path, FILES) as engine:
        ctx = Context(engine.root, engine.readers, engine, Jail(engine.root), engine.ignored)
        error = run(CATALOGUE["graph_stats"], ctx, {}).structured["error"]
        assert error["code"] == "engine_unavailable"
        assert "again" in error["remedy"]
        assert engine.status().worker_pids == () or comes(lambda: not engine.status().worker_pids)


def test_an_engine_that_closes_ends_the_analysis_at_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    original = child_process.subprocess.Popen

    def slow(arguments: list[str], **more: object) -> object:
        process = original(
            ["sleep", "600"] if "codeagentd.pipeline.graph.analysis_process" in arguments else arguments, **more
        )  # type: ignore[call-overload]
        started.append(process.pid)
        return process

    with served(tmp_path, FILES) as engine:
        monkeypatch.setattr(child_process.subprocess, "Popen", slow)
        assert not engine.analysed(0.2)
        assert comes(lambda: bool(started))
    assert comes(lambda: not _lives(started[0]))


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
