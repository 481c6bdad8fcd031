"""Which language a script without a suffix is written in."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeagentd.pipeline.rows.shebang import interpreter, language_by_interpreter


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (b"#!/bin/bash", "bash"),
        (b"#! /usr/bin/env bash", "bash"),
        (b"#!/usr/bin/env -S python3.12 -u", "python"),
        (b"#!/usr/bin/env MODE=1 lua5.4", "lua"),
        (b"#!/usr/local/bin/php8.3", "php"),
        (b"#!/usr/bin/env", ""),
        (b"#!", ""),
    ],
)
def test_the_first_line_names_a_program(line: bytes, name: str) -> None:
    assert interpreter(line) == name


def test_only_names_without_a_suffix_are_looked_into(tmp_path: Path) -> None:
    for name in ("tool", ".tool", "tool.txt", "text"):
        (tmp_path / name).write_text("no script\n" if name == "text" else "#!/bin/sh\n")
    assert [
        language_by_interpreter(tmp_path, name) for name in ("tool", ".tool", "tool.txt", "text", "missing", ".")
    ] == [
        "bash",
        "bash",
        None,
        None,
        None,
        None,
    ]


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "tool").write_text("#!/bin/sh\n")
    (tmp_path / "link").symlink_to("tool")
    assert language_by_interpreter(tmp_path, "link") is None
