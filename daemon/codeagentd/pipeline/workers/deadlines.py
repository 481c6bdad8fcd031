"""The deadline for reading one file: the more time other files have wasted, the shorter."""

from __future__ import annotations

from typing import Final

from codeagentd.base.limits import LEAST_DEADLINE_S

SHARE: Final = 4  # a file gets at most this part (1/SHARE) of the rest of the budget


class Patience:
    """The deadline for each of the files that are read together, in seconds of processor time. It becomes shorter with
    the time that slow files waste; other files do not shorten it.
    """

    def __init__(self, longest_s: float, budget_s: float) -> None:
        self._longest, self._budget = longest_s, budget_s
        self._left = budget_s

    @property
    def seconds(self) -> float:
        """The deadline of the next file."""
        return min(self._longest, max(LEAST_DEADLINE_S, self._left // SHARE))

    @property
    def is_spent(self) -> bool:
        """Whether the budget is used up."""
        return self._left <= 0

    def waste(self, seconds: float) -> None:
        """Note that a file was given up after `seconds`."""
        self._left -= seconds

    def renew(self) -> None:
        """Restore the full deadline: all slow files are done."""
        self._left = self._budget
