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
    """One line of the doctor's output: the level, the subject, the reason and the remedy.

    `mend` applies the remedy if that is safe, and returns a text about it ("" if it was not possible now).
    """

    level: str
    subject: str
    text: str
    remedy: str = ""
    mend: Callable[[], str] | None = None

    def as_json(self) -> dict[str, str]:
        """The finding as JSON."""
        return {"level": self.level, "subject": self.subject, "text": self.text, "remedy": self.remedy}
