"""Extraction of boundaries: routes, requests, programs and native names of a file, by the table of its language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from tree_sitter import Node

from codeagentd.extract.positions import Places
from codeagentd.languages.boundary_table import VERBS, Row, boundaries
from codeagentd.model.boundaries import Boundary
from codeagentd.model.facts import FileFacts
from codeagentd.model.kinds import ReferenceKind

from .call_shape import Called, called_at, text_of
from .client_calls import bind, of_commands, of_objects, of_symbols, offer, request, run
from .context import Scene
from .routes import group, mount, mount_passed_router, route

MOST: Final = 2_000  # boundaries of one file: more are generated code
_CALLS: Final = frozenset({ReferenceKind.CALL, ReferenceKind.DECORATE, ReferenceKind.READ, ReferenceKind.TYPE})
# a call whose first argument is one
_STRING: Final = re.compile(rb"(?:<[^<>()]*>)?\(\s*(?:\w+\s*[=:]\s*)?[rfbuRF@$]{0,2}[\"'`]")
_ACTIONS: Final[dict[str, Callable[[Scene, Row, Called], None]]] = {
    "group": group, "route": route, "mount": mount, "call": request, "try": request, "run": run, "bind": bind,
    "offer": offer,
}  # fmt: skip


def boundaries_of(facts: FileFacts, source: bytes, root: Node, places: Places) -> list[Boundary]:
    """Return the boundaries of the file with these `facts`, in the order of their positions.

    Nearly all files have none, as their names alone show.
    """
    known = boundaries(facts.language)
    if known is None:
        return []
    is_crossed = known.is_crossed([fact.module for fact in facts.imports])
    if not is_crossed and not known.concerns(facts.names, source):
        return []
    scene = Scene(known, facts, source, root, places)
    _look(scene, list(_calls(scene, is_crossed)))
    return sorted(scene.boundaries[:MOST], key=lambda boundary: (boundary.line, boundary.col))


def _look(scene: Scene, calls: list[Called]) -> None:
    """Collect objects with routes first, since calls are looked up by their receivers; then the calls."""
    rows = [scene.row(call) for call in calls]
    for row, call in zip(rows, calls, strict=True):
        if row is not None and row.role == "group":
            group(scene, row, call)
    for row, call in zip([scene.row(call) for call in calls] if scene.tags else rows, calls, strict=True):
        if row is not None and row.role != "group" and len(call.positional) >= row.least:
            _ACTIONS[row.role](scene, row, call)
    if scene.known.table.hands_over and scene.tags:
        for call in _calls_with_routers(scene):
            mount_passed_router(scene, call)
    of_objects(scene)
    of_symbols(scene)
    if scene.known.table.commands:
        of_commands(scene)


def _calls(scene: Scene, is_crossed: bool) -> Iterator[Called]:
    """List the calls that may match a row of the table."""
    for start in _starts(scene, is_crossed):
        name, enclosing = scene.node_at(start)
        if name.start_byte == start and (call := called_at(name, enclosing, scene.known.table)) is not None:
            yield call


def _starts(scene: Scene, is_crossed: bool) -> Iterator[int]:
    """List the positions of the names of such calls.

    In a file that imports no library of the table, the name of an HTTP method counts only where a string follows,
    because such names have other meanings too.
    """
    facts, known = scene.facts, scene.known
    aliases = {
        local
        for local, (module, name) in scene.imports.items()
        if known.may_call("" if name == "default" else name) and known.knows(module)
    }
    selected = {index for index, name in enumerate(facts.names) if name in aliases or known.may_call(name)}
    for name, kind, line, col, *_ in facts.called(selected) if selected else ():
        if kind in _CALLS:
            start, text = scene.offset(line, col), facts.names[name]
            if is_crossed or text not in VERBS or _STRING.match(scene.source, start + len(text)):
                yield start
    if known.signs is not None:
        yield from (match.start(1) for match in known.signs.finditer(scene.source))


def _calls_with_routers(scene: Scene) -> Iterator[Called]:
    """List the calls of other functions that get an object with routes as an argument."""
    names = b"|".join(re.escape(name.encode()) for name, tag in scene.tags.items() if tag in ("app", "router"))
    for match in (
        re.finditer(rb"(\w+)\([^()]{0,200}?\b(?:" + names + rb")\b[^()]{0,200}\)", scene.source) if names else ()
    ):
        name, enclosing = scene.node_at(match.start(1))
        call = called_at(name, enclosing, scene.known.table) if name.start_byte == match.start(1) else None
        if call is not None and not scene.known.may_call(text_of(name)):
            yield call
