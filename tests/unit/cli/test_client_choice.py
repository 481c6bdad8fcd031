"""Which clients are set up: those that are named, those that the user chooses, or all that are found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from codeagent_protocol.errors import InvalidParameter
from codeagentd.cli.rendering.console import Paint
from codeagentd.cli.setup.client_choice import choose

PLAIN = Paint(False)
Answer = Callable[..., list[str]]


@pytest.fixture
def answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Answer:
    """The choice of a user with Cursor and Codex who answers so, one line after the other."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/nowhere")
    for name in ("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "COPILOT_HOME", "CRUSH_GLOBAL_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    for folder in (".cursor", ".codex"):
        (tmp_path / folder).mkdir()

    def choice(*lines: str) -> list[str]:
        said = iter(lines)

        def line(prompt: str) -> str:
            try:
                return next(said)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", line)
        return choose(None, ask=True, paint=PLAIN, quiet=False)

    return choice


def test_the_default_is_all_and_no_is_none(answer: Answer, capsys: pytest.CaptureFixture[str]):
    assert answer("") == answer("Y") == ["codex", "cursor"]
    assert "found on this machine:\n  codex   Codex\n  cursor  Cursor\n" in capsys.readouterr().out
    assert answer("n") == []
    assert answer() == [], "the end of the input is no consent"


def test_names_choose_and_a_misspelled_one_is_asked_again(answer: Answer, capsys: pytest.CaptureFixture[str]):
    assert answer("cursor, zed") == ["cursor", "zed"]
    assert answer("cursr", "cursor") == ["cursor"]
    assert "did you mean 'cursor'" in capsys.readouterr().err


def test_where_nobody_is_asked_all_are_taken_and_it_is_said(answer: Answer, capsys: pytest.CaptureFixture[str]):
    assert choose(None, ask=False, paint=PLAIN, quiet=False) == ["codex", "cursor"]
    assert "nobody is asked: all 2 are set up" in capsys.readouterr().out
    assert choose(["zed", "zed"], ask=True, paint=PLAIN, quiet=False) == ["zed"]
    assert choose([], ask=True, paint=PLAIN, quiet=False) == []
    with pytest.raises(InvalidParameter, match="there is no client 'nope'"):
        choose(["nope"], ask=True, paint=PLAIN, quiet=False)
