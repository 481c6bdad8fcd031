"""The block of instructions in the file that an agent reads first. It is between two marks, and nothing outside of them
is changed.
"""

from __future__ import annotations

from typing import Final

from .json_edits import newline
from .jsonc import Broken

BEGIN: Final = "<!-- codeagentd: begin -->"
END: Final = "<!-- codeagentd: end -->"

BODY: Final = """## Code index

codeagentd knows where things are, who uses them and what a change breaks, and follows every save. Ask it before you \
search or read files:

- a question or task in words: `explain_code`; a name: `search_symbols`
- a symbol's source, callers, callees and tests: `describe_symbol`; its uses: `get_references`, `get_callers`
- before and after a change: `affected`, `affected_tests`

Without these MCP tools (sub-agents, scripts): `codeagentd explain QUESTION`, `codeagentd describe NAME`, \
`codeagentd callers NAME`, `codeagentd refs NAME`, `codeagentd outline FILE`, `codeagentd affected --tests`; `--json` \
for programs; `codeagentd schema TOOL` for every other tool."""


def put(text: str, body: str = BODY) -> str:
    """Return `text` with the block `body`: appended at the end, or replaced where it is.

    Errors: Broken when a mark has no partner.
    """
    ends = newline(text)
    block = ends.join([BEGIN, *body.split("\n"), END])
    if span := _span(text):
        return text[: span[0]] + block + text[span[1] :]
    gap = "" if not text else ends if text.endswith("\n") else ends + ends
    return text + gap + block + ends


def drop(text: str) -> str:
    """Return `text` without the block and without the blank lines that were added around it.

    Errors: Broken when a mark has no partner.
    """
    span = _span(text)
    if not span:
        return text
    ends = newline(text)
    head, tail = text[: span[0]], text[span[1] :].removeprefix(ends)
    return (head.removesuffix(ends) if head.endswith(ends + ends) else head) + tail


def _span(text: str) -> tuple[int, int] | None:
    begin, end = text.find(BEGIN), text.find(END)
    if begin < 0 and end < 0:
        return None
    if begin < 0 or end < begin or text.count(BEGIN) > 1 or text.count(END) > 1:
        raise Broken("the marks of the block of codeagentd have no partner", max(begin, 0))
    return begin, end + len(END)
