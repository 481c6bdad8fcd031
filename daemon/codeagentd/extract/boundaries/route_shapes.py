"""Shapes of routes that a row of a boundary table cannot express: where their paths and handlers are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children, first_of
from codeagentd.languages.boundary_table import VERBS, Row
from codeagentd.model.boundaries import ANY, HOLE, LONGEST, joined

from .call_shape import Called, last_name, object_of

_ASSIGNED: Final = ("left", "name", "pattern", "alias")  # fields of the nodes that give a value its name
_HOLDING: Final = frozenset(
    {
        "assignment",
        "variable_declarator",
        "short_var_declaration",
        "var_spec",
        "let_declaration",
        "as_pattern",
        "assignment_expression",
        "pair",
        "assignment_statement",
    }
)
_THROUGH: Final = frozenset(
    {
        "expression_list",
        "await",
        "await_expression",
        "parenthesized_expression",
        "equals_value_clause",
        "try_expression",
    }
)
_TYPES: Final = frozenset(
    {
        "class_definition",
        "class_declaration",
        "struct_item",
        "interface_declaration",
        "record_declaration",
        "abstract_class_declaration",
    }
)
_MARKED_BESIDE: Final = frozenset({"class_body", "attribute_item"})
_MARKED_AROUND: Final = frozenset({"modifiers", "attribute_list"})
_BETWEEN: Final = frozenset({"decorator", "comment", "attribute_item", "line_comment", "block_comment"})
_DATA: Final = frozenset({"object", "string", "template_string", "number", "true", "false", "null", "array"})
_FUNCTIONS: Final = frozenset(
    {"arrow_function", "function_expression", "lambda", "func_literal", "closure_expression", "lambda_expression"}
)
_INTERPRETERS: Final = frozenset(
    {
        "python",
        "python3",
        "node",
        "bash",
        "sh",
        "zsh",
        "ruby",
        "perl",
        "php",
        "source",
        ".",
        "exec",
        "env",
        "sudo",
        "npx",
        "ts-node",
        "deno",
        "lua",
    }
)
_SCRIPT: Final = re.compile(r"[\w{}./-]*[\w-]+\.(?:py|sh|bash|js|mjs|cjs|ts|rb|pl|php|lua)|\./[\w./-]+")
_COMMAND: Final = re.compile(r"[A-Za-z][\w.+-]{0,60}")


class RouteParts(NamedTuple):
    """The nodes of a route, before its path is read.

    `path` is the call with the literal of the path, `to` the handler. `of_type` is the name of the type that has the
    route, if no method has it.
    """

    call: Called
    path: Called  # the call with the path's literal
    to: Node | None
    of_type: Node | None = None

    def literal(self, row: Row) -> Node | None:
        """Return the node of the path, the argument of `path` that `row` names; None if it is missing."""
        return self.path.argument(row.path, row.names)


def route_parts(row: Row, call: Called) -> RouteParts | None:
    """Return the nodes of the route that `call` declares; None if it declares none."""
    to = call.argument(row.to, (row.to_name,) if row.to_name else ())
    if row.rule == "chain":  # router.route("/x").get(list).post(create)
        inner = call.receiver
        while inner is not None and (function := inner.child_by_field_name("function")) is not None:
            name = last_name(function)
            if name is not None and name.text == b"route":
                argument_list = inner.child_by_field_name("arguments")
                return RouteParts(
                    call._replace(receiver=object_of(function)),
                    call._replace(positional=children(argument_list) if argument_list else []),
                    to,
                )
            inner = object_of(function)
        return None
    argument_list = marked_definition(call.node) if call.is_mark else None
    enclosing = enclosing_type(call.node) if row.rule == "mapping" else None
    if call.is_mark and argument_list is None and enclosing is None:
        return None
    return RouteParts(
        call,
        call,
        to,
        enclosing if argument_list is None or (enclosing is not None and argument_list == enclosing) else None,
    )


def marked_definition(mark: Node) -> Node | None:
    """Return the name of the definition that has the decorator, annotation or attribute `mark`; None if
    there is none.
    """
    node = mark.parent
    if node is not None and node.type in _MARKED_BESIDE:  # the definition follows, after other attributes
        node = node if node.type == "attribute_item" else mark
        while node is not None and (node.type in _BETWEEN or node == mark):
            node = node.next_named_sibling
    elif node is not None and node.type in _MARKED_AROUND:
        node = node.parent
    if node is None:
        return None
    child = node.child_by_field_name("definition") or node.child_by_field_name("declaration") or node
    return child.child_by_field_name("name")


def enclosing_type(mark: Node, outer: bool = False) -> Node | None:
    """Return the name of the type that has the decorator `mark`; with `outer`, of the type around the method that has
    it. None if there is none.
    """
    if not outer:
        name = marked_definition(mark)
        return name if name is not None and name.parent is not None and name.parent.type in _TYPES else None
    node = mark.parent
    own = marked_definition(mark)
    while node is not None:
        name = node.child_by_field_name("name") if node.type in _TYPES else None
        if name is not None and name != own:
            return name
        node = node.parent
    return None


def variable_of(call: Node, through: frozenset[str] = _THROUGH) -> Node | None:
    """Return the name of the variable to which the value of `call` is assigned; None if there is none. `through` are
    the types of nodes that may lie between the two.
    """
    node, above = call, call.parent
    while above is not None and above.type in through:
        node, above = above, above.parent
    if above is None or above.type not in _HOLDING:
        return None
    if above.type == "as_pattern":
        alias = above.child_by_field_name("alias") or children(above)[-1]
        return last_name(alias) or first_of(alias)
    name = next((child for field in _ASSIGNED if (child := above.child_by_field_name(field)) is not None), None)
    if name is not None and name.type in ("expression_list", "pattern_list"):
        name = first_of(name) or name
    return last_name(name) if name is not None and name != node else None


def included(answer: RouteParts) -> tuple[Node | None, str] | None:
    """Return the argument of Django's `include(…)` in the route `answer`: (the object, '') or (None, the name of the
    module). None for any other route.
    """
    to = answer.to
    function = to.child_by_field_name("function") if to is not None and to.type == "call" else None
    name = last_name(function) if function is not None else None
    argument_list = to.child_by_field_name("arguments") if to is not None else None
    arguments = children(argument_list) if argument_list is not None else []
    if name is None or name.text != b"include" or not arguments:
        return None
    first = arguments[0]
    if first.type == "tuple":
        first = first_of(first) or first
    if first.type == "string":
        return None, "".join(
            (child.text or b"").decode() for child in first.named_children if child.type == "string_content"
        )
    if first.type == "attribute" and (first.text or b"").endswith(b".urls"):
        return first.child_by_field_name("object"), ""
    return first, ""


def viewset_paths(path: str) -> tuple[str, str]:
    """Return the two paths of a view set of Django REST framework at `path`: of the list, and of one item."""
    return path, joined(path, f"/{HOLE}")


def method_router(answer: RouteParts) -> Iterator[tuple[str, Node | None]]:
    """List (HTTP method, handler) of the route `answer` in axum and actix-web: `get(list).post(create)`,
    `web::get().to(list)`.
    """
    node = answer.to
    while node is not None and (function := node.child_by_field_name("function")) is not None:
        name, argument_list = last_name(function), node.child_by_field_name("arguments")
        text = (name.text or b"").decode(errors="replace") if name is not None else ""
        handler = first_of(argument_list)
        inner = object_of(function)
        if (
            text == "to"
            and inner is not None
            and (verb_call := inner.child_by_field_name("function")) is not None
            and (verb := last_name(verb_call)) is not None
        ):
            text, inner = (verb.text or b"").decode(errors="replace"), None
        if text in VERBS or text == "any":
            yield text.upper() if text != "any" else ANY, handler
        node = inner if function.type == "field_expression" else None


def is_data(node: Node) -> bool:
    """Whether `node`, in the position of a handler, is a literal."""
    return node.type in _DATA


def handler_of(node: Node) -> Node | None:
    """Return the name of the handler in the expression `node`: the name itself, the class of `View.as_view()`, or the
    argument of a wrapper. None for a function without a name.
    """
    while node.type in ("call", "call_expression"):
        function, argument_list = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        name = last_name(function) if function is not None else None
        if name is not None and name.text in (b"as_view", b"bind", b"as_asgi") and function is not None:
            following = object_of(function)
        else:
            following = (
                next(
                    (
                        child
                        for child in children(argument_list)
                        if child.type not in _DATA and child.type != "keyword_argument"
                    ),
                    None,
                )
                if argument_list
                else None
            )
        if following is None:
            return None
        node = following
    return None if node.type in _FUNCTIONS else node


def script_of(call: Called, row: Row | None, read: Callable[[Node], str | None]) -> Iterator[tuple[Node, str, bool]]:
    """List (the literal, the path or program, whether it is a script) of what `call` starts: one script, else one
    program.

    `row` is None for a command of a shell script. `read` returns the text of a literal.
    """
    first = call.argument(row.path, row.names) if row is not None else call.positional[0]
    if first is None:
        return
    words = list(_words(call, first, row, read))
    for node, text in words[:6]:
        if _SCRIPT.fullmatch(text) and not text.startswith("-"):
            yield node, text, True
            return
        if text.rpartition("/")[2] not in _INTERPRETERS and text != HOLE and not text.startswith("-"):
            break
    if words and _COMMAND.fullmatch(words[0][1]):
        yield *words[0], False


def _appended(call: Node) -> Iterator[Node]:
    """List the arguments `.arg("x").args(["y"])` of a command in Rust."""
    node = call
    while (
        (above := node.parent) is not None and above.type == "field_expression" and (outer := above.parent) is not None
    ):
        name, argument_list = above.child_by_field_name("field"), outer.child_by_field_name("arguments")
        if name is None or argument_list is None or name.text not in (b"arg", b"args"):
            return
        for child in children(argument_list):
            inner = children(child)[-1] if child.type == "reference_expression" else child
            yield from children(inner) if inner.type == "array_expression" else [child]
        node = outer


def _words(
    call: Called, first: Node, row: Row | None, read: Callable[[Node], str | None]
) -> Iterator[tuple[Node, str]]:
    """List the words of a command, in order: the elements of a list, the arguments, or the words of one text."""
    lists = ("list", "array", "tuple", "array_expression", "array_creation_expression")
    if first.type in lists:
        nodes = children(first)
    else:
        at = call.positional.index(first) if first in call.positional else 0
        nodes = call.positional[at:]
        if len(nodes) > 1 and nodes[1].type in lists:
            nodes = [nodes[0], *children(nodes[1])]
        if row is not None and row.rule == "args":
            nodes = [*nodes, *_appended(call.node)]
    for node in nodes:
        text = read(node)
        if text is None:
            yield node, HOLE
        elif len(text) <= LONGEST:
            yield from ((node, word) for word in (text.split() if row is not None else [text]))
