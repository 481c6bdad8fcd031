"""One line on a machine that has nothing but Python, or nothing but Node.js: a client with the server, and a true answer
about a repository of 500 files within a minute, download included. The same line again changes nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from pathlib import Path
from typing import Final

import pytest

from tests.harness import git_repositories, portable_python
from tests.harness.clean_machines import HOME, Machine
from tests.harness.loopback_registries import registries
from tests.harness.window import Window

pytestmark = [pytest.mark.long, pytest.mark.limit(600)]

FILES: Final = 500
CALLERS: Final = 7
WITHIN_S: Final = 60
WITHIN_BY_PIP_S: Final = 180  # which fetches one package after the other
SETUP: Final = "--client claude-code --repo shop"
ASK: Final = "call get_callers node_id=shop.part_0.total --repo shop"


def with_repository(made: Machine) -> None:
    """Put a repository of 500 files into the home directory: seven of them call a function of the first."""
    shop = git_repositories.repository(made.home / "shop")
    for number in range(FILES - len(list(shop.rglob("*.py")))):
        calls = "from shop.part_0 import total\n\n\ndef checkout(cart):\n    return total(cart)\n"
        own = f"def total(cart):\n    return sum(cart) + {number}\n"
        path = shop / "shop" / f"part_{number}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(calls if 0 < number <= CALLERS else own)
    git_repositories.run(shop, "add", ".")
    git_repositories.run(shop, "commit", "-qm", "The shop")
    made.owned(shop)


def callers(answer: str) -> set[int]:
    """The numbers of the files that an answer names, in whichever form its rows are; without that of the symbol."""
    return {int(number) for number in re.findall(r"\bpart_(\d+)\b", answer)} - {0}


def state(made: Machine) -> dict[str, bytes]:
    """The content of the files in the home directory that are not caches or logs."""
    left_out = {".cache", ".npm", "state", "__pycache__", "shop"}
    paths = [path.relative_to(made.home) for path in made.home.rglob("*") if path.is_file()]
    return {str(path): (made.home / path).read_bytes() for path in paths if not {*path.parts} & left_out}


def assert_one_line_is_enough(made: Machine, line: str, within_s: float = WITHIN_S) -> None:
    """Run the line twice, and ask through the client's configuration."""
    with_repository(made)
    first = made.run(line)
    assert first.code == 0, first.err
    expected = {*range(1, CALLERS + 1)}
    assert callers(first.out) == expected
    before = state(made)
    again = made.run(line)
    assert again.code == 0, again.err
    changed = {path for path, content in state(made).items() if before.get(path) != content}
    assert not changed
    entry = json.loads((made.home / ".claude.json").read_text())["mcpServers"]["codeagent"]
    command = made.command(" ".join([entry["command"], *entry["args"]]), f"{HOME}/shop")
    with contextlib.closing(Window(command, os.environ, None, Path(os.devnull))) as window:
        window.initialize()
        assert callers(json.dumps(window.must("get_callers", {"node_id": "shop.part_0.total"}).data)) == expected
    print(f"first answer after {first.seconds:.1f} s, again after {again.seconds:.1f} s: {line}")
    assert first.seconds <= within_s


def test_one_line_is_enough_where_there_is_only_node(release: Path, node_alone: Machine, python_alone: Machine):
    with registries(release, portable_python.archive(python_alone)) as variables:
        node_alone.variables |= variables
        assert_one_line_is_enough(node_alone, f"npx --yes codeagentd setup {SETUP} && npx codeagentd {ASK}")
        undone = node_alone.run("npx codeagentd setup --undo")
        assert undone.code == 0, undone.err
        files = {path.relative_to(node_alone.home) for path in node_alone.home.rglob("*") if path.is_file()}
        assert {path for path in files if path.parts[0] not in ("shop", ".npm")} == set()


def test_one_line_is_enough_where_there_is_only_python(release: Path, python_alone: Machine):
    runner = "python3 -m venv ~/.uv && ~/.uv/bin/pip install --quiet uv"
    with registries(release) as variables:
        python_alone.variables |= variables
        assert_one_line_is_enough(
            python_alone, f"{runner} && ~/.uv/bin/uvx codeagentd setup {SETUP} && ~/.local/bin/codeagentd {ASK}"
        )


def test_pip_alone_is_enough_too(release: Path, python_alone: Machine):
    programs = "~/.codeagentd/bin"
    install = f"python3 -m venv ~/.codeagentd && {programs}/pip install --quiet codeagentd"
    with registries(release) as variables:
        python_alone.variables |= variables
        line = f"{install} && {programs}/codeagentd setup {SETUP} && {programs}/codeagentd {ASK}"
        assert_one_line_is_enough(python_alone, line, WITHIN_BY_PIP_S)
