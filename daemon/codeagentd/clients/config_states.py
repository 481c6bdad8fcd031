"""The states of a part of the installation in a file."""

from __future__ import annotations

from typing import Final

ABSENT: Final = "absent"
OURS: Final = "ours"
OTHER: Final = "other"  # something with our name that is not ours
BROKEN: Final = "broken"  # the file cannot be read
