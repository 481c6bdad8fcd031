"""The finding of one check of the doctor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

OK: Final = "ok"
WARN: Final = "warn"
FAIL: Final = "fail"
FIXED: Final = "fixed"


@dataclass(frozen=True)
class Finding:
    """One line of the doctor's: how it stands, with what, why, and what to do about it.

    `mend` does that and says so, where it is safe ("": not now).
    """

    level: str
    subject: str
    text: str
    remedy: str = ""
    mend: Callable[[], str] | None = None

    def as_json(self) -> dict[str, str]:
        """The finding for machines."""
        return {"level": self.level, "subject": self.subject, "text": self.text, "remedy": self.remedy}
