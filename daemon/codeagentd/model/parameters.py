"""The types of the tools' parameters: ranges and closed lists, from which schemas and error messages are made."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta

from .kept_texts import NOT_KEPT

NodeType = Literal[
    "file", "module", "namespace", "class", "interface", "struct", "enum", "type", "function", "method", "constructor",
    "property", "field", "constant", "variable", "enum_member", "component", "event", "delegate", "record", "trait",
    "macro", "section", "key", "element", "rule", "target", "resource", "table", "view", "index", "trigger", "message",
    "service", "package", "external", "boundary",
]  # fmt: skip

EdgeType = Literal[
    "calls", "inherits", "implements", "imports", "overrides", "references", "contains", "accepts", "extends",
    "returns", "decorates", "re_exports", "embeds", "mixes_in", "depends_on", "reads_from", "uses", "invokes",
    "binds_native", "calls_service", "handled_by", "constructs",
]  # fmt: skip

LANGUAGE_FAMILIES: Final[tuple[tuple[str, ...], ...]] = (  # members of one family call each other's symbols
    ("c", "cpp", "cuda", "glsl", "hlsl", "objc"), ("java", "kotlin", "scala"),
    ("javascript", "svelte", "tsx", "typescript", "vue"), ("notebook", "python"), ("ocaml", "ocaml_interface"),
)  # fmt: skip

# characters of a string parameter that names no limit of its own: longer than any path, name or sensible query
MAX_TEXT: Final = 10_000
MAX_PATHS: Final = 100  # of one call of index_files

Cursor = str
RepoPath = str
LanguageName = Annotated[str, Meta(max_length=100)]  # as get_status lists them
SymbolId = Annotated[str, Meta(description="id, name or path")]
SearchText = Annotated[str, Meta(max_length=1000)]
Question = Annotated[str, Meta(max_length=32_000)]  # a whole issue, with its tracebacks
SearchLimit = Annotated[int, Meta(ge=1, le=50)]
EdgeLimit = Annotated[int, Meta(ge=1, le=500)]
Include = Literal["", "possible"]  # also the references on receivers of unknown type that may mean a member
OutlineLimit = Annotated[int, Meta(ge=1, le=1000)]
TreeDepth = Annotated[int, Meta(ge=1, le=10)]
TokenBudget = Annotated[int, Meta(ge=100, le=25_000)]
LineNumber = Annotated[int, Meta(ge=1)]
PathList = Annotated[list[RepoPath], Meta(max_length=MAX_PATHS, extra=NOT_KEPT)]
SourcePath = Annotated[str, Meta(min_length=1, max_length=4_096, extra=NOT_KEPT)]


def language_family(language: str) -> tuple[str, ...]:
    """Return the languages whose symbols share a name space with `language`, itself included."""
    for family in LANGUAGE_FAMILIES:
        if language in family:
            return family
    return (language,)
