"""The answers of the toolsets `files`, `symbols`, `navigation` and `engine`, as frozen values.

Fields at their default (None, 0, False, '', []) are left out of the answer.
"""

from __future__ import annotations

import msgspec


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """The base of all answers that are one value."""


class SymbolHit(Result, frozen=True):
    """A symbol in the lists of search_symbols and lookup_symbol. `rank` is the BM25 figure: lower is better."""

    node_id: str
    name: str
    qualified_name: str
    node_type: str
    language: str
    file_path: str
    line_start: int
    line_end: int
    access_modifier: str = ""
    parameter_signature: str | None = None
    return_type: str | None = None
    rank: float | None = None


class SimilarSymbol(SymbolHit, frozen=True):
    """A symbol that is like another one: `similarity` is 1 for the same meaning."""

    similarity: float = 0.0


class SymbolDetails(Result, frozen=True):
    """All details of one symbol."""

    node_id: str
    name: str
    qualified_name: str
    node_type: str
    language: str
    project_id: str
    file_path: str
    line_start: int
    line_end: int
    access_modifier: str
    is_public_api: bool
    is_static: bool
    is_abstract: bool
    is_async: bool
    is_override: bool
    is_deprecated: bool
    has_doc_comment: bool
    parse_status: str
    reference_count: int
    parameter_signature: str | None = None
    parameter_count: int | None = None
    return_type: str | None = None
    doc: str = ""  # its first paragraph, cut where it is long
    note: str = ""


class SourceSpan(Result, frozen=True):
    """One place of a symbol; lines 1-based and inclusive."""

    file_path: str
    line_start: int
    line_end: int
    is_primary: bool


class OutlineItem(Result, frozen=True):
    """A symbol in the outline of a file."""

    node_id: str
    name: str
    qualified_name: str
    node_type: str
    line_start: int
    line_end: int
    access_modifier: str = ""
    parameter_signature: str | None = None
    return_type: str | None = None


class Candidate(Result, frozen=True):
    """One of several symbols that a name may mean; with its parameters where others have the same qualified name."""

    node_id: str
    qualified_name: str
    node_type: str
    file_path: str
    line_start: int
    parameter_signature: str | None = None


class Site(Result, frozen=True):
    """The place of one reference: line 1-based, column 0-based in characters. `text` is the line of source, where that
    was asked for.
    """

    file_path: str
    line: int
    column: int
    text: str = ""


class Neighbour(Result, frozen=True):
    """The symbol at the other end of an edge, with the places that make the edge.

    `total_sites` is present when the places continue in the next item of the same symbol; `of` says whose edge it is,
    where the name in the request has several distinct definitions.
    """

    node_id: str
    name: str
    qualified_name: str
    node_type: str
    file_path: str
    line_start: int
    line_end: int
    edge_type: str
    confidence: str
    origin: str
    direction: str = ""
    sites: list[Site] = []
    total_sites: int = 0
    of: str = ""


class DirectoryEntry(Result, frozen=True):
    """One entry of a directory; `size` in bytes, files only."""

    name: str
    type: str
    size: int | None = None


class FileContent(Result, frozen=True):
    """Lines of a text file; when `truncated`, `next_line` is the first line that is not shown, if there is one, and
    `note` says where to continue.
    """

    content: str
    total_lines: int
    truncated: bool
    next_line: int = 0
    note: str = ""


class TreeNode(Result, frozen=True):
    """A file, or a directory with what is in it; `truncated` says that children are missing."""

    name: str
    type: str
    children: list[TreeNode] | None = None
    truncated: bool = False


class PathError(Result, frozen=True):
    """The error for one of the paths that index_files was called with."""

    path: str
    code: str
    message: str


class IndexedFiles(Result, frozen=True):
    """The answer of index_files: how many files were indexed, and the errors of the others."""

    indexed: int
    errors: list[PathError]


class Embeddings(Result, frozen=True):
    """The state of the semantic vectors; `model` is '' without one. `count` of `eligible` symbols have one; `note`: why
    others get none, and how to get more.
    """

    model: str
    count: int
    pending: int
    eligible: int = 0
    note: str = ""


class EngineStatus(Result, frozen=True):
    """Health and progress of the engine; `last_batch_at` in ISO 8601, left out before the first batch. `repository` and
    `worktree` are names of folders; `dirty`: whether tracked files differ from `head`, left out while unknown.
    """

    healthy: bool
    state: str
    schema_version: int
    indexed_files: int
    indexed_symbols: int
    languages: list[str]
    watcher_active: bool
    embedding_model: str
    embeddings_count: int
    embeddings: Embeddings
    caught_up: bool
    generation: int
    head: str
    pending_files: int
    last_batch_at: str | None = None
    reason: str = ""
    remedy: str = ""
    repository: str = ""
    worktree: str = ""
    branch: str = ""
    dirty: bool | None = None
