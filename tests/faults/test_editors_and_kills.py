"""Editors whose daemon is killed while they type."""

from __future__ import annotations

import os
import random
import signal

import pytest

from tests.harness.language_window import LanguageWindow, editor_window
from tests.harness.processes import ended
from tests.harness.waiting import eventually

EDITORS = 10
KEYS = 60
KILLS = 3
CONTENT_MODIFIED = -32801
FILES = {
    f"shop/part{number}.py": f"from shop.base import lend\n\n\ndef part{number}():\n    return lend({number})\n"
    for number in range(EDITORS)
} | {"shop/base.py": "def lend(book):\n    return book\n"}


def typed(editor: LanguageWindow, number: int, key: int) -> None:
    """Write one more line at the top of the editor's document."""
    start = {"line": 0, "character": 0}
    line = f"def key{key}_of_{number}(): ...\n"
    editor.change_file(f"shop/part{number}.py", key + 2, {"range": {"start": start, "end": start}, "text": line})


@pytest.mark.limit(120)
def test_nothing_that_was_typed_is_lost_when_the_daemon_is_killed_and_no_request_fails(world):
    repo = world.repository("shop", FILES)
    world.index(repo)
    editors = [editor_window(world, repo) for _ in range(EDITORS)]
    for number, editor in enumerate(editors):
        editor.open_file(f"shop/part{number}.py")
    draw = random.Random(7)
    killed_after = set(draw.sample(range(5, KEYS - 5), KILLS))
    asked: list[list[int]] = [[] for _ in editors]
    for key in range(KEYS):
        for number, editor in enumerate(editors):
            typed(editor, number, key)
            if key % 10 == number:
                document = editor.document(f"shop/part{number}.py")
                asked[number].append(editor.begin("textDocument/documentSymbol", {"textDocument": document}))
        if key in killed_after:
            daemon = eventually(lambda: world.status(repo).get("pid"))  # the one before may have just been killed
            os.kill(daemon, signal.SIGKILL)
            assert ended(daemon)
    for number, editor in enumerate(editors):
        for request in asked[number]:
            answer = editor.finish(request, 60.0).message
            assert answer.get("error", {}).get("code", CONTENT_MODIFIED) == CONTENT_MODIFIED  # someone types on
        document = {"textDocument": editor.document(f"shop/part{number}.py")}
        names = [
            symbol["name"] for symbol in editor.request("textDocument/documentSymbol", document, 60.0).message["result"]
        ]
        assert names == [*(f"key{key}_of_{number}" for key in reversed(range(KEYS))), f"part{number}"]
        assert editor.places(editor.at("definition", f"shop/part{number}.py", KEYS + 4, 12)) == ["shop/base.py:0:4"]
        assert editor.surplus == 0
        assert editor.leave() == 0
