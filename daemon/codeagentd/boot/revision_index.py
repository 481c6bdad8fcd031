"""The index of one commit as a server opens it: its engine, and the calls that it answers."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from codeagentd.base.paths import Jail
from codeagentd.memory.memory_store import memory_store_at
from codeagentd.model.graph_snapshot import SnapshotRequest
from codeagentd.pipeline.engine.revision_engine import RevisionEngine
from codeagentd.pipeline.revisions.layout import INDEX, Layout
from codeagentd.query.retrieval.tokens import Tokens
from codeagentd.serve.tool_calls import Calls
from codeagentd.store.opening import own
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.engine_protocol import Engine

from .composition import vocabularies
from .settings import load

NO_MEMORIES: Final = "a server of many repositories has no memories"


class IndexOpener:
    """Opens indexes. What they need alike exists once. `cache`: the folder of the server's cache."""

    def __init__(self, cache: Path) -> None:
        self._tokens = Tokens(vocabularies())
        self._memory = memory_store_at(cache / "no-memories", only_read=NO_MEMORIES)

    def __call__(self, layout: Layout, blobs: Path, name: str, damaged: Callable[[], None]) -> tuple[Engine, Calls]:
        """Return the engine of the commit of `layout`, and its calls; `damaged` is called when the index turns out to
        be damaged. Errors: engine_unavailable.
        """
        settings = load(str(layout.tree), os.environ).settings
        request = SnapshotRequest(
            str(layout.tree), str(own(layout.place / INDEX / "index.db", "index")),
            str(own(blobs / "blobs.db", "blobs")), str(layout.place / "graphs"), settings.limits.max_file_bytes, 1,
            settings.ignore, settings.languages,
        )  # fmt: skip
        engine = RevisionEngine(request, layout.commit, name, damaged)
        jail = Jail(engine.root)

        def make_context(session: bytes, seq: int, _window: int) -> Context:
            return Context(
                engine.root, engine.readers, engine, jail, engine.ignored, session, seq, memory=self._memory,
                tokens=self._tokens,
            )  # fmt: skip

        return engine, Calls(engine, make_context, tells_of_others=False)
