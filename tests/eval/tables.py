"""Tables as text or Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence


def table(heading: Sequence[str], lines: Sequence[Sequence[str]], *, markdown: bool = False) -> str:
    """A table whose columns of figures are flush right."""
    if markdown:
        return "\n".join("| " + " | ".join(cells) + " |" for cells in [heading, ["---"] * len(heading), *lines])
    widths = [max(len(cells[at]) for cells in [heading, *lines]) for at in range(len(heading))]
    right = [bool(lines) and all(_is_figure(cells[at]) for cells in lines) for at in range(len(heading))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if flush else cell.ljust(width)
            for cell, width, flush in zip(cells, widths, right, strict=True)
        ).rstrip()
        for cells in [heading, *lines]
    )


def _is_figure(cell: str) -> bool:
    return not cell or cell[0] in "0123456789-"


def counted(results: Iterable[str]) -> str:
    """How often won, even and lost."""
    counts = Counter(results)
    return ", ".join(f"{counts[name]} {name}" for name in ("won", "even", "lost"))
