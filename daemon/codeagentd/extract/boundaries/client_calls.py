"""Client calls: the requests, programs, native and remote functions that a file uses, and those that it offers."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children
from codeagentd.languages.boundary_table import Row
from codeagentd.model.boundaries import COMMAND, GRPC, HOLE, HTTP, NATIVE, Boundary, Role, address
from codeagentd.model.kinds import SymbolKind

from .call_shape import Called, last_name, receiver_name, text_of
from .context import Scene
from .ffi import NATIVES, module_of
from .route_shapes import marked_definition, script_of

_RELATIVE: Final = re.compile(r"[\w{}.-]+(?:/[\w{}.:-]*)*(?:\?.*)?")
_TAGGED: Final = rb"(?<![\w.])(?:self\.|this\.)?%s\s*(?:\.|\?\.|->)\s*(\w+)\s*\("
_NO_CODE: Final = frozenset({"comment", "string_content", "string_fragment", "line_comment", "block_comment"})
_COMMAND: Final = re.compile(rb"[\w./-]+\.(?:py|sh|bash|js|rb|pl|php|lua)\b|(?<![\w.])\./[\w./-]+")


def request(scene: Scene, row: Row, call: Called) -> None:
    """Add the HTTP request that `call` makes, if at least a part of its path is a literal."""
    literal = scene.literal(row, call)
    text = scene.read(literal)
    is_try = row.role == "try"
    if not text or literal is None or (row.begins and not text.startswith(("/", HOLE, "http://", "https://"))):
        return
    match = address(text) if text.startswith(("/", "http", HOLE)) or _RELATIVE.fullmatch(text) else None
    if match is None or (is_try and match[:2] == ("", "/")):
        return
    host, path, is_below = match
    is_try &= not host  # an address on another host is a request, whatever the receiver
    on = (
        scene.mention_of(call.receiver)
        if call.receiver is not None and receiver_name(call.receiver) in scene.tags
        else None
    )
    for method in scene.methods(row, call):
        role = Role.TRY if is_try else Role.CALL
        scene.add(
            role,
            HTTP,
            path,
            literal,
            scene.enclosing_symbol(literal),
            method=method,
            on=on,
            module=host or (HOLE if is_below else ""),
        )


def run(scene: Scene, row: Row, call: Called) -> None:
    """Add the script or program that `call` starts."""
    for literal, path, is_script in script_of(call, row, scene.read):
        scene.add(
            Role.RUN, COMMAND, path, literal, scene.enclosing_symbol(literal), method="script" if is_script else ""
        )


def bind(scene: Scene, row: Row, call: Called) -> None:
    """Add a name that code in another language defines: the callee of `call`, or the declaration that the decorator
    `call` marks.
    """
    definition = marked_definition(call.node) if call.is_mark else None
    name = definition if call.is_mark else call.name
    if name is not None:
        text = (scene.read(call.argument(row.path, row.names)) if row.names else None) or text_of(name)
        scene.add(
            Role.BIND,
            NATIVE,
            text,
            name,
            scene.symbol_of(name) if definition is not None else scene.enclosing_symbol(name),
        )


def offer(scene: Scene, row: Row, call: Called) -> None:
    """Add the definition that `call` offers to code in another language, under the name that this code uses."""
    if row.rule == "procedure":
        _procedure(scene, call)
    elif call.is_mark:
        if (definition := marked_definition(call.node)) is not None:
            module = module_of(scene.source) if call.name.text == b"pyfunction" else ""
            scene.add(
                Role.OFFER,
                NATIVE,
                scene.read(call.argument(0)) or text_of(definition),
                definition,
                scene.symbol_of(definition),
                module=module,
            )
    elif (
        (literal := scene.literal(row, call)) is not None
        and (text := scene.read(literal))
        and (to := _function_in(call.argument(row.to))) is not None
    ):
        module = row.tag or module_of(scene.source)
        if module:
            scene.add(
                Role.OFFER, NATIVE, text, literal, scene.enclosing_symbol(literal), to=scene.mention(to), module=module
            )


def _function_in(node: Node | None) -> Node | None:
    """Return the name of the function that is offered: `&add`, `Napi::Function::New(env, Add)`."""
    argument_list = node.child_by_field_name("arguments") if node is not None else None
    if argument_list is not None and (arguments := children(argument_list)):
        node = arguments[-1]
    if node is not None and node.type == "pointer_expression" and (pointed := children(node)):
        node = pointed[0]
    return last_name(node) if node is not None else None


def _procedure(scene: Scene, call: Called) -> None:
    """Add a procedure of NestJS: `@GrpcMethod("Greeter", "SayHello")`. Without the second argument the method's own
    name counts.
    """
    definition = marked_definition(call.node)
    names = [scene.read(node) for node in call.positional[:2]]
    if definition is not None and names and names[0]:
        name = names[1] if len(names) > 1 and names[1] else text_of(definition)
        scene.add(Role.ROUTE, GRPC, f"{names[0]}/{name}", call.positional[0], scene.symbol_of(definition))


def of_objects(scene: Scene) -> None:
    """Add the calls of members of known libraries and gRPC stubs. Every member counts, whatever its name."""
    for of, tag in scene.tags.items():
        for match in re.finditer(_TAGGED % re.escape(of.encode()), scene.source) if tag in ("library", "stub") else ():
            node, _ = scene.node_at(match.start(1))
            name = match[1].decode(errors="replace")
            if node.end_byte != match.end(1) or node.type in _NO_CODE or name.startswith("_"):
                continue
            if tag == "library":
                scene.add(Role.BIND, NATIVE, name, node, scene.enclosing_symbol(node))
            else:
                scene.add(Role.CALL, GRPC, f"{scene.stubs[of]}/{name}", node, scene.enclosing_symbol(node))


def of_symbols(scene: Scene) -> None:
    """Add the boundaries that follow from definitions alone: types that serve procedures, the procedures, and functions
    with a body in another language.
    """
    table, symbols = scene.known.table, scene.facts.symbols
    for index, symbol in enumerate(symbols):
        for base in symbol.bases if scene.known.serves is not None else ():
            if scene.known.serves is not None and (match := scene.known.serves.fullmatch(base)):
                scene.boundaries.append(Boundary(Role.SERVE, GRPC, "", match[1], symbol.line, symbol.col, index))
        if table.procedures and symbol.kind == SymbolKind.METHOD and symbols[symbol.parent].kind == SymbolKind.SERVICE:
            text = f"{symbols[symbol.parent].name}/{symbol.name}"
            scene.boundaries.append(Boundary(Role.OFFER, GRPC, "", text, symbol.line, symbol.col, index))
    if table.natives:
        for text, name in NATIVES[table.natives](scene.facts, scene.root, scene.source):
            scene.add(Role.BIND, NATIVE, text, name, scene.symbol_of(name))


def of_commands(scene: Scene) -> None:
    """Add the commands of a shell script that run another script, directly or through an interpreter."""
    seen = set()
    for match in _COMMAND.finditer(scene.source):
        node, enclosing = scene.node_at(match.start())
        command = next((node_above for node_above in (node, *enclosing) if node_above.type == "command"), None)
        name = command.child_by_field_name("name") if command is not None else None
        if command is None or name is None or command.start_byte in seen:
            continue
        seen.add(command.start_byte)
        call = Called(command, name, None, [name, *command.children_by_field_name("argument")], {}, False)
        for literal, path, is_script in script_of(call, None, _word):
            if is_script:
                scene.add(Role.RUN, COMMAND, path, literal, scene.enclosing_symbol(literal), method="script")


def _word(node: Node) -> str | None:
    """Return the text of a word of a shell script; `"$DIR"/a.sh` has a hole."""
    text = text_of(node) if node.end_byte - node.start_byte <= 300 else ""
    return re.sub(r"\$\{[^}]*\}|\$\([^)]*\)|\$\w+", HOLE, text.replace('"', "").replace("'", "")) or None
