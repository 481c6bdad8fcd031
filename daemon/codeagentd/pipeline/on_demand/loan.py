"""The loan of the on-demand index for one answer."""

from __future__ import annotations

from typing import NamedTuple

from codeagentd.model.on_demand import Coverage
from codeagentd.store.connection import ReaderPool


class Loan(NamedTuple):
    """The readers of the on-demand index, and what it covers of the question."""

    readers: ReaderPool
    coverage: Coverage
