"""The tools about types: definitions, supertypes, subtypes."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta

from codeagentd.model.parameters import Cursor, EdgeLimit
from codeagentd.model.results.lens_results import InheritanceChain, TypePlace, TypeRelative
from codeagentd.query.hierarchy.type_hierarchy import ABOVE, BELOW, OF_TYPES, chains, relatives, types_of
from codeagentd.query.symbols.definitions import definitions_named, kind_number
from codeagentd.query.symbols.lookup import LABELS
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.pages import Page, page, position
from codeagentd.toolkit.path_arguments import viewpoint
from codeagentd.toolkit.tool import tool

Depth = Annotated[int, Meta(ge=1, le=5)]
ChainLimit = Annotated[int, Meta(ge=1, le=100)]
Direction = Literal["supertypes", "subtypes", "both"]

TYPED: Final = 50  # symbols of one name whose types are looked up
_DIRECTIONS: Final = {"supertypes": (ABOVE,), "subtypes": (BELOW,), "both": (ABOVE, BELOW)}
_TYPE_KINDS: Final = frozenset(int(kind) for kind in OF_TYPES)


def _kinds(kind: str | None) -> frozenset[int]:
    """The kinds of types, or the one kind that is requested."""
    number = kind_number(kind)
    return _TYPE_KINDS if number is None else frozenset({number})


@tool("hierarchy", name="code.type.definition")
def type_definition(
    ctx: Context, symbol_name: str, kind: str | None = None, context_path: str | None = None
) -> Page[TypePlace]:
    """Find the types of a symbol's values: a variable's, a field's, what a function returns.

    Returns: types as far as they are written or made in the declaration (`via`), a type itself for a type; none for an
             unknown type.
    Errors:  not_found, invalid_parameter, path_escape.
    Source:  001 code.type.* (named for the future).
    """
    view = viewpoint(ctx, context_path)
    number = kind_number(kind)
    with ctx.read() as db:
        result = definitions_named(db, symbol_name, None if number is None else {number}, view)
        types = [place for subject in result.subjects[:TYPED] for place in types_of(db, ctx.root, subject)]
        kinds = sorted({LABELS[subject.kind] for subject in result.subjects})
    unknown = "" if types else f"no type is known of this {' or '.join(kinds)}"
    return Page(list(dict.fromkeys(types)), note="; ".join(filter(None, (result.note, unknown))))


@tool("hierarchy", name="code.type.hierarchy")
def type_hierarchy(
    ctx: Context,
    symbol_name: str,
    direction: Direction = "both",
    depth: Depth = 1,
    kind: str | None = None,
    context_path: str | None = None,
    limit: EdgeLimit = 100,
    cursor: Cursor | None = None,
) -> Page[TypeRelative]:
    """List a type's supertypes and subtypes, by depth.

    Returns: supertypes before subtypes, the nearer first; `via` for more than one step; of other packages file_path
             external:….
    Errors:  not_found, invalid_parameter (no type), path_escape.
    Source:  001 code.type.* (named for the future).
    """
    view = viewpoint(ctx, context_path)
    question = ("code.type.hierarchy", symbol_name, direction, depth, kind, view)
    after = position(cursor, *question)
    with ctx.read() as db:
        result = definitions_named(db, symbol_name, _kinds(kind), view)
        part = relatives(db, ctx.root, result.subjects, _DIRECTIONS[direction], depth, after, limit)
    answer = page(part, *question)
    return (
        answer
        if after
        else Page(answer.results, answer.next_cursor, "; ".join(filter(None, (result.note, answer.note))))
    )


@tool("hierarchy", name="code.relation.inheritanceChain")
def inheritance_chain(
    ctx: Context,
    symbol_name: str,
    depth: Depth = 5,
    kind: str | None = None,
    context_path: str | None = None,
    limit: ChainLimit = 20,
) -> Page[InheritanceChain]:
    """List the chains of bases from a type up to its roots.

    Returns: one chain per way up, bases in the order written; `truncated` where it goes on beyond depth.
    Errors:  not_found, invalid_parameter (no type), path_escape.
    Source:  001 code.relation.* (named for the future).
    """
    view = viewpoint(ctx, context_path)
    with ctx.read() as db:
        result = definitions_named(db, symbol_name, _kinds(kind), view)
        part = chains(db, ctx.root, result.subjects, depth, limit)
    return Page(part.items, note="; ".join(filter(None, (result.note, part.note))))
