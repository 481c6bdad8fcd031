"""The generation of the index: the number of its state, raised by every transaction that changes it."""

from __future__ import annotations

import time

from codeagentd.pipeline.graph.incremental_metrics import IncrementalMetrics
from codeagentd.store.connection import Database


class Generation:
    """The number of the index's state. It is raised inside the writer's transactions, which also updates the
    metrics.
    """

    def __init__(self, database: Database, metrics: IncrementalMetrics) -> None:
        self._database = database
        self._metrics = metrics

    def advance(self) -> None:
        """Begin the next generation. To be called at the end of a transaction."""
        generation = int(self._database.value("writer.meta", ("generation",), 0)) + 1
        self._database.run("writer.put_meta", ("generation", generation))
        if generation == 1:
            # by this, processes that read the index from outside notice that it is another one
            self._database.run("writer.put_meta", ("born", time.time_ns()))
        self._metrics.follow()
