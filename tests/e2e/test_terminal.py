"""What a person at a terminal sees."""

from __future__ import annotations

import re

import pytest

from tests.harness.terminal import on_terminal
from tests.harness.world import World

MANY = {
    f"pack/module_{number}.py": "".join(f"def work_{number}_{n}(a):\n    return a + {n}\n\n\n" for n in range(60))
    for number in range(250)
}


@pytest.mark.parametrize("command", [("symbol", "work_7_7"), ("call", "search_symbols", "query=work_7_7")])
def test_a_question_that_waits_for_the_first_index_shows_how_far_it_is(command: tuple[str, ...]):
    with World() as world:
        repo = world.repository("shop", MANY)
        code, shown = on_terminal(world, repo, *command)
        assert code == 0, shown
        assert re.search(r"(waiting|scan|extract|resolve|commit)\w* .*0:00:0\d", shown), shown
        assert "work_7_7" in shown.rsplit("\x1b[2K", 1)[-1], "the bar is gone before the answer comes"
        code, shown = on_terminal(world, repo, *command)
        assert "0:00:0" not in shown, "an answer that comes at once comes alone"


def test_a_question_that_waits_says_nothing_where_there_is_no_terminal():
    with World() as world:
        done = world.codeagentd("symbol", "work_7_7", cwd=world.repository("shop", MANY))
        assert (done.code, done.err) == (0, "")
        assert done.out.startswith("pack/module_7.py:")


LONG = {
    "package/module_with_a_long_name.py": "def function_with_a_long_name(first_parameter, second_parameter, third_parameter):\n"
    "    return first_parameter\n",
    "package/another_module_with_a_long_name.py": "from package.module_with_a_long_name import function_with_a_long_name\n\n\n"
    "def another_function_with_a_long_name():\n"
    "    return function_with_a_long_name('a long text, longer than the line of a terminal', 2, function_with_a_long_name)\n",
}
NAME = "function_with_a_long_name"
COMMANDS = [
    ("--help",), ("languages",), ("tools",), ("schema", "search_symbols"), ("status",), ("status", "--all"), ("install", "--list"),
    ("doctor",), ("config",), ("stats",), ("memory", "list"), ("symbol", NAME), ("refs", NAME), ("callers", NAME), ("callees", "another_" + NAME),
    ("outline", "package/module_with_a_long_name.py"), ("search", NAME), ("explain", NAME), ("impact", NAME), ("affected", NAME), ("describe", NAME),
    ("source", NAME), ("query", NAME), ("query", "MATCH (f:function)-[:calls]->(g) RETURN f, g"), ("architecture",), ("predict", "package/module_with_a_long_name.py"),
    ("refs", "function_with_a_lng_name"), ("refactor", "plan", NAME, "shorter"),
]  # fmt: skip


def test_every_answer_fits_a_terminal_of_80_columns():
    with World() as world:
        repo = world.repository("shop", LONG)
        world.index(repo)
        for command in COMMANDS:
            _, shown = on_terminal(world, repo, *command, width=80)
            lines = [
                re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", line) for line in shown.rsplit("\x1b[2K", 1)[-1].splitlines()
            ]
            assert any(lines), command
            assert [line for line in lines if len(line) > 80 and len(line.split()) > 1] == [], command


def test_a_pipe_gets_the_whole_line_of_source():
    with World() as world:
        repo = world.repository("shop", LONG)
        world.index(repo)
        world.environment["COLUMNS"] = "80"
        (line,) = world.codeagentd("callers", NAME, cwd=repo).out.splitlines()
        assert line.endswith("longer than the line of a terminal', 2, function_with_a_long_name)")


@pytest.mark.parametrize("command", [("doctor",), ("status",), ("status", "--repo", "/")])
def test_long_lines_break_between_words(command: tuple[str, ...]):
    with World() as world:
        repo = world.repository("shop", {"a.py": "x = 1\n", "notes.rack": "", "one.shelf": "", "two.desk": ""})
        world.index(repo)
        _, shown = on_terminal(world, repo, *command, "--no-color", width=50)
        lines = shown.replace("\r", "").splitlines()
        assert lines
        wide = [line for line in lines if len(line) > 50]
        assert [line for line in wide if len(line.split()[-1]) < 20] == [], (
            "only a path may be too long, since it stays whole"
        )


def test_who_stops_waiting_for_an_index_is_told_that_it_is_made_all_the_same():
    with World() as world:
        repo = world.repository(
            "shop", {path: text * 4 for path, text in MANY.items()}
        )  # more than a busy machine reads before it shows the bar
        code, shown = on_terminal(world, repo, "index", "--wait", interrupted_at="0:00:0")
        assert code == 130
        assert "the daemon goes on indexing" in shown
        world.index(repo)
