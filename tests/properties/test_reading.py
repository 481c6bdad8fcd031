"""A long file that is read in pieces is the file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codeagentd.toolkit.call import run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.served import surroundings

READ = load("codeagentd.tools")["read_file"]
LINES = st.lists(
    st.tuples(
        st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs", "Cc"]), max_size=40),
        st.integers(1, 100),
    ),
    max_size=8,
)


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("reading"), {"a.txt": ""}) as found:
        yield found


@settings(max_examples=8, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(lines=LINES, times=st.sampled_from([1, 20, 300]), ends=st.booleans(), stop=st.integers(1, 3_000))
def test_following_next_line_gives_the_whole_file_or_the_lines_asked_for(
    ctx: Context, lines: list[tuple[str, int]], times: int, ends: bool, stop: int
) -> None:
    text = "\n".join(text * many for text, many in lines * times)[:120_000] + ("\n" if ends else "")
    (ctx.root / "a.txt").write_bytes(text.encode())
    assert pieces(ctx) == text
    assert pieces(ctx, line_end=stop) == "".join(
        text.split("\n")[at] + "\n" for at in range(min(stop, text.count("\n")))
    ) + (text.rpartition("\n")[2] if stop > text.count("\n") else "")


def pieces(ctx: Context, **asked: Any) -> str:
    """What all answers hold, the next beginning where the last one says."""
    text, line = "", 1
    while True:
        answer = run(READ, ctx, {"path": "a.txt", "line_start": line, **asked}).structured
        text += answer["content"]
        assert answer["truncated"] == ("next_line" in answer) == ("note" in answer)
        if not answer["truncated"]:
            return text
        assert answer["next_line"] > line
        line = answer["next_line"]
