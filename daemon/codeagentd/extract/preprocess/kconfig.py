"""Help texts of Kconfig, whose quotes and signs the grammar would read: they are cut out of the parsed text, and words
of Zephyr's Kconfig become those of the kernel's. Offsets and lines stay the same.
"""

from __future__ import annotations

import re
from typing import Final

_HELP: Final = re.compile(rb"[ \t]+(?:---[ \t]*)?help(?:[ \t]*---)?[ \t\r]*")
_SOURCE: Final = re.compile(rb"(?m)^([ \t]*)(?:or|o|r)(?=source\b)")


def kconfig(source: bytes) -> bytes:
    """Return `source` without its help texts. Such a text ends before the first line that is indented less than its
    first line.

    Source: kernel.org, "Kconfig Language", "Menu attributes"; Zephyr documentation, "Kconfig extensions".
    """
    lines, indent = source.split(b"\n"), -1
    for number, line in enumerate(lines):
        depth = len(line.expandtabs()) - len(line.expandtabs().lstrip())
        if _HELP.fullmatch(line):
            indent = 0
        elif indent < 0 or not line.strip():
            continue
        elif depth < max(indent, 1):
            indent = -1
            continue
        else:
            indent = indent or depth
        lines[number] = b" " * len(line)
    return _SOURCE.sub(lambda match: match[1] + b" " * (len(match[0]) - len(match[1])), b"\n".join(lines))
