"""Routes: the objects that have routes, the routes, and the routers that are mounted below a path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children
from codeagentd.languages.boundary_table import VERBS, Row
from codeagentd.model.boundaries import ANY, HOLE, HTTP, ROOT, Mention, Role, address, template

from .call_shape import Called, receiver_name, text_of
from .context import Scene
from .route_shapes import (
    RouteParts,
    enclosing_type,
    handler_of,
    included,
    is_data,
    marked_definition,
    method_router,
    route_parts,
    variable_of,
    viewset_paths,
)

_LISTS: Final = frozenset({"element_value_array_initializer", "array", "list", "array_initializer"})
_IN_LISTS: Final = frozenset({"list", "tuple", "binary_operator", "call", "argument_list"})
_CHAINS: Final = frozenset({"call_expression", "field_expression"})
_UNPLACED: Final = frozenset({"library", "stub", "tests"})  # objects that have no path


def group(scene: Scene, row: Row, call: Called) -> None:
    """Add the object that `call` creates and that has routes, or makes requests."""
    variable = enclosing_type(call.node) if row.mark else variable_of(call.node)
    if variable is None or (row.tag == "stub" and not _is_stub(scene, call)):
        return
    name = scene.mention(variable)
    scene.tags[name.name] = row.tag
    if row.tag == "stub":
        scene.stubs[name.name] = _service_of(row, call)
    if row.tag in _UNPLACED:
        return
    literal = scene.literal(row, call)
    text = scene.read(literal)
    host, path, _ = address(text or "/") or ("", "/", False)
    above = scene.mention_of(call.receiver) if row.tag == "router" and row.path == 0 else None
    if row.tag == ROOT:
        kind = row.tag
    elif row.mark:
        kind = "type"
    else:
        kind = host or (HOLE if literal is not None and text is None else row.tag)
    scene.add(Role.GROUP, HTTP, path, literal or call.name, scene.symbol_of(variable), on=name, to=above, module=kind)


def _is_stub(scene: Scene, call: Called) -> bool:
    """Whether a constructor of this name makes a gRPC stub: the file uses gRPC."""
    return b"rpc" in scene.source or b"pb" in (call.node.text or b"")[:400]


def _service_of(row: Row, call: Called) -> str:
    if row.rule == "owner":
        return receiver_name(call.receiver).removesuffix("Grpc")
    return text_of(call.name).removesuffix("Stub").removesuffix("Client").removeprefix("New")


def route(scene: Scene, row: Row, call: Called) -> None:
    """Add the handlers that `call` registers for requests of a path."""
    answer = route_parts(row, call)
    for written, literal in _paths(scene, row, answer) if answer is not None else ():
        path = template(written.partition(" ")[2] if row.rule == "spoken" and " " in written else written)
        if answer is not None and path is not None and not (row.begins and written and not written.startswith("/")):
            _SHAPES.get(row.rule, _plain)(scene, row, answer, written, path, literal)


def _paths(scene: Scene, row: Row, answer: RouteParts) -> Iterator[tuple[str, Node]]:
    """List the path literals of a route; several where the route has a list of them."""
    literal = answer.literal(row)
    if literal is None and row.empty:
        yield "", answer.call.name
    for element in children(literal) if literal is not None and literal.type in _LISTS else [literal]:
        if element is not None and (text := scene.read(element)) is not None:
            yield _filled(scene, text, answer), element


def _filled(scene: Scene, text: str, answer: RouteParts) -> str:
    """Replace ASP.NET's `[controller]` and `[action]` by the names of the type and method that have the route."""
    if "[" not in text or scene.facts.language != "csharp":
        return text
    enclosing, definition = (
        enclosing_type(answer.call.node, outer=True) or answer.of_type,
        marked_definition(answer.call.node),
    )
    name = text_of(enclosing).removesuffix("Controller") if enclosing is not None else HOLE
    return text.replace("[controller]", name).replace(
        "[action]", text_of(definition) if definition is not None else HOLE
    )


def _plain(scene: Scene, row: Row, answer: RouteParts, text: str, path: str, literal: Node) -> None:
    for method in scene.methods(row, answer.call):
        _handle(scene, row, answer.call, method, path, literal, answer.to)


def _included(scene: Scene, row: Row, answer: RouteParts, text: str, path: str, literal: Node) -> None:
    """Add a path of Django, or a module that is included below the path."""
    if mount := included(answer):
        scene.add(
            Role.MOUNT,
            HTTP,
            path,
            literal,
            0,
            on=_listed(scene, answer.call),
            to=scene.mention_of(mount[0]),
            module=mount[1],
        )
    else:
        _handle(scene, row, answer.call, ANY, path, literal, answer.to)


def _by_methods(scene: Scene, row: Row, answer: RouteParts, text: str, path: str, literal: Node) -> None:
    for method, handler in method_router(answer):
        _handle(scene, row, answer.call, method, path, literal, handler)


def _viewset(scene: Scene, row: Row, answer: RouteParts, text: str, path: str, literal: Node) -> None:
    for below in viewset_paths(path):
        _handle(scene, row, answer.call, ANY, below, literal, answer.to)


def _mapping(scene: Scene, row: Row, answer: RouteParts, text: str, path: str, literal: Node) -> None:
    """Add the path of a type's mapping, which is a prefix of the paths of its methods."""
    if answer.of_type is not None:
        name = scene.mention(answer.of_type)
        scene.add(Role.GROUP, HTTP, path, literal, scene.symbol_of(answer.of_type), on=name, module="type")
    else:
        _plain(scene, row, answer, text, path, literal)


def _with_method(scene: Scene, row: Row, answer: RouteParts, text: str, path: str, literal: Node) -> None:
    """Add a route of Go 1.22, whose method is part of the pattern: `"GET /users/{id}"`."""
    method, blank, _ = text.partition(" ")
    if not blank or method.lower() in VERBS:
        _handle(scene, row, answer.call, method if blank else ANY, path, literal, answer.to)


_SHAPES: Final = {
    "include": _included, "method_router": _by_methods, "viewset": _viewset, "mapping": _mapping,
    "spoken": _with_method,
}  # fmt: skip


def _handle(scene: Scene, row: Row, call: Called, method: str, path: str, literal: Node, handler: Node | None) -> None:
    if row.mark:
        enclosing, definition = (
            enclosing_type(call.node, outer=True) if call.receiver is None else None,
            marked_definition(call.node),
        )
        on = scene.mention(enclosing) if enclosing is not None else scene.mention_of(call.receiver)
        if definition is not None:
            scene.add(Role.ROUTE, HTTP, path, literal, scene.symbol_of(definition), method=method, on=on)
    elif handler is not None and not (row.code and is_data(handler)):
        if row.rule == "include":
            on = _listed(scene, call)
        elif row.rule == "method_router":
            on = _chained(scene, call)
        else:
            on = scene.mention_of(call.receiver)
        scene.add(
            Role.ROUTE,
            HTTP,
            path,
            literal,
            scene.enclosing_symbol(literal),
            method=method,
            on=on,
            to=scene.mention_of(handler_of(handler)),
        )


def _listed(scene: Scene, call: Called) -> Mention | None:
    """Return the list that contains a route of Django, unless it is the main list of the file, `urlpatterns`."""
    variable = variable_of(call.node, through=_IN_LISTS)
    return scene.mention(variable) if variable is not None and variable.text != b"urlpatterns" else None


def _chained(scene: Scene, call: Called) -> Mention | None:
    """Return the variable that a chain of calls is assigned to."""
    variable = variable_of(call.node, through=_CHAINS)
    return scene.mention(variable) if variable is not None else None


def mount(scene: Scene, row: Row, call: Called) -> None:
    """Add the router that `call` mounts below a path: an object, a function that returns one, or a file."""
    literal, to = scene.literal(row, call), call.argument(row.to, (row.to_name,) if row.to_name else ())
    text = scene.read(literal) or ""
    path = template(text)
    if to is None or path is None or (row.begins and not text.startswith("/")):
        return
    module = _required(scene, to)
    on = _chained(scene, call) if row.rule == "around" else scene.mention_of(call.receiver)
    method = "=" if row.replaces and text else ""
    scene.add(
        Role.MOUNT,
        HTTP,
        path,
        literal or call.name,
        scene.enclosing_symbol(call.name),
        method=method,
        on=on,
        to=scene.mention_of(to),
        module=module,
    )


def _required(scene: Scene, to: Node) -> str:
    """Return the path of `require("./users")`."""
    function, argument_list = to.child_by_field_name("function"), to.child_by_field_name("arguments")
    arguments = children(argument_list) if argument_list is not None else []
    if function is None or function.text != b"require" or not arguments:
        return ""
    return scene.read(arguments[0]) or ""


def mount_passed_router(scene: Scene, call: Called) -> None:
    """Mount the routes that the callee of `call` adds to a router that it gets as an argument."""
    for argument in call.positional:
        if argument.type == "identifier" and scene.tags.get(text_of(argument)) in ("app", "router"):
            to = scene.mention(call.name)
            scene.add(
                Role.MOUNT, HTTP, "/", argument, scene.enclosing_symbol(argument), on=scene.mention(argument), to=to
            )
