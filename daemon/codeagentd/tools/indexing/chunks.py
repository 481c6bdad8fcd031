"""The tool that cuts a source file into memories."""

from __future__ import annotations

from codeagent_protocol.errors import NotFound
from codeagentd.base.limits import MAX_FILE_BYTES
from codeagentd.memory.chunks import chunk_memories
from codeagentd.model.memory import IndexedFile, Scope
from codeagentd.model.parameters import SourcePath
from codeagentd.pipeline.batch.repository_macros import file_digest, known_openings
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import Effect, tool

PATIENCE_S = 2.0  # seconds until the index has the file's present content


@tool("indexing", Effect.WRITE, needs_index=False, flat_errors=True)
def index_file(ctx: Context, file_path: SourcePath, project: Scope | None = None) -> IndexedFile:
    """Save a source file as code_chunk memories, one per definition. Unchanged files are skipped; chunks of what
    vanished are deleted.

    Returns: how many chunks there are, and how many were created, updated, unchanged, retired.
    Errors:  NOT_FOUND, VALIDATION_ERROR (outside of the repository, not indexed), DB_ERROR.
    Source:  004 index_file.
    """
    scope = project or ""
    path, place = ctx.jail.resolve(file_path, must_exist=False)
    if not place.exists():
        done = chunk_memories.forget(ctx.memory, ctx.caller, path, scope)
        if not done.retired:
            raise NotFound(
                f"there is no {file_path[:120]!r} in the repository",
                remedy="list_directory shows what there is",
                parameter="file_path",
            )
        return done
    with ctx.read() as db:
        digest = file_digest(path, ctx.jail.read_bytes(path, MAX_FILE_BYTES), known_openings(db))
    if known := chunk_memories.known(ctx.memory, ctx.caller, scope, path, digest):
        return known
    code = ctx.code(PATIENCE_S)
    with ctx.read() as db:
        row = db.row("code_chunks.file", (path,))
    if row and row[2] != digest:
        ctx.engine.index_files([path], ctx.session, ctx.seq)
    return chunk_memories.index(ctx.memory, ctx.caller, chunk_memories.source_of(code, path, digest), scope)
