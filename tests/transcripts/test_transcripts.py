"""Each `*.transcript` beside this file is a terminal session that has to go as written.

`# …` is a comment; `$ …` is a command, run in the shop repository of a fresh world; `> path` before lines indented by two writes a file there; the
lines after a command are what it prints (stdout, then stderr), in which `…` stands for anything on that line and a line of only `…` for any number of lines;
`[3]` closes a command that ends with another exit code than 0.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.harness.world import World

TRANSCRIPTS = sorted(Path(__file__).parent.glob("*.transcript"))
SHOP = {
    "shop/pricing.py": 'def compute_total(amounts):\n    """Sum them."""\n    return sum(amounts)\n',
    "shop/checkout.py": "from shop.pricing import compute_total\n\n\ndef checkout_cart(cart):\n    return compute_total(cart.values())\n",
}


@dataclass
class Step:
    """A command with what it should print, or a file with what it should hold."""

    command: str = ""
    path: str = ""
    lines: list[str] = field(default_factory=list)
    code: int = 0


def steps(text: str) -> Iterator[Step]:
    """The steps of a transcript."""
    current: Step | None = None
    for line in text.splitlines():
        if line.startswith(("$ ", "> ")):
            if current:
                yield current
            current = Step(command=line[2:]) if line[0] == "$" else Step(path=line[2:])
        elif current and (ending := re.fullmatch(r"\[(\d+)\]", line)):
            current.code = int(ending[1])
        elif current and not line.startswith("#") and (line or current.path):
            current.lines.append(line.removeprefix("  ") if current.path else line)
    if current:
        yield current


def pattern(lines: list[str]) -> str:
    """What the printed lines have to look like."""
    parts = [
        r"(?:.*\n)*?" if line == "…" else ".*".join(re.escape(part) for part in line.split("…")) + r"\n"
        for line in lines
    ]
    return "".join(parts)


def printed(text: str) -> str:
    """Output without the blank lines that part sections."""
    return "".join(f"{line}\n" for line in text.splitlines() if line.strip())


def home(folder: Path) -> dict[str, str]:
    """The variables of a user with a home directory of its own, in which this program is installed."""
    program = folder / "bin/codeagent-mcp"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return {"HOME": str(folder), "CODEAGENT_LASTING_COMMAND": str(program)}


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=[path.stem for path in TRANSCRIPTS])
def test_the_session_goes_as_written(path: Path):
    with World() as world:
        repo = world.repository("shop", SHOP)
        world.environment |= home(world.base / "home")
        for step in steps(path.read_text()):
            if step.path:
                (repo / step.path).parent.mkdir(parents=True, exist_ok=True)
                (repo / step.path).write_text("\n".join(step.lines) + "\n")
                continue
            program, *words = shlex.split(step.command)
            assert program == "codeagentd"
            done = world.codeagentd(*words, cwd=repo)
            shown = printed(done.out + done.err)
            assert re.fullmatch(pattern(step.lines), shown), f"$ {step.command}\n{shown}"
            assert done.code == step.code, f"$ {step.command}\n{shown}"
