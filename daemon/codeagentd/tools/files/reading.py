"""The tool that reads the text of files, long ones in pieces."""

from __future__ import annotations

from typing import Final

from codeagent_protocol.errors import BinaryFile, InvalidParameter
from codeagentd.base.text import count_lines, decode, is_binary, mime_type
from codeagentd.model.parameters import LineNumber, RepoPath
from codeagentd.model.results.symbol_results import FileContent
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool

MAX_LINES: Final = 10_000  # page 000 read_file
MAX_BYTES: Final = 500_000  # bytes of UTF-8; page 000 read_file
MAX_FILE_BYTES: Final = 16_000_000  # whole files are read into memory to count their lines


@tool("files", needs_index=False)
def read_file(
    ctx: Context, path: RepoPath, line_start: LineNumber | None = None, line_end: LineNumber | None = None
) -> FileContent:
    """Read the contents of a text file (cat), or lines of it (1-based, inclusive).

    Returns: content, at most 10,000 lines or 500 kB, or 25,000 tokens; `truncated` when there would be more, with
             `next_line`; none beyond the end.
    Errors:  not_found, invalid_parameter, path_escape, binary_file (with mime_type), too_large.
    Source:  000 read_file.
    """
    first = line_start or 1
    if line_end is not None and first > line_end:
        raise InvalidParameter(
            f"line_start {first} is after line_end {line_end}",
            remedy="pass line_start <= line_end",
            parameter="line_start",
        )
    data = ctx.jail.read_bytes(path, MAX_FILE_BYTES)
    if is_binary(data):
        kind = mime_type(path, data)
        raise BinaryFile(
            f"{path!r} is a binary file of type {kind}",
            remedy="only text can be read",
            parameter="path",
            mime_type=kind,
        )
    text = decode(data)
    content, truncated = _lines(text, first, line_end, ctx.most(MAX_LINES), ctx.most(MAX_BYTES))
    return _content(content, first, count_lines(text), truncated)


def _content(content: str, first: int, total: int, truncated: bool) -> FileContent:
    """The answer. If it is cut off, it names the line at which to go on. A line that is too long by itself is
    skipped.
    """
    if not truncated:
        return FileContent(content, total, truncated)
    shown = first + content.count("\n") - 1
    if content.endswith("\n"):
        return FileContent(
            content,
            total,
            truncated,
            shown + 1,
            f"lines {first} to {shown} of {total} are shown: go on with line_start {shown + 1}",
        )
    cut = f"line {shown + 1} is too long for an answer, and its end cannot be read"
    if shown + 2 > total:
        return FileContent(content, total, truncated, note=cut)
    return FileContent(content, total, truncated, shown + 2, f"{cut}: go on with line_start {shown + 2}")


def _lines(text: str, first: int, last: int | None, lines: int, size: int) -> tuple[str, bool]:
    """The lines `first` to `last`, limited to `lines` lines and `size` bytes, and whether any were cut off."""
    begin = _start_of(text, first)
    end = len(text) if last is None else _start_of(text, last + 1)
    capped = min(end, _start_of(text, first + lines))
    piece = text[begin:capped]
    raw = piece[:size].encode()
    if len(raw) > size or len(piece) > size:
        piece = raw[:size].decode(errors="ignore")
        piece = piece[: piece.rfind("\n") + 1] or piece  # only whole lines, unless the first one alone is too long
    return piece, begin + len(piece) < end


def _start_of(text: str, line: int) -> int:
    """The offset where a line (1-based) begins; the end of the text if it has no such line."""
    at = 0
    for _ in range(line - 1):
        at = text.find("\n", at) + 1
        if not at:
            return len(text)
    return at
