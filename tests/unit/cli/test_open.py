"""How editors are told a file and a line."""

from __future__ import annotations

import pytest

from codeagentd.cli.commands.open import Spot, command, link


@pytest.mark.parametrize(
    ("editor", "opened"),
    [
        (["vim"], ["vim", "+7", "/a b.py"]),
        (["/usr/bin/nvim", "-R"], ["/usr/bin/nvim", "-R", "+7", "/a b.py"]),
        (["nano"], ["nano", "+7", "/a b.py"]),
        (["emacs", "-nw"], ["emacs", "-nw", "+7", "/a b.py"]),
        (["kak"], ["kak", "+7", "/a b.py"]),
        (["micro"], ["micro", "+7", "/a b.py"]),
        (["code", "--wait"], ["code", "--wait", "--goto", "/a b.py:7"]),
        (["subl"], ["subl", "/a b.py:7"]),
        (["hx"], ["hx", "/a b.py:7"]),
        (["ed"], ["ed", "/a b.py"]),
    ],
)
def test_an_editor_is_told_the_line_in_its_own_way(editor: list[str], opened: list[str]):
    assert command(editor, "/a b.py", 7) == opened


def test_a_link_holds_any_path():
    assert link("/src/a b#c.py", Spot("a b#c.py", 7, 2)) == "vscode://file/src/a%20b%23c.py:7:2"
