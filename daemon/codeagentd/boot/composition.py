"""Composition of the objects that serve a repository: the engine, the context of its tools, and the tools. Only a
process that is about to serve imports this module.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from codeagent_protocol import dirs
from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import CodedError
from codeagent_protocol.messages import Hello
from codeagentd.serve.lifecycle import DEGRADED, Condition
from codeagentd.serve.tool_calls import ToolSelection
from codeagentd.toolkit.engine_protocol import Engine
from codeagentd.toolkit.tool import Tool
from codeagentd.toolkit.toolsets import load, select

from .index_ownership import blobs_of, claim, repository_of
from .repository_claim import ClaimedRepository
from .settings import Settings

if TYPE_CHECKING:
    from codeagentd.embed.model import ModelChoice
    from codeagentd.memory.memory_store import MemoryStore
    from codeagentd.pipeline.engine.engine import IndexingEngine
    from codeagentd.toolkit.context import MakeContext

TOOLS: Final = "codeagentd.tools"


class Composition(NamedTuple):
    """The objects that serve a repository: its engine, the function that makes the context of a call, and the tools.
    `memory_trouble` returns the reason why memories cannot be written.
    """

    engine: Engine
    make_context: MakeContext
    tools: dict[str, Tool]
    memory_trouble: Callable[[], Condition] = Condition  # the reason why memories cannot be written; empty if they can
    memory_listeners: list[Callable[[], None]] = []  # called when any daemon of a team has changed memories


Build = Callable[[Endpoint, Settings], Composition]


def build(claimed: ClaimedRepository, endpoint: Endpoint, settings: Settings) -> Composition:
    """Build the engine of the repository of `endpoint`, and every tool over it."""
    from codeagentd.memory.maintenance import MaintenanceThread
    from codeagentd.memory.memory_store import memory_store_for
    from codeagentd.pipeline.engine.index_startup import Start

    engine = engine_of(
        endpoint, settings, endpoint.index, blobs_of(endpoint), model=model_of(settings),
        considerate=Path(endpoint.runtime) if settings.background == "considerate" else None,
        start=Start(claimed.folders.siblings, claimed.folders.is_new), make_places=partial(claim, endpoint),
        on_demand=claimed.on_demand, facts_source=claimed.shared,
    )  # fmt: skip
    memory = memory_store_for(settings.memory.url, repository=repository_of(engine.root), embedder=engine.embedder)
    engine.shrinks(memory.store.shrink)
    query_log = Path(settings.query_log) if settings.query_log and not settings.query_log_disable else None
    built = compose(engine, settings, memory, query_log)
    MaintenanceThread(memory, lambda: built.make_context(b"", 0, 0).code()).start()
    if settings.memory.url:
        follow_team(memory, built)
    return built


def follow_team(memory: MemoryStore, built: Composition) -> None:
    """Start the thread that hears of the changes of others and sends what waits for the server."""
    from codeagentd.memory.team.team_thread import TeamThread

    def changed() -> None:
        for listener in built.memory_listeners:
            listener()

    TeamThread(memory, lambda: built.make_context(b"", 0, 0).code(), changed).start()


def engine_of(endpoint: Endpoint, settings: Settings, index: Path, blobs: Path, **choices: Any) -> IndexingEngine:
    """Build the engine of the repository of `endpoint`, with its index in the folder `index` and its facts in `blobs`.
    `choices` are those arguments of its constructor that no setting determines.
    """
    from codeagentd.pipeline.engine.engine import IndexingEngine

    limits = settings.limits
    return IndexingEngine(
        Path(endpoint.root), index, blobs, ignore=settings.ignore, workers=limits.workers, languages=settings.languages,
        max_file_bytes=limits.max_file_bytes, max_index_bytes=limits.max_index_bytes,
        extract_deadline_s=limits.extract_deadline_s, max_embedded_symbols=settings.embedding.max_symbols, **choices,
    )  # fmt: skip


def compose(engine: Engine, settings: Settings, memory: MemoryStore, query_log: Path | None = None) -> Composition:
    """Return every tool over `engine`, and the function that makes the context of a call."""
    from codeagentd.base.paths import Jail
    from codeagentd.federation.workspace import Workspace
    from codeagentd.memory.team.grants import trouble
    from codeagentd.query.retrieval.tokens import Tokens
    from codeagentd.toolkit.context import Context

    jail, tokens = Jail(engine.root), Tokens(vocabularies())
    workspace = Workspace(engine.root, settings.workspace.trusted)

    def make_context(session: bytes, seq: int, window: int) -> Context:
        return Context(
            engine.root, engine.readers, engine, jail, engine.ignored, session, seq, window, memory, query_log, tokens,
            workspace=workspace
        )  # fmt: skip

    def memory_trouble() -> Condition:
        return Condition(DEGRADED, *result) if (result := trouble(memory)) else Condition()

    return Composition(engine, make_context, load(TOOLS), memory_trouble, [])


def offered(tools: dict[str, Tool], settings: Settings, hello: Hello) -> tuple[ToolSelection, CodedError | None]:
    """Return the tools of a session that begins with `hello`, and the error in the settings' toolsets (None without
    one). With an error, the toolsets of the settings are left out.

    Errors: invalid_parameter for options of the window itself.
    """
    flags = partial(
        select, tools, tools=hello.tools, exclude_tools=hello.exclude_tools, read_only=hello.read_only,
        allow_exec=hello.allow_exec, tool_names=hello.tool_names, rows=hello.rows,
    )  # fmt: skip
    if hello.toolsets or hello.tools:
        return ToolSelection(flags(toolsets=hello.toolsets)), None
    try:
        return ToolSelection(flags(toolsets=settings.toolsets)), None
    except CodedError as error:
        if error.facts.get("parameter") != "toolsets":
            raise
        return ToolSelection(flags()), error


def model_of(settings: Settings) -> ModelChoice | None:
    """Return the embedding model to use, or None without one; it is downloaded only when no setting forbids that."""
    from codeagentd.embed.model import ModelChoice

    chosen = settings.embedding
    if not chosen.enabled:
        return None
    may_fetch = not settings.offline and os.environ.get("HF_HUB_OFFLINE", "").upper() not in {"1", "TRUE", "YES", "ON"}
    return ModelChoice(chosen.model, chosen.model_path, str(dirs.cache_dir() / "models"), may_fetch)


def vocabularies() -> tuple[Path, ...]:
    """Return the directories where tiktoken keeps vocabularies, as tiktoken itself finds them: the first of its
    environment variables that is set, else its folder for temporary files.
    """
    for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if variable in os.environ:
            return (Path(os.environ[variable]),) if os.environ[variable] else ()
    return (Path(tempfile.gettempdir()) / "data-gym-cache",)
