"""What users of Emacs get from Eglot, set up as `codeagentd install emacs` says."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.harness.five_languages import FILES, LIBRARIES, Library, Place, occurrences
from tests.harness.neovim import home_of
from tests.harness.world import BIN, World

_CLIENT = Path(__file__).parents[1] / "harness" / "emacs_client.el"


def emacs(world: World, repo: Path, orders: list[list[Any]]) -> list[Any]:
    """What an Emacs of its own answers to orders of emacs_client.el."""
    program = shutil.which("emacs")
    if program is None:
        pytest.skip("there is no Emacs")
    asked = world.base / "orders.json"
    asked.write_text(json.dumps([[name, str(repo / path), *more] for name, path, *more in orders]))
    done = subprocess.run(
        [program, "--batch", "-l", str(_CLIENT), str(BIN / "codeagent-lsp"), str(asked)],
        cwd=repo, env=world.environment | home_of(world), capture_output=True, text=True, timeout=50, check=False,
    )  # fmt: skip
    if done.returncode == 77:
        pytest.skip("Emacs has no Eglot")
    assert done.returncode == 0, done.stderr
    answers: list[Any] = json.loads(done.stdout)
    return answers


def test_eglot_finds_its_way_in_five_languages(world: World) -> None:
    repo = world.repository("five", FILES)
    world.index(repo)

    def place(told: list[Any]) -> Place:
        return str(Path(told[0]).relative_to(repo)), told[1], told[2]

    def orders(library: Library) -> list[list[Any]]:
        return [
            ["definition", *library.uses[-1]],
            ["references", *library.definition],
            ["outline", library.desk_path, 0, 0],
            ["rename", *library.definition, library.new_name],
        ]

    answers = iter(emacs(world, repo, [order for library in LIBRARIES.values() for order in orders(library)]))
    for library in LIBRARIES.values():
        assert place(next(answers)) == library.definition
        assert {place(told) for told in next(answers)} == {library.definition, *library.uses}
        assert library.serve in next(answers)
        texts = library.paths | {str(Path(path).relative_to(repo)): text for path, text in next(answers)}
        assert not occurrences(texts, library.lend)
        assert len(occurrences(texts, library.new_name)) == 1 + len(library.uses)
