"""Bindings of Python's names in a syntax tree: which places bind a name, and the calls of a function in its file.

Everything is looked up on demand, by the places of a name in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Final, NamedTuple

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children, first_of

FUNCTION: Final = "function_definition"
CLASS: Final = "class_definition"
MODULE: Final = "module"
MOST_PLACES: Final = 200  # of one name: more are not examined
MOST_KEYS: Final = 8  # of elements in elements

_START: Final = attrgetter("start_byte")
_SCOPES: Final = frozenset(
    {FUNCTION, CLASS, MODULE, "lambda", "list_comprehension", "set_comprehension", "dictionary_comprehension",
     "generator_expression"}
)  # fmt: skip
_PATTERNS: Final = frozenset({"pattern_list", "tuple_pattern", "list_pattern"})
_DEFAULTS: Final = frozenset({"default_parameter", "typed_default_parameter"})
_PARAMETERS: Final = frozenset({"parameters", "lambda_parameters"})
_IMPORTS: Final = frozenset({"import_statement", "import_from_statement", "aliased_import"})
_BLOCKS: Final = frozenset({"block", MODULE})
_LOOPS: Final = frozenset({"for_statement", "while_statement"})
_SHARING: Final = frozenset({"global_statement", "nonlocal_statement"})
_CONTAINING: Final = frozenset({"subscript", "attribute"})
_OTHER: Final = frozenset({"as_pattern_target", "augmented_assignment"})


class Position(NamedTuple):
    """The position of a name in a pattern of `size` parts; `star`: the number of the part that takes the rest."""

    number: int
    size: int
    star: int  # -1: none

    def parts(self, elements: Sequence[Node]) -> Sequence[Node]:
        """Return those of the elements of a value that the name gets."""
        if self.star < 0 or self.number < self.star:
            return elements[self.number : self.number + 1]
        if self.number > self.star:
            at = len(elements) - (self.size - self.number)
            return elements[at : at + 1]
        return elements[self.star : len(elements) - (self.size - 1 - self.star)]


class Binding(NamedTuple):
    """A place that binds a name. `kind`: definition, parameter, value, iterated, import, other. `place`: the
    definition, the function of the parameter, or the expression of the value, of which `path` leads to the part.
    """

    name: Node
    kind: str
    place: Node | None
    path: tuple[Position, ...] = ()


class PythonBindings:
    """The bindings of one file."""

    def __init__(self, source: bytes, root: Node, identifiers: Iterable[Node]) -> None:
        self._source = source
        self._root = root
        self._identifiers = {node.start_byte: node for node in identifiers}
        self._named: dict[bytes, list[Node]] = {}  # those of a name, in order
        self._bindings: dict[tuple[int, bytes], list[Binding]] = {}  # by scope and name, as the others
        self._visible: dict[tuple[int, bytes], tuple[Node | None, list[Binding]]] = {}
        self._uses: dict[tuple[int, bytes], list[Node]] = {}
        self._scopes: dict[int, Node] = {}  # around a node
        self._shared: dict[bytes, bool] = {}  # names that functions assign in outer scopes

    def reaching(self, use: Node) -> tuple[list[Binding], bool]:
        """Return (the bindings that a name may have at a place, whether that is certain)."""
        scope, bindings = self._lookup(use)
        if len(bindings) < 2 or scope is None or self._scope(use) != scope:
            return bindings, len(bindings) < 2 and not self._is_shared(use)
        results: list[Binding] = []
        for binding in reversed([binding for binding in bindings if _is_before(binding, use)]):
            results.append(binding)
            if _is_unconditional(binding.name, use):
                break
        loop = self._loop(use, scope)
        if loop is not None:  # what its body assigns later, the next round uses
            results += [item for item in bindings if item not in results and _contains(loop, item.name)]
        return (results, len(results) == 1 and not self._is_shared(use)) if results else (bindings, False)

    def _is_shared(self, use: Node) -> bool:
        """Whether a function assigns a variable of this name of an outer scope."""
        name = use.text or b""
        if name not in self._shared:
            parents = (node.parent for node in self._of_name(name))
            self._shared[name] = any(outer is not None and outer.type in _SHARING for outer in parents)
        return self._shared[name]

    def _loop(self, use: Node, scope: Node) -> Node | None:
        """The outermost loop around a place in its scope."""
        loop, outer = None, use.parent
        while outer is not None and outer != scope:
            loop = outer if outer.type in _LOOPS else loop
            outer = outer.parent
        return loop

    def function_around(self, node: Node) -> Node | None:
        """Return the function whose body contains a definition directly."""
        scope = self._scope(node)
        return scope if scope.type == FUNCTION else None

    def parameter(self, function: Node, name: Node) -> tuple[int, Node | None]:
        """Return (the number of a parameter, its default value)."""
        parameters = function.child_by_field_name("parameters")
        for number, parameter in enumerate(children(parameters) if parameters is not None else ()):
            if parameter.start_byte <= name.start_byte < parameter.end_byte:
                default = parameter.child_by_field_name("value") if parameter.type in _DEFAULTS else None
                return number, default
        return -1, None

    def calls_of(self, function: Node) -> Iterator[tuple[Node, int]]:
        """List (call, number of parameters that no argument is for) of the calls of a function in its file by its
        name, and the definitions that it decorates.
        """
        name = function.child_by_field_name("name")
        owner = self._scope(function)
        if name is None or name.text is None:
            return
        if owner.type == CLASS:
            yield from self._calls_of_method(function, name.text, owner)
            return
        for node in self._places(name.text, self._root):
            if any(binding.place == function for binding in self._lookup(node)[1]):
                call = node.parent
                is_call = call is not None and call.type == "call" and call.child_by_field_name("function") == node
                if call is not None and (is_call or call.type == "decorator"):
                    yield call, 0

    def _calls_of_method(self, function: Node, name: bytes, owner: Node) -> Iterator[tuple[Node, int]]:
        class_name = owner.child_by_field_name("name")
        searched = class_name.text if name == b"__init__" and class_name is not None else name
        for node in self._places(searched or name, self._root, members=name != b"__init__"):
            callee = node.parent if name != b"__init__" else node
            call = callee.parent if callee is not None else None
            if (
                callee is not None
                and call is not None
                and call.type == "call"
                and call.child_by_field_name("function") == callee
                and (name == b"__init__" or self._is_only(name, owner, callee))
            ):
                yield call, 1

    def _is_only(self, name: bytes, owner: Node, callee: Node) -> bool:
        """Whether a member can only be that of a class: no other definition of the file has its name, or it is a member
        of `self` in the class.
        """
        if (
            callee.text is not None
            and callee.text.startswith(b"self.")
            and owner.start_byte <= callee.start_byte < owner.end_byte
        ):
            return True
        definitions = (node.parent for node in self._places(name, self._root))
        return sum(node is not None and node.type == FUNCTION for node in definitions) == 1

    def method(self, class_: Node, name: bytes) -> Node | None:
        """Return the method `name` that a class declares itself."""
        binding = next(iter(self._bindings_of(class_, name)), None)
        return binding.place if binding is not None and binding.kind == "definition" else None

    def statements(self, function: Node, word: re.Pattern[bytes]) -> Iterator[Node]:
        """List the statements and expressions of a function's own body that begin with `word`."""
        body = function.child_by_field_name("body")
        if body is None:
            return
        for match in word.finditer(self._source, body.start_byte, body.end_byte):
            node = self._root.descendant_for_byte_range(*match.span())
            statement = node.parent if node is not None and not node.is_named else None
            if statement is not None and statement.start_byte == match.start() and self._scope(statement) == function:
                yield statement

    def set_elements(self, container: Node, use: Node) -> Iterator[tuple[Node, Node, bool]]:
        """List (key, value, whether it certainly precedes the use) of the assignments to elements of a variable, or of
        its element that `container` is.
        """
        for node in self._same_variable(_variable(container)):
            element = _element_like(container, node)
            subscript = element.parent if element is not None else None
            assignment = subscript.parent if subscript is not None and subscript.type == "subscript" else None
            if (
                subscript is not None
                and assignment is not None
                and assignment.type == "assignment"
                and assignment.child_by_field_name("left") == subscript
                and (value := assignment.child_by_field_name("right")) is not None
                and len(keys := subscript.children_by_field_name("subscript")) == 1
            ):
                yield keys[0], value, self._is_certain(node, use)

    def updates(self, container: Node, use: Node) -> Iterator[tuple[Node, bool]]:
        """List (literal, whether it certainly precedes the use) of the dictionaries that a variable is updated with."""
        for node in self._same_variable(container):
            method = node.parent
            call = method.parent if method is not None and (method.text or b"").endswith(b".update") else None
            arguments = call.child_by_field_name("arguments") if call is not None and call.type == "call" else None
            literal = first_of(arguments)
            if literal is not None and literal.type == "dictionary":
                yield literal, self._is_certain(node, use)

    def _same_variable(self, container: Node) -> list[Node]:
        """List the uses of a variable as a container or receiver."""
        if container.type != "identifier":
            return []
        scope, _ = self._lookup(container)
        key = (scope.id if scope is not None else 0, container.text or b"")
        if key not in self._uses:
            self._uses[key] = [
                node
                for node in self._places(key[1], scope or self._root)
                if (outer := node.parent) is not None
                and outer.type in _CONTAINING
                and (scope is None or self._lookup(node)[0] == scope)
            ]
        return self._uses[key]

    def _is_certain(self, node: Node, use: Node) -> bool:
        return (
            node.start_byte < use.start_byte and self._scope(node) == self._scope(use) and _is_unconditional(node, use)
        )

    # -- scopes
    def _lookup(self, use: Node) -> tuple[Node | None, list[Binding]]:
        """The innermost scope that binds a name, and its bindings there."""
        own = self._scope(use)
        key = (own.id, use.text or b"")
        if key not in self._visible:
            self._visible[key] = self._looked_up(own, key[1])
        return self._visible[key]

    def _looked_up(self, own: Node, name: bytes) -> tuple[Node | None, list[Binding]]:
        if not self._of_name(name):
            return None, []
        scope = own
        while True:
            if (scope == own or scope.type != CLASS) and (bindings := self._bindings_of(scope, name)):
                return scope, bindings
            if scope.parent is None:
                return None, []
            scope = self._scope(scope)

    def _bindings_of(self, scope: Node, name: bytes) -> list[Binding]:
        key = (scope.id, name)
        if key not in self._bindings:
            bindings = (_binding(node) for node in self._places(name, scope))
            self._bindings[key] = [
                binding for binding in bindings if binding is not None and self._scope_of(binding) == scope
            ]
        return self._bindings[key]

    def _scope_of(self, binding: Binding) -> Node:
        return (
            binding.place
            if binding.kind == "parameter" and binding.place is not None
            else self._scope(
                binding.place if binding.kind == "definition" and binding.place is not None else binding.name
            )
        )

    def _scope(self, node: Node) -> Node:
        """The innermost scope around a node. Default values and annotations of parameters are outside."""
        if node.id not in self._scopes:
            child, outer = node, node.parent
            while outer is not None:
                if outer.type in _SCOPES and not (outer.type == FUNCTION and child.type not in ("block", "comment")):
                    break
                child, outer = outer, outer.parent
            self._scopes[node.id] = outer or self._root
        return self._scopes[node.id]

    def _of_name(self, name: bytes) -> list[Node]:
        """List the identifiers of a name, in order."""
        if name not in self._named:
            self._named[name] = nodes = []
            at = self._source.find(name) if name else -1
            while at >= 0:
                node = self._identifiers.get(at)
                if node is not None and node.end_byte == at + len(name):
                    nodes.append(node)
                at = self._source.find(name, at + 1)
        return self._named[name]

    def _places(self, name: bytes, within: Node, members: bool = False) -> Iterator[Node]:
        """List the identifiers of a name in the text of a node: those without a receiver, or with `members` the
        others.
        """
        nodes = self._of_name(name)
        first = bisect_left(nodes, within.start_byte, key=_START)
        places = 0
        for node in islice(nodes, first, None):
            start = node.start_byte
            if start >= within.end_byte or places >= MOST_PLACES:
                return
            if (self._source[start - 1 : start] == b".") == members:
                places += 1
                yield node


def _binding(node: Node) -> Binding | None:
    """The binding that an identifier is; None where it only uses the name."""
    outer = node.parent
    if outer is None:
        return None
    kind = outer.type
    if kind in (FUNCTION, CLASS):
        return Binding(node, "definition", outer) if outer.child_by_field_name("name") == node else None
    if kind in _PARAMETERS:
        return Binding(node, "parameter", outer.parent)
    if kind in _DEFAULTS or kind == "typed_parameter":
        is_name = outer.child_by_field_name("name") == node or (kind == "typed_parameter" and outer.child(0) == node)
        function = outer.parent.parent if outer.parent is not None else None
        return Binding(node, "parameter", function) if is_name else None
    if kind == "dotted_name":
        return Binding(node, "import", None) if outer.parent is not None and outer.parent.type in _IMPORTS else None
    if kind in _IMPORTS:
        return Binding(node, "import", None)
    if kind in _OTHER:
        return Binding(node, "other", None) if outer.start_byte == node.start_byte else None
    return _assigned(node, outer)


def _assigned(node: Node, outer: Node) -> Binding | None:
    """The binding of a name that gets a value, or a part of one."""
    path: list[Position] = []
    target: Node = node
    while outer.type in _PATTERNS or outer.type == "list_splat_pattern":
        if outer.type in _PATTERNS:
            parts = children(outer)
            stars = [number for number, part in enumerate(parts) if part.type == "list_splat_pattern"]
            path.insert(0, Position(parts.index(target), len(parts), stars[0] if stars else -1))
        elif outer.parent is None or outer.parent.type not in _PATTERNS:
            return Binding(node, "other", None)
        if outer.parent is None:
            return None
        target, outer = outer, outer.parent
    if outer.type == "assignment" and outer.child_by_field_name("left") == target:
        return Binding(node, "value", outer.child_by_field_name("right"), tuple(path))
    if outer.type == "named_expression" and outer.child_by_field_name("name") == target:
        return Binding(node, "value", outer.child_by_field_name("value"))
    if outer.type in ("for_statement", "for_in_clause") and outer.child_by_field_name("left") == target:
        return Binding(node, "iterated", outer.child_by_field_name("right"), tuple(path))
    return None


def _variable(container: Node) -> Node:
    """The variable that an element is of: `d` of `d["a"]["b"]`."""
    for _ in range(MOST_KEYS):
        inner = container.child_by_field_name("value") if container.type == "subscript" else None
        container = inner or container
    return container


def _element_like(container: Node, node: Node) -> Node | None:
    """The expression around `node` that has the keys of `container`: both are elements of one variable."""
    keys: list[bytes | None] = []
    while (
        container.type == "subscript"
        and len(keys) <= MOST_KEYS
        and (inner := container.child_by_field_name("value")) is not None
    ):
        keys += [key.text for key in container.children_by_field_name("subscript")]
        container = inner
    if len(keys) > MOST_KEYS:
        return None
    element: Node | None = node
    for key in reversed(keys):
        element = element.parent if element is not None else None
        if element is None or [part.text for part in element.children_by_field_name("subscript")] != [key]:
            return None
    return element


def _contains(outer: Node, node: Node) -> bool:
    return outer.start_byte <= node.start_byte < outer.end_byte


def _is_before(binding: Binding, use: Node) -> bool:
    """Whether a binding precedes a use: a value does not reach its own expression."""
    place = binding.place
    is_own = binding.kind == "value" and place is not None and place.start_byte <= use.start_byte < place.end_byte
    return binding.name.start_byte < use.start_byte and not is_own


def _is_unconditional(node: Node, use: Node) -> bool:
    """Whether the block of a statement contains a later use, so that the statement has run before."""
    block = node.parent
    while block is not None and block.type not in _BLOCKS:
        block = block.parent
    return block is not None and block.start_byte <= use.start_byte < block.end_byte
