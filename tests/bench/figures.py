"""What was measured, what it should be, and what the best peer does: one row per figure."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Figure:
    """One figure. `target` is the most it may be (None: shown for comparison only); `detail` is how it came about."""

    part: str
    name: str
    value: float
    unit: str
    target: float | None = None
    peer: str = ""
    detail: str = ""

    @property
    def verdict(self) -> str:
        """PASS, MISS, or nothing for figures without a target."""
        if self.target is None:
            return ""
        return "PASS" if self.value <= self.target else "MISS"

    def as_json(self) -> dict[str, Any]:
        """The row for machines."""
        return asdict(self) | {"verdict": self.verdict}

    def line(self) -> str:
        """The row for people."""
        target = "" if self.target is None else f"<= {self.target:g}"
        shown = f"{self.value:.2f}" if self.value < 100 else f"{self.value:.0f}"
        return f"{self.verdict:<5} {self.name:<44} {shown:>9} {self.unit:<5} {target:>9}   {self.peer:<22} {self.detail}".rstrip()


HEADING = f"{'':<5} {'figure':<44} {'value':>9} {'unit':<5} {'target':>9}   {'best peer':<22} how"


def percentile(values: Iterable[float], share: float) -> float:
    """Nearest rank; `share` in 0..1."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def median(values: Iterable[float]) -> float:
    """The middle value (the lower of two)."""
    return percentile(values, 0.5)
