"""What a check of the doctor's says."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

OK: Final = "ok"
WARN: Final = "warn"
FAIL: Final = "fail"


@dataclass(frozen=True)
class Finding:
    """One line of the doctor's: how it stands, with what, why, and what to do about it."""

    level: str
    subject: str
    text: str
    remedy: str = ""

    def as_json(self) -> dict[str, str]:
        """The finding for machines."""
        return asdict(self)
